//! Where a value stands, and how it must be written there.
//!
//! In: a decoded value and a place. Out: the characters that mean that value in that place.
//! Invariant: what is written never ends its place early: no quote closes a JSON string, no `&` a parameter,
//! no `<` opens a tag. Not here: finding out what a place is (`context`).

/// What surrounds a value inside one text.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Context {
    /// Nothing that gives characters a meaning.
    Plain,
    /// A JSON number that was made a string.
    Number,
    /// Path of a URL, or the address of a `mailto:`.
    UrlPath,
    /// Query or fragment of a URL, or a form body.
    UrlQuery,
    /// User name or password in a URL.
    UrlUserinfo,
    /// Host of a URL.
    UrlHost,
    /// A quoted cell of a table with delimiters.
    CsvQuoted,
    /// A bare cell; carries the delimiter.
    CsvBare(u8),
    /// Text between HTML tags.
    HtmlText,
    /// An attribute of an HTML tag.
    HtmlAttribute,
    /// A line of a mail or HTTP head.
    Header,
}

/// A context, inside so many layers of JSON that is kept in strings.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Place {
    /// How often the text is escaped as JSON, the message's own layer not counted.
    pub depth: u8,
    /// What surrounds the value inside the innermost string.
    pub context: Context,
}

/// The value cannot be written at the place in any form: a line break in a header.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Unwritable;

impl Context {
    /// True where brackets may not stand.
    pub(crate) fn is_url(self) -> bool {
        matches!(self, Self::UrlPath | Self::UrlQuery | Self::UrlUserinfo | Self::UrlHost)
    }
}

impl Place {
    /// Writes `value` so that it means itself at this place.
    ///
    /// # Errors
    /// When nothing that could be written means the value.
    pub(crate) fn encode(self, value: &str) -> Result<String, Unwritable> {
        let mut text = match self.context {
            Context::Header if value.contains(['\r', '\n']) => return Err(Unwritable),
            Context::Plain | Context::Number | Context::UrlHost | Context::Header => value.to_owned(),
            Context::UrlPath | Context::UrlQuery | Context::UrlUserinfo => percent(value, self.context),
            Context::CsvQuoted => value.replace('"', "\"\""),
            Context::CsvBare(delimiter) => csv_cell(value, char::from(delimiter)),
            Context::HtmlText => html(value, &[]),
            Context::HtmlAttribute => html(value, &['"', '\'']),
        };
        for _ in 0..self.depth {
            let mut escaped = Vec::with_capacity(text.len() + 8);
            cloakgate_json::encode(&text, &mut escaped);
            text = String::from_utf8(escaped).map_err(|_| Unwritable)?;
        }
        Ok(text)
    }
}

/// Percent-encodes all but the unreserved characters, and `@`, which is plain in paths and queries.
fn percent(value: &str, context: Context) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        let plain = byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'.' | b'_' | b'~')
            || (byte == b'@' && context != Context::UrlUserinfo);
        if plain {
            text.push(char::from(byte));
        } else {
            const HEX: &[u8; 16] = b"0123456789ABCDEF";
            text.push('%');
            for digit in [byte >> 4, byte & 15] {
                text.push(HEX.get(usize::from(digit)).map_or('0', |c| char::from(*c)));
            }
        }
    }
    text
}

fn csv_cell(value: &str, delimiter: char) -> String {
    if value.contains([delimiter, '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}

fn html(value: &str, also: &[char]) -> String {
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' if also.contains(&'"') => text.push_str("&quot;"),
            '\'' if also.contains(&'\'') => text.push_str("&#39;"),
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Context, Place};

    #[test]
    fn values_are_written_for_their_place() {
        let value = "A+b \"O'Neil\" <a&b>, é@x";
        for (context, expected) in [
            (Context::Plain, value.to_owned()),
            (Context::UrlQuery, "A%2Bb%20%22O%27Neil%22%20%3Ca%26b%3E%2C%20%C3%A9@x".to_owned()),
            (Context::UrlUserinfo, "A%2Bb%20%22O%27Neil%22%20%3Ca%26b%3E%2C%20%C3%A9%40x".to_owned()),
            (Context::CsvQuoted, "A+b \"\"O'Neil\"\" <a&b>, é@x".to_owned()),
            (Context::CsvBare(b','), "\"A+b \"\"O'Neil\"\" <a&b>, é@x\"".to_owned()),
            (Context::HtmlText, "A+b \"O'Neil\" &lt;a&amp;b&gt;, é@x".to_owned()),
            (Context::HtmlAttribute, "A+b &quot;O&#39;Neil&quot; &lt;a&amp;b&gt;, é@x".to_owned()),
        ] {
            assert_eq!(Place { depth: 0, context }.encode(value), Ok(expected), "{context:?}");
        }
    }

    #[test]
    fn json_in_json_is_escaped_once_a_layer() {
        let place = |depth| Place { depth, context: Context::Plain };
        assert_eq!(place(1).encode("a\"b\\\n").as_deref(), Ok(r#"a\"b\\\n"#));
        assert_eq!(place(2).encode("\"").as_deref(), Ok(r#"\\\""#));
    }

    #[test]
    fn a_line_break_never_enters_a_header() {
        let place = Place { depth: 0, context: Context::Header };
        assert!(place.encode("a\r\nBcc: x").is_err());
        assert_eq!(place.encode("a b").as_deref(), Ok("a b"));
    }
}
