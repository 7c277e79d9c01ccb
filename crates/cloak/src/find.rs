//! What is found in a text: what the detectors see in it, and the values of that wherever else they stand.
//!
//! In: a decoded string with what is known of its place. Out: findings for each of its innermost texts, or, for a
//! text by itself, findings in its own bytes. Invariant: a message is planned with the same looks, so what is found
//! here is what a message that holds the text would have replaced. Cost is linear in the text and its findings.
//! Not here: tokens, text that imitates them, values cut over blocks.

use std::borrow::Cow;

use cloakgate_detect::{
    Dropped, Engine, Field, FieldKind, Hints, KnownKey, KnownValues, PlainText, Reach, Reason, Within, admit,
    cue_before, is_cut, merge,
};
use cloakgate_vocab::{Detector, Finding, Sensitive, Span, Strength, UpstreamName};

use crate::beside;
use crate::error::CloakError;
use crate::texts::{Outer, Text, walk};

/// Names the parts of a value that is cut over blocks.
pub(crate) const HALF: Detector = Detector("cut over blocks");

/// What was found in one string: a list for each of its innermost texts, in the order of the walk.
pub(crate) type Found = Vec<Vec<Finding>>;

/// Finds in a text what a message that holds it would have replaced.
#[derive(Clone, Debug)]
pub struct Finder {
    engine: Engine,
    key: KnownKey,
}

impl Finder {
    /// A finder with these detectors. The key hashes the values that are looked for again; it should be random
    /// where texts come from strangers.
    #[must_use]
    pub const fn new(engine: Engine, key: KnownKey) -> Self {
        Self { engine, key }
    }

    /// The detectors.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Findings in `text`, sorted by start, their hulls apart, their pieces in bytes of `text`. A text that is JSON
    /// is read as such; `field_key` is the key under which the text itself stands.
    ///
    /// # Errors
    /// When names could not be read.
    pub fn find(&self, text: &str, field_key: Option<&str>) -> Result<Vec<Finding>, CloakError> {
        self.find_with(text, field_key, &mut |inner| self.engine.scan(&field(inner)))
    }

    /// Finds the same, and says for each finding what speaks for it and what else looked like a value. Costs more
    /// than `find`, and no more than linear time.
    ///
    /// # Errors
    /// As [`Finder::find`].
    pub fn explain(&self, text: &str, field_key: Option<&str>) -> Result<Explanation, CloakError> {
        let (mut evidence, mut dropped) = (Vec::new(), Vec::new());
        let found = self.find_with(text, field_key, &mut |inner| {
            let explained = self.engine.explain(&field(inner));
            for finding in &explained.findings {
                let at = finding.hull().start();
                evidence.push(Evidence {
                    span: in_string(finding.clone(), inner, text).hull(),
                    key: inner.key.map(str::to_owned),
                    cue: cue_before(inner.text, at).map(|cue| inner.in_string(cue)),
                });
            }
            dropped.extend(explained.dropped.into_iter().map(|dropped| Dropped {
                span: inner.in_string(dropped.span),
                reason: match dropped.reason {
                    Reason::MachineWord(word) => Reason::MachineWord(inner.in_string(word)),
                    other => other,
                },
                ..dropped
            }));
            explained.findings
        })?;
        evidence.sort_by_key(|evidence| evidence.span);
        // What was found in the end counts: a value that stands elsewhere too is no longer dropped.
        dropped.retain(|dropped| {
            matches!(dropped.reason, Reason::Covered(_)) || !overlaps_any(&found, dropped.span)
        });
        Ok(Explanation { findings: found, evidence, dropped })
    }

    /// What is found in each innermost text of `text`, in the order of the walk from [`Finder::outer`] on.
    pub(crate) fn find_each(&self, text: &str) -> Result<Found, CloakError> {
        self.lists(text, None, &mut |inner| self.engine.scan(&field(inner)))
    }

    /// What is known of a text by itself.
    pub(crate) fn outer<'a>(&'a self, field_key: Option<&'a str>) -> Outer<'a> {
        let within = self.engine.fields().map(Within::no_document);
        let siblings = Hints::default();
        Outer { kind: FieldKind::Text, key: field_key, siblings, lossy: false, within }
    }

