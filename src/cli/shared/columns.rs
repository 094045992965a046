//! Words and numbers in columns for people, as text, as Markdown and as LaTeX.

use super::output::printable;

/// Columns, the first of which name the rows.
pub struct Columns {
    /// How many columns name the rows.
    pub keys: usize,
    pub columns: Vec<Column>,
}

#[derive(Default)]
pub struct Column {
    /// One line or more; the last stands over the cells.
    pub head: Vec<String>,
    pub cells: Vec<Cell>,
    /// Words begin in one line, numbers end in one.
    pub is_words: bool,
}

#[derive(Default)]
pub struct Cell {
    pub text: String,
    /// Behind the line in which numbers end.
    pub suffix: String,
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell { text: printable(&text), suffix: String::new() }
    }
}

const GAP: &str = "  ";

impl Columns {
    /// Rows under these columns, which have no cells yet.
    pub fn of<const N: usize>(
        mut columns: [Column; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) -> Columns {
        for row in rows {
            for (column, cell) in columns.iter_mut().zip(row) {
                column.cells.push(cell.into());
            }
        }
        Columns { keys: 0, columns: columns.into() }
    }

    /// As text. Columns beyond the width go into another table below, with
    /// the names of the rows once more.
    pub fn text(&self, width: usize) -> String {
        let (keys, others) = self.columns.split_at(self.keys);
        let taken =
            |columns: &[&Column]| columns.iter().map(|column| GAP.len() + column.width()).sum::<usize>();
        let mut tables: Vec<Vec<&Column>> = vec![keys.iter().collect()];
        for column in others {
            let last = tables.last_mut().expect("there is one");
            if last.len() > self.keys && taken(last) + column.width() > width {
                tables.push(keys.iter().chain([column]).collect());
            } else {
                last.push(column);
            }
        }
        let tables: Vec<String> = tables.iter().map(|columns| text(columns)).collect();
        tables.join("\n")
    }

    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let of_all = |cell: &dyn Fn(&Column) -> String| line(self.columns.iter().map(cell).collect());
        let mut out = of_all(&|column| escape(&column.head.join(" ")));
        out += &of_all(&|column| if column.is_words { ":---" } else { "---:" }.to_owned());
        for row in 0..self.rows() {
            out +=
                &of_all(&|column| escape(&format!("{}{}", column.cells[row].text, column.cells[row].suffix)));
        }
        out
    }

    /// A table of LaTeX's package `booktabs`.
    pub fn latex(&self) -> String {
        let line = |cells: Vec<String>| format!("    {} \\\\\n", cells.join(" & "));
        let of_all = |cell: &dyn Fn(&Column) -> String| line(self.columns.iter().map(cell).collect());
        let kinds: String =
            self.columns.iter().map(|column| if column.is_words { 'l' } else { 'r' }).collect();
        let heads = self.columns.iter().map(|column| column.head.len()).max().unwrap_or(0);
        let mut out = format!("  \\begin{{tabular}}{{{kinds}}}\n    \\toprule\n");
        for line in 0..heads {
            out += &of_all(&|column| {
                let missing = heads - column.head.len();
                line.checked_sub(missing).map_or(String::new(), |line| latex(&column.head[line]))
            });
        }
        out += "    \\midrule\n";
        for row in 0..self.rows() {
            out += &of_all(&|column| {
                let Cell { text, suffix } = &column.cells[row];
                // A mark is raised, what follows it is not.
                let (mark, rest) = suffix.split_once(' ').unwrap_or((suffix, ""));
                let mark = if mark.is_empty() { String::new() } else { format!("$^{{{}}}$", latex(mark)) };
                let rest = if rest.is_empty() { String::new() } else { format!(" {}", latex(rest)) };
                latex(text) + &mark + &rest
            });
        }
        out + "    \\bottomrule\n  \\end{tabular}\n"
    }

    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('*', "\\*").replace('_', "\\_")
}

/// Text as LaTeX prints it.
pub fn latex(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\\' => "\\textbackslash{}".to_owned(),
            '~' => "\\textasciitilde{}".to_owned(),
            '^' => "\\textasciicircum{}".to_owned(),
            '<' => "\\textless{}".to_owned(),
            '>' => "\\textgreater{}".to_owned(),
            '|' => "\\textbar{}".to_owned(),
            '"' => "''".to_owned(),
            // After the end of a line it would be taken for an option.
            '[' => "{[}".to_owned(),
            '×' => "$\\times$".to_owned(),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
            _ => c.to_string(),
        })
        .collect()
}

