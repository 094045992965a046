//! The layout of a catalogue. `docs/catalogue.md` describes it for everybody
//! with an SQLite client; `schema.sql` is the layout itself, with the columns of
//! `column.rs` in it.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::FromSql;

use super::column::{Column, VERSION};
use crate::space::{Space, Spaces};
use crate::table::format::{OUR_VERSION, rules};

/// SQLite keeps this number at the start of a finished catalogue: "Tail".
pub const APPLICATION_ID: i32 = 0x5461_696c;
/// And this one in a catalogue that is being built: "Tai.".
pub const PART_ID: i32 = 0x5461_692e;

const TABLES: &str = include_str!("schema.sql");
/// The place in it where the lines of the columns go.
const COLUMNS: &str = "    -- the columns, see column.rs\n";

/// For other clients. The commands of Tailback filter by the packed columns.
pub const INDEXES: &str = "
CREATE INDEX puzzles_by_moves ON puzzles (moves, steps);
CREATE INDEX puzzles_by_steps ON puzzles (steps, moves);
";

/// What a catalogue holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contents {
    /// Every interesting puzzle of the space.
    Complete,
    /// A choice of them.
    Starter,
}

impl Contents {
    /// The word for it in the database.
    pub fn name(self) -> &'static str {
        match self {
            Contents::Complete => "complete",
            Contents::Starter => "starter",
        }
    }
}

/// How the names of catalogues end.
const ENDING: &str = "-catalogue.sqlite";

/// The name of the catalogue of some spaces.
pub fn file_name(spaces: impl Into<Spaces>) -> String {
    spaces.into().stem() + ENDING
}

/// The spaces of a catalogue with this name, if it is one of ours.
pub fn spaces_of(file_name: &str) -> Option<Spaces> {
    Spaces::of_stem(file_name.strip_suffix(ENDING)?)
}

/// Where the unfinished catalogue of a folder is.
pub fn part_path(folder: &Path, spaces: &Spaces) -> PathBuf {
    folder.join(format!("{}.part", file_name(spaces.clone())))
}

/// Makes the tables of an empty database, and says what they are about.
pub fn create(db: &Connection, spaces: &Spaces, id: i32, contents: Contents) -> rusqlite::Result<()> {
    let columns = Column::ALL.iter().map(|column| format!("    {},\n", column.sql()));
    db.execute_batch(&TABLES.replace(COLUMNS, &columns.collect::<String>()))?;
    db.pragma_update(None, "application_id", id)?;
    db.pragma_update(None, "user_version", VERSION)?;
    let note = match contents {
        Contents::Complete => "every interesting puzzle; see docs/catalogue.md",
        Contents::Starter => {
            "a choice of puzzles; the counts in clusters and totals are of the complete catalogue"
        }
    };
    let boards = |id| Space::of(id).map_or(0, |space| space.boards());
    tell(db, "boards", spaces.iter().map(boards).sum::<u64>())?;
    tell(db, "builder", OUR_VERSION)?;
    tell(db, "contents", contents.name())?;
    tell(db, "note", note)?;
    tell(db, "rules", rules(spaces.have_walls()))?;
    tell(db, "schema", VERSION)?;
    tell(db, "size", spaces.size())?;
    tell(db, "spaces", spaces.stem())?;
    let mut insert = db.prepare("INSERT INTO kinds (number, lengths) VALUES (?, ?)")?;
    for (number, lengths) in kind_names(spaces.size()).into_iter().enumerate() {
        insert.execute((number, lengths))?;
    }
    Ok(())
}

/// Adds what is said of the whole file, as text.
pub fn tell(db: &Connection, key: &str, value: impl ToString) -> rusqlite::Result<()> {
    db.execute("INSERT INTO about (key, value) VALUES (?, ?)", (key, value.to_string())).map(|_| ())
}

/// The only value of the first row.
pub fn one<T: FromSql>(db: &Connection, sql: &str) -> rusqlite::Result<T> {
    db.query_row(sql, [], |row| row.get(0))
}

/// One value of `about`.
pub fn about(db: &Connection, key: &str) -> rusqlite::Result<String> {
    db.query_row("SELECT value FROM about WHERE key = ?", [key], |row| row.get(0))
}

/// All kinds of a line of a size as text, in the order of their bits; none for a
/// size without a space.
pub fn kind_names(size: usize) -> Vec<String> {
    let Some(space) = Space::of_size(size) else { return Vec::new() };
    space.line().kinds().iter().map(|lengths| kind_text(lengths)).collect()
}

/// The kinds of a bit mask, as text.
pub fn kinds(bits: u128, size: usize) -> Vec<String> {
    let names = kind_names(size).into_iter().enumerate();
    names.filter(|(number, _)| bits >> number & 1 == 1).map(|(_, name)| name).collect()
}

/// Lines of the size have no such kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no line of a {size}×{size} board has the kind {text:?}")]
pub struct KindError {
    /// What was given.
    pub text: String,
    /// Rows and columns.
    pub size: usize,
}

/// The bits of some kinds of lines of a size, as [`Query::kinds`](super::Query::kinds) has them.
pub fn kind_bits<'t>(texts: impl IntoIterator<Item = &'t str>, size: usize) -> Result<u64, KindError> {
    let names = kind_names(size);
    texts.into_iter().try_fold(0, |bits, text| match names.iter().position(|kind| kind == text) {
        Some(number) => Ok(bits | 1 << number),
        None => Err(KindError { text: text.to_owned(), size }),
    })
}

/// A kind as text: `2,3`, and `-` for an empty line.
pub fn kind_text(lengths: &[u8]) -> String {
    if lengths.is_empty() {
        return "-".to_owned();
    }
    lengths.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}
