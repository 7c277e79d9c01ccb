//! Runs of digit groups, and the order in which kinds of numbers may claim them.
//!
//! In: a maximal run of digit groups joined by single separators. Out: hits of addresses, cards, social security
//! numbers, telephone and account numbers.
//! Invariant: a group is claimed by at most one kind; a hit covers whole groups; at most 64 groups are read.
//! Not here: the rules of each kind.

use cloakgate_vocab::{Category, Span, Strength};

use super::boundary::{at, before, is_identifier, run_start};
use super::{Hit, card, ipv4, national, phone, ssn};

const MAX_GROUPS: usize = 64;
/// A blank that keeps a number on one line, as it stands between two groups.
pub(super) const NO_BREAK: &[u8] = "\u{a0}".as_bytes();

/// A maximal run of groups of ASCII digits, joined by single separators, at most 64 digits in all.
pub(crate) struct DigitRun<'a> {
    /// The whole text.
    pub(crate) text: &'a str,
    /// Where the groups are, in order; each is all digits.
    pub(crate) groups: &'a [Span],
}

/// What the nearest key or cue word says about a number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Cue {
    /// Nothing.
    None,
    /// A telephone number.
    Phone,
    /// A payment card.
    Card,
    /// A United States social security number.
    Ssn,
    /// An account with a bank.
    Account,
    /// An internet address.
    Ip,
    /// A personal, tax, health, passport or licence number: of that category, or of any.
    Id(Option<Category>),
}

/// Claims what is a number of a known kind in the run.
pub(crate) fn digit_run(run: &DigitRun<'_>, cue: Cue, out: &mut Vec<Hit>) {
    let extended = with_area(run).or_else(|| with_code(run));
    let groups = match &extended {
        Some(groups) => Groups::new(&DigitRun { text: run.text, groups }),
        None => Groups::new(run),
    };
    let total: usize = (0..groups.len()).map(|group| groups.width(group)).sum();
    // most runs are years, counts and indices: nothing of four digits but an address in dots is anything
    if total < 5 && !(total == 4 && groups.len() == 4) {
        return;
    }
    if !matches!(cue, Cue::Card | Cue::Phone | Cue::Ip)
        && let Some(hit) = national::in_run(&groups, cue)
    {
        out.push(hit);
        return;
    }
    let cue = if matches!(cue, Cue::Id(_)) { Cue::None } else { cue };
    let mut taken = Taken::default();
    if groups.len() >= 4 {
        ipv4::find(&groups, cue, &mut taken, out);
    }
    if cue == Cue::None && groups.are_small() {
        return;
    }
    if total >= 12 {
        card::find(&groups, cue, &mut taken, out);
    }
    if total >= 9 {
        ssn::find(&groups, cue, &mut taken, out);
    }
    phone::find(&groups, cue, &mut taken, out);
    if cue == Cue::Account && taken.is_empty() {
        account(&groups, total, out);
    }
}

/// `(202)-555-0143`: two separators end a run, but the area code in brackets before it belongs to the number.
fn with_area(run: &DigitRun<'_>) -> Option<Vec<Span>> {
    let first = run.groups.first()?.start();
    let close = first.checked_sub(2)?;
    if at(run.text, close) != b')' || !matches!(at(run.text, close + 1), b'-' | b'.' | b'/') {
        return None;
    }
    let open = run_start(run.text, close, 5, |byte| byte.is_ascii_digit());
    let bracketed = open < close && before(run.text, open) == b'(';
    bracketed
        .then(|| [Span::sized(open, close - open)].into_iter().chain(run.groups.iter().copied()).collect())
}

/// `+ 34- 963 11 22 33`: a separator of two bytes ends a run, but a `+` further left says that it is one number.
fn with_code(run: &DigitRun<'_>) -> Option<Vec<Span>> {
    let mut start = run.groups.first()?.start();
    let mut left = Vec::new();
    for _ in 0..4 {
        let gap = run_start(run.text, start, 3, |byte| matches!(byte, b' ' | b'-' | b'/' | b'.'));
        // a full stop is a separator when no blank follows it
        let dotted = run.text.get(gap..start).is_some_and(|gap| gap.contains('.') && gap.len() > 1);
        let group = run_start(run.text, gap, 5, |byte| byte.is_ascii_digit());
        if !(1..=2).contains(&(start - gap)) || dotted || !(1..=4).contains(&(gap - group)) {
            return None;
        }
        left.push(Span::sized(group, gap - group));
        let plus = group - usize::from(before(run.text, group) == b' ');
        if before(run.text, plus) == b'+' {
            return Some(left.into_iter().rev().chain(run.groups.iter().copied()).collect());
        }
        start = group;
    }
    None
}

