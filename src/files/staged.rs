//! Files that are whole or not there.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use super::{beside, is_still, rename};

/// A file or folder that is being written, under another name beside its own.
/// It gets its own name in the end, and what had that name before stays until
/// then; if it is dropped before, nothing is left. What a killed program has left
/// goes when the next file of this name is begun.
///
/// ```
/// use tailback::files::Staged;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.txt");
/// let staged = Staged::file(&path)?;
/// staged.write("all of it".as_bytes())?;
/// assert!(!path.exists());
/// staged.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "all of it");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    /// None if the path is written to directly.
    part: Option<TemporaryName>,
}

/// What has another name so far.
#[derive(Debug)]
struct TemporaryName {
    path: PathBuf,
    /// Locked, so that nobody takes it for a leftover. None for a folder where
    /// folders cannot be opened.
    handle: Option<File>,
}

impl Staged {
    /// A file that is to have this name.
    pub fn file(path: &Path) -> io::Result<Staged> {
        if is_stream(path) {
            return Ok(Staged { path: path.to_owned(), part: None });
        }
        Staged::begin(path, |part| File::create_new(part).map(Some))
    }

    /// A folder that is to have this name.
    pub fn folder(path: &Path) -> io::Result<Staged> {
        Staged::begin(path, |part| {
            fs::create_dir(part)?;
            if cfg!(unix) { File::open(part).map(Some) } else { Ok(None) }
        })
    }

    /// Makes what is to have this name under the first other name that is free,
    /// and removes what others have left under such names.
    fn begin(path: &Path, make: impl Fn(&Path) -> io::Result<Option<File>>) -> io::Result<Staged> {
        let path = match fs::exists(path) {
            // A link stays one.
            Ok(true) => fs::canonicalize(path)?,
            _ => path.to_owned(),
        };
        if let Some(folder) =
            path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())
        {
            let told = format!("there is no folder {}: make it first", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, told));
        }
        let mut under_way = unswept()?;
        let mut own = None;
        for number in 0_u64.. {
            let part = beside(&path, &format!(".tailback-{number}.part"));
            let is_there = fs::symlink_metadata(&part).is_ok();
            if is_there {
                remove_leftover(&part);
            } else if own.is_some() {
                break;
            }
            if own.is_none() {
                match make(&part) {
                    Ok(handle) if is_claimed(handle.as_ref(), &part) => {
                        under_way.parts.push(part.clone());
                        own = Some(TemporaryName { path: part, handle });
                    }
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(Staged { path, part: own })
    }

    /// Where to write.
    pub fn part(&self) -> &Path {
        self.part.as_ref().map_or(&self.path, |part| &part.path)
    }

    /// The file, or what is written to directly.
    pub fn open(&self) -> io::Result<File> {
        match &self.part {
            Some(TemporaryName { handle: Some(file), .. }) => file.try_clone(),
            // Opening a pipe waits for its reader.
            _ => File::create(self.part()),
        }
    }

    /// Writes the whole file.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        io::Write::write_all(&mut self.open()?, bytes)
    }

    /// Writes a file into the folder.
    pub fn add(&self, name: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
        let mut file;
        {
            let _guard = unswept()?;
            file = File::create_new(self.part().join(name))?;
            io::Write::write_all(&mut file, bytes)?;
        }
        file.sync_all()
    }

    /// Gives it its name.
    pub fn commit(self) -> io::Result<()> {
        commit_all(vec![self]).map_err(|(_, error)| error)
    }

    /// The bytes come before the name, even if the power fails in between. The
    /// files of a folder are on the disk already.
    fn sync(&self) -> io::Result<()> {
        self.part.iter().filter_map(|part| part.handle.as_ref()).try_for_each(File::sync_all)
    }
}

/// Is what was just made ours? Where files cannot be locked nobody removes
/// leftovers, so it is.
fn is_claimed(handle: Option<&File>, part: &Path) -> bool {
    handle.is_none_or(|handle| {
        !matches!(handle.try_lock(), Err(fs::TryLockError::WouldBlock))
            // Somebody may have taken it for a leftover before it was locked.
            && is_still(handle, part).unwrap_or(true)
    })
}

