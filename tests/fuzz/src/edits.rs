//! Inputs as lists of changes to a whole file: chance alone would never come
//! up with a file.

/// Takes numbers from an input; zero after its end.
pub struct Input<'a>(pub &'a [u8]);

impl Input<'_> {
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    pub fn number(&mut self) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()]))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Changes a few bytes: each change has a place, a way and a number.
pub fn edit(bytes: &mut Vec<u8>, input: &mut Input) {
    for _ in 0..8 {
        if input.is_empty() || bytes.is_empty() {
            return;
        }
        let (way, value) = (input.byte(), input.byte());
        let at = input.number() % bytes.len();
        match way % 5 {
            0 => bytes[at] = value,
            1 => bytes[at] ^= 1 << (value % 8),
            2 => bytes[at] = bytes[at].wrapping_add(value),
            3 => bytes.truncate(at),
            _ => bytes.insert(at, value),
        }
    }
}
