//! A formula as a tree: the root on the left, parts to the right of what they
//! are part of, leaves below one another. So a formula of many parts gets long,
//! and no page gets too broad.

use super::axis::{self, FAINT_INK, LEFT, LEGEND_ROW, LEGEND_TOP, legend, text};
use super::colour::{Colour, INK, WHITE};
use super::font;
use super::svg::escape;

const NARROWEST: f64 = 640.0;
/// From leaf to leaf, and the height of a part.
const ROW: f64 = 34.0;
const PART: f64 = 25.0;
/// Beside the text of a part.
const PADDING: f64 = 10.0;
/// Between a part and its own, without the text there.
const GAP: f64 = 46.0;
const MARGIN: f64 = 32.0;
/// Between a role and its part.
const ROLE_GAP: f64 = 7.0;

/// What to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Above everything.
    pub title: String,
    /// Under the title, smaller.
    pub subtitle: String,
    /// What kinds of parts there are, each of which has a colour.
    pub kinds: Vec<String>,
    /// The whole.
    pub root: TreePart,
}

/// A part of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreePart {
    /// What it is or does.
    pub name: String,
    /// The place of its kind.
    pub kind: usize,
    /// What it is to the part that it belongs to: a weight, or a word.
    pub role: String,
    /// Its own parts, from top to bottom.
    pub parts: Vec<TreePart>,
}

/// Where the parts of a level begin and end.
#[derive(Clone, Copy, Default)]
struct Level {
    left: f64,
    right: f64,
}

impl Tree {
    /// The tree as an SVG document.
    ///
    /// ```
    /// use tailback::render::tree::{TreePart, Tree};
    ///
    /// let part = |name: &str, parts| TreePart { name: name.into(), kind: 0, role: String::new(), parts };
    /// let tree = Tree {
    ///     title: "max(blocking,distance)".into(),
    ///     subtitle: "three parts".into(),
    ///     kinds: vec!["number".into()],
    ///     root: part("max", vec![part("blocking", vec![]), part("distance", vec![])]),
    /// };
    /// assert_eq!(tree.svg().matches("class=\"part\"").count(), 3);
    /// ```
    pub fn svg(&self) -> String {
        let levels = self.levels();
        let right = levels.last().map_or(0.0, |level| level.right) + MARGIN;
        let width = right.max(NARROWEST).ceil();
        let (legend, rows) = legend(&self.kinds, width);
        let top = LEGEND_TOP + LEGEND_ROW * rows as f64;
        let height = top + ROW * self.root.leaves() as f64 + MARGIN;
        let mut svg = axis::paper(width, height, &self.title, &self.subtitle);
        svg += &legend;
        self.root.draw(&mut svg, &levels, top);
        svg.push_str("</svg>\n");
        svg
    }

    /// Every level is as broad as its broadest part.
    fn levels(&self) -> Vec<Level> {
        let mut rooms = Vec::new();
        self.root.measure(0, &mut rooms);
        let mut left = LEFT;
        rooms
            .into_iter()
            .map(|(role, name)| {
                left += role;
                let level = Level { left, right: left + name };
                left = level.right + GAP;
                level
            })
            .collect()
    }
}

impl TreePart {
    fn leaves(&self) -> usize {
        self.parts.iter().map(TreePart::leaves).sum::<usize>().max(1)
    }

    /// The room that roles and names of each level need.
    fn measure(&self, level: usize, rooms: &mut Vec<(f64, f64)>) {
        if rooms.len() == level {
            rooms.push((0.0, 0.0));
        }
        let (role, name) = &mut rooms[level];
        *role = role.max(self.role_room());
        *name = name.max(self.width());
        self.parts.iter().for_each(|part| part.measure(level + 1, rooms));
    }

    /// What the role needs beside the part; nothing if it has none.
    fn role_room(&self) -> f64 {
        if self.role.is_empty() { 0.0 } else { 12.0 * font::width(&self.role) + ROLE_GAP }
    }

    /// Bold letters are broader than those of a part.
    fn width(&self) -> f64 {
        13.0 * font::width(&self.name) + 2.0 * PADDING
    }

    /// Draws the part beside its leaves, which begin at `top`; tells the height
    /// at which it is.
    fn draw(&self, svg: &mut String, levels: &[Level], top: f64) -> f64 {
        let (level, below) = levels.split_first().expect("every level was measured");
        let mut next = top;
        let mut heights = Vec::new();
        for part in &self.parts {
            heights.push(part.draw(svg, below, next));
            next += ROW * part.leaves() as f64;
        }
        let y = match (heights.first(), heights.last()) {
            (Some(first), Some(last)) => (first + last) / 2.0,
            _ => top + ROW / 2.0,
        };
        let (start, colour) = (level.left + self.width(), WHITE.mixed(INK, 0.35));
        for (part, to) in self.parts.iter().zip(&heights) {
            // The role stands between the line and the part.
            let end = below[0].left - part.role_room();
            let bend = end - GAP / 2.0;
            *svg += &format!(
                "<path d=\"M{start:.2} {y:.2}C{bend:.2} {y:.2} {bend:.2} {to:.2} {end:.2} {to:.2}\" \
                 fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.3\"/>\n"
            );
            *svg += "<g font-size=\"12\">";
            text(svg, (below[0].left - ROLE_GAP, to + 4.5), "end", FAINT_INK, &part.role);
            *svg += "</g>\n";
        }
        let colour = Colour::of_series(self.kind);
        *svg += &format!(
            "<rect class=\"part\" x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{PART}\" rx=\"5\" \
             fill=\"{}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n",
            level.left,
            y - PART / 2.0,
            self.width(),
            WHITE.mixed(colour, 0.16),
        );
        *svg += &format!(
            "<text x=\"{:.2}\" y=\"{:.2}\" text-anchor=\"middle\">{}</text>\n",
            level.left + self.width() / 2.0,
            y + 4.5,
            escape(&self.name)
        );
        y
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::png;

    fn grown(levels: usize, parts: usize) -> TreePart {
        let parts = match levels {
            0 => Vec::new(),
            _ => (0..parts).map(|_| grown(levels - 1, parts)).collect(),
        };
        TreePart { name: "<advanced-admissible>".into(), kind: levels % 2, role: "0.125 ×".into(), parts }
    }

    #[test]
    fn everything_is_on_the_page() {
        for (levels, parts) in [(0, 0), (1, 1), (1, 30), (5, 2), (17, 1)] {
            let tree = Tree {
                title: "A tree".into(),
                subtitle: "<&>".into(),
                kinds: vec!["number".into(), "test".into()],
                root: grown(levels, parts),
            };
            let svg = tree.svg();
            let all: usize = (0..=levels as u32).map(|level| parts.pow(level)).sum();
            assert_eq!(svg.matches("class=\"part\"").count(), all);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(png::is_on_page(&svg), "{levels}, {parts}");
        }
    }
}
