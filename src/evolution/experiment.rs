//! Experiments: a TOML file says everything.

use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::{fmt, io};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use toml::Spanned;

use super::fitness::{Aim, Weighing};
use super::genome::{Breeder, Shape, Values};
use super::grammar::{Function, Grammar};
use super::population::{Breeding, Coevolution, Selection};
use crate::board::Metric;
use crate::catalogue;
use crate::files::open_regular;
use crate::formula::{Block, Heuristic, Kind, Part};
use crate::puzzles::{self, Oracle, PUZZLES, Puzzle, PuzzleError, Settings};
use crate::search::{Algorithm, Value};

/// A commented experiment to begin with.
pub const EXAMPLE: &str = include_str!("example.toml");

/// The most boards to train or to test on: with what all building blocks say of them
/// they take about a gigabyte.
pub const MAX_BOARDS: usize = 1_000_000;

/// What is bred, how, and on which boards.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// What it is called.
    pub name: String,
    /// What formulas are bred for.
    pub puzzle: &'static dyn Puzzle,
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
    #[serde(default, deserialize_with = "some_parsed")]
    pub distances: Option<catalogue::Range>,
    /// Which draw.
    #[serde(default)]
    pub seed: u64,
    /// At most so many.
    pub most: Option<usize>,
    /// Instead of each board, so many of its cluster, at all distances alike.
    pub around: Option<usize>,
}

impl Boards {
    /// Is it a file that has the distances of its boards?
    pub(super) fn is_dataset(&self) -> bool {
        let is = |file: &String| [".csv", ".jsonl", ".parquet"].iter().any(|end| file.ends_with(end));
        self.file.as_ref().is_some_and(is)
    }
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
    name: Spanned<String>,
    puzzle: Given<String>,
    metric: Given<Metric>,
    #[serde(default)]
    seed: u64,
    runs: Given<u64>,
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

/// What need not be said.
type Given<T> = Option<Spanned<T>>;

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
    kind: GenomeKind,
    rules: Given<usize>,
    values: Given<Values>,
    functions: Given<Vec<Function>>,
    constants: Given<[f64; 2]>,
    depth: Given<usize>,
    parts: Given<usize>,
}

/// How large a tree may be.
#[derive(Clone, Copy)]
struct Limits {
    depth: usize,
    parts: usize,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum GenomeKind {
    Weights,
    Tree,
    Policy,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Population {
    size: Given<usize>,
    selection: SelectionKind,
    tournament: Given<usize>,
    crossover: Given<f64>,
    mutation: Given<f64>,
    elites: Given<usize>,
    hall: Given<usize>,
    groups: Given<usize>,
    group_boards: Given<usize>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum SelectionKind {
    #[default]
    Tournament,
    Proportional,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Fitness {
    aim: Option<Aim>,
    multi: Vec<Spanned<(Aim, f64)>>,
    length_weight: Given<f64>,
    nodes_weight: Given<f64>,
    unsolved_weight: Given<f64>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Search {
    algorithm: Given<Parsed<Algorithm>>,
    nodes: Given<u64>,
    seconds: Given<f64>,
    boards: Given<usize>,
}

/// What has a text of its own.
struct Parsed<T>(T);

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parsed<T>, D::Error> {
        String::deserialize(deserializer)?.parse().map(Parsed).map_err(D::Error::custom)
    }
}

fn some_parsed<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Parsed::deserialize(deserializer).map(|Parsed(value)| Some(value))
}

const NOWHERE: Range<usize> = 0..0;

/// The most nodes of a search, if nothing is said.
const NODES: u64 = 100_000;
/// The most that can be said: nobody waits for more.
const MOST_NODES: u64 = 1_000_000_000;

/// How experiments and reports write it.
pub(super) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        other => unreachable!("a variant without fields is a word: {other:?}"),
    }
}

fn span<T>(given: &Given<T>) -> Option<Range<usize>> {
    given.as_ref().map(Spanned::span)
}

/// Finds out lines.
struct Reader<'t> {
    text: &'t str,
    puzzle: &'static dyn Puzzle,
}

