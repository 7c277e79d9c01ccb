//! Names of people in Chinese prose, which is written without blanks and capitals.
//!
//! In: a run of Chinese characters. Out: names in it. A run is cut into words, single characters, names of a surname
//! and one or two characters, and foreign names written by sound, so that the whole is as likely as can be: a name is
//! found where no words explain the characters better. A title before or after, a verb of speaking after, or a
//! mark of enumeration beside it count for a name. A place's ending after it counts against a foreign name.
//!
//! Invariant: cost is linear in the length of the run; from each character at most `MAX_FOREIGN` are looked at.
//! Costs are 4 × -ln of a likelihood.

use cloakgate_vocab::Span;

use crate::lists::{Hash, Lists, Role};
use crate::mention::{Kind, Mention};

/// Longest foreign name written by sound, in characters, without the dots between its parts.
const MAX_FOREIGN: usize = 8;
/// Longest word that stands beside a name, in characters.
const MAX_ROLE: usize = 4;
/// A name is one word of so many.
const NAME: u32 = 20;
/// A foreign name is.
const FOREIGN: u32 = 22;
/// A Japanese name is, with a surname that is most common.
const JAPANESE: u32 = 42;
/// A character that no word explains.
const UNKNOWN: u32 = 56;

/// A run of Chinese characters, prepared for reading.
pub(super) struct Run<'a> {
    /// The characters with their places in the text.
    pub(super) written: &'a [(usize, char)],
    /// The characters, simplified.
    pub(super) simple: &'a [char],
    /// The character of the text before the run, and the one after it.
    pub(super) around: (Option<char>, Option<char>),
    pub(super) lists: &'a Lists,
}

/// How a stretch of a run is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Reading {
    Word,
    Name,
    /// Somebody's name in the dictionary.
    Known,
    Foreign,
}

#[derive(Clone, Copy)]
struct Step {
    cost: u32,
    from: usize,
    reading: Reading,
}

/// Names in a run.
pub(super) fn read(run: &Run<'_>) -> Vec<Mention> {
    let steps = cheapest(run);
    let mut mentions = Vec::new();
    let mut end = run.simple.len();
    while let Some(step) = steps.get(end).filter(|_| end > 0) {
        let name = step.reading != Reading::Word && !run.is_place(step.from, end);
        mentions.extend(run.mention(step.from, end, step.reading).filter(|_| name));
        end = step.from;
    }
    mentions.reverse();
    mentions
}

/// For each place of the run, the cheapest way to read what stands before it.
fn cheapest(run: &Run<'_>) -> Vec<Step> {
    let far = Step { cost: u32::MAX, from: 0, reading: Reading::Word };
    let mut steps = vec![far; run.simple.len() + 1];
    if let Some(first) = steps.first_mut() {
        first.cost = 0;
    }
    for from in 0..run.simple.len() {
        let Some(cost) = steps.get(from).map(|step| step.cost) else { break };
        let mut take = |length: usize, more: u32, reading: Reading| {
            let cost = cost.saturating_add(more);
            if let Some(step) = steps.get_mut(from + length).filter(|step| cost < step.cost) {
                *step = Step { cost, from, reading };
            }
        };
        let rest = run.simple.get(from..).unwrap_or_default();
        for length in 1..=4 {
            let word = rest.get(..length).and_then(|word| run.lists.han_word(word));
            match word {
                Some(word) if word.person && !run.ends_as_thing(from + length) => {
                    let context = run.before(from) + run.after(from + length);
                    let doubt = if word.more { 10 } else { 0 };
                    take(length, word.cost + if word.more { 0 } else { 12 }, Reading::Word);
                    take(length, (word.cost + doubt).saturating_sub(context), Reading::Known);
                }
                Some(word) => take(length, word.cost, Reading::Word),
                None if length == 1 => take(1, UNKNOWN, Reading::Word),
                None => {}
            }
        }
        names(run, from, &mut take);
        japanese(run, from, &mut take);
        foreign(run, from, &mut take);
    }
    steps
}

