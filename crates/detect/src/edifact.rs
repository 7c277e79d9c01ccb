//! Segments of UN/EDIFACT messages that hold people: `NAD+BY+++RITA ROCA+ELM 3+LYON++69003+FR'`, `COM+0161 4960254:TE'`.
//!
//! In: a line, which is a segment or many of them, each ended by `'`. Out: names, streets, post codes, telephones and
//! birth dates by the place of their element (directory D.96A: NAD, CTA, COM, DTM). Elements are parted by `+`, components
//! by `:`; `?` takes the next sign as it is. Invariant: a line is read once. Not here: values that speak for themselves.

use cloakgate_vocab::{Category, Span};

use crate::people;
use crate::placeholder::is_placeholder;
use crate::recognise::Hit;
use crate::work;

/// Most elements of a segment that are read.
const MAX_ELEMENTS: usize = 12;
/// Longest component.
const MAX_COMPONENT_BYTES: usize = 70;

/// Reads the segments of a line.
pub(crate) fn line(text: &str, line: Span, hits: &mut Vec<Hit>) {
    let Some(content) = line.of(text) else { return };
    work::count(content.len());
    for (at, segment) in parts(content, '\'') {
        let lead = segment.len() - segment.trim_start().len();
        self::segment(segment.trim_start(), line.start() + at + lead, hits);
    }
}

/// The pieces between marks that no `?` takes, each with its place.
fn parts(text: &str, mark: char) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let rest = text.get(at..)?;
        let mut taken = false;
        let end = rest.char_indices().find(|(_, c)| {
            let ends = *c == mark && !taken;
            taken = *c == '?' && !taken;
            ends
        });
        let len = end.map_or(rest.len(), |(end, _)| end);
        let piece = (at, rest.get(..len)?);
        done = end.is_none();
        at += len + mark.len_utf8();
        Some(piece)
    })
}

fn segment(segment: &str, start: usize, hits: &mut Vec<Hit>) {
    let kind = segment.get(..4).and_then(|head| head.strip_suffix('+')).unwrap_or_default();
    if !matches!(kind, "NAD" | "CTA" | "COM" | "DTM") {
        return;
    }
    for (number, (at, element)) in parts(segment, '+').take(MAX_ELEMENTS).enumerate() {
        let components = || {
            parts(element, ':')
                .enumerate()
                .map(move |(index, (inner, part))| (index, start + at + inner, part))
        };
        match (kind, number) {
            // Names and lines without an order, the name, the street.
            ("NAD", 3..=5) => {
                for (index, place, part) in components() {
                    let person = number == 4 || (number == 3 && index == 0);
                    push(part, place, if person { Category::Person } else { Category::Address }, hits);
                }
            }
            ("NAD", 8) => push(element, start + at, Category::Address, hits),
            ("CTA", 2) => {
                for (_, place, part) in components().filter(|(index, ..)| *index == 1) {
                    push(part, place, Category::Person, hits);
                }
            }
            ("COM", 1..) => {
                if let Some((number, kind)) = element.rsplit_once(':')
                    && matches!(kind, "TE" | "FX" | "AL" | "MA" | "CA")
                {
                    push(number, start + at, Category::Phone, hits);
                }
            }
            // 329: the birth of somebody
            ("DTM", 1) if element.starts_with("329:") => {
                for (_, place, part) in components().filter(|(index, ..)| *index == 1) {
                    push(part, place, Category::DateOfBirth, hits);
                }
            }
            _ => {}
        }
    }
}

fn push(part: &str, start: usize, category: Category, hits: &mut Vec<Hit>) {
    let lead = part.len() - part.trim_start().len();
    let inner = part.trim();
    let letters = inner.chars().filter(|c| c.is_alphabetic()).count();
    let fits = match category {
        Category::Person => letters > 1 && !people::is_organisation(inner),
        Category::Phone | Category::DateOfBirth => inner.bytes().filter(u8::is_ascii_digit).count() >= 6,
        _ => inner.chars().any(char::is_alphanumeric),
    };
    if !fits || inner.len() > MAX_COMPONENT_BYTES || is_placeholder(inner) {
        return;
    }
    hits.push(Hit::by_context(Span::sized(start + lead, inner.len()), category, "edifact"));
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    #[test]
    fn elements_say_what_they_hold() {
        for (text, values) in [
            ("NAD+BY+4012345000009::9++RITA ROCA+ELM 3+LYON++69003+FR'", "RITA ROCA|ELM 3|69003"),
            (
                "UNH+1+ORDERS'NAD+DP+++Rita O?'Roca:Bob Ray+Elm 3:Flat 2+Lyon'",
                "Rita O?'Roca|Bob Ray|Elm 3|Flat 2",
            ),
            ("NAD+SU+++ACME GMBH+ELM 3", "ELM 3"),
            ("CTA+OC+4711:Rita Roca'COM+01614960254:TE+r@example.org:EM'", "Rita Roca|01614960254"),
            ("DTM+329:19840312:102'DTM+137:20260303:102'", "19840312"),
            ("LIN+1++4012345678901:EN'QTY+21:4'", ""),
            ("NAD+", ""),
        ] {
            let mut hits = Vec::new();
            super::line(text, Span::sized(0, text.len()), &mut hits);
            let found: Vec<&str> = hits.iter().filter_map(|hit| hit.span.of(text)).collect();
            assert_eq!(found.join("|"), values, "{text}");
        }
    }
}
