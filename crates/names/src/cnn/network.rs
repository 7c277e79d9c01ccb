//! The network: from the rows of words to the scores of actions.
//!
//! In: rows of words in the order of the texts, with empty rows between texts. Out: for each word a row that knows of
//! four words on each side. Invariant: each of the four layers is computed where the next one looks, no further, so that
//! a word's row is the same whatever is read together with it. Not here: which action is taken (`decoder`).

use super::data::{Items, Row, WIDTH, ZERO};
use super::layer::{Layer, Norm};
use super::words::PARTS;

/// How far a word's row reaches to each side: one word a layer.
pub(super) const REACH: usize = 4;
/// Words before, at and behind that a layer looks at.
const WINDOW: usize = 3;
/// Sums of which the largest counts, in a layer of the encoder and in the parser's.
const PIECES: usize = 3;
const STATE_PIECES: usize = 2;
/// Outputs of the parser's hidden layer.
const HIDDEN: usize = 64;
/// Words that the parser looks at: the next one, the first of the open entity, the one before.
const SLOTS: usize = 3;

/// All layers.
pub(super) struct Network {
    mix: Layer<PARTS, PIECES>,
    mix_norm: Norm,
    encoder: Vec<(Layer<WINDOW, PIECES>, Norm)>,
    /// The hidden layer when no entity is open, and when one is.
    outside: Layer<1, STATE_PIECES>,
    inside: Layer<SLOTS, STATE_PIECES>,
    /// Scores of the actions when no entity is open: begin and unit with each label, then out.
    actions: Layer<1, 1>,
    /// Weights and bias for each label: the entity goes on, it ends.
    go_on: Vec<(Row, f32)>,
    end: Vec<(Row, f32)>,
}

/// Buffers that are used again.
#[derive(Default)]
pub(super) struct Buffers {
    next: Vec<Row>,
    out: Vec<Row>,
    places: Vec<usize>,
}

