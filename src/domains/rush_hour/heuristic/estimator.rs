//! Heuristics at work: the guide of a search.

use super::{Condition, Heuristic, Measure};
use crate::board::{Board, Metric};
use crate::cluster::Cluster;
use crate::domains::rush_hour::{Scene, Traffic, TrafficState};
use crate::probe::{ProbeError, Prober, Session};
use crate::search::{Guide, Value};

/// Guides a search by a heuristic.
pub struct Estimator<'a> {
    heuristic: &'a Heuristic,
    is_admissible: bool,
    needs_front_only: bool,
    /// The scene of the last state it was asked about.
    scene: Scene,
    state: TrafficState,
    /// The scene of the parent of some state, for conditions.
    parent: Option<(Scene, TrafficState)>,
    perfect: Option<Perfect<'a>>,
}

/// Who knows the exact distances.
enum Perfect<'a> {
    Table(Box<Session<'a>>),
    Cluster(Box<Cluster>),
}

impl<'a> Estimator<'a> {
    /// A guide for a search of this traffic. `perfect` takes its distances
    /// from the prober's table, or explores the cluster if there is none.
    pub fn new(
        heuristic: &'a Heuristic,
        traffic: &Traffic,
        prober: &'a Prober,
    ) -> Result<Estimator<'a>, ProbeError> {
        let board = traffic.board(traffic.start());
        let perfect = match heuristic.needs_distances() {
            false => None,
            true => {
                let mut session = prober.session();
                Some(match session.needs_search(&board, traffic.metric())? {
                    false => Perfect::Table(Box::new(session)),
                    true => Perfect::Cluster(Box::new(Cluster::explore(
                        &board,
                        traffic.metric(),
                        prober.bounds(),
                    )?)),
                })
            }
        };
        let scene = Scene::of(&board);
        let parent = heuristic.needs_parent().then(|| (scene.clone(), traffic.start()));
        Ok(Estimator {
            heuristic,
            is_admissible: heuristic.is_admissible(traffic.metric()),
            needs_front_only: heuristic.needs_front_only(),
            scene,
            state: traffic.start(),
            parent,
            perfect,
        })
    }
}

impl Perfect<'_> {
    fn distance(&mut self, board: &Board, metric: Metric) -> Result<Value, ProbeError> {
        let distance = match self {
            Perfect::Table(session) => session.distance(board, metric)?.0,
            Perfect::Cluster(cluster) => cluster.distance(board),
        };
        Ok(distance.map_or(Value::INFINITE, Value::from))
    }
}

impl Guide<Traffic> for Estimator<'_> {
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
        let mut distance = || {
            let perfect = self.perfect.as_mut().expect("it was made for this heuristic");
            perfect.distance(&traffic.board(*state), traffic.metric())
        };
        if self.needs_front_only {
            let front = traffic.front(*state);
            let measure = |measure: Measure| measure.of_front(front).expect("the front is enough");
            return Ok((self.heuristic.value(&measure, &|_| false, &mut distance)?, ()));
        }
        traffic.turn(&mut self.scene, self.state, *state);
        self.state = *state;
        if let (Some((scene, shown)), Some((parent, ()))) = (&mut self.parent, parent) {
            traffic.turn(scene, *shown, *parent);
            *shown = *parent;
        }
        let before = self.parent.as_ref().filter(|_| parent.is_some());
        let holds =
            |condition: Condition| before.is_some_and(|(before, _)| condition.holds(before, &self.scene));
        Ok((self.heuristic.value(&|measure| measure.of(&self.scene), &holds, &mut distance)?, ()))
    }

    fn is_admissible(&self) -> bool {
        self.is_admissible
    }
}
