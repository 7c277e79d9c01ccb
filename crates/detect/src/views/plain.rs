//! A whole text with what is encoded in it undone, for readers of running text.
//!
//! In: a text. Out: the text as people read it, and findings carried from one to the other. Invariant: a text in which
//! nothing is encoded is not copied; no layer is longer than the one below it, and there are at most `MAX_DEPTH` of each
//! encoding. Signs of addresses that are spelt out stay, for `at` and `dot` are words. Not here: what is read.

use cloakgate_vocab::{Finding, Span};

use super::{Encoding, MAX_DEPTH, SHORT, TO_BLANK, View, decode, escapes, letters, windows};

/// Encodings that are undone, in the order in which texts are wrapped on their way.
const ENCODINGS: [Encoding; 5] =
    [Encoding::QuotedPrintable, Encoding::Percent, Encoding::Entity, Encoding::Json, Encoding::Letters];

/// A text with its encodings undone, and the way back.
#[derive(Debug)]
pub struct PlainText {
    layers: Vec<View>, // each made of the one before, the first of the text itself; never empty
}

impl PlainText {
    /// The text as people read it; `None` where nothing in it is encoded. Linear in its length.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let mut layers: Vec<View> = Vec::new();
        for _ in 0..MAX_DEPTH {
            let before = layers.len();
            for encoding in ENCODINGS {
                let below = layers.last().map_or(text, |layer| &layer.text);
                let undone = undone(encoding, below);
                layers.extend(undone);
            }
            if layers.len() == before {
                break;
            }
        }
        (!layers.is_empty()).then_some(Self { layers })
    }

    /// The plain text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.layers.last().map_or("", |layer| &layer.text)
    }

    /// Findings of the text as findings of the plain text; what stands for nothing there is left out.
    #[must_use]
    pub fn findings_inside(&self, findings: &[Finding]) -> Vec<Finding> {
        let inside = |finding: &Finding| {
            let place =
                |piece: &Span| self.layers.iter().try_fold(*piece, |span, layer| layer.span_inside(span));
            let pieces: Vec<Span> =
                finding.pieces.iter().filter_map(place).filter(|piece| !piece.is_empty()).collect();
            (!pieces.is_empty()).then(|| Finding { pieces, decoded: None, ..finding.clone() })
        };
        findings.iter().filter_map(inside).collect()
    }

    /// A finding of the plain text as a finding of `text`, of which this was made.
    #[must_use]
    pub fn finding_in(&self, text: &str, finding: Finding) -> Option<Finding> {
        let below = self.layers.iter().rev().skip(1).map(|layer| &*layer.text).chain([text]);
        self.layers
            .iter()
            .rev()
            .zip(below)
            .try_fold(finding, |finding, (layer, text)| layer.carried(text, finding))
    }
}

/// The whole text with one encoding undone.
fn undone(encoding: Encoding, text: &str) -> Option<View> {
    if text.len() <= SHORT && !escapes::may_hold(encoding, escapes::signs(text), text) {
        return None;
    }
    let windows = match encoding {
        Encoding::Letters => words(text, &letters::triggers(text)),
        Encoding::QuotedPrintable if !escapes::is_quoted_printable(text) => return None,
        _ => windows(text, &escapes::triggers(encoding, text)),
    };
    let mut whole = View::default();
    let mut kept = 0; // text before it is in the view
    for window in windows {
        let Some(view) = decode(encoding, text, window) else { continue };
        whole.keep(text.get(kept..window.start())?);
        whole.append(view);
        kept = window.end();
    }
    if whole.steps.is_empty() {
        return None;
    }
    whole.keep(text.get(kept..)?);
    Some(whole)
}

