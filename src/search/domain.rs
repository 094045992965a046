//! What a search needs to know of a puzzle, and of a guess about it.

use std::hash::Hash;

use super::Value;

/// A puzzle: states, what leads from one to the next, and when it is done.
///
/// The algorithms know nothing else, so another puzzle needs no change in
/// them. States should be small: they are copied and hashed all the time.
///
/// ```
/// use tailback::search::{Algorithm, Blind, Domain, Limits, Verdict, run};
///
/// /// Count from 1 to 10, adding one or doubling.
/// struct Ten;
///
/// impl Domain for Ten {
///     type State = u32;
///     type Action = char;
///
///     fn is_goal(&self, &n: &u32) -> bool {
///         n == 10
///     }
///
///     fn for_each_successor(&self, &n: &u32, mut visit: impl FnMut(u32, u32)) {
///         [n + 1, 2 * n].into_iter().filter(|&next| next <= 10).for_each(|next| visit(next, 1));
///     }
///
///     fn action(&self, &from: &u32, &to: &u32) -> char {
///         if to == from + 1 { '+' } else { '*' }
///     }
/// }
///
/// let report = run(Algorithm::BreadthFirst, &Ten, 1, &mut Blind, &Limits::default())?;
/// let Verdict::Solved(solution) = report.verdict else { panic!("there is a way") };
/// assert_eq!(solution.cost, 4);
/// assert!(solution.proven_optimal);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub trait Domain {
    /// Where one can be.
    type State: Copy + Eq + Hash;
    /// What is done to get on, as it is told in a solution.
    type Action;

    /// Is the puzzle done here?
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Calls `visit` with each state that one action leads to, and what the
    /// action costs, which is at least 1. A state that two actions lead to
    /// comes twice, at the same cost: nobody needs the dearer one.
    fn for_each_successor(&self, state: &Self::State, visit: impl FnMut(Self::State, u32));

    /// An action that leads from a state to its successor.
    fn action(&self, from: &Self::State, to: &Self::State) -> Self::Action;

    /// Does every action cost 1? Then the first way that a breadth-first
    /// search finds is a shortest one.
    fn has_unit_costs(&self) -> bool {
        true
    }
}

/// A guess how far a state is from a goal.
pub trait Guide<D: Domain> {
    /// Why there may be no guess.
    type Error;

    /// The guess for a state that was reached from `parent`; the start has
    /// none. [`Value::INFINITE`] is no guess: it says that the state is
    /// *proven* to be hopeless, and the search leaves it out.
    fn estimate(
        &mut self,
        domain: &D,
        state: &D::State,
        parent: Option<&D::State>,
    ) -> Result<Value, Self::Error>;

    /// Is a guess never too high? Then A* finds shortest solutions.
    fn is_admissible(&self) -> bool;
}

/// No guess: always zero.
#[derive(Debug, Clone, Copy)]
pub struct Blind;

impl<D: Domain> Guide<D> for Blind {
    type Error = std::convert::Infallible;

    fn estimate(&mut self, _: &D, _: &D::State, _: Option<&D::State>) -> Result<Value, Self::Error> {
        Ok(Value::ZERO)
    }

    fn is_admissible(&self) -> bool {
        true
    }
}
