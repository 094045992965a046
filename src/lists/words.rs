//! The words of a line.

use super::entry::id;
use crate::board::{MAX_SIZE, MIN_SIZE, is_sign};

/// The words of a line, whatever stands between them.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', ',', ';', '"']).filter(|word| !word.is_empty())
}

/// As many signs as a board has cells.
pub(super) fn is_word_of_board(word: &str) -> bool {
    let is_size = (MIN_SIZE..=MAX_SIZE).any(|size| size * size == word.len());
    is_size && word.chars().all(is_sign) && id(word).is_none()
}
