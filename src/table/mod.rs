//! The table: every distance of a space in one file.
//!
//! ```text
//! header | checkpoints (empty) | record of signature 0 | record 1 | … | index
//!                                 directory, frame, frame, …
//! ```
//!
//! A record holds the unsolved boards of one row signature in small frames
//! that are compressed on their own ([`strips`]), after a directory that says
//! where each frame is; the index says where each record is. So a look-up
//! ([`read`]) computes where its board must be, reads one index entry and one
//! directory entry, and decodes one frame of about 8 KiB. [`mod@build`] writes the
//! file, [`part`] keeps it safe while it grows, [`verify`] checks it, [`census`]
//! counts it.

#[cfg(feature = "build")]
pub mod build;
#[cfg(feature = "build")]
pub mod census;
mod error;
pub mod format;
mod map;
#[cfg(feature = "build")]
pub mod part;
pub mod read;
pub mod strips;
#[cfg(feature = "build")]
pub mod verify;

#[cfg(feature = "build")]
pub use build::{BuildError, Plan, Report, build};
#[cfg(feature = "build")]
pub use census::{Census, Counter};
pub use error::TableError;
pub use format::{Contents, Header, file_name};
pub use read::{Probe, SignatureProbe, Table, Unpacker};
#[cfg(feature = "build")]
pub use verify::{Verified, Verifier, VerifyError};
