//! What came of experiments: the best of each run against what needs no
//! breeding, on boards that nothing was bred on.
//!
//! Everything is computed from the folders, so a report can be made again at
//! any time, and of runs that still go on.

use std::io;
use std::path::PathBuf;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Serialize, Serializer};

use super::data::{DataError, labelled};
use super::experiment::{Experiment, word};
use super::fitness::{Aim, Arena, FitnessError, Outcome, Sample};
use super::folder::{Folder, Saved};
use super::linear::least_squares;
use super::population::Record;
use super::runs::{Ended, RunError, arena, searched};
use super::statistics::{Difference, Quartiles, correct};
use crate::board::Metric;
use crate::formula::Heuristic;
use crate::progress::{Count, Observer};
use crate::puzzles::{Labelled, Oracle, PuzzleSet, Settings};
use crate::search::Value;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Nothing has been bred yet.
    #[error("{}: no run has a generation yet", .path.display())]
    NotBegun {
        /// The folder of the experiment.
        path: PathBuf,
    },
    /// The boards to try the best on have no distances.
    #[error(transparent)]
    Data(#[from] DataError),
    /// An experiment cannot be looked at.
    #[error(transparent)]
    Run(Box<RunError>),
}

impl From<RunError> for ReportError {
    fn from(error: RunError) -> ReportError {
        ReportError::Run(Box::new(error))
    }
}

/// What came of some experiments.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The experiments.
    pub experiments: Vec<ExperimentReport>,
    /// Every two of them against each other.
    pub comparisons: Vec<Compared>,
}

/// What came of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ExperimentReport {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub folder: PathBuf,
    /// What distances count.
    pub metric: Metric,
    /// What costs are.
    pub aim: Aim,
    /// What was asked of generations, each with its chance. The first is what costs are.
    pub aims: Vec<(Aim, f64)>,
    /// How it was bred: each setting and what it was.
    pub settings: Vec<(&'static str, String)>,
    /// How boards are searched.
    pub algorithm: String,
    /// The most nodes of a search.
    pub node_limit: Option<u64>,
    /// Boards that formulas are bred on.
    pub training_boards: usize,
    /// What the boards are called that the best are tried on; none if they are
    /// the test boards of the experiment.
    pub set: Option<String>,
    /// How many they are.
    pub test_boards: usize,
    /// Of these, boards with the family of a training board.
    pub seen_boards: usize,
    /// Of these, boards that are searched.
    pub searched_boards: usize,
    /// The boards that are searched.
    #[serde(skip)]
    pub boards: Vec<Labelled>,
    /// Of the blind searches, how many were stopped: their nodes count up to there, so
    /// shares of them are too large.
    pub blind_stopped: usize,
    /// What needs no breeding.
    pub baselines: Vec<Method>,
    /// The runs that have begun; one at least.
    pub runs: Vec<RunReport>,
    /// The best of the runs, taken together.
    pub evolved: Evolved,
    /// The run whose best costs least in training.
    pub best: u64,
}

/// What came of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct RunReport {
    /// Its number, from 1.
    pub run: u64,
    /// Why it ended; none if it has not.
    pub ended: Option<Ended>,
    /// What its best costs on the training boards.
    pub cost: f64,
    /// What that one costs on the test boards.
    pub test_cost: f64,
    /// Its best, simplified.
    pub champion: Method,
    /// Its log, generation by generation.
    pub records: Vec<Record>,
}

/// A way to guess distances, and what it is worth on the test boards.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Method {
    /// Where it comes from.
    pub kind: Kind,
    /// What it is called.
    pub name: String,
    /// How it guesses.
    #[serde(serialize_with = "as_text")]
    pub formula: Heuristic,
    /// What it is worth.
    pub scores: Scores,
    /// What each search took.
    pub searches: Vec<Outcome>,
}

/// Where a way to guess distances comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It does not guess at all.
    Blind,
    /// A building block.
    Block,
    /// The best of a few combinations that people would try.
    HandMade,
    /// The weighted sum with the least squared error in training.
    LeastSquares,
    /// The best of a run.
    Evolved,
}

