//! Two published programs, as they search and count: A* on cards, with their
//! order of vehicles, their queues and their readings of heuristics. Written
//! after what they do, on plain lists, without anything of `src/`.

use std::collections::{BTreeMap, HashMap, VecDeque};

/// How far each vehicle is along its line, the primary first. It is at the exit
/// when it is one cell beyond the edge.
pub type State = [i32; 16];

#[derive(Clone)]
struct Vehicle {
    is_vertical: bool,
    /// The row or column that it never leaves.
    line: i32,
    len: i32,
}

/// A card, with its vehicles in some order.
pub struct Card {
    size: i32,
    vehicles: Vec<Vehicle>,
    start: State,
}

/// In which order successors come. The primary leaves the board last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Successors {
    /// Vehicle by vehicle; back, then on; the nearest first.
    ByVehicle,
    /// As `docs/search.md` defines it for this project.
    ByLine,
}

/// Which of the best nodes is taken, and what becomes of the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    Newest,
    Oldest,
    /// As `java.util.PriorityQueue` has it. A node that waits is put in anew if
    /// another way to it is as cheap.
    Heap,
}

/// How `advanced` is read.
#[derive(Clone, Copy)]
pub struct Reading {
    /// The room behind a vehicle, up to one that crosses: so much is added.
    pub room_behind: i32,
    /// Is a vehicle that crosses the next cell on the board on that side?
    pub sees_next_cell: bool,
    /// Has one in the same line to go only as far as is needed beyond the room?
    pub shares_room: bool,
    /// How often a vehicle in the primary's way counts.
    pub times: i32,
    /// And the primary itself.
    pub primary: i32,
}

/// Pirklbauer and Zarhuber.
pub const HAGENBERG: Reading =
    Reading { room_behind: 2, sees_next_cell: true, shares_room: true, times: 1, primary: 1 };
/// RushHourAi.
pub const RUSH_HOUR_AI: Reading =
    Reading { room_behind: 0, sees_next_cell: false, shares_room: false, times: 2, primary: 0 };

impl Card {
    /// A board of 6×6 whose vehicles come in the order of these letters.
    pub fn new(text: &str, order: &str) -> Card {
        let cells: Vec<char> = text.chars().collect();
        let size = 6;
        let mut start = [0; 16];
        let vehicle = |(index, letter): (usize, char)| {
            let own: Vec<i32> = (0..36).filter(|&cell| cells[cell as usize] == letter).collect();
            let is_vertical = own[1] != own[0] + 1;
            let (row, col) = (own[0] / size, own[0] % size);
            let (line, at) = if is_vertical { (col, row) } else { (row, col) };
            start[index] = at;
            Vehicle { is_vertical, line, len: own.len() as i32 }
        };
        let vehicles = order.chars().enumerate().map(vehicle).collect();
        Card { size, vehicles, start }
    }

    fn end(&self, state: &State, vehicle: usize) -> i32 {
        state[vehicle] + self.vehicles[vehicle].len
    }

    fn is_goal(&self, state: &State) -> bool {
        self.end(state, 0) > self.size
    }

    /// Does another vehicle reach into the line of this one?
    fn crosses(&self, state: &State, vehicle: usize, other: usize) -> bool {
        let (a, b) = (&self.vehicles[vehicle], &self.vehicles[other]);
        match a.is_vertical == b.is_vertical {
            true => a.line == b.line,
            false => (state[other]..self.end(state, other)).contains(&a.line),
        }
    }

    fn is_free(&self, state: &State, vehicle: usize, at: i32) -> bool {
        let covers = |other: usize| {
            let reaches = (state[other]..self.end(state, other)).contains(&at);
            match self.vehicles[other].is_vertical == self.vehicles[vehicle].is_vertical {
                true => reaches,
                false => self.vehicles[other].line == at,
            }
        };
        let others = (0..self.vehicles.len()).filter(|&other| other != vehicle);
        !others.into_iter().any(|other| self.crosses(state, vehicle, other) && covers(other))
    }