impl Network {
    /// From the sections of the layers, for so many labels.
    pub(super) fn read(sections: [&'static [u8]; 7], labels: usize) -> Option<Self> {
        let [mix, encoder @ .., state, output] = sections;
        let (mix, mix_norm) = layer(mix)?;
        let encoder = encoder.into_iter().map(layer).collect::<Option<_>>()?;
        let (outside, inside) = state_layers(state)?;
        let mut items = Items::of(output);
        // Begin, in, last, unit with each label, a unit without one, out.
        let count = labels * 4 + 2;
        let weights = items.halves(count * HIDDEN)?;
        let bias = items.floats(count)?;
        let action = |number: usize| {
            let mut row = ZERO;
            let weights = weights.get(number * HIDDEN..(number + 1) * HIDDEN)?;
            row.iter_mut().zip(weights).for_each(|(out, weight)| *out = *weight);
            Some((row, *bias.get(number)?))
        };
        let begin_unit_out = (0..labels).chain(labels * 3..labels * 4).chain([labels * 4 + 1]);
        let outer: Vec<(Row, f32)> = begin_unit_out.map(action).collect::<Option<_>>()?;
        let (weights, bias): (Vec<Row>, Vec<f32>) = outer.into_iter().unzip();
        let fits = items.is_done() && bias.len() <= WIDTH;
        fits.then_some(Self {
            mix,
            mix_norm,
            encoder,
            outside,
            inside,
            actions: Layer::new(weights.as_flattened(), &bias),
            go_on: (labels..labels * 2).map(action).collect::<Option<_>>()?,
            end: (labels * 2..labels * 3).map(action).collect::<Option<_>>()?,
        })
    }

    /// Mixes what is known of each word to one row, which `done` gets with the word's number.
    pub(super) fn mix(&self, words: &[[Row; PARTS]], buffers: &mut Buffers, done: impl FnMut(usize, &Row)) {
        let out = &mut buffers.out;
        self.mix.apply(words.iter().map(<[Row; PARTS]>::each_ref), out);
        self.mix_norm.apply(out, done);
    }

    /// Passes rows through the encoder. `distances` says how far each is from one that is wanted, which are those with
    /// distance 0: only they are right afterwards, and only if the rows up to four further on each side are there.
    pub(super) fn encode(&self, rows: &mut Vec<Row>, distances: &[usize], buffers: &mut Buffers) {
        let Buffers { next, out, places } = buffers;
        for (number, (layer, norm)) in self.encoder.iter().enumerate() {
            let wanted = REACH.saturating_sub(number + 1);
            places.clear();
            places.extend(
                distances.iter().enumerate().filter(|(_, distance)| **distance <= wanted).map(|(at, _)| at),
            );
            let row = |place: Option<usize>| place.and_then(|place| rows.get(place)).unwrap_or(&ZERO);
            let window = |place: &usize| [row(place.checked_sub(1)), row(Some(*place)), row(Some(place + 1))];
            layer.apply(places.iter().map(window), out);
            next.clear();
            next.resize(rows.len(), ZERO);
            norm.apply(
                out,
                #[inline(always)]
                |look, normed| {
                    let place = places.get(look).copied().unwrap_or_default();
                    if let (Some(next), Some(row)) = (next.get_mut(place), rows.get(place)) {
                        for ((next, row), normed) in next.iter_mut().zip(row).zip(normed) {
                            *next = row + normed;
                        }
                    }
                },
            );
            std::mem::swap(rows, next);
        }
    }

    /// Scores of the actions at each word if no entity is open there: begin and unit with each label, then out.
    pub(super) fn outer_scores(&self, rows: &[Row], scores: &mut Vec<Row>, buffers: &mut Buffers) {
        let hidden = &mut buffers.out;
        self.outside.apply(rows.iter().map(|row| [row]), hidden);
        self.actions.apply(hidden.iter().map(|row| [row]), scores);
    }

    /// Whether an entity with this label, open before a word, ends with it rather than to go on. `slots`: the word, the
    /// entity's first word, the word before.
    pub(super) fn ends(&self, slots: [&Row; SLOTS], label: usize, buffers: &mut Buffers) -> bool {
        let hidden = &mut buffers.out;
        self.inside.apply(std::iter::once(slots), hidden);
        let hidden = hidden.first().unwrap_or(&ZERO);
        let score = |actions: &[(Row, f32)]| {
            let (weights, bias) = actions.get(label)?;
            Some(weights.iter().zip(hidden).map(|(weight, number)| weight * number).sum::<f32>() + bias)
        };
        // Going on is the earlier action and wins a tie.
        score(&self.end) > score(&self.go_on)
    }
}

/// A layer with its norm.
fn layer<const SEGMENTS: usize>(section: &'static [u8]) -> Option<(Layer<SEGMENTS, PIECES>, Norm)> {
    let mut items = Items::of(section);
    let weights = items.halves(WIDTH * PIECES * SEGMENTS * WIDTH)?;
    let bias = items.floats(WIDTH * PIECES)?;
    let norm = Norm { gain: items.row()?, bias: items.row()? };
    items.is_done().then(|| (Layer::new(&weights, &bias), norm))
}

/// The parser's hidden layer, without an open entity and with one.
fn state_layers(section: &'static [u8]) -> Option<(Layer<1, STATE_PIECES>, Layer<SLOTS, STATE_PIECES>)> {
    const SUMS: usize = HIDDEN * STATE_PIECES;
    let mut items = Items::of(section);
    let weights = items.halves(SLOTS * SUMS * WIDTH)?;
    let [with, without]: [Vec<f32>; 2] = [items.floats(SLOTS * SUMS)?, items.floats(SLOTS * SUMS)?];
    let bias = items.floats(SUMS)?;
    // The bias of all three slots, with a word in the first and, as it is, in the others.
    let sum = |others: &[f32]| -> Vec<f32> {
        let slots = with.iter().take(SUMS).zip(others.iter().skip(SUMS)).zip(others.iter().skip(2 * SUMS));
        slots.zip(&bias).map(|(((first, second), third), bias)| first + second + third + bias).collect()
    };
    let mut joined = Vec::with_capacity(weights.len());
    for number in 0..SUMS {
        for slot in 0..SLOTS {
            let start = (slot * SUMS + number) * WIDTH;
            joined.extend(weights.get(start..start + WIDTH)?);
        }
    }
    let outside = Layer::new(weights.get(..SUMS * WIDTH)?, &sum(&without));
    items.is_done().then(|| (outside, Layer::new(&joined, &sum(&with))))
}
