//! Puzzles of the catalogue.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use super::{Answer, JSON, LINES, as_file, bytes, json};
use crate::answers::{Head, ListForm, Matching, PuzzleObject};
use crate::catalogue::{
    Catalogue, Chosen, Column, Holds, KindError, Puzzle, Query, Range, Rules, STARTER_SIZE, Sorting,
    kind_bits, kind_names,
};
use crate::render::pages;
use crate::render::pdf::{self, Paper};
use crate::render::sheet::Tile;
use crate::serve::app::{App, to_json};
use crate::serve::database::{SIZES, Snapshot};
use crate::serve::deadline::Deadline;
use crate::serve::limits;
use crate::serve::params::Params;
use crate::serve::refusal::Refusal;
use crate::serve::stream::Streamed;
use crate::space::SpaceId;

/// How many there are by default.
const USUAL: usize = 20;
/// Puzzles that are read at once.
const AT_ONCE: usize = 32;
/// Boards on a page of a sheet.
const A_PAGE: usize = 12;
/// How much the moves and the vehicles of similar puzzles may differ.
const NEAR: (u64, u64) = (2, 1);

/// What is asked for, and how it is to be told.
struct Question {
    query: Query,
    size: usize,
    offset: usize,
    seed: Option<u64>,
    /// A board that is not among the answers.
    but: Option<(u64, u64)>,
    format: Form,
}

/// The format of the puzzles.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Page by page.
    Page,
    List(ListForm),
    Svg,
    Pdf,
}

impl Form {
    fn of(name: Option<&str>) -> Form {
        match name {
            Some("svg") => Form::Svg,
            Some("pdf") => Form::Pdf,
            name => name.and_then(ListForm::named).map_or(Form::Page, Form::List),
        }
    }

    /// How puzzles are written one by one.
    fn list(self) -> ListForm {
        match self {
            Form::List(form) => form,
            Form::Page | Form::Svg | Form::Pdf => ListForm::Json,
        }
    }

    /// What it is, and the ending of a file of it; none if it is no file.
    fn kind(self) -> (&'static str, &'static str) {
        const TEXT: &str = "text/plain; charset=utf-8";
        match self {
            Form::Page => (JSON, ""),
            Form::List(ListForm::Json) => (JSON, "json"),
            Form::List(ListForm::JsonLines) => (LINES, "jsonl"),
            Form::List(ListForm::Csv) => ("text/csv; charset=utf-8", "csv"),
            Form::List(ListForm::Rush | ListForm::Text) => (TEXT, "txt"),
            Form::Svg => ("image/svg+xml", ""),
            Form::Pdf => ("application/pdf", ""),
        }
    }

    /// The most puzzles, and what they are called.
    fn most(self) -> (usize, &'static str) {
        match self {
            Form::Page => (limits::PUZZLES, "an answer"),
            Form::Svg | Form::Pdf => (limits::SHEET, "a sheet"),
            _ => (limits::LISTED, "a list"),
        }
    }
}

/// The filters of a request.
fn query(params: &Params) -> Result<Query, Refusal> {
    let rules = params.get("rules").and_then(Rules::named).unwrap_or_default();
    let mut ranges = Vec::new();
    for (name, column, _) in Column::filters() {
        if let Some(text) = params.get(name) {
            let range: Range = text.parse().map_err(|error| Refusal::from(error).about(name))?;
            ranges.push((column, range));
        }
    }
    let kinds = kind_bits(params.all("kind"), params.size());
    let kinds = kinds.map_err(|KindError { text, size }| {
        let names = kind_names(size).join("  ");
        Refusal::unreadable(format!("kind: {text:?} is none of: {names}"))
    })?;
    let inventory = params.get("inventory").map(str::parse).transpose();
    let inventory = inventory.map_err(|error| Refusal::from(error).about("inventory"))?;
    Ok(Query { rules, ranges, kinds, inventory, distinct: params.number("distinct"), ..Query::default() })
}

/// Asks the catalogue that a question is about.
fn ask<T>(
    (opened, deadline): (&Snapshot, &Arc<Deadline>),
    size: usize,
    query: &Query,
    answer: impl FnOnce(&Catalogue, &Query) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let spaces = query.spaces(size, opened.most_walls(size));
    opened.catalogue(spaces, deadline, |catalogue| answer(catalogue, &query.clone().of(catalogue)))
}

