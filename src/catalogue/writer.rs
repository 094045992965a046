//! A catalogue that is being built: rows and progress in one transaction.
//!
//! The builder hands over puzzles, and now and then a few bytes that say how
//! far it is. Both reach the disk together or not at all, so after a crash the
//! file holds exactly the puzzles up to the progress it tells. The unfinished
//! file is only a store: in the end its rows go, in order, into a fresh
//! database (`finished.rs`), which gets the name of the catalogue.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};

use super::column::VERSION;
use super::finished::{self, JOURNAL, NEW, Tables};
use super::row::{self, Packer};
use super::schema::{self, Contents, PART_ID, file_name, part_path};
use super::{CatalogueError, Puzzle, Summary};
use crate::files::{beside, create_regular};
use crate::space::Spaces;
use crate::table::format::{OUR_VERSION, rules};

/// Tells whose file it is.
const APPLICATION: &str = "PRAGMA application_id";

const PROGRESS: &str = "
CREATE TABLE progress (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    puzzles INTEGER NOT NULL,
    state BLOB NOT NULL
) STRICT";

/// An unfinished catalogue.
pub struct Writer {
    db: Connection,
    path: PathBuf,
    finished: PathBuf,
    spaces: Spaces,
    packer: Packer,
    puzzles: u64,
}

impl Writer {
    /// Goes on with an unfinished catalogue, or starts one. With the first
    /// comes the state of its last [`checkpoint`](Writer::checkpoint).
    ///
    /// Two writers must not be at one folder at the same time: see to it that
    /// there is only one build.
    pub fn open(
        folder: &Path,
        spaces: impl Into<Spaces>,
    ) -> Result<(Writer, Option<Vec<u8>>), CatalogueError> {
        let spaces = spaces.into();
        spaces.check()?;
        let path = part_path(folder, &spaces);
        let finished = folder.join(file_name(spaces.clone()));
        let journal = beside(&path, JOURNAL);
        // Nothing else in their places: SQLite would write through a link and
        // wait for a pipe.
        for file in
            [Some(&path), journal.symlink_metadata().is_ok().then_some(&journal)].into_iter().flatten()
        {
            create_regular(file).map_err(|e| CatalogueError::io(file, e))?;
        }
        let db = Connection::open(&path).map_err(|e| CatalogueError::sqlite(&path, e))?;
        let packer = Packer::new().map_err(|e| CatalogueError::io(&path, e))?;
        let mut writer = Writer { db, path, finished, spaces, packer, puzzles: 0 };
        let state = match writer.is_new() {
            Ok(true) => writer.create().map(|()| None).map_err(|e| writer.sqlite(e)),
            Ok(false) => writer.resume(),
            Err(error) => Err(writer.sqlite(error)),
        };
        Ok((writer, state?))
    }

    /// Removes what a build that was cut off after its last step left beside
    /// the finished catalogue.
    pub fn sweep(folder: &Path, spaces: &Spaces) -> Result<(), CatalogueError> {
        finished::remove_unfinished(&part_path(folder, spaces))?;
        finished::remove_unfinished(&beside(&folder.join(file_name(spaces.clone())), NEW))
    }

    /// How many puzzles it has.
    pub fn puzzles(&self) -> u64 {
        self.puzzles
    }

    /// A file that was just made, or whose making was cut off.
    fn is_new(&self) -> rusqlite::Result<bool> {
        let id: i32 = schema::one(&self.db, APPLICATION)?;
        let tables: u64 = schema::one(&self.db, "SELECT count(*) FROM sqlite_schema")?;
        Ok(id == 0 && tables == 0)
    }

    fn create(&self) -> rusqlite::Result<()> {
        self.db.execute_batch("BEGIN")?;
        schema::create(&self.db, &self.spaces, PART_ID, Contents::Complete)?;
        self.db.execute_batch(PROGRESS)?;
        self.db.execute_batch("COMMIT")
    }

