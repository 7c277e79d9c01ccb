//! Emphasis that begins or ends inside a stand-in: `**Yuki** Tanaka`.
//!
//! In: a stand-in as it is written. Out: marks that go before and after what is written instead, so that none is left
//! open. Not here: emphasis around it.

/// Marks that open inside and close after it, and marks that close inside and open before it.
pub(super) fn left_open(written: &str) -> (String, String) {
    let (mut before, mut after) = (String::new(), String::new());
    if !written.contains(['*', '`', '~']) {
        return (before, after);
    }
    let mut open: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(run) = written.get(at..).and_then(run_at) {
        let is_mark = run.starts_with(['*', '`', '~']) && run.len() <= 3;
        if is_mark {
            let follows_blank = written.get(..at).is_some_and(|text| text.ends_with(char::is_whitespace));
            match open.iter().rposition(|mark| *mark == run) {
                Some(found) => {
                    open.remove(found);
                }
                None if follows_blank => open.push(run),
                None => after.push_str(run),
            }
        }
        at += run.len();
    }
    before.extend(open);
    // One that closes and one that opens again leave one stretch.
    if before == after { Default::default() } else { (before, after) }
}

/// The run of one character at the start.
fn run_at(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let len = text.chars().take_while(|letter| *letter == first).count() * first.len_utf8();
    text.get(..len)
}

#[cfg(test)]
mod tests {
    use super::left_open;

    #[test]
    fn marks_are_never_left_open() {
        for (written, before, after) in [
            ("Yuki Tanaka", "", ""),
            ("Yuki** Tanaka", "", "**"),
            ("Yuki **Tanaka", "**", ""),
            ("Yuki *van* Tanaka", "", ""),
            ("Yuki** **Tanaka", "", ""),
            ("adult** [A1]", "", "**"),
            ("****1111", "", ""),
        ] {
            let expected = (before.to_owned(), after.to_owned());
            assert_eq!(left_open(written), expected, "{written}");
        }
    }
}