impl Question {
    fn new(params: &Params, query: Query, usual: usize) -> Result<Question, Refusal> {
        let format = Form::of(params.get("format"));
        let limit = params.number("limit").unwrap_or(usual);
        let (most, what) = format.most();
        if limit > most {
            return Err(Refusal::too_large(format!("limit: {what} has at most {most} puzzles")));
        }
        let sort = params.get("sort").map(str::parse::<Sorting>).transpose();
        let sort = sort.map_err(|error| Refusal::from(error).about("sort"))?;
        let offset: usize = params.number("offset").unwrap_or(0);
        if query.distinct.is_some() && offset + limit > limits::DISTINCT {
            let most = limits::DISTINCT;
            let text =
                format!("distinct: offset and limit are at most {most} together if no two are to be alike");
            return Err(Refusal::too_large(text));
        }
        let query = Query { limit: Some(offset + limit), ..query }.sorted(sort);
        Ok(Question { seed: query.random, query, size: params.size(), offset, but: None, format })
    }

    async fn answer(self, app: &Arc<App>) -> Answer {
        let opened = app.database.now();
        let (kind, ending) = self.format.kind();
        let name = format!("puzzles-{0}x{0}.{ending}", self.size);
        let is_sheet = matches!(self.format, Form::Svg | Form::Pdf);
        let body = if is_sheet {
            let drawn = app.long(move |deadline| {
                ask((&opened, deadline), self.size, &self.query, |catalogue, query| {
                    let puzzles =
                        catalogue.select(query)?.skip(self.offset).collect::<Result<Vec<_>, _>>()?;
                    sheet(self.format, &self.wanted(puzzles))
                })
            });
            app.answers.whole(drawn.await?).await?
        } else {
            let begin = {
                let app = Arc::clone(app);
                move |deadline: &Arc<Deadline>| PuzzleStream::begin(app, opened, self, deadline)
            };
            app.answers.streamed(app.long(begin).await?).await?
        };
        let answer = bytes(kind, body);
        Ok(if ending.is_empty() { answer } else { as_file(answer, &name) })
    }

    /// Without the board that is not to be among them. One more was asked for, in case
    /// it is.
    fn wanted(&self, mut puzzles: Vec<Puzzle>) -> Vec<Puzzle> {
        if let Some(but) = self.but {
            puzzles.retain(|puzzle| !is_board(puzzle, but));
            puzzles.truncate(self.query.limit.unwrap_or(usize::MAX).saturating_sub(1));
        }
        puzzles
    }
}

fn is_board(puzzle: &Puzzle, order: (u64, u64)) -> bool {
    puzzle.board().is_ok_and(|board| board.order() == order)
}

/// A list of puzzles that is being written.
struct PuzzleStream {
    app: Arc<App>,
    opened: Arc<Snapshot>,
    question: Question,
    /// Those that are left to be read, the next one last.
    left: Vec<u64>,
    /// How many are left to be written, if that is less.
    most: usize,
    is_first: bool,
}

impl Streamed for PuzzleStream {
    async fn next(self) -> Result<(Vec<u8>, Option<PuzzleStream>), Refusal> {
        let app = Arc::clone(&self.app);
        app.go_on(move |deadline| self.write(Vec::new(), deadline)).await
    }
}

impl PuzzleStream {
    /// Chooses the puzzles and writes the first piece.
    fn begin(
        app: Arc<App>,
        opened: Arc<Snapshot>,
        question: Question,
        deadline: &Arc<Deadline>,
    ) -> Result<(Vec<u8>, Option<PuzzleStream>), Refusal> {
        let Question { size, offset, seed, format, .. } = question;
        let begun = ask((&opened, deadline), size, &question.query, |catalogue, query| {
            let Chosen { matching, mut ids } = catalogue.choose(query)?;
            ids.drain(..offset.min(ids.len()));
            ids.reverse();
            let head = format.list().start(catalogue, query.rules, seed, matching);
            Ok((head.into_bytes(), ids))
        });
        let (head, left) = begun?;
        let more = usize::from(question.but.is_some());
        let most = question.query.limit.unwrap_or(usize::MAX).saturating_sub(offset + more);
        PuzzleStream { app, opened, question, left, most, is_first: true }.write(head, deadline)
    }

