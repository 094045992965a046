//! `tailback evolve report`: what it compares, what it writes, and that it can
//! be read.

use resvg::usvg::roxmltree::{Document, Node};
use serde_json::Value;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::render::png;

use crate::common::desk::Desk;
use crate::common::{self, code, stderr};

fn desk() -> Desk {
    Desk::new(common::tables())
}

fn experiment(name: &str, genome: &str) -> String {
    format!(
        "name = \"{name}\"
runs = 2
[blocks]
numbers = [\"blocking\", \"distance\", \"advanced-admissible\", \"mobile\"]
conditions = [\"all\"]
[genome]
{genome}
constants = [0, 5]
[population]
size = 30
[search]
boards = 8
nodes = 2000
[stop]
generations = 4
[data]
train = {{ draw = 150, size = 5, distances = \"1..\" }}
test = {{ draw = 60, size = 5, seed = 1, distances = \"1..\" }}
"
    )
}

/// A desk with two experiments that are done; one has a name that is no HTML.
fn done() -> Desk {
    let desk = desk();
    desk.write("rules.toml", &experiment("rules <b>&amp;", "kind = \"policy\"\nrules = 3"));
    desk.write("tree.toml", &experiment("tree", "kind = \"tree\""));
    for name in ["rules", "tree"] {
        desk.run(&format!("evolve run {name}.toml --out {name}"));
    }
    desk
}

/// The page as XML, which is stricter than HTML: every tag is closed.
fn parsed(page: &str) -> Document<'_> {
    let page = page.strip_prefix("<!doctype html>\n").unwrap();
    Document::parse(page).unwrap_or_else(|error| panic!("{error}: {page}"))
}

fn texts(document: &Document, tag: &str) -> Vec<String> {
    let text = |node: Node| {
        node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect::<String>()
    };
    document.descendants().filter(|node| node.has_tag_name(tag)).map(text).collect()
}

#[test]
fn two_experiments() {
    let desk = done();
    let told = desk.run("evolve report rules tree --out both");
    assert!(told.contains("report: both/report.html"), "{told}");
    let page = desk.text("both/report.html");
    let document = parsed(&page);
    assert_eq!(
        texts(&document, "h2"),
        ["rules <b>&amp;", "tree", "How the runs went", "Experiments against each other"]
    );
    let cells = texts(&document, "td");
    let methods = [
        "blind",
        "blocking",
        "distance",
        "advanced-admissible",
        "mobile",
        "least squares",
        "evolved, median of 2 runs",
    ];
    for method in methods {
        assert!(cells.iter().any(|cell| cell == method), "{method}: {cells:?}");
    }
    // People are told of the best building block alone.
    let is_told = |method: &&&str| told.contains(&format!("\n{method} "));
    let names: Vec<&str> = VOCABULARY.names().collect();
    let lines = told.lines().filter(|line| names.iter().any(|name| line.starts_with(&format!("{name} "))));
    assert_eq!(lines.count(), 4, "one in both tables of each experiment: {told}");
    assert!(
        ["blind", "least squares", "evolved, median of 2 runs"].iter().all(|method| is_told(&method)),
        "{told}"
    );
    assert!(cells.iter().any(|cell| cell.starts_with("by hand: ")), "{cells:?}");
    assert!(cells.iter().any(|cell| cell.starts_with("evolved, best (run ")), "{cells:?}");
    // Of experiments on the same boards, both figures are compared.
    assert!(!page.contains("not comparable") && page.contains("test cost"), "{page}");
    for text in [&page, &told] {
        assert!(!text.contains("NaN") && !text.contains("inf%") && !text.contains(">inf"), "{text}");
    }
    for tag in ["script", "link", "img"] {
        assert!(texts(&document, tag).is_empty(), "the page needs nothing else");
    }

    let mut pictures = 0;
    for entry in std::fs::read_dir(desk.path("both/report")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".svg") {
            let svg = desk.text(&format!("both/report/{name}"));
            assert!(png::from_svg(&svg, 1.0).is_ok() && page.contains(&svg), "{name}");
            let png = desk.bytes(&format!("both/report/{}", name.replace(".svg", ".png")));
            assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
            pictures += 1;
        }
    }
    assert!(pictures >= 6, "cost and nodes of each, diversity and parts: {pictures}");
}

/// Blind searches that are stopped, and generations with different aims.
#[test]
fn what_readers_have_to_know() {
    let desk = desk();
    let text = experiment("many", "kind = \"tree\"")
        .replace("nodes = 2000", "nodes = 20")
        .replace("[stop]", "[fitness]\nmulti = [[\"saved\", 3.0], [\"least-squares\", 1.0]]\n[stop]");
    desk.write("many.toml", &text);
    desk.run("evolve run many.toml --out many");
    let told = desk.run("evolve report many");
    let page = desk.text("many/report.html");
    parsed(&page);
    for text in [&told, &page] {
        assert!(
            text.contains("blind searches were stopped and count with their nodes up to there"),
            "{text}"
        );
        assert!(text.contains("%†") && text.contains("each with 20 nodes at most"), "{text}");
    }
    for words in [
        "share of nodes that is left (in 75.0% of the generations), mean squared error (in 25.0% of the",
        "<td class=\"words\">aim</td><td class=\"words\">saved (3), least-squares (1)</td>",
        "<td class=\"words\">a run ends after</td><td class=\"words\">4 generations</td>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }

    let report: Value = serde_json::from_str(&desk.run("--json evolve report many")).unwrap();
    let experiment = &report["experiments"][0];
    assert!(experiment["blind_stopped"].as_u64().unwrap() > 0);
    assert_eq!(experiment["aims"], serde_json::json!([["saved", 3.0], ["least-squares", 1.0]]));
    let runs = experiment["runs"].as_array().unwrap();
    let cost = |run: &&Value| run["cost"].as_f64().unwrap();
    let best = runs.iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap();
    assert_eq!(experiment["best"], best["run"]);

    // A line for each method and board.
    let lines = desk.text("many/report/searches.csv");
    assert!(lines.starts_with("experiment,folder,kind,method,run,board,distance,length,nodes\n"), "{lines}");
    let methods =
        experiment["baselines"].as_array().unwrap().iter().chain(runs.iter().map(|run| &run["champion"]));
    let expected: u64 = methods.clone().map(|method| method["scores"]["nodes"].as_u64().unwrap()).sum();
    let nodes = lines.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse::<u64>().unwrap());
    assert_eq!((nodes.clone().count(), nodes.sum::<u64>()), (8 * methods.count(), expected));
}

#[test]
fn numbers_for_programs() {
    let desk = done();
    let report: Value = serde_json::from_str(&desk.run("--json evolve report rules tree")).unwrap();
    assert!(desk.path("rules/report.html").exists() && desk.path("rules/report/nodes-2.png").exists());
    let experiments = report["experiments"].as_array().unwrap();
    assert_eq!(experiments.len(), 2);
    for experiment in experiments {
        let baselines = experiment["baselines"].as_array().unwrap();
        let kinds: Vec<&str> = baselines.iter().map(|method| method["kind"].as_str().unwrap()).collect();
        // Four building blocks, and the laboratory's seven others.
        let expected = [vec!["blind"], vec!["block"; 11], vec!["least-squares", "hand-made"]].concat();
        assert_eq!(kinds, expected);
        let blind = &baselines[0];
        assert_eq!(
            (&blind["scores"]["against_blind"], &blind["scores"]["disorder"]),
            (&1.0.into(), &0.5.into())
        );
        for method in baselines {
            let scores = &method["scores"];
            let searches = method["searches"].as_array().unwrap();
            assert_eq!(searches.len(), 8);
            let nodes: u64 = searches.iter().map(|search| search["nodes"].as_u64().unwrap()).sum();
            assert_eq!(scores["nodes"].as_u64(), Some(nodes));
            assert!(scores["length"].as_f64().unwrap() >= 1.0, "{method}");
            VOCABULARY.read(method["formula"].as_str().unwrap()).unwrap();
        }
        for run in experiment["runs"].as_array().unwrap() {
            assert_eq!(run["records"].as_array().unwrap().len(), 4);
            // On the test boards, cost and squared error are the same here.
            let (cost, error) = (&run["test_cost"], &run["champion"]["scores"]["squared_error"]);
            assert!((cost.as_f64().unwrap() - error.as_f64().unwrap()).abs() < 1e-9, "{cost}, {error}");
        }
    }
    let compared = &report["comparisons"][0];
    for what in ["test_cost", "nodes"] {
        let [p, p_holm] = ["p", "p_holm"].map(|name| compared[what][name].as_f64().unwrap());
        assert!(p > 0.0 && p <= p_holm && p_holm <= 1.0, "{compared}");
    }
    // The searches that both need are done once, and nothing else changes.
    let alone: Value = serde_json::from_str(&desk.run("--json evolve report tree --out alone")).unwrap();
    assert_eq!(alone["experiments"][0], experiments[1]);
    assert!(desk.path("alone/report/nodes.svg").exists());
}

#[test]
fn what_cannot_be_reported() {
    let desk = desk();
    let wrong = |args: &str, expected: i32, told: &str| {
        let output = desk.command(args, &[]).output().unwrap();
        assert!(code(&output) == expected && stderr(&output).contains(told), "{}", stderr(&output));
    };
    wrong("evolve report nowhere", 2, "has no experiment");
    wrong("evolve report", 2, "DIR");
    desk.write("tree.toml", &experiment("tree", "kind = \"tree\""));
    desk.run("evolve run tree.toml --out tree");
    let other = experiment("tree", "kind = \"tree\"").replace("boards = 8", "boards = 9");
    desk.write("other.toml", &other);
    desk.run("evolve run other.toml --out other");
    // Other searches cannot be compared by nodes.
    desk.run("evolve report tree other --out both");
    assert_eq!(desk.text("both/report.html").matches("not comparable").count(), 1);
    // One run is enough, none is not.
    std::fs::remove_dir_all(desk.path("tree/run-1")).unwrap();
    assert!(desk.run("evolve report tree").contains("evolved, best (run 2)"));
    std::fs::remove_dir_all(desk.path("tree/run-2")).unwrap();
    wrong(
        "evolve report tree",
        2,
        "tree: no run has a generation yet; go on with: tailback evolve resume tree",
    );
    desk.write("file", "");
    wrong("evolve report other --out file", 1, "cannot write");
}

#[test]
fn other_boards() {
    let desk = done();
    let told =
        desk.run("--json evolve report tree --set jam --only Jam-3,Jam-1 --max-nodes 100000 --out cards");
    let report: Value = serde_json::from_str(&told).unwrap();
    let experiment = &report["experiments"][0];
    assert_eq!((&experiment["set"], &experiment["searched_boards"]), (&"jam".into(), &2.into()));
    assert_eq!((&experiment["seen_boards"], &experiment["node_limit"]), (&0.into(), &100_000.into()));
    // A* without a heuristic, as `compare` counts it.
    let algorithm = experiment["algorithm"].as_str().unwrap();
    let compared = desk.run(&format!(
        "--json compare --set jam --only Jam-1,Jam-3 --algorithms {algorithm} --heuristics zero,advanced-admissible"
    ));
    let compared: Value = serde_json::from_str(&compared).unwrap();
    for (run, name) in [(0, "blind"), (1, "advanced-admissible")] {
        let expected: u64 = (0..2)
            .map(|puzzle| compared["results"][puzzle]["runs"][run]["generated"].as_u64().unwrap())
            .sum();
        let baselines = experiment["baselines"].as_array().unwrap();
        let method = baselines.iter().find(|method| method["name"] == name).unwrap();
        assert_eq!(method["scores"]["nodes"], expected, "{name}");
    }
    let page = desk.text("cards/report.html");
    assert!(page.contains("2 boards of jam, searched by"), "{page}");

    // The training boards themselves.
    let train = desk.text("tree/train.tsv");
    let boards: Vec<&str> = train.lines().take(5).map(|line| line.split('\t').next().unwrap()).collect();
    desk.write("seen.txt", &boards.join("\n"));
    let told = desk.run("evolve report tree --set seen.txt --out seen");
    assert!(
        told.contains("5 boards of seen.txt") && told.contains("; 5 have the family of a training board"),
        "{told}"
    );

    desk.write("bad.txt", "stuck ....AABB........\n");
    for (args, remedy) in [
        ("--set bad.txt", "stuck of bad.txt cannot be solved: a training or test board needs a distance"),
        ("--set jam --only Jam-41", "jam has no puzzle 'Jam-41'"),
        ("--set nowhere", "the sets are jam, it3105, hard8, far8"),
        ("--only Jam-1", "--set"),
    ] {
        let output = desk.command(&format!("evolve report tree {args} --out bad"), &[]).output().unwrap();
        assert!(code(&output) == 2 && stderr(&output).contains(remedy), "{args}: {}", stderr(&output));
    }
    assert!(!desk.path("bad").exists());
}
