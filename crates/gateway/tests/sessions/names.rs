//! Names in running text, with a reader of the test's own in the models' place.

use std::sync::{Arc, Condvar, Mutex};

use cloakgate_detect::{CategorySet, Field, NameReader, NameReading, ReadError};
use cloakgate_gateway::GatewayError;
use cloakgate_names::{Preset, Readers};
use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};
use serde_json::json;

use crate::harness::Setup;

/// Takes two capitalised words for a name. It fails at a text that says so, and stops at another until it is let go.
#[derive(Debug, Default)]
struct Pairs {
    is_let_go: Mutex<bool>,
    let_go: Condvar,
}

struct Reading<'a> {
    reader: &'a Pairs,
    found: Vec<Vec<Finding>>,
    fails: bool,
}

impl NameReader for Pairs {
    fn begin(&self, _: CategorySet) -> Box<dyn NameReading + '_> {
        Box::new(Reading { reader: self, found: Vec::new(), fails: false })
    }
}

impl NameReading for Reading<'_> {
    fn add(&mut self, field: &Field<'_>, _: &[Finding]) {
        if field.text.contains("hold on") {
            let held = self.reader.is_let_go.lock().expect("no panic");
            let _free = self.reader.let_go.wait_while(held, |let_go| !*let_go).expect("no panic");
        }
        self.fails |= field.text.contains("give up");
        let is_name = |word: &str| word.starts_with(char::is_uppercase);
        let words: Vec<&str> = field.text.split_inclusive(' ').collect();
        let mut at = 0;
        let mut found = Vec::new();
        for (index, word) in words.iter().enumerate() {
            if let Some(next) = words.get(index + 1).filter(|next| is_name(word) && is_name(next)) {
                let end = at + word.len() + next.trim_end_matches([' ', '.', ',']).len();
                found.push(Finding {
                    category: Category::Person,
                    pieces: vec![Span::new(at, end).expect("in order")],
                    decoded: None,
                    detector: Detector("pairs"),
                    strength: Strength::Context,
                });
            }
            at += word.len();
        }
        self.found.push(found);
    }

    fn finish(self: Box<Self>) -> Result<Vec<Vec<Finding>>, ReadError> {
        if self.fails { Err(ReadError::new("worn out")) } else { Ok(self.found) }
    }
}

fn readers(pairs: &Arc<Pairs>) -> Readers {
    let pairs: Arc<dyn NameReader> = Arc::<Pairs>::clone(pairs);
    Readers::default().with(Preset::Fast, pairs)
}

#[test]
fn a_name_in_a_sentence_is_cloaked_and_put_back() {
    let setup = Setup::new("names-read").echo("a").echo("b").with("names", json!("fast"));
    let setup = setup.upstream("b", "names", json!("off"));
    let mut running = setup.serve_with(readers(&Arc::default()));
    let said = "We met Ada Quill there";
    let answer = running.client.call("b__echo", &json!({"text": said})).expect("an answer");
    assert_eq!(answer.text(), Some(said), "nobody reads there");
    let answer = running.client.call("a__echo", &json!({"text": said})).expect("an answer");
    let cloaked = answer.text().expect("a text").to_owned();
    assert!(cloaked.starts_with("We met [PERSON_0_") && !cloaked.contains("Quill"), "{cloaked}");
    let answer = running.client.call("b__echo", &json!({"text": cloaked})).expect("an answer");
    assert_eq!(answer.text(), Some(&*cloaked), "what is known is cloaked where nobody reads");
    running.end().expect("served");
}

#[test]
fn a_message_that_cannot_be_read_for_names_does_not_pass() {
    let setup = Setup::new("names-fail").echo("a").with("names", json!("fast"));
    let mut running = setup.serve_with(readers(&Arc::default()));
    for text in ["m@example.org says give up", "a long one: give up"] {
        let text = format!("{text} {}", "and so on ".repeat(if text.len() < 20 { 10_000 } else { 1 }));
        let id = running.client.start("tools/call", &json!({"name": "a__echo", "arguments": {"text": text}}));
        let answer = running.client.answer(id.expect("open")).expect("an answer with the call's id");
        assert_eq!(answer.error()["code"], -32603, "{}", answer.raw);
        assert!(!answer.raw.contains("give up") && !answer.raw.contains("worn out"), "{}", answer.raw);
    }
    let answer = running.client.call("a__echo", &json!({"text": "all is well"})).expect("an answer");
    assert_eq!(answer.text(), Some("all is well"));
    running.end().expect("served");
}

#[test]
fn a_small_message_that_is_read_for_names_holds_nobody_up() {
    let setup = Setup::new("names-slow").echo("a").with("names", json!("fast"));
    let pairs = Arc::default();
    let mut running = setup.serve_on(1, readers(&pairs));
    let call = json!({"name": "a__echo", "arguments": {"text": "hold on, Ada Quill"}});
    let held = running.client.start("tools/call", &call).expect("open");
    for _ in 0..3 {
        let answer = running.client.request("ping", &json!({})).expect("an answer");
        assert!(answer.error().is_null(), "{}", answer.raw);
    }
    *pairs.is_let_go.lock().expect("no panic") = true;
    pairs.let_go.notify_all();
    let answer = running.client.answer(held).expect("an answer");
    assert!(answer.text().is_some_and(|text| text.starts_with("hold on, [PERSON_0_")), "{}", answer.raw);
    running.end().expect("served");
}

/// Finds nothing, and says that it could read.
#[derive(Debug)]
struct Blind;

struct Nothing(usize);

impl NameReader for Blind {
    fn begin(&self, _: CategorySet) -> Box<dyn NameReading + '_> {
        Box::new(Nothing(0))
    }
}

impl NameReading for Nothing {
    fn add(&mut self, _: &Field<'_>, _: &[Finding]) {
        self.0 += 1;
    }

    fn finish(self: Box<Self>) -> Result<Vec<Vec<Finding>>, ReadError> {
        Ok(vec![Vec::new(); self.0])
    }
}

/// Fails at every text.
#[derive(Debug)]
struct Broken;

impl NameReader for Broken {
    fn begin(&self, _: CategorySet) -> Box<dyn NameReading + '_> {
        Box::new(Reading { reader: Box::leak(Box::default()), found: Vec::new(), fails: true })
    }
}

#[test]
fn a_reader_that_does_not_find_known_names_or_is_not_there_stops_the_start() {
    let setup = Setup::new("names-blind").echo("a").with("names", json!("fast"));
    let blind = Readers::default().with(Preset::Fast, Arc::new(Blind));
    let broken = Readers::default().with(Preset::Fast, Arc::new(Broken));
    for (readers, expected) in [
        (blind, "names in running text were not found (PERSON), although `names` is `fast`"),
        (broken, "cannot look for names"),
        (Readers::default(), "was not loaded for the preset `fast`"),
    ] {
        let error = setup.start_on(2, Some(readers)).end().expect_err(expected);
        assert!(matches!(error, GatewayError::SelfTest(_) | GatewayError::Names(_)), "{error}");
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(error) = cause {
            text.push_str(&format!(": {error}"));
            cause = error.source();
        }
        assert!(text.contains(expected), "{text}");
    }
}
