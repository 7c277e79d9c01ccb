//! Telephone numbers of all countries.
//!
//! Issuer: national numbering authorities under ITU-T E.164; notation after E.123. Formats, whole span each:
//! - international: `+`, `00`, `011` or `001-` and country code, national number, any grouping; a trunk zero
//!   in brackets (`+44 (0)20 7946 0958`). Check rule: code assigned, length possible (`numbering.rs`).
//! - North America: `(202) 555-0143`, `202-555-0143`, `202.555.0143`, `202 555 0143`, `1-202-555-0143`. Check rule:
//!   area code and exchange begin with 2-9 and are not service codes (`n11`).
//! - trunk zero: area code with leading 0, groups: `030 90182-0`, `06 12 34 56 78`, `(0161) 496 0254`.
//! - area code in brackets without zero: `(11) 91234-5678`; Russian trunk: `8 (912) 345-48-78`.
//! - anything of 5 to 15 digits beside a word that says so ([`Cue::Phone`]), dates and decimals apart.
//!
//! Extensions (`x021`, `ext. 5`, `#12`) belong to the span. `8080-8090`, `2024-1234`, `2024-01-15`, `105.0.4053.207`,
//! `978-3-499-09514-6`, `0.123456` and bare digits without a cue are no numbers.
//!
//! Invariant: a hit covers whole digit groups, with the `+` and the brackets that belong to it.
//! Not here: finding the cue words.

use cloakgate_vocab::{Category, Span, Strength};

use super::Hit;
use super::boundary::{at, before, is_identifier, reads, run_end, run_start};
use super::digits::{Cue, Groups, NO_BREAK, Taken, is_year};
use super::numbering::{Length, international};
use crate::work;

const MAX_DIGITS: usize = 15;
const MAX_GROUPS: usize = 9;
const MIN_CUED_DIGITS: usize = 5;
/// Fewest digits of a number that its shape gives away.
const MIN_SHAPED_DIGITS: usize = 7;

/// Reports the numbers among the groups that are not taken yet.
pub(super) fn find(groups: &Groups<'_>, cue: Cue, taken: &mut Taken, out: &mut Vec<Hit>) {
    if is_counting(groups) || (cue == Cue::None && is_code_points(groups)) {
        return;
    }
    let cue = if cue == Cue::None && is_called(groups) { Cue::Phone } else { cue };
    let mut first = 0;
    while first < groups.len() {
        let shaped = longest_from(groups, first, cue, *taken);
        // with a cue, what has no known shape is a number from its first group on, not from a later one that has
        let cued = || (cue == Cue::Phone).then(|| cued_from(groups, first, *taken)).flatten();
        match shaped.or_else(|| cued().map(|last| (last, Strength::Context))) {
            Some((last, strength)) => {
                let last = last + usize::from(goes_on(groups, (first, last), *taken));
                let start = first - usize::from(belongs_before(groups, first, *taken));
                taken.add(start, last);
                out.push(whole(groups, (start, last), strength));
                first = last + 1;
            }
            None => first += 1,
        }
    }
}

/// `(02685) 30660 225`: one short group more, the last of the run, joined like the one before.
fn goes_on(groups: &Groups<'_>, (first, last): (usize, usize), taken: Taken) -> bool {
    let next = last + 1;
    let total: usize =
        (first..=next.min(groups.len().saturating_sub(1))).map(|group| groups.width(group)).sum();
    next + 1 == groups.len()
        && last > first
        && !taken.has(next)
        && groups.width(next) <= 4
        && groups.joint(next) == b" "
        && (groups.joint(last) == b" " || groups.joint(last) == b") ")
        && (groups.group(first).starts_with(b"0") || before(groups.text, groups.start(first)) == b'(')
        && total <= MAX_DIGITS
        && ends(groups, next)
}

/// `0031 2044 0034`: groups of four, of which more than one begins with a zero.
fn is_code_points(groups: &Groups<'_>) -> bool {
    let zeros = (0..groups.len()).filter(|group| groups.group(*group).starts_with(b"0")).count();
    groups.len() > 2
        && groups.group(0).starts_with(b"0")
        && zeros > 1
        && (0..groups.len()).all(|group| groups.width(group) == 4)
}

