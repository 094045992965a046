//! Depth-first searches: once through all states, or deeper and deeper.
//!
//! They differ in how deep they go and in what they remember: the states of
//! the way they are on, all states they have entered, or the cheapest way to
//! each state in this round.
//!
//! IDA* with a table finds a cheapest solution if its guide is admissible.
//! Take a cheapest way; no state on it lies beyond the bound of the last
//! round. The start is entered at cost 0. When a state of the way has been
//! entered at its cheapest cost, so is the next one: it is produced, and not
//! left out unless it was entered at that cost before. So the goal is entered,
//! unless a goal at no higher bound came first.

use std::convert::Infallible;
use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

use super::best_first::f;
use super::limits::{AHEAD, Watch, hash_bytes, list_bytes};
use super::{Blind, Domain, GoalTest, Guide, Limits, Report, Rules, Solution, Stop, Value, Verdict};

/// Each state once, as deep as it goes.
pub(super) fn once<D: Domain>(
    rules: Rules,
    domain: &D,
    start: D::State,
    limits: &Limits,
) -> Report<D::Action> {
    let mut dive = Dive::new(rules, domain, FxHashSet::default(), limits);
    let Ok(end) = dive.round(start, &mut Blind, &Bound { weight: Value::ZERO, most: u64::MAX });
    dive.report(end, false, 0)
}

/// To depth 0, 1, 2, …
pub(super) fn deepening<D: Domain>(
    rules: Rules,
    domain: &D,
    start: D::State,
    limits: &Limits,
) -> Report<D::Action> {
    let Ok(report): Result<_, Infallible> =
        ida_star(rules, (Value::ONE, false), domain, start, &mut Blind, limits);
    report
}

/// As deep as cost and guess allow, with a table of all states met or without.
pub(super) fn ida_star<D: Domain, G: Guide<D>>(
    rules: Rules,
    (weight, with_table): (Value, bool),
    domain: &D,
    start: D::State,
    guide: &mut G,
    limits: &Limits,
) -> Result<Report<D::Action>, G::Error> {
    match with_table {
        true => {
            let table = Transpositions { entries: FxHashMap::default(), round: 0, hopeful: 0, entered: 0 };
            rounds(weight, start, guide, Dive::new(rules, domain, table, limits))
        }
        false => rounds(weight, start, guide, Dive::new(rules, domain, Way, limits)),
    }
}

/// Round after round, each as deep as the least that the last one left out.
fn rounds<D: Domain, G: Guide<D>>(
    weight: Value,
    start: D::State,
    guide: &mut G,
    mut dive: Dive<D, G::Memo, impl Memory<D::State, G::Memo>>,
) -> Result<Report<D::Action>, G::Error> {
    let exact = guide.is_admissible() && weight <= Value::ONE;
    let mut bound = Bound { weight, most: 0 };
    loop {
        dive.memory.next_round();
        let end = dive.round(start, guide, &bound)?;
        match end {
            End::Beyond(_) if dive.memory.has_entered_all() => {
                return Ok(dive.report(End::Exhausted, exact, bound.most));
            }
            End::Beyond(least) => bound.most = least,
            _ => return Ok(dive.report(end, exact, bound.most)),
        }
    }
}

/// How far a round goes.
struct Bound {
    weight: Value,
    /// The highest sum of cost and weighted guess, in thousandths.
    most: u64,
}

/// How a round ends.
enum End {
    /// At a goal: it is the end of the way.
    Goal,
    /// Nothing is left to enter.
    Exhausted,
    /// Something is left, at this sum of cost and guess at least.
    Beyond(u64),
    Stopped(Stop),
}

/// A state on the way.
struct Stage<S, T> {
    state: S,
    cost: u32,
    memo: T,
    /// Where its successors begin among those that wait.
    first: usize,
}

/// A state that a search comes to.
struct Visit<'a, S, T> {
    way: &'a [Stage<S, T>],
    state: &'a S,
    cost: u32,
    bound: &'a Bound,
}

/// What is to be done with a state.
enum Meeting<T> {
    LeaveOut,
    Beyond(u64),
    /// With this memo.
    Enter(T),
}

/// What a search remembers between one state and the next.
trait Memory<S, T> {
    /// Says what is to be done with a state.
    fn meet<E>(
        &mut self,
        at: Visit<S, T>,
        guess: impl FnOnce() -> Result<(Value, T), E>,
    ) -> Result<Meeting<T>, E>;

    fn next_round(&mut self) {}

    /// Was every state it knows entered in this round, but for hopeless ones?
    /// Then so were their successors, and a deeper round finds nothing new.
    fn has_entered_all(&self) -> bool {
        false
    }

    /// States kept, with so many on the way.
    fn stored(&self, way: usize) -> usize;

    /// The bytes it takes if so many more states come.
    fn bytes(&self, more: usize) -> usize;
}

