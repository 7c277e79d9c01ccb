//! Secrets that are made of words or of groups of letters: pass phrases, recovery phrases, seeds of one-time passwords.
//!
//! In: a text that begins with one, behind its key. Out: its length in bytes. Formats: pass phrases of four to ten small
//! words; recovery phrases of 12, 15, 18, 21 or 24 words of three to eight letters (BIP-39); seeds in base 32 (RFC 4648
//! section 6, RFC 6238). Check rule: the counts; the alphabet with a digit among it. Invariant: bounded reads.
//! Not here: the keys.

/// Length of a line like `correct horse battery staple`: four to ten small words to the end of the line, none of which builds sentences.
pub(crate) fn passphrase(value: &str) -> Option<usize> {
    let line = value.lines().next()?.trim_end();
    let mut words = 0;
    let plain = line.split(' ').all(|word| {
        words += 1;
        (3..=12).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_lowercase())
            && !SENTENCE.contains(&word)
    });
    (plain && (4..=10).contains(&words)).then_some(line.len())
}

/// Words that build sentences about phrases.
const SENTENCE: &[&str] = &[
    "and",
    "any",
    "are",
    "but",
    "can",
    "characters",
    "contain",
    "empty",
    "enter",
    "for",
    "from",
    "has",
    "have",
    "may",
    "must",
    "not",
    "optional",
    "password",
    "passphrase",
    "required",
    "should",
    "that",
    "the",
    "this",
    "use",
    "used",
    "using",
    "was",
    "when",
    "which",
    "will",
    "with",
    "your",
];

/// Length of a recovery phrase of 12, 15, 18, 21 or 24 words of three to eight letters, at the start of the text. Numbers
/// before the words count as marks.
pub(crate) fn mnemonic(value: &str) -> Option<usize> {
    let (mut words, mut at, mut end) = (0, 0, 0);
    while words < 24 {
        let rest = value.get(at..)?;
        let marks = rest
            .bytes()
            .take(8)
            .take_while(|b| matches!(b, b' ' | b',' | b'\n' | b'\r' | b'.' | b')') || b.is_ascii_digit());
        let start = at + if words == 0 { 0 } else { marks.count() };
        let word = value.get(start..)?.bytes().take_while(u8::is_ascii_alphabetic).count();
        if !(3..=8).contains(&word) || (words > 0 && start == at) {
            break;
        }
        (words, at, end) = (words + 1, start + word, start + word);
    }
    (words >= 12 && words % 3 == 0).then_some(end)
}

/// Length of a seed in base 32 at the start of the text, in one piece or in groups of four.
pub(crate) fn otp_seed(value: &str) -> Option<usize> {
    let is_letter = |byte: &u8| byte.is_ascii_uppercase() || matches!(byte, b'2'..=b'7');
    let (mut letters, mut at, mut end) = (0, 0, 0);
    loop {
        let group = value.bytes().skip(at).take(130).take_while(is_letter).count();
        if group == 0 || (letters > 0 && group != 4) {
            break;
        }
        (letters, end) = (letters + group, at + group);
        if group != 4 || !matches!(value.as_bytes().get(end), Some(b' ' | b'-')) {
            break;
        }
        at = end + 1;
    }
    let digits = value.get(..end)?.bytes().any(|byte| byte.is_ascii_digit());
    (letters >= 16 && digits && letters % 4 == 0).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::{mnemonic, otp_seed, passphrase};

    #[test]
    fn words_and_groups_have_their_counts() {
        let words = "legal winner thank year wave sausage worth useful legal winner thank yellow";
        for (found, len) in [
            (mnemonic(words), Some(words.len())),
            (mnemonic(&format!("{words} legal winner")), None),
            (mnemonic("legal, winner, thank"), None),
            (passphrase("correct horse battery staple"), Some(28)),
            (passphrase("correct horse battery staple\nnext"), Some(28)),
            (passphrase("must not be empty when the key is encrypted"), None),
            (passphrase("Correct horse battery staple"), None),
            (otp_seed("JBSW Y3DP EHPK 3PXP and"), Some(19)),
            (otp_seed("JBSWY3DPEHPK3PXP"), Some(16)),
            (otp_seed("ABCDEFGHIJKLMNOP"), None),
        ] {
            assert_eq!(found, len);
        }
    }
}