/// Removes a part that nobody holds: who wrote it was killed.
fn remove_leftover(part: &Path) {
    // A link is not ours, and what it leads to even less.
    let is_ours = fs::symlink_metadata(part).is_ok_and(|there| there.is_file() || there.is_dir());
    if let Some(handle) = is_ours.then(|| File::open(part).ok()).flatten()
        && handle.try_lock().is_ok()
        && is_still(&handle, part).is_ok_and(|is_still| is_still)
    {
        remove(part);
    }
}

/// Writes a file, whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let staged = Staged::file(path)?;
    staged.write(bytes)?;
    staged.commit()
}

/// Gives all of them their names; none, if it shows beforehand that one cannot have
/// its name. The last one stands for all: an old one of its name goes before the
/// first has its name, so it is there only if the others are as it says. An error
/// says which name cannot be given.
pub fn commit_all(mut all: Vec<Staged>) -> Result<(), (PathBuf, io::Error)> {
    all.retain(|staged| staged.part.is_some());
    for staged in &all {
        let ready = staged.sync().and_then(|()| must_be_replaceable(staged));
        ready.map_err(|error| (staged.path.clone(), error))?;
    }
    let Some(last) = all.last() else { return Ok(()) };
    // No sweep comes in between.
    let mut under_way = unswept().map_err(|error| (last.path.clone(), error))?;
    if all.len() > 1 && last.path.is_file() {
        fs::remove_file(&last.path).map_err(|error| (last.path.clone(), error))?;
    }
    let given = all.iter_mut().try_for_each(|staged| {
        rename(staged.part(), &staged.path).map_err(|error| (staged.path.clone(), error))?;
        let part = staged.part.take();
        under_way.parts.retain(|other| part.as_ref().is_none_or(|part| part.path != *other));
        Ok(())
    });
    drop(under_way);
    given
}

/// A file takes the place of a file, and a folder that of an empty folder.
fn must_be_replaceable(staged: &Staged) -> io::Result<()> {
    let Ok(there) = fs::metadata(&staged.path) else { return Ok(()) };
    match (staged.part().is_dir(), there.is_dir()) {
        (false, false) => Ok(()),
        (false, true) => Err(io::ErrorKind::IsADirectory.into()),
        (true, false) => Err(io::ErrorKind::NotADirectory.into()),
        (true, true) => match fs::read_dir(&staged.path)?.next() {
            None => Ok(()),
            Some(_) => Err(io::ErrorKind::DirectoryNotEmpty.into()),
        },
    }
}

/// Is it there, but nothing that another file could replace, such as a pipe?
pub fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let mut under_way = under_way();
            remove(&part.path);
            under_way.parts.retain(|other| *other != part.path);
        }
    }
}

/// What is being written. Whoever makes a part, or a file in one, holds it
/// meanwhile, so that a sweep finds everything.
static UNDER_WAY: Mutex<UnderWay> = Mutex::new(UnderWay { parts: Vec::new(), is_swept: false });

struct UnderWay {
    parts: Vec<PathBuf>,
    is_swept: bool,
}

fn under_way() -> MutexGuard<'static, UnderWay> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unswept() -> io::Result<MutexGuard<'static, UnderWay>> {
    let under_way = under_way();
    match under_way.is_swept {
        true => Err(io::Error::other("the program is ending")),
        false => Ok(under_way),
    }
}

fn remove(part: &Path) {
    let _ = if part.is_dir() { fs::remove_dir_all(part) } else { fs::remove_file(part) };
}

/// Removes everything that has no name of its own yet, and lets nothing new be
/// begun: for a program that ends at once, without dropping anything.
#[doc(hidden)]
pub fn sweep() {
    let mut under_way = under_way();
    under_way.is_swept = true;
    under_way.parts.drain(..).for_each(|part| remove(&part));
}