/// What a way to guess distances is worth.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Scores {
    /// The mean of the squared errors.
    pub squared_error: f64,
    /// The share of pairs of boards in the wrong order.
    pub disorder: f64,
    /// Nodes of all searches together.
    pub nodes: u64,
    /// The same as a share of those of blind searches.
    pub against_blind: f64,
    /// The share of searches that found a solution.
    pub solved: f64,
    /// How long their solutions are together, against the shortest ones. None
    /// if there is none.
    pub length: Option<f64>,
}

/// The middle of the runs, each figure for itself.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Evolved {
    /// Of [`RunReport::test_cost`].
    pub test_cost: Quartiles,
    /// Of [`Scores::squared_error`].
    pub squared_error: Quartiles,
    /// Of [`Scores::disorder`].
    pub disorder: Quartiles,
    /// Of [`Scores::nodes`].
    pub nodes: Quartiles,
    /// Of [`Scores::against_blind`].
    pub against_blind: Quartiles,
    /// Of [`Scores::solved`].
    pub solved: Quartiles,
    /// Of [`Scores::length`], where there is one.
    pub length: Option<Quartiles>,
}

/// Two experiments against each other, run by run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Compared {
    /// The place of the first.
    pub first: usize,
    /// The place of the second.
    pub second: usize,
    /// By the cost on the test boards; none if that is not the same cost on the
    /// same boards.
    pub test_cost: Option<Difference>,
    /// By the nodes of all searches; none if they are not the same searches.
    pub nodes: Option<Difference>,
}

/// How the best are tried, if not as their experiments say.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// On all of these boards instead of the test boards.
    pub set: Option<PuzzleSet>,
    /// With at most so many nodes a search.
    pub nodes: Option<u64>,
}

/// A heuristic is written as text.
fn as_text<S: Serializer>(formula: &Heuristic, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(formula)
}

impl Report {
    /// Searches the test boards, or other ones, by all that is to be compared,
    /// on all cores.
    pub fn of(
        folders: &[Folder],
        trial: &Trial,
        settings: &Settings,
        observer: &dyn Observer,
    ) -> Result<Report, ReportError> {
        let mut benches = Vec::new();
        for folder in folders {
            benches.push(Bench::new(folder, trial, settings, observer)?);
        }
        let outcomes = outcomes(&benches, observer)?;
        let mut experiments = Vec::new();
        for (place, bench) in benches.iter().enumerate() {
            let origin = origin(&benches, place);
            experiments.push(bench.report(&|formula| &outcomes[&(origin, formula)])?);
        }
        let compared = |first: usize, second: usize| {
            let runs = |place: usize, value: fn(&RunReport) -> f64| -> Vec<f64> {
                experiments[place].runs.iter().map(value).collect()
            };
            let by = |value| Difference::between(&runs(first, value), &runs(second, value));
            let (a, b) = (&benches[first], &benches[second]);
            let test_cost = if a.is_same_cost(b) { by(|run| run.test_cost) } else { None };
            let nodes = if a.is_same_search(b) { by(|run| run.champion.scores.nodes as f64) } else { None };
            Compared { first, second, test_cost, nodes }
        };
        let all = 0..benches.len();
        let pairs = all.flat_map(|second| (0..second).map(move |first| (first, second)));
        let mut comparisons: Vec<Compared> = pairs.map(|(first, second)| compared(first, second)).collect();
        let differences = comparisons.iter_mut().flat_map(|pair| [&mut pair.test_cost, &mut pair.nodes]);
        correct(differences.flatten().collect());
        Ok(Report { experiments, comparisons })
    }

    /// Writes every search as CSV: a line for each method or run and board.
    pub fn write_searches(&self, out: impl io::Write) -> io::Result<()> {
        let mut lines = csv::Writer::from_writer(out);
        lines.write_record([
            "experiment",
            "folder",
            "kind",
            "method",
            "run",
            "board",
            "distance",
            "length",
            "nodes",
        ])?;
        for experiment in &self.experiments {
            let champions = experiment.runs.iter().map(|run| (run.run.to_string(), &run.champion));
            let baselines = experiment.baselines.iter().map(|method| (String::new(), method));
            for (run, method) in baselines.chain(champions) {
                for (Labelled { instance, distance }, search) in
                    experiment.boards.iter().zip(&method.searches)
                {
                    lines.write_record([
                        &experiment.name,
                        &*experiment.folder.to_string_lossy(),
                        &word(method.kind),
                        &method.name,
                        &run,
                        &instance.text(),
                        &distance.to_string(),
                        &search.length.map_or(String::new(), |length| length.to_string()),
                        &search.nodes.to_string(),
                    ])?;
                }
            }
        }
        lines.flush()
    }
}