impl Bound {
    /// A state at this cost with this guess: is it beyond?
    fn judge<T>(&self, cost: u32, (guess, memo): (Value, T)) -> Meeting<T> {
        match f(cost, guess, self.weight) {
            _ if !guess.is_finite() => Meeting::LeaveOut,
            sum if sum > self.most => Meeting::Beyond(sum),
            _ => Meeting::Enter(memo),
        }
    }
}

/// The states of the way, to go in no circles.
struct Way;

impl<S: Eq, T> Memory<S, T> for Way {
    fn meet<E>(
        &mut self,
        at: Visit<S, T>,
        guess: impl FnOnce() -> Result<(Value, T), E>,
    ) -> Result<Meeting<T>, E> {
        if at.way.iter().any(|stage| stage.state == *at.state) {
            return Ok(Meeting::LeaveOut);
        }
        Ok(at.bound.judge(at.cost, guess()?))
    }

    fn stored(&self, way: usize) -> usize {
        way
    }

    fn bytes(&self, _: usize) -> usize {
        0
    }
}

/// All states entered.
impl<S: Copy + Eq + Hash> Memory<S, ()> for FxHashSet<S> {
    fn meet<E>(
        &mut self,
        at: Visit<S, ()>,
        _: impl FnOnce() -> Result<(Value, ()), E>,
    ) -> Result<Meeting<()>, E> {
        Ok(if self.insert(*at.state) { Meeting::Enter(()) } else { Meeting::LeaveOut })
    }

    fn stored(&self, _: usize) -> usize {
        self.len()
    }

    fn bytes(&self, more: usize) -> usize {
        hash_bytes::<S>(self.len(), self.capacity(), more)
    }
}

/// For each state its guess, and the least cost at which it was entered.
struct Transpositions<S, T> {
    entries: FxHashMap<S, TableEntry<T>>,
    round: u32,
    /// States that are not hopeless, and those of them entered in this round.
    hopeful: usize,
    entered: usize,
}

struct TableEntry<T> {
    guess: Value,
    memo: T,
    /// The last round in which it was entered.
    round: u32,
    /// The least cost in that round.
    cost: u32,
}

impl<S: Copy + Eq + Hash, T: Copy> Memory<S, T> for Transpositions<S, T> {
    fn meet<E>(
        &mut self,
        at: Visit<S, T>,
        guess: impl FnOnce() -> Result<(Value, T), E>,
    ) -> Result<Meeting<T>, E> {
        let Visit { state, cost, bound, .. } = at;
        use std::collections::hash_map::Entry::{Occupied, Vacant};
        let entry = match self.entries.entry(*state) {
            Occupied(entry) => entry.into_mut(),
            Vacant(entry) => {
                let (guess, memo) = guess()?;
                self.hopeful += usize::from(guess.is_finite());
                entry.insert(TableEntry { guess, memo, round: 0, cost: 0 })
            }
        };
        if entry.round == self.round && entry.cost <= cost {
            return Ok(Meeting::LeaveOut);
        }
        let meeting = bound.judge(cost, (entry.guess, entry.memo));
        if let Meeting::Enter(_) = meeting {
            self.entered += usize::from(entry.round != self.round);
            (entry.round, entry.cost) = (self.round, cost);
        }
        Ok(meeting)
    }

    fn next_round(&mut self) {
        self.round += 1;
        self.entered = 0;
    }

    fn has_entered_all(&self) -> bool {
        self.entered == self.hopeful
    }

    fn stored(&self, _: usize) -> usize {
        self.entries.len()
    }

    fn bytes(&self, more: usize) -> usize {
        hash_bytes::<(S, TableEntry<T>)>(self.entries.len(), self.entries.capacity(), more)
    }
}

/// The search itself.
struct Dive<'a, D: Domain, T, M> {
    rules: Rules,
    domain: &'a D,
    memory: M,
    watch: Watch<'a>,
    way: Vec<Stage<D::State, T>>,
    /// Successors of the states on the way that wait for their turn, the next
    /// one last.
    waiting: Vec<(D::State, u32)>,
    /// All states generated, if they are counted.
    census: Option<FxHashSet<D::State>>,
}

