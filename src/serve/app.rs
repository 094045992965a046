//! What all requests share: the database, the turns of searches, the counters.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::database::{Database, Opened};
use super::experiments::Experiments;
use super::limits;
use super::metrics::Metrics;
use super::refusal::Refusal;
use super::routes;
use crate::board::{Board, Metric, Reader};
use crate::catalogue::STARTER_SIZE;
use crate::cluster::Bounds;
use crate::lists;
use crate::probe::{ProbeError, Session};
use crate::progress::Observer;
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

/// When the work for a request ends: at a time, or when nobody waits for it any more.
pub struct Deadline {
    end: Instant,
    cancelled: Arc<AtomicBool>,
}

impl Deadline {
    /// That of one search, which begins now.
    fn of_search() -> Deadline {
        Deadline { end: Instant::now() + limits::SEARCH_TIME, cancelled: Arc::default() }
    }

    /// The time of another search, for the same caller.
    pub fn of_next_search(&self) -> Deadline {
        Deadline { cancelled: Arc::clone(&self.cancelled), ..Deadline::of_search() }
    }

    /// The time that is left.
    pub fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// How far a search may go.
    pub fn bounds(&self) -> Bounds<'_> {
        Bounds { observer: self, ..limits::SEARCH_BOARDS.into() }
    }
}

impl Observer for Deadline {
    fn wants_stop(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.end
    }
}

/// Tells the thread that works for a caller when the caller has hung up.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl App {
    pub fn new(options: &super::Options, searches: usize) -> App {
        App {
            database: Database::open(&options.db),
            metrics: Metrics::new(routes::ROUTES.len()),
            experiments: options
                .experiments
                .as_deref()
                .map(|folder: &Path| Experiments::new(folder, &options.db)),
            hosts: options.hosts.clone(),
            cors: options.cors,
            address: options.address.ip(),
            searches,
            turns: Arc::new(Semaphore::new(searches)),
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
        work: impl FnOnce(&Deadline) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = self.turn().await?;
        let deadline = Deadline::of_search();
        let _cancel = CancelOnDrop(Arc::clone(&deadline.cancelled));
        let done = spawn_blocking(move || {
            let _permit = permit;
            work(&deadline)
        });
        done.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
    }

    /// Asks a session about a board: at once if a table has the answer, otherwise in
    /// its turn. (A board that a rule knows may have relatives that take a search.)
    pub async fn ask<T: Send + 'static>(
        self: &Arc<App>,
        board: Board,
        metric: Metric,
        ask: impl FnOnce(&mut Session, &Board, Bounds) -> Result<T, ProbeError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let opened = self.database.now();
        let mut session = opened.session();
        if has_table(&mut session, &board, metric)? {
            let answer = ask(&mut session, &board, Deadline::of_search().bounds());
            opened.give_back(session);
            return Ok(answer?);
        }
        self.long(move |deadline| {
            let answer = ask(&mut session, &board, deadline.bounds());
            opened.give_back(session);
            Ok(answer?)
        })
        .await
    }

    /// The same for something that takes long even with a table.
    pub async fn ask_long<T: Send + 'static>(
        self: &Arc<App>,
        board: Board,
        ask: impl FnOnce(&mut Session, &Board, Bounds) -> Result<T, ProbeError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let opened = self.database.now();
        self.long(move |deadline| {
            let mut session = opened.session();
            let answer = ask(&mut session, &board, deadline.bounds());
            opened.give_back(session);
            Ok(answer?)
        })
        .await
    }

    /// Asks the catalogue.
    pub async fn puzzles<T: Send + 'static>(
        self: &Arc<App>,
        ask: impl FnOnce(&Opened) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let opened = self.database.now();
        self.long(move |_| ask(&opened)).await
    }

    /// A board in any form, or the number of a puzzle.
    pub async fn board(self: &Arc<App>, text: &str, primary: Option<char>) -> Result<Board, Refusal> {
        match lists::id(text) {
            None => Ok(Reader { primary }.read(text)?),
            Some(id) => self.puzzles(move |opened| puzzle(opened, id)).await,
        }
    }
}

/// Does a table know all that is told of a board? Reasons are found in moves.
fn has_table(session: &mut Session, board: &Board, metric: Metric) -> Result<bool, ProbeError> {
    Ok(!blocked_by_rule(board)
        && !session.needs_search(board, metric)?
        && (metric == Metric::Moves || !session.needs_search(board, Metric::Moves)?))
}

/// The board of a puzzle.
pub fn puzzle(opened: &Opened, id: u64) -> Result<Board, Refusal> {
    opened.catalogue(STARTER_SIZE, |catalogue| match catalogue.find(id)? {
        Some(puzzle) => Ok(Board::parse(puzzle.board())?),
        None => Err(Refusal::unknown(format!("the catalogue has no puzzle {id}"))),
    })
}

/// An answer as JSON.
pub fn to_json(answer: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(answer).expect("answers are plain data")
}
