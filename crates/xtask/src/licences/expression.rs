//! Licence expressions of the SPDX specification, annex D, with the old `MIT/Apache-2.0` read as a choice.
//!
//! In: an expression and the allowed licences. Out: whether some choice of it is allowed.
//! Invariant: `AND` binds tighter than `OR`; an exception (`WITH`) only grants more, so it is read over.

/// Whether `expression` can be met with allowed licences only. `None` when it cannot be read.
pub(super) fn is_satisfied(expression: &str, allowed: &[String]) -> Option<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (satisfied, rest) = any_of(&words, allowed)?;
    rest.is_empty().then_some(satisfied)
}

type Read<'a> = Option<(bool, &'a [&'a str])>;

fn any_of<'a>(words: &'a [&'a str], allowed: &[String]) -> Read<'a> {
    let (mut satisfied, mut rest) = all_of(words, allowed)?;
    while let Some((&"OR", after)) = rest.split_first() {
        let (next, after) = all_of(after, allowed)?;
        satisfied |= next;
        rest = after;
    }
    Some((satisfied, rest))
}

fn all_of<'a>(words: &'a [&'a str], allowed: &[String]) -> Read<'a> {
    let (mut satisfied, mut rest) = one(words, allowed)?;
    while let Some((&"AND", after)) = rest.split_first() {
        let (next, after) = one(after, allowed)?;
        satisfied &= next;
        rest = after;
    }
    Some((satisfied, rest))
}

fn one<'a>(words: &'a [&'a str], allowed: &[String]) -> Read<'a> {
    match words.split_first()? {
        (&"(", inner) => {
            let (satisfied, rest) = any_of(inner, allowed)?;
            match rest.split_first()? {
                (&")", after) => Some((satisfied, after)),
                _ => None,
            }
        }
        (&("AND" | "OR" | "WITH" | ")"), _) => None,
        (licence, rest) => {
            let rest = match rest {
                ["WITH", _, after @ ..] => after,
                _ => rest,
            };
            Some((allowed.iter().any(|allowed| allowed == licence), rest))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_satisfied;

    #[test]
    fn some_choice_must_be_allowed() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"].map(str::to_owned);
        let cases = [
            ("MIT", Some(true)),
            ("GPL-3.0-only", Some(false)),
            ("GPL-3.0-only OR MIT", Some(true)),
            ("MIT/Apache-2.0", Some(true)),
            ("MIT AND GPL-3.0-only", Some(false)),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", Some(true)),
            ("MIT OR GPL-3.0-only AND BSD-3-Clause", Some(true)),
            ("(MIT OR GPL-3.0-only) AND BSD-3-Clause", Some(false)),
            ("Apache-2.0 WITH LLVM-exception OR GPL-3.0-only", Some(true)),
            ("", None),
            ("MIT OR", None),
            ("(MIT", None),
            ("MIT Apache-2.0", None),
        ];
        for (expression, expected) in cases {
            assert_eq!(is_satisfied(expression, &allowed), expected, "{expression}");
        }
    }
}
