//! Files that one process holds at a time. A lock ends with its process, however that
//! ends.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::{create_regular, is_still};

/// Opens a file as [`create_regular`] does, and holds it; `None` if somebody else holds
/// it for so long. A moment is nothing: whoever looks whether it is held has it that
/// long, and so has a process that was just started by this one.
///
/// ```
/// use std::time::Duration;
/// use tailback::files::{is_locked, lock};
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("lock");
/// let held = lock(&path, Duration::ZERO)?;
/// assert!(held.is_some() && is_locked(&path) && lock(&path, Duration::ZERO)?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn lock(path: &Path, patience: Duration) -> io::Result<Option<File>> {
    let started = Instant::now();
    loop {
        let locked = create_regular(path).and_then(|file| match file.try_lock() {
            // Whoever held it may have given it another name.
            Ok(()) => Ok(is_still(&file, path)?.then_some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        });
        let is_late = started.elapsed() >= patience;
        match locked {
            Ok(None) if !is_late => {}
            // Another process makes or renames it just now.
            Err(error)
                if !is_late && matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {}
            locked => return locked,
        }
        thread::sleep(patience / 40);
    }
}

/// Does another process hold a file? Or this one, by another handle.
pub fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
