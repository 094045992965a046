//! Random boards for properties.
#![allow(dead_code)] // each test file uses a part of it

use proptest::prelude::*;
use tailback::board::{Axis, Board, Vehicle, nth_letter};

/// The text of a board with all walls as the oracle knows them.
pub fn in_x(board: &Board) -> String {
    board.text().replace('#', "x")
}

prop_compose! {
    /// Any board: vehicles are dropped at random and stay if they fit.
    pub fn any_board()(
        size in 4usize..=8,
        walls in prop::collection::vec(0usize..64, 0..5),
        primary in (0u8..8, 0u8..7),
        drops in prop::collection::vec((any::<bool>(), 0u8..8, 0u8..7, 2u8..6), 0..40),
    ) -> Board {
        let n = size as u8;
        let vehicle = |letter, axis, line, start, len| Vehicle { letter, axis, line, start, len };
        let red = vehicle('A', Axis::Horizontal, primary.0 % n, primary.1 % (n - 1), 2);
        let mut taken = red.cells(size);
        let mut wall_cells = 0;
        for wall in walls {
            let bit = 1u64 << (wall % (size * size));
            if taken & bit == 0 {
                wall_cells |= bit;
            }
        }
        taken |= wall_cells;
        let mut list = vec![red];
        for (upright, line, start, len) in drops {
            let axis = if upright { Axis::Vertical } else { Axis::Horizontal };
            let len = len.min(n);
            let next = vehicle(nth_letter(list.len()), axis, line % n, start % (n - len + 1), len);
            if taken & next.cells(size) == 0 {
                taken |= next.cells(size);
                list.push(next);
            }
        }
        Board::from_parts(size, wall_cells, list, 0).unwrap()
    }
}
