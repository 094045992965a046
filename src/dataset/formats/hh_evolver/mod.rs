//! The CSV of the HH-Evolver system, which evolves heuristics.
//!
//! The first line is the dataset's name, the second its description, and every
//! other line is an instance: `Instance,h*,h1,…,hn`, which is the board's text,
//! its exact distance, and the values of the chosen heuristics. The file names
//! neither the metric nor the heuristics; the description is the place for it.
//!
//! ```text
//! Small boards
//! "4×4, in moves, with blocking, move-freed"
//! ..B.AAB.........,2,2,-1
//! ....AABB.CC.....,Infinity,2,1
//! ```
//!
//! # Writing
//!
//! Numbers are written without decimals where they are whole, a condition is
//! `1` or `-1`, and what is infinite (an unsolvable board) is `Infinity`. A
//! name or a description is written as it is, unless it has a comma, a double
//! quote, white space at either end, or a byte order mark at its start: then it
//! stands in double quotes, and those within are doubled. It cannot have a line
//! break.
//!
//! # Reading
//!
//! [`lists`](crate::lists) cuts a dataset into lines, and [`Instance::parse`] reads one.
//! A first or second line that is not in quotes from end to end is taken as it stands, commas and all. Also read are: a byte order mark, lines that end
//! in CR LF, a third line that begins with `Instance` (a header), fields in
//! quotes, spaces around fields, numbers such as `12.0` or `1.2E1`. Blank lines
//! and lines that begin with `#` are skipped after the head. What h\* may be:
//!
//! | text | meaning |
//! |---|---|
//! | a number from 0 | the distance, or a guess at it |
//! | `Infinity`, `inf`, a number from 2147483647 | the board is unsolvable |
//! | `-1`, `NaN`, nothing | no answer: somebody did not find a solution |

mod head;
mod instance;
mod quotes;

pub use head::{head, read as unquoted};
pub use instance::{Claimed, Instance, LineError, write_rows};

use super::{Distances, Format, Text, Writer};
use crate::cluster::Bounds;
use crate::dataset::{About, ExportError, Row};

/// The format.
pub const FORMAT: Format = Format {
    name: "hh-evolver",
    definition: "The CSV of the HH-Evolver system",
    extensions: &["csv"],
    distances: Distances::One,
    has_id: false,
    writer: Writer::Text(|_| Box::new(HhEvolver)),
    ..Format::ROOMY
};

struct HhEvolver;

impl Text for HhEvolver {
    fn head(&self, about: &About, out: &mut Vec<u8>) -> Result<(), ExportError> {
        out.extend(head(about)?.as_bytes());
        Ok(())
    }

    fn write(&self, rows: &[Row], _: Bounds, out: &mut Vec<u8>) -> Result<(), ExportError> {
        write_rows(rows, out);
        Ok(())
    }
}

/// The longest line, in bytes: a board and some thousand columns.
pub const LONGEST: usize = 1 << 16;
