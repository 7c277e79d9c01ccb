//! The options of each field, by the codes of the settings.
//!
//! Invariant: a code names one option; the list of codes is the one that a refusal prints.

use super::ranges::Ranges;

/// Most locales that names are taken from.
const MAX_LOCALES: usize = 64;

/// Why a code is no option.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum OptionError {
    /// The field has no such option.
    #[error("no such option; allowed are: {}", .allowed.join(", "))]
    Unknown {
        /// What the field has.
        allowed: &'static [&'static str],
    },
    /// The option needs ranges.
    #[error("the option `ranges` needs its ranges, such as [[0,17],[18,64],[65,100]]")]
    RangesMissing,
    /// A list of locales is empty, too long, or holds something else.
    #[error("1 to {MAX_LOCALES} locales are needed, such as `ja` or `es_MX`")]
    Locales,
}

macro_rules! options {
    ($($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $code:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
        pub enum $name { $($(#[$of])* $variant,)* }

        impl $name {
            /// The codes of all options.
            pub const CODES: &'static [&'static str] = &[$($code),*];

            /// The code.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// The option of a code.
            ///
            /// # Errors
            /// When there is none.
            pub fn from_code(code: &str) -> Result<Self, OptionError> {
                match code {
                    $($code => Ok(Self::$variant),)*
                    _ => Err(OptionError::Unknown { allowed: Self::CODES }),
                }
            }
        }
    )*};
}

options! {
    /// What is done with names.
    NameOption {
        /// They stay.
        Keep = "keep",
        /// Another name stands for them.
        Native = "native",
        /// A placeholder stands for them.
        #[default]
        Placeholder = "placeholder",
        /// A message that holds one is refused.
        Block = "block",
    }
    /// How values come back to a reader.
    Reveal {
        /// As they were.
        #[default]
        Plain = "plain",
        /// As masks of them.
        Masked = "masked",
        /// Not at all.
        None = "none",
    }
    /// What is done with gender words.
    GenderOption {
        /// They stay.
        Keep = "keep",
        /// A neutral word or a placeholder stands for them.
        #[default]
        Mask = "mask",
        /// A message that holds one is refused.
        Block = "block",
    }
    /// What is done with places.
    LocationOption {
        /// They stay.
        Keep = "keep",
        /// The city stays, with what is coarser.
        City = "city",
        /// The country stays.
        Country = "country",
        /// The region stays, with what is coarser.
        Region = "region",
        /// A placeholder stands for them.
        #[default]
        Placeholder = "placeholder",
        /// A message that holds one is refused.
        Block = "block",
    }
    /// What is done with medical terms.
    MedicalOption {
        /// They stay.
        Keep = "keep",
        /// The group stands for them.
        Group = "group",
        /// Asterisks stand for them.
        Mask = "mask",
        /// A placeholder stands for them.
        #[default]
        Placeholder = "placeholder",
        /// A message that holds one is refused.
        Block = "block",
    }
    /// What is done with cards, accounts and amounts.
    FinancialOption {
        /// They stay.
        Keep = "keep",
        /// The last digits of accounts stay, amounts do not.
        Mask = "mask",
        /// A placeholder stands for them.
        #[default]
        Placeholder = "placeholder",
        /// A message that holds one is refused.
        Block = "block",
    }
    /// The unit in which weights are shown.
    WeightUnit {
        /// As it is.
        #[default]
        Keep = "keep",
        /// Pounds.
        Pounds = "pounds",
        /// Kilograms.
        Kilograms = "kilograms",
    }
    /// What is done with values of an extended field.
    ExtendedOption {
        /// They stay.
        Keep = "keep",
        /// A placeholder stands for them.
        #[default]
        Placeholder = "placeholder",
        /// Asterisks stand for them.
        Mask = "mask",
        /// A message that holds one is refused.
        Block = "block",
    }
    /// What is done with dates.
    DateOption {
        /// They stay.
        Keep = "keep",
        /// A placeholder stands for them.
        #[default]
        Placeholder = "placeholder",
        /// Asterisks stand for them.
        Mask = "mask",
        /// All dates of a session move by the same number of days.
        Shift = "shift",
        /// The year stays.
        Year = "year",
        /// A message that holds one is refused.
        Block = "block",
    }
    /// Whether a name keeps the gender of the one that it stands for.
    NameGender {
        /// It does, as far as that is known.
        #[default]
        Match = "match",
        /// Names of either gender.
        Unisex = "unisex",
    }
    /// What stands for a gender word.
    GenderStyle {
        /// `{{GENDER}}`.
        #[default]
        Placeholder = "placeholder",
        /// `person`.
        Word = "word",
    }
    /// What is done with pronouns where gender is masked.
    GenderPronouns {
        /// They stay.
        #[default]
        Keep = "keep",
        /// Neutral ones stand for them.
        Neutral = "neutral",
    }
    /// What a region is.
    RegionKind {
        /// State, province, department.
        #[default]
        Subdivision = "subdivision",
        /// A part of the world: Western Europe.
        Subregion = "subregion",
    }
    /// What placeholders of financial values say.
    FinancialLabel {
        /// Card, account, amount.
        #[default]
        Specific = "specific",
        /// Nothing but that they are financial.
        Generic = "generic",
    }
    /// How much a medical group says.
    MedicalDetail {
        /// Chronic illness, infection, injury.
        #[default]
        Coarse = "coarse",
        /// The part of the body too.
        BodySystem = "body_system",
    }
    /// How placeholders are written.
    PlaceholderStyle {
        /// `{{NAME}}`, `{{NAME_2}}`.
        #[default]
        Curly = "curly",
        /// `[NAME_0]`, `[NAME_1]`.
        Bracket = "bracket",
    }
    /// The language of the words that stand for values.
    PromptLanguage {
        /// That of the text.
        #[default]
        Original = "original",
        /// English.
        English = "english",
    }
    /// The unit that ranges of weights are in.
    RangesUnit {
        /// The unit that is shown.
        #[default]
        Shown = "shown",
        /// Pounds.
        Pounds = "pounds",
        /// Kilograms.
        Kilograms = "kilograms",
    }
    /// Marks that tell apart equal words that stand for several values.
    Marks {
        /// None.
        #[default]
        Off = "off",
        /// `adult [A1]`.
        Visible = "visible",
    }
}

/// From which cultures names are taken.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum NameCulture {
    /// From any of the same script, so that origin does not show.
    #[default]
    Mixed,
    /// From the culture of the name.
    Match,
    /// From those of these locales: `ja`, `es_MX`.
    Locales(Vec<String>),
}

impl NameCulture {
    /// The codes of the options that are no list.
    pub const CODES: &'static [&'static str] = &["mixed", "match"];

    /// The option of a code.
    ///
    /// # Errors
    /// When there is none.
    pub fn from_code(code: &str) -> Result<Self, OptionError> {
        match code {
            "mixed" => Ok(Self::Mixed),
            "match" => Ok(Self::Match),
            _ => Err(OptionError::Unknown { allowed: Self::CODES }),
        }
    }

    /// Names of these locales only.
    ///
    /// # Errors
    /// When there is none, there are too many, or one is no locale.
    pub fn from_locales(locales: Vec<String>) -> Result<Self, OptionError> {
        let is_locale = |locale: &String| {
            (2..=16).contains(&locale.len())
                && locale.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        if locales.is_empty() || locales.len() > MAX_LOCALES || !locales.iter().all(is_locale) {
            return Err(OptionError::Locales);
        }
        Ok(Self::Locales(locales))
    }
}

/// What is done with ages.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum AgeOption {
    /// They stay.
    Keep,
    /// `child`, `adult` or `senior` stands for them.
    Categories,
    /// A range stands for them.
    Ranges(Ranges),
    /// A placeholder stands for them.
    #[default]
    Placeholder,
    /// A message that holds one is refused.
    Block,
}

