//! What may be a value in one innermost text, and which of two that overlap is one.
//!
//! In: findings of the detectors and of `seek`. Out: spots that do not overlap and cross no line break. Invariant: no
//! byte of an overlapped value is left over: the winner stands over both.

use std::cmp::Reverse;

use cloakgate_detect::is_everyday_word;
use cloakgate_vocab::{Category, Finding, Sensitive, Span, Strength};

use super::field::Field;
use super::operators::What;
use super::profile::{AgeOption, Profile, WeightUnit};

/// A value that was found.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Where, in bytes of its text.
    pub(crate) span: Span,
    /// The value, where its view reads it otherwise than it is written.
    pub(crate) decoded: Option<Sensitive>,
    /// What it is.
    pub(crate) what: What,
    /// Whose option counts.
    pub(crate) field: Field,
    /// How sure it is.
    pub(crate) strength: Strength,
}

impl Candidate {
    /// A value that a rule of `seek` found.
    pub(crate) fn sought(span: Span, what: What, field: Field) -> Self {
        Self { span, decoded: None, what, field, strength: Strength::Context }
    }
}

/// The candidates that a finding is: one for each of its lines.
pub(crate) fn of_finding(finding: &Finding, text: &str, profile: &Profile, out: &mut Vec<Candidate>) {
    let converted = finding.category == Category::Weight && profile.weight_unit != WeightUnit::Keep;
    let field = field_of(finding.category, profile);
    // A name that stays tells ages beside it.
    let told = |field| field == Field::Name && profile.age != AgeOption::Keep;
    let Some(field) = field.filter(|field| converted || told(*field) || !profile.keeps(*field)) else {
        return;
    };
    let single = finding.pieces.len() == 1;
    for piece in &finding.pieces {
        for span in lines_of(text, *piece) {
            let decoded = finding.decoded.clone().filter(|_| single && span == *piece);
            let what = What::Found(finding.category);
            out.push(Candidate { span, decoded, what, field, strength: finding.strength });
        }
    }
}

/// The field whose option counts for a category, in this profile.
fn field_of(category: Category, profile: &Profile) -> Option<Field> {
    match category {
        // A date of birth is an age, unless ages are kept.
        Category::DateOfBirth if profile.age != AgeOption::Keep => Some(Field::Age),
        _ => Field::of(category),
    }
}

/// The parts of a span on its lines, blanks at their ends aside.
fn lines_of(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let value = span.of(text).unwrap_or_default();
    let mut at = span.start();
    value.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let core = line.trim();
        let lead = line.len() - line.trim_start().len();
        // A lone carriage return ends a line, too, but nobody counts lines by it.
        (!core.is_empty()).then(|| Span::sized(start + lead, core.len()))
    })
}

/// Longest family name in characters that is taken together with the name behind it.
const MAX_FAMILY: usize = 40;

/// Sorts candidates and joins those that overlap: the longest wins, then the operator's own, the surest, the first field.
pub(crate) fn resolve(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|candidate| (candidate.span.start(), Reverse(candidate.span.end())));
    let mut resolved: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        match resolved.last_mut().filter(|last| last.span.overlaps(candidate.span)) {
            None => resolved.push(candidate),
            Some(last) => {
                let whole = last.span.union(candidate.span);
                if rank(&candidate) > rank(last) {
                    *last = candidate;
                }
                if last.span != whole {
                    last.span = whole;
                    last.decoded = None;
                }
            }
        }
    }
    resolved
}

/// Joins the parts of names whose family name stands first and in capitals: `JOHNSON, Alice M.`
pub(crate) fn join_reversed(resolved: Vec<Candidate>, text: &str) -> Vec<Candidate> {
    let mut joined: Vec<Candidate> = Vec::with_capacity(resolved.len());
    for candidate in resolved {
        match joined.last_mut().filter(|last| is_reversed(last, &candidate, text)) {
            Some(last) => {
                last.span = last.span.union(candidate.span);
                last.decoded = None;
            }
            None => {
                let free_from = joined.last().map_or(0, |last| last.span.end());
                joined.push(with_family(candidate, text, free_from));
            }
        }
    }
    joined
}