    /// Writes on until the piece is full.
    fn write(
        mut self,
        mut piece: Vec<u8>,
        deadline: &Arc<Deadline>,
    ) -> Result<(Vec<u8>, Option<PuzzleStream>), Refusal> {
        let (opened, query, size) =
            (Arc::clone(&self.opened), self.question.query.clone(), self.question.size);
        let form = self.question.format.list();
        ask((&opened, deadline), size, &query, |catalogue, _| {
            while piece.len() < limits::PIECE && !self.is_done() {
                let some = self.left.split_off(self.left.len().saturating_sub(AT_ONCE));
                let ids = some.into_iter().rev().collect();
                for puzzle in (Chosen { matching: 0, ids }).read(catalogue)? {
                    let puzzle = puzzle?;
                    if self.most > 0 && !self.question.but.is_some_and(|but| is_board(&puzzle, but)) {
                        self.most -= 1;
                        let is_first = std::mem::take(&mut self.is_first);
                        piece.extend(form.puzzle(&puzzle, catalogue, is_first).as_bytes());
                    }
                }
            }
            Ok(())
        })?;
        if !self.is_done() {
            return Ok((piece, Some(self)));
        }
        piece.extend(form.end().as_bytes());
        Ok((piece, None))
    }

    fn is_done(&self) -> bool {
        self.left.is_empty() || self.most == 0
    }
}

/// Draws puzzles on pages, with their place, moves and number.
fn sheet(format: Form, puzzles: &[Puzzle]) -> Result<Vec<u8>, Refusal> {
    if puzzles.is_empty() {
        return Err(Refusal::unknown("no puzzle matches, so there is nothing to draw"));
    }
    let tile = |(index, puzzle): (usize, &Puzzle)| {
        let caption = format!("{}. {} moves · {}", index + 1, puzzle.moves(), puzzle.id());
        Ok(Tile { board: puzzle.board()?, caption, note: String::new(), moved: None })
    };
    let tiles = puzzles.iter().enumerate().map(tile).collect::<Result<Vec<Tile>, Refusal>>()?;
    let a_page = if format == Form::Pdf { A_PAGE } else { puzzles.len() };
    let pages = pages::of_tiles("Rush Hour", &tiles, a_page, true);
    let pages: Vec<&str> = pages.iter().map(|page| page.drawing.svg.as_str()).collect();
    Ok(match format {
        Form::Pdf => pdf::document("Rush Hour", &pages, Some(Paper::A4))?,
        _ => pages[0].into(),
    })
}

pub async fn puzzles(State(app): State<Arc<App>>, params: Params) -> Answer {
    Question::new(&params, query(&params)?, USUAL)?.answer(&app).await
}

pub async fn random(State(app): State<Arc<App>>, params: Params) -> Answer {
    let query = Query { random: Some(seed(&params)), ..query(&params)? };
    Question::new(&params, query, 1)?.answer(&app).await
}

/// Puzzles with about as many moves and vehicles as a board.
pub async fn similar(State(app): State<Arc<App>>, params: Params) -> Answer {
    let board = app.board(params.text("board"), params.primary()).await?;
    let size = board.size();
    if !SIZES.contains(&size) {
        return Err(Refusal::unknown(format!("there are no puzzles of {size}×{size}")));
    }
    let (vehicles, but) = (board.vehicles().len() as u64, Some(board.order()));
    let metric = crate::board::Metric::Moves;
    let distance =
        app.ask(board, metric, move |session, board, bounds| session.distance(board, metric, bounds));
    let (distance, _) = distance.await?;
    let about = |number: u64, by: u64| Range::from(number.saturating_sub(by)..=number + by);
    let mut ranges = vec![(Column::Vehicles, about(vehicles, NEAR.1))];
    ranges.extend(distance.known().map(|moves| (Column::Moves, about(moves.into(), NEAR.0))));
    let query = Query { random: Some(seed(&params)), ranges, ..query(&params)? };
    let question = Question::new(&params, query, 1)?;
    let query = Query { limit: question.query.limit.map(|limit| limit + 1), ..question.query };
    Question { size, but, query, ..question }.answer(&app).await
}

/// The seed that is asked for, or one by the clock: it is in the answer, so that the same can
/// be drawn again.
fn seed(params: &Params) -> u64 {
    let drawn = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
    params.number("seed").unwrap_or_else(|| drawn().into())
}

