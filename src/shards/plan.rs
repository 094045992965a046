//! The plan of a build in shards: a small text file.
//!
//! ```text
//! tailback plan 1
//! builder 0.1.0
//! product catalogue
//! spaces 5x5-walls-0-2
//! rules 2
//! schema 3
//! boards 372363271
//! jobs 376056
//! shards 20
//! memory 130
//! minutes 11
//! shard 1 0 8424 18338981
//! …
//! checksum 1a2b3c4d
//! ```
//!
//! A line `shard` has its number, its first job, how many jobs, and their boards.
//! The last line is the CRC-32 of all before it: a plan that somebody changed is
//! not followed.

use std::fmt::{self, Write};
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::ShardError;
use crate::board::Metric;
use crate::catalogue::SCHEMA;
use crate::catalogue::survey::MOST_STORED;
use crate::files::{open_regular, write_whole};
use crate::pipeline::Jobs;
use crate::progress::{Count, Observer};
use crate::retrograde::Solver;
use crate::space::{Blocks, MAX_TABULATED, Space, SpaceId, Spaces};
use crate::table::build::{BuildError, LEVELS, jobs_of};
use crate::table::format::{OUR_VERSION, rules};
use crate::{catalogue, table};

/// The first line.
const TITLE: &str = "tailback plan 1";
/// More shards are smaller than what it costs to start one.
const MOST_SHARDS: u32 = 100_000;

/// Boards of a space of 6×6 with two walls, on average. A shard of such a catalogue that
/// has fewer looks many boards up outside of it.
const A_SPACE: u64 = 4_000_000_000;

/// What is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Product {
    /// The table of a space.
    Table {
        /// The boards.
        space: SpaceId,
        /// What a distance counts.
        metric: Metric,
        /// The zstd level.
        level: i32,
    },
    /// The catalogue of one or more spaces, by search.
    Catalogue(Spaces),
    /// How many boards of one or more spaces have each distance, and the furthest of
    /// them.
    Counts {
        /// The boards.
        spaces: Spaces,
        /// What a distance counts.
        metric: Metric,
    },
}

/// Some jobs of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1 on.
    pub number: u32,
    /// Its first job.
    pub first: u32,
    /// How many jobs it has.
    pub jobs: u32,
    /// Their boards.
    pub boards: u64,
}

/// A build cut into shards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    path: PathBuf,
    product: Product,
    boards: u64,
    memory: u64,
    minutes: u64,
    shards: Vec<Shard>,
    checksum: u32,
}

impl Product {
    /// The boards.
    pub fn spaces(&self) -> Spaces {
        match self {
            Product::Table { space, .. } => (*space).into(),
            Product::Catalogue(spaces) | Product::Counts { spaces, .. } => spaces.clone(),
        }
    }

    /// Its name in that of the plan: the one of its file without the ending.
    pub fn stem(&self) -> String {
        match self {
            Product::Table { space, metric, .. } => format!("{}-{metric}", space.stem()),
            Product::Catalogue(spaces) => format!("{}-catalogue", spaces.stem()),
            Product::Counts { spaces, metric } => format!("{}-{metric}-counts", spaces.stem()),
        }
    }

    /// Nanoseconds for a board of shards with so many on one core, as seen on small
    /// machines: 6×6 in moves took 11 and 20, a sample of 7×7 10 for the search alone
    /// and 390 for all; shards of a catalogue 47 to 74 with 500 million boards, and 13
    /// to 32 with 16 billion.
    fn cost(&self, boards: u64) -> u64 {
        match self {
            Product::Catalogue(spaces) if spaces.size() > MAX_TABULATED => 390,
            Product::Table { metric: Metric::Moves, .. } => 17,
            Product::Table { metric: Metric::Steps, .. } => 25,
            Product::Counts { .. } => 10,
            Product::Catalogue(_) if boards < A_SPACE => 60,
            Product::Catalogue(_) => 25,
        }
    }

