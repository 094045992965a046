//! Which boards are asked for, and what to do if there are none such.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::HumanCount;
use tailback::board::Board;
use tailback::catalogue::{Catalogue, Column, Query, Sort};
use tailback::dataset::{ExportError, Given, Lot, Schema, Shape, Source, SourceError, Tables, Wanted, rush};
use tailback::probe::Prober;
use tailback::puzzles::Oracle;

use super::Export;
use super::instances::Which;
use crate::shared::{BoardReader, Failure, Global, Result, batch, interrupt, output};

/// Which boards are asked for.
pub enum Choice {
    /// Drawn from the tables.
    Drawn(Wanted),
    /// Instances of another puzzle.
    Instances(Arc<dyn Oracle>, Which),
    /// All that match, or so many of them at random.
    Catalogue(Option<u64>),
    File(PathBuf),
    Cluster(Box<Board>),
    Family(Box<Board>),
}

impl Choice {
    pub fn is_drawn(&self) -> bool {
        matches!(self, Choice::Drawn(_))
    }

    /// Are they the user's own?
    pub fn is_own(&self) -> bool {
        !matches!(self, Choice::Drawn(_) | Choice::Catalogue(_))
    }
}

impl Export {
    pub fn choice(&self, global: &Global) -> Result<Choice> {
        if !self.puzzle.named.has_boards() {
            let (oracle, which) = self.which_instances(global)?;
            return Ok(Choice::Instances(oracle, which));
        }
        let board = |text: &str| self.options.reader(global).argument(text).map(Box::new);
        let from_catalogue = self.from.as_deref() == Some(Path::new("catalogue"));
        Failure::refuse([(
            self.filters.are_used() && !from_catalogue && self.count.is_none() && self.per_distance.is_none(),
            "filters are for boards that are drawn, or for puzzles: add --count, --per-distance or \
             --from catalogue",
        )])?;
        let choice =
            match (self.count, self.per_distance, &self.from, &self.whole_cluster, &self.whole_family) {
                (count, _, Some(_), ..) if from_catalogue => Choice::Catalogue(count),
                (Some(_), _, Some(_), ..) => {
                    return Err(Failure::misused(
                        "--count draws boards, and a file is taken whole: leave one of them out",
                    ));
                }
                (_, _, Some(path), ..) => Choice::File(path.clone()),
                (Some(count), ..) if self.per_distance_weighted => Choice::Drawn(Wanted::ByRoot(count)),
                (Some(count), ..) => Choice::Drawn(Wanted::Count(count)),
                (_, Some(count), ..) => Choice::Drawn(Wanted::PerDistance(count)),
                (_, _, _, Some(text), _) => Choice::Cluster(board(text)?),
                (_, _, _, _, Some(text)) => Choice::Family(board(text)?),
                _ => {
                    return Err(Failure::misused(
                        "which boards? say --count N, --per-distance N, --from catalogue, --from FILE, \
                     --whole-cluster BOARD or --whole-family BOARD",
                    ));
                }
            };
        let is_file = matches!(choice, Choice::File(_));
        let searches =
            is_file || matches!(choice, Choice::Cluster(_)) || self.format.name == rush::FORMAT.name;
        let is_own = choice.is_own();
        Failure::refuse([
            (
                self.filters.size.is_some() && is_own,
                "--size is for boards that are drawn or from the catalogue: a board has its own size",
            ),
            (
                self.options.no_table && !is_file,
                "--no-table is for the boards of a file: their distances are searched for then",
            ),
            (
                self.options.limit.is_some() && !searches,
                "--limit is for searches, and nothing is searched for these boards",
            ),
            (
                self.options.primary.is_some() && !is_own,
                "--primary is for boards of your own: all others have the primary A",
            ),
            (
                !choice.is_drawn() && (self.distance.is_some() || self.per_distance_weighted),
                "--distance and --per-distance-weighted are for boards drawn with --count or --per-distance",
            ),
        ])?;
        Ok(choice)
    }

