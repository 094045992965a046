//! Tables with a line of names.

use std::borrow::Cow;

use super::entry::{Entry, ListError};
use super::words::is_word_of_board;

/// What the column of the boards is called, most likely first.
pub(super) const BOARD: [&str; 7] = ["board", "boards", "instance", "puzzle", "state", "grid", "layout"];
/// What stands between columns.
const SEPARATORS: [char; 3] = ['\t', ';', ','];

/// The columns of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    separator: char,
    names: Vec<String>,
    /// The index of the board's.
    board: usize,
}

impl Columns {
    /// The columns that a line names, if it does and one is the board's.
    pub(super) fn named(line: &str, wanted: Option<&str>) -> Option<Columns> {
        let of = |separator| {
            let names: Vec<String> = values(line, separator).into_iter().map(Cow::into_owned).collect();
            let texts: Vec<&str> = names.iter().map(String::as_str).collect();
            let board = position(&texts, wanted)?;
            Some(Columns { separator, names, board })
        };
        let has_board = || values_of_any(line).any(|value| is_word_of_board(&value));
        let is_head = !has_number(line) && (wanted.is_some() || !has_board());
        SEPARATORS.into_iter().filter(|_| is_head).find_map(of)
    }

    /// The columns of a line of unknown names, if the next line has as many
    /// values and a board among them.
    pub(super) fn above(names: &str, line: &str) -> Option<Columns> {
        let of = |separator| {
            let names: Vec<String> = values(names, separator).into_iter().map(Cow::into_owned).collect();
            let values = values(line, separator);
            let board = values.iter().position(|value| is_word_of_board(value))?;
            let fits =
                names.len() == values.len() && names.len() > 1 && !names.iter().any(|n| is_word_of_board(n));
            fits.then_some(Columns { separator, names, board })
        };
        SEPARATORS.into_iter().filter(|_| !has_number(names)).find_map(of)
    }

    /// What the columns are called.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Values as a line of the table.
    pub(super) fn line<'v>(&self, values: impl Iterator<Item = &'v str>) -> String {
        line(self.separator, values)
    }

    /// A line with other values in some columns.
    pub(super) fn with<'v>(
        &self,
        line: &str,
        changed: &dyn Fn(&str) -> Option<&'v str>,
    ) -> Result<String, ListError> {
        self.entry(line)?;
        let values = values(line, self.separator);
        let values = values.iter().enumerate().map(|(index, value)| {
            let name = self.names.get(index).filter(|_| index != self.board);
            name.and_then(|name| changed(name)).unwrap_or(value)
        });
        Ok(self.line(values))
    }

    pub(super) fn entry<'r>(&self, line: &'r str) -> Result<Entry<'r>, ListError> {
        let values = values(line, self.separator);
        let found = values.len();
        let mut entry = Entry::default();
        for (index, value) in values.into_iter().enumerate() {
            match self.names.get(index) {
                _ if index == self.board => entry.board = value,
                Some(name) => entry.values.push((Cow::from(name.clone()), value)),
                None => entry.values.push((Cow::from((index + 1).to_string()), value)),
            }
        }
        match found > self.board {
            true => Ok(entry),
            false => Err(ListError::NoValue {
                column: self.names[self.board].clone(),
                found,
                columns: self.names.len(),
            }),
        }
    }
}

/// Values as a line of a table, without its end; in quotes where they need them.
///
/// ```
/// assert_eq!(tailback::lists::line(',', ["max(a,b)", "5\"", "c d"]), r#""max(a,b)","5""",c d"#);
/// ```
pub fn line(separator: char, values: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    const IN_MEMORY: &str = "memory takes all bytes";
    let mut writer =
        csv::WriterBuilder::new().delimiter(separator as u8).buffer_capacity(256).from_writer(Vec::new());
    values.into_iter().for_each(|value| writer.write_field(value.as_ref()).expect(IN_MEMORY));
    writer.write_record(None::<&[u8]>).expect(IN_MEMORY);
    let mut bytes = writer.into_inner().expect(IN_MEMORY);
    bytes.pop();
    String::from_utf8(bytes).expect("the values are text")
}

/// The index of the board's column.
pub(super) fn position(names: &[&str], wanted: Option<&str>) -> Option<usize> {
    let of = |wanted: &str| names.iter().position(|name| name.trim().eq_ignore_ascii_case(wanted));
    match wanted {
        Some(wanted) => of(wanted),
        None => BOARD.into_iter().find_map(of),
    }
}

/// The values of a line. Quotes are rare, so the line is read for them only if it
/// has some.
fn values(line: &str, separator: char) -> Vec<Cow<'_, str>> {
    if !line.contains('"') {
        return line.split(separator).map(|value| Cow::from(value.trim())).collect();
    }
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).delimiter(separator as u8).from_reader(line.as_bytes());
    let mut record = csv::StringRecord::new();
    match reader.read_record(&mut record) {
        Ok(true) => record.iter().map(|value| Cow::from(value.trim().to_owned())).collect(),
        _ => Vec::new(),
    }
}

/// Is one of the values a number? Then they are no names, but a line of data.
pub(super) fn has_number(line: &str) -> bool {
    values_of_any(line).any(|value| value.parse::<f64>().is_ok())
}

fn values_of_any(line: &str) -> impl Iterator<Item = Cow<'_, str>> {
    SEPARATORS.into_iter().flat_map(|separator| values(line, separator))
}