/// `01 02 03 04 05 06`: numbers that count up.
fn is_counting(groups: &Groups<'_>) -> bool {
    groups.len() > 4
        && (1..groups.len()).all(|group| Some(groups.value(group)) == groups.value(group - 1).checked_add(1))
}

/// `call 13912345678`: a verb just before the only group, of nine digits or more.
fn is_called(groups: &Groups<'_>) -> bool {
    const VERBS: [&str; 8] = ["call", "calling", "ring", "dial", "phone", "text", "whatsapp", "sms"];
    if is_lettered(groups) {
        return true;
    }
    if groups.len() != 1 || groups.width(0) < 9 || groups.width(0) > MAX_DIGITS {
        return false;
    }
    let (text, start) = (groups.text, groups.start(0));
    if before(text, start) != b' ' {
        return ["拨打", "致电", "电话"]
            .iter()
            .any(|verb| text.get(..start).is_some_and(|head| head.ends_with(verb)));
    }
    let word = run_start(text, start - 1, 9, |byte| byte.is_ascii_alphabetic());
    let verb = VERBS.iter().any(|verb| verb.len() == start - 1 - word && reads(text, word, verb));
    // "system call 123456789"
    let machine = ["system ", "function ", "kernel ", "sys"]
        .iter()
        .any(|kind| word.checked_sub(kind.len()).is_some_and(|at| reads(text, at, kind)));
    verb && !machine && !is_identifier(before(text, word))
}

/// `T 2642 7219 | M 07 65 27 51`: a letter of a signature, first on its line or behind a bar.
fn is_lettered(groups: &Groups<'_>) -> bool {
    let total: usize = (0..groups.len()).map(|group| groups.width(group)).sum();
    let start = mark_start(groups, 0);
    let head = groups.text.as_bytes().get(..start).unwrap_or_default();
    let ([head @ .., b'.' | b':', b' '] | [head @ .., b' ']) = head else { return false };
    let [head @ .., b'T' | b'M' | b'P' | b'F' | b'D'] = head else { return false };
    (8..=MAX_DIGITS).contains(&total)
        && (head.is_empty()
            || head.ends_with(b"\n")
            || head.ends_with(b"| ")
            || head.ends_with("· ".as_bytes()))
}

/// `21 284 698 2548`: a short group before three that look North American is a code, not another number.
fn belongs_before(groups: &Groups<'_>, first: usize, taken: Taken) -> bool {
    first > 0
        && !taken.has(first - 1)
        && groups.joint(first) == b" "
        && groups.joint(first + 1) == b" "
        && groups.width(first) == 3
        && groups.width(first - 1) <= 3
        && !has_plus(groups, first)
}

/// The longest number that begins with the group.
fn longest_from(groups: &Groups<'_>, first: usize, cue: Cue, taken: Taken) -> Option<(usize, Strength)> {
    let plus = has_plus(groups, first);
    if !(plus || may_be_national(groups, first)) || !begins(groups, first) {
        return None;
    }
    let strength = if cue == Cue::Phone { Strength::Context } else { Strength::Shape };
    let fits = |last: usize| {
        // `+35236450.6` is a decimal.
        let decimal = last == first + 1 && groups.joint(last) == b"." && groups.width(last) <= 2;
        !decimal
            && ends(groups, last)
            && if plus { is_international(groups, first, last) } else { is_national(groups, first, last) }
            && !groups.is_date(first, last)
    };
    let mut total = 0;
    let mut shortest = None; // with digits enough
    let mut end = first;
    while end < groups.len().min(first + MAX_GROUPS) {
        work::count(1);
        total += groups.width(end);
        let another = end > first && groups.joint(end).contains(&b'+');
        if total > MAX_DIGITS + 3 || taken.has(end) || another {
            break;
        }
        if total >= MIN_SHAPED_DIGITS {
            shortest.get_or_insert(end);
        }
        end += 1;
    }
    (shortest?..end).rev().find(|last| fits(*last)).map(|last| (last, strength))
}

