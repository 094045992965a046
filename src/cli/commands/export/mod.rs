//! `tailback export`: boards with their exact distances, as a file.

mod boards;
mod drawn;
mod files;
mod told;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use arrayvec::ArrayVec;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use indicatif::HumanCount;
use tailback::board::Metric;
use tailback::catalogue::Range;
use tailback::dataset::{self, Form, Format, Labeller, Recipe, Schema, Split, parquet};
use tailback::domains::rush_hour::Heuristic;
use tailback::table::Table;

use crate::cli::shared::filters::{self, Filters};
use crate::cli::shared::finder::Finder;
use crate::cli::shared::list::{self, List};
use crate::cli::shared::options::Global;
use crate::cli::shared::progress::Meter;
use crate::cli::shared::{exit, interrupt, threads};
use boards::{Choice, Source};
use files::Files;

const EXAMPLES: &str = "\
Examples:
  tailback export hh-evolver --count 100000 --heuristics all --out boards.csv
  tailback export parquet --per-distance 10000 --metric both --out graded.parquet
  tailback export csv --count 1000000 --split train=80,valid=10,test=10 --out boards.csv
  tailback export jsonl --count 50 --distance 40.. --out hard.jsonl
  tailback export rush --from catalogue --moves 30.. --out puzzles.txt
  tailback export pddl --from boards.txt --metric both --out planning
  tailback export csv --whole-cluster '..B. AAB. .... ....' --out -

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
    format: Format,
    /// Where to write; `-` is standard output, for text without a split
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Draw so many boards by lot, all equally likely
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = BOARDS)]
    count: Option<u64>,
    /// Draw so many boards at every distance, all of them where there are fewer
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
    /// Columns with the values of heuristics, apart by commas, or `all`
    #[arg(long, value_name = "LIST", value_parser = list::heuristics)]
    heuristics: Option<List<Heuristic>>,
    /// Which lot: the same seed draws the same boards
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Files for parts that share no family, such as train=80,valid=10,test=10
    #[arg(long, value_name = "PARTS")]
    split: Option<Split>,
    /// Which families go where: the same for all datasets that are used together
    #[arg(long, value_name = "S", default_value_t = 0, requires = "split")]
    split_seed: u64,
    /// The dataset's name, one line
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// What is in it, one line
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    finder: Finder,
    #[command(flatten)]
    filters: Filters,
}

const BOARDS: &str = "Which boards";

fn format() -> impl TypedValueParser<Value = Format> {
    let value = |format: Format| PossibleValue::new(format.name()).help(format.definition());
    PossibleValuesParser::new(Format::ALL.map(value)).map(|name| {
        let format = Format::ALL.into_iter().find(|format| format.name() == name);
        format.expect("the parser takes no other name")
    })
}

/// One metric, or both.
#[derive(Clone)]
struct Metrics(ArrayVec<Metric, 2>);

fn metrics() -> impl TypedValueParser<Value = Metrics> {
    PossibleValuesParser::new(["moves", "steps", "both"]).map(|name| match name.parse() {
        Ok(metric) => Metrics(ArrayVec::from_iter([metric])),
        Err(_) => Metrics([Metric::Moves, Metric::Steps].into()),
    })
}

