//! Conditions, drugs, tests and procedures, by a book of terms.
//!
//! In: a word. Out: the longest term that begins there. Terms that are everyday words too
//! (`stroke`, `shock`) count only where the text speaks of health. The book is made by `xtask data`; its numbers say
//! kind and category.

use std::collections::HashMap;
use std::sync::LazyLock;

use cloakgate_vocab::{Category, Span};

use super::context::{after, before, first_word, is_one_of, last_word, mentions};
use crate::lex::PlainWord;
use crate::phrases::PhraseBook;
use crate::vocabulary;
use crate::word_set::WordSet;

static BOOK: LazyLock<Option<PhraseBook>> =
    LazyLock::new(|| PhraseBook::read(include_bytes!("../../data/medical.fst")));

/// Terms that mean something else more often.
static EVERYDAY: LazyLock<WordSet> = LazyLock::new(|| {
    WordSet::read(
        "stroke shock cold burns burn fracture fractures depression anxiety tension stress injury injuries wound wounds \
         bite bites fall falls syndrome disease diseases disorder disorders infection infections fever fatigue cough \
         pain itch rash cyst mass shaking chills growth death accident accidents bleeding swelling ache hernia abuse \
         addiction add als ms does mi tia tb ra esr bun alt ast mri ecg ekg eeg emg ct stent rehab detox aids gad mdd sle \
         flu plan b iron cipro concerta reflux measles acne obese pregnant pregnancy abortion birth mole warts worms \
         nausea vertigo crisis hunger thirst strain sprain trauma poisoning exposure overexertion drowning suicide \
         homicide assault neglect bipolar autistic chemo tumor tumors scar scars ulcer callus corns gas colic hives \
         lice amnesia paralysis coma blindness deafness allergy allergies anaphylaxis steroids opioids statins chronic \
         cbc crp inr tsh ldl hdl wbc gfr bnp psa t3 hcg norco mobic zona alter sida gripe mal avc add std sti spine",
    )
});

/// Words that say that a text speaks of health.
const HEALTH: &[&str] = &[
    "patient",
    "patients",
    "diagnosed",
    "diagnosis",
    "diagnoses",
    "diagnostic",
    "history",
    "hx",
    "pmh",
    "hpi",
    "symptom",
    "symptoms",
    "treated",
    "treatment",
    "therapy",
    "medication",
    "medications",
    "meds",
    "prescribed",
    "prescription",
    "dose",
    "mg",
    "mcg",
    "ml",
    "tablet",
    "tablets",
    "daily",
    "doctor",
    "physician",
    "hospital",
    "clinic",
    "clinical",
    "surgery",
    "surgical",
    "suffers",
    "suffering",
    "suffered",
    "disease",
    "disorder",
    "syndrome",
    "chronic",
    "allergic",
    "allergies",
    "medical",
    "illness",
    "patientin",
    "diagnose",
    "leidet",
    "erkrankung",
    "behandlung",
    "arzt",
    "therapie",
    "atteint",
    "souffre",
    "traitement",
    "antécédents",
    "maladie",
    "paciente",
    "diagnosticado",
    "diagnosticada",
    "antecedentes",
    "tratamiento",
    "enfermedad",
    "padece",
    "diagnóstico",
    "paziente",
    "affetto",
    "terapia",
    "malattia",
    "diagnosi",
    "doente",
    "diagnosticat",
    "tratamento",
    "patiënt",
    "behandeling",
    "pacjent",
    "leczenie",
    "rozpoznanie",
    "blood",
    "admitted",
    "discharged",
    "pregnant",
    "cancer",
    "injury",
    "pain",
    "icd",
];
/// Words of sentences that are written like abbreviations of the book.
const FUNCTION_WORDS: &[&str] = &[
    "ist", "die", "der", "das", "des", "dem", "den", "ein", "und", "mit", "von", "aus", "bei", "nur", "als",
    "wie", "war", "hat", "les", "des", "une", "est", "sur", "pas", "par", "que", "qui", "son", "ses", "los",
    "las", "del", "con", "por", "sin", "una", "uno", "che", "non", "per", "ist", "het", "een", "van", "met",
    "bij", "dat", "die", "nie", "pod", "dla", "och", "med", "men", "som", "til", "for", "det", "her", "his",
    "she", "are", "was", "and", "the", "but", "has", "had",
];
/// How far a word about health speaks.
const REACH: usize = 96;

