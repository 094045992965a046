//! What people write behind options.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use tailback::board::Metric;
use tailback::catalogue::Range;
use tailback::dataset::Split;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::search::{Algorithm, Value};

/// Every kind of option reads every text.
pub fn options(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    again::<Metric>(&text);
    again::<Range>(&text);
    again::<Split>(&text);
    if let Ok(formula) = VOCABULARY.read(&text) {
        assert_eq!(VOCABULARY.read(&formula.to_string()), Ok(formula), "{text:?}");
    }
    if let Some(Algorithm::AStar { weight } | Algorithm::IdaStar { weight, .. }) = again(&text)
        && let Some((_, number)) = text.split_once(':')
    {
        is_number(weight, number);
    }
    if let Some(value) = again(&text) {
        is_number(value, &text);
    }
}

/// What is read and written again is read the same.
fn again<T: FromStr + Display + PartialEq + Debug>(text: &str) -> Option<T> {
    let read: T = text.parse().ok()?;
    let written = read.to_string();
    match written.parse::<T>() {
        Ok(again) => assert_eq!(again, read, "{text:?} is written {written:?}"),
        Err(_) => panic!("{text:?} is written {written:?}, which cannot be read"),
    }
    Some(read)
}

fn is_number(value: Value, text: &str) {
    let number: f64 = text.parse().expect("a number with decimals is one for all");
    assert!((value.as_f64() - number).abs() < 1e-9, "{text:?} is read as {value}");
}