    fn find_with(
        &self,
        text: &str,
        field_key: Option<&str>,
        scan: Scan<'_>,
    ) -> Result<Vec<Finding>, CloakError> {
        let mut lists = self.lists(text, field_key, scan)?.into_iter();
        let mut all = Vec::new();
        walk(text, self.outer(field_key), &mut |inner| {
            let list = lists.next().unwrap_or_default();
            all.extend(list.into_iter().map(|finding| in_string(finding, inner, text)));
        });
        Ok(merge(all, Vec::new()))
    }

    fn lists(&self, text: &str, field_key: Option<&str>, scan: Scan<'_>) -> Result<Found, CloakError> {
        let outer = self.outer(field_key);
        let mut found = detect(text, outer, scan);
        read_names(&self.engine, &[(text, outer)], std::slice::from_mut(&mut found))?;
        beside::join(&[(text, outer, 0)], std::slice::from_mut(&mut found));
        drop_allowed(&self.engine, text, outer, &mut found);
        let mut own = None;
        learn(text, outer, &found, Memory { key: &self.key, reach: &Reach::Everywhere }, &mut own);
        if let Some(own) = &own {
            let mut lists = found.iter_mut();
            walk(text, outer, &mut |inner| {
                let Some(list) = lists.next() else { return };
                recognise(inner, own, None, list);
                self.engine.drop_allowed(&field(inner), list);
            });
        }
        Ok(found)
    }
}

/// Findings with what speaks for them.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What is found, as without questions.
    pub findings: Vec<Finding>,
    /// What speaks for findings, by start; a value that was only recognised again has none of its own.
    evidence: Vec<Evidence>,
    /// What looked like a value and is none.
    pub dropped: Vec<Dropped>,
}

/// What stands beside a finding.
#[derive(Clone, Debug)]
pub struct Evidence {
    span: Span,
    /// The key under which the text of the finding stands.
    pub key: Option<String>,
    /// The word before it on its line that says what it is.
    pub cue: Option<Span>,
}

impl Explanation {
    /// What stands beside a finding.
    #[must_use]
    pub fn evidence(&self, finding: &Finding) -> Option<&Evidence> {
        let hull = finding.hull();
        let after = self.evidence.partition_point(|evidence| evidence.span.end() <= hull.start());
        self.evidence.get(after).filter(|evidence| evidence.span.overlaps(hull))
    }
}

/// True when one of the findings, which are sorted and apart, shares a byte with a span.
fn overlaps_any(findings: &[Finding], span: Span) -> bool {
    let after = findings.partition_point(|finding| finding.hull().end() <= span.start());
    findings.get(after).is_some_and(|finding| finding.hull().overlaps(span))
}

/// The finding as it stands in the string that the walk began with.
fn in_string(mut finding: Finding, inner: &Text<'_>, string: &str) -> Finding {
    let value = finding.hull().of(inner.text);
    for piece in &mut finding.pieces {
        *piece = inner.in_string(replaced(inner, *piece));
    }
    if let (None, [piece], Some(value)) = (&finding.decoded, &*finding.pieces, value)
        && piece.of(string) != Some(value)
        && inner.kind != FieldKind::Number
    {
        finding.decoded = Some(Sensitive::new(value));
    }
    finding
}

/// What of a text is replaced where a finding has a piece: a number goes as a whole.
pub(crate) fn replaced(text: &Text<'_>, piece: Span) -> Span {
    if text.kind == FieldKind::Number { Span::sized(0, text.text.len()) } else { piece }
}

/// With what strings are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) known: &'a [&'a KnownValues],
    pub(crate) upstream: Option<&'a UpstreamName>,
}

impl Search<'_> {
    /// Runs the detectors over one string.
    pub(crate) fn of(&self, string: &str, outer: Outer<'_>) -> Found {
        detect(string, outer, &mut |text| self.engine.scan_known(&field(text), self.known, self.upstream))
    }
}

