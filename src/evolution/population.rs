//! Generation after generation.
//!
//! Every random number belongs to a place: run, generation, child. So the same
//! seed gives the same individuals whatever the number of threads, and a run
//! that is resumed goes on as if it had never been interrupted.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::fitness::{Aim, FitnessError, Judge};
use super::genome::{Breeder, Operator};
use crate::formula::Heuristic;
use crate::progress::Observer;
use crate::random::Chance;

/// How parents are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// The best of so many that are drawn.
    Tournament(usize),
    /// In proportion to 1 / (1 + cost).
    Proportional,
}

/// A second population, of groups of boards that are hard for the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coevolution {
    /// How many groups.
    pub groups: usize,
    /// Boards in each.
    pub boards: usize,
}

/// How a population is bred.
#[derive(Clone, PartialEq, Debug)]
pub struct Breeding {
    /// Individuals in a generation.
    pub size: usize,
    /// How parents are chosen.
    pub selection: Selection,
    /// The share of children with two parents.
    pub crossover: f64,
    /// The share of changed children; the rest are copies.
    pub mutation: f64,
    /// How many of the best go on as they are.
    pub elites: usize,
    /// How many of the best ever are kept.
    pub hall: usize,
    /// What is asked of a generation, with its chance. The first is what the
    /// hall of fame goes by.
    pub aims: Vec<(Aim, f64)>,
    /// Groups of boards, if they evolve, too.
    pub coevolution: Option<Coevolution>,
}

/// A formula, and where it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Individual {
    /// Its number in the run.
    pub id: u64,
    /// The formula.
    pub genome: Heuristic,
    /// What it costs. In the hall of fame: by the first aim, on all boards.
    pub cost: f64,
    /// The generation that it was born in.
    pub born: u64,
    /// The numbers of its parents.
    pub parents: Vec<u64>,
    /// What made it of them.
    pub operator: Operator,
}

/// What is known of a generation.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Record {
    /// Its number, from 0.
    pub generation: u64,
    /// What was asked of it.
    pub aim: Aim,
    /// The lowest cost in it.
    pub best: f64,
    /// The mean of the costs.
    pub mean: f64,
    /// The median of the costs.
    pub median: f64,
    /// The lowest cost ever, by the first aim on all boards.
    pub champion: f64,
    /// What that one costs on the test boards.
    pub test: f64,
    /// The share of genomes that differ.
    pub diversity: f64,
    /// The mean number of parts.
    pub parts: f64,
    /// Formulas that were judged so far.
    pub evaluations: u64,
    /// The time of the run so far.
    pub seconds: f64,
}

/// All that a run knows between two generations.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// Generations that are done.
    pub generations: u64,
    /// Formulas that were judged.
    pub evaluations: u64,
    /// The number of the next individual.
    pub next_id: u64,
    /// The last generation, best first.
    pub population: Vec<Individual>,
    /// The best ever, best first.
    pub hall: Vec<Individual>,
    /// The groups of boards.
    pub groups: Vec<Vec<usize>>,
    /// Generations since the best ever became better.
    pub stale: u64,
}

/// Streams of random numbers, apart from those of the children.
const AIM: u64 = 1 << 40;
const GROUPS: u64 = 2 << 40;

/// A run.
pub struct Evolution<'e> {
    /// Makes genomes.
    pub breeder: &'e Breeder,
    /// How they are bred.
    pub breeding: &'e Breeding,
    /// What they are worth.
    pub training: &'e Judge,
    /// What the best are worth on boards that they were not bred on.
    pub test: &'e Judge,
    /// Decides everything.
    pub seed: u64,
    /// May stop it.
    pub observer: &'e dyn Observer,
}

/// What comes of judging a generation, beside the costs.
struct Judged {
    evaluations: u64,
    /// The next groups of boards.
    groups: Vec<Vec<usize>>,
}

/// What a formula costs.
#[derive(Clone, Copy)]
enum Cost {
    /// It was judged in the generation before.
    Known(f64),
    /// It has this number among those that are to be judged.
    New(usize),
}