    fn by_vehicle(&self, state: &State) -> Vec<State> {
        let mut found = Vec::new();
        for vehicle in 0..self.vehicles.len() {
            let mut slide = |to: i32| {
                found.push({
                    let mut next = *state;
                    next[vehicle] = to;
                    next
                })
            };
            let back = (0..state[vehicle]).rev().take_while(|&at| self.is_free(state, vehicle, at));
            back.for_each(&mut slide);
            let end = self.end(state, vehicle);
            let last = if vehicle == 0 { self.size } else { self.size - 1 };
            let on = (end..=last).take_while(|&at| at == self.size || self.is_free(state, vehicle, at));
            on.for_each(|at| slide(at + 1 - self.vehicles[vehicle].len));
        }
        found
    }

    /// The vehicles of the line of one, from the left or the top.
    fn line_of(&self, vehicle: usize) -> Vec<usize> {
        let of = |other: &usize| {
            let (a, b) = (&self.vehicles[vehicle], &self.vehicles[*other]);
            (a.is_vertical, a.line) == (b.is_vertical, b.line)
        };
        let mut all: Vec<usize> = (0..self.vehicles.len()).filter(of).collect();
        all.sort_by_key(|&vehicle| self.start[vehicle]);
        all
    }

    /// The placements of a line, the nearest to the start first: one slide by one
    /// cell after another, from the left or the top, back before on.
    fn placements(&self, line: &[usize]) -> Vec<Vec<i32>> {
        let mut all = vec![line.iter().map(|&vehicle| self.start[vehicle]).collect::<Vec<i32>>()];
        let mut next = 0;
        while next < all.len() {
            for (place, by) in (0..line.len()).flat_map(|place| [(place, -1), (place, 1)]) {
                let mut starts = all[next].clone();
                starts[place] += by;
                let end = |place: usize| starts[place] + self.vehicles[line[place]].len;
                let fits = starts[0] >= 0
                    && end(line.len() - 1) <= self.size
                    && (1..line.len()).all(|place| end(place - 1) <= starts[place]);
                if fits && !all.contains(&starts) {
                    all.push(starts);
                }
            }
            next += 1;
        }
        all
    }

    /// Sorts successors as this project does: the primary's row, columns from the
    /// right, rows from below, and in each line by placement.
    fn by_line(&self, places: &[(Vec<usize>, Vec<Vec<i32>>)], state: &State) -> Vec<State> {
        let mut found = self.by_vehicle(state);
        found.sort_by_key(|next| {
            let moved = (0..self.vehicles.len()).find(|&vehicle| next[vehicle] != state[vehicle]).unwrap();
            let vehicle = &self.vehicles[moved];
            let rank = match vehicle.is_vertical {
                true => (1, -vehicle.line),
                false if vehicle.line == self.vehicles[0].line => (0, 0),
                false => (2, -vehicle.line),
            };
            let (line, placements) = &places[moved];
            let starts: Vec<i32> = line.iter().map(|&vehicle| next[vehicle]).collect();
            let place = placements.iter().position(|placement| *placement == starts).unwrap_or(99);
            (self.is_goal(next), rank, place)
        });
        found
    }

    /// Vehicles that cross the primary's way.
    fn ahead(&self, state: &State) -> Vec<usize> {
        let end = self.end(state, 0);
        let is_ahead = |&other: &usize| {
            let vehicle = &self.vehicles[other];
            vehicle.is_vertical && vehicle.line >= end && self.crosses(state, 0, other)
        };
        (1..self.vehicles.len()).filter(is_ahead).collect()
    }

    pub fn zero(&self, _: &State) -> i32 {
        0
    }

    pub fn blocking(&self, state: &State) -> i32 {
        if self.is_goal(state) { 0 } else { 1 + self.ahead(state).len() as i32 }
    }

