//! What a search needs to know of a puzzle, and of a guess about it.

use std::hash::Hash;
use std::num::NonZeroU32;

use super::Value;

/// A puzzle: states, what leads from one to the next, and when it is done.
///
/// The algorithms know nothing else, so another puzzle needs no change in
/// them. States should be small: they are copied and hashed all the time.
///
/// ```
/// use std::num::NonZeroU32;
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
///     fn for_each_successor(&self, &n: &u32, mut visit: impl FnMut(u32, NonZeroU32)) {
///         let next = [n + 1, 2 * n].into_iter().filter(|&next| next <= 10);
///         next.for_each(|next| visit(next, NonZeroU32::MIN));
///     }
///
///     fn action(&self, &from: &u32, &to: &u32) -> char {
///         if to == from + 1 { '+' } else { '*' }
///     }
///
///     fn has_unit_costs(&self) -> bool {
///         true
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
    /// action costs. A state that two actions lead to comes twice, at the same
    /// cost: nobody needs the dearer one.
    ///
    /// No action is free: iterative deepening would go round in circles of free
    /// ones for ever, and the depth of a state would be no bound on its cost. A
    /// puzzle with free actions can take all states between which they lead as
    /// one. A way whose cost does not fit into 32 bits is never called optimal.
    fn for_each_successor(&self, state: &Self::State, visit: impl FnMut(Self::State, NonZeroU32));

    /// An action that leads from a state to its successor.
    fn action(&self, from: &Self::State, to: &Self::State) -> Self::Action;

    /// Does every action cost 1? Then the first way that a breadth-first
    /// search finds is a shortest one, and is said to be proven.
    fn has_unit_costs(&self) -> bool;
}

/// A guess how far a state is from a goal.
///
/// A guide may keep a small value with each state, its memo, and is given that
/// of the parent when it is asked about a successor. So a heuristic that is
/// cheap to bring up to date pays: the memo holds what the next guess starts
/// from. A guide that needs none has `()`, which takes no room and no time.
pub trait Guide<D: Domain> {
    /// Why there may be no guess.
    type Error;
    /// What is kept with each state that a search stores.
    type Memo: Copy;

    /// The guess for a state that was reached from `parent`, and the state's
    /// memo; the start has no parent. [`Value::INFINITE`] is no guess: it says
    /// that the state is *proven* to be hopeless, and the search leaves it out.
    ///
    /// A search that stores states asks once for each, so if guess or memo
    /// depend on the way, the first way that is found decides.
    fn estimate(
        &mut self,
        domain: &D,
        state: &D::State,
        parent: Option<(&D::State, Self::Memo)>,
    ) -> Result<(Value, Self::Memo), Self::Error>;

    /// Is a guess never too high? Then A* finds shortest solutions.
    fn is_admissible(&self) -> bool;
}

/// No guess: always zero.
#[derive(Debug, Clone, Copy)]
pub struct Blind;

impl<D: Domain> Guide<D> for Blind {
    type Error = std::convert::Infallible;
    type Memo = ();

    fn estimate(
        &mut self,
        _: &D,
        _: &D::State,
        _: Option<(&D::State, ())>,
    ) -> Result<(Value, ()), Self::Error> {
        Ok((Value::ZERO, ()))
    }

    fn is_admissible(&self) -> bool {
        true
    }
}
