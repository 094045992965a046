//! From boards to files: the same bytes whatever the threads, whole files or
//! none, and parts that share no family.

use crate::chance;
use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, iter};

use tailback::board::{Board, Distance, Metric};
use tailback::cluster::Bounds;
use tailback::cluster::Relatives;
use tailback::dataset::{
    About, DataFile, Distances, Draw, Drawn, Encoder, Export, ExportError, Files, Format, Given, Item,
    Labeller, Lot, Manifest, Misfit, Output, Recipe, Schema, Source, Split, Strata, Stratum, Tables, Totals,
    Wanted, rush,
};
use tailback::domains::rush_hour::VOCABULARY;
use tailback::formula::Heuristic;
use tailback::probe::{ProbeError, Prober};
use tailback::progress::{Observer, Progress};
use tailback::space::Space;
use tailback::table::{BuildOptions, Census, Table, TableError, build};

use common::{Full, StopAt, table, with_threads};

type Batch = Result<Vec<Item>, ExportError>;

/// A dataset to be written: what stays the same in all tests, and what does not.
struct Job<'a> {
    format: &'static Format,
    split: Option<&'a Split>,
    deals_out: bool,
    observer: &'a dyn Observer,
}

impl<'a> Job<'a> {
    fn new(format: &'static Format, observer: &'a dyn Observer) -> Job<'a> {
        Job { format, split: None, deals_out: false, observer }
    }

    fn of(name: &str, observer: &'a dyn Observer) -> Job<'a> {
        Job::new(Format::named(name).unwrap(), observer)
    }

    /// Writes `boards`, or its parts, into a folder.
    fn run(&self, source: Source<'_, ExportError>, folder: &Path) -> Result<Totals, ExportError> {
        let metrics = if self.format.distances == Distances::Any { 2 } else { 1 };
        let metrics = [Metric::Moves, Metric::Steps].into_iter().take(metrics).collect();
        let heuristics = if self.format.has_heuristics {
            VOCABULARY.guesses().map(Heuristic::from).collect()
        } else {
            Vec::new()
        };
        let schema = Schema { metrics, heuristics, extras: Vec::new() };
        let recipe = Recipe {
            puzzle: None,
            metrics: schema.metrics.to_vec(),
            size: None,
            rules: source.rules,
            boards: source.boards.clone(),
            primary: Some('A'),
            seed: 3,
            include_unsolvable: self.format.has_unsolvable,
            split: None,
            split_seed: None,
            heuristics: Vec::new(),
            builder: String::new(),
        };
        let about = recipe.about(Some("A test"), Some("Boards"));
        let encoder = Encoder::new(self.format, &schema, &about)?;
        let mut files = Files::open(&folder.join("boards"), self.split, self.format)?.begin(&encoder)?;
        let with_unsolvable = self.format.has_unsolvable;
        let export = export(&schema, &encoder, with_unsolvable, (self.split, self.deals_out));
        let totals = export(source, &mut files, self.observer)?;
        let files = files.finish()?;
        let manifest = Manifest::new(
            (self.format, &recipe, &about),
            Vec::new(),
            (&files, &totals),
            (&schema, self.split),
            None,
        );
        files.commit(&manifest)?;
        Ok(totals)
    }
}

/// Writes a source, searching where nobody knows a distance.
fn export<'a>(
    schema: &'a Schema,
    encoder: &'a Encoder<'a>,
    with_unsolvable: bool,
    (split, deals_out): (Option<&'a Split>, bool),
) -> impl Fn(Source<'_, ExportError>, &mut Files<DataFile>, &dyn Observer) -> Result<Totals, ExportError> {
    let labeller = Labeller { schema, seed: 3 };
    let prober = Prober::without_tables();
    move |source, files, observer| {
        let export = Export {
            labeller,
            encoder,
            prober: &prober,
            bounds: Bounds::default(),
            with_unsolvable,
            split,
            split_seed: 3,
            deals_out,
        };
        export.run(source, files, observer)
    }
}

fn drawn(size: usize, count: u64) -> Vec<Drawn> {
    let tables = [table(size, Metric::Moves), table(size, Metric::Steps)];
    let mut draw = Draw::new(Tables { by_metric: &tables }, count, 1, true);
    iter::from_fn(|| draw.next_batch(&())).flat_map(Result::unwrap).collect()
}

