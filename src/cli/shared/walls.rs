//! Walls as people name them: by the letter of the column and the number of the
//! row.

use clap::Args;
use tailback::board::Square;
use tailback::catalogue::Range;
use tailback::space::{MAX_TABULATED, SpaceId, Spaces};

use super::options::{TOO_MANY, numbered_size};
use super::{Failure, Result};

/// More walls leave few boards of interest, and there are too many sets of them.
const MOST_WALLS: u64 = 3;

/// The options that name one space, or all with so many walls.
#[derive(Args)]
pub struct SpaceOptions {
    /// Rows and columns of the boards
    #[arg(long, default_value = "6", value_parser = numbered_size())]
    pub size: usize,
    #[command(flatten)]
    with: Walls,
    /// All with so many walls in one catalogue, or in counts: 0..2, or 1. Needs --only
    #[arg(long, value_name = "RANGE", conflicts_with = "wall")]
    walls: Option<Range>,
}

impl SpaceOptions {
    /// The space that the cells of walls name.
    pub fn one(&self) -> Result<SpaceId> {
        self.with.space(self.size)
    }

    /// All with so many walls, if that is what is asked for.
    pub fn range(&self) -> Result<Option<Spaces>> {
        let Some(walls) = self.walls else { return Ok(None) };
        let most = walls.most().filter(|&most| most <= MOST_WALLS).ok_or_else(|| {
            Failure::misused(format!("--walls {walls} is too much")).advise(format!(
                "at most {MOST_WALLS} walls are possible: 6×6 with two has 56 times the boards without"
            ))
        })?;
        Ok(Some(Spaces::with_walls(self.size, walls.least() as usize..=most as usize)))
    }

    /// Refuses sizes that have too many boards for one machine.
    pub fn refuse_large(&self) -> Result<()> {
        Failure::refuse([(self.size > MAX_TABULATED, TOO_MANY)])
    }

    /// Refuses --walls for what is of one space, a table.
    pub fn refuse_range(&self, is_of_many: bool) -> Result<()> {
        Failure::refuse([(
            self.walls.is_some() && !is_of_many,
            "--walls needs --only catalogue, or counts of `tailback plan`: a table is of one set of walls, \
             which --wall CELL names",
        )])
    }
}

/// The option that names walls.
#[derive(Args)]
pub struct Walls {
    /// A wall stands on this cell, such as D2; more than once: on each
    #[arg(long, value_name = "CELL")]
    wall: Vec<String>,
}

impl Walls {
    /// The space of boards of a size with these walls.
    pub fn space(&self, size: usize) -> Result<SpaceId> {
        space(size, &self.wall)
    }
}

/// The space of boards of a size with walls on these cells.
pub fn space(size: usize, cells: &[String]) -> Result<SpaceId> {
    let mut space = SpaceId::of_size(size);
    for name in cells {
        let Some(cell) = Square::named(name, size) else {
            let last = Square::new(size * size - 1).name(size);
            return Err(Failure::misused(format!("{name:?} is no cell of a {size}×{size} board"))
                .advise(format!("a cell is a column and a row, from A1 at the top left to {last}")));
        };
        if space.walls & cell.bit() != 0 {
            let name = cell.name(size);
            return Err(Failure::misused(format!("the wall on {name} is named twice")).advise("name it once"));
        }
        space.walls |= cell.bit();
    }
    Ok(space)
}

/// The options that name a space.
pub fn options(space: SpaceId) -> String {
    let walls = space.wall_cells().map(|cell| format!(" --wall {}", cell.name(space.size)));
    format!("--size {}{}", space.size, walls.collect::<String>())
}
