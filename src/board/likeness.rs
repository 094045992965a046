//! Which boards are alike: those that a player would take for the same puzzle.
//!
//! The *difference* of two boards is the number of vehicles that have to be added,
//! removed or shifted along their lines to turn one into the other, or into its
//! mirror image, whichever is less. Walls count like vehicles that cannot be
//! shifted. Two boards are alike to a degree if their difference is not larger, or
//! if they are of one family: the same lengths in the same order in every line, or
//! those of the mirror image.

use rustc_hash::FxHashMap;

use super::{Axis, Board, MAX_SIZE, Vehicle};
use crate::random::split_mix;

/// Up to this degree boards are found by what is left without so many vehicles: 378
/// keys for thirteen of them.
const MOST_REMOVED: u32 = 3;

/// The vehicles of a line: starts and lengths, in order.
type Line = Vec<(u8, u8)>;

/// Rows from the top, then columns from the left.
type Lines<T> = [T; 2 * MAX_SIZE];

/// Boards of which no two are alike.
///
/// ```
/// use tailback::board::{Board, Distinct};
///
/// let mut distinct = Distinct::new(1);
/// let mut admits = |text| Ok::<bool, tailback::board::BoardError>(distinct.admits(&Board::parse(text)?));
/// assert!(admits("..B. AAB. .... CC..")?);
/// assert!(!admits("..B. AAB. .... ....")?, "without C");
/// assert!(!admits("..B. AAB. .... .CC.")?, "C shifted");
/// assert!(admits("..BD AABD CC.. EE..")?, "two more");
/// # Ok::<(), tailback::board::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Distinct {
    degree: u32,
    /// A number for every line that was seen.
    patterns: FxHashMap<Line, u16>,
    lines: Vec<Line>,
    /// What it costs to turn one line into another.
    costs: Vec<Vec<u8>>,
    kept: Vec<Figure>,
    families: FxHashMap<u64, u32>,
    index: Index,
}

/// Boards by what is left of them without a few vehicles: two boards that differ by
/// no more than so many have something left in common.
#[derive(Clone, Default, Debug)]
struct Index {
    /// The newest entry of each key.
    newest: FxHashMap<u64, u32>,
    /// A board, and the entry before it with the same key.
    entries: Vec<(u32, Option<u32>)>,
}

/// A board by the numbers of its lines.
#[derive(Clone, Debug)]
struct Figure {
    size: u8,
    walls: u64,
    lines: Lines<u16>,
}

impl Distinct {
    /// Boards that differ by more than so many vehicles.
    pub fn new(degree: u32) -> Distinct {
        Distinct {
            degree,
            patterns: FxHashMap::default(),
            lines: Vec::new(),
            costs: Vec::new(),
            kept: Vec::new(),
            families: FxHashMap::default(),
            index: Index::default(),
        }
    }

    /// Is the board like none of those that were admitted before? Then it is one of
    /// them.
    pub fn admits(&mut self, board: &Board) -> bool {
        self.like(board).is_none()
    }

    /// Which of those that were admitted before the board is like: its place among
    /// them. If it is like none, it is admitted.
    pub fn like(&mut self, board: &Board) -> Option<usize> {
        let family = board.family();
        if let Some(&kept) = self.families.get(&family) {
            return Some(kept as usize);
        }
        let mirrored = board.mirrored();
        for board in [board, &mirrored] {
            let figure = self.figure(board);
            let is_like = |&kept: &u32| {
                let kept = &self.kept[kept as usize];
                kept.size == figure.size && difference(kept, &figure, &self.costs) <= self.degree
            };
            let found = match self.degree {
                0..=MOST_REMOVED => {
                    keys(board, self.degree).into_iter().find_map(|key| self.index.of(key).find(is_like))
                }
                _ => (0..self.kept.len() as u32).find(is_like),
            };
            if let Some(kept) = found {
                return Some(kept as usize);
            }
        }
        let number = self.kept.len() as u32;
        let figure = self.figure(board);
        self.kept.push(figure);
        self.families.insert(family, number);
        if self.degree <= MOST_REMOVED {
            keys(board, self.degree).into_iter().for_each(|key| self.index.add(key, number));
        }
        None
    }