/// A given name that a line begins with a family name in capitals for has it too: `GARCÍA, Lucía`, `Patient: DUBOIS, Jean`.
fn with_family(candidate: Candidate, text: &str, free_from: usize) -> Candidate {
    let head = text.get(free_from..candidate.span.start()).unwrap_or_default();
    let family = candidate.field == Field::Name && candidate.decoded.is_none();
    let Some(head) = head.strip_suffix(", ").filter(|_| family) else { return candidate };
    let letters = |c: &char| c.is_uppercase() || matches!(c, '-' | '\'' | '’');
    let len: usize = head.chars().rev().take_while(letters).take(MAX_FAMILY).map(char::len_utf8).sum();
    let Some((before, word)) = head.split_at_checked(head.len() - len) else { return candidate };
    let begins = before.trim_end_matches([' ', '\t']).is_empty() && free_from == 0
        || before.ends_with(['\n', '\t'])
        || before.ends_with(": ");
    if !begins || word.chars().count() < 3 || is_everyday_word(word) {
        return candidate;
    }
    let start = candidate.span.start() - len - 2;
    Candidate { span: Span::new(start, candidate.span.end()).unwrap_or(candidate.span), ..candidate }
}

fn is_reversed(family: &Candidate, given: &Candidate, text: &str) -> bool {
    let capitals = |candidate: &Candidate| {
        let value = candidate.span.of(text).unwrap_or_default();
        !value.contains(',')
            && value.chars().filter(|c| c.is_alphabetic()).take(3).count() > 1
            && !value.chars().any(char::is_lowercase)
    };
    [family, given].iter().all(|part| part.field == Field::Name)
        && text.get(family.span.end()..given.span.start()) == Some(", ")
        && capitals(family)
        && !capitals(given)
}

fn rank(candidate: &Candidate) -> (usize, bool, Strength, Reverse<Field>) {
    let own = matches!(candidate.what, What::Term(_));
    (candidate.span.len(), own, candidate.strength, Reverse(candidate.field))
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Span, Strength};

    use super::{Candidate, Field, What, lines_of, resolve};

    fn candidate(start: usize, end: usize, field: Field, strength: Strength) -> Candidate {
        let span = Span::new(start, end).expect("in order");
        Candidate { span, decoded: None, what: What::Found(Category::Custom), field, strength }
    }

    #[test]
    fn the_longest_wins_then_the_surest_then_the_first_field() {
        use Strength::{Checked, Context};
        for (given, winner, span) in [
            (vec![(0, 5, Field::Name, Checked), (0, 9, Field::Email, Context)], Field::Email, (0, 9)),
            (vec![(0, 9, Field::Name, Context), (0, 9, Field::Custom, Checked)], Field::Custom, (0, 9)),
            (vec![(0, 9, Field::Gender, Context), (0, 9, Field::Phone, Context)], Field::Phone, (0, 9)),
            (vec![(0, 5, Field::Name, Context), (3, 9, Field::Email, Context)], Field::Email, (0, 9)),
        ] {
            let given =
                given.into_iter().map(|(start, end, field, strength)| candidate(start, end, field, strength));
            let resolved = resolve(given.collect());
            let of: Vec<_> =
                resolved.iter().map(|one| (one.field, one.span.start(), one.span.end())).collect();
            assert_eq!(of, [(winner, span.0, span.1)]);
        }
    }

    #[test]
    fn a_value_over_lines_is_one_on_each() {
        let text = "12 rue\r\n  de la Paix\n\nx";
        let spans: Vec<_> =
            lines_of(text, Span::sized(0, text.len())).filter_map(|span| span.of(text)).collect();
        assert_eq!(spans, ["12 rue", "de la Paix", "x"]);
    }
}
