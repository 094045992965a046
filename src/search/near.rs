//! Names that a mistyped one is close to.

/// Those of the names that are a few letters from what was typed, the nearest
/// first; at most three.
pub fn near<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let typed = typed.to_lowercase();
    let most = 1 + typed.chars().count() / 3;
    let mut all: Vec<(usize, &str)> = names.map(|name| (apart(&typed, &name.to_lowercase()), name)).collect();
    all.retain(|&(apart, _)| apart <= most);
    all.sort_by_key(|&(apart, _)| apart);
    all.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many letters have to be changed, put in or left out.
fn apart(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, from) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], index + 1);
        for (place, &to) in b.iter().enumerate() {
            let changed = corner + usize::from(from != to);
            corner = row[place + 1];
            row[place + 1] = changed.min(corner + 1).min(row[place] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_letters_away() {
        let names = ["bfs", "dfs", "iddfs", "astar", "wastar", "Jam-1", "Jam-14", "Jam-40"];
        let near = |typed| near(typed, names.into_iter());
        assert_eq!(near("astr"), ["astar", "wastar"]);
        assert_eq!(near("bds"), ["bfs", "dfs"]);
        assert_eq!(near("jam-41"), ["Jam-1", "Jam-40", "Jam-14"]);
        assert!(near("quantum").is_empty() && near("").is_empty());
    }

    #[test]
    fn letters_apart() {
        for (a, b, expected) in [("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3)] {
            assert_eq!((apart(a, b), apart(b, a)), (expected, expected));
        }
    }
}
