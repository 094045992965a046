//! `tailback evolve status`: how far an experiment is.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tailback::evolution::{Ended, Folder, Record};

use crate::cli::shared::columns::{Column, Columns};
use crate::cli::shared::{Global, Result, output};

/// Tell how far an experiment is
#[derive(Args)]
pub struct Status {
    /// The folder of the experiment
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// What is known of an experiment.
#[derive(Serialize)]
pub struct Summary {
    name: String,
    folder: PathBuf,
    reproducible: bool,
    runs: Vec<RunSummary>,
}

#[derive(Serialize)]
struct RunSummary {
    run: u64,
    /// Why it ended; none if it has not.
    ended: Option<Ended>,
    generations: u64,
    of: Option<u64>,
    /// Of the last generation.
    last: Option<Record>,
    best: Option<String>,
}

impl Status {
    pub fn run(&self, global: &Global) -> Result<()> {
        let summary = Summary::of(&Folder::look(&self.folder)?)?;
        Ok(output::tell(global, &summary, || summary.in_words())?)
    }
}

impl Summary {
    pub fn of(folder: &Folder) -> Result<Summary> {
        let experiment = folder.experiment()?;
        let mut runs = Vec::new();
        for run in 1..=experiment.runs {
            let of_run = folder.run(run)?;
            let saved = of_run.load()?;
            runs.push(RunSummary {
                run,
                ended: experiment.stop.ended(&saved),
                generations: saved.state.generations,
                of: experiment.stop.generations,
                last: of_run.records(&saved)?.pop(),
                best: saved.state.hall.first().map(|best| best.genome.simplified().to_string()),
            });
        }
        let reproducible = experiment.is_reproducible();
        Ok(Summary { name: experiment.name, folder: folder.path().to_owned(), reproducible, runs })
    }

    pub fn in_words(&self) -> String {
        let columns = [
            Column::numbers("run"),
            Column::words("state"),
            Column::numbers("generations"),
            Column::numbers("judged"),
            Column::numbers("best"),
            Column::numbers("test"),
            Column::numbers("parts"),
            Column::numbers("seconds"),
        ];
        let row = |run: &RunSummary| {
            let state = match (&run.ended, run.generations) {
                (Some(ended), _) => format!("ended: {}", output::to_json(ended).trim_matches('"')),
                (None, 0) => "not begun".to_owned(),
                (None, _) => "paused or running".to_owned(),
            };
            let generations = match run.of {
                Some(of) => format!("{} of {of}", run.generations),
                None => run.generations.to_string(),
            };
            let number = |value: fn(&Record) -> String| run.last.as_ref().map_or("-".to_owned(), value);
            [
                run.run.to_string(),
                state,
                generations,
                number(|record| record.evaluations.to_string()),
                number(|record| format!("{:.4}", record.champion)),
                number(|record| format!("{:.4}", record.test)),
                number(|record| format!("{:.1}", record.parts)),
                number(|record| format!("{:.1}", record.seconds)),
            ]
        };
        let table = Columns::of(columns, self.runs.iter().map(row)).text(output::width());
        format!("{}\n\n{table}", self.name)
    }
}
