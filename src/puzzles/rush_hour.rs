//! Rush Hour for the laboratory: boards, the heuristics for them, and the tables.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{
    Action, Count, Draw, Instance, Labelled, Method, Oracle, Prepared, Puzzle, PuzzleError, Settings, Trial,
    Usual,
};
use crate::board::{Board, BoardError, Distance, Metric, Move, Reader};
use crate::cluster::{Bounds, Cluster};
use crate::dataset::{Lot, Tables, Wanted, last_move};
use crate::domains::rush_hour::heuristic::{Condition, Measure, value_of};
use crate::domains::rush_hour::quality;
use crate::domains::rush_hour::{Estimator, Exit, Leaving, SETS, Scene, Traffic, VOCABULARY};
use crate::formula::{Block, Heuristic, Vocabulary};
use crate::probe::{ProbeError, Prober};
use crate::progress::{Both, Observer};
use crate::random::Chance;
use crate::render::terminal;
use crate::search::quality::{Quality, Sample, Timing};
use crate::search::{Limits, Report, Rules, Value};
use crate::space::SpaceId;
use crate::table::Table;

/// The red car has to get out of the traffic.
pub struct RushHour;

impl Puzzle for RushHour {
    fn name(&self) -> &'static str {
        "rush-hour"
    }

    fn about(&self) -> &'static str {
        "Rush Hour: the red car has to get out"
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &VOCABULARY
    }

    fn metrics(&self) -> &'static [Metric] {
        &[Metric::Moves, Metric::Steps]
    }

    fn sets(&self) -> &'static [(&'static str, &'static str)] {
        &SETS
    }

    fn sizes(&self) -> &'static [usize] {
        &[6, 5, 4]
    }

    fn has_boards(&self) -> bool {
        true
    }

    fn variants(&self) -> &'static [(&'static str, &'static str)] {
        &[(Exit::OUTSIDE, "the primary has to leave the board: one cell further than its edge")]
    }

    fn usual(&self, metric: Metric) -> Usual {
        match metric {
            Metric::Moves => {
                Usual { search: "blocking", compared: "zero,blocking,advanced,advanced-admissible,perfect" }
            }
            Metric::Steps => Usual {
                search: "distance-blockers",
                compared: "zero,distance-blockers,advanced-distance,perfect",
            },
        }
    }

    fn hand_made(&self) -> &'static [&'static str] {
        &[
            "max(blocking,advanced-admissible)",
            "advanced-admissible+0.5*blockers",
            "blocking+0.5*distance",
            "max(advanced-admissible,0.5*hybrid)",
        ]
    }

    fn open(&self, settings: Settings) -> Result<Arc<dyn Oracle>, PuzzleError> {
        let exit = if settings.variants.contains(&Exit::OUTSIDE) { Exit::Outside } else { Exit::Edge };
        let reader = Reader { primary: settings.primary };
        let Settings { metric, prober, bounds, .. } = settings;
        let rules = Played { metric, prober, bounds, exit };
        Ok(Arc::new(RushHourOracle { rules: Arc::new(rules), reader }))
    }
}

/// What all boards have in common.
struct Played {
    metric: Metric,
    prober: Prober,
    bounds: Bounds<'static>,
    exit: Exit,
}

struct RushHourOracle {
    rules: Arc<Played>,
    reader: Reader,
}

impl RushHourOracle {
    fn table(&self, size: Option<usize>) -> Result<Arc<Table>, PuzzleError> {
        let Some(size) = size else {
            return Err(PuzzleError::Text(
                "boards come from the table of a size: give it, such as 6".to_owned(),
            ));
        };
        Ok(self.rules.prober.required(SpaceId::of_size(size), self.rules.metric)?)
    }
}

