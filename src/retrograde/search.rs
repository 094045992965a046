//! The backward search over one signature.
//!
//! Breadth first from all boards that are one move from solved, over the words
//! of a [`Graph`], part by part. A level is a list of words with the boards
//! that are new in them; expanding it sets bits in the words around, and a
//! sweep over those bits gives the next level. Each board is new once, so the
//! work is the number of (word, level) pairs times the edges of a word.

use super::edge_words::NO_PIECE;
use super::graph::{Graph, Reached, Word};
use super::isa::{EIGHT, Isa, Portable};
use super::moves::MoveTables;
use super::part::Part;
use crate::board::{Board, Distance, Histogram};
use crate::memory::{empty, make_room};
use crate::space::{Blocks, MAX_TABULATED, Position, Space};

/// A part is cut along one more column's kinds while it has more words than
/// this, so that what the search reads and writes at random, sixteen bytes a word, stays
/// small. Smaller parts visit each block more often and make its tables
/// again, and were slower; see `docs/algorithm.md`.
const WORDS_IN_PART: usize = 512 << 10;

/// Everything one thread needs to solve signatures, one after another.
#[derive(Debug)]
pub struct Solver<'t>(BySize<'t>);

/// The search is compiled twice, so that larger boards cost the others nothing.
#[derive(Debug)]
enum BySize<'t> {
    /// Up to 6×6.
    Usual(Box<Search<'t, 4>>),
    /// 7×7.
    Large(Box<Search<'t, 5>>),
}

/// The search of boards with so many middle columns.
#[derive(Debug)]
struct Search<'t, const MIDDLE: usize> {
    tables: &'t MoveTables<'t>,
    graph: Graph<'t, MIDDLE>,
    /// By word: the boards that have a distance.
    reached: Vec<u64>,
    /// By word: the boards around those of the last level.
    found: Vec<u64>,
    level: Level,
    code: Code,
    words_in_part: usize,
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

    /// Bytes that the search of any signature of a size needs beside its distances, about.
    /// Most on 7×7 needs a part that cannot be cut, with two cars in each row and nothing in
    /// the middle columns (7.8 million words, 5 million blocks): by itself it took 8,981 MiB.
    pub fn memory(size: usize) -> u64 {
        let mib = match size {
            0..=5 => 23,
            6 => 79,
            _ => 9482,
        };
        mib << 20
    }

    /// The distances of all unsolved boards of a signature, in their order, and all of
    /// its boards counted.
    ///
    /// # Panics
    /// If the signature is of boards of another size than the tables, or
    /// [has too many](Blocks::distances_fit).
    pub fn solve(&mut self, blocks: &Blocks, distances: &mut Vec<u8>) -> Counted {
        match &mut self.0 {
            BySize::Usual(search) => search.solve(blocks, distances),
            BySize::Large(search) => search.solve(blocks, distances),
        }
    }

    /// Counts the boards of a signature by their distances, which are not kept: so it
    /// may have any number of boards. None if `wants_stop` is true before the end.
    ///
    /// # Panics
    /// If the signature is of boards of another size than the tables.
    pub fn count(&mut self, blocks: &Blocks, wants_stop: &dyn Fn() -> bool) -> Option<Counted> {
        match &mut self.0 {
            BySize::Usual(search) => search.count(blocks, wants_stop),
            BySize::Large(search) => search.count(blocks, wants_stop),
        }
    }
}

/// The boards of a signature, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// How many have each distance.
    pub histogram: Histogram,
    /// One of those that are furthest from solved, unless every board that can be solved is.
    pub furthest: Option<Position>,
}

/// A board that is furthest from solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Furthest {
    /// Its distance.
    pub distance: Distance,
    /// Its number.
    pub id: u64,
    /// The board itself.
    pub board: Board,
}

impl Furthest {
    /// A board of a space.
    pub fn new(distance: Distance, position: &Position, space: &Space) -> Furthest {
        let id = space.id().first_id() + space.rank(position).0;
        Furthest { distance, id, board: space.board(position) }
    }
}

