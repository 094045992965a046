//! The catalogue as a file: writing, going on, reading, asking, and everything
//! that may be wrong with it.

#[path = "../common/puzzles.rs"]
mod puzzles;

use crate::common::with_reasons;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use puzzles::{made_up, write};
use rusqlite::Connection;
use tailback::board::Distance;
use tailback::catalogue::{
    Catalogue, CatalogueError, Column, Contents, Declaration, Inventory, Puzzle, Query, Range, Rules, Sort,
    Summary, Value, Writer, file_name, write_starter,
};
use tailback::space::SpaceError;
use tempfile::TempDir;

static FOUR: LazyLock<(Vec<Puzzle>, Summary)> = LazyLock::new(puzzles::four);
static FIVE: LazyLock<Vec<Puzzle>> = LazyLock::new(puzzles::five);

/// A folder with a catalogue of 6×6, its file, and its rows.
fn some(count: usize) -> (TempDir, PathBuf, Vec<Puzzle>) {
    let folder = TempDir::new().unwrap();
    let rows = made_up(count, 7);
    let path = write(folder.path(), 6, &rows, &Summary::default());
    (folder, path, rows)
}

fn all(catalogue: &Catalogue, query: &Query) -> Vec<Puzzle> {
    catalogue.select(query).unwrap().collect::<Result<_, _>>().unwrap()
}

fn every() -> Query {
    Query { rules: Rules::All, ..Query::default() }
}

mod writing {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let folder = TempDir::new().unwrap();
        let (rows, summary) = &*FOUR;
        assert!(rows.len() > 10, "{}", rows.len());
        let path = write(folder.path(), 4, rows, summary);
        assert_eq!(path, folder.path().join("4x4-catalogue.sqlite"));
        let names: BTreeSet<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(names, BTreeSet::from([file_name(4)]), "and nothing is left over");

        let catalogue = Catalogue::open(folder.path(), 4).unwrap();
        assert_eq!((catalogue.puzzles(), catalogue.contents()), (rows.len(), Contents::Complete));
        assert_eq!(catalogue.size(), 4);
        assert_eq!(all(&catalogue, &every()), *rows);
        for row in rows {
            assert_eq!(catalogue.find(row.id()).unwrap().as_ref(), Some(row));
        }
        assert_eq!(
            catalogue.find(rows[0].id() + 1).unwrap().map(|p| p.id()),
            rows.iter().find(|p| p.id() == rows[0].id() + 1).map(|p| p.id())
        );
        assert_eq!(catalogue.find(u64::MAX).unwrap(), None);
        catalogue.check(&()).unwrap();
    }

    /// Every SQL column says what the library says.
    #[test]
    fn sql_sees_the_same_numbers() {
        let folder = TempDir::new().unwrap();
        let path = write(folder.path(), 5, &FIVE, &Summary::default());
        let db = Connection::open(path).unwrap();
        for puzzle in FIVE.iter() {
            for column in Column::numbers() {
                let sql = format!("SELECT {column} FROM puzzles WHERE id = ?");
                let key = match column {
                    Column::Branching => db
                        .query_row(&sql, [puzzle.id() as i64], |row| row.get::<_, f64>(0))
                        .unwrap()
                        .to_bits(),
                    _ => db.query_row(&sql, [puzzle.id() as i64], |row| row.get::<_, i64>(0)).unwrap() as u64,
                };
                assert_eq!(key, puzzle.key(column), "{column} of {}", puzzle.board_text());
            }
            let (board, solution, histogram): (String, String, Vec<u8>) = db
                .query_row(
                    "SELECT board, solution, moves_histogram FROM puzzles WHERE id = ?",
                    [puzzle.id() as i64],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
                )
                .unwrap();
            let counts: Vec<u8> = puzzle.histogram().iter().flat_map(|&n| (n as u32).to_le_bytes()).collect();
            assert_eq!(zstd::decode_all(&histogram[..]).unwrap(), counts);
            assert_eq!((&*board, &*solution), (puzzle.board_text(), puzzle.solution()));
        }
    }

    #[test]
    fn counts_of_clusters_and_puzzles() {
        let folder = TempDir::new().unwrap();
        let (rows, summary) = &*FOUR;
        write(folder.path(), 4, rows, summary);
        let catalogue = Catalogue::open(folder.path(), 4).unwrap();
        let totals = catalogue.totals().unwrap();
        let of = |rules: Rules| totals.iter().find(|t| t.rules == rules).unwrap();
        for (rules, counts) in [(Rules::All, &summary.all), (Rules::Classic, &summary.classic)] {
            assert_eq!(of(rules).families, Some(counts.families));
            assert_eq!(of(rules).solvable_families, Some(counts.solvable_families));
            assert_eq!(of(rules).clusters, Some(counts.clusters.total()));
            assert_eq!(of(rules).solvable_clusters, Some(counts.clusters.by_distance().iter().sum()));
        }
        assert_eq!((of(Rules::Rush).families, of(Rules::Rush).clusters), (None, None));
        for rules in Rules::ALL {
            assert_eq!(of(rules).puzzles, rows.iter().filter(|p| rules.has(p)).count() as u64);
        }
        let clusters = catalogue.clusters().unwrap();
        for line in &clusters {
            let counts = if line.rules == Rules::All { &summary.all } else { &summary.classic };
            assert_eq!(line.clusters, counts.clusters[line.longest_moves]);
            let has_moves = |puzzle: &&Puzzle| Distance::of(puzzle.moves()) == line.longest_moves;
            let puzzles = rows.iter().filter(has_moves).filter(|puzzle| line.rules.has(puzzle));
            assert_eq!(line.puzzles, puzzles.count() as u64);
        }
        let all: u64 = clusters.iter().filter(|c| c.rules == Rules::All).map(|c| c.clusters).sum();
        assert_eq!(all, summary.all.clusters.total());
    }

    #[test]
    fn an_empty_catalogue_is_one() {
        let folder = TempDir::new().unwrap();
        write(folder.path(), 5, &[], &Summary::default());
        let catalogue = Catalogue::open(folder.path(), 5).unwrap();
        assert_eq!(catalogue.count(&every()).unwrap(), 0);
        assert_eq!(all(&catalogue, &every()), []);
        catalogue.check(&()).unwrap();
    }

    #[test]
    fn sizes_without_a_catalogue() {
        let folder = TempDir::new().unwrap();
        for size in [0, 3, 8] {
            assert!(matches!(
                Writer::open(folder.path(), size),
                Err(CatalogueError::NoSpace(SpaceError::Size(_)))
            ));
            assert!(matches!(
                Catalogue::open(folder.path(), size),
                Err(CatalogueError::NoSpace(SpaceError::Size(_)))
            ));
        }
    }
}

