//! Names, places, organisations and other things for sentences.

use super::pools::{Language, Pools, capitalised};
use super::random::Random;

/// Of a hundred names in a sentence, how many are of its own language.
const OWN_LANGUAGE: u64 = 65;

/// Invents, one thing after another.
pub(super) struct Inventor<'a> {
    pools: &'a Pools,
    pub(super) random: Random,
    /// Of the sentence.
    language: String,
    /// Of the names in it, for now.
    names: &'a Language,
    own: &'a Language,
}

impl<'a> Inventor<'a> {
    pub(super) fn new(pools: &'a Pools, seed: u64) -> Self {
        let own = pools.language("en");
        Self { pools, random: Random::new(seed), language: String::new(), names: own, own }
    }

    /// Begins a sentence of this language.
    pub(super) fn begin(&mut self, language: &str) {
        if self.language != language {
            language.clone_into(&mut self.language);
            self.own = self.pools.language(language);
        }
        self.turn();
    }

    /// Takes the names that follow from another language, or from the sentence's own.
    pub(super) fn turn(&mut self) {
        let language = if self.random.percent(OWN_LANGUAGE) {
            self.language.clone()
        } else {
            self.random.of(&self.pools.named)
        };
        let named = self.pools.named.contains(&language);
        self.names = self.pools.language(if named { &language } else { "en" });
    }

    pub(super) fn list(&mut self, kind: &str) -> String {
        let list = self.pools.list(kind, &self.language);
        self.random.of(list)
    }

    pub(super) fn given(&mut self) -> String {
        if self.random.percent(4) { self.coined() } else { self.random.of_first(&self.names.given) }
    }

    /// A name that no list has: the beginning of one and the end of another.
    fn coined(&mut self) -> String {
        let begin: Vec<char> = self.random.of(&self.names.surnames).chars().collect();
        let end: Vec<char> = self.random.of(&self.names.surnames).chars().collect();
        let coined: String =
            begin.iter().take(begin.len().div_ceil(2)).chain(end.iter().skip(end.len() / 2)).collect();
        capitalised(&coined.to_lowercase())
    }

    fn one_surname(&mut self) -> String {
        if self.random.percent(15) { self.coined() } else { self.random.of_first(&self.names.surnames) }
    }

    pub(super) fn surname(&mut self) -> String {
        let surname = self.one_surname();
        if self.random.percent(6) {
            return format!("{surname}-{}", self.one_surname());
        }
        if matches!(self.language.as_str(), "es" | "pt") && self.random.percent(40) {
            let between = self.random.of(&[" ", " ", " ", " ", " de ", " da ", " dos ", " y "]);
            return format!("{surname}{between}{}", self.one_surname());
        }
        if self.random.percent(6) {
            return format!("{}{surname}", self.list("particle"));
        }
        surname
    }

    pub(super) fn person(&mut self) -> String {
        let given = self.given();
        let surname = self.surname();
        let first = |name: &str| name.chars().next().unwrap_or('A');
        match self.random.below(40) {
            0..=25 => format!("{given} {surname}"),
            26..=28 => format!("{given} {} {surname}", self.given()),
            29 | 30 => format!("{given} {}. {surname}", first(&self.given())),
            31 => format!("{}. {surname}", first(&given)),
            32 => format!("{}. {}. {surname}", first(&given), first(&self.given())),
            33 => format!("{given} {}.", first(&surname)),
            34 => format!("{given}-{} {surname}", self.given()),
            35 => format!("{surname} {given}"),
            36 => format!("{surname}, {given}"),
            37 => format!("{given} {surname} {}", self.surname()),
            38 => given,
            _ => format!("{} {surname}", first(&given)),
        }
    }

    pub(super) fn word(&mut self) -> String {
        let words = if self.own.words.is_empty() { &self.own.function_words } else { &self.own.words };
        self.random.of_first(words)
    }

    pub(super) fn big_word(&mut self) -> String {
        capitalised(&self.word())
    }

    pub(super) fn function_word(&mut self) -> String {
        self.random.of(&self.own.function_words)
    }

    pub(super) fn place(&mut self) -> String {
        if self.random.percent(25) { self.list("country") } else { self.random.of(&self.pools.cities) }
    }

    pub(super) fn company(&mut self) -> String {
        match self.random.below(15) {
            0 | 1 => format!("{} {}", self.surname(), self.list("company-end")),
            2 | 3 => format!("{} {}", self.big_word(), self.list("company-end")),
            4 => format!("{} & {}", self.surname(), self.surname()),
            5 => format!("{} {}", self.list("house-before"), self.place()),
            6 => format!("{} {}", self.place(), self.list("house-after")),
            7 => (0..2 + self.random.below(3)).map(|_| self.character(b"ABCDEFGHIJKLMNOPRSTUVW")).collect(),
            8 => format!("{} {}", self.big_word(), self.big_word()),
            9 => format!("{}{}", self.big_word(), self.big_word()),
            10 => format!("{} {} {}", self.big_word(), self.big_word(), self.list("company-end")),
            11 | 12 => self.list("company"),
            13 => format!("{} {}", self.surname(), self.big_word()),
            _ => format!("{} {}", self.big_word(), self.place()),
        }
    }

    /// Where people go, what they play for, what is named after them.
    pub(super) fn club(&mut self) -> String {
        match self.random.below(14) {
            0 => format!("{}'s", self.surname()),
            1 => format!("{}'s {}", self.given(), self.list("shop")),
            2 | 3 => format!("{} {}", self.surname(), self.list("shop")),
            4 => format!("{} {}", self.place(), self.list("house-after")),
            5 => format!("{} {}", self.big_word(), self.list("shop")),
            6 => format!("{} & {}", self.surname(), self.big_word()),
            7 => format!("The {}", self.big_word()),
            8 => format!("{} {}", self.list("house-before"), self.place()),
            9 => format!("{} {} {}", self.given(), self.surname(), self.list("shop")),
            10 => format!("St. {}", self.given()),
            11 => format!("{} and {} {}", self.surname(), self.big_word(), self.list("company-end")),
            12 => self.surname(),
            _ => format!("{} {}", self.big_word(), self.big_word()),
        }
    }

    pub(super) fn street(&mut self) -> String {
        let number = 1 + self.random.below(200);
        let named = match self.random.below(4) {
            0 => self.surname(),
            1 => format!("{} {}", self.given(), self.surname()),
            2 => self.big_word(),
            _ => self.place(),
        };
        let street = self.list("street");
        match self.language.as_str() {
            "de" | "nl" | "sv" => format!("{named}{street} {number}"),
            "es" | "pt" => format!("{street} {named}, {number}"),
            "it" | "pl" | "hr" => format!("{street} {named} {number}"),
            "fr" => format!("{number} {street} {named}"),
            _ => format!("{number} {named} {street}"),
        }
    }

    pub(super) fn character(&mut self, of: &[u8]) -> char {
        char::from(self.random.of(of))
    }
}
