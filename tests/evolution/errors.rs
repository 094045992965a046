//! Experiments that are not right say so, where, and what would be right.

use tailback::evolution::{EXAMPLE, Experiment};

const RIGHT: &str = "name = \"x\"
[blocks]
numbers = [\"blocking\"]
[genome]
kind = \"tree\"
[stop]
generations = 3
[data]
train = { set = \"jam\" }
test = { set = \"jam\" }
";

/// Is it a default that is commented out?
fn is_setting(text: &str) -> bool {
    let Some((key, _)) = text.split_once(" = ") else { return false };
    !key.contains(' ') && !["multi", "seconds", "group-boards"].contains(&key) && !key.ends_with("-weight")
}

#[test]
fn the_example_is_right() {
    let experiment = Experiment::parse(EXAMPLE).unwrap();
    assert_eq!((experiment.runs, experiment.breeding.size), (1, 200));
    assert!(experiment.is_reproducible());
    // What is commented out is what holds anyway.
    let all = EXAMPLE.lines().map(|line| match line.strip_prefix("# ") {
        Some(rest) if is_setting(rest) => rest,
        _ => line,
    });
    let all: Vec<&str> = all.collect();
    assert_eq!(Experiment::parse(&all.join("\n")).unwrap(), experiment);
}

#[test]
fn each_names_its_line_and_the_remedy() {
    assert!(Experiment::parse(RIGHT).is_ok());
    for (right, wrong, line, remedy) in [
        ("name = \"x\"", "", 1, "missing field `name`"),
        ("name = \"x\"", "name = \"x\"\nsed = 3", 2, "unknown field `sed`"),
        ("name = \"x\"", "name = x", 1, "string"),
        ("name = \"x\"", "name = \"x\\nzero*\"", 1, "the name has control characters"),
        ("name = \"x\"", "name = \"x\\u001B[31m\"", 1, "the name has control characters"),
        ("name = \"x\"", "name = \"x\"\nmetric = \"miles\"", 2, "`moves` or `steps`"),
        ("name = \"x\"", "name = \"x\"\nruns = 0", 2, "runs is from 1 to 10000, not 0"),
        ("\"blocking\"", "\"blockin\"", 3, "there is no heuristic 'blockin': the heuristics are zero, "),
        ("\"blocking\"", "\"perfect\"", 3, "breed on other building blocks"),
        ("\"blocking\"", "\"move-freed\"", 3, "conditions have a list of their own"),
        ("\"blocking\"", "\"@best.txt\"", 3, "put its formula in its place"),
        (
            "\"blocking\"",
            "\"max(1,max(1,max(1,max(1,max(1,max(1,mobile))))))\"",
            3,
            "let depth and parts be so many",
        ),
        ("\"blocking\"", "\"evolved-6x6+mobile\"", 3, "goes by a name: put that formula in its place"),
        ("[\"blocking\"]", "[]", 3, "name one at least"),
        ("[\"blocking\"]", "7", 3, "expected a sequence"),
        ("[genome]", "conditions = [\"hybrid\"]\n[genome]", 4, "the conditions are move-freed"),
        ("\"tree\"", "\"bush\"", 5, "unknown variant `bush`, expected one of `weights`, `tree`, `policy`"),
        (
            "\"tree\"",
            "\"tree\"\nfunctions = [\"+\", \"sin\"]",
            6,
            "unknown variant `sin`, expected one of `+`, `-`, `*`",
        ),
        ("\"tree\"", "\"tree\"\nrules = 3", 6, "rules is for policies: leave it out here"),
        ("\"tree\"", "\"weights\"\nvalues = \"trees\"", 6, "values is for policies"),
        ("\"tree\"", "\"weights\"\nfunctions = [\"+\"]", 6, "functions is for trees and policies"),
        ("\"tree\"", "\"weights\"\nconstants = [0, 1]", 6, "constants is for trees and policies"),
        ("\"tree\"", "\"weights\"\ndepth = 3", 6, "depth is for trees and policies"),
        ("\"tree\"", "\"weights\"\nparts = 3", 6, "parts is for trees and policies"),
        (
            "[genome]\nkind = \"tree\"",
            "conditions = [\"all\"]\n[genome]\nkind = \"weights\"",
            4,
            "conditions is for trees and policies",
        ),
        ("\"tree\"", "\"policy\"\nfunctions = [\"+\"]", 4, "a policy needs tests"),
        ("\"tree\"", "\"tree\"\ndepth = 99", 6, "depth is from 1 to 17, not 99"),
        ("\"tree\"", "\"tree\"\nconstants = [3, nan]", 6, "a range such as [0, 10]"),
        ("\"tree\"", "\"tree\"\nconstants = [3, 1]", 6, "a range such as [0, 10]"),
        ("[stop]", "[population]\nsize = 1\n[stop]", 7, "size is from 2"),
        ("[stop]", "[population]\nelites = 200\n[stop]", 7, "elites is from 0 to 199, not 200"),
        ("[stop]", "[population]\nselection = \"luck\"\n[stop]", 7, "`tournament` or `proportional`"),
        ("[stop]", "[population]\ncrossover = nan\n[stop]", 7, "crossover is from 0 to 1, not NaN"),
        ("[stop]", "[population]\nmutation = 0.9\n[stop]", 7, "1 together at most"),
        ("[stop]", "[population]\ngroups = 3\n[fitness]\naim = \"rank\"\n[stop]", 7, "a mean over boards"),
        (
            "[stop]",
            "[population]\nselection = \"proportional\"\ntournament = 3\n[stop]",
            8,
            "tournament is for selection by tournament",
        ),
        ("[stop]", "[population]\ngroup-boards = 3\n[stop]", 7, "group-boards is for co-evolution"),
        ("[stop]", "[fitness]\nnodes-weight = 3.0\n[stop]", 7, "nodes-weight is for the aim search"),
        ("[stop]", "[fitness]\naim = \"luck\"\n[stop]", 7, "unknown variant `luck`"),
        ("[stop]", "[fitness]\nmulti = [[\"rank\", -1.0]]\n[stop]", 7, "a number above 0"),
        ("[stop]", "[search]\nalgorithm = \"bfs\"\n[stop]", 7, "asks no heuristic"),
        ("[stop]", "[search]\nalgorithm = \"astra\"\n[stop]", 7, "astar"),
        ("[stop]", "[search]\nseconds = nan\n[stop]", 7, "seconds is from"),
        ("generations = 3", "", 6, "nothing stops this"),
        ("generations = 3", "target = 1.0", 6, "may never be met"),
        ("generations = 3", "seconds = -1.0", 6, "seconds is a number from 0"),
        ("test = { set = \"jam\" }", "", 8, "missing field `test`"),
        ("train = { set", "train = { draw = 5, set", 9, "one of file, set, draw and per-distance"),
        ("train = { set = \"jam\" }", "train = { draw = 5 }", 9, "give its size, such as size = 6"),
        (
            "train = { set = \"jam\" }",
            "train = { draw = 0, size = 6 }",
            9,
            "draw of train is a number from 1 to 1000000",
        ),
        ("train = { set = \"jam\" }", "train = { draw = 5, size = 9 }", 9, "of the sizes 4 to 6, not 9"),
        ("train = { set = \"jam\" }", "train = { draw = 5, size = 255 }", 9, "of the sizes 4 to 6, not 255"),
        (
            "train = { set = \"jam\" }",
            "train = { draw = 2000000, size = 6 }",
            9,
            "draw of train is a number from 1 to",
        ),
        (
            "set = \"jam\" }",
            "set = \"jam\", around = 4000000000000000000 }",
            9,
            "around of train is a number from 1 to",
        ),
        ("set = \"jam\" }", "set = \"jam\", around = 0 }", 9, "around of train is a number from 1 to"),
        (
            "train = { set = \"jam\" }",
            "train = { draw = 5, size = 6, distances = \"far\" }",
            9,
            "write a range as 20..30",
        ),
        ("train = { set = \"jam\" }", "train = { set = \"jam\", size = 6 }", 9, "is not drawn"),
        (
            "train = { set",
            "train = { draw = 5, size = 6, only = [\"Jam-1\"] }\n# { set",
            9,
            "only is for a set",
        ),
    ] {
        assert!(RIGHT.contains(right), "{right}");
        let error = Experiment::parse(&RIGHT.replacen(right, wrong, 1)).unwrap_err();
        assert!(error.problem.contains(remedy), "{wrong}: {error}");
        assert_eq!(error.line, line, "{wrong}: {error}");
    }
}
