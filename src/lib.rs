//! Tailback solves the whole of Rush Hour.
//!
//! It numbers every board of a size, searches backward from all solved ones,
//! and writes the exact distance of each into one compressed file:
//! 40,148,868,698 boards of 6×6 in half a gigabyte, built in minutes. With that
//! table a look-up is a little arithmetic and one small frame to decode; solving
//! is walking downhill; *unsolvable* is a fact.
//!
//! # The map
//!
//! Data flows one way, from the top of this list to its end. A room in brackets needs the
//! feature that it names; the others are the core.
//!
//! - [`progress`]: reports of long work, and its cancellation;
//! - [`files`]: files that are whole or not there;
//! - [`board`]: boards, vehicles, moves, and their text form;
//! - [`lists`] (`export`): lists of boards as people have them: text, tables, JSON, Parquet;
//! - [`space`]: every board of a size, numbered without gaps;
//! - [`cluster`]: the exact solver of any single board, without a table;
//! - [`search`]: the published search algorithms, for any puzzle;
//! - [`formula`]: the language of heuristics, over the building blocks of any puzzle;
//! - [`retrograde`] (`build`): the backward search over a part of the space;
//! - [`pipeline`] (`build`): work on all parts of the space, on all cores, in order;
//! - [`table`]: the file: read it, and with `build` make and verify it;
//! - [`probe`]: one door to every answer, from table, rule or search;
//! - [`catalogue`] (`catalogue`): every interesting puzzle in an SQLite file: build it, ask it;
//! - [`shards`] (`catalogue`): builds cut into pieces for many machines;
//! - [`domains`]: Rush Hour for the search algorithms, with its heuristics;
//! - [`dataset`] (`export`): boards with their exact distances, as files for people who learn
//!   from them;
//! - [`render`] (`pictures`): boards for the terminal; boards and charts as SVG, PNG and PDF;
//! - [`puzzles`] (`evolution`): Rush Hour and others for the laboratory: instances, distances,
//!   sets;
//! - [`evolution`] (`evolution`): heuristics bred on exact distances;
//! - [`answers`] (`export`): all answers as data for programs;
//! - [`serve`] (`serve`): the explorer, a page and an HTTP API.
//!
//! # Features
//!
//! | feature | what it adds | needs |
//! |---|---|---|
//! | none | the core: boards, spaces, the solver of one board, search, look-ups in a table | |
//! | `build` (default) | tables built, verified and counted on all cores; comparisons | |
//! | `catalogue` | the puzzles, in SQLite; shards | `build` |
//! | `export` | datasets and lists of boards | `catalogue` |
//! | `pictures` | boards and charts as pictures | |
//! | `evolution` | other puzzles, heuristics bred | `export`, `pictures` |
//! | `serve` | the explorer | `evolution` |
//!
//! The program is a package of its own, `tailback-cli`.
//!
//! # Solve a board
//!
//! ```
//! use tailback::board::{Board, Distance, Metric};
//! use tailback::cluster::Bounds;
//! use tailback::probe::Prober;
//!
//! let board = Board::parse(
//!     "BB...C
//!      D..E.C
//!      DAAE.C
//!      D..E..
//!      F...GG
//!      F.HHH.",
//! )?;
//! let prober = Prober::without_tables(); // or Prober::open("db")?, with tables
//! let answer = prober.session().solve(&board, Metric::Moves, Bounds::default())?;
//! assert_eq!(answer.distance, Distance::of(8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Build a table and look a board up
//!
//! ```
//! use tailback::board::{Board, Distance, Metric};
//! use tailback::cluster::Bounds;
//! use tailback::probe::{Prober, Source};
//! use tailback::table::{BuildOptions, build};
//!
//! let folder = tempfile::tempdir()?;
//! let report = build(&BuildOptions::new(folder.path(), 4, Metric::Moves), &())?;
//! assert_eq!(report.boards, 13_146);
//!
//! let board = Board::parse(
//!     "..B.
//!      AAB.
//!      ..CC
//!      ....",
//! )?;
//! let prober = Prober::open(folder.path())?;
//! let rating = prober.session().rate(&board, Metric::Moves, Bounds::default())?;
//! assert_eq!((rating.distance, rating.source), (Distance::of(3), Source::Table));
//! let (best, after) = rating.moves[0];
//! assert_eq!((board.notation(best), after), ("C-2".to_string(), Distance::of(2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Build a catalogue and ask for puzzles
//!
//! ```
//! use tailback::board::Metric;
//! use tailback::catalogue::{self, Catalogue, Column, Query, Sort};
//! use tailback::table;
//!
//! let folder = tempfile::tempdir()?;
//! table::build(&table::BuildOptions::new(folder.path(), 4, Metric::Moves), &())?;
//! catalogue::build(&catalogue::BuildOptions::new(folder.path(), 4), &())?;
//!
//! let hardest = Query { sort: vec![Sort::falling(Column::Moves)], limit: Some(1), ..Query::default() };
//! let catalogue = Catalogue::open(folder.path(), 4)?;
//! let puzzle = catalogue.select(&hardest)?.next().unwrap()?;
//! assert_eq!((puzzle.moves(), puzzle.number(Column::ClusterBoards)), (7, 34));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// What only a layer uses that is left out is not dead.
#![cfg_attr(not(feature = "serve"), allow(dead_code))]

#[cfg(feature = "export")]
pub mod answers;
pub mod board;
#[cfg(feature = "catalogue")]
pub mod catalogue;
pub mod cluster;
#[cfg(feature = "export")]
pub mod dataset;
pub mod domains;
#[cfg(feature = "evolution")]
pub mod evolution;
pub mod files;
pub mod formula;
#[cfg(feature = "export")]
pub mod lists;
mod memory;
#[cfg(feature = "build")]
pub mod pipeline;
pub mod probe;
pub mod progress;
#[cfg(feature = "evolution")]
pub mod puzzles;
mod random;
#[cfg(feature = "pictures")]
pub mod render;
#[cfg(feature = "build")]
pub mod retrograde;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "catalogue")]
pub mod shards;
pub mod space;
pub mod table;
