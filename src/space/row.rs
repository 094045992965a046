//! What one row of a space may hold.

use super::line::{KindId, Line, MAX_KINDS, MAX_PLACEMENTS, NO_DIGIT, PlacementId};

/// The kinds of a row, and for each the placements that leave the row's walls
/// free. A kind without any is none of the row's.
#[derive(Debug)]
pub struct Row {
    placements: Vec<Vec<PlacementId>>,
    /// The number of each kind among the row's.
    kind_digit: [u8; MAX_KINDS],
    /// The number of each placement among those of its kind.
    digit: [u8; MAX_PLACEMENTS],
}

impl Row {
    /// A row with walls. The row of the primary ends in it: its last vehicle is
    /// a car and no wall is right of that. Its placements are in the order of
    /// the primary's column, so that the solved ones come last.
    pub fn new(line: &Line, walls: u8, has_primary: bool) -> Row {
        let mut row = Row {
            placements: Vec::new(),
            kind_digit: [NO_DIGIT; MAX_KINDS],
            digit: [NO_DIGIT; MAX_PLACEMENTS],
        };
        for (kind, lengths) in line.kinds().iter().enumerate() {
            if has_primary && lengths.last() != Some(&2) {
                continue;
            }
            let mut placements = line.of_kind(kind as KindId).to_vec();
            placements.retain(|&id| {
                let right = if has_primary { u8::MAX << last_start(line, id) } else { 0 };
                (line.placement(id).cells | right) & walls == 0
            });
            if has_primary {
                placements.sort_by_key(|&id| (last_start(line, id), id));
            }
            if placements.is_empty() {
                continue;
            }
            row.kind_digit[kind] = row.placements.len() as u8;
            for (digit, &id) in placements.iter().enumerate() {
                row.digit[id as usize] = digit as u8;
            }
            row.placements.push(placements);
        }
        row
    }

    /// How many kinds the row may have.
    #[inline]
    pub fn kinds(&self) -> usize {
        self.placements.len()
    }

    /// The placements of the kind with this number among the row's.
    #[inline]
    pub fn placements(&self, kind: usize) -> &[PlacementId] {
        &self.placements[kind]
    }

    /// The number of a kind among the row's.
    #[inline]
    pub fn kind_digit(&self, kind: KindId) -> usize {
        debug_assert_ne!(self.kind_digit[kind as usize], NO_DIGIT, "a kind of the row");
        self.kind_digit[kind as usize] as usize
    }

    /// The number of a placement among those of its kind.
    #[inline]
    pub fn digit(&self, id: PlacementId) -> usize {
        debug_assert_ne!(self.digit[id as usize], NO_DIGIT, "a placement of the row");
        self.digit[id as usize] as usize
    }

    /// Whether the row may hold a placement.
    pub fn holds(&self, id: PlacementId) -> bool {
        self.digit[id as usize] != NO_DIGIT
    }
}

/// The cell where the last vehicle of a placement starts.
pub fn last_start(line: &Line, id: PlacementId) -> usize {
    line.placement(id).vehicles.last().expect("the primary's row holds the primary").0 as usize
}
