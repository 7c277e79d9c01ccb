//! The engine: one field in, its findings out.
//!
//! In: a string of a message with its key, kind and siblings. Out: findings sorted by start, hulls apart. Invariant:
//! an engine holds settings and shared terms only, so it is cheap to make and to clone.

use std::sync::Arc;

use cloakgate_vocab::{Category, Detector, Finding, Span, Strength, UpstreamName};

use crate::fields::{self, Extent};
use crate::hints::Hints;
use crate::keys::{self, Meaning};
use crate::known::{self, KnownValues, Place};
use crate::names::NameReader;
use crate::own::OwnTerms;
use crate::pass::{self, Structure};
use crate::path::{Fields, Within};
use crate::recognise::{Cue, Hit};
use crate::settings::Settings;
use crate::terms::Terms;
use crate::trace::{Explained, Reason, Trace};
use crate::{beside, edges, overlap, views};

/// What part of a document a field is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FieldKind {
    /// A string, decoded.
    Text,
    /// A number, as written.
    Number,
    /// The key of a member, decoded.
    Key,
}

/// One string of a message and what is known of its place.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The string.
    pub text: &'a str,
    /// What it is.
    pub kind: FieldKind,
    /// The key under which it stands; elements of an array stand under the key of the array.
    pub key: Option<&'a str>,
    /// What the other keys of the same record say.
    pub siblings: Hints,
    /// Where in a document it stands, where the operator's lists name places.
    pub within: Option<Within<'a>>,
}

impl<'a> Field<'a> {
    /// A text of which nothing else is known.
    #[must_use]
    pub fn text(text: &'a str) -> Self {
        Self { text, kind: FieldKind::Text, key: None, siblings: Hints::default(), within: None }
    }

    /// The paths that it lies at or within.
    pub(crate) fn reached(&self) -> &'a [u16] {
        self.within.map_or(&[], |within| within.reached())
    }
}

/// Finds personal data and secrets.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    settings: Settings,
    terms: Option<Arc<dyn Terms>>,
    names: Option<Arc<dyn NameReader>>,
}