impl Export {
    pub fn run(&self, global: &Global) -> anyhow::Result<()> {
        let started = Instant::now();
        let choice = self.choice()?;
        let schema = self.schema()?;
        self.check_form(global, &schema)?;
        let tables = self.tables(global, &choice, &schema)?;
        let tables: Vec<&Table> = tables.iter().collect();
        let stop = interrupt::listen("stopping, and leaving nothing behind; once more to stop at once")?;
        let places = Files::open(&self.out, self.split.as_ref(), self.format)?;
        let pool = threads::pool(self.threads)?;
        let prober = self.finder.prober(global);
        let meter = OnceLock::new();
        let made = pool.install(|| -> anyhow::Result<_> {
            let catalogue = match choice {
                Choice::Catalogue(_) => Some(self.filters.catalogue(global)?),
                _ => None,
            };
            // Of boards that are drawn, finding them takes most of the time, but
            // for the forms that take long over every row.
            let counts_found = choice.is_drawn() && !matches!(self.format, Format::Rush | Format::Pddl);
            let add = |is_counted: bool, boards: u64| {
                meter.get().filter(|_| is_counted).inspect(|meter: &&Meter| meter.add(boards));
            };
            let found = |boards| add(counts_found, boards);
            let source = self.source(global, choice, &schema, &tables, catalogue.as_ref(), (stop, &found))?;
            if self.format == Format::Parquet && source.total.is_some_and(|total| total > parquet::MOST_ROWS)
            {
                let most = HumanCount(parquet::MOST_ROWS);
                let told = format!("a Parquet file has at most {most} rows: ask for fewer, or export csv");
                return Err(exit::BadRequest(told).into());
            }
            let recipe = self.recipe(&schema, &source);
            let about = self.about(&recipe);
            let form = Form::new(self.format, &schema, &about, prober.bounds());
            let mut files = places.begin(&form)?;
            let export = dataset::Export {
                labeller: Labeller { schema: &schema, seed: self.seed },
                form: &form,
                prober: &prober,
                with_unsolvable: self.include_unsolvable,
                split: self.split.as_ref(),
                split_seed: self.split_seed,
                stop,
            };
            let meter = meter.get_or_init(|| match source.total {
                Some(total) => Meter::new("boards", total, 0, Instant::now()),
                None => Meter::endless("boards", Instant::now()),
            });
            let totals = export.run(source.batches, &mut files.each, |boards| add(!counts_found, boards));
            meter.finish();
            Ok((totals?, files.finish()?, recipe, about))
        });
        let (totals, done, recipe, about) = made?;
        let header = tables.first().map(|table| table.header());
        let manifest = self.manifest((&about, &recipe, &schema), &totals, &done, header);
        let is_stream = done.is_stream();
        done.commit(&manifest)?;
        self.tell(global, &manifest, is_stream, started.elapsed())
    }

    fn schema(&self) -> anyhow::Result<Schema> {
        let heuristics = self.heuristics.as_ref().map_or(Vec::new(), |list| list.0.clone());
        for (index, heuristic) in heuristics.iter().enumerate() {
            if heuristics[..index].contains(heuristic) {
                return Err(exit::BadRequest(format!("--heuristics names {heuristic} twice")).into());
            }
        }
        Ok(Schema { metrics: self.metric.0.clone(), heuristics })
    }

    /// What a form has no room for.
    fn check_form(&self, global: &Global, schema: &Schema) -> Result<(), exit::Usage> {
        let is_text = !matches!(self.format, Format::Parquet | Format::Pddl);
        let to_stdout = files::is_stdout(&self.out);
        let has_break = |text: &String| text.contains(['\n', '\r']);
        let problem = match self.format {
            _ if to_stdout && !is_text => "only text goes to standard output: name a file with --out",
            _ if to_stdout && self.split.is_some() => "the parts of a split need files: name one with --out",
            _ if to_stdout && global.json => "--json tells of a file: name one with --out",
            _ if !to_stdout && self.out.file_name().is_none() => {
                "the dataset needs a name: give it one with --out"
            }
            _ if self.format != Format::Pddl && self.out.as_os_str().as_encoded_bytes().ends_with(b"/") => {
                "only pddl makes a folder: name a file with --out, without / at its end"
            }
            _ if [&self.name, &self.description].into_iter().flatten().any(has_break) => {
                "--name and --description are one line each: take the line breaks out"
            }
            Format::HhEvolver if schema.metrics.len() > 1 => {
                "hh-evolver has one h*: choose --metric moves or --metric steps, or export csv"
            }
            Format::Rush if schema.metrics[..] != [Metric::Moves] => "rush counts moves: use --metric moves",
            Format::Rush if self.include_unsolvable => "rush has no word for unsolvable boards: export csv",
            Format::Rush | Format::Pddl if self.heuristics.is_some() => {
                "rush and pddl have no columns for heuristics: export csv, jsonl, parquet or hh-evolver"
            }
            _ => return Ok(()),
        };
        Err(exit::Usage(problem))
    }

    fn tables(&self, global: &Global, choice: &Choice, schema: &Schema) -> anyhow::Result<Vec<Table>> {
        let mut tables = Vec::new();
        if choice.is_drawn() {
            for &metric in &schema.metrics {
                tables.push(Table::open(&global.db, self.filters.size(), metric)?);
            }
        }
        Ok(tables)
    }

    fn recipe(&self, schema: &Schema, source: &Source) -> Recipe {
        Recipe {
            metrics: schema.metrics.to_vec(),
            size: source.size,
            rules: source.rules,
            boards: source.boards.clone(),
            primary: self.finder.primary,
            seed: self.seed,
            include_unsolvable: self.include_unsolvable,
            split: self.split.as_ref().map(ToString::to_string),
            split_seed: self.split.as_ref().map(|_| self.split_seed),
            heuristics: schema.heuristics.iter().map(ToString::to_string).collect(),
            builder: Recipe::builder(),
        }
    }
}
