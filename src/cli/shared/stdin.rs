//! Standard input, which a signal ends.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use super::interrupt;

/// What one read may bring.
const CHUNK: usize = 1 << 16;
/// Chunks that wait to be read.
const WAITING: usize = 4;
/// How long a signal may go unnoticed.
const NOTICED: Duration = Duration::from_millis(20);

/// Standard input up to its end, or to the first signal. Nothing wakes a thread
/// that waits for input, so another one waits.
pub struct Stdin {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
}

impl Stdin {
    pub fn open() -> Stdin {
        let (sender, chunks) = sync_channel(WAITING);
        std::thread::spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK];
                let read = io::stdin().read(&mut chunk).map(|len| {
                    chunk.truncate(len);
                    chunk
                });
                let is_last = read.as_ref().is_ok_and(Vec::is_empty);
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Stdin { chunks, chunk: io::Cursor::default() }
    }
}

impl Read for Stdin {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while !interrupt::is_raised() {
            let len = self.chunk.read(bytes)?;
            if len > 0 || bytes.is_empty() {
                return Ok(len);
            }
            match self.chunks.recv_timeout(NOTICED) {
                Ok(chunk) => self.chunk = io::Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(0)
    }
}
