//! Grades of games: what each move of a sequence was worth.
//!
//! A move from a board at distance *d* to one at distance *d′* loses
//! *d′* + *c* − *d*, where *c* is what the move itself counts: 1 in moves, its
//! cells in steps. So an optimal move loses nothing, and a slide of many cells
//! is graded in steps as well. No move loses less than nothing, and the losses
//! of a game add up to what was played, plus what is left, minus the distance
//! at the start.
//!
//! Every move can be undone, so no move makes a board unsolvable. On a board
//! that is unsolvable from the start, no move is a mistake.

use super::{AnswerPlace, ProbeError, Rating, Session, Source};
use crate::board::{Board, Distance, Metric, Move, MoveError};
use crate::cluster::{self, Bounds, Cluster, ClusterError, Rated};

/// Up to this many boards, a cluster without a table is explored at once, and
/// all boards of the game are found in it.
const SMALL_CLUSTER: usize = 1_000_000;

/// A board of a larger cluster is searched for itself, if that takes no more
/// boards than these: near the exit it looks at a small part of the cluster.
/// Otherwise the cluster is explored after all, once.
const NEAR: usize = 50_000;

/// A move that cannot be read or played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("move {number}: {error}")]
pub struct IllegalMove {
    /// Which move of the game, counted from 1.
    pub number: usize,
    /// What is wrong with it.
    pub error: MoveError,
}

/// Why there is no grade.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GradeError {
    /// The game has an illegal move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// A board of the game has no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// A game, move by move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grade {
    /// The distance at the start.
    pub distance: Distance,
    /// Where the distances come from.
    pub source: Source,
    /// The moves as they were played.
    pub moves: Vec<GradedMove>,
    /// After how many moves the board was solved for the first time.
    pub solved_at: Option<usize>,
    /// The board at the end.
    pub end: Board,
    /// The distance at the end.
    pub distance_left: Distance,
}

/// One move of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GradedMove {
    /// The move.
    pub mv: Move,
    /// What it counts in the metric.
    pub cost: u32,
    /// The distance before it.
    pub before: Distance,
    /// The distance after it.
    pub after: Distance,
    /// All moves that count 1 and bring the exit nearer by 1, in the order of
    /// [`Board::moves_in`]; none if the board is solved or cannot be.
    pub best: Vec<Move>,
}

impl GradedMove {
    /// By how much the move made the game longer; none if the board cannot be
    /// solved.
    pub fn loss(&self) -> Option<u32> {
        (self.after.known()? + self.cost).checked_sub(self.before.known()?)
    }
}

impl Grade {
    /// What all moves count in the metric.
    pub fn played(&self) -> u32 {
        self.moves.iter().map(|graded| graded.cost).sum()
    }

    /// The sum of all losses; none if the board cannot be solved.
    pub fn total_loss(&self) -> Option<u32> {
        self.distance.known()?;
        self.moves.iter().map(GradedMove::loss).sum()
    }

    /// The number of the first move that loses something, counted from 1.
    pub fn first_mistake(&self) -> Option<usize> {
        let mistake = self.moves.iter().position(|graded| graded.loss() > Some(0));
        mistake.map(|index| index + 1)
    }
}

/// Reads the moves of a game, separated by spaces or commas: `B+2`, or in words
/// `B right 2`. They name vehicles of the board but need not be legal;
/// [`Session::grade`] checks that.
pub fn read_moves(board: &Board, text: &str) -> Result<Vec<Move>, IllegalMove> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let mut words = words.peekable();
    let mut moves = Vec::new();
    while let Some(word) = words.next() {
        let mut letters = word.chars();
        let alone = letters.next().filter(|_| letters.as_str().is_empty());
        let read = match (alone, words.peek().copied()) {
            (Some(letter), Some(direction))
                if DIRECTIONS.iter().any(|d| d.eq_ignore_ascii_case(direction)) =>
            {
                words.next();
                let cells = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
                let cells = cells.map_or(Ok(1), str::parse);
                cells
                    .map_err(|_| MoveError::Notation { found: format!("{word} {direction}") })
                    .and_then(|cells| board.parse_words(letter, direction, cells))
            }
            _ => board.parse_move(word),
        };
        moves.push(read.map_err(|error| IllegalMove { number: moves.len() + 1, error })?);
    }
    Ok(moves)
}

/// Where a vehicle can move.
const DIRECTIONS: [&str; 4] = ["left", "right", "up", "down"];

