//! Whether hardest boards need all that stands in their rows, looked up or found by
//! search.
//!
//! Without a horizontal vehicle a board is of another signature, and without a wall
//! of another space. Where that signature, or a table of that space, is at hand the
//! board is looked up. Where it is not, its distance is searched for. Boards that moves
//! connect stay connected when all lose the same thing, so one search answers for all
//! hardest boards of a cluster, and of the other clusters of the family that it meets.
//!
//! Most clusters have something that none of their boards needs, so what is most
//! often of no use comes first: the rows from the outside in. With the rows from the
//! top the searches meet half as many boards again (6×6, every 1,009th signature).

use std::cmp::Ordering;

use super::clusters::Cluster;
use super::minimal::{Candidate, Without};
use super::source::Source;
use crate::board::{Axis, Board, Distance, Metric, Square, Vehicle, nth_letter};
use crate::cluster::{self, Bounds};
use crate::space::{Blocks, Position, Space};
use crate::table::{Probe, Table, TableError};

/// The search of a signature takes as long for so many boards as the search of a
/// cluster for one, and what is found serves the signatures that come after.
const SEARCHED: u64 = 30;

/// Something that may not be needed.
#[derive(Debug, Clone, Copy)]
pub enum Removable {
    /// A wall.
    Wall(Square),
    /// The vehicle with this number in a row, from the left.
    InRow { row: usize, number: usize },
}

impl Removable {
    /// The position without it, if it is a vehicle.
    pub fn taken_from(self, without: &Without, position: &Position) -> Position {
        let mut position = *position;
        if let Removable::InRow { row, number } = self {
            position.rows[row] = without.of(position.rows[row])[number];
        }
        position
    }
}

/// The horizontal vehicles of the boards of a signature but the primary, given one
/// of the boards.
pub fn in_rows(space: &Space, position: &Position) -> Vec<Removable> {
    let size = space.size();
    let mut rows: Vec<usize> = (0..size).collect();
    rows.sort_by_key(|&row| (row.min(size - 1 - row), size - row));
    let vehicles = |row: usize| {
        let vehicles = space.line().placement(position.rows[row]).vehicles.len();
        // The primary is the last in its row.
        vehicles - usize::from(row == space.primary_row())
    };
    let in_row = |row| (0..vehicles(row)).map(move |number| Removable::InRow { row, number });
    rows.into_iter().flat_map(in_row).collect()
}

/// Keeps the candidates of one signature that are nearer to the exit without
/// any one of their horizontal vehicles, as far as that can be looked up. Tells the
/// vehicles for which it cannot.
///
/// Without the same vehicle of the same row they all are boards of the same
/// other signature, so one after the other signature is opened.
pub fn keep_needing_rows(
    source: &mut Source,
    space: &Space,
    without: &Without,
    clusters: &[Cluster],
    candidates: &mut Vec<Candidate>,
) -> Result<Vec<Removable>, TableError> {
    let mut unknown = Vec::new();
    let Some(first) = candidates.first() else { return Ok(unknown) };
    for thing in in_rows(space, &first.position) {
        let removed = |candidate: &Candidate| thing.taken_from(without, &candidate.position);
        let Some(first) = candidates.first() else { break };
        let id = space.signature_of(&removed(first));
        let is_worth_it = |blocks: &Blocks| {
            let mut of: Vec<u32> = candidates.iter().map(|candidate| candidate.cluster).collect();
            of.sort_unstable();
            of.dedup();
            let boards = of.iter().map(|&cluster| u64::from(clusters[cluster as usize].boards));
            blocks.distances_fit() && SEARCHED * boards.sum::<u64>() > blocks.boards()
        };
        let Some(opened) = source.open(space, id, is_worth_it) else {
            unknown.push(thing);
            continue;
        };
        let blocks = Blocks::new(space, id);
        let mut probe = opened.probe()?;
        try_retain(candidates, |candidate| {
            let position = removed(candidate);
            let (strip, pair) = blocks.strip(blocks.configuration(&position), &position);
            Ok(probe.distance(strip, pair)? != Distance::from_byte(candidate.distance))
        })?;
    }
    Ok(unknown)
}

