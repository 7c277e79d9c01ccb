//! What a key says about its value.
//!
//! In: the key of a JSON member, a column header, or a place in a text where a key word ends. Out: a meaning. Keys
//! may be camelCase, snake_case, kebab-case or words; the longest phrase at the end of the key decides.
//! Invariant: at most five words before the end are read. Not here: looking at values (`fields`).

use cloakgate_vocab::Category;

use crate::canonical::stands_alone;
use crate::hints::is_people_key;
use crate::lexicon::{is_key_char, lexicon};

macro_rules! meanings {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Meaning of a key.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub(crate) enum Meaning { $($(#[$doc])* $name,)* }

        impl Meaning {
            /// Reads the name that the data file uses.
            pub(crate) fn from_name(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($name) => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

impl Meaning {
    /// True for keys of machines' values, under which numbers are nobody's.
    pub(crate) fn is_machine(self) -> bool {
        matches!(self, Self::Machine | Self::Amount | Self::Surname)
    }
}

meanings! {
    /// Whole name of a person.
    FullName,
    /// First, middle or last name.
    NamePart,
    /// What somebody says before the own name: `my name is`, `ich heiße`.
    OwnName,
    /// `sn`: a surname beside other keys of people, a serial number elsewhere.
    Surname,
    /// Part that a person plays; the value may be a name, or something else.
    Role,
    /// Tax number of Mexico; the word has another use.
    Rfc,
    /// `cap`, `cp`: a post code when it is the whole key.
    ShortPostCode,
    /// `given`, `family`: a name when it is the key of a whole value.
    RecordName,
    /// `fn` of an address book: a name when it is the key of a whole value.
    FormattedName,
    /// Bare `name`: a person's only beside other keys of people.
    Name,
    /// Date of birth.
    Birth,
    /// E-mail address.
    Email,
    /// Telephone number.
    Phone,
    /// Password.
    Password,
    /// Password of several words.
    Passphrase,
    /// Short number that opens something.
    Pin,
    /// Secret or key.
    Secret,
    /// Token of a session or an account.
    Token,
    /// Key of a service.
    ApiKey,
    /// `COOKIE_KEY`: a key of a setting in capitals, whatever it is for; the value must be drawn by chance.
    EnvKey,
    /// Id of a client of a vendor, issued with a secret.
    ClientId,
    /// `from`, `to` as a whole key: a person beside other keys of messages.
    Correspondent,
    /// Name and password together.
    Login,
    /// Name and password together, in base64.
    BasicAuth,
    /// Words that restore a wallet.
    Mnemonic,
    /// Seed of one-time passwords.
    OtpSeed,
    /// Codes that restore access.
    RecoveryCodes,
    /// International bank account number.
    Iban,
    /// Payment card.
    Card,
    /// Check number of a card.
    CardCode,
    /// United States social security number.
    Ssn,
    /// Personal number of another country.
    NationalId,
    /// Some number of a person: `id number`.
    AnyId,
    /// `id` as a whole key: a number of a person beside other keys of people, and when a check proves it.
    BareId,
    /// Tax number.
    TaxId,
    /// Tax number under a name of no country; many give one number for all purposes.
    AnyTax,
    /// Passport.
    Passport,
    /// Driving licence.
    DriverLicense,
    /// Patient or health insurance number.
    HealthId,
    /// Number of an employee, member, student, policy.
    OtherId,
    /// Domestic bank account.
    BankAccount,
    /// Wallet of a crypto-currency.
    Wallet,
    /// IP address.
    Ip,
    /// Hardware address.
    Mac,
    /// Number plate or chassis number.
    Vehicle,
    /// Street-level address.
    Street,
    /// A verb before an address: `lives at`.
    LivesAt,
    /// Some address; the value must look postal.
    AnyAddress,
    /// Line of an address; only beside other parts of one.
    AddressLine,
    /// Post code.
    PostCode,
    /// Place.
    City,
    /// Organisation.
    Org,
    /// Amount of money; nothing else is looked for under it.
    Amount,
    /// Age.
    Age,
    /// Gender.
    Gender,
    /// Body weight.
    Weight,
    /// Amount of money.
    Money,
    /// Medical fact.
    Medical,
    /// Name of an account.
    Username,
    /// Nationality, religion, group.
    Nrp,
    /// Form of address.
    Title,
    /// Occupation.
    Profession,
    /// Number or name that machines use: evidence against everything that only its shape speaks for.
    Machine,
}

impl Meaning {
    /// Meaning of the name of a number of this category.
    pub(crate) const fn of_number(category: Category) -> Option<Self> {
        match category {
            Category::NationalId => Some(Self::NationalId),
            Category::TaxId => Some(Self::TaxId),
            Category::HealthId => Some(Self::HealthId),
            Category::Passport => Some(Self::Passport),
            Category::DriverLicense => Some(Self::DriverLicense),
            Category::BankAccount => Some(Self::BankAccount),
            Category::Vehicle => Some(Self::Vehicle),
            Category::OtherId => Some(Self::OtherId),
            Category::Ssn => Some(Self::Ssn),
            _ => None,
        }
    }
}

/// A key phrase in a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct KeyPhrase {
    /// First byte of the phrase.
    pub(crate) start: usize,
    /// One past its last byte.
    pub(crate) end: usize,
    /// What it means.
    pub(crate) meaning: Meaning,
}

/// Words that may follow the telling words of a key: `phone_home`, `email2`, `password_confirm`.
const TRAILING: &[&str] = &[
    "value",
    "text",
    "field",
    "input",
    "raw",
    "plain",
    "str",
    "string",
    "primary",
    "secondary",
    "home",
    "work",
    "main",
    "alt",
    "other",
    "confirm",
    "confirmation",
    "repeat",
    "mobile",
    "private",
    "business",
    "nr",
    "no",
    "number",
    "hidden",
    "display",
    "latin",
    "local",
    "en",
    "de",
    "fr",
    "client",
    "cliente",
    "customer",
    "employee",
    "holder",
    "kunde",
    "patient",
    "paciente",
    "titular",
    // `password_v4`
    "v",
];

/// Words before `address` after which it is no postal one.
const NO_POSTAL: &[&str] = &[
    "web",
    "memory",
    "base",
    "bind",
    "listen",
    "server",
    "host",
    "contract",
    "remote",
    "proxy",
    "network",
    "local",
    "node",
    "site",
    "url",
    "start",
    "end",
    "return",
    "virtual",
    "physical",
    "broadcast",
    "cluster",
    "advertised",
];

/// Keys that say that a value tells one record from another.
const BARE_IDS: &[&str] =
    &["id", "ids", "identifier", "identification", "kennung", "identificador", "identificativo"];

/// Keys of the two ends of a message.
const CORRESPONDENTS: &[&str] = &["from", "to", "cc", "bcc", "von", "an", "de", "para", "da"];

/// Last word of the names of settings that hold keys.
pub(crate) const ENV_KEY_WORD: &[u8] = b"KEY";

/// Words of names that end with `_KEY` and hold no secret.
const OPEN_KEYS: &[&str] = &[
    "PUBLIC",
    "PRIMARY",
    "FOREIGN",
    "SORT",
    "PARTITION",
    "CACHE",
    "HASH",
    "GPG",
    "PGP",
    "ROUTING",
    "IDEMPOTENCY",
    "LOOKUP",
    "OBJECT",
    "FILE",
    "HOST",
    "INDEX",
    "GROUP",
    "LOCK",
    "QUEUE",
    "ISSUE",
    "PROJECT",
    "TICKET",
    "REGISTRY",
    "FINGERPRINT",
    "CHECKSUM",
    "TRANSLATION",
    "UNIQUE",
    "DEDUP",
    "DEDUPE",
    "MAP",
    "DICT",
    "IMAGE",
    "BUILD",
];

/// Longest key, in characters, at the end of a run of a script without blanks.
const MAX_UNSPACED_CHARS: usize = 14;

/// Longest key, in bytes, that is read; a longer one is text.
const MAX_KEY_BYTES: usize = 80;

/// Meaning of a whole key.
pub(crate) fn meaning_of(key: &str) -> Option<Meaning> {
    let key = key.trim_end_matches(|c: char| c.is_ascii_digit() || (!is_key_char(c) && c != '#'));
    // `SIN #`
    let key = key.strip_suffix(" #").unwrap_or(key);
    if key.is_empty() || key.len() > MAX_KEY_BYTES {
        return None;
    }
    // `Name (original name)`, `Phone (home)`: what stands in brackets tells less than what stands before them
    if let Some((head, _)) = key.rsplit_once(" (").filter(|(_, inner)| !inner.contains(')'))
        && let Some(phrase) = phrase_ending(head, head.len())
    {
        return Some(phrase.meaning);
    }
    if let Some(phrase) = phrase_ending(key, key.len()) {
        return Some(phrase.meaning);
    }
    let last = piece_before(key, key.len())?;
    let word = key.get(last..)?;
    if !TRAILING.iter().any(|trailing| word.eq_ignore_ascii_case(trailing)) {
        return None;
    }
    let rest = key.get(..last)?.trim_end_matches(|c: char| !is_key_char(c));
    phrase_ending(rest, rest.len()).map(|phrase| phrase.meaning)
}

/// True when a key says that its value identifies somebody or opens something, whatever the value looks like: a
/// telephone number, an account, a password. Names, places and quantities do not.
#[must_use]
pub fn is_identifier_key(key: &str) -> bool {
    meaning_of(key).is_some_and(|meaning| {
        matches!(
            meaning,
            Meaning::Birth
                | Meaning::Email
                | Meaning::Phone
                | Meaning::Password
                | Meaning::Secret
                | Meaning::Token
                | Meaning::ApiKey
                | Meaning::Iban
                | Meaning::Card
                | Meaning::Ssn
                | Meaning::NationalId
                | Meaning::AnyId
                | Meaning::TaxId
                | Meaning::AnyTax
                | Meaning::Passport
                | Meaning::DriverLicense
                | Meaning::HealthId
                | Meaning::OtherId
                | Meaning::BankAccount
                | Meaning::Wallet
                | Meaning::Ip
                | Meaning::Mac
                | Meaning::Vehicle
        )
    })
}

/// Keys of machines whose values have the form of a mailbox: `iCalUID`, `Message-ID`, `syncId`.
pub(crate) fn is_message_id(key: &str) -> bool {
    let small: String =
        key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    ["icaluid", "messageid", "inreplyto", "syncid", "eventuid", "contentid"].contains(&small.as_str())
}

/// True for a value that is itself the label of a field: `Date of birth`, `氏名`.
pub(crate) fn is_label(value: &str) -> bool {
    let whole = |phrase: &KeyPhrase| phrase.start == 0;
    phrase_ending(value, value.len()).filter(whole).is_some_and(|phrase| {
        matches!(
            phrase.meaning,
            Meaning::FullName
                | Meaning::NamePart
                | Meaning::Name
                | Meaning::Birth
                | Meaning::Email
                | Meaning::Phone
                | Meaning::Street
                | Meaning::PostCode
        )
    })
}

/// Meaning of the key of one value: the same, or that it tells one record from another.
pub(crate) fn meaning_for_value(key: &str) -> Option<Meaning> {
    let bare = || BARE_IDS.iter().any(|bare| key.eq_ignore_ascii_case(bare));
    let correspondent = || CORRESPONDENTS.iter().any(|other| key.eq_ignore_ascii_case(other));
    meaning_of(key)
        .or_else(|| bare().then_some(Meaning::BareId))
        .or_else(|| correspondent().then_some(Meaning::Correspondent))
        .or_else(|| env_key(key, key.len()).map(|phrase| phrase.meaning))
}

/// `COOKIE_KEY`: the name of a setting in capitals whose last word, `KEY`, ends at `end`.
pub(crate) fn env_key(text: &str, end: usize) -> Option<KeyPhrase> {
    let head = text.as_bytes().get(..end)?;
    let capital = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b'_';
    let len = head.iter().rev().take(MAX_KEY_BYTES).take_while(capital).count();
    let start = end - len;
    let stem = text.get(start..end)?.strip_suffix("_KEY")?;
    let whole = !start.checked_sub(1).and_then(|at| head.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let open = stem.split('_').any(|word| OPEN_KEYS.contains(&word));
    (whole && !stem.is_empty() && !open).then_some(KeyPhrase { start, end, meaning: Meaning::EnvKey })
}

/// True for a value that is itself a word for what the meaning says: `Mot de passe`.
pub(crate) fn names(value: &str, meaning: Meaning) -> bool {
    phrase_ending(value, value.len()).is_some_and(|phrase| phrase.start == 0 && phrase.meaning == meaning)
}

/// The longest key phrase whose last word ends at `end`.
pub(crate) fn phrase_ending(text: &str, end: usize) -> Option<KeyPhrase> {
    let mut joined = Joined::new();
    let mut found: Option<KeyPhrase> = None;
    let mut at = end;
    for _ in 0..5 {
        let Some(start) = piece_before(text, at) else { break };
        if !joined.prepend(text.as_bytes().get(start..at).unwrap_or_default())
            || !lexicon().may_end_with(joined.bytes())
        {
            break;
        }
        if let Some(meaning) = lexicon().meaning(joined.bytes()) {
            found = Some(KeyPhrase { start, end, meaning });
        }
        let Some(next) = separator_before(text, start) else { break };
        at = next;
    }
    let phrase = found?;
    narrowed(text, phrase)
}

/// The key that a word is by itself, behind a blank and another word that no phrase has before it. The word has no capital
/// but the first letter; `hash` is that of the lexicon.
pub(crate) fn lone_word(text: &str, (start, end): (usize, usize), hash: u64) -> Option<KeyPhrase> {
    let meaning = lexicon().meaning_of(hash)?;
    narrowed(text, KeyPhrase { start, end, meaning })
}

/// The key phrase that a run of an unspaced script ends with: `我的出生日期`.
pub(crate) fn unspaced_ending(text: &str, end: usize) -> Option<KeyPhrase> {
    let head = text.get(..end)?;
    head.char_indices()
        .rev()
        .take(MAX_UNSPACED_CHARS)
        .take_while(|(_, c)| stands_alone(*c))
        .filter_map(|(start, _)| {
            let meaning = lexicon().meaning(text.as_bytes().get(start..end)?)?;
            Some(KeyPhrase { start, end, meaning })
        })
        .last()
        .filter(|phrase| text.get(phrase.start..end).is_some_and(|word| word.chars().count() > 1))
}

/// Drops or weakens a phrase whose meaning the word before it changes.
fn narrowed(text: &str, phrase: KeyPhrase) -> Option<KeyPhrase> {
    let before = || {
        let end = separator_before(text, phrase.start)?;
        text.get(piece_before(text, end)?..end)
    };
    let refused = match phrase.meaning {
        // `caller_name`: of somebody, whatever the phrases list
        Meaning::Name
            if before().is_some_and(|word| is_people_key(word) && !word.eq_ignore_ascii_case("user")) =>
        {
            return Some(KeyPhrase { meaning: Meaning::FullName, ..phrase });
        }
        // `file_name`, `service name`: the phrases for people's names are listed whole.
        Meaning::Name | Meaning::RecordName | Meaning::FormattedName | Meaning::ShortPostCode => {
            before().is_some()
        }
        Meaning::AnyAddress => {
            before().is_some_and(|word| NO_POSTAL.iter().any(|other| word.eq_ignore_ascii_case(other)))
        }
        Meaning::Role => {
            before().is_some_and(|word| word.eq_ignore_ascii_case("no") || word.eq_ignore_ascii_case("file"))
        }
        _ => false,
    };
    (!refused).then_some(phrase)
}

/// Start of the word, or of the hump of a camelCase word, that ends at `end`.
fn piece_before(text: &str, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let floor = end.saturating_sub(MAX_KEY_BYTES);
    let mut start = end;
    let mut later = 0u8; // the byte at `start`, if that is an ASCII letter or digit
    while start > floor {
        let Some(byte) = bytes.get(start - 1) else { break };
        if !byte.is_ascii() {
            let c = text.get(..start)?.chars().next_back().filter(|c| is_key_char(*c));
            let Some(c) = c else { break };
            start -= c.len_utf8();
            later = 0;
            continue;
        }
        if !byte.is_ascii_alphanumeric() {
            break;
        }
        let hump = byte.is_ascii_lowercase() && later.is_ascii_uppercase();
        let acronym = byte.is_ascii_uppercase()
            && later.is_ascii_uppercase()
            && start + 1 < end
            && bytes.get(start + 1).is_some_and(u8::is_ascii_lowercase);
        if hump || acronym {
            break;
        }
        start -= 1;
        later = *byte;
    }
    (start < end).then_some(start)
}

/// End of the word before `start` when only a short separator, or a camelCase border, lies between.
fn separator_before(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    // `a_b`, `a b` and camelCase: nearly all.
    let one = *bytes.get(start.checked_sub(1)?)?;
    if one.is_ascii_alphanumeric() {
        return Some(start);
    }
    let two = start.checked_sub(2).and_then(|at| bytes.get(at));
    if matches!(one, b' ' | b'_' | b'-' | b'.') && two.is_some_and(u8::is_ascii_alphanumeric) {
        return Some(start - 1);
    }
    // `né(e) le`
    if let Some(head) =
        text.get(..start).and_then(|head| head.strip_suffix("(e) ").or(head.strip_suffix("(a) ")))
    {
        return Some(head.len());
    }
    let mut end = start;
    for (at, c) in text.get(..start)?.char_indices().rev() {
        if is_key_char(c) {
            return Some(end);
        }
        if start - at > 3 || !matches!(c, ' ' | '_' | '-' | '.' | '/' | '\'' | '’' | '\u{a0}') {
            return None;
        }
        end = at;
    }
    None
}

/// Key words joined from the right, in a buffer on the stack.
struct Joined {
    buffer: [u8; MAX_KEY_BYTES],
    start: usize, // start <= MAX_KEY_BYTES
}

impl Joined {
    const fn new() -> Self {
        Self { buffer: [0; MAX_KEY_BYTES], start: MAX_KEY_BYTES }
    }

    /// Puts a word before the others; false when there is no room.
    fn prepend(&mut self, word: &[u8]) -> bool {
        let Some(start) = self.start.checked_sub(word.len()) else { return false };
        let Some(room) = self.buffer.get_mut(start..self.start) else { return false };
        room.copy_from_slice(word);
        self.start = start;
        true
    }

    fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Meaning, is_identifier_key, meaning_for_value, meaning_of, phrase_ending};

    #[test]
    fn keys_mean_the_same_in_every_spelling() {
        for (keys, meaning) in [
            (
                &["full_name", "fullName", "FullName", "full-name", "Full name", "FULL_NAME", "fullname"][..],
                Meaning::FullName,
            ),
            (
                &["customer_full_name", "contactName", "Ansprechpartner", "nombre y apellidos"],
                Meaning::FullName,
            ),
            (
                &["first_name", "lastName", "surname", "Vorname", "prénom", "PRÉNOM", "Nachname"],
                Meaning::NamePart,
            ),
            (&["assignee", "created_by", "createdBy", "Author"], Meaning::Role),
            (&["name", "Name", "nom"], Meaning::Name),
            (
                &["dob", "DOB", "birthDate", "date_of_birth", "Geburtsdatum", "fecha de nacimiento"],
                Meaning::Birth,
            ),
            (
                &[
                    "DB_PASSWORD",
                    "smtpPassword",
                    "password",
                    "passwd",
                    "Passwort",
                    "mot de passe",
                    "passwordConfirm",
                ],
                Meaning::Password,
            ),
            (
                &["client_secret", "JWT_SECRET", "secretAccessKey", "AWS_SECRET_ACCESS_KEY", "encryptionKey"],
                Meaning::Secret,
            ),
            (&["access_token", "token", "githubToken"], Meaning::Token),
            (&["api_key", "x-api-key", "STRIPE_API_KEY", "apiKey2"], Meaning::ApiKey),
            (&["phone", "phone_home", "mobileNumber", "Tél", "phone1"], Meaning::Phone),
            (&["SSN/ID", "ssn", "social_security_number"], Meaning::Ssn),
            (&["postal_code", "ZIP", "plz"], Meaning::PostCode),
            (
                &["file_name", "filename", "hostName", "next_page_token", "max_tokens", "publicKey"],
                Meaning::Machine,
            ),
            (&["userIDNumber", "id_number", "ID No"], Meaning::AnyId),
        ] {
            for key in keys {
                assert_eq!(meaning_of(key), Some(meaning), "{key}");
            }
        }
    }

    #[test]
    fn keys_of_identifiers_are_told_from_those_of_machines_and_quantities() {
        for key in ["ssn", "phone", "mobileNumber", "iban", "account_number", "dob", "api_key"] {
            assert!(is_identifier_key(key), "{key}");
        }
        for key in ["max_tokens", "amount", "weight", "count", "total", "full_name", "city", ""] {
            assert!(!is_identifier_key(key), "{key}");
        }
    }

    #[test]
    fn a_bare_id_means_something_for_its_value_alone() {
        assert_eq!((meaning_of("id"), meaning_for_value("ID")), (None, Some(Meaning::BareId)));
        assert_eq!(meaning_for_value("order_id"), Some(Meaning::Machine));
    }

    #[test]
    fn other_keys_mean_nothing() {
        for key in [
            "",
            "service_thing_name",
            "petName",
            "tokens",
            "key",
            "password_salted",
            "_",
            "site_address",
            &"name".repeat(99),
        ] {
            assert_eq!(meaning_of(key), None, "{key}");
        }
    }

    #[test]
    fn phrases_are_found_where_they_end() {
        let text = "his date of birth is";
        let phrase = phrase_ending(text, 17).unwrap();
        assert_eq!((phrase.start, phrase.meaning), (4, Meaning::Birth));
        assert_eq!(phrase_ending("é", 1), None);
    }
}
