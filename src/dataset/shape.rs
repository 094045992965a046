//! What boards are made of, as a condition for those that are drawn.

use crate::catalogue::{Column, Inventory, Query, Range};
use crate::space::{Position, SignatureId, Space};

/// How many vehicles of which lengths, how many free cells, which kinds of
/// lines. No move changes any of these, and a position shows them at a glance;
/// all other columns of a puzzle take a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    ranges: Vec<(Column, Range)>,
    kinds: u64,
    inventory: Option<Inventory>,
}

impl Shape {
    /// The conditions of a query; the column that a drawn board has not if there is one.
    pub fn of(query: &Query) -> Result<Shape, Column> {
        let of_shape =
            |column| matches!(column, Column::Vehicles | Column::Cars | Column::Trucks | Column::FreeCells);
        match query.ranges.iter().find(|(column, _)| !of_shape(*column)) {
            Some((other, _)) => Err(*other),
            None => {
                Ok(Shape { ranges: query.ranges.clone(), kinds: query.kinds, inventory: query.inventory })
            }
        }
    }

    /// Does a board meet all conditions?
    pub fn fits(&self, space: &Space, position: &Position) -> bool {
        let size = space.size();
        let lines = position.rows[..size].iter().chain(&position.columns[..size]);
        let vehicles = lines.flat_map(|&id| &space.line().placement(id).vehicles);
        let counts = VehicleCounts::of(vehicles.map(|&(_, len)| len), size);
        self.ranges.iter().all(|&(column, range)| range.contains(counts.value(column)))
            && u64::from(space.kinds_in(position)) & self.kinds == self.kinds
            && self.inventory.is_none_or(|at_hand| counts.are_at_hand(at_hand))
    }

    /// Can a board of the signature meet them? Its columns only add vehicles.
    pub fn may_fit(&self, space: &Space, id: SignatureId) -> bool {
        let counts = VehicleCounts::of(space.row_kinds(id).flatten().copied(), space.size());
        let may_be = |&(column, range): &(Column, Range)| match column {
            Column::FreeCells => range.meets(0, counts.value(column)),
            _ => range.meets(counts.value(column), u64::MAX),
        };
        self.ranges.iter().all(may_be) && self.inventory.is_none_or(|at_hand| counts.are_at_hand(at_hand))
    }
}

/// How many vehicles there are.
struct VehicleCounts {
    cars: u64,
    trucks: u64,
    cells: u64,
}

impl VehicleCounts {
    fn of(lengths: impl Iterator<Item = u8>, size: usize) -> VehicleCounts {
        let mut counts = VehicleCounts { cars: 0, trucks: 0, cells: (size * size) as u64 };
        lengths.for_each(|len| *if len == 2 { &mut counts.cars } else { &mut counts.trucks } += 1);
        counts
    }

    /// What a column of a shape says.
    fn value(&self, column: Column) -> u64 {
        match column {
            Column::Cars => self.cars,
            Column::Trucks => self.trucks,
            Column::Vehicles => self.cars + self.trucks,
            _ => self.cells - 2 * self.cars - 3 * self.trucks,
        }
    }

    fn are_at_hand(&self, at_hand: Inventory) -> bool {
        self.cars <= at_hand.cars && self.trucks <= at_hand.trucks
    }
}
