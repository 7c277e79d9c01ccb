//! Words that say somebody's gender.
//!
//! In: a word. Out: the word. Not here: pronouns, titles and kinship, which are put in other words, not hidden.

use std::sync::LazyLock;

use cloakgate_vocab::Span;

use super::context::{after, before};
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
    (WORDS.contains(word) && !joined).then_some((span, "gender"))
}
