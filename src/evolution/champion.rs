//! The best of a run, made shorter than it can be without loss.

use super::fitness::Sample;
use crate::formula::Heuristic;
use crate::formula::columns::MissingColumn;
use crate::search::Value;

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
    // The number of the rule that decides, of the last value the number of rules.
    let number = |number: usize| Heuristic::Constant(Value::from(number as u32));
    let numbered = rules.iter().enumerate().map(|(rule, (test, _))| (test.clone(), number(rule))).collect();
    let deciding = Heuristic::Rules(numbered, Box::new(number(rules.len())));
    let mut decided = vec![0usize; rules.len() + 1];
    for sample in samples {
        for thousandths in sample.values(&deciding)? {
            decided[thousandths as usize / 1000] += 1;
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
