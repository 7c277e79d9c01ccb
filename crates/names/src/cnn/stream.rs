//! Texts as one stream of words, read a window at a time.
//!
//! In: texts. Out: entities of each. The stream has four empty rows before the first text and after each one, so that no
//! text sees another. A window's words are read with four rows of the stream on each side. Invariant: no more of the
//! stream is held than a window, and the tokens of one chunk of a text.

use super::Cnn;
use super::classes::is_space;
use super::data::{Row, ZERO};
use super::decoder::{Decoder, Entity, Word};
use super::network::{Buffers, REACH};
use super::tokenizer::{Chunks, Token};
use super::words::PARTS;

/// Rows of a window, beside the four on each side.
const WINDOW: usize = 256;
/// Words that are mixed together.
const BATCH: usize = 64;
/// How likely a word must be a person to be told of.
const DOUBT: f32 = 0.02;
/// Words whose row is kept.
const CACHE: usize = 8192;

/// What is said of a stretch of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Voice {
    /// It is an entity.
    Entity,
    /// How likely a word is a person, or begins one, whatever it is in the end.
    Doubt(f32),
}

/// A place of the stream: a word, or nothing.
#[derive(Clone, Copy)]
struct Place {
    text: usize,
    token: Option<Token>,
}

/// Buffers of a reader, which the next one uses again.
pub(super) struct Desk {
    places: Vec<Place>,
    rows: Vec<Row>,
    scores: Vec<Row>,
    distances: Vec<usize>,
    /// Words to be mixed, and where they stand.
    words: Vec<[Row; PARTS]>,
    waiting: Vec<usize>,
    buffers: Buffers,
    /// Rows of words seen before: the key of the word of each, 0 for none.
    keys: Vec<u64>,
    cache: Vec<Row>,
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            rows: Vec::new(),
            scores: Vec::new(),
            distances: Vec::new(),
            words: Vec::new(),
            waiting: Vec::new(),
            buffers: Buffers::default(),
            keys: vec![0; CACHE],
            cache: vec![ZERO; CACHE],
        }
    }
}

/// Texts that are being read.
pub(super) struct Stream<'a> {
    cnn: &'a Cnn,
    texts: &'a [&'a str],
    /// The text that is cut, its chunks, and the tokens of one chunk that are not in the window yet.
    text: usize,
    chunks: Chunks<'a>,
    tokens: Vec<Token>,
    taken: usize,
    decoder: Decoder,
}

impl<'a> Stream<'a> {
    pub(super) fn new(cnn: &'a Cnn, texts: &'a [&'a str]) -> Self {
        let chunks = Chunks::of(texts.first().copied().unwrap_or_default());
        let decoder = Decoder::new(cnn.labels.len());
        Self { cnn, texts, text: 0, chunks, tokens: Vec::new(), taken: 0, decoder }
    }

    /// Reads all texts.
    pub(super) fn read(mut self, desk: &mut Desk, mut found: impl FnMut(usize, Entity, Voice)) {
        desk.places.clear();
        desk.places.resize(REACH, Place { text: 0, token: None });
        loop {
            self.fill(&mut desk.places);
            let end = desk.places.len().saturating_sub(REACH);
            if end <= REACH {
                return;
            }
            self.window(desk, &mut found);
            desk.places.drain(..end - REACH);
        }
    }

    /// Adds places until the window is full or the texts are at their end.
    fn fill(&mut self, places: &mut Vec<Place>) {
        while places.len() < WINDOW + 2 * REACH {
            if let Some(token) = self.tokens.get(self.taken) {
                self.taken += 1;
                places.push(Place { text: self.text, token: Some(*token) });
                continue;
            }
            self.tokens.clear();
            self.taken = 0;
            if let Some((at, chunk)) = self.chunks.next() {
                self.cnn.tokenizer.add(chunk, at, &mut self.tokens);
                continue;
            }
            if self.text >= self.texts.len() {
                return;
            }
            if places.last().is_some_and(|place| place.token.is_some()) {
                places.extend([Place { text: self.text, token: None }; REACH]);
            }
            self.text += 1;
            self.chunks = Chunks::of(self.texts.get(self.text).copied().unwrap_or_default());
        }
    }

    /// Reads the places between the first four and the last four.
    fn window(&mut self, desk: &mut Desk, found: &mut impl FnMut(usize, Entity, Voice)) {
        self.embed(desk);
        measure(&desk.places, &mut desk.distances);
        let network = &self.cnn.network;
        network.encode(&mut desk.rows, &desk.distances, &mut desk.buffers);
        network.outer_scores(&desk.rows, &mut desk.scores, &mut desk.buffers);
        let rows = desk.rows.iter().zip(&desk.scores);
        let following = desk.places.iter().skip(1);
        let window = desk.places.iter().zip(following).zip(rows).zip(&desk.distances);
        for (((place, next), (row, scores)), distance) in window {
            let Some(token) = place.token.filter(|_| *distance == 0) else { continue };
            let text = self.text_of(place);
            let word = Word {
                start: token.start,
                end: token.end,
                is_space: text.chars().all(is_space),
                is_last: next.token.is_none(),
                row,
                scores,
            };
            let doubt = self.cnn.person.map(|label| (label, self.decoder.chance(&word, label)));
            if let Some((label, chance)) = doubt.filter(|(_, chance)| *chance >= DOUBT) {
                found(place.text, Entity { start: word.start, end: word.end, label }, Voice::Doubt(chance));
            }
            if let Some(entity) = self.decoder.read(&word, network, &mut desk.buffers) {
                found(place.text, entity, Voice::Entity);
            }
        }
    }

    fn text_of(&self, place: &Place) -> &'a str {
        let text = self.texts.get(place.text).copied().unwrap_or_default();
        place.token.and_then(|token| text.get(token.start..token.end)).unwrap_or_default()
    }

