//! Drawing: boards for a terminal and on paper, distances and searches as
//! charts. Pure functions that return text or bytes; who prints or stores them
//! is the caller's affair.

mod axis;
pub mod bars;
pub mod boxes;
pub mod chart;
mod colour;
pub mod font;
mod format;
pub mod lines;
pub mod pages;
pub mod pdf;
mod pen;
pub mod picture;
pub mod png;
pub mod sheet;
mod span;
pub mod svg;
pub mod terminal;
pub mod tree;

pub use format::{Format, SCALE};
