//! How far a name goes.
//!
//! In: names of one text, in order and apart. Out: the same, where a family name and the given name or initials after its
//! comma are one name, and so are the halves around a nickname in quotes, the second of which nobody needs to have seen. Invariant: a name does not go over a line, a number, an
//! address or a tag. Titles, possessives and marks at the ends were never part of one (`decide`).

use cloakgate_vocab::Span;

use crate::lists::Lists;

/// How far behind a name the rest of it is looked for.
const MAX_REST_BYTES: usize = 64;

/// One name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Name {
    /// Where it is.
    pub(crate) span: Span,
    /// Whether a model sees it; else lists and rules do.
    pub(crate) seen: bool,
}

/// Joins what is one name.
pub(crate) fn joined(text: &str, names: Vec<Name>, lists: &Lists) -> Vec<Name> {
    let mut joined: Vec<Name> = Vec::with_capacity(names.len());
    for name in names {
        let name = Name { span: grown(text, name.span, lists), ..name };
        let goes_on =
            |last: &&mut Name| last.span.overlaps(name.span) || is_one(text, last.span, name.span, lists);
        match joined.last_mut().filter(goes_on) {
            Some(last) => *last = Name { span: last.span.union(name.span), seen: last.seen || name.seen },
            None => joined.push(name),
        }
    }
    joined
}

/// The name with what can only be the rest of it.
fn grown(text: &str, name: Span, lists: &Lists) -> Span {
    let rest = text.get(name.end()..).unwrap_or_default();
    let rest = rest.get(..rest.floor_char_boundary(MAX_REST_BYTES)).unwrap_or(rest);
    let inner = name.of(text).unwrap_or_default();
    let more = if inner.contains(' ') {
        after_nickname(rest)
    } else {
        initials(rest).filter(|_| lists.word(inner).given.is_none())
    };
    more.map_or(name, |more| Span::sized(name.start(), name.len() + more))
}

/// Length of ` "Bill" Jenkins` at the start of what follows a name.
fn after_nickname(rest: &str) -> Option<usize> {
    let quote = rest.strip_prefix(" \"").or_else(|| rest.strip_prefix(" “"))?;
    let close = quote.find(['"', '”'])?;
    let nickname = quote.get(..close)?.trim();
    let word = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '’');
    let named = nickname.starts_with(char::is_uppercase) && nickname.chars().all(|c| word(c) || c == ' ');
    let family = quote.get(close..)?.trim_start_matches(['"', '”']).strip_prefix(' ')?;
    let len = family.find(|c| !word(c)).unwrap_or(family.len());
    (named && len > 1 && family.starts_with(char::is_uppercase)).then(|| rest.len() - family.len() + len)
}

/// Length of `, A. B.` at the start of what follows a family name.
fn initials(rest: &str) -> Option<usize> {
    let mut left = rest.strip_prefix(", ")?;
    let mut end = 0;
    while let Some(after) = left.strip_prefix(char::is_uppercase).and_then(|after| after.strip_prefix('.')) {
        end = rest.len() - after.len();
        left = after.strip_prefix(' ').unwrap_or(after);
    }
    (end > 0).then_some(end)
}

fn is_one(text: &str, one: Span, next: Span, lists: &Lists) -> bool {
    let (Some(first), Some(second)) = (one.of(text), next.of(text)) else { return false };
    match text.get(one.end()..next.start()) {
        Some(", ") => {
            let family = lists.word(first);
            let given = lists.word(second.split([' ', '.']).next().unwrap_or_default());
            let before = text.get(..one.start()).unwrap_or_default();
            let listed =
                before.ends_with(", ") || text.get(next.end()..).is_some_and(|rest| rest.starts_with(", "));
            let initials = second.len() <= 4 && second.ends_with('.');
            !first.contains(' ')
                && !listed
                && family.surname
                && family.given.is_none()
                && (given.given.is_some() || initials)
        }
        Some(gap) => {
            let nickname = gap.trim_matches(' ').trim_matches(['"', '“', '”', '(', ')', '\'']);
            gap.len() <= 24
                && gap.starts_with(' ')
                && gap.ends_with(' ')
                && nickname.len() + 4 <= gap.len()
                && nickname.chars().all(|c| c.is_alphabetic() || c == ' ')
                && gap.matches(['"', '“', '”', '(', ')']).count() == 2
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::{Name, joined};
    use crate::lists::Lists;

    #[test]
    fn halves_of_one_name_are_joined() {
        let lists = Lists::load().unwrap();
        for (text, halves, expected) in [
            ("Lindström, Katarzyna called", &["Lindström", "Katarzyna"][..], &["Lindström, Katarzyna"][..]),
            ("Anna, Marie and Paul", &["Anna", "Marie", "Paul"], &["Anna", "Marie", "Paul"]),
            ("William \"Bill\" Jenkins", &["William", "Jenkins"], &["William \"Bill\" Jenkins"]),
            ("William \"Bill\" Jenkins", &["William"], &["William"]),
            (
                "William Mailes \"Bill\" Jenkins said",
                &["William Mailes"],
                &["William Mailes \"Bill\" Jenkins"],
            ),
            ("William Mailes \"is in\" here", &["William Mailes"], &["William Mailes"]),
            ("Lindström, K. A. (1978)", &["Lindström"], &["Lindström, K. A."]),
            ("Lindström, Ltd.", &["Lindström"], &["Lindström"]),
            ("Lindström,\nKatarzyna", &["Lindström", "Katarzyna"], &["Lindström", "Katarzyna"]),
        ] {
            let names = halves
                .iter()
                .map(|half| Name { span: Span::sized(text.find(half).unwrap(), half.len()), seen: false })
                .collect();
            let found: Vec<_> =
                joined(text, names, &lists).iter().map(|name| name.span.of(text).unwrap()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