pub async fn count(State(app): State<Arc<App>>, params: Params) -> Answer {
    let (query, size) = (query(&params)?, params.size());
    let count = app.puzzles(move |opened, deadline| {
        ask((opened, deadline), size, &query, |catalogue, query| {
            Ok(Matching { head: Head::new(catalogue, query.rules), count: catalogue.count(query)? })
        })
    });
    Ok(json(&count.await?))
}

/// How often each value is among the puzzles that match.
#[derive(Serialize)]
struct Histogram {
    #[serde(flatten)]
    head: Head,
    column: &'static str,
    matching: u64,
    counts: Vec<Bar>,
}

#[derive(Serialize)]
struct Bar {
    value: u64,
    count: u64,
}

pub async fn histogram(State(app): State<Arc<App>>, params: Params) -> Answer {
    let (query, size) = (query(&params)?, params.size());
    let name = params.get("column").unwrap_or("moves");
    let (name, column, _) = Column::filters().find(|(known, _, _)| *known == name).ok_or_else(|| {
        let names: Vec<&str> = Column::filters().map(|(name, _, _)| name).collect();
        Refusal::unreadable(format!("column: {name:?} is none of: {}", names.join(", ")))
    })?;
    let histogram = app.puzzles(move |opened, deadline| {
        ask((opened, deadline), size, &query, |catalogue, query| {
            let counts = catalogue.histogram(query, column)?;
            let bars = counts.into_iter().map(|(value, count)| Bar { value, count }).collect::<Vec<_>>();
            Ok(Histogram {
                head: Head::new(catalogue, query.rules),
                column: name,
                matching: bars.iter().map(|bar| bar.count).sum(),
                counts: bars,
            })
        })
    });
    Ok(json(&histogram.await?))
}

pub async fn puzzle(State(app): State<Arc<App>>, params: Params) -> Answer {
    let (size, id) = (params.size(), params.number("id").unwrap_or(u64::MAX));
    let answer = app.puzzles(move |opened, deadline| {
        opened.catalogue(SpaceId::of_id(size, id), deadline, |catalogue| match catalogue.find(id)? {
            Some(puzzle) => Ok(to_json(&PuzzleObject::new(&puzzle, catalogue))),
            None => Err(Refusal::unknown(format!(
                "the {} catalogue of {size}×{size} puzzles has no puzzle {id}",
                catalogue.contents().name()
            ))),
        })
    });
    Ok::<Response, Refusal>(bytes(JSON, answer.await?))
}

/// What puzzles can be filtered and sorted by.
#[derive(Serialize)]
struct Filters {
    #[serde(flatten)]
    head: Head,
    puzzles: usize,
    /// Sizes that have a catalogue.
    sizes: Vec<usize>,
    all_rules: Vec<&'static str>,
    filters: Vec<Filter>,
    sorts: Vec<&'static str>,
    kinds: Vec<String>,
}

#[derive(Serialize)]
struct Filter {
    name: &'static str,
    /// Its name in puzzles.
    column: &'static str,
    about: &'static str,
    unit: &'static str,
    /// Among all puzzles of the catalogue.
    least: u64,
    most: u64,
}

pub async fn filters(State(app): State<Arc<App>>, params: Params) -> Answer {
    let size = params.size();
    let filters = app.puzzles(move |opened, deadline| {
        opened.catalogue(size, deadline, |catalogue| {
            let all = Query { rules: Rules::All, ..Query::default() };
            let filter = |(name, column, about): (&'static str, Column, &'static str)| {
                let counts = catalogue.histogram(&all, column)?;
                let ends = counts.first_key_value().zip(counts.last_key_value());
                let (least, most) = ends.map_or((0, 0), |((least, _), (most, _))| (*least, *most));
                // Rounded down, the greatest would be left out.
                let most = most + u64::from(column.about().holds == Holds::Real);
                Ok(Filter { name, column: column.name(), about, unit: column.about().unit, least, most })
            };
            Ok(Filters {
                head: Head::new(catalogue, Rules::All),
                puzzles: catalogue.puzzles(),
                sizes: SIZES.into_iter().filter(|&s| s == STARTER_SIZE || opened.has_catalogue(s)).collect(),
                all_rules: Rules::ALL.map(Rules::name).to_vec(),
                filters: Column::filters().map(filter).collect::<Result<_, Refusal>>()?,
                sorts: Column::sorts().map(|(name, _)| name).collect(),
                kinds: kind_names(size),
            })
        })
    });
    Ok(json(&filters.await?))
}
