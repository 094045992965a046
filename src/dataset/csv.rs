//! Comma-separated values with a line of names.

use super::number::push_whole;
use super::{Row, Schema, quotes};

/// The names of the columns: the same in every form that has names.
pub fn names(schema: &Schema) -> Vec<String> {
    let mut names = vec!["board".to_owned(), "rank".to_owned()];
    names.extend(schema.metrics.iter().map(ToString::to_string));
    names.extend(schema.needs_last_move().then(|| "last_move".to_owned()));
    names.extend(schema.heuristics.iter().map(ToString::to_string));
    names
}

/// The first line.
pub fn head(schema: &Schema) -> String {
    let quoted = |name: String| if name.contains(',') { quotes::quoted(&name) } else { name };
    names(schema).into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// Appends the line of a row. What there is none of is an empty field.
pub fn write_row(schema: &Schema, row: &Row, out: &mut String) {
    out.push_str(&row.board.text());
    for number in row.numbers() {
        out.push(',');
        if let Some(number) = number {
            push_whole(number, out);
        }
    }
    if schema.needs_last_move() {
        out.push(',');
        out.extend(row.last_move.map(|last| row.board.notation(last)));
    }
    for label in &row.labels {
        out.push(',');
        label.push_to(out);
    }
    out.push('\n');
}
