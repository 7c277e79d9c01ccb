//! Invented people, and what stands for what is said of them.

use super::judge::{Part, Text};
use super::texts::Language;
use crate::text::session::{Kind, NewEntry};
use crate::text::{Field, TextSession};

/// Repeatable choices.
pub(crate) struct Chooser(u64);

impl Chooser {
    pub(crate) fn new(seed: u64) -> Self {
        let mut chooser = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
        chooser.below(2);
        chooser
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    pub(crate) fn one<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

/// What is said of a person.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Slot {
    Full,
    Given,
    Family,
    Age,
    Place,
    Condition,
}

impl Slot {
    pub(crate) fn is_name(self) -> bool {
        matches!(self, Self::Full | Self::Given | Self::Family)
    }

    pub(crate) fn field(self) -> Field {
        match self {
            Self::Full | Self::Given | Self::Family => Field::Name,
            Self::Age => Field::Age,
            Self::Place => Field::Location,
            Self::Condition => Field::Medical,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) is_woman: bool,
    given: (&'static str, &'static str),
    family: (&'static str, &'static str),
    age: (String, &'static str),
    place: (&'static str, &'static str),
    condition: (&'static str, &'static str),
}

const WOMEN: [&str; 14] = [
    "Alice", "Carol", "Ingrid", "Marta", "Noor", "Chloé", "Ann", "Berit", "Zofia", "Leila", "Grace", "Olga",
    "Ruth", "Elif",
];
const MEN: [&str; 14] = [
    "Robert", "Jürgen", "Tomás", "Piotr", "Idris", "Henri", "Bo", "Kofi", "Stefan", "Emre", "Walter",
    "Oscar", "Liam", "Ivo",
];
const FAMILIES: [&str; 20] = [
    "Johnson",
    "Brandt",
    "Okafor",
    "Lindqvist",
    "Dubois",
    "Nowak",
    "O'Brien",
    "Marsh",
    "Weiß",
    "Haddad",
    "Novák",
    "Byrne",
    "Costa",
    "Petrov",
    "Yilmaz",
    "Lund",
    "Moreau",
    "Fisher",
    "Adeyemi",
    "Kraus",
];
const SHOWN_WOMEN: [&str; 12] = [
    "Yuki", "Maria", "Sakura", "Giulia", "Lucía", "Aiko", "Bianca", "Elena", "Hana", "Marisol", "Chiara",
    "Inés",
];
const SHOWN_MEN: [&str; 12] = [
    "Kenji", "Luca", "Pablo", "Haruto", "Marco", "Diego", "Ren", "Matteo", "Javier", "Daichi", "Andrea",
    "Álvaro",
];
const SHOWN_FAMILIES: [&str; 20] = [
    "Tanaka", "Garcia", "Ferrari", "Moreno", "Sato", "Okada", "Rossi", "Ito", "Navarro", "Bianchi", "Kimura",
    "Vega", "Conti", "Mori", "Ortega", "Hayashi", "Greco", "Ibarra", "Ueda", "Marino",
];

impl Person {
    /// Two to eight people; some share a family name, many share what is shown for age, place and condition.
    pub(crate) fn some(chooser: &mut Chooser, language: &'static Language) -> Vec<Self> {
        let count = 2 + chooser.below(7);
        let (mut women, mut men) = (WOMEN, MEN);
        let (mut shown_women, mut shown_men) = (SHOWN_WOMEN, SHOWN_MEN);
        let mut families: Vec<(&str, &str)> = FAMILIES
            .into_iter()
            .zip({
                let mut shown = SHOWN_FAMILIES;
                chooser.shuffle(&mut shown);
                shown
            })
            .collect();
        chooser.shuffle(&mut families);
        chooser.shuffle(&mut women);
        chooser.shuffle(&mut men);
        chooser.shuffle(&mut shown_women);
        chooser.shuffle(&mut shown_men);
        let ranges = chooser.below(4) == 0;
        (0..count)
            .map(|number| {
                let is_woman = chooser.below(2) == 0;
                let given = if is_woman {
                    (women[number], shown_women[number])
                } else {
                    (men[number], shown_men[number])
                };
                let kin = number > 0 && chooser.below(6) == 0;
                let family = families[if kin { number - 1 } else { number }];
                let years = [7, 12, 16][chooser.below(3)];
                let years = if chooser.below(4) == 0 { years } else { 19 + chooser.below(65) };
                Self {
                    is_woman,
                    given,
                    family,
                    age: (years.to_string(), language.shown_age(years, ranges)),
                    place: chooser.one(language.places),
                    condition: chooser.one(language.conditions),
                }
            })
            .collect()
    }

    /// A value with what is shown for it.
    pub(crate) fn part(&self, slot: Slot) -> Part {
        let (original, shown) = match slot {
            Slot::Full => {
                (format!("{} {}", self.given.0, self.family.0), format!("{} {}", self.given.1, self.family.1))
            }
            Slot::Given => (self.given.0.to_owned(), self.given.1.to_owned()),
            Slot::Family => (self.family.0.to_owned(), self.family.1.to_owned()),
            Slot::Age => (self.age.0.clone(), self.age.1.to_owned()),
            Slot::Place => (self.place.0.to_owned(), self.place.1.to_owned()),
            Slot::Condition => (self.condition.0.to_owned(), self.condition.1.to_owned()),
        };
        Part::Value { original, shown, slot }
    }

    /// A text about the person: `{N}` name, `{G}` given, `{F}` family, `{A}` age, `{C}` place, `{M}` condition, `{P}` the
    /// pronoun that begins a sentence.
    pub(crate) fn say(&self, template: &str, language: &Language) -> Text {
        let mut text = Text::default();
        let mut rest = template;
        while let Some((own, after)) = rest.split_once('{') {
            let (slot, after) = after.split_once('}').unwrap();
            text.0.push(Part::Own(own.to_owned()));
            text.0.push(match slot {
                "N" => self.part(Slot::Full),
                "G" => self.part(Slot::Given),
                "F" => self.part(Slot::Family),
                "A" => self.part(Slot::Age),
                "C" => self.part(Slot::Place),
                "M" => self.part(Slot::Condition),
                "P" => Part::Own(if self.is_woman { language.she } else { language.he }.to_owned()),
                other => panic!("{other}"),
            });
            rest = after;
        }
        text.0.push(Part::Own(rest.to_owned()));
        text
    }

    /// Makes the person's name known.
    pub(crate) fn introduce(&self, session: &mut TextSession) {
        for (kind, slot) in
            [(Kind::PERSON, Slot::Full), (Kind::GIVEN, Slot::Given), (Kind::FAMILY, Slot::Family)]
        {
            let Part::Value { original, shown, .. } = self.part(slot) else { unreachable!() };
            let identity = original.to_lowercase();
            if session.entry(&kind, &identity).is_none() {
                let new = NewEntry {
                    kind,
                    field: Field::Name,
                    identity: &identity,
                    shown: &shown,
                    original: &original,
                    unique: true,
                };
                session.add(new).unwrap();
            }
        }
    }
}
