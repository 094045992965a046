//! The algorithms on a puzzle that is not Rush Hour, with actions that cost
//! more than 1.

use std::convert::Infallible;

use proptest::prelude::*;
use tailback::search::{Algorithm, Blind, Domain, Guide, Limits, Report, Stop, Value, Verdict, run};

/// Towns and one-way roads, some of them double; the last town is the goal.
#[derive(Debug, Clone)]
struct Map {
    towns: usize,
    /// From, to, cost.
    roads: Vec<(usize, usize, u32)>,
}

impl Domain for Map {
    type State = usize;
    type Action = (usize, usize);

    fn is_goal(&self, &town: &usize) -> bool {
        town + 1 == self.towns
    }

    fn for_each_successor(&self, &town: &usize, mut visit: impl FnMut(usize, u32)) {
        self.roads.iter().filter(|road| road.0 == town).for_each(|&(_, to, cost)| visit(to, cost));
    }

    fn action(&self, &from: &usize, &to: &usize) -> (usize, usize) {
        (from, to)
    }

    fn has_unit_costs(&self) -> bool {
        self.roads.iter().all(|road| road.2 == 1)
    }
}

impl Map {
    /// The least cost from every town to the goal: as many rounds over all
    /// roads as there are towns.
    fn distances(&self) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.towns];
        distances[self.towns - 1] = Some(0);
        for _ in 0..self.towns {
            for &(from, to, cost) in &self.roads {
                let through = distances[to].map(|rest: u32| rest + cost);
                distances[from] = [distances[from], through].into_iter().flatten().min();
            }
        }
        distances
    }

    /// Of the road between two towns, if there is one.
    fn cost(&self, from: usize, to: usize) -> Option<u32> {
        self.roads.iter().find(|road| (road.0, road.1) == (from, to)).map(|road| road.2)
    }
}

/// Guesses from a list.
#[derive(Debug)]
struct Guesses {
    values: Vec<Value>,
    is_admissible: bool,
}

impl Guide<Map> for Guesses {
    type Error = Infallible;

    fn estimate(&mut self, _: &Map, &town: &usize, _: Option<&usize>) -> Result<Value, Infallible> {
        Ok(self.values[town])
    }

    fn is_admissible(&self) -> bool {
        self.is_admissible
    }
}

impl Guesses {
    /// A share of each distance, in percent; more than 100 is too high.
    fn new(map: &Map, shares: &[u32]) -> Guesses {
        let guess = |(distance, &share): (Option<u32>, &u32)| match distance {
            None => Value::INFINITE,
            Some(distance) => format!("{:.2}", f64::from(distance * share) / 100.0).parse().unwrap(),
        };
        Guesses {
            values: map.distances().into_iter().zip(shares).map(guess).collect(),
            is_admissible: shares.iter().all(|&share| share <= 100),
        }
    }
}

const ALGORITHMS: [&str; 12] = [
    "bfs",
    "dfs",
    "iddfs",
    "greedy",
    "astar",
    "wastar:1.5",
    "wastar:4",
    "wastar:0.5",
    "ida",
    "ida-tt",
    "wida:1.5",
    "wida-tt:4",
];

/// The way is one, and costs what it says.
fn check(map: &Map, algorithm: Algorithm, report: &Report<(usize, usize)>, is_admissible: bool) {
    let truth = map.distances()[0];
    let Verdict::Solved(solution) = &report.verdict else {
        assert_eq!((&report.verdict, truth), (&Verdict::Unsolvable, None), "{algorithm}");
        return;
    };
    let truth = truth.unwrap();
    let mut town = 0;
    let mut cost = 0;
    for &(from, to) in &solution.actions {
        assert_eq!(from, town);
        cost += map.cost(from, to).unwrap_or_else(|| panic!("{algorithm}: no road from {from} to {to}"));
        town = to;
    }
    assert_eq!((town + 1, solution.cost), (map.towns, cost), "{algorithm}: {solution:?}");
    let weight = match algorithm {
        Algorithm::AStar { weight } | Algorithm::IdaStar { weight, .. } if is_admissible => {
            Some(weight.as_f64())
        }
        Algorithm::IterativeDeepening => Some(1.0),
        Algorithm::BreadthFirst if map.has_unit_costs() => Some(1.0),
        _ => None,
    };
    let exact = weight.is_some_and(|weight| weight <= 1.0);
    assert_eq!(solution.proven_optimal, exact || map.towns == 1, "{algorithm}");
    assert!(cost >= truth);
    if let Some(weight) = weight {
        assert!(f64::from(cost) <= weight.max(1.0) * f64::from(truth), "{algorithm}: {cost}, not {truth}");
    }
}

fn search(map: &Map, algorithm: Algorithm, guesses: &mut Guesses, limits: &Limits) -> Report<(usize, usize)> {
    let report = if algorithm.is_guided() {
        run(algorithm, map, 0, guesses, limits)
    } else {
        run(algorithm, map, 0, &mut Blind, limits)
    };
    let Ok(report) = report;
    report
}

prop_compose! {
    fn any_map()(towns in 1usize..10, highest in 1u32..12)(
        costs in prop::collection::vec(1..=highest, towns * towns),
        roads in prop::collection::vec((0..towns, 0..towns), 0..3 * towns),
        towns in Just(towns),
    ) -> Map {
        let roads = roads.into_iter().map(|(from, to)| (from, to, costs[from * towns + to])).collect();
        Map { towns, roads }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn all_algorithms_find_ways(
        map in any_map(),
        shares in prop::collection::vec(0u32..=100, 10),
        too_high in prop::collection::vec(0u32..=300, 10),
    ) {
        for shares in [&shares, &too_high] {
            let mut guesses = Guesses::new(&map, shares);
            for name in ALGORITHMS {
                let algorithm: Algorithm = name.parse().unwrap();
                let report = search(&map, algorithm, &mut guesses, &Limits::default());
                check(&map, algorithm, &report, guesses.is_admissible);
            }
        }
    }

    #[test]
    fn a_stopped_search_promises_no_more_than_it_knows(
        map in any_map(),
        shares in prop::collection::vec(0u32..=100, 10),
        nodes in 0u64..30,
    ) {
        let truth = map.distances()[0];
        let mut guesses = Guesses::new(&map, &shares);
        for name in ALGORITHMS {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let report = search(&map, name.parse().unwrap(), &mut guesses, &limits);
            if let Verdict::Stopped { reason, at_least } = report.verdict {
                prop_assert_eq!(reason, Stop::Nodes);
                prop_assert!(truth.is_none_or(|truth| at_least <= truth), "{}: {}", name, at_least);
            }
        }
    }
}

/// The direct road is one action, but the way round is cheaper.
#[test]
fn the_fewest_actions_are_not_the_least_cost() {
    let map = Map { towns: 4, roads: vec![(0, 3, 10), (0, 1, 2), (1, 2, 3), (2, 3, 4)] };
    let mut guesses = Guesses::new(&map, &[100; 4]);
    let mut costs = |name: &str| {
        let report = search(&map, name.parse().unwrap(), &mut guesses, &Limits::default());
        let solution = report.solution().unwrap();
        (solution.cost, solution.actions.len(), solution.proven_optimal)
    };
    assert_eq!(costs("bfs"), (10, 1, false));
    for exact in ["iddfs", "astar", "ida", "ida-tt"] {
        assert_eq!(costs(exact), (9, 3, true), "{exact}");
    }
}
