//! Internet addresses of version 4.
//!
//! Issuer: IANA and the regional registries. Format: four decimal numbers 0-255 without leading zeros, joined by
//! dots. Check rule: none; versions, section numbers and object identifiers have the same form, so the
//! surroundings decide. `203.0.113.7` is an address; `v1.2.3.4`, `section 5.6.22.2`, `Chrome/91.0.58.15` and
//! `1.3.6.1.4` are not. Addresses that say nothing about anybody are no finding: 0.0.0.0/8, 127.0.0.0/16 (loopback as it is used), netmasks
//! (255.x), as RFC 1122 section 3.2.1.3 sets them aside; 127.0.0.1 in a sentence is hidden like any other address there, which
//! costs nothing: code, logs and settings write it otherwise. Source: RFC 791, RFC 6943 section 3.1.1.
//!
//! Invariant: exactly four groups. Not here: version 6, prefixes and ports (they stay as they are).

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_identifier, reads, run_end, run_start};
use super::digits::{Cue, Groups, Taken};
use crate::work;

/// Words before a number that make it a version or the number of a section.
const NUMBERED: [&str; 16] = [
    "v",
    "ver",
    "version",
    "versions",
    "release",
    "section",
    "sect",
    "sec",
    "chapter",
    "clause",
    "paragraph",
    "firmware",
    "kernel",
    "oid",
    "revision",
    "build",
];

/// Reports the addresses among the groups and marks their groups as taken.
pub(super) fn find(groups: &Groups<'_>, cue: Cue, taken: &mut Taken, out: &mut Vec<Hit>) {
    let mut first = 0;
    while first + 3 < groups.len() {
        work::count(1);
        let last = first + 3;
        if is_address(groups, first) && (cue == Cue::Ip || !is_numbering(groups, first)) {
            taken.add(first, last);
            if !is_constant(groups, first) || is_said(groups, first) {
                let strength = if cue == Cue::Ip { Strength::Context } else { Strength::Shape };
                out.push(groups.hit((first, last), Category::IpAddress, "ipv4", strength));
            }
            first = last + 1;
        } else {
            first += 1;
        }
    }
}

fn is_address(groups: &Groups<'_>, first: usize) -> bool {
    let number = |group: usize| {
        let digits = groups.group(group);
        groups.value(group) <= 255 && digits.len() <= 3 && (digits.len() == 1 || !digits.starts_with(b"0"))
    };
    let last = first + 3;
    let end = groups.end(last);
    (first + 1..=last).all(|group| groups.joint(group) == b".")
        && before(groups.text, groups.start(first)) != b'.'
        && !groups.continues_right(last, b".")
        && (first..=last).all(number)
        && groups.clear_left(first)
        && !is_identifier(at(groups.text, end))
        && !(at(groups.text, end) == b'.'
            && is_identifier(at(groups.text, end + 1))
            && !is_sentence_end(groups.text, end))
}

/// A capital after the dot is the next sentence, as careless writers glue it; a small letter is a file or a label.
fn is_sentence_end(text: &str, dot: usize) -> bool {
    at(text, dot + 1).is_ascii_uppercase()
}

/// Loopback, "this host" and netmasks.
fn is_constant(groups: &Groups<'_>, first: usize) -> bool {
    matches!((groups.value(first), groups.value(first + 1)), (0 | 255, _) | (127, 0))
}

/// `connect to 127.0.0.1 for tests`: small words and blanks on both sides, or the end of the sentence.
fn is_said(groups: &Groups<'_>, first: usize) -> bool {
    let (start, end) = (groups.start(first), groups.end(first + 3));
    let small = |index: usize| at(groups.text, index).is_ascii_lowercase();
    let before_it = before(groups.text, start) == b' ' && start >= 3 && small(start - 2) && small(start - 3);
    let after_it = match at(groups.text, end) {
        b' ' => small(end + 1) && small(end + 2),
        b'.' => matches!(at(groups.text, end + 1), 0 | b' ' | b'\n'),
        _ => false,
    };
    groups.value(first) == 127 && before_it && after_it
}

fn is_numbering(groups: &Groups<'_>, first: usize) -> bool {
    let text = groups.text;
    let start = groups.start(first);
    let values = [0, 1, 2, 3].map(|group| groups.value(first + group));
    is_object_identifier(values)
        || is_package_version(text, start, groups.end(first + 3), values)
        || follows_product(text, start, groups.end(first + 3))
        || follows_numbering_word(text, start)
        || is_heading(text, start, groups.end(first + 3), values)
}

/// X.500 attribute types (2.5.4.x), certificate extensions (2.5.29.x) and the root of all private numbers.
fn is_object_identifier(values: [u32; 4]) -> bool {
    matches!(values, [2, 5, 4 | 29, _] | [1, 3, 6, 1] | [1, 2, 840, _])
}

/// `Product/1.2.3.4`, `package-1.2.3.4`, `==1.2.3.4`, `^1.2.3.4`; but `//1.2.3.4` and `host/1.2.3.4:80` are addresses.
fn follows_product(text: &str, start: usize, end: usize) -> bool {
    let previous = before(text, start);
    let earlier = before(text, start.saturating_sub(1));
    match previous {
        b'/' => earlier.is_ascii_alphabetic() && at(text, end) != b':',
        b'-' => earlier.is_ascii_alphabetic(),
        b'=' => matches!(earlier, b'=' | b'>' | b'<' | b'~' | b'!'),
        b'^' | b'~' => true,
        // "§" ends with this byte
        0xA7 => earlier == 0xC2,
        _ => false,
    }
}

