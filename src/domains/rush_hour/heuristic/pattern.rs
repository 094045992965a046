//! Exact distances with some vehicles taken away.
//!
//! Taking a vehicle away never makes a board harder: a solution, without the
//! moves of that vehicle, solves what is left. So the exact distance of what is
//! left is never too high, in moves and in steps. What is left has few boards,
//! which are all solved once for a puzzle; a state then takes a few look-ups.

use arrayvec::ArrayVec;

use crate::board::{Board, MAX_VEHICLES, Metric, Vehicle};
use crate::cluster::family::{Family, Key, Line, MAX_LINES, nibble};
use crate::cluster::{Bounds, Cluster, ClusterError, size};
use crate::domains::rush_hour::{Cell, Scene};
use crate::search::Value;

/// The exact distance when only so many vehicles are left that no more than a
/// number of boards can be reached.
///
/// Which ones: all, if that is not too many; otherwise the primary, then those in
/// its way, those in theirs, and so on; one that would make it too many is left out,
/// and the next one tried. So they depend on the board that a search starts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    /// The most boards.
    pub boards: u32,
}

impl Pattern {
    /// What `pattern` means without a number.
    pub const USUAL: Pattern = Pattern { boards: 10_000 };
    /// The largest one, of 60 MB.
    pub const MOST: Pattern = Pattern { boards: 1_000_000 };
}

/// What is left of one puzzle, solved.
#[derive(Debug)]
pub(crate) struct PatternTable {
    left: Cluster,
    /// The placements of lines that cannot change in the puzzle.
    still: Key,
    /// The lines of the puzzle that are left, and what each of their placements
    /// is there.
    lines: ArrayVec<(usize, [Key; 16]), MAX_LINES>,
}

impl PatternTable {
    /// Takes vehicles away from a board and solves what is left, for all boards
    /// of its family, with the memory of the bounds and until they stop it.
    pub fn new(
        pattern: Pattern,
        board: &Board,
        family: &Family,
        metric: Metric,
        bounds: Bounds,
    ) -> Result<PatternTable, ClusterError> {
        let kept = chosen(board, Bounds { boards: pattern.boards as usize, ..bounds })?;
        let left = with_only(board, kept);
        // The primary stays, though it alone may have more boards than a pattern should.
        let left = Cluster::explore(&left, metric, Bounds { boards: Bounds::NONE.boards, ..bounds })?;
        let indices: ArrayVec<u8, MAX_VEHICLES> =
            (0..board.vehicles().len() as u8).filter(|&index| kept >> index & 1 != 0).collect();
        let mut table = PatternTable { still: 0, lines: ArrayVec::new(), left };
        for (number, line) in table.left.family().lines.iter().enumerate() {
            let vehicles = line.vehicles.iter().map(|&vehicle| indices[usize::from(vehicle)]);
            let key = |start: &dyn Fn(u8) -> u8| {
                let starts: ArrayVec<u8, 4> = vehicles.clone().map(start).collect();
                (line.shape.find(&starts).expect("what stood there can stand there") as Key) << (4 * number)
            };
            let is_same = |other: &&Line| (other.axis, other.index) == (line.axis, line.index);
            match family.lines.iter().position(|other| is_same(&other)) {
                None => table.still |= key(&|vehicle| board.vehicles()[usize::from(vehicle)].start),
                Some(at) => {
                    let mut keys = [0; 16];
                    let whole = &family.lines[at];
                    for (placement, to) in whole.shape.placements.iter().zip(&mut keys) {
                        let place = |vehicle| {
                            let place = whole.vehicles.iter().position(|&other| other == vehicle);
                            placement.starts[place.expect("it is of this line")]
                        };
                        *to = key(&place);
                    }
                    table.lines.push((at, keys));
                }
            }
        }
        Ok(table)
    }

    /// The distance of what is left of a board of the family.
    #[inline]
    pub fn distance(&self, key: Key) -> Value {
        let left = self.lines.iter().fold(self.still, |left, (line, keys)| left | keys[nibble(key, *line)]);
        self.left.distance_of(left).map_or(Value::INFINITE, Value::from)
    }
}

