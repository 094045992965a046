//! The record of a signature in memory: as it goes into a table, and for those
//! who look boards up without one.

use super::SignatureProbe;
use super::format::Directory;
use super::record::Record;
use super::strips::Encoder;
use crate::space::{Blocks, SignatureId};

/// zstd refused.
#[derive(Debug, thiserror::Error)]
#[error("cannot compress")]
pub struct PackError(#[from] std::io::Error);

/// The packed distances of one signature.
#[derive(Debug, Clone)]
pub struct Packed {
    pub(super) id: SignatureId,
    /// Sections and frames.
    pub(super) directory: Vec<u8>,
    /// The frames.
    pub(super) data: Vec<u8>,
}

impl Packed {
    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.directory.len() + self.data.len()
    }

    /// A reader of single boards.
    pub fn probe(&self) -> SignatureProbe<'_> {
        SignatureProbe::of(Record::in_memory(self.id, &self.directory, &self.data))
    }
}

/// Packs signature after signature, for one thread.
pub struct Packer(Encoder);

impl Packer {
    /// A packer with this zstd level.
    pub fn new(level: i32) -> Result<Packer, PackError> {
        Ok(Packer(Encoder::new(level)?))
    }

    /// Packs the distances of the unsolved boards of a signature.
    pub fn pack(&mut self, id: SignatureId, blocks: &Blocks, distances: &[u8]) -> Result<Packed, PackError> {
        let (frames, data) = self.0.pack(blocks, distances)?;
        Ok(Packed { id, directory: Directory::write(id.0, blocks, &frames), data })
    }
}
