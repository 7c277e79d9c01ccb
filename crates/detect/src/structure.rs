//! Where the value of a key phrase stands in a text.
//!
//! In: a text and the end of a key phrase. Out: the place of the value that belongs to it, and how it is joined:
//! `key: value`, `key=value`, `"key": "value"`, `key => value`, `<th>key</th><td>value`, `<key>value</key>`,
//! `--key value`, `name="key" value="value"`, `| key | value |`, `key is value`. Invariant: at most
//! `MAX_GAP_BYTES` are read between key and value, and a bounded part of what follows. Not here: what the value
//! is (`fields`).

use cloakgate_vocab::Span;

use crate::fields::{Extent, MAX_LOOK_BYTES, MAX_VALUE_BYTES};
use crate::work;

mod below;
mod declared;
mod wrapped;

/// Most bytes between a key and its value.
const MAX_GAP_BYTES: usize = 96;
/// Most bytes of the gap and the beginning of the value that are read at once.
const MAX_WINDOW_BYTES: usize = 128;
/// Most bytes of a flag before the words of its key.
const MAX_FLAG_BYTES: usize = 48;
/// Longest value in quotes that is looked at; rules read less of a value without.
const MAX_QUOTED_BYTES: usize = 4096;
/// Longest value in quotes that open otherwise than they close: more than one may end at one place.
const MAX_PAIRED_BYTES: usize = 512;

/// Place of a value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Slot {
    /// Where the value lies, or at least begins.
    pub(crate) span: Span,
    /// Whether the span is the value or only begins with it.
    pub(crate) extent: Extent,
    /// True for a flag of a command line: `--password value`.
    pub(crate) flag: bool,
    /// True when only a blank stands between: `password 'value'`.
    pub(crate) bare: bool,
    /// True when the key is a line of its own, and the value the next one.
    pub(crate) below: bool,
}

/// Verbs between a key and its value, with the blanks around them.
const VERBS: &[&str] = &[
    " is ",
    " was ",
    " ist ",
    " lautet ",
    " est ",
    " es ",
    " è ",
    " é ",
    " jest ",
    " to ",
    " is: ",
    " am ",
    " on ",
    " le ",
    " el ",
    " il ",
    " em ",
    " op ",
    " är ",
    " er ",
    " je ",
    " este ",
    " are ",
    " adalah ",
    " là ",
    " είναι ",
    " yra ",
    " - ",
    " – ",
];

/// What calls begin with that make a date of a text.
const DATES: &[&str] =
    &["date", "new Date", "ISODate", "Date", "LocalDate", "to_date", "TO_DATE", "DateTime", "time.Date"];

/// Longest name of such a call in bytes.
const MAX_CALL_BYTES: usize = 32;

/// The same in scripts without blanks, right behind the key.
pub(crate) const UNSPACED_VERBS: &[&str] = &["是", "为", "為", "は", "는", "은"];

/// Fillers between a key and its value: `number`, `no.`, `#`.
const FILLERS: &[&str] =
    &[" number", " no.", " no", " nr.", " nr", " num", " #", " n°", " nº", " id", " code", " (full)"];

/// Finds the value that follows a key phrase which ends at `end`.
pub(crate) fn value_after(text: &str, start: usize, end: usize) -> Option<Slot> {
    let bytes = text.as_bytes();
    let mut gap = Gap { text, at: end, floor: end, tags: false, below: false };
    if matches!(gap.byte(), Some(b'(' | b'/' | b' ')) {
        gap.endings();
    }
    gap.closers();
    if bytes.get(gap.at) == Some(&b';') {
        gap.parameters(start);
    }
    let flag = is_flag(text, start);
    if let Some(typed) = gap.declared() {
        gap.at += typed;
        return gap.opened(Extent::Open, flag);
    }
    let joined = gap.joint(flag, start)?;
    if joined == Joint::Blank {
        let quoted = matches!(gap.byte(), Some(b'"' | b'\'' | b'`')) || gap.rest().starts_with(['“', '‘']);
        if quoted {
            return gap.opened(Extent::Blank, flag).map(|slot| Slot { bare: true, ..slot });
        }
        let span = gap.rest_of_line()?;
        return Some(Slot { span, extent: Extent::Blank, flag, bare: true, below: false });
    }
    if joined == Joint::Verb {
        return gap.opened(Extent::Verb, flag);
    }
    gap.blanks();
    gap.next_line();
    if gap.rest().starts_with('<') && !gap.tag_is_placeholder() {
        gap.tags();
    }
    if gap.filled() {
        return gap.field(flag);
    }
    gap.opened(Extent::Open, flag)
}

