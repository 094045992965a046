//! The folder of an experiment: what is kept of it, safe from a crash.
//!
//! ```text
//! DIR/experiment.toml     the experiment
//! DIR/train.tsv test.tsv  the boards and their distances
//! DIR/run-1/checkpoint    all that a run knows, after every generation
//! DIR/run-1/log.jsonl     a line a generation
//! DIR/run-1/hall.jsonl    the best ever, with their parents
//! ```

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::data::Loaded;
use super::experiment::{Experiment, ExperimentError};
use super::genome::Operator;
use super::population::{Individual, Record, State};
use crate::files::{self, open_regular, write_whole};
use crate::formula::Vocabulary;
use crate::puzzles::{Labelled, Oracle};

/// What a folder is, and the version of what is in it.
const WHAT: &str = "tailback evolution checkpoint";
const VERSION: u32 = 1;
/// How long a lock that somebody else holds is waited for.
const PATIENCE: Duration = Duration::from_millis(100);

const EXPERIMENT: &str = "experiment.toml";
const TRAIN: &str = "train.tsv";
const TEST: &str = "test.tsv";

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("{}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is no experiment in it.
    #[error("{} has no experiment: {EXPERIMENT} is missing", .path.display())]
    NoExperiment {
        /// The folder.
        path: PathBuf,
    },
    /// There is something in it already.
    #[error("{} is not empty", .path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
        /// Is it an experiment?
        has_experiment: bool,
    },
    /// Another process works in it.
    #[error("another process is at work in {}", .path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// The experiment is not right.
    #[error("{}, {error}", .path.display())]
    Experiment {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: ExperimentError,
    },
    /// A checkpoint was written by another version.
    #[error("{} is of version {found}, this program reads version {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A file is not what was written.
    #[error("{} is damaged: {problem}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Boards or experiment were changed after the run began.
    #[error("{} is not what the run began with", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// The folder of an experiment.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The checksums of the inputs, when a run was asked for.
    checksums: OnceLock<[u32; 3]>,
    /// Held as long as somebody works in it.
    lock: Option<File>,
}

/// The folder of a run.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    vocabulary: &'static Vocabulary,
    /// Of everything that a run depends on.
    inputs: [(PathBuf, u32); 3],
}

/// What is saved of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Saved {
    /// What the run knows.
    pub state: State,
    /// The time it took so far.
    pub seconds: f64,
}

#[derive(Serialize, Deserialize)]
struct Head {
    what: String,
    version: u32,
    crc32: u32,
}

#[derive(Serialize, Deserialize)]
struct Body {
    inputs: [u32; 3],
    generations: u64,
    evaluations: u64,
    next_id: u64,
    stale: u64,
    seconds: f64,
    groups: Vec<Vec<usize>>,
    hall: Vec<Line>,
    population: Vec<Line>,
}

/// An individual as it is written.
#[derive(Serialize, Deserialize)]
struct Line {
    id: u64,
    cost: f64,
    born: u64,
    parents: Vec<u64>,
    operator: Operator,
    genome: String,
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |source| FolderError::Io { path, source }
}

fn damaged(path: &Path, problem: impl ToString) -> FolderError {
    FolderError::Damaged { path: path.to_owned(), problem: problem.to_string() }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    write_whole(path, bytes).map_err(io_error(path))
}

impl Folder {
    /// Makes the folder of a new experiment, with all that it needs.
    pub fn create(path: &Path, text: &str, loaded: &Loaded) -> Result<Folder, FolderError> {
        Folder::check_new(path)?;
        fs::create_dir_all(path).map_err(io_error(path))?;
        let lock = lock(path)?;
        // What is left of a making that was cut off; somebody else may have made all of
        // it in between.
        for left in beginning(path)? {
            fs::remove_file(&left).map_err(io_error(&left))?;
        }
        write(&path.join(TRAIN), listed(&loaded.train).as_bytes())?;
        write(&path.join(TEST), listed(&loaded.test).as_bytes())?;
        // The last one: a folder that has it has all.
        write(&path.join(EXPERIMENT), text.as_bytes())?;
        Ok(Folder { path: path.to_owned(), checksums: OnceLock::new(), lock: Some(lock) })
    }

