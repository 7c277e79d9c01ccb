//! The scan of one text: takes what the lexer proposes to the recognisers and to the rules of structure.
//!
//! In: a text with what is known of its place. Out: hits, in any order, overlapping. Invariant: each word is looked
//! up once; every look from a word, mark or line is bounded, so the scan is linear. Not here: views, overlaps.

mod ending;
mod lines;
mod mail;
mod numbers;
mod phrases;
mod values;
mod words;

use cloakgate_vocab::{Category, Detector, Span, Strength};

use self::numbers::{Claim, begins_code};
use self::values::{Judged, LongSecret};
use crate::address;
use crate::beside_mail;
use crate::extended::Extended;
use crate::keys::{self, KeyPhrase, Meaning};
use crate::letters::NameLine;
use crate::lex::{self, Mark, PlainWord, Sink};
use crate::lexicon::{Filter, Lexicon, MAX_WORD_BYTES, Roles, lexicon};
use crate::named_lines;
use crate::recognise::{self, Cue, Hit};
use crate::settings::CategorySet;
use crate::table::headless::{self, LooseRow};
use crate::trace::Trace;
use crate::vcard;
use crate::word_hash::hash_at;

/// Shortest run of a script without blanks that may hold an address.
const MIN_RUN_BYTES: usize = 12;

/// What kind of text is scanned.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Structure {
    /// Text in which keys and tables may stand.
    Read,
    /// A value, a key or a number: only what speaks for itself.
    Skip,
}

/// What ends with a word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Ends {
    /// No key.
    Nothing,
    /// A key of one word at most, which has this hash.
    Lone(u64),
    /// A key phrase, perhaps.
    Phrase,
}

/// Scans a text. `cue` is what the key of the whole text says about numbers in it; of the extended categories only
/// those that are `wanted` are looked for. What is vetoed goes to `trace`.
pub(crate) fn scan(
    text: &str,
    structure: Structure,
    cue: Cue,
    wanted: CategorySet,
    trace: &mut Trace,
) -> Vec<Hit> {
    let mut pass = Pass::new(text, structure, cue, wanted);
    lex::scan(text, &mut pass);
    pass.finish(trace)
}

/// What a meaning says about digits.
pub(crate) fn cue_of(meaning: Meaning) -> Cue {
    match meaning {
        Meaning::Phone => Cue::Phone,
        Meaning::Card => Cue::Card,
        Meaning::Ssn => Cue::Ssn,
        Meaning::BankAccount => Cue::Account,
        Meaning::Ip => Cue::Ip,
        Meaning::AnyId => Cue::Id(None),
        Meaning::NationalId => Cue::Id(Some(Category::NationalId)),
        Meaning::TaxId | Meaning::AnyTax => Cue::Id(Some(Category::TaxId)),
        Meaning::HealthId => Cue::Id(Some(Category::HealthId)),
        Meaning::DriverLicense => Cue::Id(Some(Category::DriverLicense)),
        Meaning::Passport => Cue::Id(Some(Category::Passport)),
        Meaning::Vehicle => Cue::Id(Some(Category::Vehicle)),
        _ => Cue::None,
    }
}

struct Pass<'a> {
    text: &'a str,
    structure: Structure,
    field_cue: Cue,
    lexicon: &'static Lexicon,
    hits: Vec<Hit>,
    phrase: Option<KeyPhrase>,    // the last one seen
    machine: Vec<Span>,           // phrases of machines, in order
    keyed: Vec<(usize, Meaning)>, // phrases that have a value, in order
    name_lines: Vec<NameLine>,
    names: Vec<(usize, Span)>, // names under a bare `name`, with the place of the key
    last_word: u64,            // hash of the word before
    line_start: usize,
    line_keys: u32,            // key phrases on this line
    numbered_to: usize,        // numbers before it were read one by one
    told_to: usize,            // end of the last word that was not plain, or of the last number
    card: vcard::Card,         // whether this line is part of an address book card
    html_end: usize,           // tables of HTML before it were read
    table_end: usize,          // lines before it were read as a table
    loose_rows: Vec<LooseRow>, // rows without a header
    created: Option<usize>,    // where the last table was declared
    long_secret: Option<LongSecret>,
    judged: Option<Judged>,
    cluster_end: usize, // documents before it were read as secrets of a cluster
    extended: Option<Extended<'a>>,
    reader: address::Reader<'a>, // tokens of addresses
}

