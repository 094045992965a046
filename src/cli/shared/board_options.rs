//! How boards are read and answers found.

use clap::Args;
use tailback::cluster::{self, Bounds};
use tailback::probe::Prober;
use tailback::puzzles::Settings;

use super::interrupt::Signal;
use super::{BoardReader, Global};

#[derive(Args)]
pub struct BoardOptions {
    /// The letter of the car that has to reach the right edge [default: the only candidate]
    #[arg(long, value_name = "L")]
    pub primary: Option<char>,
    /// The column of the boards in a table [default: board, instance, puzzle or state]
    #[arg(long, value_name = "NAME")]
    pub column: Option<String>,
    #[arg(long, value_name = "BOARDS", help = format!(
        "The most boards that a search may look at [default: {}]", cluster::DEFAULT_LIMIT
    ))]
    pub limit: Option<usize>,
    /// Search even if there is a table
    #[arg(long)]
    pub no_table: bool,
}

impl BoardOptions {
    pub fn reader<'g>(&self, global: &'g Global) -> BoardReader<'g> {
        BoardReader::new(self.primary, self.column.clone(), global)
    }

    /// How the puzzle of these boards is opened.
    pub fn settings(&self, global: &Global) -> Settings {
        let (prober, bounds) = (self.prober(global), self.bounds());
        Settings { prober, bounds, primary: self.primary, ..Settings::default() }
    }

    pub fn prober(&self, global: &Global) -> Prober {
        if self.no_table { Prober::without_tables() } else { mapping(global) }
    }

    /// How far a search may go: to the limit, or to a signal.
    pub fn bounds(&self) -> Bounds<'static> {
        Bounds { observer: &Signal, ..self.limit.unwrap_or(cluster::DEFAULT_LIMIT).into() }
    }
}

/// Tables of the database, and searches that end at a signal.
pub fn settings(global: &Global) -> Settings {
    let bounds = Bounds { observer: &Signal, ..Bounds::default() };
    Settings { prober: mapping(global), bounds, ..Settings::default() }
}

/// A prober that maps the tables of the database.
pub fn mapping(global: &Global) -> Prober {
    // SAFETY: no command writes to a table that has its name; the manual asks
    // the user for the same, and says what happens otherwise.
    unsafe { Prober::mapping(global.db()) }
}