/// Boards that were drawn, and some that nobody knows yet, in batches.
fn batches(count: u64) -> Vec<Vec<Item>> {
    let given = ["..B.AAB..xCC....", "....AABB.CC.....", ".BB.AA....C...C."]
        .map(|text| Item::Given(Box::new(Given::new(Board::parse(text).unwrap()))));
    let items: Vec<Item> = drawn(5, count).into_iter().map(Item::Drawn).chain(given).collect();
    items.chunks(1500).map(<[Item]>::to_vec).collect()
}

fn source(batches: &[Vec<Item>]) -> Source<'_, ExportError> {
    Source::batches(batches.iter().cloned().map(Ok))
}

/// Every file in a folder and the folders in it, by name.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), PathBuf::from(entry.file_name()));
        match path.is_dir() {
            true => all.extend(contents(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes))),
            false => _ = all.insert(name, fs::read(&path).unwrap()),
        }
    }
    all
}

mod files {
    use super::*;

    #[test]
    fn are_the_same_whatever_the_threads() {
        let split: Split = "train=80,valid=10,test=10".parse().unwrap();
        let batches = batches(1_700);
        for format in Format::ALL {
            // Folders of many files take long: with parts is enough.
            let alone = (!format.is_folder).then_some(None);
            for split in alone.into_iter().chain([Some(&split)]) {
                let make = |threads| {
                    let folder = tempfile::tempdir().unwrap();
                    let run = || Job { split, ..Job::new(format, &()) }.run(source(&batches), folder.path());
                    (with_threads(threads, run).unwrap(), contents(folder.path()))
                };
                let (totals, files) = make(1);
                let rows: u64 = totals.files.iter().map(|counts| counts.rows).sum();
                assert_eq!(rows + totals.left_out, 1_703, "{format:?}");
                assert!(rows > 1_024, "a thread labels so many at a time");
                assert!(files.values().all(|bytes| !bytes.is_empty()));
                for threads in [2, 8] {
                    assert!(
                        make(threads) == (totals.clone(), files.clone()),
                        "{format:?}, {threads} threads"
                    );
                }
            }
        }
    }

    #[test]
    fn of_an_interrupted_export_are_not_there() {
        let batches = batches(2_000);
        for format in Format::ALL {
            // Before the first batch, in it, after it, and after the last.
            for stop_after in [0, 1, 1_500, 2_003] {
                let folder = tempfile::tempdir().unwrap();
                let result = Job::new(format, &StopAt::new(stop_after)).run(source(&batches), folder.path());
                assert!(matches!(result, Err(ExportError::Stopped)), "{format:?}: {result:?}");
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{format:?}");
            }
        }
    }

    #[test]
    fn before_stay_if_an_export_is_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boards");
        fs::write(&path, "older").unwrap();
        let stop = StopAt::new(1_500);
        assert!(Job::of("csv", &stop).run(source(&batches(4_000)), folder.path()).is_err());
        assert_eq!(contents(folder.path()), BTreeMap::from([("boards".into(), b"older".to_vec())]));
    }

    /// A draw that is interrupted is not a short one.
    #[test]
    fn of_an_interrupted_draw_are_not_there() {
        for stop_after in [0, 1_000] {
            for lot in lots() {
                let folder = tempfile::tempdir().unwrap();
                let stop = StopAt::new(stop_after);
                let result = Job::of("jsonl", &stop).run(lot.source().unwrap(), folder.path());
                assert!(matches!(result, Err(ExportError::Stopped)), "{result:?}");
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
            }
        }
    }
}

/// Boards drawn at random, and by their distances.
fn lots() -> [Lot<'static>; 3] {
    let tables: &[&Table; 2] = Box::leak(Box::new([table(5, Metric::Moves), table(5, Metric::Steps)]));
    let lot = |wanted, distances: Option<&str>| Lot {
        tables: Tables { by_metric: tables },
        wanted,
        distances: distances.map(|range| range.parse().unwrap()),
        with_unsolvable: false,
        shape: None,
        seed: 1,
    };
    [
        lot(Wanted::Count(3_000), None),
        lot(Wanted::Count(3_000), Some("1")),
        lot(Wanted::PerDistance(300), Some("1..10")),
    ]
}

