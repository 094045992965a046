//! The paper of a PDF.

use clap::ValueEnum;
use tailback::render::pdf;

/// The paper of a PDF.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Paper {
    #[default]
    A4,
    Letter,
}

impl From<Paper> for pdf::Paper {
    fn from(paper: Paper) -> pdf::Paper {
        match paper {
            Paper::A4 => pdf::Paper::A4,
            Paper::Letter => pdf::Paper::Letter,
        }
    }
}
