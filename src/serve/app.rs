//! What all requests share: the database, the turns of searches, the counters.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::database::{Database, Snapshot};
use super::deadline::Deadline;
use super::experiments::Experiments;
use super::limits;
use super::metrics::Metrics;
use super::refusal::Refusal;
use super::stream::Budget;
use crate::board::{Board, Metric, Reader};
use crate::catalogue::STARTER_SIZE;
use crate::cluster::Bounds;
use crate::lists;
use crate::probe::{ProbeError, Session};
use crate::space::SpaceId;
use crate::space::position::blocked_by_rule;

/// What all requests share.
pub struct App {
    pub database: Database,
    pub metrics: Metrics,
    pub experiments: Option<Experiments>,
    /// Names that the server may be called by, beside those of its own address.
    pub hosts: Vec<String>,
    /// May pages of other hosts ask?
    pub cors: bool,
    /// The address that the server listens to.
    pub address: IpAddr,
    /// Searches at once.
    pub searches: usize,
    turns: Arc<Semaphore>,
    /// Look-ups beside each other that do not take a turn.
    look_ups: Arc<Semaphore>,
    /// For what waits for readers.
    pub answers: Budget,
    /// For long bodies that are being read.
    pub bodies: Semaphore,
    waiting: AtomicUsize,
}

/// Counts somebody who waits.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl App {
    pub fn new(options: &super::Options, searches: usize, metrics: Metrics) -> App {
        App {
            database: Database::open(&options.db),
            metrics,
            experiments: options
                .experiments
                .as_deref()
                .map(|folder: &Path| Experiments::new(folder, &options.db)),
            hosts: options.hosts.clone(),
            cors: options.cors,
            address: options.address.ip(),
            searches,
            turns: Arc::new(Semaphore::new(searches)),
            look_ups: Arc::new(Semaphore::new(2 * searches)),
            answers: Budget::new(),
            bodies: Semaphore::new(limits::BODIES),
            waiting: AtomicUsize::new(0),
        }
    }

    /// A turn for something that takes long. Refused if too many wait, or for too
    /// long.
    async fn turn(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        if let Ok(permit) = Arc::clone(&self.turns).try_acquire_owned() {
            return Ok(permit);
        }
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(&self.waiting);
        if before >= limits::WAITING {
            return Err(Refusal::too_many(format!(
                "{} requests wait for a search already: try again later",
                limits::WAITING
            )));
        }
        match timeout(limits::WAIT, Arc::clone(&self.turns).acquire_owned()).await {
            Ok(permit) => Ok(permit.expect("it is never closed")),
            Err(_) => Err(Refusal::busy("all searches are busy: try again later")),
        }
    }

    /// Does something that takes long, in its turn and on a thread of its own. If the
    /// caller hangs up, searches stop; the turn ends when they have.
    pub async fn long<T: Send + 'static>(
        self: &Arc<App>,
        work: impl FnOnce(&Arc<Deadline>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = self.turn().await?;
        work_with(permit, work).await
    }

    /// Does a short part of something that took its turn before, and is not refused now.
    pub async fn go_on<T: Send + 'static>(
        self: &Arc<App>,
        work: impl FnOnce(&Arc<Deadline>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = Arc::clone(&self.turns).acquire_owned().await.expect("it is never closed");
        work_with(permit, work).await
    }

    /// Asks a session about a board: at once if a table has the answer, otherwise in
    /// its turn. (A board that a rule knows may have relatives that take a search.)
    ///
    /// At once is on a thread of its own, since a table may have to be opened, and a
    /// way is many look-ups.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<App>,
        board: Board,
        metric: Metric,
        ask: impl FnOnce(&mut Session, &Board, Bounds) -> Result<T, ProbeError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let opened = self.database.now();
        let turn = Arc::clone(&self.look_ups).acquire_owned().await.expect("it is never closed");
        let tried = work_with(turn, move |deadline| {
            opened.ask(|session| match has_table(session, &board, metric)? {
                true => Ok(Ok(ask(session, &board, deadline.bounds())?)),
                false => Ok(Err((board, ask))),
            })
        });
        match tried.await? {
            Ok(answer) => Ok(answer),
            Err((board, ask)) => self.ask_long(board, ask).await,
        }
    }

    /// The same for a few look-ups: if the table is open they take microseconds, and are
    /// done on the thread of the connection.
    pub async fn look_up<T: Send + 'static>(
        self: &Arc<App>,
        board: Board,
        metric: Metric,
        ask: impl FnOnce(&mut Session, &Board, Bounds) -> Result<T, ProbeError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let id = SpaceId::of_board(&board);
        let tried = self.database.now().ask(|session| {
            let is_open = session.has_open(id, metric) && session.has_open(id, Metric::Moves);
            match is_open && has_table(session, &board, metric)? {
                true => ask(session, &board, Deadline::of_search().bounds()).map(Ok),
                false => Ok(Err((board, ask))),
            }
        });
        match tried? {
            Ok(answer) => Ok(answer),
            Err((board, ask)) => self.ask(board, metric, ask).await,
        }
    }

    /// The same for something that takes long even with a table.
    pub async fn ask_long<T: Send + 'static>(
        self: &Arc<App>,
        board: Board,
        ask: impl FnOnce(&mut Session, &Board, Bounds) -> Result<T, ProbeError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let opened = self.database.now();
        self.long(move |deadline| Ok(opened.ask(|session| ask(session, &board, deadline.bounds()))?)).await
    }

    /// Asks the catalogue.
    pub async fn puzzles<T: Send + 'static>(
        self: &Arc<App>,
        ask: impl FnOnce(&Snapshot, &Arc<Deadline>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let opened = self.database.now();
        self.long(move |deadline| ask(&opened, deadline)).await
    }

    /// A board in any form, or the number of a puzzle.
    pub async fn board(self: &Arc<App>, text: &str, primary: Option<char>) -> Result<Board, Refusal> {
        match lists::id(text) {
            None => Ok(Reader { primary }.read(text)?),
            Some(id) => self.puzzles(move |opened, deadline| puzzle(opened, id, deadline)).await,
        }
    }
}

/// Works on a thread of its own, and gives the turn back when the work has ended.
async fn work_with<T: Send + 'static>(
    turn: OwnedSemaphorePermit,
    work: impl FnOnce(&Arc<Deadline>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let deadline = Arc::new(Deadline::of_search());
    let _cancel = deadline.cancel_on_drop();
    let done = spawn_blocking(move || {
        let _turn = turn;
        work(&deadline)
    });
    done.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// Does a table know all that is told of a board? Reasons are found in moves.
fn has_table(session: &mut Session, board: &Board, metric: Metric) -> Result<bool, ProbeError> {
    Ok(!blocked_by_rule(board)
        && !session.needs_search(board, metric)?
        && (metric == Metric::Moves || !session.needs_search(board, Metric::Moves)?))
}

/// The board of a puzzle.
pub fn puzzle(opened: &Snapshot, id: u64, deadline: &Arc<Deadline>) -> Result<Board, Refusal> {
    opened.catalogue(STARTER_SIZE, deadline, |catalogue| match catalogue.find(id)? {
        Some(puzzle) => Ok(puzzle.board()?),
        None => Err(Refusal::unknown(format!("the catalogue has no puzzle {id}"))),
    })
}

/// An answer as JSON.
pub fn to_json(answer: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(answer).expect("answers are plain data")
}
