//! Tailback solves the whole of Rush Hour.
pub mod board;
pub mod cluster;
pub mod probe;
pub mod render;
pub mod retrograde;
pub mod space;
pub mod table;
