//! The classes of characters in the tokenizer's rules.
//!
//! In: the patterns for prefixes, suffixes, infixes and URLs. Out: ranges of characters with the classes that they are
//! in, and units of measurement. The rules themselves are code in `names`; here each alternative of each pattern is
//! compared with what that code does, so that a package with other rules is refused.

use std::collections::BTreeSet;

use anyhow::Context;
use regex_syntax::hir::{Class, HirKind};
use rmpv::Value;

use super::model::{member, text_of};

/// Classes of characters; the order of the bits is known to `names`.
#[derive(Clone, Copy)]
enum In {
    /// A letter of any script that the rules know.
    Alpha,
    /// A lower-case letter, or one without case, or a quote.
    LowerOrQuote,
    /// An upper-case letter, or one without case, or a quote.
    UpperOrQuote,
    /// A lower-case letter, or one without case.
    Lower,
    /// An upper-case letter, or one without case.
    Upper,
    /// A symbol such as a dingbat.
    Icon,
    /// A character that is a prefix wherever it stands first.
    Prefix,
    /// A character that is a suffix wherever it stands last.
    Suffix,
    /// What a full stop is a suffix after.
    BeforeStop,
    /// A sign of a currency, a suffix after a digit.
    Currency,
    /// Of Unicode's category L.
    Letter,
    /// A digit in the sense of `str.isdigit`.
    Digit,
    /// A decimal digit.
    Decimal,
    /// A letter, a digit or other number, or `_`.
    Word,
}

/// Digits that are no decimal ones: superscripts, circled digits and the like.
const OTHER_DIGITS: &str = r"[\u00B2\u00B3\u00B9\u1369-\u1371\u19DA\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247C\u2488-\u2490\u24EA\u24F5-\u24FD\u24FF\u2776-\u277E\u2780-\u2788\u278A-\u2792\U00010A40-\U00010A43\U00010E60-\U00010E68\U00011052-\U0001105A\U0001F100-\U0001F10A]";

/// Longer alternatives, which `names` has as code.
const PREFIXES: [&str; 6] = [r"\+(?![0-9])", r"\.\.+", r"US\$", r"C\$", r"A\$", "……"];
const SUFFIXES: [&str; 8] = ["……", r"\.\.+", "'s", "'S", "’s", "’S", r"(?<=[0-9])\+", r"(?<=°[FfCcKk])\."];
const HYPHENS: &str = "-|–|—|--|---|——|~";

/// What of the rules is data.
pub(super) struct Rules {
    pub(super) units: Vec<String>,
    sets: Vec<(In, Set)>,
}

/// Ranges of characters.
type Set = Vec<(u32, u32)>;

impl Rules {
    pub(super) fn read(tokenizer: &Value) -> anyhow::Result<Self> {
        let pattern = |name: &str| text_of(member(tokenizer, name)?);
        let mut rules = Self { units: Vec::new(), sets: Vec::new() };
        rules.prefixes(&pattern("prefix_search")?)?;
        rules.suffixes(&pattern("suffix_search")?)?;
        rules.infixes(&pattern("infix_finditer")?)?;
        rules.url(&pattern("url_match")?)?;
        anyhow::ensure!(member(tokenizer, "token_match")?.is_nil(), "the tokenizer has another rule");
        rules.add(In::Letter, set(r"\p{L}")?);
        rules.add(In::Digit, set(r"\p{Nd}")?);
        rules.add(In::Digit, set(OTHER_DIGITS)?);
        rules.add(In::Decimal, set(r"\p{Nd}")?);
        rules.add(In::Word, set(r"[\p{L}\p{N}_]")?);
        Ok(rules)
    }

    fn add(&mut self, class: In, set: Set) {
        self.sets.push((class, set));
    }

    fn one(&mut self, class: In, character: char) {
        self.add(class, vec![(character.into(), character.into())]);
    }

    fn prefixes(&mut self, pattern: &str) -> anyhow::Result<()> {
        for alternative in alternatives(pattern) {
            let rule = alternative.strip_prefix('^').context("a prefix has no anchor")?;
            if let Some(character) = single(rule) {
                self.one(In::Prefix, character);
            } else if rule.starts_with('[') {
                self.add(In::Prefix, set(rule)?);
            } else {
                anyhow::ensure!(PREFIXES.contains(&rule), "a prefix is new");
            }
        }
        Ok(())
    }

    fn suffixes(&mut self, pattern: &str) -> anyhow::Result<()> {
        for alternative in alternatives(pattern) {
            let rule = alternative.strip_suffix('$').context("a suffix has no anchor")?;
            let listed = |rule: &str| -> Option<Vec<String>> {
                let list = rule.strip_prefix("(?<=[0-9])(?:")?.strip_suffix(')')?;
                Some(alternatives(list).iter().map(|word| word.replace('\\', "")).collect())
            };
            if let Some(character) = single(rule) {
                self.one(In::Suffix, character);
            } else if rule.starts_with('[') {
                self.add(In::Suffix, set(rule)?);
            } else if let Some(words) = listed(rule).filter(|words| words.iter().any(|word| word == "US$")) {
                for word in words {
                    if let Some(character) = single(&word) {
                        self.one(In::Currency, character);
                    } else {
                        anyhow::ensure!(["US$", "C$", "A$"].contains(&word.as_str()), "a currency is new");
                    }
                }
            } else if let Some(units) = listed(rule) {
                self.units = units;
            } else if !SUFFIXES.contains(&rule) {
                let stop = rule.strip_prefix("(?<=").and_then(|rule| rule.strip_suffix(r")\."));
                let before = stop.context("a suffix is new")?;
                match classes_of(before).as_slice() {
                    [class] => self.add(In::BeforeStop, set(class)?),
                    [class, again] if class == again => self.add(In::Upper, set(class)?),
                    _ => anyhow::bail!("a suffix is new"),
                }
            }
        }
        Ok(())
    }