    /// Is a folder not there yet, empty, or one whose making was cut off?
    pub fn check_new(path: &Path) -> Result<(), FolderError> {
        beginning(path).map(drop)
    }

    /// Writes the best formula of all runs for people and programs.
    pub fn write_best(&self, text: &str) -> Result<(), FolderError> {
        write(&self.path.join("best.txt"), text.as_bytes())
    }

    /// Opens the folder of an experiment to go on with it.
    pub fn open(path: &Path) -> Result<Folder, FolderError> {
        let folder = Folder::look(path)?;
        Ok(Folder { lock: Some(lock(path)?), ..folder })
    }

    /// Opens the folder of an experiment to look at it.
    pub fn look(path: &Path) -> Result<Folder, FolderError> {
        match path.join(EXPERIMENT).is_file() {
            true => Ok(Folder { path: path.to_owned(), checksums: OnceLock::new(), lock: None }),
            false => Err(FolderError::NoExperiment { path: path.to_owned() }),
        }
    }

    /// Is a process at work in it, other than by this value?
    pub fn is_busy(&self) -> bool {
        self.lock.is_none() && files::is_locked(&self.path.join(LOCK))
    }

    /// The same folder, to be looked at by somebody who knows that its inputs are what
    /// they were.
    pub fn again(&self) -> Folder {
        Folder { path: self.path.clone(), checksums: self.checksums.clone(), lock: None }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files that all runs depend on.
    pub fn inputs(&self) -> [PathBuf; 3] {
        [EXPERIMENT, TRAIN, TEST].map(|name| self.path.join(name))
    }

    fn read(&self, name: &str) -> Result<String, FolderError> {
        let path = self.path.join(name);
        read_regular(&path).map_err(io_error(&path))
    }

    /// The text of the experiment.
    pub fn text(&self) -> Result<String, FolderError> {
        self.read(EXPERIMENT)
    }

    /// The experiment.
    pub fn experiment(&self) -> Result<Experiment, FolderError> {
        let path = self.path.join(EXPERIMENT);
        Experiment::parse(&self.text()?).map_err(|error| FolderError::Experiment { path, error })
    }

    /// The boards to breed on.
    pub fn train(&self, oracle: &dyn Oracle) -> Result<Vec<Labelled>, FolderError> {
        self.boards(TRAIN, oracle)
    }

    /// The boards to try the best on.
    pub fn test(&self, oracle: &dyn Oracle) -> Result<Vec<Labelled>, FolderError> {
        self.boards(TEST, oracle)
    }

    fn boards(&self, name: &str, oracle: &dyn Oracle) -> Result<Vec<Labelled>, FolderError> {
        let path = self.path.join(name);
        let line = |(number, line): (usize, &str)| {
            let wrong = |problem: String| damaged(&path, format!("line {}: {problem}", number + 1));
            let (board, distance) = line.split_once('\t').ok_or_else(|| wrong("no tab".to_owned()))?;
            let (_, instance) = oracle.read(board).map_err(|error| wrong(error.to_string()))?;
            let distance = distance.parse().map_err(|_| wrong(format!("'{distance}' is no distance")))?;
            Ok(Labelled { instance, distance })
        };
        self.read(name)?.lines().enumerate().map(line).collect()
    }

    /// The folder of a run, from 1.
    pub fn run(&self, number: u64) -> Result<RunFolder, FolderError> {
        let checksum = |name| Ok(crc32fast::hash(self.read(name)?.as_bytes()));
        let checksums = match self.checksums.get() {
            Some(checksums) => *checksums,
            None => {
                let checksums = [checksum(EXPERIMENT)?, checksum(TRAIN)?, checksum(TEST)?];
                *self.checksums.get_or_init(|| checksums)
            }
        };
        let vocabulary = self.experiment()?.puzzle.vocabulary();
        let ([experiment, train, test], [first, second, third]) = (self.inputs(), checksums);
        let inputs = [(experiment, first), (train, second), (test, third)];
        Ok(RunFolder { path: self.path.join(format!("run-{number}")), vocabulary, inputs })
    }
}

const LOCK: &str = ".lock";

fn lock(folder: &Path) -> Result<File, FolderError> {
    let path = folder.join(LOCK);
    let locked = files::lock(&path, PATIENCE).map_err(io_error(&path))?;
    locked.ok_or_else(|| FolderError::Busy { path: folder.to_owned() })
}

/// The files in the folder of an experiment whose making was cut off, but for the
/// lock. They came after the lock, so without it they are somebody else's; and those
/// that had no name of their own yet have it within another one.
fn beginning(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(io_error(folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(io_error(folder))?.file_name().to_string_lossy().into_owned());
    }
    let before = names.len();
    names.retain(|name| name != LOCK);
    let is_part_of = |name: &String, whole: &str| {
        name.strip_prefix(whole).is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".part"))
    };
    let is_beginning = |name: &String| {
        [TRAIN, TEST].contains(&name.as_str())
            || [TRAIN, TEST, EXPERIMENT].iter().any(|whole| is_part_of(name, whole))
    };
    match names.is_empty() || names.len() < before && names.iter().all(is_beginning) {
        true => Ok(names.iter().map(|name| folder.join(name)).collect()),
        false => {
            let has_experiment = names.iter().any(|name| name == EXPERIMENT);
            Err(FolderError::NotEmpty { path: folder.to_owned(), has_experiment })
        }
    }
}

