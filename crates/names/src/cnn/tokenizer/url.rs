//! What the tokenizer takes for a URL or a host, and leaves whole.
//!
//! The form: a scheme, then who logs in, both optional, then a host or a public IPv4 address, then a port and a path,
//! both optional. A host's last part is 2 to 63 lower-case letters. Invariant: cost is linear; from each place where a
//! host may start the look goes no further than the next `@`.

use super::Tokenizer;
use crate::cnn::classes::{DECIMAL, LOWER, WORD};

impl Tokenizer {
    /// Whether a text without white space is a URL.
    pub(super) fn is_url(&self, text: &str) -> bool {
        if !text.as_bytes().contains(&b'.') {
            return false;
        }
        let after_scheme = self.scheme(text);
        let logins = text.bytes().enumerate().skip(1).filter(|(_, byte)| *byte == b'@').map(|(at, _)| at + 1);
        let mut starts = [0, after_scheme].into_iter().chain(logins);
        starts.any(|start| {
            let rest = text.get(start..).unwrap_or_default();
            self.is_address(rest) || self.is_host(rest)
        })
    }

    /// Bytes of a scheme at the start.
    fn scheme(&self, text: &str) -> usize {
        let allowed =
            |character: char| matches!(character, '+' | '-' | '.') || self.classes.of(character) & WORD != 0;
        let end = text.find(|character| !allowed(character)).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end).unwrap_or_default();
        if name.chars().nth(1).is_some() && rest.starts_with("://") { end + 3 } else { 0 }
    }

    /// A host, and what may follow.
    fn is_host(&self, text: &str) -> bool {
        let mut rest = text;
        loop {
            let end = rest.find(|c: char| !is_inner(c)).unwrap_or(rest.len());
            let (label, behind) = rest.split_at_checked(end).unwrap_or_default();
            let Some(next) = behind.strip_prefix('.') else { return false };
            let borders = label.starts_with(is_outer) && label.ends_with(is_outer);
            // One character, or two at the ends and up to 62 between: 64 in all.
            if !borders || label.chars().nth(64).is_some() {
                return false;
            }
            let end = next.find(|c| self.classes.of(c) & LOWER == 0).unwrap_or(next.len());
            let (last, behind) = next.split_at_checked(end).unwrap_or_default();
            if (2..=63).contains(&last.chars().take(64).count()) && self.is_end(behind) {
                return true;
            }
            rest = next;
        }
    }

    /// An IPv4 address that is not of a private network, and what may follow.
    fn is_address(&self, text: &str) -> bool {
        let mut rest = text;
        let mut parts = [""; 4];
        for (place, part) in parts.iter_mut().enumerate() {
            if place > 0 {
                let Some(behind) = rest.strip_prefix('.') else { return false };
                rest = behind;
            }
            let end = rest.find(|c| self.classes.of(c) & DECIMAL == 0).unwrap_or(rest.len());
            (*part, rest) = rest.split_at_checked(end).unwrap_or_default();
        }
        let [first, second, third, fourth] = parts;
        let number = |part: &str| part.parse::<u16>().ok().filter(|_| part.len() <= 3);
        let (Some(one), Some(two), Some(_), Some(_)) =
            (number(first), number(second), number(third), number(fourth))
        else {
            return false;
        };
        let middle = |part: &str| match part.len() {
            3 => !part.starts_with('0') && part <= "255",
            _ => true,
        };
        let private = match one {
            10 | 127 => true,
            169 => second == "254",
            192 => second == "168",
            172 => second.len() == 2 && (16..=31).contains(&two),
            _ => false,
        };
        let outer = |part: &str, most: &str| !part.starts_with('0') && (part.len() < 3 || part <= most);
        !private
            && outer(first, "223")
            && middle(second)
            && middle(third)
            && outer(fourth, "254")
            && self.is_end(rest)
    }

    /// A port, a path, both or nothing.
    fn is_end(&self, text: &str) -> bool {
        let behind = text.strip_prefix(':').map_or(text, |port| {
            let end = port.find(|c| self.classes.of(c) & DECIMAL == 0).unwrap_or(port.len());
            let (digits, behind) = port.split_at_checked(end).unwrap_or_default();
            if (2..=5).contains(&digits.chars().take(6).count()) { behind } else { text }
        });
        behind.is_empty() || behind.starts_with(['/', '?', '#'])
    }
}

/// First and last character of a part of a host.
const fn is_outer(character: char) -> bool {
    matches!(character, 'A'..='Z' | 'a'..='z' | '0'..='9' | '\u{a1}'..='\u{ffff}')
}

/// Any character of a part of a host.
const fn is_inner(character: char) -> bool {
    is_outer(character) || matches!(character, '_' | '-')
}