impl Sink for Pass<'_> {
    #[inline]
    fn wanted(&self) -> Option<&'static Filter> {
        self.extended.is_none().then(|| self.lexicon.words())
    }

    #[inline]
    fn passed(&mut self, hash: u64) {
        self.last_word = hash;
    }

    #[inline]
    fn plain(&mut self, start: usize, word: PlainWord, behind: u8) {
        // A plain word may end a value: `::face`, `..._mmk`.
        if matches!(behind, b':' | b'_') {
            recognise::word_at(self.text, start, &mut self.hits);
        }
        if self.structure == Structure::Skip {
            return;
        }
        if let Some(extended) = &mut self.extended {
            extended.plain(start, word, (behind, self.last_word), &mut self.hits);
        }
        let before = std::mem::replace(&mut self.last_word, word.hash);
        let roles = self.lexicon.roles_of(word.hash);
        if roles != Roles::default() {
            self.plain_with_role(start, word, roles, (behind, before));
        }
    }

    #[inline]
    fn word(&mut self, start: usize, end: usize) {
        self.told_to = end;
        recognise::word_at(self.text, start, &mut self.hits);
        let Some(word) = self.text.as_bytes().get(start..end) else { return };
        if recognise::may_be_number(word) {
            let cue = self.cue(start);
            self.hits.extend(recognise::in_word(self.text, Span::sized(start, end - start), cue));
        }
        if self.structure == Structure::Skip {
            return;
        }
        if word.first().is_some_and(u8::is_ascii_digit) || begins_code(self.text.as_bytes(), word, end) {
            self.house_number(start, end);
        } else if word.len() >= MIN_RUN_BYTES && matches!(word.first(), Some(0xe3..=0xed)) {
            let span = address::in_unspaced_run(self.text, start, end);
            self.address(span);
        }
        let hash =
            if word.len() > MAX_WORD_BYTES { 0 } else { hash_at(self.text.as_bytes(), start, word.len()) };
        if let Some(extended) = &mut self.extended {
            extended.word(Span::sized(start, end - start), hash, self.last_word, &mut self.hits);
        }
        let before = std::mem::replace(&mut self.last_word, hash);
        let roles = self.lexicon.roles_of(hash);
        if roles != Roles::default() {
            let ends_key = self.lexicon.ends_key(roles, before, hash);
            self.told(start, end, roles, if ends_key { Ends::Phrase } else { Ends::Nothing });
        } else if matches!(word.first(), Some(0xe3..=0xed)) {
            self.unspaced(start, end);
        } else if word.last().is_some_and(u8::is_ascii_digit) {
            let letters = word.len() - word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            if letters > 0 && self.lexicon.roles(word.get(..letters).unwrap_or_default()).any(Roles::KEY_END)
            {
                self.key(start + letters);
            }
        } else if self.mark_of_structure(end) {
            self.camel(start, end);
        }
    }

    #[inline]
    fn number(&mut self, start: usize, end: usize) {
        self.told_to = end;
        self.single_number(Span::sized(start, end - start), Claim::Free);
    }

    fn digits(&mut self, groups: &[Span], numbers: usize) {
        self.told_to = groups.last().map_or(self.told_to, |last| last.end());
        let from = self.hits.len();
        self.whole_run(groups);
        let to = self.hits.len();
        for group in groups.iter().take(numbers) {
            // Windows of a long run overlap.
            if group.end() <= self.numbered_to {
                continue;
            }
            self.numbered_to = group.end();
            let hits = self.hits.get(from..to).unwrap_or_default();
            let taken = hits.iter().any(|hit| hit.span.contains(*group));
            self.single_number(*group, if taken { Claim::Taken } else { Claim::Free });
        }
    }

    fn mark(&mut self, mark: Mark, at: usize) {
        match mark {
            Mark::At => {
                if let Some(extended) = &mut self.extended {
                    extended.at_sign(at, &mut self.hits);
                }
                if let Some(hit) = recognise::email_at(self.text, at)
                    .filter(|hit| !named_lines::is_event_id(self.text, hit.span))
                {
                    self.name_before(hit.span);
                    if self.structure == Structure::Read {
                        self.names_of_address(hit.span);
                        for number in beside_mail::numbers(self.text, hit.span) {
                            self.push(number, Category::Phone, "beside_mail");
                        }
                        if self.line_start >= self.table_end {
                            self.loose_rows.extend(headless::row_of(self.text, self.line_start, hit.span));
                        }
                    }
                    self.hits.push(hit);
                }
                self.hits.extend(recognise::data_source_at(self.text, at));
            }
            Mark::Scheme => {
                if let Some(extended) = &mut self.extended {
                    extended.scheme(at, &mut self.hits);
                }
                self.hits.extend(recognise::url_credentials_at(self.text, at));
            }
            Mark::Dashes => self.hits.extend(recognise::pem_at(self.text, at)),
            Mark::LineEnd => self.line_end(at),
        }
    }
}

