//! Reading a catalogue: one puzzle, all that match, the counts.

use std::ffi::c_int;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::column::{Column, VERSION};
use super::finished::JOURNAL;
use super::packed::{CHUNK, Gather, Packed};
use super::row::{self, Unpacker};
use super::schema::{self, APPLICATION_ID, Contents, PART_ID, file_name, part_path};
use super::summary::{self, ClusterCount, PuzzlesByMoves, Totals};
use super::{CatalogueError, Puzzle, Rules};
use crate::files::{beside, open_regular};
use crate::progress::{Count, Observer};
use crate::space::Spaces;
use crate::table::format::rules;

/// The starter of 6×6 puzzles; `docs/catalogue.md` says how it was made.
static STARTER: &[u8] = include_bytes!("../../db/starter-6x6.sqlite");
/// The size that a starter is there for.
pub const STARTER_SIZE: usize = 6;
/// Which row has an id.
pub(super) const ONE: &str = "WHERE id = ?";
/// Somebody may stop SQLite after each so many steps of its machine.
const STEPS: c_int = 10_000;
/// To open a catalogue takes a hundredth of so many times as many.
const OPENING: u32 = 100;
/// Counts what no catalogue has: SQL that runs when a table is asked.
const FOREIGN: &str =
    "SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'";
const STARTER_NAME: &str = "the starter catalogue inside the program";

/// A finished catalogue. Opening one reads its first pages; the rest is read
/// and checked when it is needed.
#[derive(Debug)]
pub struct Catalogue {
    pub(super) db: Connection,
    pub(super) path: PathBuf,
    spaces: Spaces,
    contents: Contents,
    puzzles: usize,
}

