//! What a session shows for values, ready to be found in a text.
//!
//! In: a session. Out: for each stand-in in a text what it means: an entry, a mark, or a word that stands for several
//! values; and which people a name may be. Cost is linear in the session. Not here: deciding whose such a word is.

use std::collections::HashMap;

use super::speech::{Does, does};
use super::trie::{Match, Pattern, Trie, trimmed};
use super::units::{Class, Unit, units};
use crate::text::session::{Entry, Kind, TextSession, canonical};

/// What a stand-in means.
#[derive(Default)]
pub(crate) struct Meaning {
    /// The entries that are shown so.
    pub(crate) entries: Vec<u32>,
    /// The stand-in is only the mark of its entry.
    pub(crate) is_mark: bool,
    /// It stands for several values.
    pub(crate) is_label: bool,
    /// One of the session's labels that is shown so.
    label: Option<u32>,
}

/// The stand-ins of a session.
pub(crate) struct Lookup<'s> {
    pub(crate) session: &'s TextSession,
    trie: Trie,
    meanings: Vec<Meaning>,
    /// For each label of the session, its pattern without an article, and whether it has one.
    label_patterns: Vec<(Option<Pattern>, bool)>,
    /// For each entry that is a name, who it may be.
    people: HashMap<u32, Vec<u32>>,
}

/// Most people that one name may be; more are nobody.
const MAX_PEOPLE: usize = 16;

impl<'s> Lookup<'s> {
    /// Reads a session.
    pub(crate) fn new(session: &'s TextSession) -> Self {
        let mut lookup = Self {
            session,
            trie: Trie::default(),
            meanings: Vec::new(),
            label_patterns: Vec::new(),
            people: people(session),
        };
        for (index, entry) in (0..).zip(session.all_entries()) {
            let shown = units(&entry.shown, session.words());
            if entry.unique {
                lookup.mean(&shown, |meaning| meaning.entries.push(index));
                if let Some(mark) = mark(&shown, &entry.shown) {
                    lookup.mean(mark, |meaning| {
                        meaning.entries.push(index);
                        meaning.is_mark = true;
                    });
                }
            } else {
                lookup.mean(without_article(&shown, &entry.shown), |meaning| meaning.is_label = true);
            }
        }
        for (index, label) in (0..).zip(session.labels()) {
            let shown = units(label, session.words());
            let bare = without_article(&shown, label);
            let has_article = bare.len() < trimmed(&shown).len();
            let pattern = lookup.mean(bare, |meaning| {
                meaning.is_label = true;
                meaning.label.get_or_insert(index);
            });
            lookup.label_patterns.push((pattern, has_article));
        }
        lookup
    }

    fn mean(&mut self, shown: &[Unit], change: impl FnOnce(&mut Meaning)) -> Option<Pattern> {
        let pattern = self.trie.add(shown)?;
        let at = pattern as usize;
        if self.meanings.len() <= at {
            self.meanings.resize_with(at + 1, Meaning::default);
        }
        change(self.meanings.get_mut(at)?);
        Some(pattern)
    }

    /// All stand-ins in a text.
    pub(crate) fn matches(&self, units: &[Unit], text: &str) -> Vec<Match> {
        self.trie.matches(units, text)
    }

    /// What a stand-in means.
    pub(crate) fn meaning(&self, pattern: Pattern) -> Option<&Meaning> {
        self.meanings.get(pattern as usize)
    }

    /// The pattern of a label.
    pub(crate) fn label_pattern(&self, label: u32) -> Option<Pattern> {
        self.label_patterns.get(label as usize).and_then(|(pattern, _)| *pattern)
    }

    /// One of the labels that are shown so.
    pub(crate) fn any_label(&self, pattern: Pattern) -> Option<u32> {
        self.meaning(pattern)?.label
    }

    /// True when a label begins with an article.
    pub(crate) fn has_article(&self, label: u32) -> bool {
        self.label_patterns.get(label as usize).is_some_and(|(_, has_article)| *has_article)
    }

