//! From boards to files: the same bytes whatever the threads, whole files or
//! none, and parts that share no family.

#[path = "../common/chance.rs"]
mod chance;
use crate::common;
use crate::oracle;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrayvec::ArrayVec;
use tailback::board::{Board, Metric};
use tailback::cluster::Relatives;
use tailback::dataset::{
    About, Draw, Drawn, Export, ExportError, Form, Format, Given, Item, Labeller, Output, Place, Schema,
    Split, Strata, Stratum, Tables, Totals,
};
use tailback::domains::rush_hour::Heuristic;
use tailback::probe::{ProbeError, Prober};
use tailback::space::Space;
use tailback::table::{Census, Plan, Table, TableError, build};

use common::{Full, table, with_threads};

type Batch = Result<Vec<Item>, ExportError>;

/// A dataset to be written: what stays the same in all tests, and what does not.
struct Job<'a> {
    format: Format,
    split: Option<&'a Split>,
    stop: &'a AtomicBool,
    /// Raised when so many boards are done.
    stop_after: u64,
}

impl<'a> Job<'a> {
    fn new(format: Format, stop: &'a AtomicBool) -> Job<'a> {
        Job { format, split: None, stop, stop_after: u64::MAX }
    }

    /// Writes `boards`, or the parts of the split, into a folder.
    fn run(&self, batches: impl Iterator<Item = Batch>, folder: &Path) -> Result<Totals, ExportError> {
        // What the form has room for.
        let is_plain = matches!(self.format, Format::Rush | Format::Pddl);
        let is_single = matches!(self.format, Format::Rush | Format::HhEvolver);
        let mut metrics: ArrayVec<Metric, 2> = [Metric::Moves, Metric::Steps].into();
        metrics.truncate(if is_single { 1 } else { 2 });
        let schema = Schema { metrics, heuristics: if is_plain { Vec::new() } else { Heuristic::all() } };
        let about = About { name: "A test".into(), description: "Boards".into(), facts: Vec::new() };
        let form = Form::new(self.format, &schema, &about, 1_000_000);
        let names: Vec<String> = match self.split {
            Some(split) => split.names().map(str::to_owned).collect(),
            None => vec!["boards".to_owned()],
        };
        let open = |name: &String| form.begin(self.format.open(&folder.join(name))?);
        let mut sheets = names.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let export = Export {
            labeller: Labeller { schema: &schema, seed: 3 },
            form: &form,
            prober: &Prober::without_tables(),
            with_unsolvable: self.format != Format::Rush,
            split: self.split,
            split_seed: 3,
            stop: self.stop,
        };
        let done = AtomicU64::new(0);
        let advanced = |boards| {
            if done.fetch_add(boards, Ordering::Relaxed) + boards >= self.stop_after {
                self.stop.store(true, Ordering::Relaxed);
            }
        };
        let totals = export.run(batches, &mut sheets, advanced)?;
        let written = sheets.into_iter().map(|sheet| sheet.finish()).collect::<Result<Vec<_>, _>>()?;
        written.into_iter().try_for_each(|written| written.commit())?;
        Ok(totals)
    }
}

fn drawn(size: usize, count: u64) -> Vec<Drawn> {
    let tables = [table(size, Metric::Moves), table(size, Metric::Steps)];
    let stop = AtomicBool::new(false);
    Draw::new(Tables { by_metric: &tables }, count, 1, true, &stop).flat_map(Result::unwrap).collect()
}

/// Boards that were drawn, and some that nobody knows yet, in batches.
fn batches(count: u64) -> Vec<Vec<Item>> {
    let given = ["..B.AAB..xCC....", "....AABB.CC.....", ".BB.AA....C...C."]
        .map(|text| Item::Given(Box::new(Given { board: Board::parse(text).unwrap(), distances: None })));
    let items: Vec<Item> = drawn(5, count).into_iter().map(Item::Drawn).chain(given).collect();
    items.chunks(1500).map(<[Item]>::to_vec).collect()
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
            let alone = (format != Format::Pddl).then_some(None);
            for split in alone.into_iter().chain([Some(&split)]) {
                let make = |threads| {
                    let (folder, stop) = (tempfile::tempdir().unwrap(), AtomicBool::new(false));
                    let job = Job { split, ..Job::new(format, &stop) };
                    let run = || job.run(batches.iter().cloned().map(Ok), folder.path());
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
                let (folder, stop) = (tempfile::tempdir().unwrap(), AtomicBool::new(stop_after == 0));
                let job = Job { stop_after, ..Job::new(format, &stop) };
                let result = job.run(batches.iter().cloned().map(Ok), folder.path());
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
        let stop = AtomicBool::new(false);
        let job = Job { stop_after: 1_500, ..Job::new(Format::Csv, &stop) };
        assert!(job.run(batches(4_000).into_iter().map(Ok), folder.path()).is_err());
        assert_eq!(contents(folder.path()), BTreeMap::from([("boards".into(), b"older".to_vec())]));
    }

    /// A draw that is interrupted is not a short one.
    #[test]
    fn of_an_interrupted_draw_are_not_there() {
        let tables = [table(5, Metric::Moves), table(5, Metric::Steps)];
        let tables = Tables { by_metric: &tables };
        let census = Census::take(tables.by_metric[0], &()).unwrap().unwrap();
        let strata = vec![Stratum { distances: vec![1], wanted: 5_000 }];
        for stop_before in [true, false] {
            let stop = AtomicBool::new(stop_before);
            let stop_after = 1_000;
            let job = Job { stop_after, ..Job::new(Format::Jsonl, &stop) };
            let draw = Draw::new(tables, 5_000, 1, false, &stop).map(items);
            let strata = Strata::new(tables, census.clone(), strata.clone(), 1, &stop).map(items);
            let sources: [Box<dyn Iterator<Item = Batch>>; 2] = [Box::new(draw), Box::new(strata)];
            for source in sources {
                stop.store(stop_before, Ordering::Relaxed);
                let folder = tempfile::tempdir().unwrap();
                let result = job.run(source, folder.path());
                assert!(matches!(result, Err(ExportError::Stopped)), "{result:?}");
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
            }
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
        let stop = AtomicBool::new(false);
        let folder = tempfile::tempdir().unwrap();
        let full = folder.path().join("boards");
        fs::create_dir(&full).unwrap();
        fs::write(full.join("a"), "not mine").unwrap();
        for format in Format::ALL {
            for place in [folder.path().join("missing"), folder.path().to_owned()] {
                let never = std::iter::from_fn(|| panic!("no board is asked for before the file is open"));
                let error = Job::new(format, &stop).run(never, &place).unwrap_err();
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
        let schema = Schema { metrics: ArrayVec::from_iter([Metric::Moves]), heuristics: Vec::new() };
        let about = About::default();
        for format in [Format::HhEvolver, Format::Csv, Format::Jsonl, Format::Parquet, Format::Rush] {
            let form = Form::new(format, &schema, &about, 1_000_000);
            let sheet = form.begin(Place::File(Output::stream("a full disk", Box::new(Full(100))))).unwrap();
            let mut sheets = [sheet];
            let export = Export {
                labeller: Labeller { schema: &schema, seed: 0 },
                form: &form,
                prober: &Prober::without_tables(),
                with_unsolvable: false,
                split: None,
                split_seed: 0,
                stop: &AtomicBool::new(false),
            };
            let result = export.run(batches(1_200).into_iter().map(Batch::Ok), &mut sheets, |_| ());
            let [sheet] = sheets;
            // Parquet keeps its rows until there are enough of them.
            let error = result.err().or_else(|| sheet.finish().err()).unwrap().to_string();
            assert!(error.starts_with("cannot write a full disk: "), "{format:?}: {error}");
        }
    }

    #[test]
    fn with_the_table_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = build(&Plan::new(folder.path(), 4, Metric::Moves), &()).unwrap().path;
        let whole = fs::read(&path).unwrap();
        let table = || Table::open(folder.path(), 4, Metric::Moves).unwrap();
        let good = table();
        let census = Census::take(&good, &()).unwrap().unwrap();
        let everything = Stratum { distances: (0..=255).collect(), wanted: u64::MAX };
        let stop = AtomicBool::new(false);
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
            let draw = Draw::new(tables, u64::MAX, 1, true, &stop).map(items);
            let strata = Strata::new(tables, census.clone(), vec![everything.clone()], 1, &stop).map(items);
            let sources: [Box<dyn Iterator<Item = Batch>>; 2] = [Box::new(draw), Box::new(strata)];
            for source in sources {
                let out = tempfile::tempdir().unwrap();
                let error = Job::new(Format::HhEvolver, &stop).run(source, out.path()).unwrap_err();
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
        let (folder, stop) = (tempfile::tempdir().unwrap(), AtomicBool::new(false));
        let job = Job { split: Some(&split), ..Job::new(Format::HhEvolver, &stop) };
        let boards = drawn(5, 140_000).into_iter().map(Item::Drawn).collect();
        let totals = job.run([Ok(boards)].into_iter(), folder.path()).unwrap();
        let mut part_of: BTreeMap<Family, usize> = BTreeMap::new();
        let mut met_again = 0;
        for (part, name) in split.names().enumerate() {
            let file = fs::read_to_string(folder.path().join(name)).unwrap();
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
