//! The scan of one text: takes what the lexer proposes to the recognisers and to the rules of structure.
//!
//! In: a text with what is known of its place. Out: hits, in any order, overlapping. Invariant: each word is looked
//! up once; every look from a word, mark or line is bounded, so the scan is linear. Not here: views, overlaps.

use cloakgate_vocab::{Category, Detector, Span, Strength};

use crate::birth;
use crate::commands;
use crate::extended::Extended;
use crate::fields::{self, Extent};
use crate::files;
use crate::hints::Hints;
use crate::keys::{self, KeyPhrase, Meaning};
use crate::letters::{self, NameLine, Position};
use crate::lex::{self, Mark, Sink};
use crate::lexicon::{Lexicon, MAX_WORD_BYTES, Roles, hash_at, lexicon};
use crate::lists;
use crate::people;
use crate::recognise::{self, Cue, DigitRun, Hit};
use crate::secret_end::secret_border;
use crate::settings::CategorySet;
use crate::structure::{self, Slot};
use crate::{address, cluster_secret, credentials, negative, recovery_codes, stated, table, under, vcard};

/// How far, in bytes, a key word speaks for a number after it.
const CUE_REACH: usize = 40;
/// How far, in bytes, other keys make a bare `name` a person's.
const RECORD_REACH: usize = 240;

/// How far over the name under a letter something in it makes it a letter of a person.
const LETTER_BYTES: usize = 2000;
/// How far under a name the address begins that it stands over.
const LETTER_HEAD_BYTES: usize = 48;

/// Most bytes that a rule leaves out at the end of a secret.
const MAX_TRIMMED_BYTES: usize = 16;

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

/// Scans a text. `cue` is what the key of the whole text says about numbers in it; of the extended categories only
/// those that are `wanted` are looked for.
pub(crate) fn scan(text: &str, structure: Structure, cue: Cue, wanted: CategorySet) -> Vec<Hit> {
    let mut pass = Pass {
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
        card: vcard::Card::Outside,
        html_end: 0,
        table_end: 0,
        long_secret: None,
        cluster_end: 0,
        extended: Extended::new(text, wanted),
    };
    lex::scan(text, &mut pass);
    pass.finish()
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
    line_keys: u32,    // key phrases on this line
    card: vcard::Card, // whether this line is part of an address book card
    html_end: usize,   // tables of HTML before it were read
    table_end: usize,  // lines before it were read as a table
    long_secret: Option<LongSecret>,
    cluster_end: usize, // documents before it were read as secrets of a cluster
    extended: Option<Extended<'a>>,
}

/// The end of the last secret that was longer than what rules read of it.
#[derive(Clone, Copy)]
struct LongSecret {
    from: usize,
    border: usize,
    end: usize, // where the secret ends, marks before the border left out
}

