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

use super::{Place, ProbeError, Session, Source};
use crate::board::{Board, Metric, Move, MoveError};
use crate::cluster::Cluster;

/// Up to this many boards, a cluster without a table is explored once, and all
/// boards of the game are found in it. Otherwise each board is searched for
/// itself, which looks at only a part of the cluster.
const WHOLE_CLUSTER: usize = 1_000_000;

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
pub struct Grade {
    /// The distance at the start; none if the board cannot be solved.
    pub distance: Option<u32>,
    /// Where the distances come from.
    pub source: Source,
    /// The moves as they were played.
    pub moves: Vec<GradedMove>,
    /// After how many moves the board was solved for the first time.
    pub solved_at: Option<usize>,
    /// The board at the end.
    pub end: Board,
    /// The distance at the end.
    pub distance_left: Option<u32>,
}

/// One move of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedMove {
    /// The move.
    pub mv: Move,
    /// What it counts in the metric.
    pub cost: u32,
    /// The distance before it.
    pub before: Option<u32>,
    /// The distance after it.
    pub after: Option<u32>,
    /// All moves that count 1 and bring the exit nearer by 1, in the order of
    /// [`Board::moves_in`]; none if the board is solved or cannot be.
    pub best: Vec<Move>,
}

impl GradedMove {
    /// By how much the move made the game longer; none if the board cannot be
    /// solved.
    pub fn loss(&self) -> Option<u32> {
        (self.after? + self.cost).checked_sub(self.before?)
    }
}

impl Grade {
    /// What all moves count in the metric.
    pub fn played(&self) -> u32 {
        self.moves.iter().map(|graded| graded.cost).sum()
    }

    /// The sum of all losses; none if the board cannot be solved.
    pub fn total_loss(&self) -> Option<u32> {
        self.distance?;
        self.moves.iter().map(GradedMove::loss).sum()
    }

    /// The number of the first move that loses something, counted from 1.
    pub fn first_mistake(&self) -> Option<usize> {
        let mistake = self.moves.iter().position(|graded| graded.loss() > Some(0));
        mistake.map(|index| index + 1)
    }
}

/// Reads the moves of a game, apart by spaces or commas. They name vehicles of
/// the board but need not be legal; [`Session::grade`] checks that.
pub fn read_moves(board: &Board, text: &str) -> Result<Vec<Move>, IllegalMove> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words
        .zip(1..)
        .map(|(word, number)| board.parse_move(word).map_err(|error| IllegalMove { number, error }))
        .collect()
}

impl Session<'_> {
    /// Plays moves and grades each of them.
    ///
    /// ```
    /// use tailback::board::{Board, Metric};
    /// use tailback::probe::{Prober, read_moves};
    ///
    /// let board = Board::parse(
    ///     "..B.
    ///      AAB.
    ///      ..CC
    ///      ....",
    /// )?;
    /// let moves = read_moves(&board, "C-1 C-1 B+2 A+2")?;
    /// let grade = Prober::without_tables().session().grade(&board, &moves, Metric::Moves)?;
    /// assert_eq!((grade.distance, grade.solved_at), (Some(3), Some(4)));
    /// let losses: Vec<_> = grade.moves.iter().map(|graded| graded.loss()).collect();
    /// assert_eq!(losses, [Some(1), Some(0), Some(0), Some(0)]);
    /// assert_eq!(board.notation(grade.moves[0].best[0]), "C-2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn grade(&mut self, board: &Board, moves: &[Move], metric: Metric) -> Result<Grade, GradeError> {
        let boards = play(board, moves)?;
        let (source, cluster) = match self.place(board, metric)? {
            Place::Rule => (Source::Rule, None),
            Place::Table(_) => (Source::Table, None),
            Place::Search => {
                let limit = self.limit().min(WHOLE_CLUSTER);
                (Source::Search, Cluster::explore(board, metric, limit).ok())
            }
        };

        let mut graded: Vec<GradedMove> = Vec::with_capacity(moves.len());
        for (board, &mv) in boards.iter().zip(moves) {
            let (before, rated) = match &cluster {
                Some(cluster) => (cluster.distance(board), cluster.rated_moves(board)),
                None => self.rate(board, metric).map(|rating| (rating.distance, rating.moves))?,
            };
            if let Some(last) = graded.last_mut() {
                last.after = before;
            }
            let best = rated.into_iter().filter(|&(_, after)| after < before).map(|(mv, _)| mv).collect();
            graded.push(GradedMove { mv, cost: metric.cost(mv), before, after: None, best });
        }
        let end = boards.last().expect("the board itself is there");
        let distance_left = match &cluster {
            Some(cluster) => cluster.distance(end),
            None => self.distance(end, metric)?.0,
        };
        if let Some(last) = graded.last_mut() {
            last.after = distance_left;
        }
        if let Some(wrong) =
            graded.iter().position(|graded| graded.before.is_some() && graded.loss().is_none())
        {
            let board = boards[wrong].text();
            let what = format!("a move of {board} leads farther than it can");
            return Err(self.impossible(&boards[wrong], metric, what).into());
        }
        Ok(Grade {
            distance: graded.first().map_or(distance_left, |first| first.before),
            source,
            moves: graded,
            solved_at: boards.iter().position(Board::is_solved),
            end: end.clone(),
            distance_left,
        })
    }
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
