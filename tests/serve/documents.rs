//! The examples of the documents, asked of a server without a database.

use crate::http::Server;
use crate::nothing;

/// Is the text as the example has it, where `…` stands for anything?
fn is_like(text: &str, example: &str) -> bool {
    let mut rest = text;
    let parts: Vec<&str> = example.split('…').collect();
    for (place, part) in parts.iter().enumerate() {
        let found = match place {
            0 => rest.starts_with(part).then_some(0),
            last if last + 1 == parts.len() => rest.ends_with(part).then(|| rest.len() - part.len()),
            _ => rest.find(part),
        };
        let Some(at) = found else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || example.ends_with('…')
}

#[test]
fn every_example_answers_as_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(nothing(), &["--experiments", folder.path().to_str().unwrap()]);
    let page = include_str!("../../docs/explorer.md");
    let mut lines = page.lines().skip_while(|line| *line != "```console");
    let mut asked = 0;
    while let Some(line) = lines.next() {
        let Some((before, url)) = line.strip_prefix("$ ").and_then(|l| l.split_once("'127.0.0.1:8064"))
        else {
            continue;
        };
        let (path, after) = url.split_once('\'').unwrap();
        let reply = match (before.starts_with("printf '"), after.strip_prefix(" -d '")) {
            (true, _) => {
                let input = before["printf '".len()..].split('\'').next().unwrap().replace("\\n", "\n");
                server.ask("POST", path, &[], input.as_bytes())
            }
            (false, Some(body)) => server.ask("POST", path, &[], body.trim_end_matches('\'').as_bytes()),
            (false, None) => server.get(path),
        };
        asked += 1;
        if before.contains(" -o ") {
            assert_eq!(reply.status, 200, "{line}");
            continue;
        }
        let text = reply.text();
        for told in text.lines() {
            let example = lines.next().unwrap();
            assert!(is_like(told, example), "{line}\n{told}\nis not\n{example}");
        }
    }
    assert!(asked >= 20, "{asked}");
}

#[test]
fn dots_stand_for_anything() {
    assert!(is_like("abc", "abc") && is_like("abc", "a…c") && is_like("abc", "…") && is_like("abcd", "a…c…"));
    assert!(!is_like("abc", "ab") && !is_like("abc", "a…b") && !is_like("abc", "b…"));
}
