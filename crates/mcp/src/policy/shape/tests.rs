//! Values that fit a shape, and values of the same place that do not.

use std::borrow::Cow;

use cloakgate_json::{Kind, NodeId};

use super::{AUDIENCES, LEVELS, Shape, TYPES};

/// Whether the JSON value fits.
fn fits(shape: Shape, json: &str) -> bool {
    let document = cloakgate_json::scan(json.as_bytes()).expect("valid JSON");
    let kind = document.kind(NodeId::ROOT);
    let text = || match kind {
        Kind::Number => Some(Cow::Borrowed(json)),
        _ => document.text(json.as_bytes(), NodeId::ROOT),
    };
    shape.fits(kind, text)
}

#[test]
fn a_shape_admits_one_kind_of_value() {
    let values = [r#"["x"]"#, r#"{"a":1}"#, "true", "null", "7", r#""jane@example.eu""#, "4111111111111111"];
    for (shape, admitted) in [
        (Shape::Container, &values[..2]),
        (Shape::Flag, &values[2..3]),
        (Shape::Amount, &values[4..5]),
        (Shape::Reference, &values[4..5]),
        (Shape::OneOf(TYPES), &[]),
        (Shape::Method, &[]),
        (Shape::Version, &[]),
        (Shape::MediaType, &[]),
        (Shape::Timestamp, &[]),
        (Shape::Sizes, &[]),
        (Shape::TraceParent, &[]),
        (Shape::TraceState, &[]),
        (Shape::PictureUri, &[]),
        (Shape::WebUri, &[]),
        (Shape::Base64, &[]),
        (Shape::Any, &values[..]),
    ] {
        let found: Vec<_> = values.into_iter().filter(|value| fits(shape, value)).collect();
        assert_eq!(found, admitted, "{shape:?}");
    }
}

#[test]
fn numbers_have_few_digits() {
    for (shape, number, expected) in [
        (Shape::Amount, "0", true),
        (Shape::Amount, "-32601", true),
        (Shape::Amount, "1.5e3", true),
        (Shape::Amount, "99999999999", true),
        (Shape::Amount, "100000000000", false),
        (Shape::Amount, "4111111111111111", false),
        (Shape::Amount, "41111111111.11111", false),
        (Shape::Fraction, "0.75", true),
        (Shape::Fraction, "1", true),
        (Shape::Fraction, "1.01", false),
        (Shape::Fraction, "-0.1", false),
        (Shape::Fraction, "0.4111111111111111", false),
        (Shape::Fraction, "33612345678", false),
    ] {
        assert_eq!(fits(shape, number), expected, "{shape:?} {number}");
    }
}

#[test]
fn strings_have_the_form_of_their_place() {
    for (shape, text, expected) in [
        (Shape::OneOf(TYPES), "resource_link", true),
        (Shape::OneOf(TYPES), "Resource_link", false),
        (Shape::OneOf(AUDIENCES), "marie", false),
        (Shape::OneOf(LEVELS), "warning", true),
        (Shape::Method, "tools/call", true),
        (Shape::Method, "notifications/message", true),
        (Shape::Method, "notifications/jane.leak", false),
        (Shape::Version, "2025-11-25", true),
        (Shape::Version, "1984-03-12", false),
        (Shape::Version, "2025-11-2", false),
        (Shape::MediaType, "text/plain", true),
        (Shape::MediaType, "text/html;profile=mcp-app", true),
        (Shape::MediaType, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", true),
        (Shape::MediaType, "text/plain; charset=\\\"utf-8\\\"", true),
        (Shape::MediaType, "text/plain; name=marie", false),
        (Shape::MediaType, "text/plain; charset=marie@example.eu", false),
        (Shape::MediaType, "marie/dubois", false),
        (Shape::MediaType, "text/555-0143", false),
        (Shape::MediaType, "text/12025550143", false),
        (Shape::MediaType, "text", false),
        (Shape::Timestamp, "2025-01-12T15:00:58Z", true),
        (Shape::Timestamp, "2025-01-12T15:00:58.123456+02:00", true),
        (Shape::Timestamp, "2025-01-12t15:00:58", true),
        (Shape::Timestamp, "1984-03-12", false),
        (Shape::Timestamp, "2025-01-12T15:00:58.4111111111111111Z", false),
        (Shape::Timestamp, "2025-01-12T15:00:58 marie", false),
        (Shape::Sizes, "48x48", true),
        (Shape::Sizes, "any", true),
        (Shape::Sizes, "555x0143999", false),
        (Shape::Sizes, "AKIAIOSFODNN7EXAMPLE", false),
        (Shape::Reference, "17", true),
        (Shape::Reference, "786512e2-9e0d-44bd-8f29-789f320fe840", true),
        (Shape::Reference, "410000000000", false),
        (Shape::Reference, "marie", false),
        (Shape::Reference, "", false),
        (Shape::TraceParent, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
        (Shape::TraceParent, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-01", false),
        (Shape::TraceState, "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", true),
        (Shape::TraceState, "tenant=marie", false),
        (Shape::TraceState, "rojo=1,mail=jane@example.eu", false),
        (Shape::TraceState, "rojo=4111111111111111", false),
        (Shape::PictureUri, "https://cdn.example.org/icon.png?v=2", true),
        (Shape::PictureUri, "https://jane@cdn.example.org/icon.png", false),
        (Shape::PictureUri, "https://cdn.example.org/icon.png?u=jane%40example.eu", false),
        (Shape::PictureUri, "https://cdn.example.org/4111111111111111", false),
        (Shape::PictureUri, "https://jane", false),
        (Shape::PictureUri, "http://cdn.example.org/icon.png", false),
        (Shape::PictureUri, "javascript:alert(1)", false),
        (
            Shape::PictureUri,
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q",
            true,
        ),
        (Shape::PictureUri, "data:image/png;base64,TWFyaWUx", false),
        (Shape::PictureUri, "data:image/svg+xml,<svg><text>Marie</text></svg>", false),
        (Shape::WebUri, "https://login.example.org/auth?state=a1b2", true),
        (
            Shape::WebUri,
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q",
            false,
        ),
    ] {
        assert_eq!(fits(shape, &format!("\"{text}\"")), expected, "{shape:?} {text}");
    }
}

#[test]
fn base64_is_whole_and_long_or_text() {
    let body = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";
    for (text, expected) in [
        (format!("{body}+/8A"), true),
        (format!("{body}/w=="), true),
        (format!("{body}\\nAAA=\\n"), false),
        (format!("{body}AAA"), false),
        (format!("{body}AAAAA==="), false),
        (format!("{body}_-8A"), false),
        (format!("{body} AAA"), false),
        (format!("{body}jane@example.eu0"), false),
        ("4111111111111111".repeat(5), false),
        ("AKIAIOSFODNN7EXAMPLE".to_owned(), false),
        ("contact dup8@example.eu".to_owned(), false),
        ("Y29udGFjdCBkdXA4QGV4YW1wbGUuZXU=".to_owned(), true), // contact dup8@example.eu
        ("iVBORw0KGgo=".to_owned(), false),
        (String::new(), false),
    ] {
        assert_eq!(fits(Shape::Base64, &format!("\"{text}\"")), expected, "{text}");
    }
}
