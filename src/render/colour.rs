//! Colours of pictures. Vehicles are light, for dark letters and little ink;
//! the primary is red and darker, and so it is seen without colour, too.

use std::fmt;

use crate::board::Board;

/// Lines and letters.
pub(super) const INK: Colour = Colour([31, 41, 51]);
/// Paper.
pub(super) const WHITE: Colour = Colour([255, 255, 255]);
/// The primary, and the arrow of its exit.
pub(super) const RED: Colour = Colour([208, 45, 52]);

/// Those next to each other in the list, and so in the alphabet, differ most.
const PALETTE: [Colour; 16] = [
    Colour([116, 173, 222]), // blue
    Colour([247, 198, 84]),  // amber
    Colour([128, 195, 140]), // green
    Colour([184, 156, 224]), // violet
    Colour([243, 165, 98]),  // orange
    Colour([98, 196, 194]),  // teal
    Colour([233, 161, 198]), // pink
    Colour([192, 208, 96]),  // lime
    Colour([150, 168, 196]), // slate
    Colour([214, 180, 140]), // tan
    Colour([160, 217, 246]), // sky
    Colour([243, 226, 142]), // straw
    Colour([196, 160, 152]), // clay
    Colour([160, 164, 236]), // periwinkle
    Colour([176, 224, 190]), // mint
    Colour([205, 203, 196]), // stone
];

/// Strong colours that people who see few colours can tell apart, too, by hue or
/// by lightness (after Okabe and Ito, 2008, without yellow).
const SERIES: [Colour; 6] = [
    Colour([0, 114, 178]),   // blue
    Colour([230, 159, 0]),   // orange
    Colour([0, 158, 115]),   // green
    Colour([204, 121, 167]), // purple
    Colour([86, 180, 233]),  // sky
    Colour([213, 94, 0]),    // vermilion
];

/// Red, green, blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Colour(pub [u8; 3]);

impl Colour {
    /// The colour of a vehicle, by the order of the letters. No two vehicles
    /// of a board have the same.
    pub fn of(board: &Board, index: usize) -> Colour {
        let primary = board.primary_index();
        if index == primary {
            return RED;
        }
        let index = index - usize::from(index > primary);
        let colour = PALETTE[index % PALETTE.len()];
        // The few boards of more than 17 vehicles need dark colours as well.
        if index < PALETTE.len() { colour } else { colour.mixed(INK, 0.6) }
    }

    /// The colour of one of several series of a chart. After a round of colours
    /// the same come darker, then lighter.
    pub fn of_series(index: usize) -> Colour {
        let colour = SERIES[index % SERIES.len()];
        match index / SERIES.len() % 3 {
            0 => colour,
            1 => colour.mixed(INK, 0.55),
            _ => colour.mixed(WHITE, 0.5),
        }
    }

    /// This colour with a share of another one.
    pub fn mixed(self, other: Colour, share: f64) -> Colour {
        let mix = |i: usize| {
            let (a, b) = (f64::from(self.0[i]), f64::from(other.0[i]));
            (a + (b - a) * share).round() as u8
        };
        Colour([mix(0), mix(1), mix(2)])
    }

    /// Ink or white, whichever is seen better on this colour.
    pub fn letter(self) -> Colour {
        if self.contrast(INK) >= self.contrast(WHITE) { INK } else { WHITE }
    }

    /// How well one colour is seen on the other: 1 not at all, 21 black on
    /// white (WCAG 2.2, "contrast ratio").
    fn contrast(self, other: Colour) -> f64 {
        let (a, b) = (self.luminance() + 0.05, other.luminance() + 0.05);
        (a / b).max(b / a)
    }

    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Axis, MAX_VEHICLES, Vehicle, nth_letter};

    /// As many vehicles as ever fit on a board: 32 cars on 8×8.
    fn full() -> Board {
        let vehicles = (0..MAX_VEHICLES).map(|index| {
            let (line, start) = ((index / 4) as u8, (index % 4 * 2) as u8);
            Vehicle { letter: nth_letter(index), axis: Axis::Horizontal, line, start, len: 2 }
        });
        Board::from_parts(8, 0, vehicles, 5).unwrap()
    }

    #[test]
    fn no_two_vehicles_share_a_colour() {
        let board = full();
        let colours: Vec<Colour> = (0..MAX_VEHICLES).map(|index| Colour::of(&board, index)).collect();
        for (index, colour) in colours.iter().enumerate() {
            assert_eq!(*colour == RED, index == 5);
            assert!(!colours[..index].contains(colour), "{index}");
        }
    }

    #[test]
    fn no_two_of_many_series_share_a_colour() {
        let colours: Vec<Colour> = (0..18).map(Colour::of_series).collect();
        assert!((0..18).all(|index| !colours[..index].contains(&colours[index])));
    }

    /// 4.5 is what WCAG asks of text.
    #[test]
    fn letters_are_seen() {
        let board = full();
        for index in 0..MAX_VEHICLES {
            let colour = Colour::of(&board, index);
            assert!(colour.contrast(colour.letter()) >= 4.5, "{colour}");
        }
        assert!((WHITE.contrast(Colour([0, 0, 0])) - 21.0).abs() < 1e-9);
        assert_eq!((RED.letter(), WHITE.letter()), (WHITE, INK));
    }

    #[test]
    fn colours_mix() {
        assert_eq!(WHITE.mixed(INK, 0.0), WHITE);
        assert_eq!(WHITE.mixed(INK, 1.0).to_string(), "#1f2933");
    }
}
