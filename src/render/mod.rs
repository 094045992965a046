//! Drawing: boards for a terminal, distances as a chart. Pure functions that
//! return text or bytes; who prints or stores them is the caller's affair.

pub mod chart;
pub mod png;
pub mod terminal;