    fn figure(&mut self, board: &Board) -> Figure {
        let mut lines = [0; 2 * MAX_SIZE];
        for (line, number) in lines_of(board).into_iter().zip(&mut lines) {
            *number = self.number(line);
        }
        Figure { size: board.size, walls: board.walls, lines }
    }

    fn number(&mut self, line: Line) -> u16 {
        if let Some(&number) = self.patterns.get(&line) {
            return number;
        }
        let number = self.lines.len();
        let costs: Vec<u8> = self.lines.iter().chain([&line]).map(|other| cost(&line, other)).collect();
        for (row, &cost) in self.costs.iter_mut().zip(&costs) {
            row.push(cost);
        }
        self.costs.push(costs);
        self.lines.push(line.clone());
        // Far fewer than 65,536: a line of 8 cells has 1,490 ways to be filled.
        self.patterns.insert(line, number as u16);
        number as u16
    }
}

impl Index {
    fn add(&mut self, key: u64, board: u32) {
        let last = self.newest.insert(key, self.entries.len() as u32);
        self.entries.push((board, last));
    }

    /// The boards with a key.
    fn of(&self, key: u64) -> impl Iterator<Item = u32> {
        let mut next = self.newest.get(&key).copied();
        std::iter::from_fn(move || {
            let (board, last) = self.entries[next? as usize];
            next = last;
            Some(board)
        })
    }
}

/// Keys of what is left of a board without so many vehicles or fewer. A key is a sum,
/// so a vehicle is taken away by a subtraction.
fn keys(board: &Board, degree: u32) -> Vec<u64> {
    let vehicle = |vehicle: &Vehicle| {
        let Vehicle { axis, line, start, len, .. } = *vehicle;
        let code =
            [axis as u8, line, start, len].into_iter().fold(1, |code, part| code << 8 | u64::from(part));
        split_mix(code)
    };
    let walls = (0..64).filter(|cell| board.walls >> cell & 1 == 1).map(|cell| split_mix(cell + 1));
    let parts: Vec<u64> = board.vehicles.iter().map(vehicle).chain(walls).collect();
    let whole = parts.iter().fold(split_mix(board.size.into()), |sum, &part| sum.wrapping_add(part));
    let mut keys = vec![whole];
    // What was removed last, so that no set comes twice.
    let mut round = vec![(whole, 0)];
    for _ in 0..degree {
        let less = |&(key, first): &(u64, usize)| {
            let parts = parts.iter().enumerate().skip(first);
            parts.map(move |(index, &part)| (key.wrapping_sub(part), index + 1)).collect::<Vec<_>>()
        };
        round = round.iter().flat_map(less).collect();
        keys.extend(round.iter().map(|&(key, _)| key));
    }
    keys
}

/// Vehicles and walls to be added, removed or shifted to turn one into the other.
fn difference(a: &Figure, b: &Figure, costs: &[Vec<u8>]) -> u32 {
    let lines = a.lines.iter().zip(&b.lines);
    let cost = |(&a, &b): (&u16, &u16)| u32::from(costs[usize::from(a)][usize::from(b)]);
    (a.walls ^ b.walls).count_ones() + lines.map(cost).sum::<u32>()
}

/// The vehicles of every line. Lines that the board has not are empty.
fn lines_of(board: &Board) -> Lines<Line> {
    let mut lines: Lines<Line> = Default::default();
    for vehicle in &board.vehicles {
        let first = if vehicle.axis == Axis::Horizontal { 0 } else { MAX_SIZE };
        lines[first + usize::from(vehicle.line)].push((vehicle.start, vehicle.len));
    }
    for line in &mut lines {
        line.sort_unstable();
    }
    lines
}

/// Vehicles to be added, removed or shifted to turn a line into another: none jumps
/// over another, so this is an alignment of two short lists.
fn cost(a: &[(u8, u8)], b: &[(u8, u8)]) -> u8 {
    let mut last: Vec<u8> = (0..=b.len() as u8).collect();
    for (i, &(start, len)) in a.iter().enumerate() {
        let mut row = vec![i as u8 + 1];
        for (j, &(other, other_len)) in b.iter().enumerate() {
            let alone = last[j + 1].min(row[j]) + 1;
            let together = if len == other_len { last[j] + u8::from(start != other) } else { u8::MAX };
            row.push(alone.min(together));
        }
        last = row;
    }
    last[b.len()]
}
