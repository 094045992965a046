//! Options that commands have in common.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tailback::board::Metric;
use tailback::dataset::PerMetric;
use tailback::render::pdf;

/// Options of every command.
#[derive(Args)]
pub struct Global {
    /// The folder of the tables and catalogues [default: db, or the user's data folder if there is no db]
    #[arg(long = "db", global = true, value_name = "DIR", env = "TAILBACK_DB", display_order = 100)]
    named: Option<PathBuf>,
    /// Print JSON, errors too
    #[arg(long, global = true, display_order = 101)]
    pub json: bool,
    /// No progress and no notes, errors only
    #[arg(long, short, global = true, display_order = 102)]
    pub quiet: bool,
}

impl Global {
    /// The folder to read from: the one that is named, `db` here, or the data folder
    /// of the user. If there is none of them, the first that could be.
    pub fn db(&self) -> PathBuf {
        let here = self.new_db();
        match (&self.named, data_folder()) {
            (None, Some(folder)) if !here.exists() && folder.exists() => folder,
            _ => here,
        }
    }

    /// The folder to build in: the one that is named, or `db` here.
    pub fn new_db(&self) -> PathBuf {
        self.named.clone().unwrap_or_else(|| PathBuf::from("db"))
    }
}

/// Where programs keep the data of a user, and ours.
fn data_folder() -> Option<PathBuf> {
    let var = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = match () {
        () if cfg!(windows) => var("LOCALAPPDATA"),
        () if cfg!(target_os = "macos") => var("HOME").map(|home| home.join("Library/Application Support")),
        () => var("XDG_DATA_HOME").or_else(|| var("HOME").map(|home| home.join(".local/share"))),
    };
    folder.map(|folder| folder.join("tailback"))
}

/// Reads one of some words, each with what the help says of it and what it stands for.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    words: &'static [(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let value = |(word, help, _): &(&'static str, &'static str, T)| match help.is_empty() {
        true => PossibleValue::new(*word),
        false => PossibleValue::new(*word).help(*help),
    };
    PossibleValuesParser::new(words.iter().map(value))
        .map(move |found| words.iter().find(|(word, ..)| *word == found).expect("it is one of them").2)
}

/// The paper of a PDF.
pub const PAPERS: &[(&str, &str, pdf::Paper)] =
    &[("a4", "", pdf::Paper::A4), ("letter", "", pdf::Paper::Letter)];

/// Reads `moves` or `steps`, and lists both in the help.
pub fn metric() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::new(["moves", "steps"]).map(|name| name.parse().expect("both are metrics"))
}

/// One metric, or both.
#[derive(Clone)]
pub struct Metrics(pub PerMetric<Metric>);

/// Reads `moves`, `steps` or `both`.
pub fn metrics() -> impl TypedValueParser<Value = Metrics> {
    PossibleValuesParser::new(["moves", "steps", "both"]).map(|name| match name.parse() {
        Ok(metric) => Metrics(PerMetric::from_iter([metric])),
        Err(_) => Metrics([Metric::Moves, Metric::Steps].into_iter().collect()),
    })
}

/// What can be done with larger boards.
pub const TOO_MANY: &str = "7×7 has 683,673,325,268,506 boards, too many for a table or one machine; \
    `tailback solve` searches single boards of it, `tailback survey --size 7` some signatures, and \
    `tailback plan --only counts --size 7` cuts all of them into shards and estimates the time";

/// Reads the size of a tabulated board.
pub fn size() -> impl TypedValueParser<Value = usize> {
    let tabulated = ["4", "5", "6"].map(PossibleValue::new);
    let others = ["7"].map(|size| PossibleValue::new(size).hide(true));
    PossibleValuesParser::new(tabulated.into_iter().chain(others)).try_map(|size| match &size[..] {
        "7" => Err(TOO_MANY),
        size => Ok(size.parse().expect("all others are numbers")),
    })
}

/// Reads the size of a board that has a number.
pub fn numbered_size() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(["4", "5", "6", "7"]).map(|size| size.parse().expect("all are numbers"))
}
