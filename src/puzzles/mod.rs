//! Puzzles for the laboratory: what searches by name, comparisons, the quality of
//! heuristics and evolution have to know of a puzzle.
//!
//! A [`Puzzle`] brings its building blocks, its sets and, once it is opened with
//! [`Settings`], an [`Oracle`]: a reader of texts that knows exact distances. What
//! it reads are [`Instance`]s. [`PUZZLES`] lists all of them; a puzzle whose states
//! all fit into memory needs no more than a [`Small`] domain.
//!
//! ```
//! use tailback::board::Distance;
//! use tailback::puzzles::{self, Method, Settings};
//! use tailback::search::{Algorithm, Limits, Rules};
//!
//! let puzzle = puzzles::named("eight")?;
//! let oracle = puzzle.open(Settings::default())?;
//! let (_, instance) = oracle.read("8 6 7 / 2 5 4 / 3 . 1")?;
//! assert_eq!(instance.distance(&())?, Some(Distance::of(31)));
//! let heuristic = Some(puzzle.vocabulary().read("manhattan")?);
//! let method = Method { algorithm: Algorithm::A_STAR, heuristic };
//! let report = instance.solve(&method, Rules::default(), &Limits::default())?;
//! assert_eq!(report.solution().unwrap().cost, 31);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contest;
mod eight;
mod rows;
mod rush_hour;
mod set;
mod small;
mod trial;

use std::fmt;
use std::sync::Arc;

pub use contest::{Bench, Method};
pub use rows::rows;
pub use rush_hour::RushHour;
pub use set::{PuzzleSet, SetError, named_set};
pub use small::Small;
pub use trial::Trial;

use crate::board::{BoardError, Distance, Metric};
use crate::catalogue::Range;
use crate::cluster::{Bounds, ClusterError};
use crate::dataset::SourceError;
use crate::formula::{Block, Heuristic, Vocabulary};
use crate::probe::{ProbeError, Prober};
use crate::progress::Observer;
use crate::search::{Limits, Report, Rules, Value};
use crate::table::TableError;

/// All puzzles, the usual one first.
pub static PUZZLES: [&dyn Puzzle; 2] = [&RushHour, &eight::Eight];

/// The puzzle with this name.
pub fn named(name: &str) -> Result<&'static dyn Puzzle, PuzzleError> {
    let found = PUZZLES.into_iter().find(|puzzle| puzzle.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = PUZZLES.iter().map(|puzzle| puzzle.name()).collect();
        PuzzleError::Text(format!("there is no puzzle '{name}': the puzzles are {}", names.join(", ")))
    })
}

/// A puzzle.
pub trait Puzzle: Sync {
    /// As options and experiments write it.
    fn name(&self) -> &'static str;

    /// What it is, in a few words.
    fn about(&self) -> &'static str;

    /// The names in formulas about it.
    fn vocabulary(&self) -> &'static Vocabulary;

    /// What its distances may count, the usual one first.
    fn metrics(&self) -> &'static [Metric];

    /// Its sets that are part of the program: their names and texts, the usual one
    /// first.
    fn sets(&self) -> &'static [(&'static str, &'static str)];

    /// The sizes whose exact distances a table has, the usual one first; none if all
    /// instances are of one size.
    fn sizes(&self) -> &'static [usize] {
        &[]
    }

    /// Are its instances boards, which people write in many ways?
    fn has_boards(&self) -> bool {
        false
    }

    /// Other rules that it may be played by: their names and what they say.
    fn variants(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The default heuristics.
    fn usual(&self, metric: Metric) -> Usual;

    /// Combinations made by hand, which what is bred has to beat.
    fn hand_made(&self) -> &'static [&'static str];

    /// Makes it ready to read instances.
    fn open(&self, settings: Settings) -> Result<Arc<dyn Oracle>, PuzzleError>;
}

impl PartialEq for dyn Puzzle {
    fn eq(&self, other: &dyn Puzzle) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for dyn Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Default heuristics, as formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usual {
    /// To guide one search.
    pub search: &'static str,
    /// To be compared, with commas between.
    pub compared: &'static str,
}

/// How a puzzle is opened. Each takes what it needs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What distances count.
    pub metric: Metric,
    /// The tables of exact distances, for puzzles that have some.
    pub prober: Prober,
    /// How far a search for an exact distance may go.
    pub bounds: Bounds<'static>,
    /// The letter of the piece that has to get out, where texts do not say it.
    pub primary: Option<char>,
    /// The rules it is played by that are not the usual ones: names of
    /// [`Puzzle::variants`].
    pub variants: Vec<&'static str>,
}

impl Default for Settings {
    /// In moves, without tables, by the usual rules.
    fn default() -> Settings {
        Settings {
            metric: Metric::Moves,
            prober: Prober::without_tables(),
            bounds: Bounds::default(),
            primary: None,
            variants: Vec::new(),
        }
    }
}

/// Reads instances of a puzzle, and knows their exact distances.
pub trait Oracle: Send + Sync {
    /// The puzzle.
    fn puzzle(&self) -> &'static dyn Puzzle;

