//! Where the boards of a dataset come from.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::anyhow;
use arrayvec::ArrayVec;
use indicatif::HumanCount;
use memmap2::Mmap;
use tailback::board::{Board, Metric};
use tailback::catalogue::{Catalogue, CatalogueError, Puzzle, Query};
use tailback::cluster::{Cluster, Relatives};
use tailback::dataset::{Draw, Drawn, ExportError, Given, Item, Schema, Strata, Stratum, Tables};
use tailback::retrograde::UNSOLVABLE;
use tailback::table::{Census, Table};

use super::Export;
use crate::cli::progress::Meter;
use crate::cli::{Global, batch, exit, output};

/// Given boards that are labelled at a time.
const BATCH: usize = 1 << 13;

/// Which boards are asked for.
pub enum Choice {
    /// Drawn from the tables.
    Count(u64),
    Weighted(u64),
    PerDistance(u64),
    /// All that match, or so many of them by lot.
    Catalogue(Option<u64>),
    File(PathBuf),
    Cluster(Box<Board>),
    Family(Box<Board>),
}

/// The boards, and what is known of them as a whole.
pub struct Source<'s> {
    /// How many, if that is known.
    pub total: Option<u64>,
    pub batches: Box<dyn Iterator<Item = anyhow::Result<Vec<Item>>> + 's>,
    pub rules: &'static str,
    pub size: Option<usize>,
    /// How they were chosen, in words.
    pub boards: String,
}

impl Choice {
    /// Are they drawn from the tables?
    pub fn is_drawn(&self) -> bool {
        matches!(self, Choice::Count(_) | Choice::Weighted(_) | Choice::PerDistance(_))
    }
}

impl Export {
    pub fn choice(&self) -> anyhow::Result<Choice> {
        let from_catalogue = self.from.as_deref() == Some(Path::new("catalogue"));
        let usage = |text| anyhow::Error::from(exit::Usage(text));
        if self.filters.are_used() && !from_catalogue {
            return Err(usage("filters are for the puzzles of the catalogue: add --from catalogue"));
        }
        let choice =
            match (self.count, self.per_distance, &self.from, &self.whole_cluster, &self.whole_family) {
                (count, _, Some(_), ..) if from_catalogue => Choice::Catalogue(count),
                (Some(_), _, Some(_), ..) => {
                    return Err(usage(
                        "--count draws boards, and a file is taken whole: leave one of them out",
                    ));
                }
                (_, _, Some(path), ..) => Choice::File(path.clone()),
                (Some(count), ..) if self.per_distance_weighted => Choice::Weighted(count),
                (Some(count), ..) => Choice::Count(count),
                (_, Some(count), ..) => Choice::PerDistance(count),
                (_, _, _, Some(text), _) => Choice::Cluster(Box::new(self.finder.board(text)?)),
                (_, _, _, _, Some(text)) => Choice::Family(Box::new(self.finder.board(text)?)),
                _ => {
                    return Err(usage(
                        "which boards? say --count N, --per-distance N, --from catalogue, --from FILE, \
                     --whole-cluster BOARD or --whole-family BOARD",
                    ));
                }
            };
        if self.filters.has_size() && !choice.is_drawn() && !from_catalogue {
            return Err(usage(
                "--size is for boards that are drawn or from the catalogue: a board has its own size",
            ));
        }
        if self.finder.no_table && (choice.is_drawn() || matches!(choice, Choice::Family(_))) {
            return Err(usage(
                "these boards are looked up in a table: leave --no-table out, or name boards with --from FILE",
            ));
        }
        if self.finder.primary != 'A' && (choice.is_drawn() || from_catalogue) {
            return Err(usage("--primary is for boards of your own: all others have the primary A"));
        }
        if !choice.is_drawn() && (self.distance.is_some() || self.per_distance_weighted) {
            return Err(usage(
                "--distance and --per-distance-weighted are for boards drawn with --count or --per-distance",
            ));
        }
        Ok(choice)
    }

