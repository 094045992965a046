//! The puzzles that [`crate::search`] searches.

pub mod rush_hour;
