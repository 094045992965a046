//! Formulas as trees to be drawn.

use crate::formula::Heuristic;
use crate::formula::{Part as Formula, Test};
use crate::render::tree::{Tree, TreePart};
use crate::search::Value;

/// Numbers, and tests.
const KINDS: [&str; 2] = ["number", "test"];

/// A formula under a title.
pub fn formula_tree(title: String, subtitle: String, formula: &Heuristic) -> Tree {
    let mut has_test = false;
    Formula::Number(formula).for_each(&mut |part| has_test |= matches!(part, Formula::Truth(_)));
    let kinds = KINDS.map(str::to_owned).into_iter().take(if has_test { 2 } else { 1 }).collect();
    Tree { title, subtitle, kinds, root: part(Formula::Number(formula), String::new()) }
}

fn part(formula: Formula, role: String) -> TreePart {
    let (name, kind) = match formula {
        Formula::Number(number) => (number_name(number), 0),
        Formula::Truth(test) => (test_name(test), 1),
    };
    let roles = roles(formula);
    let parts = formula.children().into_iter().enumerate();
    let parts = parts.map(|(place, child)| part(child, roles.get(place).cloned().unwrap_or_default()));
    TreePart { name, kind, role, parts: parts.collect() }
}

fn number_name(number: &Heuristic) -> String {
    let name = match number {
        Heuristic::Max(_) => "max",
        Heuristic::Min(_) => "min",
        Heuristic::Sum(_) => "+",
        Heuristic::Minus(_) => "–",
        Heuristic::Times(_) => "×",
        Heuristic::Over(_) => "÷",
        Heuristic::If(_) => "if",
        Heuristic::Rules(..) => "first rule",
        leaf => return leaf.to_string(),
    };
    name.to_owned()
}

fn test_name(test: &Test) -> String {
    let name = match test {
        Test::AtMost(_) => "at most",
        Test::AtLeast(_) => "at least",
        Test::And(_) => "and",
        Test::Or(_) => "or",
        Test::Not(_) => "not",
        leaf => return leaf.to_string(),
    };
    name.to_owned()
}

/// What the parts of a part are to it.
fn roles(formula: Formula) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    match formula {
        Formula::Number(Heuristic::Sum(parts)) => {
            let weight =
                |weight: Value| if weight == Value::ONE { String::new() } else { format!("{weight} ×") };
            parts.iter().map(|part| weight(part.0)).collect()
        }
        Formula::Number(Heuristic::If(_)) => words(&["when", "then", "else"]),
        Formula::Number(Heuristic::Rules(rules, _)) => {
            words(&["when", "then"].repeat(rules.len())).into_iter().chain(["else".to_owned()]).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::rush_hour::VOCABULARY;

    fn written(part: &TreePart) -> String {
        let parts: Vec<String> = part.parts.iter().map(written).collect();
        let role = if part.role.is_empty() { String::new() } else { format!("{}: ", part.role) };
        match parts.is_empty() {
            true => format!("{role}{}", part.name),
            false => format!("{role}{}({})", part.name, parts.join(", ")),
        }
    }

    #[test]
    fn every_part_has_its_place() {
        for (formula, expected) in [
            ("blocking", "blocking"),
            ("0.5*blocking+distance", "+(0.5 ×: blocking, distance)"),
            ("if(blocking<=3,hybrid,7)", "if(when: at most(blocking, 3), then: hybrid, else: 7)"),
            (
                "rules(not move-freed -> 1; max(blocking,2))",
                "first rule(when: not(move-freed), then: 1, else: max(blocking, 2))",
            ),
        ] {
            let tree = formula_tree(String::new(), String::new(), &VOCABULARY.read(formula).unwrap());
            assert_eq!(written(&tree.root), expected);
        }
    }
}
