//! Experiments of evolution: a folder of their folders, and the one that runs.
//!
//! A run takes all it can get of the machine, so there is one at a time, on a pool
//! of threads that leaves one core to the answers. It belongs to the process: when
//! the server stops, it pauses, and goes on when it is resumed.

use std::collections::HashMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use axum::http::{HeaderMap, header};
use serde::Serialize;

use super::refusal::Refusal;
use crate::answers::RunSummary;
use crate::evolution::{Experiment, Folder, FolderError, Record, RunError, Runner, Sources};
use crate::probe::Prober;
use crate::progress::Observer;
use crate::puzzles::Settings;
use crate::table::with_reasons;

/// In characters of a name.
const LONGEST: usize = 64;

/// The experiments of a folder.
pub struct Experiments {
    folder: PathBuf,
    db: PathBuf,
    token: String,
    last: Mutex<Last>,
    known: Mutex<HashMap<String, Arc<Known>>>,
}

/// The experiment that runs, is ending, or ran last.
#[derive(Default)]
struct Last {
    run: Option<Arc<Run>>,
    /// The server is ending: none is begun any more.
    is_closed: bool,
}

struct Run {
    name: String,
    stop: AtomicBool,
    /// None as long as it works; then why it ended, if not as it should.
    ended: Mutex<Option<Option<String>>>,
    has_ended: Condvar,
}

impl Observer for Run {
    fn wants_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Run {
    fn ended(&self) -> MutexGuard<'_, Option<Option<String>>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_working(&self) -> bool {
        self.ended().is_none()
    }

    /// Why it ended, if not as it should.
    fn why(&self) -> Option<String> {
        self.ended().clone().flatten()
    }

    fn end(&self, why: Option<String>) {
        *self.ended() = Some(why);
        self.has_ended.notify_all();
    }

    /// Waits until what it did is saved.
    fn wait(&self) {
        let ended = self.has_ended.wait_while(self.ended(), |ended| ended.is_none());
        drop(ended.unwrap_or_else(PoisonError::into_inner));
    }
}

/// The summary of an experiment in a list.
#[derive(Serialize, Default)]
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

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Running,
    #[default]
    Paused,
    Ended,
}

impl Overview {
    /// Of one without any run.
    fn empty(name: &str, state: State, error: Option<String>) -> Overview {
        Overview { name: name.to_owned(), state, error, ..Overview::default() }
    }

    /// The best formula.
    pub fn best(&self) -> Option<&str> {
        self.best.as_deref()
    }
}

impl Experiments {
    pub fn new(folder: &Path, db: &Path) -> Experiments {
        // The standard library draws the keys of these from the system.
        let half = || RandomState::new().hash_one(folder);
        Experiments {
            folder: folder.to_owned(),
            db: db.to_owned(),
            token: format!("{:016x}{:016x}", half(), half()),
            last: Mutex::default(),
            known: Mutex::default(),
        }
    }

    /// Whoever has it may see and begin experiments. It is that of this start: an address
    /// says nothing, since whoever asks through a proxy comes from its machine.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Does a request have the token?
    pub fn admits(&self, headers: &HeaderMap) -> bool {
        let given = headers.get(header::AUTHORIZATION).and_then(|given| given.to_str().ok());
        let given = given.and_then(|given| given.strip_prefix("Bearer ")).unwrap_or_default().as_bytes();
        // How long it takes does not tell how much of it is right.
        let wrong = |wrong: u8, (a, b): (&u8, &u8)| wrong | (a ^ b);
        given.len() == self.token.len() && given.iter().zip(self.token.as_bytes()).fold(0, wrong) == 0
    }

    fn last(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run of an experiment, if it is the last one.
    fn run(&self, name: &str) -> Option<Arc<Run>> {
        self.last().run.clone().filter(|run| run.name == name)
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
                .filter(|name| self.look(name).is_ok())
                .collect(),
            Err(_) => Vec::new(),
        };
        // One that has just begun looks for its boards, and has no folder yet.
        if let Some(run) = &self.last().run
            && !names.contains(&run.name)
            && (run.is_working() || run.why().is_some())
        {
            names.push(run.name.clone());
        }
        names.sort();
        self.known().retain(|known, _| names.contains(known));
        self.overviews(&names)
    }