mod documented {
    use super::*;

    /// Every query of docs/catalogue.md runs and finds something.
    #[test]
    fn ten_queries() {
        let folder = TempDir::new().unwrap();
        let path = write(folder.path(), 5, &FIVE, &FOUR.1);
        let db = Connection::open(path).unwrap();
        let text = include_str!("../../docs/catalogue.md");
        let queries: Vec<&str> =
            text.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        assert_eq!(queries.len(), 10);
        for sql in queries {
            let mut select = db.prepare(sql).unwrap();
            assert!(select.query([]).unwrap().next().unwrap().is_some(), "{sql}");
        }
    }

    /// The table of columns is what is declared.
    #[test]
    fn the_columns_of_puzzles() {
        let text = include_str!("../../docs/catalogue.md");
        let section = text.split("### puzzles\n").nth(1).unwrap().split("\n#").next().unwrap();
        let mut expected = String::new();
        for column in Column::ALL {
            let Declaration { name, holds, unit, meaning, .. } = column.about();
            let sql = holds.sql().to_lowercase();
            expected += &format!("| `{name}` | {sql} | {unit} | {meaning} |\n");
        }
        let table = section.split("|---|---|---|---|\n").nth(1).unwrap().split("| `checksum` |").next();
        assert_eq!(table, Some(&*expected), "what src/catalogue/column.rs says:\n{expected}");
    }

    /// Every column of every table is described.
    #[test]
    fn every_column() {
        let folder = TempDir::new().unwrap();
        let db = Connection::open(write(folder.path(), 5, &[], &Summary::default())).unwrap();
        let text = include_str!("../../docs/catalogue.md");
        let mut columns = db
            .prepare(
                "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c \
                 WHERE t.type = 'table'",
            )
            .unwrap();
        let columns = columns.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let columns: Vec<(String, String)> = columns.map(Result::unwrap).collect();
        assert!(columns.len() > 30);
        for (table, column) in columns.iter().filter(|(table, _)| table != "about") {
            let section = text.split(&format!("### {table}\n")).nth(1).unwrap().split("\n#").next().unwrap();
            let chunk = column == "name" || column == "chunk";
            assert!(section.contains(&format!("`{column}`")) || chunk, "{table}.{column}");
        }
        let mut keys = db.prepare("SELECT key FROM about").unwrap();
        for key in keys.query_map([], |row| row.get::<_, String>(0)).unwrap() {
            assert!(text.contains(&format!("`{}`", key.unwrap())));
        }
    }
}

mod going_on {
    use super::*;

    fn part(folder: &Path) -> PathBuf {
        folder.join(format!("{}.part", file_name(6)))
    }

    /// Fills a catalogue in steps of `step`, with a writer that vanishes after
    /// each, and sometimes before its rows are safe.
    fn filled(rows: &[Puzzle], step: usize) -> Vec<u8> {
        let folder = TempDir::new().unwrap();
        let mut lost = false;
        loop {
            let (mut writer, state) = Writer::open(folder.path(), 6).unwrap();
            let done = state.map_or(0, |state| usize::from_le_bytes(state.try_into().unwrap()));
            assert_eq!(writer.puzzles(), done as u64);
            let next = (done + step).min(rows.len());
            for some in rows[done..next].chunks(10) {
                writer.add(some).unwrap();
            }
            lost = !lost;
            if lost {
                continue;
            }
            if next == rows.len() {
                let finished = writer.finish(&next.to_le_bytes(), &Summary::default());
                return fs::read(finished.unwrap()).unwrap();
            }
            writer.checkpoint(&next.to_le_bytes()).unwrap();
        }
    }

    #[test]
    fn interruptions_leave_no_trace() {
        let rows = made_up(2_000, 3);
        let (_folder, path, _) = {
            let folder = TempDir::new().unwrap();
            let path = write(folder.path(), 6, &rows, &Summary::default());
            (folder, path, ())
        };
        let undisturbed = fs::read(path).unwrap();
        for step in [2_000, 700, 33] {
            assert!(filled(&rows, step) == undisturbed, "steps of {step}");
        }
    }

