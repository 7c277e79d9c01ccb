//! How much is done to find names: what an operator may choose, and what holds where nothing was chosen.

use std::fmt;
use std::str::FromStr;

/// How much is read for a name.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Preset {
    /// The small network, lists and rules.
    Fast,
    /// The transformer, too, for what is undecided; a name needs two voices or a good reason.
    #[default]
    Balanced,
    /// Whatever any of them says.
    Recall,
}

/// How much is done to find names in running text: nothing, or what a preset does.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Effort(Option<Preset>);

impl Effort {
    /// No model is loaded.
    pub const OFF: Self = Self(None);
    /// Every effort with its word, the least first.
    pub const WORDS: [(&str, Self); 4] = [
        ("off", Self::OFF),
        ("fast", Self(Some(Preset::Fast))),
        ("balanced", Self(Some(Preset::Balanced))),
        ("recall", Self(Some(Preset::Recall))),
    ];

    /// What the preset does; `None` when names are not read.
    #[must_use]
    pub const fn preset(self) -> Option<Preset> {
        self.0
    }
}

impl From<Preset> for Effort {
    fn from(preset: Preset) -> Self {
        Self(Some(preset))
    }
}

impl Default for Effort {
    /// What holds wherever nobody chose: for the gateway, the commands and the measurements alike.
    fn default() -> Self {
        Preset::default().into()
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Effort::from(*self).fmt(formatter)
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Self::WORDS.iter().find(|(_, effort)| effort == self).map_or("off", |(word, _)| word);
        formatter.pad(word)
    }
}

/// The word names no effort.
#[derive(Debug, thiserror::Error)]
#[error("there are off, fast, balanced and recall")]
pub struct NoEffort;

impl FromStr for Effort {
    type Err = NoEffort;

    fn from_str(text: &str) -> Result<Self, NoEffort> {
        Self::WORDS.iter().find(|(word, _)| *word == text).map(|(_, effort)| *effort).ok_or(NoEffort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_effort_has_a_word() {
        for (word, effort) in Effort::WORDS {
            assert_eq!(effort.to_string(), word);
            assert_eq!(word.parse::<Effort>().ok(), Some(effort));
            assert_eq!(effort.preset().is_none(), word == "off");
        }
        assert!("Fast".parse::<Effort>().is_err());
    }
}
