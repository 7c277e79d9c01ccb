//! From the probabilities of labels to mentions.
//!
//! In: the pieces of one text, and for the first piece of each word what it most likely is. Out: mentions in order,
//! apart from each other. A word is what its first piece is; words of one kind that follow each other are one mention,
//! unless the second begins a new one. Labels of values with a form of their own (mail, telephone, numbers) stand for
//! nothing here: the rules find those.

use cloakgate_vocab::Span;
use unicode_normalization::char::is_combining_mark;

use super::network::LABELS;
use super::word_piece::Piece;
use crate::mention::{Kind, Mention};

/// Most bytes between two words of one mention.
const MAX_BETWEEN: usize = 4;
/// Least probability of a word that counts.
const THRESHOLD: f32 = 0.35;

/// What a label of the network says of a word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Label {
    GivenName,
    Surname,
    Number,
    Street,
    Unit,
    City,
    State,
    PostCode,
    Nothing,
}

/// The labels in the order of the network's outputs, without the first (nothing at all): each twice, for a word that
/// begins something and for one that goes on with it.
const ORDER: [Label; LABELS / 2] = [
    Label::GivenName,
    Label::Surname,
    Label::Nothing,
    Label::Nothing,
    Label::Nothing,
    Label::Nothing,
    Label::Nothing,
    Label::Nothing,
    Label::Nothing,
    Label::Nothing,
    Label::Nothing,
    Label::Number,
    Label::Street,
    Label::Unit,
    Label::City,
    Label::State,
    Label::PostCode,
];

/// What one word most likely is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    label: Label,
    begins: bool,
    score: f32,
}

impl Choice {
    pub(super) const NOTHING: Self = Self { label: Label::Nothing, begins: false, score: 0.0 };

    /// The likeliest kind, given the probability of each label, and the likeliest of its labels. The labels of a kind
    /// count together: a word of which it is open whether it is a given name or a surname is a name.
    pub(super) fn of(probabilities: &[f32]) -> Self {
        let Some((nothing, outputs)) = probabilities.split_first() else { return Self::NOTHING };
        let (pairs, _) = outputs.as_chunks::<2>();
        let mut totals = [(Kind::Person, 0.0), (Kind::Place, 0.0), (Kind::Address, 0.0)];
        let mut other = 0.0;
        for (label, [begin, further]) in ORDER.iter().zip(pairs) {
            match totals.iter_mut().find(|(kind, _)| label.kind() == Some(*kind)) {
                Some((_, total)) => *total += begin + further,
                None => other += begin + further,
            }
        }
        let best = totals.into_iter().max_by(|one, other| one.1.total_cmp(&other.1));
        let Some((kind, score)) = best.filter(|(_, score)| *score >= THRESHOLD.max(*nothing).max(other))
        else {
            return Self::NOTHING;
        };
        let labels = ORDER.iter().zip(pairs).filter(|(label, _)| label.kind() == Some(kind));
        let likeliest =
            labels.max_by(|(_, one), (_, other)| (one[0] + one[1]).total_cmp(&(other[0] + other[1])));
        likeliest.map_or(Self::NOTHING, |(label, [begin, further])| Self {
            label: *label,
            begins: begin > further,
            score,
        })
    }
}

impl Label {
    const fn kind(self) -> Option<Kind> {
        match self {
            Self::GivenName | Self::Surname => Some(Kind::Person),
            Self::Number | Self::Street | Self::Unit | Self::PostCode => Some(Kind::Address),
            Self::City | Self::State => Some(Kind::Place),
            Self::Nothing => None,
        }
    }
}

/// A mention that may still grow.
struct Open {
    kind: Kind,
    span: Span,
    label: Label,
    total: f32,
    words: f32,
}

impl Open {
    fn close(self) -> Mention {
        Mention { span: self.span, kind: self.kind, score: self.total / self.words }
    }
}

/// The mentions of `text`: `choices` has one for each of its pieces, of which those of first pieces count.
pub(super) fn mentions(text: &str, pieces: &[Piece], choices: &[Choice]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut open: Option<Open> = None;
    let mut rest = pieces.iter().zip(choices).peekable();
    while let Some((head, choice)) = rest.next() {
        let mut end = head.span.end();
        while let Some((piece, _)) = rest.next_if(|(piece, _)| !piece.first) {
            end = piece.span.end();
        }
        let Some(kind) = choice.label.kind() else { continue };
        let word = Span::new(head.span.start(), with_marks(text, end)).unwrap_or(head.span);
        if let Some(open) = open.as_mut().filter(|open| open.kind == kind && open.takes(*choice, text, word))
        {
            open.span = Span::new(open.span.start(), word.end()).unwrap_or(open.span);
            open.label = choice.label;
            open.total += choice.score;
            open.words += 1.0;
        } else {
            let next = Open { kind, span: word, label: choice.label, total: choice.score, words: 1.0 };
            found.extend(open.replace(next).map(Open::close));
        }
    }
    found.extend(open.map(Open::close));
    found
}

/// The end of a word with the accents that stand after its last letter.
fn with_marks(text: &str, end: usize) -> usize {
    let marks = text.get(end..).unwrap_or_default().chars().take_while(|c| is_combining_mark(*c));
    end + marks.map(char::len_utf8).sum::<usize>()
}

impl Open {
    /// Whether a word of the same kind belongs to the mention: by what lies between them, and by the labels of both.
    fn takes(&self, choice: Choice, text: &str, word: Span) -> bool {
        let between = text.get(self.span.end()..word.start()).unwrap_or("?");
        if between.len() > MAX_BETWEEN {
            return false;
        }
        let all = |marks: &str| between.chars().all(|c| marks.contains(c));
        match self.kind {
            Kind::Person => all(" \u{a0}-.'’") || (self.label == Label::Surname && between.trim_end() == ","),
            Kind::Address => between.chars().all(|c| c.is_whitespace() || ",-./#".contains(c)),
            _ => self.label == choice.label && (between.is_empty() || !choice.begins && all(" \u{a0}-.'’")),
        }
    }
}
