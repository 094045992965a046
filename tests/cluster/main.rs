//! One cluster: the exact solver and its relatives.

#[path = "../oracle/mod.rs"]
mod oracle;

mod relatives;
mod solve;