impl Oracle for RushHourOracle {
    fn puzzle(&self) -> &'static dyn Puzzle {
        &RushHour
    }

    fn metric(&self) -> Metric {
        self.rules.metric
    }

    fn read<'l>(&self, line: &'l str) -> Result<(Option<&'l str>, Arc<dyn Instance>), PuzzleError> {
        let (name, board) = read(self.reader, line)?;
        Ok((name, Arc::new(Position { board, rules: self.rules.clone() })))
    }

    fn draw(&self, draw: &Draw, observer: &dyn Observer) -> Result<Vec<Labelled>, PuzzleError> {
        let table = self.table(draw.size)?;
        let tables = [&*table];
        let wanted = match draw.count {
            Count::All(count) => Wanted::Count(count),
            Count::PerDistance(count) => Wanted::PerDistance(count),
        };
        let tables = Tables { by_metric: &tables };
        let &Draw { distances, seed, most, .. } = draw;
        let lot = Lot { tables, wanted, distances, with_unsolvable: false, shape: None, seed };
        if let Wanted::PerDistance(count) = wanted
            && lot.histogram().iter().map(|(_, boards)| count.min(*boards)).sum::<u64>() > most as u64
        {
            return Err(PuzzleError::TooMany { most });
        }
        let drawn = lot.drawn(observer)?;
        let label = |drawn: &crate::dataset::Drawn| {
            let board = table.space().board(&drawn.position);
            let distance = drawn.distances[0].known().expect("unsolvable boards are not drawn");
            self.rules.labelled(board, distance)
        };
        Ok(drawn.iter().map(label).collect())
    }

    fn trial<'t>(
        &'t self,
        size: Option<usize>,
        heuristics: &'t [Heuristic],
        conditions: &'t [Block],
    ) -> Result<Box<dyn Trial + 't>, PuzzleError> {
        let conditions = conditions.iter().map(|&block| Condition::try_from(block).expect("a condition"));
        let trial = OfTable { table: self.table(size)?, heuristics, conditions: conditions.collect() };
        trial.trial().prepare();
        Ok(Box::new(trial))
    }
}

/// A trial by the table of a size.
struct OfTable<'t> {
    table: Arc<Table>,
    heuristics: &'t [Heuristic],
    conditions: Vec<Condition>,
}

impl OfTable<'_> {
    fn trial(&self) -> quality::Trial<'_> {
        quality::Trial { table: &self.table, heuristics: self.heuristics, conditions: &self.conditions }
    }
}

impl Trial for OfTable<'_> {
    fn instances(&self) -> u64 {
        self.table.space().boards()
    }

    fn run(&self, sample: Sample, observer: &dyn Observer) -> Result<Quality, PuzzleError> {
        Ok(self.trial().run(sample, observer)?)
    }

    fn time(&self, sample: Sample) -> Result<Timing, PuzzleError> {
        Ok(self.trial().time(sample)?)
    }
}

impl Played {
    fn labelled(self: &Arc<Played>, board: Board, distance: u32) -> Labelled {
        Labelled { instance: Arc::new(Position { board, rules: self.clone() }), distance }
    }
}

/// The board of a line, and the name before it if there is one.
fn read(reader: Reader, line: &str) -> Result<(Option<&str>, Board), BoardError> {
    let parse = |text: &str| reader.read(text).map_err(|unread| unread.error);
    let whole = match parse(line) {
        Ok(board) => return Ok((None, board)),
        Err(error) => error,
    };
    let mut columns = line.split('\t');
    let (name, board) = match (columns.next(), columns.next()) {
        (Some(name), Some(board)) => (name.trim(), board),
        _ => line.split_once(char::is_whitespace).ok_or(whole.clone())?,
    };
    match parse(board) {
        Ok(board) => Ok((Some(name), board)),
        // Of a board in rows, the first row is no name.
        Err(_) if is_row(name) && board.split_whitespace().nth(1).is_some() => Err(whole),
        Err(error) => Err(error),
    }
}

fn is_row(word: &str) -> bool {
    word.chars().all(|c| c == '.' || c.is_ascii_alphabetic())
}

/// A board to begin with.
struct Position {
    board: Board,
    rules: Arc<Played>,
}

impl Position {
    fn on_road(&self) -> OnRoad {
        let Played { metric, exit, .. } = *self.rules;
        let road = match exit {
            Exit::Edge => Road::ToEdge(Traffic::new(&self.board, metric)),
            Exit::Outside => Road::Outside(Leaving::new(&self.board, metric)),
        };
        OnRoad { road, rules: self.rules.clone() }
    }
}

impl Instance for Position {
    fn text(&self) -> String {
        self.board.text()
    }

    fn drawing(&self, colour: bool) -> String {
        terminal::board(&self.board, colour)
    }

    fn group(&self) -> u64 {
        self.board.family()
    }