    pub fn source<'s>(
        &'s self,
        global: &'s Global,
        choice: Choice,
        schema: &'s Schema,
        tables: &'s [&'s Table<Mmap>],
        catalogue: Option<&'s Catalogue>,
        (stop, found): (&'s AtomicBool, &'s (dyn Fn(u64) + Sync)),
    ) -> anyhow::Result<Source<'s>> {
        let size = self.filters.size();
        let drawn = |total, boards: String, batches| Source {
            total: Some(total),
            batches,
            rules: "all",
            size: Some(size),
            boards,
        };
        match choice {
            Choice::Count(count) if self.distance.is_none() => {
                let tables = Tables { by_metric: tables };
                let unsolvable = self.include_unsolvable;
                let (last, solvable) = tables.histogram().split_last().expect("there are 256");
                let boards = solvable.iter().sum::<u64>() + if unsolvable { *last } else { 0 };
                self.check_count(count, boards)?;
                let draw = Draw::new(tables, count, self.seed, unsolvable, stop).telling(found);
                Ok(drawn(count, "drawn by lot, all equally likely".to_owned(), Box::new(draw.map(items))))
            }
            Choice::Count(_) | Choice::Weighted(_) | Choice::PerDistance(_) => {
                let strata = self.strata(&choice, tables)?;
                let total = strata.iter().map(|stratum| stratum.wanted).sum();
                let census = census(tables[0], stop).map_err(|error| match error {
                    ExportError::Probe { .. } => super::explained(error.into(), global),
                    error => error.into(),
                })?;
                let strata =
                    Strata::new(Tables { by_metric: tables }, census, strata, self.seed, stop).telling(found);
                Ok(drawn(total, self.strata_in_words(&choice), Box::new(strata.map(items))))
            }
            Choice::Catalogue(count) => {
                let catalogue = catalogue.expect("it is opened for this choice");
                self.puzzles(catalogue, count, schema)
            }
            Choice::File(path) => self.file(&path),
            Choice::Cluster(board) => self.cluster(&board, schema),
            Choice::Family(board) => self.family(global, &board, schema),
        }
    }

    fn check_count(&self, count: u64, boards: u64) -> anyhow::Result<()> {
        if count <= boards {
            return Ok(());
        }
        let size = self.filters.size();
        let which = match (self.include_unsolvable, &self.distance) {
            (true, None) => "",
            (false, None) => "solvable ",
            (_, Some(_)) => "such ",
        };
        let boards = HumanCount(boards);
        Err(exit::BadRequest(format!(
            "there are only {boards} {which}boards of {size}×{size}: ask for fewer with --count"
        ))
        .into())
    }

    /// What is drawn at which distances.
    fn strata(&self, choice: &Choice, tables: &[&Table<Mmap>]) -> anyhow::Result<Vec<Stratum>> {
        let is_wanted = |distance: u8| match distance {
            UNSOLVABLE => self.include_unsolvable,
            _ => self.distance.is_none_or(|range| range.contains(u64::from(distance))),
        };
        let histogram: Vec<(u8, u64)> = (0..=UNSOLVABLE)
            .zip(tables[0].header().histogram)
            .filter(|&(distance, boards)| boards > 0 && is_wanted(distance))
            .collect();
        let boards = histogram.iter().map(|(_, boards)| boards).sum();
        if boards == 0 {
            return Err(exit::BadRequest(format!(
                "no board of {0}×{0} has such a distance: `tailback stats` lists those there are",
                self.filters.size()
            ))
            .into());
        }
        match *choice {
            Choice::PerDistance(wanted) => {
                let fewer: Vec<String> = histogram
                    .iter()
                    .filter(|(_, boards)| *boards < wanted)
                    .map(|&(distance, boards)| match distance {
                        UNSOLVABLE => format!("{} unsolvable", HumanCount(boards)),
                        _ => format!("{} at {distance}", HumanCount(boards)),
                    })
                    .collect();
                if !fewer.is_empty() {
                    output::note(&format!(
                        "note: some distances have fewer boards than {}, and all of them are taken: {}",
                        HumanCount(wanted),
                        fewer.join(", ")
                    ));
                }
                Ok(Stratum::each(&histogram, wanted))
            }
            Choice::Weighted(wanted) => {
                self.check_count(wanted, boards)?;
                Ok(Stratum::by_root(&histogram, wanted))
            }
            Choice::Count(wanted) => {
                self.check_count(wanted, boards)?;
                let distances = histogram.iter().map(|(distance, _)| *distance).collect();
                Ok(vec![Stratum { distances, wanted }])
            }
            _ => unreachable!("the others are not drawn"),
        }
    }

    fn strata_in_words(&self, choice: &Choice) -> String {
        let at = self.distance.map_or(String::new(), |range| format!(" of distance {range}"));
        match choice {
            Choice::PerDistance(count) => format!("{count}{at} drawn by lot at every distance"),
            Choice::Weighted(_) => {
                format!("drawn by lot{at}, shared among the distances by the square root of their boards")
            }
            _ => format!("drawn by lot{at}, all equally likely"),
        }
    }

    fn puzzles<'s>(
        &self,
        catalogue: &'s Catalogue,
        count: Option<u64>,
        schema: &'s Schema,
    ) -> anyhow::Result<Source<'s>> {
        let query = Query {
            limit: count.map(|count| usize::try_from(count).unwrap_or(usize::MAX)),
            random: count.map(|_| self.seed),
            ..self.filters.query()?
        };
        let puzzles = catalogue.select(&query)?;
        let (total, matching) = (puzzles.len() as u64, HumanCount(puzzles.matching() as u64));
        match count {
            _ if total == 0 => {
                let told = "no puzzle of the catalogue matches: widen the filters";
                return Err(exit::BadRequest(told.to_owned()).into());
            }
            Some(count) if count > total => {
                let told = format!(
                    "only {matching} puzzles match: ask for fewer with --count, or widen the filters"
                );
                return Err(exit::BadRequest(told).into());
            }
            _ => {}
        }
        let given = |puzzle: Result<Puzzle, CatalogueError>| {
            let puzzle = puzzle?;
            let distances = schema.metrics.iter().map(|metric| match metric {
                Metric::Moves => Some(puzzle.moves),
                Metric::Steps => Some(puzzle.steps),
            });
            Ok(Given { board: Board::parse(&puzzle.board)?, distances: Some(distances.collect()) })
        };
        let by_lot = if count.is_some() { ", drawn by lot" } else { "" };
        Ok(Source {
            total: Some(total),
            batches: Box::new(batched(puzzles.map(given))),
            rules: self.filters.rules().name(),
            size: Some(self.filters.size()),
            boards: format!("puzzles of the catalogue{by_lot}"),
        })
    }

    fn file(&self, path: &Path) -> anyhow::Result<Source<'_>> {
        let name = path.display().to_string();
        let input: Box<dyn std::io::Read> = match path == Path::new("-") {
            true => Box::new(std::io::stdin()),
            false => Box::new(batch::open(path)?),
        };
        let boards = self.finder.each_board(input).map(|board| Ok(Given { board: board?, distances: None }));
        Ok(Source {
            total: None,
            batches: Box::new(batched(boards)),
            rules: "given",
            size: None,
            boards: format!("the boards of {name}"),
        })
    }

    fn cluster<'s>(&'s self, board: &Board, schema: &Schema) -> anyhow::Result<Source<'s>> {
        let limit = self.finder.limit();
        let mut clusters = schema.metrics.iter().map(|&metric| Cluster::explore(board, metric, limit));
        let first = clusters.next().ok_or_else(|| anyhow!("no metric"))??;
        let other = clusters.next().transpose()?;
        if !first.is_solvable() && !self.include_unsolvable {
            return Err(exit::Usage(
                "no board of this cluster can be solved: --include-unsolvable exports them all the same",
            )
            .into());
        }
        let (total, text, size) = (first.len() as u64, board.text(), board.size());
        let given = move |index: usize| {
            let (board, distance) = first.nth(index);
            let mut distances = ArrayVec::from_iter([distance]);
            distances.extend(other.as_ref().map(|other| other.distance(&board)));
            Ok(Given { board, distances: Some(distances) })
        };
        Ok(Source {
            total: Some(total),
            batches: Box::new(batched((0..total as usize).map(given))),
            rules: "given",
            size: Some(size),
            boards: format!("the whole cluster of {text}"),
        })
    }

    fn family<'s>(&'s self, global: &Global, board: &Board, schema: &Schema) -> anyhow::Result<Source<'s>> {
        let prober = self.finder.prober(global);
        for &metric in &schema.metrics {
            let searched = prober.session().needs_search(board, metric);
            if searched.map_err(|error| crate::cli::finder::explained(error, global, board, metric))? {
                return Err(exit::Usage(
                    "a whole family is looked up in a table, and no table has this board: build the table of its \
                     size and metric (`tailback build --help`); boards with walls and larger ones are in none",
                )
                .into());
            }
        }
        let given = |board| Ok(Given { board, distances: None });
        Ok(Source {
            total: None,
            batches: Box::new(batched(Relatives::of(board).map(given))),
            rules: "given",
            size: Some(board.size()),
            boards: format!("the whole family of {}", board.text()),
        })
    }
}

