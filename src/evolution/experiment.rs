//! Experiments: a TOML file says everything.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::fitness::{Aim, Weighing};
use super::genome::{Breeder, Shape, Values};
use super::grammar::{Function, Grammar};
use super::population::{Breeding, Coevolution, Selection};
use crate::board::Metric;
use crate::domains::rush_hour::{PuzzleSet, VOCABULARY};
use crate::formula::{Block, Heuristic, Kind};
use crate::search::{Algorithm, Value};

/// A commented experiment to begin with.
pub const EXAMPLE: &str = include_str!("example.toml");

/// What is bred, how, and on which boards.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// What it is called.
    pub name: String,
    /// What the distances count.
    pub metric: Metric,
    /// Decides everything that is random.
    pub seed: u64,
    /// How many runs, each with a seed of its own.
    pub runs: u64,
    /// What formulas look like, and what they are made of.
    pub breeder: Breeder,
    /// How they are bred.
    pub breeding: Breeding,
    /// How boards are searched: for fitness, and for the report.
    pub search: SearchPlan,
    /// When a run ends.
    pub stop: Stop,
    /// The boards.
    pub data: Data,
}

/// How boards are searched.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchPlan {
    /// By which algorithm.
    pub algorithm: Algorithm,
    /// The most nodes of a search.
    pub nodes: Option<u64>,
    /// The longest time of a search in seconds. What comes out then depends on
    /// the machine.
    pub seconds: Option<f64>,
    /// What HH-Evolver's fitness is made of.
    pub weighing: Weighing,
    /// Boards of the training that are searched, at most.
    pub boards: usize,
}

/// When a run ends: as soon as one of these holds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// So many generations are done, the first included.
    pub generations: Option<u64>,
    /// So many formulas were judged.
    pub evaluations: Option<u64>,
    /// So much time has passed. What comes out then depends on the machine.
    pub seconds: Option<f64>,
    /// The best costs no more than this.
    pub target: Option<f64>,
    /// So many generations brought nothing better.
    pub stale: Option<u64>,
}

/// The boards of an experiment.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Data {
    /// Formulas are bred on these.
    pub train: Spanned<Boards>,
    /// The best are tried on these.
    pub test: Spanned<Boards>,
    /// Sets or files of boards: no training board shares the family of one of
    /// them.
    #[serde(default)]
    pub apart: Vec<Spanned<String>>,
}

impl Data {
    /// Are boards read from files that the experiment names?
    pub fn has_files(&self) -> bool {
        let sets = |name: &Spanned<String>| PuzzleSet::NAMES.contains(&name.get_ref().as_str());
        [&self.train, &self.test].iter().any(|boards| boards.get_ref().file.is_some())
            || !self.apart.iter().all(sets)
    }
}

/// Where boards come from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Boards {
    /// A file of boards, with or without distances.
    pub file: Option<String>,
    /// A set of the program.
    pub set: Option<String>,
    /// Only the boards of these names, of a set or a file.
    pub only: Option<Vec<String>>,
    /// So many, drawn from the table of a size.
    pub draw: Option<u64>,
    /// So many at each distance, drawn from the table of a size.
    pub per_distance: Option<u64>,
    /// The size of the table.
    pub size: Option<usize>,
    /// Only boards at these distances.
    pub distances: Option<String>,
    /// Which draw.
    #[serde(default)]
    pub seed: u64,
    /// At most so many.
    pub most: Option<usize>,
    /// Instead of each board, so many of its cluster, at all distances alike.
    pub around: Option<usize>,
}

/// What is wrong with an experiment, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ExperimentError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub problem: String,
}

