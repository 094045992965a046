//! The work of a build: each signature surveyed, and all columns of its
//! puzzles.

use std::path::Path;

use super::survey::{Scratch, Searched, Store, Surveyor};
use super::{Column, Holds, Puzzle, Summary, Value};
use crate::board::Metric;
use crate::pipeline::{Budget, DISTANCES, Record, Work, Worked, array, slice};
use crate::progress::Observer;
use crate::retrograde::MoveTables;
use crate::space::{SignatureId, Space, SpaceId, Spaces};
use crate::table::{Table, TableError, with_reasons};

/// What comes of a signature.
#[derive(Debug, PartialEq)]
pub struct SurveyedSignature {
    pub puzzles: Vec<Puzzle>,
    pub summary: Box<Summary>,
}

/// The survey of all signatures.
pub struct Surveying<'s> {
    distances: Distances<'s>,
    budget: Budget,
}

/// Where the distances come from.
enum Distances<'s> {
    Table(&'s Table),
    Search {
        tables: Box<MoveTables<'s>>,
        store: Store,
        /// Tables of spaces that may have fewer walls.
        fewer_walls: Vec<Table>,
    },
}

impl<'s> Surveying<'s> {
    /// With the distances of the table of the space of all jobs.
    pub fn of_table(table: &'s Table) -> Surveying<'s> {
        Surveying { distances: Distances::Table(table), budget: Budget::new(DISTANCES) }
    }

    /// The distances are searched for. The spaces of the jobs have the size of this
    /// one. What tables of spaces with fewer walls tell is looked up.
    pub fn by_search(space: &'s Space, fewer_walls: Vec<Table>) -> Surveying<'s> {
        let tables = Box::new(MoveTables::new(space, Metric::Moves));
        let distances = Distances::Search { tables, store: Store::default(), fewer_walls };
        Surveying { distances, budget: Budget::new(DISTANCES) }
    }

    /// Surveys signatures, one after another, however much memory that takes. Of the search
    /// for the distances, if there was one, it says what is not of the catalogue.
    pub fn surveyor(
        &self,
    ) -> impl FnMut(&Space, SignatureId) -> Result<(SurveyedSignature, Option<Searched>), TableError> {
        let (mut surveyor, table) = match &self.distances {
            Distances::Table(table) => (Surveyor::new(table), Some(*table)),
            Distances::Search { tables, store, fewer_walls } => {
                (Surveyor::by_search(tables, store).looking_up(fewer_walls), None)
            }
        };
        let mut scratch = Scratch::default();
        move |space: &Space, id: SignatureId| {
            let survey = surveyor.survey(space, id)?;
            let puzzles = survey.interesting.iter().map(|cluster| survey.puzzle(cluster, &mut scratch));
            let puzzles = puzzles.collect::<Result<Vec<Puzzle>, TableError>>();
            let puzzles = puzzles.map_err(|error| error.in_file(table.and_then(Table::path)))?;
            Ok((SurveyedSignature { puzzles, summary: Box::new(survey.summary) }, survey.searched))
        }
    }
}

/// The tables of moves in a folder that tell of boards of some spaces without some of
/// their walls. What one that cannot be opened would tell is searched for, which takes
/// longer: people are told.
pub fn tables_of_fewer_walls(folder: &Path, spaces: &Spaces, observer: &dyn Observer) -> Vec<Table> {
    let most = *spaces.walls().end() as u32;
    let is_smaller = |&(space, metric): &(SpaceId, Metric)| {
        (space.size, metric) == (spaces.size(), Metric::Moves) && space.walls.count_ones() < most
    };
    let tables = Table::list(folder).into_iter().filter(is_smaller);
    let open = |(space, metric)| {
        let told = |error: &TableError| {
            observer.noted(&format!("a table that would save time cannot be used: {}", with_reasons(error)));
        };
        Table::open(folder, space, metric).inspect_err(told).ok()
    };
    tables.filter_map(open).collect()
}

impl Work for Surveying<'_> {
    type Item = SurveyedSignature;
    type Error = TableError;

    fn worker(&self) -> Result<impl FnMut(&Space, SignatureId) -> Worked<Self>, TableError> {
        let mut survey = self.surveyor();
        Ok(move |space: &Space, id: SignatureId| {
            // A node needs five bytes and stands for two to ten boards.
            let _held = self.budget.take(3 * space.boards_of(id));
            Ok(survey(space, id)?.0)
        })
    }
}

impl Record for SurveyedSignature {
    fn write(&self, out: &mut Vec<u8>) {
        self.summary.write(out);
        for puzzle in &self.puzzles {
            write_puzzle(puzzle, out);
        }
    }

    fn read(mut bytes: &[u8]) -> Option<SurveyedSignature> {
        let summary = bytes.split_off(..Summary::BYTES)?;
        let summary = Box::new(Summary::read(summary)?);
        let mut puzzles = Vec::new();
        while !bytes.is_empty() {
            puzzles.push(read_puzzle(&mut bytes)?);
        }
        Some(SurveyedSignature { puzzles, summary })
    }
}

/// Which kind of value comes next.
mod kind {
    pub const WHOLE: u8 = 1;
    pub const REAL: u8 = 2;
    pub const TEXT: u8 = 3;
    pub const COUNTS: u8 = 4;
}

/// The columns that do not follow from others, in their order.
fn columns() -> impl Iterator<Item = Column> {
    Column::ALL.iter().copied().filter(|column| column.about().follows.is_none())
}

fn write_puzzle(puzzle: &Puzzle, out: &mut Vec<u8>) {
    for column in columns() {
        match puzzle.value(column) {
            Value::None => unreachable!("a puzzle of a catalogue has all values"),
            Value::Whole(number) => {
                out.push(kind::WHOLE);
                out.extend(number.to_le_bytes());
            }
            Value::Real(number) => {
                out.push(kind::REAL);
                out.extend(number.to_le_bytes());
            }
            Value::Text(text) => {
                out.push(kind::TEXT);
                out.extend((text.len() as u32).to_le_bytes());
                out.extend(text.as_bytes());
            }
            Value::Counts(counts) => {
                out.push(kind::COUNTS);
                out.extend((8 * counts.len() as u32).to_le_bytes());
                out.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
            }
        }
    }
}

fn read_puzzle(bytes: &mut &[u8]) -> Option<Puzzle> {
    let mut values = vec![Value::None; Column::ALL.len()];
    for column in columns() {
        let [kind] = array(bytes)?;
        // No puzzle lacks a value, and none is of another kind than its column: what is
        // read takes no more than a few times the memory of its bytes.
        values[column as usize] = match (column.about().holds, kind) {
            (Holds::Real, kind::REAL) => Value::Real(f64::from_le_bytes(array(bytes)?)),
            (Holds::Text | Holds::Words, kind::TEXT) => {
                Value::Text(String::from_utf8(slice(bytes)?.to_vec()).ok()?)
            }
            (Holds::Histogram, kind::COUNTS) => {
                let (counts, rest) = slice(bytes)?.as_chunks();
                if !rest.is_empty() {
                    return None;
                }
                Value::Counts(counts.iter().map(|&count| u64::from_le_bytes(count)).collect())
            }
            (holds, kind::WHOLE) if holds.is_number() && holds != Holds::Real => {
                let number = u128::from_le_bytes(array(bytes)?);
                i64::try_from(number).ok()?;
                Value::Whole(number)
            }
            _ => return None,
        };
    }
    let puzzle = Puzzle::new(|column| std::mem::replace(&mut values[column as usize], Value::None));
    (puzzle.histogram().len() as u64 == puzzle.number(Column::Moves) + 1).then_some(puzzle)
}