impl Catalogue {
    /// Opens the catalogue of some spaces in a folder.
    pub fn open(folder: &Path, spaces: impl Into<Spaces>) -> Result<Catalogue, CatalogueError> {
        let spaces = spaces.into();
        spaces.check()?;
        let path = folder.join(file_name(spaces.clone()));
        match open_regular(&path) {
            Ok(file) => check_header(file, &path)?,
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(CatalogueError::io(&path, error));
            }
            Err(_) => {
                let part = part_path(folder, &spaces);
                let unfinished = part.exists();
                return Err(match unfinished {
                    true => CatalogueError::Unfinished { path: part, spaces },
                    false => CatalogueError::Missing { path, spaces },
                });
            }
        }
        check_beside(&path)?;
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let db = Connection::open_with_flags(immutable(&path), flags);
        let db = db.map_err(|e| CatalogueError::sqlite(&path, e))?;
        Catalogue::new(db, path, spaces)
    }

    /// Opens the catalogue of a folder that answers questions about some spaces:
    /// that of them alone or, where there is none, the smallest that has more; or
    /// the starter.
    pub fn covering(folder: &Path, spaces: impl Into<Spaces>) -> Result<Catalogue, CatalogueError> {
        let wanted = spaces.into();
        match Catalogue::open(folder, wanted.clone()) {
            Err(error @ (CatalogueError::Missing { .. } | CatalogueError::Unfinished { .. })) => {
                match Spaces::narrowest(Catalogue::list(folder).into_iter(), &wanted) {
                    Some(other) => Catalogue::open(folder, other),
                    None if wanted == Spaces::from(STARTER_SIZE) => Catalogue::starter(),
                    None => Err(error),
                }
            }
            catalogue => catalogue,
        }
    }

    /// The spaces that a folder has catalogues of.
    pub fn list(folder: &Path) -> Vec<Spaces> {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut spaces: Vec<Spaces> =
            files.filter_map(|file| schema::spaces_of(file.file_name().to_str()?)).collect();
        spaces.sort_by_key(Spaces::stem);
        spaces
    }

    /// The starter catalogue of 6×6 puzzles, which is part of the program.
    pub fn starter() -> Result<Catalogue, CatalogueError> {
        let path = PathBuf::from(STARTER_NAME);
        let sqlite = |e| CatalogueError::sqlite(&path, e);
        let mut db = Connection::open_in_memory().map_err(sqlite)?;
        db.deserialize_bytes("main", STARTER).map_err(sqlite)?;
        Catalogue::new(db, path, STARTER_SIZE.into())
    }

    fn new(mut db: Connection, path: PathBuf, spaces: Spaces) -> Result<Catalogue, CatalogueError> {
        let mut asked = 0;
        let is_endless = move || {
            asked += 1;
            asked > OPENING
        };
        db.progress_handler(STEPS, Some(is_endless)).map_err(|e| CatalogueError::sqlite(&path, e))?;
        let mut catalogue = Catalogue::checked(db, path.clone(), spaces).map_err(|error| match error {
            CatalogueError::Stopped => CatalogueError::damaged(&path, "what it says of itself has no end"),
            error => error,
        })?;
        catalogue.stop_by(None)?;
        Ok(catalogue)
    }

    fn checked(db: Connection, path: PathBuf, spaces: Spaces) -> Result<Catalogue, CatalogueError> {
        let sqlite = |e| CatalogueError::sqlite(&path, e);
        if schema::one::<u64>(&db, FOREIGN).map_err(sqlite)? > 0 {
            return Err(CatalogueError::damaged(&path, "it has a view or a trigger, which no catalogue has"));
        }
        let about = |key| schema::about(&db, key).map_err(sqlite);
        let (found, expected) = (about("spaces")?, spaces.stem());
        if found != expected {
            return Err(CatalogueError::Other { path, found, expected });
        }
        let (found, expected) = (about("rules")?, rules(spaces.have_walls()));
        if found != expected.to_string() {
            return Err(CatalogueError::Rules { path, found, expected });
        }
        let contents = match about("contents")?.as_str() {
            "complete" => Contents::Complete,
            "starter" => Contents::Starter,
            other => return Err(CatalogueError::damaged(&path, format!("its contents are {other:?}"))),
        };
        let puzzles = about("puzzles")?.parse();
        let puzzles = puzzles.map_err(|_| CatalogueError::damaged(&path, "its number of puzzles is none"))?;
        let catalogue = Catalogue { db, path, spaces, contents, puzzles };
        if catalogue.counted()? != puzzles as u64 {
            return Err(catalogue.damaged("it has another number of puzzles than it says"));
        }
        Ok(catalogue)
    }

    /// From now on asks somebody whether to stop, all the time while SQLite works;
    /// nobody if there is none. What is stopped is [`CatalogueError::Stopped`].
    pub fn stop_by(&mut self, observer: Option<Arc<dyn Observer + Send>>) -> Result<(), CatalogueError> {
        let wants_stop = observer.map(|observer| move || observer.wants_stop());
        self.db.progress_handler(STEPS, wants_stop).map_err(|e| CatalogueError::sqlite(&self.path, e))
    }

    /// How many puzzles there are by another count: what `about` says has no
    /// checksum. That of a complete catalogue is among the totals, which have
    /// one; the rows of a starter are few.
    fn counted(&self) -> Result<u64, CatalogueError> {
        match self.contents {
            Contents::Complete => {
                let all = self.totals()?.into_iter().find(|total| total.rules == Rules::All);
                Ok(all.ok_or_else(|| self.damaged("a total is missing"))?.puzzles)
            }
            Contents::Starter => {
                schema::one(&self.db, "SELECT count(*) FROM puzzles").map_err(|e| self.sqlite(e))
            }
        }
    }

    /// The file, or the words for the starter.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The spaces of its puzzles.
    pub fn spaces(&self) -> &Spaces {
        &self.spaces
    }

    /// Rows and columns of its puzzles.
    pub fn size(&self) -> usize {
        self.spaces.size()
    }

    /// All puzzles, or a choice?
    pub fn contents(&self) -> Contents {
        self.contents
    }

    /// How many puzzles it has.
    pub fn puzzles(&self) -> usize {
        self.puzzles
    }

    /// The puzzle with this id, if it is there.
    pub fn find(&self, id: u64) -> Result<Option<Puzzle>, CatalogueError> {
        let Ok(id) = i64::try_from(id) else { return Ok(None) };
        let mut unpacker = self.unpacker()?;
        let mut read = || {
            let mut select = self.db.prepare_cached(&row::select(ONE))?;
            select.query_row([id], |row| unpacker.read(row)).optional()
        };
        let found = read().map_err(|e| self.sqlite(e))?;
        if found.is_none() {
            // A row may be out of reach because a page is damaged.
            for chunk in 0..self.chunks() {
                if self.column(Column::Id, chunk)?.keys().contains(&(id as u64)) {
                    return Err(self.damaged(format!("puzzle {id} has no row")));
                }
            }
        }
        Ok(found)
    }

    /// The counts of clusters by their longest distance, of the whole space.
    pub fn clusters(&self) -> Result<Vec<ClusterCount>, CatalogueError> {
        Ok(self.counts()?.0)
    }

    /// The totals of the whole space.
    pub fn totals(&self) -> Result<Vec<Totals>, CatalogueError> {
        Ok(self.counts()?.1)
    }

    fn counts(&self) -> Result<(Vec<ClusterCount>, Vec<Totals>), CatalogueError> {
        let read =
            || Ok((self.read_clusters()?, self.read_totals()?, schema::about(&self.db, "counts_checksum")?));
        let (clusters, totals, stored) = read().map_err(|e| self.sqlite(e))?;
        if stored != summary::checksum(&clusters, &totals).to_string() {
            return Err(self.damaged("its counts of clusters are not as written"));
        }
        Ok((clusters, totals))
    }

    fn read_clusters(&self) -> rusqlite::Result<Vec<ClusterCount>> {
        let mut select = self.db.prepare(
            "SELECT rules, longest_moves, clusters, puzzles FROM clusters \
             ORDER BY rules, longest_moves IS NULL, longest_moves",
        )?;
        let lines = select.query_map([], |row| {
            let (rules, longest_moves, clusters, puzzles): (_, Option<u32>, _, _) = row.try_into()?;
            Ok(ClusterCount { rules, longest_moves: longest_moves.into(), clusters, puzzles })
        })?;
        lines.collect()
    }

    fn read_totals(&self) -> rusqlite::Result<Vec<Totals>> {
        let mut select = self.db.prepare(
            "SELECT rules, families, solvable_families, clusters, solvable_clusters, puzzles FROM totals \
             ORDER BY rules",
        )?;
        let lines = select.query_map([], |row| {
            let (rules, families, solvable_families, clusters, solvable_clusters, puzzles) =
                row.try_into()?;
            Ok(Totals { rules, families, solvable_families, clusters, solvable_clusters, puzzles })
        })?;
        lines.collect()
    }

    /// Checks all of it: the pages, the checksum of every row, and that the
    /// packed columns and the counts of puzzles say what the rows say.
    pub fn check(&self, observer: &dyn Observer) -> Result<(), CatalogueError> {
        let verdict: String =
            schema::one(&self.db, "PRAGMA integrity_check(1)").map_err(|e| self.sqlite(e))?;
        if verdict != "ok" {
            return Err(self.damaged(verdict));
        }
        let mut unpacker = self.unpacker()?;
        let mut columns = Gather::default();
        let mut by_moves = PuzzlesByMoves::default();
        let done = Count::new(observer, "puzzles", self.puzzles as u64);
        let mut read_all = || {
            let mut select = self.db.prepare(&row::select("ORDER BY id"))?;
            let mut rows = select.query([])?;
            while let Some(row) = rows.next()? {
                let puzzle = unpacker.read(row)?;
                columns.add(&puzzle);
                by_moves.add(&puzzle);
                done.add(1);
                if observer.wants_stop() {
                    break;
                }
            }
            Ok(())
        };
        read_all().map_err(|e| self.sqlite(e))?;
        if observer.wants_stop() {
            return Err(CatalogueError::Stopped);
        }
        if by_moves.puzzles() != self.puzzles as u64 {
            return Err(self.damaged("it has another number of puzzles than it says"));
        }
        let (clusters, totals) = self.counts()?;
        // The counts of a starter are those of the complete catalogue.
        if self.contents == Contents::Starter {
            return Ok(());
        }
        let is_right = |line: &ClusterCount| {
            let of_moves = |moves| by_moves.of_moves(line.rules, moves);
            line.longest_moves.known().map_or(0, of_moves) == line.puzzles
        };
        if !clusters.iter().all(is_right)
            || !totals.iter().all(|line| by_moves.total(line.rules) == line.puzzles)
        {
            return Err(self.damaged("it counts other puzzles than it has"));
        }
        for column in Column::numbers() {
            for (chunk, keys) in columns.keys(column).chunks(CHUNK).enumerate() {
                if self.column(column, chunk)? != Packed::of(keys) {
                    return Err(self.damaged(format!("the packed column {column} differs from the rows")));
                }
            }
        }
        Ok(())
    }

    /// How many chunks a column has.
    pub(super) fn chunks(&self) -> usize {
        self.puzzles.div_ceil(CHUNK)
    }

    /// How many puzzles a chunk has.
    pub(super) fn in_chunk(&self, chunk: usize) -> usize {
        CHUNK.min(self.puzzles - chunk * CHUNK)
    }

    /// The keys of a chunk of a column.
    pub(super) fn column(&self, column: Column, chunk: usize) -> Result<Packed, CatalogueError> {
        assert!(Column::numbers().any(|number| number == column), "{column} is no number to search by");
        let packed = match self.contents {
            Contents::Complete => self.packed(column, chunk),
            Contents::Starter => self.gathered(column, chunk),
        };
        let packed = packed.map_err(|e| self.sqlite(e))?;
        packed.ok_or_else(|| self.damaged(format!("the packed column {column} is not as written")))
    }

    fn packed(&self, column: Column, chunk: usize) -> rusqlite::Result<Option<Packed>> {
        let mut select = self.db.prepare_cached(
            "SELECT bytes_per_puzzle, checksum, cells FROM packed_columns WHERE name = ? AND chunk = ?",
        )?;
        select.query_row((column.name(), chunk), |row| {
            let width = row.get::<_, u8>(0)?.into();
            let cells = row.get_ref(2)?.as_blob()?;
            Ok(Packed::new((column, chunk), width, row.get(1)?, cells, self.in_chunk(chunk)))
        })
    }

    /// A starter has no packed columns: it is small, and part of the program.
    fn gathered(&self, column: Column, chunk: usize) -> rusqlite::Result<Option<Packed>> {
        let select = format!("SELECT {column} FROM puzzles ORDER BY id LIMIT ? OFFSET ?");
        let mut select = self.db.prepare_cached(&select)?;
        let keys = select.query_map((CHUNK, chunk * CHUNK), |row| match row.get_ref(0)? {
            ValueRef::Real(number) => Ok(number.to_bits()),
            number => Ok(number.as_i64()? as u64),
        })?;
        let keys = keys.collect::<rusqlite::Result<Vec<u64>>>()?;
        Ok((keys.len() == self.in_chunk(chunk)).then(|| Packed::of(&keys)))
    }

    pub(super) fn unpacker(&self) -> Result<Unpacker, CatalogueError> {
        Unpacker::new().map_err(|e| CatalogueError::io(&self.path, e))
    }

    pub(super) fn sqlite(&self, error: rusqlite::Error) -> CatalogueError {
        CatalogueError::sqlite(&self.path, error)
    }

    pub(super) fn damaged(&self, what: impl Into<String>) -> CatalogueError {
        CatalogueError::damaged(&self.path, what)
    }
}

