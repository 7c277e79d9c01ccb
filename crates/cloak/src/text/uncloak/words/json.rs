//! Where a text is JSON, so that what is put back must be escaped.
//!
//! In: a text. Out: ranges that are JSON: the whole text, or what stands between code fences. Not here: reading it.

use std::ops::Range;

use cloakgate_json::scan;

/// Parts of a text that are JSON.
pub(crate) struct Quoted(Vec<Range<usize>>);

const FENCE: &str = "```";

impl Quoted {
    /// Looks for JSON in a text.
    pub(crate) fn of(text: &str) -> Self {
        if is_json(text) {
            return Self(std::iter::once(0..text.len()).collect());
        }
        let mut ranges = Vec::new();
        let mut rest = 0;
        while let Some(open) = text.get(rest..).and_then(|rest| rest.find(FENCE)) {
            let from = rest + open + FENCE.len();
            let Some(line) = text.get(from..).and_then(|rest| rest.find('\n')) else { break };
            let start = from + line + 1;
            let Some(close) = text.get(start..).and_then(|rest| rest.find(FENCE)) else { break };
            if text.get(start..start + close).is_some_and(is_json) {
                ranges.push(start..start + close);
            }
            rest = start + close + FENCE.len();
        }
        Self(ranges)
    }

    fn holds(&self, at: usize) -> bool {
        let after = self.0.partition_point(|range| range.end <= at);
        self.0.get(after).is_some_and(|range| range.contains(&at))
    }

    /// What is written at a place: escaped where that is JSON.
    pub(crate) fn written(&self, at: usize, value: String) -> String {
        let special = |letter: char| matches!(letter, '"' | '\\') || letter.is_control();
        if !value.contains(special) || !self.holds(at) {
            return value;
        }
        let quoted = serde_json::Value::String(value.clone()).to_string();
        quoted.get(1..quoted.len().saturating_sub(1)).map_or(value, str::to_owned)
    }
}

fn is_json(text: &str) -> bool {
    let text = text.trim();
    let opens =
        (text.starts_with('{') && text.ends_with('}')) || (text.starts_with('[') && text.ends_with(']'));
    opens && scan(text.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::Quoted;

    #[test]
    fn values_are_escaped_where_json_is() {
        let value = || "a \"b\"\nc".to_owned();
        let text = "\"x\": see\n```json\n{\"x\": 1}\n```\nend";
        let quoted = Quoted::of(text);
        assert_eq!(quoted.written(2, value()), value());
        assert_eq!(quoted.written(text.find("x\": 1").unwrap(), value()), "a \\\"b\\\"\\nc");
        assert_eq!(Quoted::of(" [1] ").written(1, value()), "a \\\"b\\\"\\nc");
        assert_eq!(Quoted::of("{{NAME}}").written(1, value()), value());
    }
}
