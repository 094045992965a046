//! `tailback evolve boards`: boards that are hard, where no table lists them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use tailback::board::{MAX_SIZE, Metric};
use tailback::evolution::{HardBoard, HardBoardSearch, Hardness};

use crate::shared::columns::{Column, Columns};
use crate::shared::{Failure, Global, Result, Threads, Watch, interrupt, output, write_whole};

const EXAMPLES: &str = "\
Examples:
  tailback evolve boards --size 5
  tailback evolve boards --size 8 --limit 2000000 --count 30 --out hard.tsv
  tailback evolve boards --size 7 --by nodes --max-nodes 1000000

Every board is the farthest of its cluster, and its distance is exact. Clusters
of more boards than --limit are not looked at. The same options give the same
boards, whatever the number of threads.";

#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// Far from the exit
    Distance,
    /// Many nodes for a blind search (ida-tt)
    Nodes,
}

/// Breed boards that are hard
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Boards {
    /// Rows, and columns
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(4..=MAX_SIZE as i64))]
    size: u8,
    /// What makes a board hard
    #[arg(long, value_enum, default_value = "distance")]
    by: By,
    /// What a distance counts
    #[arg(long, default_value = "moves", value_parser = crate::shared::options::metric())]
    metric: Metric,
    /// How many of the hardest to print
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Boards in a generation
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    population: u32,
    /// Generations
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    generations: u64,
    /// The most boards of a cluster
    #[arg(long, value_name = "BOARDS", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// With --by nodes: the most nodes of a search
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_nodes: u64,
    /// The random seed: the same seed finds the same boards
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Write the boards to a file that `compare --set` reads
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer {
    size: u8,
    metric: Metric,
    generations: u64,
    clusters: u64,
    boards: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    board: String,
    distance: u32,
    vehicles: usize,
    cluster_boards: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

impl Boards {
    pub fn run(&self, global: &Global) -> Result<()> {
        let hunt = HardBoardSearch {
            size: usize::from(self.size),
            metric: self.metric,
            hardness: match self.by {
                By::Distance => Hardness::Distance,
                By::Nodes => Hardness::Nodes(self.max_nodes),
            },
            population: self.population as usize,
            generations: self.generations,
            limit: self.limit as usize,
            seed: self.seed,
        };
        interrupt::listen("stopping with the boards that are found; once more to stop at once")?;
        let pool = self.threads.pool()?;
        let bag = pool.install(|| Watch::over(|watch| hunt.run(watch)));
        let answer = Answer {
            size: self.size,
            metric: self.metric,
            generations: bag.generations,
            clusters: bag.clusters,
            boards: bag.boards.iter().take(self.count as usize).map(Row::of).collect(),
        };
        if let Some(path) = &self.out {
            write_whole(path, answer.listed().as_bytes())?;
        }
        output::tell(global, &answer, || answer.in_words())?;
        match bag.generations == self.generations {
            true => Ok(()),
            false => Err(Failure::cut_short(
                bag.generations as usize,
                Some(self.generations as usize),
                "generations",
            )),
        }
    }
}

impl Row {
    fn of(hard: &HardBoard) -> Row {
        Row {
            board: hard.board.text(),
            distance: hard.distance,
            vehicles: hard.board.vehicles().len(),
            cluster_boards: hard.cluster,
            nodes: hard.nodes,
        }
    }
}

impl Answer {
    /// As a set of puzzles.
    fn listed(&self) -> String {
        let mut text = format!("name\tboard\t{}\tcluster_boards\n", self.metric);
        for (number, row) in (1..).zip(&self.boards) {
            text += &format!(
                "{}x{}-{number}\t{}\t{}\t{}\n",
                self.size, self.size, row.board, row.distance, row.cluster_boards
            );
        }
        text
    }

    fn in_words(&self) -> String {
        let metric = self.metric.to_string();
        let columns = [
            Column::words("board"),
            Column::numbers(&metric),
            Column::numbers("vehicles"),
            Column::numbers("cluster"),
            Column::numbers("nodes"),
        ];
        let row = |row: &Row| {
            [
                row.board.clone(),
                row.distance.to_string(),
                row.vehicles.to_string(),
                row.cluster_boards.to_string(),
                row.nodes.map_or("-".to_owned(), |nodes| nodes.to_string()),
            ]
        };
        let table = Columns::of(columns, self.boards.iter().map(row)).text(output::width().max(100));
        format!("{table}\n{} clusters in {} generations\n", self.clusters, self.generations)
    }
}