    /// −1 at the goal.
    pub fn distance(&self, state: &State) -> i32 {
        self.size - self.end(state, 0)
    }

    pub fn advanced(&self, state: &State, reading: Reading) -> i32 {
        if self.is_goal(state) {
            return 0;
        }
        let mut asked = vec![0];
        let mut sum = reading.primary;
        for vehicle in self.ahead(state) {
            let needs = self.needs(state, (0, vehicle), [0, 0], reading);
            sum += reading.times - 1 + self.to_leave(state, vehicle, needs, &mut asked, reading);
        }
        sum
    }

    pub fn advanced_distance(&self, state: &State, reading: Reading) -> i32 {
        if self.is_goal(state) { 0 } else { self.advanced(state, reading) + self.distance(state) }
    }

    /// The room on and back between two vehicles, if the other one is there.
    fn room(&self, state: &State, (vehicle, other): (usize, usize), reading: Reading) -> [i32; 2] {
        let (start, end) = (state[vehicle], self.end(state, vehicle));
        let b = &self.vehicles[other];
        match self.vehicles[vehicle].is_vertical == b.is_vertical {
            true => [(end - state[other]).abs(), (start - self.end(state, other)).abs()],
            false => [(end - b.line).abs(), (start - b.line - 1).abs() + reading.room_behind],
        }
    }

    /// How far another vehicle has to go, on or back, to be out of the way.
    fn needs(
        &self,
        state: &State,
        (vehicle, other): (usize, usize),
        own: [i32; 2],
        reading: Reading,
    ) -> [i32; 2] {
        let (a, b) = (&self.vehicles[vehicle], &self.vehicles[other]);
        if a.is_vertical != b.is_vertical {
            return [(a.line - state[other]).abs() + 1, (a.line - self.end(state, other)).abs()];
        }
        let room = self.room(state, (vehicle, other), reading);
        if reading.shares_room { [own[0] - room[0], own[1] - room[1]] } else { own }
    }

    fn to_leave(
        &self,
        state: &State,
        vehicle: usize,
        needs: [i32; 2],
        asked: &mut Vec<usize>,
        reading: Reading,
    ) -> i32 {
        asked.push(vehicle);
        let (start, end) = (state[vehicle], self.end(state, vehicle));
        let is_shut = [end + needs[0] > self.size, start - needs[1] < 0];
        let mut sum = 1i32;
        for other in 0..self.vehicles.len() {
            if asked.contains(&other) || !self.crosses(state, vehicle, other) {
                continue;
            }
            let b = &self.vehicles[other];
            let is_along = b.is_vertical == self.vehicles[vehicle].is_vertical;
            let first = if is_along { state[other] } else { b.line };
            let sides = match first >= end {
                true => [is_along || first > end || reading.sees_next_cell, false],
                false => [false, true],
            };
            let room = self.room(state, (vehicle, other), reading);
            let next = self.needs(state, (vehicle, other), needs, reading);
            let costs = [0, 1].map(|side| match () {
                () if sides[side] && room[side] < needs[side] => {
                    self.to_leave(state, other, next, asked, reading)
                }
                () if is_shut[side] => i32::MAX,
                () => 0,
            });
            sum = sum.wrapping_add(costs[0].min(costs[1]));
        }
        sum
    }
}

struct Node {
    state: State,
    cost: i32,
    f: i32,
    is_closed: bool,
}