/// A file in SQLite's own way of naming one, as a file that does not change:
/// SQLite takes no locks on it and leaves no files beside it. Should another
/// program change it all the same, the checksums tell.
fn immutable(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let escaped: String = bytes.map(|byte| format!("%{byte:02X}")).collect();
    format!("file:{escaped}?immutable=1")
}

/// Refuses a catalogue with the traces of a change that is not finished.
fn check_beside(path: &Path) -> Result<(), CatalogueError> {
    for journal in [JOURNAL, "-wal"].map(|end| beside(path, end)) {
        // Some programs leave an empty one behind when all is done.
        if journal.symlink_metadata().is_ok_and(|there| there.len() > 0) {
            return Err(CatalogueError::Unsettled { path: path.to_owned(), journal });
        }
    }
    Ok(())
}

/// The start of every SQLite file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER: usize = 100;

/// Is this a catalogue of ours, in our version, and all there? SQLite's own
/// header says so, before SQLite is asked.
fn check_header(file: File, path: &Path) -> Result<(), CatalogueError> {
    let io = |error| CatalogueError::io(path, error);
    let len = file.metadata().map_err(io)?.len();
    let mut header = Vec::new();
    file.take(HEADER as u64).read_to_end(&mut header).map_err(io)?;
    let known = header.len().min(MAGIC.len());
    if header[..known] != MAGIC[..known] {
        let found = format!("it starts with {:?}", String::from_utf8_lossy(&header[..known]));
        return Err(CatalogueError::Foreign { path: path.to_owned(), found });
    }
    if header.len() < HEADER {
        return Err(CatalogueError::damaged(path, format!("it has only {len} bytes")));
    }
    let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    match number(68) as i32 {
        APPLICATION_ID => {}
        PART_ID => {
            let what = "its build is not finished, although it has the name of a finished one";
            return Err(CatalogueError::damaged(path, what));
        }
        _ => {
            let found = "it is an SQLite database of something else".to_owned();
            return Err(CatalogueError::Foreign { path: path.to_owned(), found });
        }
    }
    let version = number(60) as i32;
    if version != VERSION {
        return Err(CatalogueError::Version { path: path.to_owned(), found: version, expected: VERSION });
    }
    // 1 stands for 65,536.
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 1 << 16,
        size => u64::from(size),
    };
    let expected = page * u64::from(number(28));
    if len < expected {
        return Err(CatalogueError::damaged(path, format!("it is cut off: {len} of {expected} bytes")));
    }
    Ok(())
}
