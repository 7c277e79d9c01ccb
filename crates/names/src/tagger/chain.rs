//! How sure each label of each token of a line is, all labels of the line taken together.
//!
//! In: what speaks for each label at each token, and for each step from label to label. Out: probabilities. A label
//! "inside" follows only its own beginning or inside. Invariant: finite numbers only; cost linear in tokens.

use super::weights::LABELS;

/// Labels with "none", which is the first.
pub const STATES: usize = LABELS + 1;
/// Points or probabilities of each label.
pub type Row = [f32; STATES];

/// The points of each step from one label to another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steps(pub [Row; STATES]);

/// Whether a label may follow another: `2k` is inside of what `2k - 1` begins.
#[must_use]
pub const fn may_follow(label: usize, before: usize) -> bool {
    label == 0 || label % 2 == 1 || before == label || before + 1 == label
}

/// Room for one line, used again for the next.
#[derive(Clone, Debug, Default)]
pub struct Room {
    /// Points of each label of each token; the caller fills it.
    pub points: Vec<Row>,
    forward: Vec<Row>,
    /// Probabilities of each label of each token.
    pub likely: Vec<Row>,
}

/// The steps as factors.
#[derive(Clone, Copy, Debug)]
pub struct Factors {
    pub(crate) forth: [Row; STATES],
    back: [Row; STATES],
}

impl Factors {
    /// Of these points.
    #[must_use]
    pub fn new(steps: &Steps) -> Self {
        let mut forth = [[0.0; STATES]; STATES];
        let mut back = forth;
        for (before, (row, points)) in forth.iter_mut().zip(&steps.0).enumerate() {
            for (label, (factor, points)) in row.iter_mut().zip(points).enumerate() {
                if may_follow(label, before) {
                    *factor = points.clamp(-30.0, 30.0).exp();
                }
                if let Some(place) = back.get_mut(label).and_then(|row| row.get_mut(before)) {
                    *place = *factor;
                }
            }
        }
        Self { forth, back }
    }
}

impl Room {
    /// Fills `likely` from `points`.
    pub fn weigh(&mut self, factors: &Factors) {
        self.forward.clear();
        self.likely.clear();
        // Before the first token stands "none".
        let mut reached = [0.0; STATES];
        reached[0] = 1.0;
        for points in &mut self.points {
            exponential(points);
            let mut next = step(&reached, &factors.back);
            multiply(&mut next, points);
            normalise(&mut next);
            self.forward.push(next);
            reached = next;
        }
        let mut ahead = [1.0; STATES];
        self.likely.resize(self.points.len(), [0.0; STATES]);
        let rows = self.likely.iter_mut().zip(&self.forward).zip(&self.points).rev();
        for ((likely, forward), points) in rows {
            *likely = *forward;
            multiply(likely, &ahead);
            normalise(likely);
            multiply(&mut ahead, points);
            ahead = step(&ahead, &factors.forth);
            normalise(&mut ahead);
        }
    }
}

impl Room {
    /// How likely each step into the token at `at` is, after [`Room::weigh`].
    #[must_use]
    pub fn pair(&self, factors: &Factors, at: usize) -> [Row; STATES] {
        let mut pair = factors.forth;
        let mut first = [0.0; STATES];
        first[0] = 1.0;
        let before = at.checked_sub(1).and_then(|place| self.forward.get(place)).unwrap_or(&first);
        let Some(((points, likely), forward)) =
            self.points.get(at).zip(self.likely.get(at)).zip(self.forward.get(at))
        else {
            return pair;
        };
        let mut sum = 0.0;
        for (row, before) in pair.iter_mut().zip(before) {
            for (((step, points), likely), forward) in row.iter_mut().zip(points).zip(likely).zip(forward) {
                // What lies ahead is the likelihood against the way there.
                let ahead = if *forward > 1e-30 { likely / forward } else { 0.0 };
                *step *= before * points * ahead;
                sum += *step;
            }
        }
        if sum > 0.0 {
            pair.iter_mut().flatten().for_each(|step| *step /= sum);
        }
        pair
    }
}

/// For each row of a table, the sum of its products with `vector`.
fn step(vector: &Row, table: &[Row; STATES]) -> Row {
    let mut sums = [0.0; STATES];
    for (sum, row) in sums.iter_mut().zip(table) {
        *sum = row.iter().zip(vector).map(|(one, other)| one * other).sum();
    }
    sums
}

fn multiply(row: &mut Row, by: &Row) {
    row.iter_mut().zip(by).for_each(|(value, by)| *value *= by);
}

fn normalise(row: &mut Row) {
    let sum: f32 = row.iter().sum();
    if sum > f32::MIN_POSITIVE {
        row.iter_mut().for_each(|value| *value /= sum);
    } else {
        *row = [1.0 / STATES as f32; STATES];
    }
}

fn exponential(points: &mut Row) {
    let most = points.iter().copied().fold(f32::MIN, f32::max);
    points.iter_mut().for_each(|value| *value = (*value - most).max(-60.0).exp());
}
