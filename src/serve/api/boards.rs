//! Boards: one or many.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::response::Response;
use serde::Serialize;

use super::{Answer, LINES, body, bytes, json, kept_if};
use crate::answers::{BoardAnswer, Degree, Hint, Lookup, Solution};
use crate::board::{Board, Distance, Metric, Reader};
use crate::cluster::Bounds;
use crate::lists::{self, Options, Records};
use crate::probe::{ProbeError, Session};
use crate::serve::app::{App, puzzle, to_json};
use crate::serve::database::Snapshot;
use crate::serve::deadline::Deadline;
use crate::serve::limits;
use crate::serve::params::Params;
use crate::serve::refusal::Refusal;

pub async fn lookup(State(app): State<Arc<App>>, params: Params) -> Answer {
    let board = app.board(params.text("board"), params.primary()).await?;
    let metric = params.metric();
    let look_up = move |session: &mut Session, board: &Board, bounds: Bounds| {
        Lookup::of(session, board, metric, bounds)
    };
    let mut answer = app.look_up(board.clone(), metric, look_up).await?;
    if answer.found.solvable == Some(false) {
        let why = move |session: &mut Session, board: &Board, bounds: Bounds| {
            answer.found.explain(session, board, bounds)?;
            Ok(answer)
        };
        answer = app.ask(board, metric, why).await?;
    }
    Ok(kept_if(is_sure(&answer.found), json(&answer)))
}

pub async fn solve(State(app): State<Arc<App>>, params: Params) -> Answer {
    let board = app.board(params.text("board"), params.primary()).await?;
    let (metric, counts) = (params.metric(), params.is_set("count"));
    let ask = move |session: &mut Session, board: &Board, bounds: Bounds| {
        let mut answer = Solution::of(session, board, metric, counts, bounds)?;
        answer.found.explain(session, board, bounds)?;
        Ok(answer)
    };
    let answer = match counts {
        true => app.ask_long(board, ask).await?,
        false => app.ask(board, metric, ask).await?,
    };
    let is_sure = is_sure(&answer.found) && !matches!(answer.optimal_solutions, Some(None));
    Ok(kept_if(is_sure, json(&answer)))
}

/// Is it what every server would say? A reason that was not brought down to the least
/// may be better when there is more time.
fn is_sure(found: &BoardAnswer) -> bool {
    found.reason.as_ref().is_none_or(|reason| reason.minimal)
}

pub async fn hint(State(app): State<Arc<App>>, params: Params) -> Answer {
    let board = app.board(params.text("board"), params.primary()).await?;
    let degree = match params.get("degree") {
        Some("line") => Degree::Line,
        Some("move") => Degree::Move,
        _ => Degree::Vehicle,
    };
    let metric = params.metric();
    let answer = app.ask(board, metric, move |session, board, bounds| {
        let mut answer = Hint::of(session, board, metric, degree, bounds)?;
        answer.found.explain(session, board, bounds)?;
        Ok(answer)
    });
    let answer = answer.await?;
    Ok(kept_if(is_sure(&answer.found), json(&answer)))
}

/// A board that was read.
#[derive(Serialize)]
struct Read {
    board: String,
    primary: char,
    size: usize,
}

impl Read {
    fn of(board: &Board) -> Read {
        Read { board: board.text(), primary: board.primary().letter, size: board.size() }
    }
}

pub async fn read(State(app): State<Arc<App>>, params: Params) -> Answer {
    let board = app.board(params.text("text"), params.primary()).await?;
    Ok(json(&Read::of(&board)))
}

pub async fn read_long(State(app): State<Arc<App>>, params: Params, request: Request) -> Answer {
    let text = body(&app, request).await?;
    let text = std::str::from_utf8(&text).map_err(|_| Refusal::unreadable("the body is no text"))?;
    let board = app.board(text, params.primary()).await?;
    Ok(json(&Read::of(&board)))
}

/// What a board would be without each of its vehicles.
#[derive(Serialize)]
struct Without {
    #[serde(flatten)]
    found: BoardAnswer,
    vehicles: Vec<Left>,
}