/// The vehicles that are left, one bit each: all of them if that is not too many.
///
/// A vehicle takes room from the others, too: one that made it too many may fit
/// when another has come, so all that were left out are tried again. Still, some
/// puzzles are small only as a whole, so that is tried first. On the 40 cards A*
/// takes 46,936 nodes (10,000 boards), without the first try 115,377, and if no
/// vehicle is tried again 158,772. To add whichever of the next few makes the start
/// farthest takes three times as long to choose and is worth no more than to try
/// again.
fn chosen(board: &Board, bounds: Bounds) -> Result<u32, ClusterError> {
    let scene = Scene::of(board);
    let mut kept = 1 << scene.primary_index();
    let mut left_out = by_importance(&scene);
    let fits = |kept: u32| match size(&with_only(board, kept), bounds) {
        Ok(_) => Ok(true),
        Err(ClusterError::TooLarge { .. }) => Ok(false),
        Err(error) => Err(error),
    };
    let all = left_out.iter().fold(kept, |all, vehicle| all | 1 << vehicle);
    if fits(all)? {
        return Ok(all);
    }
    let mut next = 0;
    while let Some(&vehicle) = left_out.get(next) {
        next = match fits(kept | 1 << vehicle)? {
            true => {
                kept |= 1 << left_out.remove(next);
                0
            }
            false => next + 1,
        };
    }
    Ok(kept)
}

/// All vehicles but the primary: those in its way, those in theirs, and so on,
/// then those in nobody's.
fn by_importance(scene: &Scene) -> ArrayVec<usize, MAX_VEHICLES> {
    let mut order = ArrayVec::<usize, MAX_VEHICLES>::new();
    let mut met = 1u32 << scene.primary_index();
    let mut meet = |order: &mut ArrayVec<usize, MAX_VEHICLES>, index: usize| {
        if met >> index & 1 == 0 {
            met |= 1 << index;
            order.push(index);
        }
    };
    scene.blockers().for_each(|(index, _)| meet(&mut order, index));
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        in_its_line(scene, &scene.vehicles()[index]).for_each(|other| meet(&mut order, other));
        next += 1;
    }
    (0..scene.vehicles().len()).for_each(|index| meet(&mut order, index));
    order
}

/// What stands in the cells that a vehicle may want to go to, nearest first.
fn in_its_line<'s>(scene: &'s Scene, vehicle: &'s Vehicle) -> impl Iterator<Item = usize> + 's {
    let at = |position: u8| scene.ahead(vehicle, position);
    (1..scene.size() as u8).flat_map(move |far| {
        let before = vehicle.start.checked_sub(far).map(at);
        let after = Some(at(vehicle.end() - 1 + far));
        [before, after].into_iter().flatten().filter_map(|cell| match cell {
            Cell::Vehicle(index) => Some(index),
            Cell::Empty | Cell::Wall => None,
        })
    })
}

fn with_only(board: &Board, kept: u32) -> Board {
    let kept = |index: usize| kept >> index & 1 != 0;
    let vehicles = board.vehicles().iter().enumerate().filter(|(index, _)| kept(*index));
    let primary = (0..board.primary_index()).filter(|&index| kept(index)).count();
    Board::from_parts(board.size(), board.walls(), vehicles.map(|(_, vehicle)| *vehicle), primary)
        .expect("a part of a legal board is legal")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::rush_hour::{Estimator, Traffic, heuristic};
    use crate::probe::{ProbeError, Prober};
    use crate::progress::Observer;

    /// With a part of their vehicles, these two cards have more boards than with all.
    #[test]
    fn a_puzzle_that_is_small_enough_stays_whole() {
        let within = |boards| Bounds { boards, ..Bounds::NONE };
        let cards = include_str!("../sets/jam.tsv").lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let cards: Vec<_> = cards.filter(|card| ["Jam-25", "Jam-26"].contains(&card[0])).collect();
        assert_eq!(cards.len(), 2);
        for card in cards {
            let board = Board::parse(card[1]).unwrap();
            let boards = size(&board, Bounds::NONE).unwrap() as usize;
            let all = (1u32 << board.vehicles().len()) - 1;
            assert!(boards <= Pattern::USUAL.boards as usize);
            assert_eq!(chosen(&board, within(boards)), Ok(all), "{}", card[0]);
            assert_ne!(chosen(&board, within(boards - 1)), Ok(all), "{}", card[0]);
        }
    }

    /// Wants an end to everything.
    struct Enough;

    impl Observer for Enough {
        fn wants_stop(&self) -> bool {
            true
        }
    }

    /// Guards against a caller whose deadline is not heard, and against the same work
    /// for each search of a board.
    #[test]
    fn a_pattern_is_solved_within_the_bounds_and_once() {
        let board = Board::parse("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.").unwrap();
        let (traffic, prober) = (Traffic::new(&board, Metric::Moves), Prober::without_tables());
        let pattern = heuristic("pattern:100000").unwrap();
        let guide = |bounds| Estimator::new(&pattern, &traffic, &prober, bounds).map(|_| ());
        let stopped = Bounds { observer: &Enough, ..Bounds::default() };
        assert!(matches!(guide(stopped), Err(ProbeError::Cluster(ClusterError::Stopped))));
        guide(Bounds::default()).unwrap();
        guide(stopped).expect("it is known by now");
    }
}
