//! What speaks for and against a candidate.
//!
//! In: a candidate, the words around it, and what the small network sees. Out: its signs, or nothing where what is glued
//! to it shows that it is no name. Invariant: a bounded look on either side. Not here: what a sign is worth (`weights`).

use std::ops::Range;

use cloakgate_detect::{is_firm_word, is_identifier, is_street_word};
use cloakgate_vocab::Span;

use super::candidate::beside;
use super::context;
use super::weights::{SIGNS, Sign, Signs};
use super::words::{Shape, Word};
use crate::mention::{Kind, Mention};
use crate::segments::{Block, Form};

/// Share of small words in an English text, from which on it counts as English.
const ENGLISH_SHARE: f32 = 0.15;
/// Words from which on a language can be told.
const TELLING_WORDS: usize = 8;

/// A block with its words and what the small network sees in it.
pub(crate) struct Scene<'a> {
    /// The whole text.
    pub(crate) text: &'a str,
    /// The block.
    pub(crate) block: &'a Block,
    /// Its words.
    pub(crate) words: &'a [Word],
    /// What the network sees, in bytes of the text.
    pub(crate) seen: &'a [Mention],
    /// Words that it may take for people, with how likely that is.
    pub(crate) doubts: &'a [Mention],
    /// Whom the lists make out by themselves, in bytes of the text.
    pub(crate) listed: &'a [Mention],
    /// What the tagger sees, in bytes of the text.
    pub(crate) tagged: &'a [Mention],
    /// Share of the block that does not look English, from 0 to 1.
    pub(crate) foreign: f32,
}

/// How little a block looks like English.
pub(crate) fn foreign(text: &str, words: &[Word]) -> f32 {
    if words.len() < TELLING_WORDS {
        return 0.0;
    }
    let small = words.iter().filter(|word| word.span.of(text).is_some_and(context::is_small_english)).count();
    1.0 - (small as f32 / words.len() as f32 / ENGLISH_SHARE).min(1.0)
}

/// The signs of a candidate; `None` where it is part of an identifier, an address or a number.
pub(crate) fn signs(scene: &Scene<'_>, range: &Range<usize>) -> Option<Signs> {
    let words = scene.words.get(range.clone()).filter(|words| !words.is_empty())?;
    let span = words.iter().map(|word| word.span).reduce(Span::union)?;
    if is_glued(scene.text, span, words) || is_small_talk(scene, span, words) {
        return None;
    }
    let mut signs = Signing([0.0; SIGNS]);
    signs.set(Sign::Always, 1.0);
    of_lists(scene.text, words, &mut signs);
    of_network(scene, span, &mut signs);
    signs.set(Sign::Listed, sureness(scene.listed, span, Kind::Person));
    signs.set(Sign::Tagger, sureness(scene.tagged, span, Kind::Person));
    of_shape(words, &mut signs);
    of_neighbours(scene, range, span, &mut signs);
    of_line(scene, span, words, &mut signs);
    let foreign = scene.foreign;
    signs.set(Sign::Foreign, foreign);
    signs.set(Sign::ForeignUnknown, foreign * signs.of(Sign::Unknown));
    signs.set(Sign::ForeignListed, foreign * signs.of(Sign::Listed));
    signs.set(Sign::ForeignTagger, foreign * signs.of(Sign::Tagger));
    signs.set(Sign::ForeignNetwork, foreign * signs.of(Sign::Network));
    signs.set(Sign::ForeignGiven, foreign * signs.of(Sign::Given));
    Some(signs.0)
}

/// Adds what the transformer says: how sure it is, for the part of the candidate that it covers.
pub(crate) fn with_transformer(signs: &mut Signs, sure: f32) {
    let mut signing = Signing(*signs);
    signing.set(Sign::Transformer, sure);
    signing.set(Sign::TransformerUnknown, sure * signing.of(Sign::Unknown));
    signing.set(Sign::TransformerLower, sure * signing.of(Sign::Lower));
    signing.set(Sign::ForeignTransformer, sure * signing.of(Sign::Foreign));
    *signs = signing.0;
}

struct Signing(Signs);

impl Signing {
    fn set(&mut self, sign: Sign, value: f32) {
        if let Some(slot) = self.0.get_mut(sign as usize) {
            *slot = value;
        }
    }

    fn flag(&mut self, sign: Sign, holds: bool) {
        if holds {
            self.set(sign, 1.0);
        }
    }

    fn of(&self, sign: Sign) -> f32 {
        self.0.get(sign as usize).copied().unwrap_or_default()
    }
}

