//! Heuristics at work: the guide of a search.

use std::borrow::Borrow;
use std::sync::Arc;

use super::vocabulary::Question;
use super::{Condition, Measure, Notes, Pattern, PatternTable};
use crate::board::{Board, Distance, Metric};
use crate::cluster::{Bounds, Cluster};
use crate::domains::rush_hour::{Front, Leaving, Scene, Traffic, TrafficState};
use crate::formula::{Block, Blocks, Heuristic};
use crate::probe::{ProbeError, Prober, Session};
use crate::search::{Domain, Guide, Value};

/// Guides a search by a heuristic, which it owns or borrows.
pub struct Estimator<H = Heuristic> {
    heuristic: H,
    is_admissible: bool,
    needs_front_only: bool,
    knowledge: Knowledge,
}

/// What is known of the last state that it was asked about.
struct Knowledge {
    state: TrafficState,
    parent: Option<TrafficState>,
    /// The scene of some state, which is turned when it is looked at.
    scene: Shown,
    /// That of the parent of some state, for conditions.
    before: Option<Shown>,
    /// The cached values of all states, and where those of this one are.
    notes: Option<Arc<Notes>>,
    row: Option<usize>,
    patterns: Vec<(Pattern, Arc<PatternTable>)>,
    perfect: Option<Perfect>,
    /// The measures that were asked for, one bit each, and their values.
    known: u32,
    values: [Value; MEASURES],
}

/// A scene, and the state that it shows.
#[derive(Clone)]
struct Shown {
    scene: Scene,
    state: TrafficState,
}

/// So many that a word has a bit for each.
const MEASURES: usize = {
    assert!(Measure::ALL.len() <= 32);
    Measure::ALL.len()
};

/// Who knows the exact distances.
enum Perfect {
    Table(Box<Session>),
    Cluster(Box<Cluster>),
}

impl<H: Borrow<Heuristic>> Estimator<H> {
    /// A guide for a search of this traffic. `perfect` takes its distances
    /// from the prober's table, or explores the cluster if there is none, as far as
    /// the bounds allow.
    pub fn new(
        heuristic: H,
        traffic: &Traffic,
        prober: &Prober,
        bounds: Bounds,
    ) -> Result<Estimator<H>, ProbeError> {
        let board = traffic.board(traffic.start());
        let formula = heuristic.borrow();
        let perfect = match formula.needs_distances() {
            false => None,
            true => {
                let mut session = prober.session();
                Some(match session.needs_search(&board, traffic.metric())? {
                    false => Perfect::Table(Box::new(session)),
                    true => Perfect::Cluster(Box::new(Cluster::explore(&board, traffic.metric(), bounds)?)),
                })
            }
        };
        let scene = Shown { scene: Scene::of(&board).with_exit(traffic.exit()), state: traffic.start() };
        let before = formula.needs_parent().then(|| scene.clone());
        let questions: Vec<Question> = formula.blocks().into_iter().map(Question::of).collect();
        let patterns = questions.iter().filter_map(|question| match *question {
            Question::Pattern(pattern) => {
                Some(traffic.pattern(pattern, bounds).map(|table| (pattern, table)))
            }
            _ => None,
        });
        let knowledge = Knowledge {
            state: traffic.start(),
            parent: None,
            scene,
            before,
            notes: traffic.notes(),
            row: None,
            patterns: patterns.collect::<Result<_, _>>()?,
            perfect,
            known: 0,
            values: [Value::ZERO; MEASURES],
        };
        Ok(Estimator {
            is_admissible: formula.is_admissible(traffic.metric()),
            needs_front_only: questions.iter().all(is_of_front),
            knowledge,
            heuristic,
        })
    }
}

/// Is what is in front of the primary enough to know it, or nothing of the board
/// asked for?
fn is_of_front(question: &Question) -> bool {
    match question {
        Question::Measure(measure) => measure.of_front(Front { cells: 0, blockers: 0 }).is_some(),
        Question::Condition(_) => false,
        Question::Pattern(_) | Question::Perfect => true,
    }
}

impl Perfect {
    fn distance(&mut self, board: &Board, metric: Metric) -> Result<Distance, ProbeError> {
        Ok(match self {
            // A table has all boards of a cluster or none: nothing is searched.
            Perfect::Table(session) => session.distance(board, metric, Bounds::NONE)?.0,
            Perfect::Cluster(cluster) => cluster.distance(board).expect("no move leads out of the cluster"),
        })
    }
}

/// What is in front of the primary is enough.
struct FromFront<'k> {
    knowledge: &'k mut Knowledge,
    traffic: &'k Traffic,
    state: TrafficState,
}

