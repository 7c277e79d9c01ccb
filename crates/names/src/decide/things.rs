//! What of a text is a place or an organisation.
//!
//! In: a block with its words and what the models see in it. Out: places and organisations that two signs speak for,
//! each with a score and, where that is not high enough for a place, a question to the transformer. Invariant: one
//! model alone is never enough; nothing is looked at unless somebody wants places or organisations. Not here: people,
//! who come first where both are possible; places that rules find (`detect`).

use std::ops::Range;

use cloakgate_detect::{CategorySet, is_firm_word, is_place};
use cloakgate_vocab::{Category, Finding, Span};

use super::Asked;
use super::context;
use super::evidence::{Scene, is_glued, sureness};
use super::weights::bounds;
use super::words::{Shape, Word};
use crate::mention::{Kind, Mention};
use crate::preset::Preset;
use crate::segments::Form;

/// Most words of a name.
const MAX_WORDS: usize = 8;
/// From here on the tagger proposes.
const PROPOSES: f32 = 0.3;

/// Words that may be the name of a place or an organisation.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    /// Where they are in the text.
    pub(crate) span: Span,
    /// What they name.
    pub(crate) category: Category,
    pub(super) question: Option<Asked>,
    score: f32,
}

/// What each sign is worth. The bound is above what the strongest is worth alone.
mod worth {
    /// The small network sees it.
    pub(super) const NETWORK: f32 = 2.0;
    /// The tagger is sure of it.
    pub(super) const TAGGER: f32 = 2.4;
    /// The transformer is sure of it.
    pub(super) const TRANSFORMER: f32 = 1.5;
    /// A name of the gazetteer.
    pub(super) const GAZETTEER: f32 = 1.2;
    /// After `in`, `from`, `near`.
    pub(super) const BEFORE: f32 = 0.9;
    /// The same after `live`, `moved`, `born`.
    pub(super) const WHEREABOUTS: f32 = 0.7;
    /// Beside its region: `Lyon, France`.
    pub(super) const REGION: f32 = 0.8;
    /// A word of firms and offices in it: `Bank`, `Ltd`.
    pub(super) const FIRM: f32 = 1.2;
    /// After `works for`.
    pub(super) const WORK: f32 = 1.0;
    /// The network sees something else.
    pub(super) const NETWORK_OTHER: f32 = -0.8;
    /// The network sees a group of people: `Swiss`.
    pub(super) const NETWORK_GROUP: f32 = -2.0;
    /// The tagger sees a person.
    pub(super) const TAGGER_PERSON: f32 = -1.5;
    /// All of its words are everyday ones.
    pub(super) const EVERYDAY: f32 = -1.4;
    /// One word in capitals that may stand for anything: `DUI`.
    pub(super) const LETTERS: f32 = -0.7;
    /// Programs and products are called so.
    pub(super) const TECHNICAL: f32 = -0.8;
    /// In small letters.
    pub(super) const LOWER: f32 = -1.2;
    /// From here on it is one.
    pub(super) const BOUND: f32 = 2.6;
    /// The same where a text must not show one.
    pub(super) const RECALL_BOUND: f32 = 1.9;
}

/// True when somebody wants what is looked for here.
pub(super) const fn are_wanted(wanted: CategorySet) -> bool {
    wanted.contains(Category::Location) || wanted.contains(Category::Org)
}

/// False when the words hold no name.
pub(super) fn may_hold(words: &[Word]) -> bool {
    words.iter().any(|word| (word.is_big() && !word.is_plain()) || word.known.place)
}

/// The places and organisations of a block, in order and apart.
pub(super) fn things(scene: &Scene<'_>, found: &[Finding], wanted: CategorySet) -> Vec<Thing> {
    let mut things: Vec<Thing> = Vec::new();
    for seen in proposed(scene) {
        for range in parts(scene, seen) {
            let Some(words) = scene.words.get(range.clone()) else { continue };
            let Some(span) = words.iter().map(|word| word.span).reduce(Span::union) else { continue };
            if is_taken(span, found)
                || things.last().is_some_and(|last| last.span.end() > span.start())
                || is_glued(scene.text, span, words)
                || is_comment(scene, span)
            {
                continue;
            }
            let place = (Category::Location, place(scene, &range, span, words));
            let firm = (Category::Org, organisation(scene, &range, span, words));
            let kinds = [place, firm].into_iter().filter(|(category, _)| wanted.contains(*category));
            if let Some((category, score)) = kinds.max_by(|one, other| one.1.total_cmp(&other.1)) {
                things.push(Thing { span, category, question: None, score });
            }
        }
    }
    things
}

