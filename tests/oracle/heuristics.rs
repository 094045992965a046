//! The heuristics as their definitions say, on plain text: slow and obviously
//! right. `None` says that there is no solution.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{is_solved, plain, successors};

/// The value of a heuristic by its name; `Err` if that takes too long.
pub fn value(name: &str, text: &str, size: usize) -> Result<Option<u32>, TooMany> {
    Ok(match name {
        "zero" => Some(0),
        "blockers" => Some(blockers(text, size)),
        "blocking" => Some(blocking(text, size)),
        "blocked-blockers" => Some(blocked_blockers(text, size)),
        "distance" => Some(distance(text, size)),
        "distance-blockers" => Some(distance_blockers(text, size)),
        "advanced" => advanced(text, size),
        "advanced-admissible" => least_needs(text, size, false)?,
        "advanced-distance" => least_needs(text, size, true)?,
        "goal-distance" => Some(goal_distance(text, size)),
        "hybrid" => Some(hybrid(text, size)),
        "rounds" => rounds(text, size),
        "size" => Some(size as u32),
        "vehicles" => Some(vehicles(text).len() as u32),
        "free-cells" => Some(free_cells(text)),
        "free-ahead" => Some(free_ahead(text, size)),
        "free-way" => Some(free_way(text, size)),
        "primary-room" => Some(primary_room(text, size)),
        "mobile" => Some(mobile(text, size).len() as u32),
        "open-moves" => Some(open_moves(text, size)),
        "long-blockers" => Some(long_blockers(text, size)),
        "clearing" => Some(clearing(text, size)),
        "blockers-2" => Some(blockers_of_order(text, size, 2)),
        "blockers-3" => Some(blockers_of_order(text, size, 3)),
        "entangled" => Some(entangled(text, size)),
        "advanced-twice" => Some(advanced_twice(text, size)),
        "advanced-twice-distance" => Some(advanced_twice_distance(text, size)),
        _ => panic!("{name} has no definition here"),
    })
}

/// Does the condition of this name hold after a move?
pub fn holds(name: &str, before: &str, after: &str, size: usize) -> bool {
    match name {
        "move-freed" => move_freed(before, after, size),
        "move-to-secluded" => move_to_secluded(before, after, size),
        _ => panic!("{name} has no definition here"),
    }
}

/// A board as text.
struct Grid {
    size: usize,
    cells: Vec<char>,
}

/// One way to get off a cell: the cells that are entered, in reading order.
struct Way {
    forward: bool,
    entered: Vec<usize>,
}

impl Grid {
    fn new(text: &str, size: usize) -> Grid {
        Grid { size, cells: plain(text).chars().collect() }
    }

    fn cells_of(&self, letter: char) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| self.cells[cell] == letter).collect()
    }

    fn is_horizontal(&self, letter: char) -> bool {
        let cells = self.cells_of(letter);
        cells[1] == cells[0] + 1
    }

    /// The cells between the primary and the right edge.
    fn ahead(&self) -> std::ops::Range<usize> {
        let last = *self.cells_of('A').last().unwrap();
        last + 1..(last / self.size + 1) * self.size
    }

    fn vehicle_at(&self, cell: usize) -> Option<char> {
        Some(self.cells[cell]).filter(|&c| c != '.' && c != 'x')
    }

    /// A vehicle's cells after a slide by one; `None` if a wall or the edge is
    /// in the way.
    fn slid(&self, cells: &[usize], horizontal: bool, forward: bool) -> Option<Vec<usize>> {
        let (first, last) = (cells[0], *cells.last().unwrap());
        let (at_edge, by) = match (horizontal, forward) {
            (true, false) => (first % self.size == 0, -1),
            (true, true) => (last % self.size == self.size - 1, 1),
            (false, false) => (first < self.size, -(self.size as isize)),
            (false, true) => (last >= self.cells.len() - self.size, self.size as isize),
        };
        let after: Vec<usize> = cells.iter().map(|&cell| cell.wrapping_add_signed(by)).collect();
        (!at_edge && after.iter().all(|&cell| self.cells[cell] != 'x')).then_some(after)
    }

    /// The ways to slide until a cell is left; left or up first.
    fn ways_off(&self, letter: char, cell: usize) -> Vec<Way> {
        let start = self.cells_of(letter);
        let horizontal = self.is_horizontal(letter);
        let way = |forward| {
            let mut cells = start.clone();
            let mut entered = BTreeSet::new();
            while cells.contains(&cell) {
                cells = self.slid(&cells, horizontal, forward)?;
                entered.extend(cells.iter().filter(|cell| !start.contains(cell)));
            }
            Some(Way { forward, entered: entered.into_iter().collect() })
        };
        [way(false), way(true)].into_iter().flatten().collect()
    }
}

