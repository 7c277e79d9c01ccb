//! What a tool's schemas allow at a position: which types, does this text fit, does the whole obey.
//!
//! In: raw `inputSchema` and `outputSchema`. Out: the set of types at a path, or nothing where the schema is
//! silent; whether a value fits, as far as we understand the schema. References are followed inside the document
//! only, to a bounded depth. Not here: what stands where a token does not fit.

mod check;
mod format;

use serde_json::{Map, Value};

use check::{Checker, Patterns};

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
    output_patterns: Patterns,
    /// The input schema says more of some text than that it is one.
    input_constrains: bool,
}

/// Keywords that say more of a text than that it is one.
const OF_TEXTS: [&str; 4] = ["format", "pattern", "maxLength", "minLength"];

impl ToolSchema {
    /// Reads the raw bytes of the two schemas.
    #[must_use]
    pub fn parse(input: Option<&[u8]>, output: Option<&[u8]>) -> Self {
        let read = |bytes: &[u8]| serde_json::from_slice(bytes).ok();
        let output: Option<Value> = output.and_then(read);
        let output_patterns = output.as_ref().map(Patterns::of).unwrap_or_default();
        let input: Option<Value> = input.and_then(read);
        let constrains =
            |members: &Map<String, Value>| OF_TEXTS.iter().any(|name| members.contains_key(*name));
        let input_constrains = input.as_ref().is_some_and(|root| some_object(root, &constrains));
        Self { input, output, output_patterns, input_constrains }
    }

    /// Whether there is an output schema.
    pub(crate) fn has_output(&self) -> bool {
        self.output.is_some()
    }

    /// Whether `leaf` may stand at `path` of the structured content.
    pub(crate) fn output_fits(&self, path: &[Step], leaf: &Value) -> bool {
        let Some(root) = &self.output else { return true };
        Checker::new(root, &self.output_patterns).fits(path, leaf)
    }

    /// Whether the structured content obeys the output schema.
    pub(crate) fn output_obeyed(&self, instance: &Value) -> bool {
        let Some(root) = &self.output else { return true };
        Checker::new(root, &self.output_patterns).obeys(instance)
    }

    /// A JSON pointer to `path`, in which keys that the output schema does not name are left out: they came from a
    /// server and may say anything.
    pub(crate) fn output_pointer(&self, path: &[Step]) -> String {
        let mut pointer = String::new();
        for step in path {
            pointer.push('/');
            match step {
                Step::Key(key) if self.output.as_ref().is_some_and(|root| names_key(root, key)) => {
                    pointer.push_str(key);
                }
                Step::Key(_) => pointer.push('*'),
                Step::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }

    /// Whether the input schema says more of any text than that it is one.
    pub(crate) fn constrains_input(&self) -> bool {
        self.input_constrains
    }

    /// Whether the input schema says more of a text at `path` than that it is one.
    pub(crate) fn input_constrains(&self, path: &[Step]) -> bool {
        let Some(root) = &self.input else { return false };
        let mut walk = Walk { root, steps: 0 };
        walk.constrained(root, path, 0)
    }

    /// Types that the arguments may have at `path`; `None` where the schema does not say.
    pub(crate) fn input_types(&self, path: &[Step]) -> Option<Types> {
        types_at(self.input.as_ref()?, path)
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
        self.types(below(schema, step)?, rest, depth + 1)
    }

    fn constrained(&mut self, schema: &Value, path: &[Step], depth: u32) -> bool {
        self.steps += 1;
        if depth > MAX_SCHEMA_DEPTH || self.steps > MAX_SCHEMA_STEPS {
            return false;
        }
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#'));
        if let Some(target) = target.and_then(|to| self.root.pointer(to))
            && self.constrained(target, path, depth + 1)
        {
            return true;
        }
        let mut choices =
            ["anyOf", "oneOf", "allOf"].iter().filter_map(|name| schema.get(name)?.as_array()).flatten();
        if choices.any(|choice| self.constrained(choice, path, depth + 1)) {
            return true;
        }
        match path.split_first() {
            None => OF_TEXTS.iter().any(|name| schema.get(name).is_some()),
            Some((step, rest)) => {
                below(schema, step).is_some_and(|schema| self.constrained(schema, rest, depth + 1))
            }
        }
    }
}

/// The schema of a member or element.
fn below<'a>(schema: &'a Value, step: &Step) -> Option<&'a Value> {
    match step {
        Step::Key(key) => schema
            .get("properties")
            .and_then(|properties| properties.get(key))
            .or_else(|| schema.get("additionalProperties")),
        Step::Index(index) => {
            schema.get("prefixItems").and_then(|items| items.get(*index)).or_else(|| schema.get("items"))
        }
    }
}

/// Whether a schema names a member so, anywhere.
fn names_key(root: &Value, key: &str) -> bool {
    some_object(root, &|members| {
        members.get("properties").is_some_and(|properties| properties.get(key).is_some())
    })
}

