//! What a detector looks for.
//!
//! In: choices of categories. Out: a set that every stage asks. Invariant: the default set is the core
//! categories, those that must not reach a model.

use cloakgate_vocab::{Category, Defaults};

/// A set of categories.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct CategorySet(u64);

const fn bit(category: Category) -> u64 {
    1 << (category as u64 & 63)
}

impl CategorySet {
    /// No category at all.
    #[must_use]
    pub const fn none() -> Self {
        Self(0)
    }

    /// The categories that are on when no setting speaks of them.
    #[must_use]
    pub fn core() -> Self {
        Category::all()
            .filter(|category| category.defaults() == Defaults::Core)
            .fold(Self::none(), Self::with)
    }

    /// Every category that is a kind of data.
    #[must_use]
    pub fn all() -> Self {
        Category::all()
            .filter(|category| category.defaults() != Defaults::Internal)
            .fold(Self::none(), Self::with)
    }

    /// The set with one category more.
    #[must_use]
    pub const fn with(self, category: Category) -> Self {
        Self(self.0 | bit(category))
    }

    /// The set with one category less.
    #[must_use]
    pub const fn without(self, category: Category) -> Self {
        Self(self.0 & !bit(category))
    }

    /// True when the category is in the set.
    #[must_use]
    pub const fn contains(self, category: Category) -> bool {
        self.0 & bit(category) != 0
    }
}

impl Default for CategorySet {
    fn default() -> Self {
        Self::core()
    }
}

/// Settings of one engine.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Settings {
    /// The categories that are reported.
    pub categories: CategorySet,
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Category;

    use super::CategorySet;

    #[test]
    fn each_category_has_a_bit_of_its_own() {
        assert!(Category::all().count() <= 64);
        let mut set = CategorySet::none();
        for category in Category::all() {
            assert!(!set.contains(category), "{category}");
            set = set.with(category);
        }
        assert!(!set.without(Category::Email).contains(Category::Email));
    }

    #[test]
    fn core_holds_what_must_go_and_not_what_helps_the_model() {
        let core = CategorySet::default();
        for category in [Category::Email, Category::Person, Category::Secret, Category::Opaque] {
            assert!(core.contains(category), "{category}");
        }
        for category in [Category::Location, Category::Org, Category::Literal] {
            assert!(!core.contains(category), "{category}");
        }
        assert!(!CategorySet::all().contains(Category::Literal));
    }
}
