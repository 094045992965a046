//! A catalogue written in one go.
//!
//! The rows come in the order of their ids, and nothing else is ever written
//! before or between them: so the bytes follow from the puzzles and the counts
//! alone, whatever happened on the way.

use std::fs::{self, File};
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use rusqlite::Connection;

use super::packed::Gather;
use super::row::{self, Packer};
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

/// Writes a catalogue to `path`, under another name until it is whole. Whoever
/// is cut off leaves that one for the next build.
pub fn write(
    path: &Path,
    spaces: &Spaces,
    puzzles: impl Iterator<Item = Result<Puzzle, CatalogueError>>,
    tables: impl FnOnce(&PuzzlesByMoves) -> Tables,
) -> Result<(), CatalogueError> {
    let new = beside(path, NEW);
    remove_unfinished(&new)?;
    fill(&new, spaces, Contents::Complete, puzzles, tables)?;
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

/// Writes a catalogue to a file that is not there or empty.
pub fn fill(
    path: &Path,
    spaces: &Spaces,
    contents: Contents,
    mut puzzles: impl Iterator<Item = Result<Puzzle, CatalogueError>>,
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
    let mut by_moves = PuzzlesByMoves::default();
    let mut columns = Gather::default();
    // One thread reads the rows, another writes them.
    let db = thread::scope(|scope| {
        let (send, batches) = mpsc::sync_channel(2);
        let writer = thread::Builder::new().spawn_scoped(scope, move || insert_all(db, path, batches));
        let writer = writer.map_err(|error| CatalogueError::io(path, error))?;
        loop {
            let batch = puzzles.by_ref().take(BATCH).collect::<Result<Vec<Puzzle>, _>>()?;
            for puzzle in &batch {
                by_moves.add(puzzle);
                columns.add(puzzle);
            }
            // Whoever does not take it any more has failed and says why.
            if batch.is_empty() || send.send(batch).is_err() {
                break;
            }
        }
        drop(send);
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
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

/// Puzzles that are handed over at once.
const BATCH: usize = 512;

/// Inserts the rows of all puzzles that come.
fn insert_all(
    db: Connection,
    path: &Path,
    batches: mpsc::Receiver<Vec<Puzzle>>,
) -> Result<Connection, CatalogueError> {
    let sqlite = |error| CatalogueError::sqlite(path, error);
    let mut packer = Packer::new().map_err(|error| CatalogueError::io(path, error))?;
    {
        let mut insert = db.prepare(&row::insert()).map_err(sqlite)?;
        for puzzle in batches.iter().flatten() {
            packer.insert(&mut insert, &puzzle).map_err(sqlite)?;
        }
    }
    Ok(db)
}

fn write_tables(db: &Connection, tables: &Tables) -> rusqlite::Result<()> {
    let mut insert =
        db.prepare("INSERT INTO clusters (rules, longest_moves, clusters, puzzles) VALUES (?, ?, ?, ?)")?;
    for ClusterCount { rules, longest_moves, clusters, puzzles } in &tables.clusters {
        insert.execute((rules.name(), longest_moves, clusters, puzzles))?;
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