    fn resume(&mut self) -> Result<Option<Vec<u8>>, CatalogueError> {
        let damaged = |what: &str| CatalogueError::damaged(&self.path, what).of_part();
        let one = |sql| schema::one::<i64>(&self.db, sql).map_err(|e| self.sqlite(e));
        if one(APPLICATION)? != i64::from(PART_ID) {
            return Err(damaged("it is something else"));
        }
        let version = one("PRAGMA user_version")?;
        let about = |key| schema::about(&self.db, key).map_err(|e| self.sqlite(e));
        let say = |spaces: &str, builder: &str, schema: i64, rules: &str| {
            format!("{spaces} puzzles by version {builder} (schema {schema}, rules {rules})")
        };
        if version != i64::from(VERSION) {
            let found = format!("puzzles of schema {version}");
            let asked = format!("schema {VERSION}");
            return Err(CatalogueError::OtherSettings { path: self.path.clone(), found, asked });
        }
        let found = say(&about("spaces")?, &about("builder")?, version, &about("rules")?);
        let rules = rules(self.spaces.have_walls()).to_string();
        let asked = say(&self.spaces.stem(), OUR_VERSION, VERSION.into(), &rules);
        if found != asked {
            return Err(CatalogueError::OtherSettings { path: self.path.clone(), found, asked });
        }
        let progress = self
            .db
            .query_row("SELECT puzzles, state FROM progress", [], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
            })
            .optional()
            .map_err(|e| self.sqlite(e))?;
        let rows = one("SELECT count(*) FROM puzzles")?;
        if progress.as_ref().map_or(0, |(puzzles, _)| *puzzles) != rows {
            return Err(damaged("it has another number of puzzles than it says"));
        }
        self.puzzles = rows as u64;
        Ok(progress.map(|(_, state)| state))
    }

    /// Adds puzzles. They are safe after the next checkpoint.
    pub fn add(&mut self, puzzles: &[Puzzle]) -> Result<(), CatalogueError> {
        self.insert(puzzles).map_err(|e| self.sqlite(e))?;
        self.puzzles += puzzles.len() as u64;
        Ok(())
    }

    fn insert(&mut self, puzzles: &[Puzzle]) -> rusqlite::Result<()> {
        self.begin()?;
        let mut insert = self.db.prepare_cached(&row::insert())?;
        puzzles.iter().try_for_each(|puzzle| self.packer.insert(&mut insert, puzzle))
    }

    fn begin(&self) -> rusqlite::Result<()> {
        if self.db.is_autocommit() { self.db.execute_batch("BEGIN") } else { Ok(()) }
    }

    /// Makes what was added so far survive a crash, together with the state of
    /// the builder.
    pub fn checkpoint(&mut self, state: &[u8]) -> Result<(), CatalogueError> {
        let store = || {
            self.begin()?;
            let put = "INSERT OR REPLACE INTO progress (one, puzzles, state) VALUES (1, ?, ?)";
            self.db.prepare_cached(put)?.execute((self.puzzles as i64, state))?;
            self.db.execute_batch("COMMIT")
        };
        store().map_err(|e| self.sqlite(e))
    }

    /// Writes the catalogue, gives it its name, and removes the unfinished file. Whoever
    /// is cut off in here has only that to do again: it begins with a
    /// [`checkpoint`](Writer::checkpoint).
    pub fn finish(mut self, state: &[u8], summary: &Summary) -> Result<PathBuf, CatalogueError> {
        self.checkpoint(state)?;
        let Writer { db, path, finished, spaces, .. } = self;
        db.close().map_err(|(_, e)| CatalogueError::sqlite(&path, e))?;
        finished::write(&finished, &spaces, &path, |by_moves| Tables {
            clusters: summary.clusters(by_moves),
            totals: summary.totals(by_moves),
        })?;
        finished::remove(&path)?;
        Ok(finished)
    }

    fn sqlite(&self, error: rusqlite::Error) -> CatalogueError {
        CatalogueError::sqlite(&self.path, error).of_part()
    }
}
