//! Words that say somebody's gender.
//!
//! In: a word. Out: the word. Not here: pronouns, titles and kinship, which are put in other words, not hidden.

use std::sync::LazyLock;

use cloakgate_vocab::Span;

use super::context::{after, before, first_word, is_one_of};
use crate::word_set::WordSet;

const LIST: &str = "man woman men women boy girl male female non-binary nonbinary transgender cisgender männlich weiblich masculin féminin varón mujer niño niña \
         hombre masculino femenino femenina masculina maschio femmina maschile femminile feminino homem mulher \
         mannelijk vrouwelijk mężczyzna kobieta muž žena мужской женский мужчина женщина 男性 女性 남성 여성";

static WORDS: LazyLock<WordSet> = LazyLock::new(|| WordSet::read(LIST));

/// All gender words.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    LIST.split_ascii_whitespace()
}

/// Reads a gender word.
pub(super) fn at_word(text: &str, span: Span) -> Option<(Span, &'static str)> {
    let word = span.of(text).filter(|word| (3..=24).contains(&word.len()))?;
    // Parts of paths and of names of code.
    let joint = |c: char| matches!(c, '/' | '\\' | '_' | '@' | '#' | '=' | '$' | '.');
    let joined = before(text, span.start(), 1).ends_with(joint)
        || after(text, span.end(), 1).starts_with(|c| joint(c) && c != '.');
    (WORDS.contains(word) && !joined && !is_of_a_thing(after(text, span.end(), 40)))
        .then_some((span, "gender"))
}

/// Parts of machines that are called male or female.
const THINGS: &[&str] = &[
    "connector",
    "connectors",
    "plug",
    "plugs",
    "socket",
    "sockets",
    "jack",
    "jacks",
    "thread",
    "threads",
    "threaded",
    "pin",
    "pins",
    "header",
    "headers",
    "coupling",
    "couplings",
    "adapter",
    "adapters",
    "adaptor",
    "port",
    "ports",
    "end",
    "ends",
    "fitting",
    "fittings",
    "contact",
    "contacts",
    "terminal",
    "terminals",
    "receptacle",
    "cable",
    "usb",
    "xlr",
    "bnc",
    "sma",
    "db9",
    "molex",
    "nut",
    "flange",
    "screw",
    "stecker",
    "buchse",
    "connecteur",
    "prise",
    "conector",
    "connettore",
    "spina",
];

/// True when what follows a word of gender says that it is none of a person: `female connector`, `male-to-female cable`.
#[must_use]
pub fn is_of_a_thing(after: &str) -> bool {
    let rest = after.trim_start_matches([' ', '-']);
    // `male to female`, `male/female`
    let pair =
        ["to female", "to-female", "to male", "to-male"].iter().find_map(|pair| rest.strip_prefix(*pair));
    let rest = pair.map_or(rest, |rest| rest.trim_start_matches([' ', '-']));
    let gap = after.len() > rest.len();
    gap && is_one_of(first_word(rest), THINGS)
}