/// The head that each national form has; most groups of most runs have none of them.
fn may_be_national(groups: &Groups<'_>, first: usize) -> bool {
    match groups.group(first) {
        [b'0', _, ..] | [b'8'] => true,
        [b'1'] => groups.width(first + 1) == 3,
        [_, _, _] if matches!(groups.width(first + 1), 3 | 7) => true,
        digits => digits.len() > 1 && before(groups.text, groups.start(first)) == b'(',
    }
}

/// A number begins at the head of the run, behind a blank or behind its own `+` or bracket.
fn begins(groups: &Groups<'_>, first: usize) -> bool {
    let joint = groups.joint(first);
    if first > 0 {
        return matches!(joint, [.., b' ' | 0xa0 | b'+' | b'(']);
    }
    let text = groups.text;
    let start = mark_start(groups, first);
    let previous = before(text, start);
    let earlier = before(text, start.saturating_sub(1));
    let glued = match previous {
        b'-' | b'/' | b'.' => earlier.is_ascii_alphanumeric() || earlier == previous,
        b':' => earlier.is_ascii_digit(),
        b'#' | b'$' | b'%' | b'_' => true,
        _ => previous.is_ascii_alphanumeric(),
    };
    // `tel:+44...`, `Tfno.+34 ...`: a plus cannot stand behind a mark by chance the way a digit does
    !glued || (has_plus(groups, first) && matches!(previous, b':' | b'/' | b'.' | b'-'))
}

/// Where the `+` and the brackets before the group begin.
fn mark_start(groups: &Groups<'_>, first: usize) -> usize {
    let floor = if first > 0 { groups.end(first - 1) } else { 0 };
    let mut start = groups.start(first);
    while start > floor && matches!(before(groups.text, start), b'+' | b'(') {
        start -= 1;
    }
    // "+ 34 963": the plus stands off
    if start > floor + 1 && before(groups.text, start) == b' ' && before(groups.text, start - 1) == b'+' {
        start -= 2;
    }
    start
}

fn has_plus(groups: &Groups<'_>, first: usize) -> bool {
    let marks = groups.text.as_bytes().get(mark_start(groups, first)..groups.start(first));
    marks.is_some_and(|marks| marks.contains(&b'+'))
}

/// A number ends at the tail of the run or before a blank, and not inside a word.
fn ends(groups: &Groups<'_>, last: usize) -> bool {
    if last + 1 < groups.len() {
        let joint = groups.joint(last + 1);
        return matches!(joint, [b' ' | 0xc2, ..] | b") ")
            || joint.iter().any(|byte| matches!(byte, b'+' | b'('));
    }
    let text = groups.text;
    let end = groups.end(last);
    let (next, later) = (at(text, end), at(text, end + 1));
    let glued = match next {
        b'-' => is_identifier(later),
        b':' => later.is_ascii_digit(),
        b',' => is_amount(groups, last),
        b'%' | b'_' => true,
        _ => next.is_ascii_alphanumeric(),
    };
    !glued || extension_end(text, end) > end
}

/// `1.234.567,89`: groups of three by dots or blanks, then one or two decimals. Elsewhere the comma ends a cell.
fn is_amount(groups: &Groups<'_>, last: usize) -> bool {
    let comma = groups.end(last);
    let decimals = run_end(groups.text, comma + 1, 3, |byte| byte.is_ascii_digit()) - comma - 1;
    (1..=2).contains(&decimals)
        && groups.width(last) == 3
        && matches!(groups.joint(last), b"." | b" " | NO_BREAK)
}

fn is_international(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    let digits = groups.digits(first, last);
    let digits = digits.as_slice();
    let shape = (first + 1..=last).all(|group| !is_decimal(groups, group));
    shape && digits.len() >= 7 && international(digits) == Length::Right
}

/// A lone dot with a long fraction behind it, as in `12.345678`.
fn is_decimal(groups: &Groups<'_>, group: usize) -> bool {
    groups.joint(group) == b"." && groups.width(group) > 8
}