/// `--password`, `--db-admin-password`: the key ends a flag.
fn is_flag(text: &str, start: usize) -> bool {
    let head = text.as_bytes().get(..start).unwrap_or_default();
    let run = head
        .iter()
        .rev()
        .take(MAX_FLAG_BYTES)
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'-')
        .count();
    let long = |flag: &[u8]| flag.starts_with(b"--") && !flag.starts_with(b"---");
    // `-storepass value`: one dash behind a blank, before a word that is no bundle of letters
    let short = |flag: &[u8]| {
        flag == b"-"
            && text.as_bytes().get(start - run..).is_some_and(|rest| {
                rest.iter().skip(1).take_while(|byte| byte.is_ascii_lowercase()).count() >= 6
            })
            && matches!(head.get(..start - run).and_then(<[u8]>::last), None | Some(b' ' | b'\t' | b'\n'))
    };
    head.get(start - run..).is_some_and(|flag| long(flag) || short(flag))
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Joint {
    Mark,
    Verb,
    Blank,
}

/// Cursor in the gap between key and value.
struct Gap<'a> {
    text: &'a str,
    at: usize,    // floor <= at
    floor: usize, // where the gap began
    tags: bool,   // whether a tag was passed
    below: bool,  // whether a line ended
}

impl Gap<'_> {
    /// What follows, as far as it may belong to the gap or tell how the value begins.
    fn rest(&self) -> &str {
        if self.at - self.floor > MAX_GAP_BYTES {
            return "";
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        rest.get(..rest.floor_char_boundary(MAX_WINDOW_BYTES)).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        let limit = self.at + 24;
        while self.at < limit && matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        while self.rest().starts_with('\u{a0}') {
            self.at += 2;
        }
    }

    /// Marks that may close a key: quotes, brackets, emphasis, a number (`phone_1`).
    fn closers(&mut self) {
        // `Nr.:`, `tel. 312`; a longer word before a full stop ends a sentence.
        let word = self
            .text
            .get(..self.floor)
            .unwrap_or_default()
            .chars()
            .rev()
            .take(6)
            .take_while(|c| c.is_alphanumeric());
        let marked = matches!(self.text.as_bytes().get(self.at + 1), Some(b':' | b'#' | b'=' | b'"'));
        if self.byte() == Some(b'.') && (word.count() <= 4 || marked) && !self.rest().starts_with("...") {
            self.at += 1;
        }
        for _ in 0..5 {
            match self.byte() {
                Some(b'"' | b'\'' | b'`' | b')' | b']' | b'*' | b'\\' | b'_') => self.at += 1,
                Some(byte) if byte.is_ascii_digit() && self.at - self.floor < 3 => self.at += 1,
                _ => break,
            }
        }
    }

    /// Endings and forms in brackets behind a key: `né(e) le`, `nato/a il`, `Date of birth (DD/MM/YYYY)`.
    fn endings(&mut self) {
        let rest = self.rest();
        if let Some(ending) = ["(e)", "(a)", "(ne)", "(s)", "/a", "/e"]
            .iter()
            .find(|ending| rest.strip_prefix(**ending).is_some_and(|rest| rest.starts_with([' ', ':'])))
        {
            self.at += ending.len();
            return;
        }
        let form = rest.strip_prefix(" (").and_then(|rest| rest.split_once(')')).map(|(form, _)| form);
        // `Date of birth (day-month-year):`, `Surname (family name):`
        if let Some(form) =
            form.filter(|form| form.len() <= 32 && !form.contains(|c: char| c.is_ascii_digit() || c == '\n'))
            && rest.get(form.len() + 3..).is_some_and(|rest| rest.starts_with(':'))
        {
            self.at += form.len() + 3;
            return;
        }
        let letters = |form: &str| form.chars().all(|c| "dmyjatrDMYJATR/.- ".contains(c));
        if let Some(form) = form.filter(|form| (6..=14).contains(&form.len()) && letters(form)) {
            self.at += form.len() + 3;
        }
    }

    /// vCard parameters: `TEL;TYPE=cell:`, at the start of a line.
    fn parameters(&mut self, key: usize) {
        let line_start = key == 0 || self.text.as_bytes().get(key - 1) == Some(&b'\n');
        let window = self.rest();
        if let Some(colon) =
            window.find([':', '\n', ' ']).filter(|at| line_start && window.get(*at..*at + 1) == Some(":"))
        {
            self.at += colon;
        }
    }

    /// Passes what joins key and value.
    fn joint(&mut self, flag: bool, key: usize) -> Option<Joint> {
        let before = self.at;
        self.blanks();
        match self.byte()? {
            // `PESEL#44051401359`
            b'#' if self.at == before
                && self.text.as_bytes().get(self.at + 1).is_some_and(u8::is_ascii_alphanumeric) =>
            {
                self.at += 1;
                Some(Joint::Verb)
            }
            // `Lic# ME852321`, `Acct#: 312`
            b'#' if self.at == before && (self.rest().starts_with("# ") || self.rest().starts_with("#:")) => {
                let marked = self.rest().starts_with("#:");
                self.at += 2;
                Some(if marked { Joint::Mark } else { Joint::Verb })
            }
            0xe3..=0xec if self.at == before && self.unspaced_verb() > 0 => {
                self.at += self.unspaced_verb();
                self.blanks();
                Some(Joint::Verb)
            }
            b'\n' if self.numbered_below().is_some() => {
                self.at += self.numbered_below()?;
                Some(Joint::Mark)
            }
            b'\n' if self.labels_line(key) => {
                self.at += 1;
                self.below = true;
                Some(Joint::Mark)
            }
            b'\n' | b'\r' if self.is_name_of_pair() => {
                self.at += self.value_below()?;
                Some(Joint::Mark)
            }
            // `userPassword:: aHVudGVyMg==`: a line of a directory, in base64
            b':' if self.rest().starts_with(":: ") && self.at == before && self.begins_line() => {
                self.at += 2;
                Some(Joint::Mark)
            }
            b';' if self.serialised().is_some() => {
                self.at += self.serialised()?;
                Some(Joint::Mark)
            }
            b':' if self.rest().starts_with("::") || self.rest().starts_with("://") => None,
            b'=' if self.rest().starts_with("==") => None,
            b':' | b'=' => {
                self.at += 1;
                if matches!(self.byte(), Some(b'=' | b'>')) && !self.rest().starts_with("=>") {
                    self.at += 1;
                }
                // Emphasis that closes after the colon: `**Name:** Marie`.
                while self.byte() == Some(b'*') {
                    self.at += 1;
                }
                Some(Joint::Mark)
            }
            b'-' if self.rest().starts_with("->") => {
                self.at += 2;
                Some(Joint::Mark)
            }
            // `Mobile - 312 45 67`, `Mobile ........ 312 45 67`: the lines of a form.
            b'-' if self.rest().starts_with("- ") && self.at > before && self.begins_line() => {
                self.at += 1;
                Some(Joint::Mark)
            }
            b'.' | b'_' if self.leaders() >= 3 && self.begins_line() => {
                let leaders = self.leaders();
                // what is written on the line itself begins there
                let apart = self.byte() == Some(b'.') || self.rest().get(leaders..)?.starts_with(' ');
                self.at += if apart { leaders } else { 0 };
                Some(Joint::Mark)
            }
            _ if self.rest().starts_with(['–', '—']) && self.at > before && self.begins_line() => {
                self.at += '–'.len_utf8();
                Some(Joint::Mark)
            }
            _ if self.rest().starts_with('…') && self.begins_line() => {
                self.at += self.leaders();
                Some(Joint::Mark)
            }
            _ if self.rest().starts_with('→') => {
                self.at += '→'.len_utf8();
                Some(Joint::Mark)
            }
            // `\\name{Marie}`
            b'{' if self.at == before
                && key.checked_sub(1).and_then(|at| self.text.as_bytes().get(at)) == Some(&b'\\') =>
            {
                self.at += 1;
                Some(Joint::Mark)
            }
            // `.firstName("Marie")`
            b'(' if self.at == before && self.is_setter(key) => {
                self.at += 1;
                Some(Joint::Mark)
            }
            // `| key | value |`: the key is the first cell of a row.
            b'|' if self.begins_row() || self.is_expanded() => {
                self.at += 1;
                Some(Joint::Mark)
            }
            b'|' => None,
            // `len(password) > size` is no tag.
            b'>' if self.at > before || !self.in_tag() => None,
            b'<' if self.labelled_field().is_some() => {
                self.at += self.labelled_field()?;
                self.floor = self.at;
                Some(Joint::Mark)
            }
            // A key ends its own element; `<br>` after a word is the end of a line.
            b'<' if !self.rest().starts_with("</") => None,
            b'>' | b'<' => {
                if self.byte() == Some(b'>') {
                    self.at += 1;
                    self.tags = true;
                }
                self.tags();
                // `Contraseña</string><string name="full_name">`: the next value has a name of its own.
                let passed = self.text.get(before..self.at).unwrap_or_default();
                (self.tags && !passed.contains(" name=")).then_some(Joint::Mark)
            }
            _ if self.rest().starts_with('：') => {
                self.at += '：'.len_utf8();
                Some(Joint::Mark)
            }
            _ if ["value=", "content=", "datetime="].iter().any(|name| self.rest().starts_with(name)) => {
                self.at += self.rest().find('=')? + 1;
                Some(Joint::Mark)
            }
            // `STRAS  12 Elm Rise`: a form in two columns, the value alone in the second
            _ if self.sets_apart(before) => Some(Joint::Mark),
            _ if self.at > before => {
                self.at = before;
                self.word_joint(flag)
            }
            _ => None,
        }
    }

    /// Whether only a bar and the marks of emphasis stand before the key on its line.
    fn begins_row(&self) -> bool {
        let head = self.text.get(..self.floor).unwrap_or_default().as_bytes();
        let line = || head.iter().rev().take(MAX_GAP_BYTES).take_while(|byte| **byte != b'\n');
        let first = line().filter(|byte| !matches!(byte, b' ' | b'\t' | b'/' | b'>')).last();
        first == Some(&b'|') && line().filter(|byte| **byte == b'|').count() == 1
    }

    /// Length of the verb of a script without blanks that begins here.
    fn unspaced_verb(&self) -> usize {
        UNSPACED_VERBS.iter().find(|verb| self.rest().starts_with(**verb)).map_or(0, |verb| verb.len())
    }

    /// `.firstName("Marie")`, `.birthDate(LocalDate.parse("1984-03-12"))`: a call that sets what it is named for.
    fn is_setter(&self, key: usize) -> bool {
        let method = key.checked_sub(1).and_then(|at| self.text.as_bytes().get(at)) == Some(&b'.');
        method && matches!(self.rest().as_bytes(), [b'(', b'"' | b'\'', ..])
    }

    /// Whether two blanks or a tab stand between a key that begins its line and the one value behind it.
    fn sets_apart(&self, before: usize) -> bool {
        let gap = self.text.get(before..self.at).unwrap_or_default();
        let rest = self.rest();
        let line = rest.get(..rest.find('\n').unwrap_or(rest.len())).unwrap_or_default().trim_end();
        (gap.len() >= 2 || gap.contains('\t'))
            && self.begins_line()
            && !line.contains("  ")
            && !line.contains('\t')
    }

    /// How many dots or lines lead from a key to its value.
    fn leaders(&self) -> usize {
        self.rest().bytes().take_while(|byte| matches!(byte, b'.' | b'_')).count()
            + self.rest().chars().take_while(|c| *c == '…').count() * '…'.len_utf8()
    }

    /// Whether nothing but words of letters stands before the gap on its line, as in a form.
    fn begins_line(&self) -> bool {
        let head = self.text.get(..self.floor).unwrap_or_default();
        let mut line = head.chars().rev().take(MAX_FLAG_BYTES).take_while(|c| *c != '\n');
        let short = line.by_ref().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '/') || !c.is_ascii());
        let mut near = head.as_bytes().iter().rev().take(MAX_FLAG_BYTES - 1);
        short && (head.len() < MAX_FLAG_BYTES || near.any(|byte| *byte == b'\n'))
    }

    /// `full_name | Marie Dubois`: a record of `psql`, one field a line; no other bar stands on it.
    fn is_expanded(&self) -> bool {
        let head = self.text.get(..self.floor).unwrap_or_default().as_bytes();
        let name = head
            .iter()
            .rev()
            .take(40)
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        let starts = head.len() == name || head.get(head.len() - name - 1) == Some(&b'\n');
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let mut line = rest.iter().take(MAX_LOOK_BYTES).take_while(|byte| **byte != b'\n');
        starts && rest.starts_with(b"| ") && line.by_ref().filter(|byte| **byte == b'|').count() == 1
    }

    /// Whether the key stands inside a tag: `<key>`, `<input name="key">`.
    fn in_tag(&self) -> bool {
        let head = self.text.get(..self.floor).unwrap_or_default().as_bytes();
        let mark = head.iter().rev().take(MAX_GAP_BYTES).position(|byte| matches!(byte, b'<' | b'>' | b'\n'));
        let Some(open) = mark.and_then(|back| head.len().checked_sub(back + 1)) else { return false };
        let before = open.checked_sub(1).and_then(|at| head.get(at));
        // `Map<Id, Pass*>` holds a type.
        head.get(open) == Some(&b'<')
            && !before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    }

    /// Verbs and fillers; else a blank.
    fn word_joint(&mut self, flag: bool) -> Option<Joint> {
        if !flag {
            if let Some(filler) = starts_with_any(self.rest(), FILLERS) {
                self.at += filler;
                if matches!(self.byte(), Some(b':' | b'=')) {
                    self.at += 1;
                    return Some(Joint::Mark);
                }
            }
            if let Some(verb) = starts_with_any(self.rest(), VERBS) {
                self.at += verb;
                // `le mot de passe est : x`
                if self.rest().starts_with(": ") {
                    self.at += 2;
                    return Some(Joint::Mark);
                }
                return Some(Joint::Verb);
            }
        }
        self.blanks();
        Some(Joint::Blank)
    }

    /// Passes tags and the blanks between them.
    fn tags(&mut self) {
        for _ in 0..4 {
            let rest = self.rest();
            if !rest.starts_with('<') {
                break;
            }
            let Some(close) = rest.find('>').filter(|close| *close < 80) else { break };
            self.at += close + 1;
            self.tags = true;
            let limit = self.at + 24;
            while self.at < limit && matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            }
        }
    }

    /// `password: <your password>` is no tag.
    fn tag_is_placeholder(&self) -> bool {
        let rest = self.rest();
        rest.find('>')
            .and_then(|close| rest.get(..close))
            .is_none_or(|tag| tag.contains([' ', '-', '_']) && !tag.contains('='))
    }

    /// The slot that begins here: the inside of quotes, or an open value to the end of the line.
    fn opened(&mut self, extent: Extent, flag: bool) -> Option<Slot> {
        self.blanks();
        self.wrapping();
        for _ in 0..3 {
            // Brackets and emphasis around a value; a backslash before a quote of JSON inside a string.
            if matches!(self.byte(), Some(b'(' | b'*' | b'\\' | b'[')) {
                self.at += 1;
            }
        }
        if matches!(
            self.rest().get(..2),
            Some("f\"" | "b\"" | "r\"" | "u\"" | "f'" | "b'" | "r'" | "u'" | "N'" | "E'")
        ) {
            self.at += 1;
        }
        self.at += self.date_call();
        let line = self.rest_of_line()?;
        let quote = line
            .of(self.text)?
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\'' | '`' | '“' | '«' | '„' | '‘'));
        let Some(quote) = quote else {
            return Some(Slot { span: line, extent, flag, bare: false, below: self.below });
        };
        let closing = match quote {
            '“' | '„' => '”',
            '«' => '»',
            '‘' => '’',
            other => other,
        };
        let start = line.start() + quote.len_utf8();
        // `'npm password: '` at the end of a line: the quote closes what the key stands in.
        if matches!(quote, '"' | '\'') && matches!(self.text.as_bytes().get(start), Some(b'\n' | b'\r')) {
            return None;
        }
        let inside = self.text.get(start..)?;
        let end = match u8::try_from(closing) {
            Ok(closing) if closing.is_ascii() => closing_quote(inside.as_bytes(), closing),
            _ => paired_quote(inside, closing),
        }
        .filter(|end| *end > 0)?;
        let trimmed = inside.get(..end)?.strip_suffix('\\').map_or(end, str::len);
        let span = Span::sized(start, trimmed);
        Some(Slot { span, extent: Extent::Whole, flag, bare: false, below: self.below })
    }

    /// Length of `new Date(` and its like before what a call makes a date of; 0 when there is none.
    fn date_call(&self) -> usize {
        let rest = self.rest();
        if !DATES.iter().any(|head| rest.starts_with(head)) {
            return 0;
        }
        let open = rest.bytes().take(MAX_CALL_BYTES).position(|byte| matches!(byte, b'(' | b'\n' | b' '));
        let opens = |at: &usize| {
            matches!(rest.as_bytes().get(*at..*at + 2), Some([b'(', b'"' | b'\'' | b'0'..=b'9']))
        };
        open.filter(opens).map_or(0, |at| at + 1)
    }

    fn rest_of_line(&self) -> Option<Span> {
        let rest = self.text.get(self.at..)?;
        let bytes = rest.as_bytes();
        // One byte more than rules read, so that they see whether there is more.
        let window = bytes.get(..(MAX_LOOK_BYTES + 1).min(bytes.len()))?;
        let len = rest.floor_char_boundary(memchr::memchr2(b'\n', b'\r', window).unwrap_or(window.len()));
        (len > 0 && self.at - self.floor <= MAX_GAP_BYTES).then(|| Span::sized(self.at, len))
    }
}

