//! Texts in double quotes, as others write them. A reader for all sorts of CSV
//! takes `"a"b` for `ab` and a quote that is not closed for the rest of the file;
//! an audit has to tell that the line is damaged.

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