/// Part of an identifier, a path, an address, a number or a file name.
pub(super) fn is_glued(text: &str, span: Span, words: &[Word]) -> bool {
    let before = text.get(..span.start()).unwrap_or_default();
    let after = text.get(span.end()..).unwrap_or_default();
    let mut back = before.chars().rev();
    let mut ahead = after.chars();
    let (last, last_but_one) = (back.next().unwrap_or(' '), back.next().unwrap_or(' '));
    let (next, next_but_one) = (ahead.next().unwrap_or(' '), ahead.next().unwrap_or(' '));
    let single = words.len() == 1;
    let code = |word: &Word| {
        word.span.of(text).is_some_and(|word| {
            is_identifier(word) || word.trim_end_matches('.').contains('.') && word.len() > 6
        })
    };
    matches!(last, '@' | '#' | '/' | '_' | '\\' | '=' | '&' | '$' | '%' | '+' | '~' | '`' | '{')
        || matches!(next, '_' | '\\' | '=' | '(' | '#' | '`' | '}' | '%' | '+' | '$')
        || (single && matches!(next, '@' | '/'))
        || last.is_alphanumeric()
        || next.is_alphanumeric()
        || (matches!(last, '.' | '-' | ':') && last_but_one.is_alphanumeric())
        || (matches!(next, '.' | '-' | ':')
            && (next_but_one.is_alphanumeric() || matches!(next_but_one, ':' | '_')))
        || words.iter().any(code)
        || span.len() < 2
}

/// Small words that are no name even where some model takes them for one: before a number (`geo 48.79`), in a text that
/// is not English, three or more.
fn is_small_talk(scene: &Scene<'_>, span: Span, words: &[Word]) -> bool {
    if words.iter().any(|word| word.shape != Shape::Lower) {
        return false;
    }
    let rest = scene.text.get(span.end()..).unwrap_or_default();
    let after = rest.trim_start_matches([' ', 'v', '-', '=', '#']);
    let number = after.len() < rest.len() && after.starts_with(|c: char| c.is_ascii_digit());
    let whole = words.len() > 1
        && words.first().is_some_and(Word::is_given)
        && words.last().is_some_and(|last| last.known.surname);
    number || (scene.foreign > 0.5 && !whole) || (words.len() > 2 && !words.iter().any(Word::is_given))
}

fn of_lists(text: &str, words: &[Word], signs: &mut Signing) {
    let Some(first) = words.iter().find(|word| word.shape != Shape::Initial).or_else(|| words.first()) else {
        return;
    };
    let given = first.is_given();
    signs.flag(Sign::Given, given);
    signs.flag(Sign::GivenCommon, given && first.known.frequency >= 2);
    signs.flag(Sign::GivenRare, given && first.known.frequency == 0);
    signs.flag(Sign::Ambiguous, given && first.everyday);
    let surname = words.last().is_some_and(|last| last.known.surname);
    signs.flag(Sign::Surname, surname);
    signs.flag(Sign::GivenSurname, given && surname && words.len() > 1);
    let count = words.len() as f32;
    signs.set(Sign::Everyday, words.iter().filter(|word| word.everyday).count() as f32 / count);
    signs.flag(Sign::Unknown, words.iter().all(|word| !word.everyday && !word.known.is_name()));
    let other = words.iter().filter(|word| word.known.technical || word.known.place).count();
    signs.set(Sign::Other, other as f32 / count);
    let thing =
        |word: &Word| word.span.of(text).is_some_and(|word| context::is_thing(word) || is_firm_word(word));
    signs.flag(Sign::Thing, words.iter().skip(1).any(thing));
}

/// How sure somebody is of something of a kind, for the part of the span that is covered.
pub(super) fn sureness(mentions: &[Mention], span: Span, kind: Kind) -> f32 {
    overlapping(mentions, span)
        .filter(|(mention, _)| mention.kind == kind)
        .map(|(mention, shared)| mention.score * shared as f32 / span.len().max(1) as f32)
        .fold(0.0, f32::max)
}

/// The surest of what overlaps a span.
fn most(mentions: &[Mention], span: Span) -> f32 {
    overlapping(mentions, span).map(|(mention, _)| mention.score).fold(0.0, f32::max)
}

/// The mentions that overlap a span, with how many bytes they share. They are sorted and apart.
fn overlapping(mentions: &[Mention], span: Span) -> impl Iterator<Item = (&Mention, usize)> {
    let from = mentions.partition_point(|mention| mention.span.end() <= span.start());
    let inside = mentions.iter().skip(from).take_while(move |mention| mention.span.start() < span.end());
    inside.map(move |mention| {
        (mention, mention.span.end().min(span.end()) - mention.span.start().max(span.start()))
    })
}

fn of_network(scene: &Scene<'_>, span: Span, signs: &mut Signing) {
    let mut person = 0usize;
    let mut other = None;
    for (mention, shared) in overlapping(scene.seen, span) {
        match mention.kind {
            Kind::Person => person += shared,
            kind => other = Some(kind),
        }
    }
    let whole = person * 10 >= span.len() * 6;
    signs.flag(Sign::Network, whole);
    signs.flag(Sign::NetworkPart, person > 0 && !whole);
    if !whole {
        signs.set(Sign::NetworkChance, most(scene.doubts, span));
    }
    if person == 0 {
        match other {
            Some(Kind::Organisation) => signs.set(Sign::NetworkFirm, 1.0),
            Some(Kind::Place | Kind::Address) => signs.set(Sign::NetworkPlace, 1.0),
            Some(_) => signs.set(Sign::NetworkGroup, 1.0),
            None => {}
        }
    }
}

