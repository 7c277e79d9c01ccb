//! Results of the tools, as members of a JSON object.
//!
//! Invariant: the text is the same JSON as the structured content, byte for byte once it is unescaped.

use std::fmt::Write as _;

use cloakgate_cloak::text::{Access, Uncloaked};
use cloakgate_json::encode;

use crate::texts::CloakedTexts;

/// What is in the way of escapes and names around two copies of a text.
const AROUND_BYTES: usize = 256;

/// Whether one text was sent or a list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shape {
    /// `message`.
    One,
    /// `messages`.
    Several,
}

/// The answer of `cloak`.
pub(super) fn cloaked(cloaked: &CloakedTexts, shape: Shape) -> String {
    let length: usize = cloaked.texts.iter().map(String::len).sum();
    let mut content = Vec::with_capacity(length + length / 8 + AROUND_BYTES);
    content.extend_from_slice(br#"{"result":""#);
    for (index, text) in cloaked.texts.iter().enumerate() {
        if index > 0 {
            content.extend_from_slice(br"\n");
        }
        encode(text, &mut content);
    }
    content.extend_from_slice(br#"","id":""#);
    content
        .extend_from_slice(cloaked.id.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer()).as_bytes());
    content.push(b'"');
    if shape == Shape::Several {
        content.extend_from_slice(br#","results":["#);
        for (index, text) in cloaked.texts.iter().enumerate() {
            content.extend_from_slice(if index > 0 { br#",""# } else { br#"""# });
            encode(text, &mut content);
            content.push(b'"');
        }
        content.push(b']');
    }
    content.push(b'}');
    let mut meta = r#""cloakgate/counts":{"#.to_owned();
    for (index, (field, count)) in cloaked.counts.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(meta, r#"{comma}"{field}":{count}"#);
    }
    meta.push('}');
    let end = cloaked.expires_at.and_then(|end| jiff::Timestamp::from_millisecond(end.millis()).ok());
    if let Some(end) = end {
        let _ = write!(meta, r#","cloakgate/expires_at":"{end}""#);
    }
    members(content, &meta)
}

/// The answer of `uncloak`. To a key that may not see everything it says how much was masked and withheld.
pub(super) fn uncloaked(uncloaked: &Uncloaked, id: &str, access: Access) -> String {
    let mut content = Vec::with_capacity(uncloaked.text.len() + uncloaked.text.len() / 8 + AROUND_BYTES);
    content.extend_from_slice(br#"{"result":""#);
    encode(&uncloaked.text, &mut content);
    content.extend_from_slice(br#"","id":""#);
    encode(id, &mut content);
    content.extend_from_slice(br#""}"#);
    let Uncloaked { restored, masked, withheld, unresolved, .. } = uncloaked;
    let mut counts = format!(r#""restored":{restored},"unresolved":{unresolved}"#);
    if !access.is_everything() {
        // Writing to a string cannot fail.
        let _ = write!(counts, r#","masked":{masked},"withheld":{withheld}"#);
    }
    members(content, &format!(r#""cloakgate/counts":{{{counts}}}"#))
}

/// The answer to a call that the caller can mend.
pub(super) fn refused(text: &str) -> String {
    let text = cloakgate_mcp::errors::quoted(text);
    format!(r#""content":[{{"type":"text","text":{text}}}],"isError":true"#)
}

fn members(content: Vec<u8>, meta: &str) -> String {
    let content = text(content);
    let mut members = Vec::with_capacity(content.len() * 2 + content.len() / 4 + AROUND_BYTES);
    members.extend_from_slice(br#""content":[{"type":"text","text":""#);
    encode(&content, &mut members);
    members.extend_from_slice(br#""}],"structuredContent":"#);
    members.extend_from_slice(content.as_bytes());
    members.extend_from_slice(br#","_meta":{"#);
    members.extend_from_slice(meta.as_bytes());
    members.push(b'}');
    text(members)
}

/// Bytes that were put together from texts, as a text.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use cloakgate_cloak::text::Field;
    use uuid::Uuid;

    use super::*;

    fn read(members: &str) -> serde_json::Value {
        let answer: serde_json::Value = serde_json::from_str(&format!("{{{members}}}")).expect("JSON");
        let text = answer["content"][0]["text"].as_str().expect("a text");
        if answer.get("isError").is_none() {
            let copy: serde_json::Value = serde_json::from_str(text).expect("the text is JSON");
            assert_eq!(copy, answer["structuredContent"]);
        }
        answer
    }

    #[test]
    fn texts_stand_there_twice_and_counts_beside_them() {
        let id = Uuid::from_u128(5);
        let mut texts = CloakedTexts {
            texts: vec!["a \"b\"\n\u{e9}\\".to_owned()],
            id,
            counts: [(Field::Name, 2), (Field::Age, 1)].into(),
            expires_at: None,
        };
        let answer = read(&cloaked(&texts, Shape::One));
        let expected = serde_json::json!({"result": "a \"b\"\n\u{e9}\\", "id": id.to_string()});
        assert_eq!(answer["structuredContent"], expected);
        assert_eq!(answer["_meta"], serde_json::json!({"cloakgate/counts": {"name": 2, "age": 1}}));

        texts.texts.push("c".to_owned());
        texts.counts.clear();
        texts.expires_at = Some(cloakgate_vault::Moment::from_millis(0));
        let answer = read(&cloaked(&texts, Shape::Several));
        assert_eq!(answer["structuredContent"]["result"], "a \"b\"\n\u{e9}\\\nc");
        assert_eq!(answer["structuredContent"]["results"], serde_json::json!(["a \"b\"\n\u{e9}\\", "c"]));
        assert_eq!(answer["_meta"]["cloakgate/expires_at"], "1970-01-01T00:00:00Z");

        let back = Uncloaked { text: "x".to_owned(), restored: 3, masked: 0, withheld: 2, unresolved: 1 };
        let answer = read(&uncloaked(&back, "i", Access::NOTHING));
        let counts = serde_json::json!({"restored": 3, "unresolved": 1, "masked": 0, "withheld": 2});
        assert_eq!(answer["_meta"]["cloakgate/counts"], counts);
        let answer = read(&uncloaked(&back, "i", Access::EVERYTHING));
        assert_eq!(answer["structuredContent"], serde_json::json!({"result": "x", "id": "i"}));
        assert_eq!(answer["_meta"]["cloakgate/counts"], serde_json::json!({"restored": 3, "unresolved": 1}));

        let answer = read(&refused("no \"x\""));
        assert_eq!((&answer["isError"], answer.get("structuredContent")), (&true.into(), None));
    }
}
