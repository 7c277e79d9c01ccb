//! What a tool's schemas allow at a position: may text stand there, is a number wanted.
//!
//! In: raw `inputSchema` and `outputSchema`. Out: the set of types at a path, or nothing where the schema is
//! silent. References are followed inside the document only, to a bounded depth. Not here: validation.

use serde_json::Value;

/// Deepest chain of references and combinators that is followed.
const MAX_SCHEMA_DEPTH: u32 = 64;
/// Schemas that are looked at for one position: choices of choices that refer to themselves would never end.
const MAX_SCHEMA_STEPS: u32 = 4096;

/// One step from the root of the arguments or of the structured content.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Step {
    /// Member with this key.
    Key(String),
    /// Element of an array.
    Index(usize),
}

/// The JSON types that a schema allows at a position.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Types {
    pub(crate) string: bool,
    pub(crate) integer: bool,
    pub(crate) number: bool,
    pub(crate) boolean: bool,
}

impl Types {
    fn union(self, other: Self) -> Self {
        Self {
            string: self.string || other.string,
            integer: self.integer || other.integer,
            number: self.number || other.number,
            boolean: self.boolean || other.boolean,
        }
    }
}

/// A tool's schemas. Unreadable or absent ones say nothing.
#[derive(Clone, Debug, Default)]
pub struct ToolSchema {
    input: Option<Value>,
    output: Option<Value>,
}

impl ToolSchema {
    /// Reads the raw bytes of the two schemas.
    #[must_use]
    pub fn parse(input: Option<&[u8]>, output: Option<&[u8]>) -> Self {
        let read = |bytes: &[u8]| serde_json::from_slice(bytes).ok();
        Self { input: input.and_then(read), output: output.and_then(read) }
    }

    /// Types that the arguments may have at `path`; `None` where the schema does not say.
    pub(crate) fn input_types(&self, path: &[Step]) -> Option<Types> {
        types_at(self.input.as_ref()?, path)
    }

    /// Types that the structured content may have at `path`; `None` where the schema does not say.
    pub(crate) fn output_types(&self, path: &[Step]) -> Option<Types> {
        types_at(self.output.as_ref()?, path)
    }
}

fn types_at(root: &Value, path: &[Step]) -> Option<Types> {
    Walk { root, steps: 0 }.types(root, path, 0)
}

struct Walk<'a> {
    root: &'a Value,
    steps: u32,
}

impl Walk<'_> {
    fn types(&mut self, schema: &Value, path: &[Step], depth: u32) -> Option<Types> {
        self.steps += 1;
        if depth > MAX_SCHEMA_DEPTH || self.steps > MAX_SCHEMA_STEPS {
            return None;
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(reference.strip_prefix('#')?)?;
            return self.types(target, path, depth + 1);
        }
        let choices =
            ["anyOf", "oneOf", "allOf"].iter().filter_map(|name| schema.get(name)?.as_array()).flatten();
        let mut combined: Option<Types> = None;
        for choice in choices {
            if let Some(types) = self.types(choice, path, depth + 1) {
                combined = Some(combined.map_or(types, |others| others.union(types)));
            }
        }
        if combined.is_some() {
            return combined;
        }
        let Some((step, rest)) = path.split_first() else { return own_types(schema) };
        let next = match step {
            Step::Key(key) => schema
                .get("properties")
                .and_then(|properties| properties.get(key))
                .or_else(|| schema.get("additionalProperties"))?,
            Step::Index(index) => schema
                .get("prefixItems")
                .and_then(|items| items.get(*index))
                .or_else(|| schema.get("items"))?,
        };
        self.types(next, rest, depth + 1)
    }
}

fn own_types(schema: &Value) -> Option<Types> {
    let mut types = Types::default();
    let mut add = |name: &str| match name {
        "string" => types.string = true,
        "integer" => types.integer = true,
        "number" => types.number = true,
        "boolean" => types.boolean = true,
        _ => {}
    };
    match schema.get("type")? {
        Value::String(name) => add(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).for_each(add),
        _ => return None,
    }
    Some(types)
}

#[cfg(test)]
mod tests {
    use super::{Step, ToolSchema};

    #[test]
    fn types_are_found_through_references_arrays_and_choices() {
        let schema = ToolSchema::parse(
            Some(
                br##"{"type":"object","properties":{
                "a":{"type":"integer"},
                "b":{"$ref":"#/$defs/name"},
                "c":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"}]}},
                "loop":{"$ref":"#/properties/loop"}},
                "additionalProperties":{"type":["string","null"]},
                "$defs":{"name":{"type":"string"}}}"##,
            ),
            None,
        );
        let key = |name: &str| Step::Key(name.to_owned());
        let types = |path: &[Step]| schema.input_types(path);
        assert!(types(&[key("a")]).is_some_and(|t| t.integer && !t.string));
        assert!(types(&[key("b")]).is_some_and(|t| t.string));
        assert!(types(&[key("c"), Step::Index(3)]).is_some_and(|t| t.string && t.number));
        assert!(types(&[key("zzz")]).is_some_and(|t| t.string));
        assert_eq!(types(&[key("loop")]), None);
        assert_eq!(types(&[key("a"), key("x")]), None);
        let bomb =
            br##"{"properties":{"x":{"anyOf":[{"$ref":"#/properties/x"},{"$ref":"#/properties/x"}]}}}"##;
        assert_eq!(ToolSchema::parse(Some(bomb), None).input_types(&[key("x")]), None, "and it ends");
        assert_eq!(ToolSchema::parse(Some(b"not json"), None).input_types(&[]), None);
    }
}