impl Sink for Pass<'_> {
    #[inline]
    fn word(&mut self, start: usize, end: usize) {
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
            extended.word(Span::sized(start, end - start), hash, &mut self.hits);
        }
        let before = std::mem::replace(&mut self.last_word, hash);
        let roles = self.lexicon.roles_of(hash);
        if roles != Roles::default() {
            let ends_key = self.lexicon.ends_key(roles, before, hash);
            self.told(start, end, roles, ends_key);
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
        recognise::word_at(self.text, start, &mut self.hits);
        if self.text.as_bytes().get(end) == Some(&b':') {
            self.hits.extend(recognise::password_file_at(self.text, start, end));
        }
        self.house_number(start, end);
        if let Some(extended) = self.extended.as_mut().filter(|_| self.structure == Structure::Read) {
            extended.number(Span::sized(start, end - start), &mut self.hits);
        }
    }

    fn digits(&mut self, groups: &[Span]) {
        let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return };
        let cue = self.cue(first.start());
        let length = last.end() - first.start();
        // Too short for every kind of number: most runs of most texts.
        let goes_on = || matches!(self.text.as_bytes().get(last.end()), Some(b'-' | b'+'));
        if length < 6 || (length < 7 && cue == Cue::None && groups.len() < 4 && !goes_on()) {
            return;
        }
        recognise::digit_run(&DigitRun { text: self.text, groups }, cue, &mut self.hits);
    }

    fn mark(&mut self, mark: Mark, at: usize) {
        match mark {
            Mark::At => {
                if let Some(extended) = &mut self.extended {
                    extended.at_sign(at, &mut self.hits);
                }
                if let Some(hit) = recognise::email_at(self.text, at) {
                    self.name_before(hit.span);
                    if self.structure == Structure::Read {
                        self.names_of_address(hit.span);
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

/// Whether a text ends with a word that has a capital and five bytes or more, and a blank.
fn ends_capital_word(head: &[u8]) -> bool {
    let Some((b' ', head)) = head.split_last() else { return false };
    let word = head
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'.' | b'-' | 0x80..));
    let len = word.clone().count();
    len >= 5 && word.last().is_some_and(|byte| byte.is_ascii_uppercase() || *byte >= 0x80)
}

/// Whether a word may begin a post code such as `SW1A 1AA`.
#[inline]
fn begins_code(bytes: &[u8], word: &[u8], end: usize) -> bool {
    word.len() <= 4
        && bytes.get(end) == Some(&b' ')
        && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
        && word.first().is_some_and(u8::is_ascii_uppercase)
        && word.iter().any(u8::is_ascii_digit)
}

/// Whether a number is as long as post codes are, with letters and a number, or what stands for one, near before it.
fn is_code_like(bytes: &[u8], start: usize, end: usize) -> bool {
    let near = |reach: usize| bytes.get(start.saturating_sub(reach)..start).unwrap_or_default();
    (2..=8).contains(&(end - start))
        && near(24).iter().any(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)
        && (near(64).iter().any(u8::is_ascii_digit)
            || near(64).windows(2).any(|two| matches!(two, b"/n" | b"/N"))
            || matches!(near(4), [b' ', b'A', b'A' | b'E' | b'P', b' ']))
}

impl Pass<'_> {
    fn cue(&self, at: usize) -> Cue {
        match self.phrase {
            Some(phrase) if at.saturating_sub(phrase.end) <= CUE_REACH && phrase.end <= at => {
                match cue_of(phrase.meaning) {
                    _ if self.names_a_constant(phrase) || self.line_between(phrase.end, at) => self.field_cue,
                    Cue::None if !phrase.meaning.is_machine() => self.field_cue,
                    cue => cue,
                }
            }
            _ => self.field_cue,
        }
    }

    /// Whether more than a label's marks stand between a word and a number in another line.
    fn line_between(&self, from: usize, to: usize) -> bool {
        let gap = self.text.as_bytes().get(from..to).unwrap_or_default();
        gap.contains(&b'\n') && gap.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
    }

    /// `IOCTL_SMS_ATN`: the phrase is a part of a longer name in capitals.
    fn names_a_constant(&self, phrase: KeyPhrase) -> bool {
        let bytes = self.text.as_bytes();
        matches!((bytes.get(phrase.end), bytes.get(phrase.end + 1)), (Some(b'_'), Some(next)) if next.is_ascii_uppercase())
            && phrase.end.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_uppercase)
    }

    /// A number that may be of a house, or a post code.
    #[inline]
    fn house_number(&mut self, start: usize, end: usize) {
        if self.structure == Structure::Skip {
            return;
        }
        let head = self.text.as_bytes().get(..start).unwrap_or_default();
        if matches!(head, [.., b'*'] | [.., b'b', b'.', b' ']) {
            let span = birth::behind_mark(self.text, start);
            if let Some(span) = span {
                self.push(span, Category::DateOfBirth, "born");
            }
        }
        if ends_capital_word(head) {
            let span = address::around_number(self.text, start);
            self.address(span);
        }
        if matches!(head.last(), Some(b' ' | b'-' | b'\n')) && is_code_like(self.text.as_bytes(), start, end)
        {
            let span = address::around_code(self.text, start);
            self.address(span);
        }
    }

    fn address(&mut self, span: Option<Span>) {
        if let Some(span) = span {
            self.push(span, Category::Address, "street");
        }
    }

    /// A word with a role.
    fn told(&mut self, start: usize, end: usize, roles: Roles, ends_key: bool) {
        if roles.any(Roles::TITLE) {
            self.person(people::after_title(self.text, start, end), "title");
        }
        if roles.any(Roles::AUTHORIZATION) {
            self.hits.extend(recognise::authorization_at(self.text, start));
        }
        if roles.any(Roles::HEAD) {
            self.mail_head(start, end);
        }
        if roles.any(Roles::STREET) {
            let span = address::around_word(self.text, start);
            self.address(span);
        }
        if roles.any(Roles::CLOSING) {
            self.person(people::after_closing(self.text, end), "signature");
        }
        if roles.any(Roles::GREETING) {
            self.person(people::after_greeting(self.text, end), "greeting");
        }
        if roles.any(Roles::WROTE) {
            self.person(people::before_wrote(self.text, start, end), "quoted_mail");
        }
        if roles.any(Roles::PAPER) {
            self.person(files::owner(self.text, start, end), "file_name");
        }
        if roles.any(Roles::SHELL)
            && let Some(span) = commands::password_in_command(self.text, start, end)
        {
            self.push(span, Category::Password, "command");
        }
        if ends_key {
            self.key(end);
            if self.text.as_bytes().get(start) == Some(&b'S') {
                self.cluster_secret(start, end);
            }
        }
    }

    /// `kind: Secret`
    fn cluster_secret(&mut self, start: usize, end: usize) {
        let (text, floor) = (self.text, self.cluster_end);
        let mut values = Vec::new();
        if let Some(end) = cluster_secret::values_of(text, start, end, floor, &mut |span| values.push(span)) {
            self.cluster_end = end;
        }
        for span in values {
            self.push(span, Category::Secret, "cluster_secret");
        }
    }

    /// A mark that joins a key with its value follows, also behind one blank: `apiKey = 'x'`.
    fn mark_of_structure(&self, end: usize) -> bool {
        let bytes = self.text.as_bytes();
        match bytes.get(end) {
            Some(b'"' | b'\'' | b':' | b'=' | b'>' | 0xef) => true,
            Some(b' ') => matches!(bytes.get(end + 1), Some(b'=' | b':')),
            _ => false,
        }
    }

    fn push(&mut self, span: Span, category: Category, rule: &'static str) {
        let detector = Detector(rule);
        self.hits.push(Hit { span, category, detector, strength: Strength::Context, pieces: Vec::new() });
    }

    fn person(&mut self, span: Option<Span>, rule: &'static str) {
        if let Some(span) = span {
            self.push(span, Category::Person, rule);
        }
    }

    /// A camelCase word that a mark of structure follows: only its last humps may be a key.
    fn camel(&mut self, start: usize, end: usize) {
        let Some(word) = self.text.as_bytes().get(start..end) else { return };
        let humps = word
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
        if humps {
            self.key(end);
        } else if word.first().is_some_and(|byte| *byte >= 0xe0) {
            self.phrase_found(keys::unspaced_ending(self.text, end));
        }
    }

    /// A key phrase may end at `end`.
    fn key(&mut self, end: usize) {
        self.phrase_found(keys::phrase_ending(self.text, end));
    }

    fn phrase_found(&mut self, phrase: Option<KeyPhrase>) {
        let Some(phrase) = phrase else { return };
        let end = phrase.end;
        if self.text.get(..phrase.start).is_some_and(|head| head.ends_with("</")) {
            return;
        }
        self.phrase = Some(phrase);
        self.line_keys += 1;
        self.html_table(phrase);
        if phrase.meaning.is_machine() {
            self.machine.push(Span::sized(phrase.start, end - phrase.start));
            return;
        }
        if phrase.meaning == Meaning::RecoveryCodes {
            if let Some(span) = recovery_codes::codes_after(self.text, end) {
                self.push(span, Category::Secret, "recovery_codes");
            }
            return;
        }
        let verb = self.text.get(phrase.start..end).is_some_and(|word| word.eq_ignore_ascii_case("pass"));
        if !verb && matches!(phrase.meaning, Meaning::Password | Meaning::Passphrase) {
            self.stated_password(phrase);
        }
        let of_people = matches!(phrase.meaning, Meaning::Role | Meaning::FullName)
            && self.text.get(phrase.start..end).is_some_and(lists::is_list_key);
        if of_people {
            for name in lists::below(self.text, end) {
                self.push(name, Category::Person, "list");
            }
        }
        let Some(slot) = structure::value_after(self.text, phrase.start, end) else { return };
        if slot.extent != Extent::Blank {
            self.keyed.push((phrase.start, phrase.meaning));
        }
        self.judge(phrase, slot, of_people);
    }

    /// The other names of a list.
    fn more_names(&mut self, end: usize) {
        for name in lists::more(self.text, end) {
            self.push(name, Category::Person, "list");
        }
    }

    /// `<th>Name</th>` in the first row of a table.
    fn html_table(&mut self, phrase: KeyPhrase) {
        let ends_cell = |close: &str| {
            self.text
                .as_bytes()
                .get(phrase.end..phrase.end + 5)
                .is_some_and(|tag| tag.eq_ignore_ascii_case(close.as_bytes()))
        };
        if self.structure == Structure::Skip || phrase.start < self.html_end || !ends_cell("</th>") {
            return;
        }
        let Some(row) = table::html::row_of(self.text, phrase.start).filter(|row| *row >= self.html_end)
        else {
            return;
        };
        let mut found = table::Found { hits: &mut self.hits, machine: &mut self.machine };
        let end = table::html::read(self.text, row, &mut found);
        self.html_end = end.unwrap_or(phrase.end);
    }

    /// `password for the account is X`, `use X as the password`.
    fn stated_password(&mut self, phrase: KeyPhrase) {
        // a sentence goes on with a blank
        let later = matches!(self.text.as_bytes().get(phrase.end), Some(b' ' | b':'))
            .then(|| stated::later(self.text, phrase.end))
            .flatten()
            .and_then(|span| {
                let found =
                    fields::judge(Meaning::Password, span.of(self.text)?, Extent::Verb, Hints::default())?;
                let span = found.span.shifted(span.start());
                span.of(self.text).is_some_and(credentials::is_stated).then_some(span)
            });
        let before = || {
            stated::before(self.text, phrase.start)
                .filter(|span| span.of(self.text).is_some_and(credentials::is_unmistakable))
        };
        if let Some(span) = later.or_else(before) {
            self.push(span, Category::Password, "stated");
        }
    }

    fn judge(&mut self, phrase: KeyPhrase, slot: Slot, of_people: bool) {
        let Some(value) = slot.span.of(self.text) else { return };
        if self.speaks_of_something_else(phrase, slot, value) {
            return;
        }
        let extent = match (slot.extent, phrase.meaning) {
            // `--token value`: as good as `=`; a password must look like one all the same.
            (Extent::Blank, Meaning::Password) if slot.flag => Extent::Verb,
            (Extent::Blank, _) if slot.flag => Extent::Open,
            // `@author Marie Dubois`
            (Extent::Blank, Meaning::Role)
                if self.text.get(..phrase.start).is_some_and(|head| head.ends_with('@')) =>
            {
                Extent::Open
            }
            (Extent::Blank, Meaning::Password) if stated::in_login_entry(self.text, phrase.start) => {
                Extent::Verb
            }
            (Extent::Blank, Meaning::Password) => return,
            // `password 'value'`: the value itself must look like one.
            (Extent::Whole, Meaning::Password) if slot.bare && !slot.flag => Extent::Verb,
            (extent, _) => extent,
        };
        // A bare name and the line of an address wait for what else the record holds.
        let hints = match phrase.meaning {
            Meaning::Name => Hints::of_keys(std::iter::once("email")),
            _ => Hints::default(),
        };
        let Some(verdict) = fields::judge(phrase.meaning, value, extent, hints) else { return };
        let span = self.whole_secret(verdict.span.shifted(slot.span.start()), verdict.category, extent);
        // What is no name is hidden for its key alone only where the key surely is one.
        if verdict.category == Category::Opaque && !self.is_quoted_key(phrase) {
            return;
        }
        if phrase.meaning == Meaning::Name {
            self.names.push((phrase.start, span));
            return;
        }
        self.push(span, verdict.category, verdict.rule);
        if of_people && verdict.category == Category::Person {
            self.more_names(span.end());
        }
        match verdict.category {
            Category::DateOfBirth => self.person(people::before_birth(self.text, phrase.start), "born"),
            Category::Address => self.address_goes_on(span.end()),
            _ => {}
        }
    }

    /// A secret that is longer than what its rule has read goes on to its border. Each byte is read once for that:
    /// keys that stand inside one secret share its border.
    fn whole_secret(&mut self, span: Span, category: Category, extent: Extent) -> Span {
        let secret = matches!(category, Category::ApiKey | Category::Secret) && extent != Extent::Whole;
        if !secret || span.len() + MAX_TRIMMED_BYTES < fields::MAX_LOOK_BYTES {
            return span;
        }
        let from = span.end();
        let known = self.long_secret.filter(|long| (long.from..=long.border).contains(&from));
        let long = known.unwrap_or_else(|| {
            let border = secret_border(self.text, from);
            let tail = self.text.get(from..border).unwrap_or_default();
            let end = from + tail.trim_end_matches([',', ';', ')', ']', '}', '.', ':']).len();
            LongSecret { from, border, end }
        });
        self.long_secret = Some(long);
        Span::sized(span.start(), long.end.max(from) - span.start())
    }

    /// Words that are keys in data and words of sentences or of code elsewhere.
    fn speaks_of_something_else(&self, phrase: KeyPhrase, slot: Slot, value: &str) -> bool {
        let quote = |mark: char| {
            slot.span.start().checked_sub(1).and_then(|at| self.text.as_bytes().get(at)).copied()
                == Some(mark as u8)
        };
        match phrase.meaning {
            Meaning::RecordName | Meaning::FormattedName => slot.bare || !self.is_quoted_key(phrase),
            // "written by `cargo doc`", "given to 'merge'"
            Meaning::FullName | Meaning::NamePart | Meaning::Role => {
                slot.bare
                    && slot.extent == Extent::Whole
                    && !(slot.flag && people::is_unspaced_name(value))
                    && (quote('`') || !value.contains(' ') || !people::is_written_as_name(value))
            }
            // "pass `-x`", "pass to 'f'"
            Meaning::Password => {
                let word = self.text.get(phrase.start..phrase.end).unwrap_or_default();
                let gap = self.text.get(phrase.end..slot.span.start()).unwrap_or_default();
                let marked = gap.starts_with([':', '=', '"', '\'', '：', '<', '>'])
                    || gap.starts_with(" |")
                    || gap.starts_with(" =");
                let told = slot.extent == Extent::Verb
                    && value.split(' ').next().is_some_and(credentials::is_unmistakable);
                (!marked && !told && word.eq_ignore_ascii_case("pass"))
                    || (slot.bare && value.starts_with('-'))
            }
            // `arn:...:secret:name`
            Meaning::Secret | Meaning::Token | Meaning::ApiKey => {
                let colon = |at: Option<usize>| at.and_then(|at| self.text.as_bytes().get(at)) == Some(&b':');
                slot.span.start() == phrase.end + 1
                    && colon(Some(phrase.end))
                    && colon(phrase.start.checked_sub(1))
            }
            _ => false,
        }
    }

    /// `"key":`, `'key' =>`, `\"key\":`
    fn is_quoted_key(&self, phrase: KeyPhrase) -> bool {
        let mark = |at: Option<usize>| at.and_then(|at| self.text.as_bytes().get(at)).copied();
        matches!(mark(phrase.start.checked_sub(1)), Some(b'"' | b'\''))
            && matches!(mark(Some(phrase.end)), Some(b'"' | b'\'' | b'\\'))
    }

    /// `12 Elm Street<br>69003 Lyon`: the next line of an address in a document.
    fn address_goes_on(&mut self, end: usize) {
        let rest = self.text.get(end..).unwrap_or_default();
        let Some(tag) = ["<br>", "<br/>", "<br />"].iter().find(|tag| rest.starts_with(**tag)) else {
            return;
        };
        let start = end + tag.len();
        let line = self
            .text
            .get(start..)
            .and_then(|rest| rest.find(['<', '\n']).filter(|len| (1..=80).contains(len)));
        if let Some(len) = line {
            self.push(Span::sized(start, len), Category::Address, "key.address");
        }
    }

    /// `From: Marie Dubois` and its like, at the start of a line.
    fn mail_head(&mut self, start: usize, end: usize) {
        let head = self.text.get(self.line_start..start).unwrap_or_default();
        let starts_line = head.chars().all(|c| matches!(c, ' ' | '>' | '*' | '\t'));
        let Some(rest) = self.text.get(end..).and_then(|rest| rest.trim_start_matches('*').strip_prefix(':'))
        else {
            return;
        };
        if !starts_line || head.len() > 8 {
            return;
        }
        let at = self.text.len() - rest.trim_start_matches([' ', '*']).len();
        let value = self.text.get(at..).unwrap_or_default();
        let found = fields::judge(Meaning::FullName, value, Extent::Open, Hints::default());
        if let Some(verdict) = found.filter(|found| people::ends_line(self.text, at + found.span.end())) {
            self.push(verdict.span.shifted(at), Category::Person, "mail_head");
            self.more_names(at + verdict.span.end());
        }
    }

    /// `Marie Dubois <marie@example.eu>`.
    fn name_before(&mut self, address: Span) {
        let bytes = self.text.as_bytes();
        let bracket = match address.start().checked_sub(1).and_then(|at| Some((at, *bytes.get(at)?))) {
            Some((at, b'<' | b'(')) => at,
            Some((at, b':')) if self.text.get(..at).is_some_and(|head| head.ends_with("mailto")) => {
                at.saturating_sub(7)
            }
            _ => return,
        };
        if matches!(bytes.get(bracket), Some(b'<' | b'(' | b'[')) {
            self.person(people::before_bracket(self.text, bracket), "mailbox");
        }
    }

    /// Names around an address of mail: those it is made of, and the heading of its card.
    fn names_of_address(&mut self, address: Span) {
        for name in letters::names_near(self.text, address) {
            self.push(name, Category::Person, "address_of");
        }
        // `<a href="mailto:...">`, `<td>m@...`
        let before = address.start().checked_sub(1).and_then(|at| self.text.as_bytes().get(at));
        if matches!(before, Some(b':' | b'>')) {
            self.person(letters::heading_before(self.text, address.start()), "heading");
        }
    }

    fn line_end(&mut self, at: usize) {
        if self.structure == Structure::Read {
            let line = Span::sized(self.line_start, at - self.line_start);
            let opens =
                self.text.as_bytes().get(self.line_start).is_some_and(|byte| matches!(byte, b'B' | b'b'));
            if opens || self.card == vcard::Card::Inside {
                self.card = vcard::line(self.text, line, self.card, &mut self.hits);
            }
            let first = self.text.as_bytes().get(self.line_start).copied();
            if matches!(first, Some(b'A' | b'O' | b'a' | b'o')) {
                self.person(vcard::common_name(self.text, line), "calendar");
            }
            if first == Some(b'-') && self.text.get(self.line_start..at).map(str::trim_end) == Some("--") {
                self.person(people::after_dashes(self.text, at), "signature");
            }
            if matches!(self.text.as_bytes().get(self.line_start), Some(b'[' | b'0'..=b'9' | 0xe2)) {
                self.person(people::chat_line(self.text, self.line_start, at), "chat");
            }
            if matches!(first, Some(b'A'..=b'Z' | 0xc3..)) && at - self.line_start <= letters::MAX_LINE_BYTES
            {
                self.name_lines.extend(letters::name_line(self.text, self.line_start, at));
            }
            if self.line_keys > 0 && self.line_start >= self.table_end {
                let line = Span::sized(self.line_start, at - self.line_start);
                if let Some(end) = table::read(
                    self.text,
                    line,
                    &mut table::Found { hits: &mut self.hits, machine: &mut self.machine },
                ) {
                    self.table_end = end;
                }
            }
        }
        self.line_start = at + 1;
        self.line_keys = 0;
    }

    fn finish(mut self) -> Vec<Hit> {
        for (key, span) in std::mem::take(&mut self.names) {
            if self.in_record_of_person(key) || under::people_key(self.text, key) {
                self.push(span, Category::Person, "key.name");
            }
        }
        self.letters();
        let mut machine = std::mem::take(&mut self.machine);
        machine.sort();
        let text = self.text;
        self.hits.retain(|hit| !negative::vetoes(text, hit, &machine));
        self.hits
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
                self.push(line.span, Category::Person, "letter");
            }
        }
    }

    /// Whether keys of people stand near a bare `name`.
    fn in_record_of_person(&self, key: usize) -> bool {
        let from = self.keyed.partition_point(|(at, _)| at + RECORD_REACH < key);
        self.keyed.get(from..).unwrap_or_default().iter().take_while(|(at, _)| *at <= key + RECORD_REACH).any(
            |(_, meaning)| {
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
            },
        )
    }
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
