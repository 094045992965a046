//! `tailback evolve status`: how far an experiment is.

use std::path::PathBuf;

use clap::Args;
use tailback::answers::{ExperimentSummary, RunSummary};
use tailback::evolution::{Folder, Record};

use crate::shared::columns::{Column, Columns};
use crate::shared::{Global, Result, output};

/// Report how far an experiment is
#[derive(Args)]
pub struct Status {
    /// The folder of the experiment
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Status {
    pub fn run(&self, global: &Global) -> Result<()> {
        let summary = ExperimentSummary::of(&Folder::look(&self.folder)?)?;
        Ok(output::tell(global, &summary, || in_words(&summary))?)
    }
}

/// The summary as a table.
pub fn in_words(summary: &ExperimentSummary) -> String {
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
            (None, _) if summary.running => "running".to_owned(),
            (None, _) => "paused".to_owned(),
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
    let table = Columns::of(columns, summary.runs.iter().map(row)).text(output::width());
    format!("{}\n\n{table}", summary.name)
}
