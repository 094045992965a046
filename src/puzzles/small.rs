//! Puzzles whose states are all numbered, with their distances in memory.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::hint::black_box;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::{Action, Count, Draw, Instance, Labelled, Method, Oracle, Prepared, Puzzle, PuzzleError, Trial};
use crate::board::{Distance, Metric};
use crate::dataset::{Permutation, SourceError};
use crate::formula::{Block, Blocks, Heuristic};
use crate::progress::Observer;
use crate::random::{self, Chance};
use crate::search::quality::{Quality, Sample, Timing, fastest};
use crate::search::{Domain, Guide, Limits, Report, Rules, Value};

/// A puzzle all of whose states are numbered and have a distance in memory. Its
/// actions can be taken back.
pub trait Small: Domain<State: Send + Sync, Action = Action> + Send + Sync + 'static {
    /// The puzzle that it is the domain of.
    const PUZZLE: &'static dyn Puzzle;

    /// How many states there are.
    fn states(&self) -> u64;

    /// The state with this number, from 0.
    fn nth(&self, number: u64) -> Self::State;

    /// The number of a state.
    fn number(&self, state: &Self::State) -> u64;

    /// The exact distance of a state.
    fn distance(&self, state: &Self::State) -> Distance;

    /// Reads a state.
    fn read(&self, text: &str) -> Result<Self::State, String>;

    /// Writes a state.
    fn text(&self, state: &Self::State) -> String;

    /// A state for people.
    fn drawing(&self, state: &Self::State) -> String;

    /// The least number of the states that are the same by symmetry.
    fn group(&self, state: &Self::State) -> u64;

    /// What a building block says of a state and the one before it; without one no
    /// condition holds.
    fn value(&self, block: Block, state: &Self::State, before: Option<&Self::State>) -> Value;
}

/// A small puzzle that is ready.
pub(super) struct Ready<P>(Arc<Known<P>>);

impl<P: Small> Ready<P> {
    pub fn new(domain: P) -> Ready<P> {
        Ready(Arc::new(Known { domain, levels: OnceLock::new() }))
    }
}

/// A domain, and what is known of all its states.
struct Known<P> {
    domain: P,
    /// The numbers of the states that have a solution by their distances.
    levels: OnceLock<Vec<Vec<u64>>>,
}

impl<P> Deref for Known<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.domain
    }
}

impl<P: Small> Known<P> {
    /// Without the distances that no state has.
    fn levels(&self) -> &[Vec<u64>] {
        self.levels.get_or_init(|| {
            let mut levels: Vec<Vec<u64>> = Vec::new();
            for number in 0..self.states() {
                if let Some(distance) = self.distance(&self.nth(number)).known() {
                    levels.resize(levels.len().max(distance as usize + 1), Vec::new());
                    levels[distance as usize].push(number);
                }
            }
            levels.retain(|level| !level.is_empty());
            levels
        })
    }
}

/// A state to begin with.
struct Start<P: Small> {
    domain: Arc<Known<P>>,
    state: P::State,
}

/// A state about which building blocks are asked.
struct Asked<'a, P: Small> {
    domain: &'a P,
    state: &'a P::State,
    before: Option<&'a P::State>,
}

impl<P: Small> Blocks for Asked<'_, P> {
    type Error = Infallible;

    fn value(&mut self, block: Block) -> Result<Value, Infallible> {
        Ok(self.domain.value(block, self.state, self.before))
    }
}

fn value<P: Small>(heuristic: &Heuristic, domain: &P, state: &P::State, before: Option<&P::State>) -> Value {
    let Ok(value) = heuristic.value(&mut Asked { domain, state, before });
    value
}

/// Guides a search by a heuristic.
struct Estimator<'a>(&'a Heuristic);

impl<P: Small> Guide<P> for Estimator<'_> {
    type Error = Infallible;
    type Memo = ();

    fn estimate(
        &mut self,
        domain: &P,
        state: &P::State,
        parent: Option<(&P::State, ())>,
    ) -> Result<(Value, ()), Infallible> {
        Ok((value(self.0, domain, state, parent.map(|(parent, ())| parent)), ()))
    }

    fn is_admissible(&self) -> bool {
        self.0.is_admissible(Metric::Moves)
    }
}

fn successors<P: Small>(domain: &P, state: &P::State) -> Vec<P::State> {
    let mut successors = Vec::new();
    domain.for_each_successor(state, |next, _| successors.push(next));
    successors
}

