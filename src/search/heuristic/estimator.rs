//! Heuristics at work: the guide of a search.

use super::{Condition, Heuristic};
use crate::cluster::Cluster;
use crate::probe::{ProbeError, Prober, Session};
use crate::search::{Guide, Scene, Standing, Traffic, Value};

/// Guides a search by a heuristic.
pub struct Estimator<'a> {
    heuristic: &'a Heuristic,
    is_admissible: bool,
    needs_front_only: bool,
    /// The scene of the last state it was asked about.
    scene: Scene,
    standing: Standing,
    /// The scene of the parent of some state, for conditions.
    parent: Option<(Scene, Standing)>,
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
                        prober.limit(),
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
            standing: traffic.start(),
            parent,
            perfect,
        })
    }

    fn distance(&mut self, traffic: &Traffic, state: Standing) -> Result<Value, ProbeError> {
        let board = traffic.board(state);
        let distance = match self.perfect.as_mut().expect("it was made for this heuristic") {
            Perfect::Table(session) => session.distance(&board, traffic.metric())?.0,
            Perfect::Cluster(cluster) => cluster.distance(&board),
        };
        Ok(distance.map_or(Value::INFINITE, Value::from))
    }

    fn value(
        &mut self,
        heuristic: &Heuristic,
        traffic: &Traffic,
        state: Standing,
        has_parent: bool,
    ) -> Result<Value, ProbeError> {
        match heuristic {
            Heuristic::Measure(measure) if self.needs_front_only => {
                Ok(measure.of_front(traffic.front(state)).expect("the front is enough"))
            }
            Heuristic::Measure(measure) => Ok(measure.of(&self.scene)),
            Heuristic::Condition(condition) => {
                Ok(Value::from(u32::from(has_parent && self.holds(*condition))))
            }
            Heuristic::Perfect => self.distance(traffic, state),
            Heuristic::Max(parts) => parts.iter().try_fold(Value::ZERO, |most, part| {
                Ok(most.max(self.value(part, traffic, state, has_parent)?))
            }),
            Heuristic::Sum(parts) => parts.iter().try_fold(Value::ZERO, |sum, (weight, part)| {
                Ok(sum.plus(weight.times(self.value(part, traffic, state, has_parent)?)))
            }),
        }
    }

    fn holds(&self, condition: Condition) -> bool {
        let (before, _) = self.parent.as_ref().expect("it was made for this heuristic");
        condition.holds(before, &self.scene)
    }
}

impl Guide<Traffic> for Estimator<'_> {
    type Error = ProbeError;

    #[inline]
    fn estimate(
        &mut self,
        traffic: &Traffic,
        state: &Standing,
        parent: Option<&Standing>,
    ) -> Result<Value, ProbeError> {
        if !self.needs_front_only {
            traffic.turn(&mut self.scene, self.standing, *state);
            self.standing = *state;
        }
        if let (Some((scene, standing)), Some(parent)) = (&mut self.parent, parent) {
            traffic.turn(scene, *standing, *parent);
            *standing = *parent;
        }
        self.value(self.heuristic, traffic, *state, parent.is_some())
    }

    fn is_admissible(&self) -> bool {
        self.is_admissible
    }
}