/// Guards against a bar that fills twice, with boards that are counted and then
/// with boards that are written: there is one total, and its end is the end.
#[test]
fn progress_is_one_way_from_start_to_end() {
    #[derive(Default)]
    struct Recorder(Mutex<Vec<Progress>>);
    impl Observer for Recorder {
        fn advanced(&self, progress: Progress) {
            self.0.lock().unwrap().push(progress);
        }
    }
    for format in Format::ALL {
        for lot in lots() {
            let (told, folder) = (Recorder::default(), tempfile::tempdir().unwrap());
            // Threads report out of order.
            let rows = with_threads(1, || {
                let source = lot.source().unwrap();
                Job::new(format, &told).run(source, folder.path()).unwrap().files[0].rows
            });
            let told = told.0.into_inner().unwrap();
            assert!(told.iter().all(|progress| progress.unit == "boards" && progress.total == Some(rows)));
            assert!(told.windows(2).all(|two| two[0].done <= two[1].done), "{format:?}");
            assert!(told.len() > 3 && told[0].done < rows / 2, "{format:?}");
            assert_eq!(told.last().unwrap().done, rows, "{format:?}");
        }
    }
}

fn items(drawn: Result<Vec<Drawn>, ExportError>) -> Batch {
    Ok(drawn?.into_iter().map(Item::Drawn).collect())
}

mod trouble {
    use super::*;

    #[test]
    fn with_the_place_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let full = folder.path().join("boards");
        fs::create_dir(&full).unwrap();
        fs::write(full.join("a"), "not mine").unwrap();
        for format in Format::ALL {
            for place in [folder.path().join("missing"), folder.path().to_owned()] {
                let never = iter::from_fn(|| panic!("no board is asked for before the file is open"));
                let error = Job::new(format, &()).run(Source::batches(never), &place).unwrap_err();
                let path = place.join("boards");
                assert!(matches!(&error, ExportError::Io { path: told, .. } if *told == path), "{error:?}");
                let text = error.to_string();
                assert!(text.starts_with(&format!("cannot write {}: ", path.display())), "{text}");
            }
        }
        assert_eq!(contents(folder.path()).len(), 1, "nothing is left");
    }

    #[test]
    fn on_the_way_names_the_file() {
        let schema = Schema {
            metrics: [Metric::Moves].into_iter().collect(),
            heuristics: Vec::new(),
            extras: Vec::new(),
        };
        let about = About::default();
        for format in Format::ALL.into_iter().filter(|format| !format.is_folder) {
            let encoder = Encoder::new(format, &schema, &about).unwrap();
            let full = Output::stream("a full disk", Box::new(Full(100)));
            let mut files = Files::stream(full).begin(&encoder).unwrap();
            let boards = batches(1_200);
            let result = export(&schema, &encoder, false, (None, false))(source(&boards), &mut files, &());
            // Parquet keeps its rows until there are enough of them.
            let error = result.err().or_else(|| files.finish().err()).unwrap().to_string();
            assert!(error.starts_with("cannot write a full disk: "), "{format:?}: {error}");
        }
    }

    /// Guards against a panic: the format has no word for such a board.
    #[test]
    fn with_an_unsolvable_board_in_the_form_of_the_public_list() {
        let schema = Schema {
            metrics: [Metric::Moves].into_iter().collect(),
            heuristics: Vec::new(),
            extras: Vec::new(),
        };
        let about = About::default();
        let encoder = Encoder::new(&rush::FORMAT, &schema, &about).unwrap();
        let out = Output::stream("nowhere", Box::new(Vec::new()));
        let mut files = Files::stream(out).begin(&encoder).unwrap();
        let boards = batches(10);
        let result = export(&schema, &encoder, true, (None, false))(source(&boards), &mut files, &());
        assert!(matches!(result, Err(ExportError::Misfit(Misfit::Unsolvable))), "{result:?}");
        assert_eq!(rush::FORMAT.check(&schema, true, None), Err(Misfit::Unsolvable));
    }

    #[test]
    fn with_the_table_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = build(&BuildOptions::new(folder.path(), 4, Metric::Moves), &()).unwrap().path;
        let whole = fs::read(&path).unwrap();
        let table = || Table::open(folder.path(), 4, Metric::Moves).unwrap();
        let good = table();
        let census = Census::take(&good, &()).unwrap().unwrap();
        let everything =
            Stratum { distances: (0..=255).map(Distance::from_byte).collect(), wanted: u64::MAX };
        let places = (common::forge::DATA..good.header().index_at as usize).step_by(53);
        assert!(places.len() > 50);
        for at in places {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::remove_file(&path).unwrap();
            fs::write(&path, bytes).unwrap();
            let damaged = table();
            let tables = [&damaged];
            let tables = Tables { by_metric: &tables };
            let mut draw = Draw::new(tables, u64::MAX, 1, true);
            let mut strata = Strata::new(tables, census.clone(), vec![everything.clone()], 1);
            let drawn = iter::from_fn(|| draw.next_batch(&()).map(items));
            let of_strata = iter::from_fn(|| strata.next_batch(&()).map(items));
            for source in [Source::batches(drawn), Source::batches(of_strata)] {
                let out = tempfile::tempdir().unwrap();
                let error = Job::of("hh-evolver", &()).run(source, out.path()).unwrap_err();
                let ExportError::Probe { board: None, size: 4, metric: Metric::Moves, error } = error else {
                    panic!("byte {at}: {error:?}")
                };
                assert!(
                    matches!(error, ProbeError::Table(TableError::Damaged { .. })),
                    "byte {at}: {error:?}"
                );
                assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0, "byte {at}");
            }
        }
    }
}

