//! Canonical forms: which spellings are one identity, and the canonical words that known values are found by.
//!
//! In: a value and its category, or a text. Out: a form that is equal for equal identities, or the words of the
//! text with their places. Invariant: canonical words of a text are found in one pass without look-ahead, and a
//! value's words are found alike alone and inside a longer text.

use std::net::IpAddr;

use cloakgate_vocab::{Category, Span};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::lex::alphanumeric_run;

/// Canonical form of a value: two values of one category with equal forms are one identity.
///
/// E-mail addresses ignore case; numbers ignore separators; names ignore case, width, separators and blanks;
/// secrets are exact.
#[must_use]
pub fn canonical(category: Category, value: &str) -> String {
    let value = value.trim();
    match category {
        Category::Email | Category::Username | Category::Url => folded(value),
        Category::Phone => phone(value),
        // The address of a payment provider: its marks tell accounts apart.
        Category::BankAccount if value.contains('@') => folded(value),
        _ if is_grouped(category) => folded(value).chars().filter(|c| c.is_alphanumeric()).collect(),
        Category::IpAddress => {
            value.parse::<IpAddr>().map_or_else(|_| folded(value), |address| address.to_string())
        }
        Category::Person
        | Category::Address
        | Category::Location
        | Category::Org
        | Category::Medical
        | Category::Nrp
        | Category::Title
        | Category::Profession
        | Category::Family
        | Category::Gender => spaced_words(value),
        Category::DateOfBirth | Category::Date => {
            crate::birth::iso(value).unwrap_or_else(|| spaced_words(value))
        }
        Category::Password
        | Category::ApiKey
        | Category::AwsKey
        | Category::Jwt
        | Category::PrivateKey
        | Category::Secret
        | Category::CryptoWallet
        | Category::Opaque
        | Category::Literal => value.to_owned(),
        _ => folded(value).split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// True for numbers and codes whose separators do not count: `4111 1111` and `4111-1111` are one card.
pub(crate) const fn is_grouped(category: Category) -> bool {
    matches!(
        category,
        Category::CreditCard
            | Category::Iban
            | Category::Ssn
            | Category::NationalId
            | Category::Passport
            | Category::DriverLicense
            | Category::TaxId
            | Category::HealthId
            | Category::OtherId
            | Category::BankAccount
            | Category::MacAddress
            | Category::Vehicle
    )
}

/// Digits with a leading `+` for an international number; an extension follows after `;`.
fn phone(value: &str) -> String {
    let value = folded(value).replace("(0)", "");
    let mut number = String::with_capacity(value.len());
    let mut extension = false;
    for c in value.chars() {
        if c.is_ascii_digit() || (c == '+' && number.is_empty()) {
            number.push(c);
        } else if matches!(c, 'x' | 'e' | '#' | ';') && !extension && number.len() > 5 {
            extension = true;
            number.push(';');
        }
    }
    match number.strip_prefix("00") {
        Some(rest) => format!("+{rest}"),
        None => number,
    }
}

fn spaced_words(value: &str) -> String {
    let mut form = String::with_capacity(value.len());
    for span in Words::of(value) {
        if !form.is_empty() {
            form.push(' ');
        }
        fold_into(span.of(value).unwrap_or_default(), &mut form);
    }
    if form.is_empty() { folded(value) } else { form }
}

/// The text in compatibility form (NFKC) and lower case.
pub(crate) fn folded(text: &str) -> String {
    let mut form = String::with_capacity(text.len());
    fold_into(text, &mut form);
    form
}

/// Appends the folded text.
pub(crate) fn fold_into(text: &str, form: &mut String) {
    if text.is_ascii() {
        form.extend(text.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        form.extend(text.nfkc().flat_map(char::to_lowercase).nfc());
    }
}

/// The letter of ASCII that a small letter is whose mark is a part of it; others stay.
pub(crate) const fn without_stroke(c: char) -> char {
    match c {
        'ł' => 'l',
        'ø' => 'o',
        'đ' => 'd',
        'ı' => 'i',
        other => other,
    }
}

/// True for characters of words.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || (!c.is_ascii() && (is_plain_letter(c) || c.is_alphanumeric() || is_combining_mark(c)))
}

/// Letters of ranges that hold nothing else: most letters outside ASCII, told without a table.
#[inline]
pub(crate) const fn is_plain_letter(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{24f}' // Latin
        | '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}' // Cyrillic
        | '\u{4e00}'..='\u{9fff}' // Han
        | '\u{ac00}'..='\u{d7a3}') // Hangul syllables
}

/// True for characters of scripts that are written without blanks, or whose words take endings without one:
/// each is a word of its own, so that a name is found inside a longer run.
pub(crate) fn stands_alone(c: char) -> bool {
    matches!(u32::from(c),
        0x0e00..=0x0eff      // Thai, Lao
        | 0x1000..=0x109f    // Myanmar
        | 0x1780..=0x17ff    // Khmer
        | 0x3040..=0x30ff    // kana
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff // Han
        | 0xac00..=0xd7af) // Hangul syllables
}

/// Spans of the canonical words of a text, in order.
pub(crate) struct Words<'a> {
    text: &'a str,
    at: usize, // on a character boundary
}

