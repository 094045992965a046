//! One cluster: the exact solver and its relatives.

mod relatives;
mod solve;
