//! `tailback survey`: some signatures searched and surveyed, and what all of them
//! would take.

use std::time::Duration;

use clap::{ArgGroup, Args};
use indicatif::HumanCount;
use serde::Serialize;
use tailback::catalogue::{Projection, Sample, Sampling};
use tailback::space::{SignatureId, Space, SpaceId};

use crate::shared::options::numbered_size;
use crate::shared::walls::Walls;
use crate::shared::{Failure, Global, Result, Threads, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback survey --size 7 --signatures 20 --most-boards 100000
                                       7×7, for which there is no table
  tailback survey --size 7 --signatures 20 --search-only --most-boards 10000000
                                       distances alone, whatever the memory
  tailback survey --signatures 50 --seed 3   of 6×6
  tailback survey --size 5 --signature 17 --signature 2000 --json

A signature is all boards whose rows hold vehicles of the same lengths in the same
order. Each is searched, its clusters are found, and the puzzles among them. From the
time this takes, that of all boards is estimated.";

/// Search and survey some signatures, and estimate the time of all of them
#[derive(Args)]
#[command(after_help = EXAMPLES, group(ArgGroup::new("which").required(true).args(["signatures", "signature"])))]
pub struct Survey {
    /// Rows and columns of the boards
    #[arg(long, default_value = "6", value_parser = numbered_size())]
    size: usize,
    #[command(flatten)]
    walls: Walls,
    /// A random sample of N signatures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    signatures: Option<u32>,
    /// The signature with this number, from 0 on; more than once: each of them
    #[arg(long, value_name = "NUMBER")]
    signature: Vec<u32>,
    /// The random seed: the same seed draws the same signatures
    #[arg(long, default_value_t = 1, value_name = "N", conflicts_with = "signature")]
    seed: u64,
    /// Search for distances alone, not for clusters and puzzles
    #[arg(long)]
    search_only: bool,
    /// Leave out signatures with more boards
    #[arg(long, value_name = "N")]
    most_boards: Option<u64>,
    /// Memory for clusters and puzzles, all threads together, four bytes a board: they wait
    /// for each other, and signatures that do not fit are left out
    #[arg(long, value_name = "GIB", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "search_only")]
    memory: u16,
    /// Begin none after so many minutes
    #[arg(long, value_name = "M")]
    minutes: Option<u32>,
    #[command(flatten)]
    threads: Threads,
}

/// What was found, and what is expected.
#[derive(Serialize)]
struct SurveyReport {
    size: usize,
    wall_cells: Vec<String>,
    signatures: u32,
    boards: u64,
    surveyed: usize,
    boards_surveyed: u64,
    largest_surveyed: u64,
    left_out: usize,
    largest_left_out: Option<u64>,
    clusters: Option<u64>,
    puzzles: Option<u64>,
    furthest: Option<Numbered>,
    hardest: Option<Numbered>,
    search: Option<Expected>,
    all: Option<Expected>,
}

#[derive(Serialize)]
struct Numbered {
    id: u64,
    board: String,
    moves: u32,
}

/// Boards a second on one core, and hours of one core for all boards.
#[derive(Serialize)]
struct Expected {
    boards_per_second: f64,
    core_hours: f64,
    core_hours_error: f64,
}

impl Survey {
    pub fn run(&self, global: &Global) -> Result<()> {
        let id = self.walls.space(self.size)?;
        let space = Space::of(id).map_err(|error| Failure::misused(error.to_string()))?;
        if space.signatures() == 0 {
            return Err(Failure::misused(format!("{id} has no board with a way out"))
                .advise("name other walls: one right of the primary closes its row"));
        }
        let sampling = Sampling {
            signatures: self.chosen(&space)?,
            search_only: self.search_only,
            most_boards: self.most_boards.unwrap_or(u64::MAX),
            memory: u64::from(self.memory) << 30,
            time: self.minutes.map(|minutes| Duration::from_secs(60 * u64::from(minutes))),
        };
        interrupt::listen(interrupt::WITH_WHAT_IS_KNOWN)?;
        let pool = self.threads.pool()?;
        let sample = pool.install(|| Watch::over(|watch| sampling.run(&space, watch)))?;
        let found = SurveyReport::new(&space, &sampling, &sample);
        output::tell(global, &found, || found.in_words(id))?;
        if interrupt::is_raised() { Err(Failure::interrupted()) } else { Ok(()) }
    }

    fn chosen(&self, space: &Space) -> Result<Vec<SignatureId>> {
        if let Some(count) = self.signatures {
            return Ok(Sampling::draw(space, count, self.seed));
        }
        if let Some(number) = self.signature.iter().find(|&&number| number >= space.signatures()) {
            return Err(Failure::misused(format!("there is no signature {number}")).advise(format!(
                "{} has signatures 0 to {}",
                space.id(),
                space.signatures() - 1
            )));
        }
        let mut chosen: Vec<SignatureId> = self.signature.iter().copied().map(SignatureId).collect();
        chosen.sort();
        chosen.dedup();
        Ok(chosen)
    }
}

impl SurveyReport {
    fn new(space: &Space, sampling: &Sampling, sample: &Sample) -> SurveyReport {
        let id = space.id();
        let expected = |projection: Option<Projection>| {
            projection.map(|Projection { speed, core_hours, error, .. }| Expected {
                boards_per_second: speed,
                core_hours,
                core_hours_error: error,
            })
        };
        let of_clusters = |count: u64| (!sampling.search_only).then_some(count);
        SurveyReport {
            size: id.size,
            wall_cells: id.wall_cells().map(|cell| cell.name(id.size)).collect(),
            signatures: space.signatures(),
            boards: space.boards(),
            surveyed: sample.surveyed.len(),
            boards_surveyed: sample.boards(),
            largest_surveyed: sample.surveyed.iter().map(|one| one.boards).max().unwrap_or(0),
            left_out: sample.left_out.len(),
            largest_left_out: sample.left_out.iter().map(|&(_, boards)| boards).max(),
            clusters: of_clusters(sample.clusters),
            puzzles: of_clusters(sample.puzzles),
            furthest: sample.furthest.as_ref().and_then(|furthest| {
                let (id, board) = (furthest.id, furthest.board.text());
                Some(Numbered { id, board, moves: furthest.distance.known()? })
            }),
            hardest: sample.hardest.as_ref().map(|puzzle| Numbered {
                id: puzzle.id(),
                board: puzzle.board_text().to_owned(),
                moves: puzzle.moves(),
            }),
            search: expected(sample.project(space.boards(), |one| Some(one.search))),
            all: expected(sample.project(space.boards(), |one| one.all)),
        }
    }

    fn in_words(&self, id: SpaceId) -> String {
        let mut text = format!(
            "{id}: {} signatures, {} boards\n{} signatures {}: {} boards, the largest {}",
            HumanCount(self.signatures.into()),
            HumanCount(self.boards),
            HumanCount(self.surveyed as u64),
            if self.clusters.is_some() { "surveyed" } else { "searched" },
            HumanCount(self.boards_surveyed),
            HumanCount(self.largest_surveyed),
        );
        if let (Some(clusters), Some(puzzles)) = (self.clusters, self.puzzles) {
            text += &format!("; {} clusters, {} puzzles", HumanCount(clusters), HumanCount(puzzles));
        }
        text += "\n";
        if let Some(largest) = self.largest_left_out {
            let (count, largest) = (HumanCount(self.left_out as u64), HumanCount(largest));
            text += &format!("{count} left out as too large, with up to {largest} boards\n");
        }
        for (what, board) in [("Furthest board", &self.furthest), ("Hardest puzzle", &self.hardest)] {
            if let Some(Numbered { id, board, moves }) = board {
                text += &format!("{what}: {moves} moves, #{id}, {board}\n");
            }
        }
        for (what, expected) in [("Search alone", &self.search), ("Search and survey", &self.all)] {
            let Some(Expected { boards_per_second, core_hours, core_hours_error }) = expected else {
                continue;
            };
            // What takes no hour is printed in seconds.
            let (unit, scale) = if *core_hours < 1.0 { ("seconds", 3600.0) } else { ("hours", 1.0) };
            text += &format!(
                "{what}: {:.2} million boards a second on one core; all boards {} ± {} {unit} of one core\n",
                boards_per_second / 1e6,
                rounded(scale * core_hours),
                rounded(scale * core_hours_error),
            );
        }
        text
    }
}

/// Three digits that count.
fn rounded(number: f64) -> String {
    match number {
        100.0.. => HumanCount(number.round() as u64).to_string(),
        1.0.. => format!("{number:.1}"),
        _ => format!("{number:.3}"),
    }
}