/// Names of a surname and one or two characters that begin here.
fn names(run: &Run<'_>, from: usize, take: &mut impl FnMut(usize, u32, Reading)) {
    let at = |place: usize| run.simple.get(place).copied();
    let Some(first) = at(from) else { return };
    let (surname, cost) = match at(from + 1) {
        Some(second) if run.is(&[first, second], Role::ChineseSurnameOfTwo) => (2, 30),
        _ => match run.lists.han(first).surname {
            0 => return,
            level => (1, 11 + 4 * (7 - u32::from(level))),
        },
    };
    let before = run.before(from);
    let function_word = surname == 1 && run.is(&[first], Role::ChineseSurnameOrWord);
    let mut cost = NAME + cost + if function_word { 14 } else { 0 };
    for given in 1..=2 {
        let Some(c) = at(from + surname + given - 1) else { return };
        cost += match run.lists.han(c).given {
            0 => 52,
            level => 17 + 2 * (15 - u32::from(level)),
        };
        let length = if given == 1 { 5 } else { 0 };
        let thing = run.is(&[c], Role::ChineseNoName) || given == 1 && run.is(&[c], Role::ChineseNoShortName);
        let length = length + if thing { 16 } else { 0 };
        // A name that is all of a line or a cell.
        let whole = from == 0 && from + surname + given == run.simple.len();
        let context = before + run.after(from + surname + given) + if whole { 10 } else { 0 };
        take(surname + given, (cost + length).saturating_sub(context), Reading::Name);
    }
}

/// Japanese names that begin here: a surname of two characters and one or two more.
fn japanese(run: &Run<'_>, from: usize, take: &mut impl FnMut(usize, u32, Reading)) {
    let written = |at: usize| run.written.get(at).map(|(_, c)| *c);
    let Some((one, two)) = written(from).zip(written(from + 1)) else { return };
    let mut utf8 = [0; 8];
    let length = one.encode_utf8(&mut utf8).len();
    let length = length + utf8.get_mut(length..).map_or(0, |rest| two.encode_utf8(rest).len());
    let surname = utf8.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
    let known = run.lists.word(surname);
    if !known.surname || known.given.is_some() {
        return;
    }
    let mut cost = JAPANESE + 8 * (3 - u32::from(known.frequency));
    for given in 1..=2 {
        let Some(level) =
            written(from + 1 + given).map(|c| run.lists.japanese_given(c)).filter(|level| *level >= 6)
        else {
            return;
        };
        cost += 14 + 2 * (15 - level);
        let context = run.before(from) + run.after(from + 2 + given);
        take(2 + given, cost.saturating_sub(context), Reading::Name);
    }
}

/// Foreign names, written by sound, that begin here.
fn foreign(run: &Run<'_>, from: usize, take: &mut impl FnMut(usize, u32, Reading)) {
    let mut cost = FOREIGN;
    let mut length = 0;
    let mut dots = 0;
    let (mut odd, mut odds, mut dot) = (0, 0, false);
    for c in run.simple.iter().skip(from) {
        if is_dot(*c) && length > 0 && !dot {
            dots += 1;
            dot = true;
        } else {
            dot = false;
            let level = run.lists.han(*c).foreign;
            if level == 0 && odd == 2 || length == MAX_FOREIGN * (dots + 1).min(3) {
                return;
            }
            odd = if level == 0 { odd + 1 } else { 0 };
            odds += usize::from(level == 0);
            cost += 12 + 3 * (7 - u32::from(level));
            length += 1;
            if length >= 2 && odds <= 2 * dots {
                let dotted = if dots > 0 { 8 + 56 * dots as u32 } else { 0 };
                take(length + dots, cost.saturating_sub(dotted), Reading::Foreign);
            }
        }
    }
}

pub(super) const fn is_dot(c: char) -> bool {
    matches!(c, '·' | '‧' | '•' | '・' | '．')
}

