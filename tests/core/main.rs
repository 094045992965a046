//! What needs no table: boards and their text, spaces, files, and the code that runs on
//! every machine.

#[path = "../boards/mod.rs"]
mod boards;

mod board;
mod portable;
mod reading;
mod space;
mod staged;