impl ExperimentReport {
    /// The run whose best costs least in training.
    pub fn best_run(&self) -> &RunReport {
        self.runs.iter().find(|run| run.run == self.best).expect("it is one of them")
    }

    /// The middle of the runs in each generation. A run that has ended stays
    /// what it was.
    pub fn curve(&self, value: impl Fn(&Record) -> f64) -> Vec<Quartiles> {
        let longest = self.runs.iter().map(|run| run.records.len()).max().unwrap_or(0);
        let at = |generation: usize| {
            let record = |run: &RunReport| run.records.get(generation).or(run.records.last()).map(&value);
            Quartiles::of(&self.runs.iter().filter_map(record).collect::<Vec<f64>>())
        };
        (0..longest).filter_map(at).collect()
    }
}

/// An experiment with all that its report needs.
struct Bench {
    folder: PathBuf,
    experiment: Experiment,
    /// The runs that have begun.
    runs: Vec<Begun>,
    training_boards: usize,
    set: Option<String>,
    seen_boards: usize,
    boards: Vec<Labelled>,
    searched: Vec<Labelled>,
    test: Sample,
    arena: Arena,
    /// What is to be compared, the best of the runs last.
    candidates: Vec<(Kind, String, Heuristic)>,
}

struct Begun {
    run: u64,
    saved: Saved,
    records: Vec<Record>,
}

impl Bench {
    fn new(
        folder: &Folder,
        trial: &Trial,
        settings: &Settings,
        observer: &dyn Observer,
    ) -> Result<Bench, ReportError> {
        let mut experiment = folder.experiment().map_err(RunError::from)?;
        let oracle = experiment.open(settings).map_err(DataError::from)?;
        let runs = begun(folder, &experiment)?;
        if runs.is_empty() {
            return Err(ReportError::NotBegun { path: folder.path().to_owned() });
        }
        experiment.search.nodes = trial.nodes.or(experiment.search.nodes);
        let boards = match &trial.set {
            None => folder.test(&*oracle).map_err(RunError::from)?,
            Some(set) => labelled(set, &*oracle, observer)?,
        };
        let name = trial.set.as_ref().map(|set| set.name.clone());
        Ok(Bench::prepared(folder, experiment, runs, (name, boards), &*oracle, observer)?)
    }

    fn prepared(
        folder: &Folder,
        experiment: Experiment,
        runs: Vec<Begun>,
        (set, boards): (Option<String>, Vec<Labelled>),
        oracle: &dyn Oracle,
        observer: &dyn Observer,
    ) -> Result<Bench, RunError> {
        let sample = |boards: &[Labelled], blocks: &[Heuristic]| {
            Sample::new(boards, blocks, experiment.seed, observer)
        };
        let train = folder.train(oracle)?;
        let training_boards = train.len();
        let families: FxHashSet<u64> = train.iter().map(|labelled| labelled.instance.group()).collect();
        let seen_boards =
            boards.iter().filter(|labelled| families.contains(&labelled.instance.group())).count();
        // The heuristics of the laboratory stand in every report.
        let vocabulary = experiment.puzzle.vocabulary();
        let mut blocks = experiment.blocks();
        let known = vocabulary.guesses().map(Heuristic::Block);
        blocks.extend(known.filter(|known| !experiment.blocks().contains(known)));
        let (train, test) = (sample(&train, &experiment.blocks())?, sample(&boards, &blocks)?);

        let mut candidates = vec![(Kind::Blind, "blind".to_owned(), Heuristic::Constant(Value::ZERO))];
        let is_number = |block: &&Heuristic| {
            !block.is_zero() && !matches!(block, Heuristic::Block(block) if block.is_condition())
        };
        let formulas = experiment.breeder.grammar.numbers.iter().filter(|number| !number.is_block());
        let numbers = blocks.iter().filter(is_number).chain(formulas);
        candidates.extend(numbers.map(|block| (Kind::Block, block.to_string(), block.clone())));
        candidates.extend(experiment.puzzle.hand_made().iter().map(|&text| {
            let formula = vocabulary.read(text).expect("it is a formula");
            (Kind::HandMade, text.to_owned(), formula)
        }));
        candidates.push((Kind::LeastSquares, "least squares".to_owned(), least_squares(&train)));
        for Begun { run, saved, .. } in &runs {
            let simple = saved.state.hall[0].genome.simplified();
            candidates.push((Kind::Evolved, format!("evolved, run {run}"), simple));
        }
        let searched = if set.is_none() { searched(&experiment, &boards) } else { boards.clone() };
        let arena = arena(&experiment, &searched, &[], observer)?;
        let folder = folder.path().to_owned();
        Ok(Bench {
            folder,
            experiment,
            runs,
            training_boards,
            set,
            seen_boards,
            boards,
            searched,
            test,
            arena,
            candidates,
        })
    }

