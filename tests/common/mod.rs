//! What tests share: running the program, tables to run it on, stopping builds.
#![allow(dead_code)] // each test file uses a part of it

pub mod clothes;
pub mod desk;
pub mod forge;

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::sync::{LazyLock, Mutex, OnceLock};

use assert_cmd::Command;
use rand::Rng;
use tailback::board::Metric;
use tailback::progress::{Observer, Progress};
use tailback::space::SpaceId;
use tailback::table::{BuildOptions, Table, build};
use tempfile::TempDir;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_tailback");

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn tailback(db: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_remove("TAILBACK_DB").env_remove("NO_COLOR").arg("--db").arg(db);
    command
}

/// What an error says, and its reasons.
pub fn with_reasons(error: &dyn Error) -> String {
    error.source().map_or(error.to_string(), |reason| format!("{error}: {}", with_reasons(reason)))
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The fields of every answer of a command that succeeds.
pub fn answers(db: &Path, args: &[&str]) -> Vec<serde_json::Value> {
    let output = tailback(db).args(args).arg("--json").output().unwrap();
    assert_eq!(code(&output), 0, "{args:?}: {}", stdout(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Work of a second or more tells how far it is, the last time so; less tells nothing.
pub fn assert_progress(output: &Output, last: &str) {
    let told = stderr(output);
    let found = told.lines().rfind(|line| line.starts_with("progress "));
    assert!(found.is_none_or(|found| found.starts_with(last)), "{told}");
}

/// Sends lines to the program, each after the answer to the one before; gives the answers.
pub fn one_by_one(args: &[&str], lines: &[String]) -> Vec<serde_json::Value> {
    let mut command = std::process::Command::new(PROGRAM);
    let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answers = Vec::new();
    for line in lines {
        writeln!(input, "{line}").unwrap();
        answers.push(serde_json::from_str(&output.next().unwrap().unwrap()).unwrap());
    }
    drop(input);
    assert!(output.next().is_none());
    assert!(child.wait().unwrap().success());
    answers
}

/// Runs the program on a long input, with nobody to read its output; gives its
/// exit code and what it says on standard error.
pub fn with_broken_pipe(args: &[&str], line: &str) -> (Option<i32>, String) {
    let mut child = std::process::Command::new(PROGRAM)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The program may be gone before it has read all of it.
    let _ = input.write_all(format!("{line}\n").repeat(10_000).as_bytes());
    drop(input);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    (child.wait().unwrap().code(), errors)
}

/// Drops vehicles on a board where they fit.
pub fn drop_vehicles(random: &mut impl Rng, grid: &mut [char], size: usize) {
    for letter in ('B'..='Z').take(random.random_range(2..2 * size)) {
        let len = random.random_range(2..=3);
        let (line, start) = (random.random_range(0..size), random.random_range(0..=size - len));
        let across = random.random_bool(0.5);
        let cells = (start..start + len).map(|i| if across { line * size + i } else { i * size + line });
        if cells.clone().all(|cell| grid[cell] == '.') {
            cells.for_each(|cell| grid[cell] = letter);
        }
    }
}

/// The 4×4 and 5×5 tables in both metrics and their catalogues, built once for all
/// test programs. A test that writes into the folder takes [`own_tables`].
pub fn tables() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let profile = Path::new(PROGRAM).parent().unwrap().file_name().unwrap();
        let shelf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables").join(profile);
        // Whatever goes into their bytes is in the program that builds them.
        let program = desk::sha256(&fs::read(PROGRAM).unwrap());
        built_once(&shelf, &program, |folder| {
            for size in ["4", "5"] {
                tailback(folder).args(["build", "--metric", "both", "--size", size]).assert().success();
            }
        })
    });
    &FOLDER
}

/// The folder of this name on a shelf, and no other folder there. Whoever comes first
/// builds it, all others wait; it has its name when it is whole.
pub fn built_once(shelf: &Path, name: &str, build: impl FnOnce(&Path)) -> PathBuf {
    fs::create_dir_all(shelf).unwrap();
    let lock = File::create(shelf.join("lock")).unwrap();
    lock.lock().unwrap();
    let folder = shelf.join(name);
    if !folder.exists() {
        let entries = fs::read_dir(shelf).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).for_each(|old| fs::remove_dir_all(old).unwrap());
        let unfinished = shelf.join("unfinished");
        build(&unfinished);
        fs::rename(unfinished, &folder).unwrap();
    }
    folder
}

/// A copy of [`tables`] for one test.
pub fn own_tables() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(tables()).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    folder
}

/// A table of 4×4 or 5×5, opened once for all tests of a program.
pub fn table(size: usize, metric: Metric) -> &'static Table {
    static TABLES: [[OnceLock<Table>; 2]; 2] = [const { [const { OnceLock::new() }; 2] }; 2];
    TABLES[size - 4][metric as usize].get_or_init(|| Table::open(tables(), size, metric).unwrap())
}

/// The table of a space.
pub fn table_of(space: SpaceId, metric: Metric) -> Table {
    let folder = tempfile::tempdir().unwrap();
    build(&BuildOptions::new(folder.path(), space, metric), &()).unwrap();
    // The file may go while the table is open.
    Table::open(folder.path(), space, metric).unwrap()
}

/// Runs something with so many threads.
pub fn with_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Stops work once it has come so far, and remembers what it was told.
pub struct StopAt {
    boards: u64,
    farthest: Mutex<Option<Progress>>,
}

impl StopAt {
    pub fn new(boards: u64) -> StopAt {
        StopAt { boards, farthest: Mutex::new(None) }
    }

    /// How far the work came.
    pub fn last(&self) -> Option<Progress> {
        *self.farthest.lock().unwrap()
    }
}

impl Observer for StopAt {
    fn advanced(&self, progress: Progress) {
        // Threads may report out of order.
        let mut farthest = self.farthest.lock().unwrap();
        if farthest.is_none_or(|farthest| farthest.done < progress.done) {
            *farthest = Some(progress);
        }
    }

    fn wants_stop(&self) -> bool {
        self.last().is_some_and(|progress| progress.done >= self.boards)
    }
}

/// What Ctrl-C sends.
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
}

/// Interrupts a program that is deep in a search without end.
///
/// A signal that comes before the program listens would kill it, and one that
/// comes before the search has begun would find nothing known.
#[cfg(target_os = "linux")]
pub fn interrupt_at_work(child: &Child) {
    interrupt_after(child, 20);
}

/// Interrupts a program as soon as it listens.
#[cfg(target_os = "linux")]
pub fn interrupt_listening(child: &Child) {
    interrupt_after(child, 0);
}

/// Interrupts a program that listens and has worked so many hundredths of a
/// second.
#[cfg(target_os = "linux")]
fn interrupt_after(child: &Child, hundredths: u64) {
    use std::{fs, thread::sleep, time::Duration};

    let of_the_process = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id())).unwrap();
    let listens = || {
        let status = of_the_process("status");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        // SIGINT is signal 2, the second bit.
        u64::from_str_radix(caught.trim(), 16).unwrap() & 2 != 0
    };
    // The time in its own code, in hundredths of a second, is the fourteenth
    // field; the second is the name, in brackets.
    let worked = || {
        let stat = of_the_process("stat");
        stat.rsplit(')').next().unwrap().split_whitespace().nth(11).unwrap().parse::<u64>().unwrap()
    };
    for _ in 0..12_000 {
        if listens() && worked() >= hundredths {
            return interrupt(child);
        }
        sleep(Duration::from_millis(10));
    }
    panic!("it never listens, or never works");
}

/// A disk with room for so many bytes.
pub struct Full(pub usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