impl Evolution<'_> {
    fn chance(&self, generation: u64, place: u64) -> Chance {
        Chance::of(&[self.seed, generation, place])
    }

    /// Breeds and judges the next generation; nothing has changed if the
    /// observer wanted to stop before it was done. The time is the caller's.
    pub fn advance(&self, state: &mut State) -> Result<Option<Record>, FitnessError> {
        let generation = state.generations;
        let aim = self.aim(generation);
        let mut children = match generation {
            0 => self.first(),
            _ => self.children(state, generation),
        };
        for (child, id) in children.iter_mut().zip(state.next_id..) {
            child.id = id;
        }
        let judged = match self.breeding.coevolution {
            None => self.judge(aim, &mut children, state)?,
            Some(coevolution) => self.judge_by_groups(aim, coevolution, &mut children, state)?,
        };
        let Some(judged) = judged else { return Ok(None) };
        // Costs are never below zero, so their bits are in their order.
        children.sort_by_cached_key(|child| (child.cost.to_bits(), child.genome.parts(), child.id));
        let (hall, honoured) = self.update_hall_of_fame(aim, &children, state)?;
        let is_better = state.hall.first().is_none_or(|before| hall[0].cost < before.cost);
        state.stale = if is_better { 0 } else { state.stale + 1 };
        state.generations += 1;
        state.evaluations += judged.evaluations + honoured;
        state.next_id += children.len() as u64;
        state.groups = judged.groups;
        state.hall = hall;
        state.population = children;
        self.record(aim, generation, state).map(Some)
    }

    /// What is asked of a generation.
    fn aim(&self, generation: u64) -> Aim {
        let aims = &self.breeding.aims;
        let all: f64 = aims.iter().map(|(_, chance)| chance).sum();
        let mut left = self.chance(generation, AIM).unit() * all;
        for (aim, chance) in aims {
            left -= chance;
            if left < 0.0 {
                return *aim;
            }
        }
        aims[0].0
    }

    /// Does a formula cost the same in every generation?
    fn is_steady(&self) -> bool {
        self.breeding.aims.len() == 1 && self.breeding.coevolution.is_none()
    }

    fn first(&self) -> Vec<Individual> {
        let mut seen = FxHashSet::default();
        (0..self.breeding.size)
            .map(|index| {
                let mut chance = self.chance(0, index as u64);
                let mut genome = self.breeder.random(index, &mut chance);
                // Twice the same is a waste, but there may be no more.
                for _ in 0..10 {
                    if seen.insert(genome.clone()) {
                        break;
                    }
                    genome = self.breeder.random(index, &mut chance);
                }
                Individual { genome, ..newborn(0, Vec::new(), Operator::Random) }
            })
            .collect()
    }

    fn children(&self, state: &State, generation: u64) -> Vec<Individual> {
        let Breeding { size, elites, crossover, mutation, .. } = *self.breeding;
        let elite = state.population.iter().take(elites).map(|parent| {
            let parents = vec![parent.id];
            Individual { genome: parent.genome.clone(), ..newborn(generation, parents, Operator::Copy) }
        });
        let wheel = Wheel::new(self.breeding.selection, &state.population);
        let child = |index: usize| {
            let mut chance = self.chance(generation, index as u64);
            let mother = &state.population[wheel.pick(&mut chance)];
            let kind = chance.unit();
            let (parents, (genome, operator)) = if kind < crossover {
                let father = &state.population[wheel.pick(&mut chance)];
                let child = self.breeder.cross(&mother.genome, &father.genome, &mut chance);
                (vec![mother.id, father.id], child)
            } else if kind < crossover + mutation {
                (vec![mother.id], self.breeder.mutate(&mother.genome, &mut chance))
            } else {
                (vec![mother.id], (mother.genome.clone(), Operator::Copy))
            };
            Individual { genome, ..newborn(generation, parents, operator) }
        };
        elite.chain((elites..size).map(child)).collect()
    }

    /// Judges all, each formula once; what is known from the generation before
    /// is not judged again.
    fn judge(
        &self,
        aim: Aim,
        children: &mut [Individual],
        state: &State,
    ) -> Result<Option<Judged>, FitnessError> {
        // One look-up for each formula: five of them made a run of least squares 6 % longer.
        let mut places: FxHashMap<&Heuristic, Cost> = FxHashMap::default();
        if self.is_steady() {
            places.extend(state.population.iter().map(|parent| (&parent.genome, Cost::Known(parent.cost))));
        }
        let mut new: Vec<&Heuristic> = Vec::new();
        let mut place = |genome| {
            *places.entry(genome).or_insert_with(|| {
                new.push(genome);
                Cost::New(new.len() - 1)
            })
        };
        let places: Vec<Cost> = children.iter().map(|child| place(&child.genome)).collect();
        let evaluations = new.len() as u64;
        let costs = self.each(&new, |genome| self.training.cost(aim, genome))?;
        let Some(costs) = costs else { return Ok(None) };
        for (child, place) in children.iter_mut().zip(places) {
            child.cost = match place {
                Cost::Known(cost) => cost,
                Cost::New(number) => costs[number],
            };
        }
        Ok(Some(Judged { evaluations, groups: Vec::new() }))
    }

    /// Judges formulas on all cores; nothing if the observer wants to stop.
    fn each<T: Send>(
        &self,
        genomes: &[&Heuristic],
        judge: impl Fn(&Heuristic) -> Result<T, FitnessError> + Sync,
    ) -> Result<Option<Vec<T>>, FitnessError> {
        let judge = |genome: &&Heuristic| match self.observer.wants_stop() {
            true => Ok(None),
            false => judge(genome).map(Some),
        };
        genomes.par_iter().map(judge).collect()
    }

    /// Judges all by the boards of the groups, and breeds the next groups: the
    /// more their boards cost, the fitter they are.
    fn judge_by_groups(
        &self,
        aim: Aim,
        coevolution: Coevolution,
        children: &mut [Individual],
        state: &State,
    ) -> Result<Option<Judged>, FitnessError> {
        let all = self.training.boards(aim);
        let mut chance = self.chance(state.generations, GROUPS);
        let mut groups = state.groups.clone();
        if groups.is_empty() {
            let group = |chance: &mut Chance| (0..coevolution.boards).map(|_| chance.below(all)).collect();
            groups = (0..coevolution.groups).map(|_| group(&mut chance)).collect();
        }
        // Other aims may have fewer boards.
        groups.iter_mut().flatten().for_each(|board| *board %= all);
        let boards: BTreeSet<usize> = groups.iter().flatten().copied().collect();
        let boards: Vec<usize> = boards.into_iter().collect();
        let places: FxHashMap<usize, usize> = boards.iter().copied().zip(0..).collect();
        let genomes: Vec<&Heuristic> = children.iter().map(|child| &child.genome).collect();
        let evaluations = genomes.len() as u64;
        let costs = self.each(&genomes, |genome| self.training.costs(aim, genome, &boards))?;
        let Some(costs) = costs else { return Ok(None) };
        let of_group = |costs: &[f64], group: &[usize]| {
            group.iter().map(|board| costs[places[board]]).sum::<f64>() / group.len() as f64
        };
        for (child, costs) in children.iter_mut().zip(&costs) {
            let sum: f64 = groups.iter().map(|group| of_group(costs, group)).sum();
            child.cost = sum / groups.len() as f64;
        }
        let hardness: Vec<f64> = groups
            .iter()
            .map(|group| costs.iter().map(|costs| of_group(costs, group)).sum::<f64>() / costs.len() as f64)
            .collect();
        Ok(Some(Judged { evaluations, groups: next_groups(&groups, &hardness, all, &mut chance) }))
    }

    /// The hall of fame with the best of a generation, and how many of them had
    /// to be judged anew for it.
    fn update_hall_of_fame(
        &self,
        aim: Aim,
        children: &[Individual],
        state: &State,
    ) -> Result<(Vec<Individual>, u64), FitnessError> {
        let main = self.breeding.aims[0].0;
        let is_same = self.breeding.coevolution.is_none() && aim == main;
        // Judged anew, a few are enough.
        let most = if is_same { self.breeding.hall } else { self.breeding.hall.min(3) };
        let mut hall = state.hall.clone();
        let mut taken = 0;
        for child in children {
            if taken == most {
                break;
            }
            if hall.iter().any(|known| known.genome == child.genome) {
                continue;
            }
            taken += 1;
            let cost = if is_same { child.cost } else { self.training.cost(main, &child.genome)? };
            let place = hall.partition_point(|known| known.cost <= cost);
            hall.insert(place, Individual { cost, ..child.clone() });
        }
        hall.truncate(self.breeding.hall);
        Ok((hall, if is_same { 0 } else { taken as u64 }))
    }

    fn record(&self, aim: Aim, generation: u64, state: &State) -> Result<Record, FitnessError> {
        let costs: Vec<f64> = state.population.iter().map(|individual| individual.cost).collect();
        let count = costs.len();
        let distinct: FxHashSet<&Heuristic> =
            state.population.iter().map(|individual| &individual.genome).collect();
        let parts: usize = state.population.iter().map(|individual| individual.genome.parts()).sum();
        let champion = &state.hall[0];
        Ok(Record {
            generation,
            aim,
            best: costs[0],
            mean: costs.iter().sum::<f64>() / count as f64,
            median: (costs[(count - 1) / 2] + costs[count / 2]) / 2.0,
            champion: champion.cost,
            test: self.test.cost(self.breeding.aims[0].0, &champion.genome)?,
            diversity: distinct.len() as f64 / count as f64,
            parts: parts as f64 / count as f64,
            evaluations: state.evaluations,
            seconds: 0.0,
        })
    }
}

