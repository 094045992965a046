//! Lists of things whose own text may have commas.

/// The parts between commas that stand in no brackets.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    text.split(move |c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        c == ',' && depth <= 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        split(text).collect()
    }

    #[test]
    fn commas_within_brackets_stay() {
        assert_eq!(parts("zero"), ["zero"]);
        assert_eq!(parts("zero,blocking"), ["zero", "blocking"]);
        assert_eq!(parts("max(a,max(b,c)),d,2*(a+b)"), ["max(a,max(b,c))", "d", "2*(a+b)"]);
    }

    #[test]
    fn what_is_wrong_stays_for_the_reader_to_see() {
        assert_eq!(parts(""), [""]);
        assert_eq!(parts("a,,b,"), ["a", "", "b", ""]);
        assert_eq!(parts("a),b"), ["a)", "b"]);
        assert_eq!(parts("max(a,b"), ["max(a,b"]);
    }
}