fn starts_with_any(rest: &str, words: &[&str]) -> Option<usize> {
    let second = rest.as_bytes().get(1)?.to_ascii_lowercase();
    words
        .iter()
        .find(|word| {
            word.as_bytes().get(1) == Some(&second)
                && rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
        })
        .filter(|word| {
            word.ends_with(' ')
                || !rest.get(word.len()..).is_some_and(|after| after.starts_with(char::is_alphanumeric))
        })
        .map(|word| word.len())
}

/// Offset of the quote that closes; a quote after a backslash is part of the value, unless the opening one was
/// escaped too.
fn closing_quote(inside: &[u8], closing: u8) -> Option<usize> {
    let inside = inside.get(..MAX_QUOTED_BYTES).unwrap_or(inside);
    let mut at = 0;
    loop {
        let found = memchr::memchr3(closing, b'\\', b'\n', inside.get(at..)?);
        work::count(found.unwrap_or(inside.len() - at));
        at += found?;
        match inside.get(at)? {
            b'\n' if at > MAX_VALUE_BYTES => return None,
            b'\n' => at += 1,
            // `O''Brien` in SQL, `O'Brien` where nobody escapes: a mark after a single letter.
            b'\'' if is_apostrophe(inside, at) => at += 1 + usize::from(inside.get(at + 1) == Some(&b'\'')),
            // `\"` ends a value that stands in JSON inside a string.
            b'\\' if inside.get(at + 1) != Some(&closing) => at += 2,
            _ => return Some(at),
        }
    }
}