impl<P: Small> Start<P> {
    fn report(&self, method: &Method, rules: Rules, limits: &Limits) -> Report<Action> {
        let guide = |heuristic| Ok(Estimator(heuristic));
        let Ok(report) = method.run(rules, &**self.domain, self.state, guide, limits);
        report
    }

    /// A state that may have led here.
    fn before(&self, seed: u64) -> Option<P::State> {
        let before = successors(&**self.domain, &self.state);
        let choice = random::draw(seed, self.domain.number(&self.state));
        before.get(random::scaled(choice, before.len() as u64) as usize).copied()
    }

    fn labelled(domain: &Arc<Known<P>>, number: u64) -> Labelled {
        let state = domain.nth(number);
        let distance = domain.distance(&state).known().expect("only what has a solution is chosen");
        Labelled { instance: Arc::new(Start { domain: domain.clone(), state }), distance }
    }
}

impl<P: Small> Prepared for Start<P> {
    fn search(&self, method: &Method, rules: Rules, limits: &Limits) -> Result<Report<()>, PuzzleError> {
        Ok(self.report(method, rules, limits).without_actions())
    }
}

impl<P: Small> Instance for Start<P> {
    fn text(&self) -> String {
        self.domain.text(&self.state)
    }

    fn drawing(&self, _: bool) -> String {
        self.domain.drawing(&self.state)
    }

    fn group(&self) -> u64 {
        self.domain.group(&self.state)
    }

    fn distance(&self, _: &dyn Observer) -> Result<Option<Distance>, PuzzleError> {
        Ok(Some(self.domain.distance(&self.state)))
    }

    fn looked_up(&self) -> Result<Option<Distance>, PuzzleError> {
        self.distance(&())
    }

    fn values(&self, blocks: &[Heuristic], seed: u64, _: Distance) -> Vec<Value> {
        let before = self.before(seed);
        blocks.iter().map(|block| value(block, &**self.domain, &self.state, before.as_ref())).collect()
    }

    fn last_action(&self, seed: u64) -> Option<String> {
        Some(self.domain.action(&self.before(seed)?, &self.state).text)
    }

    fn prepared(&self, _: &[Block], _: usize, _: &dyn Observer) -> Box<dyn Prepared> {
        Box::new(Start { domain: self.domain.clone(), state: self.state })
    }

    fn solve(&self, method: &Method, rules: Rules, limits: &Limits) -> Result<Report<Action>, PuzzleError> {
        Ok(self.report(method, rules, limits))
    }

    fn drawn_after(&self, actions: &[Action], _: bool) -> String {
        let state = actions.iter().fold(self.state, |state, action| {
            let is_it = |next: &P::State| self.domain.action(&state, next) == *action;
            successors(&**self.domain, &state).into_iter().find(is_it).unwrap_or(state)
        });
        self.domain.drawing(&state)
    }

    fn around(&self, count: usize, seed: u64, observer: &dyn Observer) -> Result<Vec<Labelled>, PuzzleError> {
        if observer.wants_stop() {
            return Err(PuzzleError::Stopped);
        }
        // All that can be solved lead to each other.
        let levels = self.domain.levels();
        let mut chance = Chance::of(&[seed, self.domain.number(&self.state)]);
        let numbers: BTreeSet<u64> = (0..count)
            .map(|_| {
                let level = chance.pick(levels);
                *chance.pick(level)
            })
            .collect();
        Ok(numbers.into_iter().map(|number| Start::labelled(&self.domain, number)).collect())
    }
}

