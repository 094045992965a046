//! The placements of a column that slides of that column alone connect.
//!
//! Cells taken by rows cut a column into stretches, and no vehicle leaves its
//! stretch while the rows stand still. So the placements that fit a mask fall
//! into *classes*: two are in the same class if vertical slides lead from one
//! to the other. A free column of six cells has 24 placements in 8 classes, one of
//! seven 44 in 11.

use super::minimal::Without;
use crate::board::Metric;
use crate::space::edges::EdgeMasks;
use crate::space::line::{KindId, MASKS, MAX_KINDS, MAX_PLACEMENTS};
use crate::space::{MAX_SIZE, Space};

/// The most classes a mask has: the kinds of a free column.
pub const MAX_CLASSES: usize = MAX_KINDS;

/// The classes of a column under one mask. The first is the empty column.
#[derive(Debug, Clone)]
pub struct ColumnClasses {
    /// How many there are.
    pub count: u8,
    /// The class of each placement that fits, by its digit.
    pub of_digit: [u8; MAX_PLACEMENTS],
    /// How many placements each class has.
    pub placements: [u8; MAX_CLASSES],
    /// The kind of each class.
    pub kinds: [KindId; MAX_CLASSES],
    /// For each cell that is free: the class that holds a class of the column
    /// with that cell taken as well.
    pub around: [[u8; MAX_CLASSES]; MAX_SIZE],
    /// For each cell that is free: the classes with a placement that leaves it free, a
    /// bit each.
    pub open: [u16; MAX_SIZE],
}

impl ColumnClasses {
    const NONE: ColumnClasses = ColumnClasses {
        count: 0,
        of_digit: [0; MAX_PLACEMENTS],
        placements: [0; MAX_CLASSES],
        kinds: [0; MAX_CLASSES],
        around: [[0; MAX_CLASSES]; MAX_SIZE],
        open: [0; MAX_SIZE],
    };

    /// All classes, a bit each.
    #[inline]
    pub fn all(&self) -> u16 {
        (1 << self.count) - 1
    }
}

/// The classes under every mask.
#[derive(Debug)]
pub struct Classes {
    columns: Vec<ColumnClasses>,
    /// For two masks of the edge columns.
    pairs: Vec<Pairs>,
}

/// The edge pairs under two masks of the edge columns, and their pairs of classes.
#[derive(Debug, Default)]
pub struct Pairs {
    /// The pair of classes of each edge pair.
    pub classes: Box<[u8]>,
    by_class: Lists,
    without_one: Lists,
}

impl Pairs {
    /// The edge pairs of a pair of classes.
    #[inline]
    pub fn of_class(&self, class: usize) -> &[u16] {
        self.by_class.get(class)
    }

    /// What is left of an edge pair without one vehicle.
    #[inline]
    pub fn without_one(&self, pair: usize) -> &[u16] {
        self.without_one.get(pair)
    }
}

/// Some lists, one after the other.
#[derive(Debug, Default)]
struct Lists {
    all: Box<[u16]>,
    /// Where each begins, and the end.
    first: Box<[u16]>,
}

impl Lists {
    fn new(lists: impl IntoIterator<Item = Vec<u16>>) -> Lists {
        let (mut all, mut first) = (Vec::new(), vec![0]);
        for list in lists {
            all.extend(list);
            first.push(u16::try_from(all.len()).expect("they are short"));
        }
        Lists { all: all.into(), first: first.into() }
    }

    #[inline]
    fn get(&self, number: usize) -> &[u16] {
        &self.all[usize::from(self.first[number])..usize::from(self.first[number + 1])]
    }
}