mod parts {
    use super::*;

    /// The lengths in all lines: read from the text, without the program.
    type Family = Vec<Vec<usize>>;

    fn split() -> Split {
        "train=80,valid=10,test=10".parse().unwrap()
    }

    fn family(text: &str) -> Family {
        oracle::lines(oracle::code_of(text), 5)
    }

    /// The text upside down.
    fn mirrored(text: &str, size: usize) -> String {
        let rows: Vec<char> = text.chars().collect();
        rows.chunks(size).rev().flatten().collect()
    }

    /// The family upside down: the rows and each column the other way round.
    fn mirrored_family(family: &Family) -> Family {
        let (rows, columns) = family.split_at(5);
        let columns = columns.iter().map(|column| column.iter().rev().copied().collect());
        rows.iter().rev().cloned().chain(columns).collect()
    }

    #[test]
    fn share_no_family() {
        let split = split();
        let folder = tempfile::tempdir().unwrap();
        let job = Job { split: Some(&split), ..Job::of("hh-evolver", &()) };
        let boards: Vec<Item> = drawn(5, 140_000).into_iter().map(Item::Drawn).collect();
        let totals = job.run(source(&[boards]), folder.path()).unwrap();
        let mut part_of: BTreeMap<Family, usize> = BTreeMap::new();
        let mut met_again = 0;
        for (part, name) in split.names().enumerate() {
            let file = fs::read_to_string(folder.path().join(format!("boards.{name}"))).unwrap();
            let boards: Vec<&str> =
                file.lines().skip(2).map(|line| line.split(',').next().unwrap()).collect();
            assert_eq!(boards.len() as u64, totals.files[part].rows);
            for text in boards {
                let family = family(text);
                for family in [mirrored_family(&family), family] {
                    let before = part_of.insert(family, part);
                    assert!(before.is_none_or(|before| before == part), "{text} is in {name} and elsewhere");
                    met_again += usize::from(before.is_some());
                }
            }
        }
        assert_eq!(totals.files.iter().map(|counts| counts.rows).sum::<u64>(), 140_000);
        assert!(met_again > 10_000, "many families have more boards than one");

        // A family and its mirror image are drawn together, so they count once.
        let mut shares = [0; 3];
        let pairs = part_of.iter().filter(|(family, _)| **family <= mirrored_family(family));
        pairs.for_each(|(_, &part)| shares[part] += 1);
        let families: u64 = shares.iter().sum();
        assert!(families > 5_000);
        // As if they were drawn from very many.
        let weights = [80, 10, 10].map(|weight| weight << 40);
        chance::assert_drawn(&shares.into_iter().zip(weights).collect::<Vec<_>>(), "the parts");
    }

