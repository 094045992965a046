//! Planning problems against a naive planner of their own: it reads the files as
//! STRIPS and knows nothing of the game.

use crate::boards;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use boards::any_board;
use proptest::prelude::*;
use tailback::board::{Board, Metric};
use tailback::cluster::{DEFAULT_LIMIT, solve};
use tailback::dataset::pddl::{domain, problem};

const METRICS: [Metric; 2] = [Metric::Moves, Metric::Steps];

/// A list in brackets or a word, in small letters as PDDL does not care.
#[derive(Clone, PartialEq, Debug)]
enum Term {
    Word(String),
    List(Vec<Term>),
}

impl Term {
    fn word(&self) -> &str {
        match self {
            Term::Word(word) => word,
            Term::List(list) => panic!("a word, not {list:?}"),
        }
    }

    fn list(&self) -> &[Term] {
        match self {
            Term::List(list) => list,
            Term::Word(word) => panic!("a list, not {word}"),
        }
    }
}

/// The one list that a file is.
fn read(text: &str) -> Term {
    let code: String =
        text.lines().map(|line| line.split(';').next().unwrap().to_lowercase() + "\n").collect();
    let spaced = code.replace('(', " ( ").replace(')', " ) ");
    let mut open = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop().unwrap();
                open.last_mut().expect("more brackets closed than opened").push(Term::List(list));
            }
            word => open.last_mut().unwrap().push(Term::Word(word.to_owned())),
        }
    }
    assert_eq!(open.len(), 1, "more brackets opened than closed");
    assert_eq!(open[0].len(), 1);
    open.remove(0).remove(0)
}

/// The rest of the list that starts with this word, empty if there is none.
fn section<'a>(file: &'a Term, name: &str) -> &'a [Term] {
    let starts = |term: &&Term| matches!(term, Term::List(list) if list[0] == Term::Word(name.to_owned()));
    file.list().iter().find(starts).map_or(&[], |term| &term.list()[1..])
}

/// `a b - t c - u` as pairs of a name and its type.
fn typed(list: &[Term]) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut waiting = Vec::new();
    let mut words = list.iter().map(Term::word);
    while let Some(word) = words.next() {
        match word {
            "-" => {
                let kind = words.next().unwrap();
                pairs.extend(waiting.drain(..).map(|name| (name, kind.to_owned())));
            }
            name => waiting.push(name.to_owned()),
        }
    }
    assert!(waiting.is_empty(), "{waiting:?} without a type");
    pairs
}

type Fact = Vec<String>;
type State = BTreeSet<Fact>;

#[derive(Default)]
struct Action {
    needs: Vec<Fact>,
    adds: Vec<Fact>,
    deletes: Vec<Fact>,
}

struct Task {
    start: State,
    goal: Vec<Fact>,
    actions: Vec<Action>,
}

fn fact(term: &Term, values: &BTreeMap<&str, &str>) -> Fact {
    let words = term.list().iter().map(Term::word);
    words.map(|word| values.get(word).copied().unwrap_or(word).to_owned()).collect()
}

/// The state that a problem starts in.
fn start(problem: &Term) -> State {
    section(problem, ":init").iter().map(|term| fact(term, &BTreeMap::new())).collect()
}

/// The facts of `(and …)`.
fn all_of(term: &Term) -> &[Term] {
    assert_eq!(term.list()[0].word(), "and");
    &term.list()[1..]
}

