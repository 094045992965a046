//! What all requests share: the database, the turns of searches, the counters.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde::Serialize;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::database::{Database, Opened, until};
use super::experiments::Experiments;
use super::limits;
use super::metrics::Metrics;
use super::refusal::Refusal;
use super::routes;
use crate::board::{Board, Metric, Reader};
use crate::lists;
use crate::probe::{ProbeError, Session};

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
    turns: Semaphore,
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
            turns: Semaphore::new(searches),
            waiting: AtomicUsize::new(0),
        }
    }

    /// A turn for something that takes long. Refused if too many wait, or for too
    /// long.
    async fn turn(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        if let Ok(permit) = self.turns.try_acquire() {
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
        match timeout(limits::WAIT, self.turns.acquire()).await {
            Ok(permit) => Ok(permit.expect("it is never closed")),
            Err(_) => Err(Refusal::busy("all searches are busy: try again later")),
        }
    }

    /// Does something that takes long, in its turn and on a thread of its own.
    pub async fn long<T: Send + 'static>(
        self: &Arc<App>,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = self.turn().await?;
        let end = Instant::now() + limits::SEARCH_TIME;
        let done = spawn_blocking(move || until(end, work)).await;
        drop(permit);
        done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
    }

    /// Asks a session about a board: at once if a table or a rule has the answer,
    /// otherwise in its turn.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<App>,
        board: Board,
        metric: Metric,
        ask: impl FnOnce(&mut Session, &Board) -> Result<T, ProbeError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let opened = self.database.now();
        let mut seat = opened.seat();
        // Reasons are found in moves.
        let needs_search = seat.session(|session| {
            Ok::<bool, ProbeError>(
                session.needs_search(&board, metric)? || session.needs_search(&board, Metric::Moves)?,
            )
        })?;
        if !needs_search {
            let answer = seat.session(|session| ask(session, &board));
            opened.give_back(seat);
            return Ok(answer?);
        }
        self.long(move || {
            let answer = seat.session(|session| ask(session, &board));
            opened.give_back(seat);
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
        self.long(move || ask(&opened)).await
    }

    /// A board in any form, or the number of a puzzle.
    pub async fn board(self: &Arc<App>, text: &str, primary: Option<char>) -> Result<Board, Refusal> {
        match lists::id(text) {
            None => Ok(Reader { primary }.read(text)?),
            Some(id) => self.puzzles(move |opened| puzzle(opened, id)).await,
        }
    }
}

/// The board of a puzzle.
pub fn puzzle(opened: &Opened, id: u64) -> Result<Board, Refusal> {
    opened.catalogue(super::database::STARTER_SIZE, |catalogue| match catalogue.find(id)? {
        Some(puzzle) => Ok(Board::parse(puzzle.board())?),
        None => Err(Refusal::unknown(format!("the catalogue has no puzzle {id}"))),
    })
}

/// An answer as JSON.
pub fn to_json(answer: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(answer).expect("answers are plain data")
}