    /// What came of the experiment, if somebody knows what the searches by a
    /// formula took.
    fn report<'s>(
        &'s self,
        searches: &dyn Fn(&'s Heuristic) -> &'s [Outcome],
    ) -> Result<ExperimentReport, RunError> {
        let mut baselines = Vec::new();
        let mut by_hand: Vec<Method> = Vec::new();
        let mut champions = Vec::new();
        for method in self.methods(searches)? {
            match method.kind {
                Kind::HandMade => by_hand.push(method),
                Kind::Evolved => champions.push(method),
                Kind::Blind | Kind::Block | Kind::LeastSquares => baselines.push(method),
            }
        }
        baselines.extend(by_hand.into_iter().min_by_key(|method| method.scores.nodes));
        let runs: Vec<RunReport> = (self.runs.iter().zip(champions))
            .map(|(Begun { run, saved, records }, champion)| RunReport {
                run: *run,
                ended: self.experiment.stop.ended(saved),
                cost: saved.state.hall[0].cost,
                test_cost: records.last().expect("it has begun").test,
                champion,
                records: records.clone(),
            })
            .collect();
        let by_cost = |&a: &usize, &b: &usize| runs[a].cost.total_cmp(&runs[b].cost);
        let best = runs[(0..runs.len()).min_by(by_cost).expect("one has begun")].run;
        let blind: &Method = baselines.iter().find(|method| method.kind == Kind::Blind).expect("it is one");
        Ok(ExperimentReport {
            name: self.experiment.name.clone(),
            folder: self.folder.clone(),
            metric: self.experiment.metric,
            aim: self.aim(),
            aims: self.experiment.breeding.aims.clone(),
            settings: self.experiment.settings(),
            boards: self.searched.clone(),
            blind_stopped: blind.searches.iter().filter(|search| search.length.is_none()).count(),
            algorithm: self.experiment.search.algorithm.to_string(),
            node_limit: self.experiment.search.nodes,
            training_boards: self.training_boards,
            set: self.set.clone(),
            test_boards: self.test.len(),
            seen_boards: self.seen_boards,
            searched_boards: self.arena.len(),
            baselines,
            evolved: Evolved::of(&runs),
            runs,
            best,
        })
    }

    fn aim(&self) -> Aim {
        self.experiment.breeding.aims[0].0
    }

    fn methods<'s>(
        &'s self,
        searches: &dyn Fn(&'s Heuristic) -> &'s [Outcome],
    ) -> Result<Vec<Method>, FitnessError> {
        let nodes = |searches: &[Outcome]| searches.iter().map(|search| search.nodes).sum::<u64>();
        // The first candidate is blind.
        let blind = nodes(searches(&self.candidates[0].2));
        let method = |(kind, name, formula): &'s (Kind, String, Heuristic)| {
            let searches = searches(formula);
            let solved = searches.iter().zip(self.arena.distances());
            let solved = solved.filter_map(|(search, distance)| Some((search.length?, distance)));
            let solved: Vec<(u32, u32)> = solved.collect();
            let length: u32 = solved.iter().map(|(length, _)| length).sum();
            let shortest: u32 = solved.iter().map(|(_, distance)| distance).sum();
            let nodes = nodes(searches);
            let scores = Scores {
                squared_error: self.test.squared_error(formula)?,
                disorder: self.test.disorder(formula)?,
                nodes,
                against_blind: nodes as f64 / blind as f64,
                solved: solved.len() as f64 / searches.len() as f64,
                length: (shortest > 0).then(|| f64::from(length) / f64::from(shortest)),
            };
            let (name, formula, searches) = (name.clone(), formula.clone(), searches.to_vec());
            Ok(Method { kind: *kind, name, formula, scores, searches })
        };
        self.candidates.iter().map(method).collect()
    }

    fn is_same_search(&self, other: &Bench) -> bool {
        let plan = |bench: &Bench| {
            let plan = &bench.experiment.search;
            let Experiment { puzzle, metric, .. } = &bench.experiment;
            (plan.algorithm, plan.nodes, plan.seconds.map(f64::to_bits), *metric, puzzle.name())
        };
        let is_same_length = self.arena.len() == other.arena.len();
        plan(self) == plan(other) && is_same_length && self.boards == other.boards
    }

    fn is_same_cost(&self, other: &Bench) -> bool {
        let weighing = |bench: &Bench| bench.experiment.search.weighing;
        self.aim() == other.aim()
            && match self.aim() {
                Aim::LeastSquares | Aim::Rank | Aim::RankWithin => {
                    self.experiment.puzzle == other.experiment.puzzle && self.boards == other.boards
                }
                Aim::Saved => self.is_same_search(other),
                Aim::Search => self.is_same_search(other) && weighing(self) == weighing(other),
            }
    }
}

