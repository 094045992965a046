//! What `puzzles`, `hardest` and `export` share: which catalogue, and which of
//! its puzzles.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use indicatif::HumanCount;
use tailback::catalogue::{
    Catalogue, Column, Contents, Inventory, Query, Range, Rules, kind_bits, kind_names,
};
use tailback::space::Spaces;

use super::{Failure, Global, Result, output, walls};

/// Some lines on all of these options.
pub const HELP: &str = "\
A range is 20..30 (both included), 20.., ..30 or 20. A kind is the order of
lengths in a row or column, such as 2,3; the primary's row counts, and - is
an empty line. Of --inventory CARS,TRUCKS the primary is one of the cars.";

#[derive(Args)]
pub struct Filters {
    /// Rows and columns of the boards [default: 6]
    #[arg(long, value_parser = super::options::size())]
    pub size: Option<usize>,
    /// Which rules the puzzles follow [default: classic]
    #[arg(long, value_parser = rules())]
    rules: Option<Rules>,
    #[command(flatten)]
    ranges: Ranges,
    /// A wall stands on this cell, such as D2; more than once: on each, and on no other
    #[arg(long, value_name = "CELL", help_heading = FILTERS, conflicts_with = "walls")]
    wall: Vec<String>,
    /// Some line has this kind; more than once: some line each
    #[arg(long, value_name = "KIND", allow_hyphen_values = true, help_heading = FILTERS)]
    having_kind: Vec<String>,
    /// At most so many cars and trucks
    #[arg(long, value_name = "CARS,TRUCKS", help_heading = FILTERS)]
    inventory: Option<Inventory>,
}

const FILTERS: &str = "Filters";

/// A range for each column that people filter by, if it is given.
struct Ranges(Vec<(Column, Range)>);

impl Args for Ranges {
    fn augment_args(command: Command) -> Command {
        command.args(Column::filters().map(|(name, _, help)| {
            let range = clap::value_parser!(Range);
            Arg::new(name).long(name).value_name("RANGE").value_parser(range).help(help).help_heading(FILTERS)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Ranges::augment_args(command)
    }
}

impl FromArgMatches for Ranges {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Ranges, clap::Error> {
        let range = |(name, column, _)| Some((column, *matches.get_one(name)?));
        Ok(Ranges(Column::filters().filter_map(range).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Ranges::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Filters {
    pub fn size(&self) -> usize {
        self.size.unwrap_or(6)
    }

    pub fn rules(&self) -> Rules {
        self.rules.unwrap_or(Rules::Classic)
    }

    /// Is anything but the size given?
    pub fn are_used(&self) -> bool {
        !self.ranges.0.is_empty()
            || self.rules.is_some()
            || !self.having_kind.is_empty()
            || !self.wall.is_empty()
            || self.inventory.is_some()
    }

    /// Is a rule set named?
    pub fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// What is asked for.
    pub fn in_words(&self) -> String {
        let rules = format!("rules {}", self.rules().name());
        [rules].into_iter().chain(self.conditions()).collect::<Vec<_>>().join(" and ")
    }

    /// What is asked for but the rules, each in words.
    pub fn conditions(&self) -> impl Iterator<Item = String> {
        let ranges = self.ranges.0.iter().map(|(column, range)| format!("{column} {range}"));
        let walls = self.wall.iter().map(|cell| format!("wall on {cell}"));
        let kinds = self.having_kind.iter().map(|kind| format!("kind {kind}"));
        let inventory =
            self.inventory.map(|at_hand| format!("inventory {},{}", at_hand.cars, at_hand.trucks));
        ranges.chain(walls).chain(kinds).chain(inventory)
    }

    /// The catalogue that these options are about, and what they ask of it.
    pub fn ask(&self, global: &Global) -> Result<(Catalogue, Query)> {
        let query = self.query()?;
        let spaces = match walls::space(self.size(), &self.wall)? {
            space if space.walls != 0 => Spaces::from(space),
            _ => {
                let there = Catalogue::list(&global.db()).into_iter().map(|spaces| *spaces.walls().end());
                query.spaces(self.size(), there.max().unwrap_or(1))
            }
        };
        let catalogue = open(global, spaces)?;
        let query = query.of(&catalogue);
        Ok((catalogue, query))
    }

    /// The query that these options ask for.
    pub fn query(&self) -> Result<Query> {
        let mut ranges = self.ranges.0.clone();
        let space = walls::space(self.size(), &self.wall)?;
        if space.walls != 0 {
            ranges.push((Column::Id, space.ids().into()));
        }
        let kinds = kind_bits(self.having_kind.iter().map(String::as_str), self.size());
        let kinds = kinds.map_err(|error| {
            let names = kind_names(error.size).join("  ");
            Failure::misused(error).advise(format_args!("the kinds are: {names}"))
        })?;
        Ok(Query { rules: self.rules(), ranges, kinds, inventory: self.inventory, ..Query::default() })
    }
}

/// Opens the catalogue of some spaces, or for 6×6 the starter. A note says
/// when answers come from a starter, be it a file.
pub fn open(global: &Global, spaces: impl Into<Spaces>) -> Result<Catalogue> {
    let catalogue = Catalogue::covering(&global.db(), spaces)?;
    let way = match catalogue.path().exists() {
        true => format!("move {} away, and ", catalogue.path().display()),
        false => String::new(),
    };
    if catalogue.contents() == Contents::Starter {
        output::note(&format!(
            "note: answers from the starter catalogue of {} puzzles; {way}`tailback build` makes the complete one",
            HumanCount(catalogue.puzzles() as u64)
        ));
    }
    Ok(catalogue)
}

/// The catalogue has no puzzle of this number.
pub fn unknown(of: Contents, size: usize, number: &str) -> Failure {
    let fact = format!("the {} catalogue of {size}×{size} puzzles has no puzzle {number}", of.name());
    Failure::failed(fact).advise(match of {
        Contents::Complete => "`tailback puzzles` lists those it has, and `show --size` those of other sizes",
        Contents::Starter => "the complete one may have it: `tailback build` makes it",
    })
}

/// Reads the name of a rule set, and lists all in the help.
fn rules() -> impl TypedValueParser<Value = Rules> {
    PossibleValuesParser::new(Rules::ALL.map(Rules::name))
        .map(|name| Rules::named(&name).expect("the parser takes no other name"))
}