/// Reads a file, which is none that waits for a writer.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_regular(path: &Path) -> io::Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn listed(boards: &[Labelled]) -> String {
    let line = |labelled: &Labelled| format!("{}\t{}\n", labelled.instance.text(), labelled.distance);
    boards.iter().map(line).collect()
}

impl RunFolder {
    /// The files that say how far the run is.
    pub fn files(&self) -> [PathBuf; 2] {
        ["checkpoint", "log.jsonl"].map(|name| self.file(name))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// What is saved cannot be gone on with.
    pub(super) fn damaged(&self, problem: &str) -> FolderError {
        damaged(&self.file("checkpoint"), problem)
    }

    /// What the run knew when it was last saved; nothing if it has not begun.
    pub fn load(&self) -> Result<Saved, FolderError> {
        let path = self.file("checkpoint");
        let text = match read_regular(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Saved::default()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(damaged(&path, "it is no text"));
            }
            Err(error) => return Err(io_error(&path)(error)),
        };
        let (head, body) =
            text.split_once('\n').ok_or_else(|| damaged(&path, "it ends in its first line"))?;
        let head: Head = serde_json::from_str(head).map_err(|error| damaged(&path, error))?;
        if head.what != WHAT {
            return Err(damaged(&path, "it is something else"));
        }
        if head.version != VERSION {
            return Err(FolderError::Version { path, found: head.version });
        }
        if head.crc32 != crc32fast::hash(body.as_bytes()) {
            return Err(damaged(&path, "the checksum is wrong"));
        }
        let body: Body = serde_json::from_str(body).map_err(|error| damaged(&path, error))?;
        let counts = [body.generations, body.evaluations, body.next_id, body.stale];
        let is_whole = body.generations > 0
            && !(body.population.is_empty() || body.hall.is_empty())
            && !body.groups.iter().any(Vec::is_empty)
            && counts.iter().all(|count| *count < 1 << 53);
        if !is_whole {
            return Err(damaged(&path, "no run that has begun can have such a population"));
        }
        for ((input, crc), found) in self.inputs.iter().zip(body.inputs) {
            if *crc != found {
                return Err(FolderError::Changed { path: input.clone() });
            }
        }
        let read = |lines: Vec<Line>| {
            lines.into_iter().map(|line| line.read(&path, self.vocabulary)).collect::<Result<_, _>>()
        };
        let state = State {
            generations: body.generations,
            evaluations: body.evaluations,
            next_id: body.next_id,
            stale: body.stale,
            groups: body.groups,
            hall: read(body.hall)?,
            population: read(body.population)?,
        };
        Ok(Saved { state, seconds: body.seconds })
    }

