//! `tailback export`: boards with their exact distances, as a file.

mod choice;
mod instances;
mod report;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use indicatif::HumanCount;
use tailback::catalogue::Range;
use tailback::dataset::{
    self, Encoder, Extra, Files, Format, Labeller, Manifest, Misfit, Output, Recipe, Schema, Source, Split,
    Tables, Uneven,
};
use tailback::table::Table;

use crate::shared::options::{self, Metrics, metrics};
use crate::shared::output;
use crate::shared::output::STDOUT;
use crate::shared::{
    BoardOptions, Failure, Filters, Global, PuzzleOption, Result, Threads, Watch, filters, heuristics,
    interrupt,
};
use choice::Choice;

const EXAMPLES: &str = "\
Examples:
  tailback export hh-evolver --count 100000 --heuristics all --out boards.csv
  tailback export parquet --per-distance 10000 --metric both --out graded.parquet
  tailback export csv --count 1000000 --split train=80,valid=10,test=10 --out boards.csv
  tailback export jsonl --count 50 --distance 40.. --out hard.jsonl
  tailback export rush --from catalogue --moves 30.. --out puzzles.txt
  tailback export pddl --from boards.txt --metric both --out planning
  tailback export csv --whole-cluster '..B. AAB. .... ....' --out -
  tailback export hh-evolver --puzzle eight --per-distance 100 --out eight.csv

Which boards: --count, --per-distance, --from, --whole-cluster or
--whole-family. The same seed gives the same bytes, whatever the threads.
A manifest is written beside the file: FILE.manifest.json.

";

/// Write a dataset: boards with their exact distances
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}{}", filters::HELP))]
pub struct Export {
    /// The form of the dataset
    #[arg(value_parser = format())]
    format: &'static Format,
    #[command(flatten)]
    puzzle: PuzzleOption,
    /// Where to write; `-` is standard output, for text without a split
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Draw N boards at random, all equally likely
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = BOARDS)]
    count: Option<u64>,
    /// Draw N boards at every distance, all of them where there are fewer
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "count",
        value_parser = clap::value_parser!(u64).range(1..),
        help_heading = BOARDS
    )]
    per_distance: Option<u64>,
    /// Share --count among the distances by the square root of how many boards they have
    #[arg(long, requires = "count", conflicts_with = "per_distance", help_heading = BOARDS)]
    per_distance_weighted: bool,
    /// Only boards at these distances, with --count or --per-distance
    #[arg(long, value_name = "RANGE", help_heading = BOARDS)]
    distance: Option<Range>,
    /// The puzzles of the `catalogue`, or the boards of a file, one a line
    #[arg(long, value_name = "catalogue|FILE", conflicts_with = "per_distance", help_heading = BOARDS)]
    from: Option<PathBuf>,
    /// Every board that can be reached from this one
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["count", "per_distance", "from"], help_heading = BOARDS)]
    whole_cluster: Option<String>,
    /// Every board with the same vehicles in the same lines
    #[arg(
        long,
        value_name = "BOARD",
        conflicts_with_all = ["count", "per_distance", "from", "whole_cluster"],
        help_heading = BOARDS
    )]
    whole_family: Option<String>,
    /// Keep boards that cannot be solved
    #[arg(long, help_heading = BOARDS)]
    include_unsolvable: bool,
    /// What a distance counts
    #[arg(long, default_value = "moves", value_parser = metrics())]
    metric: Metrics,
    /// Columns with the values of heuristics, separated by commas: names or formulas, `all`, `features`
    #[arg(long, value_name = "LIST", value_parser = NonEmptyStringValueParser::new())]
    heuristics: Option<String>,
    /// More columns, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = options::one_of(EXTRAS))]
    with: Vec<Extra>,
    /// The random seed: the same seed draws the same boards
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Files for parts that share no family, such as train=80,valid=10,test=10: with --count alone at
    /// random, the same for all datasets of a seed; otherwise so that every distance has its shares
    #[arg(long, value_name = "PARTS")]
    split: Option<Split>,
    /// The random seed of --split: the same for all datasets that are used together
    #[arg(long, value_name = "S", default_value_t = 0, requires = "split")]
    split_seed: u64,
    /// The dataset's name, one line
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// What is in it, one line
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    options: BoardOptions,
    #[command(flatten)]
    filters: Filters,
}

const BOARDS: &str = "Which boards";

/// The columns that can be asked for.
const EXTRAS: &[(&str, &str, Extra)] = &[
    ("solution", "One shortest solution", Extra::Solution),
    ("best-moves", "All moves that lead nearer to the exit", Extra::BestMoves),
    ("family", "A number that all boards of a family share, and of its mirror image", Extra::Family),
    ("cluster", "A number that all boards of a cluster share; each row takes a search", Extra::Cluster),
];

