//! The one table of categories: name, aliases, default, severity, field of the service's settings, example.
//!
//! Invariant: names are unique over names and aliases (a test checks).

use std::fmt;
use std::str::FromStr;

/// How bad it is when a value of a category gets out.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Severity {
    /// Says little by itself.
    Low,
    /// Describes a person.
    Medium,
    /// Points at one person.
    High,
    /// Opens an account or a door.
    Critical,
}

impl Severity {
    /// All severities, the least first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The severity in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// Whether a category is looked for when no setting speaks of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Defaults {
    /// Must not reach a model: on.
    Core,
    /// Useful context for a model: off until a setting turns it on.
    Extended,
    /// Not a kind of data; made by the cloaking itself.
    Internal,
}

/// A text that names no category.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{0}` is no category")]
pub struct UnknownCategory(pub String);

struct Row {
    name: &'static str,
    aliases: &'static [&'static str],
    defaults: Defaults,
    severity: Severity,
    settings_field: &'static str,
    example: &'static str,
}

macro_rules! categories {
    ($($(#[$doc:meta])* $variant:ident $name:literal $aliases:expr, $defaults:ident, $severity:ident, $field:literal, $example:literal;)*) => {
        /// A kind of personal data or secret.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum Category { $($(#[$doc])* $variant,)* }

        const ALL: &[Category] = &[$(Category::$variant,)*];

        impl Category {
            const fn row(self) -> &'static Row {
                match self {
                    $(Self::$variant => &Row {
                        name: $name, aliases: &$aliases, defaults: Defaults::$defaults,
                        severity: Severity::$severity, settings_field: $field, example: $example,
                    },)*
                }
            }
        }
    };
}

categories! {
    /// E-mail address.
    Email "EMAIL" ["EMAIL_ADDRESS"], Core, High, "email", "marie.dubois@example.eu";
    /// Name of a person.
    Person "PERSON" ["PER", "NAME"], Core, High, "name", "Marie Dubois";
    /// Telephone number.
    Phone "PHONE" ["PHONE_NUMBER"], Core, High, "phone", "+33 6 12 34 56 78";
    /// Street-level address or post code.
    Address "ADDRESS" ["STREET_ADDRESS"], Core, High, "location", "12 rue des Lilas, 69003 Lyon";
    /// Date of birth.
    DateOfBirth "DATE_OF_BIRTH" ["DOB", "BIRTH_DATE"], Core, High, "date", "1984-03-12";
    /// United States social security number.
    Ssn "SSN" ["US_SSN"], Core, Critical, "government_id", "536-22-8145";
    /// Personal number of another country.
    NationalId "NATIONAL_ID" [], Core, Critical, "government_id", "44051401359";
    /// Passport number.
    Passport "PASSPORT" [], Core, Critical, "government_id", "C01X00T47";
    /// Driving licence number.
    DriverLicense "DRIVER_LICENSE" ["DRIVING_LICENCE"], Core, Critical, "government_id", "D123-4567-8901";
    /// Tax number of a person or a company.
    TaxId "TAX_ID" ["VAT_ID"], Core, High, "government_id", "DE136695976";
    /// Health insurance or patient number.
    HealthId "HEALTH_ID" ["MRN"], Core, Critical, "government_id", "943 476 5919";
    /// Another number that points at a person: member, employee, customer.
    OtherId "OTHER_ID" ["ID_NUMBER"], Core, High, "custom", "EMP-0093312";
    /// Payment card number.
    CreditCard "CREDIT_CARD" ["CARD"], Core, Critical, "financial", "4111 1111 1111 1111";
    /// International bank account number.
    Iban "IBAN" ["IBAN_CODE"], Core, Critical, "financial", "DE89 3704 0044 0532 0130 00";
    /// Domestic bank account number.
    BankAccount "BANK_ACCOUNT" ["ACCOUNT_NUMBER"], Core, Critical, "financial", "4537891022";
    /// Address of a crypto-currency wallet.
    CryptoWallet "CRYPTO_WALLET" ["CRYPTO"], Core, High, "financial", "0x52908400098527886E0F7030069857D2E4169EE7";
    /// IPv4 or IPv6 address.
    IpAddress "IP_ADDRESS" ["IP"], Core, Medium, "network_id", "203.0.113.7";
    /// Hardware address of a network interface.
    MacAddress "MAC_ADDRESS" ["MAC"], Core, Medium, "network_id", "00:1B:44:11:3A:B7";
    /// Vehicle identification number or number plate.
    Vehicle "VEHICLE" ["VIN", "LICENSE_PLATE"], Core, High, "custom", "1HGCM82633A004352";
    /// Password, pass phrase or PIN.
    Password "PASSWORD" ["PASSPHRASE"], Core, Critical, "credential", "password: hunter22!";
    /// Key or token of a service, by vendor prefix or by key word.
    ApiKey "API_KEY" [], Core, Critical, "credential", "sk_live_...";
    /// Key of Amazon Web Services.
    AwsKey "AWS_KEY" ["AWS_ACCESS_KEY"], Core, Critical, "credential", "AKIA...";
    /// JSON web token.
    Jwt "JWT" [], Core, Critical, "credential", "eyJhbGciOi...";
    /// Private key in PEM armour.
    PrivateKey "PRIVATE_KEY" ["PEM"], Core, Critical, "credential", "-----BEGIN PRIVATE KEY-----";
    /// Another secret: high-entropy value beside a key word, cookie, `Authorization` value.
    Secret "SECRET" ["CREDENTIAL"], Core, Critical, "credential", "client_secret=...";
    /// Value whose field says that it is personal but whose form is not that of its kind.
    Opaque "OPAQUE" [], Core, High, "custom", "x'; drop table orders;--";
    /// Words chosen by the operator.
    Custom "CUSTOM" [], Core, High, "custom", "Project Heron";
    /// City, region, country or another place.
    Location "LOCATION" ["GPE", "LOC", "FAC"], Extended, Low, "location", "Lyon";
    /// Organisation.
    Org "ORG" ["ORGANIZATION", "ORGANISATION"], Extended, Low, "organization", "Acme Corp";
    /// Age of a person.
    Age "AGE" [], Extended, Medium, "age", "41 years old";
    /// Date that is no date of birth.
    Date "DATE" ["DATE_TIME"], Extended, Low, "date", "2026-03-12";
    /// Amount of money.
    Money "MONEY" ["AMOUNT"], Extended, Low, "financial", "EUR 1,250.00";
    /// Drug, test or procedure, which tells of a condition.
    Medication "MEDICATION" ["DRUG", "TREATMENT"], Extended, High, "medical_condition", "metformin";
    /// Disease, injury or another condition.
    Medical "MEDICAL" ["MEDICAL_CONDITION"], Extended, High, "medical_condition", "type 1 diabetes";
    /// Web address.
    Url "URL" [], Extended, Low, "url", "https://example.org/u/marie";
    /// Name of an account.
    Username "USERNAME" ["USER_NAME", "LOGIN"], Extended, Medium, "custom", "mdubois84";
    /// Gender word.
    Gender "GENDER" [], Extended, Medium, "gender", "female";
    /// Body weight.
    Weight "WEIGHT" [], Extended, Medium, "weight", "72 kg";
    /// Nationality, religious or political group.
    Nrp "NRP" ["NORP"], Extended, Medium, "custom", "French";
    /// Form of address.
    Title "TITLE" [], Extended, Low, "custom", "Dr.";
    /// Occupation.
    Profession "PROFESSION" [], Extended, Low, "custom", "nurse";
    /// Relative of a person.
    Family "FAMILY" [], Extended, Low, "custom", "daughter";
    /// Another personal detail.
    Other "OTHER" ["MISC"], Extended, Low, "custom", "";
    /// Text that looks like one of our own tokens.
    Literal "LITERAL" [], Internal, Low, "", "[EMAIL_0_aaa]";
}

impl Category {
    /// All categories, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().copied()
    }

    /// The stable name, as tokens carry it: upper-case letters and `_`, ending with a letter.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Other names under which the category is accepted in settings.
    #[must_use]
    pub fn aliases(self) -> &'static [&'static str] {
        self.row().aliases
    }

    /// Whether it is on without a setting.
    #[must_use]
    pub fn defaults(self) -> Defaults {
        self.row().defaults
    }

    /// How bad a leak is.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.row().severity
    }

    /// Field of the service's settings that governs it; empty for internal categories.
    #[must_use]
    pub fn settings_field(self) -> &'static str {
        self.row().settings_field
    }

    /// An invented value of the kind.
    #[must_use]
    pub fn example(self) -> &'static str {
        self.row().example
    }

    /// The label under which findings are published: the name, but for addresses of machines and for keys, whose
    /// kinds share one label, and for what is of no kind.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::IpAddress => "IP",
            Self::MacAddress => "MAC",
            Self::ApiKey | Self::AwsKey | Self::Jwt | Self::PrivateKey | Self::Secret => "SECRET",
            Self::Opaque | Self::Custom | Self::Weight | Self::Medication | Self::Other | Self::Literal => {
                "OTHER"
            }
            other => other.name(),
        }
    }

    /// True for credentials: never restored inside a longer interpreted text, never to another upstream.
    #[must_use]
    pub fn is_secret(self) -> bool {
        matches!(
            self,
            Self::Password | Self::ApiKey | Self::AwsKey | Self::Jwt | Self::PrivateKey | Self::Secret
        )
    }

    /// True for kinds with a checksum, an issuer rule or a form that hardly occurs by chance: their values are
    /// recognised again everywhere, however short.
    #[must_use]
    pub fn is_checked_kind(self) -> bool {
        matches!(
            self,
            Self::Email | Self::CreditCard | Self::Iban | Self::CryptoWallet | Self::MacAddress | Self::Ssn
        ) || (self.is_secret() && self != Self::Password)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Category {
    type Err = UnknownCategory;

    /// Reads a name or an alias in any case.
    fn from_str(text: &str) -> Result<Self, UnknownCategory> {
        Self::all()
            .find(|category| {
                category.name().eq_ignore_ascii_case(text)
                    || category.aliases().iter().any(|alias| alias.eq_ignore_ascii_case(text))
            })
            .ok_or_else(|| UnknownCategory(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Category;

    #[test]
    fn names_and_aliases_are_unique_and_read_in_any_case() {
        let mut seen = HashSet::new();
        for category in Category::all() {
            for name in category.aliases().iter().copied().chain([category.name()]) {
                assert!(seen.insert(name), "{name} twice");
                assert_eq!(name.to_lowercase().parse::<Category>(), Ok(category));
            }
        }
    }

    #[test]
    fn labels_are_names_of_categories() {
        for category in Category::all() {
            assert!(category.label().parse::<Category>().is_ok(), "{category}");
        }
        for category in [Category::ApiKey, Category::Jwt, Category::PrivateKey] {
            assert_eq!(category.label(), "SECRET");
        }
    }

    #[test]
    fn names_can_stand_in_tokens() {
        for category in Category::all() {
            let name = category.name();
            assert!(name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'), "{name}");
            assert!(name.starts_with(|c: char| c.is_ascii_uppercase()));
            assert!(name.ends_with(|c: char| c.is_ascii_uppercase()));
        }
    }
}
