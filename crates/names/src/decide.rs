//! What of a text is a person's name.
//!
//! In: a text with the findings of the rules, and the models. Out: candidates, each with a score and, where that is
//! neither high nor low, a question to the transformer; then, with its answers, the names. Order: the rules have decided
//! what they can; the small network reads blocks that hold a word which may be a name; the transformer reads only
//! sentences with a candidate that is undecided. A name that is sure speaks for its words elsewhere in the message.
//! Invariant: nothing that a rule found is decided again. Not here: what is read at all (`segments`).

mod candidate;
mod context;
mod evidence;
mod known;
mod questions;
mod things;
mod weights;
mod words;

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use cloakgate_detect::CategorySet;
use cloakgate_vocab::{Finding, Span};

use self::evidence::{Scene, with_transformer};
pub(crate) use self::known::known_words;
use self::known::{Elsewhere, Known, speaking};
pub(crate) use self::questions::Questions;
pub(crate) use self::things::Thing;
use self::weights::{Bounds, SIGNS, Sign, Signs, bounds, score};
use self::words::{Shape, Word};
use crate::brought::{Brought, Stage};
use crate::capitals::{self, Letters};
use crate::cnn::Cnn;
use crate::lists::Lists;
use crate::mention::{Kind, Mention};
use crate::names::NamesError;
use crate::preset::Preset;
use crate::scripts;
use crate::segments::{Block, Form, blocks};
use crate::tagger::Tagger;

/// Most bytes of a text under a key that are read as the key's value.
const MAX_VALUE_BYTES: usize = 80;
/// Most blanks in one.
const MAX_VALUE_BLANKS: usize = 5;

/// What a name in letters without capitals scores for each doubt that the lists do not have.
const LISTED_SCORE: f32 = 4.0;
/// How sure somebody is who proposes a candidate.
const PROPOSES: f32 = 0.5;
/// How sure the lists are where the score is nought.
const LISTED_DOUBT: f32 = 0.75;

/// Words that may be a name.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Where they are in the text.
    pub(crate) span: Span,
    /// Whether a model sees a name there.
    pub(crate) seen: bool,
    signs: Signs,
    question: Option<Asked>,
    score: f32,
    words: Vec<String>, // small, without initials
    spoken: bool,       // whether its words may stand for it elsewhere
    fixed: bool,        // whether nobody else is asked
}

/// Where in a question a candidate stands.
#[derive(Clone, Copy, Debug)]
struct Asked {
    question: usize,
    span: Span,
}

/// What reads a text.
pub(crate) struct Judge<'a> {
    pub(crate) cnn: &'a Cnn,
    pub(crate) tagger: &'a Tagger,
    pub(crate) lists: &'a Lists,
    pub(crate) brought: &'a Brought,
    pub(crate) preset: Preset,
    pub(crate) wanted: CategorySet,
    /// Where a model that fails on the way says so.
    pub(crate) failure: &'a OnceCell<NamesError>,
}

/// What may be something in a text.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// People.
    pub(crate) candidates: Vec<Candidate>,
    /// Places and organisations, where they are wanted.
    pub(crate) things: Vec<Thing>,
}

/// A block with its words, and what models say of it: each is asked once, and only where somebody wants to know.
struct Passage<'a> {
    text: &'a str,
    block: &'a Block,
    words: &'a [Word],
    found: &'a [Finding],
    judge: &'a Judge<'a>,
    tagged: OnceCell<Vec<Mention>>,
    seen: OnceCell<(Vec<Mention>, Vec<Mention>)>,
    brought: OnceCell<Vec<Mention>>,
}

impl Passage<'_> {
    fn part(&self) -> &str {
        self.block.span().of(self.text).unwrap_or_default()
    }

    fn shifted(&self, mentions: Vec<Mention>) -> Vec<Mention> {
        shifted(mentions, self.block.span().start())
    }

    fn tagged(&self) -> &[Mention] {
        self.tagged.get_or_init(|| self.shifted(self.judge.tagger.read(self.part())))
    }

    /// What models that the operator brings, and that read everything, see.
    fn brought(&self) -> &[Mention] {
        self.brought.get_or_init(|| {
            let mut seen = Vec::new();
            if let Err(failure) = self.judge.brought.read(Stage::Every, &[self.part()], &mut seen) {
                // The first one counts.
                drop(self.judge.failure.set(failure));
            }
            self.shifted(seen.pop().unwrap_or_default())
        })
    }

    /// What the small network sees and where it is in doubt, and what those see who come before it.
    fn heard(&self) -> &(Vec<Mention>, Vec<Mention>) {
        self.seen.get_or_init(|| {
            let (seen, doubts) = self.judge.cnn.read_with_doubts(self.part());
            let (mut seen, doubts) = (self.shifted(seen), self.shifted(doubts));
            let brought = self.brought();
            if !brought.is_empty() {
                seen.retain(|mention| !brought.iter().any(|own| own.span.overlaps(mention.span)));
                seen.extend_from_slice(brought);
                seen.sort_by_key(|mention| mention.span);
            }
            (seen, doubts)
        })
    }

    fn seen(&self) -> &[Mention] {
        &self.heard().0
    }

    fn scene<'b>(&'b self, listed: &'b [Mention]) -> Scene<'b> {
        let (text, block, words) = (self.text, self.block, self.words);
        let foreign = evidence::foreign(text, words);
        let (seen, doubts) = self.heard();
        Scene { text, block, words, seen, doubts, listed, tagged: self.tagged(), foreign }
    }
}