    /// What distances count.
    fn metric(&self) -> Metric;

    /// Reads an instance, and the name before it if there is one.
    fn read<'l>(&self, line: &'l str) -> Result<(Option<&'l str>, Arc<dyn Instance>), PuzzleError>;

    /// Instances drawn at random from all that are solvable, each once at most.
    fn draw(&self, draw: &Draw, observer: &dyn Observer) -> Result<Vec<Labelled>, PuzzleError>;

    /// Prepares to hold heuristics and conditions against the exact distances of
    /// all instances, of one size for puzzles of several.
    fn trial<'t>(
        &'t self,
        size: Option<usize>,
        heuristics: &'t [Heuristic],
        conditions: &'t [Block],
    ) -> Result<Box<dyn Trial + 't>, PuzzleError>;
}

/// Which instances are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// How many.
    pub count: Count,
    /// How large they are, for puzzles of several sizes.
    pub size: Option<usize>,
    /// Only those at these distances.
    pub distances: Option<Range>,
    /// The same seed draws the same ones.
    pub seed: u64,
    /// More than these are an error.
    pub most: usize,
}

/// How many instances are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// So many, or all there are.
    All(u64),
    /// So many at each distance, or all there are.
    PerDistance(u64),
}

/// How a puzzle begins.
pub trait Instance: Send + Sync {
    /// As it is written.
    fn text(&self) -> String;

    /// For people.
    fn drawing(&self, colour: bool) -> String;

    /// Instances of one group are much alike: those that lead to each other, for
    /// example. A fair split leaves no group on both sides.
    fn group(&self) -> u64;

    /// The exact distance; `None` if nobody can know it within the bounds. The
    /// observer may stop the search for it, which is an error.
    fn distance(&self, observer: &dyn Observer) -> Result<Option<Distance>, PuzzleError>;

    /// The same if it takes no search.
    fn looked_up(&self) -> Result<Option<Distance>, PuzzleError>;

    /// What building blocks say of it, if this is its distance. Conditions ask about
    /// the last action, which is drawn from the seed.
    fn values(&self, blocks: &[Heuristic], seed: u64, distance: Distance) -> Vec<Value>;

    /// The last action that conditions ask about, as it is written, if there is one.
    fn last_action(&self, seed: u64) -> Option<String>;

    /// Makes it ready to be searched again and again with these building blocks:
    /// what they say may be kept for so many states.
    fn prepared(&self, blocks: &[Block], states: usize, observer: &dyn Observer) -> Box<dyn Prepared>;

    /// Searches a solution once, and says what to do.
    fn solve(&self, method: &Method, rules: Rules, limits: &Limits) -> Result<Report<Action>, PuzzleError>;

    /// What an action of a solution leads to, in a drawing.
    fn drawn_after(&self, actions: &[Action], colour: bool) -> String;

    /// So many instances that this one leads to, drawn by distance first: the many
    /// in the middle say no more than the few at the ends.
    fn around(&self, count: usize, seed: u64, observer: &dyn Observer) -> Result<Vec<Labelled>, PuzzleError>;
}

impl fmt::Debug for dyn Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// An instance that is searched again and again.
pub trait Prepared: Send + Sync {
    /// Searches a solution.
    fn search(&self, method: &Method, rules: Rules, limits: &Limits) -> Result<Report<()>, PuzzleError>;
}

/// A step of a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// As it is written.
    pub text: String,
    /// For people.
    pub words: String,
}

/// An instance that has a solution, and its exact distance.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The instance.
    pub instance: Arc<dyn Instance>,
    /// How far it is from a solution.
    pub distance: u32,
}

impl PartialEq for Labelled {
    fn eq(&self, other: &Labelled) -> bool {
        self.distance == other.distance && self.instance.text() == other.instance.text()
    }
}

impl From<ProbeError> for PuzzleError {
    fn from(error: ProbeError) -> PuzzleError {
        match error {
            ProbeError::Cluster(ClusterError::Stopped) => PuzzleError::Stopped,
            error => PuzzleError::Probe(error),
        }
    }
}

/// Why a puzzle has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// A text is no instance, or a setting is none of the puzzle.
    #[error("{0}")]
    Text(String),
    /// A text is no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A distance cannot be found.
    #[error(transparent)]
    Probe(ProbeError),
    /// A table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Instances cannot be drawn.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The observer wanted it.
    #[error("stopped")]
    Stopped,
    /// More instances are asked for than are allowed.
    #[error("these would be more than {most} boards, in train or in test: ask for fewer")]
    TooMany {
        /// As many are.
        most: usize,
    },
    /// The distance of an instance is not known within the bounds.
    #[error("{instance} has too large a cluster: nobody knows its distance")]
    TooLarge {
        /// The instance.
        instance: String,
    },
    /// An instance that needs a distance has none.
    #[error("{instance} cannot be solved: a training or test board needs a distance")]
    Unsolvable {
        /// The instance.
        instance: String,
    },
}
