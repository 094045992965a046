//! Breadth-first search: level by level, each state once.

use super::limits::{AHEAD, Watch};
use super::nodes::{Node, Nodes};
use super::{Domain, Limits, Report, Solution, Verdict};

pub(super) fn search<D: Domain>(domain: &D, start: D::State, limits: &Limits) -> Report<D::Action> {
    let mut watch = Watch::new(limits);
    // In the order in which they were met: the queue itself.
    let mut nodes = Nodes::new(start, 0);
    let exact = domain.has_unit_costs();
    let mut next = 0;
    let verdict = loop {
        if next as usize == nodes.len() {
            break Verdict::Unsolvable;
        }
        let Node { state, cost, more: depth, .. } = *nodes.get(next);
        if let Some(reason) = watch.wants_stop(|more| nodes.bytes(more)) {
            // Every action costs at least 1.
            break Verdict::Stopped { reason, at_least: depth };
        }
        watch.counts.expanded += 1;
        if domain.is_goal(&state) {
            break Verdict::Solved(Solution::along(domain, &nodes.path(next), cost, exact));
        }
        let mut left = watch.allowance();
        domain.for_each_successor(&state, |state, step| {
            if left == 0 {
                left = watch.another_allowance(nodes.bytes(AHEAD));
                if left == 0 {
                    return;
                }
            }
            left -= 1;
            nodes.meet(state, next, cost.saturating_add(step.get()), depth + 1);
        });
        watch.give_back(left);
        if let Some(reason) = watch.stopped() {
            break Verdict::Stopped { reason, at_least: depth };
        }
        next += 1;
    };
    watch.counts.stored = nodes.len() as u64;
    watch.counts.distinct = Some(nodes.len() as u64);
    watch.report(verdict)
}
