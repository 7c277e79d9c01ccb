//! Lines that are one value and nothing else: `Alice Johnson\nBob Smith`.
//!
//! In: a text whose lines are all short. Out: a candidate for each line that is a value. Invariant: prose, and headings
//! among it, are no lists. Not here: values in sentences.

use cloakgate_detect::{is_everyday_word, is_name_alone};
use cloakgate_vocab::{Category, Span};

use crate::text::candidate::Candidate;
use crate::text::field::Field;
use crate::text::operators::{What, age_alone, is_weight_alone};
use crate::text::profile::{Profile, WeightUnit};

/// Longest line of a list in bytes.
const MAX_LINE_BYTES: usize = 80;

/// Looks at each line of a list.
pub(super) fn seek(text: &str, profile: &Profile, found: &mut Vec<Candidate>) {
    let lines = lines(text);
    let is_list =
        |core: &str| core.len() <= MAX_LINE_BYTES && !core.ends_with(['.', '!', '?', ':', ';', '{', '}']);
    if !lines.iter().all(|line| line.of(text).is_some_and(is_list)) {
        return;
    }
    for line in &lines {
        let core = line.of(text).unwrap_or_default();
        if !profile.keeps(Field::Age)
            && let Some(lead) = age_alone(core)
        {
            let span = Span::sized(line.start() + lead, line.len() - lead);
            found.push(Candidate::sought(span, What::Found(Category::Age), Field::Age));
        }
        if !profile.keeps(Field::Medical) && is_code_of_disease(core) {
            found.push(Candidate::sought(*line, What::Found(Category::Medical), Field::Medical));
        }
        if !profile.keeps(Field::Weight) || profile.weight_unit != WeightUnit::Keep {
            let weights =
                parts(core).filter(|_| parts(core).all(|part| part.of(core).is_some_and(is_weight_alone)));
            let weights = weights.map(|part| Span::sized(line.start() + part.start(), part.len()));
            found.extend(
                weights.map(|part| Candidate::sought(part, What::Found(Category::Weight), Field::Weight)),
            );
        }
    }
    if !profile.keeps(Field::Name) {
        names(text, &lines, found);
    }
}

/// Names that are whole lines. Where half of the lines are names, a single word with a capital is one, too, and so are two
/// of which one is a word of everyday language.
fn names(text: &str, lines: &[Span], found: &mut Vec<Candidate>) {
    let mut open = Vec::new();
    let mut names = 0;
    found.sort_by_key(|one| one.span);
    let mut next = 0;
    let known = found.len();
    for line in lines {
        while found.get(next).filter(|_| next < known).is_some_and(|one| one.span.end() <= line.start()) {
            next += 1;
        }
        let core = line.of(text).unwrap_or_default();
        match found.get(next).filter(|one| next < known && one.span.overlaps(*line)) {
            Some(one) if one.field == Field::Name => names += 1,
            Some(_) => {}
            None if is_name_alone(core) && !core.split(' ').any(is_everyday_word) => {
                names += 1;
                found.push(name(*line));
            }
            None => open.push(*line),
        }
    }
    if lines.len() >= 2 && names * 2 >= lines.len() {
        let is_open = |core: &str| is_single(core) || is_name_alone(core);
        let single = open.into_iter().filter(|line| line.of(text).is_some_and(is_open));
        found.extend(single.map(name));
    }
}

fn name(line: Span) -> Candidate {
    Candidate::sought(line, What::Found(Category::Person), Field::Name)
}

/// `E11.9`: a code of ICD-10 with its decimal, which little else looks like.
fn is_code_of_disease(core: &str) -> bool {
    let digit = |byte: &u8| byte.is_ascii_digit();
    match core.as_bytes() {
        [b'A'..=b'Z', one, two, b'.', rest @ ..] => {
            digit(one)
                && digit(two)
                && (1..=4).contains(&rest.len())
                && rest.iter().all(u8::is_ascii_alphanumeric)
        }
        _ => false,
    }
}

/// One word with a capital that is none of everyday language.
fn is_single(core: &str) -> bool {
    let letters = core.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'));
    letters
        && core.chars().count() >= 2
        && core.chars().next().is_some_and(char::is_uppercase)
        && !is_everyday_word(core)
}

/// The parts of a line between slashes, semicolons or commas with blanks: `160 lbs / 72 kg`.
fn parts(core: &str) -> impl Iterator<Item = Span> {
    let mark = [" / ", "; ", ", "].into_iter().find(|mark| core.contains(mark)).unwrap_or("\n");
    let mut at = 0;
    core.split(mark).map(move |part| {
        let span = Span::sized(at, part.len());
        at += part.len() + mark.len();
        span
    })
}

/// The lines that are not blank, without blanks at their ends.
fn lines(text: &str) -> Vec<Span> {
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let core = line.trim();
        if !core.is_empty() {
            lines.push(Span::sized(at + line.len() - line.trim_start().len(), core.len()));
        }
        at += line.len();
    }
    lines
}