    pub fn source<'s>(
        &'s self,
        global: &Global,
        choice: Choice,
        schema: &'s Schema,
        tables: Tables<'s>,
        (catalogue, shape): (Option<&'s Catalogue>, Option<&'s Shape>),
        (prober, reader): (&Prober, &'s BoardReader<'s>),
    ) -> Result<Source<'s, Failure>> {
        let source = match &choice {
            Choice::Drawn(wanted) => self.lot(*wanted, tables, shape).source().map(|mut source| {
                let which = [source.boards].into_iter().chain(self.filters.conditions());
                source.boards = which.collect::<Vec<_>>().join(", ");
                source
            }),
            Choice::Catalogue(count) => {
                let catalogue = catalogue.expect("it is opened for this choice");
                let query = Query {
                    limit: count.map(|count| usize::try_from(count).unwrap_or(usize::MAX)),
                    random: count.map(|_| self.seed),
                    sort: if count.is_some() { Vec::new() } else { vec![Sort::falling(Column::Moves)] },
                    ..self.filters.query()?.of(catalogue)
                };
                Source::puzzles(catalogue, &query, &self.filters.in_words(), schema)
            }
            Choice::File(path) => return self.file(path, reader),
            Choice::Instances(oracle, which) => return self.instances(global, (oracle, which), schema),
            Choice::Cluster(board) => {
                Source::cluster(board, schema, self.include_unsolvable, self.options.bounds())
            }
            Choice::Family(board) => Source::family(board, schema, prober),
        };
        source.map_err(|error| match interrupt::is_raised() {
            true => ExportError::Stopped.into(),
            false => self.advice(error),
        })
    }

    /// The shape that drawn boards must have, if filters ask for one.
    pub fn shape(&self, choice: &Choice) -> Result<Option<Shape>> {
        if !choice.is_drawn() || !self.filters.are_used() {
            return Ok(None);
        }
        Failure::refuse([(
            self.filters.has_rules(),
            "--rules is for puzzles, and these are boards: add --from catalogue, or leave it out",
        )])?;
        let shape = Shape::of(&self.filters.query()?);
        Ok(Some(shape.map_err(|column| {
            let option = column.about().short_name.expect("it was typed");
            Failure::misused(format!("--{option} is known of puzzles alone")).advise(match column {
                Column::Moves | Column::Steps => {
                    "use --distance RANGE and --metric for boards that are drawn, or add --from catalogue"
                }
                _ => "add --from catalogue, or leave it out",
            })
        })?))
    }

    fn lot<'s>(&self, wanted: Wanted, tables: Tables<'s>, shape: Option<&'s Shape>) -> Lot<'s> {
        let (distances, with_unsolvable) = (self.distance, self.include_unsolvable);
        let lot = Lot { tables, wanted, distances, with_unsolvable, shape, seed: self.seed };
        if let (Wanted::PerDistance(wanted), None) = (wanted, shape) {
            let histogram = lot.histogram().into_iter().filter(|(_, boards)| *boards < wanted);
            let fewer: Vec<String> = histogram
                .map(|(distance, boards)| match distance.known() {
                    None => format!("{} unsolvable", HumanCount(boards)),
                    Some(distance) => format!("{} at {distance}", HumanCount(boards)),
                })
                .collect();
            if !fewer.is_empty() {
                output::note(&format!(
                    "note: some distances have fewer boards than {}, and all of them are taken: {}",
                    HumanCount(wanted),
                    fewer.join(", ")
                ));
            }
        }
        lot
    }

    fn file<'s>(&self, path: &Path, reader: &'s BoardReader<'s>) -> Result<Source<'s, Failure>> {
        let name = path.display().to_string();
        let boards = reader.each_board(batch::input(path)?);
        let mut boards = boards.map(|board| Ok(Given::new(board?))).peekable();
        match boards.peek() {
            None => Err(Failure::misused(format!("{name} has no board: write one board a line"))),
            Some(_) => Ok(Source::given(boards, format!("the boards of {name}"))),
        }
    }

    /// What to do if there are no such boards.
    fn advice(&self, error: SourceError) -> Failure {
        let size = self.filters.size();
        Failure::misused(match error {
            SourceError::TooFewBoards { boards } => {
                let which = match (self.include_unsolvable, &self.distance) {
                    (true, None) => "",
                    (false, None) => "solvable ",
                    (_, Some(_)) => "such ",
                };
                let boards = HumanCount(boards);
                format!("there are only {boards} {which}boards of {size}×{size}: ask for fewer with --count")
            }
            SourceError::NoSuchDistance => format!(
                "no board of {size}×{size} has such a distance: `tailback stats` lists those there are"
            ),
            SourceError::UncountedShape => {
                format!(
                    "{error}, so --per-distance-weighted has no shares: use --count alone, or --per-distance"
                )
            }
            SourceError::TooFewPuzzles { matching: 0 } => {
                "no puzzle of the catalogue matches: widen the filters".to_owned()
            }
            SourceError::TooFewPuzzles { matching } => {
                let matching = HumanCount(matching);
                format!("only {matching} puzzles match: ask for fewer with --count, or widen the filters")
            }
            SourceError::UnsolvableCluster => {
                "no board of this cluster can be solved: --include-unsolvable exports them all the same"
                    .into()
            }
            SourceError::NoTable => {
                "a whole family is looked up in a table, and no table has this board: build the table of its \
                 size and metric (`tailback build --help`); boards with walls and larger ones are in none"
                    .to_owned()
            }
            SourceError::Export(error) => return error.into(),
            error => return Failure::of(&error),
        })
    }
}