fn is_national(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    let total: usize = (first..=last).map(|group| groups.width(group)).sum();
    if last == first || total > MAX_DIGITS {
        return false;
    }
    match groups.leading(first) {
        // No code of a country begins with a zero.
        [b'0', b'0', b'1'..=b'9'] | [b'0', b'1', b'1'] if follows_exit_code(groups, first, last) => {
            starts_with_exit_code(groups, first)
        }
        [b'0', ..] => has_trunk_zero(groups, first, last),
        _ => {
            is_north_american(groups, first, last)
                || has_bracketed_area(groups, first, last)
                || is_russian(groups, first, last)
                || has_bracketed_country(groups, first, last)
        }
    }
}

/// Whether the digits behind `00` or `011` are a number of a country.
fn follows_exit_code(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    match groups.digits(first, last).as_slice() {
        [b'0', b'0', rest @ ..] | [b'0', b'1', b'1', rest @ ..] => international(rest) == Length::Right,
        _ => false,
    }
}

fn starts_with_exit_code(groups: &Groups<'_>, first: usize) -> bool {
    // `00.12.34` is a version or a time, `0044 20` and `00 44` are not
    matches!(groups.group(first), b"00" | b"011") || groups.width(first) >= 3
}

fn has_trunk_zero(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    if groups.group(first) == b"00" || counts_thousands(groups, first, last) {
        return false;
    }
    let total: usize = (first..=last).map(|group| groups.width(group)).sum();
    let widths = |wanted: &[usize]| {
        wanted.len() == last + 1 - first
            && wanted.iter().enumerate().all(|(place, &width)| groups.width(first + place) == width)
    };
    let area = groups.width(first);
    let dotted = (first + 1..=last).any(|group| groups.joint(group) == b".");
    let bracketed = groups.closes_bracket(first + 1);
    let shaped = match last - first {
        1 => (3..=5).contains(&area) && groups.width(last) >= 5 && (!dotted || bracketed),
        2 => {
            (2..=6).contains(&area)
                && groups.width(last) <= 7
                && (area > 2 || groups.width(first + 1) >= 3 || bracketed)
        }
        _ => area >= 2 && groups.width(last) <= 4,
    };
    let pairs = widths(&[2, 2, 2, 2, 2]) || widths(&[4, 2, 2, 2]) || widths(&[3, 2, 2, 2]);
    let whole = groups.continues_left(first, b"-./") || groups.continues_right(last, b"-./");
    let dots = !dotted || pairs || (last - first == 2 && groups.width(last) >= 3);
    !whole && (9..=12).contains(&total) && shaped && dots
}

/// `1 000 000 683`: a short group before, and groups of three.
fn counts_thousands(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    first == 1
        && groups.width(0) <= 3
        && groups.joint(1) == b" "
        && (first..=last).all(|group| groups.width(group) == 3)
}

/// Words before `: ` that say which of somebody's numbers follows.
const LABELS: [&str; 8] = ["home", "work", "office", "cell", "mobile", "main", "direct", "fax"];

/// `Work: 555-111-2222`
fn is_labelled(groups: &Groups<'_>, first: usize) -> bool {
    let (text, start) = (groups.text, groups.start(first));
    let Some(colon) = start.checked_sub(2).filter(|colon| reads(text, *colon, ": ")) else { return false };
    let word = run_start(text, colon, 7, |byte| byte.is_ascii_alphabetic());
    LABELS.iter().any(|label| label.len() == colon - word && reads(text, word, label))
}

fn is_north_american(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    let first = if groups.group(first) == b"1" && last == first + 3 { first + 1 } else { first };
    if last != first + 2 || (groups.width(first), groups.width(first + 1), groups.width(last)) != (3, 3, 4) {
        // (110)469 6226 and (334)5282520: brackets say more than the code does
        return last == first + 1
            && groups.closes_bracket(last)
            && (groups.width(first), groups.width(last)) == (3, 7);
    }
    let bracketed = groups.closes_bracket(first + 1);
    let code = |group: usize| {
        let digits = groups.group(group);
        !matches!(digits, [b'0' | b'1', ..] | [.., b'1', b'1'])
    };
    let joints = (groups.joint(first + 1), groups.joint(last));
    let shaped = matches!(
        joints,
        (b"-", b"-") | (b".", b".") | (b" ", b" " | b"-") | (NO_BREAK, NO_BREAK | b"-") | (b"/", b"-")
    );
    // a service code with an extension behind it is still written as a number
    let extended = || extension_end(groups.text, groups.end(last)) > groups.end(last);
    bracketed || (shaped && ((code(first) && code(first + 1)) || extended() || is_labelled(groups, first)))
}

