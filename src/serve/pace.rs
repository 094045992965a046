//! Connections whose readers keep a pace: those that do not are dropped, whatever they
//! read.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream whose reader may be late by some time, and wins it back by reading faster
/// than the pace.
pub struct Paced<S> {
    stream: S,
    bytes_per_second: u32,
    slack: Duration,
    /// How much later the reader may be still.
    left: Duration,
    /// Since when nothing could be sent, and when that has lasted too long.
    stuck: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<S> Paced<S> {
    pub fn new(stream: S, bytes_per_second: u32, slack: Duration) -> Paced<S> {
        Paced { stream, bytes_per_second, slack, left: slack, stuck: None }
    }

    fn watched(&mut self, cx: &mut Context, sent: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match sent {
            Poll::Pending => {
                let left = self.left;
                let (_, end) = self.stuck.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
                end.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
            }
            Poll::Ready(Ok(bytes)) => {
                let late = self.stuck.take().map_or(Duration::ZERO, |(since, _)| since.elapsed());
                let won = Duration::from_secs_f64(bytes as f64 / f64::from(self.bytes_per_second));
                self.left = (self.left.saturating_sub(late) + won).min(self.slack);
                sent
            }
            Poll::Ready(Err(_)) => sent,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context, buf: &mut ReadBuf) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watched(cx, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        parts: &[IoSlice],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.watched(cx, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Read;

    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    /// Sends so much that it does not fit between the two, to one who reads or not.
    async fn send(reads: bool, slack: Duration) -> io::Result<usize> {
        const BYTES: usize = 64 << 20;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let other = TcpStream::connect(listener.local_addr()?).await?.into_std()?;
        other.set_nonblocking(false)?;
        let (stream, _) = listener.accept().await?;
        let mut stream = Paced::new(stream, 1, slack);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 1 << 16];
            let mut left = if reads { BYTES } else { 0 };
            while left > 0 {
                left -= (&other).read(&mut bytes).unwrap();
            }
            other
        });
        let mut sent = 0;
        let chunk = vec![0; 1 << 16];
        while sent < BYTES {
            sent +=
                poll_fn(|cx| Pin::new(&mut stream).poll_write(cx, &chunk[..chunk.len().min(BYTES - sent)]))
                    .await?;
        }
        reader.join().unwrap();
        Ok(sent)
    }

    #[tokio::test]
    async fn who_does_not_read_is_dropped() {
        assert_eq!(send(true, Duration::from_secs(600)).await.unwrap(), 64 << 20);
        let dropped = send(false, Duration::from_millis(1)).await.unwrap_err();
        assert_eq!(dropped.kind(), io::ErrorKind::TimedOut);
    }
}
