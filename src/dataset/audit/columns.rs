//! What the columns of a record say of its board, and the record as it should be.

use super::{Audit, Checked};
use crate::dataset::hh_evolver::{Instance, LineError};
use crate::lists::{Form, ListError, Record};

/// What the column of the distances may be called, beside the name of the metric.
const DISTANCES: [&str; 7] = ["h*", "hstar", "h_star", "distance", "optimal", "cost", "h"];

/// Why a record is no instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// It has no board.
    #[error(transparent)]
    List(#[from] ListError),
    /// A value is none.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It has no distance.
    #[error("there is no column {} beside the board: there is {}", .wanted.join(", "), .found.join(", "))]
    NoDistance {
        /// What its column may be called.
        wanted: Vec<String>,
        /// The columns that there are.
        found: Vec<String>,
    },
    /// It has no value of a heuristic.
    #[error("there is no column {name} or h{number}")]
    NoValue {
        /// The text of the heuristic.
        name: String,
        /// From 1.
        number: usize,
    },
    /// There are other values than heuristics.
    #[error(
        "there {} after h*, and {} named",
        if *.values == 1 { "is 1 column".to_owned() } else { format!("are {} columns", .values) },
        if *.heuristics == 1 { "1 heuristic is".to_owned() } else { format!("{} heuristics are", .heuristics) }
    )]
    Values {
        /// The values after the distance.
        values: usize,
        /// The heuristics that are checked.
        heuristics: usize,
    },
}

impl Audit {
    /// What a record claims: the columns of a table by their names, otherwise the
    /// values beside the board.
    pub fn instance(&self, form: &Form, record: &Record) -> Result<Instance, ColumnError> {
        let instance = self.read(form, record.whole()?)?;
        match (self.schema.heuristics.len(), instance.values.len()) {
            (0, _) => Ok(instance),
            (heuristics, values) if heuristics == values => Ok(instance),
            (heuristics, values) => Err(ColumnError::Values { values, heuristics }),
        }
    }

    fn read(&self, form: &Form, record: &str) -> Result<Instance, ColumnError> {
        let entry = form.entry(record)?;
        let (distance, values) = match (&entry.before[..], &entry.after[..]) {
            ([], []) if entry.values.is_empty() => return Ok(Instance::parse(record)?),
            ([], [_, ..]) if record.contains(',') => return Ok(Instance::parse(record)?),
            ([.., last], _) if last.parse::<f64>().is_ok() => (*last, &[][..]),
            (_, [first, rest @ ..]) => (*first, rest),
            ([.., last], []) => (*last, &[][..]),
            ([], []) => {
                let names = self.distance_names();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let distance = entry.value(&names).ok_or_else(|| ColumnError::NoDistance {
                    wanted: self.distance_names(),
                    found: entry.values.iter().map(|(name, _)| name.to_string()).collect(),
                })?;
                let value = |(heuristic, number): (&_, usize)| {
                    let name = ToString::to_string(heuristic);
                    let value = entry.value(&[&name, &format!("h{number}")]);
                    value.ok_or(ColumnError::NoValue { name, number })
                };
                let values =
                    self.schema.heuristics.iter().zip(1..).map(value).collect::<Result<Vec<_>, _>>()?;
                return Ok(Instance::of(&entry.board, distance, &values)?);
            }
        };
        Ok(Instance::of(&entry.board, distance, values)?)
    }

    /// A record with what is right in the place of what is wrong.
    pub fn corrected(&self, form: &Form, record: &Record, checked: &Checked) -> Result<String, ListError> {
        let entry = form.entry(record.whole()?)?;
        let names = self.distance_names();
        let first = names.iter().find(|name| entry.value(&[name]).is_some()).unwrap_or(&names[0]);
        let distance = match (checked.found.known(), form) {
            (Some(distance), _) => distance.to_string(),
            (None, Form::Json { .. }) => "null".to_owned(),
            (None, _) => "Infinity".to_owned(),
        };
        let heuristics: Vec<String> = self.schema.heuristics.iter().map(ToString::to_string).collect();
        // In a table a column has the heuristic's name, or its number.
        let column =
            |index: usize| match entry.values.is_empty() || entry.value(&[&heuristics[index]]).is_some() {
                true => heuristics[index].clone(),
                false => format!("h{}", index + 1),
            };
        let distance = checked.fault.map(|_| (first.clone(), distance));
        let values = checked.wrong_values.iter().map(|wrong| (column(wrong.column), wrong.found.to_string()));
        let changes: Vec<(String, String)> = distance.into_iter().chain(values).collect();
        let changes: Vec<(&str, &str)> =
            changes.iter().map(|(name, value)| (&name[..], &value[..])).collect();
        let names: Vec<&str> = [first].into_iter().chain(&heuristics).map(String::as_str).collect();
        form.with(record.whole()?, &names, &changes)
    }

    /// What the column of the distances may be called.
    fn distance_names(&self) -> Vec<String> {
        match &self.distance_column {
            Some(name) => vec![name.clone()],
            None => [self.metric().to_string()].into_iter().chain(DISTANCES.map(str::to_owned)).collect(),
        }
    }
}