impl Thing {
    /// Whether the transformer, which knows places, decides.
    pub(super) fn is_open(&self, preset: Preset) -> bool {
        let asks = bounds(preset).open < f32::MAX;
        asks && self.category == Category::Location
            && self.score < bound(preset)
            && self.score + worth::TRANSFORMER >= bound(preset)
    }

    /// Whether it is one, given what the transformer answered to each question.
    pub(super) fn holds(&self, answers: &[Vec<Mention>], preset: Preset) -> bool {
        let answer = self.question.and_then(|asked| Some((answers.get(asked.question)?, asked.span)));
        let sure = answer.map_or(0.0, |(mentions, span)| sureness(mentions, span, Kind::Place));
        self.score + worth::TRANSFORMER * sure >= bound(preset)
    }
}

fn bound(preset: Preset) -> f32 {
    if preset == Preset::Recall { worth::RECALL_BOUND } else { worth::BOUND }
}

/// Where a model sees a place or an organisation, or what stands before a name says so; what overlaps is one.
fn proposed(scene: &Scene<'_>) -> Vec<Range<usize>> {
    let thing = |mention: &&Mention| {
        matches!(mention.kind, Kind::Place | Kind::Organisation) && mention.score >= PROPOSES
    };
    let range = |mention: &Mention| {
        let first = scene.words.partition_point(|word| word.span.end() <= mention.span.start());
        first..scene.words.partition_point(|word| word.span.start() < mention.span.end())
    };
    let mut all: Vec<Range<usize>> =
        scene.seen.iter().chain(scene.tagged).filter(thing).map(range).chain(goals(scene)).collect();
    all.sort_by_key(|range| (range.start, range.end));
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(all.len());
    for range in all {
        match ranges.last_mut().filter(|last| range.start < last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => ranges.push(range),
        }
    }
    ranges
}

/// Runs of big words where somebody is or goes: `moved to Store Merløse`.
fn goals<'a>(scene: &'a Scene<'_>) -> impl Iterator<Item = Range<usize>> + 'a {
    let is_name = |word: &Word| word.shape == Shape::Capital && !word.is_plain() && !word.title;
    let goes_on = move |at: usize| {
        let (Some(one), Some(next)) = (scene.words.get(at - 1), scene.words.get(at)) else { return false };
        is_name(next) && scene.text.get(one.span.end()..next.span.start()) == Some(" ")
    };
    let starts = (1..scene.words.len()).filter(move |at| goes_on(*at) && told(scene, *at) > worth::BEFORE);
    starts
        .map(move |start| start..(start + 1..start + MAX_WORDS).find(|at| !goes_on(*at)).unwrap_or(start + 1))
}

/// The names in what was proposed: cut at commas, brackets and line ends, without articles and small words at the ends.
fn parts(scene: &Scene<'_>, seen: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = seen.start;
    for at in seen.clone() {
        let gap = |before: &Word, word: &Word| scene.text.get(before.span.end()..word.span.start());
        let before = at.checked_sub(1).filter(|_| at > start).and_then(|before| scene.words.get(before));
        let pair = before.zip(scene.words.get(at));
        let whole = pair.and_then(|(before, word)| gap(before, word)).is_none_or(|gap| {
            gap.len() <= 3 && gap.chars().all(|c| matches!(c, ' ' | '\u{a0}' | '&' | '-' | '.' | '\'' | '’'))
        });
        if !whole {
            parts.push(start..at);
            start = at;
        }
    }
    parts.push(start..seen.end);
    for part in &mut parts {
        trim(scene, part);
    }
    parts.retain(|part| (1..=MAX_WORDS).contains(&part.len()));
    parts
}

/// Takes small words off the ends of a name, where it has big ones.
fn trim(scene: &Scene<'_>, part: &mut Range<usize>) {
    let small = |at: usize| {
        scene.words.get(at).is_some_and(|word| {
            word.shape == Shape::Lower || word.span.of(scene.text).is_some_and(context::is_article)
        })
    };
    let any_big = scene.words.get(part.clone()).is_some_and(|words| words.iter().any(Word::is_big));
    while any_big && part.start < part.end && small(part.start) {
        part.start += 1;
    }
    while any_big && part.start < part.end && small(part.end - 1) {
        part.end -= 1;
    }
}

/// Whether a rule found something there that is not a part of it.
fn is_taken(span: Span, found: &[Finding]) -> bool {
    let after = found.partition_point(|finding| finding.hull().end() <= span.start());
    found.iter().skip(after).take_while(|finding| finding.hull().start() < span.end()).any(|finding| {
        let part = matches!(finding.category, Category::Location | Category::Org)
            && span.contains(finding.hull())
            && span != finding.hull();
        !part
    })
}

