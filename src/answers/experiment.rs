//! How far an experiment is.

use std::path::PathBuf;

use serde::Serialize;

use crate::evolution::{Ended, Experiment, Folder, FolderError, Record, RunFolder};

/// What is known of an experiment.
#[derive(Serialize)]
#[non_exhaustive]
pub struct ExperimentSummary {
    /// As the experiment calls itself.
    pub name: String,
    /// Where it is.
    pub folder: PathBuf,
    /// Is a process at work on it?
    pub running: bool,
    /// Does the result not depend on the machine?
    pub reproducible: bool,
    /// Each run.
    pub runs: Vec<RunSummary>,
}

/// What is known of a run.
#[derive(Serialize)]
#[non_exhaustive]
pub struct RunSummary {
    /// Its number, from 1.
    pub run: u64,
    /// Why it ended; none if it has not.
    pub ended: Option<Ended>,
    /// That are done.
    pub generations: u64,
    /// How many there will be, if that is known.
    pub of: Option<u64>,
    /// Of the last generation.
    pub last: Option<Record>,
    /// The best formula.
    pub best: Option<String>,
}

impl ExperimentSummary {
    /// What the folder of an experiment says.
    pub fn of(folder: &Folder) -> Result<ExperimentSummary, FolderError> {
        let experiment = folder.experiment()?;
        let run = |run| Ok(RunSummary::of(&experiment, &folder.run(run)?, run)?.0);
        let runs = (1..=experiment.runs).map(run).collect::<Result<_, FolderError>>()?;
        Ok(ExperimentSummary {
            reproducible: experiment.is_reproducible(),
            name: experiment.name,
            folder: folder.path().to_owned(),
            running: folder.is_busy(),
            runs,
        })
    }
}

impl RunSummary {
    /// What the folder of a run says, with all its records.
    pub fn of(
        experiment: &Experiment,
        folder: &RunFolder,
        run: u64,
    ) -> Result<(RunSummary, Vec<Record>), FolderError> {
        let saved = folder.load()?;
        let records = folder.records(&saved)?;
        let summary = RunSummary {
            run,
            ended: experiment.stop.ended(&saved),
            generations: saved.state.generations,
            of: experiment.stop.generations,
            last: records.last().cloned(),
            best: saved.state.hall.first().map(|best| best.genome.simplified().to_string()),
        };
        Ok((summary, records))
    }
}