    /// Saves a run after a generation: first its line in the log, then all it
    /// knows, then its hall of fame. Whatever comes in between, [`load`] and
    /// [`records`] know what is whole.
    ///
    /// [`load`]: RunFolder::load
    /// [`records`]: RunFolder::records
    pub fn save(&self, saved: &Saved, record: &Record) -> Result<(), FolderError> {
        let path = self.file("log.jsonl");
        let mut line = serde_json::to_string(record).expect("numbers and names");
        line.push('\n');
        let append = || {
            let mut log = File::options().append(true).create(true).open(&path)?;
            log.write_all(line.as_bytes())?;
            log.sync_data()
        };
        append().map_err(io_error(&path))?;

        let Saved { state, seconds } = saved;
        let body = Body {
            inputs: self.inputs.each_ref().map(|(_, crc)| *crc),
            generations: state.generations,
            evaluations: state.evaluations,
            next_id: state.next_id,
            stale: state.stale,
            seconds: *seconds,
            groups: state.groups.clone(),
            hall: state.hall.iter().map(Line::of).collect(),
            population: state.population.iter().map(Line::of).collect(),
        };
        let body = json(&body);
        let head = Head { what: WHAT.to_owned(), version: VERSION, crc32: crc32fast::hash(body.as_bytes()) };
        write(&self.file("checkpoint"), format!("{}\n{body}", json(&head)).as_bytes())?;
        write(&self.file("hall.jsonl"), hall(state).as_bytes())
    }

    /// Makes the folder, cuts the log to the generations that are saved, and writes
    /// the hall of fame that a kill after the last checkpoint may have left out.
    pub fn prepare(&self, saved: &Saved) -> Result<(), FolderError> {
        fs::create_dir_all(&self.path).map_err(io_error(&self.path))?;
        let log: String = self.lines(saved)?.iter().map(|line| format!("{line}\n")).collect();
        for (name, whole) in [("log.jsonl", log), ("hall.jsonl", hall(&saved.state))] {
            let path = self.file(name);
            match read_regular(&path) {
                Ok(text) if text == whole => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound && whole.is_empty() => {}
                _ => write(&path, whole.as_bytes())?,
            }
        }
        Ok(())
    }

    /// The log of the generations that are saved.
    pub fn records(&self, saved: &Saved) -> Result<Vec<Record>, FolderError> {
        let path = self.file("log.jsonl");
        let read = |line: &String| serde_json::from_str(line).map_err(|error| damaged(&path, error));
        self.lines(saved)?.iter().map(read).collect()
    }

    fn lines(&self, saved: &Saved) -> Result<Vec<String>, FolderError> {
        let path = self.file("log.jsonl");
        let text = match read_bytes(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(io_error(&path)(error)),
        };
        let wanted = saved.state.generations as usize;
        let lines: Vec<String> = text.lines().take(wanted).map(str::to_owned).collect();
        match lines.len() == wanted {
            true => Ok(lines),
            false => Err(damaged(&path, format!("it has {} of {wanted} generations", lines.len()))),
        }
    }
}

/// The best ever, one a line.
fn hall(state: &State) -> String {
    state.hall.iter().map(|best| json(&Line::of(best)) + "\n").collect()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers, names and lists of them")
}

impl Line {
    fn of(individual: &Individual) -> Line {
        Line {
            id: individual.id,
            cost: individual.cost,
            born: individual.born,
            parents: individual.parents.clone(),
            operator: individual.operator,
            genome: individual.genome.to_string(),
        }
    }

    fn read(self, path: &Path, vocabulary: &'static Vocabulary) -> Result<Individual, FolderError> {
        Ok(Individual {
            id: self.id,
            genome: vocabulary.read(&self.genome).map_err(|error| damaged(path, error))?,
            cost: self.cost,
            born: self.born,
            parents: self.parents,
            operator: self.operator,
        })
    }
}
