//! The algorithms on a puzzle that is not Rush Hour, with actions that cost
//! more than 1.

use std::cell::Cell;
use std::convert::Infallible;
use std::num::NonZeroU32;
use std::sync::Mutex;

use proptest::prelude::*;
use tailback::board::Distance;
use tailback::search::{
    Algorithm, Blind, Compared, Comparison, Contest, Domain, Guide, Limits, Method, MethodTotals, Named,
    Report, Rules, Stop, Value, Verdict, run,
};

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

    fn for_each_successor(&self, &town: &usize, mut visit: impl FnMut(usize, NonZeroU32)) {
        let roads = self.roads.iter().filter(|road| road.0 == town);
        roads.for_each(|&(_, to, cost)| visit(to, NonZeroU32::new(cost).expect("no road is free")));
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
    type Memo = ();

    fn estimate(
        &mut self,
        _: &Map,
        &town: &usize,
        _: Option<(&usize, ())>,
    ) -> Result<(Value, ()), Infallible> {
        Ok((self.values[town], ()))
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
                prop_assert_eq!(report.counts.generated, nodes.max(1));
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

/// A row of numbers to sort, by swapping neighbours. A swap costs the sum of
/// the two.
#[derive(Debug)]
struct Sorting;

const NUMBERS: usize = 7;

impl Domain for Sorting {
    type State = [u8; NUMBERS];
    /// The place of the first of the two.
    type Action = usize;

    fn is_goal(&self, row: &Self::State) -> bool {
        row.is_sorted()
    }

    fn for_each_successor(&self, row: &Self::State, mut visit: impl FnMut(Self::State, NonZeroU32)) {
        for place in 1..NUMBERS {
            let mut next = *row;
            next.swap(place - 1, place);
            let cost = u32::from(row[place - 1] + row[place]);
            visit(next, NonZeroU32::new(cost).expect("the numbers begin with 1"));
        }
    }

    fn action(&self, from: &Self::State, to: &Self::State) -> usize {
        (0..NUMBERS).find(|&place| from[place] != to[place]).expect("two have changed places")
    }

    fn has_unit_costs(&self) -> bool {
        false
    }
}

impl Sorting {
    /// What it costs to swap each pair that stands the wrong way round once:
    /// that is needed, and enough.
    fn inversions(row: &[u8; NUMBERS]) -> u32 {
        let pairs = (0..NUMBERS).flat_map(|b| (0..b).map(move |a| (row[a], row[b])));
        pairs.filter(|(a, b)| a > b).map(|(a, b)| u32::from(a + b)).sum()
    }
}

/// Half of it, rounded down, so that there is something to search: counted anew
/// for every row, or brought up to date.
struct Inversions {
    is_incremental: bool,
}

impl Guide<Sorting> for Inversions {
    type Error = Infallible;
    /// The sum of the row.
    type Memo = u32;

    fn estimate(
        &mut self,
        sorting: &Sorting,
        row: &[u8; NUMBERS],
        parent: Option<(&[u8; NUMBERS], u32)>,
    ) -> Result<(Value, u32), Infallible> {
        let sum = match parent {
            Some((before, sum)) if self.is_incremental => {
                let place = sorting.action(before, row);
                let (a, b) = (before[place], before[place + 1]);
                if a > b { sum - u32::from(a + b) } else { sum + u32::from(a + b) }
            }
            _ => Sorting::inversions(row),
        };
        Ok((Value::from(sum / 2), sum))
    }

    fn is_admissible(&self) -> bool {
        true
    }
}

/// A guide is given the memo of the very parent it is asked about, in every
/// algorithm, whatever was asked in between.
#[test]
fn memos_belong_to_the_parent() {
    for start in [[4, 2, 1, 3, 5, 7, 6], [3, 1, 2, 6, 5, 4, 7], [1, 2, 3, 4, 5, 6, 7]] {
        for name in ALGORITHMS {
            let search = |is_incremental| {
                let (algorithm, guide) = (name.parse().unwrap(), &mut Inversions { is_incremental });
                let limits = Limits { nodes: Some(300_000), ..Limits::default() };
                let Ok(report) = run(algorithm, &Sorting, start, guide, &limits);
                (report.verdict, report.counts)
            };
            let (verdict, counts) = search(false);
            assert_eq!(search(true), (verdict.clone(), counts), "{name} from {start:?}");
            if let Verdict::Solved(solution) = verdict
                && solution.proven_optimal
            {
                assert_eq!(solution.cost, Sorting::inversions(&start), "{name} from {start:?}");
            }
        }
    }
}

/// A star of so many rays, which end at once: as many successors as there are.
struct Star(u32);

impl Domain for Star {
    type State = u32;
    type Action = u32;

    fn is_goal(&self, _: &u32) -> bool {
        false
    }

    fn for_each_successor(&self, &ray: &u32, mut visit: impl FnMut(u32, NonZeroU32)) {
        if ray == 0 {
            (1..=self.0).for_each(|ray| visit(ray, NonZeroU32::MIN));
        }
    }

    fn action(&self, _: &u32, &to: &u32) -> u32 {
        to
    }

    fn has_unit_costs(&self) -> bool {
        true
    }
}

/// All successors came before the next look at the limits, and memory had room
/// for 128 a state.
#[test]
fn one_state_may_have_any_number_of_successors() {
    let star = Star(1_000_000);
    for name in ALGORITHMS {
        let stopped = |limits| match run(name.parse().unwrap(), &star, 0, &mut Blind, &limits) {
            Ok(Report { verdict: Verdict::Stopped { reason, .. }, counts, .. }) => (reason, counts.generated),
            Ok(other) => panic!("{name}: {:?}", other.verdict),
        };
        let (reason, generated) = stopped(Limits { memory: Some(4_000_000), ..Limits::default() });
        assert!(reason == Stop::Memory && generated < 200_000, "{name}: {generated}");
        assert_eq!(stopped(Limits { nodes: Some(5_000), ..Limits::default() }), (Stop::Nodes, 5_000));
    }
}

/// A way that costs more than 32 bits can hold is one, but nobody knows what
/// it costs.
#[test]
fn a_cost_that_does_not_fit_is_never_optimal() {
    let map = Map { towns: 3, roads: vec![(0, 1, u32::MAX), (1, 2, u32::MAX)] };
    for name in ["bfs", "astar", "iddfs", "ida-tt"] {
        let Ok(report) = run(name.parse().unwrap(), &map, 0, &mut Blind, &Limits::default());
        let solution = report.solution().unwrap();
        assert_eq!((solution.cost, solution.proven_optimal), (u32::MAX, false), "{name}");
    }
}

/// Compares searches of maps, and takes down which of them it searches.
struct Maps {
    order: Mutex<Vec<u32>>,
}

impl Contest for Maps {
    /// The cost of the only road.
    type Puzzle = u32;
    /// A share of the distance.
    type Heuristic = u32;
    type Error = Infallible;

    fn search(&self, &cost: &u32, method: &Method<u32>, limits: &Limits) -> Result<Report<()>, Infallible> {
        self.order.lock().unwrap().push(cost);
        let map = Map { towns: 2, roads: vec![(0, 1, cost)] };
        let guide = |&share: &u32| Ok(Guesses::new(&map, &[share; 2]));
        method.run(Rules::default(), &map, 0, guide, limits).map(Report::without_actions)
    }

    fn distance(&self, &cost: &u32) -> Result<Option<Distance>, Infallible> {
        Ok(Some(Distance::of(cost)))
    }
}

/// Runs a comparison of so many maps and gives the order of the searches, what
/// came out, and how many maps had been taken when the first result came.
fn compare(maps: u32) -> (Vec<u32>, Vec<Compared<u32>>, u32) {
    let contest = Maps { order: Mutex::default() };
    let methods = Method::all(&[Algorithm::DepthFirst, Algorithm::A_STAR], &[50, 100]);
    let comparison =
        Comparison { contest: &contest, methods: &methods, limits: &Limits::default(), repeats: 1 };
    let taken = Cell::new(0);
    let maps = (0..maps).map(|index| {
        taken.set(index + 1);
        Named { name: index.to_string(), group: None, puzzle: index % 1000 + 1 }
    });
    let mut results = comparison.results(maps, &()).map(|Ok(compared)| compared).peekable();
    results.peek();
    let first = taken.get();
    let results: Vec<Compared<u32>> = results.collect();
    (contest.order.into_inner().unwrap(), results, first)
}

/// The engine compares puzzles it has never heard of.
#[test]
fn a_comparison_of_maps() {
    let (_, results, _) = compare(2500);
    assert!(
        results
            .iter()
            .map(|compared| &compared.puzzle.name)
            .eq(&(0..2500).map(|index| index.to_string()).collect::<Vec<_>>())
    );
    assert!(results.iter().all(|compared| compared.distance == Some(Distance::of(compared.puzzle.puzzle))));
    let mut totals = vec![MethodTotals::default(); 3];
    for compared in &results {
        totals.iter_mut().enumerate().for_each(|(method, totals)| totals.add(compared, method));
    }
    for totals in totals {
        assert_eq!((totals.solved, totals.optimal, totals.generated), (2500, 2500, 5000));
        let factor = totals.branching_factor().unwrap();
        assert!((factor - 1.0).abs() < 1e-9, "{factor}");
    }
}

/// A million boards and all that came out for them took a gigabyte.
#[test]
fn a_comparison_takes_puzzles_as_it_needs_them() {
    assert_eq!(compare(2500).2, 1000);
}

/// Sets begin with their easiest puzzles, and the time left was foretold from
/// these: the searches that are done must speak for those to come.
#[test]
fn the_easiest_puzzles_do_not_come_first() {
    let (order, _, _) = compare(1000);
    assert_eq!(order.len(), 3000);
    for done in [300, 1500, 2700] {
        let mean = order[..done].iter().sum::<u32>() / done as u32;
        assert!((430..570).contains(&mean), "the first {done} cost {mean} on average");
    }
}
