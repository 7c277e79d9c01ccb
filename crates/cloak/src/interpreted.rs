//! Arguments that something runs: SQL, shells, paths, URLs, filters. A value that the model has never seen must
//! not change what they do.
//!
//! In: the keys above an argument, the value, its category, the quotes around it. Out: the text to write, or
//! `None` when the value may not stand there. Invariant: only characters of the category's safe alphabet are
//! written inside a longer interpreted text; a secret never is.

use cloakgate_vocab::Category;
use unicode_normalization::UnicodeNormalization;

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

/// What stands around a token inside an interpreted text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Quotes {
    pub(crate) single: bool,
    pub(crate) double: bool,
    /// The last character before it, blanks aside, is an operator: `=`, `<`, `(` and the like.
    pub(crate) after_operator: bool,
}

/// Reads a text from left to right and knows which quotes are open; one after a backslash does not count.
#[derive(Default)]
pub(crate) struct QuoteReader {
    quotes: Quotes,
    escaped: bool,
    read_to: usize,
}

impl QuoteReader {
    /// What stands before `at`, which must not lie before the position asked about last.
    pub(crate) fn at(&mut self, text: &str, at: usize) -> Quotes {
        for byte in text.bytes().take(at).skip(self.read_to) {
            match byte {
                b'\'' if !self.escaped && !self.quotes.double => self.quotes.single = !self.quotes.single,
                b'"' if !self.escaped && !self.quotes.single => self.quotes.double = !self.quotes.double,
                _ => {}
            }
            self.escaped = byte == b'\\' && !self.escaped;
            if !byte.is_ascii_whitespace() {
                self.quotes.after_operator = b"=<>!(,+*/%|&~^:".contains(&byte);
            }
        }
        self.read_to = self.read_to.max(at);
        self.quotes
    }
}

/// Words of keys whose text a query language reads.
const QUERY_WORDS: &[&str] = &[
    "sql",
    "query",
    "statement",
    "stmt",
    "filter",
    "where",
    "having",
    "condition",
    "predicate",
    "criteria",
    "orderby",
    "jql",
    "cql",
    "gql",
    "kql",
    "soql",
    "dql",
    "sparql",
    "graphql",
    "cypher",
    "lucene",
    "dsl",
    "mutation",
    "pipeline",
    "aggregation",
    "xpath",
    "jmespath",
    "jsonpath",
    "search",
    "select",
];
/// Words of keys whose text a shell, an interpreter or a template engine reads.
const CODE_WORDS: &[&str] = &[
    "command",
    "cmd",
    "commandline",
    "cmdline",
    "script",
    "code",
    "shell",
    "bash",
    "powershell",
    "pwsh",
    "ps1",
    "sh",
    "exec",
    "execute",
    "run",
    "args",
    "argv",
    "arg",
    "eval",
    "stdin",
    "program",
    "expression",
    "expr",
    "formula",
    "macro",
    "template",
    "jinja",
    "handlebars",
    "mustache",
    "tpl",
    "regex",
    "regexp",
    "pattern",
    "glob",
    "selector",
    "jq",
    "sed",
    "awk",
    "grep",
    "javascript",
    "js",
    "python",
    "ruby",
    "perl",
    "php",
    "lua",
    "lambda",
    "function",
    "entrypoint",
    "ref",
    "branch",
    "revision",
];
/// Words of keys that name a place: a path, a host, an address.
const PATH_WORDS: &[&str] = &[
    "path",
    "pathname",
    "file",
    "filename",
    "filepath",
    "directory",
    "dir",
    "folder",
    "cwd",
    "workdir",
    "url",
    "uri",
    "href",
    "link",
    "endpoint",
    "host",
    "hostname",
    "origin",
    "source",
    "src",
    "destination",
    "dest",
    "dst",
    "target",
    "location",
    "output",
    "input",
];
/// Endings and beginnings that make a longer word one of the above: `mysqlquery`, `rawsql`, `tsquery`, `cmdtext`.
const QUERY_PARTS: &[&str] = &["sql", "query"];
const CODE_PARTS: &[&str] = &["cmd", "command", "shell", "regex"];
const PATH_ENDINGS: &[&str] = &["path", "url", "uri", "filename"];

/// What reads the argument with this key, if anything does. The key is folded (full-width and look-alike letters
/// count as the letters they imitate) and split into words at case changes, digits and marks; each word counts,
/// singular or plural.
pub(crate) fn interpreter(key: &str) -> Option<Interpreter> {
    words(key).iter().filter_map(|word| word_reader(word)).max()
}

