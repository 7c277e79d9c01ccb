//! Two texts side by side, with what was swapped between them in colour.
//!
//! In: parts of both texts, a width. Out: lines.
//! Invariant: no line is longer than the width; without colour the lines hold no control characters.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::compare::Part;

/// Widest line that still reads well.
const WIDEST: usize = 120;
/// Narrowest line that holds two columns.
const NARROWEST: usize = 60;
const GUTTER: &str = " | ";

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen {
    width: usize,
    colour: bool,
}

/// Which side of the gateway a text is on; values and tokens look different.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Side {
    /// Values.
    Server,
    /// Tokens.
    Model,
}

impl Screen {
    /// A screen of this many columns.
    pub(super) fn new(width: usize, colour: bool) -> Self {
        Self { width: width.clamp(NARROWEST, WIDEST), colour }
    }

    /// The head of a step.
    pub(super) fn title(&self, text: &str) -> String {
        let rule = "-".repeat(self.width.saturating_sub(text.chars().count() + 4));
        format!("{} {rule}", self.paint(&format!("-- {text}"), Style::new().bold()))
    }

    /// Two columns under their names.
    pub(super) fn columns(&self, left: (&str, &[Part<'_>]), right: (&str, &[Part<'_>])) -> String {
        let (left_side, right_side) = if left.0.starts_with("model") {
            (Side::Model, Side::Server)
        } else {
            (Side::Server, Side::Model)
        };
        let column = (self.width - GUTTER.len()) / 2;
        let mut text = String::new();
        let head = |name: &str| self.paint(&format!("{name:<column$}"), Style::new().dimmed());
        writeln!(text, "{}{GUTTER}{}", head(left.0), head(right.0).trim_end()).ok();
        let (left, right) = (wrapped(left.1, left_side, column), wrapped(right.1, right_side, column));
        let none = Vec::new();
        for index in 0..left.len().max(right.len()) {
            let left = left.get(index).unwrap_or(&none);
            let right = right.get(index).unwrap_or(&none);
            for row in 0..left.len().max(right.len()) {
                let cells = |lines: &[Line]| lines.get(row).cloned().unwrap_or_default();
                let (left, right) = (cells(left), cells(right));
                let padding = " ".repeat(column - left.len());
                let line = format!("{}{padding}{GUTTER}{}", self.cells(&left), self.cells(&right));
                writeln!(text, "{}", line.trim_end()).ok();
            }
        }
        text
    }

    /// One text over the whole width, indented.
    pub(super) fn block(&self, parts: &[Part<'_>], side: Side) -> String {
        let indent = "   ";
        let lines = wrapped(parts, side, self.width - indent.len());
        lines.iter().flatten().fold(String::new(), |mut text, line| {
            writeln!(text, "{}", format!("{indent}{}", self.cells(line)).trim_end()).ok();
            text
        })
    }

    /// A text in a style, where there is colour.
    pub(super) fn paint(&self, text: &str, style: Style) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn cells(&self, cells: &[Cell]) -> String {
        cells.chunk_by(|left, right| left.style == right.style).fold(String::new(), |mut text, run| {
            let characters: String = run.iter().map(|cell| cell.character).collect();
            let style = run.first().and_then(|cell| cell.style);
            text.push_str(&style.map_or(characters.clone(), |style| self.paint(&characters, style)));
            text
        })
    }
}

#[derive(Clone, Copy)]
struct Cell {
    character: char,
    style: Option<Style>,
}

/// One row of a column.
type Line = Vec<Cell>;

/// The lines of a text, each as the rows that it takes; broken at blanks where that is possible.
fn wrapped(parts: &[Part<'_>], side: Side, width: usize) -> Vec<Vec<Line>> {
    let swapped = match side {
        Side::Server => AnsiColor::Red.on_default(),
        Side::Model => AnsiColor::Green.on_default(),
    };
    let cells = parts.iter().flat_map(|part| {
        let (text, style) = match part {
            Part::Same(text) => (*text, None),
            Part::Swapped(text) => (*text, Some(swapped)),
        };
        // What a server says must not move the cursor.
        text.chars()
            .filter(|character| *character == '\n' || !character.is_control())
            .map(move |character| Cell { character, style })
    });
    let cells: Vec<Cell> = cells.collect();
    let mut lines: Vec<Vec<Line>> =
        cells.split(|cell| cell.character == '\n').map(|line| rows(line, width)).collect();
    while lines.last().is_some_and(|rows| rows.iter().all(Vec::is_empty)) {
        lines.pop();
    }
    lines
}

fn rows(line: &[Cell], width: usize) -> Vec<Line> {
    let mut rows = Vec::new();
    let mut rest = line;
    while rest.len() > width {
        let (head, tail) = rest.split_at(width);
        let (head, tail) = rest.split_at(break_at(head, tail));
        rows.push(head.to_vec());
        rest = tail;
        let blanks = rest.iter().take_while(|cell| cell.character == ' ').count();
        rest = rest.get(blanks..).unwrap_or_default();
    }
    rows.push(rest.to_vec());
    rows
}

/// Before the blank that follows, else after the last blank of the row's second half, else at its end.
fn break_at(head: &[Cell], tail: &[Cell]) -> usize {
    if tail.first().is_some_and(|cell| cell.character == ' ') {
        return head.len();
    }
    let blank = head.iter().rposition(|cell| cell.character == ' ').map(|at| at + 1);
    blank.filter(|at| *at > head.len() / 2).unwrap_or(head.len())
}

#[cfg(test)]
mod tests {
    use super::{Screen, Side};
    use crate::demo::compare::{Part, compare};

    #[test]
    fn no_line_is_longer_than_the_width() {
        let values =
            "From: Marie Dubois, who lives in a rather long street with a name that never ends\n\nBye";
        let (left, right) = compare(values, values);
        for width in [1, 60, 80, 100, 1000] {
            let screen = Screen::new(width, false);
            let text = screen.columns(("server said", &left), ("model saw", &right));
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= width.clamp(60, 120), "{width}: {widest}\n{text}");
        }
    }

    #[test]
    fn columns_stand_side_by_side() {
        let (left, right) = compare("to a@example.org now", "to [EMAIL_0_k7q] now");
        let text = Screen::new(60, false).columns(("server said", &left), ("model saw", &right));
        let expected = "server said                  | model saw\n\
                        to a@example.org now         | to [EMAIL_0_k7q] now\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn colour_marks_what_was_swapped_and_control_characters_are_dropped() {
        let parts = [Part::Same("to \u{1b}[2J"), Part::Swapped("a@example.org")];
        let plain = Screen::new(80, false).block(&parts, Side::Server);
        assert_eq!(plain, "   to [2Ja@example.org\n");
        let colour = Screen::new(80, true).block(&parts, Side::Server);
        assert_eq!(colour, "   to [2J\u{1b}[31ma@example.org\u{1b}[0m\n");
    }
}
