//! Files that are whole or not there, names that survive a crash, and files
//! that are files.

mod regular;
mod rename;
mod staged;

pub use regular::{create_regular, is_still, open_regular};
pub use rename::{beside, rename};
pub use staged::{Staged, commit_all, is_stream, sweep, write_whole};
