//! The backward search over one signature.
//!
//! Breadth first from all boards that are one move from solved, over the words
//! of a [`Graph`], part by part. A level is a list of words with the boards
//! that are new in them; expanding it sets bits in the words around, and a
//! sweep over those bits gives the next level. Each board is new once, so the
//! work is the number of (word, level) pairs times the edges of a word.

use super::graph::Graph;
use super::isa::{Isa, Portable};
use super::moves::MoveTables;
use super::part::Part;
use crate::board::{Distance, Histogram};
use crate::space::{Blocks, MAX_TABULATED};

/// A part is cut along one more column's kinds while it has more words than
/// this, so that its graph takes some tens of megabytes a thread. Smaller
/// parts stay in nearer caches but visit each block more often, and were
/// slower; see `docs/algorithm.md`.
const WORDS_IN_PART: usize = 256 << 10;

/// Everything one thread needs to solve signatures, one after another.
#[derive(Debug)]
pub struct Solver<'t>(BySize<'t>);

/// The search is compiled twice, so that larger boards cost the others nothing.
#[derive(Debug)]
enum BySize<'t> {
    /// Up to 6×6.
    Usual(Box<Search<'t, 4, 24>>),
    /// 7×7.
    Large(Box<Search<'t, 5, 44>>),
}

/// The search of boards with so many middle columns, each with so many placements.
#[derive(Debug)]
struct Search<'t, const MIDDLE: usize, const PLACEMENTS: usize> {
    tables: &'t MoveTables<'t>,
    graph: Graph<'t, MIDDLE, PLACEMENTS>,
    /// By word: the boards that have a distance.
    reached: Vec<u64>,
    /// By word: the boards around those of the last level.
    found: Vec<u64>,
    level: Vec<New>,
    histogram: Histogram,
    code: Code,
    words_in_part: usize,
}

/// The boards of a word that are new in a level.
#[derive(Debug, Clone, Copy)]
struct New {
    word: u32,
    boards: u64,
}

/// Which instructions a solver uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The best that the machine has.
    Native,
    /// At most BMI2.
    Bmi2,
    /// None beyond what every machine has.
    Portable,
}

impl<'t> Solver<'t> {
    /// A solver that uses the CPU's own instructions where it has them.
    pub fn new(tables: &'t MoveTables<'t>) -> Solver<'t> {
        Solver(match tables.space.size() > MAX_TABULATED {
            false => BySize::Usual(Box::new(Search::new(tables))),
            true => BySize::Large(Box::new(Search::new(tables))),
        })
    }

    /// The same with other instructions.
    pub fn with_code(mut self, code: Code) -> Solver<'t> {
        match &mut self.0 {
            BySize::Usual(search) => search.code = code,
            BySize::Large(search) => search.code = code,
        }
        self
    }

    /// The same with parts of at most so many words, where columns are left to
    /// cut along.
    pub fn with_parts(mut self, words: usize) -> Solver<'t> {
        match &mut self.0 {
            BySize::Usual(search) => search.words_in_part = words,
            BySize::Large(search) => search.words_in_part = words,
        }
        self
    }

    /// The distances of all unsolved boards of a signature, in their order, and
    /// how many boards (solved ones too) have each distance.
    ///
    /// # Panics
    /// If the signature is of boards of another size than the tables, or
    /// [has too many](Blocks::is_searchable).
    pub fn solve(&mut self, blocks: &Blocks, distances: &mut Vec<u8>) -> &Histogram {
        match &mut self.0 {
            BySize::Usual(search) => search.solve(blocks, distances),
            BySize::Large(search) => search.solve(blocks, distances),
        }
    }
}

