//! Makes up a text that an expression matches.
//!
//! In: a parsed expression. Out: a text, or `None` where it would be long or is not UTF-8. Invariant: none; the
//! caller holds the text against the expression, for assertions such as `\b` are not thought of here.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Longest text that is made up, in bytes.
const MAX_BYTES: usize = 1024;
/// Characters that are preferred from a class, for a text that a person can read.
const PREFERRED: [char; 3] = ['a', 'A', '1'];

pub(super) fn made_up(hir: &Hir) -> Option<String> {
    let mut bytes = Vec::new();
    write(hir, &mut bytes)?;
    String::from_utf8(bytes).ok()
}

/// Recursion is bounded by the parser's limit on nesting.
fn write(hir: &Hir, out: &mut Vec<u8>) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.extend_from_slice(&literal.0),
        HirKind::Class(Class::Unicode(class)) => {
            let holds = |wanted: char| {
                class.ranges().iter().any(|range| range.start() <= wanted && wanted <= range.end())
            };
            let first = class.ranges().first().map(regex_syntax::hir::ClassUnicodeRange::start);
            let character = PREFERRED.into_iter().find(|wanted| holds(*wanted)).or(first)?;
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        HirKind::Class(Class::Bytes(class)) => {
            let holds = |wanted: u8| {
                class.ranges().iter().any(|range| range.start() <= wanted && wanted <= range.end())
            };
            let first = class.ranges().first().map(regex_syntax::hir::ClassBytesRange::start);
            let preferred = PREFERRED.into_iter().filter_map(|wanted| u8::try_from(wanted).ok());
            out.push(preferred.into_iter().find(|wanted| holds(*wanted)).or(first)?);
        }
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                write(&repetition.sub, out)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, out)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(part, out)?;
            }
        }
        HirKind::Alternation(choices) => write(choices.first()?, out)?,
    }
    (out.len() <= MAX_BYTES).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_short_and_match_where_no_assertion_is_in_the_way() {
        for (source, expected) in [
            ("heron-[0-9]{3,}", Some("heron-111")),
            ("(?i)k-\\w+", Some("K-a")),
            ("(red|green) \\d", Some("red 1")),
            ("é?[^a-z]", Some("A")),
            ("(?:ab){2}x*", Some("abab")),
            ("x{2000}", None),
        ] {
            let hir = regex_syntax::parse(source).expect(source);
            assert_eq!(made_up(&hir).as_deref(), expected, "{source}");
        }
    }
}