    /// The rows of the words by themselves.
    fn embed(&self, desk: &mut Desk) {
        desk.rows.clear();
        desk.rows.resize(desk.places.len(), ZERO);
        for number in 0..desk.places.len() {
            let Some(Place { token: Some(token), .. }) = desk.places.get(number) else { continue };
            let key = key(token);
            let slot = slot(key);
            if desk.keys.get(slot) == Some(&key) {
                if let (Some(row), Some(known)) = (desk.rows.get_mut(number), desk.cache.get(slot)) {
                    *row = *known;
                }
            } else {
                desk.waiting.push(number);
            }
            if desk.waiting.len() == BATCH {
                self.mix(desk);
            }
        }
        self.mix(desk);
    }

    /// Mixes the words that wait.
    fn mix(&self, desk: &mut Desk) {
        let classes = self.cnn.tokenizer.classes();
        let Desk { places, rows, words, waiting, buffers, keys, cache, .. } = desk;
        words.clear();
        for place in waiting.iter().filter_map(|number| places.get(*number)) {
            if let Some(token) = place.token {
                words.push(self.cnn.words.rows(self.text_of(place), token.hash, token.norm, classes));
            }
        }
        self.cnn.network.mix(words, buffers, |word, mixed| {
            let number = waiting.get(word).copied().unwrap_or_default();
            if let (Some(row), Some(Place { token: Some(token), .. })) =
                (rows.get_mut(number), places.get(number))
            {
                *row = *mixed;
                let key = key(token);
                if let (Some(known), Some(row)) = (keys.get_mut(slot(key)), cache.get_mut(slot(key))) {
                    *known = key;
                    *row = *mixed;
                }
            }
        });
        waiting.clear();
    }
}

/// What a word's row depends on.
const fn key(token: &Token) -> u64 {
    let key = token.hash ^ token.norm.rotate_left(1);
    if key == 0 { 1 } else { key }
}

/// Where a word's row is kept.
const fn slot(key: u64) -> usize {
    key as usize % CACHE
}

/// How far each place is from a word that is read in this window.
fn measure(places: &[Place], distances: &mut Vec<usize>) {
    distances.clear();
    let end = places.len().saturating_sub(REACH);
    let mut distance = REACH + 1;
    for (number, place) in places.iter().enumerate() {
        let wanted = place.token.is_some() && (REACH..end).contains(&number);
        distance = if wanted { 0 } else { distance + 1 };
        distances.push(distance);
    }
    distance = REACH + 1;
    for known in distances.iter_mut().rev() {
        distance = if *known == 0 { 0 } else { distance + 1 };
        *known = distance.min(*known);
    }
}
