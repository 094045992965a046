//! One line of a board: every way to put cars and trucks into N cells.
//!
//! A *placement* is one such way, a *kind* is the order of lengths in it. The
//! tables here answer, for a mask of cells that are taken by crossing
//! vehicles, which placements still fit and what number each of them has
//! among those that fit. They are filled from the naive rule (place a car, a
//! truck or nothing, cell by cell) and have a few thousand entries.

use std::sync::{Arc, OnceLock};

use super::{MAX_SIZE, MIN_SIZE, column_mask};
use crate::board::Metric;

/// The most placements a line has: 24 for six cells, 44 for seven.
pub const MAX_PLACEMENTS: usize = placements_in(MAX_SIZE);
/// The most kinds a line has: 8 for six cells, 11 for seven.
pub const MAX_KINDS: usize = kinds_in(MAX_SIZE);
/// The most placements of one kind: 6 for six cells, 10 for seven.
pub(super) const MAX_OF_KIND: usize = most_of_kind_in(MAX_SIZE);
/// The masks of a line.
pub const MASKS: usize = 1 << MAX_SIZE;
/// The pairs of masks of two neighbouring lines.
pub(super) const PAIRS: usize = MASKS * MASKS;
/// For every pair of masks how many pairs of placements fit.
pub(super) type PairsFitting = [u32; PAIRS];
/// In [`Line::digit`]: the placement does not fit the mask.
pub const NO_DIGIT: u8 = u8::MAX;

/// A placement's number in [`Line`]: placements of one kind are neighbours.
pub type PlacementId = u8;
/// A kind's number: by count of vehicles, then by their lengths.
pub type KindId = u8;

/// One way to put vehicles into a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// Start and length of every vehicle, in order.
    pub vehicles: Vec<(u8, u8)>,
    /// The cells they cover, cell i as bit i.
    pub cells: u8,
    /// The order of their lengths.
    pub kind: KindId,
}

/// A slide of one vehicle of a placement: the placements it passes, nearest
/// first, each with the cell that is newly covered on the way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slide {
    /// Where the slide leads, one cell further each time.
    pub stops: Vec<(PlacementId, u8)>,
}

/// The tables of a line of `cells` cells.
#[derive(Debug)]
pub struct Line {
    cells: usize,
    placements: Vec<Placement>,
    kinds: Vec<Vec<u8>>,
    of_kind: Vec<Vec<PlacementId>>,
    slides: Vec<Vec<Slide>>,
    fit: Vec<Vec<PlacementId>>,
    digit: Vec<[u8; MAX_PLACEMENTS]>,
    kind_first: Vec<[u8; MAX_KINDS + 1]>,
    by_shape: Vec<PlacementId>,
    pairs_fitting: Arc<PairsFitting>,
}

impl Line {
    /// The tables for a line of 4 to 7 cells, which all spaces share.
    pub fn of(cells: usize) -> Arc<Line> {
        static LINES: [OnceLock<Arc<Line>>; MAX_SIZE + 1] = [const { OnceLock::new() }; MAX_SIZE + 1];
        LINES[cells].get_or_init(|| Arc::new(Line::new(cells))).clone()
    }

