//! Ages: `84-year-old`, `41 years old`, `aged 7`, `varón de 53 años`, `5 months old`, `41-jährige`, `âgé de 30 ans`.
//!
//! In: a number. Out: the number, with its unit where that is not years. A count of years by itself is a span of
//! time, not an age: words before or after it, or a person near it, must say so.

use cloakgate_vocab::Span;

use super::context::{after, before, first_word, is_one_of, last_word, mentions};
use crate::number_words::number_words;

const RULE: &str = "age";

/// Years of people, in the languages of which we know it.
const YEARS: &[&str] = &[
    "year",
    "years",
    "yr",
    "yrs",
    "jahr",
    "jahre",
    "jahren",
    "jährige",
    "jähriger",
    "jährigen",
    "jähriges",
    "jährig",
    "ans",
    "an",
    "años",
    "año",
    "anni",
    "anno",
    "anos",
    "ano",
    "jaar",
    "jarige",
    "lat",
    "lata",
    "rok",
    "let",
    "roky",
    "rokov",
    "år",
    "åring",
    "årig",
    "årige",
    "vuotta",
    "vuotias",
    "éves",
    "évesen",
    "ani",
    "godina",
    "годин",
    "лет",
    "год",
    "года",
    "років",
    "роки",
    "рік",
    "ετών",
    "χρονών",
    "yaşında",
    "yaş",
    "سنة",
    "عاما",
    "عامًا",
    "साल",
    "वर्ष",
    "वर्षीय",
];
/// The same in scripts without blanks, where the unit is glued to what follows.
const GLUED_YEARS: &[&str] = &["歳", "才", "岁", "歲", "周岁", "세", "살", "בן", "שנים"];
/// Shorter units: the number alone would not say it.
const MONTHS: &[&str] = &[
    "month",
    "months",
    "monate",
    "monat",
    "monaten",
    "mois",
    "meses",
    "mes",
    "mesi",
    "maanden",
    "miesięcy",
    "месяцев",
    "meses",
    "månader",
    "måneder",
    "měsíců",
];
const WEEKS: &[&str] = &[
    "week",
    "weeks",
    "wochen",
    "semaines",
    "semanas",
    "settimane",
    "weken",
    "tygodni",
    "недель",
    "veckor",
    "uger",
    "týdnů",
];
const DAYS: &[&str] = &[
    "day", "days", "tage", "jours", "días", "dias", "giorni", "dagen", "dni", "дней", "dagar", "dage", "dnů",
];
/// Words after a unit that make it an age.
const OLD: &[&str] = &[
    "old", "alt", "oud", "gammal", "gammel", "of age", "de edad", "de vida", "d'âge", "di età", "de idade",
    "di vita", "wieku", "stary",
];
/// People right after a unit.
const OF_PEOPLE: &[&str] = &["age", "male", "female", "man", "woman", "boy", "girl"];
/// What is counted in years and is nobody: its age is none of ours.
const THINGS: &[&str] = &[
    "firm",
    "company",
    "business",
    "startup",
    "corporation",
    "organisation",
    "organization",
    "institution",
    "building",
    "house",
    "home",
    "apartment",
    "church",
    "bridge",
    "tower",
    "castle",
    "ship",
    "boat",
    "car",
    "vehicle",
    "truck",
    "engine",
    "machine",
    "server",
    "laptop",
    "computer",
    "phone",
    "system",
    "software",
    "code",
    "codebase",
    "library",
    "project",
    "product",
    "app",
    "bug",
    "issue",
    "ticket",
    "account",
    "brand",
    "tree",
    "dog",
    "cat",
    "horse",
    "wine",
    "whisky",
    "cheese",
    "book",
    "law",
    "treaty",
    "tradition",
    "school",
    "university",
    "city",
    "town",
    "village",
    "country",
    "site",
    "website",
    "record",
    "file",
    "document",
    "firma",
    "unternehmen",
    "haus",
    "gebäude",
    "auto",
    "entreprise",
    "maison",
    "voiture",
    "bâtiment",
    "société",
    "empresa",
    "casa",
    "coche",
    "edificio",
    "azienda",
    "macchina",
    "bedrijf",
    "huis",
    "gebouw",
];
/// Words before a number, or before number and unit, that make it an age.
const AGED: &[&str] = &[
    "aged",
    "age",
    "ages",
    "turned",
    "turning",
    "turns",
    "edad",
    "alter",
    "alters",
    "âge",
    "âgé",
    "âgée",
    "età",
    "idade",
    "leeftijd",
    "wiek",
    "wieku",
    "ålder",
    "alder",
    "ikä",
    "возраст",
    "возрасте",
    "yaş",
    "년령",
    "나이",
];
/// Words between those and a number.
const LINKS: &[&str] =
    &["of", "is", "de", "di", "von", "van", "d", "at", "aged", "was", "ist", "est", "es", "è"];