/// Whether the mark stands between a single letter and a capital: `O'Brien`, `N''Diaye`.
fn is_apostrophe(inside: &[u8], at: usize) -> bool {
    let byte = |at: Option<usize>| at.and_then(|at| inside.get(at)).copied();
    let next = if byte(Some(at + 1)) == Some(b'\'') { at + 2 } else { at + 1 };
    byte(at.checked_sub(1)).is_some_and(|letter| letter.is_ascii_uppercase())
        && !byte(at.checked_sub(2)).is_some_and(|letter| letter.is_ascii_alphanumeric())
        && byte(Some(next)).is_some_and(|letter| letter.is_ascii_uppercase())
}

/// The same for quotes outside ASCII, which nothing escapes.
fn paired_quote(inside: &str, closing: char) -> Option<usize> {
    inside
        .char_indices()
        .inspect(|_| work::count(1))
        .take_while(|(at, c)| *at < MAX_PAIRED_BYTES && (*c != '\n' || *at <= MAX_VALUE_BYTES))
        .find(|(_, c)| *c == closing)
        .map(|(at, _)| at)
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use super::value_after;

    #[test]
    fn values_follow_their_keys_in_many_ways() {
        for (text, value) in [
            ("KEY: Marie Dubois", "Marie Dubois"),
            ("KEY=Marie", "Marie"),
            ("\"KEY\": \"Marie\", \"x\": 1", "Marie"),
            ("{'KEY': 'Marie'}", "Marie"),
            ("{\\\"KEY\\\": \\\"Marie\\\"}", "Marie"),
            ("**KEY:** Marie", "Marie"),
            ("KEY => \"Marie\"", "Marie"),
            ("<th>KEY</th><td>Marie</td>", "Marie</td>"),
            ("<KEY>Marie</KEY>", "Marie</KEY>"),
            ("--KEY Marie", "Marie"),
            ("<input name=\"KEY\" value=\"Marie\">", "Marie"),
            ("| KEY | Marie |", "Marie |"),
            ("KEY is Marie", "Marie"),
            ("KEY number 972", "972"),
            ("KEY_1: Marie", "Marie"),
            ("(KEY)=(Marie) already", "Marie) already"),
            ("KEY;TYPE=cell:Marie", "Marie"),
            ("born=date.fromisoformat(\"x\")", ""),
            ("KEY::Marie", ""),
            ("len(KEY) > size", ""),
            ("KEY > size", ""),
            ("Map<Id, KEY*> Found", ""),
            ("x KEY<br>\n<br>\nSteps", ""),
            ("x | y | KEY | Marie |", ""),
            ("| \"time\" | \"KEY\" | \"url64\"", ""),
            ("const a = 'x KEY: '\nconst b = 'y'", ""),
            ("KEY: \"\",\n \"x\": \"y\"", ""),
            ("KEY == x", ""),
            ("KEY", ""),
            ("KEY\nMarie", "Marie"),
            ("3. KEY\n   Marie Dubois\nx", "Marie Dubois"),
            ("Surname/KEY\nDubois", "Dubois"),
            ("Name, KEY\nDubois", "Dubois"),
            ("KEY\nDate of birth\nx", ""),
            ("see the KEY\nMarie", ""),
            ("KEY\n\nMarie", ""),
            ("\\KEY{Marie}", "Marie}"),
            ("-KEYSTORE Marie", ""),
            ("KEY:: Marie", "Marie"),
            (" 1) \"KEY\"\n 2) \"Marie\"", "Marie"),
            ("- name: KEY\n  value: Marie", "Marie"),
            ("- name: KEY\n  other: Marie", ""),
            ("KEY - Marie", "Marie"),
            ("KEY ..... Marie", "Marie"),
            ("x, KEY - Marie", "Marie"),
            ("KEY: ~D[1984-03-12], x", "1984-03-12], x"),
            ("KEY: Some(\"Marie\")", "Marie"),
            ("[\"KEY\"]=>\n  string(5) \"Marie\"", "Marie"),
            ("s:3:\"KEY\";s:5:\"Marie\";", "Marie"),
            ("<label>KEY</label><input id=\"f\" name=\"f\" value=\"Marie\">", "Marie"),
            ("<label>KEY</label><input id=\"f\" name=\"f\">", ""),
            ("class=\"KEY\" datetime=\"Marie\"", "Marie"),
            ("KEY:\nMarie\n", "Marie"),
            ("KEY:\nOther: x", ""),
            ("KEY  Marie Dubois\n", "Marie Dubois"),
            ("KEY\tMarie", "Marie"),
            (".KEY(\"Marie\")", "Marie"),
            ("KEY(\"Marie\")", ""),
            ("KEY: &str = \"Marie\";", "Marie"),
            ("KEY: Option<String> = 'Marie'", "Marie"),
            ("KEY?: string = 'Marie'", "Marie"),
            ("var KEY string = \"Marie\"", "Marie"),
            ("char KEY[] = \"Marie\";", "Marie"),
            ("KEY: Final[str] = \"Marie\"", "Marie"),
            ("KEY: x and y = \"Marie\"", "x and y = \"Marie\""),
            ("KEY: ____Marie Dubois____\n", "Marie Dubois"),
            ("KEY: __Marie__", "__Marie__"),
            ("KEY: ..... Marie", "Marie"),
            ("KEY: ______ Other: ____", "______ Other: ____"),
            ("KEY ____Marie____", "Marie"),
            ("KEY …… Marie", "Marie"),
            ("KEY\n      Marie", "Marie"),
        ] {
            let at = text.find("KEY").unwrap_or(0);
            let found = value_after(text, at, at + 3).map_or("", |slot| &text[slot.span.range()]);
            assert_eq!(found, value, "{text}");
        }
        let text = "born=date.fromisoformat(\"1952-03-03\"))";
        assert_eq!(value_after(text, 0, 4).map(|slot| &text[slot.span.range()]), Some("1952-03-03"));
    }
}
