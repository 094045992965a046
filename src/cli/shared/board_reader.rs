//! Boards as users give them: a text, the number of a puzzle, or a list of any
//! form.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;

use tailback::board::{Board, Reader};
use tailback::catalogue::Catalogue;
use tailback::lists::{self, Options, Records};
use tailback::space::SpaceId;

use super::batch::Line;
use super::interrupt;
use super::{Failure, Global, Result, filters};

/// The size whose puzzles numbers mean.
const SIZE: usize = 6;

/// Reads boards for a command.
pub struct BoardReader<'g> {
    pub reader: Reader,
    column: Option<String>,
    global: &'g Global,
    /// Opened for the first number.
    catalogue: Mutex<Option<Catalogue>>,
}

/// A board of a list.
pub struct NamedBoard {
    pub name: String,
    /// Empty if it has none.
    pub group: String,
    pub board: Board,
}

impl<'g> BoardReader<'g> {
    pub fn new(primary: Option<char>, column: Option<String>, global: &'g Global) -> BoardReader<'g> {
        BoardReader { reader: Reader { primary }, column, global, catalogue: Mutex::new(None) }
    }

    /// A board that is given as an argument.
    pub fn argument(&self, text: &str) -> Result<Board> {
        self.board(text).map_err(|failure| match () {
            () if Path::new(text).is_file() => {
                failure.advise(format!("there is a file of this name: read it with --file {text}"))
            }
            () if text.trim_start().starts_with('{') => {
                failure.advise("JSON is read from a file (--file) or from standard input (-)")
            }
            () if is_file_name(text) => failure.advise("a file is read with --file"),
            () => failure,
        })
    }

    /// A board, or the number of a puzzle of the catalogue.
    pub fn board(&self, text: &str) -> Result<Board> {
        match lists::id(text) {
            Some(id) => self.puzzle(id),
            None => Ok(self.reader.read(text)?),
        }
    }

    /// The board of a line of a list.
    pub fn line(&self, line: &Line) -> Result<Board> {
        self.board(&line.entry()?.board)
    }

    /// All boards of an input; a line that has none is an error, and so is the end
    /// that a signal made.
    pub fn each_board(&self, input: impl Read) -> impl Iterator<Item = Result<Board>> {
        self.each_named(None, input).map(|named| named.map(|named| named.board))
    }

    /// The same with their names (without one it is the number of the line) and groups.
    /// What the list is called is for errors.
    pub fn each_named(
        &self,
        list: Option<&str>,
        input: impl Read,
    ) -> impl Iterator<Item = Result<NamedBoard>> {
        let mut records = self.records(input);
        let about = list.unwrap_or("the boards");
        let at = list.map_or(String::new(), |list| format!("{list}, "));
        let named = std::iter::from_fn(move || {
            let record = records.next()?;
            let record =
                record.map_err(|error| Failure::from(error).about(format_args!("cannot read {about}")));
            let named = record.and_then(|record| {
                let line = Line { form: records.form(), record: &record };
                let read = line.entry().and_then(|entry| {
                    let name = entry.name().map_or_else(|| record.number.to_string(), Cow::into_owned);
                    // In a line of text, a number behind the board is no group.
                    let behind = entry.after.first().filter(|word| word.parse::<f64>().is_err());
                    let group = entry.value(&["group"]).or(behind.copied()).unwrap_or_default().to_owned();
                    Ok(NamedBoard { name, group, board: self.board(&entry.board)? })
                });
                read.map_err(|failure| failure.about(format_args!("{at}line {}", record.number)))
            });
            // A signal may have cut the line.
            Some(if named.is_err() && interrupt::is_raised() { Err(Failure::interrupted()) } else { named })
        });
        let cut = std::iter::once_with(|| interrupt::is_raised().then(|| Err(Failure::interrupted())));
        named.chain(cut.flatten())
    }

    /// A list as a name, a board and a group a line, under a head of these.
    pub fn names_and_boards(&self, list: &str, input: impl Read) -> Result<String> {
        let mut text = String::from("name\tboard\tgroup\n");
        for named in self.each_named(Some(list), input) {
            let NamedBoard { name, group, board } = named?;
            let [name, group] = [name, group].map(|text| text.replace('\t', " "));
            text += &format!("{name}\t{}\t{group}\n", board.text());
        }
        Ok(text)
    }

    /// The puzzle with this number.
    fn puzzle(&self, id: u64) -> Result<Board> {
        let mut catalogue = self.catalogue.lock().expect("no thread panicked");
        let space = SpaceId::of_id(SIZE, id);
        let has_it = |open: &Catalogue| open.spaces().contains(space);
        if !catalogue.as_ref().is_some_and(has_it) {
            *catalogue = Some(filters::open(self.global, space)?);
        }
        let catalogue = catalogue.as_ref().expect("it was opened");
        match catalogue.find(id)? {
            Some(puzzle) => Ok(puzzle.board()?),
            None => Err(filters::unknown(catalogue.contents(), SIZE, &id.to_string())),
        }
    }

    /// Cuts an input into boards.
    pub fn records<R: Read>(&self, input: R) -> Records<R> {
        Records::new(input, Options { column: self.column.clone(), ..Options::default() })
    }

    /// The same for a dataset, which may begin with its name and a description.
    pub fn records_of_dataset<R: Read>(&self, input: R) -> Records<R> {
        let options = Options { column: self.column.clone(), has_head: true, ..Options::default() };
        Records::new(input, options)
    }
}

/// Has it an ending that no board has?
fn is_file_name(text: &str) -> bool {
    let endings = [".txt", ".csv", ".tsv", ".json", ".jsonl", ".parquet"];
    endings.iter().any(|ending| text.ends_with(ending))
}
