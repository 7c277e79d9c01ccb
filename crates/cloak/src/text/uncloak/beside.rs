//! What stands right beside a word, and whether it leaves the word its meaning.
//!
//! In: a fact among items. Out: yes or no. Not here: whose the fact is.

use super::items::{Item, What};
use super::owners::Reading;
use super::speech::Does;
use super::units::Unit;

impl Reading<'_> {
    /// True when what follows leaves a word its meaning: an end, a small word, the name that it describes, or a word
    /// that followed it before. `end` is one past the last item of the sentence.
    pub(crate) fn is_followed_well(&self, at: usize, end: usize, followers: &[u32]) -> bool {
        let Some(item) = self.items.get(at) else { return false };
        let Some(next) = self.items.get(at + 1).filter(|_| at + 1 < end) else { return true };
        match next.what {
            What::Mark('-' | '\'' | '/' | '_') => !self.touch(item, next) || !self.touches_word_after(next),
            What::Break(_) | What::Fact(_) | What::Name(_) | What::Mark(_) => true,
            What::Word => {
                let does = self.does(next);
                let after = self.items.get(at + 2).map(|after| after.what);
                let names_next = matches!(after, Some(What::Name(_)));
                let is_key = matches!(after, Some(What::Mark(':' | '=')));
                does.has(Does::FOLLOWS)
                    || does.has(Does::RESPECTIVELY)
                    || is_key
                    || (does.has(Does::PRONOUN) && names_next)
                    || followers.contains(&(next.hash as u32))
                    || self.is_verb_after_opening(at, next)
            }
        }
    }

    /// False after a word that speaks of people in general, or joined to a word before. `start` is the first item of
    /// the sentence.
    pub(crate) fn is_introduced_well(&self, at: usize, start: usize) -> bool {
        let before =
            at.checked_sub(1).filter(|before| *before >= start).and_then(|before| self.items.get(before));
        let (Some(before), Some(item)) = (before, self.items.get(at)) else { return true };
        match before.what {
            What::Word => !self.does(before).has(Does::BEFORE),
            What::Mark('-' | '/' | '_') if self.touch(before, item) => !self.touches_word_before(before),
            _ => true,
        }
    }

    /// True when an indefinite article stands right before an item.
    pub(crate) fn has_article(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.items.get(before));
        before.is_some_and(|before| self.does(before).has(Does::ARTICLE))
    }

    /// `Wegen Infektion meldete sich ...`: where a verb is second and compounds are one word, the small word after what
    /// opens the sentence is the verb.
    fn is_verb_after_opening(&self, at: usize, next: &Item) -> bool {
        let opens = at.checked_sub(1).and_then(|before| self.items.get(before));
        let opens = opens.is_some_and(|before| self.does(before).has(Does::OPENS));
        let begins = at
            .checked_sub(2)
            .and_then(|before| self.items.get(before))
            .is_none_or(|before| !before.is_word());
        let small =
            self.units.get(next.first).is_some_and(|unit| unit.of(self.text).starts_with(char::is_lowercase));
        opens && begins && small
    }

    fn first(&self, item: &Item) -> Option<&Unit> {
        self.units.get(item.first)
    }

    fn last(&self, item: &Item) -> Option<&Unit> {
        self.units.get(item.after.checked_sub(1)?)
    }

    /// True when nothing stands between two items.
    fn touch(&self, item: &Item, next: &Item) -> bool {
        self.last(item).zip(self.first(next)).is_some_and(|(last, first)| last.end == first.start)
    }

    fn touches_word_after(&self, mark: &Item) -> bool {
        let next = self.units.get(mark.after);
        next.is_some_and(|unit| unit.is_word() && self.last(mark).is_some_and(|mark| mark.end == unit.start))
    }

    fn touches_word_before(&self, mark: &Item) -> bool {
        let before = mark.first.checked_sub(1).and_then(|before| self.units.get(before));
        before
            .is_some_and(|unit| unit.is_word() && self.first(mark).is_some_and(|mark| unit.end == mark.start))
    }
}