/// The words in which letters are not what they seem. Marks and letters of Chinese, Japanese and Korean end a word: beside
/// these they are what they seem.
fn words(text: &str, triggers: &[usize]) -> Vec<Span> {
    let ends = |c: char| {
        c.is_ascii_whitespace()
            || matches!(c, '\u{2e80}'..='\u{2fff}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}')
    };
    let mut words: Vec<Span> = Vec::new();
    for trigger in triggers {
        let before = words.last().map_or(0, |last| last.end());
        if *trigger < before {
            continue;
        }
        let floor = text.floor_char_boundary(trigger.saturating_sub(TO_BLANK)).max(before);
        let ceiling = text.floor_char_boundary((trigger + TO_BLANK).min(text.len()));
        let (head, tail) = (text.get(floor..*trigger), text.get(*trigger..ceiling));
        let head = head.map_or("", |head| head.rsplit(ends).next().unwrap_or_default());
        let tail = tail.map_or("", |tail| tail.split(ends).next().unwrap_or_default());
        words.push(Span::sized(trigger - head.len(), head.len() + tail.len()));
    }
    words
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Detector, Finding, Sensitive, Span, Strength};
    use proptest::prelude::{any, prop, proptest};

    use super::PlainText;

    fn finding(span: Span) -> Finding {
        Finding::new(Category::Person, span, Detector("test"), Strength::Context)
    }

    #[test]
    fn texts_are_read_as_people_read_them_and_names_are_mapped_back() {
        for (marked, plain, name) in [
            ("«Ren%C3%A9e Dupr%C3%A9» wrote", "Renée Dupré wrote", "Renée Dupré"),
            ("by=«Ren%C3%A9e+Dupr%C3%A9»&x=1", "by=Renée Dupré&x=1", "Renée Dupré"),
            ("«J&uuml;rgen Wei&szlig;» said", "Jürgen Weiß said", "Jürgen Weiß"),
            ("«J&amp;uuml;rgen Wei&amp;szlig;» said", "Jürgen Weiß said", "Jürgen Weiß"),
            ("Gr=C3=BC=C3=9Fe, «J=C3=BCr=\ngen» =E2=80=93 bye", "Grüße, Jürgen – bye", "Jürgen"),
            ("«Ren\\u00e9e Dupr\\u00e9»\\nwrote", "Renée Dupré\nwrote", "Renée Dupré"),
            ("ask «Ma\u{ad}rie Du\u{200b}bois» now", "ask Marie Dubois now", "Marie Dubois"),
            ("ask «Ｍａｒｉｅ　Ｄｕｂｏｉｓ» now", "ask Marie Dubois now", "Marie Dubois"),
            ("担当は«Ｍａｒｉｅ　Ｄｕｂｏｉｓ»です。", "担当はMarie Duboisです。", "Marie Dubois"),
        ] {
            let text = marked.replace(['«', '»'], "");
            let undone = PlainText::of(&text).expect(marked);
            assert_eq!(undone.text(), plain);
            let inside = Span::sized(plain.find(name).expect(name), name.len());
            let found = undone.finding_in(&text, finding(inside)).expect(marked);
            let start = marked.find('«').expect(marked);
            let end = marked.find('»').expect(marked) - '«'.len_utf8();
            assert_eq!(found.hull(), Span::sized(start, end - start), "{marked}");
            assert_eq!(found.decoded.as_ref().map(Sensitive::expose), Some(name));
            let back = undone.findings_inside(&[found]);
            assert_eq!(back.first().map(Finding::hull), Some(inside), "{marked}");
        }
    }

    #[test]
    fn texts_without_encodings_are_not_copied() {
        for text in [
            "Renée wrote",
            "100% & co = x; м",
            "GET /list?size=24&page=30",
            "a =\nb",
            "Иван 山田。太郎",
            "m at x dot eu",
        ] {
            assert!(PlainText::of(text).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn spans_lie_on_characters_both_ways(
            parts in prop::collection::vec(
                prop::sample::select(&["%C3%A9", "%2541", "&uuml;", "&amp;", "=C3=A9", "=\n", "\\u00e9", "\\n", "a+b=", "é", "\u{200b}", "Ａ", " ", "x"][..]),
                0..24,
            ),
            (from, len) in (any::<prop::sample::Index>(), 0_usize..12),
        ) {
            let text = parts.concat();
            if let Some(undone) = PlainText::of(&text) {
                assert!(undone.text().len() <= text.len());
                for (plain, outward) in [(undone.text(), true), (&*text, false)] {
                    let start = plain.floor_char_boundary(from.index(plain.len() + 1));
                    let span = Span::sized(start, plain.ceil_char_boundary((start + len).min(plain.len())) - start);
                    let moved = if outward {
                        undone.finding_in(&text, finding(span)).map(|found| found.hull().of(&text).is_some())
                    } else {
                        undone.findings_inside(&[finding(span)]).first().map(|found| found.hull().of(undone.text()).is_some())
                    };
                    assert!(moved.unwrap_or(true));
                }
            }
        }
    }
}