impl Judge<'_> {
    /// The candidates of a text; `key` is the key under which it stands.
    pub(crate) fn candidates(
        &self,
        text: &str,
        key: Option<&str>,
        found: &[Finding],
        questions: &mut Questions,
    ) -> Heard {
        let value = key.filter(|_| is_value(text));
        let mut heard = Heard::default();
        let mut words = Vec::new();
        for mut block in blocks(text) {
            if value.is_some() {
                block.lines.iter_mut().for_each(|line| line.form = Form::Pair);
            }
            words.clear();
            for line in &block.lines {
                words::words(text, line.span, self.lists, &mut words);
            }
            let passage = Passage {
                text,
                block: &block,
                words: &words,
                found,
                judge: self,
                tagged: OnceCell::new(),
                seen: OnceCell::new(),
                brought: OnceCell::new(),
            };
            let mut ask = |span: Span| {
                let asked = match value {
                    Some(key) => questions.value(key, text, span),
                    None => questions.sentence(text, &block, span),
                };
                asked.map(|(question, span)| Asked { question, span })
            };
            let mut candidates = self.of_block(&passage);
            for candidate in candidates.iter_mut().filter(|candidate| self.is_open(candidate)) {
                candidate.question = ask(candidate.span);
            }
            heard.candidates.append(&mut candidates);
            let mut things = self.things(&passage);
            for thing in things.iter_mut().filter(|thing| thing.is_open(self.preset)) {
                thing.question = ask(thing.span);
            }
            heard.things.append(&mut things);
        }
        heard
    }

    /// The places and organisations of a block, where they are wanted.
    fn things(&self, passage: &Passage<'_>) -> Vec<Thing> {
        if !things::are_wanted(self.wanted) || !things::may_hold(passage.words) {
            return Vec::new();
        }
        things::things(&passage.scene(&[]), passage.found, self.wanted)
    }

    /// Whether the transformer decides.
    fn is_open(&self, candidate: &Candidate) -> bool {
        let bounds = bounds(self.preset);
        let open = if candidate.is_lone() { bounds.lone } else { bounds.open };
        !candidate.fixed && (open..bounds.sure).contains(&candidate.score)
    }

    /// The candidates of a block; where lists and tagger know of none, the small network is not asked, and at the least
    /// effort neither is the tagger where the lists know of none.
    fn of_block(&self, passage: &Passage<'_>) -> Vec<Candidate> {
        let Passage { text, words, found, .. } = *passage;
        let mut all = self.uncased(text, passage.block, found);
        let open = |range: Range<usize>| span_of(words, range).is_some_and(|span| is_free(span, found));
        let proposed = passage.brought();
        if self.preset == Preset::Fast
            && !candidate::candidates(text, words, &people(&[proposed])).into_iter().any(open)
        {
            return all;
        }
        let tagged = passage.tagged();
        if !candidate::candidates(text, words, &people(&[tagged, proposed])).into_iter().any(open) {
            return all;
        }
        let seen = passage.seen();
        let listed = passage.shifted(capitals::read(passage.part(), Letters::Latin, self.lists));
        let people = people(&[seen, &listed, tagged]);
        let scene = passage.scene(&listed);
        let others = all.len();
        for range in candidate::candidates(text, words, &people) {
            let Some(span) = span_of(words, range.clone()).filter(|span| is_free(*span, found)) else {
                continue;
            };
            if all.iter().take(others).any(|other| other.span.overlaps(span)) {
                continue;
            }
            let Some(signs) = evidence::signs(&scene, &range) else { continue };
            let inner = words.get(range).unwrap_or_default();
            all.push(Candidate {
                span,
                seen: seen.iter().any(|mention| mention.kind == Kind::Person && mention.span.overlaps(span)),
                signs,
                question: None,
                score: score(&signs, false),
                words: speaking(text, inner),
                spoken: inner.iter().all(|word| word.shape != Shape::Lower),
                fixed: false,
            });
        }
        all.sort_by_key(|candidate| candidate.span);
        all
    }

    /// Names in other letters than Latin, which the lists decide alone.
    fn uncased(&self, text: &str, block: &Block, found: &[Finding]) -> Vec<Candidate> {
        let stretch = block.span();
        let mentions =
            shifted(scripts::read(stretch.of(text).unwrap_or_default(), self.lists), stretch.start());
        let person = |mention: &Mention| mention.kind == Kind::Person && is_free(mention.span, found);
        let candidate = |mention: Mention| Candidate {
            span: mention.span,
            seen: false,
            signs: [0.0; SIGNS],
            question: None,
            score: LISTED_SCORE * (mention.score - LISTED_DOUBT),
            words: Vec::new(),
            spoken: false,
            fixed: true,
        };
        mentions.into_iter().filter(person).map(candidate).collect()
    }

    /// Says which candidates of each text are names, given what the transformer answered to each question. `known` holds
    /// words of names that the rules found.
    pub(crate) fn names(&self, mut texts: Vec<&mut Heard>, answers: &[Vec<Mention>], known: HashSet<String>) {
        let bounds = bounds(self.preset);
        let mut known = Known::new(known);
        for candidate in texts.iter_mut().flat_map(|heard| heard.candidates.iter_mut()) {
            candidate.answered(answers);
            if candidate.spoken && candidate.score > bounds.speaks {
                known.add(Elsewhere::Sure, &candidate.words);
            } else if candidate.spoken && candidate.score > bounds.person {
                known.add(Elsewhere::Perhaps, &candidate.words);
            }
        }
        for heard in texts {
            heard.candidates.retain(|candidate| candidate.is_name(&bounds, &known));
            heard.things.retain(|thing| thing.holds(answers, self.preset));
        }
    }
}