/// The board without one vehicle.
#[derive(Serialize)]
struct Left {
    letter: char,
    /// None if that is not known.
    solvable: Option<bool>,
    distance: Option<Distance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub async fn without(State(app): State<Arc<App>>, params: Params) -> Answer {
    let board = app.board(params.text("board"), params.primary()).await?;
    let metric = params.metric();
    let answer = app.ask(board, metric, move |session, board, bounds| {
        let found = session.distance(board, metric, bounds)?;
        let found = BoardAnswer::new(session, board, metric, found)?;
        let mut vehicles = Vec::new();
        for (index, vehicle) in board.vehicles().iter().enumerate() {
            let Some(without) = board.without_vehicle(index) else { continue };
            let (distance, error) = match session.distance(&without, metric, bounds) {
                Ok((distance, _)) => (Some(distance), None),
                Err(ProbeError::Cluster(error)) => (None, Some(Refusal::from(error).text().to_owned())),
                Err(error) => return Err(error),
            };
            let solvable = distance.map(Distance::is_solvable);
            vehicles.push(Left { letter: vehicle.letter, solvable, distance, error });
        }
        Ok(Without { found, vehicles })
    });
    let answer = answer.await?;
    let is_sure = answer.vehicles.iter().all(|left| left.error.is_none());
    Ok(kept_if(is_sure, json(&answer)))
}

pub async fn lookup_many(State(app): State<Arc<App>>, params: Params, request: Request) -> Answer {
    many(&app, &params, request, Lookup::of).await
}

pub async fn solve_many(State(app): State<Arc<App>>, params: Params, request: Request) -> Answer {
    many(&app, &params, request, move |session, board, metric, bounds| {
        Solution::of(session, board, metric, false, bounds)
    })
    .await
}

/// A line that is no board, or a board without an answer.
#[derive(Serialize)]
struct BadLine<'a> {
    line: usize,
    board: &'a str,
    error: String,
}

/// Answers a board a line, in order.
async fn many<T: Serialize>(
    app: &Arc<App>,
    params: &Params,
    request: Request,
    answer: impl Fn(&mut Session, &Board, Metric, Bounds) -> Result<T, ProbeError> + Send + 'static,
) -> Result<Response, Refusal> {
    let input = body(app, request).await?;
    // Its rows cannot be counted before they are decoded.
    if input.starts_with(b"PAR1") {
        return Err(Refusal::unreadable("Parquet is not read here: send lines of text, CSV or JSON"));
    }
    let reader = Reader { primary: params.primary() };
    let opened = app.database.now();
    let metric = params.metric();
    let lines = app.long(move |deadline| {
        let end = Instant::now() + limits::LINES_TIME;
        opened.ask(|session| {
            answers((&opened, deadline), &input, reader, end, |board| {
                answer(session, board, metric, deadline.of_next_search().bounds())
            })
        })
    });
    Ok(bytes(LINES, app.answers.whole(lines.await?).await?))
}

fn answers<T: Serialize>(
    (opened, deadline): (&Snapshot, &Arc<Deadline>),
    input: &[u8],
    reader: Reader,
    end: Instant,
    mut answer: impl FnMut(&Board) -> Result<T, ProbeError>,
) -> Result<Vec<u8>, Refusal> {
    let mut records = Records::new(input, Options::default());
    let mut all = Vec::new();
    loop {
        let some = records.some().map_err(|error| Refusal::unreadable(format!("the body: {error}")))?;
        if some.is_empty() {
            break;
        }
        all.extend(some);
        if all.len() > limits::LINES {
            return Err(Refusal::too_large(format!(
                "a request has at most {} boards: send several requests",
                limits::LINES
            )));
        }
    }
    let mut out = Vec::new();
    for record in &all {
        let mut told = || {
            let entry = records.form().entry(record.whole()?)?;
            let board = match lists::id(&entry.board) {
                Some(id) => puzzle(opened, id, deadline)?,
                None => reader.read(&entry.board)?,
            };
            match Instant::now() < end {
                true => Ok(answer(&board)?),
                false => Err(Refusal::busy(format!(
                    "the {} seconds of this request are over: send fewer boards",
                    limits::LINES_TIME.as_secs()
                ))),
            }
        };
        out.extend(match told() {
            Ok(answer) => to_json(&answer),
            Err(refusal) => {
                let error = refusal.text().to_owned();
                to_json(&BadLine { line: record.number, board: record.text(), error })
            }
        });
        out.push(b'\n');
    }
    Ok(out)
}

/// What counts 1, for those that say it in a body.
pub fn metric(name: Option<&str>) -> Result<Metric, Refusal> {
    let wrong = |name: &str| Refusal::unreadable(format!("metric: {name:?} is none of: moves, steps"));
    name.map_or(Ok(Metric::Moves), |name| name.parse().map_err(|_| wrong(name)))
}