    fn distance(&self, observer: &dyn Observer) -> Result<Option<Distance>, PuzzleError> {
        let Played { metric, prober, bounds, exit } = &*self.rules;
        let both = Both(observer, bounds.observer);
        match prober.session().distance(&self.board, *metric, Bounds { observer: &both, ..*bounds }) {
            Ok((distance, _)) => Ok(Some(exit.distance(distance, *metric))),
            Err(ProbeError::Cluster(_)) if both.wants_stop() => Err(PuzzleError::Stopped),
            Err(ProbeError::Cluster(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn looked_up(&self) -> Result<Option<Distance>, PuzzleError> {
        match self.rules.prober.session().needs_search(&self.board, self.rules.metric)? {
            true => Ok(None),
            false => self.distance(&()),
        }
    }

    fn values(&self, blocks: &[Heuristic], seed: u64, distance: Distance) -> Vec<Value> {
        let (board, metric) = (&self.board, self.rules.metric);
        let scene = Scene::of(board);
        let before = last_move(board, metric, seed).map(|last| {
            let mut before = board.clone();
            before.play_unchecked(last.reversed());
            Scene::of(&before)
        });
        let value = |block: &Heuristic| value_of(block, &scene, before.as_ref(), metric, distance);
        blocks.iter().map(value).collect()
    }

    fn last_action(&self, seed: u64) -> Option<String> {
        Some(self.board.notation(last_move(&self.board, self.rules.metric, seed)?))
    }

    fn prepared(&self, blocks: &[Block], states: usize, observer: &dyn Observer) -> Box<dyn Prepared> {
        let measures: Vec<Measure> = blocks.iter().filter_map(|&block| block.try_into().ok()).collect();
        let mut on_road = self.on_road();
        if !measures.is_empty()
            && let Road::ToEdge(traffic) = on_road.road
        {
            let bounds = Bounds { observer, ..states.into() };
            on_road.road = Road::ToEdge(traffic.with_notes(&measures, bounds));
        }
        Box::new(on_road)
    }

    fn solve(&self, method: &Method, rules: Rules, limits: &Limits) -> Result<Report<Action>, PuzzleError> {
        let report = self.on_road().report(method, rules, limits)?;
        Ok(report.with_actions(|mv| Action { text: self.board.notation(mv), words: self.board.in_words(mv) }))
    }

    fn drawn_after(&self, actions: &[Action], colour: bool) -> String {
        let play = |board: Board, action: &Action| {
            let mv = board.parse_move(&action.text).expect("it is part of a solution");
            board.apply(mv).expect("it is part of a solution")
        };
        terminal::board(&actions.iter().fold(self.board.clone(), play), colour)
    }

    fn around(&self, count: usize, seed: u64, observer: &dyn Observer) -> Result<Vec<Labelled>, PuzzleError> {
        let Played { metric, bounds, .. } = &*self.rules;
        let bounds = Bounds { observer, ..*bounds };
        let cluster = Cluster::explore(&self.board, *metric, bounds).map_err(ProbeError::from)?;
        if !cluster.is_solvable() {
            return Err(PuzzleError::Unsolvable { instance: self.board.text() });
        }
        let (horizontal, vertical) = self.board.order();
        let mut chance = Chance::of(&[seed, horizontal, vertical]);
        let mut levels = Vec::new();
        let mut first = 0;
        for boards in cluster.histogram() {
            levels.push((first, boards as usize));
            first += boards as usize;
        }
        let numbers: BTreeSet<usize> = (0..count)
            .map(|_| {
                let &(first, boards) = chance.pick(&levels);
                first + chance.below(boards)
            })
            .collect();
        let label = |number| {
            if observer.wants_stop() {
                return Err(PuzzleError::Stopped);
            }
            let (board, distance) = cluster.nth(number);
            Ok(self.rules.labelled(board, distance.known().expect("one can be solved, so can all")))
        };
        numbers.into_iter().map(label).collect()
    }
}

/// A board as a domain.
enum Road {
    /// Until its primary touches the edge.
    ToEdge(Traffic),
    /// Until its primary has left it.
    Outside(Leaving),
}

/// A board that is searched.
struct OnRoad {
    road: Road,
    rules: Arc<Played>,
}

impl OnRoad {
    fn report(&self, method: &Method, rules: Rules, limits: &Limits) -> Result<Report<Move>, ProbeError> {
        let traffic = match &self.road {
            Road::ToEdge(traffic) => traffic,
            Road::Outside(leaving) => leaving.traffic(),
        };
        let Played { prober, bounds, .. } = &*self.rules;
        let guide = |heuristic| Estimator::new(heuristic, traffic, prober, *bounds);
        let start = traffic.start();
        match &self.road {
            Road::ToEdge(traffic) => method.run(rules, traffic, start, guide, limits),
            Road::Outside(leaving) => method.run(rules, leaving, start, guide, limits),
        }
    }
}

impl Prepared for OnRoad {
    fn search(&self, method: &Method, rules: Rules, limits: &Limits) -> Result<Report<()>, PuzzleError> {
        Ok(self.report(method, rules, limits)?.without_actions())
    }
}