fn text(columns: &[&Column]) -> String {
    let heads = columns.iter().map(|column| column.head.len()).max().unwrap_or(0);
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let mut out = String::new();
    for line in 0..heads {
        let head = |column: &Column| {
            let missing = heads - column.head.len();
            let text = line.checked_sub(missing).map_or("", |line| column.head[line].as_str());
            column.padded(text, column.width())
        };
        out += &joined(columns.iter().map(|column| head(column)));
    }
    let sizes: Vec<(usize, usize)> = columns.iter().map(|column| (column.width(), column.suffix())).collect();
    for row in 0..rows {
        out += &joined(columns.iter().zip(&sizes).map(|(column, &sizes)| column.cell(row, sizes)));
    }
    out
}

fn joined(cells: impl Iterator<Item = String>) -> String {
    format!("{}\n", cells.collect::<Vec<_>>().join(GAP).trim_end())
}

fn longest<'t>(texts: impl Iterator<Item = &'t String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

impl Column {
    pub fn words(head: &str) -> Column {
        Column { is_words: true, ..Column::numbers(head) }
    }

    pub fn numbers(head: &str) -> Column {
        Column { head: vec![head.to_owned()], ..Column::default() }
    }

    /// Numbers, one of each row.
    pub fn of_rows<R, C: Into<Cell>>(head: Vec<String>, rows: &[R], cell: impl Fn(&R) -> C) -> Column {
        Column { head, cells: rows.iter().map(|row| cell(row).into()).collect(), is_words: false }
    }

    fn suffix(&self) -> usize {
        longest(self.cells.iter().map(|cell| &cell.suffix))
    }

    fn width(&self) -> usize {
        let cells = longest(self.cells.iter().map(|cell| &cell.text)) + self.suffix();
        cells.max(longest(self.head.iter()))
    }

    fn padded(&self, text: &str, width: usize) -> String {
        if self.is_words { format!("{text:<width$}") } else { format!("{text:>width$}") }
    }

    /// A cell, in a column of this width with this room for suffixes.
    fn cell(&self, row: usize, (width, room): (usize, usize)) -> String {
        let Cell { text, suffix } = &self.cells[row];
        self.padded(text, width - room) + &format!("{suffix:<room$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Columns {
        let column = |head: &[&str], cells: &[&str], is_words| Column {
            head: head.iter().map(|line| line.to_string()).collect(),
            cells: cells
                .iter()
                .map(|cell| {
                    cell.split_once('+').map_or_else(
                        || Cell::from(cell.to_string()),
                        |(text, suffix)| Cell { text: text.to_owned(), suffix: format!("+{suffix}") },
                    )
                })
                .collect(),
            is_words,
        };
        Columns {
            keys: 2,
            columns: vec![
                column(&["puzzle"], &["one", "two|2"], true),
                column(&["moves"], &["8", "14"], false),
                column(&["astar", "zero"], &["1,234", ">99"], false),
                column(&["astar", "a*b"], &["7+10", "1,000"], false),
                column(&["bfs"], &["5", "-"], false),
            ],
        }
    }

    #[test]
    fn numbers_end_in_one_line() {
        let expected = "               astar     astar
puzzle  moves   zero       a*b  bfs
one         8  1,234      7+10    5
two|2      14    >99  1,000       -
";
        assert_eq!(table().text(usize::MAX), expected);
        assert_eq!(table().text(35), expected);
    }

    #[test]
    fn what_does_not_fit_goes_below() {
        let expected = "               astar
puzzle  moves   zero
one         8  1,234
two|2      14    >99

                  astar
puzzle  moves       a*b  bfs
one         8      7+10    5
two|2      14  1,000       -
";
        assert_eq!(table().text(29), expected);
        assert_eq!(table().text(1).matches("puzzle").count(), 3);
    }

    #[test]
    fn markdown_is_no_markup_by_chance() {
        let expected = "\
| puzzle | moves | astar zero | astar a\\*b | bfs |
| :--- | ---: | ---: | ---: | ---: |
| one | 8 | 1,234 | 7+10 | 5 |
| two\\|2 | 14 | >99 | 1,000 | - |
";
        assert_eq!(table().markdown(), expected);
    }
}
