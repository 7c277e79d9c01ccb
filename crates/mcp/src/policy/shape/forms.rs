//! Forms of strings and numbers that the protocol has.
//!
//! In: text. Out: whether it has the form. Invariant: each look is linear. Not here: vocabularies.

/// Digits that a number may have: one fewer than the shortest card number has.
const MAX_NUMBER_DIGITS: usize = 11;
/// Longest media type in bytes.
const MAX_MEDIA_TYPE_BYTES: usize = 128;
/// Digits that a media type may have: `iso-8859-15` has six, a telephone number more.
const MAX_MEDIA_TYPE_DIGITS: usize = 6;
/// Digits of a fraction of a second.
const MAX_FRACTION_DIGITS: usize = 9;
/// Longest list of trace states in bytes, as its standard says.
const MAX_TRACE_STATE_BYTES: usize = 512;
/// Digits in a row inside an opaque value: fewer than a telephone number has.
const MAX_OPAQUE_DIGITS: usize = 6;

pub(super) fn is_short_number(text: &str) -> bool {
    digits(text) <= MAX_NUMBER_DIGITS
}

pub(super) fn is_short_digits(text: &str) -> bool {
    (1..=MAX_NUMBER_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// The most digits that stand in a row.
fn longest_run(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or_default()
}

/// Whether `text` has the form of `pattern`, in which `9` is a digit, `x` a lower-case or upper-case hexadecimal
/// digit, and everything else itself.
fn matches(text: &str, pattern: &str) -> bool {
    text.len() == pattern.len()
        && text.bytes().zip(pattern.bytes()).all(|(byte, form)| match form {
            b'9' => byte.is_ascii_digit(),
            b'x' => byte.is_ascii_hexdigit(),
            _ => byte == form,
        })
}

/// A date on which a revision can have come out, so that no date of birth passes for one.
pub(super) fn is_version(text: &str) -> bool {
    matches(text, "2099-99-99") && text >= "2024"
}

pub(super) fn is_uuid(text: &str) -> bool {
    matches(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
}

pub(super) fn is_trace_parent(text: &str) -> bool {
    matches(text, "xx-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-xxxxxxxxxxxxxxxx-xx")
}

/// Vendors' entries, whose values are opaque: no blank, no `@`, no long number.
pub(super) fn is_trace_state(text: &str) -> bool {
    let is_entry = |entry: &str| {
        entry.split_once('=').is_some_and(|(vendor, value)| !vendor.is_empty() && is_opaque(value))
    };
    text.len() <= MAX_TRACE_STATE_BYTES
        && longest_run(text) <= MAX_OPAQUE_DIGITS
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-*/=,;:.~".contains(&byte))
        && text.split(',').all(is_entry)
}

/// Letters and digits mixed, as in a random value; words are not.
fn is_opaque(value: &str) -> bool {
    digits(value) > 0 && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-:.;~".contains(&byte))
}

pub(super) fn is_media_type(text: &str) -> bool {
    const KINDS: &[&str] = &[
        "text",
        "image",
        "audio",
        "video",
        "application",
        "font",
        "model",
        "multipart",
        "message",
        "chemical",
        "inode",
    ];
    const PARAMETERS: &[&str] = &["charset", "profile", "codecs", "version", "boundary", "format", "q"];
    let is_token = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'*' | b'_'))
    };
    let mut parts = text.split(';');
    let kind = parts.next().unwrap_or_default().trim();
    text.len() <= MAX_MEDIA_TYPE_BYTES
        && digits(text) <= MAX_MEDIA_TYPE_DIGITS
        && kind.split_once('/').is_some_and(|(kind, detail)| KINDS.contains(&kind) && is_token(detail))
        && parts.all(|parameter| {
            let (name, value) = parameter.trim().split_once('=').unwrap_or_default();
            PARAMETERS.contains(&name) && is_token(value.trim_matches('"'))
        })
}

/// A moment, never a day alone: that could be a date of birth.
pub(super) fn is_timestamp(text: &str) -> bool {
    let seconds = "9999-99-99T99:99:99";
    let Some((moment, rest)) = text.split_at_checked(seconds.len()) else { return false };
    let after_fraction = rest.strip_prefix('.').map_or(rest, |rest| {
        let end = rest.bytes().take(MAX_FRACTION_DIGITS).take_while(u8::is_ascii_digit).count();
        rest.get(end..).unwrap_or_default()
    });
    let zone = after_fraction;
    matches(&moment.to_ascii_uppercase(), seconds)
        && (matches!(zone, "" | "Z" | "z") || matches(zone, "+99:99") || matches(zone, "-99:99"))
}

pub(super) fn is_sizes(text: &str) -> bool {
    let is_side =
        |side: &str| (1..=5).contains(&side.len()) && side.bytes().all(|byte| byte.is_ascii_digit());
    text == "any" || text.split_once('x').is_some_and(|(width, height)| is_side(width) && is_side(height))
}

/// An address on the web with nothing in it that is an address of a person or a number of one.
pub(super) fn is_web_uri(text: &str) -> bool {
    text.strip_prefix("https://").is_some_and(|rest| {
        rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"@\"<>\\^`{|}".contains(&byte))
            && !rest.contains("%40")
            && longest_run(rest) <= MAX_NUMBER_DIGITS
            && rest.split(['/', '?', '#']).next().is_some_and(|host| host.contains('.'))
    })
}

pub(super) fn is_image_data(text: &str) -> bool {
    let content = text.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
    content.is_some_and(|(kind, content)| {
        is_pixels(kind) && content.len() >= SHORTEST_BINARY_BYTES && is_base64(content)
    })
}

/// Kinds of images that hold no text.
fn is_pixels(text: &str) -> bool {
    matches!(text, "png" | "jpeg" | "jpg" | "gif" | "webp" | "x-icon" | "avif" | "bmp")
}

/// Base64 of fewer bytes that decodes to no text is taken for a key or a word: no image and no sound is so short.
const SHORTEST_BINARY_BYTES: usize = 64;

/// Base64 in whole groups of four, other than a number. Each byte is looked at once, because the content may be long.
/// Line ends and the alphabet for addresses are not meant: the protocol does not use them, and what is not read as
/// base64 further on would leave unread.
pub(super) fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let classes = body.bytes().fold(0, |classes, byte| classes | class(byte));
    classes & OTHER == 0
        && classes & LETTER != 0
        && text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && (text.len() >= SHORTEST_BINARY_BYTES || decodes_to_text(body))
}

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const OTHER: u8 = 4;

/// What a byte is in base64.
const fn class(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => DIGIT,
        b'A'..=b'Z' | b'a'..=b'z' | b'+' | b'/' => LETTER,
        _ => OTHER,
    }
}

/// Whether short base64, of the alphabet already, holds characters that are written.
fn decodes_to_text(body: &str) -> bool {
    let (mut bits, mut held) = (0_u32, 0);
    let mut bytes = Vec::with_capacity(body.len());
    for digit in body.bytes().filter_map(value_of) {
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xff) as u8);
        }
    }
    String::from_utf8(bytes).is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace()))
}

/// The six bits of a base64 digit.
fn value_of(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}
