//! Decides which value an everyday word stands for, or that nothing says so.
//!
//! In: a text that came back, read as sentences, and the facts of its session. Out: a value for a fact, or none.
//! What speaks for a value: the very sentence is known; one person is named beside it, or was named just before and
//! the sentence says nothing but what records say; the words around it are known. What speaks against it: a word that
//! makes it mean something else, beside it or beside another fact of the same person there; people in general; another
//! value with as much for it. Invariant: one voice against is enough to leave it. Linear. Not here: writing.

use std::collections::HashMap;
use std::ops::Range;

use super::items::{Item, What};
use super::known::{Known, OfPerson, Source, Value, WINDOW, windows};
use super::owners::{Carried, Owned, Reading};
use super::speech::Does;
use super::told::Told;
use super::trie::Pattern;
use crate::text::session::record::Sentence;

/// A fact in the text and the value that it stands for.
pub(crate) struct Decided {
    /// Index of the item.
    pub(crate) item: usize,
    pub(crate) value: Option<Value>,
}

/// Words with a meaning of their own that a window must hold.
const MIN_TELLING: usize = 2;

/// The values of the facts of one sentence.
pub(crate) fn decide(reading: Reading<'_>, told: &Told, known: &Known<'_>) -> Vec<Decided> {
    let deciding = Deciding { reading, told, known };
    let counts = deciding.counts();
    let mut all = Vec::with_capacity(told.owned.len());
    for clause in told.owned.chunk_by(|a, b| a.clause == b.clause) {
        let facts: Vec<Fact<'_>> = clause.iter().filter_map(|owned| deciding.fact(owned, &counts)).collect();
        let clear = deciding.is_clear(&facts);
        let value = |fact: &Fact<'_>| Decided { item: fact.owned.item, value: deciding.value(fact, clear) };
        all.extend(facts.iter().map(value));
    }
    all
}

/// A fact with what is known of it for whoever it may be about.
struct Fact<'a> {
    owned: &'a Owned,
    pattern: Pattern,
    /// For each owner.
    of: Vec<Option<&'a OfPerson>>,
    /// Nothing beside it speaks against it.
    fits: bool,
}

#[derive(Clone, Copy)]
struct Deciding<'a, 's> {
    reading: Reading<'a>,
    told: &'a Told,
    known: &'a Known<'s>,
}

type Counts = HashMap<(Pattern, u32), u32>;

