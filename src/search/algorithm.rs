//! The algorithms by name.

use std::fmt;
use std::str::FromStr;

use super::{Domain, Guide, Limits, Report, Value, ValueError, best_first, breadth_first, depth_first};

/// A search algorithm.
///
/// ```
/// use tailback::search::Algorithm;
///
/// let algorithm: Algorithm = "wastar:1.5".parse()?;
/// assert!(algorithm.is_guided());
/// assert_eq!(algorithm.to_string(), "wastar:1.5");
/// # Ok::<(), tailback::search::AlgorithmError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// Level by level.
    BreadthFirst,
    /// Always on from the newest state, each state once.
    DepthFirst,
    /// Depth-first to depth 0, 1, 2, …, without memory.
    IterativeDeepening,
    /// Always on from the state that seems nearest to the goal.
    Greedy,
    /// By cost so far plus guess. A weight above 1 trusts the guess more: the
    /// solution costs at most so many times the least if the guide is
    /// admissible.
    AStar {
        /// What the guess is multiplied by.
        weight: Value,
    },
    /// Depth-first as far as cost so far plus guess allow, again and again.
    IdaStar {
        /// What the guess is multiplied by.
        weight: Value,
        /// Remember the cheapest way to each state of a round?
        with_table: bool,
    },
}

/// The weight of weighted algorithms, if none is given.
const WEIGHT: Value = Value::whole(2);

impl Algorithm {
    /// A* with weight 1.
    pub const A_STAR: Algorithm = Algorithm::AStar { weight: Value::ONE };
    /// IDA* with weight 1, without a table.
    pub const IDA_STAR: Algorithm = Algorithm::IdaStar { weight: Value::ONE, with_table: false };

    /// The names that can be read, and what they mean.
    pub const NAMES: [(&str, &str); 10] = [
        ("bfs", "breadth-first"),
        ("dfs", "depth-first with a set of visited states"),
        ("iddfs", "iterative-deepening depth-first"),
        ("greedy", "greedy best-first"),
        ("astar", "A*"),
        ("wastar", "weighted A*; wastar:1.5 sets the weight, 2 otherwise"),
        ("ida", "IDA*"),
        ("ida-tt", "IDA* with a transposition table"),
        ("wida", "weighted IDA*; wida:1.5 sets the weight, 2 otherwise"),
        ("wida-tt", "weighted IDA* with a transposition table"),
    ];

    /// Does it use a heuristic?
    pub fn is_guided(self) -> bool {
        !matches!(self, Algorithm::BreadthFirst | Algorithm::DepthFirst | Algorithm::IterativeDeepening)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, weight) = match *self {
            Algorithm::BreadthFirst => ("bfs", Value::ONE),
            Algorithm::DepthFirst => ("dfs", Value::ONE),
            Algorithm::IterativeDeepening => ("iddfs", Value::ONE),
            Algorithm::Greedy => ("greedy", Value::ONE),
            Algorithm::AStar { weight: Value::ONE } => ("astar", Value::ONE),
            Algorithm::AStar { weight } => ("wastar", weight),
            Algorithm::IdaStar { weight: Value::ONE, with_table: false } => ("ida", Value::ONE),
            Algorithm::IdaStar { weight: Value::ONE, with_table: true } => ("ida-tt", Value::ONE),
            Algorithm::IdaStar { weight, with_table: false } => ("wida", weight),
            Algorithm::IdaStar { weight, with_table: true } => ("wida-tt", weight),
        };
        match weight {
            Value::ONE => f.pad(name),
            _ => f.pad(&format!("{name}:{weight}")),
        }
    }
}

/// The text names no algorithm.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// There is no such algorithm.
    #[error(
        "there is no algorithm '{found}': the algorithms are bfs, dfs, iddfs, greedy, astar, wastar, ida, \
         ida-tt, wida and wida-tt"
    )]
    Unknown {
        /// The text.
        found: String,
    },
    /// The algorithm takes no weight.
    #[error("'{found}': only wastar, wida and wida-tt take a weight, such as wastar:1.5")]
    Unweighted {
        /// The text.
        found: String,
    },
    /// The weight is none.
    #[error("'{found}': {reason}")]
    Weight {
        /// The text.
        found: String,
        /// What is wrong with the weight.
        reason: ValueError,
    },
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Algorithm, AlgorithmError> {
        let found = || text.to_owned();
        let (name, weight) = text.split_once(':').map_or((text, None), |(name, weight)| (name, Some(weight)));
        let unweighted = |algorithm| match weight {
            None => Ok(algorithm),
            Some(_) => Err(AlgorithmError::Unweighted { found: found() }),
        };
        let weighted = |algorithm: fn(Value) -> Algorithm| match weight.map_or(Ok(WEIGHT), str::parse) {
            Ok(weight) => Ok(algorithm(weight)),
            Err(reason) => Err(AlgorithmError::Weight { found: found(), reason }),
        };
        match name {
            "bfs" => unweighted(Algorithm::BreadthFirst),
            "dfs" => unweighted(Algorithm::DepthFirst),
            "iddfs" => unweighted(Algorithm::IterativeDeepening),
            "greedy" => unweighted(Algorithm::Greedy),
            "astar" => unweighted(Algorithm::A_STAR),
            "ida" => unweighted(Algorithm::IDA_STAR),
            "ida-tt" => unweighted(Algorithm::IdaStar { weight: Value::ONE, with_table: true }),
            "wastar" => weighted(|weight| Algorithm::AStar { weight }),
            "wida" => weighted(|weight| Algorithm::IdaStar { weight, with_table: false }),
            "wida-tt" => weighted(|weight| Algorithm::IdaStar { weight, with_table: true }),
            _ => Err(AlgorithmError::Unknown { found: found() }),
        }
    }
}

/// Searches a way from `start` to a goal. Algorithms that are not guided never
/// ask the guide.
pub fn run<D: Domain, G: Guide<D>>(
    algorithm: Algorithm,
    domain: &D,
    start: D::State,
    guide: &mut G,
    limits: &Limits,
) -> Result<Report<D::Action>, G::Error> {
    match algorithm {
        Algorithm::BreadthFirst => Ok(breadth_first::search(domain, start, limits)),
        Algorithm::DepthFirst => Ok(depth_first::once(domain, start, limits)),
        Algorithm::IterativeDeepening => Ok(depth_first::deepening(domain, start, limits)),
        Algorithm::Greedy => best_first::search(best_first::Rule::Greedy, domain, start, guide, limits),
        Algorithm::AStar { weight } => {
            best_first::search(best_first::Rule::AStar { weight }, domain, start, guide, limits)
        }
        Algorithm::IdaStar { weight, with_table } => {
            depth_first::ida_star((weight, with_table), domain, start, guide, limits)
        }
    }
}