fn word_reader(word: &str) -> Option<Interpreter> {
    let singular = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let forms = [Some(word), word.strip_suffix('s'), word.strip_suffix("es"), singular.as_deref()];
    let named = |list: &[&str]| forms.iter().flatten().any(|form| list.contains(form));
    let made_of = |parts: &[&str]| parts.iter().any(|part| word.starts_with(part) || word.ends_with(part));
    if named(CODE_WORDS) || made_of(CODE_PARTS) {
        Some(Interpreter::Code)
    } else if named(QUERY_WORDS) || made_of(QUERY_PARTS) {
        Some(Interpreter::Query)
    } else if named(PATH_WORDS) || PATH_ENDINGS.iter().any(|ending| word.ends_with(ending)) {
        Some(Interpreter::Path)
    } else {
        None
    }
}

/// The words of a key, in lower case: `SQLText` is `sql text`, `sql2` is `sql`.
fn words(key: &str) -> Vec<String> {
    let letters: Vec<char> = key.nfkc().map(latin).collect();
    let mut words = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(at + 1);
        let starts = letter.is_uppercase()
            && (before.is_some_and(|c| c.is_lowercase())
                || (before.is_some_and(|c| c.is_uppercase()) && after.is_some_and(|c| c.is_lowercase())));
        if starts || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    // `ps1` and the like are words with a digit; the whole key counts as one word too.
    words.push(letters.iter().filter(|c| c.is_alphanumeric()).flat_map(|c| c.to_lowercase()).collect());
    words
}

/// The Latin letter that a Cyrillic or Greek one imitates.
fn latin(letter: char) -> char {
    const PAIRS: &[(&str, char)] = &[
        ("аαΑА", 'a'),
        ("еεΕЕ", 'e'),
        ("оοΟО", 'o'),
        ("рρΡР", 'p'),
        ("сϲС", 'c'),
        ("хχΧХ", 'x'),
        ("уγУΥ", 'y'),
        ("ѕЅ", 's'),
        ("іιІΙ", 'i'),
        ("јЈ", 'j'),
        ("ԛԚ", 'q'),
        ("мМΜ", 'm'),
        ("нНΗ", 'h'),
        ("кκКΚ", 'k'),
        ("тτТΤ", 't'),
        ("вВΒ", 'b'),
        ("ԁ", 'd'),
        ("ӏ", 'l'),
        ("п", 'n'),
        ("г", 'r'),
    ];
    PAIRS.iter().find(|(imitators, _)| imitators.contains(letter)).map_or(letter, |(_, latin)| *latin)
}

/// The text to write for `value` inside a longer text that `interpreter` reads, or `None`.
pub(crate) fn armoured(
    category: Category,
    value: &str,
    interpreter: Interpreter,
    around: Quotes,
) -> Option<String> {
    if category.is_secret() || category == Category::Opaque || !value.chars().any(char::is_alphanumeric) {
        return None;
    }
    let quoted = around.single || around.double;
    if !quoted && interpreter != Interpreter::Path && changes_meaning(value, interpreter, around) {
        return None;
    }
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '\'' if interpreter == Interpreter::Query && around.single => text.push_str("''"),
            '\'' if around.double || interpreter == Interpreter::Path => text.push('\''),
            // Brackets and slashes of telephone numbers mean nothing inside quotes.
            '(' | ')' | '/' if category == Category::Phone && quoted => text.push(character),
            _ if in_alphabet(category, character) => text.push(character),
            _ => return None,
        }
    }
    Some(text)
}

/// Outside quotes blanks separate and dashes lead options and comments, though each is harmless in a name.
fn changes_meaning(value: &str, interpreter: Interpreter, around: Quotes) -> bool {
    let separates = interpreter == Interpreter::Code || around.after_operator;
    let dashes = value.split_whitespace().any(|word| word.starts_with('-')) || value.contains("--");
    dashes || (separates && value.contains(char::is_whitespace))
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
        use Interpreter::{Code, Path, Query};
        for (keys, expected) in [
            (
                "sql sqlQuery SQLText mySQLQuery sql2 query2 queries statements filters raw_query rawquery tsquery stmt condition having order_by graphql soql ｓｑｌ Ѕql sqlInsert",
                Some(Query),
            ),
            (
                "shell_command cmdline commandline CommandLine exec run powershell ps1 stdin program template jinja awk regexps selectors scripts codes ref branch argv",
                Some(Code),
            ),
            (
                "filePath filepath pathname URLPath urls uris files host hostname link src dest target location baseUrl imageURL",
                Some(Path),
            ),
            (
                "content text profile codec description transcript subscription message name pathology title body notes prescription",
                None,
            ),
        ] {
            for key in keys.split(' ') {
                assert_eq!(interpreter(key), expected, "{key}");
            }
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
            (Category::Person, "Ann --force", Code, "git commit --author=", None),
            (Category::Person, "Ann Lee", Code, "git commit --author=", None),
            (Category::Person, "Ann Lee", Code, "git commit --author='", Some("Ann Lee")),
            (Category::Person, "Ann -- x", Query, "where owner=", None),
            (Category::Person, "Ann or true", Query, "where owner = ", None),
            (Category::Person, "Ann Lee", Query, "orders of ", Some("Ann Lee")),
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