/// Domestic account numbers have a form per bank; beside a word that says so, 6 to 18 digits are one.
fn account(groups: &Groups<'_>, total: usize, out: &mut Vec<Hit>) {
    let last = groups.len().saturating_sub(1);
    // `Account statement 03/2026`
    let month = last == 1 && groups.joint(1) == b"/" && groups.width(0) <= 2 && is_year(groups.value(1));
    let plausible = (6..=18).contains(&total) && groups.len() <= 6 && !groups.is_date(0, last) && !month;
    if plausible && groups.clear_left(0) && groups.clear_right(last) {
        out.push(groups.hit((0, last), Category::BankAccount, "account-by-cue", Strength::Context));
    }
}

/// The digits of several groups in a row; at most 64.
#[derive(Clone, Copy)]
pub(super) struct Buffer {
    bytes: [u8; 64],
    // len <= 64
    len: usize,
}

impl Buffer {
    const fn new() -> Self {
        Self { bytes: [0; 64], len: 0 }
    }

    /// Adds digits as far as there is room.
    fn add(&mut self, digits: &[u8]) {
        let len = digits.len().min(self.bytes.len() - self.len);
        let room = self.bytes.get_mut(self.len..self.len + len);
        if let Some((room, digits)) = room.zip(digits.get(..len)) {
            room.copy_from_slice(digits);
            self.len += len;
        }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or(&[])
    }
}

/// Which groups are claimed already.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken(u64);

impl Taken {
    pub(super) fn add(&mut self, first: usize, last: usize) {
        for group in first..=last.min(MAX_GROUPS - 1) {
            self.0 |= 1 << group;
        }
    }

    pub(super) fn has(self, group: usize) -> bool {
        group >= MAX_GROUPS || self.0 >> group & 1 == 1
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A run with the questions that the kinds ask about it; groups are named by number.
pub(super) struct Groups<'a> {
    pub(super) text: &'a str,
    spans: &'a [Span],
}

impl<'a> Groups<'a> {
    pub(super) fn new(run: &DigitRun<'a>) -> Self {
        Self { text: run.text, spans: run.groups.get(..MAX_GROUPS).unwrap_or(run.groups) }
    }

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    fn span(&self, group: usize) -> Span {
        self.spans.get(group).copied().unwrap_or(Span::sized(0, 0))
    }

    pub(super) fn start(&self, group: usize) -> usize {
        self.span(group).start()
    }

    pub(super) fn end(&self, group: usize) -> usize {
        self.span(group).end()
    }

    /// Number of digits of the group.
    pub(super) fn width(&self, group: usize) -> usize {
        self.span(group).len()
    }

    /// The digits of one group.
    pub(super) fn group(&self, group: usize) -> &'a [u8] {
        self.text.as_bytes().get(self.span(group).range()).unwrap_or_default()
    }

    /// Nothing but an address is made of groups of one or two digits, unless one of them has a leading zero or a plus
    /// stands before one: counts, lists, times, versions.
    fn are_small(&self) -> bool {
        let small = |group: usize| {
            let digits = self.group(group);
            digits.len() < 2 || (digits.len() == 2 && !digits.starts_with(b"0"))
        };
        // A plus stands off the first group by two bytes at most.
        let from = self.start(0).saturating_sub(4);
        let marks =
            self.text.as_bytes().get(from..self.end(self.len().saturating_sub(1))).unwrap_or_default();
        (0..self.len()).all(small) && memchr::memchr(b'+', marks).is_none()
    }