    /// A folder may be gone since it was listed: that is no fault of the others.
    fn overviews(&self, names: &[String]) -> Result<Vec<Overview>, Refusal> {
        let overviews = names.iter().map(|name| self.overview(name));
        overviews.filter(|found| !found.as_ref().is_err_and(Refusal::is_unknown)).collect()
    }

    pub fn overview(&self, name: &str) -> Result<Overview, Refusal> {
        let run = self.run(name);
        let is_running = run.as_ref().is_some_and(|run| run.is_working());
        let error = run.and_then(|run| run.why());
        let state = |is_ended: bool| match (is_running, is_ended) {
            (true, _) => State::Running,
            (false, true) => State::Ended,
            (false, false) => State::Paused,
        };
        let known = match self.look(name) {
            Ok(folder) => self.read(name, folder),
            // It looks for its boards, or did not find them.
            Err(_) if is_running || error.is_some() => return Ok(Overview::empty(name, state(false), error)),
            Err(refusal) => return Err(refusal),
        };
        let known = match known {
            Ok(known) => known,
            Err(damaged) => {
                return Ok(Overview::empty(name, state(false), error.or_else(|| Some(damaged.to_string()))));
            }
        };
        let runs = || known.runs.iter().map(|run| &run.summary);
        let best = known.best().map(|run| &run.summary);
        let last = best.and_then(|run| run.last.as_ref());
        Ok(Overview {
            state: state(runs().all(|run| run.ended.is_some())),
            runs: known.runs.len(),
            generations: runs().map(|run| run.generations).sum(),
            of: runs().map(|run| run.of).sum(),
            best: best.and_then(|run| run.best.clone()),
            cost: last.map(|last| last.champion),
            test: last.map(|last| last.test),
            name: name.to_owned(),
            error,
        })
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Arc<Known>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the folder of an experiment says. Pages ask every other second: what has not
    /// changed since is not read again.
    pub fn read(&self, name: &str, folder: Folder) -> Result<Arc<Known>, FolderError> {
        let before = self.known().get(name).cloned();
        let known = Arc::new(Known::of(folder, before.as_deref())?);
        self.known().insert(name.to_owned(), Arc::clone(&known));
        Ok(known)
    }

    /// The folder of an experiment, to be looked at.
    pub fn look(&self, name: &str) -> Result<Folder, Refusal> {
        let path = self.path(name)?;
        Folder::look(&path).map_err(|_| Refusal::unknown(format!("there is no experiment {name}")))
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
        self.go_on(name, move |settings, run| {
            let sources = Sources { folder: Path::new(""), settings, observer: run };
            Runner::begin(&path, &text, experiment, &sources)
        })
    }

    /// Goes on with an experiment.
    pub fn resume(&self, name: &str) -> Result<Overview, Refusal> {
        let path = self.look(name)?.path().to_owned();
        self.go_on(name, move |settings, run| Runner::resume(&path, settings, run))
    }

    /// Starts what is left of all runs.
    fn go_on(
        &self,
        name: &str,
        prepare: impl FnOnce(&Settings, &Run) -> Result<Runner, RunError> + Send + 'static,
    ) -> Result<Overview, Refusal> {
        let db = self.db.clone();
        self.start(name, move |run| {
            let settings = Settings { prober: Prober::new(&db), ..Settings::default() };
            prepare(&settings, run)?.run(run).map(drop)
        })?;
        self.overview(name)
    }

    /// Pauses an experiment, and waits until what is done is saved.
    pub fn pause(&self, name: &str) -> Result<Overview, Refusal> {
        let Some(run) = self.run(name) else {
            self.look(name)?;
            return self.overview(name);
        };
        run.stop.store(true, Ordering::Relaxed);
        run.wait();
        match self.look(name) {
            Ok(_) => self.overview(name),
            // It was stopped while it looked for its boards: nothing is left of it.
            Err(_) => Ok(Overview::empty(name, State::Paused, None)),
        }
    }

    /// Pauses whatever runs, and begins nothing more.
    pub fn close(&self) {
        let mut last = self.last();
        last.is_closed = true;
        if let Some(run) = &last.run {
            run.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until what was paused is saved.
    pub fn wait(&self) {
        let run = self.last().run.clone();
        if let Some(run) = run {
            run.wait();
        }
    }

    fn start(
        &self,
        name: &str,
        work: impl FnOnce(&Run) -> Result<(), RunError> + Send + 'static,
    ) -> Result<(), Refusal> {
        let mut last = self.last();
        if last.is_closed {
            return Err(Refusal::busy("the server is ending"));
        }
        if let Some(run) = last.run.as_ref().filter(|run| run.is_working()) {
            let text = match run.wants_stop() {
                true => format!("{} is ending: try again in a moment", run.name),
                false => format!("{} runs already: pause it first", run.name),
            };
            return Err(Refusal::too_many(text));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads((cores - 1).max(1)).build();
        let pool = pool.map_err(|error| Refusal::busy(error.to_string()))?;
        let run = Arc::new(Run {
            name: name.to_owned(),
            stop: AtomicBool::new(false),
            ended: Mutex::new(None),
            has_ended: Condvar::new(),
        });
        last.run = Some(Arc::clone(&run));
        std::thread::spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&run))));
            run.end(match done {
                Ok(Ok(()) | Err(RunError::Stopped)) => None,
                Ok(Err(error)) => Some(with_reasons(&error)),
                Err(_) => Some("this is a fault of the program: please report the experiment".to_owned()),
            });
        });
        Ok(())
    }
}

