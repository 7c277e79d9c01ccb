//! The reader of names: which texts the models see, and what of their answers counts.
//!
//! In: the texts of a message with the findings of the rules. Out: findings of people, apart from those of the rules.
//! Invariant: the same text under the same key is read once in a message; the transformer reads all that is undecided in
//! one call; its failure is the message's. Not here: which words are names (`decide`).

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use cloakgate_detect::{
    CategorySet, Field, FieldKind, KeySense, NameReader, NameReading, ReadError, key_sense,
};
use cloakgate_vocab::{Category, Detector, Finding, Strength};

use crate::brought::{Brought, ModelConfig, Stage};
use crate::cnn::Cnn;
use crate::decide::{Heard, Judge, Questions, known_words};
use crate::hygiene::{Name, joined};
use crate::lists::Lists;
use crate::mention::Mention;
use crate::preset::Preset;
use crate::tagger::Tagger;
use crate::transformer::Transformer;

/// Names that a model sees.
const BY_MODEL: Detector = Detector("names model");
/// Names that only lists and what stands beside them speak for.
const BY_LIST: Detector = Detector("names list");
/// Longest text under a key that holds no names which the key decides alone; longer ones are read all the same.
const MAX_CLOSED_BYTES: usize = 200;

/// Why the models cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NamesError {
    /// A file of a model is missing, cut short or altered.
    #[error("the file `{file}` of the names model is damaged")]
    Damaged {
        /// Its name.
        file: &'static str,
    },
    /// A file of a model that an operator brings cannot be used.
    #[error("the file `{file}` of a names model {problem}")]
    Unusable {
        /// Its name.
        file: &'static str,
        /// Why not.
        problem: &'static str,
    },
    /// A model could not be run to its end.
    #[error("a model of names failed")]
    Failed,
    /// A model took longer than it may.
    #[error("names were not read in time")]
    TooSlow,
    /// An operator brings models, and this build cannot run them.
    #[error("this build cannot run models of one's own")]
    NotBuilt,
    /// Somebody asks for a preset that was not loaded.
    #[error("the names model was not loaded for the preset `{0}`")]
    NotLoaded(Preset),
}

/// The models.
struct Models {
    cnn: Cnn,
    lists: Arc<Lists>,
    tagger: Tagger,
    transformer: Option<Transformer>,
    brought: Brought,
}

/// Finds names in running text.
pub struct Names {
    preset: Preset,
    models: Arc<Models>,
}

impl Names {
    /// The models that are built in.
    ///
    /// # Errors
    /// When one of them is damaged.
    pub fn load(preset: Preset) -> Result<Arc<Self>, NamesError> {
        Self::load_with(preset, &[])
    }

    /// The same with models that an operator brings.
    ///
    /// # Errors
    /// When one of them is damaged or cannot be used, and where this build runs no such models.
    pub fn load_with(preset: Preset, brought: &[ModelConfig]) -> Result<Arc<Self>, NamesError> {
        let brought = Brought::load(brought)?;
        let transformer = (preset > Preset::Fast).then(Transformer::load).transpose()?;
        let lists = Arc::new(Lists::load()?);
        let tagger = Tagger::with(Arc::clone(&lists))?;
        let models = Models { cnn: Cnn::load()?, lists, tagger, transformer, brought };
        Ok(Arc::new(Self { preset, models: Arc::new(models) }))
    }

    /// The same models at another preset, which is no deeper than the one that was loaded.
    #[must_use]
    pub fn at(&self, preset: Preset) -> Arc<Self> {
        Arc::new(Self { preset, models: Arc::clone(&self.models) })
    }

    /// How much is read for a name.
    #[must_use]
    pub const fn preset(&self) -> Preset {
        self.preset
    }

