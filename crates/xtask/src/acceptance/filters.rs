//! What differs from run to run, and is left out before two lines are compared.
//!
//! In: a line. Out: the line with the named parts left out.
//! Invariant: only a step that names a filter has one; leaks are looked for in unfiltered lines.

/// Parts that are not compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Filter {
    /// Everything is compared.
    Nothing,
    /// The times of a file, which stand after their labels.
    FileTimes,
    /// Dates, times of day and days of the week.
    Clock,
}

const LABELS: [&str; 3] = ["created: ", "modified: ", "accessed: "];
const WORDS: [&str; 9] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", " AM", " PM"];

impl Filter {
    /// `line` without what this filter leaves out.
    pub(super) fn apply(self, line: &str) -> String {
        match self {
            Self::Nothing => line.to_owned(),
            Self::FileTimes => LABELS.iter().fold(line.to_owned(), |text, label| unlabelled(&text, label)),
            Self::Clock => {
                WORDS.iter().fold(without_clock(line), |text, word| text.replace(word, " (clock)"))
            }
        }
    }
}

/// `text` without what follows each `label` up to the end of its line.
fn unlabelled(text: &str, label: &str) -> String {
    let mut parts = text.split(label);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(label);
        kept.push_str(part.get(part.find(['\\', '"']).unwrap_or(part.len())..).unwrap_or_default());
    }
    kept
}

/// `text` with one word in the place of each run of digits that has a colon between digits.
fn without_clock(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit() && !":-+T.".contains(c)).unwrap_or(rest.len())
        } else {
            rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len())
        };
        let (run, after) = rest.split_at(length);
        let is_clock = first.is_ascii_digit()
            && run.split(':').filter(|part| part.ends_with(|c: char| c.is_ascii_digit())).count() > 1;
        kept.push_str(if is_clock { "(clock)" } else { run });
        rest = after;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[test]
    fn only_the_named_parts_are_left_out() {
        let files = r#"{"text":"size: 3\ncreated: Mon\nmodified: Tue"}"#;
        let cases = [
            (Filter::Nothing, files, files),
            (Filter::FileTimes, files, r#"{"text":"size: 3\ncreated: \nmodified: "}"#),
            (
                Filter::Clock,
                r#"{"at":"2026-11-30T19:14:23+01:00","id":2,"day":"Monday"}"#,
                r#"{"at":"(clock)","id":2,"day":" (clock)"}"#,
            ),
            (Filter::Clock, "created at 6:15:46 PM", "created at (clock) (clock)"),
            (Filter::Clock, r#"{"a":1,"b":2.5,"c":"+8.0h"}"#, r#"{"a":1,"b":2.5,"c":"+8.0h"}"#),
        ];
        for (filter, line, expected) in cases {
            assert_eq!(filter.apply(line), expected, "{filter:?} {line}");
        }
    }
}
