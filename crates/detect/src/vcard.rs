//! Lines of address book cards (RFC 6350): `N:Dubois;Marie;;;`, `FN:Marie Dubois`, `ADR;TYPE=home:;;12 rue des Lilas;...`.
//!
//! In: a line between `BEGIN:VCARD` and `END:VCARD`. Out: names, parts of addresses, places, organisations and occupations in it. Invariant: one line is
//! read, at most `MAX_LINE_BYTES` of it. Not here: mail, telephone and birthday, which speak for themselves or
//! have keys (`keys`); folded lines.

use cloakgate_vocab::{Category, Span};

use crate::people;
use crate::placeholder::is_placeholder;
use crate::recognise::Hit;

/// Most bytes of a line that are read.
const MAX_LINE_BYTES: usize = 512;

/// Where a line stands to a card.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Card {
    /// Between the first and the last line of one.
    Inside,
    /// Anywhere else.
    Outside,
}

/// Reads a line and tells where the next one stands.
pub(crate) fn line(text: &str, line: Span, card: Card, hits: &mut Vec<Hit>) -> Card {
    let Some(content) = line.of(text).filter(|content| content.len() <= MAX_LINE_BYTES) else { return card };
    let content = content.trim_end();
    if content.eq_ignore_ascii_case("BEGIN:VCARD") {
        return Card::Inside;
    }
    if card == Card::Outside || content.eq_ignore_ascii_case("END:VCARD") {
        return Card::Outside;
    }
    property(content, line.start(), hits);
    Card::Inside
}

/// The name in `ORGANIZER;CN=Marie Dubois:mailto:...` and `ATTENDEE;ROLE=X;CN="Dubois, Marie":...` (RFC 5545).
pub(crate) fn common_name(text: &str, line: Span) -> Option<Span> {
    let content = line.of(text)?;
    let head = content.get(..9)?;
    if !head.eq_ignore_ascii_case("ORGANIZER") && !head.eq_ignore_ascii_case("ATTENDEE;") {
        return None;
    }
    let content =
        content.get(..content.floor_char_boundary(MAX_LINE_BYTES)).filter(|content| content.contains(';'))?;
    let at = content.find(";CN=").or_else(|| content.find(";cn="))? + 4;
    let value = content.get(at..)?;
    let (lead, len) = match value.strip_prefix('"') {
        Some(quoted) => (1, quoted.find('"')?),
        None => (0, value.find([';', ':']).unwrap_or(value.len())),
    };
    let name =
        value.get(lead..lead + len).filter(|name| people::is_safe_name(name) && !is_placeholder(name))?;
    Some(Span::sized(line.start() + at + lead, name.len()))
}

fn property(content: &str, start: usize, hits: &mut Vec<Hit>) {
    let Some((head, value)) = content.split_once(':') else { return };
    let name = head.split(';').next().unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or_default().to_ascii_uppercase();
    let mut at = start + head.len() + 1;
    if let Some(label) = head.find(";LABEL=\"").map(|label| label + ";LABEL=\"".len()) {
        let text = head.get(label..).and_then(|text| text.split('"').next()).unwrap_or_default();
        part(text, start + label, Category::Address, hits);
    }
    match name.as_str() {
        "FN" | "NICKNAME" => part(value, at, Category::Person, hits),
        // `RELATED;TYPE=spouse;VALUE=text:Marie Dubois`
        "RELATED" | "AGENT" if !value.contains(':') => part(value, at, Category::Person, hits),
        "ORG" => part(value.split(';').next().unwrap_or_default(), at, Category::Org, hits),
        "TITLE" | "ROLE" => part(value, at, Category::Profession, hits),
        "N" | "ADR" => {
            for (index, component) in value.split(';').enumerate() {
                let category = match (name.as_str(), index) {
                    ("N", 0..=2) => Some(Category::Person),
                    // Post office box, extension, street and post code; the others are places.
                    ("ADR", 0..=2 | 5) => Some(Category::Address),
                    ("ADR", 3 | 4 | 6) => Some(Category::Location),
                    _ => None,
                };
                if let Some(category) = category {
                    part(component, at, category, hits);
                }
                at += component.len() + 1;
            }
        }
        _ => {}
    }
}

fn part(value: &str, at: usize, category: Category, hits: &mut Vec<Hit>) {
    let lead = value.len() - value.trim_start().len();
    let inner = value.trim();
    let fits = category != Category::Person || people::is_safe_name(inner);
    if inner.is_empty() || !fits || is_placeholder(inner) {
        return;
    }
    hits.push(Hit::by_context(Span::sized(at + lead, inner.len()), category, "vcard"));
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use cloakgate_vocab::Span;

    use super::{Card, line};

    fn found(text: &str) -> Vec<&str> {
        let (mut hits, mut card, mut at) = (Vec::new(), Card::Outside, 0);
        for content in text.split('\n') {
            card = line(text, Span::sized(at, content.len()), card, &mut hits);
            at += content.len() + 1;
        }
        hits.iter().map(|hit| &text[hit.span.range()]).collect()
    }

    #[test]
    fn cards_name_people_and_their_addresses() {
        let text = "BEGIN:VCARD\r\nN:Dubois;Marie;;Dr.;\r\nitem1.FN;X=1:Marie Dubois\r\nADR;TYPE=home:;;12 rue des \
                    Lilas;Lyon;;69003;France\r\nORG:Acme\r\nRELATED;VALUE=text:Ana Sosa\r\nRELATED:urn:uuid:x\r\n\
                    ADR;LABEL=\"3 Elm Rise\":;;;;;;\r\nEND:VCARD\r\nN:a;b\nFN:Bob Ray";
        let found_in = found(text);
        assert_eq!(
            found_in,
            [
                "Dubois",
                "Marie",
                "Marie Dubois",
                "12 rue des Lilas",
                "Lyon",
                "69003",
                "France",
                "Acme",
                "Ana Sosa",
                "3 Elm Rise"
            ]
        );
        assert!(found("N:Dubois;Marie\nFN:Marie").is_empty());
        assert!(found("BEGIN:VCARD\nFN:\nN:[PERSON_0_k7q];;;;\nFN").is_empty());
    }
}
