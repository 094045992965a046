//! Lists as options: entries with commas between.

use std::str::FromStr;

use super::Result;

/// What a list has, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommaList<T>(pub Vec<T>);

impl<T: FromStr> FromStr for CommaList<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<CommaList<T>, T::Err> {
        split(text).map(|entry| entry.trim().parse()).collect::<Result<_, _>>().map(CommaList)
    }
}

/// The parts between commas that stand in no bracket.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    })
}

#[cfg(test)]
mod tests {
    use tailback::search::Algorithm;

    use super::*;

    #[test]
    fn only_commas_outside_of_brackets_split() {
        let parts = |text| split(text).collect::<Vec<_>>();
        assert_eq!(parts("a"), ["a"]);
        assert_eq!(parts("a,b"), ["a", "b"]);
        assert_eq!(parts("max(a,b),c"), ["max(a,b)", "c"]);
        assert_eq!(parts("max(a,max(b,c)),0.5*(max(d,e)+f),g"), ["max(a,max(b,c))", "0.5*(max(d,e)+f)", "g"]);
        assert_eq!(parts("a,,b,"), ["a", "", "b", ""]);
        assert_eq!(parts("a),b"), ["a)", "b"]);
        assert_eq!(parts("max(a,b"), ["max(a,b"]);
    }

    #[test]
    fn entries_are_read_and_errors_are_theirs() {
        assert!("astar,bfs,wida:1.5".parse::<CommaList<Algorithm>>().is_ok_and(|list| list.0.len() == 3));
        for bad in ["", "astar,", "astar,,bfs", "astar;bfs"] {
            assert!(bad.parse::<CommaList<Algorithm>>().is_err(), "{bad}");
        }
    }
}
