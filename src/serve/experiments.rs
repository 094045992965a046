//! Experiments of evolution: a folder of their folders, and the one that runs.
//!
//! A run takes all it can get of the machine, so there is one at a time, on a pool
//! of threads that leaves one core to the answers. It belongs to the process: when
//! the server stops, it pauses, and goes on when it is resumed.

use std::convert::Infallible;
use std::fs;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde::Serialize;

use super::hosts;
use super::refusal::{Refusal, told};
use crate::answers::ExperimentSummary;
use crate::evolution::{Experiment, Folder, RunError, Runner, Sources};
use crate::probe::Prober;
use crate::progress::Observer;
use crate::puzzles::Settings;

/// In characters of a name.
const LONGEST: usize = 64;

/// Who asks; none if that is not known.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub Option<SocketAddr>);

impl<S: Send + Sync> FromRequestParts<S> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Peer, Infallible> {
        Ok(parts.extensions.get::<Peer>().copied().unwrap_or(Peer(None)))
    }
}

/// Is it somebody on this machine, by its own name, and no proxy that speaks for
/// another one and no page of another host, whatever other routes allow?
pub fn are_allowed(Peer(peer): &Peer, headers: &HeaderMap) -> bool {
    const FORWARDED: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
    let value = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let host = value(header::HOST).unwrap_or_default();
    peer.is_some_and(|peer| peer.ip().to_canonical().is_loopback())
        && hosts::is_loopback(host)
        && value(header::ORIGIN).is_none_or(|origin| hosts::is_same(origin, host))
        && !FORWARDED.iter().any(|name| headers.contains_key(*name))
}

/// The experiments of a folder.
pub struct Experiments {
    folder: PathBuf,
    db: PathBuf,
    running: Mutex<Option<Running>>,
}

/// The experiment that runs, or ran last.
struct Running {
    name: String,
    stop: Arc<Stop>,
    thread: JoinHandle<()>,
    /// Why it ended, if not as it should.
    failed: Arc<Mutex<Option<String>>>,
}

#[derive(Default)]
struct Stop(AtomicBool);

impl Observer for Stop {
    fn wants_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is told of an experiment in a list.
#[derive(Serialize)]
pub struct Overview {
    pub name: String,
    state: State,
    runs: usize,
    generations: u64,
    of: Option<u64>,
    best: Option<String>,
    cost: Option<f64>,
    test: Option<f64>,
    error: Option<String>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Running,
    Paused,
    Ended,
}

impl Overview {
    /// Of one without any run.
    fn empty(name: &str, state: State, error: Option<String>) -> Overview {
        let name = name.to_owned();
        let (best, cost, test) = (None, None, None);
        Overview { name, state, runs: 0, generations: 0, of: None, best, cost, test, error }
    }

    /// The best formula.
    pub fn best(&self) -> Option<&str> {
        self.best.as_deref()
    }
}

impl Experiments {
    pub fn new(folder: &Path, db: &Path) -> Experiments {
        Experiments { folder: folder.to_owned(), db: db.to_owned(), running: Mutex::default() }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of an experiment, whose name must not lead anywhere else.
    fn path(&self, name: &str) -> Result<PathBuf, Refusal> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let is_right = !name.is_empty()
            && name.len() <= LONGEST
            && !name.starts_with('.')
            && name != "templates"
            && name.chars().all(is_plain);
        match is_right {
            true => Ok(self.folder.join(name)),
            false => Err(Refusal::unreadable(format!(
                "name: letters, digits, '-', '_' and '.', at most {LONGEST}, and not '.' first"
            ))),
        }
    }