fn in_the_way(text: &str, size: usize) -> BTreeSet<char> {
    let grid = Grid::new(text, size);
    grid.ahead().filter_map(|cell| grid.vehicle_at(cell)).collect()
}

/// The letters of vehicles that can move.
fn mobile(text: &str, size: usize) -> BTreeSet<char> {
    successors(text, size, true).iter().filter_map(|next| next.notation.chars().next()).collect()
}

pub fn blockers(text: &str, size: usize) -> u32 {
    in_the_way(text, size).len() as u32
}

pub fn blocking(text: &str, size: usize) -> u32 {
    if is_solved(text, size) { 0 } else { 1 + blockers(text, size) }
}

pub fn blocked_blockers(text: &str, size: usize) -> u32 {
    let mobile = mobile(text, size);
    in_the_way(text, size).iter().map(|letter| if mobile.contains(letter) { 1 } else { 2 }).sum()
}

pub fn distance(text: &str, size: usize) -> u32 {
    Grid::new(text, size).ahead().len() as u32
}

pub fn distance_blockers(text: &str, size: usize) -> u32 {
    distance(text, size) + blockers(text, size)
}

pub fn advanced(text: &str, size: usize) -> Option<u32> {
    /// The vehicles that are gone when this one has left the cell.
    fn without(grid: &Grid, letter: char, cell: usize, gone: &BTreeSet<char>) -> Option<BTreeSet<char>> {
        let mut gone = gone.clone();
        gone.insert(letter);
        let mut outcomes = Vec::new();
        'ways: for way in grid.ways_off(letter, cell) {
            let mut gone = gone.clone();
            for cell in way.entered {
                if let Some(other) = grid.vehicle_at(cell)
                    && !gone.contains(&other)
                {
                    let Some(more) = without(grid, other, cell, &gone) else { continue 'ways };
                    gone = more;
                }
            }
            outcomes.push(gone);
        }
        // The first of the smallest.
        outcomes.into_iter().min_by_key(BTreeSet::len)
    }

    if is_solved(text, size) {
        return Some(0);
    }
    let grid = Grid::new(text, size);
    let mut gone = BTreeSet::from(['A']);
    for cell in grid.ahead() {
        if let Some(letter) = grid.vehicle_at(cell)
            && !gone.contains(&letter)
        {
            gone = without(&grid, letter, cell, &gone)?;
        }
    }
    Some(gone.len() as u32)
}

/// A vehicle on the board: whether it is horizontal, its row or column, and from
/// where to where it reaches there.
type Span = (bool, usize, std::ops::Range<usize>);

