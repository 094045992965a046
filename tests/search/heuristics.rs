//! The heuristics against their definitions, and every claim that is made of
//! them against exact distances.

use crate::any::{any_condition, any_constant, any_measure, formula};
use crate::boards;
use crate::common;

use crate::any::perfect;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rand::prelude::{IndexedRandom, Rng, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use tailback::board::{Board, Distance, Metric};
use tailback::cluster::{Bounds, Cluster};
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::heuristic::value_of;
use tailback::domains::rush_hour::heuristic::{Condition, Measure};
use tailback::domains::rush_hour::quality::Trial;
use tailback::domains::rush_hour::{Estimator, Scene, Traffic, TrafficState};
use tailback::formula::Kind;
use tailback::formula::{Facts, Heuristic};
use tailback::probe::Prober;
use tailback::search::quality::{Accuracy, Effect, Quality, Sample};
use tailback::search::{Domain, Guide, Value};
use tailback::space::{Rank, Space};
use tailback::table::Table;

use boards::{any_board, in_x};
use oracle::heuristics as naive;

pub const METRICS: [Metric; 2] = [Metric::Moves, Metric::Steps];

fn of(measure: Measure, board: &Board) -> Value {
    measure.of(&Scene::of(board))
}

/// Every board of 4×4.
pub fn all_4x4() -> impl Iterator<Item = Board> {
    oracle::all_boards(4).into_iter().map(|code| Board::parse(&oracle::text_of(code, 4)).unwrap())
}

/// Some boards of a space, the same ones every time.
pub fn some(size: usize, count: usize) -> Vec<Board> {
    let space = Space::of_size(size).unwrap();
    let mut random = Pcg64::seed_from_u64(size as u64);
    let rank = |_| Rank(random.random_range(0..space.boards()));
    let ranks: Vec<Rank> = (0..count).map(rank).collect();
    ranks.into_iter().map(|rank| space.board(&space.position(rank).unwrap())).collect()
}

mod definitions {
    use super::*;

    /// Compares all measures, and the conditions for all moves; gives the
    /// number of values that were compared.
    fn compare(board: &Board) -> usize {
        let (text, size, scene) = (in_x(board), board.size(), Scene::of(board));
        let mut compared = 0;
        for measure in Measure::ALL {
            if let Ok(expected) = naive::value(measure.facts().name, &text, size) {
                let expected = expected.map_or(Value::INFINITE, Value::from);
                assert_eq!(measure.of(&scene), expected, "{measure:?} of {text}");
                compared += 1;
            }
        }
        for &mv in &board.moves() {
            let next = board.apply(mv).unwrap();
            let (after, next) = (in_x(&next), Scene::of(&next));
            for condition in Condition::ALL {
                let expected = naive::holds(condition.facts().name, &text, &after, size);
                assert_eq!(condition.holds(&scene, &next), expected, "{condition:?} from {text} to {after}");
            }
        }
        compared
    }

    #[test]
    fn hold_on_all_of_4x4() {
        let boards: Vec<Board> = all_4x4().collect();
        assert_eq!(boards.len(), 13_146);
        boards.par_iter().for_each(|board| assert_eq!(compare(board), Measure::ALL.len(), "{board}"));
    }

    #[test]
    fn hold_on_samples_of_5x5_and_6x6() {
        for (size, count) in [(5, 2000), (6, 1000)] {
            let compared: usize = some(size, count).par_iter().map(compare).sum();
            // Few boards are too hard to decide one by one.
            assert!(compared > count * Measure::ALL.len() * 99 / 100, "{compared} of {size}×{size}");
        }
    }

    proptest! {
        #[test]
        fn hold_on_any_board(board in any_board()) {
            prop_assert!(compare(&board) >= Measure::ALL.len() - 2);
        }
    }
}

mod claims {
    use super::*;

    /// What is too high where, and the exact distance.
    const TOO_HIGH: [(Measure, Metric, &str, u32, u32); 13] = [
        (Measure::BlockedBlockers, Metric::Moves, "...BBBCCCDEFGAADEFG..HHHII.JJ...KK..", 6, 5),
        (Measure::Distance, Metric::Moves, "....AA..........", 2, 1),
        (Measure::DistanceBlockers, Metric::Moves, "....AA..........", 2, 1),
        (Measure::Advanced, Metric::Moves, "BCC..BDDEFAAGEFHHG..III..", 8, 6),
        (Measure::Advanced, Metric::Steps, SHARED_WAY_OUT, 9, 8),
        (Measure::AdvancedDistance, Metric::Moves, "..BCAABC..DD..EE", 10, 5),
        (Measure::GoalDistance, Metric::Moves, "..BCAABC..DD..EE", 10, 5),
        (Measure::GoalDistance, Metric::Steps, ".BCDEE.BCD.FAA...FGG.HHHIJKKK.IJ....", 26, 7),
        (Measure::Hybrid, Metric::Moves, "..BCAABC..DD..EE", 16, 5),
        (Measure::Hybrid, Metric::Steps, "..BCAABC..DD..EE", 16, 10),
        (Measure::AdvancedTwice, Metric::Moves, "BBB.....CDEAACDEF...EFGG.", 4, 3),
        (Measure::AdvancedTwiceDistance, Metric::Moves, "....AA..........", 2, 1),
        (Measure::AdvancedTwiceDistance, Metric::Steps, "....AAB...B.....", 4, 3),
    ];

    /// B may go up, past D, E and F, or down, past G, H and I. Both look
    /// equally cheap, so it goes up; but C has to go down past G, H and I
    /// anyway. In steps the primary takes one more than it is counted, and G
    /// too, so it takes three vehicles for nothing to be too high.
    const SHARED_WAY_OUT: &str = "
        ....FF..
        ....E...
        ....EDDx
        ....AABC
        ....xxBC
        .....HGG
        .....H..
        ....IIx.";

    fn guesses() -> impl Iterator<Item = Measure> {
        Measure::ALL.into_iter().filter(|measure| measure.facts().admissible_in_moves.is_some())
    }

    #[test]
    fn nothing_is_claimed_of_features() {
        assert_eq!(guesses().count(), 14);
        assert_eq!(VOCABULARY.of_kind(Kind::Feature).count(), 14);
        assert_eq!(VOCABULARY.of_kind(Kind::Foreign).count(), 2);
        assert_eq!(VOCABULARY.guesses().count(), 11 + Condition::ALL.len());
        let features = VOCABULARY.of_kind(Kind::Feature).filter(|&feature| feature != Measure::Rounds.into());
        for feature in features.chain(VOCABULARY.of_kind(Kind::Condition)) {
            let facts = feature.facts();
            assert_eq!((facts.admissible_in_moves, facts.admissible_in_steps), (None, None), "{feature}");
            let heuristic = Heuristic::from(feature);
            assert_eq!(METRICS.map(|metric| heuristic.is_admissible(metric)), [false; 2], "{feature}");
        }
        for guess in guesses() {
            let Facts { admissible_in_moves, admissible_in_steps, .. } = guess.facts();
            let claims = METRICS.map(|metric| Some(Heuristic::from(guess).is_admissible(metric)));
            assert_eq!([admissible_in_moves, admissible_in_steps], claims, "{guess:?}");
        }
    }

    #[test]
    fn what_is_not_claimed_has_a_counter_example() {
        for measure in guesses() {
            for metric in METRICS {
                // Nobody claims it, and nobody knows a board.
                if (measure, metric) == (Measure::AdvancedTwice, Metric::Steps) {
                    continue;
                }
                let is_listed = TOO_HIGH.iter().any(|row| (row.0, row.1) == (measure, metric));
                assert_eq!(is_listed, !measure.facts().is_admissible(metric), "{measure:?} in {metric}");
            }
        }
        for (measure, metric, text, value, distance) in TOO_HIGH {
            let board = Board::parse(text).unwrap();
            let exact = oracle::distance(&board.text(), board.size(), metric == Metric::Steps);
            assert_eq!(exact, Some(distance), "{text} in {metric}");
            assert_eq!(of(measure, &board), Value::from(value), "{measure:?} of {text}");
            assert!(value > distance, "{measure:?} in {metric}");
        }
    }

    #[test]
    fn advanced_is_too_high_by_two_on_6x6() {
        let board = Board::parse("..BCDDEEBCFGH.AAFGH.IIIG..JJKK...LLL").unwrap();
        let exact = oracle::distance(&board.text(), 6, false).unwrap();
        assert_eq!(of(Measure::Advanced, &board), Value::from(exact + 2));
    }

    #[test]
    fn hold_on_all_of_4x4() {
        for metric in METRICS {
            let distances = oracle::solve_space(4, metric == Metric::Steps);
            for (&code, &distance) in &distances {
                let board = Board::parse(&oracle::text_of(code, 4)).unwrap();
                for measure in Measure::ALL {
                    let value = of(measure, &board);
                    if distance == oracle::UNSOLVABLE {
                        continue;
                    }
                    assert!(value.is_finite(), "{measure:?} calls {board} unsolvable");
                    let is_too_high = value > Value::from(u32::from(distance));
                    assert!(
                        !is_too_high || !measure.facts().is_admissible(metric),
                        "{measure:?} in {metric} of {board}"
                    );
                }
            }
        }
    }

    /// No move lowers these by more than 1.
    #[test]
    fn some_are_consistent() {
        let in_moves = [Measure::Zero, Measure::Blockers, Measure::Blocking];
        let in_steps = [Measure::Distance, Measure::DistanceBlockers];
        for board in all_4x4().chain(some(5, 10_000)) {
            for (metric, measures) in [(Metric::Moves, &in_moves[..]), (Metric::Steps, &in_steps[..])] {
                for &mv in &board.moves_in(metric) {
                    let next = board.apply(mv).unwrap();
                    for &measure in measures {
                        let most = of(measure, &next).plus(Value::ONE);
                        assert!(of(measure, &board) <= most, "{measure:?} from {board} to {next}");
                    }
                }
            }
        }
    }

    #[test]
    fn combinations_inherit_them() {
        let claims = |text: &str| METRICS.map(|metric| VOCABULARY.read(text).unwrap().is_admissible(metric));
        assert_eq!(claims("max(blocking,advanced-admissible)"), [true, true]);
        assert_eq!(claims("max(blocking,distance)"), [false, true]);
        assert_eq!(claims("0.5*blocking+0.5*advanced-admissible"), [true, true]);
        assert_eq!(claims("blocking+0.1*advanced-admissible"), [false, false]);
        assert_eq!(claims("move-freed"), [false, false]);
        assert_eq!(claims("perfect"), [true, true]);
        assert_eq!(claims("pattern:20"), [true, true]);
        assert_eq!(claims("mobile"), [false, false]);
        assert_eq!(claims("0"), [true, true]);
        assert_eq!(claims("1"), [false, false]);
        assert_eq!(claims("min(hybrid,distance,mobile - 1)"), [false, true]);
        assert_eq!(claims("min(hybrid,mobile)"), [false, false]);
        assert_eq!(claims("if(mobile<=3,blocking,pattern)"), [true, true]);
        assert_eq!(claims("if(mobile<=3,blocking,distance)"), [false, true]);
        assert_eq!(claims("rules(move-freed -> zero; hybrid>=2 -> blocking; distance)"), [false, true]);
        assert_eq!(claims("rules(move-freed -> 1; blocking)"), [false, false]);
        assert_eq!(claims("blocking - 1"), [false, false]);
        assert_eq!(claims("blocking*zero"), [false, false]);
        assert_eq!(claims("blocking/2"), [false, false]);
    }

    /// What is claimed of a formula, whatever it is, holds.
    #[test]
    fn hold_for_any_combination() {
        let solved = METRICS.map(|metric| oracle::solve_space(4, metric == Metric::Steps));
        let boards: Vec<Board> = all_4x4().step_by(101).collect();
        let mut runner = TestRunner::deterministic();
        let leaf = prop_oneof![3 => any_measure(), 1 => any_constant(), 1 => Just(VOCABULARY.read("pattern:20").unwrap())];
        let formulas = formula(leaf);
        let mut claimed = 0;
        for _ in 0..1000 {
            let formula = formulas.new_tree(&mut runner).unwrap().current();
            for (metric, distances) in METRICS.into_iter().zip(&solved) {
                if !formula.is_admissible(metric) {
                    continue;
                }
                claimed += 1;
                for board in &boards {
                    let distance = distances[&oracle::code_of(&board.text())];
                    if distance != oracle::UNSOLVABLE {
                        let distance = u32::from(distance);
                        let value = value_of(&formula, &Scene::of(board), None, metric, distance.into());
                        assert!(value <= Value::from(distance), "{formula} in {metric} of {board}");
                    }
                }
            }
        }
        assert!(claimed > 100, "{claimed}");
    }
}

mod estimator {
    use super::*;

    /// What an estimator says on the way must be what a fresh scene says.
    fn walk(board: &Board, metric: Metric, random: &mut Pcg64) {
        let prober = Prober::without_tables();
        let traffic = Traffic::new(board, metric);
        for measure in Measure::ALL {
            let heuristic = Heuristic::from(measure);
            let mut guide = Estimator::new(&heuristic, &traffic, &prober, Bounds::default()).unwrap();
            let mut state = traffic.start();
            for _ in 0..30 {
                let found = guide.estimate(&traffic, &state, None).unwrap().0;
                let board = traffic.board(state);
                assert_eq!(found, of(measure, &board), "{measure:?} of {board}");
                let mut next = Vec::new();
                traffic.for_each_successor(&state, |state, _| next.push(state));
                let Some(&chosen) = next.choose(random) else { break };
                // A guide is asked about all of them, not only the one that is taken.
                for successor in next {
                    let board = traffic.board(successor);
                    let found = guide.estimate(&traffic, &successor, Some((&state, ()))).unwrap().0;
                    assert_eq!(found, of(measure, &board), "{measure:?} of {board}");
                }
                state = chosen;
            }
        }
    }

    #[test]
    fn agrees_with_measures_along_walks() {
        let mut random = Pcg64::seed_from_u64(11);
        for board in some(6, 30) {
            walk(&board, Metric::Moves, &mut random);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]
        #[test]
        fn agrees_with_measures_on_any_board(board in any_board(), seed in any::<u64>()) {
            walk(&board, Metric::Steps, &mut Pcg64::seed_from_u64(seed));
        }
    }

    /// Any formula but for patterns, which are those of the start.
    fn any_formula() -> BoxedStrategy<Heuristic> {
        formula(prop_oneof![
            6 => any_measure(),
            2 => any_constant(),
            1 => any_condition().prop_map(Heuristic::from),
            1 => Just(perfect()),
        ])
    }

    fn walk_with(heuristic: &Heuristic, board: &Board, metric: Metric, random: &mut Pcg64) {
        let prober = Prober::without_tables();
        let traffic = Traffic::new(board, metric);
        let cluster = Cluster::explore(board, metric, 1_000_000).unwrap();
        let mut guide = Estimator::new(heuristic, &traffic, &prober, Bounds::default()).unwrap();
        let mut of = |state: TrafficState, parent: Option<TrafficState>| {
            let found =
                guide.estimate(&traffic, &state, parent.as_ref().map(|parent| (parent, ()))).unwrap().0;
            let (board, before) =
                (traffic.board(state), parent.map(|parent| Scene::of(&traffic.board(parent))));
            let exact = cluster.distance(&board).unwrap();
            let expected = value_of(heuristic, &Scene::of(&board), before.as_ref(), metric, exact);
            assert_eq!(found, expected, "{heuristic} of {board}");
        };
        let mut state = traffic.start();
        for _ in 0..10 {
            of(state, None);
            let mut next = Vec::new();
            traffic.for_each_successor(&state, |state, _| next.push(state));
            let Some(&chosen) = next.choose(random) else { break };
            next.into_iter().for_each(|successor| of(successor, Some(state)));
            state = chosen;
        }
    }

    proptest! {
        #[test]
        fn agrees_with_any_formula(heuristic in any_formula(), seed in any::<u64>()) {
            let mut random = Pcg64::seed_from_u64(seed);
            let boards = some(5, 20);
            let metric = *METRICS.choose(&mut random).unwrap();
            walk_with(&heuristic, boards.choose(&mut random).unwrap(), metric, &mut random);
        }
    }

    /// A test of the last move was asked of an estimator that had only looked
    /// at what is in front of the primary.
    #[test]
    fn a_test_of_the_last_move_needs_the_whole_board() {
        for text in ["if(move-freed,blocking,zero)", "rules(not move-to-secluded -> blockers; 3)"] {
            for board in some(5, 20) {
                walk_with(
                    &VOCABULARY.read(text).unwrap(),
                    &board,
                    Metric::Moves,
                    &mut Pcg64::seed_from_u64(3),
                );
            }
        }
    }

    #[test]
    fn combines_parts_conditions_and_distances() {
        let prober = Prober::without_tables();
        let heuristic: Heuristic =
            VOCABULARY.read("max(2*blocking,perfect)+0.5*move-freed+0.25*move-to-secluded").unwrap();
        for board in some(5, 200) {
            let traffic = Traffic::new(&board, Metric::Moves);
            let cluster = Cluster::explore(&board, Metric::Moves, 1_000_000).unwrap();
            let mut guide = Estimator::new(&heuristic, &traffic, &prober, Bounds::default()).unwrap();
            let start = traffic.start();
            traffic.for_each_successor(&start, |state, _| {
                let (before, after) = (Scene::of(&board), traffic.board(state));
                let scene = Scene::of(&after);
                let exact = Value::from(cluster.distance(&after).unwrap());
                let mut expected = Value::whole(2).times(of(Measure::Blocking, &after)).max(exact);
                for (condition, weight) in
                    [(Condition::MoveFreed, "0.5"), (Condition::MoveToSecluded, "0.25")]
                {
                    if condition.holds(&before, &scene) {
                        expected = expected.plus(weight.parse().unwrap());
                    }
                }
                let found = guide.estimate(&traffic, &state, Some((&start, ()))).unwrap().0;
                assert_eq!(found, expected, "{after}");
            });
        }
    }
}

mod quality {
    use super::*;

    fn run(size: usize, metric: Metric, sample: Sample, threads: usize) -> Quality {
        let table = Table::open(common::tables(), size, metric).unwrap();
        let heuristics: Vec<Heuristic> = ["perfect", "advanced", "hybrid", "0.3*hybrid"]
            .map(|name| VOCABULARY.read(name).unwrap())
            .to_vec();
        let trial = Trial { table: &table, heuristics: &heuristics, conditions: &Condition::ALL };
        common::with_threads(threads, || trial.run(sample, &())).unwrap()
    }

    #[test]
    fn counts_on_all_of_4x4_are_those_of_the_oracle() {
        for metric in METRICS {
            let quality = run(4, metric, Sample::All, 2);
            let distances = oracle::solve_space(4, metric == Metric::Steps);
            let (mut advanced, mut perfect, mut moves) = (Accuracy::default(), Accuracy::default(), 0);
            let space = Space::of_size(4).unwrap();
            for rank in 0..space.boards() {
                let board = space.board(&space.position(Rank(rank)).unwrap());
                let distance = distances[&oracle::code_of(&board.text())];
                let distance =
                    Distance::from((distance != oracle::UNSOLVABLE).then_some(u32::from(distance)));
                perfect.add(rank, || board.text(), Value::from(distance), distance);
                let guess = naive::advanced(&board.text(), 4).map_or(Value::INFINITE, Value::from);
                advanced.add(rank, || board.text(), guess, distance);
                moves += u64::from(distance.is_solvable() && !board.moves().is_empty());
            }
            assert_eq!(quality.instances, 13_146);
            assert_eq!(quality.accuracies[0], perfect);
            assert_eq!(quality.accuracies[1], advanced);
            assert_eq!(perfect.correlation().map(|c| (c * 1e9).round()), Some(1e9));
            assert_eq!(
                (perfect.solvable(), perfect.exact, perfect.unsolvable, perfect.proven),
                (9444, 9444, 3702, 3702)
            );
            assert_eq!(quality.effects.iter().map(Effect::moves).collect::<Vec<u64>>(), [moves; 2]);
        }
    }

    #[test]
    fn threads_change_nothing_and_seeds_do() {
        let sample = |seed| Sample::Random { boards: 40_000, seed };
        let one = run(5, Metric::Moves, sample(3), 1);
        assert_eq!(one.instances, 40_000);
        assert_eq!(run(5, Metric::Moves, sample(3), 3), one);
        assert_ne!(run(5, Metric::Moves, sample(4), 3), one);
    }

    #[test]
    fn a_random_sample_comes_near_the_whole() {
        let whole = run(4, Metric::Moves, Sample::All, 2);
        let part = run(4, Metric::Moves, Sample::Random { boards: 100_000, seed: 1 }, 2);
        let near = |of: &dyn Fn(&Quality) -> f64| {
            let (whole, part) = (of(&whole), of(&part));
            assert!((whole - part).abs() < 0.02, "{whole} and {part}");
        };
        near(&|quality| quality.accuracies[2].mean_error().unwrap());
        near(&|quality| quality.accuracies[2].correlation().unwrap());
        near(&|quality| quality.accuracies[2].over as f64 / quality.instances as f64);
        near(&|quality| quality.effects[0].share().unwrap());
        near(&|quality| quality.effects[0].correlation().unwrap());
        near(&|quality| quality.effects[1].progress(true).unwrap());
    }

    #[test]
    fn stopped_at_once_it_has_seen_nothing() {
        let table = Table::open(common::tables(), 4, Metric::Moves).unwrap();
        let trial = Trial { table: &table, heuristics: &[perfect()], conditions: &[] };
        let quality = trial.run(Sample::All, &common::StopAt::new(0)).unwrap();
        assert_eq!(quality.instances, 0);
        assert_eq!(quality.accuracies[0].mean_error(), None);
    }
}
