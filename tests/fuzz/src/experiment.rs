//! Experiments, and formulas made short.

use tailback::domains::rush_hour::VOCABULARY;
use tailback::evolution::Experiment;

/// An experiment is read or refused; a formula that is made short is no longer
/// than before, and is read as it is written.
pub fn experiment(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Err(error) = Experiment::parse(&text) {
        assert!(error.line <= text.lines().count() + 1, "{error}");
    }
    if let Ok(formula) = VOCABULARY.read(&text) {
        let short = formula.simplified();
        assert!(short.parts() <= formula.parts(), "{formula} became {short}");
        assert_eq!(VOCABULARY.read(&short.to_string()), Ok(short));
    }
}
