//! The algorithms by name.

use std::fmt;
use std::str::FromStr;

use super::best_first::{self, Order};
use super::{Domain, Guide, Limits, Report, Rules, Value, ValueError, breadth_first, depth_first, near};

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

    /// Does it always go on from the node that looks best?
    pub fn is_best_first(self) -> bool {
        matches!(self, Algorithm::Greedy | Algorithm::AStar { .. })
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
        "there is no algorithm '{found}'{}: the algorithms are bfs, dfs, iddfs, greedy, astar, wastar, ida, \
         ida-tt, wida and wida-tt",
        meant(.near)
    )]
    Unknown {
        /// The text.
        found: String,
        /// Names that are nearly the same.
        near: Vec<&'static str>,
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

fn meant(near: &[&str]) -> String {
    if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", near.join(" or ")) }
}

/// What people write for a name, in small letters without anything between.
const ALIASES: [(&str, &str); 20] = [
    ("breadthfirst", "bfs"),
    ("breadthfirstsearch", "bfs"),
    ("depthfirst", "dfs"),
    ("depthfirstsearch", "dfs"),
    ("ids", "iddfs"),
    ("iterativedeepening", "iddfs"),
    ("bestfirst", "greedy"),
    ("gbfs", "greedy"),
    ("greedybestfirst", "greedy"),
    ("a*", "astar"),
    ("wa*", "wastar"),
    ("weighteda*", "wastar"),
    ("weightedastar", "wastar"),
    ("ida*", "ida"),
    ("idastar", "ida"),
    ("idatt", "ida-tt"),
    ("ida*tt", "ida-tt"),
    ("wida*", "wida"),
    ("widatt", "wida-tt"),
    ("wida*tt", "wida-tt"),
];

/// The name as it is written here, however it is typed: `A*`, `a-star`.
fn plain(typed: &str) -> String {
    let small = typed.to_lowercase();
    let bare: String = small.chars().filter(|c| !"-_ ".contains(*c)).collect();
    let names = Algorithm::NAMES.into_iter().map(|(name, _)| (name, name));
    let known = names.chain(ALIASES).find(|&(known, _)| known == bare || known == small);
    known.map_or(small, |(_, name)| name.to_owned())
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
        match plain(name).as_str() {
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
            _ => {
                let names = Algorithm::NAMES.into_iter().map(|(name, _)| name);
                Err(AlgorithmError::Unknown { found: found(), near: near(name, names) })
            }
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
    run_by(Rules::default(), algorithm, domain, start, guide, limits)
}

/// The same by the rules of others.
pub fn run_by<D: Domain, G: Guide<D>>(
    rules: Rules,
    algorithm: Algorithm,
    domain: &D,
    start: D::State,
    guide: &mut G,
    limits: &Limits,
) -> Result<Report<D::Action>, G::Error> {
    let is_usual = rules == Rules::default();
    let order = match algorithm {
        Algorithm::BreadthFirst if is_usual => {
            return Ok(breadth_first::search::<true, D>(rules, domain, start, limits));
        }
        Algorithm::BreadthFirst => {
            return Ok(breadth_first::search::<false, D>(rules, domain, start, limits));
        }
        Algorithm::DepthFirst => return Ok(depth_first::once(rules, domain, start, limits)),
        Algorithm::IterativeDeepening => return Ok(depth_first::deepening(rules, domain, start, limits)),
        Algorithm::IdaStar { weight, with_table } => {
            return depth_first::ida_star(rules, (weight, with_table), domain, start, guide, limits);
        }
        Algorithm::Greedy => Order::Greedy,
        Algorithm::AStar { weight } => Order::AStar { weight },
    };
    match is_usual {
        true => best_first::search::<true, D, G>(rules, order, domain, start, guide, limits),
        false => best_first::search::<false, D, G>(rules, order, domain, start, guide, limits),
    }
}
