//! Names at a fixed place of a line that a program wrote: users of a system, captions, bookings of travel.
//!
//! In: the place of a number, a line or a title. Out: the name. Forms: `rroca:x:1000:1000:Rita Roca,,,:/home/rroca:/bin/sh`,
//! `<v Rita Roca>Good morning`, `1.ROCA/RITA MRS`, `SSR DOCS ... P-FRA-12AB34567-FRA-12MAR84-F`. Invariant: at most `REACH` bytes on either side are read.
//! Not here: names beside times (`stamped`), mailboxes (`people`).

use cloakgate_vocab::Span;

use crate::people;

/// How far is read.
const REACH: usize = 96;

/// The name in a line of the users of a system, whose group is the number at `start..end`.
pub(crate) fn user(text: &str, start: usize, end: usize) -> Option<Span> {
    let head = text.get(text.ceil_char_boundary(start.saturating_sub(REACH))..start)?;
    let fields = head.strip_suffix(':')?;
    let (fields, number) = fields.rsplit_once(':')?;
    let (account, mark) = fields.rsplit_once(':')?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || !matches!(mark, "x" | "*" | "!" | "") || account.is_empty() {
        return None;
    }
    let rest = text.get(end..)?.strip_prefix(':')?;
    let rest = rest.get(..rest.floor_char_boundary(REACH))?;
    let (name, home) = rest.split_once(':')?;
    let name = name.split(',').next()?;
    // `System Message Bus`, `Mailing List Manager`: accounts of services have no home of a user.
    let lives =
        home.starts_with("/home/") || home.starts_with("/Users/") || home.starts_with("/export/home/");
    let whole = name.contains(' ') || people::is_unspaced_name(name);
    (lives && people::is_safe_name(name) && whole).then(|| Span::sized(end + 1, name.len()))
}

/// The voice of a caption: `<v Rita Roca>`.
pub(crate) fn voice(text: &str, start: usize, end: usize) -> Option<Span> {
    let line = text.get(start..end)?.strip_prefix("<v")?;
    let gap = line.find(' ').filter(|gap| *gap == 0 || line.starts_with('.'))?;
    let inner = line.get(gap + 1..)?;
    let name = inner.get(..inner.find('>').filter(|len| *len < REACH)?)?;
    (people::is_safe_name(name) && people::is_written_as_name(name))
        .then(|| Span::sized(start + 2 + gap + 1, name.len()))
}

/// `UID:4q7zt8uj9x2lm4vb6q7zt8uj9x@example.org`: the number of an event, which has the form of a mailbox.
pub(crate) fn is_event_id(text: &str, mailbox: Span) -> bool {
    let head = text.get(..mailbox.start()).unwrap_or_default();
    let named = head.ends_with("\nUID:") || head == "UID:";
    named && {
        let local = mailbox.of(text).and_then(|mailbox| mailbox.split('@').next()).unwrap_or_default();
        local.len() >= 16 && !local.contains('.')
    }
}

/// The traveller before a title at `start`: `ROCA/RITA MRS`.
pub(crate) fn traveller(text: &str, start: usize) -> Option<Span> {
    let head = text.get(..start)?.strip_suffix(' ')?;
    let len = head
        .bytes()
        .rev()
        .take(REACH)
        .take_while(|byte| byte.is_ascii_uppercase() || matches!(byte, b'/' | b' ' | b'-' | b'\''))
        .count();
    let run = head.get(head.len() - len..)?;
    let name = run.trim_start_matches([' ', '-']);
    let (last, first) = name.split_once('/')?;
    let before = head.get(..head.len() - len)?;
    // ` 1.1ROCA/RITA MRS`: behind the number in the booking
    let numbered = matches!(before.as_bytes(), [.., b'0'..=b'9', b'.', b'0'..=b'9']);
    let listed = numbered || before.is_empty() || before.ends_with(['.', '\n', ':', ')', '\t']);
    let letters = |part: &str| part.bytes().filter(u8::is_ascii_uppercase).count() >= 2;
    (listed && last.len() >= 2 && letters(last) && letters(first) && !first.contains('/'))
        .then(|| Span::sized(head.len() - name.len(), name.len()))
}

/// What a booking says of the paper of a traveller.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct TravelDocument {
    /// Its number.
    pub(crate) number: Span,
    /// When the traveller was born.
    pub(crate) birth: Span,
}

