//! From the probabilities of labels to mentions.
//!
//! In: the pieces of one text, and for the first piece of each word the probability of every label. Out: mentions in
//! order, apart from each other. A word is what its first piece is; words of one kind that follow each other are one
//! mention, unless what lies between them, or a label that begins something new, says otherwise. Labels that stand for
//! no kind (values with a form of their own, which the rules find) count against the others and are otherwise dropped.

use cloakgate_vocab::Span;
use unicode_normalization::char::is_combining_mark;

use super::word_piece::Piece;
use crate::mention::{Kind, Mention};

/// Most bytes between two words of one mention.
const MAX_BETWEEN: usize = 4;
/// All kinds.
const KINDS: [Kind; 5] = [Kind::Person, Kind::Place, Kind::Organisation, Kind::Address, Kind::Group];

/// The outputs of a network.
#[derive(Debug)]
pub(super) struct Labels {
    outputs: Vec<Output>,
    /// Least probability of a kind that counts.
    threshold: f32,
}

/// What one output says of a word.
#[derive(Debug)]
struct Output {
    /// Nothing at all, one of the kinds, or what is of no kind.
    sense: Sense,
    /// The first output of the same thing: the outputs of one thing differ in where in it the word stands.
    thing: usize,
    /// Whether the word begins something.
    begins: bool,
    /// Whether it may stand before a comma that the rest of the name follows.
    family: bool,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Sense {
    Nothing,
    Kind(Kind),
    Other,
}

/// What one word most likely is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    kind: Option<Kind>,
    thing: usize,
    begins: bool,
    family: bool,
    score: f32,
}

impl Choice {
    pub(super) const NOTHING: Self = Self { kind: None, thing: 0, begins: false, family: false, score: 0.0 };
}

impl Labels {
    /// Outputs of these names, in order: `O`, or the name of a thing with `B-`, `I-` or another mark of the place in it
    /// before it. `kind` says what a thing is.
    pub(super) fn new<'a>(
        names: impl IntoIterator<Item = &'a str>,
        kind: impl Fn(&str) -> Option<Kind>,
        threshold: f32,
    ) -> Self {
        let mut things: Vec<&str> = Vec::new();
        let outputs = names.into_iter().map(|name| {
            let (mark, thing) = match name.split_once(['-', '_']) {
                Some((mark @ ("B" | "I" | "L" | "E" | "U" | "S"), thing)) => (mark, thing),
                _ => ("I", name),
            };
            let place = things.iter().position(|known| *known == thing);
            things.push(thing);
            Output {
                sense: if thing == "O" {
                    Sense::Nothing
                } else {
                    kind(thing).map_or(Sense::Other, Sense::Kind)
                },
                thing: place.unwrap_or(things.len() - 1),
                begins: matches!(mark, "B" | "U" | "S"),
                family: matches!(thing, "SURNAME" | "LASTNAME" | "LAST_NAME"),
            }
        });
        Self { outputs: outputs.collect(), threshold }
    }

    /// Number of outputs.
    #[cfg(feature = "models")]
    pub(super) fn len(&self) -> usize {
        self.outputs.len()
    }

    /// The likeliest kind, given the probability of each output, and the likeliest output of that kind. The outputs of
    /// a kind count together: a word of which it is open whether it is a given name or a surname is a name.
    pub(super) fn choose(&self, probabilities: &[f32]) -> Choice {
        let total = |sense: Sense| -> f32 {
            let outputs = self.outputs.iter().zip(probabilities);
            outputs.filter(|(output, _)| output.sense == sense).map(|(_, probability)| probability).sum()
        };
        let nothing = total(Sense::Nothing);
        if nothing > 0.5 {
            return Choice::NOTHING;
        }
        let kinds = KINDS.into_iter().map(|kind| (kind, total(Sense::Kind(kind))));
        let best = kinds.max_by(|one, other| one.1.total_cmp(&other.1));
        let best = best.filter(|(_, score)| *score >= self.threshold.max(nothing).max(total(Sense::Other)));
        let Some((kind, score)) = best else { return Choice::NOTHING };
        let own =
            self.outputs.iter().zip(probabilities).filter(|(output, _)| output.sense == Sense::Kind(kind));
        own.max_by(|one, other| one.1.total_cmp(other.1)).map_or(Choice::NOTHING, |(output, _)| Choice {
            kind: Some(kind),
            thing: output.thing,
            begins: output.begins,
            family: output.family,
            score,
        })
    }
}

/// A mention that may still grow.
struct Open {
    kind: Kind,
    span: Span,
    /// Its last word.
    last: Choice,
    total: f32,
    words: f32,
}

impl Open {
    fn close(self) -> Mention {
        Mention { span: self.span, kind: self.kind, score: self.total / self.words }
    }

