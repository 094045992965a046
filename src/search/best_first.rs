//! Greedy best-first search and A*, weighted or not: always on from the state
//! that looks best.
//!
//! States that look equally good are taken newest first. With a perfect guide
//! A* then walks straight to the goal: the newest of the best states is always
//! the deepest.
//!
//! A state is expanded again if a cheaper way to it turns up later, so A* needs
//! guides that are admissible, not consistent ones. Other [`Rules`] change both;
//! searches by the usual ones are compiled without a question about them.
//!
//! Time is a look-up for each generated node and one guess for each new state;
//! memory is 60 to 110 bytes for each state of Rush Hour, depending on how full
//! the lists are.

use std::collections::BTreeMap;

use super::limits::{AHEAD, Watch, list_bytes};
use super::nodes::{Nodes, Visit};
use super::{Domain, GoalTest, Guide, Limits, Report, Rules, Solution, Ties, Value, Verdict};

/// What *looks best* means.
#[derive(Debug, Clone, Copy)]
pub(super) enum Order {
    /// The least guess; of these, the cheapest way so far.
    Greedy,
    /// The least sum of cost so far and weighted guess.
    AStar { weight: Value },
}

impl Order {
    /// Less is better.
    #[inline]
    fn priority(self, cost: u32, guess: Value) -> u64 {
        match self {
            Order::Greedy => guess.thousandths() << 32 | u64::from(cost),
            Order::AStar { weight } => f(cost, guess, weight),
        }
    }

    /// Is a state expanded again when a cheaper way to it is found?
    fn reopens(self) -> bool {
        matches!(self, Order::AStar { .. })
    }

    /// Is the first solution a cheapest one, with an admissible guide?
    fn is_exact(self) -> bool {
        matches!(self, Order::AStar { weight } if weight <= Value::ONE)
    }
}

/// Cost so far plus weighted guess, in thousandths.
#[inline]
pub(super) fn f(cost: u32, guess: Value, weight: Value) -> u64 {
    u64::from(cost) * Value::ONE.thousandths() + guess.times(weight).thousandths()
}

/// What is kept of each state.
#[derive(Debug, Clone, Copy)]
struct Judged<M> {
    guess: Value,
    is_closed: bool,
    memo: M,
}