    /// Fills the tables for a line of 4 to 7 cells.
    pub fn new(cells: usize) -> Line {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&cells), "a line of {cells} cells has no numbers");
        let mut shapes = Vec::new();
        place(cells as u8, 0, &mut Vec::new(), &mut shapes);
        let lengths = |shape: &[(u8, u8)]| shape.iter().map(|v| v.1).collect::<Vec<u8>>();
        shapes.sort_by_key(|s: &Vec<(u8, u8)>| (s.len(), lengths(s), s.clone()));
        let mut kinds: Vec<Vec<u8>> = shapes.iter().map(|s| lengths(s)).collect();
        kinds.dedup();

        let mut by_shape = vec![u8::MAX; MASKS * MASKS];
        let mut of_kind = vec![Vec::new(); kinds.len()];
        let placements: Vec<Placement> = shapes
            .into_iter()
            .enumerate()
            .map(|(id, vehicles)| {
                let kind = kinds.iter().position(|k| *k == lengths(&vehicles)).expect("listed above");
                let cells = vehicles.iter().fold(0, |m, &(s, l)| m | run(s, l));
                let slot = &mut by_shape[shape_key(&vehicles)];
                assert_eq!(*slot, u8::MAX, "two placements share a shape");
                *slot = id as u8;
                of_kind[kind].push(id as u8);
                Placement { vehicles, cells, kind: kind as u8 }
            })
            .collect();

        let mut fit = vec![Vec::new(); MASKS];
        let mut digit = vec![[NO_DIGIT; MAX_PLACEMENTS]; MASKS];
        let mut kind_first = vec![[0; MAX_KINDS + 1]; MASKS];
        for mask in 0..MASKS {
            for (id, p) in placements.iter().enumerate() {
                if p.cells as usize & mask == 0 {
                    digit[mask][id] = fit[mask].len() as u8;
                    fit[mask].push(id as u8);
                    kind_first[mask][p.kind as usize + 1] += 1;
                }
            }
            for k in 0..MAX_KINDS {
                kind_first[mask][k + 1] += kind_first[mask][k];
            }
        }
        let slides = placements.iter().map(|p| slides_of(cells as u8, p, &by_shape)).collect();
        let fitting = |two: usize, column| fit[column_mask(two as u64, column) as usize].len() as u32;
        let pairs_fitting = Arc::new(std::array::from_fn(|two| fitting(two, 0) * fitting(two, 1)));
        Line { cells, placements, kinds, of_kind, slides, fit, digit, kind_first, by_shape, pairs_fitting }
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// All placements, those of one kind together.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// One placement.
    pub fn placement(&self, id: PlacementId) -> &Placement {
        &self.placements[id as usize]
    }

    /// The lengths that make each kind.
    pub fn kinds(&self) -> &[Vec<u8>] {
        &self.kinds
    }

    /// The placements of a kind.
    pub fn of_kind(&self, kind: KindId) -> &[PlacementId] {
        &self.of_kind[kind as usize]
    }

    /// The slides of a placement's vehicles, each in one direction.
    pub fn slides(&self, id: PlacementId) -> &[Slide] {
        &self.slides[id as usize]
    }

    /// The placements that one move leads to when the cells of `mask` are taken.
    pub fn stops(
        &self,
        mask: u8,
        from: PlacementId,
        metric: Metric,
    ) -> impl Iterator<Item = PlacementId> + '_ {
        self.slides(from).iter().flat_map(move |slide| {
            let free = move |stop: &&(PlacementId, u8)| mask >> stop.1 & 1 == 0;
            slide.stops.iter().take(metric.reach()).take_while(free).map(|stop| stop.0)
        })
    }

    /// How many pairs of placements fit two neighbouring masks, by both masks,
    /// [`MAX_SIZE`] bits each.
    pub(super) fn pairs_fitting(&self) -> &Arc<PairsFitting> {
        &self.pairs_fitting
    }

    /// The placements that leave the cells of `mask` free, in order.
    #[inline]
    pub fn fit(&self, mask: u8) -> &[PlacementId] {
        &self.fit[mask as usize]
    }

    /// How many placements leave the cells of `mask` free.
    #[inline]
    pub fn fitting(&self, mask: u8) -> usize {
        self.kind_first[mask as usize][MAX_KINDS] as usize
    }

    /// The number of a placement among those that fit, or [`NO_DIGIT`].
    #[inline]
    pub fn digit(&self, mask: u8, id: PlacementId) -> u8 {
        self.digit[mask as usize][id as usize]
    }

    /// The digits of the placements of one kind among those that fit `mask`.
    #[inline]
    pub fn kind_digits(&self, mask: u8, kind: KindId) -> std::ops::Range<usize> {
        let first = &self.kind_first[mask as usize];
        first[kind as usize] as usize..first[kind as usize + 1] as usize
    }

    /// The placement with these vehicles (start and length, in order), if the
    /// space has it: cars and trucks only.
    pub fn find(&self, vehicles: &[(u8, u8)]) -> Option<PlacementId> {
        if vehicles.iter().any(|&(s, l)| !(2..=3).contains(&l) || (s + l) as usize > self.cells) {
            return None;
        }
        let id = self.by_shape[shape_key(vehicles)];
        (id != u8::MAX).then_some(id)
    }
}

/// How many ways there are to fill so many cells: the first stays empty or
/// starts a car or a truck.
const fn placements_in(cells: usize) -> usize {
    match cells {
        0 | 1 => 1,
        2 => 2,
        _ => placements_in(cells - 1) + placements_in(cells - 2) + placements_in(cells - 3),
    }
}

/// How many orders of lengths fit so many cells: none, or a first length and
/// an order for the rest.
const fn kinds_in(cells: usize) -> usize {
    match cells {
        0 | 1 => 1,
        2 => 2,
        _ => 1 + kinds_in(cells - 2) + kinds_in(cells - 3),
    }
}