    fn infixes(&mut self, pattern: &str) -> anyhow::Result<()> {
        let all = alternatives(pattern);
        let [dots, ellipsis, icons, signs, stop, comma, hyphen, mark] = all.as_slice() else {
            anyhow::bail!("there are other infixes");
        };
        anyhow::ensure!((*dots, *ellipsis) == (r"\.\.+", "…"), "an infix is new");
        anyhow::ensure!(*signs == r"(?<=[0-9])[+\-\*^](?=[0-9-])", "an infix is new");
        self.add(In::Icon, set(icons)?);
        let sides = |rule: &str, middle: &str| -> anyhow::Result<(Set, Set)> {
            let (before, after) = rule
                .strip_prefix("(?<=")
                .and_then(|rule| rule.strip_suffix(')'))
                .and_then(|rule| rule.split_once(&format!("){middle}(?=")))
                .context("an infix is new")?;
            Ok((set(before)?, set(after)?))
        };
        let (before, after) = sides(stop, r"\.")?;
        self.add(In::LowerOrQuote, before);
        self.add(In::UpperOrQuote, after);
        let (alpha, after) = sides(comma, ",")?;
        anyhow::ensure!(alpha == after, "an infix is new");
        let (mut with_digits, digits) = (alpha.clone(), (u32::from('0'), u32::from('9')));
        with_digits.push(digits);
        with_digits.sort_unstable();
        for (rule, middle) in [(hyphen, format!("(?:{HYPHENS})")), (mark, "[:<>=/]".to_owned())] {
            anyhow::ensure!(sides(rule, &middle)? == (with_digits.clone(), alpha.clone()), "an infix is new");
        }
        self.add(In::Alpha, alpha);
        Ok(())
    }

    /// The rule for URLs, of which only the letters of the last part of a host are data.
    fn url(&mut self, pattern: &str) -> anyhow::Result<()> {
        let (before, rest) =
            pattern.split_once(r"[A-Za-z0-9\u00a1-\uffff]\.)+(?:").context("the URL rule is new")?;
        let (class, after) = rest.split_once("{2,63}").context("the URL rule is new")?;
        let known = before
            == r"(?u)^(?:(?:[\w\+\-\.]{2,})://)?(?:\S+(?::\S*)?@)?(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[A-Za-z0-9\u00a1-\uffff][A-Za-z0-9\u00a1-\uffff_-]{0,62})?"
            && after == r"))(?::\d{2,5})?(?:[/?#]\S*)?$";
        anyhow::ensure!(known, "the URL rule is new");
        self.add(In::Lower, set(class)?);
        Ok(())
    }

    /// Ranges of characters that are in the same classes: first, last, and a bit for each class.
    pub(super) fn classes(&self) -> Vec<u8> {
        let all = self.sets.iter().flat_map(|(_, set)| set);
        let borders: BTreeSet<u32> = all.flat_map(|(first, last)| [*first, last + 1]).collect();
        let mut ranges: Vec<(u32, u32, u16)> = Vec::new();
        for (first, next) in borders.iter().zip(borders.iter().skip(1)) {
            let bits = self
                .sets
                .iter()
                .filter(|(_, set)| set.iter().any(|(low, high)| low <= first && first <= high))
                .fold(0, |bits, (class, _)| bits | 1 << *class as u16);
            match ranges.last_mut() {
                Some((_, last, same)) if *same == bits && *last + 1 == *first => *last = next - 1,
                _ if bits != 0 => ranges.push((*first, next - 1, bits)),
                _ => (),
            }
        }
        let bytes = |(first, last, bits): (u32, u32, u16)| {
            [&first.to_le_bytes()[..], &last.to_le_bytes(), &bits.to_le_bytes()].concat()
        };
        ranges.into_iter().flat_map(bytes).collect()
    }
}

/// Parts of a pattern between bars that stand in no bracket.
fn alternatives(pattern: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut in_class, mut escaped) = (0, 0_i32, false, false);
    for (at, character) in pattern.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => in_class = false,
            _ if in_class => (),
            '[' => in_class = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth == 0 => {
                parts.extend(pattern.get(start..at));
                start = at + 1;
            }
            _ => (),
        }
    }
    parts.extend(pattern.get(start..));
    parts
}

/// Classes that follow each other.
fn classes_of(pattern: &str) -> Vec<&str> {
    let (mut parts, mut start, mut escaped) = (Vec::new(), 0, false);
    for (at, character) in pattern.char_indices() {
        if character == ']' && !escaped {
            parts.extend(pattern.get(start..=at));
            start = at + 1;
        }
        escaped = character == '\\' && !escaped;
    }
    parts
}

/// The character that a pattern stands for, if it is one.
fn single(pattern: &str) -> Option<char> {
    let plain = pattern.strip_prefix('\\').unwrap_or(pattern);
    let mut characters = plain.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// The characters of a class.
fn set(pattern: &str) -> anyhow::Result<Set> {
    let parsed = regex_syntax::Parser::new().parse(pattern).context("a class cannot be read")?;
    let HirKind::Class(Class::Unicode(class)) = parsed.kind() else {
        anyhow::bail!("a class is something else")
    };
    Ok(class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect())
}