/// `USUAL` says that the rules are the default.
pub(super) fn search<const USUAL: bool, D: Domain, G: Guide<D>>(
    rules: Rules,
    order: Order,
    domain: &D,
    start: D::State,
    guide: &mut G,
    limits: &Limits,
) -> Result<Report<D::Action>, G::Error> {
    let rules = if USUAL { Rules::default() } else { rules };
    let mut watch = Watch::new(limits);
    let mut open = Open::default();
    let exact = order.is_exact() && guide.is_admissible() && rules.are_exact();
    // Where a goal is to come last, its place is after all that are as good.
    let place = |priority: u64, state: &D::State| match rules.ties {
        Ties::GoalLast => priority << 1 | u64::from(domain.is_goal(state)),
        _ => priority,
    };
    let priority_at = |place: u64| if rules.ties == Ties::GoalLast { place >> 1 } else { place };

    let (guess, memo) = guide.estimate(domain, &start, None)?;
    let mut nodes = Nodes::new(start, Judged { guess, is_closed: false, memo });
    if guess.is_finite() {
        open.push(place(order.priority(0, guess), &start), 0);
    }
    let mut found: Option<(Vec<D::State>, u32)> = None;
    let mut least = 0;
    let stopped = |reason, least: u64| Verdict::Stopped {
        reason,
        at_least: least.div_ceil(Value::ONE.thousandths()) as u32,
    };
    let mut fresh = Vec::new();
    let verdict = loop {
        if !USUAL && let Some((path, cost)) = found.take() {
            break Verdict::Solved(Solution::along(domain, &path, cost, exact));
        }
        let Some((placed, number)) = open.pop(rules.ties) else {
            break Verdict::Unsolvable;
        };
        let priority = priority_at(placed);
        let node = nodes.get(number);
        if node.more.is_closed || order.priority(node.cost, node.more.guess) != priority {
            // It was taken already, or a cheaper way brought it forward.
            continue;
        }
        if exact {
            least = least.max(priority);
        }
        if let Some(reason) = watch.wants_stop(|more| Some(nodes.bytes(more)? + open.bytes(more))) {
            break stopped(reason, least);
        }
        watch.counts.expanded += 1;
        let node = nodes.get(number);
        node.more.is_closed = true;
        let (state, cost, memo) = (node.state, node.cost, node.more.memo);
        if domain.is_goal(&state) {
            break Verdict::Solved(Solution::along(domain, &nodes.path(number), cost, exact));
        }

        // Most successors are known. Those that can be told at a glance fall
        // out here without a branch, which nobody could predict.
        let mut count = 0;
        let mut left = watch.allowance();
        domain.for_each_successor(&state, |next, step| {
            if left == 0 {
                let more = count + AHEAD;
                let listed = open.bytes(more) + list_bytes(&fresh, AHEAD);
                left = watch.another_allowance(nodes.bytes(more).map(|bytes| bytes + listed));
                if left == 0 {
                    return;
                }
            }
            if !USUAL && found.is_some() {
                return;
            }
            left -= 1;
            if !USUAL && rules.goal_test == GoalTest::Generated && domain.is_goal(&next) {
                let path = nodes.path(number).into_iter().chain([next]).collect();
                found = Some((path, cost.saturating_add(step.get())));
            }
            if count == fresh.len() {
                fresh.push((next, 0));
            }
            let cost = cost.saturating_add(step.get());
            fresh[count] = (next, cost);
            count += usize::from(!nodes.is_plainly_known(&next, cost));
        });
        watch.give_back(left);
        for &(next, cost) in &fresh[..count] {
            let unjudged = Judged { guess: Value::INFINITE, is_closed: false, memo };
            match nodes.meet(next, number, cost, unjudged) {
                Visit::Known => {}
                Visit::New(new) => {
                    let (guess, memo) = guide.estimate(domain, &next, Some((&state, memo)))?;
                    if guess.is_finite() {
                        nodes.get(new).more = Judged { guess, is_closed: false, memo };
                        open.push(place(order.priority(cost, guess), &next), new);
                    }
                }
                Visit::Cheaper(known) => {
                    let Judged { guess, is_closed, .. } = nodes.get(known).more;
                    if guess.is_finite() && (!is_closed || order.reopens() && rules.reopens) {
                        nodes.redirect(known, number, cost);
                        nodes.get(known).more.is_closed = false;
                        open.push(place(order.priority(cost, guess), &next), known);
                    }
                }
            }
        }
        if let Some(reason) = watch.stopped() {
            break stopped(reason, least);
        }
    };
    watch.counts.stored = nodes.len() as u64;
    watch.counts.distinct = Some(nodes.len() as u64);
    Ok(watch.report(verdict))
}

/// The states to go on from, by priority.
///
/// Few priorities are in use at a time, and many states have the same one.
#[derive(Default)]
struct Open {
    /// In the order in which they came.
    buckets: BTreeMap<u64, Vec<u32>>,
    /// Where the oldest are taken first: how many of a bucket are gone.
    gone: BTreeMap<u64, usize>,
    len: usize,
}

impl Open {
    #[inline]
    fn push(&mut self, priority: u64, number: u32) {
        self.buckets.entry(priority).or_default().push(number);
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self, ties: Ties) -> Option<(u64, u32)> {
        if ties == Ties::Oldest {
            return self.pop_oldest();
        }
        let mut best = self.buckets.first_entry()?;
        let priority = *best.key();
        let number = best.get_mut().pop().expect("no bucket stays empty");
        if best.get().is_empty() {
            best.remove();
        }
        self.len -= 1;
        Some((priority, number))
    }

    #[cold]
    fn pop_oldest(&mut self) -> Option<(u64, u32)> {
        let best = self.buckets.first_entry()?;
        let priority = *best.key();
        let gone = self.gone.entry(priority).or_default();
        let number = best.get()[*gone];
        *gone += 1;
        if *gone == best.get().len() {
            best.remove();
            self.gone.remove(&priority);
        }
        self.len -= 1;
        Some((priority, number))
    }

    /// The bytes it takes if so many more come. Buckets that doubled are half
    /// empty at worst.
    fn bytes(&self, more: usize) -> usize {
        (self.len + more) * 2 * size_of::<u32>()
    }
}