/// As the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    name: String,
    #[serde(default = "moves")]
    metric: Spanned<String>,
    #[serde(default)]
    seed: u64,
    #[serde(default = "one")]
    runs: Spanned<u64>,
    blocks: Spanned<Blocks>,
    genome: Spanned<Genome>,
    #[serde(default)]
    population: Population,
    #[serde(default)]
    fitness: Fitness,
    #[serde(default)]
    search: Search,
    stop: Spanned<Stop>,
    data: Data,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Blocks {
    numbers: Spanned<Vec<Spanned<String>>>,
    #[serde(default)]
    conditions: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Genome {
    kind: Spanned<String>,
    #[serde(default = "five")]
    rules: Spanned<usize>,
    #[serde(default = "weights")]
    values: Values,
    #[serde(default)]
    functions: Vec<Spanned<String>>,
    constants: Option<Spanned<[f64; 2]>>,
    #[serde(default = "six")]
    depth: Spanned<usize>,
    #[serde(default = "sixty")]
    parts: Spanned<usize>,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Population {
    size: Spanned<usize>,
    selection: Spanned<String>,
    tournament: Spanned<usize>,
    crossover: Spanned<f64>,
    mutation: Spanned<f64>,
    elites: Spanned<usize>,
    hall: Spanned<usize>,
    groups: Spanned<usize>,
    group_boards: Spanned<usize>,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Fitness {
    aim: Option<Aim>,
    multi: Vec<Spanned<(Aim, f64)>>,
    length_weight: Spanned<f64>,
    nodes_weight: Spanned<f64>,
    unsolved_weight: Spanned<f64>,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Search {
    algorithm: Spanned<String>,
    nodes: Option<Spanned<u64>>,
    seconds: Option<Spanned<f64>>,
    boards: Spanned<usize>,
}

const NOWHERE: Range<usize> = 0..0;

fn nowhere<T>(value: T) -> Spanned<T> {
    Spanned::new(NOWHERE, value)
}

fn moves() -> Spanned<String> {
    nowhere("moves".to_owned())
}

fn one() -> Spanned<u64> {
    nowhere(1)
}

fn five() -> Spanned<usize> {
    nowhere(5)
}

fn six() -> Spanned<usize> {
    nowhere(6)
}

fn sixty() -> Spanned<usize> {
    nowhere(60)
}

fn weights() -> Values {
    Values::Weights
}

impl Default for Population {
    fn default() -> Population {
        Population {
            size: nowhere(200),
            selection: nowhere("tournament".to_owned()),
            tournament: nowhere(4),
            crossover: nowhere(0.6),
            mutation: nowhere(0.35),
            elites: nowhere(2),
            hall: nowhere(10),
            groups: nowhere(0),
            group_boards: nowhere(5),
        }
    }
}

impl Default for Fitness {
    fn default() -> Fitness {
        Fitness {
            aim: None,
            multi: Vec::new(),
            length_weight: nowhere(1.0),
            nodes_weight: nowhere(0.001),
            unsolved_weight: nowhere(1000.0),
        }
    }
}

impl Default for Search {
    fn default() -> Search {
        Search { algorithm: nowhere("wastar:2".to_owned()), nodes: None, seconds: None, boards: nowhere(50) }
    }
}

/// The most nodes of a search, if nothing is said.
const NODES: u64 = 100_000;

/// Finds out lines.
struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn wrong(&self, span: Range<usize>, problem: impl fmt::Display) -> ExperimentError {
        let line = self.text[..span.start.min(self.text.len())].matches('\n').count() + 1;
        ExperimentError { line, problem: problem.to_string() }
    }

    /// A number within bounds.
    fn within<T: PartialOrd + fmt::Display + Copy>(
        &self,
        what: &str,
        number: &Spanned<T>,
        least: T,
        most: T,
    ) -> Result<T, ExperimentError> {
        let value = *number.get_ref();
        if value >= least && value <= most {
            return Ok(value);
        }
        Err(self.wrong(number.span(), format!("{what} is from {least} to {most}, not {value}")))
    }

    fn named(&self, name: &Spanned<String>) -> Result<Heuristic, ExperimentError> {
        VOCABULARY.read(name.get_ref()).map_err(|error| self.wrong(name.span(), error))
    }

    fn numbers(&self, blocks: &Blocks) -> Result<Vec<Heuristic>, ExperimentError> {
        let mut numbers: Vec<Heuristic> = Vec::new();
        for name in blocks.numbers.get_ref() {
            let more = match name.get_ref().as_str() {
                // Zero says nothing.
                "all" => {
                    let guesses = VOCABULARY.of_kind(Kind::Guess).map(Heuristic::Block);
                    guesses.filter(|guess| !guess.is_zero()).collect()
                }
                "features" => VOCABULARY.of_kind(Kind::Feature).map(Heuristic::Block).collect(),
                _ => vec![self.named(name)?],
            };
            for block in more {
                if block.needs_distances() {
                    let problem = "perfect is what is sought: breed on other building blocks";
                    return Err(self.wrong(name.span(), problem));
                }
                let is_number = matches!(block, Heuristic::Block(block) if !block.is_condition());
                if !is_number {
                    let problem = format!(
                        "'{}' is no number that is a building block: name one, such as blocking, or give all \
                         or features; conditions have a list of their own",
                        name.get_ref()
                    );
                    return Err(self.wrong(name.span(), problem));
                }
                if !numbers.contains(&block) {
                    numbers.push(block);
                }
            }
        }
        match numbers.is_empty() {
            true => {
                Err(self.wrong(blocks.numbers.span(), "numbers has no building block: name one at least"))
            }
            false => Ok(numbers),
        }
    }

    fn conditions(&self, blocks: &Blocks) -> Result<Vec<Block>, ExperimentError> {
        let mut conditions = Vec::new();
        for name in &blocks.conditions {
            if name.get_ref() == "all" {
                conditions.extend(VOCABULARY.of_kind(Kind::Condition));
                continue;
            }
            match self.named(name)? {
                Heuristic::Block(block) if block.is_condition() => conditions.push(block),
                other => {
                    let conditions = VOCABULARY.of_kind(Kind::Condition);
                    let names = conditions.map(|block| block.facts().name).collect::<Vec<_>>().join(", ");
                    let problem = format!("{other} is a number, no condition: the conditions are {names}");
                    return Err(self.wrong(name.span(), problem));
                }
            }
        }
        Ok(conditions)
    }

    fn functions(&self, genome: &Genome) -> Result<Vec<Function>, ExperimentError> {
        let function = |name: &Spanned<String>| {
            let found = Function::ALL.iter().find(|(known, _)| known == name.get_ref());
            found.map(|(_, function)| *function).ok_or_else(|| {
                let names = Function::ALL.map(|(name, _)| name).join(", ");
                let problem = format!("there is no function '{}': there are {names}", name.get_ref());
                self.wrong(name.span(), problem)
            })
        };
        let all = || Ok(Function::ALL.iter().map(|(_, function)| *function).collect());
        if genome.functions.is_empty() { all() } else { genome.functions.iter().map(function).collect() }
    }

    fn constants(&self, genome: &Genome) -> Result<Option<[Value; 2]>, ExperimentError> {
        let Some(range) = &genome.constants else { return Ok(None) };
        let [least, most] = *range.get_ref();
        let value = |number: f64| {
            let is_one = (0.0..=1000.0).contains(&number);
            is_one.then(|| Value::from_thousandths((number * 1000.0).round() as u32))
        };
        match (value(least), value(most)) {
            (Some(least), Some(most)) if least <= most => Ok(Some([least, most])),
            _ => {
                let problem = "constants are drawn from a range such as [0, 10], within 0 to 1000";
                Err(self.wrong(range.span(), problem))
            }
        }
    }

    fn breeder(&self, file: &File) -> Result<Breeder, ExperimentError> {
        let (blocks, genome) = (file.blocks.get_ref(), file.genome.get_ref());
        let grammar = Grammar {
            numbers: self.numbers(blocks)?,
            conditions: self.conditions(blocks)?,
            functions: self.functions(genome)?,
            constants: self.constants(genome)?,
            depth: self.within("depth", &genome.depth, 1, 17)?,
            // The smallest test compares two numbers.
            parts: self.within("parts", &genome.parts, 3, 10_000)?,
        };
        let shape = match genome.kind.get_ref().as_str() {
            "weights" => Shape::Weights,
            "tree" => Shape::Tree,
            "policy" => {
                let rules = self.within("rules", &genome.rules, 1, 100)?;
                let least = grammar.least_truth();
                if least.is_none_or(|least| least > grammar.depth) {
                    let problem = "a policy needs tests: name conditions, or let <= or >= be among the \
                                   functions and depth be 2 at least";
                    return Err(self.wrong(file.genome.span(), problem));
                }
                Shape::Policy { rules, values: genome.values }
            }
            other => {
                let problem = format!("a genome is of kind weights, tree or policy, not '{other}'");
                return Err(self.wrong(genome.kind.span(), problem));
            }
        };
        Ok(Breeder { grammar, shape })
    }

    fn breeding(&self, file: &File) -> Result<Breeding, ExperimentError> {
        let population = &file.population;
        let size = self.within("the population's size", &population.size, 2, 1_000_000)?;
        let selection = match population.selection.get_ref().as_str() {
            "tournament" => {
                Selection::Tournament(self.within("tournament", &population.tournament, 1, size)?)
            }
            "proportional" => Selection::Proportional,
            other => {
                let problem = format!("selection is by tournament or proportional, not '{other}'");
                return Err(self.wrong(population.selection.span(), problem));
            }
        };
        let crossover = self.within("crossover", &population.crossover, 0.0, 1.0)?;
        let mutation = self.within("mutation", &population.mutation, 0.0, 1.0)?;
        if crossover + mutation > 1.0 + 1e-9 {
            let problem = "crossover and mutation are shares of the children: 1 together at most";
            return Err(self.wrong(population.mutation.span(), problem));
        }
        let groups = self.within("groups", &population.groups, 0, 10_000)?;
        let boards = self.within("group-boards", &population.group_boards, 1, 10_000)?;
        let aims = self.aims(&file.fitness)?;
        if groups > 0
            && let Some((aim, _)) = aims.iter().find(|(aim, _)| !aim.is_by_board())
        {
            let problem = format!("groups of boards need a fitness that is a mean over boards, not {aim:?}");
            return Err(self.wrong(population.groups.span(), problem.to_lowercase()));
        }
        Ok(Breeding {
            size,
            selection,
            crossover,
            mutation,
            elites: self.within("elites", &population.elites, 0, size - 1)?,
            hall: self.within("hall", &population.hall, 1, 10_000)?,
            aims,
            coevolution: (groups > 0).then_some(Coevolution { groups, boards }),
        })
    }

    fn aims(&self, fitness: &Fitness) -> Result<Vec<(Aim, f64)>, ExperimentError> {
        if let (Some(_), Some(first)) = (fitness.aim, fitness.multi.first()) {
            return Err(self.wrong(first.span(), "give aim or multi, not both"));
        }
        let chance = |entry: &Spanned<(Aim, f64)>| {
            let (aim, chance) = *entry.get_ref();
            match chance > 0.0 && chance.is_finite() {
                true => Ok((aim, chance)),
                false => Err(self.wrong(entry.span(), "a chance is a number above 0")),
            }
        };
        match fitness.multi.is_empty() {
            true => Ok(vec![(fitness.aim.unwrap_or(Aim::LeastSquares), 1.0)]),
            false => fitness.multi.iter().map(chance).collect(),
        }
    }

    fn search(&self, file: &File) -> Result<SearchPlan, ExperimentError> {
        let (search, fitness) = (&file.search, &file.fitness);
        let algorithm: Algorithm = (search.algorithm.get_ref().parse())
            .map_err(|error| self.wrong(search.algorithm.span(), error))?;
        if !algorithm.is_guided() {
            let problem =
                format!("{algorithm} asks no heuristic: choose astar, wastar:2, greedy or wida-tt:2");
            return Err(self.wrong(search.algorithm.span(), problem));
        }
        let seconds =
            search.seconds.as_ref().map(|time| self.within("seconds", time, 0.001, 1e6)).transpose()?;
        let nodes = match &search.nodes {
            Some(nodes) => Some(self.within("nodes", nodes, 1, u64::MAX)?),
            None if seconds.is_some() => None,
            None => Some(NODES),
        };
        let weight = |what, weight| self.within(what, weight, 0.0, 1e12);
        let weighing = Weighing {
            length: weight("length-weight", &fitness.length_weight)?,
            nodes: weight("nodes-weight", &fitness.nodes_weight)?,
            unsolved: weight("unsolved-weight", &fitness.unsolved_weight)?,
        };
        let boards = self.within("boards", &search.boards, 1, 1_000_000)?;
        Ok(SearchPlan { algorithm, nodes, seconds, weighing, boards })
    }

    fn stop(&self, stop: &Spanned<Stop>) -> Result<Stop, ExperimentError> {
        let found = *stop.get_ref();
        if found == Stop::default() {
            let problem = "nothing stops this: give generations, evaluations, seconds, target or stale";
            return Err(self.wrong(stop.span(), problem));
        }
        for (what, number) in [("seconds", found.seconds), ("target", found.target)] {
            if number.is_some_and(|number| !(number >= 0.0 && number.is_finite())) {
                return Err(self.wrong(stop.span(), format!("{what} is a number from 0")));
            }
        }
        let endless = found.generations.is_none() && found.evaluations.is_none() && found.seconds.is_none();
        if endless && found.stale.is_none() {
            let problem = "a target may never be met: give generations, evaluations, seconds or stale, too";
            return Err(self.wrong(stop.span(), problem));
        }
        Ok(found)
    }

    fn boards(&self, what: &str, boards: &Spanned<Boards>) -> Result<(), ExperimentError> {
        let Boards { file, set, only, draw, per_distance, size, distances, .. } = boards.get_ref();
        let ways = [file.is_some(), set.is_some(), draw.is_some(), per_distance.is_some()];
        let wrong = |problem: String| Err(self.wrong(boards.span(), problem));
        match ways.iter().filter(|&&is_given| is_given).count() {
            1 => {}
            _ => return wrong(format!("{what} needs one of file, set, draw and per-distance")),
        }
        let is_drawn = draw.is_some() || per_distance.is_some();
        if is_drawn && size.is_none() {
            return wrong(format!("{what} is drawn from a table: give its size, such as size = 6"));
        }
        if !is_drawn && (size.is_some() || distances.is_some()) {
            return wrong(format!("{what} is not drawn: size and distances are for draw and per-distance"));
        }
        let has_names = set.is_some() || file.as_ref().is_some_and(|file| !file.ends_with(".csv"));
        if only.is_some() && !has_names {
            return wrong(format!("{what} has no names: only is for a set, or a file of boards with names"));
        }
        if draw.or(*per_distance) == Some(0) {
            return wrong(format!("{what} has no board: draw one at least"));
        }
        Ok(())
    }
}

impl Experiment {
    /// Reads an experiment.
    pub fn parse(text: &str) -> Result<Experiment, ExperimentError> {
        let reader = Reader { text };
        let file: File = toml::from_str(text).map_err(|error: toml::de::Error| {
            reader.wrong(error.span().unwrap_or(NOWHERE), error.message())
        })?;
        let metric = (file.metric.get_ref().parse())
            .map_err(|_| reader.wrong(file.metric.span(), "the metric is moves or steps"))?;
        reader.boards("train", &file.data.train)?;
        reader.boards("test", &file.data.test)?;
        Ok(Experiment {
            metric,
            runs: reader.within("runs", &file.runs, 1, 10_000)?,
            breeder: reader.breeder(&file)?,
            breeding: reader.breeding(&file)?,
            search: reader.search(&file)?,
            stop: reader.stop(&file.stop)?,
            name: file.name,
            seed: file.seed,
            data: file.data,
        })
    }

    /// The building blocks that boards have to be asked about.
    pub fn blocks(&self) -> Vec<Heuristic> {
        let grammar = &self.breeder.grammar;
        let conditions = grammar.conditions.iter().copied().map(Heuristic::Block);
        grammar.numbers.iter().cloned().chain(conditions).collect()
    }

    /// Are all results the same on every machine?
    pub fn is_reproducible(&self) -> bool {
        self.stop.seconds.is_none() && self.search.seconds.is_none()
    }
}