impl<'a, D: Domain, T: Copy, M: Memory<D::State, T>> Dive<'a, D, T, M> {
    fn new(rules: Rules, domain: &'a D, memory: M, limits: &'a Limits) -> Dive<'a, D, T, M> {
        Dive {
            rules,
            domain,
            memory,
            watch: Watch::new(limits),
            way: Vec::new(),
            waiting: Vec::new(),
            census: (!limits.without_distinct).then(FxHashSet::default),
        }
    }

    fn round<G: Guide<D, Memo = T>>(
        &mut self,
        start: D::State,
        guide: &mut G,
        bound: &Bound,
    ) -> Result<End, G::Error> {
        let mut beyond = None;
        self.way.clear();
        self.waiting.clear();
        self.waiting.push((start, 0));
        if let Some(census) = &mut self.census {
            census.insert(start);
        }
        loop {
            let first = self.way.last().map_or(0, |stage| stage.first);
            if self.waiting.len() == first {
                if self.way.pop().is_none() {
                    return Ok(beyond.map_or(End::Exhausted, End::Beyond));
                }
                continue;
            }
            let (state, cost) = self.waiting.pop().expect("one waits");
            let parent = self.way.last().map(|stage| (&stage.state, stage.memo));
            let guess = || guide.estimate(self.domain, &state, parent);
            match self.memory.meet(Visit { way: &self.way, state: &state, cost, bound }, guess)? {
                Meeting::LeaveOut => {}
                Meeting::Beyond(sum) => beyond = Some(beyond.map_or(sum, |least: u64| least.min(sum))),
                Meeting::Enter(memo) => {
                    let Dive { memory, watch, way, waiting, census, .. } = self;
                    let stored = |more| Some(bytes(memory, way, waiting, census, more));
                    if let Some(reason) = watch.wants_stop(stored) {
                        return Ok(End::Stopped(reason));
                    }
                    watch.counts.expanded += 1;
                    way.push(Stage { state, cost, memo, first: waiting.len() });
                    if self.domain.is_goal(&state) {
                        return Ok(End::Goal);
                    }
                    if self.produce(&state, cost, bound) {
                        return Ok(End::Goal);
                    }
                    if let Some(reason) = self.watch.stopped() {
                        return Ok(End::Stopped(reason));
                    }
                }
            }
        }
    }

    /// Generates the successors of the last state on the way. If goals are found
    /// when they are generated, and there is one within the bound, it is the end
    /// of the way.
    fn produce(&mut self, state: &D::State, cost: u32, bound: &Bound) -> bool {
        let Dive { rules, domain, memory, watch, way, waiting, census } = self;
        let first = waiting.len();
        let mut left = watch.allowance();
        domain.for_each_successor(state, |next, step| {
            if left == 0 {
                let more = waiting.len() - first + AHEAD;
                left = watch.another_allowance(Some(bytes(memory, way, waiting, census, more)));
                if left == 0 {
                    return;
                }
            }
            left -= 1;
            waiting.push((next, cost.saturating_add(step.get())));
        });
        let mut goal = None;
        if rules.goal_test == GoalTest::Generated {
            let is_goal = |(state, cost): &(D::State, u32)| {
                domain.is_goal(state) && f(*cost, Value::ZERO, bound.weight) <= bound.most
            };
            if let Some(place) = waiting[first..].iter().position(is_goal) {
                left += (waiting.len() - first - place - 1) as u64;
                waiting.truncate(first + place + 1);
                goal = waiting.last().copied();
            }
        }
        watch.give_back(left);
        if let Some(census) = census {
            census.extend(waiting[first..].iter().map(|&(state, _)| state));
        }
        // The first one is to be next.
        waiting[first..].reverse();
        let stored = memory.stored(way.len()) + waiting.len();
        watch.counts.stored = watch.counts.stored.max(stored as u64);
        if let (Some((state, cost)), Some(&Stage { memo, .. })) = (goal, way.last()) {
            way.push(Stage { state, cost, memo, first: waiting.len() });
        }
        goal.is_some()
    }

    fn report(mut self, end: End, exact: bool, bound: u64) -> Report<D::Action> {
        let verdict = match end {
            End::Goal => {
                let path: Vec<D::State> = self.way.iter().map(|stage| stage.state).collect();
                let goal = self.way.last().expect("the goal is on the way");
                Verdict::Solved(Solution::along(self.domain, &path, goal.cost, exact))
            }
            End::Stopped(reason) => {
                let bound = if exact { bound } else { 0 };
                Verdict::Stopped { reason, at_least: bound.div_ceil(Value::ONE.thousandths()) as u32 }
            }
            End::Exhausted | End::Beyond(_) => Verdict::Unsolvable,
        };
        self.watch.counts.stored = self.watch.counts.stored.max(1);
        self.watch.counts.distinct = self.census.as_ref().map(|census| census.len() as u64);
        self.watch.report(verdict)
    }
}

/// The bytes of all that is stored, if so many more states come: what waits may
/// be remembered before the next look as well.
fn bytes<S, T>(
    memory: &impl Memory<S, T>,
    way: &Vec<Stage<S, T>>,
    waiting: &Vec<(S, u32)>,
    census: &Option<FxHashSet<S>>,
    more: usize,
) -> usize {
    let counted = census.as_ref().map(|census| hash_bytes::<S>(census.len(), census.capacity(), more));
    memory.bytes(waiting.len() + more)
        + list_bytes(way, more)
        + list_bytes(waiting, more)
        + counted.unwrap_or(0)
}
