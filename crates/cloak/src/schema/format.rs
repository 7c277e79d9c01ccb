//! The formats of JSON Schema that a token or a stand-in might not have.
//!
//! In: the name of a format and a text. Out: whether the text has it. A format that is not known has every text.
//! The checks are those that validators in use agree on.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether `text` has the format.
pub(super) fn fits(name: &str, text: &str) -> bool {
    match name {
        "email" | "idn-email" => email(text),
        "uri" | "iri" | "url" => scheme(text).is_some_and(uri_characters),
        "uri-reference" | "iri-reference" => uri_characters(text),
        "uri-template" => !text.contains(['[', ']', ' ']),
        "hostname" | "idn-hostname" => hostname(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        "uuid" => uuid(text),
        "date" => date(text),
        "date-time" => {
            text.get(..10).is_some_and(date)
                && text.get(10..11).is_some_and(|mark| matches!(mark, "T" | "t" | " "))
                && text.get(11..).is_some_and(time)
        }
        "time" => time(text),
        "duration" => text.starts_with('P'),
        "json-pointer" => text.is_empty() || text.starts_with('/'),
        "byte" | "base64" => text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=-_".contains(&b)),
        _ => true,
    }
}

fn email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let local_fits = !local.is_empty()
        && !local.starts_with('.')
        && !local.ends_with('.')
        && local.chars().all(|c| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c));
    (local_fits || (local.len() > 2 && local.starts_with('"') && local.ends_with('"'))) && hostname(domain)
}

/// What follows the scheme of a URI.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let fits = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    fits.then_some(rest)
}

fn uri_characters(text: &str) -> bool {
    // Brackets may stand around an IPv6 address only.
    let host = text.strip_prefix("//[").and_then(|rest| rest.split_once(']')).map_or(text, |(_, rest)| rest);
    !host.contains(|c: char| c.is_control() || c.is_whitespace() || "\"<>[]\\^`{|}".contains(c))
}

fn hostname(text: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    text.len() <= 253 && text.split('.').all(label)
}

fn uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn date(text: &str) -> bool {
    let digits = |from: usize, to: usize| -> Option<u32> {
        let digits = text.get(from..to)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let marks = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    let (Some(year), Some(month), Some(day)) = (digits(0, 4), digits(5, 7), digits(8, 10)) else {
        return false;
    };
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => return false,
    };
    marks && (1..=days).contains(&day)
}

/// Hours, minutes and seconds with a zone.
fn time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = [0, 1, 3, 4, 6, 7].iter().all(|at| bytes.get(*at).is_some_and(u8::is_ascii_digit));
    digits
        && [2, 5].iter().all(|at| bytes.get(*at) == Some(&b':'))
        && bytes.iter().skip(8).all(|b| b.is_ascii_digit() || b".:+-Zz".contains(b))
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn texts_have_their_formats_and_tokens_do_not() {
        for (format, good, bad) in [
            (
                "email",
                &["a@example.org", "email_0_k7q@cloakgate.invalid"][..],
                &["[EMAIL_0_k7q]", "a", "a@", "@b"][..],
            ),
            (
                "uri",
                &["https://example.org/a?b=EMAIL_0_k7q", "mailto:a@example.org"],
                &["EMAIL_0_k7q", "x:[URL_0_k7q]"],
            ),
            ("uri-reference", &["a/b", "URL_0_k7q"], &["[URL_0_k7q]", "a b"]),
            (
                "hostname",
                &["a.example.org", "ip-address-0-k7q.cloakgate.invalid"],
                &["URL_0_k7q", "[A]", "-a", ""],
            ),
            ("ipv4", &["203.0.113.7"], &["[IP_ADDRESS_0_k7q]", "203.0.113"]),
            ("ipv6", &["2001:db8::1"], &["203.0.113.7"]),
            ("uuid", &["c0ffee00-0000-4000-8000-00000000abcd"], &["[OTHER_ID_0_k7q]"]),
            ("date", &["2024-02-29", "5120-04-17"], &["2023-02-29", "[DATE_0_k7q]", "2024-2-9"]),
            (
                "date-time",
                &["2024-02-29T10:00:00Z", "2024-02-29T10:00:00.5+01:00"],
                &["2024-02-29", "[DATE_0_k7q]"],
            ),
            ("time", &["10:00:00Z"], &["[DATE_0_k7q]"]),
            ("no-such-format", &["anything"], &[]),
        ] {
            for text in good {
                assert!(fits(format, text), "{format}: {text}");
            }
            for text in bad {
                assert!(!fits(format, text), "{format}: {text}");
            }
        }
    }
}
