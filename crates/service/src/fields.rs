//! Reads an object of a body or of a configuration, key by key.
//!
//! In: JSON. Out: checked values, or a fault that names the key. Invariant: a key that nobody asked for is refused with
//! the nearest one that there is; `null` is the same as no key; no value is repeated in a fault.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::fault::{Fault, shown};

/// Likeness from which one name is offered for another.
const ALIKE: f64 = 0.8;
/// Letters of a name that people give things.
pub(crate) const MAX_NAME: usize = 200;

/// An object whose keys are taken one by one.
pub(crate) struct Fields {
    map: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Fields {
    /// Reads a body.
    ///
    /// # Errors
    /// When it is no JSON object.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Fault> {
        let value: Value = serde_json::from_slice(body).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            Fault::bad("json", format!("the body is not valid JSON at line {line}, column {column}"))
        })?;
        Self::of(value).ok_or_else(|| Fault::bad("json", "the body must be a JSON object"))
    }

    /// The fields of a value that is an object.
    pub(crate) fn of(value: Value) -> Option<Self> {
        match value {
            Value::Object(map) => Some(Self { map, known: Vec::new() }),
            _ => None,
        }
    }

    /// Takes a value of any kind.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.map.remove(name).filter(|value| !value.is_null())
    }

    /// True when the key is there, `null` included.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    /// Takes a text.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>, Fault> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(name, "a string")),
        }
    }

    /// Takes a name that people give a thing: not blank, and at most `MAX_NAME` letters.
    pub(crate) fn name(&mut self, name: &'static str) -> Result<Option<String>, Fault> {
        let text = self.text(name)?;
        let fits = |text: &str| {
            !text.trim().is_empty() && text.chars().count() <= MAX_NAME && !text.chars().any(char::is_control)
        };
        match text {
            Some(text) if !fits(&text) => Err(wrong(name, "a name of 1 to 200 letters")),
            text => Ok(text),
        }
    }

    /// Takes an id.
    pub(crate) fn id(&mut self, name: &'static str) -> Result<Option<Uuid>, Fault> {
        self.text(name)?.map(|text| text.parse().map_err(|_| wrong(name, "a UUID"))).transpose()
    }

    /// Takes a whole number that is not negative.
    pub(crate) fn number(&mut self, name: &'static str) -> Result<Option<u64>, Fault> {
        self.take(name)
            .map(|value| value.as_u64().ok_or_else(|| wrong(name, "a whole number from 0")))
            .transpose()
    }

    /// Takes one of several words.
    pub(crate) fn choice(
        &mut self,
        name: &'static str,
        allowed: &[&'static str],
    ) -> Result<Option<&'static str>, Fault> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => choose(name, &text, allowed).map(Some),
            Some(_) => Err(not_among(name, None, allowed)),
        }
    }

    /// Takes an object.
    pub(crate) fn object(&mut self, name: &'static str) -> Result<Option<Self>, Fault> {
        self.take(name).map(|value| Self::of(value).ok_or_else(|| wrong(name, "an object"))).transpose()
    }

    /// Takes a list.
    pub(crate) fn list(&mut self, name: &'static str) -> Result<Option<Vec<Value>>, Fault> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(_) => Err(wrong(name, "a list")),
        }
    }

    /// The keys that are left.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str)
    }

    /// What is left, for objects whose keys are data.
    pub(crate) fn rest(self) -> Map<String, Value> {
        self.map
    }

    /// Refuses what is left.
    ///
    /// # Errors
    /// When a key was never asked for.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        let Some(name) = self.map.keys().next() else { return Ok(()) };
        Err(unknown_key(name, &self.known))
    }
}

/// A key that is not the table's, with the nearest one that is.
pub(crate) fn unknown_key(name: &str, known: &[&'static str]) -> Fault {
    let shown = shown(name);
    let mut message = format!("unknown field `{shown}`");
    if let Some(nearest) = nearest(name, known) {
        message.push_str(&format!("; did you mean `{nearest}`?"));
    }
    message.push_str(&format!(" Allowed: {}", known.join(", ")));
    Fault::bad("unknown_field", message).with("field", json!(shown)).with("allowed", json!(known))
}

/// One of several words, or a fault that lists them.
pub(crate) fn choose(field: &str, text: &str, allowed: &[&'static str]) -> Result<&'static str, Fault> {
    let found = allowed.iter().find(|allowed| **allowed == text);
    found.copied().ok_or_else(|| not_among(field, Some(text), allowed))
}

/// The name of the list that is most like another one.
pub(crate) fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let name = name.to_lowercase();
    let alike = |other: &&'static str| strsim::jaro_winkler(&other.to_lowercase(), &name);
    let best = known.iter().copied().max_by(|one, other| alike(one).total_cmp(&alike(other)))?;
    (alike(&best) >= ALIKE).then_some(best)
}

fn not_among(field: &str, text: Option<&str>, allowed: &[&'static str]) -> Fault {
    let mut message = format!("`{field}` must be one of: {}", allowed.join(", "));
    if let Some(nearest) = text.and_then(|text| nearest(text, allowed)) {
        message.push_str(&format!("; did you mean `{nearest}`?"));
    }
    Fault::field(field, message).with("allowed", json!(allowed))
}

/// A field that is of another kind than it must be.
pub(crate) fn wrong(field: &str, must_be: &str) -> Fault {
    Fault::field(field, format!("`{field}` must be {must_be}"))
}

/// A field that must be there and is not.
pub(crate) fn missing(field: &str) -> Fault {
    Fault::field(field, format!("{field} required field"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(body: &str) -> Fields {
        Fields::read(body.as_bytes()).unwrap_or_else(|fault| panic!("{body}: {fault}"))
    }

    #[test]
    fn what_is_wrong_is_named_and_no_value_is_repeated() {
        for (body, reason) in [
            ("{", "the body is not valid JSON at line 1, column 1"),
            ("[]", "the body must be a JSON object"),
            ("\"Ann\"", "the body must be a JSON object"),
        ] {
            assert_eq!(
                Fields::read(body.as_bytes()).err().map(|fault| fault.message().to_owned()).as_deref(),
                Some(reason)
            );
        }
        assert_eq!(fields(r#"{"name": 7}"#).name("name").unwrap_err().message(), "`name` must be a string");
        assert_eq!(
            fields(r#"{"name": " "}"#).name("name").unwrap_err().message(),
            "`name` must be a name of 1 to 200 letters"
        );
        assert_eq!(fields(r#"{"at": "Ann"}"#).id("at").unwrap_err().message(), "`at` must be a UUID");
        assert_eq!(
            fields(r#"{"tier": "fre"}"#).choice("tier", &["free", "paid"]).unwrap_err().message(),
            "`tier` must be one of: free, paid; did you mean `free`?"
        );
        let mut unknown = fields(r#"{"name": "a", "biling": {}}"#);
        assert_eq!(unknown.name("name").ok().flatten().as_deref(), Some("a"));
        assert!(unknown.object("billing").is_ok_and(|found| found.is_none()));
        assert_eq!(
            unknown.finish().unwrap_err().message(),
            "unknown field `biling`; did you mean `billing`? Allowed: name, billing"
        );
        assert!(fields(r#"{"name": null}"#).name("name").is_ok_and(|name| name.is_none()));
    }
}
