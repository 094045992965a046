//! Boards drawn at random: each one once, all equally likely, the same ones
//! whatever the threads.

use crate::chance;
use crate::common;

use std::collections::BTreeSet;
use std::iter;
use std::sync::OnceLock;

use tailback::board::{Distance, Histogram, Metric};
use tailback::dataset::{Draw, Drawn, ExportError, Strata, Stratum, Tables};
use tailback::space::{Blocks, Rank, Ranker, SignatureId, Space};
use tailback::table::{Census, Table, Unpacker};

use chance::assert_drawn;
use common::{table, with_threads};

const METRICS: [Metric; 2] = [Metric::Moves, Metric::Steps];

/// The tables of both metrics, one of them first.
fn both(size: usize, first: Metric) -> [&'static Table; 2] {
    let mut tables = METRICS.map(|metric| table(size, metric));
    tables.rotate_left(first as usize);
    tables
}

/// The distance of every board in order of rank, from the unpacked table.
fn distances(size: usize, metric: Metric) -> &'static [Distance] {
    static KNOWN: [[OnceLock<Vec<Distance>>; 2]; 2] = [const { [const { OnceLock::new() }; 2] }; 2];
    KNOWN[size - 4][metric as usize].get_or_init(|| {
        let table = table(size, metric);
        let (mut all, mut unpacker, mut unsolved) = (Vec::new(), Unpacker::new(table), Vec::new());
        for id in (0..table.space().signatures()).map(SignatureId) {
            let blocks = Blocks::new(table.space(), id);
            unpacker.unpack(id, &blocks, &mut unsolved).unwrap();
            let end = all.len() + blocks.boards() as usize;
            all.extend(unsolved.iter().map(|&byte| Distance::from_byte(byte)));
            all.resize(end, Distance::SOLVED);
        }
        all
    })
}

fn ranks(drawn: &[Drawn]) -> Vec<u64> {
    drawn.iter().map(|drawn| drawn.rank.0).collect()
}

fn sorted(mut ranks: Vec<u64>) -> Vec<u64> {
    ranks.sort_unstable();
    ranks
}

/// The ranks of all boards at these distances.
fn all_at(size: usize, metric: Metric, wanted: impl Fn(Distance) -> bool) -> Vec<u64> {
    (0..)
        .zip(distances(size, metric))
        .filter(|(_, distance)| wanted(**distance))
        .map(|(rank, _)| rank)
        .collect()
}

/// Gathers all batches. No board is there twice, each is the board of its
/// rank, and its distances are those of the tables.
fn gathered(
    batches: impl Iterator<Item = Result<Vec<Drawn>, ExportError>>,
    size: usize,
    metrics: [Metric; 2],
) -> Vec<Drawn> {
    let drawn: Vec<Drawn> = batches.flat_map(Result::unwrap).collect();
    let mut by_rank: Vec<&Drawn> = drawn.iter().collect();
    by_rank.sort_unstable_by_key(|drawn| drawn.rank);
    assert!(by_rank.windows(2).all(|two| two[0].rank < two[1].rank), "a board is there twice");
    let space = Space::of_size(size).unwrap();
    let mut ranker = Ranker::new(&space);
    for drawn in by_rank {
        assert_eq!(drawn.distances, metrics.map(|metric| distances(size, metric)[drawn.rank.0 as usize]));
        assert_eq!(ranker.position(drawn.rank), Some(drawn.position));
    }
    drawn
}

fn draw(size: usize, count: u64, seed: u64, with_unsolvable: bool) -> Vec<Drawn> {
    let tables = both(size, Metric::Moves);
    let mut draw = Draw::new(Tables { by_metric: &tables }, count, seed, with_unsolvable);
    gathered(iter::from_fn(|| draw.next_batch(&())), size, METRICS)
}

mod uniform {
    use super::*;

    #[test]
    fn every_board_of_4x4_comes_once() {
        for count in [9_444, 9_445, 1 << 40] {
            let drawn = draw(4, count, 1, false);
            assert_eq!(sorted(ranks(&drawn)), all_at(4, Metric::Moves, Distance::is_solvable));
        }
        for count in [13_146, u64::MAX] {
            assert!(sorted(ranks(&draw(4, count, 1, true))).into_iter().eq(0..13_146));
        }
        let codes: BTreeSet<oracle::Code> = draw(4, 9_444, 2, false)
            .iter()
            .map(|drawn| oracle::code_of(&Space::of(drawn.space).unwrap().board(&drawn.position).text()))
            .collect();
        let truth = oracle::solve_space(4, false);
        let solvable = truth.iter().filter(|(_, distance)| **distance != oracle::UNSOLVABLE);
        assert_eq!(codes, solvable.map(|(code, _)| *code).collect());
    }

