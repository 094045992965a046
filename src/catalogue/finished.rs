//! A catalogue written in one go.
//!
//! The rows come in the order of their ids, and nothing else is ever written
//! before or between them: so the bytes follow from the puzzles and the counts
//! alone, whatever happened on the way.

use std::fs::{self, File};
use std::path::Path;
use std::thread;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::packed::Gather;
use super::row::{self, Packer, Unpacker};
use super::schema::{self, Contents};
use super::summary::{self, ClusterCount, PuzzlesByMoves, Totals};
use super::{CatalogueError, Puzzle};
use crate::files::{beside, rename};
use crate::space::Spaces;

/// The counts that go with the puzzles.
pub struct Tables {
    pub clusters: Vec<ClusterCount>,
    pub totals: Vec<Totals>,
}

/// Writes a catalogue of the rows of an unfinished one to `path`, under another
/// name until it is whole. Whoever is cut off leaves that one for the next build.
pub fn write(
    path: &Path,
    spaces: &Spaces,
    part: &Path,
    tables: impl FnOnce(&PuzzlesByMoves) -> Tables,
) -> Result<(), CatalogueError> {
    let new = beside(path, NEW);
    remove_unfinished(&new)?;
    fill(&new, spaces, Contents::Complete, |db| copy(db, &new, part), tables)?;
    let io = |error| CatalogueError::io(&new, error);
    File::options().write(true).open(&new).and_then(|file| file.sync_all()).map_err(io)?;
    rename(&new, path).map_err(io)
}

/// How the name of a catalogue ends before it gets its own.
pub const NEW: &str = ".new";
/// How the name of what SQLite keeps beside a database ends while it changes.
pub const JOURNAL: &str = "-journal";

/// Removes a file, if it is there.
pub fn remove(path: &Path) -> Result<(), CatalogueError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(CatalogueError::io(path, error)),
        _ => Ok(()),
    }
}

/// Removes a database that was not finished, and what SQLite keeps beside it.
pub fn remove_unfinished(path: &Path) -> Result<(), CatalogueError> {
    remove(path)?;
    remove(&beside(path, JOURNAL))
}

/// What is known of the rows besides.
#[derive(Debug, Default)]
pub struct Gathered {
    by_moves: PuzzlesByMoves,
    columns: Gather,
}

impl Gathered {
    fn add(&mut self, puzzle: &Puzzle) {
        self.by_moves.add(puzzle);
        self.columns.add(puzzle);
    }

    /// Adds what is known of the rows after these.
    fn append(&mut self, more: Gathered) {
        self.by_moves += &more.by_moves;
        self.columns.append(more.columns);
    }
}

/// Writes a catalogue to a file that is not there or empty. `rows` puts its rows in.
pub fn fill(
    path: &Path,
    spaces: &Spaces,
    contents: Contents,
    rows: impl FnOnce(&Connection) -> Result<Gathered, CatalogueError>,
    tables: impl FnOnce(&PuzzlesByMoves) -> Tables,
) -> Result<(), CatalogueError> {
    let sqlite = |error| CatalogueError::sqlite(path, error);
    let db = Connection::open(path).map_err(sqlite)?;
    // Whoever is cut off here starts this file again.
    db.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; BEGIN",
    )
    .map_err(sqlite)?;
    schema::create(&db, spaces, schema::APPLICATION_ID, contents).map_err(sqlite)?;
    let Gathered { by_moves, columns } = rows(&db)?;
    let tables = tables(&by_moves);
    let conclude = || {
        schema::tell(&db, "puzzles", by_moves.puzzles())?;
        write_tables(&db, &tables)?;
        schema::tell(&db, "counts_checksum", summary::checksum(&tables.clusters, &tables.totals))?;
        // A starter is small: its columns are read from the rows.
        if contents == Contents::Complete {
            columns.write(&db)?;
            db.execute_batch(schema::INDEXES)?;
        }
        db.execute_batch("COMMIT")
    };
    conclude().map_err(sqlite)?;
    db.close().map_err(|(_, error)| sqlite(error))
}

/// Puts some puzzles into a catalogue.
pub fn insert(
    db: &Connection,
    path: &Path,
    puzzles: impl Iterator<Item = Result<Puzzle, CatalogueError>>,
) -> Result<Gathered, CatalogueError> {
    let sqlite = |error| CatalogueError::sqlite(path, error);
    let mut packer = Packer::new().map_err(|error| CatalogueError::io(path, error))?;
    let mut insert = db.prepare(&row::insert()).map_err(sqlite)?;
    let mut gathered = Gathered::default();
    for puzzle in puzzles {
        let puzzle = puzzle?;
        gathered.add(&puzzle);
        packer.insert(&mut insert, &puzzle).map_err(sqlite)?;
    }
    Ok(gathered)
}