impl<'t, const MIDDLE: usize, const PLACEMENTS: usize> Search<'t, MIDDLE, PLACEMENTS> {
    fn new(tables: &'t MoveTables<'t>) -> Search<'t, MIDDLE, PLACEMENTS> {
        Search {
            tables,
            graph: Graph::new(tables),
            reached: Vec::new(),
            found: Vec::new(),
            level: Vec::new(),
            histogram: Histogram::default(),
            code: Code::Native,
            words_in_part: WORDS_IN_PART,
        }
    }

    fn solve(&mut self, blocks: &Blocks, distances: &mut Vec<u8>) -> &Histogram {
        assert_eq!(blocks.space().size(), self.tables.space.size(), "boards of the same size");
        assert!(blocks.is_searchable(), "{} boards are too many to search", blocks.boards());
        distances.clear();
        distances.resize(blocks.unsolved_boards() as usize, Distance::UNSOLVABLE.byte());
        self.histogram = Histogram::default();
        self.graph.start(blocks);
        self.split(&Part::whole(blocks), distances);
        let solvable = self.histogram.total();
        self.histogram[Distance::SOLVED] = blocks.boards() - blocks.unsolved_boards();
        self.histogram[Distance::UNSOLVABLE] = blocks.unsolved_boards() - solvable;
        &self.histogram
    }

    /// Cuts a part by the kinds of the next middle column until it is small.
    fn split(&mut self, part: &Part, out: &mut [u8]) {
        match (part.words(self.tables), part.next_column()) {
            (0, _) => {}
            (words, Some(column)) if words > self.words_in_part => {
                for kind in 0..self.tables.space.line().kinds().len() as u8 {
                    self.split(&part.cut(column, kind), out);
                }
            }
            _ => self.search(part, out),
        }
    }

    fn search(&mut self, part: &Part, out: &mut [u8]) {
        let blocks = part.blocks;
        self.found.clear();
        let found = &mut self.found;
        self.graph.lay_out(part, |word| found.push(word));
        self.reached.clear();
        self.reached.resize(self.found.len(), 0);
        #[cfg(target_arch = "x86_64")]
        {
            use super::isa::{Avx512, Bmi2};
            if let (Code::Native, Some(isa)) = (self.code, Avx512::detect()) {
                // SAFETY: `detect` found the features that the function enables.
                return unsafe { self.levels_avx512(isa, blocks, out) };
            }
            if let (Code::Native | Code::Bmi2, Some(isa)) = (self.code, Bmi2::detect()) {
                // SAFETY: as above.
                return unsafe { self.levels_bmi2(isa, blocks, out) };
            }
        }
        self.levels(Portable, blocks, out);
    }

    /// [`Search::levels`] compiled for machines with BMI2.
    ///
    /// # Safety
    /// The machine has the features named here.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    unsafe fn levels_bmi2(&mut self, isa: super::isa::Bmi2, blocks: &Blocks, out: &mut [u8]) {
        self.levels(isa, blocks, out);
    }

    /// [`Search::levels`] compiled for machines with BMI2 and AVX-512.
    ///
    /// # Safety
    /// The machine has the features named here.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw")]
    unsafe fn levels_avx512(&mut self, isa: super::isa::Avx512, blocks: &Blocks, out: &mut [u8]) {
        self.levels(isa, blocks, out);
    }

    /// Level after level until nothing new is found.
    #[inline(always)]
    fn levels(&mut self, isa: impl Isa, blocks: &Blocks, out: &mut [u8]) {
        let edge_words = &self.tables.edge_words;
        let mut distance = 1;
        while self.sweep(isa, distance, out) {
            for &New { word: at, boards } in &self.level {
                let word = self.graph.word(blocks, at);
                self.found[at as usize] |= edge_words.neighbours(word.chunk, boards);
                for &to in self.graph.plain(&word) {
                    self.found[to as usize] |= boards;
                }
                for &[to, piece] in self.graph.masked(&word) {
                    let piece = edge_words.piece(piece);
                    self.found[to as usize] |= isa.scatter(isa.gather(boards, piece.pick), piece.put);
                }
            }
            distance += 1;
            assert!(distance < Distance::UNSOLVABLE.byte(), "no board is that far from the exit");
        }
    }

    /// Takes what was found and is new as the next level, and writes its
    /// distance. False if there is none.
    #[inline(always)]
    fn sweep(&mut self, isa: impl Isa, distance: u8, out: &mut [u8]) -> bool {
        self.level.clear();
        let words = self.graph.words();
        let mut boards = 0;
        for (eight, found) in self.found.chunks_mut(8).enumerate() {
            if found.iter().fold(0, |any, &w| any | w) == 0 {
                continue;
            }
            for (i, found) in found.iter_mut().enumerate() {
                let at = eight * 8 + i;
                let new = std::mem::take(found) & !self.reached[at];
                if new != 0 {
                    self.reached[at] |= new;
                    self.level.push(New { word: at as u32, boards: new });
                    boards += new.count_ones() as u64;
                    isa.write(&mut out[words[at].first_board as usize..], new, distance);
                }
            }
        }
        self.histogram[Distance::from_byte(distance)] += boards;
        boards != 0
    }
}
