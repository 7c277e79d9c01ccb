//! Decoded views of a text: values that are encoded are found too, and mapped back.
//!
//! In: a text and what finds values in a plain text. Out: findings in bytes of the text as it stands. Views are made
//! of windows around what is encoded: percent and form encoding, HTML entities, quoted-printable, JSON escapes,
//! spelt-out signs, folded letters. A base64 or hex run whose text holds a value is one finding,
//! never opened. Invariant: views nest at most three deep, and all of them together hold at most four times the
//! bytes of the text; a text without a trigger costs a few fast byte searches.

use cloakgate_vocab::{Finding, Sensitive, Span};

mod escapes;
mod letters;
mod plain;
mod runs;

pub use self::plain::PlainText;

/// How deep views nest.
const MAX_DEPTH: u32 = 3;
/// How many times the bytes of the text all views may hold together.
const MAX_GROWTH: usize = 4;
/// How much text, in bytes, around what is encoded belongs to a window.
const CONTEXT: usize = 160;
/// Texts up to this length are read once for all signs, longer ones searched for each.
const SHORT: usize = 256;
/// How far, in bytes, a window goes on to the next blank.
const TO_BLANK: usize = 96;

/// One place where a view differs from the text.
#[derive(Clone, Copy, Debug)]
struct Step {
    view: Span,
    raw: Span,
}

/// Part of a text, decoded.
#[derive(Debug, Default)]
struct View {
    text: String,
    steps: Vec<Step>, // sorted; neither view nor raw spans overlap
    start: usize,     // where the window begins in the text
}