/// Verbs by which languages tell an age as something one has: of oneself, and of others behind a person.
const I_HAVE: &[&str] = &["ai", "tengo", "ho", "tenho", "cumplí", "fiz"];
const HAVE: &[&str] = &["a", "avait", "tiene", "tenía", "cumplió", "ha", "aveva", "tem", "tinha"];
const ONE: &[&str] = &[
    "il", "elle", "on", "él", "ella", "usted", "lui", "lei", "ele", "ela", "hermano", "hermana", "frère",
    "sœur", "mère", "père", "mari", "marido", "esposa", "esposo", "moglie", "marito", "fratello", "sorella",
    "irmão", "irmã", "mãe", "pai",
];
/// What languages that tell an age by a number alone say before it.
const SOMEBODY_IS: &[&str] = &[
    "i'm ", "i am ", "i’m ", "he was ", "she was ", "he is ", "she is ", "he's ", "she's ", "just ",
    "ich bin ", "er ist ", "sie ist ", "er war ", "sie war ", "ik ben ", "hij is ", "zij is ", "ze is ",
    "hij was ", "zij was ", "jag är ", "han är ", "hon är ", "jeg er ", "han er ", "hun er ",
];
/// Kin, whose number after `is` is an age.
const KIN: &[&str] = &[
    "son",
    "daughter",
    "brother",
    "sister",
    "mother",
    "father",
    "husband",
    "wife",
    "mom",
    "mum",
    "dad",
    "grandmother",
    "grandfather",
    "grandson",
    "granddaughter",
    "nephew",
    "niece",
    "uncle",
    "aunt",
    "cousin",
    "twins",
    "baby",
    "sohn",
    "tochter",
    "bruder",
    "schwester",
    "mutter",
    "vater",
    "mann",
    "frau",
];
/// People whose age is told near them.
const PEOPLE: &[&str] = &[
    "patient",
    "patients",
    "man",
    "woman",
    "boy",
    "girl",
    "male",
    "female",
    "child",
    "infant",
    "baby",
    "son",
    "daughter",
    "brother",
    "sister",
    "mother",
    "father",
    "husband",
    "wife",
    "patientin",
    "mann",
    "frau",
    "junge",
    "mädchen",
    "kind",
    "sohn",
    "tochter",
    "homme",
    "femme",
    "patiente",
    "enfant",
    "garçon",
    "fille",
    "fils",
    "varón",
    "mujer",
    "paciente",
    "hombre",
    "niño",
    "niña",
    "hijo",
    "hija",
    "lactante",
    "madre",
    "padre",
    "uomo",
    "donna",
    "paziente",
    "bambino",
    "bambina",
    "figlio",
    "figlia",
    "homem",
    "mulher",
    "menino",
    "menina",
    "filho",
    "filha",
    "man",
    "vrouw",
    "jongen",
    "meisje",
    "mężczyzna",
    "kobieta",
    "pacjent",
    "pacjentka",
    "dziecko",
    "пациент",
    "пациентка",
    "мужчина",
    "женщина",
    "мальчик",
    "девочка",
    "recién",
    "neonato",
    "abuelo",
    "abuela",
];

/// Verbs before an age, and the endings of pronouns that hold one: `he was`, `I'm`, `she's`, `ich bin`.
const VERBS: &[&str] = &["is", "was", "are", "ist", "war", "am", "m", "s", "just", "bin", "ben", "er"];

/// Words that may stand right before an age whose number nothing behind it tells.
pub(super) fn words_before() -> impl Iterator<Item = &'static str> {
    [AGED, LINKS, VERBS].into_iter().flatten().copied()
}

/// Words that an age may go on with right behind its number: units, short forms, the second number of a span.
pub(super) fn words_after() -> impl Iterator<Item = &'static str> {
    let short = ["y", "yo", "yom", "yof", "to"];
    [YEARS, MONTHS, WEEKS, DAYS].into_iter().flatten().copied().chain(short)
}

/// What a number of somebody's age counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AgeUnit {
    /// Years.
    Years,
    /// Months.
    Months,
    /// Weeks.
    Weeks,
    /// Days.
    Days,
}

/// The unit of age that a word is, in any of the languages that are known here.
#[must_use]
pub fn age_unit(word: &str) -> Option<AgeUnit> {
    let units = [
        (YEARS, AgeUnit::Years),
        (GLUED_YEARS, AgeUnit::Years),
        (MONTHS, AgeUnit::Months),
        (WEEKS, AgeUnit::Weeks),
        (DAYS, AgeUnit::Days),
    ];
    units.into_iter().find_map(|(words, unit)| is_one_of(word, words).then_some(unit))
}