    /// Also beyond the ranks that are looked up at a time, 2²¹.
    #[test]
    fn a_larger_draw_begins_with_a_smaller_one() {
        let large = ranks(&draw(5, 1_500_000, 3, false));
        assert_eq!(large.len(), 1_500_000);
        for count in [0, 1, 2, 100, 20_000] {
            assert_eq!(ranks(&draw(5, count, 3, false)), large[..count as usize]);
        }
        let solvable = |drawn: Vec<Drawn>| {
            let solvable: Vec<Drawn> = drawn.into_iter().filter(Drawn::is_solvable).collect();
            ranks(&solvable)
        };
        let with_others = draw(5, 20_000, 3, true);
        assert_eq!(with_others.len(), 20_000);
        let common = solvable(with_others);
        assert!(common.len() < 20_000 && large.starts_with(&common));
    }

    #[test]
    fn threads_do_not_matter() {
        both(5, Metric::Moves);
        let rows = |threads, seed| {
            let drawn = with_threads(threads, || draw(5, 20_000, seed, false));
            drawn.iter().map(|drawn| (drawn.rank, drawn.distances)).collect::<Vec<_>>()
        };
        let one = rows(1, 4);
        for threads in [2, 3, 8] {
            assert_eq!(rows(threads, 4), one, "{threads} threads");
        }
        assert_ne!(rows(2, 5), one);
    }

    #[test]
    fn other_seeds_draw_other_boards() {
        let boards =
            |seed| draw(5, 20_000, seed, false).iter().map(|drawn| drawn.rank.0).collect::<BTreeSet<_>>();
        let solvable = all_at(5, Metric::Moves, Distance::is_solvable).len() as f64;
        // As many in common as two draws have by chance, give or take five
        // standard deviations.
        let mean = 20_000.0 * 20_000.0 / solvable;
        let seeds = [0, 1, 2, u64::MAX].map(boards);
        for (at, a) in seeds.iter().enumerate() {
            for b in &seeds[..at] {
                let common = a.intersection(b).count() as f64;
                assert!((common - mean).abs() < 5.0 * mean.sqrt(), "{common} in common, not {mean}");
            }
        }
    }

    /// By part of the space, early and late, by signature, by distance, and by
    /// the place within a strip of neighbours.
    #[test]
    fn all_boards_are_equally_likely() {
        const COUNT: usize = 100_000;
        let space = Space::of_size(5).unwrap();
        let distances = distances(5, Metric::Moves);
        let all = all_at(5, Metric::Moves, Distance::is_solvable);
        let drawn = ranks(&draw(5, COUNT as u64, 6, false));
        let compare = |what: &str, drawn: &[u64], cells: usize, cell: &dyn Fn(u64) -> usize| {
            let mut counts = vec![(0, 0); cells];
            drawn.iter().for_each(|&rank| counts[cell(rank)].0 += 1);
            all.iter().for_each(|&rank| counts[cell(rank)].1 += 1);
            assert_drawn(&counts, what);
        };
        let part = |rank: u64| rank as usize * 1000 / distances.len();
        compare("parts of the space", &drawn, 1000, &part);
        compare("parts, early", &drawn[..COUNT / 4], 1000, &part);
        compare("parts, late", &drawn[COUNT - COUNT / 4..], 1000, &part);
        let signature = |rank| space.signature_at(Rank(rank)).unwrap().0 as usize;
        compare("signatures", &drawn, space.signatures() as usize, &signature);
        compare("distances", &drawn, 256, &|rank| usize::from(distances[rank as usize].byte()));
        compare("neighbours", &drawn, 256, &|rank| rank as usize % 256);

        let mut by_distance = Histogram::default();
        drawn.iter().for_each(|&rank| by_distance[distances[rank as usize]] += 1);
        let told = table(5, Metric::Moves).header().histogram.iter();
        let solvable = told.filter(|(distance, _)| distance.is_solvable());
        let cells: Vec<(u64, u64)> =
            solvable.map(|(distance, boards)| (by_distance[distance], boards)).collect();
        assert_drawn(&cells, "what the header says");
    }
}

