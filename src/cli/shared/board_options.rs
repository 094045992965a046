//! How boards are read and answers found.

use std::io::Read;
use std::sync::Arc;

use clap::Args;
use tailback::board::{Board, BoardError};
use tailback::cluster;
use tailback::probe::Prober;

use super::batch::Lines;
use super::interrupt::{self, Signal};
use super::{Failure, Global, Result};

/// The longest line of a board, in bytes. The largest has 64 cells, spaces aside.
pub const LONGEST: usize = 4 << 10;

#[derive(Args)]
pub struct BoardOptions {
    /// The letter of the car that has to reach the right edge
    #[arg(long, value_name = "L", default_value_t = 'A')]
    pub primary: char,
    #[arg(long, value_name = "BOARDS", help = format!(
        "The most boards that a search may look at [default: {}]", cluster::DEFAULT_LIMIT
    ))]
    pub limit: Option<usize>,
    /// Search even if there is a table
    #[arg(long)]
    pub no_table: bool,
}

impl BoardOptions {
    pub fn board(&self, text: &str) -> Result<Board, BoardError> {
        Board::parse_with_primary(text, self.primary)
    }

    /// The boards of an input, one a line; a line that is none is an error, and
    /// so is the end that a signal made.
    pub fn each_board(&self, input: impl Read) -> impl Iterator<Item = Result<Board>> {
        let cut = std::iter::once_with(|| interrupt::is_raised().then(|| Err(Failure::interrupted())));
        let boards = Lines::new(input, LONGEST).each().map(|line| {
            let line = line.map_err(|error| Failure::from(error).about("cannot read the boards"))?;
            let board = line.whole().and_then(|text| Ok(self.board(text)?));
            board.map_err(|failure| match interrupt::is_raised() {
                // A signal may have cut the line.
                true => Failure::interrupted(),
                false => failure.about(format_args!("line {}", line.number)),
            })
        });
        boards.chain(cut.flatten())
    }

    pub fn prober(&self, global: &Global) -> Prober {
        let prober = if self.no_table { Prober::without_tables() } else { Prober::new(&global.db) };
        mapping(prober).with_limit(self.limit.unwrap_or(cluster::DEFAULT_LIMIT))
    }
}

/// A prober that maps its tables, and stops its searches at a signal.
pub fn mapping(prober: Prober) -> Prober {
    // SAFETY: no command writes to a table that has its name; the manual asks
    // the user for the same, and says what happens otherwise.
    unsafe { prober.mapping() }.with_observer(Arc::new(Signal))
}