    /// Who a stand-in names: entries, none if it names nobody.
    pub(crate) fn named(&self, pattern: Pattern) -> &[u32] {
        let Some([entry]) = self.meaning(pattern).map(|meaning| &*meaning.entries) else { return &[] };
        self.people.get(entry).map(Vec::as_slice).unwrap_or_default()
    }

    /// The entry of a stand-in that stands for one value, in the text as it is written there.
    pub(crate) fn entry(&self, pattern: Pattern, written: &str) -> Option<(u32, &'s Entry)> {
        let meaning = self.meaning(pattern).filter(|meaning| !meaning.is_label)?;
        let entry = |index: u32| Some((index, self.session.entry_at(index)?));
        match &*meaning.entries {
            [one] => entry(*one),
            several => {
                several.iter().filter_map(|one| entry(*one)).find(|(_, entry)| *entry.shown == *written)
            }
        }
    }
}

/// The units of the mark at the end of what is shown: `[A1]` of `adult [A1]`.
fn mark<'u>(shown: &'u [Unit], text: &str) -> Option<&'u [Unit]> {
    let [.., before, open, letters, close] = shown else { return None };
    let is_mark =
        open.class == Class::Mark('[') && close.class == Class::Mark(']') && is_mark_name(letters.of(text));
    (is_mark && before.class == Class::Blank).then(|| shown.get(shown.len() - 3..)).flatten()
}

/// One or two capitals and a number.
fn is_mark_name(name: &str) -> bool {
    let number = name.trim_start_matches(|c: char| c.is_ascii_uppercase());
    (1..=2).contains(&(name.len() - number.len()))
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
}

/// What is shown, without an indefinite article at its start.
pub(crate) fn without_article<'u>(shown: &'u [Unit], text: &str) -> &'u [Unit] {
    let shown = trimmed(shown);
    match shown {
        [article, blank, rest @ ..]
            if blank.class == Class::Blank
                && !rest.is_empty()
                && does(article.of(text)).has(Does::ARTICLE) =>
        {
            rest
        }
        _ => shown,
    }
}

/// Who each name may be: a part of a name is whoever has it, or somebody of its own.
fn people(session: &TextSession) -> HashMap<u32, Vec<u32>> {
    // Originals are looked at to see which part belongs to which name; nothing of them leaves.
    let names =
        || (0u32..).zip(session.all_entries()).filter(|(_, entry)| entry.kind.is_name() && !entry.forgotten);
    let mut having: HashMap<String, Vec<u32>> = HashMap::new();
    for (index, entry) in names().filter(|(_, entry)| entry.kind == Kind::PERSON) {
        for part in parts(&canonical(entry.original.expose())) {
            having.entry(part.to_owned()).or_default().push(index);
        }
    }
    names()
        .map(|(index, entry)| {
            if entry.kind == Kind::PERSON {
                return (index, vec![index]);
            }
            let canonical = canonical(entry.original.expose());
            let mut owners: Option<Vec<u32>> = None;
            for part in parts(&canonical) {
                let having = having.get(part).map(Vec::as_slice).unwrap_or_default();
                owners = Some(match owners {
                    None => having.iter().take(MAX_PEOPLE + 1).copied().collect(),
                    Some(owners) => {
                        owners.into_iter().filter(|owner| having.binary_search(owner).is_ok()).collect()
                    }
                });
            }
            match owners {
                Some(owners) if owners.len() > MAX_PEOPLE => (index, Vec::new()),
                Some(owners) if !owners.is_empty() => (index, owners),
                _ => (index, vec![index]),
            }
        })
        .collect()
}

fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split([' ', ',', '-']).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::is_mark_name;

    #[test]
    fn marks_are_capitals_and_a_number() {
        for (name, is_mark) in
            [("A1", true), ("MC12", true), ("A", false), ("1", false), ("ABC1", false), ("a1", false)]
        {
            assert_eq!(is_mark_name(name), is_mark, "{name}");
        }
    }
}