impl Run<'_> {
    /// What speaks for a name that begins here.
    fn before(&self, from: usize) -> u32 {
        if from == 0 {
            return beside(self.around.0);
        }
        if self.ends_with_title(from) {
            14
        } else if self.simple.get(from - 1).is_some_and(|c| self.is(&[*c], Role::ChineseOffice)) {
            8
        } else {
            0
        }
    }

    /// What speaks for a name that ends here.
    fn after(&self, end: usize) -> u32 {
        if end == self.simple.len() {
            return beside(self.around.1);
        }
        if self.any_at(end, Role::ChineseAfter) || self.with_number(end) > end {
            20
        } else if self.any_at(end, Role::ChineseVerb) {
            6
        } else {
            0
        }
    }

    /// The end of a name with the number of a ruler that follows it: `五世`.
    fn with_number(&self, end: usize) -> usize {
        let digits =
            self.simple.iter().skip(end).take(3).take_while(|c| "一二三四五六七八九十".contains(**c)).count();
        let ruler = digits > 0 && self.simple.get(end + digits) == Some(&'世');
        if ruler { end + digits + 1 } else { end }
    }

    /// Whether a word of this role stands at a place.
    fn any_at(&self, at: usize, role: Role) -> bool {
        let rest = self.simple.iter().skip(at).copied();
        self.lists.roles().begin(rest, MAX_ROLE, role)
    }

    /// Whether a word for an office, a relation or a label ends at a place.
    fn ends_with_title(&self, at: usize) -> bool {
        (1..=MAX_ROLE.min(at)).any(|length| {
            let word = self.simple.get(at - length..at).unwrap_or_default();
            self.is(word, Role::ChineseBefore)
        })
    }

    fn is(&self, word: &[char], role: Role) -> bool {
        self.lists.roles().at(word.iter().fold(Hash::new(), |hash, c| hash.char(*c))).has(role)
    }

    /// Whether the last character before a place is one of places and things.
    fn ends_as_thing(&self, end: usize) -> bool {
        self.simple.get(end - 1).is_some_and(|c| self.is(&[*c], Role::ChineseNoName))
    }

    /// Whether a stretch is the name of a country or a large city.
    fn is_place(&self, from: usize, end: usize) -> bool {
        let word: String = self.simple.iter().take(end).skip(from).collect();
        self.lists.word(&word).place || self.lists.roles().of(&word).has(Role::ChineseCity)
    }

    /// A stretch that was read as a name, if what stands around it lets it be one of a person.
    fn mention(&self, from: usize, end: usize, reading: Reading) -> Option<Mention> {
        let dotted = self.simple.get(from..end)?.iter().any(|c| is_dot(*c));
        let titled = from > 0 && self.before(from) > 8 || self.after(end) >= 20;
        let score = match reading {
            Reading::Foreign if self.any_at(end, Role::ChinesePlace) && !titled => return None,
            Reading::Foreign if dotted || titled => 0.9,
            Reading::Known if self.any_at(end, Role::ChinesePlace) && !titled => 0.4,
            Reading::Known => 0.75,
            Reading::Foreign => match (end - from, self.before(from) + self.after(end)) {
                (2, 0) => 0.3,
                (2, _) | (_, 0..6) => 0.45,
                _ => 0.6,
            },
            Reading::Name if titled => 0.9,
            Reading::Name if self.any_at(end, Role::ChinesePlace) => 0.4,
            Reading::Name if self.before(from) + self.after(end) > 0 => 0.7,
            _ => 0.55,
        };
        let end = self.with_number(end);
        let (start, _) = *self.written.get(from)?;
        let (last, c) = *self.written.get(end - 1)?;
        Some(Mention { span: Span::sized(start, last + c.len_utf8() - start), kind: Kind::Person, score })
    }
}

/// What the end of a run says: marks of enumeration and quotation and colons stand beside names.
const fn beside(neighbour: Option<char>) -> u32 {
    match neighbour {
        Some('、' | '：' | ':' | '」') => 6,
        None | Some('，' | '。' | ',' | '(' | '（' | ')' | '）' | '\n' | ' ' | '\t') => 3,
        Some(_) => 0,
    }
}
