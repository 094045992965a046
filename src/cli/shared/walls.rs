//! Walls as people name them: by the letter of the column and the number of the
//! row.

use clap::Args;
use tailback::board::Square;
use tailback::space::SpaceId;

use super::{Failure, Result};

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