impl<'a> Pass<'a> {
    fn new(text: &'a str, structure: Structure, cue: Cue, wanted: CategorySet) -> Self {
        Self {
            text,
            structure,
            field_cue: cue,
            lexicon: lexicon(),
            hits: Vec::new(),
            phrase: None,
            machine: Vec::new(),
            keyed: Vec::new(),
            name_lines: Vec::new(),
            names: Vec::new(),
            last_word: 0,
            line_start: 0,
            line_keys: 0,
            numbered_to: 0,
            told_to: 0,
            card: vcard::Card::Outside,
            html_end: 0,
            table_end: 0,
            loose_rows: Vec::new(),
            created: None,
            long_secret: None,
            judged: None,
            cluster_end: 0,
            extended: Extended::new(text, wanted),
            reader: address::Reader::new(text),
        }
    }

    /// A plain word with a role.
    fn plain_with_role(&mut self, start: usize, word: PlainWord, roles: Roles, (behind, before): (u8, u64)) {
        let ends_key = self.lexicon.ends_key(roles, before, word.hash);
        let end = start + word.len;
        // Frequent words such as `by` end phrases only behind certain others, and heads of mails need a colon, which
        // stands behind no plain word but in `*From*:`.
        let starred = self.text.as_bytes().get(end) == Some(&b'*');
        let nothing = if starred { Roles::KEY_END } else { Roles::KEY_END.and(Roles::HEAD) };
        if ends_key || !roles.within(nothing) || word.len == keys::ENV_KEY_WORD.len() {
            let small = self.text.as_bytes().get(start + 1..end).unwrap_or_default();
            let lone = behind == b' '
                && !self.lexicon.may_follow(before, word.hash)
                && small.iter().all(u8::is_ascii_lowercase);
            let ends = match ends_key {
                true if lone => Ends::Lone(word.hash),
                true => Ends::Phrase,
                false => Ends::Nothing,
            };
            self.told(start, end, roles, ends);
        }
    }

    fn push(&mut self, span: Span, category: Category, rule: &'static str) {
        let detector = Detector(rule);
        self.hits.push(Hit { span, category, detector, strength: Strength::Context, pieces: Vec::new() });
    }

    fn person(&mut self, span: Option<Span>, rule: &'static str) {
        // `出生日期` on a line of its own is the label of what follows.
        let label = |span: &Span| span.of(self.text).is_some_and(keys::is_label);
        if let Some(span) = span.filter(|span| !label(span)) {
            self.push(span, Category::Person, rule);
        }
    }
}

#[cfg(test)]
mod tests;