/// Each vehicle that crosses the primary's way counts 2; one that keeps a counted
/// vehicle from leaving counts 1, but only if the edge shuts the other way.
pub fn advanced_twice(text: &str, size: usize) -> u32 {
    fn span(grid: &Grid, letter: char) -> Span {
        let (cells, size) = (grid.cells_of(letter), grid.size);
        let (first, last) = (cells[0], *cells.last().unwrap());
        match grid.is_horizontal(letter) {
            true => (true, first / size, first % size..last % size + 1),
            false => (false, first % size, first / size..last / size + 1),
        }
    }

    /// The part of a vehicle that lies in the line of another one.
    fn within(line: &Span, other: &Span) -> Option<std::ops::Range<usize>> {
        match line.0 == other.0 {
            true => (line.1 == other.1).then(|| other.2.clone()),
            false => other.2.contains(&line.1).then(|| other.1..other.1 + 1),
        }
    }

    /// How far a vehicle must go, left or up and right or down, to be off a line.
    fn off(line: usize, other: &Span) -> [usize; 2] {
        [other.2.end - line, line + 1 - other.2.start]
    }

    fn ask(grid: &Grid, letter: char, [back, on]: [usize; 2], asked: &mut BTreeSet<char>) -> u32 {
        asked.insert(letter);
        let own = span(grid, letter);
        let mut sum = 1;
        for other in vehicles(&grid.cells.iter().collect::<String>()) {
            if asked.contains(&other) {
                continue;
            }
            let reach = span(grid, other);
            let Some(part) = within(&own, &reach) else { continue };
            let needs = if reach.0 == own.0 { [back, on] } else { off(own.1, &reach) };
            let is_before = part.end <= own.2.start;
            // The next cell on is overlooked.
            let is_overlooked = reach.0 != own.0 && part.start == own.2.end;
            let is_far =
                if is_before { own.2.start - part.end >= back } else { part.start - own.2.end >= on };
            if is_overlooked || is_far {
                continue;
            }
            let cost = ask(grid, other, needs, asked);
            let is_shut = if is_before { own.2.end + on > grid.size } else { own.2.start < back };
            sum += if is_shut { cost } else { 0 };
        }
        sum
    }

    if is_solved(text, size) {
        return 0;
    }
    let grid = Grid::new(text, size);
    let primary = span(&grid, 'A');
    let mut asked = BTreeSet::from(['A']);
    let mut sum = 0;
    for letter in vehicles(text) {
        let other = span(&grid, letter);
        if !other.0 && other.1 >= primary.2.end && other.2.contains(&primary.1) {
            sum += 1 + ask(&grid, letter, off(primary.1, &other), &mut asked);
        }
    }
    sum
}

pub fn advanced_twice_distance(text: &str, size: usize) -> u32 {
    if is_solved(text, size) { 0 } else { advanced_twice(text, size) + distance(text, size) }
}

/// `advanced-admissible`, or `advanced-distance` if `steps`: every decision is
/// tried that is cheaper than the best one so far. `Err` if there are too many.
pub fn least_needs(text: &str, size: usize, steps: bool) -> Result<Option<u32>, TooMany> {
    struct Needs {
        grid: Grid,
        steps: bool,
        best: Option<u32>,
        left: u32,
    }

    /// How far each vehicle must get away, left or up and right or down.
    type Away = BTreeMap<char, [usize; 2]>;

    fn cost(needs: &Needs, away: &Away) -> u32 {
        let cost = |(&letter, &[back, on]): (&char, &[usize; 2])| match (needs.steps, letter) {
            (false, _) => usize::from(back > 0) + usize::from(on > 0),
            (true, 'A') => back + back + on,
            (true, _) => back + on + back.min(on),
        };
        away.iter().map(cost).sum::<usize>() as u32
    }

    fn decide(
        needs: &mut Needs,
        mut open: Vec<usize>,
        done: BTreeSet<usize>,
        away: Away,
    ) -> Result<(), TooMany> {
        needs.left = needs.left.checked_sub(1).ok_or(TooMany)?;
        let sum = cost(needs, &away);
        if needs.best.is_some_and(|best| sum >= best) {
            return Ok(());
        }
        let Some(cell) = open.pop() else {
            needs.best = Some(sum);
            return Ok(());
        };
        let letter = needs.grid.vehicle_at(cell).unwrap();
        for way in needs.grid.ways_off(letter, cell) {
            let (mut open, mut done, mut away) = (open.clone(), done.clone(), away.clone());
            let far = &mut away.entry(letter).or_default()[usize::from(way.forward)];
            *far = (*far).max(way.entered.len());
            for cell in way.entered {
                if needs.grid.vehicle_at(cell).is_some() && done.insert(cell) {
                    open.push(cell);
                }
            }
            decide(needs, open, done, away)?;
        }
        Ok(())
    }

    if is_solved(text, size) {
        return Ok(Some(0));
    }
    let grid = Grid::new(text, size);
    let ahead = grid.ahead();
    if ahead.clone().any(|cell| grid.cells[cell] == 'x') {
        return Ok(None);
    }
    let open: Vec<usize> = ahead.clone().filter(|&cell| grid.vehicle_at(cell).is_some()).collect();
    let away = BTreeMap::from([('A', [0, ahead.len()])]);
    let mut needs = Needs { grid, steps, best: None, left: 100_000 };
    decide(&mut needs, open.clone(), open.into_iter().collect(), away)?;
    Ok(needs.best)
}

