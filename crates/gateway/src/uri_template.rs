//! Templates of addresses, as far as routing needs them.
//!
//! In: an RFC 6570 template and an address. Out: whether the address can come from it. Invariant: linear in template
//! and address for a template of few variables, and never worse than their product; a variable may stand for any
//! text, so a template fits rather too much than too little. Not here: expanding templates, reading variables.

/// One template.
#[derive(Clone, Debug)]
pub(crate) struct UriTemplate {
    text: String,
    literals: Vec<String>, // text between variables; one more than there are variables
}

impl UriTemplate {
    pub(crate) fn new(text: &str) -> Self {
        let mut literals = Vec::new();
        let mut rest = text;
        // An opening brace that is never closed is text.
        while let Some((literal, variable)) = rest.split_once('{') {
            let Some((_, after)) = variable.split_once('}') else { break };
            literals.push(literal.to_owned());
            rest = after;
        }
        literals.push(rest.to_owned());
        Self { text: text.to_owned(), literals }
    }

    /// Whether it was made from this text.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// How many characters of `uri` are not variable, if it can come from the template.
    pub(crate) fn fits(&self, uri: &str) -> Option<usize> {
        let literal_bytes = self.literals.iter().map(String::len).sum();
        let (first, later) = self.literals.split_first()?;
        let mut rest = uri.strip_prefix(first.as_str())?;
        let Some((last, middle)) = later.split_last() else {
            return rest.is_empty().then_some(literal_bytes);
        };
        for literal in middle {
            // The first place is as good as any later one: variables take any text.
            rest = rest.split_once(literal.as_str())?.1;
        }
        rest.ends_with(last.as_str()).then_some(literal_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::UriTemplate;

    #[test]
    fn addresses_fit_the_templates_that_they_can_come_from() {
        for (template, uri, fits) in [
            ("file:///{path}", "file:///a/b", Some(8)),
            ("file:///{+path}", "file:///", Some(8)),
            ("db://{table}/rows/{id}", "db://people/rows/7", Some(11)),
            ("db://{table}/rows/{id}", "db://people/cells/7", None),
            ("db://{table}.json", "db://people.json", Some(10)),
            ("db://{table}.json", "db://people.csv", None),
            ("note:///all", "note:///all", Some(11)),
            ("note:///all", "note:///all2", None),
            ("odd:{", "odd:{", Some(5)),
            ("{anything}", "x", Some(0)),
        ] {
            assert_eq!(UriTemplate::new(template).fits(uri), fits, "{template} {uri}");
        }
    }
}
