//! Which values the keys of a role get back: `role_based_acl`.
//!
//! In: an object of roles, each with the fields that it gets and how they are shown. Out: for a key's role, what it may
//! see. Invariant: a key without a role gets everything, one whose role is not named gets nothing.

use std::collections::BTreeMap;

use cloakgate_cloak::text::{Access, Field, Reveal};
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::fields::{Fields, choose, missing, wrong};

/// Key of the settings.
pub(super) const KEY: &str = "role_based_acl";
/// Most roles of one record of settings.
const MAX_ROLES: usize = 100;
/// Letters of the longest name of a role.
const MAX_ROLE_LETTERS: usize = 64;
/// What the name of a role is, for refusals and documents.
const ROLE_LETTERS: &str = "1 to 64 letters, digits, `.`, `_` and `-`";
/// The same as a pattern.
const ROLE_PATTERN: &str = "^[A-Za-z0-9._-]{1,64}$";

/// What the keys of each role get back.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Acl(BTreeMap<String, Access>);

impl Acl {
    /// Reads the object of roles.
    ///
    /// # Errors
    /// When a role, a field or a form is none; the fault names the place.
    pub(super) fn read(value: &Value) -> Result<Self, Fault> {
        let Value::Object(roles) = value else { return Err(wrong(KEY, "an object")) };
        if roles.len() > MAX_ROLES {
            return Err(wrong(KEY, "an object of at most 100 roles"));
        }
        let read = |(name, rule): (&String, &Value)| {
            let name = role_name(name)
                .map_err(|_| wrong(KEY, &format!("an object of roles, whose names are {ROLE_LETTERS}")))?;
            let path = format!("{KEY}.{name}");
            let rule = Fields::of(rule.clone()).ok_or_else(|| wrong(&path, "an object"))?;
            Ok((name, access(rule).map_err(|fault| fault.below(&path))?))
        };
        roles.iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// What a key of a role may see.
    pub(crate) fn of(&self, role: Option<&str>) -> Access {
        role.map_or(Access::EVERYTHING, |role| self.0.get(role).copied().unwrap_or(Access::NOTHING))
    }

    /// The roles that are named.
    pub(crate) fn roles(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Checks the name of a role.
///
/// # Errors
/// When it is none.
pub(crate) fn role_name(name: &str) -> Result<String, Fault> {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if (1..=MAX_ROLE_LETTERS).contains(&name.len()) && name.bytes().all(letters) {
        Ok(name.to_owned())
    } else {
        Err(Fault::field("role", format!("the name of a role must be {ROLE_LETTERS}")))
    }
}

fn access(mut rule: Fields) -> Result<Access, Fault> {
    let list = rule.list("uncloak")?.ok_or_else(|| missing("uncloak"))?;
    let reveal = rule.choice("reveal", Reveal::CODES)?;
    rule.finish()?;
    let names = field_names();
    let field = |(place, value): (usize, Value)| {
        let path = format!("uncloak[{place}]");
        let name = value.as_str().ok_or_else(|| wrong(&path, "the name of a field"))?;
        choose(&path, name, &names).map(Field::from_name)
    };
    let fields = list.into_iter().enumerate().map(field).collect::<Result<Vec<_>, _>>()?;
    let reveal = reveal.and_then(|code| Reveal::from_code(code).ok()).unwrap_or_default();
    Ok(Access::to(fields.into_iter().flatten(), reveal))
}

fn field_names() -> Vec<&'static str> {
    Field::ALL.iter().map(|field| field.name()).collect()
}

/// The object of roles, as JSON Schema.
pub(super) fn schema() -> Value {
    let rule = json!({
        "type": "object",
        "required": ["uncloak"],
        "properties": {
            "uncloak": {
                "type": "array",
                "items": { "type": "string", "enum": field_names() },
                "description": "The fields whose values come back; those of others stay cloaked.",
            },
            "reveal": {
                "type": ["string", "null"],
                "enum": ["plain", "masked", "none", null],
                "description": "`plain`: as they were, `masked`: as `j***@e***`, `none`: not at all.",
            },
        },
        "additionalProperties": false,
    });
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!(["object", "null"]));
    schema.insert("propertyNames".to_owned(), json!({ "pattern": ROLE_PATTERN }));
    schema.insert("maxProperties".to_owned(), json!(MAX_ROLES));
    schema.insert("additionalProperties".to_owned(), rule);
    schema.insert(
        "description".to_owned(),
        json!("What keys with a role get back from `uncloak`. A key without a role gets everything."),
    );
    schema.insert(
        "examples".to_owned(),
        json!([{ "support": { "uncloak": ["name", "email"], "reveal": "masked" } }]),
    );
    schema.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_gets_what_it_is_given_and_others_nothing() {
        let acl = Acl::read(&json!({
            "support": { "uncloak": ["name", "email"] },
            "desk": { "uncloak": ["financial"], "reveal": "masked" },
            "nobody": { "uncloak": ["name"], "reveal": "none" },
            "empty": { "uncloak": [], "reveal": null },
        }))
        .expect("valid");
        assert_eq!(acl.of(None), Access::EVERYTHING);
        assert_eq!(acl.of(Some("support")), Access::to([Field::Name, Field::Email], Reveal::Plain));
        assert_eq!(acl.of(Some("desk")), Access::to([Field::Financial], Reveal::Masked));
        assert_eq!(acl.of(Some("nobody")), Access::to([Field::Name], Reveal::None));
        assert_eq!(acl.of(Some("empty")), Access::to([], Reveal::Plain));
        assert_eq!(acl.of(Some("other")), Access::NOTHING);
        assert_eq!(Acl::default().of(Some("support")), Access::NOTHING);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let many: Map<String, Value> =
            (0..=MAX_ROLES).map(|n| (format!("r{n}"), json!({ "uncloak": [] }))).collect();
        for (acl, place, message) in [
            (json!([]), "role_based_acl", "`role_based_acl` must be an object"),
            (many.into(), "role_based_acl", "`role_based_acl` must be an object of at most 100 roles"),
            (
                json!({ "a b": {} }),
                "role_based_acl",
                "`role_based_acl` must be an object of roles, whose names",
            ),
            (json!({ "": {} }), "role_based_acl", "`role_based_acl` must be an object of roles, whose names"),
            (json!({ "a": 7 }), "role_based_acl.a", "`role_based_acl.a` must be an object"),
            (json!({ "a": {} }), "role_based_acl.a.uncloak", "uncloak required field"),
            (json!({ "a": { "uncloak": "name" } }), "role_based_acl.a.uncloak", "`uncloak` must be a list"),
            (
                json!({ "a": { "uncloak": ["name", "emial"] } }),
                "role_based_acl.a.uncloak[1]",
                "`uncloak[1]` must be one of: credential, financial, ",
            ),
            (
                json!({ "a": { "uncloak": [7] } }),
                "role_based_acl.a.uncloak[0]",
                "`uncloak[0]` must be the name of a field",
            ),
            (
                json!({ "a": { "uncloak": [], "reveal": "mask" } }),
                "role_based_acl.a.reveal",
                "`reveal` must be one of: plain, masked, none; did you mean `masked`?",
            ),
            (
                json!({ "a": { "uncloak": [], "reveals": "none" } }),
                "role_based_acl.a.reveals",
                "unknown field `reveals`; did you mean `reveal`?",
            ),
        ] {
            let fault = Acl::read(&acl).expect_err("refused");
            assert!(fault.message().starts_with(message), "{acl}: {fault}");
            assert_eq!(fault.field_path(), Some(place), "{acl}: {fault}");
        }
    }
}