/// False when no term begins with a plain word at `start`.
#[inline]
pub(super) fn may_begin(text: &str, start: usize, word: PlainWord) -> bool {
    BOOK.as_ref().is_some_and(|book| book.may_begin_plain(text, start, word))
}

/// What kind of medical term.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MedicalKind {
    /// Disease, injury or another condition.
    Condition,
    /// Drug.
    Drug,
    /// Test.
    Test,
    /// Procedure.
    Procedure,
}

/// What a medical term means.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MedicalMeaning {
    /// What it is.
    pub kind: MedicalKind,
    /// Letter and number of its category in ICD-10, where there is one.
    pub category: Option<(char, u8)>,
    /// Whether it lasts, where that is known.
    pub chronic: Option<bool>,
}

impl MedicalMeaning {
    /// As `xtask data` packs it.
    const fn unpack(number: u64) -> Self {
        let category = match (number / 16).checked_sub(1) {
            Some(place) => Some(((b'A' + (place / 100 % 26) as u8) as char, (place % 100) as u8)),
            None => None,
        };
        let chronic = match number / 4 % 4 {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        };
        let kind = match number % 4 {
            0 => MedicalKind::Condition,
            1 => MedicalKind::Drug,
            2 => MedicalKind::Test,
            _ => MedicalKind::Procedure,
        };
        Self { kind, category, chronic }
    }
}

/// What a term means: the longest known term in it.
#[must_use]
pub fn medical_meaning(term: &str) -> Option<MedicalMeaning> {
    let book = BOOK.as_ref()?;
    let mut before = ' ';
    let starts = term.char_indices().filter(|(_, c)| {
        let begins = !before.is_alphanumeric() && c.is_alphanumeric();
        before = *c;
        begins
    });
    let found = starts.filter_map(|(at, _)| book.longest_at(term, at));
    let (_, number) = found.max_by_key(|(span, _)| (span.len(), usize::MAX - span.start()))?;
    Some(MedicalMeaning::unpack(number))
}

/// Whether the conditions of a category of ICD-10 last, where most of its names say so.
#[must_use]
pub fn is_chronic_category(letter: char, number: u8) -> Option<bool> {
    let (lasting, others) = CHRONIC.get(&(letter, number)).copied()?;
    Some(lasting >= others)
}

/// How many names of each category are said to last, and how many are not.
static CHRONIC: LazyLock<HashMap<(char, u8), (u32, u32)>> = LazyLock::new(|| {
    let mut counts: HashMap<(char, u8), (u32, u32)> = HashMap::new();
    for number in BOOK.iter().flat_map(PhraseBook::numbers) {
        let meaning = MedicalMeaning::unpack(number);
        if let (Some(category), Some(chronic)) = (meaning.category, meaning.chronic) {
            let (lasting, others) = counts.entry(category).or_default();
            *(if chronic { lasting } else { others }) += 1;
        }
    }
    counts
});

/// Reads a term of the book at a word: a condition, or a drug, a test or a procedure.
pub(super) fn term(text: &str, word: Span, hash: u64) -> Option<(Span, Category)> {
    let book = BOOK.as_ref()?;
    if word.of(text)?.is_ascii() && !book.may_begin(hash) {
        return None;
    }
    let (span, number) = book.longest_at(text, word.start())?;
    let category = if number % 4 == 0 { Category::Medical } else { Category::Medication };
    let value = span.of(text)?;
    // `Die Patientin ist 45`: a word of sentences that is an abbreviation in capitals only
    if FUNCTION_WORDS.contains(&value) {
        return None;
    }
    // `Ms.` before a name
    if value.len() == 2 && !value.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let joined = |c: char| matches!(c, '_' | '/' | '\\' | '@' | '=' | '$');
    if before(text, span.start(), 4).ends_with(joined) || after(text, span.end(), 1).starts_with(joined) {
        return None;
    }
    let everyday = !value.contains(' ')
        && (value.chars().count() <= 3 || EVERYDAY.contains(value) || vocabulary::is_common(value));
    let health = || {
        mentions(before(text, span.start(), REACH), HEALTH)
            || mentions(after(text, span.end(), REACH), HEALTH)
    };
    (!everyday || listed(book, text, span) || health()).then_some((span, category))
}

