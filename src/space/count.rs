//! How many boards a space has, without laying out its signatures.
//!
//! Column by column from the left: all that a column has to know of those
//! before it is, for each row, how many cells of a vehicle are still to come. A
//! column of which the rows take some cells is filled in as many ways as
//! placements fit. So the boards of 6×6 are counted in a few milliseconds, where
//! adding up 117 million configurations takes half a second.

use super::{SpaceId, line::Line};

/// Of a row: no vehicle goes on. (1 and 2: so many cells of one are to come.)
const NOTHING: usize = 0;
/// In the primary's row: its second cell is next.
const PRIMARY: usize = 3;
/// In the primary's row: it has been placed, and nothing may follow.
const DONE: usize = 4;
/// What may be known of the primary's row, and of another.
const STATES: [usize; 2] = [5, 3];

/// The boards of a space, for any size whose counts fit 64 bits.
pub fn boards(id: SpaceId, line: &Line) -> u64 {
    let size = id.size;
    let of_row = |row| STATES[usize::from(row != id.primary_row())];
    let weight = |row| (0..row).map(of_row).product::<usize>();
    let states = weight(size);
    let mut counts = vec![0; states];
    counts[0] = 1;
    for column in 0..size {
        // By the state after the rows so far (those to come as before), and by the
        // cells that they take.
        let mut rows = vec![0u64; states << size];
        rows.iter_mut().step_by(1 << size).zip(&counts).for_each(|(to, &from)| *to = from);
        for row in 0..size {
            let (weight, of_row) = (weight(row), of_row(row));
            let is_wall = id.walls_in_row(row) >> column & 1 == 1;
            let ways = ways(row == id.primary_row(), is_wall);
            let mut after = vec![0u64; rows.len()];
            for (at, &count) in rows.iter().enumerate().filter(|(_, count)| **count != 0) {
                let (state, taken) = (at >> size, at % (1 << size));
                let now = state / weight % of_row;
                for &(_, to, takes) in ways.iter().filter(|way| way.0 == now) {
                    let state = state + to * weight - now * weight;
                    after[state << size | taken | usize::from(takes) << row] += count;
                }
            }
            rows = after;
        }
        for (count, by_taken) in counts.iter_mut().zip(rows.chunks_exact(1 << size)) {
            let fillings = |(taken, count): (usize, &u64)| count * line.fitting(taken as u8) as u64;
            *count = by_taken.iter().enumerate().map(fillings).sum();
        }
    }
    counts[DONE * weight(id.primary_row())]
}

/// What may come after each state of a row in the next cell, and whether it takes
/// the cell.
pub fn ways(has_primary: bool, is_wall: bool) -> Vec<(usize, usize, bool)> {
    if is_wall {
        return vec![(NOTHING, NOTHING, true)];
    }
    let mut ways = vec![
        (NOTHING, NOTHING, false),
        // A car, a truck, and what is left of them.
        (NOTHING, 1, true),
        (NOTHING, 2, true),
        (1, 0, true),
        (2, 1, true),
    ];
    if has_primary {
        ways.extend([(NOTHING, PRIMARY, true), (PRIMARY, DONE, true), (DONE, DONE, false)]);
    }
    ways
}