/// What is known of an experiment, and when its files were what they were.
pub struct Known {
    folder: Folder,
    inputs: Vec<Fingerprint>,
    pub experiment: Experiment,
    pub text: String,
    pub runs: Vec<Arc<KnownRun>>,
}

/// What is known of a run.
pub struct KnownRun {
    files: Vec<Fingerprint>,
    pub summary: RunSummary,
    pub records: Vec<Record>,
}

/// Tells a file from what it was before: its length and its time, if it is there.
type Fingerprint = Option<(u64, Option<SystemTime>)>;

fn fingerprints(files: &[PathBuf]) -> Vec<Fingerprint> {
    let fingerprint =
        |file: &PathBuf| fs::metadata(file).ok().map(|found| (found.len(), found.modified().ok()));
    files.iter().map(fingerprint).collect()
}

impl Known {
    fn of(folder: Folder, before: Option<&Known>) -> Result<Known, FolderError> {
        // Before they are read: what changes meanwhile is read again.
        let inputs = fingerprints(&folder.inputs());
        let before = before.filter(|before| before.inputs == inputs);
        // What was hashed of them is hashed.
        let folder = before.map_or(folder, |before| before.folder.again());
        let (experiment, text) = match before {
            Some(before) => (before.experiment.clone(), before.text.clone()),
            None => (folder.experiment()?, folder.text()?),
        };
        let run = |number: u64| {
            let of_run = folder.run(number)?;
            let files = fingerprints(&of_run.files());
            match before.and_then(|before| before.runs.get(number as usize - 1)) {
                Some(run) if run.files == files => Ok(Arc::clone(run)),
                _ => {
                    let (summary, records) = RunSummary::of(&experiment, &of_run, number)?;
                    Ok(Arc::new(KnownRun { files, summary, records }))
                }
            }
        };
        let runs = (1..=experiment.runs).map(run).collect::<Result<_, FolderError>>()?;
        Ok(Known { folder, inputs, experiment, text, runs })
    }

    /// The run whose best costs least.
    pub fn best(&self) -> Option<&KnownRun> {
        let begun = self.runs.iter().filter(|run| run.summary.last.is_some());
        begun.min_by(|a, b| cost(&a.summary).total_cmp(&cost(&b.summary))).map(|run| &**run)
    }
}