    fn judge<'a>(&'a self, wanted: CategorySet, failure: &'a OnceCell<NamesError>) -> Judge<'a> {
        Judge {
            cnn: &self.models.cnn,
            tagger: &self.models.tagger,
            lists: &self.models.lists,
            brought: &self.models.brought,
            preset: self.preset,
            wanted,
            failure,
        }
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Names").field("preset", &self.preset).finish_non_exhaustive()
    }
}

impl NameReader for Names {
    fn begin(&self, wanted: CategorySet) -> Box<dyn NameReading + '_> {
        Box::new(Reading {
            names: self,
            wanted,
            questions: Questions::default(),
            texts: Vec::new(),
            read: HashMap::new(),
            known: HashSet::new(),
            failure: OnceCell::new(),
            hasher: RandomState::new(),
        })
    }
}

/// The texts of one message.
struct Reading<'a> {
    names: &'a Names,
    wanted: CategorySet,
    questions: Questions,
    texts: Vec<Text>,
    read: HashMap<u64, usize>, // index of the text by its hash, and that of its key and of what was found in it
    known: HashSet<String>,    // words of the people that the rules found
    failure: OnceCell<NamesError>, // of a model that reads while texts are taken in
    hasher: RandomState,
}

/// A text with its candidates.
enum Text {
    Read {
        text: String,
        heard: Heard,
    },
    /// Nothing in it may be a name.
    Empty,
    /// It is that one again.
    Again(usize),
}

impl Reading<'_> {
    fn text(&mut self, field: &Field<'_>, found: &[Finding]) -> Text {
        if field.kind != FieldKind::Text
            || !field.text.bytes().any(|byte| byte.is_ascii_alphabetic() || byte >= 0x80)
        {
            return Text::Empty;
        }
        let closed = field.key.is_some_and(|key| key_sense(key) == KeySense::Closed);
        if closed && field.text.len() <= MAX_CLOSED_BYTES {
            return Text::Empty;
        }
        let spans: Vec<_> = found.iter().map(Finding::hull).collect();
        let hash = self.hasher.hash_one((field.text, field.key, spans));
        if let Some(earlier) = self.read.get(&hash) {
            return Text::Again(*earlier);
        }
        self.read.insert(hash, self.texts.len());
        known_words(field.text, found, &self.names.models.lists, &mut self.known);
        let judge = self.names.judge(self.wanted, &self.failure);
        let heard = judge.candidates(field.text, field.key, found, &mut self.questions);
        if heard.candidates.is_empty() && heard.things.is_empty() {
            Text::Empty
        } else {
            Text::Read { text: field.text.to_owned(), heard }
        }
    }

    /// What the transformer, and models that are asked with it, say of the questions.
    fn answers(&self) -> Result<Vec<Vec<Mention>>, NamesError> {
        let texts: Vec<&str> = self.questions.texts().iter().map(String::as_str).collect();
        let models = &self.names.models;
        let mut answers = match models.transformer.as_ref().filter(|_| !texts.is_empty()) {
            Some(transformer) => transformer.read(&texts)?,
            None => Vec::new(),
        };
        if !texts.is_empty() {
            models.brought.read(Stage::Open, &texts, &mut answers)?;
        }
        Ok(answers)
    }
}

impl NameReading for Reading<'_> {
    fn add(&mut self, field: &Field<'_>, found: &[Finding]) {
        let text = self.text(field, found);
        self.texts.push(text);
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<Vec<Finding>>, ReadError> {
        if let Some(failure) = self.failure.take() {
            return Err(ReadError::new(failure));
        }
        let answers = self.answers().map_err(ReadError::new)?;
        let known = std::mem::take(&mut self.known);
        let heard = self.texts.iter_mut().filter_map(|text| match text {
            Text::Read { heard, .. } => Some(heard),
            _ => None,
        });
        self.names.judge(self.wanted, &self.failure).names(heard.collect(), &answers, known);
        let mut found: Vec<Vec<Finding>> = Vec::with_capacity(self.texts.len());
        for text in &self.texts {
            let findings = match text {
                Text::Read { text, heard } => findings(text, heard, &self.names.models.lists),
                Text::Again(earlier) => found.get(*earlier).cloned().unwrap_or_default(),
                Text::Empty => Vec::new(),
            };
            found.push(findings);
        }
        Ok(found)
    }
}

