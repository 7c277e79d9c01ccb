//! Literals of a JavaScript file: objects, lists and texts, without running it.
//!
//! In: source text from the start of a literal. Out: the texts in it, each with the keys that lead to it. A text
//! followed by ``.split(`x`)`` is several texts. Not here: anything that is no literal ends the reading.

/// The texts of the literal that `source` begins with, each with the keys above it.
pub(super) fn texts(source: &str) -> Vec<(Vec<String>, String)> {
    let mut reader = Reader { rest: source, keys: Vec::new(), texts: Vec::new() };
    reader.value();
    reader.texts
}

struct Reader<'a> {
    rest: &'a str,
    keys: Vec<String>,
    texts: Vec<(Vec<String>, String)>,
}

impl Reader<'_> {
    /// One value; `None` when it is no literal that is known.
    fn value(&mut self) -> Option<()> {
        match self.rest.chars().next()? {
            '{' => self.object(),
            '[' => self.list(),
            '`' | '"' | '\'' => {
                let text = self.text()?;
                match self.split_by() {
                    None => self.texts.push((self.keys.clone(), text)),
                    Some(separator) => {
                        for part in text.split(separator.as_str()) {
                            self.texts.push((self.keys.clone(), part.to_owned()));
                        }
                    }
                }
                Some(())
            }
            _ => {
                let end = self.rest.find([',', '}', ']', '{', '['])?;
                self.skip(end)
            }
        }
    }

    fn object(&mut self) -> Option<()> {
        self.skip(1)?;
        while !self.rest.starts_with('}') {
            let key = match self.rest.chars().next()? {
                '`' | '"' | '\'' => self.text()?,
                _ => {
                    let end = self.rest.find([':', ',', '}'])?;
                    let key = self.rest.get(..end)?.to_owned();
                    self.skip(end)?;
                    key
                }
            };
            self.rest = self.rest.strip_prefix(':')?;
            self.keys.push(key);
            self.value()?;
            self.keys.pop();
            self.rest = self.rest.strip_prefix(',').unwrap_or(self.rest);
        }
        self.skip(1)
    }

    fn list(&mut self) -> Option<()> {
        self.skip(1)?;
        while !self.rest.starts_with(']') {
            self.value()?;
            self.rest = self.rest.strip_prefix(',').unwrap_or(self.rest);
        }
        self.skip(1)
    }

    /// A quoted text; none holds an escape that matters here.
    fn text(&mut self) -> Option<String> {
        let quote = self.rest.chars().next()?;
        let body = self.rest.get(1..)?;
        let mut escaped = false;
        let end = body.char_indices().find(|(_, c)| {
            let ends = *c == quote && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        let (end, _) = end?;
        let text = body.get(..end)?.replace('\\', "");
        self.skip(end + 2)?;
        Some(text)
    }

    fn split_by(&mut self) -> Option<String> {
        self.rest = self.rest.strip_prefix(".split(")?;
        let separator = self.text()?;
        self.rest = self.rest.strip_prefix(')')?;
        Some(separator)
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.rest = self.rest.get(bytes..)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::texts;

    #[test]
    fn texts_are_read_with_their_keys() {
        let source = "{female:`Ann.Bea`.split(`.`),generic:[`O'Neil`,\"x\"],male:{\"a\":1,b:[{value:`c`,weight:2}]}};rest";
        let found: Vec<(String, String)> =
            texts(source).into_iter().map(|(keys, text)| (keys.join("/"), text)).collect();
        let expected = [
            ("female", "Ann"),
            ("female", "Bea"),
            ("generic", "O'Neil"),
            ("generic", "x"),
            ("male/b/value", "c"),
        ];
        assert_eq!(found, expected.map(|(keys, text)| (keys.to_owned(), text.to_owned())));
    }
}