/// `(11) 91234-5678`, `(55) 5123 4567`; a year in brackets before an amount is none.
fn has_bracketed_area(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    let total: usize = (first..=last).map(|group| groups.width(group)).sum();
    let opened = before(groups.text, groups.start(first)) == b'(';
    opened
        && groups.closes_bracket(first + 1)
        && (2..=5).contains(&groups.width(first))
        && !is_year(groups.value(first))
        && (9..=11).contains(&total)
        && last - first >= 2
        && groups.width(first + 1) >= 3
}

/// `(351) 259645638`: the code of a country in brackets, and a number as long as those of the country.
fn has_bracketed_country(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    let digits = groups.digits(first, last);
    before(groups.text, groups.start(first)) == b'('
        && groups.joint(first + 1) == b") "
        && groups.width(first) == 3
        && last == first + 1
        && groups.width(last) >= 8
        && international(digits.as_slice()) == Length::Right
}

/// `8 (912) 345-48-78`, `8 912 345 48 78`: eleven digits, the area code in brackets or the usual grouping.
fn is_russian(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    let widths: &[usize] = &[1, 3, 3, 2, 2];
    let total: usize = (first..=last).map(|group| groups.width(group)).sum();
    let usual =
        last == first + 4 && widths.iter().zip(first..).all(|(&width, group)| groups.width(group) == width);
    let bracketed = groups.joint(first + 1).ends_with(b"(") && groups.closes_bracket(first + 2);
    groups.group(first) == b"8" && total == 11 && (usual || (bracketed && groups.width(first + 1) == 3))
}

/// With a cue: the longest part of the run from the group on that can be a number at all.
fn cued_from(groups: &Groups<'_>, first: usize, taken: Taken) -> Option<usize> {
    if !begins(groups, first) {
        return None;
    }
    // an extension may have been written behind the number without a mark
    let longest = if has_plus(groups, first) { MAX_DIGITS + 3 } else { MAX_DIGITS };
    let mut best = None;
    let mut total = 0;
    for last in first..groups.len().min(first + MAX_GROUPS) {
        work::count(1);
        total += groups.width(last);
        if total > longest || taken.has(last) || (last > first && groups.joint(last).contains(&b'+')) {
            break;
        }
        if total >= MIN_CUED_DIGITS && ends(groups, last) && !reads_as_other(groups, first, last, total) {
            best = Some(last);
        }
    }
    best
}

/// Dates, spans of years, decimals and short versions, which stand near telephone words too.
fn reads_as_other(groups: &Groups<'_>, first: usize, last: usize, total: usize) -> bool {
    let years = last == first + 1
        && is_year(groups.value(first))
        && is_year(groups.value(last))
        && groups.width(first) == 4
        && groups.width(last) == 4;
    let decimal = last == first + 1 && groups.joint(last) == b"." && total < 7;
    let holds_date = (first..=last.saturating_sub(2)).any(|group| {
        groups.is_date(group, group + 2) && (groups.has_year(group) || !pairs_are_digits(groups, first, last))
    });
    let version =
        last == first + 2 && groups.joint(first + 1) == b"." && groups.joint(last) == b"." && total < 6;
    years || decimal || holds_date || version
}

/// Greenland, the Faroe Islands and others write numbers in pairs; two-digit dates look the same. More than three
/// pairs are no date, and three right behind `:` or `=` are what the cue says.
fn pairs_are_digits(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    let start = groups.start(first);
    let blanks = run_start(groups.text, start, 3, |byte| matches!(byte, b' ' | b'"' | b'\''));
    let assigned = matches!(before(groups.text, blanks), b':' | b'=');
    last > first + 2 || assigned
}