/// Have both tables of puzzles the same columns?
const ARE_ALIKE: &str = "SELECT \
    (SELECT sql FROM main.sqlite_schema WHERE name = 'puzzles') \
    IS (SELECT sql FROM part.sqlite_schema WHERE name = 'puzzles')";

/// Copies all rows of an unfinished catalogue. Between two tables that are alike SQLite
/// does that cell by cell, without a look at what is in them. So they are read and
/// checked at the same time, each half by a thread.
fn copy(db: &Connection, path: &Path, part: &Path) -> Result<Gathered, CatalogueError> {
    let of_part = |error| CatalogueError::sqlite(part, error).of_part();
    let rows = &Unfinished::new(part).map_err(of_part)?;
    let attach = ToSqlOutput::Borrowed(ValueRef::Text(part.as_os_str().as_encoded_bytes()));
    db.execute("ATTACH ? AS part", [attach]).map_err(of_part)?;
    // Cells are copied by their places.
    if !schema::one::<bool>(db, ARE_ALIKE).map_err(of_part)? {
        return Err(CatalogueError::damaged(part, "its puzzles have other columns").of_part());
    }
    let copy = || db.execute("INSERT INTO puzzles SELECT * FROM part.puzzles", []);
    thread::scope(|scope| {
        let io = |error| CatalogueError::io(path, error);
        let read = |which| thread::Builder::new().spawn_scoped(scope, move || rows.read(which)).map_err(io);
        let halves = [read("WHERE id < ? ORDER BY id")?, read("WHERE id >= ? ORDER BY id")?];
        let copied = copy();
        let mut gathered = Gathered::default();
        for half in halves {
            gathered.append(half.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        // What is damaged was found above.
        let copied = copied.map_err(|error| CatalogueError::sqlite(path, error))?;
        // The halves are a beginning and an end of what was copied: with as many rows they
        // are all of it.
        match copied as u64 == gathered.by_moves.puzzles() {
            true => Ok(gathered),
            false => Err(CatalogueError::damaged(part, "its rows are not in order").of_part()),
        }
    })
}

/// An unfinished catalogue that is read.
struct Unfinished<'p> {
    path: &'p Path,
    /// An id in the middle.
    middle: i64,
}

impl Unfinished<'_> {
    fn new(path: &Path) -> rusqlite::Result<Unfinished<'_>> {
        let db = Unfinished::open(path)?;
        let middle = "SELECT id FROM puzzles ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM puzzles)";
        let middle = db.query_row(middle, [], |row| row.get(0)).optional()?;
        Ok(Unfinished { path, middle: middle.unwrap_or_default() })
    }

    fn open(path: &Path) -> rusqlite::Result<Connection> {
        // By the name that whoever wrote it used, which SQLite may take for an address.
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        Connection::open_with_flags(path, flags)
    }

    /// Reads and checks the rows before or from the middle.
    fn read(&self, which: &str) -> Result<Gathered, CatalogueError> {
        let mut unpacker = Unpacker::new().map_err(|error| CatalogueError::io(self.path, error))?;
        let mut read = || {
            let db = Unfinished::open(self.path)?;
            let mut select = db.prepare(&row::select(which))?;
            let mut rows = select.query([self.middle])?;
            let mut gathered = Gathered::default();
            while let Some(row) = rows.next()? {
                gathered.add(&unpacker.read(row)?);
            }
            Ok(gathered)
        };
        read().map_err(|error| CatalogueError::sqlite(self.path, error).of_part())
    }
}

fn write_tables(db: &Connection, tables: &Tables) -> rusqlite::Result<()> {
    let mut insert =
        db.prepare("INSERT INTO clusters (rules, longest_moves, clusters, puzzles) VALUES (?, ?, ?, ?)")?;
    for ClusterCount { rules, longest_moves, clusters, puzzles } in &tables.clusters {
        insert.execute((rules.name(), longest_moves.known(), clusters, puzzles))?;
    }
    let mut insert = db.prepare(
        "INSERT INTO totals (rules, families, solvable_families, clusters, solvable_clusters, puzzles) \
         VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    for Totals { rules, families, solvable_families, clusters, solvable_clusters, puzzles } in &tables.totals
    {
        insert.execute((rules.name(), families, solvable_families, clusters, solvable_clusters, puzzles))?;
    }
    Ok(())
}
