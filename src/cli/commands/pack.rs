//! `tailback pack`: a graded set of puzzles, ready for an app or for print.

use std::path::PathBuf;

use clap::Args;
use tailback::answers::PackFolder;
use tailback::catalogue::{Column, Pack as Wanted};
use tailback::render::{Format, pages, pdf};

use crate::shared::options::{self, PAPERS};
use crate::shared::{Failure, Filters, Global, Result, Watch, filters, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback pack --levels 200 --tiers 5 --out pack
  tailback pack --levels 50 --moves 10..30 --vehicles ..10 --out short
  tailback pack --levels 100 --paper letter --title 'Gridlock' --out print

The folder gets pack.json and pack.csv (level, tier, board, moves, solution, …), a
picture of each level, index.html with all of them, and pack.pdf: boards first,
answers at the end. Levels have 3 moves or more, unless --moves says otherwise. The
same options and seed give the same pack.

";

/// The moves of levels by default.
const FROM: &str = "3..";

/// Make a graded set of puzzles: data, pictures, solutions, a page and a PDF
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}{}", filters::HELP))]
pub struct Pack {
    /// How many levels
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=5000))]
    levels: u16,
    /// In how many tiers they come
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    tiers: u16,
    /// The folder to make
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// No two levels alike: they differ by more than N vehicles and are of different families
    #[arg(long, value_name = "N", default_value_t = 1)]
    distinct: u32,
    /// The random seed, which chooses among equally hard puzzles
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// What the pack is called
    #[arg(long, value_name = "TEXT", default_value = "Rush Hour")]
    title: String,
    /// The paper of the PDF
    #[arg(long, default_value = "a4", value_parser = options::one_of(PAPERS))]
    paper: pdf::Paper,
    /// Pictures as SVG or PNG
    #[arg(long, default_value = "png", value_parser = options::one_of(FORMATS))]
    pictures: Format,
    #[command(flatten)]
    filters: Filters,
}

const FORMATS: &[(&str, &str, Format)] = &[("svg", "", Format::Svg), ("png", "", Format::Png)];

impl Pack {
    pub fn run(&self, global: &Global) -> Result<()> {
        if self.out.exists() {
            let told = format!("{} is there already: name a new folder", self.out.display());
            return Err(Failure::misused(told));
        }
        Failure::refuse([(
            !pages::is_drawable(&self.title),
            "a PDF has Latin letters only: choose another --title",
        )])?;
        let (catalogue, mut query) = self.filters.ask(global)?;
        if !query.ranges.iter().any(|(column, _)| *column == Column::Moves) {
            // A board that solves itself is no level.
            query.ranges.push((Column::Moves, FROM.parse().expect("it is a range")));
        }
        let wanted = Wanted {
            levels: usize::from(self.levels),
            tiers: usize::from(self.tiers),
            degree: self.distinct,
            seed: self.seed,
        };
        let levels = catalogue.pack(&query, &wanted)?;
        if levels.len() < wanted.levels {
            let found = levels.len();
            return Err(Failure::misused(format!("only {found} puzzles match that are not alike")).advise(
                format!("ask for {found} levels, for other puzzles, or for less difference (--distinct 0)"),
            ));
        }
        let folder = PackFolder::new(&self.title, &catalogue, self.seed, &levels, self.pictures);
        interrupt::listen("stopping, and leaving nothing behind; once more to stop at once")?;
        Watch::over(|watch| folder.write(&self.out, self.pictures, self.paper, watch))?;
        Ok(output::tell(global, &folder, || self.in_words(&folder))?)
    }

    fn in_words(&self, folder: &PackFolder) -> String {
        let (Some(first), Some(last)) = (folder.levels.first(), folder.levels.last()) else {
            return String::new();
        };
        format!(
            "{}: {} levels in {} tiers, from {} to {} moves; open {}\n",
            self.out.display(),
            folder.levels.len(),
            folder.tiers,
            first.moves,
            last.moves,
            self.out.join("index.html").display()
        )
    }
}