impl AgeOption {
    /// The codes of all options.
    pub const CODES: &'static [&'static str] = &["keep", "categories", "ranges", "placeholder", "block"];

    /// The code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Categories => "categories",
            Self::Ranges(_) => "ranges",
            Self::Placeholder => "placeholder",
            Self::Block => "block",
        }
    }

    /// The option of a code; `ranges` are those of the settings.
    ///
    /// # Errors
    /// When there is no such option, or it needs ranges and there are none.
    pub fn from_code(code: &str, ranges: Option<&Ranges>) -> Result<Self, OptionError> {
        Ok(match code {
            "keep" => Self::Keep,
            "categories" => Self::Categories,
            "ranges" => Self::Ranges(ranges.cloned().ok_or(OptionError::RangesMissing)?),
            "placeholder" => Self::Placeholder,
            "block" => Self::Block,
            _ => return Err(OptionError::Unknown { allowed: Self::CODES }),
        })
    }
}

/// What is done with weights.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum WeightOption {
    /// They stay.
    Keep,
    /// A range stands for them.
    Ranges(Ranges),
    /// A placeholder stands for them.
    #[default]
    Placeholder,
    /// A message that holds one is refused.
    Block,
}

impl WeightOption {
    /// The codes of all options.
    pub const CODES: &'static [&'static str] = &["keep", "ranges", "placeholder", "block"];

    /// The code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Ranges(_) => "ranges",
            Self::Placeholder => "placeholder",
            Self::Block => "block",
        }
    }

    /// The option of a code; `ranges` are those of the settings.
    ///
    /// # Errors
    /// When there is no such option, or it needs ranges and there are none.
    pub fn from_code(code: &str, ranges: Option<&Ranges>) -> Result<Self, OptionError> {
        Ok(match code {
            "keep" => Self::Keep,
            "ranges" => Self::Ranges(ranges.cloned().ok_or(OptionError::RangesMissing)?),
            "placeholder" => Self::Placeholder,
            "block" => Self::Block,
            _ => return Err(OptionError::Unknown { allowed: Self::CODES }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{AgeOption, DateOption, NameOption, OptionError, Ranges, WeightOption};

    #[test]
    fn codes_and_options_belong_together() {
        for code in DateOption::CODES {
            assert_eq!(DateOption::from_code(code).map(DateOption::code), Ok(*code));
        }
        let ranges = Ranges::new(&[[0.0, 17.0]]).expect("valid");
        for code in AgeOption::CODES {
            assert_eq!(AgeOption::from_code(code, Some(&ranges)).expect("an option").code(), *code);
        }
        for code in WeightOption::CODES {
            assert_eq!(WeightOption::from_code(code, Some(&ranges)).expect("an option").code(), *code);
        }
    }

    #[test]
    fn a_refusal_names_what_is_allowed() {
        let refused = NameOption::from_code("mask").expect_err("no option of names");
        assert_eq!(refused.to_string(), "no such option; allowed are: keep, native, placeholder, block");
        assert_eq!(AgeOption::from_code("ranges", None), Err(OptionError::RangesMissing));
    }
}
