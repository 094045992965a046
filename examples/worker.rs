//! A worker that answers on a thread of its own: a session owns all it needs.
//!
//! ```text
//! cargo run --release --example worker -- db
//! ```
//!
//! Without a folder of tables every board is searched.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tailback::board::{Board, Metric};
use tailback::cluster::Bounds;
use tailback::probe::{Prober, Session};

struct Worker {
    session: Session,
    questions: Receiver<Board>,
    answers: Sender<String>,
}

impl Worker {
    fn work(mut self) {
        for board in &self.questions {
            let answer = self.session.solve(&board, Metric::Moves, Bounds::from(1_000_000));
            let text = match answer {
                Ok(answer) => format!("{board}\n{} moves, by {:?}\n", answer.distance, answer.source),
                Err(error) => format!("{board}\n{error}\n"),
            };
            if self.answers.send(text).is_err() {
                return;
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let prober = std::env::args().nth(1).map_or(Ok(Prober::without_tables()), Prober::open)?;
    let ((ask, questions), (answers, answered)) = (channel(), channel());
    let worker = Worker { session: prober.session(), questions, answers };
    let thread = thread::spawn(|| worker.work());
    for text in ["BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"] {
        ask.send(Board::parse(text)?)?;
        println!("{}", answered.recv()?);
    }
    drop(ask);
    thread.join().expect("the worker does not panic");
    Ok(())
}
