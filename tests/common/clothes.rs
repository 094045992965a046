//! One board in many clothes: what people have on their clipboards.

/// The rows of a board with something between.
fn rows(plain: &str, between: &str) -> String {
    let size = (4..=8).find(|size| size * size == plain.len()).unwrap();
    let rows: Vec<&str> = (0..size).map(|row| &plain[size * row..size * (row + 1)]).collect();
    rows.join(between)
}

/// All cells of a row or of several apart by something.
fn cells(text: &str, between: &str) -> String {
    text.split('\n')
        .map(|row| row.chars().map(String::from).collect::<Vec<_>>().join(between) + "\n")
        .collect()
}

/// The same board as people write it. It has large letters without `O` and `X`, and
/// `.` for empty cells.
pub fn clothes(plain: &str) -> Vec<String> {
    let rows = |between| rows(plain, between);
    let lines = rows("\n");
    let framed: String = lines.lines().map(|row| format!("| {} |\n", cells(row, " ").trim())).collect();
    let drawn: String = lines
        .lines()
        .map(|row| {
            let end = if row.contains("AA") { " →" } else { "│" };
            format!("│ {} {end}\n", cells(row, " ").trim())
        })
        .collect();
    let mut clothes: Vec<String> = ['.', 'o', '-', '_', '0', '*', 'O']
        .into_iter()
        .map(|empty| plain.replace('.', &empty.to_string()))
        .collect();
    let between = [" ", "/", ",", ", ", ";", "|", "\n", "\r\n", "\n\n", "\\n", "\t", " / ", ",\n", "  "];
    clothes.extend(between.map(rows));
    for empty in ['_', '0', '-', '*', 'o'] {
        clothes.extend([" ", "/", "\n"].map(|between| rows(between).replace('.', &empty.to_string())));
    }
    for between in [" ", ",", ", ", "|", "\t", ";"] {
        clothes.push(cells(&lines, between));
        clothes.push(cells(plain, between));
    }
    clothes.extend([
        format!("  {plain}\n"),
        format!("'{plain}'"),
        format!("\"{plain}\""),
        format!("`{}`", rows(" ")),
        format!("\u{feff}{plain}"),
        format!("[\"{}\"]", rows("\", \"")),
        format!("(\n\"{}\"\n)", rows("\"\n\"")),
        format!("/{}/", rows("/")),
        format!("{{{}}}", rows(",")),
        format!("[['{}']]", cells(&lines, "','").trim().replace('\n', "'],\n['")),
        framed.clone(),
        format!("+-------------+\n{framed}+-------------+\n"),
        format!("===============\n{framed}===============\n"),
        drawn.clone(),
        format!("┌─────────────┐\n{drawn}└─────────────┘\n"),
        format!("╔═════════════╗\n{}╚═════════════╝\n", drawn.replace('│', "║")),
    ]);
    clothes
}