/// The hit with `+`, brackets and extension.
fn whole(groups: &Groups<'_>, (first, last): (usize, usize), strength: Strength) -> Hit {
    let text = groups.text;
    let mut start = mark_start(groups, first);
    let digits_end = groups.end(last);
    let inside = text.get(groups.start(first)..digits_end).unwrap_or("");
    if !inside.contains(')') {
        // the bracket opens around more than the number
        while start < groups.start(first) && at(text, start) == b'(' {
            start += 1;
        }
    }
    let end = match extension_end(text, digits_end) {
        // "+34 963 112 233 #12": behind a number of a country, a blank and a cross begin no list
        end if end == digits_end && has_plus(groups, first) => crossed_end(text, end),
        end => end,
    };
    let mut hit = groups.hit((first, last), Category::Phone, "phone", strength);
    hit.span = Span::sized(start, end - start);
    hit
}

/// Where ` #12` ends; the place itself when there is none.
fn crossed_end(text: &str, end: usize) -> usize {
    if !reads(text, end, " #") {
        return end;
    }
    let digits = run_end(text, end + 2, 6, |byte| byte.is_ascii_digit());
    if (2..=5).contains(&(digits - end - 2)) && !is_identifier(at(text, digits)) { digits } else { end }
}

/// Where the extension behind a number ends; the end of the number when there is none.
fn extension_end(text: &str, end: usize) -> usize {
    let start = run_end(text, end, 2, |byte| matches!(byte, b' ' | b','));
    let marks = ["extension", "ext.", "ext", "durchwahl", "poste", "x", "#"];
    let Some(mark) = marks.iter().find(|mark| reads(text, start, mark)) else { return end };
    let after = run_end(text, start + mark.len(), 2, |byte| matches!(byte, b' ' | b'.' | b':'));
    // "#12" and "x 2" behind a blank are lists and sizes
    if matches!(*mark, "#" | "x") && after > start + 1 || *mark == "#" && start > end {
        return end;
    }
    let digits = run_end(text, after, 7, |byte| byte.is_ascii_digit());
    let length = digits - after;
    if (1..=6).contains(&length) && !is_identifier(at(text, digits)) { digits } else { end }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_digit_runs;
    use super::Cue;
    use cloakgate_vocab::Category::Phone;

    #[test]
    fn international_numbers() {
        check_digit_runs(
            Phone,
            Cue::None,
            &[
                "«+44 20 7946 0958»",
                "«+44 (0)20 7946 0958»",
                "«+44(0)1134960970»",
                "(«+442079460958»)",
                "«(+44) 20 7946 0958»",
                "«+33 6 12 34 56 78»",
                "«+33612345678»",
                "«+91 98765 43210»",
                "«+55 11 91234-5678»",
                "«+1-202-555-0143»",
                "«+1 (202) 555-0143»",
                "tel:«+12025550143»,",
                "a,«+61412345678»,b",
                "«+49 30/901820»",
                "«+236.70.01.68.92»",
                "«0044 20 7946 0958»",
                "«00253-77-83-02-39»",
                "«001-202-555-0143x021»",
                "«+ 34 963864175»",
                "«+46 (0)157 548 89»",
                "«+33 6 12 34 56 78» «+33 6 12 34 56 79»",
                "電話«+81 90-1234-9120»へ",
                "à«+33 6 12 34 56 78»é",
                "«+247 40123»",
                "«+44\u{a0}20\u{a0}7946\u{a0}0958»",
                "«+ 34- 963 11 22 33»",
                "tel «+34 -963 11 22 33», b",
                "«+34  963 112 233»",
                "«+34 963- 11 22 33»",
                "+34. 963 11 22 33",
                "«+34 963 112 233 #12» now",
                "«+34 963 112 233» #1a",
                "+34 - 963 11 22 33",
                "34- 963 11 22 33",
                "+34- 963 11 22",
                "x+34- 963 11 22 33",
                "Decimal('+35236450.6')",
                "01 02 03 04 05 06 07 08",
                "99999999999 1 2 3 4 5",
                "<fraction> 0031 2044 0034",
                "call «13912345678» now",
                "system call 13912345678",
                "拨打«13912345678»",
                "+44 20 7946",
                "+44207946095812345",
                "a+442079460958",
                "2024-01-02T03:04:05+0100",
                "+210 123 4567 89",
                "x = 5 +1234567",
                "+1 202 555",
                "442079460958",
                "00441",
            ],
        );
    }

    #[test]
    fn north_american_numbers() {
        check_digit_runs(
            Phone,
            Cue::None,
            &[
                "call «(202) 555-0143».",
                "«202-555-0143»",
                "«202.555.0143»",
                "Home: «202-111-0143», Work: «555-111-0143».",
                "Row: 202-111-0143",
                "1 000 000 683 km",
                "«202 555 0143»",
                "«1-202-555-0143»",
                "«(202)555-0143»",
                "«(202) 555-0143 ext. 5»",
                "«202-555-0143x021»",
                "«202-555-0143 x12»",
                "a,12,«202.555.0143»,269 b",
                "«497-911-4413x920»",
                "«21 284 698 2548»",
                "«(334)528-2520x21048»",
                "«(202)-555-0143»",
                "«(202).555-0143»",
                "102-555-0143",
                "202-155-0143",
                "911-555-0143",
                "202-555-014",
                "202-555-01433",
                "202-555-0143-A",
                "A202-555-0143",
                "X-202-555-0143",
                "978-202-555-0143",
                "2025550143",
                "202-555-0143_1",
                "#202-555-0143",
            ],
        );
    }

    #[test]
    fn national_numbers_with_trunk_zero_or_brackets() {
        check_digit_runs(
            Phone,
            Cue::None,
            &[
                "«030 90182-0»",
                "«06 12 34 56 78»",
                "«06.12.34.56.78»",
                "«0161 4960254»",
                "«(0161) 4960254»",
                "«(0161) 496 0254»",
                "«07400 120887»",
                "«020 7946 0958»",
                "«03-1234-5678»",
                "«(11) 91234-5678»",
                "«8 (912) 345-48-78»",
                "«8 (037) 665-9822»",
                "«8 984 765 33 55»",
                "«0121-496-0429»",
                "(2019) 123 456 789",
                "0.123456 0.654321",
                "05.06.2024 07.08",
                "01-02-2024",
                "0712.120736",
                "00 12 34 56",
                "012 345",
                "0-603-00937-2",
                "01.02.03.04",
                "98765 43210",
            ],
        );
    }

    #[test]
    fn numbers_of_other_kinds() {
        check_digit_runs(
            Phone,
            Cue::None,
            &[
                "8080-8090",
                "2024-1234",
                "2024-01-15 10:30",
                "105.0.4053.207",
                "978-3-499-09514-6",
                "482-3576220-5190118",
                "21.085822, 93.399614",
                "1709537007",
                "1.234.567,89",
                "0374.531.83",
                "13912345678",
                "137-58-5847-A",
                "1,234,567.89",
                "203.0.113.7",
                "12 345 678",
                "4111 1111 1111 1111",
                "10:20:30",
                "550e8400-e29b-41d4-a716-446655440000",
            ],
        );
    }

    #[test]
    fn a_cue_admits_bare_and_short_numbers() {
        check_digit_runs(
            Phone,
            Cue::Phone,
            &[
                "«13912345678»",
                "«2025550143»",
                "«312-345»",
                "Tel.: «21.12.34»",
                "«06.03.98.11»",
                "on 21.12.24",
                "«51234»",
                "«3 81234»",
                "«70 01 68 92»",
                "«350.4698»",
                "«(99) 645-791»",
                "«8812-8222»",
                "«2025550143 ext 4»",
                "«055-993-3677»",
                "«0081 951174»",
                "«8 029 491-44-79»",
                "«9-518-9800»",
                "«(110)469 6226»",
                "«+34849 298 261»",
                "1234",
                "2024-01-15",
                "2019-2024",
                "12.5",
                "12345678901234567",
            ],
        );
    }
}