fn findings(text: &str, heard: &Heard, lists: &Lists) -> Vec<Finding> {
    let names = heard
        .candidates
        .iter()
        .map(|candidate| Name { span: candidate.span, seen: candidate.seen })
        .collect();
    let finding = |name: Name| {
        let detector = if name.seen { BY_MODEL } else { BY_LIST };
        Finding::new(Category::Person, name.span, detector, Strength::Context)
    };
    let mut findings: Vec<Finding> = joined(text, names, lists).into_iter().map(finding).collect();
    if !heard.things.is_empty() {
        let people = findings.len();
        for thing in &heard.things {
            let after = findings
                .get(..people)
                .map_or(0, |people| people.partition_point(|one| one.hull().end() <= thing.span.start()));
            let free = !findings
                .get(after..people)
                .is_some_and(|rest| rest.first().is_some_and(|person| person.hull().overlaps(thing.span)));
            if free {
                findings.push(Finding::new(thing.category, thing.span, BY_MODEL, Strength::Context));
            }
        }
        findings.sort_by_key(Finding::hull);
    }
    findings
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, LazyLock};

    use cloakgate_detect::{CategorySet, Field, FieldKind, NameReader as _};
    use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};

    use super::Names;
    use crate::preset::Preset;

    static NAMES: LazyLock<Arc<Names>> =
        LazyLock::new(|| Names::load(Preset::Recall).expect("the models are whole"));

    fn read(preset: Preset, fields: &[(Option<&str>, &str)], found: &[Finding]) -> Vec<String> {
        read_for(CategorySet::core(), preset, fields, found)
    }

    fn read_for(
        wanted: CategorySet,
        preset: Preset,
        fields: &[(Option<&str>, &str)],
        found: &[Finding],
    ) -> Vec<String> {
        let names = NAMES.at(preset);
        let mut reading = names.begin(wanted);
        for (key, text) in fields {
            reading.add(&Field { key: *key, ..Field::text(text) }, found);
        }
        let found = reading.finish().expect("the models read");
        let mark = |(text, found): (&str, Vec<Finding>)| {
            let mut marked = text.to_owned();
            for finding in found.iter().rev() {
                marked.insert(finding.hull().end(), '»');
                marked.insert(finding.hull().start(), '«');
            }
            marked
        };
        fields.iter().map(|(_, text)| *text).zip(found).map(mark).collect()
    }

    #[test]
    fn names_in_sentences_are_found() {
        for marked in [
            "Yesterday I met «Katarzyna Lindström» in Lyon.",
            "Thanks to Mrs. «Lindström» and her brother «Jonas Lindström»'s team.",
            "Please ask «Michael O'Brien», who said he would help.",
            "Gestern hat «Thomas Bergmann» den Vertrag unterschrieben.",
            "Hier soir, «Claire Fontaine» a accepté la proposition.",
            "Ayer por la tarde «Carmen Ortega» habló con los vecinos.",
            "The build failed because Docker could not find Python.",
            "We moved the Oracle database to Amsterdam in April.",
            "Send it to Lindström Ltd in Oslo.",
            "Present: «Anna», «Marie», «Jonas», «Petra»",
            "Monday, Lyon, Sales",
            "Kafka, Redis, Heron, Nomad",
        ] {
            let text = marked.replace(['«', '»'], "");
            for preset in [Preset::Fast, Preset::Balanced] {
                assert_eq!(read(preset, &[(None, &text)], &[]), [marked], "{preset}");
            }
            let all = read(Preset::Recall, &[(None, &text)], &[]).concat();
            for name in marked.split('«').skip(1).filter_map(|rest| rest.split('»').next()) {
                assert!(all.contains(&format!("«{name}»")), "{all}");
            }
        }
    }

    #[test]
    fn places_and_organisations_are_found_where_they_are_wanted() {
        let places = CategorySet::none().with(Category::Location);
        let both = places.with(Category::Org);
        for (wanted, marked) in [
            (both, "We spent two weeks in the «Whitmoor Mountains» last summer."),
            (both, "She has worked for the «Whitmoor Savings Bank» since the spring."),
            (places, "She has worked for the Whitmoor Savings Bank since the spring."),
            (both, "Next week we fly to «Lisbon» and stay near «Porto»."),
            (both, "She works for «Siemens» now."),
            (both, "The river runs from «Alsace» to the sea."),
            (both, "The build failed because Docker could not find Python."),
            (both, "let lyon = Place::new(\"Lyon\");"),
            (both, "| Lyon | Open | 3 |"),
            (both, "// see also Lyon, Berlin and Oslo in the file beside it"),
        ] {
            let text = marked.replace(['«', '»'], "");
            for preset in [Preset::Fast, Preset::Balanced, Preset::Recall] {
                assert_eq!(read_for(wanted, preset, &[(None, &text)], &[]), [marked], "{preset}");
            }
            assert_eq!(read(Preset::Balanced, &[(None, &text)], &[]), [text], "nobody wants them");
        }
    }

    #[test]
    fn a_name_that_goes_beyond_a_place_of_the_rules_is_found() {
        let wanted = CategorySet::none().with(Category::Location).with(Category::Org);
        let text = "He teaches at the University of California now.";
        let at = text.find("California").expect("it is there");
        let rule = Finding::new(Category::Location, Span::sized(at, 10), Detector("test"), Strength::Context);
        let found = read_for(wanted, Preset::Balanced, &[(None, text)], &[rule]);
        assert_eq!(found, ["He teaches at the «University of California» now."]);
        let rule = Finding::new(Category::Email, Span::sized(at, 10), Detector("test"), Strength::Context);
        assert_eq!(read_for(wanted, Preset::Balanced, &[(None, text)], &[rule]), [text]);
    }

    #[test]
    fn what_machines_write_is_not_read() {
        for text in [
            "let marie = Dubois::new(\"Marie Dubois\");",
            "Kelly bag,XNX76043,47\nMarshall amp,WGA63438,28",
            "| Marie Dubois | Open | 3 |",
            "/srv/marie/dubois.txt",
            "marie_dubois@host",
            "geo 48.799156, 32.548509",
            "// see also Dubois, Lindström and Brzyk in the file beside it",
        ] {
            assert_eq!(read(Preset::Balanced, &[(None, text)], &[]), [text]);
        }
        assert_eq!(read(Preset::Balanced, &[(Some("sha256"), "Marie Dubois")], &[]), ["Marie Dubois"]);
        let mut reading = NAMES.begin(CategorySet::all());
        reading.add(&Field { kind: FieldKind::Key, ..Field::text("Marie Dubois") }, &[]);
        assert_eq!(reading.finish().expect("the models read").concat().len(), 0);
    }

    #[test]
    fn what_the_rules_found_is_not_decided_again_and_speaks_for_its_words() {
        let text = "Kxendra Brzyk is here.";
        let rule = Finding::new(Category::Person, Span::sized(0, 13), Detector("test"), Strength::Context);
        assert_eq!(read(Preset::Balanced, &[(None, text)], &[rule]), [text]);
    }

    #[test]
    fn every_text_has_its_own_answer() {
        let met = (None, "Yesterday I met Katarzyna Lindström.");
        let found = read(Preset::Balanced, &[met, (None, "nothing"), met], &[]);
        let marked = "Yesterday I met «Katarzyna Lindström».";
        assert_eq!(found, [marked, "nothing", marked]);
    }
}