fn newborn(born: u64, parents: Vec<u64>, operator: Operator) -> Individual {
    let genome = Heuristic::Constant(crate::search::Value::ZERO);
    Individual { id: 0, genome, cost: f64::INFINITY, born, parents, operator }
}

/// Draws parents.
enum Wheel {
    Tournament {
        of: usize,
        individuals: usize,
    },
    /// The sums of the shares up to each individual.
    Proportional(Vec<f64>),
}

impl Wheel {
    fn new(selection: Selection, population: &[Individual]) -> Wheel {
        match selection {
            Selection::Tournament(of) => Wheel::Tournament { of, individuals: population.len() },
            Selection::Proportional => {
                let mut sum = 0.0;
                let sums = population.iter().map(|individual| {
                    sum += 1.0 / (1.0 + individual.cost);
                    sum
                });
                Wheel::Proportional(sums.collect())
            }
        }
    }

    /// The place of a parent. The population stands best first, so the lowest
    /// place wins a tournament.
    fn pick(&self, chance: &mut Chance) -> usize {
        match self {
            Wheel::Tournament { of, individuals } => {
                (0..*of).map(|_| chance.below(*individuals)).min().unwrap_or(0)
            }
            Wheel::Proportional(sums) => {
                let all = sums.last().copied().unwrap_or(0.0);
                let at = chance.unit() * all;
                sums.partition_point(|&sum| sum <= at).min(sums.len() - 1)
            }
        }
    }
}

/// The hardest group stays; the others are mixed of two that won against
/// another, with one new board each.
fn next_groups(groups: &[Vec<usize>], hardness: &[f64], all: usize, chance: &mut Chance) -> Vec<Vec<usize>> {
    let hardest = (0..groups.len()).max_by(|&a, &b| hardness[a].total_cmp(&hardness[b]).then(b.cmp(&a)));
    let mut next: Vec<Vec<usize>> = hardest.map(|best| groups[best].clone()).into_iter().collect();
    let winner = |chance: &mut Chance| {
        let (a, b) = (chance.below(groups.len()), chance.below(groups.len()));
        if hardness[a] >= hardness[b] { &groups[a] } else { &groups[b] }
    };
    while next.len() < groups.len() {
        let (mother, father) = (winner(chance), winner(chance));
        let mut group: Vec<usize> =
            mother.iter().zip(father).map(|(&a, &b)| if chance.happens(0.5) { a } else { b }).collect();
        let place = chance.below(group.len());
        group[place] = chance.below(all);
        next.push(group);
    }
    next
}
