//! Numbers as text, for files of millions of rows: nothing is allocated but
//! what they are written into.

use super::Label;

/// What readers in Java, Python, Rust and JavaScript take for infinity.
const INFINITY: &str = "Infinity";

/// Appends a whole number.
pub(super) fn push_whole(mut number: u64, out: &mut String) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend(digits[first..].iter().map(|&digit| char::from(digit)));
}

/// Appends a distance; `Infinity` if there is none.
pub(super) fn push_distance(distance: Option<u32>, out: &mut String) {
    match distance {
        Some(distance) => push_whole(distance.into(), out),
        None => out.push_str(INFINITY),
    }
}

impl Label {
    /// Appends it as datasets write it: a guess as a number of at most three
    /// decimals or `Infinity`, a condition as `1` or `-1`.
    ///
    /// ```
    /// use tailback::dataset::Label;
    ///
    /// let mut text = String::new();
    /// for label in [Label::Guess("4.5".parse()?), Label::Condition(false)] {
    ///     label.push_to(&mut text);
    ///     text.push(' ');
    /// }
    /// assert_eq!(text, "4.5 -1 ");
    /// # Ok::<(), tailback::search::ValueError>(())
    /// ```
    pub fn push_to(self, out: &mut String) {
        match self {
            Label::Condition(holds) => out.push_str(if holds { "1" } else { "-1" }),
            Label::Guess(value) if !value.is_finite() => out.push_str(INFINITY),
            Label::Guess(value) => {
                let (whole, rest) = (value.thousandths() / 1000, value.thousandths() % 1000);
                push_whole(whole, out);
                if rest > 0 {
                    // A digit in front keeps the zeros after the point.
                    let point = out.len();
                    push_whole(1000 + rest, out);
                    out.replace_range(point..=point, ".");
                    out.truncate(out.trim_end_matches('0').len());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Value;

    #[test]
    fn guesses_are_written_as_they_are_shown() {
        let weights = ["0.001", "0.01", "0.1", "0.999", "1", "1.5", "7.25", "1000"];
        for value in weights.map(|text| text.parse::<Value>().unwrap()) {
            let mut text = "7,".to_owned();
            Label::Guess(value).push_to(&mut text);
            assert_eq!(text, format!("7,{value}"));
        }
    }

    #[test]
    fn wholes_of_every_length() {
        for number in [0, 9, 10, 99, 100, 1_234_567_890, u64::from(u32::MAX), u64::MAX] {
            let mut text = String::new();
            push_whole(number, &mut text);
            assert_eq!(text, number.to_string());
        }
    }

    #[test]
    fn what_is_no_number() {
        let mut text = String::new();
        push_distance(None, &mut text);
        Label::Guess(Value::INFINITE).push_to(&mut text);
        Label::Condition(true).push_to(&mut text);
        assert_eq!(text, "InfinityInfinity1");
    }
}