impl<'t> Reader<'t> {
    /// Reads the file, with what is needed to read on.
    fn new(text: &'t str) -> Result<(Reader<'t>, File), ExperimentError> {
        let mut reader = Reader { text, puzzle: PUZZLES[0] };
        let wrong = |error: toml::de::Error| reader.wrong(error.span().unwrap_or(NOWHERE), error.message());
        let file: File = toml::from_str(text).map_err(wrong)?;
        if let Some(name) = &file.puzzle {
            reader.puzzle =
                puzzles::named(name.get_ref()).map_err(|error| reader.wrong(name.span(), error))?;
        }
        Ok((reader, file))
    }

    fn wrong(&self, span: Range<usize>, problem: impl fmt::Display) -> ExperimentError {
        let line = self.text[..span.start.min(self.text.len())].matches('\n').count() + 1;
        ExperimentError { line, problem: problem.to_string() }
    }

    /// A number within bounds, or the usual one if none is given.
    fn within<T: PartialOrd + fmt::Display + Copy>(
        &self,
        what: &str,
        given: &Given<T>,
        usual: T,
        bounds: RangeInclusive<T>,
    ) -> Result<T, ExperimentError> {
        let Some(given) = given else { return Ok(usual) };
        let value = *given.get_ref();
        if bounds.contains(&value) {
            return Ok(value);
        }
        let problem = format!("{what} is from {} to {}, not {value}", bounds.start(), bounds.end());
        Err(self.wrong(given.span(), problem))
    }

    /// Settings that would change nothing here are a mistake.
    fn unfit<const N: usize>(
        &self,
        settings: [(&str, Option<Range<usize>>); N],
        belongs_to: &str,
    ) -> Result<(), ExperimentError> {
        match settings.into_iter().find_map(|(what, span)| Some((what, span?))) {
            Some((what, span)) => {
                Err(self.wrong(span, format!("{what} is for {belongs_to}: leave it out here")))
            }
            None => Ok(()),
        }
    }

    fn metric(&self, given: &Given<Metric>) -> Result<Metric, ExperimentError> {
        let Some(metric) = given else { return Ok(Metric::default()) };
        match self.puzzle.metrics().contains(metric.get_ref()) {
            true => Ok(*metric.get_ref()),
            false => {
                let problem = format!("{} has no distances in {}", self.puzzle.name(), metric.get_ref());
                Err(self.wrong(metric.span(), problem))
            }
        }
    }

    fn named(&self, name: &Spanned<String>) -> Result<Heuristic, ExperimentError> {
        self.puzzle.vocabulary().read(name.get_ref()).map_err(|error| self.wrong(name.span(), error))
    }

    /// A building block, or a formula. A name that it goes by would hide what breeding
    /// changes in it.
    fn number(
        &self,
        name: &Spanned<String>,
        (kind, limits): (GenomeKind, Limits),
    ) -> Result<Heuristic, ExperimentError> {
        let number = match self.named(name)? {
            Heuristic::Named(named) => named.heuristic,
            number => number,
        };
        let wrong = |problem: String| Err(self.wrong(name.span(), problem));
        if number.needs_distances() {
            return wrong("perfect is what is sought: breed on other building blocks".to_owned());
        }
        let text = name.get_ref();
        if matches!(number, Heuristic::Block(block) if block.is_condition()) {
            return wrong(format!("'{text}' is no number: conditions have a list of their own"));
        }
        let mut has_names = false;
        Part::Number(&number).for_each(&mut |part| {
            has_names |= matches!(part, Part::Number(Heuristic::Named(_)));
        });
        if has_names {
            return wrong(format!(
                "'{text}' has a formula that goes by a name: put that formula in its place"
            ));
        }
        let (depth, parts) = (number.depth(), number.parts());
        if !matches!(kind, GenomeKind::Weights) && (depth > limits.depth || parts > limits.parts) {
            return wrong(format!(
                "'{text}' has {depth} levels and {parts} parts: let depth and parts be so many at least"
            ));
        }
        Ok(number)
    }