/// Length of the words at the start of a text that say that what stands before is an age: ` old`, `-old`, ` de edad`;
/// 0 when there are none.
#[must_use]
pub fn age_tail(text: &str) -> usize {
    old_len(text, OLD).unwrap_or_default()
}

/// Reads an age at a number.
pub(super) fn at_number(text: &str, number: Span) -> Option<(Span, &'static str)> {
    let value: u32 = number.of(text).filter(|digits| digits.len() <= 3)?.parse().ok()?;
    at_value(text, number, value)
}

/// Reads an age at a number in words.
pub(super) fn at_word(text: &str, word: Span) -> Option<(Span, &'static str)> {
    let (value, len) = number_words(after(text, word.start(), 40))?;
    at_value(text, Span::sized(word.start(), len), u32::try_from(value).ok()?)
}

fn at_value(text: &str, number: Span, value: u32) -> Option<(Span, &'static str)> {
    let left = before(text, number.start(), 48);
    let fraction = fraction_len(after(text, number.end(), 4));
    let number = Span::sized(number.start(), number.len() + fraction);
    let number = Span::sized(number.start(), number.len() + range_len(after(text, number.end(), 24)));
    let right = after(text, number.end(), 40);
    if value > 120
        || left.ends_with(['.', ',', '/', '$', '€', '£', '-', '#', '_'])
        || right.starts_with(['%', '/']) && !right.starts_with("/o")
    {
        return None;
    }
    let found = |span: Span| Some((span, RULE));
    if short_old(right) || GLUED_YEARS.iter().any(|unit| right.trim_start().starts_with(unit)) {
        return found(number);
    }
    let gap = right.len() - right.trim_start_matches([' ', '-', '\u{a0}', '\n']).len();
    let rest = right.get(gap..).filter(|_| gap <= 2)?;
    let unit = first_word(rest);
    let said = said_before(left);
    if is_one_of(unit, YEARS) {
        let tail = rest.get(unit.len()..).unwrap_or_default();
        let joined = matches!(unit.chars().last(), Some('e' | 'r' | 'n' | 's' | 'g' | 'é'))
            && unit.starts_with("jährig");
        let old = says_old(tail)
            || joined
            || unit.starts_with("vuotias")
            || unit.starts_with("åring")
            || unit == "yaşında";
        // `84 years old` says so in other words; elsewhere the unit belongs to the age.
        if is_of_a_thing(left, tail) {
            return None;
        }
        if old {
            return found(number);
        }
        let whole = Span::sized(number.start(), number.len() + gap + unit.len());
        let told = said || had_by_somebody(left, tail) || mentions(sentence_before(left), PEOPLE);
        return told.then_some((whole, RULE));
    }
    if [MONTHS, WEEKS, DAYS].iter().any(|units| is_one_of(unit, units)) {
        let tail = rest.get(unit.len()..).unwrap_or_default();
        if is_of_a_thing(left, tail) {
            return None;
        }
        let whole = Span::sized(number.start(), number.len() + gap + unit.len());
        return (says_old(tail) || said || mentions(sentence_before(left), PEOPLE)).then_some((whole, RULE));
    }
    let ends =
        right.is_empty() || right.starts_with(['.', ',', ';', '!', '?', ')', '\n', '"', '\'', '<', '|', ' ']);
    let told = (said && value >= 1)
        || (told_of_somebody(left, right) && value >= 5)
        || (value >= 1 && told_of_kin(left, right));
    (ends && told && !is_of_a_thing(left, "")).then_some((number, RULE))
}

/// `31 y/o`, `84yo`, `60 y.o.`
fn short_old(right: &str) -> bool {
    let rest = right.trim_start_matches([' ', '-']);
    ["y/o", "yo ", "yo,", "yo.", "y.o.", "yom", "yof", "yo)"]
        .iter()
        .any(|form| rest.get(..form.len()).is_some_and(|head| head.eq_ignore_ascii_case(form)))
        || rest.eq_ignore_ascii_case("yo")
}

/// `-old`, ` old`, ` of age`
fn says_old(tail: &str) -> bool {
    old_len(tail, OLD).or_else(|| old_len(tail, OF_PEOPLE)).is_some()
}

/// Length of one of the forms at the start of a text, with the marks before it.
fn old_len(tail: &str, forms: &[&str]) -> Option<usize> {
    let rest = tail.trim_start_matches([' ', '-', '\u{a0}', '\n']);
    let form = forms.iter().find(|form| {
        rest.get(..form.len()).is_some_and(|head| head.to_lowercase() == **form)
            && !rest.get(form.len()..).unwrap_or_default().starts_with(char::is_alphabetic)
    })?;
    Some(tail.len() - rest.len() + form.len())
}

