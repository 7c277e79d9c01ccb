//! What the table tests of the recognisers share: spans marked with `«` and `»`, and a stand-in for the lexer. Invented
//! secrets are written with a `¦` inside, which is taken out, so that no scanner takes this source for a leak.

use cloakgate_vocab::{Category, Span};

use super::{
    Cue, DigitRun, Hit, authorization_at, digit_run, email_at, pem_at, plausible_password, plausible_secret,
    url_credentials_at, word_at,
};

/// Removes the marks and returns the clean text and the marked values.
pub(super) fn unmark(marked: &str) -> (String, Vec<String>) {
    let marked = marked.replace('¦', "");
    let (mut text, mut values) = (String::new(), Vec::new());
    for piece in marked.split('«') {
        match piece.split_once('»') {
            Some((value, rest)) => {
                values.push(value.to_owned());
                text.push_str(value);
                text.push_str(rest);
            }
            None => text.push_str(piece),
        }
    }
    (text, values)
}

fn joins(separator: &str) -> bool {
    matches!(separator, " " | "." | "-" | "/" | "(" | ")" | "+" | "\u{a0}" | ") " | " (")
}

/// Splits a text into digit runs as the lexer does.
pub(super) fn runs(text: &str) -> Vec<Vec<Span>> {
    let mut groups = Vec::new();
    let mut start = None;
    for (index, byte) in text.bytes().chain([0]).enumerate() {
        match (byte.is_ascii_digit(), start) {
            (true, None) => start = Some(index),
            (false, Some(begin)) => {
                groups.push(Span::sized(begin, index - begin));
                start = None;
            }
            _ => {}
        }
    }
    let mut runs: Vec<Vec<Span>> = Vec::new();
    for group in groups {
        match runs.last_mut() {
            Some(run) if joins(text.get(run.last().unwrap().end()..group.start()).unwrap()) => {
                run.push(group);
            }
            _ => runs.push(vec![group]),
        }
    }
    runs
}

/// The values of a category that the digit kinds find.
pub(super) fn spans_with(category: Category, cue: Cue, text: &str) -> Vec<String> {
    let mut hits = Vec::new();
    for groups in runs(text) {
        digit_run(&DigitRun { text, groups: &groups }, cue, &mut hits);
    }
    values(text, category, hits)
}

fn values(text: &str, category: Category, hits: Vec<Hit>) -> Vec<String> {
    let wanted = hits.into_iter().filter(|hit| hit.category == category);
    wanted.map(|hit| hit.span.of(text).unwrap().to_owned()).collect()
}

/// Checks that exactly the marked values of a category are found in each text.
pub(super) fn check_digit_runs(category: Category, cue: Cue, texts: &[&str]) {
    for marked in texts {
        let (text, expected) = unmark(marked);
        assert_eq!(spans_with(category, cue, &text), expected, "{marked}");
    }
}

/// All hits at the word starts of a text.
pub(super) fn word_hits(text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut previous = ' ';
    for (index, character) in text.char_indices() {
        if character.is_ascii_alphanumeric() && !previous.is_ascii_alphanumeric() {
            word_at(text, index, &mut hits);
        }
        previous = character;
    }
    hits
}

/// Checks that exactly the marked values of a category are found at the word starts of each text.
pub(super) fn check_words(category: Category, texts: &[&str]) {
    for marked in texts {
        let (text, expected) = unmark(marked);
        assert_eq!(values(&text, category, word_hits(&text)), expected, "{marked}");
    }
}

/// Checks that exactly the marked values are found by a recogniser that is asked at every occurrence of a mark.
pub(super) fn check_at(trigger: &str, recognise: impl Fn(&str, usize) -> Option<Hit>, texts: &[&str]) {
    for marked in texts {
        let (text, expected) = unmark(marked);
        let hits = text.match_indices(trigger).filter_map(|(index, _)| recognise(&text, index));
        let found: Vec<_> = hits.map(|hit| hit.span.of(&text).unwrap().to_owned()).collect();
        assert_eq!(found, expected, "{marked}");
    }
}

