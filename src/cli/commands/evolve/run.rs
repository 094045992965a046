//! `tailback evolve run` and `resume`: the runs of an experiment.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use tailback::answers::ExperimentSummary;
use tailback::evolution::{Experiment, Folder, RunError, Runner, Sources};

use super::status::in_words;
use crate::shared::board_options::settings;
use crate::shared::{Failure, Global, Result, Threads, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback evolve run policy.toml --out policy
  tailback evolve run policy.toml --out ten --runs 10 --threads 2

Ctrl-C pauses: every generation that is done is saved, and `tailback evolve
resume DIR` goes on. The same experiment gives the same result, whatever the
number of threads and interruptions.";

/// Run an experiment
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Run {
    /// The experiment, a TOML file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder for its results, new or empty
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Independent runs, instead of what the experiment says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    runs: Option<u64>,
    #[command(flatten)]
    threads: Threads,
}

/// Go on with an experiment
#[derive(Args)]
pub struct Resume {
    /// The folder of the experiment
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    threads: Threads,
}

impl Run {
    pub fn run(&self, global: &Global) -> Result<()> {
        let text = fs::read_to_string(&self.file).map_err(|error| {
            Failure::of(&error).about(format_args!("cannot read {}", self.file.display()))
        })?;
        let text = self.runs.map_or(text.clone(), |runs| with_runs(&text, runs));
        let wrong = |error| Failure::misused(format!("{}, {error}", self.file.display()));
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let text = Experiment::with_formulas(&text, folder).map_err(wrong)?;
        let experiment = Experiment::parse(&text).map_err(wrong)?;
        Folder::check_new(&self.out)?;
        go_on(global, self.threads, |watch| {
            let sources = Sources { folder, settings: &settings(global), observer: watch };
            Runner::begin(&self.out, &text, experiment, &sources)
        })
    }
}

impl Resume {
    pub fn run(&self, global: &Global) -> Result<()> {
        go_on(global, self.threads, |watch| Runner::resume(&self.folder, &settings(global), watch))
    }
}

/// Does what is left of all runs, and reports their results.
fn go_on(
    global: &Global,
    threads: Threads,
    prepare: impl FnOnce(&Watch) -> Result<Runner, RunError> + Send,
) -> Result<()> {
    interrupt::listen("pausing after what is done; once more to stop at once")?;
    threads.pool()?.install(|| {
        let runner = Watch::over(prepare)?;
        if !runner.experiment().is_reproducible() {
            output::note("limits in seconds: the result depends on the machine");
        }
        let done = Watch::over(|watch| runner.run(watch));
        let folder = runner.folder();
        let summary = ExperimentSummary::of(folder)?;
        if matches!(done, Ok(_) | Err(RunError::Stopped)) {
            output::tell(global, &summary, || in_words(&summary))?;
        }
        match done {
            Err(RunError::Stopped) => {
                let again = format!("go on with: tailback evolve resume {}", folder.path().display());
                Err(Failure::interrupted().advise(again).after_answers())
            }
            done => Ok(done.map(drop)?),
        }
    })
}

/// The text of an experiment with another number of runs.
fn with_runs(text: &str, runs: u64) -> String {
    let is_table = |line: &&str| line.trim_start().starts_with('[');
    let is_runs = |line: &str| {
        line.trim_start().strip_prefix("runs").is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let head = text.lines().take_while(|line| !is_table(line)).filter(|line| !is_runs(line));
    let rest = text.lines().skip_while(|line| !is_table(line));
    let ours = format!("runs = {runs}");
    let lines: Vec<&str> = head.chain([ours.as_str(), ""]).chain(rest).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_runs_is_replaced() {
        let text = "name = \"a\"\nruns = 3 # three\n\n[stop]\nruns = 7\n";
        assert_eq!(with_runs(text, 5), "name = \"a\"\n\nruns = 5\n\n[stop]\nruns = 7\n");
        let example = with_runs(tailback::evolution::EXAMPLE, 4);
        assert_eq!(Experiment::parse(&example).unwrap().runs, 4);
    }
}
