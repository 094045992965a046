//! Ranks and positions of many boards: a signature laid out is kept for the
//! next board.

use super::{Blocks, Position, Rank, SignatureId, Space};

/// Turns ranks into positions and back. A signature is laid out when it is
/// first met and kept until another one is: many boards of one signature in a
/// row cost a few look-ups each.
///
/// ```
/// use tailback::space::{Rank, Ranker, Space};
///
/// let space = Space::of_size(4).unwrap();
/// let mut ranker = Ranker::new(&space);
/// let position = ranker.position(Rank(5000)).unwrap();
/// assert_eq!(ranker.rank(&position), Rank(5000));
/// assert_eq!(ranker.position(Rank(13_146)), None);
/// ```
#[derive(Debug)]
pub struct Ranker<'s> {
    space: &'s Space,
    held: Option<(SignatureId, Blocks<'s>)>,
}

impl<'s> Ranker<'s> {
    /// A ranker that has laid out nothing yet.
    pub fn new(space: &'s Space) -> Ranker<'s> {
        Ranker { space, held: None }
    }

    /// The space it is for.
    pub fn space(&self) -> &'s Space {
        self.space
    }

    /// The position of a rank, if there is one.
    pub fn position(&mut self, rank: Rank) -> Option<Position> {
        let id = self.space.signature_at(rank)?;
        let number = rank.0 - self.space.first_of(id);
        Some(self.blocks(id).position(number))
    }

    /// The rank of a position.
    pub fn rank(&mut self, position: &Position) -> Rank {
        let id = self.space.signature_of(position);
        let number = self.blocks(id).number(position);
        Rank(self.space.first_of(id) + number)
    }

    fn blocks(&mut self, id: SignatureId) -> &Blocks<'s> {
        let held = self.held.take().filter(|(held, _)| *held == id);
        &self.held.insert(held.unwrap_or_else(|| (id, Blocks::new(self.space, id)))).1
    }
}

impl Space {
    /// The position of a rank, if there is one.
    pub fn position(&self, rank: Rank) -> Option<Position> {
        Ranker::new(self).position(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_positions_are_those_of_the_space() {
        let space = Space::of_size(5).unwrap();
        let mut ranker = Ranker::new(&space);
        // Far apart, then close together.
        for rank in (0..space.boards()).step_by(23_456).chain(7_000_000..7_000_100) {
            let position = ranker.position(Rank(rank));
            assert_eq!(position, space.position(Rank(rank)));
            assert_eq!(ranker.rank(&position.unwrap()), Rank(rank));
        }
        assert_eq!(ranker.position(Rank(space.boards())), None);
    }
}
