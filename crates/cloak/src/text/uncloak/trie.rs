//! All stand-ins of a session, found in one pass over the units of a text.
//!
//! In: stand-ins as units. Out: at each place the longest that stands there whole. Invariant: a look from one place
//! goes over at most `MAX_UNITS` units, however many stand-ins there are. Not here: what is written instead.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::units::{Class, Unit};

/// Longer stand-ins are not looked for.
pub(crate) const MAX_UNITS: usize = 64;

/// A stand-in or a word that stands for several values, by the order in which they were added.
pub(crate) type Pattern = u32;

/// A place in the tree; the root is 0.
type Node = u32;

/// The stand-ins, branching unit by unit.
#[derive(Default)]
pub(crate) struct Trie {
    branches: HashMap<u64, Node, BuildHasherDefault<Through>>,
    /// For each node, the pattern that ends there.
    ends: Vec<Option<Pattern>>,
    patterns: Pattern,
}

/// A stand-in in a text: its units, and which one it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    pub(crate) first: usize,
    /// One past the last.
    pub(crate) after: usize,
    pub(crate) pattern: Pattern,
}

impl Trie {
    /// Adds a stand-in; `None` where its look is nothing that could be known again.
    pub(crate) fn add(&mut self, units: &[Unit]) -> Option<Pattern> {
        let units = trimmed(units);
        let telling = |unit: &Unit| unit.is_word() || unit.end - unit.start > 3;
        if units.len() > MAX_UNITS || !units.iter().any(telling) {
            return None;
        }
        let mut node = 0;
        for unit in units {
            let fresh = self.ends.len().max(1) as Node; // far below 2^32: the size of a session is limited
            let next = *self.branches.entry(branch(node, unit.hash)).or_insert(fresh);
            if next == fresh {
                self.ends.resize(fresh as usize + 1, None);
            }
            node = next;
        }
        let end = self.ends.get_mut(node as usize)?;
        if end.is_none() {
            *end = Some(self.patterns);
            self.patterns += 1;
        }
        *end
    }

    /// Stand-ins in a text, the longest at each place, apart from each other.
    pub(crate) fn matches(&self, units: &[Unit], text: &str) -> Vec<Match> {
        let mut matches = Vec::new();
        let mut first = 0;
        while first < units.len() {
            if let Some(found) = self.longest(units, first, text) {
                first = found.after;
                matches.push(found);
            } else {
                first += 1;
            }
        }
        matches
    }

    fn longest(&self, units: &[Unit], first: usize, text: &str) -> Option<Match> {
        let mut node = 0;
        let mut found = None;
        for (steps, unit) in units.get(first..)?.iter().take(MAX_UNITS).enumerate() {
            let Some(next) = self.branches.get(&branch(node, unit.hash)) else { break };
            node = *next;
            let after = first + steps + 1;
            if let Some(Some(pattern)) = self.ends.get(node as usize)
                && stands_alone(units, first, after, text)
            {
                found = Some(Match { first, after, pattern: *pattern });
            }
        }
        found
    }
}

/// Without blanks at the ends.
pub(crate) fn trimmed(units: &[Unit]) -> &[Unit] {
    let is_blank = |unit: &&Unit| matches!(unit.class, Class::Blank | Class::Break);
    let before = units.iter().take_while(is_blank).count();
    let after = units.iter().rev().take_while(is_blank).count();
    units.get(before..units.len().saturating_sub(after)).unwrap_or_default()
}

/// False where the units are part of something longer: a number, a name with a number, a word without blanks.
fn stands_alone(units: &[Unit], first: usize, after: usize, text: &str) -> bool {
    let (Some(inside), Some(head), Some(tail)) =
        (units.get(first..after), units.get(first), units.get(after.wrapping_sub(1)))
    else {
        return false;
    };
    let before = |n: usize| first.checked_sub(n).and_then(|at| units.get(at));
    let next = |n: usize| units.get(after + n - 1);
    let touches =
        |a: Option<&Unit>, b: Option<&Unit>| matches!((a, b), (Some(a), Some(b)) if a.end == b.start);
    let is_number = |unit: Option<&Unit>| {
        unit.is_some_and(|unit| {
            unit.class == Class::Word && unit.of(text).starts_with(|c: char| c.is_numeric())
        })
    };
    let joins = |unit: Option<&Unit>, marks: &str| {
        unit.is_some_and(|unit| matches!(unit.class, Class::Mark(mark) if marks.contains(mark)))
    };
    let touches_before = touches(before(1), Some(head));
    let touches_next = touches(Some(tail), next(1));
    let number_before =
        touches_before && joins(before(1), ".,-/:") && is_number(before(2)) && is_number(Some(head));
    let number_next = touches_next
        && joins(next(1), ".,-/:")
        && touches(next(1), next(2))
        && is_number(next(2))
        && is_number(Some(tail));
    let has_line = inside.iter().any(|unit| unit.class == Class::Mark('_'));
    let name_goes_on = has_line
        && tail.class == Class::Word
        && touches_next
        && joins(next(1), "_")
        && touches(next(1), next(2));
    let glyph = |unit: Option<&Unit>| unit.is_some_and(|unit| unit.class == Class::Glyph);
    let short_glyph = inside.len() == 1
        && glyph(Some(head))
        && ((touches_before && glyph(before(1))) || (touches_next && glyph(next(1))));
    let hangul = |unit: Option<&Unit>| {
        unit.is_some_and(|unit| unit.of(text).starts_with(|c: char| ('\u{ac00}'..='\u{d7af}').contains(&c)))
    };
    let hangul_goes_on = touches_before && hangul(before(1)) && hangul(Some(head));
    !(number_before || number_next || name_goes_on || short_glyph || hangul_goes_on)
}

/// Where a unit leads from a node.
const fn branch(node: Node, hash: u64) -> u64 {
    hash ^ (node as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Takes keys that are hashes already as they are.
#[derive(Default)]
pub(crate) struct Through(u64);

impl Hasher for Through {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