impl Classes {
    /// The classes of the columns of a space.
    pub fn new(space: &Space, without: &Without) -> Classes {
        let line = space.line();
        let masks = 1u8 << line.cells();
        let mut columns = vec![ColumnClasses::NONE; MASKS];
        for mask in 0..masks {
            let column = &mut columns[mask as usize];
            for (digit, &id) in line.fit(mask).iter().enumerate() {
                // Whoever comes first names the class of all that it reaches.
                if line.fit(mask)[..digit].iter().any(|&before| reaches(space, mask, before, id)) {
                    continue;
                }
                let class = column.count;
                column.count += 1;
                column.kinds[class as usize] = line.placement(id).kind;
                for (other, &to) in line.fit(mask).iter().enumerate() {
                    if reaches(space, mask, id, to) {
                        column.of_digit[other] = class;
                        column.placements[class as usize] += 1;
                    }
                }
            }
            let counted: usize = column.placements.iter().map(|&n| n as usize).sum();
            assert_eq!(counted, line.fitting(mask), "every placement is in one class");
        }
        for mask in 0..masks {
            for cell in (0..line.cells()).filter(|cell| mask >> cell & 1 == 0) {
                let more = mask | 1 << cell;
                for (digit, &id) in line.fit(more).iter().enumerate() {
                    let class = columns[more as usize].of_digit[digit];
                    let around = columns[mask as usize].of_digit[line.digit(mask, id) as usize];
                    columns[mask as usize].around[cell][class as usize] = around;
                    columns[mask as usize].open[cell] |= 1 << around;
                }
            }
        }
        let pairs = (0..MASKS * MASKS)
            .map(|both| {
                let (left, right) = ((both / MASKS) as u8, (both % MASKS) as u8);
                if left >= masks || right >= masks {
                    return Pairs::default();
                }
                let (l, r) = (&columns[left as usize], &columns[right as usize]);
                let masks = EdgeMasks { left, right };
                let class = |digit| {
                    let pair = masks.pair(line, digit);
                    let a = l.of_digit[line.digit(left, pair.left) as usize];
                    let b = r.of_digit[line.digit(right, pair.right) as usize];
                    a * r.count + b
                };
                let pairs = 0..masks.pairs(line);
                let classes: Box<[u8]> = pairs.clone().map(class).collect();
                let of_class = |class| {
                    let pairs = pairs.clone().filter(|&pair| classes[pair] == class);
                    pairs.map(|pair| pair as u16).collect()
                };
                let by_class = Lists::new((0..l.count * r.count).map(of_class));
                let without_one = |pair| without.pairs(line, masks, pair).map(|pair| pair as u16).collect();
                let without_one = Lists::new(pairs.clone().map(without_one));
                Pairs { by_class, without_one, classes }
            })
            .collect();
        Classes { columns, pairs }
    }

    /// The classes under a mask.
    #[inline]
    pub fn column(&self, mask: u8) -> &ColumnClasses {
        &self.columns[mask as usize]
    }

    /// The edge pairs under these masks.
    #[inline]
    pub fn pairs(&self, left: u8, right: u8) -> &Pairs {
        &self.pairs[left as usize * MASKS + right as usize]
    }
}

/// Whether slides of one column lead from a placement to another.
fn reaches(space: &Space, mask: u8, from: u8, to: u8) -> bool {
    let line = space.line();
    let mut seen = 1u64 << from;
    let mut queue = vec![from];
    while let Some(id) = queue.pop() {
        for next in line.stops(mask, id, Metric::Steps) {
            if seen >> next & 1 == 0 {
                seen |= 1 << next;
                queue.push(next);
            }
        }
    }
    seen >> to & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_column_has_one_class_a_kind() {
        for size in 4..=7 {
            let space = Space::of_size(size).expect("tabulated");
            let classes = Classes::new(&space, &Without::new(space.line()));
            let free = classes.column(0);
            assert_eq!(free.count as usize, space.line().kinds().len());
            assert_eq!(classes.column((1 << size) - 1).count, 1);
        }
    }

    #[test]
    fn a_taken_cell_splits_a_column() {
        // Two cells above the taken one and three below: a car may stand above
        // or below and cannot pass.
        let space = Space::of_size(6).expect("tabulated");
        let column = Classes::new(&space, &Without::new(space.line())).column(0b000100).clone();
        let of_one_car = (0..column.count as usize).filter(|&c| column.kinds[c] == 1).count();
        assert_eq!(of_one_car, 2);
    }
}