impl<'a, 's> Deciding<'a, 's> {
    fn item(&self, at: usize) -> Option<&'a Item> {
        self.reading.items.get(at)
    }

    fn pattern(&self, at: usize) -> Option<Pattern> {
        match self.item(at)?.what {
            What::Fact(pattern) => Some(pattern),
            _ => None,
        }
    }

    /// How often the sentence has each word for each person.
    fn counts(&self) -> Counts {
        let mut counts = Counts::new();
        for owned in &self.told.owned {
            let Some(pattern) = self.pattern(owned.item) else { continue };
            for owner in &owned.owners {
                *counts.entry((pattern, *owner)).or_default() += 1;
            }
        }
        counts
    }

    fn fact(&self, owned: &'a Owned, counts: &Counts) -> Option<Fact<'a>> {
        let pattern = self.pattern(owned.item)?;
        let of: Vec<_> = owned.owners.iter().map(|owner| self.known.of_person(pattern, *owner)).collect();
        let Range { start, end } = self.told.cut.items;
        let followed = |of: &Option<&OfPerson>| {
            let followers = of.map(|of| &*of.followers).unwrap_or_default();
            self.reading.is_followed_well(owned.item, end, followers)
        };
        let seldom = |(owner, of): (&u32, &Option<&OfPerson>)| {
            let most = of.map_or(1, |of| of.most.max(1));
            counts.get(&(pattern, *owner)).is_none_or(|count| *count <= most)
        };
        let fits = self.reading.is_introduced_well(owned.item, start)
            && of.iter().all(followed)
            && owned.owners.iter().zip(&of).all(seldom);
        Some(Fact { owned, pattern, of, fits })
    }

    /// True when a part of a sentence says nothing of its person but what is known of them, and, where it goes on about
    /// somebody who is named before, says it as records do.
    fn is_clear(&self, facts: &[Fact<'_>]) -> bool {
        let alone = |fact: &&Fact<'_>| fact.owned.owners.len() == 1;
        if !facts.iter().filter(alone).all(|fact| fact.fits && fact.of.iter().all(Option::is_some)) {
            return false;
        }
        let carried = facts.iter().find(|fact| fact.owned.carried != Carried::Not);
        carried.is_none_or(|fact| {
            let [person] = &*fact.owned.owners else { return false };
            self.speaks_as_records(&fact.owned.clause, *person)
                && (fact.owned.carried == Carried::FromClause || self.is_about_somebody(facts))
        })
    }

    fn value(&self, fact: &Fact<'a>, clear: bool) -> Option<Value> {
        if let Some(decided) = self.of_sentence(fact) {
            return decided;
        }
        if self.known.is_common(self.told.hash) {
            return None;
        }
        let of_people = if clear { self.of_people(fact) } else { None };
        of_people.or_else(|| self.of_window(fact))
    }

    /// The sentence is known word for word: what stood there, if that is one value, or the sentences around it are
    /// known with it too. A person who is carried on from another sentence must not have another value. `None` when
    /// that decides nothing.
    fn of_sentence(&self, fact: &Fact<'a>) -> Option<Option<Value>> {
        let alike = self.known.alike(self.told.hash);
        let word = u32::try_from(self.told.word(fact.owned.item)?).ok()?;
        let source = |sentence: &&'s Sentence| {
            let at = sentence.facts.binary_search_by_key(&word, |fact| fact.word).ok()?;
            Some(Source { sentence, fact: sentence.facts.get(at)? })
        };
        let all: Option<Vec<Source<'_>>> = alike.iter().map(source).collect();
        let all = all?;
        let among = |is_meant: &dyn Fn(&Sentence) -> bool| {
            let meant: Vec<Source<'_>> =
                all.iter().filter(|source| is_meant(source.sentence)).copied().collect();
            same(&meant)
        };
        let Some(one) = same(&all) else {
            return among(&|sentence| sentence.before == self.told.before).or_else(|| {
                // Nobody is named before it here: what goes on as it did there is the same.
                let dangles = fact.owned.owners.is_empty();
                let after = || among(&|sentence| sentence.after == self.told.after);
                let previous = || among(&|sentence| sentence.previous == self.told.previous);
                let knows_previous = dangles && self.known.alike(self.told.previous).len() == 1;
                let after = if dangles && self.told.after != 0 { after() } else { None };
                after.or_else(|| if knows_previous { previous() } else { None })
            });
        };
        let known = fact.of.first().copied().flatten().filter(|_| fact.owned.carried != Carried::Not);
        let differs = known
            .is_some_and(|of| !of.values.iter().any(|known| Some(known.value) == one.map(|one| one.value)));
        Some(one.filter(|_| !differs))
    }

    /// Everybody whom the fact may be about has the same value there.
    fn of_people(&self, fact: &Fact<'a>) -> Option<Value> {
        let has_article = self.reading.has_article(fact.owned.item);
        let mut agreed: Option<Value> = None;
        for of in fact.of.iter().filter(|_| fact.fits) {
            let value = self.chosen((*of)?, has_article)?;
            match agreed {
                Some(agreed) if agreed.value != value.value => return None,
                _ => agreed = Some(value),
            }
        }
        agreed
    }

    /// The words around it are known, with one value for all of them.
    fn of_window(&self, fact: &Fact<'a>) -> Option<Value> {
        let at = self.told.word(fact.owned.item)?;
        let mut found: Option<Value> = None;
        for window in windows(&self.told.words, at, fact.pattern) {
            let Some(source) = self.known.in_window(window.hash) else { continue };
            let beside = (window.first..window.after).filter(|word| *word != at);
            let telling = beside.filter(|word| self.is_telling(*word)).count();
            if telling < MIN_TELLING || !may_be_of(fact.owned, &source) {
                continue;
            }
            let value = source.value()?;
            if found.is_some_and(|found| found.value != value.value) {
                return None;
            }
            found = Some(value);
        }
        found
    }

    /// A word with a meaning of its own.
    fn is_telling(&self, word: usize) -> bool {
        let Some(item) = self.told.items.get(word).and_then(|at| self.item(*at)) else { return false };
        let does = self.reading.does(item);
        !does.has(Does::FOLLOWS) && !does.has(Does::JOINS) && !does.has(Does::APPOSED)
    }

    /// One of the values of a word for a person: the only one, or of spellings of one number the only one that was
    /// shown with an article where one stands here.
    fn chosen(&self, of: &OfPerson, has_article: bool) -> Option<Value> {
        let lookup = self.reading.lookup;
        let first = of.values.first()?;
        let mut fitting = of.values.iter().filter(|value| lookup.has_article(value.label) == has_article);
        if of.values.iter().all(|value| value.value == first.value) {
            return Some(*fitting.next().unwrap_or(first));
        }
        let one = fitting.next()?;
        (fitting.all(|other| other.value == one.value) && self.is_one_number(of)).then_some(*one)
    }

    /// True when all values are spellings of one number: `34`, `34 years old`, `a 34-year-old`.
    fn is_one_number(&self, of: &OfPerson) -> bool {
        // Looked at to compare.
        let number = |value: &Value| -> Option<String> {
            let (text, _) = self.reading.lookup.session.value_at(value.value)?;
            let digits: String = text.expose().chars().filter(char::is_ascii_digit).collect();
            (!digits.is_empty()).then_some(digits)
        };
        let first = of.values.first().and_then(number);
        first.is_some() && of.values.iter().all(|value| number(value) == first)
    }

    /// True when the words of a part of the sentence are what records say, or were said of the person.
    fn speaks_as_records(&self, clause: &Range<usize>, person: u32) -> bool {
        const SMALL: [Does; 6] =
            [Does::RECORD, Does::FOLLOWS, Does::PRONOUN, Does::ARTICLE, Does::JOINS, Does::APPOSED];
        let first = self.told.items.partition_point(|at| *at < clause.start);
        let words = self.told.items.iter().zip(&self.told.words).skip(first);
        let mut words = words.take_while(|(at, _)| **at < clause.end);
        words.all(|(at, word)| {
            let Some(item) = self.item(*at).filter(|item| item.what == What::Word) else { return true };
            let does = self.reading.does(item);
            !does.has(Does::GENERAL)
                && (SMALL.iter().any(|one| does.has(*one)) || self.known.is_said_of(person, *word))
        })
    }

    /// True for two facts, a fact under a label, a pronoun (or `the patient`, `lives`) at the start, or nothing but a fact
    /// after a heading or another fact.
    fn is_about_somebody(&self, facts: &[Fact<'_>]) -> bool {
        let before = |fact: &Fact<'_>| fact.owned.item.checked_sub(1).and_then(|before| self.item(before));
        let is_labelled = |fact: &Fact<'_>| {
            before(fact).is_some_and(|before| matches!(before.what, What::Mark(':' | '=' | '|' | '"')))
        };
        let is_bare = self.told.goes_on && self.told.items.len() == self.told.owned.len();
        self.told.owned.len() > 1
            || is_bare
            || facts.iter().any(is_labelled)
            || self.told.begins_with_pronoun(self.reading)
    }
}

/// A fact that was about others is not this one; a person who is named beside it must have been meant.
fn may_be_of(owned: &Owned, source: &Source<'_>) -> bool {
    let theirs = &source.fact.owners;
    match &*owned.owners {
        [] => true,
        [owner] if owned.carried == Carried::Not => theirs.contains(owner),
        owners => theirs.is_empty() || theirs.iter().any(|owner| owners.contains(owner)),
    }
}

/// The value of all sources, if it is one: `Some(None)` when all were the text's own words.
fn same(sources: &[Source<'_>]) -> Option<Option<Value>> {
    let first = sources.first()?;
    sources.iter().all(|source| source.fact.value == first.fact.value).then(|| first.value())
}

const _: () = assert!(WINDOW > MIN_TELLING);