/// Counts a table, with progress of its own.
fn census(table: &Table<Mmap>, stop: &AtomicBool) -> Result<Census, ExportError> {
    let meter = Meter::new("boards", table.header().boards, 0, Instant::now());
    let census = Census::take(table, stop, |boards| meter.add(boards));
    meter.finish();
    let contents = table.header().contents;
    let failed = |error: tailback::table::TableError| ExportError::Probe {
        board: None,
        size: contents.size,
        metric: contents.metric,
        error: error.into(),
    };
    census.map_err(failed)?.ok_or(ExportError::Stopped)
}

fn items(drawn: Result<Vec<Drawn>, ExportError>) -> anyhow::Result<Vec<Item>> {
    Ok(drawn?.into_iter().map(Item::Drawn).collect())
}

/// Boards in batches; an error ends them.
fn batched<'b>(
    mut boards: impl Iterator<Item = anyhow::Result<Given>> + 'b,
) -> impl Iterator<Item = anyhow::Result<Vec<Item>>> + 'b {
    std::iter::from_fn(move || {
        let batch: anyhow::Result<Vec<Item>> =
            boards.by_ref().take(BATCH).map(|given| Ok(Item::Given(Box::new(given?)))).collect();
        match &batch {
            Ok(items) if items.is_empty() => None,
            _ => Some(batch),
        }
    })
}
