//! Files that are whole or not there, and names that survive a crash.

mod rename;
mod staged;

pub use rename::rename;
pub use staged::{Staged, commit_all, is_stream, sweep};
