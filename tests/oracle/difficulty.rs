//! What makes a puzzle hard, read off the grid.

use std::collections::{BTreeSet, HashMap};

use super::{plain, successors};

/// What is told along a solution.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Along {
    pub moving: usize,
    pub possible: usize,
    pub forced: usize,
    pub away: usize,
    pub chain: usize,
}

/// Follows a solution; `distances` are those of the cluster.
pub fn along(
    text: &str,
    size: usize,
    solution: &[String],
    distances: &HashMap<String, Option<u32>>,
) -> Along {
    let mut now = plain(text);
    let mut moving = BTreeSet::new();
    let mut found = Along::default();
    let mut moves: Vec<(char, BTreeSet<usize>, usize)> = Vec::new();
    for notation in solution {
        let next = successors(&now, size, false);
        found.possible += next.len();
        let left = distances[&now].unwrap() - 1;
        found.forced += usize::from(next.iter().filter(|n| distances[&n.text] == Some(left)).count() == 1);
        let next = next.into_iter().find(|next| next.notation == *notation).expect("a legal move").text;
        found.away += usize::from(in_the_way(&next, size) > in_the_way(&now, size));

        let letter = notation.chars().next().unwrap();
        moving.insert(letter);
        let (before, after) = (cells(&now, letter), cells(&next, letter));
        let ends: BTreeSet<usize> = before.union(&after).copied().collect();
        let (first, last) = (*ends.first().unwrap(), *ends.last().unwrap());
        let pace = if first / size == last / size { 1 } else { size };
        let passed: BTreeSet<usize> = (first..=last).step_by(pace).collect();
        let depends = |(other, cells, _): &&(char, BTreeSet<usize>, usize)| {
            *other == letter || !cells.is_disjoint(&passed)
        };
        let chain = 1 + moves.iter().filter(depends).map(|(.., chain)| *chain).max().unwrap_or(0);
        found.chain = found.chain.max(chain);
        moves.push((letter, passed, chain));
        now = next;
    }
    found.moving = moving.len();
    found
}

fn cells(text: &str, letter: char) -> BTreeSet<usize> {
    text.chars().enumerate().filter(|(_, c)| *c == letter).map(|(cell, _)| cell).collect()
}

/// The cells between the primary and the edge, and the vehicles there.
fn in_the_way(text: &str, size: usize) -> usize {
    let end = *cells(text, 'A').last().unwrap();
    let edge = (end / size + 1) * size;
    let way: Vec<char> = text.chars().skip(end + 1).take(edge - end - 1).collect();
    let vehicles: BTreeSet<&char> = way.iter().filter(|c| c.is_ascii_alphabetic() && **c != 'x').collect();
    way.len() + vehicles.len()
}

/// The moves of a solution without their order: letter, from where to where.
type Moves = Vec<(char, usize, usize)>;

/// How many shortest solutions differ in more than the order of their moves, at
/// most `most` of them.
pub fn different(text: &str, size: usize, distances: &HashMap<String, Option<u32>>, most: usize) -> usize {
    let mut known = HashMap::new();
    ways(&plain(text), size, distances, most, &mut known).len().min(most)
}

fn ways(
    text: &str,
    size: usize,
    distances: &HashMap<String, Option<u32>>,
    most: usize,
    known: &mut HashMap<String, BTreeSet<Moves>>,
) -> BTreeSet<Moves> {
    let distance = distances[text].expect("it can be solved");
    if distance == 0 {
        return BTreeSet::from([Moves::new()]);
    }
    if let Some(found) = known.get(text) {
        return found.clone();
    }
    let mut found = BTreeSet::new();
    for next in successors(text, size, false) {
        if distances[&next.text] == Some(distance - 1) {
            let letter = next.notation.chars().next().unwrap();
            let place = |text: &str| text.find(letter).unwrap();
            let mv = (letter, place(text), place(&next.text));
            for mut moves in ways(&next.text, size, distances, most, known) {
                moves.push(mv);
                moves.sort();
                found.insert(moves);
            }
        }
    }
    // One move more keeps different ways different, so enough of them are enough.
    while found.len() > most {
        found.pop_last();
    }
    known.insert(text.to_owned(), found.clone());
    found
}
