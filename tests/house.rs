//! The house as `docs/architecture.md` draws it, against the imports of the code:
//! every mark in the matrix is an import and every import a mark, and arrows point
//! up only, so that no room needs itself through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A path of modules, such as `["space", "rank"]`; the crate itself is empty.
type Module = Vec<String>;

struct House {
    /// The text of every module, without comments and unit tests.
    texts: BTreeMap<Module, String>,
    /// Is a file a folder's own, which may name what lies in the folder?
    folders: BTreeSet<Module>,
}

impl House {
    fn read() -> House {
        let mut house = House { texts: BTreeMap::new(), folders: BTreeSet::new() };
        house.add(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &[]);
        assert!(house.texts.len() > 100, "the sources are there");
        house
    }

    fn add(&mut self, folder: &Path, module: &[String]) {
        let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                self.add(&path, &[module, &[stem]].concat());
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = match stem.as_str() {
                    "mod" | "main" => module.to_vec(),
                    _ => [module, &[stem]].concat(),
                };
                if name == module {
                    self.folders.insert(name.clone());
                }
                self.texts.insert(name, code(&fs::read_to_string(&path).unwrap()));
            }
        }
    }

    /// The modules that a module names.
    fn uses(&self, module: &Module) -> BTreeSet<Module> {
        let parent = &module[..module.len().saturating_sub(1)];
        let mut found = BTreeSet::new();
        for path in paths(&self.texts[module]) {
            let mut base: Module = module.clone();
            let mut rest = path.as_slice();
            match rest[0].as_str() {
                // The program is a crate of its own.
                "crate" if module[0] == "cli" => (base, rest) = (module[..1].to_vec(), &rest[1..]),
                "crate" | "tailback" => (base, rest) = (Vec::new(), &rest[1..]),
                "self" => rest = &rest[1..],
                "super" => {
                    while rest.first().is_some_and(|part| part == "super") {
                        base.pop();
                        rest = &rest[1..];
                    }
                }
                first if self.texts.contains_key(&[&base[..], &[first.to_owned()]].concat()) => {}
                _ => continue,
            }
            if let Some(target) = self.resolve(base, rest) {
                found.insert(target);
            }
        }
        found.remove(module);
        // A folder's own file and the files of the folder belong together.
        found.retain(|other| !(self.folders.contains(module) && other.starts_with(module)));
        found.retain(|other| other.as_slice() != parent);
        found
    }

    /// The module that a path leads to, through what a folder's file passes on.
    fn resolve(&self, mut base: Module, mut rest: &[String]) -> Option<Module> {
        while let Some(next) = rest.first() {
            let inner: Module = [&base[..], std::slice::from_ref(next)].concat();
            if self.texts.contains_key(&inner) {
                (base, rest) = (inner, &rest[1..]);
                continue;
            }
            let text = self.texts.get(&base)?;
            let passed_on = exports(text).find(|path| path.last() == Some(next) && path.len() > 1);
            return match passed_on {
                Some(path) if self.texts.contains_key(&[&base[..], &path[..1]].concat()) => {
                    self.resolve(base, &path)
                }
                _ => Some(base),
            };
        }
        self.texts.contains_key(&base).then_some(base)
    }

    /// Which rooms each room uses.
    fn rooms(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for module in self.texts.keys().filter(|module| module[0] != "lib") {
            let uses = rooms.entry(module[0].clone()).or_default();
            uses.extend(self.uses(module).into_iter().filter_map(|other| other.first().cloned()));
        }
        for (room, uses) in &mut rooms {
            uses.remove(room);
        }
        rooms
    }
}

