//! Where the signatures of a large space begin, without counting them all.
//!
//! 7×7 has 10,629,366 signatures with 203 billion configurations. What comes before
//! one of them is counted row by row instead: all boards whose first rows have the
//! same kinds and whose next row has an earlier one, whatever the rows below it
//! hold. Those rows are counted like all rows in [`super::count`], column by column,
//! and configurations that agree in the last columns share what those say.
//!
//! The rows down to the primary's make a *group* of signatures; where each group
//! begins (7,986 of them on 7×7, two million configurations) is counted once, in
//! about a second. The rest takes milliseconds for a signature, up to half a second
//! where every row has two cars.

use std::sync::{Mutex, PoisonError};

use super::line::PlacementId;
use super::{MAX_SIZE, Rank, SignatureId, Space, column_mask, count};

/// What may be known of a row below: how many cells of a vehicle are to come.
const OF_ROW: usize = 3;
/// The most rows below the primary's.
const MOST_ROWS: usize = MAX_SIZE / 2;
/// The most states of all of them.
const STATES: usize = OF_ROW.pow(MOST_ROWS as u32);
/// For every state of the rows below the ways to get there.
type WayCounts = [u64; STATES];

/// Where groups of signatures begin.
#[derive(Debug)]
pub struct Groups {
    /// The rank of the first board of each, and one past the last board.
    first: Vec<u64>,
    /// The signature that was asked for last, and its first board.
    last: Mutex<Option<(SignatureId, u64)>>,
}

/// One way of the rows below through a column.
#[derive(Debug, Clone, Copy)]
struct Way {
    before: u8,
    after: u8,
    /// The cells of the column that they take.
    takes: u8,
}

/// The rows from some row on, in all kinds together.
struct Below {
    /// By column.
    ways: Vec<Vec<Way>>,
}

impl Below {
    fn new(space: &Space, first_row: usize) -> Below {
        let of_column = |column: usize| {
            let mut ways = vec![Way { before: 0, after: 0, takes: 0 }];
            for row in first_row..space.size() {
                let is_wall = space.id.walls_in_row(row) >> column & 1 == 1;
                let of_row = count::ways(false, is_wall);
                let more = |way: &Way| {
                    let way = *way;
                    of_row.clone().into_iter().map(move |(before, after, takes)| Way {
                        before: way.before * OF_ROW as u8 + before as u8,
                        after: way.after * OF_ROW as u8 + after as u8,
                        takes: way.takes | u8::from(takes) << row,
                    })
                };
                ways = ways.iter().flat_map(more).collect();
            }
            ways
        };
        Below { ways: (0..space.size()).map(of_column).collect() }
    }

    /// For each of some configurations of the rows before, in rising order, how many
    /// boards they have with all that may be below.
    fn count(&self, space: &Space, configurations: impl Iterator<Item = u64>, mut found: impl FnMut(u64)) {
        debug_assert_eq!(space.size(), self.ways.len(), "the ways of the space");
        // What the columns from each one on say. It does not matter that vehicles are
        // met from their right end.
        let mut counts: [WayCounts; MAX_SIZE + 1] = [[0; STATES]; MAX_SIZE + 1];
        counts[space.size()][0] = 1;
        let mut known: Option<u64> = None;
        for taken in configurations {
            let changed = known.map_or(u64::MAX, |known| known ^ taken);
            let columns = (u64::BITS - changed.leading_zeros()).div_ceil(MAX_SIZE as u32) as usize;
            for column in (0..columns.min(space.size())).rev() {
                let mut now = [0; STATES];
                for way in &self.ways[column] {
                    let mask = column_mask(taken, column) | way.takes;
                    let fitting = space.line().fitting(mask) as u64;
                    now[way.after as usize] += counts[column + 1][way.before as usize] * fitting;
                }
                counts[column] = now;
            }
            known = Some(taken);
            found(counts[0][0]);
        }
    }
}

impl Space {
    pub(super) fn groups(&self) -> &Groups {
        self.groups.get_or_init(|| Groups::new(self))
    }

    /// What the rows so far take, with one more.
    fn with_row(&self, so_far: &[u64], row: usize, placements: &[PlacementId]) -> Vec<u64> {
        let with = |&taken: &u64| placements.iter().map(move |&p| taken | self.taken_by(row, p));
        so_far.iter().flat_map(with).collect()
    }
}