    /// Whether a word of the same kind belongs to the mention: by what lies between them, and by the labels of both.
    fn takes(&self, choice: Choice, text: &str, word: Span) -> bool {
        let between = text.get(self.span.end()..word.start()).unwrap_or("?");
        if between.len() > MAX_BETWEEN {
            return false;
        }
        let all = |marks: &str| between.chars().all(|c| marks.contains(c));
        let same = self.last.thing == choice.thing;
        match self.kind {
            Kind::Person => all(" \u{a0}-.'’") || (self.last.family && !same && between.trim_end() == ","),
            Kind::Address => between.chars().all(|c| c.is_whitespace() || ",-./#".contains(c)),
            Kind::Place | Kind::Organisation | Kind::Group => {
                same && (between.is_empty() || !choice.begins && all(" \u{a0}-.'’&"))
            }
        }
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
        let Some(kind) = choice.kind else { continue };
        let word = Span::new(head.span.start(), with_marks(text, end)).unwrap_or(head.span);
        if let Some(open) = open.as_mut().filter(|open| open.kind == kind && open.takes(*choice, text, word))
        {
            open.span = Span::new(open.span.start(), word.end()).unwrap_or(open.span);
            open.last = *choice;
            open.total += choice.score;
            open.words += 1.0;
        } else {
            let next = Open { kind, span: word, last: *choice, total: choice.score, words: 1.0 };
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

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 9] =
        ["O", "B-GIVEN", "I-GIVEN", "B-SURNAME", "I-SURNAME", "S-CITY", "B-CITY", "E-CITY", "B-MAIL"];

    fn labels() -> Labels {
        let kind = |thing: &str| match thing {
            "GIVEN" | "SURNAME" => Some(Kind::Person),
            "CITY" => Some(Kind::Place),
            _ => None,
        };
        Labels::new(NAMES, kind, 0.35)
    }

    fn certain(name: &str) -> Choice {
        let row: Vec<f32> = NAMES.iter().map(|other| f32::from(u8::from(*other == name))).collect();
        labels().choose(&row)
    }

    #[test]
    fn labels_of_a_kind_count_together_and_the_others_against_it() {
        for (row, expected) in [
            ([0.4, 0.3, 0.0, 0.25, 0.05, 0.0, 0.0, 0.0, 0.0], Some((Kind::Person, 0.6))),
            ([0.6, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], None),
            ([0.2, 0.3, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.4], None),
            ([0.3, 0.2, 0.0, 0.1, 0.0, 0.2, 0.2, 0.0, 0.0], Some((Kind::Place, 0.4))),
            ([0.3, 0.34, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.06], None),
        ] {
            let choice = labels().choose(&row);
            assert_eq!(choice.kind, expected.map(|(kind, _)| kind), "{row:?}");
            assert!((choice.score - expected.map_or(0.0, |(_, score)| score)).abs() < 1e-6, "{row:?}");
        }
    }

    /// Words with the label of each, and the mentions.
    #[test]
    fn words_of_one_mention_are_joined() {
        for (text, labels, expected) in [
            ("Maria Lopez", &["B-GIVEN", "B-SURNAME"][..], &["Maria Lopez"][..]),
            ("Lopez, Maria", &["B-SURNAME", "B-GIVEN"], &["Lopez, Maria"]),
            ("Maria, Paolo", &["B-GIVEN", "B-GIVEN"], &["Maria", "Paolo"]),
            ("Maria\nPaolo", &["B-GIVEN", "B-GIVEN"], &["Maria", "Paolo"]),
            ("Anna-Lena O'Hara", &["B-GIVEN", "I-GIVEN", "B-SURNAME", "I-SURNAME"], &["Anna-Lena O'Hara"]),
            ("Maria met Paolo", &["B-GIVEN", "O", "B-GIVEN"], &["Maria", "Paolo"]),
            ("New York", &["B-CITY", "E-CITY"], &["New York"]),
            ("Paris Rome", &["S-CITY", "S-CITY"], &["Paris", "Rome"]),
            ("Maria Paris", &["B-GIVEN", "S-CITY"], &["Maria", "Paris"]),
            ("mail at", &["B-MAIL", "O"], &[]),
            ("Jose\u{301} said", &["B-GIVEN", "O"], &["Jose\u{301}"]),
        ] {
            let words = text.split([' ', ',', '\n', '-', '\'']).filter(|word| !word.is_empty());
            let span = |word: &str| {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                Span::sized(start, word.trim_end_matches('\u{301}').len())
            };
            let pieces: Vec<_> =
                words.map(|word| Piece { number: 9, first: true, span: span(word) }).collect();
            let choices: Vec<_> = labels.iter().map(|label| certain(label)).collect();
            let found = mentions(text, &pieces, &choices);
            let found: Vec<_> = found.iter().map(|mention| mention.span.of(text).unwrap()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