fn format() -> impl TypedValueParser<Value = &'static Format> {
    let value = |format: &Format| PossibleValue::new(format.name).help(format.definition);
    PossibleValuesParser::new(Format::ALL.map(value))
        .map(|name| Format::named(&name).expect("the parser takes no other name"))
}

impl Export {
    pub fn run(&self, global: &Global) -> Result<()> {
        let started = Instant::now();
        let choice = self.choice(global)?;
        let reader = self.options.reader(global);
        let primary = if choice.is_own() { self.options.primary } else { Some('A') };
        let schema = self.schema()?;
        self.check_format(global, &schema)?;
        let shape = self.shape(&choice)?;
        let tables = self.tables(global, &choice, &schema)?;
        let tables: Vec<&Table> = tables.iter().collect();
        interrupt::listen("stopping, and leaving nothing behind; once more to stop at once")?;
        let targets = match is_stdout(&self.out) {
            true => Files::stream(Output::stream(STDOUT, Box::new(io::BufWriter::new(io::stdout())))),
            false => Files::open(&self.out, self.split.as_ref(), self.format)?,
        };
        let pool = self.threads.pool()?;
        let prober = self.options.prober(global);
        let made = pool.install(|| -> Result<_> {
            let catalogue = match choice {
                Choice::Catalogue(_) => Some(self.filters.ask(global)?.0),
                _ => None,
            };
            let drawn_from = Tables { by_metric: &tables };
            let which = (catalogue.as_ref(), shape.as_ref());
            let source = self.source(global, choice, &schema, drawn_from, which, (&prober, &reader))?;
            let fits = self.format.check(&schema, self.include_unsolvable, source.total);
            fits.map_err(|misfit| self.advice_on(misfit))?;
            let recipe = self.recipe(&schema, &source, primary);
            let about = recipe.about(self.name.as_deref(), self.description.as_deref());
            let encoder = Encoder::new(self.format, &schema, &about)?;
            let mut files = targets.begin(&encoder)?;
            let export = dataset::Export {
                labeller: Labeller { schema: &schema, seed: self.seed },
                encoder: &encoder,
                prober: &prober,
                bounds: self.options.bounds(),
                with_unsolvable: self.include_unsolvable,
                split: self.split.as_ref(),
                split_seed: self.split_seed,
                deals_out: !self.is_by_lot(),
            };
            let totals = Watch::over(|watch| export.run(source, &mut files, watch))?;
            Ok((totals, files.finish()?, recipe, about))
        });
        let (totals, files, recipe, about) = made?;
        if let (Some(split), Some(uneven)) = (&self.split, &totals.uneven)
            && !uneven.is_empty()
        {
            output::note(&self.about_shares(split, uneven));
        }
        // As it was typed, whatever the program is called on this machine.
        let typed = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        let manifest = Manifest::new(
            (self.format, &recipe, &about),
            ["tailback".to_owned()].into_iter().chain(typed).collect(),
            (&files, &totals),
            (&schema, self.split.as_ref()),
            // How many boards of a shape there are nobody has counted.
            tables.first().filter(|_| shape.is_none()).map(|table| table.header()),
        );
        let is_stream = files.is_stream();
        files.commit(&manifest)?;
        self.tell(global, &manifest, is_stream, started.elapsed())
    }

    /// Where families, which stay whole, leave no better shares.
    fn about_shares(&self, split: &Split, uneven: &[Uneven]) -> String {
        let metric = self.metric.0[0];
        let told = uneven.iter().map(|Uneven { distance, boards }| {
            let at = distance.known().map_or("unsolvable".to_owned(), |known| output::counted(known, metric));
            let parts =
                split.names().zip(boards).map(|(name, boards)| format!("{name} {}", HumanCount(*boards)));
            format!("{at}: {}", parts.collect::<Vec<_>>().join(", "))
        });
        format!(
            "note: families stay whole, so the shares are off by more than a board at {}: {}",
            match uneven.len() {
                1 => "one distance".to_owned(),
                many => format!("{many} distances"),
            },
            told.collect::<Vec<_>>().join("; ")
        )
    }

    fn schema(&self) -> Result<Schema> {
        let list = self.heuristics.as_deref().map(|list| heuristics::list(self.puzzle.named, list));
        let heuristics = list.transpose()?.unwrap_or_default();
        for (index, heuristic) in heuristics.iter().enumerate() {
            if heuristics[..index].contains(heuristic) {
                return Err(Failure::misused(format!("--heuristics names {heuristic} twice")));
            }
        }
        Ok(Schema { metrics: self.metric.0.clone(), heuristics, extras: self.with.clone() })
    }