/// Looks at one innermost text.
type Scan<'a> = &'a mut dyn FnMut(&Text<'_>) -> Vec<Finding>;

/// Looks at each innermost text of a string.
fn detect(string: &str, outer: Outer<'_>, scan: Scan<'_>) -> Found {
    let mut found = Found::new();
    walk(string, outer, &mut |text| found.push(scan(text)));
    found
}

/// Lets the reader of names, where there is one, read the strings of a message and adds what it finds. Running text that
/// is encoded is read as people read it.
pub(crate) fn read_names(
    engine: &Engine,
    strings: &[(&str, Outer<'_>)],
    found: &mut [Found],
) -> Result<(), CloakError> {
    let Some(names) = engine.names() else { return Ok(()) };
    let mut reading = names.begin(engine.settings().categories);
    let mut plain = Vec::new();
    for ((string, outer), found) in strings.iter().zip(found.iter()) {
        let mut lists = found.iter();
        walk(string, *outer, &mut |text| {
            let of_rules = lists.next().map_or(&[][..], Vec::as_slice);
            let undone = (text.kind == FieldKind::Text).then(|| PlainText::of(text.text)).flatten();
            match &undone {
                Some(undone) => {
                    let field = Field { text: undone.text(), ..field(text) };
                    reading.add(&field, &undone.findings_inside(of_rules));
                }
                None => reading.add(&field(text), of_rules),
            }
            plain.push(undone);
        });
    }
    let mut read = reading.finish()?.into_iter().zip(plain);
    for ((string, outer), found) in strings.iter().zip(found) {
        let more: Vec<_> = read.by_ref().take(found.len()).collect();
        if more.iter().all(|(more, _)| more.is_empty()) {
            continue;
        }
        let mut lists = found.iter_mut().zip(more);
        walk(string, *outer, &mut |text| {
            let Some((list, (mut more, undone))) = lists.next() else { return };
            if let Some(undone) = undone {
                more = more.into_iter().filter_map(|one| undone.finding_in(text.text, one)).collect();
            }
            more.retain(|finding| engine.settings().categories.contains(finding.category));
            engine.drop_allowed(&field(text), &mut more);
            add(list, more);
        });
    }
    Ok(())
}

pub(crate) fn field<'a>(text: &Text<'a>) -> Field<'a> {
    Field { text: text.text, kind: text.kind, key: text.key, siblings: text.siblings, within: text.within }
}

/// Takes away what the operator lets through at its place. What is let through everywhere was never found.
pub(crate) fn drop_allowed(engine: &Engine, string: &str, outer: Outer<'_>, found: &mut Found) {
    if engine.fields().is_none() || found.iter().all(Vec::is_empty) {
        return;
    }
    let mut lists = found.iter_mut();
    walk(string, outer, &mut |text| {
        if let Some(list) = lists.next() {
            engine.drop_allowed(&field(text), list);
        }
    });
}

/// How values are remembered.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'a> {
    pub(crate) key: &'a KnownKey,
    pub(crate) reach: &'a Reach,
}

/// Adds the values found in one string to `own`, which is made with the first.
pub(crate) fn learn(
    string: &str,
    outer: Outer<'_>,
    found: &Found,
    memory: Memory<'_>,
    own: &mut Option<KnownValues>,
) {
    if found.iter().all(Vec::is_empty) {
        return;
    }
    let mut lists = found.iter();
    walk(string, outer, &mut |text| {
        let news = |finding: &&Finding| finding.strength != Strength::Known && !is_part(finding);
        for finding in lists.next().into_iter().flatten().filter(news) {
            for (value, _) in values(finding, text) {
                if let Some(known) =
                    admit(memory.key, finding.category, &value, text.key, memory.reach.clone())
                {
                    own.get_or_insert_with(|| KnownValues::new(*memory.key)).insert(known);
                }
            }
        }
    });
}

/// True for parts of values: they are replaced, but not remembered, since a part may be any word.
pub(crate) fn is_part(finding: &Finding) -> bool {
    finding.detector == HALF || (is_cut(finding) && finding.strength == Strength::Known)
}

