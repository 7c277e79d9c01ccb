//! Whether a number stands near a place.
//!
//! In: a text, and places in it, most of them in order. Out: whether a digit, or `s/n` that stands for one, lies within
//! `NEAR` bytes. Invariant: of stretches without numbers the last one is remembered, so a text without numbers is read
//! once, however often it is asked about. Not here: which number, and what it means.

/// How near, in bytes, a number must stand to a word before a look is taken.
const NEAR: usize = 64;
/// Bytes that are read in one step.
const CHUNK: usize = 16;

/// Where no number is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    free_from: usize,
    free_to: usize, // no number begins from `free_from` to here
}

impl Numbers {
    /// Whether a digit, or `s/n`, stands near a place.
    pub(super) fn near(&mut self, bytes: &[u8], start: usize) -> bool {
        let (from, to) = (start.saturating_sub(NEAR), (start + NEAR).min(bytes.len()));
        let clear = |numbers: &Self| from >= numbers.free_from && to <= numbers.free_to;
        if clear(self) {
            return false;
        }
        let known = from >= self.free_from && from <= self.free_to;
        if !known {
            self.free_from = from;
            self.free_to = from;
        }
        self.free_to = next(bytes, self.free_to);
        // `s/n` must lie within whole
        !clear(self) && bytes.get(self.free_to..to).is_some_and(is_number)
    }
}

/// Whether the bytes begin with a digit or with `s/n`.
fn is_number(bytes: &[u8]) -> bool {
    match bytes {
        [byte, ..] if byte.is_ascii_digit() => true,
        [one, two, three, ..] => matches!([one, two, three], [b's', b'/', b'n'] | [b'S', b'/', b'N' | b'n']),
        _ => false,
    }
}

/// Where the next number begins, or the text ends.
fn next(bytes: &[u8], from: usize) -> usize {
    // Of `s/n` the slash: it is rarer.
    let tells = |byte: &u8| byte.is_ascii_digit() | (*byte == b'/');
    let mut at = from;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let free = match rest.first_chunk::<CHUNK>() {
            // Read as a whole: the compiler makes one comparison of it.
            Some(chunk) if !chunk.iter().fold(false, |any, byte| any | tells(byte)) => CHUNK,
            _ => rest.iter().take(CHUNK).position(tells).unwrap_or(CHUNK.min(rest.len())),
        };
        at += free;
        match bytes.get(at) {
            Some(byte) if byte.is_ascii_digit() => return at,
            Some(b'/') => {
                let before = at.checked_sub(1).filter(|before| *before >= from);
                if let Some(before) = before.filter(|before| bytes.get(*before..).is_some_and(is_number)) {
                    return before;
                }
                at += 1;
            }
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{NEAR, Numbers};

    /// The same without a memory.
    fn plainly(bytes: &[u8], start: usize) -> bool {
        let window = &bytes[start.saturating_sub(NEAR)..(start + NEAR).min(bytes.len())];
        window.iter().any(u8::is_ascii_digit)
            || window.windows(3).any(|three| matches!(three, b"s/n" | b"S/N" | b"S/n"))
    }

    #[test]
    fn what_is_remembered_changes_no_answer() {
        let long = "x s ".repeat(60);
        for text in [
            format!("{long}7{long}"),
            format!("{long}s/n{long}{long}"),
            format!("S/n{long}{long}s/N {long}12"),
            format!("{long}{long}"),
            "5".to_owned(),
            String::new(),
        ] {
            let bytes = text.as_bytes();
            for step in [1, 7, 63, 65, 130] {
                let mut numbers = Numbers::default();
                let there = (0..bytes.len() + 1).step_by(step);
                for start in there.clone().chain(there.rev()) {
                    assert_eq!(numbers.near(bytes, start), plainly(bytes, start), "{start} in {text}");
                }
            }
        }
    }
}