/// Words for being with child, and for the time that is counted.
const PREGNANT: &[&str] = &[
    "pregnant",
    "gestation",
    "schwanger",
    "enceinte",
    "embarazada",
    "embarazo",
    "gestación",
    "incinta",
    "gravidanza",
    "grávida",
    "gravidez",
    "zwanger",
    "gravid",
    "grossesse",
];
const UNITS: &[&str] = &[
    "week",
    "weeks",
    "wk",
    "wks",
    "month",
    "months",
    "wochen",
    "monate",
    "monaten",
    "woche",
    "semaines",
    "mois",
    "semanas",
    "meses",
    "settimane",
    "mesi",
    "weken",
    "maanden",
    "veckor",
    "uger",
];

/// Words that the length of a pregnancy goes on with right behind its number.
pub(super) fn words_after() -> impl Iterator<Item = &'static str> {
    UNITS.iter().copied()
}

/// `12 weeks pregnant`, `enceinte de 12 semaines`: how long, with the word for it.
pub(super) fn pregnancy(text: &str, number: Span) -> Option<(Span, &'static str)> {
    if number.len() > 2 {
        return None;
    }
    let rest = after(text, number.end(), 40);
    let unit = first_word(rest);
    if !is_one_of(unit, UNITS) {
        return None;
    }
    let end = rest.len() - rest.trim_start().len() + unit.len();
    let tail = rest.get(end..)?;
    let said = first_word(tail);
    if is_one_of(said, PREGNANT) && tail.trim_start().len() + 1 == tail.len() {
        return Some((Span::sized(number.start(), number.len() + end + 1 + said.len()), "pregnancy"));
    }
    let left = before(text, number.start(), 32);
    let head =
        left.strip_suffix(" de ").or_else(|| left.strip_suffix(" di ")).or_else(|| left.strip_suffix(' '))?;
    let said = last_word(head, &[]);
    let whole = is_one_of(said, PREGNANT) && head.ends_with(said);
    let start = number.start() - (left.len() - head.len()) - said.len();
    whole.then(|| (Span::sized(start, number.end() + end - start), "pregnancy"))
}

/// An abbreviation in capitals before or behind a longer term of a list: `HTN, asthma`, `asthma and COPD`.
fn listed(book: &PhraseBook, text: &str, span: Span) -> bool {
    let capitals = span.of(text).is_some_and(|value| {
        value.len() >= 2 && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    });
    if !capitals {
        return false;
    }
    let tells = |at: usize| {
        let term = book.longest_at(text, at).and_then(|(span, _)| span.of(text)).unwrap_or_default();
        term.chars().count() > 4 && !EVERYDAY.contains(term) && !vocabulary::is_common(term)
    };
    let links = [", ", "; ", " and ", " & ", ", and ", " / ", " + "];
    let right = after(text, span.end(), 8);
    let left = before(text, span.start(), 48);
    let link = |side: &dyn Fn(&str) -> bool, links: &[&str]| {
        links.iter().find(|link| side(link)).map(|link| link.len())
    };
    let behind = link(&|form| right.starts_with(form), &links).is_some_and(|len| tells(span.end() + len));
    let ahead = || {
        let head = left.get(..left.len() - link(&|form| left.ends_with(form), &links)?)?;
        let word = head.char_indices().rev().take_while(|(_, c)| c.is_alphabetic()).last()?.0;
        Some(tells(span.start() - left.len() + word))
    };
    behind || ahead() == Some(true)
}

/// `E11.9` beside `ICD` or `diagnosis`.
pub(super) fn icd_code(text: &str, word: Span) -> Option<(Span, &'static str)> {
    let code = word.of(text).filter(|code| code.len() == 3)?;
    let form = matches!(code.as_bytes(), [b'A'..=b'Z', b'0'..=b'9', b'0'..=b'9' | b'A' | b'B']);
    let told =
        |window: &str| mentions(window, &["icd", "dx", "diagnosis", "diagnoses", "diagnose", "diagnóstico"]);
    if !form || !(told(before(text, word.start(), 40)) || told(after(text, word.end(), 40))) {
        return None;
    }
    let rest = after(text, word.end(), 6);
    let tail = match rest.strip_prefix('.') {
        Some(tail) => tail.bytes().take(4).take_while(u8::is_ascii_alphanumeric).count(),
        None => 0,
    };
    let len = word.len() + if tail > 0 { 1 + tail } else { 0 };
    Some((Span::sized(word.start(), len), "icd_code"))
}
