//! Texts in double quotes.

/// The text in quotes, and those within doubled.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Reads what a text begins with if that is a quote, up to the one that closes
/// it; and the rest.
pub(super) fn read(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut inside = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        inside += part;
        match after.strip_prefix('"') {
            Some(after) => {
                inside.push('"');
                rest = after;
            }
            None => return Some((inside, after)),
        }
    }
}
