//! Invented values of the kinds that patterns, checks and keys find.

use cloakgate_testkit::Watch;
use serde_json::{Value, json};

/// A value and what its kind needs to be found the first time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planted {
    pub(crate) kind: &'static str,
    pub(crate) value: &'static str,
    /// The key beside which alone it is found, before it is known.
    pub(crate) key: Option<&'static str>,
    /// Found again wherever it stands once it is known.
    pub(crate) known_everywhere: bool,
}

const fn planted(kind: &'static str, value: &'static str) -> Planted {
    Planted { kind, value, key: None, known_everywhere: true }
}

pub(crate) const EMAIL: Planted = planted("e-mail", "marie.dubois@example.eu");

pub(crate) const VALUES: [Planted; 11] = [
    EMAIL,
    planted("phone", "+44 20 7946 0958"),
    planted("card", "4111 1111 1111 1111"),
    planted("iban", "DE89 3704 0044 0532 0130 00"),
    planted("ssn", "219-09-9998"),
    planted("aws key", concat!("AK", "IAS6N6LPAAX3EJOOC3")),
    planted("github token", concat!("gh", "p_R7kQ2mXv9LpT4wZc8NbY1sHd6JfG3aEu5KiO")),
    planted(
        "jwt",
        concat!(
            "eyJ",
            "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
        ),
    ),
    planted("ip", "198.51.100.77"),
    Planted { kind: "person", value: "Marie Dubois", key: Some("full_name"), known_everywhere: true },
    Planted { kind: "birth", value: "1984-03-12", key: Some("date_of_birth"), known_everywhere: false },
];

impl Planted {
    pub(crate) fn watch(&self) -> Watch {
        Watch::new(self.value)
    }

    /// The key under which it is planted where a position has a free key.
    pub(crate) fn member(&self) -> &'static str {
        self.key.unwrap_or("note")
    }
}

/// An object that shows all values with what each needs to be found.
pub(crate) fn introduction() -> Value {
    let member = |planted: &Planted| (planted.key.unwrap_or(planted.kind).to_owned(), json!(planted.value));
    VALUES.iter().map(member).collect::<serde_json::Map<_, _>>().into()
}
