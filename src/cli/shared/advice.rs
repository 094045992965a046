//! What to do about an error of the library, and the exit code it leads to.

use std::io;
use std::path::Path;

use tailback::answers::PackError;
use tailback::board::{BoardError, MoveError, Unread};
use tailback::catalogue::{self, CatalogueError};
use tailback::cluster::{self, ClusterError};
use tailback::dataset::hh_evolver::LineError;
use tailback::dataset::{ColumnError, ExportError, SourceError};
use tailback::evolution::{DataError, FitnessError, FolderError, ReportError, RunError};
use tailback::lists::ListError;
use tailback::probe::{ClaimError, GradeError, IllegalMove, ProbeError};
use tailback::puzzles::{PuzzleError, SetError};
use tailback::render::png::PngError;
use tailback::search::Stop;
use tailback::shards::{Fault, ShardError};
use tailback::space::{SpaceError, Spaces};
use tailback::table::{self, TableError, VerifyError};

use super::{End, Failure, output, walls};

/// The way out of most troubles with a file.
const ANEW: &str = "delete the file and run `tailback build` again";
const ANEW_OR_COPY: &str = "delete the file and run `tailback build` again, or copy it anew";
const ELSEWHERE: &str = "check what it is and its permissions, or name another folder with --db";
const MAKE_ROOM: &str = "free some space and run the same command again, it goes on from there";
const GO_ON: &str = "run the same command again and it goes on from there";

/// Errors that are reported as they are, with their exit code, unless they pass on
/// one that has advice of its own.
macro_rules! told {
    ($($error:ty { $($passed_on:path),* } => $end:ident)*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                $(if let $passed_on(error) = error {
                    return error.into();
                })*
                Failure::of(&error).ends(End::$end)
            }
        })*
    };
}

told! {
    IllegalMove {} => Misused
    LineError {} => Misused
    MoveError {} => Misused
    PngError {} => Failed
    ClaimError {} => Misused
    DataError { DataError::Puzzle } => Misused
    GradeError { GradeError::Probe } => Misused
    ProbeError { ProbeError::Table, ProbeError::Cluster } => Failed
    catalogue::BuildError {
        catalogue::BuildError::Table, catalogue::BuildError::Build, catalogue::BuildError::Catalogue
    } => Failed
}

impl From<ListError> for Failure {
    fn from(error: ListError) -> Failure {
        let failure = Failure::of(&error).ends(End::Misused);
        match error {
            ListError::NoBoard { .. } => failure.advise("name the column of the board (--column NAME)"),
            _ => failure,
        }
    }
}

impl From<PackError> for Failure {
    fn from(error: PackError) -> Failure {
        match error {
            PackError::Board(error) => error.into(),
            PackError::Stopped => Failure::interrupted(),
            error => Failure::of(&error),
        }
    }
}

impl From<ColumnError> for Failure {
    fn from(error: ColumnError) -> Failure {
        let failure = Failure::of(&error).ends(End::Misused);
        match error {
            ColumnError::List(error) => error.into(),
            ColumnError::NoDistance { .. } => {
                failure.advise("name the column of the distances (--distance NAME)")
            }
            ColumnError::Values { .. } => {
                failure.advise("name those of all columns, in order (--heuristics)")
            }
            _ => failure,
        }
    }
}

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Failure {
        Failure::of(&error).ends(End::Misused).about_primary(&error)
    }
}

/// People see what was read.
impl From<Unread> for Failure {
    fn from(unread: Unread) -> Failure {
        Failure::from(unread.error).showing(&unread.rows)
    }
}

impl Failure {
    /// Which option names the letter of the primary.
    fn about_primary(self, error: &BoardError) -> Failure {
        match error {
            BoardError::NoPrimary { has_x: true, .. } => {
                self.advise("it has an 'X', so name that one as the primary (--primary X)")
            }
            BoardError::NoPrimary { primary: 'A', .. } => {
                self.advise("mark the red car 'A', or name its letter (--primary L)")
            }
            BoardError::NoPrimary { .. } | BoardError::WhichPrimary { .. } => {
                self.advise("name the letter of the red car (--primary L)")
            }
            _ => self,
        }
    }
}

impl From<SetError> for Failure {
    fn from(error: SetError) -> Failure {
        let failure = Failure::of(&error).ends(End::Misused);
        if let SetError::Line { error, .. } = &error
            && let PuzzleError::Board(error) = &**error
        {
            return failure.about_primary(error);
        }
        failure
    }
}