/// `1.2.5.1-2`, `1:1.2.3.4`, `1.2.3.4~rc1`, `zlib@1.2.13.1-x`, and small numbers such as `2.7.2.3` without anything
/// that says more. Resolvers repeat their numbers (`8.8.4.4`).
fn is_package_version(text: &str, start: usize, end: usize, values: [u32; 4]) -> bool {
    let [first, second, third, fourth] = values;
    let (next, later) = (at(text, end), at(text, end + 1));
    let digits = run_end(text, end + 1, 4, |byte| byte.is_ascii_digit());
    let suffix = match next {
        b'+' | b'~' => is_identifier(later),
        b'-' => later.is_ascii_lowercase() || (digits > end + 1 && at(text, digits) != b'.'),
        _ => false,
    };
    let (previous, earlier) = (before(text, start), before(text, start.saturating_sub(1)));
    let epoch = previous == b':'
        && earlier.is_ascii_digit()
        && !is_identifier(before(text, start.saturating_sub(2)))
        && first < 40;
    // `assembly 4.0.0.0, Culture=neutral`
    if reads(text, end, ", culture") {
        return true;
    }
    let small = values.iter().all(|value| *value <= 40);
    let packaged = previous == b'@' && small;
    let tiny = first <= 9 && second <= 20 && third <= 20 && fourth <= 20;
    let resolver = first == second || (second == 0 && third == 0);
    suffix || epoch || packaged || (tiny && !resolver && first > 0)
}

fn follows_numbering_word(text: &str, start: usize) -> bool {
    let gap =
        run_start(text, start, 4, |byte| matches!(byte, b' ' | b':' | b'=' | b'"' | b'\'' | b'#' | b'.'));
    if gap == start {
        return false;
    }
    if before(text, gap) == 0xA7 {
        return true;
    }
    let word = run_start(text, gap, 16, |byte| byte.is_ascii_alphabetic());
    let length = gap - word;
    NUMBERED.iter().any(|known| known.len() == length && reads(text, word, known))
        // camelCase and snake_case names of fields: appVersion, app_version
        || (length > 7 && reads(text, gap - 7, "version"))
}

/// A numbered heading or list item: small numbers at the start of a line, then a blank and a capital.
fn is_heading(text: &str, start: usize, end: usize, values: [u32; 4]) -> bool {
    let line_start = matches!(before(text, start), 0 | b'\n');
    line_start
        && values.iter().all(|&value| value < 40)
        && at(text, end) == b' '
        && at(text, end + 1).is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_digit_runs;
    use super::Cue;
    use cloakgate_vocab::Category::IpAddress;

    #[test]
    fn addresses_in_text() {
        check_digit_runs(
            IpAddress,
            Cue::None,
            &[
                "from «203.0.113.7» port 22",
                "«203.0.113.7»:443",
                "«203.0.113.0»/24",
                "http://«203.0.113.7»/x",
                "[«203.0.113.7»]",
                "«203.0.113.7»-«203.0.113.9»",
                "db.example.org/«203.0.113.7»:5432",
                "/«203.0.113.7»:80",
                "«203.0.113.7».",
                "は«203.0.113.7»から",
                "«203.0.113.7» - - [12/Mar/2026]",
                "client,«203.0.113.7»,443",
                "ip=«203.0.113.7»",
                "«8.8.8.8»",
                "«8.8.4.4» «1.1.1.1» «1.0.0.1»",
                "4 «203.0.113.7» 443",
                "peer «203.0.113.7». Then",
            ],
        );
    }

    #[test]
    fn versions_sections_and_constants_are_none() {
        check_digit_runs(
            IpAddress,
            Cue::None,
            &[
                "v1.2.3.4",
                "version 10.0.19.1",
                "Version=8.0.0.0",
                "ver 1.2.3.4",
                "section 5.6.22.2",
                "§ 5.6.22.2",
                "§5.6.22.2",
                "Chrome/91.0.58.158",
                "lib-1.2.3.4",
                "x==1.2.3.4",
                "1.2.3.4.5",
                "1.3.6.1.4.1",
                "2.5.29.15",
                "256.1.1.1",
                "01.2.3.4",
                "127.0.0.1",
                "0.0.0.0",
                "255.255.255.0",
                "1.2.3",
                "a1.2.3.4",
                "1.2.3.4b",
                "\"appVersion\": \"1.2.3.4\"",
                "1.2.3.4 Scope of Work",
                "build 1.2.3.4",
                "105.0.4053.207",
                "203.0.113.7.example",
                "alsa-topology-conf:all <none> 1.2.5.1-2",
                "libcap2 1:2.66.4.1 x",
                "zlib@1.2.13.1-motley",
                "v8@10.2.154.26-node.26",
                "in GCC 2.7.2.3 and Git 1.8.1.5",
                "203.0.113.7~rc1",
                "1.2.3.4+deb12u2",
            ],
        );
    }

    #[test]
    fn a_cue_beats_the_look_of_a_version() {
        check_digit_runs(IpAddress, Cue::Ip, &["version «10.0.19.1»", "127.0.0.1", "300.0.0.1"]);
    }
}