    /// MiB that one thread needs at most for so many boards, and each other thread
    /// besides.
    ///
    /// The largest signature decides, and walls only take boards away. That of 6×6
    /// has 260,575,200 boards and took 256 MiB for a table (distances, graph, what
    /// is packed) and 313 MiB for a catalogue (the nodes of clusters, too). What was
    /// packed before stays for look-ups, an eighth of a bit a board. Counts need the
    /// words of a part and no distances.
    fn memory(&self, boards: u64) -> u64 {
        let space = Space::of_size(self.spaces().size()).expect("checked before");
        let largest = match space.size() {
            // The largest are not surveyed.
            size if size > MAX_TABULATED => Blocks::MOST_BOARDS,
            _ => space.sizes().iter().map(|size| u64::from(size.boards)).max().unwrap_or(0),
        };
        let bytes = match self {
            Product::Counts { .. } => Solver::memory(space.size()),
            Product::Table { .. } => 2 * largest,
            Product::Catalogue(_) => 4 * largest + MOST_STORED.min(boards / 64),
        };
        128 + bytes.div_ceil(1 << 20)
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Product::Table { space, metric, .. } => write!(f, "the table of {space} in {metric}"),
            Product::Catalogue(spaces) => write!(f, "the catalogue of {spaces}"),
            Product::Counts { spaces, metric } => write!(f, "the counts of {spaces} in {metric}"),
        }
    }
}

impl Shard {
    /// Its jobs.
    pub fn range(&self) -> Range<u32> {
        self.first..self.first + self.jobs
    }
}

impl Plan {
    /// Cuts a build into so many shards of about equal cost, as far as jobs can be cut. The
    /// boards of all signatures are counted for that: half a second for each space
    /// of 6×6.
    pub fn new(
        path: impl Into<PathBuf>,
        product: Product,
        shards: u32,
        observer: &dyn Observer,
    ) -> Result<Plan, ShardError> {
        if let Product::Table { level, space, .. } = product {
            space.check().map_err(BuildError::from)?;
            if !LEVELS.contains(&level) {
                return Err(BuildError::Level(level).into());
            }
        }
        let path = path.into();
        if path.extension().is_none_or(|ending| ending != "plan") {
            return Err(ShardError::Name { path });
        }
        let jobs = jobs_of(&product.spaces())?;
        let most = jobs.len().min(MOST_SHARDS);
        if !(1..=most).contains(&shards) {
            return Err(ShardError::TooMany { shards, most });
        }
        let shards = cut(&jobs, shards, observer)?;
        let longest = shards.iter().map(|shard| shard.boards).max().unwrap_or(0);
        // Ten minutes to start with, and a machine four times as slow that looks all up
        // elsewhere.
        let nanoseconds = 4 * u128::from(longest) * u128::from(product.cost(0));
        let minutes = 10 + nanoseconds.div_ceil(60_000_000_000) as u64;
        let (boards, memory) = (jobs.boards(), product.memory(longest));
        let mut plan = Plan { path, product, boards, memory, minutes, shards, checksum: 0 };
        plan.checksum = crc32fast::hash(plan.lines().as_bytes());
        Ok(plan)
    }

