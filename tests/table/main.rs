//! Tables: how they are solved, written, read, counted, and asked.

#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;

mod census;
mod distances;
mod file;
mod probe;
mod retrograde;
mod shared;
mod walls;