/// Adds to what was found in a text the places where values stand that were found elsewhere. What the detectors found
/// themselves keeps their name.
pub(crate) fn recognise(
    text: &Text<'_>,
    own: &KnownValues,
    upstream: Option<&UpstreamName>,
    found: &mut Vec<Finding>,
) {
    let mut again = own.probe(&field(text), upstream);
    again.retain(|again| {
        let place = again.hull();
        let same = found.binary_search_by_key(&place.start(), |finding| finding.hull().start());
        let same = same.ok().and_then(|index| found.get(index));
        !same.is_some_and(|same| same.hull() == place && same.category == again.category)
    });
    add(found, again);
}

/// Joins more findings of the same text.
pub(crate) fn add(found: &mut Vec<Finding>, more: Vec<Finding>) {
    if !more.is_empty() {
        *found = merge(std::mem::take(found), more);
    }
}

/// The values of a finding with the pieces that they stand in. Characters that stand for lone surrogates are
/// left out: they cannot be written back from text.
pub(crate) fn values<'a>(finding: &'a Finding, text: &Text<'a>) -> Vec<(Cow<'a, str>, Span)> {
    let mut values = Vec::with_capacity(1);
    for piece in &finding.pieces {
        let Some(found) = piece.of(text.text).filter(|found| !found.is_empty()) else { continue };
        if text.lossy && found.contains(char::REPLACEMENT_CHARACTER) {
            let mut at = piece.start();
            for part in found.split(char::REPLACEMENT_CHARACTER) {
                if !part.is_empty() {
                    values.push((Cow::Borrowed(part), Span::sized(at, part.len())));
                }
                at += part.len() + char::REPLACEMENT_CHARACTER.len_utf8();
            }
        } else {
            // The decoded value is looked at to be handed to the vault.
            let value = finding.decoded.as_ref().map_or(found, Sensitive::expose);
            values.push((Cow::Borrowed(value), *piece));
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cloakgate_detect::{
        CategorySet, Engine, Field, KnownKey, NameReader, NameReading, ReadError, Settings,
    };
    use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};

    use super::Finder;

    fn marked(text: &str) -> String {
        let finder = Finder::new(Engine::new(Settings::default()), KnownKey::new([7; 16]));
        let mut out = text.to_owned();
        for finding in finder.find(text, None).expect("no model").iter().rev() {
            for piece in finding.pieces.iter().rev() {
                out.insert(piece.end(), '»');
                out.insert_str(piece.start(), &format!("«{}:", finding.category));
            }
        }
        out
    }

    #[test]
    fn a_text_is_read_as_a_message_would_read_it() {
        for (text, expected) in [
            ("nothing here", "nothing here"),
            ("mail m@example.org", "mail «EMAIL:m@example.org»"),
            (r#"{"full_name":"Marie Dubois"}"#, r#"{"full_name":"«PERSON:Marie Dubois»"}"#),
            (r#"{"phone":2025550143}"#, r#"{"phone":«PHONE:2025550143»}"#),
            (r#"{"full_name":"Zo\u00eb Dubois"}"#, r#"{"full_name":"«PERSON:Zo\u00eb Dubois»"}"#),
            (r#"{"a":"{\"email\":\"m@example.org\"}"}"#, r#"{"a":"{\"email\":\"«EMAIL:m@example.org»\"}"}"#),
            (
                "full_name: Marie Dubois\nthanks to marie dubois again",
                "full_name: «PERSON:Marie Dubois»\nthanks to «PERSON:marie dubois» again",
            ),
            (
                r#"{"full_name":"Marie Dubois","note":"ask MARIE DUBOIS"}"#,
                r#"{"full_name":"«PERSON:Marie Dubois»","note":"ask «PERSON:MARIE DUBOIS»"}"#,
            ),
            (
                r#"[{"user":{"name":"Kelly Ray"},"text":"Kelly is off"},{"text":"Kelly"}]"#,
                r#"[{"user":{"name":"«PERSON:Kelly Ray»"},"text":"«PERSON:Kelly» is off"},{"text":"Kelly"}]"#,
            ),
        ] {
            assert_eq!(marked(text), expected);
        }
    }

    #[test]
    fn an_explanation_finds_the_same_and_tells_key_cue_and_what_was_dropped() {
        let finder = Finder::new(Engine::new(Settings::default()), KnownKey::new([7; 16]));
        let text = r#"{"full_name":"Marie Dubois","ts":1719674297,"note":"phone 202-555-0143"}"#;
        let explained = finder.explain(text, None).expect("no model");
        assert_eq!(explained.findings.len(), finder.find(text, None).expect("no model").len());
        let told: Vec<_> = explained
            .findings
            .iter()
            .filter_map(|finding| explained.evidence(finding))
            .map(|evidence| (evidence.key.as_deref(), evidence.cue.and_then(|cue| cue.of(text))))
            .collect();
        assert_eq!(told, [(Some("full_name"), None), (Some("note"), Some("phone"))]);
        let dropped: Vec<_> = explained.dropped.iter().filter_map(|dropped| dropped.span.of(text)).collect();
        assert_eq!(dropped, ["1719674297"]);
    }

    #[test]
    fn what_a_detector_found_keeps_its_name() {
        let finder = Finder::new(Engine::new(Settings::default()), KnownKey::new([7; 16]));
        let found = finder.find("full_name: Marie Dubois, for MARIE DUBOIS", None).expect("no model");
        let strengths: Vec<Strength> = found.iter().map(|finding| finding.strength).collect();
        assert_eq!(strengths, [Strength::Context, Strength::Known]);
    }

    #[test]
    fn the_key_of_the_text_counts() {
        let finder = Finder::new(Engine::new(Settings::default()), KnownKey::new([7; 16]));
        assert_eq!(finder.find("marie dubois", None).expect("no model").len(), 0);
        assert_eq!(finder.find("marie dubois", Some("full_name")).expect("no model").len(), 1);
    }

    #[test]
    fn a_value_written_with_escapes_is_given_decoded() {
        let finder = Finder::new(Engine::new(Settings::default()), KnownKey::new([7; 16]));
        let found = finder.find(r#"{"full_name":"Zo\u00eb Dubois"}"#, None).expect("no model");
        let decoded = found.first().and_then(|finding| finding.decoded.clone());
        assert_eq!(decoded.map(|value| value.expose().to_owned()).as_deref(), Some("Zoë Dubois"));
    }

    /// Finds every `Kim` as a person, or fails.
    #[derive(Debug)]
    struct Kims {
        works: bool,
    }

    struct Reading<'a>(&'a Kims, Vec<Vec<Finding>>);

    impl NameReader for Kims {
        fn begin(&self, _: CategorySet) -> Box<dyn NameReading + '_> {
            Box::new(Reading(self, Vec::new()))
        }
    }

    impl NameReading for Reading<'_> {
        fn add(&mut self, field: &Field<'_>, _: &[Finding]) {
            let found = field.text.match_indices("Kim").map(|(at, name)| Finding {
                category: Category::Person,
                pieces: vec![Span::sized(at, name.len())],
                decoded: None,
                detector: Detector("kims"),
                strength: Strength::Context,
            });
            self.1.push(found.collect());
        }

        fn finish(self: Box<Self>) -> Result<Vec<Vec<Finding>>, ReadError> {
            if self.0.works { Ok(self.1) } else { Err(ReadError::new("worn out")) }
        }
    }

    #[test]
    fn a_reader_of_names_adds_to_what_rules_find_and_fails_closed() {
        let finder = |works, settings| {
            let engine = Engine::new(settings).with_names(Arc::new(Kims { works }));
            Finder::new(engine, KnownKey::new([7; 16]))
        };
        let text = r#"[{"note":"ask Kim, k@example.org"},{"x":1,"b":"\u004bim"}]"#;
        let found = finder(true, Settings::default()).find(text, None).expect("it works");
        let values: Vec<_> = found.iter().filter_map(|finding| finding.hull().of(text)).collect();
        assert_eq!(values, ["Kim", "k@example.org", "\\u004bim"]);
        let off = Settings { categories: CategorySet::core().without(Category::Person) };
        assert_eq!(finder(true, off).find(text, None).expect("it works").len(), 1);
        assert!(finder(false, Settings::default()).find(text, None).is_err());
    }
}
