//! From bytes to code points and lines, for those outside who count so.
//!
//! In: a text, then offsets in bytes that mostly rise. Out: offsets in Unicode code points, lines and columns.
//! Invariant: cost is linear in the text as long as offsets rise; one that falls back is counted from the start.

/// Counts the code points and lines of one text up to an offset.
#[derive(Clone, Debug)]
pub struct CodePoints<'a> {
    text: &'a str,
    at: usize,
    points: usize,
    line: usize,
    /// Code points before the line that `at` is in.
    line_start: usize,
}

impl<'a> CodePoints<'a> {
    /// Begins at the first byte.
    #[must_use]
    pub const fn of(text: &'a str) -> Self {
        Self { text, at: 0, points: 0, line: 1, line_start: 0 }
    }

    /// Code points before the byte `offset`. An offset inside a character counts as its start, one beyond the end
    /// as the end.
    pub fn before(&mut self, offset: usize) -> usize {
        self.go_to(offset);
        self.points
    }

    /// Line and column of the byte `offset`, in code points, both from 1.
    pub fn line_and_column(&mut self, offset: usize) -> (usize, usize) {
        self.go_to(offset);
        (self.line, self.points - self.line_start + 1)
    }

    fn go_to(&mut self, offset: usize) {
        let offset = self.text.floor_char_boundary(offset);
        if offset < self.at {
            *self = Self::of(self.text);
        }
        for character in self.text.get(self.at..offset).unwrap_or_default().chars() {
            self.points += 1;
            if character == '\n' {
                self.line += 1;
                self.line_start = self.points;
            }
        }
        self.at = offset;
    }
}

#[cfg(test)]
mod tests {
    use super::CodePoints;

    #[test]
    fn offsets_become_code_points_lines_and_columns() {
        let text = "aé\n𝒳b\r\nc";
        let mut points = CodePoints::of(text);
        for (offset, expected, place) in [
            (0, 0, (1, 1)),
            (1, 1, (1, 2)),
            (2, 1, (1, 2)),
            (3, 2, (1, 3)),
            (4, 3, (2, 1)),
            (8, 4, (2, 2)),
            (11, 7, (3, 1)),
            (99, 8, (3, 2)),
            (1, 1, (1, 2)),
        ] {
            assert_eq!(points.before(offset), expected, "{offset}");
            assert_eq!(points.line_and_column(offset), place, "{offset}");
        }
    }
}