    /// What a format has no room for.
    fn check_format(&self, global: &Global, schema: &Schema) -> Result<()> {
        let to_stdout = is_stdout(&self.out);
        let has_break = |text: &String| text.contains(['\n', '\r']);
        let ends_in_slash = self.out.as_os_str().as_encoded_bytes().ends_with(b"/");
        Failure::refuse([
            (
                to_stdout && !self.format.is_text(),
                "only text goes to standard output: name a file with --out",
            ),
            (to_stdout && self.split.is_some(), "the parts of a split need files: name one with --out"),
            (to_stdout && global.json, "--json describes a file: name one with --out"),
            (
                !to_stdout && self.out.file_name().is_none(),
                "the dataset needs a name: give it one with --out",
            ),
            (
                !self.format.is_folder && ends_in_slash,
                "only pddl makes a folder: name a file with --out, without / at its end",
            ),
            (
                [&self.name, &self.description].into_iter().flatten().any(has_break),
                "--name and --description are one line each: take the line breaks out",
            ),
        ])?;
        let fits = self.format.check(schema, self.include_unsolvable, None);
        fits.map_err(|misfit| self.advice_on(misfit))?;
        if let Some(other) = self.contradiction() {
            return Err(Failure::misused(format!(
                "{} is the name of a {other} file, and this is {}: name it otherwise, or export {other}",
                self.out.display(),
                self.format.name
            )));
        }
        Ok(())
    }

    /// Are boards drawn whatever their distances are? Then so many have each that the
    /// shares of parts hold by themselves.
    fn is_by_lot(&self) -> bool {
        self.count.is_some() && self.from.is_none() && self.distance.is_none() && !self.per_distance_weighted
    }

    /// A format that files of this name have, if it is not the one that is asked for.
    fn contradiction(&self) -> Option<&'static str> {
        let ending = self.out.extension()?.to_str()?.to_ascii_lowercase();
        let has_ending = |format: &Format| format.extensions.contains(&ending.as_str());
        // Of two that end so, the one that is called so.
        let others = || Format::ALL.into_iter().filter(|format| has_ending(format));
        let other = others().find(|format| format.name == ending).or_else(|| others().next())?;
        (!has_ending(self.format) && !is_stdout(&self.out)).then_some(other.name)
    }

    /// What to do if a format has no room.
    fn advice_on(&self, misfit: Misfit) -> Failure {
        let name = self.format.name;
        let told = match misfit {
            Misfit::Metrics => {
                format!("{name} has one h*: choose --metric moves or --metric steps, or export csv")
            }
            Misfit::OnlyMoves => format!("{name} counts moves: use --metric moves"),
            Misfit::Unsolvable => format!("{name} has no word for unsolvable boards: export csv"),
            Misfit::Heuristics => {
                let (with, without): (Vec<_>, Vec<_>) =
                    Format::ALL.into_iter().partition(|format| format.has_heuristics);
                let joined = |formats: Vec<&Format>, word: &str| {
                    let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
                    let (last, others) = names.split_last().expect("there are both");
                    format!("{}{word}{last}", others.join(", "))
                };
                let (without, with) = (joined(without, " and "), joined(with, " or "));
                format!("{without} have no columns for heuristics: export {with}")
            }
            Misfit::Rows(most) => {
                let most = HumanCount(most);
                format!("a {name} file has at most {most} rows: ask for fewer, or export csv")
            }
            Misfit::Instances => {
                format!("{name} is of boards of Rush Hour: export hh-evolver, csv, jsonl or parquet")
            }
            Misfit::Extras => format!(
                "{name} has no columns for moves, families and clusters: export csv, jsonl or parquet"
            ),
            misfit => misfit.to_string(),
        };
        Failure::misused(told)
    }

    fn tables(&self, global: &Global, choice: &Choice, schema: &Schema) -> Result<Vec<Table>> {
        let metrics = if choice.is_drawn() { &schema.metrics[..] } else { &[] };
        metrics.iter().map(|&metric| Ok(Table::open(&global.db(), self.filters.size(), metric)?)).collect()
    }

    fn recipe<E>(&self, schema: &Schema, source: &Source<'_, E>, primary: Option<char>) -> Recipe {
        let puzzle = self.puzzle.named;
        Recipe {
            puzzle: (!puzzle.has_boards()).then(|| puzzle.name()),
            metrics: schema.metrics.to_vec(),
            size: source.size,
            rules: source.rules,
            boards: source.boards.clone(),
            primary,
            seed: self.seed,
            include_unsolvable: self.include_unsolvable,
            split: self.split.as_ref().map(ToString::to_string),
            split_seed: self.split.as_ref().map(|_| self.split_seed),
            heuristics: schema.heuristics.iter().map(ToString::to_string).collect(),
            builder: Recipe::builder(),
        }
    }
}

/// Is it standard output, under one of its names?
fn is_stdout(out: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| out == Path::new(name))
}