/// There are too many decisions to try them all.
#[derive(Debug)]
pub struct TooMany;

/// Where every vehicle stands on the deduced goal board, if it has to go.
fn goal(text: &str, size: usize) -> BTreeMap<char, Vec<usize>> {
    let grid = Grid::new(text, size);
    let mut places = BTreeMap::new();
    if is_solved(text, size) {
        return places;
    }
    let asked: Vec<usize> = (grid.cells_of('A')[0]..grid.ahead().end).collect();
    places.insert('A', asked[asked.len() - 2..].to_vec());
    let mut asked_for: BTreeSet<usize> = asked.iter().copied().collect();
    let mut stays = BTreeSet::new();
    let mut queue = VecDeque::from(asked);
    while let Some(cell) = queue.pop_front() {
        let Some(letter) = grid.vehicle_at(cell) else { continue };
        if places.contains_key(&letter) || stays.contains(&letter) {
            continue;
        }
        let horizontal = grid.is_horizontal(letter);
        let first_place = |forward: bool| {
            let mut cells = grid.cells_of(letter);
            for far in 1.. {
                cells = grid.slid(&cells, horizontal, forward)?;
                if cells.iter().all(|cell| !asked_for.contains(cell)) {
                    return Some((far, cells));
                }
            }
            None
        };
        let nearest =
            [first_place(false), first_place(true)].into_iter().flatten().min_by_key(|place| place.0);
        match nearest {
            None => {
                stays.insert(letter);
            }
            Some((_, cells)) => {
                asked_for.extend(&cells);
                queue.extend(&cells);
                places.insert(letter, cells);
            }
        }
    }
    places
}

/// The cells that a vehicle enters on its way from where it stands.
fn trail(grid: &Grid, letter: char, place: &[usize]) -> Vec<usize> {
    let start = grid.cells_of(letter);
    let (first, last) = (start[0].min(place[0]), *start.iter().chain(place).max().unwrap());
    let stride = if grid.is_horizontal(letter) { 1 } else { grid.size };
    (first..=last).step_by(stride).filter(|cell| !start.contains(cell)).collect()
}

pub fn goal_distance(text: &str, size: usize) -> u32 {
    let grid = Grid::new(text, size);
    let far = |(&letter, place): (&char, &Vec<usize>)| {
        let by = place[0].abs_diff(grid.cells_of(letter)[0]);
        (if grid.is_horizontal(letter) { by } else { by / size }) as u32
    };
    goal(text, size).iter().map(far).sum()
}

pub fn hybrid(text: &str, size: usize) -> u32 {
    let grid = Grid::new(text, size);
    let met = |(&letter, place): (&char, &Vec<usize>)| {
        let others = trail(&grid, letter, place).into_iter().filter_map(|cell| grid.vehicle_at(cell));
        others.collect::<BTreeSet<char>>().len() as u32
    };
    goal_distance(text, size) + goal(text, size).iter().map(met).sum::<u32>()
}

/// Rounds in which every vehicle goes wherever it can and stays where it was,
/// too, until the primary may be at the exit.
pub fn rounds(text: &str, size: usize) -> Option<u32> {
    let grid = Grid::new(text, size);
    let walls: BTreeSet<usize> = (0..grid.cells.len())
        .filter(|&cell| grid.cells[cell] != '.' && grid.vehicle_at(cell).is_none())
        .collect();
    // Each place is the cells that are covered there.
    let mut places: BTreeMap<char, BTreeSet<Vec<usize>>> =
        vehicles(text).into_iter().map(|letter| (letter, BTreeSet::from([grid.cells_of(letter)]))).collect();
    for round in 0.. {
        if places[&'A'].iter().any(|cells| (cells.last().unwrap() + 1).is_multiple_of(size)) {
            return Some(round);
        }
        let before = places.clone();
        let always = |letter: char, cell: usize| before[&letter].iter().all(|cells| cells.contains(&cell));
        for (&letter, mine) in &mut places {
            let is_blocked = |cell: usize| {
                walls.contains(&cell) || before.keys().any(|&other| other != letter && always(other, cell))
            };
            let mut queue: VecDeque<Vec<usize>> = mine.iter().cloned().collect();
            while let Some(cells) = queue.pop_front() {
                for forward in [false, true] {
                    let next = grid.slid(&cells, grid.is_horizontal(letter), forward);
                    let next = next.filter(|next| !next.iter().any(|&cell| is_blocked(cell)));
                    if let Some(next) = next.filter(|next| mine.insert(next.clone())) {
                        queue.push_back(next);
                    }
                }
            }
        }
        if places == before {
            return None;
        }
    }
    unreachable!("places are finite")
}

