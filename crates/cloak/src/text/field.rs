//! The fields of the service's settings: what a found value is to whoever chose how it is cloaked.
//!
//! Invariant: names are those of the settings and of reports, and never change. Not here: options (`profile`).

use std::fmt;

use cloakgate_vocab::Category;

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident $name:literal;)*) => {
        /// A field of the settings.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum Field { $($(#[$doc])* $variant,)* }

        impl Field {
            /// All fields, the one that wins a tie between two findings first.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

fields! {
    /// Passwords, keys and tokens.
    Credential "credential";
    /// Cards, accounts, amounts.
    Financial "financial";
    /// Numbers that a state gives.
    GovernmentId "government_id";
    /// E-mail addresses.
    Email "email";
    /// Telephone numbers.
    Phone "phone";
    /// Names of people.
    Name "name";
    /// Addresses and places.
    Location "location";
    /// Conditions, drugs, tests.
    Medical "medical_condition";
    /// Ages, and dates of birth with them.
    Age "age";
    /// Weights of bodies.
    Weight "weight";
    /// Words that say a gender.
    Gender "gender";
    /// Addresses of machines.
    NetworkId "network_id";
    /// Web addresses.
    Url "url";
    /// Dates.
    Date "date";
    /// Organisations.
    Organization "organization";
    /// Other numbers of people, names of accounts, the operator's own terms.
    Custom "custom";
}

impl Field {
    /// The field of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.name() == name)
    }

    /// The field that governs a category; `None` for what is made by the cloaking itself.
    #[must_use]
    pub fn of(category: Category) -> Option<Self> {
        match category {
            Category::Title | Category::Family => Some(Self::Gender),
            other => Self::from_name(other.settings_field()),
        }
    }

    /// The number that stands for the field where sessions are written down.
    pub(crate) fn number(self) -> u8 {
        self as u8
    }

    /// The field of such a number.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Category;

    use super::Field;

    #[test]
    fn every_field_is_found_by_name_and_number() {
        for field in Field::ALL.iter().copied() {
            assert_eq!(Field::from_name(field.name()), Some(field));
            assert_eq!(Field::from_number(field.number()), Some(field));
        }
        assert_eq!(Field::from_name("weight_unit"), None);
        assert_eq!(Field::from_number(99), None);
    }

    #[test]
    fn every_kind_of_data_has_a_field() {
        for category in Category::all() {
            assert_eq!(Field::of(category).is_none(), category == Category::Literal, "{category}");
        }
    }
}