    /// A copy of the files as they are between checkpoints is what a kill or a
    /// power cut leaves behind.
    #[test]
    fn a_kill_between_checkpoints_goes_back_to_the_last() {
        let rows = made_up(3_000, 4);
        let folder = TempDir::new().unwrap();
        let (mut writer, _) = Writer::open(folder.path(), 6).unwrap();
        writer.add(&rows[..1_000]).unwrap();
        writer.checkpoint(b"one").unwrap();
        // So much that SQLite writes to the file before the end of the transaction.
        writer.add(&rows[1_000..]).unwrap();
        let crashed = TempDir::new().unwrap();
        for entry in fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), crashed.path().join(entry.file_name())).unwrap();
        }
        let (mut writer, state) = Writer::open(crashed.path(), 6).unwrap();
        assert_eq!((state.as_deref(), writer.puzzles()), (Some(&b"one"[..]), 1_000));
        writer.add(&rows[1_000..]).unwrap();
        writer.finish(b"all", &Summary::default()).unwrap();
        assert_eq!(all(&Catalogue::open(crashed.path(), 6).unwrap(), &every()), rows);
    }

    #[test]
    fn leftovers_beside_a_finished_catalogue_are_swept() {
        let (folder, path, rows) = some(10);
        fs::write(part(folder.path()), "left").unwrap();
        fs::write(folder.path().join(format!("{}.new", file_name(6))), "left").unwrap();
        Writer::sweep(folder.path(), &6.into()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(path.exists());
        assert_eq!(Catalogue::open(folder.path(), 6).unwrap().puzzles(), rows.len());
    }

    fn stopped() -> TempDir {
        let folder = TempDir::new().unwrap();
        let (mut writer, _) = Writer::open(folder.path(), 6).unwrap();
        writer.add(&made_up(500, 1)).unwrap();
        writer.checkpoint(b"half").unwrap();
        folder
    }

    fn refused(folder: &Path) -> String {
        match Writer::open(folder, 6) {
            Ok((writer, _)) => match writer.finish(b"all", &Summary::default()) {
                Ok(_) => panic!("it went on"),
                Err(error) => error.to_string(),
            },
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_unfinished_one_of_another_program_is_refused() {
        for (sql, found) in [
            ("UPDATE about SET value = '0.0.9' WHERE key = 'builder'", "by version 0.0.9"),
            ("UPDATE about SET value = '5x5' WHERE key = 'spaces'", "5x5 puzzles"),
            ("UPDATE about SET value = '9' WHERE key = 'rules'", "rules 9"),
            ("PRAGMA user_version = 7", "schema 7"),
        ] {
            let folder = stopped();
            Connection::open(part(folder.path())).unwrap().execute_batch(sql).unwrap();
            let error = refused(folder.path());
            assert!(error.contains(found), "{error}");
        }
    }

    #[test]
    fn a_damaged_unfinished_one_is_refused() {
        let whole = fs::read(part(stopped().path())).unwrap();
        let check = |bytes: &[u8]| {
            let folder = TempDir::new().unwrap();
            fs::write(part(folder.path()), bytes).unwrap();
            let error = refused(folder.path());
            assert!(error.contains("damaged"), "{error}");
        };
        check(b"nonsense, and not a little of it: nothing that SQLite would take for its own. Really not.");
        check(&whole[..whole.len() / 2]);
        let mut foreign = whole.clone();
        foreign[68] ^= 1;
        check(&foreign);
        // A letter of a solution.
        let mut changed = whole.clone();
        let solution = made_up(500, 1)[250].solution().to_owned();
        let at = changed.windows(solution.len()).position(|w| w == solution.as_bytes()).unwrap();
        changed[at] ^= 1;
        check(&changed);
        for sql in [
            "DELETE FROM puzzles WHERE rowid IN (SELECT max(id) FROM puzzles)",
            "ALTER TABLE puzzles ADD COLUMN more INTEGER",
            "ALTER TABLE puzzles RENAME COLUMN cars TO more; \
             ALTER TABLE puzzles RENAME COLUMN trucks TO cars; \
             ALTER TABLE puzzles RENAME COLUMN more TO trucks",
        ] {
            let folder = stopped();
            Connection::open(part(folder.path())).unwrap().execute_batch(sql).unwrap();
            check(&fs::read(part(folder.path())).unwrap());
        }
    }
}

mod reading {
    use super::*;

    fn error(folder: &Path) -> CatalogueError {
        match Catalogue::open(folder, 6) {
            Ok(catalogue) => catalogue.check(&()).unwrap_err(),
            Err(error) => error,
        }
    }

    /// The error after a change of the finished file by SQL.
    fn after(sql: &str) -> CatalogueError {
        let (folder, path, _) = some(50);
        Connection::open(path).unwrap().execute_batch(sql).unwrap();
        error(folder.path())
    }

    #[test]
    fn missing_and_unfinished() {
        let folder = TempDir::new().unwrap();
        let missing = error(folder.path());
        assert!(matches!(&missing, CatalogueError::Missing { spaces, .. } if *spaces == 6.into()));
        assert!(missing.to_string().contains("6x6-catalogue.sqlite is missing"), "{missing}");
        drop(Writer::open(folder.path(), 6).unwrap());
        let unfinished = error(folder.path());
        assert!(matches!(&unfinished, CatalogueError::Unfinished { spaces, .. } if *spaces == 6.into()));
        assert!(unfinished.to_string().contains("is not finished"), "{unfinished}");
        // Even under the name of a finished one.
        let name = folder.path().join(file_name(6));
        fs::rename(folder.path().join(format!("{}.part", file_name(6))), name).unwrap();
        assert!(error(folder.path()).to_string().contains("not finished"));
    }

    #[test]
    fn other_versions_rules_and_sizes() {
        let older = after("PRAGMA user_version = 0").to_string();
        assert!(older.contains("version 0, which is older"), "{older}");
        let newer = after("PRAGMA user_version = 99").to_string();
        assert!(newer.contains("version 99, which is newer"), "{newer}");
        let rules = after("UPDATE about SET value = '2' WHERE key = 'rules'").to_string();
        assert!(rules.contains("follows rules 2"), "{rules}");
        let (folder, path, _) = some(10);
        fs::rename(path, folder.path().join(file_name(5))).unwrap();
        let size = Catalogue::open(folder.path(), 5).unwrap_err().to_string();
        assert!(size.contains("the catalogue is of 6x6, not of 5x5"), "{size}");
    }

    #[test]
    fn something_else() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(file_name(6));
        fs::write(&path, "moves board cluster").unwrap();
        let text = error(folder.path());
        assert!(matches!(text, CatalogueError::Foreign { .. }), "{text}");
        assert!(text.to_string().contains("moves board clus"), "{text}");
        fs::remove_file(&path).unwrap();
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
        let database = error(folder.path());
        assert!(matches!(database, CatalogueError::Foreign { .. }), "{database}");
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(matches!(error(folder.path()), CatalogueError::Io { .. }));
    }

    /// Guards against a catalogue that is asked for ever.
    #[test]
    fn a_view_without_end_is_not_asked() {
        for name in ["about", "puzzles"] {
            let error = after(&format!(
                "ALTER TABLE {name} RENAME TO was; CREATE VIEW {name} AS WITH RECURSIVE more AS \
                 (SELECT 'key' AS key, 'value' AS value UNION ALL SELECT * FROM more) SELECT * FROM more"
            ));
            assert!(matches!(error, CatalogueError::Damaged { .. }), "{name}: {error}");
            assert!(error.to_string().contains("a view"), "{name}: {error}");
        }
    }

    #[test]
    fn cut_off_at_any_length() {
        let (folder, path, _) = some(200);
        let whole = fs::read(&path).unwrap();
        for len in (0..whole.len()).step_by(997).chain([1, 99, 100, 101, whole.len() - 1]) {
            fs::write(&path, &whole[..len]).unwrap();
            let error = error(folder.path());
            assert!(matches!(error, CatalogueError::Damaged { .. }), "{len}: {error}");
            assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
        }
    }

    /// Rows, packed columns and facts that were changed behind our back.
    #[test]
    fn changed_values() {
        for sql in [
            "UPDATE puzzles SET moves = moves + 1",
            "UPDATE puzzles SET steps = 3 WHERE id = (SELECT max(id) FROM puzzles)",
            "UPDATE puzzles SET board = replace(board, 'A', 'B')",
            "UPDATE puzzles SET solution = solution || ' A+1'",
            "UPDATE puzzles SET moves_histogram = x'00'",
            "UPDATE puzzles SET checksum = checksum + 1",
            "DELETE FROM puzzles WHERE id = (SELECT min(id) FROM puzzles)",
            "UPDATE packed_columns SET cells = zeroblob(length(cells)) WHERE name = 'steps'",
            "UPDATE packed_columns SET bytes_per_puzzle = 3 WHERE name = 'moves'",
            "UPDATE packed_columns SET cells = x'' WHERE name = 'id'",
            "DELETE FROM packed_columns WHERE name = 'rush'",
            "ALTER TABLE puzzles DROP COLUMN free_cells",
            "DROP TABLE packed_columns",
            "DROP TABLE puzzles",
            "UPDATE about SET value = 'many' WHERE key = 'puzzles'",
            "UPDATE about SET value = '49' WHERE key = 'puzzles'",
            "UPDATE about SET value = 'some' WHERE key = 'contents'",
            "DELETE FROM about",
        ] {
            let error = after(sql);
            assert!(matches!(error, CatalogueError::Damaged { .. }), "{sql}: {error}");
        }
    }

    fn names(folder: &Path) -> BTreeSet<String> {
        let names = fs::read_dir(folder).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// The number of puzzles has no checksum of its own: a changed one that left
    /// out whole chunks, or all rows of a starter, gave wrong counts.
    #[test]
    fn a_changed_number_of_puzzles() {
        let (folder, path, rows) = some(9_000);
        let starter = folder.path().join("starter.sqlite");
        write_starter(&Catalogue::open(folder.path(), 6).unwrap(), &starter).unwrap();
        let change = |path: &Path, number: &str| {
            let sql = "UPDATE about SET value = ? WHERE key = 'puzzles'";
            Connection::open(path).unwrap().execute(sql, [number]).unwrap();
        };
        for number in ["0", "8192", "8999", "9001", "16384", "18446744073709551615"] {
            change(&path, number);
            let error = Catalogue::open(folder.path(), 6).unwrap_err();
            assert!(matches!(error, CatalogueError::Damaged { .. }), "{number}: {error}");
        }
        change(&path, &rows.len().to_string());
        assert_eq!(Catalogue::open(folder.path(), 6).unwrap().count(&every()).unwrap(), rows.len());
        fs::rename(starter, path).unwrap();
        for number in ["0", "8192"] {
            change(&folder.path().join(file_name(6)), number);
            let error = Catalogue::open(folder.path(), 6).unwrap_err();
            assert!(matches!(error, CatalogueError::Damaged { .. }), "{number}: {error}");
        }
    }

    /// The error was SQLite's, and did not name the file that it was about.
    #[test]
    fn what_another_program_left_beside() {
        let (folder, path, rows) = some(50);
        for end in ["-journal", "-wal"] {
            let beside = PathBuf::from(format!("{}{end}", path.display()));
            fs::write(&beside, [7; 1_000]).unwrap();
            let before = names(folder.path());
            let error = Catalogue::open(folder.path(), 6).unwrap_err();
            assert!(matches!(error, CatalogueError::Unsettled { .. }), "{error}");
            let words = error.to_string();
            assert!(words.contains(beside.to_str().unwrap()), "{words}");
            assert_eq!(names(folder.path()), before, "reading leaves no file");
            // An empty one is a sign of nothing.
            fs::write(&beside, "").unwrap();
            assert_eq!(all(&Catalogue::open(folder.path(), 6).unwrap(), &every()), rows);
            fs::remove_file(beside).unwrap();
        }
    }

    /// Reading a file that was left in this mode made two more beside it.
    #[test]
    fn reading_leaves_no_files() {
        let (folder, path, rows) = some(50);
        Connection::open(&path).unwrap().execute_batch("PRAGMA journal_mode = WAL").unwrap();
        let before = names(folder.path());
        assert_eq!(before.len(), 1);
        let catalogue = Catalogue::open(folder.path(), 6).unwrap();
        assert_eq!(all(&catalogue, &every()), rows);
        assert_eq!(names(folder.path()), before);
    }

    /// Names that mean something in the addresses of SQLite.
    #[test]
    fn folders_of_any_name() {
        let (folder, path, rows) = some(10);
        for name in ["a b", "50%25", "what?immutable=0", "#1", "Käse×2"] {
            let other = folder.path().join(name);
            fs::create_dir(&other).unwrap();
            fs::copy(&path, other.join(file_name(6))).unwrap();
            assert_eq!(all(&Catalogue::open(&other, 6).unwrap(), &every()), rows, "{name}");
        }
    }

    /// A pipe was waited for without end, and what a link leads to was written to.
    #[cfg(unix)]
    #[test]
    fn links_and_pipes() {
        let (folder, path, rows) = some(10);
        let other = TempDir::new().unwrap();
        let (name, part) =
            (other.path().join(file_name(6)), other.path().join(format!("{}.part", file_name(6))));
        std::os::unix::fs::symlink(&path, &name).unwrap();
        let linked = Catalogue::open(other.path(), 6).unwrap();
        assert_eq!(all(&linked, &every()), rows, "a link to a catalogue is read");
        fs::remove_file(&name).unwrap();

        let target = folder.path().join("target");
        fs::write(&target, "").unwrap();
        let journal = other.path().join(format!("{}.part-journal", file_name(6)));
        for link in [&part, &journal] {
            std::os::unix::fs::symlink(&target, link).unwrap();
            let error = with_reasons(&Writer::open(other.path(), 6).err().expect("refused"));
            assert!(error.contains(link.to_str().unwrap()) && error.contains("symbolic link"), "{error}");
            assert_eq!(fs::read(&target).unwrap(), b"", "the target is as it was");
            fs::remove_file(link).unwrap();
        }
        fs::remove_file(&part).unwrap();
        for pipe in [&name, &part] {
            assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
        }
        let error = with_reasons(&Catalogue::open(other.path(), 6).unwrap_err());
        assert!(error.contains(name.to_str().unwrap()) && error.contains("named pipe"), "{error}");
        let error = with_reasons(&Writer::open(other.path(), 6).err().expect("refused"));
        assert!(error.contains(part.to_str().unwrap()) && error.contains("named pipe"), "{error}");
    }

    /// Any single changed byte: an error, or the right answers.
    #[test]
    fn no_changed_byte_makes_a_wrong_answer() {
        let (folder, path, rows) = some(60);
        let whole = fs::read(&path).unwrap();
        let hardest = Query { sort: vec![Sort::falling(Column::Moves)], limit: Some(5), ..every() };
        let mut right = rows.clone();
        right.sort_by_key(|p| (std::cmp::Reverse(p.moves()), p.id()));
        right.truncate(5);
        let ask = || -> Result<(usize, Vec<Puzzle>, Option<Puzzle>), CatalogueError> {
            let catalogue = Catalogue::open(folder.path(), 6)?;
            let found = catalogue.select(&hardest)?.collect::<Result<Vec<_>, _>>()?;
            Ok((catalogue.count(&Query::default())?, found, catalogue.find(rows[7].id())?))
        };
        let classic = rows.iter().filter(|p| p.is_classic()).count();
        let (mut errors, mut answers) = (0, 0);
        for at in (0..whole.len()).step_by(61) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            fs::write(&path, bytes).unwrap();
            match ask() {
                Err(_) => errors += 1,
                Ok((count, found, one)) => {
                    answers += 1;
                    assert_eq!((count, &found), (classic, &right), "byte {at}");
                    assert!(one.as_ref() == Some(&rows[7]), "byte {at}: {one:?}");
                }
            }
        }
        assert!(errors > 10 && answers > 10, "{errors} errors, {answers} answers");
    }

    /// A page of rows overwritten: the error names the file and what to do.
    #[test]
    fn a_broken_page() {
        let (folder, path, rows) = some(400);
        let mut bytes = fs::read(&path).unwrap();
        let at =
            bytes.windows(36).position(|w| w == rows[200].board_text().as_bytes()).unwrap() / 4096 * 4096;
        bytes[at..at + 4096].fill(0xee);
        fs::write(&path, bytes).unwrap();
        let catalogue = Catalogue::open(folder.path(), 6).unwrap();
        let error = catalogue.find(rows[200].id()).unwrap_err();
        assert!(matches!(error, CatalogueError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
        assert!(catalogue.check(&()).is_err());
    }
}

mod asking {
    use super::*;

    /// More than two chunks of the packed columns.
    const ROWS: usize = 20_000;

    static MANY: LazyLock<(TempDir, Vec<Puzzle>)> = LazyLock::new(|| {
        let (folder, _, rows) = some(ROWS);
        (folder, rows)
    });

    /// A connection stays in its thread, so each test opens its own.
    fn many() -> Catalogue {
        Catalogue::open(MANY.0.path(), 6).unwrap()
    }

    /// The query and the naive filter agree, and the filter does something.
    fn agree(query: &Query, naive: impl Fn(&Puzzle) -> bool) {
        let rows = &MANY.1;
        let expected: Vec<&Puzzle> = rows.iter().filter(|p| naive(p)).collect();
        assert!(!expected.is_empty() && expected.len() < rows.len(), "{query:?} tests nothing");
        let catalogue = many();
        assert_eq!(catalogue.count(query).unwrap(), expected.len(), "{query:?}");
        let found = all(&catalogue, query);
        assert!(found.iter().eq(expected), "{query:?}");
    }

    #[test]
    fn rules() {
        agree(&Query { rules: Rules::Classic, ..Query::default() }, |p| p.is_classic());
        agree(&Query { rules: Rules::Rush, ..Query::default() }, |p| p.is_rush());
        assert_eq!(many().count(&every()).unwrap(), ROWS);
        assert_eq!(Query::default().rules, Rules::Classic);
    }

    #[test]
    fn ranges_of_every_column() {
        agree(&Query { ranges: vec![(Column::Branching, Range::from(4..=6))], ..every() }, |p| {
            (4.0..=6.0).contains(&f64::from_bits(p.key(Column::Branching)))
        });
        for column in Column::numbers().filter(|&column| column != Column::Branching) {
            let mut keys: Vec<u64> = MANY.1.iter().map(|p| p.key(column)).collect();
            keys.sort();
            let (low, high) = (keys[keys.len() / 4], keys[3 * keys.len() / 4]);
            let with = |range: Range| Query { ranges: vec![(column, range)], ..every() };
            if keys[0] < low {
                agree(&with(Range::from(low..)), |p| p.key(column) >= low);
            }
            if low < keys[keys.len() - 1] {
                agree(&with(Range::from(..=low)), |p| p.key(column) <= low);
            }
            agree(&with(Range::from(low..=low)), |p| p.key(column) == low);
            if low < high && (keys[0] < low || high < keys[keys.len() - 1]) {
                agree(&with(Range::from(low..=high)), |p| (low..=high).contains(&p.key(column)));
            }
        }
    }

    #[test]
    fn nothing_matches() {
        let catalogue = many();
        let query = Query { ranges: vec![(Column::Moves, Range::from(200..))], ..every() };
        assert_eq!(catalogue.count(&query).unwrap(), 0);
        assert_eq!(all(&catalogue, &query), []);
        let far = Query { ranges: vec![(Column::Moves, Range::from(u64::MAX..))], ..every() };
        assert_eq!(catalogue.count(&far).unwrap(), 0);
    }

    #[test]
    fn kinds_and_inventory() {
        agree(&Query { kinds: 1 << 4, ..every() }, |p| p.number(Column::LineKinds) & 16 != 0);
        agree(&Query { kinds: 1 << 4 | 1, ..every() }, |p| {
            p.number(Column::LineKinds) & 16 != 0 && p.number(Column::LineKinds) & 1 != 0
        });
        let inventory = Some(Inventory { cars: 9, trucks: 2 });
        agree(&Query { inventory, ..every() }, |p| {
            p.number(Column::Cars) <= 9 && p.number(Column::Trucks) <= 2
        });
    }

    #[test]
    fn all_at_once() {
        let query = Query {
            rules: Rules::Rush,
            ranges: vec![
                (Column::Moves, Range::from(10..=35)),
                (Column::ClusterBoards, Range::from(100..)),
                (Column::Moves, Range::from(..=30)),
            ],
            kinds: 1 << 2,
            inventory: Some(Inventory { cars: 10, trucks: 4 }),
            ..Query::default()
        };
        agree(&query, |p| {
            p.is_rush()
                && (10..=30).contains(&p.moves())
                && p.number(Column::ClusterBoards) >= 100
                && p.number(Column::LineKinds) & 4 != 0
                && p.number(Column::Cars) <= 10
                && p.number(Column::Trucks) <= 4
        });
    }

    #[test]
    fn sorted_by_every_column_with_ties_by_id() {
        let catalogue = many();
        for column in Column::numbers() {
            for falling in [false, true] {
                // All rows of every column would take long.
                let everything = if column == Column::Moves { None } else { Some(2_000) };
                for limit in [Some(0), Some(1), Some(37), everything] {
                    let mut expected: Vec<&Puzzle> = MANY.1.iter().collect();
                    expected.sort_by_key(|p| if falling { !p.key(column) } else { p.key(column) });
                    expected.truncate(limit.unwrap_or(usize::MAX));
                    let query = Query { sort: vec![Sort { column, falling }], limit, ..every() };
                    let found = catalogue.select(&query).unwrap();
                    assert_eq!((found.len(), found.matching()), (expected.len(), ROWS));
                    assert!(found.map(Result::unwrap).eq(expected.into_iter().cloned()), "{query:?}");
                }
            }
        }
    }

    #[test]
    fn sorted_by_two_columns() {
        let query = Query {
            sort: vec![Sort::falling(Column::Moves), Sort::rising(Column::Vehicles)],
            limit: Some(100),
            ..Query::default()
        };
        let mut expected: Vec<&Puzzle> = MANY.1.iter().filter(|p| p.is_classic()).collect();
        expected.sort_by_key(|p| (std::cmp::Reverse(p.moves()), p.number(Column::Vehicles), p.id()));
        assert!(all(&many(), &query).iter().eq(expected.into_iter().take(100)));
    }

    #[test]
    fn lots_are_reproducible_and_distinct() {
        let catalogue = many();
        let draw = |seed, limit| {
            all(&catalogue, &Query { random: Some(seed), limit: Some(limit), ..Query::default() })
        };
        let hundred = draw(1, 100);
        assert_eq!(hundred, draw(1, 100));
        assert_eq!(hundred[..10], draw(1, 10), "fewer are the first of them");
        assert_ne!(hundred, draw(2, 100));
        assert!(hundred.iter().all(|p| p.is_classic()));
        let ids: BTreeSet<u64> = hundred.iter().map(|p| p.id()).collect();
        assert_eq!(ids.len(), 100);
        let everything = draw(3, usize::MAX);
        let classic = MANY.1.iter().filter(|p| p.is_classic()).count();
        assert_eq!(everything.iter().map(|p| p.id()).collect::<BTreeSet<_>>().len(), classic);
        // Sorted afterwards, they are the same ones.
        let sort = vec![Sort::rising(Column::Moves)];
        let sorted = all(&catalogue, &Query { random: Some(1), limit: Some(100), sort, ..Query::default() });
        assert!(sorted.is_sorted_by_key(|p| (p.moves(), p.id())));
        assert_eq!(sorted.iter().map(|p| p.id()).collect::<BTreeSet<_>>(), ids);
    }

    /// Documents and studies quote seeds: what they draw must never change.
    #[test]
    fn what_a_seed_draws_is_fixed() {
        let folder = TempDir::new().unwrap();
        let mut rows = made_up(10, 7);
        for (index, row) in rows.iter_mut().enumerate() {
            *row = Puzzle::new(|column| match column {
                Column::Id => (1_000_000_007 * (index as u64 + 1)).into(),
                column => row.value(column).clone(),
            });
        }
        write(folder.path(), 6, &rows, &Summary::default());
        let catalogue = Catalogue::open(folder.path(), 6).unwrap();
        let drawn: Vec<u64> = all(&catalogue, &Query { random: Some(42), limit: Some(4), ..every() })
            .iter()
            .map(|p| p.id() / 1_000_000_007)
            .collect();
        assert_eq!(drawn, [1, 10, 8, 6]);
    }

    /// Every puzzle is drawn about as often as every other: 2,000 draws of 50
    /// out of 500 make 200 each, with a standard deviation of 13.4.
    #[test]
    fn lots_are_fair() {
        let (folder, _, rows) = some(500);
        let catalogue = Catalogue::open(folder.path(), 6).unwrap();
        let mut times: BTreeMap<u64, i32> = rows.iter().map(|p| (p.id(), 0)).collect();
        let mut first: BTreeMap<u64, i32> = times.clone();
        for seed in 0..2_000 {
            let drawn = all(&catalogue, &Query { random: Some(seed), limit: Some(50), ..every() });
            drawn.iter().for_each(|p| *times.get_mut(&p.id()).unwrap() += 1);
            *first.get_mut(&drawn[0].id()).unwrap() += 1;
        }
        let chi: f64 = times.values().map(|&n| f64::from(n - 200).powi(2) / 180.0).sum();
        // 499 on average, with a standard deviation of about 32.
        assert!((380.0..620.0).contains(&chi), "chi squared {chi}");
        assert!(first.values().all(|&n| n < 20), "no puzzle is always first");
    }
}

mod starter {
    use super::*;

    #[test]
    fn the_one_inside_the_program() {
        let starter = Catalogue::starter().unwrap();
        assert_eq!(starter.contents(), Contents::Starter);
        assert_eq!(starter.size(), 6);
        starter.check(&()).unwrap();
        let rows = all(&starter, &every());
        assert_eq!(rows.len(), starter.puzzles());
        assert!(
            rows.iter()
                .any(|p| p.moves() == 51 && p.is_classic() && p.number(Column::ClusterBoards) == 4_780)
        );
    }

    #[test]
    fn a_choice_of_a_complete_one() {
        let (folder, _, rows) = some(5_000);
        let catalogue = Catalogue::open(folder.path(), 6).unwrap();
        let path = folder.path().join("starter.sqlite");
        write_starter(&catalogue, &path).unwrap();
        let bytes = fs::read(&path).unwrap();
        write_starter(&catalogue, &path).unwrap();
        assert!(bytes == fs::read(&path).unwrap(), "twice the same");

        fs::rename(&path, folder.path().join(file_name(6))).unwrap();
        let starter = Catalogue::open(folder.path(), 6).unwrap();
        assert_eq!(starter.contents(), Contents::Starter);
        assert_eq!(starter.totals().unwrap(), catalogue.totals().unwrap());
        assert_eq!(starter.clusters().unwrap(), catalogue.clusters().unwrap());
        starter.check(&()).unwrap();
        let chosen: BTreeSet<u64> = all(&starter, &every()).iter().map(|p| p.id()).collect();

        let mut hardest: Vec<&Puzzle> = rows.iter().filter(|p| p.is_classic()).collect();
        hardest.sort_by_key(|p| (std::cmp::Reverse((p.moves(), p.steps())), p.id()));
        assert!(hardest[..1_000].iter().all(|p| chosen.contains(&p.id())));
        for moves in 1..=51 {
            for classic in [true, false] {
                let group: Vec<&Puzzle> =
                    rows.iter().filter(|p| p.moves() == moves && p.is_classic() == classic).collect();
                let some: Vec<&&Puzzle> = group.iter().filter(|p| chosen.contains(&p.id())).collect();
                assert!(some.len() >= group.len().min(10), "{moves} moves, classic {classic}");
                if group.len() > 40 {
                    let vehicles: BTreeSet<u64> = some.iter().map(|p| p.number(Column::Vehicles)).collect();
                    assert!(vehicles.len() > 3, "{vehicles:?}");
                }
            }
        }
        assert!(chosen.len() <= 1_000 + 51 * 20);
        // Its filters work without packed columns.
        let query = Query { ranges: vec![(Column::Moves, Range::from(10..=20))], ..Query::default() };
        let naive = rows
            .iter()
            .filter(|p| chosen.contains(&p.id()) && p.is_classic() && (10..=20).contains(&p.moves()));
        assert_eq!(starter.count(&query).unwrap(), naive.count());
    }
}

mod features {
    use super::*;
    use tailback::board::Board;
    use tailback::catalogue::Features;
    use tailback::cluster::DEFAULT_LIMIT;
    use tailback::space::{Rank, Space};

    /// Vehicles of a text: letter and cells.
    fn vehicles(text: &str) -> Vec<(char, Vec<usize>)> {
        let mut letters: Vec<char> = text.chars().filter(|c| !".x".contains(*c)).collect();
        letters.sort();
        letters.dedup();
        let cells = |letter| text.chars().enumerate().filter(|(_, c)| *c == letter).map(|(i, _)| i).collect();
        letters.into_iter().map(|letter| (letter, cells(letter))).collect()
    }

    fn is_horizontal(cells: &[usize]) -> bool {
        cells[1] == cells[0] + 1
    }

    fn order(text: &str) -> (u64, u64) {
        let mut sets = (0, 0);
        for (_, cells) in vehicles(text) {
            let set = if is_horizontal(&cells) { &mut sets.0 } else { &mut sets.1 };
            *set |= cells.iter().fold(0u64, |set, cell| set | 1 << cell);
        }
        sets
    }

    /// The lengths in every line, rows first.
    fn lines(text: &str, size: usize) -> Vec<Vec<usize>> {
        let mut lines = vec![Vec::new(); 2 * size];
        for (_, cells) in vehicles(text) {
            let line = if is_horizontal(&cells) { cells[0] / size } else { size + cells[0] % size };
            lines[line].push((cells[0], cells.len()));
        }
        for line in &mut lines {
            line.sort();
        }
        lines.into_iter().map(|line| line.into_iter().map(|(_, len)| len).collect()).collect()
    }

    fn is_minimal(text: &str, size: usize) -> bool {
        let moves = oracle::distance(text, size, false).unwrap();
        let shorter = |text: String| oracle::distance(&text, size, false).unwrap() < moves;
        let letters = vehicles(text).into_iter().filter(|(letter, _)| *letter != 'A');
        let walls = text.char_indices().filter(|(_, c)| *c == 'x');
        letters.into_iter().all(|(letter, _)| shorter(text.replace(letter, ".")))
            && walls.into_iter().all(|(at, _)| shorter(format!("{}.{}", &text[..at], &text[at + 1..])))
    }

    /// Compares everything with what the oracle says. True if the board is an
    /// interesting puzzle.
    fn compare(text: &str, in_space: bool) -> bool {
        let text = &oracle::plain(text);
        let size = text.len().isqrt();
        let board = Board::parse(text).unwrap();
        let found = Features::of(&board, DEFAULT_LIMIT).unwrap();
        let distances = oracle::distances_of_cluster(text, size, false);
        let moves = distances[text];
        assert_eq!(found.position.is_some(), in_space, "{text}");
        let both = [moves, oracle::distance(text, size, true)];
        assert_eq!([found.moves, found.steps], both.map(Distance::from), "{text}");
        let lengths: Vec<usize> = vehicles(text).iter().map(|(_, cells)| cells.len()).collect();
        let of_length = |len| lengths.iter().filter(|&&l| l == len).count() as u32;
        for (column, number) in [
            (Column::Cars, of_length(2)),
            (Column::Trucks, of_length(3)),
            (Column::Vehicles, lengths.len() as u32),
            (Column::FreeCells, text.matches('.').count() as u32),
        ] {
            assert_eq!(column.of(&found), Value::from(number), "{column} of {text}");
        }
        assert_eq!(found.cluster_boards as usize, distances.len(), "{text}");

        let lines = lines(text, size);
        let primary = text.find('A').unwrap() / size;
        let classic = in_space
            && lines[primary].len() == 1
            && lines.iter().enumerate().all(|(line, lengths)| {
                let walls = text.chars().skip(line * size).take(size).filter(|&c| c == 'x').count();
                lengths.iter().sum::<usize>() + walls < size
            });
        assert_eq!(found.classic, classic, "{text}");
        let mut kinds = vec![vec![], vec![2], vec![3], vec![2, 2], vec![2, 3], vec![3, 2]];
        kinds.truncate(if size == 4 { 4 } else { 6 });
        let bits = |line: &Vec<usize>| 1u32 << kinds.iter().position(|kind| kind == line).unwrap();
        assert_eq!(
            Column::LineKinds.of(&found),
            Value::from(in_space.then(|| lines.iter().map(bits).fold(0, |a, b| a | b))),
            "{text}"
        );

        let Some(moves) = moves else {
            assert!(
                found.histogram.is_empty() && found.solution.is_none() && found.puzzle.is_none(),
                "{text}"
            );
            assert!(!found.minimal && !found.hardest && !found.interesting && !found.rush, "{text}");
            assert_eq!((found.optimal_solutions, found.optimal_first_moves), (0, 0), "{text}");
            return false;
        };
        let longest = distances.values().flatten().max().unwrap();
        let at = |d: u32| distances.values().filter(|found| **found == Some(d)).count() as u64;
        assert_eq!(found.histogram, (0..=*longest).map(at).collect::<Vec<_>>(), "{text}");
        assert_eq!((found.goal_boards(), found.hardest_boards()), (at(0), at(*longest)), "{text}");
        assert_eq!(found.optimal_solutions, oracle::optimal_solutions(text, size, false), "{text}");

        // Of moves as good the primary's first, then in the reading order of the first board.
        let reading_order = |letter: char| (letter != 'A', text.find(letter));
        let mut now = text.clone();
        let mut solution = Vec::new();
        for left in (0..moves).rev() {
            let next = oracle::successors(&now, size, false).into_iter();
            let nearer: Vec<_> = next.filter(|next| distances[&next.text] == Some(left)).collect();
            if left + 1 == moves {
                assert_eq!(found.optimal_first_moves as usize, nearer.len(), "{text}");
            }
            let letter = |next: &oracle::Successor| reading_order(next.notation.chars().next().unwrap());
            let best = nearer.into_iter().min_by_key(letter).unwrap();
            solution.push(best.notation);
            now = best.text;
        }
        let notation: Vec<String> = found.solution.iter().flatten().map(|&mv| board.notation(mv)).collect();
        assert_eq!(notation, solution, "{text}");
        let along = oracle::difficulty::along(text, size, &solution, &distances);
        assert_eq!(
            (found.along.moving_vehicles as usize, found.along.possible_moves as usize),
            (along.moving, along.possible),
            "{text}"
        );
        assert_eq!(
            [found.forced_moves, found.along.away_moves, found.along.longest_chain].map(|n| n as usize),
            [along.forced, along.away, along.chain],
            "{text}"
        );
        let different = oracle::difficulty::different(text, size, &distances, 100);
        assert_eq!(found.different_solutions as usize, different, "{text}");

        let mut hardest: Vec<&String> =
            distances.iter().filter(|(_, d)| **d == Some(*longest)).map(|(text, _)| text).collect();
        hardest.sort_by_key(|text| order(text));
        let first = hardest.iter().position(|text| is_minimal(text, size));
        let puzzle = hardest[first.unwrap_or(0)];
        assert_eq!(found.minimal, is_minimal(text, size), "{text}");
        assert_eq!(found.hardest, moves == *longest, "{text}");
        assert_eq!(found.puzzle.as_ref().map(Board::text).as_ref(), Some(puzzle), "{text}");
        assert_eq!((found.interesting, found.rush), (first.is_some(), classic && first == Some(0)), "{text}");
        assert_eq!(found.is_puzzle(), text == puzzle, "{text}");
        found.interesting && text == puzzle
    }

    #[test]
    fn of_boards_from_the_whole_space() {
        for (size, step) in [(4, 13), (5, 99_991)] {
            let space = Space::of_size(size).unwrap();
            for rank in (0..space.boards()).step_by(step) {
                compare(&space.board(&space.position(Rank(rank)).unwrap()).text(), true);
            }
        }
    }

    #[test]
    fn of_the_puzzles_themselves() {
        let some = FOUR.0.iter().chain(FIVE.iter().step_by(10));
        for puzzle in some {
            assert!(compare(puzzle.board_text(), true), "{}", puzzle.board_text());
        }
    }

    #[test]
    fn of_boards_with_walls_or_outside_the_space() {
        for text in [
            "..B. AAB. .x.. ....",
            "..B. AAB. ..x. ....",
            "x.B. AAB. ..B. ....",
            "BB.. AAC. ..C. ....  ",
            "AA.. ..B. ..B. ....",
            "..B.. ..B.. AAB.. ..B.. .....",
            ".CB.. .CB.. AAB.. xxx.. .....",
            ".... AABB .... ....",
        ] {
            let text = oracle::plain(text);
            let outside = ["AA....B...B.....", "..B....B..AAB....B.......", "....AABB........"];
            compare(&text, !outside.contains(&text.as_str()));
        }
    }

    /// The primary in the mirror image of its row: everything is mirrored.
    #[test]
    fn of_mirror_images() {
        for puzzle in &FOUR.0 {
            let board = puzzle.board().unwrap();
            let (one, two) = (
                Features::of(&board, DEFAULT_LIMIT).unwrap(),
                Features::of(&board.mirrored(), DEFAULT_LIMIT).unwrap(),
            );
            assert_eq!(one.position, two.position);
            assert_eq!(two.puzzle, Some(board.mirrored()));
            assert_eq!((one.classic, one.rush, one.interesting), (two.classic, two.rush, two.interesting));
            assert_eq!(one.histogram, two.histogram);
        }
    }

    #[test]
    fn too_many_boards_are_an_error() {
        let board = Board::parse("..B. AAB. .... ....").unwrap();
        assert!(Features::of(&board, 3).is_err());
    }
}