/// The text without comments and without what comes after `#[cfg(test)]`.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Every path of the text with `::` in it, `{…}` spelt out.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut at = 0;
    while at < bytes.len() {
        if is_word(bytes[at]) && (at == 0 || !is_word(bytes[at - 1]) && bytes[at - 1] != b':') {
            at += path(&text[at..], &mut Vec::new(), &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// Reads one path or tree of paths; says how many bytes it has.
fn path(text: &str, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let word = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let depth = before.len();
    if word > 0 && &text[..word] != "self" || depth == 0 {
        before.push(text[..word].to_owned());
    }
    let mut at = word;
    if text[at..].starts_with("::{") {
        at += 3;
        loop {
            at += text[at..].len() - text[at..].trim_start().len();
            if text[at..].starts_with('}') || at >= text.len() {
                at += 1;
                break;
            }
            let read = path(&text[at..], before, found);
            at += read;
            let rest = text[at..].find([',', '}']).unwrap_or(0);
            at += rest + usize::from(text[at + rest..].starts_with(','));
            if read == 0 && rest == 0 {
                break;
            }
        }
    } else if text[at..].starts_with("::") {
        at += 2;
        at += path(&text[at..], before, found);
    } else if before.len() > 1 {
        found.push(before.clone());
    }
    before.truncate(depth);
    at.max(1).min(text.len())
}

/// What a folder's file passes on: `pub use part::Name`.
fn exports(text: &str) -> impl Iterator<Item = Vec<String>> {
    let uses = text.split("use ").skip(1).map(|rest| rest.split(';').next().unwrap().to_owned());
    uses.flat_map(|tree| paths(&tree))
}

/// The rooms in the order of the drawing, and the drawing's lines.
fn drawing() -> (Vec<String>, String) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let page = fs::read_to_string(page).unwrap();
    let lines = page.split("```text\nrooms\n").nth(1).expect("the drawing begins so");
    let lines = lines.split("```").next().unwrap();
    let rooms = lines.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    (rooms, lines.to_owned())
}

/// One line a room, a mark for every room that it uses.
fn matrix(order: &[String], uses: &BTreeMap<String, BTreeSet<String>>) -> String {
    let mut out = String::new();
    for (number, room) in order.iter().enumerate() {
        let marks: String = order[..number]
            .iter()
            .map(|other| if uses.get(room).is_some_and(|uses| uses.contains(other)) { "● " } else { "· " })
            .collect();
        out.push_str(&format!("{room:<11} {marks}■\n"));
    }
    out
}

#[test]
fn the_drawing_is_true() {
    let house = House::read();
    let (order, drawn) = drawing();
    let uses = house.rooms();
    let known: BTreeSet<&String> = order.iter().collect();
    assert_eq!(known, uses.keys().collect(), "every room is drawn");
    for (number, room) in order.iter().enumerate() {
        for other in &uses[room] {
            let above = order[..number].contains(other);
            assert!(above, "{room} uses {other}, which is not above it");
        }
    }
    let true_one = matrix(&order, &uses);
    assert_eq!(drawn, true_one, "the drawing should be:\n{true_one}");
}

/// The reader of imports itself: it must not pass a house that it cannot read.
#[test]
fn paths_are_read() {
    let text = "use super::line::{KindId, Line as L, more::{self, Deep}};\nlet x = crate::space::Rank(1);";
    let found: Vec<String> = paths(text).into_iter().map(|path| path.join("::")).collect();
    let all = [
        "super::line::KindId",
        "super::line::Line",
        "super::line::more",
        "super::line::more::Deep",
        "crate::space::Rank",
    ];
    assert_eq!(found, all);
    let house = House::read();
    let space: Module = vec!["space".into(), "rank".into()];
    assert!(house.uses(&space).contains(&vec!["space".to_owned(), "line".to_owned()]));
    assert!(house.rooms()["table"].contains("retrograde"));
}

#[test]
fn no_file_needs_itself_through_others() {
    let house = House::read();
    let uses: BTreeMap<&Module, BTreeSet<Module>> =
        house.texts.keys().map(|module| (module, house.uses(module))).collect();
    let reached = |from: &Module| -> BTreeSet<Module> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from.clone()];
        while let Some(module) = open.pop() {
            open.extend(uses[&module].iter().filter(|&needed| reached.insert(needed.clone())).cloned());
        }
        reached
    };
    let reach: BTreeMap<&Module, BTreeSet<Module>> = uses.keys().map(|&m| (m, reached(m))).collect();
    let circles: Vec<String> = uses
        .iter()
        .filter(|&(module, _)| reach[module].contains(*module))
        .map(|(module, needs)| {
            let back = needs.iter().filter(|&needed| reach[needed].contains(*module));
            let back: Vec<String> = back.map(|needed| needed.join("/")).collect();
            format!("{} needs {}", module.join("/"), back.join(", "))
        })
        .collect();
    assert!(circles.is_empty(), "circles:\n{}", circles.join("\n"));
}

/// Options and advice are for the command line to tell.
#[test]
fn the_library_names_no_option() {
    let house = House::read();
    for (module, text) in house.texts.iter().filter(|(module, _)| module.first().is_none_or(|m| m != "cli")) {
        let mut words = text.split(|c: char| c.is_whitespace() || "\"(`".contains(c));
        let option = words.find(|word| word.starts_with("--") && word.len() > 2);
        assert_eq!(option, None, "in {}", module.join("/"));
    }
}

/// Scripts and documents name test programs that there are.
#[test]
fn named_test_programs_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut named = 0;
    for folder in ["docs", "scripts", ".ci"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            for name in text
                .split("--test ")
                .skip(1)
                .filter_map(|rest| rest.split_whitespace().next().map(|name| name.trim_end_matches(')')))
            {
                let tests = root.join("tests");
                let is_there = [tests.join(name).join("main.rs"), tests.join(format!("{name}.rs"))];
                assert!(is_there.iter().any(|file| file.exists()), "{}: {name}", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 3, "they name some");
}