mod strata {
    use super::*;

    /// Every distance there is, with how many boards.
    fn histogram(size: usize, metric: Metric) -> Vec<(Distance, u64)> {
        table(size, metric).header().histogram.iter().filter(|(_, boards)| *boards > 0).collect()
    }

    /// The boards at these distances, as bytes.
    fn stratum(distances: impl IntoIterator<Item = u8>, wanted: u64) -> Stratum {
        Stratum { distances: distances.into_iter().map(Distance::from_byte).collect(), wanted }
    }

    fn draw(size: usize, metric: Metric, seed: u64, strata: &[Stratum]) -> Vec<Drawn> {
        let tables = both(size, metric);
        let census = Census::take(tables[0], &()).unwrap().unwrap();
        let mut strata = Strata::new(Tables { by_metric: &tables }, census, strata.to_vec(), seed);
        gathered(
            iter::from_fn(|| strata.next_batch(&())),
            size,
            tables.map(|table| table.header().contents.metric),
        )
    }

    fn for_each_table(mut check: impl FnMut(usize, Metric)) {
        for size in [4, 5] {
            METRICS.into_iter().for_each(|metric| check(size, metric));
        }
    }

    /// One distance after the other, each with as many as were asked for, or
    /// with all.
    #[test]
    fn each_distance_has_its_boards() {
        for_each_table(|size, metric| {
            let histogram = histogram(size, metric);
            assert_eq!(histogram.last().unwrap().0, Distance::UNSOLVABLE);
            for wanted in [1, 50, 2_000] {
                let drawn = draw(size, metric, 7, &Stratum::each(&histogram, wanted));
                let mut rest = &drawn[..];
                for &(distance, boards) in &histogram {
                    let here = rest.iter().take_while(|drawn| drawn.distances[0] == distance).count();
                    let (here, after) = rest.split_at(here);
                    rest = after;
                    assert_eq!(here.len() as u64, wanted.min(boards), "{distance} {metric}");
                    if boards <= wanted {
                        assert_eq!(sorted(ranks(here)), all_at(size, metric, |d| d == distance));
                    }
                }
                assert!(rest.is_empty());
            }
        });
    }

    #[test]
    fn the_farthest_boards_are_all_there() {
        for_each_table(|size, metric| {
            let histogram = histogram(size, metric);
            let &(farthest, boards) = &histogram[histogram.len() - 2];
            let drawn = draw(size, metric, 8, &Stratum::each(&[(farthest, boards)], 1_000_000));
            assert_eq!(drawn.len() as u64, boards);
            for drawn in drawn {
                let text = Space::of(drawn.space).unwrap().board(&drawn.position).text();
                let searched = oracle::distance(&text, size, metric == Metric::Steps);
                assert_eq!(searched, farthest.known(), "{text} in {metric}");
            }
        });
    }

    #[test]
    fn more_than_there_are_is_the_whole_space() {
        for metric in METRICS {
            let each = Stratum::each(&histogram(4, metric), u64::MAX);
            let all = stratum(0..=u8::MAX, u64::MAX);
            for strata in [each, vec![all]] {
                let drawn = draw(4, metric, 9, &strata);
                assert!(sorted(ranks(&drawn)).into_iter().eq(0..13_146), "{metric}");
            }
        }
    }

    /// They are looked up 2²⁰ at a time.
    #[test]
    fn more_than_a_million() {
        let is_far = |distance| (Distance::from_byte(3)..Distance::UNSOLVABLE).contains(&distance);
        let far: Vec<(Distance, u64)> =
            histogram(5, Metric::Moves).into_iter().filter(|row| is_far(row.0)).collect();
        let mut strata = Stratum::each(&far, u64::MAX);
        strata.push(stratum([2], 100_000));
        let drawn = draw(5, Metric::Moves, 9, &strata);
        assert!(drawn.len() > 1 << 20);
        let (far, near) = drawn.split_at(drawn.len() - 100_000);
        assert_eq!(sorted(ranks(far)), all_at(5, Metric::Moves, is_far));
        assert!(near.iter().all(|drawn| drawn.distances[0] == Distance::from_byte(2)));
    }

