//! Results that can be written down.

/// What can be written to a file and read again. The bytes are the same each time.
pub trait Record: Sized {
    /// Appends its bytes.
    fn write(&self, out: &mut Vec<u8>);
    /// Reads it, if the bytes are what was written.
    fn read(bytes: &[u8]) -> Option<Self>;
}

/// Takes so many bytes from the start of a slice, if it has them.
pub fn array<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

/// The same where the number of bytes stands before them, in four bytes.
pub fn slice<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let len = u32::from_le_bytes(array(bytes)?);
    bytes.split_off(..len as usize)
}
