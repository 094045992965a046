//! Many puzzles, written one after the other: there may be hundreds of thousands.

use serde::Serialize;

use super::{Head, PuzzleObject};
use crate::catalogue::{Catalogue, Column, Contents, Puzzle, Rules};
use crate::dataset::rush;
use crate::lists::line;

/// A form of lists of puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListForm {
    /// One JSON object with all of them.
    Json,
    /// One JSON object a line.
    JsonLines,
    /// A line of names, then one puzzle a line.
    Csv,
    /// Moves, board and boards of the cluster, as in the best-known public list.
    Rush,
    /// One board a line.
    Text,
}

/// The object of a list as JSON, without its puzzles.
#[derive(Serialize)]
struct Listing {
    #[serde(flatten)]
    head: Head,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    matching: usize,
    puzzles: [(); 0],
}

/// The end of a [`Listing`].
const END: &str = "]}";

impl ListForm {
    const ALL: [ListForm; 5] =
        [ListForm::Json, ListForm::JsonLines, ListForm::Csv, ListForm::Rush, ListForm::Text];

    /// The word for it, which is the ending of such files but for [`ListForm::Rush`].
    pub fn name(self) -> &'static str {
        match self {
            ListForm::Json => "json",
            ListForm::JsonLines => "jsonl",
            ListForm::Csv => "csv",
            ListForm::Rush => "rush",
            ListForm::Text => "txt",
        }
    }

    /// The form of this name.
    pub fn named(name: &str) -> Option<ListForm> {
        ListForm::ALL.into_iter().find(|form| form.name() == name)
    }

    /// What stands before the puzzles: how many match, and the seed if they were drawn at
    /// random, where there is room for it.
    pub fn start(self, catalogue: &Catalogue, rules: Rules, seed: Option<u64>, matching: usize) -> String {
        match self {
            ListForm::Json => {
                let listing = Listing { head: Head::new(catalogue, rules), seed, matching, puzzles: [] };
                let mut json = to_json(&listing);
                json.truncate(json.len() - END.len());
                json
            }
            ListForm::Csv => line(',', Column::shown().map(Column::name).chain(["catalogue"])) + "\n",
            // A note instead of a column: readers know three.
            ListForm::Rush if catalogue.contents() == Contents::Starter => rush::FROM_STARTER.to_owned(),
            ListForm::Rush | ListForm::JsonLines | ListForm::Text => String::new(),
        }
    }

    /// A puzzle, with what keeps it from the one before.
    pub fn puzzle(self, puzzle: &Puzzle, catalogue: &Catalogue, is_first: bool) -> String {
        let object = || to_json(&PuzzleObject::new(puzzle, catalogue));
        match self {
            ListForm::Json if is_first => object(),
            ListForm::Json => format!(",{}", object()),
            ListForm::JsonLines => object() + "\n",
            ListForm::Csv => {
                let values = Column::shown().map(|column| puzzle.value(column).to_string());
                line(',', values.chain([catalogue.contents().name().to_owned()])) + "\n"
            }
            ListForm::Rush => {
                let (mut line, boards) = (String::new(), puzzle.number(Column::ClusterBoards));
                rush::push_line(puzzle.moves(), puzzle.board_text(), boards, &mut line);
                line
            }
            ListForm::Text => format!("{}\n", puzzle.board_text()),
        }
    }

    /// What stands behind the puzzles.
    pub fn end(self) -> &'static str {
        if self == ListForm::Json { END } else { "" }
    }
}

/// One line of JSON.
pub fn to_json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("answers are plain data")
}
