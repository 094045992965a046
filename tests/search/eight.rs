//! The 8-puzzle through the traits of all puzzles, against a naive solver of its own.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tailback::board::Distance;
use tailback::puzzles::{self, Count, Draw, Method, Oracle, Settings};
use tailback::search::{Algorithm, Limits, Rules, Value};

/// States at each distance from the goal: Reinefeld 1993, table 1.
const KNOWN: [usize; 32] = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993,
    17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
];

/// What a slide of each tile beside the gap leads to.
fn neighbours(state: &str) -> Vec<String> {
    let at = state.find('0').unwrap();
    let beside = [
        (!at.is_multiple_of(3)).then(|| at - 1),
        (at % 3 < 2).then_some(at + 1),
        at.checked_sub(3),
        Some(at + 3),
    ];
    let slide = |other: usize| {
        let mut tiles: Vec<char> = state.chars().collect();
        (other < 9).then(|| {
            tiles.swap(at, other);
            tiles.into_iter().collect()
        })
    };
    beside.into_iter().flatten().filter_map(slide).collect()
}

/// Every state that can be put in order, with its distance.
fn solved() -> HashMap<String, u32> {
    let mut distances = HashMap::from([("123456780".to_owned(), 0)]);
    let mut level = vec!["123456780".to_owned()];
    for distance in 1.. {
        let mut next = Vec::new();
        for state in level.iter().flat_map(|state| neighbours(state)) {
            if let Entry::Vacant(entry) = distances.entry(state) {
                next.push(entry.key().clone());
                entry.insert(distance);
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    distances
}

fn oracle() -> Arc<dyn Oracle> {
    puzzles::named("eight").unwrap().open(Settings::default()).unwrap()
}

fn draw(count: Count, seed: u64) -> Draw {
    Draw { count, size: None, distances: None, seed, most: usize::MAX }
}

#[test]
fn all_distances_and_heuristics_are_right() {
    let truth = solved();
    let mut levels = [0; 32];
    truth.values().for_each(|&distance| levels[distance as usize] += 1);
    assert_eq!(levels, KNOWN);

    let drawn = oracle().draw(&draw(Count::All(181_440), 3), &()).unwrap();
    let names = ["zero", "misplaced", "manhattan", "linear-conflict", "gaschnig", "perfect"];
    let vocabulary = puzzles::named("eight").unwrap().vocabulary();
    let heuristics = names.map(|name| vocabulary.read(name).unwrap());
    let mut seen = HashSet::new();
    for labelled in &drawn {
        let text = labelled.instance.text();
        assert_eq!(truth.get(&text), Some(&labelled.distance), "{text}");
        let known = Distance::of(labelled.distance);
        assert_eq!(labelled.instance.distance(&()).unwrap(), Some(known), "{text}");
        let values = labelled.instance.values(&heuristics, 0, known);
        let distance = Value::from(known);
        assert!(values.iter().all(|&value| value <= distance), "{text}: {values:?}");
        assert!(
            values[1] <= values[2] && values[2] <= values[3] && values[5] == distance,
            "{text}: {values:?}"
        );
        assert!(seen.insert(text));
    }
    assert_eq!(seen.len(), 181_440);
    assert!(oracle().draw(&draw(Count::All(181_441), 3), &()).is_err());
}

#[test]
fn draws_can_be_repeated_and_have_their_distances() {
    let texts = |seed| -> Vec<String> {
        let drawn = oracle().draw(&draw(Count::PerDistance(3), seed), &()).unwrap();
        drawn.iter().map(|labelled| labelled.instance.text()).collect()
    };
    assert_eq!(texts(1), texts(1));
    assert_ne!(texts(1), texts(2));
    // One state is solved, and the farthest two are all there are.
    assert_eq!(texts(1).len(), 1 + 2 + 29 * 3 + 2);
}

#[test]
fn mirror_images_are_one_group() {
    let group = |text: &str| oracle().read(text).unwrap().1.group();
    // Rows and columns change places, and so do the homes of the tiles.
    assert_eq!(group("023156478"), group("012453786"));
    assert_ne!(group("023156478"), group("123056478"));
}

#[test]
fn searches_find_shortest_solutions() {
    let truth = solved();
    let heuristic = puzzles::named("eight").unwrap().vocabulary().read("linear-conflict").unwrap();
    for labelled in oracle().draw(&draw(Count::PerDistance(2), 9), &()).unwrap() {
        for name in ["bfs", "astar", "ida", "ida-tt"] {
            let algorithm: Algorithm = name.parse().unwrap();
            let method = Method { algorithm, heuristic: algorithm.is_guided().then(|| heuristic.clone()) };
            let report = labelled.instance.solve(&method, Rules::default(), &Limits::default()).unwrap();
            let solution = report.solution().unwrap();
            assert_eq!(solution.cost, labelled.distance, "{name}");
            // Each action leads one nearer to the goal.
            let mut state = labelled.instance.text();
            for action in &solution.actions {
                let (tile, _) = action.text.split_once(' ').unwrap();
                let slid = |next: &String| next.find('0') == state.find(tile);
                let next = neighbours(&state).into_iter().find(slid).unwrap();
                assert_eq!(truth[&next] + 1, truth[&state], "{name}: {}", action.text);
                state = next;
            }
            assert_eq!(state, "123456780");
        }
    }
}

#[test]
fn what_is_no_state_is_refused() {
    for bad in ["", "12345678", "1234567800", "123456788", "12345678x", "8672543010"] {
        let error = oracle().read(bad).unwrap_err().to_string();
        assert!(error.contains("tiles 1 to 8 and a gap"), "{bad}: {error}");
    }
    for (same, name) in
        [("8 6 7 / 2 5 4 / 3 . 1", None), ("far\t867254301", Some("far")), ("far 867254301", Some("far"))]
    {
        let (found, instance) = oracle().read(same).unwrap();
        assert_eq!((found, instance.text().as_str()), (name, "867254301"));
    }
    // An odd order can never be put right.
    let odd = oracle().read("213456780").unwrap().1;
    assert_eq!(odd.distance(&()).unwrap(), Some(Distance::UNSOLVABLE));
}