    /// Reads a plan, of this version of the program.
    pub fn read(path: &Path) -> Result<Plan, ShardError> {
        let read = open_regular(path).and_then(|mut file| {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        let bytes = read.map_err(|source| match source.kind() {
            ErrorKind::NotFound => ShardError::NoSuchPlan { path: path.to_owned() },
            _ => ShardError::io(path, source),
        })?;
        let no_plan = |what: &str| ShardError::NoPlan { path: path.to_owned(), what: what.to_owned() };
        let text = String::from_utf8(bytes).map_err(|_| no_plan("it is no text"))?;
        let mut lines = text.lines();
        match lines.next() {
            Some(TITLE) => {}
            Some(other) if other.starts_with("tailback plan ") => {
                return Err(no_plan("it was made by another version of this program"));
            }
            _ => return Err(no_plan("it does not begin as one")),
        }
        let builder = lines.next().and_then(|line| line.strip_prefix("builder ")).unwrap_or_default();
        if builder != OUR_VERSION {
            return Err(no_plan(&format!("it is of version {builder}, this is {OUR_VERSION}")));
        }
        let changed = || ShardError::ChangedPlan { path: path.to_owned() };
        let checksum = text.lines().next_back().and_then(|line| line.strip_prefix("checksum "));
        let checksum = checksum.and_then(|text| u32::from_str_radix(text, 16).ok()).ok_or_else(changed)?;
        let plan = parse(path, &text, checksum).ok_or_else(changed)?;
        // Whatever was changed, it would be written differently.
        if plan.text() != text || crc32fast::hash(plan.lines().as_bytes()) != checksum {
            return Err(changed());
        }
        Ok(plan)
    }

    /// Writes it. The same one again is fine; another in its place is not lost.
    pub fn write(&self) -> Result<(), ShardError> {
        match Plan::read(&self.path) {
            Ok(found) if found == *self => return Ok(()),
            Err(ShardError::NoSuchPlan { .. }) => {}
            Err(error @ ShardError::Build(_)) => return Err(error),
            _ => return Err(ShardError::OtherPlan { path: self.path.clone() }),
        }
        let folder = self.out();
        std::fs::create_dir_all(&folder).map_err(|e| ShardError::io(&folder, e))?;
        write_whole(&self.path, self.text().as_bytes()).map_err(|e| ShardError::io(&self.path, e))
    }

    /// All lines but the checksum.
    fn lines(&self) -> String {
        let mut text = format!("{TITLE}\nbuilder {OUR_VERSION}\n");
        let mut line = |key: &str, value: &dyn fmt::Display| {
            writeln!(text, "{key} {value}").expect("a text takes all");
        };
        match &self.product {
            Product::Table { space, metric, level } => {
                line("product", &"table");
                line("spaces", &space.stem());
                line("rules", &rules(space.walls != 0));
                line("metric", metric);
                line("level", level);
            }
            Product::Catalogue(spaces) => {
                line("product", &"catalogue");
                line("spaces", &spaces.stem());
                line("rules", &rules(spaces.have_walls()));
                line("schema", &SCHEMA);
            }
            Product::Counts { spaces, metric } => {
                line("product", &"counts");
                line("spaces", &spaces.stem());
                line("rules", &rules(spaces.have_walls()));
                line("metric", metric);
            }
        }
        line("boards", &self.boards);
        line("jobs", &self.jobs());
        line("shards", &self.shards.len());
        line("memory", &self.memory);
        line("minutes", &self.minutes);
        for Shard { number, first, jobs, boards } in &self.shards {
            line("shard", &format_args!("{number} {first} {jobs} {boards}"));
        }
        text
    }

    /// The whole text.
    pub fn text(&self) -> String {
        format!("{}checksum {:08x}\n", self.lines(), self.checksum)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is built.
    pub fn product(&self) -> &Product {
        &self.product
    }

    /// The boards of all shards.
    pub fn boards(&self) -> u64 {
        self.boards
    }

    /// The jobs of all shards.
    pub fn jobs(&self) -> u32 {
        self.shards.iter().map(|shard| shard.jobs).sum()
    }

    /// MiB of memory that one thread needs for any shard.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Minutes that any shard should be given on one core: several times what it
    /// takes.
    pub fn minutes(&self) -> u64 {
        self.minutes
    }

    /// Hours of one core that all shards take, as seen on a small machine.
    pub fn core_hours(&self) -> f64 {
        let cost = self.product.cost(self.boards / self.shards.len() as u64);
        self.boards as f64 * cost as f64 / 3.6e12
    }

    /// All shards.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// One of them.
    pub fn shard(&self, number: u32) -> Result<&Shard, ShardError> {
        let place = number.checked_sub(1).map(|place| place as usize);
        place
            .and_then(|place| self.shards.get(place))
            .ok_or(ShardError::NoShard { number, shards: self.shards.len() as u32 })
    }

    /// Whether it is a plan of these jobs.
    pub(super) fn must_fit(&self, jobs: &Jobs) -> Result<(), ShardError> {
        match (self.jobs(), self.boards) == (jobs.len(), jobs.boards()) {
            true => Ok(()),
            false => Err(ShardError::ChangedPlan { path: self.path.clone() }),
        }
    }

    /// Whether one of its shards is some of these jobs, of which only its own are
    /// counted.
    pub(super) fn must_have(&self, shard: &Shard, jobs: &Jobs) -> Result<(), ShardError> {
        let is_there = self.jobs() == jobs.len();
        let boards = || jobs.boards_before(shard.range().end) - jobs.boards_before(shard.first);
        match is_there && boards() == shard.boards {
            true => Ok(()),
            false => Err(ShardError::ChangedPlan { path: self.path.clone() }),
        }
    }

    /// What makes it the plan it is.
    pub(super) fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The folder of its shards.
    pub fn folder(&self) -> PathBuf {
        self.path.with_extension("shards")
    }

    /// The file of a shard.
    pub fn shard_path(&self, number: u32) -> PathBuf {
        self.folder().join(format!("{number:05}.shard"))
    }

    /// Where what is built goes: the folder of the plan.
    pub fn out(&self) -> PathBuf {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    /// The file that it is all for.
    pub fn product_path(&self) -> PathBuf {
        self.out().join(match &self.product {
            Product::Table { space, metric, .. } => table::file_name(*space, *metric),
            Product::Catalogue(spaces) => catalogue::file_name(spaces.clone()),
            Product::Counts { .. } => self.product.stem() + ".csv",
        })
    }
}

/// Ranges of jobs with about the same number of boards, none of them empty.
///
/// Where a space is cut, boards are looked up in signatures that another shard has, and
/// those are searched once more. So a cut goes to where a space begins if that is less
/// than half a shard away.
fn cut(jobs: &Jobs, shards: u32, observer: &dyn Observer) -> Result<Vec<Shard>, ShardError> {
    let count = Count::new(observer, "shards", shards.into());
    let half = jobs.boards() / u64::from(shards) / 2;
    let (mut cut, mut first, mut before) = (Vec::new(), 0, 0);
    for number in 1..=shards {
        if observer.wants_stop() {
            return Err(BuildError::Stopped.into());
        }
        let even = (u128::from(jobs.boards()) * u128::from(number) / u128::from(shards)) as u64;
        let between = jobs.boards_before_nearest_space(even);
        let boards = if between.abs_diff(even) < half { between } else { even };
        let end = jobs.after_boards(boards).clamp(first + 1, jobs.len() - (shards - number));
        let all = jobs.boards_before(end);
        cut.push(Shard { number, first, jobs: end - first, boards: all - before });
        (first, before) = (end, all);
        count.add(1);
    }
    Ok(cut)
}

fn parse(path: &Path, text: &str, checksum: u32) -> Option<Plan> {
    let value = |key: &str| {
        text.lines().find_map(|line| line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' ')))
    };
    let spaces = Spaces::of_stem(value("spaces")?).filter(|spaces| spaces.check().is_ok())?;
    let product = match value("product")? {
        "table" => Product::Table {
            space: spaces.single().filter(|space| space.check().is_ok())?,
            metric: value("metric")?.parse().ok()?,
            level: value("level")?.parse().ok().filter(|level| LEVELS.contains(level))?,
        },
        "catalogue" => Product::Catalogue(spaces),
        "counts" => Product::Counts { spaces, metric: value("metric")?.parse().ok()? },
        _ => return None,
    };
    let shard = |line: &str| {
        let mut numbers = line.split(' ').map(|number| number.parse::<u64>().ok());
        let mut next = || numbers.next().flatten();
        let (number, first, jobs, boards) = (next()?, next()?, next()?, next()?);
        let small = |number| u32::try_from(number).ok();
        Some(Shard { number: small(number)?, first: small(first)?, jobs: small(jobs)?, boards })
    };
    let shards = text.lines().filter_map(|line| line.strip_prefix("shard ")).map(shard);
    let shards = shards.collect::<Option<Vec<Shard>>>()?;
    let (mut first, mut before) = (0u32, 0u64);
    for (shard, number) in shards.iter().zip(1..) {
        if (shard.number, shard.first) != (number, first) || shard.jobs == 0 {
            return None;
        }
        first = first.checked_add(shard.jobs)?;
        before = before.checked_add(shard.boards)?;
    }
    let boards = value("boards")?.parse().ok()?;
    if shards.is_empty() || before != boards {
        return None;
    }
    Some(Plan {
        path: path.to_owned(),
        product,
        boards,
        memory: value("memory")?.parse().ok()?,
        minutes: value("minutes")?.parse().ok()?,
        shards,
        checksum,
    })
}