impl Engine {
    /// An engine with these settings.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self { settings, terms: None, names: None }
    }

    /// The same engine with the operator's own terms.
    #[must_use]
    pub fn with_terms(self, terms: Arc<dyn Terms>) -> Self {
        Self { terms: Some(terms), ..self }
    }

    /// The same engine beside a reader of names. It is asked by whoever holds the whole message (`cloak`), since it
    /// reads many texts at once; `scan` does not ask it.
    #[must_use]
    pub fn with_names(self, names: Arc<dyn NameReader>) -> Self {
        Self { names: Some(names), ..self }
    }

    /// The reader of names, where there is one.
    #[must_use]
    pub fn names(&self) -> Option<&dyn NameReader> {
        self.names.as_deref()
    }

    /// The settings it was made with.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The paths that the operator's terms name, where they name some.
    #[must_use]
    pub fn fields(&self) -> Option<&Fields> {
        self.terms.as_deref().map(Terms::fields).filter(|fields| !fields.is_empty())
    }

    /// Takes away findings that the operator lets through where they stand.
    pub fn drop_allowed(&self, field: &Field<'_>, findings: &mut Vec<Finding>) {
        if let Some(terms) = self.terms.as_deref().filter(|_| !findings.is_empty()) {
            OwnTerms::at(terms, field).drop_allowed(findings, &mut Trace::off());
        }
    }

    /// Finds values in a field. The findings are sorted by start and their hulls do not overlap.
    #[must_use]
    pub fn scan(&self, field: &Field<'_>) -> Vec<Finding> {
        self.scan_known(field, &[], None)
    }

    /// Finds values in a field, those included that the given indexes know. `upstream` is whose message it is.
    #[must_use]
    pub fn scan_known(
        &self,
        field: &Field<'_>,
        known: &[&KnownValues],
        upstream: Option<&UpstreamName>,
    ) -> Vec<Finding> {
        self.look(field, known, upstream, &mut Trace::off())
    }

    /// Finds the same as `scan` and says what else looked like a value and why it is none. Costs more than a scan,
    /// but no more than linear time.
    #[must_use]
    pub fn explain(&self, field: &Field<'_>) -> Explained {
        let mut trace = Trace::on();
        let findings = self.look(field, &[], None, &mut trace);
        trace.finish(field.text, field.key.and_then(keys::meaning_of), findings)
    }

    fn look(
        &self,
        field: &Field<'_>,
        known: &[&KnownValues],
        upstream: Option<&UpstreamName>,
        trace: &mut Trace,
    ) -> Vec<Finding> {
        let mut findings = self.found(field, trace);
        known::probe_all(known, &Place::of(field, upstream), &mut findings);
        if field.kind != FieldKind::Number {
            findings.extend(views::findings(field.text, &mut |view| {
                let inner = Field { text: view, ..*field };
                let mut inside = self.found(&inner, &mut Trace::off());
                known::probe_all(known, &Place::of(&inner, upstream), &mut inside);
                overlap::resolve(inside)
            }));
            // A view may end where the text does not.
            let held = field.text.get(..edges::end(field.text)).unwrap_or_default();
            let goes_on = |finding: &Finding| {
                held.get(finding.hull().end()..).is_some_and(|rest| rest.contains(char::is_alphanumeric))
            };
            findings.retain(|finding| finding.detector != known::BEGINNING || !goes_on(finding));
        }
        let own = self.terms.as_deref().map(|terms| OwnTerms::at(terms, field));
        if let Some(own) = &own {
            own.find(&mut findings);
        }
        let before = trace.before(&findings);
        let mut findings = overlap::resolve(findings);
        trace.resolved(&before, &findings);
        if let Some(own) = &own {
            own.drop_allowed(&mut findings, trace);
        }
        let parts =
            if field.kind == FieldKind::Text { beside::in_text(field.text, &findings) } else { Vec::new() };
        if parts.is_empty() {
            return findings;
        }
        findings.extend(parts);
        overlap::resolve(findings)
    }

    /// Findings of one text, views aside.
    fn found(&self, field: &Field<'_>, trace: &mut Trace) -> Vec<Finding> {
        let meaning = field.key.filter(|_| field.kind != FieldKind::Key).and_then(keys::meaning_for_value);
        let cue = match meaning.map_or(Cue::None, pass::cue_of) {
            // A bare `number` beside `exp` and `cvc`.
            Cue::None if field.siblings.card_like() => Cue::Card,
            cue => cue,
        };
        let structure = if field.kind == FieldKind::Text { Structure::Read } else { Structure::Skip };
        let mut hits = pass::scan(field.text, structure, cue, self.settings.categories, trace);
        if field.kind == FieldKind::Text {
            hits.extend(field.text.get(..edges::end(field.text)).and_then(edges::cut_at_end));
        }
        if let Some(meaning) = meaning {
            by_key(field, meaning, &mut hits, trace);
        }
        let mut findings: Vec<Finding> = hits
            .into_iter()
            .filter(|hit| self.settings.categories.contains(hit.category) || trace.drop(hit, Reason::Off))
            .map(|hit| Finding {
                category: hit.category,
                pieces: if hit.pieces.is_empty() { lines_of(field.text, hit.span) } else { hit.pieces },
                decoded: None,
                detector: hit.detector,
                strength: hit.strength,
            })
            .collect();
        if let Some(terms) = &self.terms {
            terms.find(field.text, field.reached(), &mut findings);
        }
        findings
    }
}

/// What the key of a field says about the whole value.
fn by_key(field: &Field<'_>, meaning: Meaning, hits: &mut Vec<Hit>, trace: &mut Trace) {
    if meaning.is_machine() && field.key.is_some_and(keys::is_message_id) {
        hits.retain(|hit| hit.category != Category::Email || trace.drop(hit, Reason::MachineKey));
    }
    if meaning.is_machine() {
        hits.retain(|hit| hit.strength != Strength::Shape || trace.drop(hit, Reason::MachineKey));
    }
    // An `id` that is a JSON number is a key of a database.
    if field.kind == FieldKind::Number && meaning == Meaning::BareId {
        return;
    }
    if let Some(verdict) = fields::judge(meaning, field.text, Extent::Whole, field.siblings) {
        hits.push(Hit {
            span: verdict.span,
            category: verdict.category,
            detector: Detector(verdict.rule),
            strength: Strength::Context,
            pieces: Vec::new(),
        });
    }
}