/// Length of `-40`, ` to 40` right after a number, where years follow.
fn range_len(right: &str) -> usize {
    let rest = right.trim_start_matches(' ');
    let rest = rest.strip_prefix(['-', '–']).or_else(|| rest.strip_prefix("to ")).unwrap_or_default();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let tail = rest.get(digits..).unwrap_or_default();
    let unit = first_word(tail.trim_start_matches([' ', '-', '\u{a0}']));
    if (1..=3).contains(&digits) && is_one_of(unit, YEARS) { right.len() - rest.len() + digits } else { 0 }
}

/// Length of `½`, `.5` or `,5` right after a number.
fn fraction_len(right: &str) -> usize {
    match right.chars().next() {
        Some(c @ ('¼' | '½' | '¾')) => c.len_utf8(),
        Some('.' | ',') => match right.as_bytes() {
            [_, digit, rest @ ..] if digit.is_ascii_digit() => {
                if rest.first().is_some_and(u8::is_ascii_digit) { 0 } else { 2 }
            }
            _ => 0,
        },
        _ => 0,
    }
}

/// `the firm is 34 years old`, `a 30-year-old house`
fn is_of_a_thing(left: &str, tail: &str) -> bool {
    let tail = tail.get(age_tail(tail)..).unwrap_or_default();
    if is_one_of(first_word(tail.trim_start_matches('-')), THINGS) && tail.starts_with([' ', '-']) {
        return true;
    }
    let left = sentence_before(left);
    let verb = last_word(left, &[]);
    let verbs = ["is", "are", "was", "were", "turned", "turns", "ist", "est", "es", "è", "é", "wurde", "now"];
    let head = left.trim_end().strip_suffix(verb).unwrap_or_default();
    is_one_of(verb, &verbs) && is_one_of(last_word(head, &[]), THINGS)
}

/// `aged`, `at the age of`, `edad:`
fn said_before(left: &str) -> bool {
    let word = last_word(left, &[':', '=', '(']);
    if is_one_of(word, AGED) {
        // `page 12` is another word; `age 12` in `version age 12` does not occur.
        return true;
    }
    if !is_one_of(word, LINKS) {
        return false;
    }
    let head = left.trim_end().trim_end_matches([':', '=', '(']).trim_end();
    let head = head.get(..head.len() - word.len()).unwrap_or_default();
    is_one_of(last_word(head, &['\'', '’']), AGED)
}

/// `I'm 31`, `when he was 78`, `she is 40`.
fn told_of_somebody(left: &str, right: &str) -> bool {
    let small = left.to_lowercase();
    let said = SOMEBODY_IS
        .iter()
        .any(|form| small.strip_suffix(form).is_some_and(|head| !head.ends_with(char::is_alphanumeric)));
    let ended = right.trim_start_matches(' ').is_empty()
        || right.starts_with(['.', ',', ';', '!', '?', ')', '\n'])
        || right.trim_start().to_lowercase().starts_with("when")
        || is_one_of(first_word(right), &["and", "und", "en", "och", "og"]);
    said && ended
}

/// `my son is 6`, `seine Schwester ist 19`
fn told_of_kin(left: &str, right: &str) -> bool {
    let verb = last_word(left, &[]);
    let head = left.trim_end().strip_suffix(verb).unwrap_or_default();
    is_one_of(verb, &["is", "was", "are", "ist", "war"])
        && is_one_of(last_word(head, &[]), KIN)
        && is_said(right)
}

/// `j'ai 27 ans`, `tengo 70 años`, `elle a 8 ans`; not `il a 10 ans d'expérience`.
fn had_by_somebody(left: &str, tail: &str) -> bool {
    let verb = last_word(left, &[]);
    let bare = verb.rsplit('\'').next().unwrap_or_default();
    let head = left.trim_end().strip_suffix(verb).unwrap_or_default();
    let one = is_one_of(bare, I_HAVE) || is_one_of(bare, HAVE) && is_one_of(last_word(head, &[]), ONE);
    one && is_said(tail)
}

/// Whether a statement ends here, or another one is linked to it.
fn is_said(right: &str) -> bool {
    let rest = right.trim_start_matches(' ');
    let links = ["and", "und", "et", "y", "e", "but", "aber", "mais", "pero", "ma"];
    rest.is_empty()
        || rest.starts_with([',', ';', '!', '?', ')', '\n'])
        || rest.strip_prefix('.').is_some_and(|next| !next.starts_with(|c: char| c.is_ascii_digit()))
        || is_one_of(first_word(rest), &links)
}

/// The part of a look that belongs to the same sentence.
fn sentence_before(left: &str) -> &str {
    left.rsplit(['.', ';', '\n', '!', '?']).next().unwrap_or_default()
}
