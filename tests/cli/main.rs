//! The program, as people and scripts use it.

#[path = "../common/mod.rs"]
mod common;

mod catalogue;
mod commands;
mod compare;
mod eight;
mod examples;
mod export;
mod export_files;
mod grade;
mod heuristics;
mod import;
mod import_dataset;
mod interrupt;
mod kill;
mod pack;
mod planted;
mod reading;
mod render;
mod schema;
mod search;
mod shards;
mod survey;
mod walls;
