//! Tables and catalogues of a folder that may change while the server runs.
//!
//! All of it that is open belongs together in an [`Snapshot`]. A request takes the
//! one of the moment and keeps it to its end, so that no answer is made of two
//! databases. Every second the files are looked at, and if one has another length,
//! time or beginning, a new one takes over. Files are read, not mapped: one that is
//! cut or written over while it is open is an error that its checksums tell, not a
//! crash.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use super::deadline::Deadline;
use super::faults;
use super::refusal::Refusal;
use crate::board::Metric;
use crate::catalogue::{self, Catalogue};
use crate::files::open_regular;
use crate::probe::{Prober, Session};
use crate::progress::Observer;
use crate::space::Spaces;
use crate::table;

/// Sizes that have tables and catalogues.
pub const SIZES: [usize; 3] = [4, 5, 6];
/// As much of a file as has its checksums.
const BEGINNING: u64 = 4_096;

/// The database of the moment.
pub struct Database {
    folder: PathBuf,
    now: RwLock<Arc<Snapshot>>,
}

/// A database that does not change.
pub struct Snapshot {
    folder: PathBuf,
    prober: Prober,
    /// Lent from request to request, so that what one decoded serves the next.
    sessions: Mutex<Vec<Session>>,
    catalogues: Mutex<HashMap<Spaces, Vec<Catalogue>>>,
    fingerprints: Vec<Fingerprint>,
    tag: u32,
}

/// What tells a file from another one of the same name.
#[derive(PartialEq, Debug)]
struct Fingerprint {
    name: String,
    length: u64,
    modified: Option<SystemTime>,
    /// Of its beginning, where a table has the checksums of the rest.
    checksum: u32,
}

impl Database {
    pub fn open(folder: &Path) -> Database {
        let opened = Snapshot::new(folder, fingerprints(folder));
        Database { folder: folder.to_owned(), now: RwLock::new(Arc::new(opened)) }
    }

    /// That of the moment.
    pub fn now(&self) -> Arc<Snapshot> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens it anew if a file has changed. Reads some pages: not for the threads
    /// that answer.
    pub fn look(&self) {
        let fingerprints = fingerprints(&self.folder);
        if fingerprints != self.now().fingerprints {
            tracing::info!(files = fingerprints.len(), "the database has changed");
            faults::forget();
            let opened = Arc::new(Snapshot::new(&self.folder, fingerprints));
            *self.now.write().unwrap_or_else(PoisonError::into_inner) = opened;
        }
    }
}

fn fingerprints(folder: &Path) -> Vec<Fingerprint> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_ours(name)).collect();
    names.sort();
    names.into_iter().filter_map(|name| fingerprint(folder, name)).collect()
}

/// Is it the name of a table or a catalogue?
fn is_ours(name: &str) -> bool {
    table::of_file_name(name).is_some() || catalogue::spaces_of(name).is_some()
}

fn fingerprint(folder: &Path, name: String) -> Option<Fingerprint> {
    let file = open_regular(&folder.join(&name)).ok()?;
    let about = file.metadata().ok()?;
    let mut beginning = Vec::new();
    file.take(BEGINNING).read_to_end(&mut beginning).ok()?;
    let checksum = crc32fast::hash(&beginning);
    Some(Fingerprint { name, length: about.len(), modified: about.modified().ok(), checksum })
}

impl Snapshot {
    fn new(folder: &Path, fingerprints: Vec<Fingerprint>) -> Snapshot {
        let mut text = env!("CARGO_PKG_VERSION").to_owned();
        for Fingerprint { name, length, checksum, modified } in &fingerprints {
            // The checksums of a catalogue are all over it: its time tells it from another.
            let time = modified.filter(|_| name.ends_with(".sqlite"));
            text += &format!("\n{name} {length} {checksum} {time:?}");
        }
        Snapshot {
            folder: folder.to_owned(),
            prober: Prober::new(folder),
            sessions: Mutex::default(),
            catalogues: Mutex::default(),
            tag: crc32fast::hash(text.as_bytes()),
            fingerprints,
        }
    }

    /// The same for the same files and the same program, and most likely for no
    /// other.
    pub fn tag(&self) -> u32 {
        self.tag
    }

    pub fn prober(&self) -> &Prober {
        &self.prober
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Asks a session that nobody else has.
    pub fn ask<T>(&self, ask: impl FnOnce(&mut Session) -> T) -> T {
        let free = self.sessions.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut session = free.unwrap_or_else(|| self.prober.session());
        let answer = ask(&mut session);
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).push(session);
        answer
    }

    /// Is there a file of a catalogue of this size?
    pub fn has_catalogue(&self, size: usize) -> bool {
        self.fingerprints.iter().any(|fingerprint| fingerprint.name == catalogue::file_name(size))
    }

    /// Is there a file of a table?
    pub fn has_table(&self, size: usize, metric: Metric) -> bool {
        self.fingerprints.iter().any(|fingerprint| fingerprint.name == table::file_name(size, metric))
    }

    /// The most walls that some catalogue of a size has.
    pub fn most_walls(&self, size: usize) -> usize {
        let of_size = self.spaces().filter(|spaces| spaces.size() == size);
        of_size.map(|spaces| *spaces.walls().end()).max().unwrap_or(0)
    }

    /// The spaces that there are catalogues of.
    fn spaces(&self) -> impl Iterator<Item = Spaces> {
        self.fingerprints.iter().filter_map(|fingerprint| catalogue::spaces_of(&fingerprint.name))
    }

    /// Asks the catalogue that has the puzzles of some spaces; for 6×6 without walls
    /// the starter if there is no other.
    pub fn catalogue<T>(
        &self,
        spaces: impl Into<Spaces>,
        deadline: &Arc<Deadline>,
        ask: impl FnOnce(&Catalogue) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let wanted = spaces.into();
        let spaces = Spaces::narrowest(self.spaces(), &wanted).unwrap_or(wanted);
        let mut pools = self.catalogues.lock().unwrap_or_else(PoisonError::into_inner);
        let free = pools.get_mut(&spaces).and_then(Vec::pop);
        drop(pools);
        let mut catalogue = match free {
            Some(catalogue) => catalogue,
            None => Catalogue::covering(&self.folder, spaces.clone())?,
        };
        catalogue.stop_by(Some(Arc::clone(deadline) as Arc<dyn Observer + Send>))?;
        let answer = ask(&catalogue);
        let mut pools = self.catalogues.lock().unwrap_or_else(PoisonError::into_inner);
        pools.entry(spaces).or_default().push(catalogue);
        answer
    }
}