/// The first experiment whose searches are the same.
fn origin(benches: &[Bench], place: usize) -> usize {
    let is_same = |earlier: &usize| benches[*earlier].is_same_search(&benches[place]);
    (0..place).find(is_same).unwrap_or(place)
}

/// What the searches by a formula took, by it and the origin of the experiment.
type Outcomes<'b> = FxHashMap<(usize, &'b Heuristic), Vec<Outcome>>;

/// Does every search once, on all cores.
fn outcomes<'b>(benches: &'b [Bench], observer: &dyn Observer) -> Result<Outcomes<'b>, RunError> {
    let mut wanted = Vec::new();
    let mut seen = FxHashSet::default();
    for (place, bench) in benches.iter().enumerate() {
        let origin = origin(benches, place);
        let formulas = bench.candidates.iter().map(|(_, _, formula)| (origin, formula));
        wanted.extend(formulas.filter(|&key| seen.insert(key)));
    }
    let boards = |&(origin, formula): &(usize, &'b Heuristic)| {
        (0..benches[origin].arena.len()).map(move |board| (origin, formula, board))
    };
    let tasks: Vec<(usize, &Heuristic, usize)> = wanted.iter().flat_map(boards).collect();
    let count = Count::new(observer, "searches", tasks.len() as u64);
    let search = |&(origin, formula, board): &(usize, &Heuristic, usize)| {
        if observer.wants_stop() {
            return Err(RunError::Stopped);
        }
        let outcome = benches[origin].arena.search(formula, board).map_err(FitnessError::from)?;
        count.add(1);
        Ok(outcome)
    };
    let done: Vec<Outcome> = tasks.par_iter().map(search).collect::<Result<_, RunError>>()?;
    let mut done = done.into_iter();
    let taken = |key: (usize, &'b Heuristic)| (key, done.by_ref().take(benches[key.0].arena.len()).collect());
    Ok(wanted.into_iter().map(taken).collect())
}

fn begun(folder: &Folder, experiment: &Experiment) -> Result<Vec<Begun>, RunError> {
    let mut begun = Vec::new();
    for run in 1..=experiment.runs {
        let of_run = folder.run(run)?;
        let saved = of_run.load()?;
        if saved.state.generations > 0 {
            begun.push(Begun { run, records: of_run.records(&saved)?, saved });
        }
    }
    Ok(begun)
}

impl Evolved {
    fn of(runs: &[RunReport]) -> Evolved {
        let middle = |value: &dyn Fn(&RunReport) -> Option<f64>| {
            Quartiles::of(&runs.iter().filter_map(value).collect::<Vec<f64>>())
        };
        let every = |value: fn(&Scores) -> f64| {
            middle(&|run| Some(value(&run.champion.scores))).expect("one has begun")
        };
        Evolved {
            test_cost: middle(&|run| Some(run.test_cost)).expect("one has begun"),
            squared_error: every(|scores| scores.squared_error),
            disorder: every(|scores| scores.disorder),
            nodes: every(|scores| scores.nodes as f64),
            against_blind: every(|scores| scores.against_blind),
            solved: every(|scores| scores.solved),
            length: middle(&|run| run.champion.scores.length),
        }
    }
}
