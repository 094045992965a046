//! Catalogues: which puzzles, all that is told of them, the file.

#[path = "../common/mod.rs"]
mod common;

mod build;
mod columns;
mod file;
mod seven;
mod shards;
mod survey;
mod whole;