    /// All of them, by name.
    pub fn all(&self) -> Result<Vec<Overview>, Refusal> {
        let mut names: Vec<String> = match fs::read_dir(&self.folder) {
            Ok(entries) => entries
                .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.to_owned()))
                .filter(|name| self.path(name).is_ok_and(|path| Folder::look(&path).is_ok()))
                .collect(),
            Err(_) => Vec::new(),
        };
        // One that has just begun looks for its boards, and has no folder yet.
        if let Some(running) = &*self.running()
            && !names.contains(&running.name)
            && (!running.thread.is_finished() || running.why().is_some())
        {
            names.push(running.name.clone());
        }
        names.sort();
        names.iter().map(|name| self.overview(name)).collect()
    }

    pub fn overview(&self, name: &str) -> Result<Overview, Refusal> {
        let (is_running, error) = match &*self.running() {
            Some(running) if running.name == name => (!running.thread.is_finished(), running.why()),
            _ => (false, None),
        };
        let summary = match self.look(name) {
            Ok(folder) => ExperimentSummary::of(&folder).map_err(|error| error.to_string()),
            // It looks for its boards, or did not find them.
            Err(_) if is_running || error.is_some() => Err(String::new()),
            Err(refusal) => return Err(refusal),
        };
        let name = name.to_owned();
        let state = |is_ended: bool| match (is_running, is_ended) {
            (true, _) => State::Running,
            (false, true) => State::Ended,
            (false, false) => State::Paused,
        };
        let summary = match summary {
            Ok(summary) => summary,
            Err(damaged) => {
                let error = error.or_else(|| Some(damaged).filter(|text| !text.is_empty()));
                return Ok(Overview::empty(&name, state(false), error));
            }
        };
        let best = summary.runs.iter().filter(|run| run.last.is_some());
        let best = best.min_by(|a, b| cost(a).total_cmp(&cost(b)));
        Ok(Overview {
            state: state(summary.runs.iter().all(|run| run.ended.is_some())),
            runs: summary.runs.len(),
            generations: summary.runs.iter().map(|run| run.generations).sum(),
            of: summary.runs.iter().map(|run| run.of).sum(),
            best: best.and_then(|run| run.best.clone()),
            cost: best.and_then(|run| Some(run.last.as_ref()?.champion)),
            test: best.and_then(|run| Some(run.last.as_ref()?.test)),
            name,
            error,
        })
    }

    /// The folder of an experiment, to be looked at.
    pub fn look(&self, name: &str) -> Result<Folder, Refusal> {
        let path = self.path(name)?;
        Folder::look(&path).map_err(|_| Refusal::unknown(format!("there is no experiment {name}")))
    }

    /// The text of an experiment.
    pub fn text(&self, name: &str) -> Result<String, Refusal> {
        let path = self.look(name)?.path().join("experiment.toml");
        fs::read_to_string(&path).map_err(|_| Refusal::unknown(format!("{name} has no text")))
    }

    /// Begins an experiment.
    pub fn begin(&self, name: &str, text: String) -> Result<Overview, Refusal> {
        let path = self.path(name)?;
        let experiment = Experiment::parse(&text)?;
        if experiment.has_files() {
            return Err(Refusal::unreadable(
                "data: experiments that are begun here take their boards from tables and sets, not from files",
            ));
        }
        Folder::check_new(&path)?;
        let db = self.db.clone();
        self.start(name, move |stop| {
            let settings = Settings { prober: Prober::new(&db), ..Settings::default() };
            let sources = Sources { folder: Path::new(""), settings: &settings, observer: &**stop };
            Runner::begin(&path, &text, experiment, &sources)
        })?;
        self.overview(name)
    }

    /// Goes on with an experiment.
    pub fn resume(&self, name: &str) -> Result<Overview, Refusal> {
        let path = self.look(name)?.path().to_owned();
        let db = self.db.clone();
        self.start(name, move |stop| {
            let settings = Settings { prober: Prober::new(&db), ..Settings::default() };
            Runner::resume(&path, &settings, &**stop)
        })?;
        self.overview(name)
    }

    /// Pauses an experiment, and waits until what is done is saved.
    pub fn pause(&self, name: &str) -> Result<Overview, Refusal> {
        let running = self.running().take_if(|running| running.name == name);
        let Some(running) = running else {
            self.look(name)?;
            return self.overview(name);
        };
        running.stop.0.store(true, Ordering::Relaxed);
        // A run that panicked is over as well.
        let _ = running.thread.join();
        match self.look(name) {
            Ok(_) => self.overview(name),
            // It was stopped while it looked for its boards: nothing is left of it.
            Err(_) => Ok(Overview::empty(name, State::Paused, None)),
        }
    }

    /// Pauses whatever runs.
    pub fn stop(&self) {
        if let Some(running) = self.running().take() {
            running.stop.0.store(true, Ordering::Relaxed);
            let _ = running.thread.join();
        }
    }

    fn start(
        &self,
        name: &str,
        prepare: impl FnOnce(&Arc<Stop>) -> Result<Runner, RunError> + Send + 'static,
    ) -> Result<(), Refusal> {
        let mut running = self.running();
        if let Some(running) = running.as_ref().filter(|running| !running.thread.is_finished()) {
            return Err(Refusal::too_many(format!("{} runs already: pause it first", running.name)));
        }
        let (stop, failed) = (Arc::new(Stop::default()), Arc::new(Mutex::new(None)));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads((cores - 1).max(1)).build();
        let pool = pool.map_err(|error| Refusal::busy(error.to_string()))?;
        let thread = std::thread::spawn({
            let (stop, failed) = (Arc::clone(&stop), Arc::clone(&failed));
            move || {
                let work = || prepare(&stop)?.run(&*stop);
                let why = match catch_unwind(AssertUnwindSafe(|| pool.install(work))) {
                    Ok(Ok(_) | Err(RunError::Stopped)) => return,
                    Ok(Err(error)) => told(&error),
                    Err(_) => "this is a fault of the program: please report the experiment".to_owned(),
                };
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
            }
        });
        *running = Some(Running { name: name.to_owned(), stop, thread, failed });
        Ok(())
    }
}

impl Running {
    fn why(&self) -> Option<String> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn cost(run: &crate::answers::RunSummary) -> f64 {
    run.last.as_ref().map_or(f64::INFINITY, |record| record.champion)
}
