//! Experiments, and formulas made short.

use tailback::formula::Heuristic;
use tailback::evolution::Experiment;

/// An experiment is read or refused; a formula that is made short is no longer
/// than before, and is read as it is written.
pub fn experiment(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Err(error) = Experiment::parse(&text) {
        assert!(error.line <= text.lines().count() + 1, "{error}");
    }
    if let Ok(formula) = text.parse::<Heuristic>() {
        let short = formula.simplified();
        assert!(short.parts() <= formula.parts(), "{formula} became {short}");
        assert_eq!(short.to_string().parse(), Ok(short));
    }
}