/// One piece for each line of the span that holds something.
fn lines_of(text: &str, span: Span) -> Vec<Span> {
    let several = |value: &&str| memchr::memchr(b'\n', value.as_bytes()).is_some();
    let Some(value) = span.of(text).filter(several) else { return vec![span] };
    let mut pieces = Vec::new();
    let mut at = span.start();
    for line in value.split_inclusive('\n') {
        let inner = line.trim();
        let lead = line.len() - line.trim_start().len();
        if !inner.is_empty() {
            pieces.push(Span::sized(at + lead, inner.len()));
        }
        at += line.len();
    }
    if pieces.is_empty() { vec![span] } else { pieces }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Category;

    use super::{Engine, Field, FieldKind};
    use crate::hints::Hints;
    use crate::settings::{CategorySet, Settings};

    /// The text with its findings marked and named.
    fn marked(field: &Field<'_>) -> String {
        let engine = Engine::new(Settings::default());
        let mut out = field.text.to_owned();
        for finding in engine.scan(field).iter().rev() {
            for piece in finding.pieces.iter().rev() {
                out.insert(piece.end(), '»');
                out.insert_str(piece.start(), &format!("«{}:", finding.category));
            }
        }
        out
    }

    fn plain(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((head, tail)) = rest.split_once('«') {
            out += head;
            let (_, value) = tail.split_once(':').unwrap();
            rest = value;
        }
        (out + rest).replace('»', "")
    }

    #[test]
    fn structure_and_signs_name_values_in_text() {
        for text in [
            "{\"full_name\":\"«PERSON:Marie Dubois»\",\"dob\":\"«DATE_OF_BIRTH:1984-03-12»\"}",
            "{\\\"full_name\\\":\\\"«PERSON:Marie Dubois»\\\"}",
            "full_name: «PERSON:Marie Dubois»",
            "assignee=«PERSON:Marie Dubois»",
            "| Name | Email |\n|---|---|\n| «PERSON:Marie Dubois» | «EMAIL:m@example.org» |\n",
            "name,email\n«PERSON:Marie Dubois»,«EMAIL:m@example.org»\n",
            "INSERT INTO users (full_name, dob) VALUES ('«PERSON:Marie Dubois»', '«DATE_OF_BIRTH:1984-03-12»');",
            "<tr><th>Full name</th><td>«PERSON:Marie Dubois»</td></tr>",
            "DB_PASSWORD=«PASSWORD:hunter22!x»",
            "COOKIE_KEY=«SECRET:9f86d081884c7d659a2feaa0c55ad015»\nCACHE_KEY=9f86d081884c7d659a2feaa0c55ad015",
            "[user]\n\tsigningkey = 5D8813E63C128696\n",
            "auto wlan0\n    wpa-psk «PASSWORD:5oIQM2ybjav8RD»\n",
            "remote_password «PASSWORD:am2AWB4yk6ov4r»\ntopic x",
            "keytool -storepass «PASSWORD:97pFVzvoHF» -v",
            "the pw is «PASSWORD:PKSy&iC3KumaH»; thanks",
            "userPassword:: «PASSWORD:AE/lU1ke6UHFxnOFXJwXjBGCxKua6H6g»\n",
            "CREATE TABLE `users` (\n  `id` int,\n  `last_name` text,\n  `birth_date` date,\n  PRIMARY KEY (`id`)\n);\n\
             INSERT INTO `users` VALUES (7,'«PERSON:Dubois»','«DATE_OF_BIRTH:1984-03-12»'),(8,'«PERSON:Ray»',NULL);",
            "<name><given>«PERSON:Rita»</given><family>«PERSON:Roca»</family></name>",
            "<string name=\"password\">Contraseña</string>\n<string name=\"full_name\">Nombre completo</string>",
            "T «PHONE:2642 7219» | M «PHONE:07 65 27 51» | x",
            "Contact: «PHONE:(351) 917 649 897»",
            "Miete 4/2026 Rg 537402;x",
            "UID:4q7zt8uj9x2lm4vb6q7zt8uj@example.org\nUID: «EMAIL:m@example.org»",
            "</cac:PayeeFinancialAccount><cac:Total><cbc:Amount>350.00</cbc:Amount></cac:Total>",
            "API_KEY=<your-api-key>\nCOMMIT=8d43f0c91eb553ddc1f156a30c2196c6bd8a6e9d",
            "\"sid\": \"AC38249137ce72f59dc24205604460c271\", TargetUserSid: S-1-5-21-5071269632-9918623441-672356391-5685",
            "\"password\" => \"[FILTERED]\"",
            "{FirstName:«PERSON:Rita» LastName:«PERSON:Roca» Rev:9}",
            "dob: ISODate('«DATE_OF_BIRTH:1984-03-12»T00:00:00Z')",
            "Nationality   Sex   Date of birth\nFRA           F     «DATE_OF_BIRTH:12.03.1984»",
            "the password is «PASSWORD:hunter22!x», keep it",
            "From: «PERSON:Marie Dubois» <«EMAIL:m@example.org»>",
            "Thank you, Mr. «PERSON:Dubois»'s car is ready.",
            "born on «DATE_OF_BIRTH:12 March 1984» in Lyon",
            "mail?to=«EMAIL:m%40example.org»&x=1",
            "Address: «ADDRESS:12 rue des Lilas, 69003 Lyon»",
            "x «PHONE:Y2FsbCArNDQgMjAgNzk0NiAwOTU4IG5vdw==» y",
            "x «IP_ADDRESS:YWJvdXQgMjAzLjAuMTEzLjcgd2Uga25vdw==» y",
            "x «PHONE:KzMzIDYgMTIgMzQgNTYgNzg=» y",
            "data:text/plain;base64,«PASSWORD:ZGJfcGFzc3dvcmQ6IGh1bnRlcjIyIXg=»",
            "x cmVsZWFzZSAxLjIyLjMzMywgYnVpbGQgMjAyNDA1MDM= y",
            "x YSBub3RlIG9uIHdoYXQgd2UgZG8gbm90IGtub3c= y",
            "{\"name\": \"left-pad\", \"version\": \"1.3.0\", \"author\": \"azer\"}",
            "name: build\nrun: make",
            "see file_name: Report Final.pdf, title: First Steps",
            "order 136-3543630-5304100, commit 99febedc3252bca522762c7ba18ef8cc808047bc, epoch 1719674297",
            "def get_token(self, key: str) -> str:",
            "password = os.environ[\"DB_PASSWORD\"]",
            "Password must contain 8 characters",
        ] {
            assert_eq!(marked(&Field::text(&plain(text))), text);
        }
    }

    #[test]
    fn keys_and_siblings_name_whole_fields() {
        let person = Hints::of_keys(["name", "email"].into_iter());
        let card = Hints::of_keys(["number", "cvc"].into_iter());
        for (key, kind, siblings, text) in [
            ("full_name", FieldKind::Text, Hints::default(), "«PERSON:marie dubois»"),
            ("name", FieldKind::Text, person, "«PERSON:Marie»"),
            ("name", FieldKind::Text, Hints::default(), "Marie"),
            ("assignee", FieldKind::Text, Hints::default(), "«OPAQUE:x'; drop table orders;--»"),
            ("phone", FieldKind::Number, Hints::default(), "«PHONE:2025550143»"),
            ("ssn", FieldKind::Number, Hints::default(), "«SSN:536228145»"),
            ("number", FieldKind::Number, card, "«CREDIT_CARD:4111111111111111»"),
            ("created", FieldKind::Number, Hints::default(), "1702264030"),
            ("order_id", FieldKind::Text, Hints::default(), "202-555-0143"),
            (
                "address",
                FieldKind::Text,
                Hints::default(),
                "«ADDRESS:12 rue des Lilas»\n«ADDRESS:69003 Lyon»",
            ),
            ("m@example.org", FieldKind::Text, Hints::default(), "ok"),
        ] {
            let text_plain = plain(text);
            let field = Field { text: &text_plain, kind, key: Some(key), siblings, within: None };
            assert_eq!(marked(&field), text, "{key}");
        }
        let key = Field {
            text: "m@example.org",
            kind: FieldKind::Key,
            key: None,
            siblings: Hints::default(),
            within: None,
        };
        assert_eq!(marked(&key), "«EMAIL:m@example.org»");
    }

    #[test]
    fn cloaked_text_holds_nothing_new() {
        for text in [
            "full_name: [PERSON_0_k7q]",
            "password=[PASSWORD_0_k7q]",
            "name,email\n[PERSON_0_k7q],[EMAIL_0_k7q]",
            "Dr. [PERSON_0_k7q] <[EMAIL_0_k7q]>, born [DATE_OF_BIRTH_0_k7q]",
            "{\"api_key\": \"[API_KEY_0b_k7q]\", \"phone\": \"[PHONE_12_k7q]\", \"address\": \"[ADDRESS_0_k7q]\"}",
            "https://h/u?email=EMAIL_0_k7q&token=SECRET_1_k7q",
        ] {
            assert_eq!(marked(&Field::text(text)), text);
        }
    }

    #[test]
    fn only_chosen_categories_are_reported() {
        let field = Field {
            text: "Lyon",
            kind: FieldKind::Text,
            key: Some("city"),
            siblings: Hints::default(),
            within: None,
        };
        assert!(Engine::default().scan(&field).is_empty());
        let all = Engine::new(Settings { categories: CategorySet::all() });
        assert_eq!(all.scan(&field).first().map(|finding| finding.category), Some(Category::Location));
        let none = Engine::new(Settings { categories: CategorySet::none() });
        assert!(none.scan(&Field::text("m@example.org")).is_empty());
    }
}
