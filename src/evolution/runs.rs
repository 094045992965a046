//! The runs of an experiment, one after the other, each on all cores.

use std::path::Path;
use std::time::Instant;

use rustc_hash::FxHashMap;

use super::champion::shortened;
use super::data::{DataError, Loaded, Sources};
use super::experiment::{Experiment, Stop};
use super::fitness::{Aim, Arena, FalseDistance, FitnessError, Judge, Sample};
use super::folder::{Folder, FolderError, Saved};
use super::population::{Evolution, Individual, Record};
use crate::formula::Heuristic;
use crate::progress::{Observer, Progress};
use crate::puzzles::{Labelled, PuzzleError, Settings};
use crate::random;
use crate::search::Limits;

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All generations are done.
    Generations,
    /// As many formulas were judged as may be.
    Evaluations,
    /// The time is over.
    Seconds,
    /// The best is good enough.
    Target,
    /// Nothing better has come for long.
    Stale,
}

/// Why runs did not end well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// There are no boards.
    #[error(transparent)]
    Data(Box<DataError>),
    /// The puzzle cannot be used.
    #[error(transparent)]
    Puzzle(Box<PuzzleError>),
    /// A formula has no cost.
    #[error(transparent)]
    Fitness(Box<FitnessError>),
    /// A distance of a board is wrong.
    #[error(transparent)]
    FalseDistance(#[from] FalseDistance),
    /// There is no order within families to be kept.
    #[error("no family has two boards at different distances, so there is no order within families")]
    NoOrder,
    /// The observer wanted to stop; all generations that are done are saved.
    #[error("interrupted")]
    Stopped,
}

impl From<PuzzleError> for RunError {
    fn from(error: PuzzleError) -> RunError {
        match error {
            PuzzleError::Stopped => RunError::Stopped,
            error => RunError::Puzzle(Box::new(error)),
        }
    }
}

impl From<FitnessError> for RunError {
    fn from(error: FitnessError) -> RunError {
        RunError::Fitness(Box::new(error))
    }
}

impl From<DataError> for RunError {
    fn from(error: DataError) -> RunError {
        match error {
            DataError::Puzzle(PuzzleError::Stopped) => RunError::Stopped,
            error => RunError::Data(Box::new(error)),
        }
    }
}

impl Stop {
    /// Is a run over?
    pub fn ended(&self, saved: &Saved) -> Option<Ended> {
        let Saved { state, seconds } = saved;
        let is_at = |limit: Option<u64>, now: u64| limit.is_some_and(|limit| now >= limit);
        let best = state.hall.first().map(|best| best.cost);
        match () {
            () if best.zip(self.target).is_some_and(|(best, target)| best <= target) => Some(Ended::Target),
            () if is_at(self.generations, state.generations) => Some(Ended::Generations),
            () if is_at(self.evaluations, state.evaluations) => Some(Ended::Evaluations),
            () if is_at(self.stale, state.stale) => Some(Ended::Stale),
            () if self.seconds.is_some_and(|most| *seconds >= most) => Some(Ended::Seconds),
            () => None,
        }
    }
}

/// Who judges the formulas of an experiment.
pub struct Judges {
    training: Judge,
    test: Judge,
}

impl Judges {
    /// Asks the building blocks about all boards.
    pub fn new(
        experiment: &Experiment,
        train: &[Labelled],
        test: &[Labelled],
        observer: &dyn Observer,
    ) -> Result<Judges, RunError> {
        let training = judge(experiment, train, observer)?;
        let test = judge(experiment, test, observer)?;
        if observer.wants_stop() { Err(RunError::Stopped) } else { Ok(Judges { training, test }) }
    }
}

/// Does the runs of an experiment.
pub struct Runner {
    folder: Folder,
    experiment: Experiment,
    judges: Judges,
}

impl Runner {
    /// For the runs of a folder.
    pub fn new(folder: Folder, experiment: Experiment, judges: Judges) -> Runner {
        Runner { folder, experiment, judges }
    }

    /// Begins an experiment: finds its boards, asks the building blocks about them, and
    /// makes its folder if they can be judged by. `text` is what was read as the
    /// experiment.
    pub fn begin(
        path: &Path,
        text: &str,
        experiment: Experiment,
        sources: &Sources,
    ) -> Result<Runner, RunError> {
        Folder::check_new(path)?;
        let loaded = sources.load(&experiment)?;
        if loaded.left_out > 0 {
            sources.observer.noted(&format!(
                "{} training boards left out: their families are to be kept apart",
                loaded.left_out
            ));
        }
        let Loaded { train, test, .. } = &loaded;
        let judges = Judges::new(&experiment, train, test, sources.observer)?;
        Ok(Runner::new(Folder::create(path, text, &loaded)?, experiment, judges))
    }

    /// Goes on with the experiment of a folder.
    pub fn resume(path: &Path, settings: &Settings, observer: &dyn Observer) -> Result<Runner, RunError> {
        let folder = Folder::open(path)?;
        let experiment = folder.experiment()?;
        let oracle = experiment.open(settings)?;
        let (train, test) = (folder.train(&*oracle)?, folder.test(&*oracle)?);
        let judges = Judges::new(&experiment, &train, &test, observer)?;
        Ok(Runner::new(folder, experiment, judges))
    }

