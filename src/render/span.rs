//! From which value to which an axis goes, and its round numbers.

use super::axis::{round_step, short_number};

/// The fewest decades of a logarithmic axis: there is one round number at least.
const NARROWEST: f64 = 0.5;

/// An axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Of a logarithmic axis the exponents.
    low: f64,
    high: f64,
    is_logarithmic: bool,
    /// Between two round numbers there is this at least.
    least_step: f64,
}

impl Span {
    /// For these values, from 0 unless all are far above.
    pub fn linear(values: impl Iterator<Item = f64> + Clone) -> Span {
        let (least, most) = ends(values);
        let low = if least > most / 2.0 && most > 0.0 { least } else { least.min(0.0) };
        let high = if most > low { most } else { low + 1.0 };
        let step = round_step(high - low, 6.0);
        let (low, high) = ((low / step + 1e-9).floor() * step, high + (high - low) * 0.04);
        Span { low, high, is_logarithmic: false, least_step: 0.0 }
    }

    /// From the least to the largest of these values, no more. If all are whole
    /// numbers, there is none between on the axis.
    pub fn tight(values: impl Iterator<Item = f64> + Clone) -> Span {
        let is_whole = values.clone().all(|value| value.fract() == 0.0);
        let (low, high) = ends(values);
        let high = if high > low { high } else { low + 1.0 };
        Span { low, high, is_logarithmic: false, least_step: f64::from(u8::from(is_whole)) }
    }

    /// For these values, logarithmic. What is not above 0 lies at its foot.
    pub fn logarithmic(values: impl Iterator<Item = f64> + Clone) -> Span {
        let (least, most) = ends(values.filter(|value| *value > 0.0).map(f64::log10));
        let more = ((NARROWEST - (most - least)) / 2.0).max(0.04 * (most - least));
        Span { low: least - more, high: most + more, is_logarithmic: true, least_step: 0.0 }
    }

    /// Which share of the axis a value takes.
    pub fn share(&self, value: f64) -> f64 {
        let at = match self.is_logarithmic {
            true => value.max(f64::MIN_POSITIVE).log10(),
            false => value,
        };
        ((at - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The shares to be marked on the axis, so many at most if it is linear,
    /// and the numbers there.
    pub fn ticks(&self, most: f64) -> Vec<(f64, String)> {
        let numbers = match self.is_logarithmic {
            true => self.logarithmic_ticks(most),
            false => steps(self.low, self.high, round_step(self.high - self.low, most).max(self.least_step)),
        };
        numbers.into_iter().map(|number| (self.share(number), short_number(number))).collect()
    }

    fn logarithmic_ticks(&self, most: f64) -> Vec<f64> {
        let powers = self.low.floor() as i32..=self.high.ceil() as i32;
        let within = |number: &f64| (self.low..=self.high).contains(&number.log10());
        let all = |digits: &'static [f64]| -> Vec<f64> {
            let numbers = powers.clone().flat_map(|power| digits.iter().map(move |d| d * 10f64.powi(power)));
            numbers.filter(within).collect()
        };
        let finer: [&'static [f64]; 2] = [&[1.0], &[1.0, 2.0, 5.0]];
        match finer.map(all) {
            [tens, _] if tens.len() > 2 => {
                let every = (tens.len() as f64 / most).ceil().max(1.0) as usize;
                tens.into_iter().step_by(every).collect()
            }
            [_, more] if more.len() > 2 => more,
            _ => {
                let (low, high) = (10f64.powf(self.low), 10f64.powf(self.high));
                steps(low, high, round_step(high - low, most))
            }
        }
    }
}

/// The multiples of a step from one number to another.
fn steps(low: f64, high: f64, step: f64) -> Vec<f64> {
    let first = (low / step - 1e-9).ceil() as i64;
    (first..).map(|number| number as f64 * step).take_while(|number| *number <= high * (1.0 + 1e-9)).collect()
}

/// The least and the largest; 0 and 1 of nothing.
fn ends(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    finite.clone().reduce(f64::min).zip(finite.reduce(f64::max)).unwrap_or((0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(span: Span) -> String {
        let ticks = span.ticks(6.0);
        assert!(ticks.iter().all(|(share, _)| (0.0..=1.0).contains(share)), "{ticks:?}");
        let names: Vec<String> = ticks.into_iter().map(|(_, name)| name).collect();
        names.join(" ")
    }

    #[test]
    fn axes_have_round_numbers() {
        let linear = |values: &'static [f64]| names(Span::linear(values.iter().copied()));
        assert_eq!(linear(&[0.0, 51.0]), "0 10 20 30 40 50");
        assert_eq!(linear(&[0.3, 0.97]), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(linear(&[0.97, 1.0]), "0.97 0.98 0.99 1");
        assert_eq!(linear(&[]), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(linear(&[7.0]), "7 7.2 7.4 7.6 7.8 8");
        assert_eq!(linear(&[12_000.0, 99_000.0]), "0 20K 40K 60K 80K 100K");
        let logarithmic = |values: &'static [f64]| names(Span::logarithmic(values.iter().copied()));
        assert_eq!(logarithmic(&[3.0, 20_000.0]), "10 100 1K 10K");
        assert_eq!(logarithmic(&[0.012, 0.4]), "0.02 0.05 0.1 0.2");
        assert_eq!(logarithmic(&[8.0, 9.0]), "6 8 10 12 14");
        assert_eq!(logarithmic(&[0.0, -3.0]), "1 2 5 10");
        assert_eq!(names(Span::tight([0.0, 29.0].into_iter())), "0 5 10 15 20 25");
        assert_eq!(names(Span::tight([0.0, 2.0].into_iter())), "0 1 2");
    }
}
