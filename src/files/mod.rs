//! Files that are whole or not there, names that survive a crash, locks, and files
//! that are files.

mod lock;
mod regular;
mod rename;
mod staged;

pub use lock::{is_locked, lock};
pub use regular::{create_regular, is_still, open_regular};
pub use rename::{beside, rename};
pub use staged::{Staged, commit_all, is_stream, sweep, write_whole};
