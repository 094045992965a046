//! Large answers, sent piece by piece.
//!
//! A list is written as its reader takes it: the next piece when the one before is on
//! its way. All pieces that wait for readers share one budget, so memory does not grow
//! with the number of readers, nor with how slow they are; a piece that was sent gives
//! its part back.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::limits;
use super::refusal::Refusal;

/// The budget of all pieces that wait for readers.
pub struct Budget(Arc<Semaphore>);

/// A piece with its part of the budget.
struct Piece {
    bytes: Vec<u8>,
    _part: Option<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// An answer in pieces. Without the last one the connection ends before its time, so
/// that nobody takes a part for the whole.
struct Pieces(Receiver<Result<Bytes, Refusal>>);

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Cut;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<Option<Result<Frame<Bytes>, Cut>>> {
        self.0.poll_recv(cx).map(|piece| piece.map(|piece| piece.map(Frame::data).map_err(|_| Cut)))
    }
}

/// An answer ends before its time.
#[derive(Debug, thiserror::Error)]
#[error("the rest of the answer cannot be written")]
struct Cut;

/// An answer that is written piece by piece.
pub trait Streamed: Send + Sized + 'static {
    /// The next piece, and the source if there is more.
    fn next(self) -> impl Future<Output = Result<(Vec<u8>, Option<Self>), Refusal>> + Send;
}

impl Budget {
    pub fn new() -> Budget {
        Budget(Arc::new(Semaphore::new(limits::WAITING_PIECES)))
    }

    async fn parts(&self, pieces: usize) -> Result<OwnedSemaphorePermit, Refusal> {
        let pieces = pieces.min(limits::WAITING_PIECES) as u32;
        match timeout(limits::WAIT, Arc::clone(&self.0).acquire_many_owned(pieces)).await {
            Ok(parts) => Ok(parts.expect("it is never closed")),
            Err(_) => Err(Refusal::busy("too many answers wait for their readers: try again later")),
        }
    }

    /// A body that is whole already. It gives its part back when all of it was sent.
    pub async fn whole(&self, bytes: Vec<u8>) -> Result<Body, Refusal> {
        if bytes.len() <= limits::PIECE {
            return Ok(Body::from(bytes));
        }
        let part = Some(self.parts(bytes.len().div_ceil(limits::PIECE)).await?);
        Ok(Body::from(Bytes::from_owner(Piece { bytes, _part: part })))
    }

    /// A body that is written as it is read, from its first piece on.
    pub async fn streamed<S: Streamed>(&self, (first, rest): (Vec<u8>, Option<S>)) -> Result<Body, Refusal> {
        let Some(mut source) = rest else { return self.whole(first).await };
        let part = self.parts(1).await?;
        let (sender, receiver) = channel(1);
        let piece = Piece { bytes: first, _part: Some(part) };
        sender.try_send(Ok(Bytes::from_owner(piece))).expect("there is room for one");
        let budget = Arc::clone(&self.0);
        tokio::spawn(async move {
            // When the reader is gone, so is the receiver.
            while let Ok(place) = sender.reserve().await {
                let part = Arc::clone(&budget).acquire_owned().await.expect("it is never closed");
                let (bytes, rest) = match source.next().await {
                    Ok(next) => next,
                    Err(refusal) => return place.send(Err(refusal)),
                };
                place.send(Ok(Bytes::from_owner(Piece { bytes, _part: Some(part) })));
                match rest {
                    Some(rest) => source = rest,
                    None => return,
                }
            }
        });
        Ok(Body::new(Pieces(receiver)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out so many pieces.
    struct Many(usize);

    impl Streamed for Many {
        async fn next(self) -> Result<(Vec<u8>, Option<Many>), Refusal> {
            Ok((vec![0; limits::PIECE], self.0.checked_sub(1).map(Many)))
        }
    }

    /// Guards against readers who fill the memory by not reading.
    #[tokio::test]
    async fn what_waits_has_one_budget() {
        let budget = Budget::new();
        let free = || budget.0.available_permits();
        let all = limits::WAITING_PIECES;
        let whole = budget.whole(vec![0; 3 * limits::PIECE + 1]).await.unwrap();
        assert_eq!(free(), all - 4);
        let small = budget.whole(vec![0; limits::PIECE]).await.unwrap();
        assert_eq!(free(), all - 4);
        drop((whole, small));
        assert_eq!(free(), all);

        // However long a list is, two of its pieces wait: one on its way, one behind it.
        let first = || (vec![0; limits::PIECE], Some(Many(1000)));
        let lists = [budget.streamed(first()).await.unwrap(), budget.streamed(first()).await.unwrap()];
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert!((all - 4..=all - 2).contains(&free()), "{}", free());
        drop(lists);
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!(free(), all);
    }
}
