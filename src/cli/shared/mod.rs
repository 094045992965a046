//! What the commands share.

pub mod advice;
pub mod audit;
pub mod batch;
pub mod boards;
pub mod columns;
pub mod failure;
pub mod filters;
pub mod finder;
pub mod interrupt;
pub mod limits;
pub mod list;
pub mod listing;
pub mod options;
pub mod output;
pub mod picture;
pub mod progress;
pub mod searched;
pub mod stdin;
pub mod threads;

pub use failure::{End, Failure, Result};
pub use filters::Filters;
pub use finder::Finder;
pub use limits::LimitArgs;
pub use list::List;
pub use options::Global;
pub use progress::Watch;
pub use searched::Searched;
pub use stdin::Stdin;