fn vehicles(text: &str) -> BTreeSet<char> {
    plain(text).chars().filter(|&c| c != '.' && c != 'x').collect()
}

pub fn free_cells(text: &str) -> u32 {
    plain(text).chars().filter(|&c| c == '.').count() as u32
}

/// In the columns right of the primary, of all rows.
pub fn free_ahead(text: &str, size: usize) -> u32 {
    let grid = Grid::new(text, size);
    let last = grid.cells_of('A')[1] % size;
    (0..grid.cells.len()).filter(|&cell| grid.cells[cell] == '.' && cell % size > last).count() as u32
}

pub fn free_way(text: &str, size: usize) -> u32 {
    let grid = Grid::new(text, size);
    grid.ahead().filter(|&cell| grid.cells[cell] == '.').count() as u32
}

pub fn primary_room(text: &str, size: usize) -> u32 {
    successors(text, size, false).iter().filter(|next| next.notation.starts_with("A+")).count() as u32
}

pub fn open_moves(text: &str, size: usize) -> u32 {
    successors(text, size, false).len() as u32
}

pub fn long_blockers(text: &str, size: usize) -> u32 {
    let grid = Grid::new(text, size);
    in_the_way(text, size).iter().filter(|&&letter| grid.cells_of(letter).len() > 2).count() as u32
}

/// The blockers, each with the first cell where it stands in the way.
fn blocked_cells(grid: &Grid) -> BTreeMap<char, BTreeSet<usize>> {
    let mut cells = BTreeMap::new();
    for cell in grid.ahead() {
        if let Some(letter) = grid.vehicle_at(cell) {
            cells.entry(letter).or_insert_with(|| BTreeSet::from([cell]));
        }
    }
    cells
}

/// The cells that each blocker slides to leave its cell, the shorter way.
pub fn clearing(text: &str, size: usize) -> u32 {
    let grid = Grid::new(text, size);
    let slides = blocked_cells(&grid).into_iter().map(|(letter, cells)| {
        let ways = grid.ways_off(letter, *cells.first().unwrap());
        ways.iter().map(|way| way.entered.len()).min().unwrap_or(size) as u32
    });
    slides.sum()
}

/// The vehicles of each order: those that stand in the primary's way, then
/// those that stand where these could leave the cells that they are asked to
/// leave, either way, and so on. Nobody is asked twice.
fn orders(text: &str, size: usize) -> Vec<BTreeSet<char>> {
    let grid = Grid::new(text, size);
    let mut orders: Vec<BTreeSet<char>> = Vec::new();
    let mut asked = blocked_cells(&grid);
    while !asked.is_empty() {
        orders.push(asked.keys().copied().collect());
        let mut next: BTreeMap<char, BTreeSet<usize>> = BTreeMap::new();
        for (letter, cells) in asked {
            let ways = cells.into_iter().flat_map(|cell| grid.ways_off(letter, cell));
            for cell in ways.flat_map(|way| way.entered) {
                if let Some(other) = grid.vehicle_at(cell)
                    && other != 'A'
                    && orders.iter().all(|order| !order.contains(&other))
                {
                    next.entry(other).or_default().insert(cell);
                }
            }
        }
        asked = next;
    }
    orders
}

pub fn blockers_of_order(text: &str, size: usize, order: usize) -> u32 {
    orders(text, size).get(order - 1).map_or(0, BTreeSet::len) as u32
}

