//! `tailback solve`: one shortest solution, or what a search by name finds.

mod animate;
mod instances;
mod search;

use clap::Args;
use tailback::answers::{BoardAnswer, Searched, Solution as Answer, written};
use tailback::board::{Board, Move};
use tailback::probe::{ProbeError, Session};
use tailback::render::terminal;
use tailback::search::{Report, Stop, Verdict};

use crate::shared::boards::{Boards, Input};
use crate::shared::{Failure, Global, LimitArgs, PuzzleOption, Result, interrupt, output};
use search::{SearchArgs, SearchPlan};

const EXAMPLES: &str = "\
Examples:
  tailback solve BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo
  tailback solve --animate BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo
  tailback solve --count --json '..B. AAB. .... ....'
  tailback solve --file boards.txt > answers.jsonl
  tailback solve --heuristic blocking BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo
  tailback solve --algorithm wida-tt:1.5 --max-nodes 1000000 '..B. AAB. .... ....'
  tailback solve --puzzle eight --heuristic manhattan 867254301

Boards are written as for `tailback lookup`. A move is a letter and a number
of cells: B+2 is right or down by two, C-1 is left or up by one.

With --algorithm or --heuristic the board is searched, whatever table there is,
and the nodes are counted.";

/// Solve a board in the fewest moves or steps
#[derive(Args)]
#[command(
    after_help = format!("{EXAMPLES}\n\n{}", search::names()),
    mut_arg("max_nodes", |arg| arg.requires("search")),
    mut_arg("max_seconds", |arg| arg.requires("search")),
    mut_arg("max_memory", |arg| arg.requires("search")),
    mut_arg("no_distinct", |arg| arg.requires("search")),
)]
pub struct Solve {
    #[command(flatten)]
    boards: Boards,
    /// Count the optimal solutions, too
    #[arg(long, conflicts_with = "search")]
    count: bool,
    /// Draw the board after every move
    #[arg(long = "boards")]
    draw: bool,
    /// Play the solution, with keys to pause, to step and for speed; without a terminal the same as --boards
    #[arg(long)]
    animate: bool,
    /// Moves a second of --animate, from 0.1 to 20
    #[arg(long, value_name = "N", default_value_t = 2.0, value_parser = speed, requires = "animate")]
    speed: f64,
    #[command(flatten)]
    puzzle: PuzzleOption,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Solve {
    pub fn run(&self, global: &Global) -> Result<()> {
        let puzzle = self.puzzle.named;
        let plan = self.search.plan(puzzle, self.boards.metric)?;
        if !puzzle.has_boards() {
            return self.instances(global, plan);
        }
        let input = self.boards.input(global)?;
        if matches!(input, Input::Many(_)) && (self.draw || self.animate) {
            return Err(Failure::misused("--boards and --animate show one board, not many"));
        }
        match (plan, input) {
            (None, Input::One(board)) => self.solve(global, &board),
            (None, Input::Many(input)) => self.boards.batch(global, input, |s, board| self.answer(s, board)),
            (Some(plan), Input::One(board)) => self.search(global, &plan, &board),
            (Some(plan), Input::Many(input)) => {
                let options = &self.boards.options;
                let (prober, bounds, limits) =
                    (options.prober(global), options.bounds(), self.limits.limits()?);
                self.boards.batch(global, input, |_, board| {
                    Ok(self.searched(&plan, board, &plan.search(board, &prober, bounds, &limits)?))
                })
            }
        }
    }

    fn solve(&self, global: &Global, board: &Board) -> Result<()> {
        let (prober, bounds) = (self.boards.options.prober(global), self.boards.options.bounds());
        let mut session = prober.session();
        let is_counted;
        if global.json {
            let answer = self.answer(&mut session, board)?;
            let answer = answer.explained(&mut session, board, bounds)?;
            output::json(&answer)?;
            is_counted = !matches!(answer.optimal_solutions, Some(None));
        } else {
            let answer = session.solve(board, self.boards.metric, bounds)?;
            let solution = answer.solution.as_deref().unwrap_or_default();
            self.show(board, solution)?;
            let mut text = self.boards.sentence(&mut session, board, (answer.distance, answer.source))?;
            let mut uncounted = None;
            if self.count {
                match session.optimal_solutions(board, self.boards.metric, bounds) {
                    Ok(count) => text += &format!("Optimal solutions: {count}.\n"),
                    Err(ProbeError::Cluster(error)) => uncounted = Some(error),
                    Err(error) => return Err(error.into()),
                }
            }
            output::text(&(text + &listed(board, solution)))?;
            is_counted = uncounted.is_none();
            if let Some(error) = uncounted {
                output::note(&format!("note: the optimal solutions are not counted: {error}"));
            }
            self.boards.hint(&global.db(), board, answer.source);
        }
        match !is_counted && interrupt::is_raised() {
            true => Err(Stop::Interrupted.into()),
            false => Ok(()),
        }
    }

    fn answer(&self, session: &mut Session, board: &Board) -> Result<Answer, ProbeError> {
        Answer::of(session, board, self.boards.metric, self.count, self.boards.options.bounds())
    }

    fn search(&self, global: &Global, plan: &SearchPlan, board: &Board) -> Result<()> {
        let limits = self.limits.limits()?;
        let options = &self.boards.options;
        let report = plan.search(board, &options.prober(global), options.bounds(), &limits)?;
        if global.json {
            output::json(&self.searched(plan, board, &report))?;
        } else {
            let solution = report.solution().map_or(&[][..], |solution| &solution.actions);
            self.show(board, solution)?;
            output::text(&(plan.in_words(&report) + &listed(board, solution)))?;
        }
        match report.verdict {
            Verdict::Stopped { reason, .. } => Err(reason.into()),
            _ => Ok(()),
        }
    }

    fn searched(&self, plan: &SearchPlan, board: &Board, report: &Report<Move>) -> Answer {
        let solution = report.solution();
        let solvable = match report.verdict {
            Verdict::Stopped { .. } => None,
            _ => Some(solution.is_some()),
        };
        // Every distance is exact: another solution has a length only.
        let distance = solution.filter(|solution| solution.proven_optimal).map(|solution| solution.cost);
        Answer {
            found: BoardAnswer::searched(board, self.boards.metric, solvable, distance),
            solution: solution.map(|solution| written(board, &solution.actions)),
            search: Some(Searched::new(&plan.method, report)),
            optimal_solutions: None,
        }
    }

    /// Draws the board, and with a flag all that follow.
    fn show(&self, board: &Board, solution: &[Move]) -> Result<()> {
        if self.animate && animate::is_possible() {
            return animate::play(board, solution, self.speed);
        }
        let colour = output::colour();
        output::text(&terminal::board(board, colour))?;
        if !self.draw && !self.animate {
            return Ok(());
        }
        let mut board = board.clone();
        for (index, &mv) in solution.iter().enumerate() {
            let title = format!("{}. {}", index + 1, board.in_words(mv));
            board = board.apply(mv)?;
            output::text(&format!("\n{title}\n{}", terminal::board(&board, colour)))?;
        }
        Ok(())
    }
}

fn speed(text: &str) -> Result<f64, String> {
    let (least, most) = animate::SPEEDS;
    match text.parse() {
        Ok(speed) if (least..=most).contains(&speed) => Ok(speed),
        _ => Err(format!("a number of moves a second, from {least} to {most}")),
    }
}

/// The moves under an empty line, if there are any.
fn listed(board: &Board, moves: &[Move]) -> String {
    if moves.is_empty() {
        return String::new();
    }
    format!("\n{}", output::listed(moves.iter().map(|&mv| board.in_words(mv))))
}
