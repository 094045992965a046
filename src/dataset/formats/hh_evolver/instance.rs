//! The other lines: a board and what is said of it.

use std::borrow::Cow;

use super::super::csv::Lines;
use super::quotes;
use crate::dataset::Row;
use crate::dataset::label::INFINITY;

/// Appends the lines of rows. Their only distance, or their first, is h\*.
pub fn write_rows(rows: &[Row], out: &mut Vec<u8>) {
    let mut lines = Lines::new(out);
    for row in rows {
        lines.field(&row.subject.text());
        lines.shown_or(row.distances[0].known(), INFINITY);
        row.labels.iter().for_each(|label| lines.shown_or(Some(label), ""));
        lines.end();
    }
}

/// What a line says.
#[derive(Clone, PartialEq, Debug)]
pub struct Instance {
    /// The text of the board, which need not be one.
    pub board: String,
    /// What is said of its distance.
    pub claimed: Claimed,
    /// The values of heuristics; `None` where there is none.
    pub values: Vec<Option<f64>>,
}

/// What is said of a distance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Claimed {
    /// It is this. Where it is a guess it need not be whole.
    Distance(f64),
    /// There is none.
    Unsolvable,
    /// No answer was found.
    NoAnswer,
}

/// Why a line is no instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// It has one field.
    #[error("there is no h*: a line is Instance,h*,h1,…,hn, with commas between")]
    NoDistance,
    /// A field is no number.
    #[error("{found:?} is no number, but {} should be one", name_of(*.column))]
    NoNumber {
        /// The field.
        found: String,
        /// 0 is h\*.
        column: usize,
    },
    /// A distance below zero that is not the usual sign of no answer.
    #[error(
        "{found} cannot be h*: write a number from 0, Infinity if unsolvable, or -1 if there is no answer"
    )]
    Negative {
        /// The field.
        found: String,
    },
    /// A quote at the start of a field does not close it.
    #[error("a quote is not closed at the end of its field: a quote within quotes is written twice")]
    BadQuote,
}

fn name_of(column: usize) -> String {
    match column {
        0 => "h*".to_owned(),
        n => format!("h{n}"),
    }
}

impl Instance {
    /// Reads a line.
    ///
    /// ```
    /// use tailback::dataset::hh_evolver::{Claimed, Instance};
    ///
    /// let instance = Instance::parse("..B.AAB.........,2,4.5,,Infinity")?;
    /// assert_eq!(instance.claimed, Claimed::Distance(2.0));
    /// assert_eq!(instance.values, [Some(4.5), None, Some(f64::INFINITY)]);
    /// # Ok::<(), tailback::dataset::hh_evolver::LineError>(())
    /// ```
    pub fn parse(line: &str) -> Result<Instance, LineError> {
        let (board, rest) = field(line)?;
        let (distance, mut rest) = field(rest.ok_or(LineError::NoDistance)?)?;
        let claimed = claimed(&distance)?;
        let mut values = Vec::new();
        while let Some(text) = rest {
            let (value, after) = field(text)?;
            values.push(number(&value, values.len() + 1)?);
            rest = after;
        }
        Ok(Instance { board: board.into_owned(), claimed, values })
    }

    /// An instance of another form, whose parts are known.
    pub fn of(board: &str, distance: &str, values: &[&str]) -> Result<Instance, LineError> {
        let values = values.iter().zip(1..).map(|(value, column)| number(value, column));
        let values = values.collect::<Result<_, _>>()?;
        Ok(Instance { board: board.to_owned(), claimed: claimed(distance)?, values })
    }
}

/// The first field of a text, and what follows its comma if there is one.
fn field(text: &str) -> Result<(Cow<'_, str>, Option<&str>), LineError> {
    if !text.trim_start().starts_with('"') {
        let (field, rest) = text.split_once(',').map_or((text, None), |(field, rest)| (field, Some(rest)));
        return Ok((field.trim().into(), rest));
    }
    let (field, rest) = quotes::read(text.trim_start()).ok_or(LineError::BadQuote)?;
    match rest.trim_start() {
        "" => Ok((field.into(), None)),
        rest => Ok((field.into(), Some(rest.strip_prefix(',').ok_or(LineError::BadQuote)?))),
    }
}

/// A number, or nothing.
fn number(field: &str, column: usize) -> Result<Option<f64>, LineError> {
    let field = field.trim();
    if field.is_empty() {
        return Ok(None);
    }
    let number: f64 = field.parse().map_err(|_| LineError::NoNumber { found: field.to_owned(), column })?;
    Ok(Some(number).filter(|number| !number.is_nan()))
}

/// What programs without an infinity write instead of it. No board is so far
/// from the exit.
const AS_GOOD_AS_INFINITE: f64 = i32::MAX as f64;

fn claimed(field: &str) -> Result<Claimed, LineError> {
    match number(field, 0)? {
        None | Some(-1.0) => Ok(Claimed::NoAnswer),
        Some(number) if number >= AS_GOOD_AS_INFINITE => Ok(Claimed::Unsolvable),
        Some(number) if number < 0.0 => Err(LineError::Negative { found: field.trim().to_owned() }),
        Some(number) => Ok(Claimed::Distance(number)),
    }
}
