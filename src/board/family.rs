//! Which boards moves may connect.

use arrayvec::ArrayVec;

use super::{Axis, Board, MAX_VEHICLES};
use crate::random;

impl Board {
    /// A number that all boards of a family share, and all of its mirror image.
    pub fn family(&self) -> u64 {
        let mirrored = self.mirrored();
        let (walls, kinds) = (self.walls, kinds(self)).min((mirrored.walls, kinds(&mirrored)));
        let start = random::draw(self.size() as u64, walls);
        kinds.iter().fold(start, |hash, &part| random::draw(hash, u64::from(part)))
    }
}

/// The vehicles line by line, in their order, with their lengths; the primary
/// is told apart.
fn kinds(board: &Board) -> ArrayVec<u32, MAX_VEHICLES> {
    let key = |index: usize| {
        let vehicle = &board.vehicles()[index];
        let is_primary = u32::from(index == board.primary_index());
        let line = u32::from(vehicle.axis == Axis::Vertical) << 8 | u32::from(vehicle.line);
        (line, vehicle.start, u32::from(vehicle.len) << 1 | is_primary)
    };
    let mut vehicles: ArrayVec<_, MAX_VEHICLES> = (0..board.vehicles().len()).map(key).collect();
    vehicles.sort_unstable();
    vehicles.into_iter().map(|(line, _, what)| line << 16 | what).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_known_by_kinds_and_walls() {
        let family = |text: &str| Board::parse(text).unwrap().family();
        let board = family("..B. AAB. .... CC..");
        // Moved, other letters, upside down.
        for same in [".... AA.. ..B. CCB.", "..C. AAC. .... BB..", "CC.. .... AAB. ..B."] {
            assert_eq!(board, family(same), "{same}");
        }
        // Another row, another column, a wall, a truck, another primary.
        for other in [
            "..B. AAB. CC.. ....",
            "B... BAA. .... CC..",
            "..B. AAB. x... CC..",
            "..B. AAB. .... CCC.",
            "..B. CCB. .... AA..",
        ] {
            assert_ne!(board, family(other), "{other}");
        }
    }
}