fn cost(run: &RunSummary) -> f64 {
    run.last.as_ref().map_or(f64::INFINITY, |record| record.champion)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::evolution::EXAMPLE;

    fn experiments() -> (tempfile::TempDir, Experiments) {
        let folder = tempfile::tempdir().unwrap();
        let experiments = Experiments::new(folder.path(), Path::new("no-such-folder"));
        (folder, experiments)
    }

    /// Starts one that, asked to stop, works on until it is let go.
    fn slow_to_end(experiments: &Experiments) -> std::sync::mpsc::Sender<()> {
        let (let_go, gone) = channel();
        experiments
            .start("slow", move |run| {
                while !run.wants_stop() {
                    std::thread::yield_now();
                }
                gone.recv().unwrap();
                Err(RunError::Stopped)
            })
            .unwrap();
        let_go
    }

    #[test]
    fn none_begins_while_one_is_ending() {
        let (_folder, experiments) = experiments();
        let let_go = slow_to_end(&experiments);
        std::thread::scope(|scope| {
            let paused = scope.spawn(|| experiments.pause("slow"));
            while !experiments.run("slow").unwrap().wants_stop() {
                std::thread::yield_now();
            }
            let refused = experiments.start("next", |_| Ok(())).unwrap_err();
            assert!(refused.text().contains("is ending"), "{refused:?}");
            let_go.send(()).unwrap();
            assert!(paused.join().unwrap().is_ok());
        });
        assert!(experiments.start("next", |_| Ok(())).is_ok());
        experiments.wait();
    }

    #[test]
    fn who_ends_waits_for_what_is_ending_and_begins_nothing() {
        let (_folder, experiments) = experiments();
        let let_go = slow_to_end(&experiments);
        std::thread::scope(|scope| {
            let paused = scope.spawn(|| experiments.pause("slow"));
            experiments.close();
            let waited = scope.spawn(|| {
                experiments.wait();
                experiments.run("slow").unwrap().is_working()
            });
            assert!(!waited.is_finished(), "it has not been let go");
            let_go.send(()).unwrap();
            assert!(!waited.join().unwrap());
            assert!(paused.join().unwrap().is_ok());
        });
        assert!(experiments.start("next", |_| Ok(())).is_err());
    }

    #[test]
    fn what_has_not_changed_is_not_read_again() {
        let (folder, experiments) = experiments();
        let path = folder.path().join("known");
        fs::create_dir(&path).unwrap();
        let boards = "..B.AAB.........\t2\n";
        for (name, text) in [("experiment.toml", EXAMPLE), ("train.tsv", boards), ("test.tsv", boards)] {
            fs::write(path.join(name), text).unwrap();
        }
        let read = || experiments.read("known", Folder::look(&path).unwrap()).unwrap();
        let (first, second) = (read(), read());
        assert!(!first.runs.is_empty());
        assert!(first.runs.iter().zip(&second.runs).all(|(a, b)| Arc::ptr_eq(a, b)));
        fs::create_dir(path.join("run-1")).unwrap();
        fs::write(path.join("run-1/log.jsonl"), "{}").unwrap();
        assert!(!Arc::ptr_eq(&first.runs[0], &read().runs[0]));
        fs::write(path.join("train.tsv"), "nothing like a board").unwrap();
        fs::write(path.join("run-1/checkpoint"), "damaged").unwrap();
        assert!(experiments.read("known", Folder::look(&path).unwrap()).is_err());
    }

    #[test]
    fn a_folder_that_is_gone_is_left_out_of_the_list() {
        let (folder, experiments) = experiments();
        fs::create_dir(folder.path().join("there")).unwrap();
        fs::write(folder.path().join("there/experiment.toml"), "no experiment").unwrap();
        let listed = ["gone", "there"].map(str::to_owned);
        let found = experiments.overviews(&listed).unwrap();
        assert_eq!(found.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["there"]);
        assert!(experiments.overview("gone").is_err_and(|refusal| refusal.is_unknown()));
    }

    #[test]
    fn only_the_whole_token_is_taken() {
        let (_folder, experiments) = experiments();
        let admits = |value: &str| {
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())]);
            experiments.admits(&headers)
        };
        let token = experiments.token();
        assert!(token.len() == 32 && admits(&format!("Bearer {token}")));
        for wrong in [format!("Bearer {}", &token[1..]), format!("Bearer {token}0"), token.to_owned()] {
            assert!(!admits(&wrong), "{wrong}");
        }
        assert!(!admits("Bearer ") && !experiments.admits(&HeaderMap::new()));
        let (_folder, other) = super::tests::experiments();
        assert_ne!(other.token(), token);
    }
}
