//! Files that commands write.

use std::io;
use std::path::Path;

use tailback::files;

use super::{Failure, Result};

/// Writes a file, whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let cannot =
        |error: io::Error| Failure::of(&error).about(format_args!("cannot write {}", path.display()));
    files::write_whole(path, bytes).map_err(cannot)
}
