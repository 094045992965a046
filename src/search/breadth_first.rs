//! Breadth-first search: level by level, each state once.

use super::limits::{AHEAD, Watch};
use super::nodes::{Node, Nodes};
use super::{Domain, GoalTest, Limits, Report, Rules, Solution, Verdict};

/// `USUAL` says that the rules are the default.
pub(super) fn search<const USUAL: bool, D: Domain>(
    rules: Rules,
    domain: &D,
    start: D::State,
    limits: &Limits,
) -> Report<D::Action> {
    let at_generation = !USUAL && rules.goal_test == GoalTest::Generated;
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
        let mut found = None;
        let mut left = watch.allowance();
        domain.for_each_successor(&state, |state, step| {
            if left == 0 {
                left = watch.another_allowance(nodes.bytes(AHEAD));
                if left == 0 {
                    return;
                }
            }
            if !USUAL && found.is_some() {
                return;
            }
            left -= 1;
            let cost = cost.saturating_add(step.get());
            nodes.meet(state, next, cost, depth + 1);
            if at_generation && domain.is_goal(&state) {
                found = Some((state, cost));
            }
        });
        watch.give_back(left);
        if let Some((goal, cost)) = found {
            let path: Vec<D::State> = nodes.path(next).into_iter().chain([goal]).collect();
            break Verdict::Solved(Solution::along(domain, &path, cost, exact));
        }
        if let Some(reason) = watch.stopped() {
            break Verdict::Stopped { reason, at_least: depth };
        }
        next += 1;
    };
    watch.counts.stored = nodes.len() as u64;
    watch.counts.distinct = Some(nodes.len() as u64);
    watch.report(verdict)
}
