//! From probabilities of labels to mentions.
//!
//! In: the tokens of a line with how likely each label is. Out: mentions, by start, apart. Invariant: no mention of a
//! score under [`FLOOR`].

use cloakgate_vocab::Span;

use super::chain::Row;
use super::tokens::Token;
use crate::mention::{Kind, Mention};

/// The lowest score that is told.
pub(super) const FLOOR: f32 = 0.1;
/// Of the surest word of a mention, the share that another word needs to belong to it.
const SHARE: f32 = 0.4;

/// Adds the mentions of one line.
pub(super) fn collect(tokens: &[Token], likely: &[Row], found: &mut Vec<Mention>) {
    let mut open: Option<Open> = None;
    for (token, row) in tokens.iter().zip(likely) {
        let one = Open::of(token, row);
        match &mut open {
            Some(run) if one.least >= FLOOR && run.takes(&one) => run.add(&one),
            _ => found.extend(open.replace(one).and_then(Open::mention)),
        }
    }
    found.extend(open.and_then(Open::mention));
}

/// A mention on the way.
struct Open {
    span: Span,
    kind: Kind,
    begins: bool,
    least: f32,
    most: f32,
}

impl Open {
    fn of(token: &Token, row: &Row) -> Self {
        let [_, person, in_person, place, in_place, organisation, in_organisation] = *row;
        let (kind, first, inside) = [
            (Kind::Person, person, in_person),
            (Kind::Place, place, in_place),
            (Kind::Organisation, organisation, in_organisation),
        ]
        .into_iter()
        .max_by(|one, other| (one.1 + one.2).total_cmp(&(other.1 + other.2)))
        .unwrap_or((Kind::Person, 0.0, 0.0));
        let sure = first + inside;
        Self {
            span: Span::sized(token.start, token.end - token.start),
            kind,
            begins: first > inside,
            least: sure,
            most: sure,
        }
    }

    fn takes(&self, next: &Self) -> bool {
        self.least >= FLOOR && self.kind == next.kind && !next.begins && next.least > SHARE * self.most
    }

    fn add(&mut self, next: &Self) {
        self.span = self.span.union(next.span);
        self.least = self.least.min(next.least);
        self.most = self.most.max(next.most);
    }

    fn mention(self) -> Option<Mention> {
        (self.least >= FLOOR).then_some(Mention { span: self.span, kind: self.kind, score: self.least })
    }
}
