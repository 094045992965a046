//! Where the boards of a dataset come from.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use arrayvec::ArrayVec;
use indicatif::HumanCount;
use tailback::board::{Board, Metric};
use tailback::catalogue::{Catalogue, CatalogueError, Column, Puzzle, Query, Sort};
use tailback::cluster::{Cluster, Relatives};
use tailback::dataset::{Given, Item, Schema};
use tailback::table::Table;

use super::{Export, Format};
use crate::cli::shared::options::Global;
use crate::cli::shared::stdin::Stdin;
use crate::cli::shared::{batch, exit};

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
        if self.finder.no_table && !matches!(choice, Choice::File(_)) {
            return Err(usage(
                "--no-table is for the boards of a file: their distances are searched for then",
            ));
        }
        let searches = matches!(choice, Choice::File(_) | Choice::Cluster(_)) || self.format == Format::Rush;
        if self.finder.has_limit() && !searches {
            return Err(usage("--limit is for searches, and nothing is searched for these boards"));
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
        tables: &'s [&'s Table],
        catalogue: Option<&'s Catalogue>,
        (stop, found): (&'s AtomicBool, &'s (dyn Fn(u64) + Sync)),
    ) -> anyhow::Result<Source<'s>> {
        match choice {
            Choice::Count(_) | Choice::Weighted(_) | Choice::PerDistance(_) => {
                self.drawn(&choice, tables, (stop, found))
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

    fn puzzles<'s>(
        &self,
        catalogue: &'s Catalogue,
        count: Option<u64>,
        schema: &'s Schema,
    ) -> anyhow::Result<Source<'s>> {
        let query = Query {
            limit: count.map(|count| usize::try_from(count).unwrap_or(usize::MAX)),
            random: count.map(|_| self.seed),
            sort: if count.is_some() { Vec::new() } else { vec![Sort::falling(Column::Moves)] },
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
                Metric::Moves => Some(puzzle.moves()),
                Metric::Steps => Some(puzzle.steps()),
            });
            Ok(Given { board: Board::parse(puzzle.board())?, distances: Some(distances.collect()) })
        };
        let which = catalogue.contents().name();
        let order = if count.is_some() { "drawn by lot" } else { "by falling moves" };
        Ok(Source {
            total: Some(total),
            batches: Box::new(batched(puzzles.map(given))),
            rules: self.filters.rules().name(),
            size: Some(self.filters.size()),
            boards: format!("puzzles of the {which} catalogue, {order}: {}", self.filters.in_words()),
        })
    }

    fn file(&self, path: &Path) -> anyhow::Result<Source<'_>> {
        let name = path.display().to_string();
        let input: Box<dyn std::io::Read> = match path == Path::new("-") {
            true => Box::new(Stdin::open()),
            false => Box::new(batch::open(path)?),
        };
        let boards = self.finder.each_board(input).map(|board| Ok(Given { board: board?, distances: None }));
        let mut boards = boards.peekable();
        if boards.peek().is_none() {
            return Err(exit::BadRequest(format!("{name} has no board: write one board a line")).into());
        }
        Ok(Source {
            total: None,
            batches: Box::new(batched(boards)),
            rules: "given",
            size: None,
            boards: format!("the boards of {name}"),
        })
    }

    fn cluster<'s>(&'s self, board: &Board, schema: &Schema) -> anyhow::Result<Source<'s>> {
        let bounds = self.finder.bounds();
        let mut clusters = schema.metrics.iter().map(|&metric| Cluster::explore(board, metric, bounds));
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
            if prober.session().needs_search(board, metric)? {
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