    /// Dealt out, every distance has its shares as far as whole families allow: no part is
    /// off by more than the largest family at that distance, and what is off is told.
    #[test]
    fn shares_hold_at_every_distance() {
        let split = split();
        let weights = [0.8, 0.1, 0.1];
        let folder = tempfile::tempdir().unwrap();
        let job = Job { split: Some(&split), deals_out: true, ..Job::of("hh-evolver", &()) };
        let tables = [table(5, Metric::Moves)];
        let lot = Lot {
            tables: Tables { by_metric: &tables },
            wanted: Wanted::PerDistance(200),
            distances: None,
            with_unsolvable: false,
            shape: None,
            seed: 5,
        };
        let totals = job.run(lot.source().unwrap(), folder.path()).unwrap();
        let mut boards: BTreeMap<u32, [u64; 3]> = BTreeMap::new();
        let mut families: BTreeMap<(u32, Family), u64> = BTreeMap::new();
        let mut part_of: BTreeMap<Family, usize> = BTreeMap::new();
        for (part, name) in split.names().enumerate() {
            let file = fs::read_to_string(folder.path().join(format!("boards.{name}"))).unwrap();
            for line in file.lines().skip(2) {
                let mut values = line.split(',');
                let (text, distance) = (values.next().unwrap(), values.next().unwrap().parse().unwrap());
                boards.entry(distance).or_default()[part] += 1;
                let family = family(text);
                let family = family.clone().min(mirrored_family(&family));
                assert_eq!(*part_of.entry(family.clone()).or_insert(part), part, "{text} is elsewhere, too");
                *families.entry((distance, family)).or_default() += 1;
            }
        }
        assert_eq!(boards.values().flatten().sum::<u64>(), totals.files.iter().map(|c| c.rows).sum::<u64>());
        let uneven = totals.uneven.unwrap();
        for (&distance, parts) in &boards {
            let all: u64 = parts.iter().sum();
            let of_distance = families.iter().filter(|((d, _), _)| *d == distance);
            let largest = of_distance.map(|(_, boards)| *boards).max().unwrap() as f64;
            for (&boards, weight) in parts.iter().zip(weights) {
                let off = (boards as f64 - weight * all as f64).abs();
                assert!(off <= largest.max(1.0), "{parts:?} at {distance}, families of up to {largest}");
            }
            let is_off =
                parts.iter().zip(weights).any(|(&b, weight)| (b as f64 - weight * all as f64).abs() > 1.0);
            let told = uneven.iter().find(|uneven| uneven.distance == Distance::of(distance));
            assert_eq!(told.map(|uneven| &uneven.boards[..]), is_off.then_some(&parts[..]), "{distance}");
        }
    }

    #[test]
    fn hold_whole_families_and_mirror_images() {
        let split = split();
        let part = |text: &str| split.part(&Board::parse(text).unwrap(), 3);
        let mut parts = BTreeSet::new();
        for (number, drawn) in drawn(5, 2_000).iter().enumerate() {
            let board = Space::of(drawn.space).unwrap().board(&drawn.position);
            let text = board.text();
            if number % 10 == 0 {
                let mut family = Relatives::of(&board);
                assert!(family.all(|relative| split.part(&relative, 3) == part(&text)), "{text}");
            }
            parts.insert(part(&text));
            assert_eq!(part(&mirrored(&text, 5)), part(&text), "{text} upside down");
            for next in oracle::successors(&text, 5, false) {
                assert_eq!(part(&next.text), part(&text), "{text} and {}", next.text);
            }
        }
        assert_eq!(parts.len(), 3);
        // With walls, and with the primary in another row.
        for text in ["AAB...B.x..C.DDC", "..B..xB.AA.CDD.C", ".BB.C...C..xAA.."] {
            let all = oracle::cluster(text, 4, 100_000).unwrap();
            assert!(all.len() > 2);
            for seed in 0..50 {
                let part = |text: &str| split.part(&Board::parse(text).unwrap(), seed);
                assert!(
                    all.iter().all(|next| part(next) == part(text) && part(&mirrored(next, 4)) == part(text))
                );
            }
        }
    }
}
