//! Labels of the sets, and what other tools call them.

use std::str::FromStr;

/// Values of these must be masked.
const CORE: &[&str] = &[
    "PERSON",
    "EMAIL",
    "PHONE",
    "ADDRESS",
    "DATE_OF_BIRTH",
    "SSN",
    "NATIONAL_ID",
    "PASSPORT",
    "DRIVER_LICENSE",
    "TAX_ID",
    "HEALTH_ID",
    "OTHER_ID",
    "CREDIT_CARD",
    "IBAN",
    "BANK_ACCOUNT",
    "CRYPTO_WALLET",
    "IP",
    "MAC",
    "VEHICLE",
    "PASSWORD",
    "SECRET",
];

/// Values of these are masked where a setting wants it.
const EXTENDED: &[&str] = &[
    "LOCATION",
    "ORG",
    "AGE",
    "DATE",
    "MONEY",
    "MEDICAL",
    "URL",
    "USERNAME",
    "GENDER",
    "NRP",
    "TITLE",
    "PROFESSION",
    "FAMILY",
    OTHER,
];

/// What has no label of its own.
pub(crate) const OTHER: &str = "OTHER";

/// Names of other tools, by the label they stand for.
const ALIASES: &[(&str, &[&str])] = &[
    ("PERSON", &["PER", "NAME", "PERSON_NAME", "FIRSTNAME", "LASTNAME"]),
    ("EMAIL", &["EMAIL_ADDRESS"]),
    ("PHONE", &["PHONE_NUMBER", "TEL", "FAX"]),
    ("ADDRESS", &["STREET_ADDRESS", "ZIP_CODE", "POSTAL_CODE"]),
    ("LOCATION", &["GPE", "LOC", "FAC", "CITY", "COUNTRY"]),
    ("ORG", &["ORGANIZATION", "COMPANY"]),
    ("DATE_OF_BIRTH", &["DOB"]),
    ("DATE", &["DATE_TIME"]),
    ("SSN", &["US_SSN"]),
    ("PASSPORT", &["US_PASSPORT"]),
    ("DRIVER_LICENSE", &["US_DRIVER_LICENSE"]),
    ("TAX_ID", &["US_ITIN"]),
    ("BANK_ACCOUNT", &["US_BANK_NUMBER", "ACCOUNT_NUMBER"]),
    ("IBAN", &["IBAN_CODE"]),
    ("CREDIT_CARD", &["CREDITCARD", "CARD"]),
    ("IP", &["IP_ADDRESS", "IPV4", "IPV6"]),
    ("MAC", &["MAC_ADDRESS"]),
    ("CRYPTO_WALLET", &["CRYPTO"]),
    ("SECRET", &["API_KEY", "TOKEN", "JWT", "AWS_KEY", "PRIVATE_KEY", "CREDENTIAL"]),
    ("HEALTH_ID", &["UK_NHS", "MEDICAL_LICENSE", "MRN"]),
    ("NATIONAL_ID", &["UK_NINO"]),
    ("URL", &["DOMAIN_NAME"]),
    ("VEHICLE", &["LICENSE_PLATE", "VIN"]),
    ("MONEY", &["AMOUNT"]),
    ("MEDICAL", &["DISEASE"]),
];

/// The label that a name stands for; `OTHER` when it stands for none.
pub(crate) fn canonical(name: &str) -> &'static str {
    let name = name.to_uppercase().replace(['-', ' '], "_");
    let of_alias = ALIASES.iter().find(|(_, aliases)| aliases.contains(&&*name)).map(|(label, _)| *label);
    of_alias.or_else(|| all().find(|label| *label == name)).unwrap_or(OTHER)
}

fn all() -> impl Iterator<Item = &'static str> {
    CORE.iter().chain(EXTENDED).copied()
}

/// Labels that count.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) enum Selection {
    /// What must be masked.
    #[default]
    Core,
    /// Everything.
    All,
    /// These.
    Some(Vec<&'static str>),
}

impl Selection {
    /// True for core labels.
    pub(crate) fn is_core(&self) -> bool {
        *self == Self::Core
    }

    /// True when a label counts.
    pub(crate) fn contains(&self, label: &str) -> bool {
        match self {
            Self::Core => CORE.contains(&label),
            Self::All => true,
            Self::Some(labels) => labels.contains(&label),
        }
    }
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let label = |name: &str| match canonical(name) {
            OTHER if !name.eq_ignore_ascii_case(OTHER) => Err(format!("`{name}` is no label")),
            label => Ok(label),
        };
        match text {
            "core" => Ok(Self::Core),
            "all" => Ok(Self::All),
            list => list.split(',').map(label).collect::<Result<_, _>>().map(Self::Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALIASES, OTHER, Selection, all, canonical};

    #[test]
    fn names_of_other_tools_are_read() {
        for (name, label) in
            [("US_SSN", "SSN"), ("gpe", "LOCATION"), ("phone-number", "PHONE"), ("IP", "IP"), ("X", OTHER)]
        {
            assert_eq!(canonical(name), label);
        }
        assert!(ALIASES.iter().all(|(label, _)| all().any(|known| known == *label)));
    }

    #[test]
    fn a_selection_is_read_and_mistakes_are_told() {
        assert_eq!("core".parse(), Ok(Selection::Core));
        assert_eq!("email,PER".parse(), Ok(Selection::Some(vec!["EMAIL", "PERSON"])));
        assert!("EMIAL".parse::<Selection>().is_err());
    }
}