impl Session {
    /// Plays moves and grades each of them.
    ///
    /// ```
    /// use tailback::board::{Board, Distance, Metric};
    /// use tailback::cluster::Bounds;
    /// use tailback::probe::{Prober, read_moves};
    ///
    /// let board = Board::parse(
    ///     "..B.
    ///      AAB.
    ///      ..CC
    ///      ....",
    /// )?;
    /// let moves = read_moves(&board, "C-1 C-1 B+2 A+2")?;
    /// let grade = Prober::without_tables().session().grade(&board, &moves, Metric::Moves, Bounds::default())?;
    /// assert_eq!((grade.distance, grade.solved_at), (Distance::of(3), Some(4)));
    /// let losses: Vec<_> = grade.moves.iter().map(|graded| graded.loss()).collect();
    /// assert_eq!(losses, [Some(1), Some(0), Some(0), Some(0)]);
    /// assert_eq!(board.notation(grade.moves[0].best[0]), "C-2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn grade(
        &mut self,
        board: &Board,
        moves: &[Move],
        metric: Metric,
        bounds: Bounds,
    ) -> Result<Grade, GradeError> {
        let boards = play(board, moves)?;
        let (source, rated): (Source, Vec<Rated>) = match self.place(board, metric)? {
            AnswerPlace::Search => {
                (Source::Search, rate_all(&boards, metric, bounds).map_err(ProbeError::from)?)
            }
            AnswerPlace::Rule | AnswerPlace::Table(_) => {
                let rated = boards.iter().map(|board| self.rate(board, metric, bounds));
                let rated = rated.collect::<Result<Vec<Rating>, ProbeError>>()?;
                let plain = |Rating { distance, moves, .. }| Rated { distance, moves };
                (rated[0].source, rated.into_iter().map(plain).collect())
            }
        };
        let after = rated.iter().skip(1).map(|rated| rated.distance);
        let graded: Vec<GradedMove> = (moves.iter().zip(&rated).zip(after))
            .map(|((&mv, Rated { distance, moves }), after)| {
                let best = moves.iter().filter(|(_, after)| after < distance).map(|&(mv, _)| mv);
                GradedMove { mv, cost: metric.cost(mv), before: *distance, after, best: best.collect() }
            })
            .collect();
        if let Some(wrong) =
            graded.iter().position(|graded| graded.before.is_solvable() && graded.loss().is_none())
        {
            let board = boards[wrong].text();
            let what = format!("a move of {board} leads farther than it can");
            return Err(self.impossible(&boards[wrong], metric, what).into());
        }
        Ok(Grade {
            distance: rated[0].distance,
            source,
            moves: graded,
            solved_at: boards.iter().position(Board::is_solved),
            distance_left: rated[moves.len()].distance,
            end: boards.into_iter().next_back().expect("the board itself is there"),
        })
    }
}

/// Rates boards of one cluster by search.
fn rate_all(boards: &[Board], metric: Metric, bounds: Bounds) -> Result<Vec<Rated>, ClusterError> {
    // Another way may be within the bounds; but not if somebody stops the
    // search, and what does not fit beside others is tried again alone.
    fn within<T>(found: Result<T, ClusterError>) -> Result<Option<T>, ClusterError> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(ClusterError::TooLarge { .. } | ClusterError::Memory { others: 0, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
    let at_most = |boards: usize| Bounds { boards: bounds.boards.min(boards), ..bounds };
    bounds.memory.in_turn(|| {
        let explore = |bounds| within(Cluster::explore(&boards[0], metric, bounds));
        let mut cluster = explore(at_most(SMALL_CLUSTER))?;
        let mut is_too_large = false;
        let rate = |board: &Board| {
            if cluster.is_none() && !is_too_large {
                if let Some(rated) = within(cluster::rate(board, metric, at_most(NEAR)))? {
                    return Ok(rated);
                }
                cluster = explore(bounds)?;
                is_too_large = cluster.is_none();
            }
            match &cluster {
                Some(cluster) => {
                    let distance = cluster.distance(board).expect("no move leads out of the cluster");
                    Ok(Rated { distance, moves: cluster.rated_moves(board) })
                }
                None => cluster::rate(board, metric, bounds),
            }
        };
        boards.iter().map(rate).collect()
    })
}

/// The board and those after each move.
fn play(board: &Board, moves: &[Move]) -> Result<Vec<Board>, IllegalMove> {
    let mut boards = vec![board.clone()];
    for (&mv, number) in moves.iter().zip(1..) {
        let next = boards[number - 1].apply(mv).map_err(|error| IllegalMove { number, error })?;
        boards.push(next);
    }
    Ok(boards)
}