/// What becomes of the distances that are found.
struct Results<'o> {
    /// By the numbers of the boards, unless they are only counted.
    distances: Option<&'o mut [u8]>,
    counted: Counted,
    /// The longest distance so far.
    longest: u8,
    wants_stop: &'o dyn Fn() -> bool,
    /// Something was left out.
    is_stopped: bool,
}

/// Where boards are found.
struct FoundIn<'f, 't, const MIDDLE: usize> {
    blocks: &'f Blocks<'f>,
    graph: &'f Graph<'t, MIDDLE>,
    word: &'f Word<MIDDLE>,
}

impl Results<'_> {
    /// Takes the distance of some boards of a word.
    #[inline(always)]
    fn take<const MIDDLE: usize>(
        &mut self,
        isa: impl Isa,
        place: &FoundIn<MIDDLE>,
        boards: u64,
        distance: u8,
    ) {
        if let Some(distances) = &mut self.distances {
            isa.write(&mut distances[place.word.first_board as usize..], boards, distance);
        }
        if distance > self.longest {
            self.longest = distance;
            let first = boards.trailing_zeros();
            self.counted.furthest = Some(place.graph.position(place.blocks, place.word, first));
        }
    }

    /// Whether to leave out what is not searched yet.
    fn wants_stop(&mut self) -> bool {
        self.is_stopped = self.is_stopped || (self.wants_stop)();
        self.is_stopped
    }
}

