//! What is done with each kind of value: the checked form of a settings record.
//!
//! In: codes, ranges and terms, each checked where it is made. Out: a profile that operators ask. Invariant: an
//! option that needs ranges holds them; ranges are sorted and do not overlap; terms compile. Not here: JSON (`service`).

mod knowledge;
mod options;
mod ranges;

use cloakgate_detect::CategorySet;
use cloakgate_vocab::Category;

use super::field::Field;

pub use knowledge::{KnowledgeBase, KnowledgeError, Term, TermOption, TermText};
pub use options::{
    AgeOption, DateOption, ExtendedOption, FinancialLabel, FinancialOption, GenderOption, GenderPronouns,
    GenderStyle, LocationOption, Marks, MedicalDetail, MedicalOption, NameCulture, NameGender, NameOption,
    OptionError, PlaceholderStyle, PromptLanguage, RangesUnit, RegionKind, Reveal, WeightOption, WeightUnit,
};
pub use ranges::{Bucket, Quantity, Ranges, RangesError};

/// What is done with each kind of value. By default each is replaced by a placeholder, and units stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Names of people.
    pub name: NameOption,
    /// Ages, and dates of birth unless ages are kept.
    pub age: AgeOption,
    /// Words that say a gender.
    pub gender: GenderOption,
    /// Addresses and places.
    pub location: LocationOption,
    /// Conditions, drugs, tests.
    pub medical_condition: MedicalOption,
    /// Cards, accounts, amounts.
    pub financial: FinancialOption,
    /// Weights of bodies.
    pub weight: WeightOption,
    /// In which unit weights are shown.
    pub weight_unit: WeightUnit,
    /// The fields beyond those eight.
    pub extended: Extended,
    /// From which cultures names are taken.
    pub name_culture: NameCulture,
    /// Whether names keep the gender of the name that they stand for.
    pub name_gender: NameGender,
    /// What stands for a gender word.
    pub gender_style: GenderStyle,
    /// Whether pronouns are put in neutral ones.
    pub gender_pronouns: GenderPronouns,
    /// What a region is.
    pub region_kind: RegionKind,
    /// Whether placeholders say what kind of account or amount they stand for.
    pub financial_label: FinancialLabel,
    /// How much a medical group says.
    pub medical_detail: MedicalDetail,
    /// How placeholders are written.
    pub placeholder_style: PlaceholderStyle,
    /// In which language the words of generalisations are.
    pub prompt_language: PromptLanguage,
    /// In which unit the ranges of weights are.
    pub weight_ranges_unit: RangesUnit,
    /// Whether words that stand for several values carry a mark that tells them apart.
    pub marks: Marks,
    /// The operator's own terms.
    pub knowledge_base: KnowledgeBase,
}

/// Options of the fields beyond the eight of the reference.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Extended {
    /// E-mail addresses.
    pub email: ExtendedOption,
    /// Telephone numbers.
    pub phone: ExtendedOption,
    /// Numbers that a state gives.
    pub government_id: ExtendedOption,
    /// Addresses of machines.
    pub network_id: ExtendedOption,
    /// Web addresses.
    pub url: ExtendedOption,
    /// Dates.
    pub date: DateOption,
    /// Organisations.
    pub organization: ExtendedOption,
    /// Passwords, keys and tokens.
    pub credential: ExtendedOption,
    /// Other numbers of people, names of accounts.
    pub custom: ExtendedOption,
}

impl Profile {
    /// The categories that an engine must look for so that nothing the profile hides is overlooked.
    #[must_use]
    pub fn categories(&self) -> CategorySet {
        Category::all().filter(|category| self.wants(*category)).fold(CategorySet::none(), CategorySet::with)
    }

    /// Whether values of a category are changed.
    fn wants(&self, category: Category) -> bool {
        let wanted = |field| match field {
            Field::Weight => self.weight != WeightOption::Keep || self.weight_unit != WeightUnit::Keep,
            other => !self.keeps(other),
        };
        match category {
            Category::DateOfBirth => wanted(Field::Age) || wanted(Field::Date),
            // An age may be told by the name that it stands beside.
            Category::Person => wanted(Field::Name) || wanted(Field::Age),
            // A code of a card or an account is found as the secret that it is.
            Category::Password => wanted(Field::Credential) || wanted(Field::Financial),
            Category::Custom => true,
            other => Field::of(other).is_some_and(wanted),
        }
    }