/// A*: the nodes it generates, and the length it finds. Closed nodes are opened
/// again only if it `reopens`.
pub fn a_star(
    card: &Card,
    successors: Successors,
    queue: Queue,
    reopens: bool,
    guess: impl Fn(&State) -> i32,
) -> (u64, u32) {
    let places: Vec<_> = (0..card.vehicles.len())
        .map(|vehicle| card.line_of(vehicle))
        .map(|line| (line.clone(), card.placements(&line)))
        .collect();
    let mut nodes = vec![Node { state: card.start, cost: 0, f: guess(&card.start), is_closed: false }];
    let mut known = HashMap::from([(card.start, 0)]);
    let mut open = Open { queue, lists: BTreeMap::new(), heap: Vec::new(), places: HashMap::new() };
    open.add(0, &nodes);
    let mut generated = 1;
    while let Some(number) = open.take(&nodes) {
        let Node { state, cost, .. } = nodes[number];
        if card.is_goal(&state) {
            return (generated, cost as u32);
        }
        nodes[number].is_closed = true;
        let next = match successors {
            Successors::ByVehicle => card.by_vehicle(&state),
            Successors::ByLine => card.by_line(&places, &state),
        };
        generated += next.len() as u64;
        for state in next {
            let Some(&number) = known.get(&state) else {
                known.insert(state, nodes.len());
                nodes.push(Node { state, cost: cost + 1, f: cost + 1 + guess(&state), is_closed: false });
                open.add(nodes.len() - 1, &nodes);
                continue;
            };
            let node = &nodes[number];
            let is_anew = queue == Queue::Heap && !node.is_closed && cost + 1 == node.cost;
            if cost + 1 < node.cost && (!node.is_closed || reopens) || is_anew {
                open.remove(number, &nodes);
                let f = node.f - node.cost + cost + 1;
                nodes[number] = Node { state, cost: cost + 1, f, is_closed: false };
                open.add(number, &nodes);
            }
        }
    }
    panic!("every card has a solution")
}

/// The nodes that wait.
struct Open {
    queue: Queue,
    lists: BTreeMap<i32, VecDeque<usize>>,
    heap: Vec<usize>,
    places: HashMap<usize, usize>,
}

impl Open {
    fn add(&mut self, number: usize, nodes: &[Node]) {
        match self.queue {
            Queue::Heap => {
                self.heap.push(number);
                self.up(self.heap.len() - 1, number, nodes);
            }
            _ => self.lists.entry(nodes[number].f).or_default().push_back(number),
        }
    }

    fn remove(&mut self, number: usize, nodes: &[Node]) {
        if self.queue != Queue::Heap {
            if let Some(list) = self.lists.get_mut(&nodes[number].f) {
                list.retain(|&other| other != number);
            }
            return;
        }
        let place = self.places[&number];
        let last = self.heap.pop().unwrap();
        if place < self.heap.len() {
            self.down(place, last, nodes);
            if self.heap[place] == last {
                self.up(place, last, nodes);
            }
        }
    }

    fn take(&mut self, nodes: &[Node]) -> Option<usize> {
        if self.queue == Queue::Heap {
            let best = *self.heap.first()?;
            let last = self.heap.pop().unwrap();
            if !self.heap.is_empty() {
                self.down(0, last, nodes);
            }
            return Some(best);
        }
        self.lists.retain(|_, list| !list.is_empty());
        let list = self.lists.values_mut().next()?;
        if self.queue == Queue::Oldest { list.pop_front() } else { list.pop_back() }
    }

    fn put(&mut self, place: usize, number: usize) {
        self.heap[place] = number;
        self.places.insert(number, place);
    }

    fn up(&mut self, mut place: usize, number: usize, nodes: &[Node]) {
        while place > 0 {
            let parent = self.heap[(place - 1) / 2];
            if nodes[number].f >= nodes[parent].f {
                break;
            }
            self.put(place, parent);
            place = (place - 1) / 2;
        }
        self.put(place, number);
    }

    fn down(&mut self, mut place: usize, number: usize, nodes: &[Node]) {
        while place < self.heap.len() / 2 {
            let mut child = 2 * place + 1;
            if child + 1 < self.heap.len() && nodes[self.heap[child]].f > nodes[self.heap[child + 1]].f {
                child += 1;
            }
            if nodes[number].f <= nodes[self.heap[child]].f {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, number);
    }
}