/// Pieces of every kind, joined at random: what no table thinks of.
const PIECES: [&str; 55] = [
    "4111",
    " ",
    "-",
    ".",
    "@",
    "example.org",
    "+44",
    "(0)",
    "20 7946 0958",
    "é",
    "«",
    "\u{a0}",
    "00:1B:44",
    "::",
    "2001:db8",
    "eyJ",
    "hbGciOiJIUzI1NiJ9",
    "-----BEGIN PRI¦VATE KEY-----",
    "\n",
    "MIIEvQIBADANBgkqhkiG9w0",
    "-----END PRIVATE KEY-----",
    "ghp_",
    "sk-proj-",
    "://",
    "user:",
    "Bearer ",
    "Basic ",
    "Cookie: ",
    "=",
    ";",
    "\"",
    "\\n",
    "DE89",
    "0x",
    "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    "Authorization: ",
    "x12",
    "ext. 5",
    "203.0.113.7",
    "/",
    ",",
    "用户",
    "\u{301}",
    "Q~",
    "\u{1f600}",
    "219-09-9998",
    "12/28",
    "%",
    ".atlasv1.",
    "_mmk",
    "MTIzNDU2Nzg5MDEyMzQ1Njc4.",
    "s.",
    "Private-Lines: 2\n",
    "@ybl",
    "- ",
];

#[test]
fn any_text_gives_spans_on_character_boundaries() {
    let mut state = 1_u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for _ in 0..4_000 {
        let text: String = (0..next(14)).map(|_| PIECES[next(PIECES.len())]).collect();
        let text = text.replace('¦', "");
        for hit in all_hits(&text) {
            assert!(hit.span.of(&text).is_some_and(|value| !value.is_empty()), "{text}");
            assert!(
                hit.pieces.iter().all(|piece| piece.of(&text).is_some() && hit.span.contains(*piece)),
                "{text}"
            );
            assert!(hit.pieces.windows(2).all(|pair| pair[0].end() <= pair[1].start()), "{text}");
        }
        plausible_password(&text);
        plausible_secret(&text);
    }
}

/// Asks every recogniser at every place, sensible or not.
fn all_hits(text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    for groups in runs(text) {
        for cue in [Cue::None, Cue::Phone, Cue::Card, Cue::Ssn, Cue::Account, Cue::Ip] {
            digit_run(&DigitRun { text, groups: &groups }, cue, &mut hits);
        }
    }
    for place in 0..=text.len() + 1 {
        if text.is_char_boundary(place) {
            word_at(text, place, &mut hits);
        }
        let found =
            [email_at, url_credentials_at, pem_at, authorization_at].map(|recognise| recognise(text, place));
        hits.extend(found.into_iter().flatten());
    }
    hits
}

#[test]
fn the_same_word_over_and_over_stays_cheap() {
    // A quadratic recogniser would take minutes here.
    for piece in [
        "-eyJ",
        "eyJhbGciOiJIUzI1NiJ9.",
        "@",
        "a@",
        "a@b.",
        "sk-proj-",
        "-----BEGIN PRI¦VATE KEY-----\n",
        "Cookie:a=",
        " Cookie: a=b;",
        "Authorization: ",
        "Bearer ",
        "1234 ",
        "12-34.",
        "://a:",
        "00:",
        "::1",
        "0x",
        "+44 ",
        "DE89 ",
        "1",
        "(",
        "x",
        "\\n",
        "aB3dE5fG7hI9jK.atlasv1.",
        "_mmk",
        "MTIzNDU2Nzg5MDEyMzQ1Njc4.",
        "s.",
        "Private-Lines: 256\nAAAA\n",
    ] {
        let text = piece.replace('¦', "").repeat(100_000 / piece.len());
        for hit in word_hits(&text) {
            assert!(hit.span.of(&text).is_some());
        }
        for place in (0..text.len()).filter(|&place| text.is_char_boundary(place)) {
            if text.get(place..).is_some_and(|rest| rest.starts_with('@')) {
                email_at(&text, place);
            }
            authorization_at(&text, place);
            if text.get(place..).is_some_and(|rest| rest.starts_with("://")) {
                url_credentials_at(&text, place);
            }
            if text.get(place..).is_some_and(|rest| rest.starts_with("-----BEGIN")) {
                pem_at(&text, place);
            }
        }
    }
}