    /// Whether values of a field stay as they are. Units aside: a weight that is kept may still be converted.
    #[must_use]
    pub fn keeps(&self, field: Field) -> bool {
        let extended = &self.extended;
        match field {
            Field::Name => self.name == NameOption::Keep,
            Field::Age => self.age == AgeOption::Keep,
            Field::Gender => self.gender == GenderOption::Keep,
            Field::Location => self.location == LocationOption::Keep,
            Field::Medical => self.medical_condition == MedicalOption::Keep,
            Field::Financial => self.financial == FinancialOption::Keep,
            Field::Weight => self.weight == WeightOption::Keep,
            Field::Date => extended.date == DateOption::Keep,
            other => self.extended_option(other) == Some(ExtendedOption::Keep),
        }
    }

    /// Whether a message that holds a value of a field is refused.
    #[must_use]
    pub fn blocks(&self, field: Field) -> bool {
        match field {
            Field::Name => self.name == NameOption::Block,
            Field::Age => self.age == AgeOption::Block,
            Field::Gender => self.gender == GenderOption::Block,
            Field::Location => self.location == LocationOption::Block,
            Field::Medical => self.medical_condition == MedicalOption::Block,
            Field::Financial => self.financial == FinancialOption::Block,
            Field::Weight => self.weight == WeightOption::Block,
            Field::Date => self.extended.date == DateOption::Block,
            other => self.extended_option(other) == Some(ExtendedOption::Block),
        }
    }

    /// The option of one of the fields whose options are alike.
    #[must_use]
    pub fn extended_option(&self, field: Field) -> Option<ExtendedOption> {
        let extended = &self.extended;
        Some(match field {
            Field::Email => extended.email,
            Field::Phone => extended.phone,
            Field::GovernmentId => extended.government_id,
            Field::NetworkId => extended.network_id,
            Field::Url => extended.url,
            Field::Organization => extended.organization,
            Field::Credential => extended.credential,
            Field::Custom => extended.custom,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_detect::CategorySet;
    use cloakgate_vocab::Category;

    use super::{
        AgeOption, DateOption, Extended, ExtendedOption, Field, FinancialOption, GenderOption,
        LocationOption, MedicalOption, NameOption, Profile, WeightOption, WeightUnit,
    };

    fn keep_all() -> Profile {
        let keep = ExtendedOption::Keep;
        Profile {
            name: NameOption::Keep,
            age: AgeOption::Keep,
            gender: GenderOption::Keep,
            location: LocationOption::Keep,
            medical_condition: MedicalOption::Keep,
            financial: FinancialOption::Keep,
            weight: WeightOption::Keep,
            extended: Extended {
                email: keep,
                phone: keep,
                government_id: keep,
                network_id: keep,
                url: keep,
                date: DateOption::Keep,
                organization: keep,
                credential: keep,
                custom: keep,
            },
            ..Profile::default()
        }
    }

    #[test]
    fn by_default_all_is_looked_for_and_nothing_where_all_is_kept() {
        assert_eq!(Profile::default().categories(), CategorySet::all());
        assert_eq!(keep_all().categories(), CategorySet::none().with(Category::Custom));
        for field in Field::ALL.iter().copied() {
            assert!(!Profile::default().keeps(field) && keep_all().keeps(field), "{field}");
            assert!(!Profile::default().blocks(field), "{field}");
        }
    }

    #[test]
    fn a_unit_and_an_age_ask_for_more_than_their_field() {
        let pounds = Profile { weight_unit: WeightUnit::Pounds, ..keep_all() };
        assert!(pounds.categories().contains(Category::Weight));
        let ages = Profile { age: AgeOption::Categories, ..keep_all() };
        assert!(ages.categories().contains(Category::DateOfBirth));
        assert!(!ages.categories().contains(Category::Date));
    }
}