impl<'t, const MIDDLE: usize> Search<'t, MIDDLE> {
    fn new(tables: &'t MoveTables<'t>) -> Search<'t, MIDDLE> {
        Search {
            tables,
            graph: Graph::new(tables),
            reached: Vec::new(),
            found: Vec::new(),
            level: Level::default(),
            code: Code::Native,
            words_in_part: WORDS_IN_PART,
        }
    }

    fn solve(&mut self, blocks: &Blocks, distances: &mut Vec<u8>) -> Counted {
        assert!(blocks.distances_fit(), "{} distances are too many to hold", blocks.boards());
        empty(distances);
        make_room(distances, blocks.unsolved_boards() as usize);
        distances.resize(blocks.unsolved_boards() as usize, Distance::UNSOLVABLE.byte());
        self.search_all(blocks, Some(distances), &|| false).expect("nobody stops it")
    }

    fn count(&mut self, blocks: &Blocks, wants_stop: &dyn Fn() -> bool) -> Option<Counted> {
        self.search_all(blocks, None, wants_stop)
    }

    /// Searches all parts of a signature.
    fn search_all(
        &mut self,
        blocks: &Blocks,
        distances: Option<&mut [u8]>,
        wants_stop: &dyn Fn() -> bool,
    ) -> Option<Counted> {
        assert_eq!(blocks.space().size(), self.tables.space.size(), "boards of the same size");
        let counted = Counted { histogram: Histogram::default(), furthest: None };
        let mut out = Results { distances, counted, longest: 0, wants_stop, is_stopped: false };
        self.graph.start(blocks);
        self.split(&Part::whole(blocks), &mut out);
        let Results { mut counted, is_stopped, .. } = out;
        let solvable = counted.histogram.total();
        counted.histogram[Distance::SOLVED] = blocks.boards() - blocks.unsolved_boards();
        counted.histogram[Distance::UNSOLVABLE] = blocks.unsolved_boards() - solvable;
        (!is_stopped).then_some(counted)
    }

    /// Cuts a part by the kinds of the next middle column until it is small.
    fn split(&mut self, part: &Part, out: &mut Results) {
        if out.wants_stop() {
            return;
        }
        match (part.words(self.tables), part.next_column()) {
            (0, _) => {}
            (words, Some(column)) if words > self.words_in_part => {
                for kind in 0..self.tables.space.line().kinds().len() as u8 {
                    self.split(&part.cut(column, kind), out);
                }
            }
            (words, _) => self.search(part, words, out),
        }
    }

    /// Searches a part of at most so many words.
    fn search(&mut self, part: &Part, words: usize, out: &mut Results) {
        let blocks = part.blocks;
        self.found.clear();
        for list in [&mut self.found, &mut self.reached, &mut self.level.boards] {
            make_room(list, words + 2 * EIGHT);
        }
        make_room(&mut self.level.words, words + 2 * EIGHT);
        let found = &mut self.found;
        self.graph.lay_out(part, words, |word| found.push(word));
        // Words are swept eight by eight.
        let room = self.found.len().next_multiple_of(EIGHT);
        self.found.resize(room, 0);
        self.reached.clear();
        self.reached.resize(room, 0);
        self.level.words.resize(room + EIGHT, 0);
        self.level.boards.resize(room + EIGHT, 0);
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
    unsafe fn levels_bmi2(&mut self, isa: super::isa::Bmi2, blocks: &Blocks, out: &mut Results) {
        self.levels(isa, blocks, out);
    }

    /// [`Search::levels`] compiled for machines with BMI2 and AVX-512.
    ///
    /// # Safety
    /// The machine has the features named here.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw")]
    unsafe fn levels_avx512(&mut self, isa: super::isa::Avx512, blocks: &Blocks, out: &mut Results) {
        self.levels(isa, blocks, out);
    }

    /// Level after level until nothing new is found.
    #[inline(always)]
    fn levels(&mut self, isa: impl Isa, blocks: &Blocks, out: &mut Results) {
        let edge_words = &self.tables.edge_words;
        let mut reached = Reached::default();
        for distance in 1.. {
            let new = self.sweep(isa);
            if new == 0 || out.wants_stop() {
                break;
            }
            assert!(distance < Distance::UNSOLVABLE.byte(), "no board is that far from the exit");
            let mut count = 0;
            let mut at = 0;
            while at < new {
                let block = self.graph.words()[self.level.words[at] as usize].block;
                self.graph.connect(isa, blocks, block);
                let moves = self.graph.moves(block);
                while at < new {
                    let (number, boards) = (self.level.words[at], self.level.boards[at]);
                    let word = &self.graph.words()[number as usize];
                    if word.block != block {
                        break;
                    }
                    at += 1;
                    count += boards.count_ones() as u64;
                    out.take(isa, &FoundIn { blocks, graph: &self.graph, word }, boards, distance);
                    let chunk = word.chunk as u32;
                    let found = &mut self.found[..];
                    found[number as usize] |= edge_words.neighbours(isa, moves.chunk(word), boards);
                    moves.reach(isa, word, &mut reached);
                    // A word that finds its own boards finds nothing new.
                    for four in reached.plain.filled::<4>(number - chunk) {
                        for to in four {
                            found[(to + chunk) as usize] |= boards;
                        }
                    }
                    let (to, pieces) =
                        (reached.masked.filled::<2>(number), reached.pieces.filled::<2>(NO_PIECE));
                    for (to, pieces) in to.iter().zip(pieces) {
                        for (&to, &piece) in to.iter().zip(pieces) {
                            let piece = edge_words.piece(piece);
                            found[to as usize] |= isa.scatter(isa.gather(boards, piece.pick), piece.put);
                        }
                    }
                }
            }
            out.counted.histogram[Distance::from_byte(distance)] += count;
        }
    }

    /// Takes what was found and is new as the next level, and tells how many words
    /// that are.
    #[inline(always)]
    fn sweep(&mut self, isa: impl Isa) -> usize {
        let mut count = 0;
        let (found, _) = self.found.as_chunks_mut();
        let (reached, _) = self.reached.as_chunks_mut();
        for ((first, found), reached) in (0..).step_by(EIGHT).zip(found).zip(reached) {
            if found.iter().fold(0, |any, &word| any | word) == 0 {
                continue;
            }
            let boards = self.level.boards[count..].first_chunk_mut().expect("there is room");
            let words = self.level.words[count..].first_chunk_mut().expect("there is room");
            count += isa.sweep(found, reached, first, boards, words);
        }
        count
    }
}

/// The boards that are new in a level, word by word. There is room for all words and
/// some more.
#[derive(Debug, Default)]
struct Level {
    words: Vec<u32>,
    boards: Vec<u64>,
}
