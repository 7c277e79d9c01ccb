//! The engine: one field in, its findings out.
//!
//! In: a string of a message with its key, kind and siblings. Out: findings sorted by start, hulls apart. Invariant:
//! an engine holds settings only, so it is cheap to make and to share.

use cloakgate_vocab::{Detector, Finding, Span, Strength, UpstreamName};

use crate::fields::{self, Extent};
use crate::hints::Hints;
use crate::keys::{self, Meaning};
use crate::known::KnownValues;
use crate::pass::{self, Structure};
use crate::recognise::{Cue, Hit};
use crate::settings::Settings;
use crate::{overlap, views};

/// What part of a document a field is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FieldKind {
    /// A string, decoded.
    Text,
    /// A number, as written.
    Number,
    /// The key of a member, decoded.
    Key,
}

/// One string of a message and what is known of its place.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The string.
    pub text: &'a str,
    /// What it is.
    pub kind: FieldKind,
    /// The key under which it stands; elements of an array stand under the key of the array.
    pub key: Option<&'a str>,
    /// What the other keys of the same record say.
    pub siblings: Hints,
}

impl<'a> Field<'a> {
    /// A text of which nothing else is known.
    #[must_use]
    pub fn text(text: &'a str) -> Self {
        Self { text, kind: FieldKind::Text, key: None, siblings: Hints::default() }
    }
}

/// Finds personal data and secrets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Engine {
    settings: Settings,
}

impl Engine {
    /// An engine with these settings.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// The settings it was made with.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Finds values in a field. The findings are sorted by start and their hulls do not overlap.
    #[must_use]
    pub fn scan(&self, field: &Field<'_>) -> Vec<Finding> {
        self.scan_known(field, &[], None)
    }

    /// Finds values in a field, those included that the given indexes know. `upstream` is whose message it is.
    #[must_use]
    pub fn scan_known(
        &self,
        field: &Field<'_>,
        known: &[&KnownValues],
        upstream: Option<&UpstreamName>,
    ) -> Vec<Finding> {
        let mut findings = self.found(field);
        findings.extend(known.iter().flat_map(|index| index.probe(field.text, field.key, upstream)));
        if field.kind != FieldKind::Number {
            findings.extend(views::findings(field.text, &mut |view| {
                let inner = Field { text: view, ..*field };
                let mut inside = self.found(&inner);
                inside.extend(known.iter().flat_map(|index| index.probe(view, field.key, upstream)));
                overlap::resolve(inside)
            }));
        }
        overlap::resolve(findings)
    }

    /// Findings of one text, views aside.
    fn found(&self, field: &Field<'_>) -> Vec<Finding> {
        let meaning = field.key.filter(|_| field.kind != FieldKind::Key).and_then(keys::meaning_of);
        let cue = match meaning.map_or(Cue::None, pass::cue_of) {
            // A bare `number` beside `exp` and `cvc`.
            Cue::None if field.siblings.card_like() => Cue::Card,
            cue => cue,
        };
        let structure = if field.kind == FieldKind::Text { Structure::Read } else { Structure::Skip };
        let mut hits = pass::scan(field.text, structure, cue);
        if let Some(meaning) = meaning {
            by_key(field, meaning, &mut hits);
        }
        hits.into_iter()
            .filter(|hit| self.settings.categories.contains(hit.category))
            .map(|hit| Finding {
                category: hit.category,
                pieces: if hit.pieces.is_empty() { lines_of(field.text, hit.span) } else { hit.pieces },
                decoded: None,
                detector: hit.detector,
                strength: hit.strength,
            })
            .collect()
    }
}

/// What the key of a field says about the whole value.
fn by_key(field: &Field<'_>, meaning: Meaning, hits: &mut Vec<Hit>) {
    if meaning == Meaning::Machine {
        hits.retain(|hit| hit.strength != Strength::Shape);
        return;
    }
    let number = field.kind == FieldKind::Number;
    if number && matches!(meaning, Meaning::Age | Meaning::Weight | Meaning::Money) {
        return;
    }
    if let Some(verdict) = fields::judge(meaning, field.text, Extent::Whole, field.siblings) {
        hits.push(Hit {
            span: verdict.span,
            category: verdict.category,
            detector: Detector(verdict.rule),
            strength: Strength::Context,
            pieces: Vec::new(),
        });
    }
}

/// One piece for each line of the span that holds something.
fn lines_of(text: &str, span: Span) -> Vec<Span> {
    let Some(value) = span.of(text).filter(|value| value.contains('\n')) else { return vec![span] };
    let mut pieces = Vec::new();
    let mut at = span.start();
    for line in value.split_inclusive('\n') {
        let inner = line.trim();
        let lead = line.len() - line.trim_start().len();
        if !inner.is_empty() {
            pieces.push(Span::sized(at + lead, inner.len()));
        }
        at += line.len();
    }
    if pieces.is_empty() { vec![span] } else { pieces }
}
