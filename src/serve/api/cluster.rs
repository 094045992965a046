//! The map of a cluster: how many boards there are at each distance, the optimal
//! ways from one of them, and a game on it.
//!
//! Where optimal ways fork a player has a choice; where they do not the play is
//! forced. A small cluster is listed board by board: each has a place in the row of
//! its distance. From row to row a board goes to the mean of the places of its
//! neighbours in the row below, the usual way to keep the edges of a layered
//! drawing short (the barycentre method of Sugiyama, Tagawa and Toda, 1981).

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;

use super::{Answer, JSON, bytes, games};
use crate::answers::written;
use crate::board::{Board, Distance, Metric};
use crate::cluster::Cluster;
use crate::serve::app::{App, to_json};
use crate::serve::limits;
use crate::serve::params::Params;

#[derive(Serialize)]
struct Map {
    board: String,
    primary: char,
    size: usize,
    metric: Metric,
    solvable: bool,
    /// Boards of the cluster.
    boards: usize,
    farthest: Distance,
    /// `boards` if all are listed, `levels` if there are too many.
    drawn: &'static str,
    /// The most that are listed.
    most: usize,
    levels: Vec<Level>,
    nodes: Vec<Node>,
    /// Numbers of boards that are one move apart.
    edges: Vec<(u32, u32)>,
    edges_left_out: usize,
    optimal: Vec<OnWay>,
    optimal_left_out: usize,
    path: Vec<OnPath>,
}

/// The boards at a distance.
#[derive(Serialize, Default, Clone)]
struct Level {
    distance: u32,
    boards: u64,
    /// On some optimal way.
    on_optimal: usize,
    /// Of these, with more than one best move.
    forks: usize,
}

#[derive(Serialize)]
struct Node {
    board: String,
    distance: u32,
    /// Where it is in its row, from 0 to 1.
    at: f32,
}

/// A board on an optimal way.
#[derive(Serialize)]
struct OnWay {
    board: String,
    distance: u32,
    node: Option<u32>,
    best: Vec<String>,
}

/// A board of the game.
#[derive(Serialize)]
struct OnPath {
    /// None for the first one.
    r#move: Option<String>,
    board: String,
    distance: Distance,
    node: Option<u32>,
}

pub async fn cluster(State(app): State<Arc<App>>, params: Params) -> Answer {
    let board = app.board(params.text("board"), params.primary()).await?;
    let metric = params.metric();
    let moves = games::game(&board, params.text("moves"))?;
    let map = app.long(move |deadline| {
        let cluster = Cluster::explore(&board, metric, deadline.bounds())?;
        let nodes = Nodes::of(&cluster);
        let mut path = vec![on_path(&cluster, &nodes, None, &board)];
        let mut after = board.clone();
        for mv in moves {
            let notation = after.notation(mv);
            after = after.apply(mv)?;
            path.push(on_path(&cluster, &nodes, Some(notation), &after));
        }
        Ok(to_json(&map(&board, &cluster, nodes, path)))
    });
    Ok(bytes(JSON, app.answers.whole(map.await?).await?))
}