    /// Which boards of a distance are drawn does not depend on the other
    /// distances, and more of them begin with the same.
    #[test]
    fn strata_are_drawn_for_themselves() {
        let histogram = histogram(5, Metric::Moves);
        let large = draw(5, Metric::Moves, 10, &Stratum::each(&histogram, 100));
        for &(distance, boards) in &histogram {
            let alone = draw(5, Metric::Moves, 10, &Stratum::each(&[(distance, boards)], 10));
            let among: Vec<Drawn> =
                large.iter().filter(|drawn| drawn.distances[0] == distance).take(10).copied().collect();
            assert_eq!(ranks(&alone), ranks(&among), "{distance}");
        }
    }

    #[test]
    fn threads_do_not_matter() {
        both(5, Metric::Steps);
        let strata = Stratum::each(&histogram(5, Metric::Steps), 300);
        let rows = |threads, seed| with_threads(threads, || ranks(&draw(5, Metric::Steps, seed, &strata)));
        let one = rows(1, 11);
        for threads in [2, 3, 8] {
            assert_eq!(rows(threads, 11), one, "{threads} threads");
        }
        assert_ne!(rows(2, 12), one);
    }

    /// A stratum may hold several distances, in any order.
    #[test]
    fn boards_of_a_stratum_are_equally_likely() {
        for chosen in [vec![5, 2, 9, Distance::UNSOLVABLE.byte()], vec![4]] {
            let stratum = stratum(chosen.clone(), 50_000);
            let drawn = ranks(&draw(5, Metric::Moves, 13, &[stratum]));
            assert_eq!(drawn.len(), 50_000);
            let distances = distances(5, Metric::Moves);
            let is_chosen = |distance: Distance| chosen.contains(&distance.byte());
            // By distance, and within it by parts of the space.
            let cell = |rank: u64| {
                usize::from(distances[rank as usize].byte()) * 100 + rank as usize * 100 / distances.len()
            };
            let mut cells = vec![(0, 0); 256 * 100];
            drawn.iter().for_each(|&rank| cells[cell(rank)].0 += 1);
            all_at(5, Metric::Moves, is_chosen).iter().for_each(|&rank| cells[cell(rank)].1 += 1);
            assert_drawn(&cells, &format!("{chosen:?}"));
        }
    }

    #[test]
    fn where_there_is_nothing() {
        for distances in [vec![], vec![100], vec![100, 101]] {
            let stratum = stratum(distances, 5);
            assert_eq!(draw(4, Metric::Moves, 14, &[stratum]).len(), 0);
        }
        assert_eq!(draw(4, Metric::Moves, 14, &[]).len(), 0);
    }
}

/// Boards of a shape: no board of another one, and all there are if they are
/// asked for.
mod shaped {
    use super::*;

    use tailback::catalogue::{Column, Inventory, Query, Range};
    use tailback::dataset::{Lot, Shape, SourceError, Wanted};

    /// A query and what it asks for, by the cars, the trucks and the kinds of
    /// lines of a board of 4×4.
    type Case = (Query, fn(u64, u64, &[String]) -> bool);

    fn cases() -> [Case; 5] {
        let range = |column, range: &str| (column, range.parse::<Range>().unwrap());
        let of_ranges = |ranges: Vec<(Column, Range)>| Query { ranges, ..Query::default() };
        let line = Space::of_size(4).unwrap();
        let kind = line.line().kinds().iter().position(|lengths| lengths == &[2, 2]).unwrap();
        [
            (of_ranges(vec![range(Column::Vehicles, "3..4")]), |cars, trucks, _| {
                (3..=4).contains(&(cars + trucks))
            }),
            (of_ranges(vec![range(Column::Cars, "2.."), range(Column::Trucks, "1")]), |cars, trucks, _| {
                cars >= 2 && trucks == 1
            }),
            (of_ranges(vec![range(Column::FreeCells, "..5")]), |cars, trucks, _| {
                16 - 2 * cars - 3 * trucks <= 5
            }),
            (
                Query { inventory: Some(Inventory { cars: 3, trucks: 0 }), ..Query::default() },
                |cars, trucks, _| cars <= 3 && trucks == 0,
            ),
            (Query { kinds: 1 << kind, ..Query::default() }, |_, _, lines| {
                lines.iter().any(|lengths| lengths == "22")
            }),
        ]
    }