fn of_shape(words: &[Word], signs: &mut Signing) {
    signs.flag(Sign::Two, words.len() == 2);
    signs.flag(Sign::Three, words.len() > 2);
    signs.flag(Sign::Initial, words.len() > 1 && words.iter().any(|word| word.shape == Shape::Initial));
    signs.flag(Sign::Upper, words.iter().all(|word| word.shape == Shape::Upper));
    let lower = words.iter().all(|word| word.shape == Shape::Lower);
    signs.flag(Sign::Lower, lower);
    signs.flag(Sign::LowerUnlisted, lower && signs.of(Sign::Given) == 0.0);
}

fn of_neighbours(scene: &Scene<'_>, range: &Range<usize>, span: Span, signs: &mut Signing) {
    let text = scene.text;
    let single = range.len() == 1;
    let before = range.start.checked_sub(1).and_then(|at| scene.words.get(at));
    let gap = before.and_then(|word| text.get(word.span.end()..span.start())).unwrap_or("\n");
    let close = gap.trim_matches(['.', ' ', '\u{a0}', '"']).is_empty();
    if let Some(word) = before.filter(|_| close) {
        let plain = word.span.of(text).unwrap_or_default().trim_end_matches('.');
        signs.flag(Sign::Title, word.title);
        // `Princess Royal`, `Major General`
        let common = single && words_everyday(scene.words.get(range.clone()));
        signs.flag(Sign::TitleOfThing, word.title && common && signs.of(Sign::Given) == 0.0);
        signs.flag(Sign::Cue, context::is_cue(plain));
        signs.flag(Sign::Article, context::is_article(plain));
        signs.flag(Sign::Preposition, context::is_preposition(plain));
        signs.flag(Sign::Thing, signs.of(Sign::Thing) > 0.0 || plain.eq_ignore_ascii_case("hurricane"));
    }
    let opens = before.is_none()
        || gap.contains(['\n', '!', '?', ':', '>'])
        || (gap.contains('.') && gap.ends_with(' ') && !before.is_some_and(|word| word.title));
    signs.flag(Sign::Opening, single && opens);
    // `Mark the case`, `Bill to`
    signs.flag(Sign::AmbiguousOpening, single && opens && signs.of(Sign::Ambiguous) > 0.0);
    let rest = text.get(span.end()..).unwrap_or_default();
    signs.flag(Sign::Possessive, ["'s", "’s", " 's"].iter().any(|ending| rest.starts_with(ending)));
    // `Lindström, K.`
    let mut cited = rest.strip_prefix(", ").unwrap_or_default().chars();
    let initial = cited.next().is_some_and(char::is_uppercase) && cited.next() == Some('.');
    signs.flag(Sign::BeforeInitial, single && initial && signs.of(Sign::Given) == 0.0);
    let Some((last, next)) = scene.words.get(range.end - 1).zip(scene.words.get(range.end)) else { return };
    if !beside(text, last, next) {
        return;
    }
    let word = next.span.of(text).unwrap_or_default();
    let thing = context::is_thing(word) || is_firm_word(word) || (is_street_word(word) && next.is_big());
    signs.flag(Sign::Thing, signs.of(Sign::Thing) > 0.0 || thing);
    signs.flag(Sign::Verb, context::is_verb(word));
    let small = next.shape == Shape::Lower
        && next.known.everyday < 3
        && !word.ends_with("ed")
        && !word.ends_with("ing");
    let noun =
        single && small && next.everyday && !context::is_verb(word) && !context::is_small_english(word);
    signs.flag(Sign::Noun, noun);
    signs.flag(Sign::NounUnlisted, noun && signs.of(Sign::Given) == 0.0);
}

fn words_everyday(words: Option<&[Word]>) -> bool {
    words.is_some_and(|words| words.iter().all(|word| word.everyday))
}

fn of_line(scene: &Scene<'_>, span: Span, words: &[Word], signs: &mut Signing) {
    let lines = &scene.block.lines;
    let at = lines.partition_point(|line| line.span.end() <= span.start());
    let Some(line) = lines.get(at) else { return };
    let before = scene.text.get(line.span.start()..span.start()).unwrap_or_default();
    let rest = scene.text.get(span.end()..line.span.end()).unwrap_or_default();
    let wordless = |part: &str| part.chars().all(|c| !c.is_alphanumeric());
    let alone = wordless(before) && wordless(rest);
    signs.flag(Sign::Alone, alone && line.form == Form::Short);
    let comma = [',', ';', '|'];
    let item = !alone
        && (before.trim().is_empty() || before.trim_end().ends_with(comma))
        && (rest.trim().is_empty() || rest.starts_with(comma));
    let common = words.iter().any(|word| word.known.frequency >= 2);
    let ambiguous = signs.of(Sign::Other) > 0.0 || (signs.of(Sign::Everyday) > 0.0 && !common);
    signs.flag(Sign::Item, item && words.len() == 1 && ambiguous);
    signs.flag(Sign::Pair, line.form == Form::Pair);
    signs.flag(Sign::Comment, line.form == Form::Comment);
}