impl<P: Small> Oracle for Ready<P> {
    fn puzzle(&self) -> &'static dyn Puzzle {
        P::PUZZLE
    }

    fn metric(&self) -> Metric {
        Metric::Moves
    }

    fn read<'l>(&self, line: &'l str) -> Result<(Option<&'l str>, Arc<dyn Instance>), PuzzleError> {
        let read = |text: &str| self.0.read(text.trim());
        let named = |(name, rest): (&'l str, &'l str)| {
            let rest = rest.split('\t').next().unwrap_or_default();
            Some((Some(name.trim()), read(rest).ok()?))
        };
        let (name, state) = match read(line) {
            Ok(state) => (None, state),
            Err(problem) => (line.split_once('\t').and_then(named))
                .or_else(|| line.split_once(char::is_whitespace).and_then(named))
                .ok_or(PuzzleError::Text(problem))?,
        };
        Ok((name, Arc::new(Start { domain: self.0.clone(), state })))
    }

    fn draw(&self, draw: &Draw, _: &dyn Observer) -> Result<Vec<Labelled>, PuzzleError> {
        let Ready(domain) = self;
        let order = Permutation::new(domain.states(), draw.seed);
        let numbers = (0..domain.states()).map(|place| order.at(place)).filter_map(|number| {
            let distance = domain.distance(&domain.nth(number)).known()?;
            draw.distances
                .is_none_or(|range| range.contains(distance.into()))
                .then_some((number, distance as usize))
        });
        let mut chosen = Vec::new();
        let mut found = 0;
        let mut levels: Vec<u64> = Vec::new();
        for (number, distance) in numbers {
            found += 1;
            levels.resize(levels.len().max(distance + 1), 0);
            levels[distance] += 1;
            let is_wanted = match draw.count {
                Count::All(count) => found <= count,
                Count::PerDistance(count) => levels[distance] <= count,
            };
            if is_wanted {
                chosen.push(number);
            }
            if chosen.len() > draw.most {
                return Err(PuzzleError::TooMany { most: draw.most });
            }
        }
        match draw.count {
            _ if found == 0 => Err(SourceError::NoSuchDistance.into()),
            Count::All(count) if found < count => Err(SourceError::TooFewBoards { boards: found }.into()),
            _ => Ok(chosen.into_par_iter().map(|number| Start::labelled(domain, number)).collect()),
        }
    }

    fn trial<'t>(
        &'t self,
        _: Option<usize>,
        heuristics: &'t [Heuristic],
        conditions: &'t [Block],
    ) -> Result<Box<dyn Trial + 't>, PuzzleError> {
        Ok(Box::new(OfSmall { domain: &**self.0, heuristics, conditions }))
    }
}

/// A trial by all states.
struct OfSmall<'t, P> {
    domain: &'t P,
    heuristics: &'t [Heuristic],
    conditions: &'t [Block],
}

/// A state and one beside it, if there is one.
type Pair<P> = (<P as Domain>::State, Option<<P as Domain>::State>);

/// Instances whose time is measured.
const TIMED: u64 = 4096;

impl<P: Small> OfSmall<'_, P> {
    /// What is true of a condition of the building blocks.
    fn holds(&self, condition: Block, state: &P::State, before: &P::State) -> bool {
        self.domain.value(condition, state, Some(before)) != Value::ZERO
    }
}

impl<P: Small> Trial for OfSmall<'_, P> {
    fn instances(&self) -> u64 {
        self.domain.states()
    }

    fn run(&self, sample: Sample, observer: &dyn Observer) -> Result<Quality, PuzzleError> {
        let nothing = Quality::new(self.heuristics.len(), self.conditions.len());
        sample.measured(
            self.instances(),
            &nothing,
            (observer, "instances"),
            || (),
            |(), quality, draw| {
                let state = self.domain.nth(draw.rank);
                let distance = self.domain.distance(&state);
                let next = successors(self.domain, &state);
                let next = draw.choice(next.len()).map(|choice| next[choice]);
                for (heuristic, accuracy) in self.heuristics.iter().zip(&mut quality.accuracies) {
                    let value = value(heuristic, self.domain, &state, next.as_ref());
                    accuracy.add(draw.number, || self.domain.text(&state), value, distance);
                }
                if let (Some(before), Some(next)) = (distance.known(), next)
                    && let Some(after) = self.domain.distance(&next).known()
                {
                    for (&condition, effect) in self.conditions.iter().zip(&mut quality.effects) {
                        effect.add(self.holds(condition, &next, &state), before, after);
                    }
                }
                Ok(())
            },
        )
    }

    fn time(&self, sample: Sample) -> Result<Timing, PuzzleError> {
        let draws = sample.draws(0..sample.len(self.instances()).min(TIMED), self.instances());
        let states: Vec<Pair<P>> = draws
            .iter()
            .map(|draw| {
                let state = self.domain.nth(draw.rank);
                let next = successors(self.domain, &state);
                (state, draw.choice(next.len()).map(|choice| next[choice]))
            })
            .collect();
        let time = |call: &dyn Fn(&Pair<P>) -> Value| {
            let Ok(time) = fastest(&states, |pair| {
                black_box(call(pair));
                Ok::<(), Infallible>(())
            });
            time
        };
        let guess = |heuristic: &Heuristic| {
            time(&|(state, before)| value(heuristic, self.domain, state, before.as_ref()))
        };
        let condition = |&block: &Block| {
            time(&|(before, next)| self.domain.value(block, next.as_ref().unwrap_or(before), Some(before)))
        };
        Ok(Timing {
            heuristics: self.heuristics.iter().map(guess).collect(),
            conditions: self.conditions.iter().map(condition).collect(),
        })
    }
}