fn is_comment(scene: &Scene<'_>, span: Span) -> bool {
    let lines = &scene.block.lines;
    let at = lines.partition_point(|line| line.span.end() <= span.start());
    lines.get(at).is_some_and(|line| line.form == Form::Comment)
}

fn place(scene: &Scene<'_>, range: &Range<usize>, span: Span, words: &[Word]) -> f32 {
    let text = scene.text;
    let listed = span.of(text).is_some_and(is_place);
    let mut score = voices(scene, span, Kind::Place, Kind::Organisation) + doubts(words, listed);
    if listed {
        score += worth::GAZETTEER;
    }
    score += told(scene, range.start);
    if is_beside_place(scene, range) {
        score += worth::REGION;
    }
    score
}

/// What the words before a name say for a place.
fn told(scene: &Scene<'_>, start: usize) -> f32 {
    let [verb, before] = words_before(scene, start);
    if !before.is_some_and(context::is_before_places) {
        return 0.0;
    }
    worth::BEFORE + if verb.is_some_and(context::is_whereabouts) { worth::WHEREABOUTS } else { 0.0 }
}

/// The two words before one, where nothing but a blank lies between them.
fn words_before<'a>(scene: &Scene<'a>, start: usize) -> [Option<&'a str>; 2] {
    let word = |back: usize| {
        let at = start.checked_sub(back)?;
        let (word, next) = (scene.words.get(at)?, scene.words.get(at + 1)?);
        let close = scene.text.get(word.span.end()..next.span.start()) == Some(" ");
        word.span.of(scene.text).filter(|_| close)
    };
    let before = word(1);
    [before.and_then(|_| word(2)), before]
}

fn organisation(scene: &Scene<'_>, range: &Range<usize>, span: Span, words: &[Word]) -> f32 {
    let firm = |word: &Word| {
        word.span.of(scene.text).is_some_and(|word| is_firm_word(word) || context::is_thing(word))
    };
    let named = words.len() > 1 && words.iter().any(firm);
    let mut score = voices(scene, span, Kind::Organisation, Kind::Place) + doubts(words, named);
    if let [word] = words
        && word.shape == Shape::Upper
    {
        score += worth::LETTERS;
    }
    let [verb, before] = words_before(scene, range.start);
    if before.is_some_and(context::is_before_employers) && verb.is_some_and(context::is_work) {
        score += worth::WORK;
    }
    if named {
        score += worth::FIRM;
    }
    score
}

/// What the models say of a span for a kind and against another.
fn voices(scene: &Scene<'_>, span: Span, kind: Kind, other: Kind) -> f32 {
    let network = sureness(scene.seen, span, kind);
    let against = sureness(scene.seen, span, other).max(sureness(scene.seen, span, Kind::Person));
    worth::NETWORK * network
        + worth::NETWORK_OTHER * against
        + worth::NETWORK_GROUP * sureness(scene.seen, span, Kind::Group)
        + worth::TAGGER * sureness(scene.tagged, span, kind)
        + worth::TAGGER_PERSON * sureness(scene.tagged, span, Kind::Person)
}

/// What the words themselves say against a name; a name that is told otherwise may consist of everyday words.
fn doubts(words: &[Word], told: bool) -> f32 {
    let mut doubts = 0.0;
    if !told && words.iter().all(|word| word.everyday) {
        doubts += worth::EVERYDAY;
    }
    if !told && words.iter().all(|word| word.known.technical) {
        doubts += worth::TECHNICAL;
    }
    if words.iter().all(|word| word.shape == Shape::Lower) {
        doubts += worth::LOWER;
    }
    doubts
}

/// Whether a comma, and nothing else, lies between the words and another place: `Lyon, France`, `Austin, TX`.
fn is_beside_place(scene: &Scene<'_>, range: &Range<usize>) -> bool {
    let comma = |one: &Word, next: &Word| scene.text.get(one.span.end()..next.span.start()) == Some(", ");
    let region = |word: &Word| word.is_big() && (word.known.place || word.span.len() == 2);
    let last = range.end.checked_sub(1).and_then(|last| scene.words.get(last));
    let after = last.zip(scene.words.get(range.end));
    let before =
        range.start.checked_sub(1).and_then(|at| scene.words.get(at)).zip(scene.words.get(range.start));
    after.is_some_and(|(last, next)| comma(last, next) && region(next))
        || before.is_some_and(|(word, first)| comma(word, first) && word.is_big() && word.known.place)
}
