//! Parts of names that stand by themselves: `Johnson` after `Alice Johnson`.
//!
//! In: the candidates of a text. Out: more names: words with a capital that are part of a name of the text. Invariant: each
//! word is looked up once; words of everyday language are none, since they may stand for themselves.

use std::collections::HashSet;

use cloakgate_detect::{FieldKind, is_everyday_word, is_firm_word, is_title};
use cloakgate_vocab::{Category, Span};

use crate::find::Finder;
use crate::text::candidate::{Candidate, resolve};
use crate::text::field::Field;
use crate::text::operators::What;
use crate::texts::walk;

/// Shorter words are parts of too much else.
const LEAST_CHARS: usize = 3;

/// Adds parts of names to the candidates of each innermost text.
pub(super) fn seek(text: &str, finder: &Finder, lists: &mut [Vec<Candidate>]) {
    let parts = parts(text, finder, lists);
    if parts.is_empty() {
        return;
    }
    let mut lists = lists.iter_mut();
    walk(text, finder.outer(None), &mut |inner| {
        let Some(list) = lists.next() else { return };
        if inner.kind != FieldKind::Text {
            return;
        }
        let mut more = Vec::new();
        let mut next = 0;
        for span in capitals(inner.text) {
            while list.get(next).is_some_and(|one| one.span.end() <= span.start()) {
                next += 1;
            }
            let free = !list.get(next).is_some_and(|one| one.span.overlaps(span));
            let word = span.of(inner.text).unwrap_or_default();
            if free && parts.contains(&word.to_lowercase()) {
                more.push(Candidate::sought(span, What::Found(Category::Person), Field::Name));
            }
        }
        if !more.is_empty() {
            list.append(&mut more);
            *list = resolve(std::mem::take(list));
        }
    });
}

/// The words of the names of two words or more, small.
fn parts(text: &str, finder: &Finder, lists: &[Vec<Candidate>]) -> HashSet<String> {
    let mut parts = HashSet::new();
    let mut lists = lists.iter();
    walk(text, finder.outer(None), &mut |inner| {
        for name in lists.next().into_iter().flatten().filter(|one| one.field == Field::Name) {
            let name = name.span.of(inner.text).unwrap_or_default();
            if !name.contains(' ') {
                continue;
            }
            let words = capitals(name).filter_map(|span| span.of(name));
            parts.extend(words.filter(|word| is_telling(word)).map(str::to_lowercase));
        }
    });
    parts
}

/// No initial, no title, no word of everyday language.
fn is_telling(word: &str) -> bool {
    word.chars().take(LEAST_CHARS).count() == LEAST_CHARS
        && !is_everyday_word(word)
        && !is_title(word)
        && !is_firm_word(word)
}

/// Words with a capital that stand by themselves: no part of an address, a path or a name of code.
fn capitals(text: &str) -> impl Iterator<Item = Span> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text.get(from..)?.find(char::is_alphanumeric)?;
            let word = text.get(start..)?;
            let inside = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '@');
            let len = word.find(|c| !inside(c)).unwrap_or(word.len());
            from = start + len;
            let before = text.get(..start).and_then(|head| head.chars().next_back());
            let joined = before.is_some_and(|c| matches!(c, '/' | '\\' | '.' | '@' | '_' | '#' | '$'))
                || text.get(from..).is_some_and(|rest| rest.starts_with(['/', '\\', '(', '=']));
            let value = word.get(..len)?.trim_end_matches('-');
            if value.starts_with(char::is_uppercase) && !joined && !value.contains(['_', '@']) {
                return Some(Span::sized(start, value.len()));
            }
        }
    })
}
