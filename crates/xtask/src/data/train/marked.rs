//! A text in which names are marked.

/// What is marked: 0 a person, 1 a place, 2 an organisation.
pub(super) type Kind = usize;
pub(super) const PERSON: Kind = 0;
pub(super) const PLACE: Kind = 1;
pub(super) const ORGANISATION: Kind = 2;

/// A text with its names, by start, apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Marked {
    pub(super) text: String,
    /// First byte, one past the last byte, kind.
    pub(super) names: Vec<(usize, usize, Kind)>,
}

impl Marked {
    /// Adds text that is no name.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a name.
    pub(super) fn push_name(&mut self, name: &str, kind: Kind) {
        let start = self.text.len();
        self.text.push_str(name);
        self.names.push((start, self.text.len(), kind));
    }

    /// The same in small letters.
    pub(super) fn lower(&self) -> Self {
        self.mapped(|c| c.to_lowercase().next().unwrap_or(c))
    }

    /// The same in capitals.
    pub(super) fn upper(&self) -> Self {
        self.mapped(|c| if c == 'ß' { c } else { c.to_uppercase().next().unwrap_or(c) })
    }

    /// The same with each character replaced by one other.
    fn mapped(&self, map: impl Fn(char) -> char) -> Self {
        let mut text = String::with_capacity(self.text.len());
        let mut names = self.names.clone();
        for (at, c) in self.text.char_indices() {
            for ((start, end, _), (old_start, old_end, _)) in names.iter_mut().zip(&self.names) {
                if *old_start == at {
                    *start = text.len();
                }
                if *old_end == at {
                    *end = text.len();
                }
            }
            text.push(map(c));
        }
        for ((_, end, _), (_, old_end, _)) in names.iter_mut().zip(&self.names) {
            if *old_end == self.text.len() {
                *end = text.len();
            }
        }
        Self { text, names }
    }
}