    /// Cars, trucks and the kinds of lines, from the letters of a board.
    fn counted(text: &str) -> (u64, u64, Vec<String>) {
        let cells: Vec<char> = text.chars().collect();
        let count = |letter: char| cells.iter().filter(|&&cell| cell == letter).count();
        let letters: BTreeSet<char> = cells.iter().copied().filter(|&cell| cell != '.').collect();
        let of_length = |length| letters.iter().filter(|&&letter| count(letter) == length).count() as u64;
        let line = |step: usize, start: usize| {
            let along: Vec<char> = (0..4).map(|i| cells[start + i * step]).collect();
            let lengths = along.chunk_by(|a, b| a == b && *a != '.').map(<[char]>::len);
            lengths.filter(|&length| length > 1).map(|length| length.to_string()).collect::<String>()
        };
        let lines = (0..4).map(|row| line(1, 4 * row)).chain((0..4).map(|column| line(4, column))).collect();
        (of_length(2), of_length(3), lines)
    }

    fn lot<'t>(tables: Tables<'t>, wanted: Wanted, shape: &'t Shape) -> Lot<'t> {
        Lot { tables, wanted, distances: None, with_unsolvable: false, shape: Some(shape), seed: 3 }
    }

    #[test]
    fn all_of_a_shape_and_no_others() {
        let tables = [table(4, Metric::Moves)];
        let tables = Tables { by_metric: &tables };
        let space = tables.space();
        for (query, fits) in cases() {
            let shape = Shape::of(&query).unwrap();
            let mut expected = Vec::new();
            for (rank, distance) in (0..).zip(distances(4, Metric::Moves)) {
                let position = space.position(Rank(rank)).unwrap();
                let (cars, trucks, lines) = counted(&space.board(&position).text());
                if distance.is_solvable() && fits(cars, trucks, &lines) {
                    expected.push(rank);
                }
            }
            assert!(expected.len() > 100 && expected.len() < 9_444, "{query:?}");
            let all = expected.len() as u64;
            let drawn = |wanted| lot(tables, wanted, &shape).drawn(&()).map(|drawn| ranks(&drawn));
            let by_lot = drawn(Wanted::Count(all)).unwrap();
            assert_eq!(sorted(by_lot.clone()), expected);
            assert_eq!(drawn(Wanted::Count(100)).unwrap(), by_lot[..100]);
            assert_eq!(sorted(drawn(Wanted::PerDistance(1 << 40)).unwrap()), expected);
            let error = drawn(Wanted::Count(all + 1)).unwrap_err();
            assert!(
                matches!(&error, SourceError::Export(ExportError::TooFewBoards { boards }) if *boards == all),
                "{error}"
            );
            // Shares by how many there are would be shares of other boards.
            assert!(matches!(drawn(Wanted::ByRoot(100)), Err(SourceError::UncountedShape)));
        }
    }

    /// So many at each distance, or all of the shape there are, in rounds.
    #[test]
    fn so_many_at_each_distance() {
        let tables = [table(5, Metric::Moves)];
        let tables = Tables { by_metric: &tables };
        let query = Query { ranges: vec![(Column::Vehicles, "9".parse().unwrap())], ..Query::default() };
        let shape = Shape::of(&query).unwrap();
        let drawn = |wanted| lot(tables, Wanted::PerDistance(wanted), &shape).drawn(&()).unwrap();
        let count = |drawn: &[Drawn]| {
            let mut counts = [0u64; 256];
            drawn.iter().for_each(|drawn| counts[usize::from(drawn.distances[0].byte())] += 1);
            counts
        };
        let all = count(&drawn(u64::MAX));
        assert!(all[1] > 10_000 && all.iter().any(|&boards| boards > 0 && boards < 200), "{all:?}");
        assert_eq!(count(&drawn(200)), all.map(|boards| boards.min(200)));
    }

    #[test]
    fn what_takes_a_search_is_no_shape() {
        let query =
            Query { ranges: vec![(Column::OptimalSolutions, "1".parse().unwrap())], ..Query::default() };
        assert_eq!(Shape::of(&query), Err(Column::OptimalSolutions));
    }
}