impl View {
    /// Appends text that stands as it is.
    fn keep(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends a character that stands for `raw` bytes of the text.
    fn put(&mut self, decoded: &str, raw_start: usize, raw_len: usize) {
        let view = Span::sized(self.text.len(), decoded.len());
        self.text.push_str(decoded);
        self.steps.push(Step { view, raw: Span::sized(raw_start, raw_len) });
    }

    /// Appends a view of what comes next in the text.
    fn append(&mut self, next: Self) {
        let start = self.text.len();
        self.text.push_str(&next.text);
        self.steps.extend(next.steps.into_iter().map(|step| Step { view: step.view.shifted(start), ..step }));
    }

    /// Place in the text of a place in the view; inside a decoded piece, its start or its end.
    fn raw_offset(&self, at: usize, side: Side) -> usize {
        let step = self.steps.partition_point(|step| side.reaches(step.view, at)).checked_sub(1);
        step.and_then(|before| self.steps.get(before))
            .map_or(self.start + at, |step| side.moved(at, step.view, step.raw))
    }

    fn raw_span(&self, span: Span) -> Option<Span> {
        Span::new(self.raw_offset(span.start(), Side::Start), self.raw_offset(span.end(), Side::End))
    }

    /// Place in the view of a place in the text, which is not before the view; inside an encoded piece, its start or its
    /// end.
    fn offset_inside(&self, at: usize, side: Side) -> usize {
        let step = self.steps.partition_point(|step| side.reaches(step.raw, at)).checked_sub(1);
        step.and_then(|before| self.steps.get(before))
            .map_or(at.saturating_sub(self.start), |step| side.moved(at, step.raw, step.view))
    }

    fn span_inside(&self, span: Span) -> Option<Span> {
        Span::new(self.offset_inside(span.start(), Side::Start), self.offset_inside(span.end(), Side::End))
    }

    /// Whether something is decoded in the span of the text, or shortly before it.
    fn touches(&self, raw: Span) -> bool {
        let from = raw.start().saturating_sub(CONTEXT / 2);
        let index = self.steps.partition_point(|step| step.raw.end() <= from);
        self.steps.get(index).is_some_and(|step| step.raw.start() < raw.end())
    }

    /// A finding of the view as a finding of the text, where something in it or shortly before it is decoded.
    fn back(&self, text: &str, finding: Finding) -> Option<Finding> {
        self.carried(text, finding).filter(|finding| self.touches(finding.hull()))
    }

    /// A finding of the view as a finding of the text.
    fn carried(&self, text: &str, finding: Finding) -> Option<Finding> {
        let pieces: Vec<Span> = finding.pieces.iter().filter_map(|piece| self.raw_span(*piece)).collect();
        let hull = pieces.iter().copied().reduce(Span::union)?;
        let inside = finding.hull();
        let decoded = match (finding.decoded, pieces.len()) {
            (_, 0 | 2..) => None,
            (Some(decoded), _) => Some(decoded),
            (None, _) => {
                inside.of(&self.text).filter(|value| hull.of(text) != Some(value)).map(Sensitive::new)
            }
        };
        Some(Finding { pieces, decoded, ..finding })
    }
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Side {
    Start,
    End,
}

impl Side {
    /// Whether a piece stands before the place, or the place is in it.
    fn reaches(self, piece: Span, at: usize) -> bool {
        piece.start() < at || (self == Self::Start && piece.start() == at)
    }

    /// The place `at`, which the piece `from` reaches, where `from` is `to`.
    fn moved(self, at: usize, from: Span, to: Span) -> usize {
        if at < from.end() || (self == Self::End && at == from.end()) {
            return if self == Self::Start { to.start() } else { to.end() };
        }
        to.end() + (at - from.end())
    }
}

/// Ways in which text is encoded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Encoding {
    Percent,
    Entity,
    QuotedPrintable,
    Json,
    Spelt,
    Letters,
}

const ENCODINGS: [Encoding; 6] = [
    Encoding::Percent,
    Encoding::Entity,
    Encoding::QuotedPrintable,
    Encoding::Json,
    Encoding::Spelt,
    Encoding::Letters,
];

/// Finds values in the views of a text. `find` finds them in a plain text.
pub(crate) fn findings(text: &str, find: &mut dyn FnMut(&str) -> Vec<Finding>) -> Vec<Finding> {
    let mut budget = text.len().saturating_mul(MAX_GROWTH).saturating_add(1024);
    nested(text, MAX_DEPTH, &mut budget, find)
}

fn nested(
    text: &str,
    depth: u32,
    budget: &mut usize,
    find: &mut dyn FnMut(&str) -> Vec<Finding>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let Some(deeper) = depth.checked_sub(1) else { return found };
    let signs = (text.len() <= SHORT).then(|| escapes::signs(text));
    for encoding in ENCODINGS {
        if signs.is_some_and(|signs| !escapes::may_hold(encoding, signs, text)) {
            continue;
        }
        let triggers = match encoding {
            Encoding::Letters => letters::triggers(text),
            _ => escapes::triggers(encoding, text),
        };
        for window in windows(text, &triggers) {
            let Some(view) = decode(encoding, text, window) else { continue };
            let Some(rest) = budget.checked_sub(view.text.len()) else { return found };
            *budget = rest;
            let mut inside = find(&view.text);
            inside.extend(nested(&view.text, deeper, budget, find));
            found.extend(inside.into_iter().filter_map(|finding| view.back(text, finding)));
        }
    }
    found.extend(runs::findings(text, &mut |inner| {
        let Some(rest) = budget.checked_sub(inner.len()) else { return Vec::new() };
        *budget = rest;
        let mut inside = find(inner);
        inside.extend(nested(inner, deeper, budget, find));
        inside
    }));
    found
}

fn decode(encoding: Encoding, text: &str, window: Span) -> Option<View> {
    let view = match encoding {
        Encoding::Letters => letters::decode(text, window)?,
        _ => escapes::decode(encoding, text, window)?,
    };
    (!view.steps.is_empty()).then_some(view)
}

/// Spans around the triggers, widened to blanks, joined where they meet. `triggers` is sorted.
fn windows(text: &str, triggers: &[usize]) -> Vec<Span> {
    let mut windows: Vec<Span> = Vec::new();
    for trigger in triggers {
        if windows.last().is_some_and(|last| trigger + CONTEXT / 2 < last.end()) {
            continue;
        }
        let start = blank_before(text, trigger.saturating_sub(CONTEXT));
        let end = blank_after(text, (trigger + CONTEXT).min(text.len()));
        let Some(window) = Span::new(start, end) else { continue };
        match windows.last_mut() {
            Some(last) if last.end() >= window.start() => *last = last.union(window),
            _ => windows.push(window),
        }
    }
    windows
}

fn blank_before(text: &str, at: usize) -> usize {
    let floor = at.saturating_sub(TO_BLANK);
    let bytes = text.as_bytes();
    let mut start = at;
    while start > floor && !bytes.get(start - 1).is_some_and(u8::is_ascii_whitespace) {
        start -= 1;
    }
    text.floor_char_boundary(start)
}

fn blank_after(text: &str, at: usize) -> usize {
    let ceiling = (at + TO_BLANK).min(text.len());
    let bytes = text.as_bytes();
    let mut end = at;
    while end < ceiling && !bytes.get(end).is_some_and(u8::is_ascii_whitespace) {
        end += 1;
    }
    text.ceil_char_boundary(end)
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};