    /// What stands between the group and the one before it; empty for the first.
    pub(super) fn joint(&self, group: usize) -> &'a [u8] {
        let Some(previous) = group.checked_sub(1) else { return &[] };
        self.text.as_bytes().get(self.end(previous)..self.start(group)).unwrap_or_default()
    }

    /// Whether a bracket closes between the group and the one before it, first of all.
    pub(super) fn closes_bracket(&self, group: usize) -> bool {
        self.joint(group).first() == Some(&b')')
    }

    /// The digits of the groups `first..=last` in a row.
    pub(super) fn digits(&self, first: usize, last: usize) -> Buffer {
        let mut buffer = Buffer::new();
        for group in first..=last {
            buffer.add(self.group(group));
        }
        buffer
    }

    /// The first three digits from the group on; NUL where there are fewer.
    pub(super) fn leading(&self, first: usize) -> [u8; 3] {
        let mut leading = [0; 3];
        let spans = self.spans.get(first..).unwrap_or_default().iter().take(leading.len());
        let digits = spans.flat_map(|span| self.text.as_bytes().get(span.range()).unwrap_or_default());
        for (place, digit) in leading.iter_mut().zip(digits) {
            *place = *digit;
        }
        leading
    }

    /// The digits of the groups from `first` on, so many at least, if there are.
    pub(super) fn digits_from(&self, first: usize, least: usize) -> Buffer {
        let mut buffer = Buffer::new();
        let mut group = first;
        while buffer.len < least && group < self.len() {
            buffer.add(self.group(group));
            group += 1;
        }
        buffer
    }

    /// Value of the group, saturating.
    pub(super) fn value(&self, group: usize) -> u32 {
        self.group(group)
            .iter()
            .fold(0_u32, |value, digit| value.saturating_mul(10).saturating_add(u32::from(digit & 0x0F)))
    }

    /// True when a group to the left is joined by one of the separators.
    pub(super) fn continues_left(&self, first: usize, separators: &[u8]) -> bool {
        first > 0 && is_one_of(self.joint(first), separators)
    }

    /// True when a group to the right is joined by one of the separators.
    pub(super) fn continues_right(&self, last: usize, separators: &[u8]) -> bool {
        last + 1 < self.len() && is_one_of(self.joint(last + 1), separators)
    }

    /// True unless the group is the tail of a word or an identifier.
    pub(super) fn clear_left(&self, first: usize) -> bool {
        !is_identifier(before(self.text, self.start(first)))
    }

    /// True unless the group is the head of a word, or goes on with `-` and a letter as part numbers do.
    pub(super) fn clear_right(&self, last: usize) -> bool {
        let end = self.end(last);
        let next = at(self.text, end);
        let part_number = next == b'-' && last + 1 == self.len() && is_identifier(at(self.text, end + 1));
        !is_identifier(next) && !part_number
    }

    /// True when the groups read as a calendar date, with or without a time behind it.
    pub(super) fn is_date(&self, first: usize, last: usize) -> bool {
        if last < first + 2
            || !is_one_of(self.joint(first + 1), b"-./")
            || self.joint(first + 1) != self.joint(first + 2)
        {
            return false;
        }
        let widths = (self.width(first), self.width(first + 1), self.width(first + 2));
        let (one, two, three) = (self.value(first), self.value(first + 1), self.value(first + 2));
        let day_and_month = |day: u32, month: u32| {
            (1..=31).contains(&day) && (1..=12).contains(&month)
                || (1..=31).contains(&month) && (1..=12).contains(&day)
        };
        match widths {
            (4, 1..=2, 1..=2) => is_year(one) && day_and_month(three, two),
            (1..=2, 1..=2, 4) => is_year(three) && day_and_month(one, two),
            (2, 2, 2) => last == first + 2 && day_and_month(one, two),
            _ => false,
        }
    }

    /// True when one of three groups has the four digits of a year.
    pub(super) fn has_year(&self, first: usize) -> bool {
        (first..first + 3).any(|group| self.width(group) == 4)
    }

    /// A hit that covers the groups `first..=last` and what lies between them.
    pub(super) fn hit(
        &self,
        (first, last): (usize, usize),
        category: Category,
        detector: &'static str,
        strength: Strength,
    ) -> Hit {
        Hit::new(self.start(first), self.end(last), category, detector, strength)
    }
}

/// True for numbers that dates use as years.
pub(super) fn is_year(value: u32) -> bool {
    (1900..=2099).contains(&value)
}

fn is_one_of(joint: &[u8], separators: &[u8]) -> bool {
    matches!(joint, [joint] if separators.contains(joint))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_digit_runs, spans_with};
    use super::Cue;
    use cloakgate_vocab::Category::{BankAccount, CreditCard, IpAddress, Phone};

    #[test]
    fn one_run_may_hold_several_kinds() {
        let text = "203.0.113.7 4111 1111 1111 1111";
        assert_eq!(spans_with(IpAddress, Cue::None, text), ["203.0.113.7"]);
        assert_eq!(spans_with(CreditCard, Cue::None, text), ["4111 1111 1111 1111"]);
        assert_eq!(spans_with(Phone, Cue::None, text), [""; 0]);
    }

    #[test]
    fn accounts_need_a_cue() {
        check_digit_runs(
            BankAccount,
            Cue::Account,
            &["«4537891022»", "«12-3456-7890123-00»", "12345", "2024-01-15", "03/2026", "a4537891022"],
        );
        check_digit_runs(BankAccount, Cue::None, &["4537891022"]);
    }
}