/// Keeps the candidates that are nearer to the exit with fewer walls, as far as tables
/// tell. Tells the walls for which they do not.
///
/// A board that is as far from the exit in any space with fewer walls has a wall that
/// it does not need: with each wall that is put back it is no nearer.
pub fn keep_needing_walls(
    tables: &mut [Probe<&Table>],
    space: &Space,
    candidates: &mut Vec<Candidate>,
) -> Result<Vec<Removable>, TableError> {
    let walls = space.id().walls;
    let mut unknown: Vec<Square> = space.id().wall_cells().collect();
    for probe in tables {
        let left = probe.table().space().id().walls;
        if left == walls || left & !walls != 0 {
            continue;
        }
        try_retain(candidates, |candidate| {
            let position = candidate.position.in_space(probe.table().space().id());
            match probe.distance(&position)?.cmp(&Distance::from_byte(candidate.distance)) {
                Ordering::Greater => {
                    Err(probe.table().damaged("a board is nearer to the exit with more walls"))
                }
                than => Ok(than == Ordering::Less),
            }
        })?;
        unknown.retain(|cell| left != walls & !cell.bit());
    }
    Ok(unknown.into_iter().map(Removable::Wall).collect())
}

/// Keeps what a fallible test says, or fails with its first error.
fn try_retain(
    candidates: &mut Vec<Candidate>,
    mut keep: impl FnMut(&Candidate) -> Result<bool, TableError>,
) -> Result<(), TableError> {
    let mut result = Ok(());
    candidates.retain(|candidate| {
        let kept = result.is_ok().then(|| keep(candidate));
        kept.is_some_and(|kept| {
            kept.unwrap_or_else(|error| {
                result = Err(error);
                false
            })
        })
    });
    result
}

/// Keeps the candidates that are nearer to the exit without any one of some things.
pub fn keep_needing(
    space: &Space,
    without: &Without,
    clusters: &[Cluster],
    things: &[Removable],
    candidates: &mut Vec<Candidate>,
) {
    if things.is_empty() {
        return;
    }
    let family = |candidate: &Candidate| clusters[candidate.cluster as usize].family;
    candidates.sort_by_key(family);
    let groups = candidates.chunk_by(|a, b| family(a) == family(b));
    *candidates = groups.flat_map(|group| needing(space, without, clusters, things, group)).collect();
}

/// Those of the hardest boards of one family that need all of some things.
fn needing(
    space: &Space,
    without: &Without,
    clusters: &[Cluster],
    things: &[Removable],
    group: &[Candidate],
) -> Vec<Candidate> {
    let mut left: Vec<Candidate> = group.to_vec();
    for &thing in things {
        let lacking = |candidate: &Candidate| lacking(space, without, thing, &candidate.position);
        let mut needing = Vec::new();
        while let Some(&first) = left.first() {
            // Where no vehicle ever gets to the place of a wall nothing changes.
            let own = clusters[first.cluster as usize].boards as usize;
            let is_other = |boards: usize| boards != own || matches!(thing, Removable::InRow { .. });
            let cluster =
                cluster::Cluster::explore_if(&lacking(&first), Metric::Moves, Bounds::NONE, is_other);
            let Some(cluster) = cluster.expect("there is no limit") else {
                left.retain(|candidate| candidate.cluster != first.cluster);
                continue;
            };
            let (answered, others): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|candidate| cluster.contains(&lacking(candidate)));
            left = others;
            needing.extend(answered.into_iter().filter(|candidate| {
                let distance = cluster.distance(&lacking(candidate));
                distance.is_some_and(|distance| distance < Distance::from_byte(candidate.distance))
            }));
        }
        left = needing;
    }
    left
}

/// A board without something.
fn lacking(space: &Space, without: &Without, thing: Removable, position: &Position) -> Board {
    let walls = match thing {
        Removable::Wall(cell) => space.id().walls & !cell.bit(),
        Removable::InRow { .. } => space.id().walls,
    };
    board(space, walls, &thing.taken_from(without, position))
}

/// A board with other walls. Vehicles have their letters by their places in the
/// lines, so all boards of a cluster have the same.
fn board(space: &Space, walls: u64, position: &Position) -> Board {
    let size = space.size();
    let mut vehicles: Vec<Vehicle> = Vec::new();
    let mut primary = 0;
    let rows = position.rows[..size].iter().map(|&id| (Axis::Horizontal, id));
    let columns = position.columns[..size].iter().map(|&id| (Axis::Vertical, id));
    for (number, (axis, id)) in rows.chain(columns).enumerate() {
        for &(start, len) in &space.line().placement(id).vehicles {
            let letter = nth_letter(vehicles.len());
            vehicles.push(Vehicle { letter, axis, line: (number % size) as u8, start, len });
        }
        if number == space.primary_row() {
            primary = vehicles.len() - 1;
        }
    }
    Board::from_parts(size, walls, vehicles, primary).expect("less stands on it than on a board")
}
