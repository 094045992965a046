//! The table: every distance of a space in one file.
//!
//! ```text
//! header | checkpoints (empty) | record of signature 0 | record 1 | … | index
//!                                 directory, frame, frame, …
//! ```
//!
//! A record holds the unsolved boards of one row signature in small frames
//! that are compressed on their own (`strips.rs`), after a directory that says
//! where each frame is; the index says where each record is. So a look-up
//! ([`Probe`]) computes where its board must be, reads one index entry and one
//! directory, and decodes one frame of about 8 KiB, from any [`ByteSource`].
//! [`build()`] writes the file, kept safe while it grows (`part.rs`), a
//! [`Verifier`] checks it, a [`Census`] counts it.

#[cfg(feature = "build")]
pub(crate) mod build;
#[cfg(feature = "build")]
mod census;
mod contents;
mod error;
pub(crate) mod format;
mod map;
#[cfg(feature = "build")]
mod packed;
#[cfg(feature = "build")]
mod part;
mod probe;
mod read;
mod reader;
mod record;
#[cfg(feature = "build")]
pub(crate) mod solving;
mod source;
mod strips;
#[cfg(feature = "build")]
mod verify;

#[cfg(feature = "build")]
pub use build::{BuildError, BuildOptions, DEFAULT_LEVEL, Report, build};
#[cfg(feature = "build")]
pub use census::{Census, Counter};
pub use contents::Contents;
pub use error::{TableError, with_reasons};
pub use format::{Header, file_name, of_file_name};
pub use map::MappedFile;
#[cfg(feature = "build")]
pub use packed::{PackError, Packed, Packer};
pub use probe::{Probe, SignatureProbe, Unpacker};
pub use read::Table;
pub use reader::{Question, Reader, Step};
pub use source::{ByteSource, FileSource};
#[cfg(feature = "build")]
pub use verify::{Verified, Verifier, VerifyError};