    use super::findings;

    /// Finds `m@x.eu` and `M D`, as a detector would.
    fn find(text: &str) -> Vec<Finding> {
        [("m@x.eu", Category::Email), ("M D", Category::Person), ("é@x.eu", Category::Email)]
            .iter()
            .flat_map(|(value, category)| {
                text.match_indices(value).map(|(at, found)| {
                    Finding::new(*category, Span::sized(at, found.len()), Detector("test"), Strength::Checked)
                })
            })
            .collect()
    }

    fn marked(text: &str) -> String {
        let mut list: Vec<Span> = findings(text, &mut find).iter().map(Finding::hull).collect();
        list.sort();
        list.dedup();
        let mut out = text.to_owned();
        for span in list.iter().rev() {
            out.insert(span.end(), '»');
            out.insert(span.start(), '«');
        }
        out
    }

    #[test]
    fn encoded_values_are_found_and_mapped_back() {
        for text in [
            "GET /u?email=«m%40x.eu»&x=1",
            "email=«m%40x%2Eeu»",
            "twice «m%2540x.eu»",
            "name=«M+D»&x=1",
            "name=«M%20D»",
            "«%C3%A9%40x.eu»",
            "%ff %4",
            "<p>«m&#64;x.eu»</p> «m&#x40;x.eu» «m&commat;x.eu» «M&nbsp;D»",
            "«m=40x.eu» and «m@x=\n.eu»",
            "«m\\u0040x.eu» «\\u00e9@x.eu»",
            "«m [at] x [dot] eu» «m(at)x.eu» «m at x dot eu»",
            "«ｍ＠ｘ．ｅｕ» «m@\u{200b}x.eu»",
            "«m@х.eu»",
            "a run «dGhpcyBpcyBtQHguZXUgb2s=» here",
            "a run «74686973206973206d40782e6575206f6b» here",
            "100% & co = x; м",
        ] {
            assert_eq!(marked(&text.replace(['«', '»'], "")), text);
        }
    }

    #[test]
    fn decoded_values_are_kept_where_they_differ() {
        let list = findings("x m%40x.eu", &mut find);
        let decoded = list[0].decoded.as_ref().map(|value| value.expose().to_owned());
        assert_eq!(decoded.as_deref(), Some("m@x.eu"));
        assert!(findings("dGhpcyBpcyBtQHguZXUgb2s=", &mut find)[0].decoded.is_none());
    }

    #[test]
    fn floods_stay_within_the_budget() {
        for text in
            ["%25".repeat(50_000), "&amp;".repeat(50_000), "QUFB".repeat(100_000), "=3D".repeat(50_000)]
        {
            let mut bytes = 0;
            findings(&text, &mut |view| {
                bytes += view.len();
                Vec::new()
            });
            assert!(bytes <= 4 * text.len() + 1024);
        }
    }
}
