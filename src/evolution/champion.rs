//! The best of a run, made shorter than it can be without loss.

use super::fitness::Sample;
use crate::formula::Heuristic;
use crate::formula::columns::{Compiled, MissingColumn};

/// A formula without rules that never decide on any of these boards, if it has
/// such. It has the same value on all of them; on others it may have another.
pub fn shortened(genome: &Heuristic, samples: &[&Sample]) -> Result<Option<Heuristic>, MissingColumn> {
    let simple = genome.simplified();
    let short = without_idle_rules(&simple, samples)?.simplified();
    for sample in samples {
        if sample.values(genome)? != sample.values(&short)? {
            return Ok(None);
        }
    }
    Ok((short != simple).then_some(short))
}

fn without_idle_rules(policy: &Heuristic, samples: &[&Sample]) -> Result<Heuristic, MissingColumn> {
    let Heuristic::Rules(rules, last) = policy else { return Ok(policy.clone()) };
    let mut decided = vec![0usize; rules.len() + 1];
    for sample in samples {
        let columns = sample.columns();
        let formula = Compiled::new(policy, columns)?;
        for group in 0..columns.groups() {
            let fired = formula.fired(columns, group);
            let boards = fired.len().min(sample.len() - group * fired.len());
            fired[..boards].iter().for_each(|&rule| decided[rule] += 1);
        }
    }
    let mut kept: Vec<_> =
        rules.iter().zip(&decided).filter(|(_, boards)| **boards > 0).map(|(rule, _)| rule.clone()).collect();
    let mut last = last.clone();
    // If the last value decides nothing, the last rule's does.
    if decided[rules.len()] == 0
        && let Some((_, value)) = kept.pop()
    {
        *last = value;
    }
    Ok(if kept.is_empty() { *last } else { Heuristic::Rules(kept, last) })
}