    /// Where everything is kept.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// What is bred.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Does what is left of all runs, and writes the best formula of all into the
    /// folder.
    pub fn run(&self, observer: &dyn Observer) -> Result<Vec<Ended>, RunError> {
        let mut before = 0;
        for run in 1..=self.experiment.runs {
            before += self.folder.run(run)?.load()?.state.generations;
        }
        let each = self.experiment.stop.generations;
        let tell = |run: u64, record: &Record| {
            let done = each.unwrap_or(0) * (run - 1) + record.generation + 1;
            let total = each.map(|each| each * self.experiment.runs);
            observer.advanced(Progress { unit: "generations", done, before, total });
        };
        let ended = (1..=self.experiment.runs).map(|run| self.one(run, observer, &tell));
        let ended = ended.collect::<Result<_, _>>()?;
        self.write_best()?;
        Ok(ended)
    }

    /// Writes the best formula of all runs into the folder: the one that costs
    /// least in training, of equal ones the first.
    fn write_best(&self) -> Result<(), RunError> {
        let mut best: Option<(u64, Individual)> = None;
        for run in 1..=self.experiment.runs {
            let Some(champion) = self.folder.run(run)?.load()?.state.hall.into_iter().next() else {
                continue;
            };
            if best.as_ref().is_none_or(|(_, best)| champion.cost < best.cost) {
                best = Some((run, champion));
            }
        }
        let Some((run, champion)) = best else { return Ok(()) };
        let aim = self.experiment.breeding.aims[0].0;
        let test = self.judges.test.cost(aim, &champion.genome)?;
        let samples = [&self.judges.training.sample, &self.judges.test.sample];
        let short = shortened(&champion.genome, &samples).map_err(FitnessError::from)?;
        let short = short.map_or_else(String::new, |short| {
            format!("# the same on all boards of this experiment, not on all there are: {short}\n")
        });
        let text = format!(
            "# {}: individual {} of run {run}, bred in generation {}\n# cost {} in training, {test} in the test\n\
             {short}{}\n",
            self.experiment.name,
            champion.id,
            champion.born,
            champion.cost,
            champion.genome.simplified()
        );
        Ok(self.folder.write_best(&text)?)
    }

    fn one(
        &self,
        run: u64,
        observer: &dyn Observer,
        tell: &impl Fn(u64, &Record),
    ) -> Result<Ended, RunError> {
        let folder = self.folder.run(run)?;
        let mut saved = folder.load()?;
        let Saved { state, .. } = &mut saved;
        let mut individuals = state.population.iter_mut().chain(&mut state.hall);
        if !individuals.all(|individual| self.experiment.breeder.restore(&mut individual.genome)) {
            return Err(folder.damaged("a formula is none that this experiment breeds").into());
        }
        folder.prepare(&saved)?;
        let evolution = Evolution {
            breeder: &self.experiment.breeder,
            breeding: &self.experiment.breeding,
            training: &self.judges.training,
            test: &self.judges.test,
            seed: random::draw(self.experiment.seed, run),
            observer,
        };
        loop {
            if let Some(ended) = self.experiment.stop.ended(&saved) {
                return Ok(ended);
            }
            let started = Instant::now();
            let before = saved.seconds;
            let Some(mut record) = evolution.advance(&mut saved.state)? else {
                return Err(RunError::Stopped);
            };
            saved.seconds = before + started.elapsed().as_secs_f64();
            record.seconds = saved.seconds;
            folder.save(&saved, &record)?;
            tell(run, &record);
        }
    }
}

/// Prepares some boards for all aims of an experiment.
pub fn judge(
    experiment: &Experiment,
    boards: &[Labelled],
    observer: &dyn Observer,
) -> Result<Judge, RunError> {
    let sample = Sample::new(boards, &experiment.blocks(), experiment.seed, observer)?;
    let ranks_within = experiment.breeding.aims.iter().any(|(aim, _)| *aim == Aim::RankWithin);
    if ranks_within && !sample.has_order_within() {
        return Err(RunError::NoOrder);
    }
    let needs_search = experiment.breeding.aims.iter().any(|(aim, _)| aim.needs_search());
    let prepared = || arena(experiment, &searched(experiment, boards), &experiment.blocks(), observer);
    let arena = needs_search.then(prepared).transpose()?;
    Ok(Judge { sample, arena, weighing: experiment.search.weighing })
}

/// One search may store so much: thousands of times what a board of 6×6 needs.
const SEARCH_MEMORY: usize = 2 << 30;

/// Prepares some boards to be searched as an experiment says, again and again
/// with these building blocks.
pub(super) fn arena(
    experiment: &Experiment,
    boards: &[Labelled],
    blocks: &[Heuristic],
    observer: &dyn Observer,
) -> Result<Arena, PuzzleError> {
    let plan = &experiment.search;
    let time = plan.seconds.map(std::time::Duration::from_secs_f64);
    let limits = Limits { nodes: plan.nodes, time, memory: Some(SEARCH_MEMORY), ..Limits::default() };
    Arena::new(boards, blocks, plan.algorithm, limits, observer)
}

/// As many boards as an experiment searches, each of another family.
pub(super) fn searched(experiment: &Experiment, boards: &[Labelled]) -> Vec<Labelled> {
    let hardest = farthest(boards);
    // Evenly from all: boards may come by rising distance.
    let count = experiment.search.boards.min(hardest.len());
    (0..count).map(|place| hardest[place * hardest.len() / count].clone()).collect()
}

/// Of each family the farthest board, in the order in which families come.
fn farthest(boards: &[Labelled]) -> Vec<&Labelled> {
    let mut places: FxHashMap<u64, usize> = FxHashMap::default();
    let mut farthest: Vec<&Labelled> = Vec::new();
    for labelled in boards {
        let place = *places.entry(labelled.instance.group()).or_insert(farthest.len());
        match farthest.get_mut(place) {
            None => farthest.push(labelled),
            Some(known) if known.distance < labelled.distance => *known = labelled,
            Some(_) => {}
        }
    }
    farthest
}