impl<'a> Words<'a> {
    /// Words of the whole text.
    pub(crate) fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Words from `at` on, which is where one of them begins.
    pub(crate) const fn from(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }
}

impl Iterator for Words<'_> {
    type Item = Span;

    #[inline]
    fn next(&mut self) -> Option<Span> {
        let bytes = self.text.as_bytes();
        // ASCII runs, most of all text, need no decoding.
        while bytes.get(self.at).is_some_and(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let start = self.at;
        self.at += alphanumeric_run(bytes, self.at);
        if bytes.get(self.at).is_none_or(u8::is_ascii) {
            return (self.at > start).then(|| Span::sized(start, self.at - start));
        }
        self.decoded_word(start)
    }
}

impl Words<'_> {
    /// Goes on at a character that is not ASCII; `start..self.at` is an ASCII beginning of the word, or empty.
    #[inline(never)]
    fn decoded_word(&mut self, mut start: usize) -> Option<Span> {
        let rest = self.text.get(self.at..)?;
        let mut end = self.at;
        for (offset, c) in rest.char_indices() {
            let at = self.at + offset;
            if stands_alone(c) {
                if end > start {
                    break;
                }
                let mut stop = at + c.len_utf8();
                // Vowel signs and tone marks belong to the character before.
                for mark in self.text.get(stop..)?.chars().take_while(|c| is_combining_mark(*c)) {
                    stop += mark.len_utf8();
                }
                self.at = stop;
                return Span::new(at, stop);
            }
            if is_word_char(c) {
                end = at + c.len_utf8();
            } else if end > start {
                break;
            } else {
                start = at + c.len_utf8();
                end = start;
            }
        }
        self.at = end;
        (end > start).then(|| Span::sized(start, end - start))
    }
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use cloakgate_vocab::Category;

    use super::{Words, canonical, is_plain_letter};

    #[test]
    fn plain_letters_are_letters_and_no_numbers() {
        for c in ('\0'..='\u{ffff}').filter(|c| is_plain_letter(*c)) {
            assert!(c.is_alphabetic() && !c.is_numeric(), "{c}");
        }
    }

    #[test]
    fn spellings_of_one_identity_are_equal() {
        for (category, one, other) in [
            (Category::Email, "Marie.Dubois@Example.eu", "marie.dubois@example.eu"),
            (Category::Phone, "+33 6 12 34 56 78", "0033612345678"),
            (Category::Phone, "+44 (0)20 7946 0958", "+442079460958"),
            (Category::CreditCard, "4111 1111 1111 1111", "4111-1111-1111-1111"),
            (Category::Iban, "de89 3704 0044 0532 0130 00", "DE89370400440532013000"),
            (Category::Person, "Marie  Dubois", "MARIE DUBOIS"),
            (Category::Person, "Marie Dubois", "marie_dubois"),
            (Category::Person, "Jose\u{301} Ruiz", "José Ruiz"),
            (Category::MacAddress, "00:1B:44:11:3A:B7", "00-1b-44-11-3a-b7"),
            (Category::IpAddress, "2001:DB8:0::1", "2001:db8::1"),
            (Category::DateOfBirth, "12 March 1984", "1984-03-12"),
        ] {
            assert_eq!(canonical(category, one), canonical(category, other), "{one}");
        }
    }

    #[test]
    fn different_identities_differ() {
        for (category, one, other) in [
            (Category::Secret, "Ab3", "ab3"),
            (Category::Person, "Ann Amari", "Anna Mari"),
            (Category::Phone, "+1 202 555 0143", "+1 202 555 0143 x2"),
            (Category::Email, "anna@example.org", "joanna@example.org"),
        ] {
            assert_ne!(canonical(category, one), canonical(category, other), "{one}");
        }
    }

    #[test]
    fn words_are_runs_of_letters_and_single_characters_of_unspaced_scripts() {
        for (text, words) in [
            ("Marie Dubois, 12x", &["Marie", "Dubois", "12x"][..]),
            ("a_b-c", &["a", "b", "c"]),
            ("联系人ab陈é", &["联", "系", "人", "ab", "陈", "é"]),
            ("—é—", &["é"]),
            ("सैनी ok", &["सैनी", "ok"]),
            ("", &[]),
            ("…", &[]),
        ] {
            assert_eq!(Words::of(text).map(|span| &text[span.range()]).collect::<Vec<_>>(), words, "{text}");
        }
    }
}