impl From<PuzzleError> for Failure {
    fn from(error: PuzzleError) -> Failure {
        match error {
            PuzzleError::Stopped => Failure::interrupted(),
            PuzzleError::Board(error) => error.into(),
            PuzzleError::Probe(error) => error.into(),
            PuzzleError::Table(error) => error.into(),
            PuzzleError::Source(SourceError::Export(error)) => error.into(),
            error => Failure::of(&error).ends(End::Misused),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        use TableError::*;
        let failure = Failure::of(&error);
        match error {
            Missing { space, metric, .. } => failure.advise(format!(
                "build it with: tailback build {} --metric {metric}, or say with --db where it is",
                walls::options(space)
            )),
            Io { .. } => failure.advise(ELSEWHERE),
            Unfinished { .. } => {
                failure.advise(format!("give it back the ending .part and build on, or {ANEW}"))
            }
            Damaged { .. } => failure.advise(ANEW_OR_COPY),
            OtherSettings { .. } => {
                failure.advise("build with the same settings again, or delete that file to start anew")
            }
            DamagedPart { .. } => failure.advise("delete that file and build again"),
            NoPart { .. } => failure.advise("move it away, or delete it to start anew"),
            _ => failure.advise(ANEW),
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Failure {
        match error {
            VerifyError::Table(error) => error.into(),
            VerifyError::Stopped => Failure::interrupted(),
            VerifyError::Law { .. } => Failure::of(&error).advise("rebuild the table and report this"),
            error => Failure::of(&error).advise("rebuild the table"),
        }
    }
}

impl From<table::BuildError> for Failure {
    fn from(error: table::BuildError) -> Failure {
        use table::BuildError::*;
        let failure = Failure::of(&error);
        match error {
            Table(error) => error.into(),
            Stopped => failure.ends(End::Interrupted).advise(GO_ON),
            NoSpace(error) => error.into(),
            Closed(_) => failure.ends(End::Misused).advise("name a wall on another cell"),
            Busy { .. } => failure.advise("wait for it, or stop it and run this command again"),
            Space { .. } => failure.advise("free some space or choose another folder with --db"),
            Full { .. } => failure.advise(MAKE_ROOM),
            NotWritable { .. } => failure.advise("choose another folder with --db"),
            Threads(_) => failure.advise("try --threads 1"),
            Compression(_) => failure.advise("there may be too little memory"),
            _ => failure,
        }
    }
}

impl From<ShardError> for Failure {
    fn from(error: ShardError) -> Failure {
        use ShardError::*;
        let failure = Failure::of(&error);
        match error {
            Build(error) => error.into(),
            Catalogue(error) => error.into(),
            NoSuchPlan { .. } => failure.ends(End::Misused).advise("make one with: tailback plan"),
            NoPlan { .. } => failure.advise("make one with this program: tailback plan"),
            ChangedPlan { .. } => failure.advise(
                "copy it anew, or delete it and make the same plan again: shards that are done stay good",
            ),
            OtherPlan { .. } => failure
                .advise("name another file with --out, or delete this one and the folder of its shards"),
            TooMany { .. } => failure.ends(End::Misused).advise("ask for so many"),
            Name { .. } => failure.ends(End::Misused).advise("name it so"),
            NoShard { .. } => failure.ends(End::Misused).advise("name one of these"),
            Busy { .. } => failure.advise("wait for it, or stop it"),
            InTheWay { fault: Fault::Damaged, .. } => failure.advise("do that shard again"),
            InTheWay { .. } => failure.advise("move it away and do that shard again"),
            Incomplete { .. } => failure.advise(
                "see `tailback status --check`, and do these again with: tailback build --plan FILE --shard N",
            ),
            _ => failure,
        }
    }
}

impl From<SpaceError> for Failure {
    fn from(error: SpaceError) -> Failure {
        let failure = Failure::of(&error);
        match error {
            SpaceError::Size(_) => failure.advise("--size 4, 5 or 6 are"),
            SpaceError::TooManyWalls | SpaceError::TooManyJobs | SpaceError::NoIds { .. } => {
                failure.ends(End::Misused).advise("name fewer walls")
            }
            _ => failure.advise("name cells of the board"),
        }
    }
}

/// The command that builds a catalogue.
fn to_build(spaces: &Spaces) -> String {
    match (spaces.single(), spaces.walls()) {
        (Some(space), _) => format!("tailback build {}", walls::options(space)),
        (None, walls) => format!(
            "tailback build --only catalogue --size {} --walls {}..{}",
            spaces.size(),
            walls.start(),
            walls.end()
        ),
    }
}

impl From<CatalogueError> for Failure {
    fn from(error: CatalogueError) -> Failure {
        use CatalogueError::*;
        let failure = Failure::of(&error);
        match error {
            Stopped => Failure::interrupted(),
            Missing { spaces, .. } => {
                failure.advise(format!("build it with: {}, or say with --db where it is", to_build(&spaces)))
            }
            Unfinished { spaces, .. } => failure.advise(format!("go on with: {}", to_build(&spaces))),
            NoSpace(error) => error.into(),
            Io { .. } => failure.advise(ELSEWHERE),
            Full { .. } => failure.advise(MAKE_ROOM),
            Busy { .. } => failure.advise("wait for it, or end it"),
            Unsettled { .. } => failure.advise(
                "end that program, or open the catalogue with it once more, so that it settles the change; \
                 otherwise delete both files and build the catalogue again, or copy it anew",
            ),
            Foreign { .. } => failure
                .advise("move it away and run `tailback build` again, or name another folder with --db"),
            Damaged { .. } => failure.advise(ANEW_OR_COPY),
            OtherSettings { .. } => failure.advise("delete that file to start anew"),
            DamagedPart { .. } => failure.advise("delete that file and build again"),
            Sqlite { .. } => failure.advise(format!("if it says so again, {ANEW}")),
            _ => failure.advise(ANEW),
        }
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Failure {
        let failure = Failure::of(&error);
        match error {
            ClusterError::Stopped => failure.ends(End::Interrupted),
            ClusterError::TooLarge { limit } => failure.advise(format!(
                "raise the limit with --limit (twice as many boards need up to {} MB of memory)",
                limit.saturating_mul(2 * cluster::BYTES_PER_BOARD) / 1_000_000
            )),
            _ => failure,
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        match error {
            ExportError::Probe { board: Some(board), error, .. } => Failure::from(error).about(board),
            ExportError::Probe { error, .. } => error.into(),
            ExportError::Io { path, error }
                if path == Path::new(output::STDOUT) && error.kind() == io::ErrorKind::BrokenPipe =>
            {
                error.into()
            }
            ExportError::Catalogue(error) => error.into(),
            ExportError::Board(error) => Failure::of(&error),
            ExportError::Head(error) => Failure::of(&error).ends(End::Misused),
            ExportError::Stopped => Failure::of(&error).ends(End::Interrupted),
            ExportError::TooFewBoards { .. } => {
                Failure::of(&error).ends(End::Misused).advise("ask for fewer, or widen the filters")
            }
            error => Failure::of(&error),
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Failure {
        use FolderError::*;
        let failure = Failure::of(&error);
        match error {
            Io { .. } => {
                failure.advise("check its permissions and the space that is left; what is saved is whole")
            }
            NoExperiment { .. } => {
                failure.ends(End::Misused).advise("begin one with: tailback evolve run FILE --out DIR")
            }
            NotEmpty { path, has_experiment: true } => failure.ends(End::Misused).advise(format!(
                "go on with its experiment (tailback evolve resume {}), or name another folder",
                path.display()
            )),
            NotEmpty { .. } => failure.ends(End::Misused).advise("name a new folder"),
            Busy { .. } => failure.advise("wait for it, or stop it"),
            Experiment { .. } => failure.ends(End::Misused),
            Version { .. } => {
                failure.advise("go on with the program that wrote it, or begin anew in another folder")
            }
            Damaged { .. } => failure.advise("begin anew in another folder, or copy that file back"),
            Changed { .. } => failure.advise("put it back as it was, or begin anew in another folder"),
            _ => failure,
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Folder(error) => error.into(),
            RunError::Data(error) => (*error).into(),
            RunError::Puzzle(error) => (*error).into(),
            RunError::Fitness(error) => match *error {
                FitnessError::Puzzle(error) => error.into(),
                error => Failure::of(&error),
            },
            RunError::Stopped => Failure::interrupted(),
            error @ RunError::NoOrder => Failure::of(&error)
                .ends(End::Misused)
                .advise("take several boards of each cluster, such as around = 50 in train and test"),
            error => Failure::of(&error),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Failure {
        let failure = Failure::of(&error);
        match error {
            ReportError::NotBegun { path } => failure
                .ends(End::Misused)
                .advise(format!("go on with: tailback evolve resume {}", path.display())),
            ReportError::Run(error) => (*error).into(),
            ReportError::Data(error) => error.into(),
            _ => failure,
        }
    }
}

/// A search of the laboratory that was stopped. What it knew is printed.
impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        const SMALL: &str = "ida and iddfs with --no-distinct store next to nothing";
        let within = |limit| Failure::failed(format!("no answer within {limit}"));
        let failure = match stop {
            Stop::Nodes => within("the limit of nodes").advise("raise --max-nodes"),
            Stop::Time => within("the limit of time").advise("raise --max-seconds"),
            Stop::Memory => within("the limit of memory").advise(format!("raise --max-memory; {SMALL}")),
            Stop::States => within("the states that a search can number").advise(SMALL),
            Stop::Interrupted => Failure::interrupted(),
        };
        failure.after_answers()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tailback::board::{Board, Metric};
    use tailback::space::SpaceId;

    use super::*;

    fn told(failure: impl Into<Failure>) -> (String, u8) {
        let failure = failure.into();
        (failure.text().to_owned(), failure.end() as u8)
    }

    #[test]
    fn every_trouble_with_a_file_names_the_way_out() {
        let path = || PathBuf::from("db/file");
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        let what = || "a byte".to_owned();
        let tables = [
            (
                TableError::Missing { path: path(), space: 5.into(), metric: Metric::Steps },
                "--size 5 --metric steps",
            ),
            (
                TableError::Io { path: path(), source: denied() },
                "cannot use db/file: permission denied; check",
            ),
            (TableError::Unfinished { path: Some(path()) }, "ending .part"),
            (TableError::Version { path: None, found: 9, expected: 1 }, ANEW),
            (TableError::Damaged { path: None, what: what() }, "or copy it anew"),
            (TableError::OtherSettings { path: path(), found: what(), asked: what() }, "the same settings"),
            (TableError::DamagedPart { path: path() }, "delete that file"),
            (TableError::NoPart { path: path(), found: what() }, "move it away"),
        ];
        for (error, remedy) in tables {
            let (text, code) = told(error);
            assert!(text.contains(remedy) && code == 1, "{text:?} does not say {remedy:?}");
        }
        let catalogues = [
            (CatalogueError::Missing { path: path(), spaces: 5.into() }, "tailback build --size 5"),
            (
                CatalogueError::Missing {
                    path: path(),
                    spaces: SpaceId { size: 5, walls: 1 << 6 | 1 << 24 }.into(),
                },
                "tailback build --size 5 --wall B2 --wall E5",
            ),
            (
                CatalogueError::Unfinished { path: path(), spaces: Spaces::with_walls(5, 1..=2) },
                "go on with: tailback build --only catalogue --size 5 --walls 1..2",
            ),
            (CatalogueError::NoSpace(SpaceError::Size(7)), "--size 4, 5 or 6"),
            (CatalogueError::Full { path: path() }, "free some space"),
            (CatalogueError::Busy { path: path() }, "wait for it"),
            (CatalogueError::Unsettled { path: path(), journal: path() }, "end that program"),
            (CatalogueError::Foreign { path: path(), found: what() }, "move it away"),
            (CatalogueError::Version { path: path(), found: 9, expected: 1 }, ANEW),
            (CatalogueError::Damaged { path: path(), what: what() }, "or copy it anew"),
            (CatalogueError::DamagedPart { path: path(), what: what() }, "delete that file and build again"),
        ];
        for (error, remedy) in catalogues {
            let (text, code) = told(error);
            assert!(text.contains(remedy) && code == 1, "{text:?} does not say {remedy:?}");
        }
        let builds = [
            (table::BuildError::NoSpace(SpaceError::Size(7)), "--size 4, 5 or 6", 1),
            (table::BuildError::NoSpace(SpaceError::TooManyJobs), "name fewer walls", 2),
            (table::BuildError::Closed(6.into()), "another cell", 2),
            (table::BuildError::Busy { folder: path() }, "wait for it", 1),
            (table::BuildError::Space { folder: path(), free: 1, needed: 2 }, "another folder with --db", 1),
            (table::BuildError::Full { path: path(), source: denied() }, "it goes on from there", 1),
            (table::BuildError::NotWritable { path: path(), source: denied() }, "--db", 1),
            (table::BuildError::Stopped, "it goes on from there", 3),
        ];
        for (error, remedy, code) in builds {
            let (text, found) = told(error);
            assert!(text.contains(remedy) && found == code, "{text:?} does not say {remedy:?}, or {found}");
        }
    }

    #[test]
    fn a_primary_of_another_letter_names_the_option() {
        for (board, primary, remedy) in [
            ("BB.. .... .... ....", 'A', "(--primary L)"),
            ("XX.. .... .... ....", 'A', "(--primary X)"),
            ("BB.. .... .... ....", 'C', "name the letter of the red car (--primary L)"),
        ] {
            let (text, code) = told(Board::parse_with_primary(board, primary).unwrap_err());
            assert!(text.contains(remedy) && code == 2, "{text}");
        }
    }

    #[test]
    fn a_limit_says_what_twice_as_much_takes() {
        let (text, code) = told(ClusterError::TooLarge { limit: 1_000_000 });
        assert!(text.contains("--limit (twice as many boards need up to 120 MB of memory)"), "{text}");
        assert_eq!((code, told(ClusterError::Stopped).1), (1, 3));
    }
}
