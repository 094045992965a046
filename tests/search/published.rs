//! Published counts of nodes, explained.

use std::collections::{HashMap, VecDeque};

use tailback::board::Metric;
use tailback::domains::rush_hour::{PuzzleSet, Scene, Traffic, TrafficState};
use tailback::search::Domain;

/// Bounds on what A* generates with `zero` and with `blocking`, if the car has to
/// leave the board: from every board whose way is clear it can do so, which is
/// one successor more.
fn bounds(traffic: &Traffic) -> [(u64, u64); 2] {
    let mut depths: HashMap<TrafficState, u64> = HashMap::from([(traffic.start(), 0)]);
    let mut queue = VecDeque::from([traffic.start()]);
    let mut nodes = Vec::new();
    let mut distance = None;
    while let Some(state) = queue.pop_front() {
        let depth = depths[&state];
        let blockers = u64::from(Scene::of(&traffic.board(state)).front().blockers);
        let mut successors = u64::from(blockers == 0);
        if blockers == 0 {
            distance.get_or_insert(depth + 1);
        }
        traffic.for_each_successor(&state, |next, _| {
            successors += 1;
            depths.entry(next).or_insert_with(|| {
                queue.push_back(next);
                depth + 1
            });
        });
        nodes.push((depth, depth + 1 + blockers, successors));
    }
    let distance = distance.expect("every card has a solution");
    let sum = |counts: &dyn Fn(u64, u64) -> bool| -> u64 {
        let counted = nodes.iter().filter(|(depth, guess, _)| counts(*depth, *guess));
        1 + counted.map(|(_, _, successors)| successors).sum::<u64>()
    };
    [
        (sum(&|depth, _| depth < distance), sum(&|depth, _| depth <= distance)),
        (sum(&|_, f| f < distance), sum(&|_, f| f <= distance)),
    ]
}

/// Their counts are too high for our exit. With their exit they lie inside the
/// bounds on all cards, and with `blocking` they are the upper bound on nearly all.
#[test]
fn hagenberg_counts_an_exit_one_cell_further() {
    let published: HashMap<&str, [u64; 2]> = include_str!("../data/hagenberg.tsv")
        .lines()
        .filter(|line| line.starts_with("Jam-"))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            (fields[0], [fields[1].parse().unwrap(), fields[2].parse().unwrap()])
        })
        .collect();
    assert_eq!(published.len(), 40);
    // With our exit: how many counts are above the upper bounds of the set, and by how much.
    let facts = include_str!("../../src/domains/rush_hour/sets/jam.tsv")
        .lines()
        .filter(|line| line.starts_with("Jam-"));
    let mut above = [Vec::new(), Vec::new()];
    for fields in facts.map(|line| line.split('\t').collect::<Vec<&str>>()) {
        for (index, most) in [fields[6], fields[8]].into_iter().enumerate() {
            let most: u64 = most.parse().unwrap();
            above[index].extend(published[fields[0]][index].checked_sub(most).filter(|&excess| excess > 0));
        }
    }
    assert_eq!(above.each_ref().map(Vec::len), [6, 38]);
    assert_eq!((above[1].iter().min(), above[1].iter().max()), (Some(&1), Some(&32)));

    let mut highest = 0;
    for named in PuzzleSet::jam().iter() {
        let bounds = bounds(&Traffic::new(&named.puzzle, Metric::Moves));
        for (found, (least, most)) in published[named.name.as_str()].into_iter().zip(bounds) {
            assert!((least..=most).contains(&found), "{}: {found} not in {least}..={most}", named.name);
        }
        highest += usize::from(published[named.name.as_str()][1] == bounds[1].1);
    }
    assert_eq!(highest, 38);
}