impl Candidate {
    fn answered(&mut self, answers: &[Vec<Mention>]) {
        let Some(asked) = self.question else { return };
        let Some(mentions) = answers.get(asked.question) else { return };
        let (mut covered, mut surest) = (0, 0.0_f32);
        for mention in mentions
            .iter()
            .filter(|mention| mention.kind == Kind::Person && mention.span.overlaps(asked.span))
        {
            covered +=
                mention.span.end().min(asked.span.end()) - mention.span.start().max(asked.span.start());
            surest = surest.max(mention.score);
        }
        let share = (covered as f32 / asked.span.len().max(1) as f32).min(1.0);
        self.seen |= covered > 0;
        with_transformer(&mut self.signs, surest * share);
        self.score = score(&self.signs, true);
    }

    /// True for one word that has its line to itself or stands behind a key: no sentence says what it is.
    fn is_lone(&self) -> bool {
        let holds = |sign: Sign| self.signs.get(sign as usize).is_some_and(|value| *value > 0.0);
        (holds(Sign::Alone) || holds(Sign::Pair)) && !holds(Sign::Two) && !holds(Sign::Three)
    }

    fn is_name(&self, bounds: &Bounds, known: &Known) -> bool {
        let again = match known.holds(&self.words).filter(|_| self.spoken) {
            Some(Elsewhere::Sure) => bounds.again,
            Some(Elsewhere::Perhaps) => bounds.beside,
            None => 0.0,
        };
        self.score + again > bounds.person
    }
}

/// Mentions in a stretch of a text that begins at `start`, in bytes of the text, by start.
fn shifted(mut mentions: Vec<Mention>, start: usize) -> Vec<Mention> {
    for mention in &mut mentions {
        mention.span = mention.span.shifted(start);
    }
    mentions.sort_by_key(|mention| mention.span);
    mentions
}

/// Where one of them sees a person; what overlaps is one place.
fn people(all: &[&[Mention]]) -> Vec<Span> {
    let sure = |mention: &&Mention| mention.kind == Kind::Person && mention.score >= PROPOSES;
    let mut spans: Vec<Span> =
        all.iter().copied().flatten().filter(sure).map(|mention| mention.span).collect();
    spans.sort();
    let mut people: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match people.last_mut().filter(|last| last.overlaps(span)) {
            Some(last) => *last = last.union(span),
            None => people.push(span),
        }
    }
    people
}

fn span_of(words: &[Word], range: Range<usize>) -> Option<Span> {
    words.get(range)?.iter().map(|word| word.span).reduce(Span::union)
}

/// Nothing that a rule found lies in the span.
fn is_free(span: Span, found: &[Finding]) -> bool {
    let after = found.partition_point(|finding| finding.hull().end() <= span.start());
    !found.get(after).is_some_and(|finding| finding.hull().overlaps(span))
}

/// A short text without lines.
fn is_value(text: &str) -> bool {
    text.len() <= MAX_VALUE_BYTES && !text.contains('\n') && text.matches(' ').count() <= MAX_VALUE_BLANKS
}