impl Blocks for FromFront<'_> {
    type Error = ProbeError;

    #[inline]
    fn value(&mut self, block: Block) -> Result<Value, ProbeError> {
        match Question::of(block) {
            Question::Measure(measure) => {
                Ok(measure.of_front(self.traffic.front(self.state)).expect("the front is enough"))
            }
            Question::Condition(_) => unreachable!("a condition asks for more than the front"),
            Question::Pattern(pattern) => Ok(self.knowledge.pattern(pattern, self.state)),
            Question::Perfect => self.knowledge.distance(self.traffic, self.state),
        }
    }
}

/// The whole board is needed.
struct FromScene<'k> {
    knowledge: &'k mut Knowledge,
    traffic: &'k Traffic,
}

impl Blocks for FromScene<'_> {
    type Error = ProbeError;

    #[inline]
    fn value(&mut self, block: Block) -> Result<Value, ProbeError> {
        match Question::of(block) {
            Question::Measure(measure) => Ok(self.measure(measure)),
            Question::Condition(condition) => Ok(Value::from(u32::from(self.holds(condition)))),
            Question::Pattern(pattern) => Ok(self.knowledge.pattern(pattern, self.knowledge.state)),
            Question::Perfect => self.knowledge.distance(self.traffic, self.knowledge.state),
        }
    }
}

impl FromScene<'_> {
    #[inline]
    fn measure(&mut self, measure: Measure) -> Value {
        let Knowledge { state, scene, notes, row, known, values, .. } = self.knowledge;
        if let (Some(notes), Some(row)) = (notes, *row)
            && let Some(value) = notes.value(row, measure)
        {
            return value;
        }
        let number = measure as usize;
        if *known >> number & 1 == 0 {
            *known |= 1 << number;
            values[number] = measure.of(scene.turned(self.traffic, *state));
        }
        values[number]
    }

    fn holds(&mut self, condition: Condition) -> bool {
        let Knowledge { state, parent, scene, before, .. } = self.knowledge;
        let (Some(parent), Some(before)) = (*parent, before) else { return false };
        let before = before.turned(self.traffic, parent);
        condition.holds(before, scene.turned(self.traffic, *state))
    }
}

impl Knowledge {
    fn pattern(&self, pattern: Pattern, state: TrafficState) -> Value {
        let (_, table) = (self.patterns.iter().find(|(known, _)| *known == pattern))
            .expect("it was made for this heuristic");
        table.distance(state.key())
    }

    fn distance(&mut self, traffic: &Traffic, state: TrafficState) -> Result<Value, ProbeError> {
        let perfect = self.perfect.as_mut().expect("it was made for this heuristic");
        let to_edge = perfect.distance(&traffic.board(state), traffic.metric())?;
        Ok(Value::from(traffic.exit().distance(to_edge, traffic.metric())))
    }

    /// Turns to another state.
    #[inline]
    fn turn(&mut self, state: TrafficState, parent: Option<TrafficState>) {
        self.state = state;
        self.parent = parent;
        self.row = self.notes.as_ref().and_then(|notes| notes.row(state.key()));
        self.known = 0;
    }
}

impl Shown {
    /// The scene of a state.
    #[inline]
    fn turned(&mut self, traffic: &Traffic, state: TrafficState) -> &Scene {
        if self.state != state {
            traffic.turn(&mut self.scene, self.state, state);
            self.state = state;
        }
        &self.scene
    }
}

impl<H: Borrow<Heuristic>> Guide<Traffic> for Estimator<H> {
    type Error = ProbeError;
    /// It keeps the scenes of the last state and its parent instead, for all.
    type Memo = ();

    #[inline]
    fn estimate(
        &mut self,
        traffic: &Traffic,
        state: &TrafficState,
        parent: Option<(&TrafficState, ())>,
    ) -> Result<(Value, ()), ProbeError> {
        let Estimator { heuristic, knowledge, .. } = self;
        let heuristic: &Heuristic = (*heuristic).borrow();
        let value = if self.needs_front_only {
            heuristic.value(&mut FromFront { knowledge, traffic, state: *state })?
        } else {
            knowledge.turn(*state, parent.map(|(parent, ())| *parent));
            heuristic.value(&mut FromScene { knowledge, traffic })?
        };
        Ok((value, ()))
    }

    fn is_admissible(&self) -> bool {
        self.is_admissible
    }
}

impl<H: Borrow<Heuristic>> Guide<Leaving> for Estimator<H> {
    type Error = ProbeError;
    type Memo = ();

    fn estimate(
        &mut self,
        leaving: &Leaving,
        state: &TrafficState,
        parent: Option<(&TrafficState, ())>,
    ) -> Result<(Value, ()), ProbeError> {
        match leaving.is_goal(state) {
            true => Ok((Value::ZERO, ())),
            false => self.estimate(leaving.traffic(), state, parent),
        }
    }

    fn is_admissible(&self) -> bool {
        self.is_admissible
    }
}