/// The most placements that one order of lengths has: that of some number of
/// cars, which leave the most cells to the gaps between them.
const fn most_of_kind_in(cells: usize) -> usize {
    let (mut most, mut cars) = (1, 1);
    while 2 * cars <= cells {
        // The ways to choose the cars out of the cars and empty cells in a row.
        let (mut ways, mut i) = (1, 0);
        while i < cars {
            ways = ways * (cells - cars - i) / (i + 1);
            i += 1;
        }
        if ways > most {
            most = ways;
        }
        cars += 1;
    }
    most
}

/// The cells of one vehicle.
fn run(start: u8, len: u8) -> u8 {
    ((1 << len) - 1) << start
}

/// Cells covered and cells where a vehicle starts: enough to tell any two
/// placements apart.
fn shape_key(vehicles: &[(u8, u8)]) -> usize {
    vehicles.iter().fold(0, |key, &(s, l)| key | run(s, l) as usize | 1 << (MAX_SIZE as u8 + s))
}

/// The naive rule: from cell `at` on, leave it empty or start a vehicle there.
fn place(cells: u8, at: u8, so_far: &mut Vec<(u8, u8)>, out: &mut Vec<Vec<(u8, u8)>>) {
    if at >= cells {
        out.push(so_far.clone());
        return;
    }
    place(cells, at + 1, so_far, out);
    for len in 2..=3 {
        if at + len <= cells {
            so_far.push((at, len));
            place(cells, at + len, so_far, out);
            so_far.pop();
        }
    }
}

/// The slides of every vehicle of `p` in both directions.
fn slides_of(cells: u8, p: &Placement, by_shape: &[PlacementId]) -> Vec<Slide> {
    let mut slides = Vec::new();
    for v in 0..p.vehicles.len() {
        for forward in [false, true] {
            let mut now = p.vehicles.clone();
            let mut others = p.cells & !run(now[v].0, now[v].1);
            let mut stops = Vec::new();
            loop {
                let (start, len) = now[v];
                let entered = if forward { start + len } else { start.wrapping_sub(1) };
                if entered >= cells || others >> entered & 1 == 1 {
                    break;
                }
                now[v].0 = if forward { start + 1 } else { start - 1 };
                stops.push((by_shape[shape_key(&now)], entered));
                others &= !run(now[v].0, len);
            }
            if !stops.is_empty() {
                slides.push(Slide { stops });
            }
        }
    }
    slides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_counts_of_the_design() {
        let line = Line::new(6);
        assert_eq!((line.placements().len(), line.kinds().len()), (24, 8));
        let sizes = |line: &Line| line.of_kind.iter().map(Vec::len).collect::<Vec<usize>>();
        assert_eq!(sizes(&line), [1, 5, 4, 6, 3, 3, 1, 1]);

        let line = Line::new(7);
        assert_eq!((line.placements().len(), MAX_PLACEMENTS), (44, 44));
        assert_eq!((line.kinds().len(), MAX_KINDS, MAX_OF_KIND), (11, 11, 10));
        assert_eq!(sizes(&line), [1, 6, 5, 10, 6, 6, 3, 4, 1, 1, 1]);
    }

    #[test]
    fn digits_number_what_fits_without_gaps() {
        for cells in MIN_SIZE..=MAX_SIZE {
            let line = Line::new(cells);
            for mask in 0..1u8 << cells {
                assert_eq!(line.fit(mask).len(), line.fitting(mask));
                for (d, &p) in line.fit(mask).iter().enumerate() {
                    assert_eq!(line.placement(p).cells & mask, 0);
                    assert_eq!(line.digit(mask, p) as usize, d);
                    assert!(line.kind_digits(mask, line.placement(p).kind).contains(&d));
                }
            }
        }
    }

    #[test]
    fn slides_stay_in_the_kind_and_can_be_undone() {
        let line = Line::new(7);
        for id in 0..44u8 {
            for stop in line.slides(id).iter().flat_map(|s| &s.stops) {
                assert_eq!(line.placement(stop.0).kind, line.placement(id).kind);
                let back = line.slides(stop.0).iter().flat_map(|s| &s.stops).any(|s| s.0 == id);
                assert!(back, "{id} -> {} has no way back", stop.0);
            }
        }
    }

    #[test]
    fn find_knows_every_placement_and_nothing_else() {
        let line = Line::new(5);
        for (id, p) in line.placements().iter().enumerate() {
            assert_eq!(line.find(&p.vehicles), Some(id as u8));
        }
        assert_eq!(line.find(&[(0, 4)]), None);
        assert_eq!(line.find(&[(3, 3)]), None);
    }
}
