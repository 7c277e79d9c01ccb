//! Learns the weights of a linear chain: gradients of the likelihood of the labels, steps by how often and how far a weight has
//! moved (AdaGrad), and a steady pull to zero (L1), so that features that say little say nothing.

use cloakgate_names::training::{Factors, LABELS, Room, Row, STATES, Steps, may_follow};

use super::examples::{Example, Examples};
use super::random::Random;
use crate::console;

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// How often all lines are gone through.
    pub(super) rounds: usize,
    /// The pull to zero at each line.
    pub(super) pull: f32,
    pub(super) seed: u64,
}

/// The length of the first step of a weight.
const RATE: f32 = 0.15;
/// Least change that is made.
const LEAST: f32 = 1e-4;

#[derive(Clone, Copy)]
struct Weight {
    value: [f32; LABELS],
    moved: [f32; LABELS],
    /// The line at which it was last pulled.
    pulled: u32,
}

/// What was learnt.
pub(super) struct Learnt {
    pub(super) weights: Vec<[f32; LABELS]>,
    pub(super) steps: Steps,
}

pub(super) fn learn(examples: &Examples, settings: Settings) -> Learnt {
    let fresh = Weight { value: [0.0; LABELS], moved: [1e-6; LABELS], pulled: 0 };
    let mut learner = Learner {
        weights: vec![fresh; examples.features.len()],
        steps: Steps::default(),
        steps_moved: [[1e-6; STATES]; STATES],
        line: 0,
        pull: settings.pull,
    };
    let mut order: Vec<usize> = (0..examples.lines.len()).collect();
    let mut random = Random::new(settings.seed);
    let mut room = Room::default();
    for round in 1..=settings.rounds {
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        let mut loss = 0.0;
        let mut words = 0;
        for example in order.iter().filter_map(|place| examples.lines.get(*place)) {
            loss += learner.learn(example, &mut room);
            words += example.gold.len();
        }
        console::line(format_args!(
            "round {round}: {:.4} a word",
            loss / f64::from(u32::try_from(words).unwrap_or(1))
        ));
    }
    let now = learner.line;
    learner.weights.iter_mut().for_each(|weight| weight.pull(now, settings.pull));
    Learnt { weights: learner.weights.into_iter().map(|weight| weight.value).collect(), steps: learner.steps }
}

struct Learner {
    weights: Vec<Weight>,
    steps: Steps,
    steps_moved: [Row; STATES],
    line: u32,
    pull: f32,
}

impl Learner {
    /// Learns from one line; returns how surprising it was.
    fn learn(&mut self, example: &Example, room: &mut Room) -> f64 {
        self.line += 1;
        room.points.clear();
        for (features, _) in example.words() {
            let mut row = [0.0; STATES];
            for feature in features {
                let Some(weight) = self.weights.get_mut(*feature as usize) else { continue };
                weight.pull(self.line, self.pull);
                row.iter_mut().skip(1).zip(weight.value).for_each(|(points, value)| *points += value);
            }
            room.points.push(row);
        }
        let factors = Factors::new(&self.steps);
        room.weigh(&factors);
        let mut loss = 0.0;
        for ((features, gold), likely) in example.words().zip(&room.likely) {
            loss -= f64::from(likely.get(gold).copied().unwrap_or_default().max(1e-9)).ln();
            self.correct(features, gold, likely);
        }
        self.correct_steps(example, room, &factors);
        loss
    }

    /// Moves the weights of one word.
    fn correct(&mut self, features: &[u32], gold: usize, likely: &Row) {
        let mut slope = [0.0; LABELS];
        for ((label, slope), likely) in (1..).zip(&mut slope).zip(likely.iter().skip(1)) {
            *slope = likely - f32::from(u8::from(gold == label));
        }
        if slope.iter().all(|slope| slope.abs() < LEAST) {
            return;
        }
        for feature in features {
            let Some(weight) = self.weights.get_mut(*feature as usize) else { continue };
            for ((value, moved), slope) in weight.value.iter_mut().zip(&mut weight.moved).zip(slope) {
                if slope.abs() >= LEAST {
                    *moved += slope * slope;
                    *value -= RATE * slope / moved.sqrt();
                }
            }
        }
    }

    /// Moves the points of the steps from label to label.
    fn correct_steps(&mut self, example: &Example, room: &Room, factors: &Factors) {
        let mut slopes = [[0.0; STATES]; STATES];
        let mut before = 0;
        for (at, (_, gold)) in example.words().enumerate() {
            let likely = room.pair(factors, at);
            for (slope, likely) in slopes.iter_mut().flatten().zip(likely.iter().flatten()) {
                *slope += likely;
            }
            if let Some(slope) = slopes.get_mut(before).and_then(|row| row.get_mut(gold)) {
                *slope -= 1.0;
            }
            before = gold;
        }
        let rows = self.steps.0.iter_mut().zip(&mut self.steps_moved).zip(&slopes);
        for (before, ((points, moved), slopes)) in rows.enumerate() {
            for (label, ((points, moved), slope)) in points.iter_mut().zip(moved).zip(slopes).enumerate() {
                if may_follow(label, before) && slope.abs() >= LEAST {
                    *moved += slope * slope;
                    *points -= 0.5 * RATE * slope / moved.sqrt();
                }
            }
        }
    }
}

impl Weight {
    /// Pulls to zero as often as lines went by.
    fn pull(&mut self, now: u32, pull: f32) {
        let times = f32::from(u16::try_from(now - self.pulled).unwrap_or(u16::MAX));
        self.pulled = now;
        for (value, moved) in self.value.iter_mut().zip(self.moved) {
            let by = times * pull * RATE / moved.sqrt().max(0.1);
            *value = if *value > 0.0 { (*value - by).max(0.0) } else { (*value + by).min(0.0) };
        }
    }
}
