//! A finding as people and programs see it: where it is and what, never the value.
//!
//! In: findings of one text. Out: places in code points, lines and columns, a preview that gives nothing away.
//! Invariant: neither the value nor its length is shown.

use cloakgate_vocab::{Category, CodePoints, Detector, Finding, Severity, Strength};
use serde_json::{Value, json};

/// One finding, placed. Offsets, lines and columns count code points; lines and columns begin at 1, ends are
/// exclusive.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Shown {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) from: (usize, usize),
    pub(crate) to: (usize, usize),
    pub(crate) category: Category,
    pub(crate) detector: Detector,
    pub(crate) strength: Strength,
    pub(crate) preview: String,
}

impl Shown {
    /// The findings of a text, one for each extent.
    pub(crate) fn all(text: &str, findings: &[Finding]) -> Vec<Self> {
        let mut points = CodePoints::of(text);
        let mut all = Vec::with_capacity(findings.len());
        for finding in findings {
            for extent in finding.extents(text) {
                let (start, from) = (points.before(extent.start()), points.line_and_column(extent.start()));
                let (end, to) = (points.before(extent.end()), points.line_and_column(extent.end()));
                all.push(Self {
                    start,
                    end,
                    from,
                    to,
                    category: finding.category,
                    detector: finding.detector,
                    strength: finding.strength,
                    preview: preview(finding.category, extent.of(text).unwrap_or_default()),
                });
            }
        }
        all
    }

    /// How bad it is if it gets out.
    pub(crate) fn severity(&self) -> Severity {
        self.category.severity()
    }

    /// As JSON.
    pub(crate) fn json(&self) -> Value {
        json!({
            "start": self.start,
            "end": self.end,
            "line": self.from.0,
            "column": self.from.1,
            "end_line": self.to.0,
            "end_column": self.to.1,
            "category": self.category.name(),
            "label": self.category.label(),
            "severity": self.severity().name(),
            "detector": self.detector.0,
            "strength": self.strength.name(),
            "score": self.strength.score(),
        })
    }
}

/// The first letter and dots; of secrets dots alone.
pub(crate) fn preview(category: Category, value: &str) -> String {
    let first = value.chars().next().filter(|c| c.is_alphanumeric() && !category.is_secret());
    first.map_or_else(|| "...".to_owned(), |first| format!("{first}..."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloakgate_vocab::Span;

    #[test]
    fn a_finding_is_placed_and_its_value_is_not_shown() {
        let text = "é\nmail m@example.org";
        let finding =
            Finding::new(Category::Email, Span::sized(8, 13), Detector("e-mail"), Strength::Checked);
        let shown = Shown::all(text, &[finding]);
        assert_eq!(shown.len(), 1);
        assert_eq!((shown[0].start, shown[0].end), (7, 20));
        assert_eq!((shown[0].from, shown[0].to), ((2, 6), (2, 19)));
        assert_eq!(shown[0].preview, "m...");
        assert!(!shown[0].json().to_string().contains("example"));
    }

    #[test]
    fn secrets_show_no_letter() {
        assert_eq!(preview(Category::Password, "hunter22"), "...");
        assert_eq!(preview(Category::Phone, "+33 6"), "...");
        assert_eq!(preview(Category::Person, "Éva"), "É...");
    }
}
