//! Searches, heuristics, and what is written of them.

#[path = "../boards/mod.rs"]
mod boards;
#[path = "../common/mod.rs"]
mod common;

mod algorithms;
mod any;
mod eight;
mod formula;
mod heuristics;
mod patterns;
mod programs;
mod published;
mod text;
mod toy;
