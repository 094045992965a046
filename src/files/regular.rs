//! Files that are files: not links, pipes or folders in their place.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::path::Path;
use std::{fs, io};

/// Opens a file for reading. A link to a file will do; anything else is an
/// error that says what it is, and a pipe is not waited for.
///
/// ```
/// let error = tailback::files::open_regular(&std::env::temp_dir()).unwrap_err();
/// assert_eq!(error.to_string(), "it is a folder, not a file");
/// ```
pub fn open_regular(path: &Path) -> io::Result<File> {
    must_be_file(&fs::metadata(path)?)?;
    File::open(path)
}

/// Opens a file for reading and writing as it is, or makes an empty one. A link
/// is refused: what it leads to is not ours to write.
pub fn create_regular(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match fs::symlink_metadata(path) {
        // Nor does this follow a link that somebody puts there meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => options.create_new(true).open(path),
        there => {
            must_be_file(&there?)?;
            options.open(path)
        }
    }
}

/// Does a path still lead to an open file? Somebody may have renamed or replaced it.
pub fn is_still(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let of = |found: Metadata| (found.dev(), found.ino());
        let own = of(file.metadata()?);
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            there => Ok(of(there?) == own),
        }
    }
    #[cfg(not(unix))]
    {
        // There an open file keeps its name.
        let _ = file;
        fs::exists(path)
    }
}

fn must_be_file(there: &Metadata) -> io::Result<()> {
    match there.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("it is {}, not a file", kind(there.file_type())),
        )),
    }
}

fn kind(found: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return "a named pipe";
        }
    }
    if found.is_symlink() {
        "a symbolic link"
    } else if found.is_dir() {
        "a folder"
    } else {
        "a device or socket"
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Guards what links lead to: opening one to write cut its target.
    #[test]
    fn a_link_is_read_and_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "kept").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(io::read_to_string(open_regular(&link).unwrap()).unwrap(), "kept");
        let refused = create_regular(&link).unwrap_err();
        assert_eq!(refused.to_string(), "it is a symbolic link, not a file");
        fs::remove_file(&file).unwrap();
        assert!(create_regular(&link).is_err(), "it leads nowhere now");
        assert!(!file.exists());
    }

    /// Guards against waiting for ever: opening a pipe waits for its other end.
    #[test]
    fn a_pipe_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for refused in [open_regular(&pipe), create_regular(&pipe)] {
            assert_eq!(refused.unwrap_err().to_string(), "it is a named pipe, not a file");
        }
    }

    #[test]
    fn a_renamed_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("file"), folder.path().join("other"));
        let file = create_regular(&path).unwrap();
        assert!(is_still(&file, &path).unwrap());
        fs::rename(&path, &other).unwrap();
        assert!(!is_still(&file, &path).unwrap() && is_still(&file, &other).unwrap());
        create_regular(&path).unwrap();
        assert!(!is_still(&file, &path).unwrap());
    }

    #[test]
    fn a_file_is_opened_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(open_regular(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        create_regular(&path).unwrap();
        fs::write(&path, "kept").unwrap();
        assert_eq!(io::read_to_string(create_regular(&path).unwrap()).unwrap(), "kept");
    }
}
