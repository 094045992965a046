//! What the commands share.

pub mod advice;
pub mod audit;
pub mod batch;
pub mod board_options;
pub mod board_reader;
pub mod boards;
pub mod columns;
pub mod comma_list;
pub mod failure;
pub mod filters;
pub mod heuristics;
pub mod interrupt;
pub mod limits;
pub mod listing;
pub mod options;
pub mod output;
pub mod paper;
pub mod picture;
pub mod progress;
pub mod puzzle_source;
pub mod stdin;
pub mod threads;
pub mod walls;
pub mod whole_file;

pub use board_options::BoardOptions;
pub use board_reader::BoardReader;
pub use comma_list::CommaList;
pub use failure::{End, Failure, Result};
pub use filters::Filters;
pub use limits::LimitArgs;
pub use options::Global;
pub use progress::Watch;
pub use puzzle_source::PuzzleSource;
pub use stdin::Stdin;
pub use whole_file::write_whole;
