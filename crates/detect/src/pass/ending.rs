//! What can be judged only when the whole text was read.
//!
//! In: a pass at its end. Out: its hits without those that are vetoed. Invariant: linear in hits. Not here: overlaps.

use cloakgate_vocab::Category;

use super::{Pass, Structure};
use crate::keys::Meaning;
use crate::letters::Position;
use crate::recognise::Hit;
use crate::table::headless;
use crate::trace::Trace;
use crate::{letters, negative, under};

/// How far, in bytes, other keys make a bare `name` a person's.
const RECORD_REACH: usize = 240;

/// How far over the name under a letter something in it makes it a letter of a person.
const LETTER_BYTES: usize = 2000;
/// How far under a name the address begins that it stands over.
const LETTER_HEAD_BYTES: usize = 48;

impl Pass<'_> {
    pub(super) fn finish(mut self, trace: &mut Trace) -> Vec<Hit> {
        for (key, span) in std::mem::take(&mut self.names) {
            let of_person = if span.of(self.text).is_some_and(is_single_word) {
                self.beside_part_of_name(key)
            } else {
                self.in_record_of_person(key) || under::people_key(self.text, key)
            };
            if of_person {
                self.push(span, Category::Person, "key.name");
            }
        }
        self.loose_tables();
        self.numbered();
        self.letters();
        let mut machine = std::mem::take(&mut self.machine);
        machine.sort();
        let text = self.text;
        self.hits
            .retain(|hit| negative::veto(text, hit, &machine).is_none_or(|reason| trace.drop(hit, reason)));
        self.hits
    }

    /// Rows of tables without a header.
    fn loose_tables(&mut self) {
        let rows = std::mem::take(&mut self.loose_rows);
        if !rows.is_empty() {
            let found = headless::read(self.text, &rows, &self.hits);
            self.hits.extend(found);
        }
    }

    /// Names before telephone numbers.
    fn numbered(&mut self) {
        if self.structure == Structure::Skip {
            return;
        }
        let phones =
            self.hits.iter().filter(|hit| hit.category == Category::Phone).map(|hit| hit.span.start());
        let names: Vec<_> =
            phones.filter_map(|start| letters::name_before_number(self.text, start)).collect();
        for name in names {
            self.push(name, Category::Person, "before_number");
        }
    }

    /// A line that is a name counts over an address, and under a letter that holds data of people.
    fn letters(&mut self) {
        let lines = std::mem::take(&mut self.name_lines);
        if lines.is_empty() {
            return;
        }
        let mut told: Vec<usize> = self
            .hits
            .iter()
            .filter(|hit| tells_of_person(hit.category))
            .map(|hit| hit.span.start())
            .collect();
        told.sort_unstable();
        let person =
            self.hits.iter().filter(|hit| hit.category == Category::Person).map(|hit| hit.span.start());
        let last = told.last().copied().max(person.max());
        for line in lines {
            let end = line.span.end();
            let counts = match line.position {
                Position::Over => {
                    let next = told.partition_point(|start| *start <= end);
                    told.get(next).is_some_and(|start| *start < end + LETTER_HEAD_BYTES)
                }
                Position::Last => last.is_some_and(|start| start + LETTER_BYTES >= line.span.start()),
            };
            if counts {
                self.person(Some(line.span), "letter");
            }
        }
    }

    /// Whether the key of another part of the name stands near: `Nombre: Ana` under `Apellidos: Roca`.
    fn beside_part_of_name(&self, key: usize) -> bool {
        self.keys_around(key).any(|meaning| meaning == Meaning::NamePart)
    }

    /// Whether keys of people stand near a bare `name`.
    fn in_record_of_person(&self, key: usize) -> bool {
        self.keys_around(key).any(|meaning| {
            matches!(
                meaning,
                Meaning::Email
                    | Meaning::Phone
                    | Meaning::Birth
                    | Meaning::Ssn
                    | Meaning::NationalId
                    | Meaning::AnyId
                    | Meaning::Street
                    | Meaning::PostCode
                    | Meaning::ShortPostCode
                    | Meaning::Passport
                    | Meaning::HealthId
            )
        })
    }

    /// What the keys that have a value say in the record around a key.
    fn keys_around(&self, key: usize) -> impl Iterator<Item = Meaning> {
        let (start, end) = under::record_around(self.text, key, RECORD_REACH);
        let from = self.keyed.partition_point(|(at, _)| *at < start);
        let near = self.keyed.get(from..).unwrap_or_default().iter();
        near.take_while(move |(at, _)| *at <= end).map(|(_, meaning)| *meaning)
    }
}

/// A word alone, in a script with capitals.
fn is_single_word(name: &str) -> bool {
    !name.contains(' ') && name.contains(char::is_uppercase)
}

/// Data that letters hold, and heads of letters.
const fn tells_of_person(category: Category) -> bool {
    matches!(
        category,
        Category::Email
            | Category::Phone
            | Category::Address
            | Category::DateOfBirth
            | Category::Iban
            | Category::NationalId
    )
}
