//! A text made of what stays and of slots, and the judgement of what came out of restoring it.

use cloakgate_vocab::Span;

use super::people::Slot;
use crate::text::session::Replaced;

/// Part of a text.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// The text's own words.
    Own(String),
    /// A value and what is shown for it.
    Value { original: String, shown: String, slot: Slot },
}

/// A text in both forms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text(pub(crate) Vec<Part>);

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Verdict {
    Exact,
    /// Some stand-ins are left.
    Safe,
    /// Anything else.
    Wrong,
}

impl Text {
    pub(crate) fn own(text: &str) -> Self {
        Self(vec![Part::Own(text.to_owned())])
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    pub(crate) fn join(texts: &[Self], between: &str) -> Self {
        let mut all = Self::default();
        for (number, text) in texts.iter().enumerate() {
            if number > 0 {
                all.add(&Self::own(between));
            }
            all.add(text);
        }
        all
    }

    pub(crate) fn cloaked(&self) -> String {
        let shown = |part: &Part| match part {
            Part::Own(text) => text.clone(),
            Part::Value { shown, .. } => shown.clone(),
        };
        self.0.iter().map(shown).collect()
    }

    pub(crate) fn original(&self) -> String {
        let original = |part: &Part| match part {
            Part::Own(text) => text.clone(),
            Part::Value { original, .. } => original.clone(),
        };
        self.0.iter().map(original).collect()
    }

    /// What was replaced, for the record.
    pub(crate) fn replaced(&self) -> Vec<Replaced> {
        let (mut at, mut all) = (0, Vec::new());
        for part in &self.0 {
            match part {
                Part::Own(text) => at += text.len(),
                Part::Value { original, shown, slot } => {
                    let span = Span::sized(at, shown.len());
                    let (original, unique) = (original.clone(), slot.is_name());
                    all.push(Replaced { at: span, original, field: slot.field(), unique });
                    at += shown.len();
                }
            }
        }
        all
    }

    /// The text with each part changed: own words, shown words and originals alike.
    pub(crate) fn map(&self, change: impl Fn(&str, Option<Slot>) -> String) -> Self {
        let one = |part: &Part| match part {
            Part::Own(text) => Part::Own(change(text, None)),
            Part::Value { original, shown, slot } => Part::Value {
                original: change(original, Some(*slot)),
                shown: change(shown, Some(*slot)),
                slot: *slot,
            },
        };
        Self(self.0.iter().map(one).collect())
    }
}

/// Judges what came back: all values, some values and some stand-ins, or something else.
pub(crate) fn judge(message: &Text, came: &str) -> Verdict {
    // All ways to read the output as the parts in order: ends that are reached, and whether all so far are values.
    let mut ends: Vec<(usize, bool)> = vec![(0, true)];
    for part in &message.0 {
        let mut next: Vec<(usize, bool)> = Vec::new();
        for (end, exact) in ends {
            let mut step = |text: &str, exact: bool| {
                if came.get(end..).is_some_and(|rest| rest.starts_with(text))
                    && !next.contains(&(end + text.len(), exact))
                {
                    next.push((end + text.len(), exact));
                }
            };
            match part {
                Part::Own(text) => step(text, exact),
                Part::Value { original, shown, .. } => {
                    step(original, exact);
                    step(shown, false);
                }
            }
        }
        ends = next;
    }
    if ends.contains(&(came.len(), true)) {
        Verdict::Exact
    } else if ends.contains(&(came.len(), false)) {
        Verdict::Safe
    } else {
        Verdict::Wrong
    }
}