    fn numbers(
        &self,
        blocks: &Blocks,
        shape: (GenomeKind, Limits),
    ) -> Result<Vec<Heuristic>, ExperimentError> {
        let mut numbers: Vec<Heuristic> = Vec::new();
        for name in blocks.numbers.get_ref() {
            let more = match name.get_ref().as_str() {
                // Zero says nothing.
                "all" => {
                    let guesses = self.puzzle.vocabulary().of_kind(Kind::Guess).map(Heuristic::Block);
                    guesses.filter(|guess| !guess.is_zero()).collect()
                }
                "features" => self.puzzle.vocabulary().of_kind(Kind::Feature).map(Heuristic::Block).collect(),
                file if file.starts_with('@') => {
                    let problem = format!("'{file}' is a file: put its formula in its place");
                    return Err(self.wrong(name.span(), problem));
                }
                _ => vec![self.number(name, shape)?],
            };
            more.into_iter().for_each(|number| {
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            });
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
                conditions.extend(self.puzzle.vocabulary().of_kind(Kind::Condition));
                continue;
            }
            match self.named(name)? {
                Heuristic::Block(block) if block.is_condition() => conditions.push(block),
                other => {
                    let conditions = self.puzzle.vocabulary().of_kind(Kind::Condition);
                    let names = conditions.map(|block| block.facts().name).collect::<Vec<_>>().join(", ");
                    let problem = format!("{other} is a number, no condition: the conditions are {names}");
                    return Err(self.wrong(name.span(), problem));
                }
            }
        }
        Ok(conditions)
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
        let of_policies = [("rules", span(&genome.rules)), ("values", span(&genome.values))];
        if !matches!(genome.kind, GenomeKind::Policy) {
            self.unfit(of_policies, "policies")?;
        }
        if matches!(genome.kind, GenomeKind::Weights) {
            let of_trees = [
                ("functions", span(&genome.functions)),
                ("constants", span(&genome.constants)),
                ("depth", span(&genome.depth)),
                ("parts", span(&genome.parts)),
                ("conditions", blocks.conditions.first().map(Spanned::span)),
            ];
            self.unfit(of_trees, "trees and policies")?;
        }
        let functions = genome.functions.as_ref().map(|functions| functions.get_ref().clone());
        // The smallest test compares two numbers.
        let limits = Limits {
            depth: self.within("depth", &genome.depth, 6, 1..=17)?,
            parts: self.within("parts", &genome.parts, 60, 3..=10_000)?,
        };
        let grammar = Grammar {
            numbers: self.numbers(blocks, (genome.kind, limits))?,
            conditions: self.conditions(blocks)?,
            functions: functions.filter(|some| !some.is_empty()).unwrap_or(Function::ALL.to_vec()),
            constants: self.constants(genome)?,
            depth: limits.depth,
            parts: limits.parts,
        };
        let shape = match genome.kind {
            GenomeKind::Weights => Shape::Weights,
            GenomeKind::Tree => Shape::Tree,
            GenomeKind::Policy => {
                let rules = self.within("rules", &genome.rules, 5, 1..=100)?;
                let least = grammar.least_truth();
                if least.is_none_or(|least| least > grammar.depth) {
                    let problem = "a policy needs tests: name conditions, or let <= or >= be among the \
                                   functions and depth be 2 at least";
                    return Err(self.wrong(file.genome.span(), problem));
                }
                let values = genome.values.as_ref().map_or(Values::Weights, |values| *values.get_ref());
                Shape::Policy { rules, values }
            }
        };
        Ok(Breeder { grammar, shape })
    }

    fn breeding(&self, file: &File) -> Result<Breeding, ExperimentError> {
        let population = &file.population;
        let size = self.within("the population's size", &population.size, 200, 2..=1_000_000)?;
        let selection = match population.selection {
            SelectionKind::Tournament => {
                let usual = size.min(4);
                Selection::Tournament(self.within("tournament", &population.tournament, usual, 1..=size)?)
            }
            SelectionKind::Proportional => {
                self.unfit([("tournament", span(&population.tournament))], "selection by tournament")?;
                Selection::Proportional
            }
        };
        let crossover = self.within("crossover", &population.crossover, 0.6, 0.0..=1.0)?;
        let mutation = self.within("mutation", &population.mutation, 0.35, 0.0..=1.0)?;
        if crossover + mutation > 1.0 + 1e-9 {
            let problem = "crossover and mutation are shares of the children: 1 together at most";
            let given = span(&population.mutation).or(span(&population.crossover));
            return Err(self.wrong(given.unwrap_or(NOWHERE), problem));
        }
        let groups = self.within("groups", &population.groups, 0, 0..=10_000)?;
        let boards = self.within("group-boards", &population.group_boards, 5, 1..=10_000)?;
        if groups == 0 {
            self.unfit([("group-boards", span(&population.group_boards))], "co-evolution with groups")?;
        }
        let aims = self.aims(&file.fitness)?;
        if let Some(given) = population.groups.as_ref().filter(|_| groups > 0)
            && let Some((aim, _)) = aims.iter().find(|(aim, _)| !aim.is_by_board())
        {
            let problem = format!("groups of boards need a fitness that is a mean over boards, not {aim:?}");
            return Err(self.wrong(given.span(), problem.to_lowercase()));
        }
        Ok(Breeding {
            size,
            selection,
            crossover,
            mutation,
            elites: self.within("elites", &population.elites, 2.min(size - 1), 0..=size - 1)?,
            hall: self.within("hall", &population.hall, 10, 1..=10_000)?,
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

    fn search(&self, file: &File, aims: &[(Aim, f64)]) -> Result<SearchPlan, ExperimentError> {
        let (search, fitness) = (&file.search, &file.fitness);
        let algorithm = match &search.algorithm {
            Some(given) => given.get_ref().0,
            None => "wastar:2".parse().expect("it is one"),
        };
        if !algorithm.is_guided() {
            let problem =
                format!("{algorithm} asks no heuristic: choose astar, wastar:2, greedy or wida-tt:2");
            return Err(self.wrong(span(&search.algorithm).unwrap_or(NOWHERE), problem));
        }
        let seconds = match &search.seconds {
            Some(_) => Some(self.within("seconds", &search.seconds, 1.0, 0.001..=1e6)?),
            None => None,
        };
        let nodes = match &search.nodes {
            None if seconds.is_some() => None,
            given => Some(self.within("nodes", given, NODES, 1..=MOST_NODES)?),
        };
        if !aims.iter().any(|(aim, _)| *aim == Aim::Search) {
            let weights = [
                ("length-weight", span(&fitness.length_weight)),
                ("nodes-weight", span(&fitness.nodes_weight)),
                ("unsolved-weight", span(&fitness.unsolved_weight)),
            ];
            self.unfit(weights, "the aim search")?;
        }
        let weight = |what, given, usual| self.within(what, given, usual, 0.0..=1e12);
        let weighing = Weighing {
            length: weight("length-weight", &fitness.length_weight, 1.0)?,
            nodes: weight("nodes-weight", &fitness.nodes_weight, 0.001)?,
            unsolved: weight("unsolved-weight", &fitness.unsolved_weight, 1000.0)?,
        };
        let boards = self.within("boards", &search.boards, 50, 1..=MAX_BOARDS)?;
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
        let Boards { file, set, only, draw, per_distance, size, distances, around, .. } = boards.get_ref();
        let ways = [file.is_some(), set.is_some(), draw.is_some(), per_distance.is_some()];
        let wrong = |problem: String| Err(self.wrong(boards.span(), problem));
        match ways.iter().filter(|&&is_given| is_given).count() {
            1 => {}
            _ => return wrong(format!("{what} needs one of file, set, draw and per-distance")),
        }
        let is_drawn = draw.is_some() || per_distance.is_some();
        let sizes = self.puzzle.sizes();
        if is_drawn && size.is_none() && !sizes.is_empty() {
            return wrong(format!(
                "{what} is drawn from a table: give its size, such as size = {}",
                sizes[0]
            ));
        }
        if !is_drawn && (size.is_some() || distances.is_some()) {
            return wrong(format!("{what} is not drawn: size and distances are for draw and per-distance"));
        }
        let has_names = set.is_some() || file.is_some() && !boards.get_ref().is_dataset();
        if only.is_some() && !has_names {
            return wrong(format!("{what} has no names: only is for a set, or a file of boards with names"));
        }
        if let Some(size) = size.filter(|size| !sizes.contains(size)) {
            return wrong(match (sizes.iter().min(), sizes.iter().max()) {
                (Some(least), Some(most)) => {
                    format!("there are tables of the sizes {least} to {most}, not {size}")
                }
                _ => format!("all of {} is of one size: leave it out", self.puzzle.name()),
            });
        }
        let counts = [("draw", *draw), ("per-distance", *per_distance), ("around", around.map(|n| n as u64))];
        for (which, count) in counts {
            if count.is_some_and(|count| !(1..=MAX_BOARDS as u64).contains(&count)) {
                return wrong(format!("{which} of {what} is a number from 1 to {MAX_BOARDS}"));
            }
        }
        Ok(())
    }
}

impl Experiment {
    /// The text of an experiment with the formulas of files that its numbers name, such
    /// as `@best.txt`, in their places. Files are looked for in a folder.
    pub fn with_formulas(text: &str, folder: &Path) -> Result<String, ExperimentError> {
        let (reader, file) = Reader::new(text)?;
        let mut whole = text.to_owned();
        for name in file.blocks.get_ref().numbers.get_ref().iter().rev() {
            let Some(path) = name.get_ref().strip_prefix('@') else { continue };
            let wrong = |problem: String| reader.wrong(name.span(), problem);
            let formula = open_regular(&folder.join(path))
                .and_then(io::read_to_string)
                .map_err(|error| wrong(format!("cannot read {path}: {error}")))?;
            let formula = reader
                .puzzle
                .vocabulary()
                .read_commented(&formula)
                .map_err(|error| wrong(format!("{path}: {error}")))?;
            whole.replace_range(name.span(), &format!("\"{formula}\""));
        }
        Ok(whole)
    }

    /// Reads an experiment.
    pub fn parse(text: &str) -> Result<Experiment, ExperimentError> {
        let (reader, file) = Reader::new(text)?;
        if file.name.get_ref().contains(char::is_control) {
            let problem = "the name has control characters: it is one line, for files and terminals";
            return Err(reader.wrong(file.name.span(), problem));
        }
        reader.boards("train", &file.data.train)?;
        reader.boards("test", &file.data.test)?;
        let breeding = reader.breeding(&file)?;
        Ok(Experiment {
            puzzle: reader.puzzle,
            metric: reader.metric(&file.metric)?,
            runs: reader.within("runs", &file.runs, 1, 1..=10_000)?,
            breeder: reader.breeder(&file)?,
            search: reader.search(&file, &breeding.aims)?,
            breeding,
            stop: reader.stop(&file.stop)?,
            name: file.name.into_inner(),
            seed: file.seed,
            data: file.data,
        })
    }

    /// Its puzzle, ready to read boards.
    pub fn open(&self, settings: &Settings) -> Result<Arc<dyn Oracle>, PuzzleError> {
        self.puzzle.open(Settings { metric: self.metric, ..settings.clone() })
    }

    /// Are boards read from files that it names?
    pub fn has_files(&self) -> bool {
        let Data { train, test, apart } = &self.data;
        let is_set = |name: &Spanned<String>| self.puzzle.sets().iter().any(|(set, _)| set == name.get_ref());
        [train, test].iter().any(|boards| boards.get_ref().file.is_some()) || !apart.iter().all(is_set)
    }

    /// The building blocks that boards have to be asked about.
    pub fn blocks(&self) -> Vec<Heuristic> {
        let grammar = &self.breeder.grammar;
        let mut blocks = Vec::new();
        let of_numbers = grammar.numbers.iter().flat_map(Heuristic::blocks);
        for block in of_numbers.chain(grammar.conditions.iter().copied()).map(Heuristic::Block) {
            if !blocks.contains(&block) {
                blocks.push(block);
            }
        }
        blocks
    }

    /// Each setting but the boards, and what it is.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let Experiment { breeder, breeding, search, stop, .. } = self;
        let Breeder { grammar, shape } = breeder;
        let listed = |names: Vec<String>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let mut settings = vec![
            ("puzzle", self.puzzle.name().to_owned()),
            ("seed", self.seed.to_string()),
            ("runs", self.runs.to_string()),
            ("numbers", listed(grammar.numbers.iter().map(ToString::to_string).collect())),
            ("conditions", listed(grammar.conditions.iter().map(ToString::to_string).collect())),
            (
                "genome",
                match shape {
                    Shape::Weights => "weights".to_owned(),
                    Shape::Tree => "tree".to_owned(),
                    Shape::Policy { rules, values } => {
                        format!("policy, {rules} rules, values are {}", word(values))
                    }
                },
            ),
        ];
        if *shape != Shape::Weights {
            let constants = grammar.constants.map_or("none".to_owned(), |[a, b]| format!("{a} to {b}"));
            settings.extend([
                ("functions", listed(grammar.functions.iter().map(word).collect())),
                ("constants", constants),
                ("trees", format!("{} levels and {} parts at most", grammar.depth, grammar.parts)),
            ]);
        }
        let selection = match breeding.selection {
            Selection::Tournament(of) => format!("tournament of {of}"),
            Selection::Proportional => "proportional to 1 / (1 + cost)".to_owned(),
        };
        let Breeding { size, crossover, mutation, elites, hall, .. } = breeding;
        settings.extend([
            ("population", size.to_string()),
            ("selection", selection),
            ("children", format!("crossover {crossover}, mutation {mutation}, {elites} elites")),
            ("hall of fame", hall.to_string()),
        ]);
        if let Some(Coevolution { groups, boards }) = breeding.coevolution {
            settings.push(("co-evolution", format!("{groups} groups of {boards} boards")));
        }
        let aims = breeding.aims.iter().map(|(aim, chance)| match breeding.aims.len() {
            1 => word(aim),
            _ => format!("{} ({chance})", word(aim)),
        });
        settings.push(("aim", listed(aims.collect())));
        if breeding.aims.iter().any(|(aim, _)| *aim == Aim::Search) {
            let Weighing { length, nodes, unsolved } = search.weighing;
            settings.push(("weights", format!("length {length}, nodes {nodes}, unsolved {unsolved}")));
        }
        let limits = [
            search.nodes.map(|nodes| format!("{nodes} nodes")),
            search.seconds.map(|seconds| format!("{seconds} s")),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        settings.push(("a search", format!("{}, {} at most", search.algorithm, limits.join(" and "))));
        settings.push(("searched in training", format!("{} boards at most", search.boards)));
        let ends = [
            stop.generations.map(|count| format!("{count} generations")),
            stop.evaluations.map(|count| format!("{count} formulas judged")),
            stop.seconds.map(|seconds| format!("{seconds} s")),
            stop.target.map(|cost| format!("a cost of {cost}")),
            stop.stale.map(|count| format!("{count} generations without a better one")),
        ];
        settings.push(("a run ends after", ends.into_iter().flatten().collect::<Vec<_>>().join(" or ")));
        settings
    }

    /// Are all results the same on every machine?
    pub fn is_reproducible(&self) -> bool {
        self.stop.seconds.is_none() && self.search.seconds.is_none()
    }
}
