//! A solution played on the terminal, with keys.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use tailback::board::{Board, Move};
use tailback::render::terminal as drawn;

use crate::shared::{Failure, Result, output};

/// What every key does, as the last line of a frame says it.
const KEYS: &str = "space pause  ← → step  + - speed  q end";
/// The slowest and the fastest, in moves a second.
pub const SPEEDS: (f64, f64) = (0.1, 20.0);

/// Can a solution be played here?
pub fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !output::is_dumb()
}

/// Plays a solution, so many moves a second, until it ends or somebody ends it.
pub fn play(board: &Board, solution: &[Move], speed: f64) -> Result<()> {
    let mut boards = vec![board.clone()];
    for &mv in solution {
        let next = boards[boards.len() - 1].apply(mv)?;
        boards.push(next);
    }
    let mut player = Player { at: 0, last: solution.len(), is_playing: true, speed };
    let _raw = Raw::new()?;
    let mut lines = 0;
    loop {
        let told = match player.at.checked_sub(1) {
            None => "start".to_owned(),
            Some(index) => board.in_words(solution[index]),
        };
        // Some terminals do not know their size.
        let size = terminal::size().ok().filter(|&(columns, rows)| columns > 0 && rows > 0);
        let (columns, rows) = size.unwrap_or((80, 24));
        let frame = player.frame(&boards[player.at], &told, (usize::from(columns), usize::from(rows)));
        // Back to the top of the last frame.
        let up = if lines > 0 { format!("\x1b[{lines}A") } else { String::new() };
        lines = frame.len();
        let text: String = frame.iter().map(|line| format!("{line}\r\n")).collect();
        let mut out = io::stdout();
        write!(out, "{up}\r\x1b[J{text}")?;
        out.flush()?;
        match player.wait()? {
            Turn::Draw => {}
            Turn::End => return Ok(()),
            Turn::Interrupt => return Err(Failure::interrupted()),
        }
    }
}

/// Keys come one by one and unseen, until it is dropped.
struct Raw;

impl Raw {
    fn new() -> io::Result<Raw> {
        terminal::enable_raw_mode()?;
        Ok(Raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // An error here would have no reader.
        let _ = terminal::disable_raw_mode();
    }
}

/// Where a solution is.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Player {
    /// Moves made.
    at: usize,
    last: usize,
    is_playing: bool,
    /// In moves a second.
    speed: f64,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Draw,
    End,
    Interrupt,
}

