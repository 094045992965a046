//! What the server takes on, in one place. `docs/explorer.md` and `/api/v1/status`
//! tell the same.

use std::time::Duration;

use serde::{Serialize, Serializer};

/// Connections at once; more wait until one ends.
pub const CONNECTIONS: usize = 4_096;
/// For the head of a request, and between two requests of a connection.
pub const HEAD_TIME: Duration = Duration::from_secs(15);
/// For the body of a request.
pub const BODY_TIME: Duration = Duration::from_secs(15);
/// For requests that are being answered when the server is told to stop.
pub const SHUTDOWN_TIME: Duration = Duration::from_secs(20);
/// Of a path with its parameters.
pub const URL_BYTES: usize = 8 * 1024;
/// Of a whole head: a longer one ends the connection.
pub const HEAD_BYTES: usize = 64 * 1024;
/// Of a body.
pub const BODY_BYTES: usize = 4 * 1024 * 1024;
/// A body up to this length is read at once.
pub const SHORT_BODY: usize = 64 * 1024;
/// Longer ones that are read at once.
pub const BODIES: usize = 64;
/// What a reader takes in a second at least, once it is late by `READ_SLACK`.
pub const READ_PACE: u32 = 8 * 1024;
/// How late a reader may be.
pub const READ_SLACK: Duration = Duration::from_secs(30);
/// Of a piece of a large answer, about.
pub const PIECE: usize = 64 * 1024;
/// Pieces that wait for readers, of all large answers together: 64 MB.
pub const WAITING_PIECES: usize = 1_024;
/// Boards of one request.
pub const LINES: usize = 10_000;
/// For all boards of one request.
pub const LINES_TIME: Duration = Duration::from_secs(20);
/// Boards that a search may look at: a fiftieth of what the command line takes, and
/// more than the largest cluster of 6×6 has.
pub const SEARCH_BOARDS: usize = 1_000_000;
/// For one search.
pub const SEARCH_TIME: Duration = Duration::from_secs(10);
/// Searches that may wait for their turn.
pub const WAITING: usize = 64;
/// How long one waits.
pub const WAIT: Duration = Duration::from_secs(5);
/// Moves of a game.
pub const MOVES: usize = 2_000;
/// Searches of one comparison.
pub const RUNS: usize = 24;
/// Characters of a heuristic.
pub const FORMULA: usize = 1_000;
/// Boards of a pattern in it.
pub const PATTERN: u32 = 300_000;
/// Patterns of one comparison.
pub const PATTERNS: usize = 4;
/// Nodes of each of them.
pub const RUN_NODES: u64 = 1_000_000;
/// For each of them.
pub const RUN_TIME: Duration = Duration::from_secs(2);
/// Bytes that each of them may store.
pub const RUN_MEMORY: usize = 200_000_000;
/// Puzzles of an answer.
pub const PUZZLES: usize = 1_000;
/// Puzzles of a list to download.
pub const LISTED: usize = 20_000;
/// Puzzles on a sheet.
pub const SHEET: usize = 200;
/// Puzzles before the first one of an answer.
pub const OFFSET: usize = 1_000_000;
/// Puzzles of an answer, with those before it, if no two are to be alike: each is
/// compared with all before it.
pub const DISTINCT: usize = 2_000;
/// Boards of a cluster that are drawn one by one.
pub const MAP_BOARDS: usize = 5_000;
/// Moves between boards that are drawn.
pub const MAP_EDGES: usize = 40_000;
/// Boards of optimal ways that are listed.
pub const MAP_OPTIMAL: usize = 2_000;
/// Pixels of a side of a picture.
pub const PIXELS: u64 = 2_048;
/// How long a client may keep an answer that depends on the database.
pub const MAX_AGE: Duration = Duration::from_secs(60);

/// The limits that callers have to know.
pub struct Limits {
    /// Searches at once.
    pub searches: usize,
}

impl Serialize for Limits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([
            ("url_bytes", URL_BYTES as u64),
            ("body_bytes", BODY_BYTES as u64),
            ("lines", LINES as u64),
            ("boards_in_search", SEARCH_BOARDS as u64),
            ("search_seconds", SEARCH_TIME.as_secs()),
            ("searches", self.searches as u64),
            ("waiting", WAITING as u64),
            ("moves", MOVES as u64),
            ("runs", RUNS as u64),
            ("nodes", RUN_NODES),
            ("run_seconds", RUN_TIME.as_secs()),
            ("puzzles", PUZZLES as u64),
            ("listed", LISTED as u64),
            ("sheet", SHEET as u64),
            ("offset", OFFSET as u64),
            ("connections", CONNECTIONS as u64),
            ("bytes_waiting", (PIECE * WAITING_PIECES) as u64),
            ("bytes_per_second", READ_PACE.into()),
        ])
    }
}