impl Task {
    fn new(domain: &str, problem: &str) -> Task {
        let (domain, problem) = (read(domain), read(problem));
        assert_eq!(section(&domain, "domain"), section(&problem, ":domain"));
        let requirements: Vec<&str> = section(&domain, ":requirements").iter().map(Term::word).collect();
        assert_eq!(requirements, [":strips", ":typing"]);

        let parents: BTreeMap<String, String> = typed(section(&domain, ":types")).into_iter().collect();
        let mut objects = typed(section(&domain, ":constants"));
        objects.extend(typed(section(&problem, ":objects")));
        let names: HashSet<&String> = objects.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), objects.len(), "each object has a name of its own");
        let is_a = |object: &str, kind: &str| {
            let own = objects.iter().find(|(name, _)| name == object).map(|(_, kind)| kind);
            let mut kinds = std::iter::successors(own, |kind| parents.get(*kind));
            kinds.any(|own| own == kind)
        };

        let predicates: BTreeMap<&str, Vec<(String, String)>> = section(&domain, ":predicates")
            .iter()
            .map(|term| (term.list()[0].word(), typed(&term.list()[1..])))
            .collect();
        let checked = |fact: Fact| {
            let parameters = &predicates[fact[0].as_str()];
            assert_eq!(parameters.len(), fact.len() - 1, "{fact:?}");
            for (object, (_, kind)) in fact[1..].iter().zip(parameters) {
                assert!(is_a(object, kind), "{object} of {fact:?} is no {kind}");
            }
            fact
        };

        let mut actions = Vec::new();
        for term in domain.list() {
            let Term::List(list) = term else { continue };
            let [Term::Word(keyword), Term::Word(_), rest @ ..] = list.as_slice() else { continue };
            if keyword != ":action" {
                continue;
            }
            let parts: BTreeMap<&str, &Term> =
                rest.chunks_exact(2).map(|pair| (pair[0].word(), &pair[1])).collect();
            let parameters = typed(parts[":parameters"].list());
            let mut assignments = vec![BTreeMap::new()];
            for (parameter, kind) in &parameters {
                let fitting = objects.iter().map(|(name, _)| name).filter(|name| is_a(name, kind));
                let fitting: Vec<&String> = fitting.collect();
                assignments = assignments
                    .iter()
                    .flat_map(|values| {
                        fitting.iter().map(move |object| {
                            let mut values: BTreeMap<&str, &str> = values.clone();
                            values.insert(parameter, object);
                            values
                        })
                    })
                    .collect();
            }
            for values in assignments {
                let mut action = Action::default();
                for term in all_of(parts[":precondition"]) {
                    action.needs.push(checked(fact(term, &values)));
                }
                for term in all_of(parts[":effect"]) {
                    match term.list() {
                        [Term::Word(not), inner] if not == "not" => {
                            action.deletes.push(checked(fact(inner, &values)));
                        }
                        _ => action.adds.push(checked(fact(term, &values))),
                    }
                }
                // What it would mean is a matter of taste among planners.
                assert!(!action.adds.iter().any(|fact| action.deletes.contains(fact)));
                actions.push(action);
            }
        }

        let start = start(&problem).into_iter().map(checked).collect();
        let goal = all_of(&section(&problem, ":goal")[0]).iter();
        let goal = goal.map(|term| checked(fact(term, &BTreeMap::new()))).collect();
        Task { start, goal, actions }
    }

    fn after(&self, state: &State) -> Vec<State> {
        let possible =
            self.actions.iter().filter(|action| action.needs.iter().all(|fact| state.contains(fact)));
        let play = |action: &Action| {
            let kept = state.iter().filter(|fact| !action.deletes.contains(fact));
            kept.chain(&action.adds).cloned().collect()
        };
        possible.map(play).collect()
    }

    /// The length of a shortest plan.
    fn shortest(&self) -> Option<u32> {
        let mut seen = HashSet::from([self.start.clone()]);
        let mut level = vec![self.start.clone()];
        for length in 0.. {
            if level.iter().any(|state| self.goal.iter().all(|fact| state.contains(fact))) {
                return Some(length);
            }
            let next = level.iter().flat_map(|state| self.after(state));
            level = next.filter(|state| seen.insert(state.clone())).collect();
            if level.is_empty() {
                return None;
            }
        }
        unreachable!("there are finitely many states")
    }
}

fn task(metric: Metric, board: &Board) -> Task {
    Task::new(&domain(metric, board.size()), &problem(board, "test", &[board.text()]))
}

#[test]
fn the_shortest_plan_is_as_long_as_the_distance() {
    let boards = [
        ("solved", "..AA .... .... ....", 'A'),
        ("one car", "..B. AAB. .... ....", 'A'),
        ("a wall in the way", "..B. AAB. .... ..x.", 'A'),
        ("no room for a truck", "..B. AAB. ..B. CC..", 'A'),
        ("a vehicle right of the primary", ".... AABB .... ....", 'A'),
        ("as long as the board", "...B AA.B ...B ...B", 'A'),
        ("primary in the first row, a wall", "AA.F BB.F CEEE CxDD", 'A'),
        ("full of trucks", "FFFE DAAE D.CC DBBB", 'A'),
        ("primary in the last row", "EDD. EBBB FF.C AA.C", 'A'),
        ("letters in both cases, another primary", "bBBB bccc XX.C aa.C", 'X'),
        ("a wall, 9 moves", "xF... .FDDD .BBBC .AA.C ...EE", 'A'),
        ("a slide longer than the vehicle", "...C. ..DC. AAD.. BB... .....", 'A'),
        (
            "a long vehicle on the largest board",
            "x......C xx.....C AA.....C xxxxxxx. xxxxxxx. x.DDDDDD xxxxxxx. xxxxxxx.",
            'A',
        ),
    ];
    for metric in METRICS {
        let distances = boards.map(|(name, text, primary)| {
            let board = Board::parse_with_primary(text, primary).unwrap();
            let distance = solve(&board, metric, DEFAULT_LIMIT).unwrap().map(|solution| solution.distance);
            assert_eq!(task(metric, &board).shortest(), distance, "{name} in {metric}");
            distance
        });
        assert_eq!(distances.iter().filter(|distance| distance.is_none()).count(), 4);
        assert!(distances.iter().max() >= Some(&Some(9)));
    }
}

#[test]
fn a_domain_takes_smaller_boards() {
    let board = Board::parse("FFFE DAAE D.CC DBBB").unwrap();
    let larger = Task::new(&domain(Metric::Moves, 6), &problem(&board, "small", &[]));
    assert_eq!(larger.shortest(), Some(7));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_action_is_a_move(board in any_board()) {
        for metric in METRICS {
            let task = task(metric, &board);
            let after: BTreeSet<State> = task.after(&task.start).into_iter().collect();
            let moves = board.moves_in(metric);
            let boards = moves.iter().map(|&mv| board.apply(mv).unwrap());
            let expected: BTreeSet<State> =
                boards.map(|board| start(&read(&problem(&board, "after", &[])))).collect();
            prop_assert_eq!(after.len(), moves.len());
            prop_assert_eq!(after, expected);
        }
    }
}
