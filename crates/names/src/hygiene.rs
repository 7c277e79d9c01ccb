//! How far a name goes.
//!
//! In: names of one text, in order and apart. Out: the same, where a family name and the given name after its comma are
//! one name, and so are the halves around a nickname in quotes. Invariant: a name does not go over a line, a number, an
//! address or a tag. Titles, possessives and marks at the ends were never part of one (`decide`).

use cloakgate_vocab::Span;

use crate::lists::Lists;

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
        match joined.last_mut().filter(|last| is_one(text, last.span, name.span, lists)) {
            Some(last) => *last = Name { span: last.span.union(name.span), seen: last.seen || name.seen },
            None => joined.push(name),
        }
    }
    joined
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