/// Whether `wanted` is true for an object anywhere inside.
fn some_object(root: &Value, wanted: &dyn Fn(&Map<String, Value>) -> bool) -> bool {
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                if wanted(members) {
                    return true;
                }
                open.extend(members.values());
            }
            Value::Array(elements) => open.extend(elements),
            _ => {}
        }
    }
    false
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
    use serde_json::{Value, json};

    use super::{Step, ToolSchema};

    fn output(schema: &Value) -> ToolSchema {
        ToolSchema::parse(None, Some(schema.to_string().as_bytes()))
    }

    #[test]
    fn values_fit_or_not_at_their_path() {
        let schema = output(&json!({
            "type": "object",
            "properties": {
                "mail": {"$ref": "#/$defs/mail"},
                "rows": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 3}]}},
                "kind": {"enum": ["a", "b"]},
                "only": {"const": 7},
                "code": {"allOf": [{"type": "string"}, {"pattern": "^[A-Z]+$"}, {"minLength": 2}]},
                "maybe": {"anyOf": [{"type": "object", "properties": {"n": {"type": "integer"}}}, {"type": "null"}]},
                "odd": {"pattern": "^(?=x)x"},
                "never": false,
            },
            "patternProperties": {"^x_": {"type": "number", "minimum": 5}},
            "additionalProperties": {"type": ["string", "null"]},
            "$defs": {"mail": {"type": "string", "format": "email"}},
        }));
        let key = |name: &str| vec![Step::Key(name.to_owned())];
        let row = vec![Step::Key("rows".to_owned()), Step::Index(4)];
        for (path, good, bad) in [
            (key("mail"), json!("a@example.org"), json!("[EMAIL_0_k7q]")),
            (row.clone(), json!(12), json!("long")),
            (row, json!("abc"), json!(1.5)),
            (key("kind"), json!("a"), json!("c")),
            (key("only"), json!(7), json!("7")),
            (key("code"), json!("AB"), json!("A")),
            (key("code"), json!("AB"), json!("Ab")),
            (key("x_1"), json!(5), json!(4)),
            (key("other"), json!(null), json!(1)),
            ([key("maybe"), key("n")].concat(), json!(1), json!("1")),
        ] {
            assert!(schema.output_fits(&path, &good), "{path:?} {good}");
            assert!(!schema.output_fits(&path, &bad), "{path:?} {bad}");
        }
        assert!(
            schema.output_fits(&key("odd"), &json!("y")),
            "a pattern that is not understood says nothing"
        );
        assert!(!schema.output_fits(&key("never"), &json!(1)));
        assert!(ToolSchema::default().output_fits(&key("mail"), &json!(1)));
    }

    #[test]
    fn whole_values_obey_or_not() {
        let schema = output(&json!({
            "type": "object", "required": ["a"], "propertyNames": {"maxLength": 5}, "not": {"required": ["no"]},
            "properties": {"a": {"oneOf": [{"type": "string"}, {"type": "integer"}]}, "self": {"$ref": "#"}},
            "if": {"required": ["x"]}, "then": {"required": ["y"]},
        }));
        for (value, obeys) in [
            (json!({"a": 1}), true),
            (json!({"a": 1, "self": {"a": "b"}}), true),
            (json!({"a": 1, "self": {"b": "b"}}), false),
            (json!({}), false),
            (json!({"a": 1.5}), false),
            (json!({"a": 1, "long key": 1}), false),
            (json!({"a": 1, "no": 1}), false),
            (json!({"a": 1, "x": 1}), false),
            (json!({"a": 1, "x": 1, "y": 1}), true),
            (json!([]), false),
        ] {
            assert_eq!(schema.output_obeyed(&value), obeys, "{value}");
        }
    }

    #[test]
    fn pointers_name_what_the_schema_names() {
        let schema = output(&json!({"properties": {"rows": {"items": {"properties": {"mail": {}}}}}}));
        let path = ["rows", "Marie Dubois", "mail"].map(|key| Step::Key(key.to_owned()));
        assert_eq!(schema.output_pointer(&path), "/rows/*/mail");
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = output(
            &json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "oneOf": [{"$ref": "#"}, {"$ref": "#"}]}),
        );
        let _ = schema.output_obeyed(&json!({"a": 1}));
        let _ = schema.output_fits(&[Step::Key("a".to_owned())], &json!(1));
    }

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
        assert!(!schema.input_constrains(&[key("b")]));
        let bomb =
            br##"{"properties":{"x":{"anyOf":[{"$ref":"#/properties/x"},{"$ref":"#/properties/x"}]}}}"##;
        assert_eq!(ToolSchema::parse(Some(bomb), None).input_types(&[key("x")]), None, "and it ends");
        assert_eq!(ToolSchema::parse(Some(b"not json"), None).input_types(&[]), None);
    }
}
