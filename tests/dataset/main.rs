//! Datasets: which boards, what is told of them, the forms.

#[path = "../boards/mod.rs"]
mod boards;
#[path = "../common/chance.rs"]
mod chance;
#[path = "../common/mod.rs"]
mod common;

mod draw;
mod export;
mod hh_evolver;
mod parquet;
mod pddl;
mod rows;