fn on_path(cluster: &Cluster, nodes: &Nodes, mv: Option<String>, board: &Board) -> OnPath {
    let distance = cluster.distance(board).expect("no move leads out of the cluster");
    OnPath { r#move: mv, board: board.text(), distance, node: nodes.number(board) }
}

fn map(board: &Board, cluster: &Cluster, nodes: Nodes, path: Vec<OnPath>) -> Map {
    let counts = cluster.histogram().into_iter().zip(0..);
    let mut levels: Vec<Level> =
        counts.map(|(boards, distance)| Level { distance, boards, ..Level::default() }).collect();
    let (optimal, optimal_left_out) = ways(board, cluster, &nodes, &mut levels);
    let (edges, edges_left_out) = nodes.edges(cluster);
    Map {
        board: board.text(),
        primary: board.primary().letter,
        size: board.size(),
        metric: cluster.metric(),
        solvable: cluster.is_solvable(),
        boards: cluster.len(),
        farthest: cluster.depth(),
        drawn: if nodes.boards.is_empty() { "levels" } else { "boards" },
        most: limits::MAP_BOARDS,
        nodes: nodes.placed(cluster, &edges),
        levels,
        edges,
        edges_left_out,
        optimal,
        optimal_left_out,
        path,
    }
}

/// All boards on optimal ways from a board, level by level, and how many are not
/// told one by one.
fn ways(board: &Board, cluster: &Cluster, nodes: &Nodes, levels: &mut [Level]) -> (Vec<OnWay>, usize) {
    let (mut told, mut left_out) = (Vec::new(), 0);
    let Some(mut distance) = cluster.distance(board).and_then(Distance::known) else { return (told, 0) };
    let mut level = vec![board.clone()];
    loop {
        let mut next = HashMap::new();
        for board in &level {
            let rated = if distance > 0 { cluster.rated_moves(board) } else { Vec::new() };
            let nearer = distance.checked_sub(1).map(Distance::of);
            let best = rated.into_iter().filter(|(_, after)| Some(*after) == nearer);
            let best: Vec<_> = best.map(|(mv, _)| mv).collect();
            let at = &mut levels[distance as usize];
            at.on_optimal += 1;
            at.forks += usize::from(best.len() > 1);
            if told.len() < limits::MAP_OPTIMAL {
                let (node, best) = (nodes.number(board), written(board, &best));
                told.push(OnWay { board: board.text(), distance, node, best });
            } else {
                left_out += 1;
            }
            for mv in best {
                let mut after = board.clone();
                after.play_unchecked(mv);
                next.entry(after.order()).or_insert(after);
            }
        }
        if distance == 0 {
            return (told, left_out);
        }
        distance -= 1;
        level = next.into_values().collect();
        // The same request has the same answer.
        level.sort_by_key(Board::order);
    }
}

/// The boards that are listed, by rising distance.
struct Nodes {
    boards: Vec<Board>,
    numbers: HashMap<(u64, u64), u32>,
}

impl Nodes {
    /// None if there are too many, or no distances.
    fn of(cluster: &Cluster) -> Nodes {
        let is_told = cluster.len() <= limits::MAP_BOARDS && cluster.is_solvable();
        let boards: Vec<Board> =
            (0..if is_told { cluster.len() } else { 0 }).map(|n| cluster.nth(n).0).collect();
        let numbers = boards.iter().map(Board::order).zip(0..).collect();
        Nodes { boards, numbers }
    }

    fn number(&self, board: &Board) -> Option<u32> {
        self.numbers.get(&board.order()).copied()
    }

    /// Each pair of boards one move apart, once, and how many are left out.
    fn edges(&self, cluster: &Cluster) -> (Vec<(u32, u32)>, usize) {
        let (mut edges, mut left_out) = (Vec::new(), 0);
        for (board, number) in self.boards.iter().zip(0..) {
            for mv in board.moves_in(cluster.metric()) {
                let mut after = board.clone();
                after.play_unchecked(mv);
                if let Some(other) = self.number(&after).filter(|&other| other < number) {
                    match edges.len() < limits::MAP_EDGES {
                        true => edges.push((other, number)),
                        false => left_out += 1,
                    }
                }
            }
        }
        (edges, left_out)
    }

    /// All boards in their rows.
    fn placed(self, cluster: &Cluster, edges: &[(u32, u32)]) -> Vec<Node> {
        let distances: Vec<u32> =
            (0..self.boards.len()).map(|number| cluster.nth(number).1.known().unwrap_or(0)).collect();
        let mut below = vec![Vec::new(); self.boards.len()];
        for &(nearer, farther) in edges {
            if distances[nearer as usize] < distances[farther as usize] {
                below[farther as usize].push(nearer as usize);
            }
        }
        let mut at = vec![0.5f32; self.boards.len()];
        let mut first = 0;
        for count in cluster.histogram().into_iter().map(|count| count as usize) {
            if self.boards.is_empty() {
                break;
            }
            let mean = |number: usize| -> f32 {
                let neighbours = &below[number];
                match neighbours.len() {
                    0 => 0.5,
                    many => neighbours.iter().map(|&neighbour| at[neighbour]).sum::<f32>() / many as f32,
                }
            };
            let mut row: Vec<(f32, usize)> =
                (first..first + count).map(|number| (mean(number), number)).collect();
            row.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (place, (_, number)) in row.into_iter().enumerate() {
                at[number] = (place as f32 + 0.5) / count as f32;
            }
            first += count;
        }
        let nodes = self.boards.iter().zip(distances).zip(at);
        nodes.map(|((board, distance), at)| Node { board: board.text(), distance, at }).collect()
    }
}