pub fn entangled(text: &str, size: usize) -> u32 {
    orders(text, size).iter().map(BTreeSet::len).sum::<usize>() as u32
}

/// The vehicles that a pattern of so many boards leaves.
///
/// All of them if no more can be reached. Otherwise the primary stays, and the others
/// come in this order: the blockers, from the
/// left; then, of each one that has come, those that stand in its line, the
/// nearest first, of two the one left or above; then the rest by letter. The
/// first one with which no more boards can be reached stays, and so on, from the
/// first again, until none is left that can.
pub fn left_by_pattern(text: &str, size: usize, boards: usize) -> BTreeSet<char> {
    if super::cluster(text, size, boards).is_some() {
        return vehicles(text);
    }
    let grid = Grid::new(text, size);
    let mut order = Vec::new();
    let come = |order: &mut Vec<char>, cell: usize| {
        if let Some(letter) = grid.vehicle_at(cell)
            && letter != 'A'
            && !order.contains(&letter)
        {
            order.push(letter);
        }
    };
    grid.ahead().for_each(|cell| come(&mut order, cell));
    let mut next = 0;
    while next < order.len() {
        let letter = order[next];
        let cells = grid.cells_of(letter);
        let line: Vec<usize> = match grid.is_horizontal(letter) {
            true => (0..size).map(|col| cells[0] / size * size + col).collect(),
            false => (0..size).map(|row| row * size + cells[0] % size).collect(),
        };
        let (before, after): (Vec<usize>, Vec<usize>) =
            line.into_iter().filter(|cell| !cells.contains(cell)).partition(|&cell| cell < cells[0]);
        for far in 0..size {
            before.iter().rev().nth(far).into_iter().for_each(|&cell| come(&mut order, cell));
            after.get(far).into_iter().for_each(|&cell| come(&mut order, cell));
        }
        next += 1;
    }
    order.extend(
        vehicles(text)
            .into_iter()
            .filter(|letter| *letter != 'A' && !order.contains(letter))
            .collect::<Vec<char>>(),
    );

    let mut left = BTreeSet::from(['A']);
    let fits = |letter: char, left: &BTreeSet<char>| {
        let more: BTreeSet<char> = left.iter().copied().chain([letter]).collect();
        super::cluster(&with_only(text, &more), size, boards).is_some()
    };
    while let Some(place) = order.iter().position(|&letter| fits(letter, &left)) {
        left.insert(order.remove(place));
    }
    left
}

/// The board without all other vehicles.
pub fn with_only(text: &str, left: &BTreeSet<char>) -> String {
    plain(text).chars().map(|c| if c == 'x' || left.contains(&c) { c } else { '.' }).collect()
}

pub fn move_freed(before: &str, after: &str, size: usize) -> bool {
    mobile(after, size).len() > mobile(before, size).len()
}

pub fn move_to_secluded(before: &str, after: &str, size: usize) -> bool {
    let (old, new) = (Grid::new(before, size), Grid::new(after, size));
    let entered: Vec<usize> = (0..new.cells.len())
        .filter(|&cell| new.vehicle_at(cell).is_some() && old.cells[cell] == '.')
        .collect();
    let moved = new.cells[entered[0]];
    let others = new.cells.iter().copied().filter(|&c| c != '.' && c != 'x' && c != moved);
    others
        .collect::<BTreeSet<char>>()
        .into_iter()
        .all(|other| entered.iter().all(|cell| !can_ever_cover(&new, other).contains(cell)))
}

/// The cells that a vehicle can cover on a board with its own line alone.
fn can_ever_cover(grid: &Grid, letter: char) -> BTreeSet<usize> {
    let line = |letter: char| {
        let first = grid.cells_of(letter)[0];
        let horizontal = grid.is_horizontal(letter);
        (horizontal, if horizontal { first / grid.size } else { first % grid.size })
    };
    let keep = |&c: &char| if c == '.' || c == 'x' || line(c) == line(letter) { c } else { '.' };
    let alone: String = grid.cells.iter().map(keep).collect();
    let boards = super::cluster(&alone, grid.size, usize::MAX).unwrap();
    boards.iter().flat_map(|board| Grid::new(board, grid.size).cells_of(letter)).collect()
}
