//! Arguments that something runs: SQL, shells, paths, URLs, filters. A value that the model has never seen must
//! not change what they do.
//!
//! In: the keys above an argument, the value, its category, the quotes around it. Out: the text to write, or
//! `None` when the value may not stand there. Invariant: only characters of the category's safe alphabet are
//! written inside a longer interpreted text; a secret never is.

use cloakgate_vocab::Category;

/// What reads an argument.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Interpreter {
    /// Paths and file names.
    Path,
    /// Query languages, where a quote is doubled inside quotes.
    Query,
    /// Shells, scripts, expressions, templates.
    Code,
}

/// Quotes that are open where a token stands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Quotes {
    pub(crate) single: bool,
    pub(crate) double: bool,
}

/// Reads a text from left to right and knows which quotes are open; one after a backslash does not count.
#[derive(Default)]
pub(crate) struct QuoteReader {
    quotes: Quotes,
    escaped: bool,
    read_to: usize,
}

impl QuoteReader {
    /// The quotes that are open at `at`, which must not lie before the position asked about last.
    pub(crate) fn at(&mut self, text: &str, at: usize) -> Quotes {
        for byte in text.bytes().take(at).skip(self.read_to) {
            match byte {
                b'\'' if !self.escaped && !self.quotes.double => self.quotes.single = !self.quotes.single,
                b'"' if !self.escaped && !self.quotes.single => self.quotes.double = !self.quotes.double,
                _ => {}
            }
            self.escaped = byte == b'\\' && !self.escaped;
        }
        self.read_to = self.read_to.max(at);
        self.quotes
    }
}

const QUERY_WORDS: &[&str] = &[
    "sql",
    "query",
    "statement",
    "filter",
    "where",
    "expression",
    "jql",
    "cql",
    "cypher",
    "xpath",
    "jmespath",
    "jsonpath",
    "search",
];
const CODE_WORDS: &[&str] = &[
    "command",
    "cmd",
    "commands",
    "script",
    "code",
    "shell",
    "bash",
    "args",
    "argv",
    "eval",
    "template",
    "regex",
    "pattern",
    "glob",
    "selector",
    "jq",
    "expr",
    "javascript",
    "python",
    "function",
];
const PATH_WORDS: &[&str] = &[
    "path",
    "paths",
    "file",
    "filename",
    "directory",
    "dir",
    "folder",
    "cwd",
    "url",
    "uri",
    "href",
    "endpoint",
    "source",
    "destination",
];

/// What reads the argument with this key, if anything does: the key is split into words at case changes and
/// marks, and each word counts.
pub(crate) fn interpreter(key: &str) -> Option<Interpreter> {
    let mut words: Vec<String> = vec![String::new()];
    let mut lower_before = false;
    for character in key.chars() {
        let boundary = !character.is_alphanumeric() || (character.is_uppercase() && lower_before);
        if boundary {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        lower_before = character.is_lowercase();
    }
    words
        .iter()
        .filter_map(|word| {
            let named = |list: &[&str]| list.contains(&word.as_str());
            if named(CODE_WORDS) {
                Some(Interpreter::Code)
            } else if named(QUERY_WORDS) {
                Some(Interpreter::Query)
            } else if named(PATH_WORDS) {
                Some(Interpreter::Path)
            } else {
                None
            }
        })
        .max()
}

/// The text to write for `value` inside a longer text that `interpreter` reads, or `None`.
pub(crate) fn armoured(
    category: Category,
    value: &str,
    interpreter: Interpreter,
    quotes: Quotes,
) -> Option<String> {
    if category.is_secret() || category == Category::Opaque || !value.chars().any(char::is_alphanumeric) {
        return None;
    }
    if interpreter == Interpreter::Code && value.starts_with('-') {
        // It would be read as an option.
        return None;
    }
    let quoted = quotes.single || quotes.double;
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '\'' if interpreter == Interpreter::Query && quotes.single => text.push_str("''"),
            '\'' if quotes.double || interpreter == Interpreter::Path => text.push('\''),
            // Brackets and slashes of telephone numbers mean nothing inside quotes.
            '(' | ')' | '/' if category == Category::Phone && quoted => text.push(character),
            _ if in_alphabet(category, character) => text.push(character),
            _ => return None,
        }
    }
    Some(text)
}

fn in_alphabet(category: Category, character: char) -> bool {
    let marks = match category {
        Category::Email => "._%+-@",
        Category::Phone => " +-.",
        Category::CreditCard | Category::Iban | Category::Ssn | Category::Vehicle => " -.",
        Category::IpAddress | Category::MacAddress => ".:-",
        Category::CryptoWallet => ":",
        Category::DateOfBirth | Category::Date => " ./-,:",
        Category::NationalId
        | Category::Passport
        | Category::DriverLicense
        | Category::TaxId
        | Category::HealthId
        | Category::OtherId
        | Category::BankAccount
        | Category::Username => " -._",
        Category::Literal => "_-[]",
        _ => " .,-@+",
    };
    character.is_alphanumeric() || unicode_mark(character) || marks.contains(character)
}

/// Combining marks: parts of letters in decomposed and Indic text.
fn unicode_mark(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character)
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Category;

    use super::{Interpreter, QuoteReader, armoured, interpreter};

    #[test]
    fn keys_tell_what_reads_an_argument() {
        for (key, expected) in [
            ("sql", Some(Interpreter::Query)),
            ("sqlQuery", Some(Interpreter::Query)),
            ("shell_command", Some(Interpreter::Code)),
            ("filePath", Some(Interpreter::Path)),
            ("content", None),
            ("text", None),
            ("profile", None),
            ("codec", None),
        ] {
            assert_eq!(interpreter(key), expected, "{key}");
        }
    }

    #[test]
    fn payloads_are_never_armed() {
        use Interpreter::{Code, Path, Query};
        for (category, value, reader, before, expected) in [
            (Category::Person, "O'Brien", Query, "where n='", Some("O''Brien")),
            (Category::Person, "O'Brien", Query, "where n=", None),
            (Category::Person, "x' or '1", Query, "where n='", Some("x'' or ''1")),
            (Category::Person, "x'; drop table orders;--", Query, "where n='", None),
            (Category::Person, "$(curl x)", Code, "echo \"", None),
            (Category::Person, "O'Brien", Code, "echo \"", Some("O'Brien")),
            (Category::Person, "O'Brien", Code, "echo ", None),
            (Category::Person, "-rf", Code, "rm ", None),
            (Category::Person, "../../.ssh/id_rsa", Path, "/home/", None),
            (Category::Person, "..", Path, "/home/", None),
            (
                Category::Person,
                "Ren\u{e9}e de la Cruz-Meyer",
                Path,
                "/home/",
                Some("Ren\u{e9}e de la Cruz-Meyer"),
            ),
            (Category::Person, "a\r\nX: y", Code, "x ", None),
            (Category::Person, "{{7*7}}", Code, "x ", None),
            (Category::Person, "<script>", Code, "x ", None),
            (Category::Email, "marie+x@example.eu", Query, "m='", Some("marie+x@example.eu")),
            (Category::Phone, "(202) 555-0143", Query, "p='", Some("(202) 555-0143")),
            (Category::Phone, "(202) 555-0143", Code, "call ", None),
            (Category::ApiKey, "abc", Code, "curl -H \"", None),
            (Category::Opaque, "abc", Query, "x='", None),
        ] {
            let quotes = QuoteReader::default().at(before, before.len());
            assert_eq!(
                armoured(category, value, reader, quotes).as_deref(),
                expected,
                "{value} after {before}"
            );
        }
    }
}