impl Groups {
    fn new(space: &Space) -> Groups {
        // Every configuration of the upper rows with its group.
        let mut all = vec![(space.walls, 0u32)];
        for (number, row) in space.rows[..=space.primary_row].iter().enumerate() {
            let with = |&(taken, group): &(u64, u32)| {
                (0..row.kinds()).flat_map(move |kind| {
                    let group = group * row.kinds() as u32 + kind as u32;
                    row.placements(kind).iter().map(move |&p| (taken | space.taken_by(number, p), group))
                })
            };
            all = all.iter().flat_map(with).collect();
        }
        all.sort_unstable();
        let groups: usize = space.rows[..=space.primary_row].iter().map(|row| row.kinds()).product();
        let mut boards = vec![0; groups];
        let mut of = all.iter().map(|&(_, group)| group as usize);
        let below = Below::new(space, space.primary_row + 1);
        below.count(space, all.iter().map(|&(taken, _)| taken), |count| {
            boards[of.next().expect("one for each")] += count;
        });
        let mut first = vec![0];
        first.extend(boards.iter().scan(0, |sum, boards| {
            *sum += boards;
            Some(*sum)
        }));
        Groups { first, last: Mutex::new(None) }
    }

    /// The rank of the first board of a signature.
    pub fn first_of(&self, space: &Space, id: SignatureId) -> u64 {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, first)) = last.filter(|last| last.0 == id) {
            return first;
        }
        let mut kinds: Vec<usize> = Vec::new();
        let mut rest = id.0 as usize;
        for row in space.rows[space.primary_row + 1..].iter().rev() {
            kinds.push(rest % row.kinds());
            rest /= row.kinds();
        }
        let mut first = self.first[rest];
        self.go_down(space, rest, |boards| {
            // The kind that is passed, or the last one.
            let kind = kinds.last_mut().expect("one for each row");
            if *kind == 0 {
                kinds.pop();
                return false;
            }
            *kind -= 1;
            first += boards();
            true
        });
        *last = Some((id, first));
        first
    }

    /// The signature that holds a rank, if there is one.
    pub fn signature_at(&self, space: &Space, rank: Rank) -> Option<SignatureId> {
        let group = self.first.partition_point(|&first| first <= rank.0) - 1;
        let mut rest = rank.0 - self.first[group];
        if group + 1 == self.first.len() {
            return None;
        }
        let id = self.go_down(space, group, |boards| {
            let boards = boards();
            let passes = rest >= boards;
            rest -= if passes { boards } else { 0 };
            passes
        });
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((id, rank.0 - rest));
        Some(id)
    }

    /// Goes down the rows of a group from the first below the primary's, in each from
    /// kind to kind as long as the next is `passed`, which may ask how many boards have it.
    fn go_down(
        &self,
        space: &Space,
        group: usize,
        mut passed: impl FnMut(&dyn Fn() -> u64) -> bool,
    ) -> SignatureId {
        let mut so_far = vec![space.walls];
        let mut rest = group;
        for (number, row) in space.rows[..=space.primary_row].iter().enumerate().rev() {
            so_far = space.with_row(&so_far, number, row.placements(rest % row.kinds()));
            rest /= row.kinds();
        }
        let mut id = group;
        for (number, row) in space.rows.iter().enumerate().skip(space.primary_row + 1) {
            let below = Below::new(space, number + 1);
            let boards = |kind: usize| {
                let placements = row.placements(kind);
                if number + 1 == space.size() {
                    let with = |&taken: &u64| {
                        let boards =
                            placements.iter().map(|&p| space.fillings(taken | space.taken_by(number, p)));
                        boards.sum::<u64>()
                    };
                    return so_far.iter().map(with).sum();
                }
                let mut all = space.with_row(&so_far, number, placements);
                all.sort_unstable();
                let mut sum = 0;
                below.count(space, all.into_iter(), |count| sum += count);
                sum
            };
            let kind = (0..row.kinds()).find(|&kind| !passed(&|| boards(kind))).expect("one is not passed");
            so_far = space.with_row(&so_far, number, row.placements(kind));
            id = id * row.kinds() + kind;
        }
        SignatureId(id as u32)
    }
}