impl Player {
    /// Waits for a key, or for the time of the next move.
    fn wait(&mut self) -> io::Result<Turn> {
        let until = Instant::now() + Duration::from_secs_f64(1.0 / self.speed);
        loop {
            let left = if self.is_playing { until - Instant::now() } else { Duration::from_secs(3600) };
            if !event::poll(left)? {
                match self.is_playing {
                    true if self.at == self.last => return Ok(Turn::End),
                    true => {
                        self.at += 1;
                        return Ok(Turn::Draw);
                    }
                    false => continue,
                }
            }
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    if let Some(turn) = self.press(key) {
                        return Ok(turn);
                    }
                }
                Event::Resize(..) => return Ok(Turn::Draw),
                _ => {}
            }
        }
    }

    /// What a key does; nothing if it is none of ours.
    fn press(&mut self, key: KeyEvent) -> Option<Turn> {
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Some(Turn::Interrupt);
            }
            // Some terminals send Ctrl-space by themselves when their input ends.
            KeyCode::Char(_) if key.modifiers.contains(KeyModifiers::CONTROL) => return None,
            KeyCode::Char('q') | KeyCode::Esc => return Some(Turn::End),
            KeyCode::Char(' ') => self.is_playing = !self.is_playing,
            KeyCode::Right | KeyCode::Char('n') => self.step(self.last.min(self.at + 1)),
            KeyCode::Left | KeyCode::Char('p') => self.step(self.at.saturating_sub(1)),
            KeyCode::Home => self.step(0),
            KeyCode::End => self.step(self.last),
            KeyCode::Char('+' | '=') => self.speed = (self.speed * 1.5).min(SPEEDS.1),
            KeyCode::Char('-') => self.speed = (self.speed / 1.5).max(SPEEDS.0),
            _ => return None,
        }
        Some(Turn::Draw)
    }

    /// Whoever steps wants to look.
    fn step(&mut self, to: usize) {
        (self.at, self.is_playing) = (to, false);
    }

    /// The lines of a frame: as much of the board as there is room for, then where it is.
    fn frame(&self, board: &Board, told: &str, (columns, rows): (usize, usize)) -> Vec<String> {
        let colour = output::colour();
        let framed = drawn::board(board, colour);
        let state = if self.is_playing { "playing" } else { "paused" };
        let status =
            format!("{}/{}  {told}  {state}, {:.1} moves a second  {KEYS}", self.at, self.last, self.speed);
        let status: String = status.chars().take(columns.saturating_sub(1)).collect();
        // The cursor stands in one more row.
        let room = rows.saturating_sub(2);
        let is_wide = columns > 3 * board.size() + 4;
        let mut lines: Vec<String> = match () {
            () if is_wide && framed.lines().count() <= room => framed.lines().map(str::to_owned).collect(),
            () if columns > board.size() && board.size() <= room => board.rows().collect(),
            () => Vec::new(),
        };
        lines.push(status);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player() -> Player {
        Player { at: 2, last: 3, is_playing: true, speed: 2.0 }
    }

    fn after(keys: &[KeyCode]) -> (Player, Option<Turn>) {
        let mut player = player();
        let turn = keys.iter().map(|&key| player.press(KeyEvent::new(key, KeyModifiers::NONE))).last();
        (player, turn.flatten())
    }

    #[test]
    fn keys() {
        use KeyCode::{Char, End, Esc, Home, Left, Right, Up};
        assert_eq!(after(&[Char(' ')]), (Player { is_playing: false, ..player() }, Some(Turn::Draw)));
        assert_eq!(after(&[Char(' '), Char(' ')]).0, player());
        let at = |at| Player { at, is_playing: false, ..player() };
        assert_eq!(after(&[Right]).0, at(3));
        assert_eq!(after(&[Right, Right]).0, at(3));
        assert_eq!(after(&[Left]).0, at(1));
        assert_eq!(after(&[Left, Left, Left]).0, at(0));
        assert_eq!((after(&[Home]).0, after(&[Left, End]).0), (at(0), at(3)));
        assert_eq!(after(&[Char('+')]).0.speed, 3.0);
        assert_eq!(after(&[Char('-'); 100]).0.speed, SPEEDS.0);
        assert_eq!(after(&[Char('+'); 100]).0.speed, SPEEDS.1);
        assert_eq!((after(&[Char('q')]).1, after(&[Esc]).1), (Some(Turn::End), Some(Turn::End)));
        assert_eq!(after(&[Up]), (player(), None));
        let ctrl_c = KeyEvent::new(Char('c'), KeyModifiers::CONTROL);
        assert_eq!(player().press(ctrl_c), Some(Turn::Interrupt));
        assert_eq!(player().press(KeyEvent::new(Char(' '), KeyModifiers::CONTROL)), None);
    }

    #[test]
    fn a_frame_fits_every_terminal() {
        let board = Board::parse("..B. AAB. .... ....").unwrap();
        for columns in 1..100 {
            for rows in 1..30 {
                let frame = player().frame(&board, "B down 2", (columns, rows));
                assert!(frame.len() < rows.max(2), "{columns}×{rows}");
                assert!(frame.iter().all(|line| line.chars().count() <= columns), "{columns}×{rows}");
            }
        }
        let frame = player().frame(&board, "B down 2", (80, 24));
        assert_eq!(frame.len(), 7);
        assert!(
            frame[6].starts_with("2/3  B down 2  playing, 2.0 moves a second  space pause"),
            "{}",
            frame[6]
        );
    }
}
