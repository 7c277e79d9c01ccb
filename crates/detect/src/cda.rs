//! Numbers of patients in clinical documents (HL7 CDA R2): `<patientRole><id extension="4711" root="2.16..."/>`.
//!
//! In: a text and the end of the word `patientRole`. Out: the numbers in the `id` elements that follow at once; the attribute
//! says nothing elsewhere, the element around it does. Invariant: at most `MAX_IDS` elements of `MAX_ELEMENT_BYTES` are
//! read. Not here: names, addresses, birth dates, whose elements are keys.

use cloakgate_vocab::Span;

use crate::placeholder::is_placeholder;

/// Most elements that are read.
const MAX_IDS: usize = 8;
/// Most bytes of one element.
const MAX_ELEMENT_BYTES: usize = 200;
/// Longest number.
const MAX_NUMBER_BYTES: usize = 40;

/// The numbers of the patient whose element's name ends at `end`.
pub(crate) fn patient_numbers(text: &str, end: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = end;
    for _ in 0..=MAX_IDS {
        let rest = text.get(at..).unwrap_or_default();
        let rest = rest.get(..rest.floor_char_boundary(MAX_ELEMENT_BYTES)).unwrap_or_default();
        let Some(close) = rest.find('>') else { break };
        let element = rest.get(..close).unwrap_or_default();
        let name = element.trim_start();
        let is_id = name.strip_prefix("<id").is_some_and(|tag| tag.starts_with([' ', '/']));
        if at > end && !is_id {
            break;
        }
        found.extend(extension(element).map(|span| span.shifted(at)));
        at += close + 1;
    }
    found
}

/// The value of the attribute `extension`.
fn extension(element: &str) -> Option<Span> {
    const NAME: &str = " extension=\"";
    let start = element.find(NAME)? + NAME.len();
    let value = element.get(start..)?.split('"').next()?;
    let number = value.bytes().any(|byte| byte.is_ascii_digit())
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b' ' | b'/'));
    (number && value.len() <= MAX_NUMBER_BYTES && !is_placeholder(value))
        .then(|| Span::sized(start, value.len()))
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use super::patient_numbers;

    #[test]
    fn patients_have_the_numbers_of_their_element() {
        for (text, numbers) in [
            (
                "patientRole><id extension=\"4711\" root=\"2.16\"/>\n<id root=\"2.16\" extension=\"A-12\"/><addr x=\"1\"/>",
                &["4711", "A-12"][..],
            ),
            ("patientRole classCode=\"PAT\"><id root=\"2.16\"/></patientRole><id extension=\"7\"/>", &[]),
            ("patientRole><id extension=\"\"/>", &[]),
            ("patientRole is a word", &[]),
        ] {
            let found: Vec<&str> =
                patient_numbers(text, "patientRole".len()).iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found, numbers, "{text}");
        }
    }
}