/// The paper behind `DOCS` at `end`: `BA HK1 P-FRA-12AB34567-FRA-12MAR84-F-01JAN30`, parted by `-` or `/` (AIRIMP, SSR DOCS).
pub(crate) fn travel_document(text: &str, end: usize) -> Option<TravelDocument> {
    let line = text.get(end..)?;
    let line = line.get(..line.floor_char_boundary(REACH))?.split('\n').next()?;
    let mark = line.find(['-', '/'])?;
    let delimiter = line.get(mark..)?.chars().next()?;
    // `HK1/P/FRA/...`: the status stands before the kind
    let status = line.get(..mark)?.ends_with(|c: char| c.is_ascii_digit());
    let line = if status { line.get(mark + 1..)? } else { line };
    let mut at = if status { end + mark + 1 } else { end };
    let mut spans = [Span::sized(end, 0); 5];
    let mut parts = line.split(delimiter);
    for (slot, part) in spans.iter_mut().zip(parts.by_ref()) {
        *slot = Span::sized(at, part.len());
        at += part.len() + 1;
    }
    let [kind, issuer, number, nationality, birth] = spans;
    let of = |span: Span| span.of(text).unwrap_or_default();
    let country =
        |span: Span| (2..=3).contains(&span.len()) && of(span).bytes().all(|byte| byte.is_ascii_uppercase());
    let written =
        |span: Span| of(span).bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let fits = of(kind).ends_with(|c: char| c.is_ascii_uppercase())
        && country(issuer)
        && country(nationality)
        && (5..=15).contains(&number.len())
        && written(number)
        && birth.len() == "12MAR84".len()
        && written(birth);
    fits.then_some(TravelDocument { number, birth })
}

#[cfg(test)]
mod tests {
    use super::{travel_document, traveller, user, voice};

    #[test]
    fn papers_of_travellers() {
        for (text, found) in [
            (" BA HK1 P-FRA-12AB34567-FRA-12MAR84-F-01JAN30/P1", Some(("12AB34567", "12MAR84"))),
            (" BA HK1/P/FRA/12AB34567/FRA/12MAR84/F/01JAN30/ROCA/RITA", Some(("12AB34567", "12MAR84"))),
            ("P/FRA/12AB34567/FRA/12MAR84/F", Some(("12AB34567", "12MAR84"))),
            ("-x-y", None),
            ("", None),
        ] {
            let document = travel_document(text, 0);
            let shown =
                document.and_then(|document| Some((document.number.of(text)?, document.birth.of(text)?)));
            assert_eq!(shown, found, "{text}");
        }
    }

    #[test]
    fn users_of_a_system() {
        for (text, name) in [
            ("rroca:x:1000:1000:Rita Roca,,,:/home/rroca:/bin/sh", "Rita Roca"),
            ("rroca:x:1000:1000:Rita Roca:/Users/rroca:/bin/sh", "Rita Roca"),
            ("dbus:x:1000:1000:System Message Bus:/:/sbin/nologin", ""),
            ("at 10:1000:1000:Rita Roca:/home/", ""),
        ] {
            let at = text.rfind("1000").unwrap();
            assert_eq!(
                user(text, at, at + 4).and_then(|span| span.of(text)).unwrap_or_default(),
                name,
                "{text}"
            );
        }
    }

    #[test]
    fn voices_and_travellers() {
        for (text, name) in [
            ("<v Rita Roca>Good morning", "Rita Roca"),
            ("<v.loud Rita>Good", "Rita"),
            ("<video src>", ""),
            ("<v x", ""),
        ] {
            assert_eq!(
                voice(text, 0, text.len()).and_then(|span| span.of(text)).unwrap_or_default(),
                name,
                "{text}"
            );
        }
        for (text, name) in [
            ("  1.ROCA/RITA MRS", "ROCA/RITA"),
            ("ROCA SOSA/RITA ANA MRS", "ROCA SOSA/RITA ANA"),
            ("GET /A MRS", ""),
            ("x AND/OR MRS", ""),
            ("1.2 ROCA MRS", ""),
        ] {
            let at = text.rfind("MRS").unwrap();
            assert_eq!(
                traveller(text, at).and_then(|span| span.of(text)).unwrap_or_default(),
                name,
                "{text}"
            );
        }
    }
}
