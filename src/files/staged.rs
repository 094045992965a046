//! Files that are whole or not there.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io, process};

use super::{beside, rename};

/// A file or folder that is being written, under another name beside its own.
/// It gets its own name in the end, and what had that name before stays until
/// then; if it is dropped before, nothing is left.
///
/// ```
/// use tailback::files::Staged;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.txt");
/// let staged = Staged::new(&path)?;
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
    part: Option<PathBuf>,
}

impl Staged {
    /// What is to have this name.
    pub fn new(path: &Path) -> io::Result<Staged> {
        if is_stream(path) {
            return Ok(Staged { path: path.to_owned(), part: None });
        }
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
        let part = our_own(&path, "part");
        unswept()?.parts.push(part.clone());
        Ok(Staged { path, part: Some(part) })
    }

    /// Where to write.
    pub fn part(&self) -> &Path {
        self.part.as_ref().unwrap_or(&self.path)
    }

    /// Makes the file, or opens what is written to directly.
    pub fn create(&self) -> io::Result<File> {
        // Opening a pipe waits for its reader.
        let _guard = self.part.is_some().then(unswept).transpose()?;
        File::create(self.part())
    }

    /// Writes the whole file.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        io::Write::write_all(&mut self.create()?, bytes)
    }

    /// Makes the folder.
    pub fn create_dir(&self) -> io::Result<()> {
        let _guard = unswept()?;
        fs::create_dir(self.part())
    }

    /// Writes a file into the folder.
    pub fn add(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let _guard = unswept()?;
        fs::write(self.part().join(name), bytes)
    }

    /// Gives it its name.
    pub fn commit(self) -> io::Result<()> {
        commit_all(vec![self]).map_err(|(_, error)| error)
    }

    /// The bytes come before the name, even if the power fails in between.
    fn sync(&self) -> io::Result<()> {
        match &self.part {
            Some(part) if part.is_file() => File::options().write(true).open(part)?.sync_all(),
            _ => Ok(()),
        }
    }
}

/// Writes a file, whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let staged = Staged::new(path)?;
    staged.write(bytes)?;
    staged.commit()
}

/// Gives all of them their names, or none: if one cannot have its name, the
/// others lose theirs again and what was there before comes back. The last one
/// vouches for the others, so that an old one goes before the first has its
/// name. An error says which name cannot be given.
pub fn commit_all(mut all: Vec<Staged>) -> Result<(), (PathBuf, io::Error)> {
    all.retain(|staged| staged.part.is_some());
    let of = |staged: &Staged, error| (staged.path.clone(), error);
    for staged in &all {
        staged.sync().map_err(|error| of(staged, error))?;
    }
    let Some(last) = all.len().checked_sub(1) else { return Ok(()) };
    // No sweep comes in between.
    let mut guard = unswept().map_err(|error| of(&all[last], error))?;
    let mut kept = Vec::new();
    let mut named = 0;
    let result = all.iter().enumerate().try_for_each(|(index, staged)| {
        let old = if last > 0 { keep(&staged.path, index == last) } else { Ok(Old::Nothing) };
        old.map(|old| kept.push(old)).map_err(|error| of(staged, error))
    });
    let result = result.and_then(|()| {
        all.iter().try_for_each(|staged| {
            rename(staged.part(), &staged.path).map_err(|error| of(staged, error))?;
            named += 1;
            Ok(())
        })
    });
    for (index, (staged, old)) in all.iter_mut().zip(kept).enumerate().rev() {
        if result.is_ok() {
            old.forget();
        } else {
            // What cannot be brought back stays where it is.
            let _ = if index < named { fs::rename(&staged.path, staged.part()) } else { Ok(()) };
            old.bring_back(&staged.path);
        }
    }
    if result.is_ok() {
        for part in all.iter_mut().filter_map(|staged| staged.part.take()) {
            guard.parts.retain(|other| *other != part);
        }
    }
    drop(guard);
    result
}

/// What had a name before.
enum Old {
    Nothing,
    /// An empty folder.
    Folder,
    /// A file, which has this name as well, or instead.
    File(PathBuf),
}

/// Keeps what has a name. Under both names, if the system can do that: then
/// there is no moment without it.
fn keep(path: &Path, only_aside: bool) -> io::Result<Old> {
    match fs::metadata(path) {
        Err(_) => Ok(Old::Nothing),
        Ok(there) if there.is_dir() => Ok(Old::Folder),
        Ok(_) => {
            let aside = our_own(path, "old");
            if only_aside || fs::hard_link(path, &aside).is_err() {
                fs::rename(path, &aside)?;
            }
            Ok(Old::File(aside))
        }
    }
}

impl Old {
    fn bring_back(self, path: &Path) {
        match &self {
            Old::Nothing => {}
            Old::Folder => _ = fs::create_dir(path),
            Old::File(aside) => _ = fs::rename(aside, path),
        }
        // Two names of one file both stay when one is renamed to the other.
        self.forget();
    }

    fn forget(self) {
        if let Old::File(aside) = self {
            let _ = fs::remove_file(aside);
        }
    }
}

/// Another name in the same folder, of this process alone.
fn our_own(path: &Path, what: &str) -> PathBuf {
    beside(path, &format!(".{}.{what}", process::id()))
}

/// Is it there, but nothing that another file could replace, such as a pipe?
pub fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let mut under_way = under_way();
            remove(part);
            under_way.parts.retain(|other| other != part);
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
pub fn sweep() {
    let mut under_way = under_way();
    under_way.is_swept = true;
    under_way.parts.drain(..).for_each(|part| remove(&part));
}
