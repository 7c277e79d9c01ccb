//! Known values of every category that is switched on go through the real path before anything is served.
//!
//! In: a configuration. Out: the categories that were tried, or an error that names those which let a value
//! through. Constructing a detector is no evidence that it detects, and a model that was loaded none that it reads.
//! Invariant: a category without a passing sample stops the start; rules are tried without the models, and each reader
//! of names by sentences in which no rule finds anything. Not here: speed, quality.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Destination, SessionKeys, TokenScope, Treatment, Unresolved};
use cloakgate_detect::{CategorySet, FieldPath};
use cloakgate_mcp::Part;
use cloakgate_names::Readers;
use cloakgate_vault::MemoryVault;
use cloakgate_vocab::{Category, Defaults, Secret, UpstreamName};

use crate::config::{Binary, Config, Detection, Effort, FieldEntry, Pattern, TermList};
use crate::gateway::detectors;
use crate::pipeline::{Budget, Down, Pipeline, Up, UpstreamPolicy};

/// Why the gateway does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SelfTestError {
    /// Values of these categories came out as they went in.
    #[error("the self-test failed: values of {} were not found, although the configuration switches them on", list(.0))]
    Survived(Vec<Category>),
    /// Names in sentences came out as they went in.
    #[error(
        "the self-test failed: names in running text were not found ({category}), although `names` is `{effort}`"
    )]
    NamesSurvived {
        /// How much was done to find them.
        effort: Effort,
        /// What they name.
        category: Category,
    },
    /// A value was replaced but not given back as it was.
    #[error("the self-test failed: values of {} were not restored as they were", list(.0))]
    NotRestored(Vec<Category>),
    /// A stage failed.
    #[error("the self-test could not be run")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

fn list(categories: &[Category]) -> String {
    categories.iter().map(|category| category.name()).collect::<Vec<_>>().join(", ")
}

/// A field and an invented value in it. Values that a scanner of source code would take for real ones are put
/// together from parts.
type Sample = (Category, &'static str, &'static [&'static str]);

const SAMPLES: &[Sample] = &[
    (Category::Email, "text", &["write to selftest.user@example.org today"]),
    (Category::Person, "full_name", &["Ada Selftest"]),
    (Category::Phone, "text", &["call +44 20 7946 0958 now"]),
    (Category::Address, "street_address", &["12 Example Street"]),
    (Category::DateOfBirth, "date_of_birth", &["1984-03-12"]),
    (Category::Ssn, "text", &["SSN: 536-22-8145"]),
    (Category::NationalId, "national_id", &["44051401359"]),
    (Category::Passport, "passport_number", &["C01X00T47"]),
    (Category::DriverLicense, "driver_license", &["D123-4567-8901"]),
    (Category::TaxId, "tax_id", &["DE136695976"]),
    (Category::HealthId, "medical_record_number", &["9434765919"]),
    (Category::OtherId, "employee_id", &["EMP-0093312"]),
    (Category::CreditCard, "text", &["card 4111 1111 1111 1111"]),
    (Category::Iban, "text", &["pay to DE89 3704 0044 0532 0130 00"]),
    (Category::BankAccount, "account_number", &["4537891022"]),
    (Category::CryptoWallet, "text", &["to 1BoatSLRHtKNngkdXEeobR76b53LETtpyT now"]),
    (Category::IpAddress, "text", &["login from 203.0.113.7 refused"]),
    (Category::MacAddress, "text", &["device 00:1B:44:11:3A:B7 joined"]),
    (Category::Vehicle, "vin", &["1HGCM82633A004352"]),
    (Category::Password, "password", &["Tulip-Falls-93"]),
    (Category::ApiKey, "text", &["use sk_", "live_", "4eC39HqLyjWDarjtT1zdp7dc", "Zb8Qw1"]),
    (Category::AwsKey, "text", &["key AK", "IA", "S6N6LPAAX3EJOOC3", " here"]),
    (
        Category::Jwt,
        "text",
        &[
            "eyJhbGciOiJIUzI1NiIs",
            "InR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6InRlc3QifQ.",
            "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        ],
    ),
    (
        Category::PrivateKey,
        "text",
        &[
            "-----BEGIN PRIVATE ",
            "KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n",
            "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n-----END PRIVATE KEY-----",
        ],
    ),
    (Category::Secret, "client_secret", &["q7Rk2", "vX9dLm4TzB8wYc6NfH3s"]),
    (Category::Username, "username", &["mdubois84"]),
    (Category::Age, "text", &["she is 41 years old"]),
    (Category::Date, "text", &["due on 2026-03-12, at noon"]),
    (Category::Url, "text", &["see https://www.example.org/u/marie"]),
    (Category::Medication, "text", &["on metformin since May"]),
    (Category::Org, "company", &["Acme Example Corp"]),
    (Category::Location, "city", &["Lyon"]),
    (Category::Gender, "gender", &["female"]),
    (Category::Medical, "text", &["has type 1 diabetes"]),
    (Category::Money, "text", &["pays EUR 1,250.00 a month"]),
    (Category::Weight, "weight", &["72 kg"]),
    (Category::Nrp, "nationality", &["French"]),
    (Category::Profession, "occupation", &["nurse"]),
    (Category::Title, "salutation", &["Dr."]),
];

/// Categories that are no kind of value by themselves: what a personal field holds that has the wrong form, and
/// the operator's own words, which bring their own samples.
const WITHOUT_SAMPLE: &[Category] = &[Category::Opaque, Category::Custom];

/// Sentences, and a name in each that nothing but reading tells.
const SENTENCES: &[(Category, &str, &str)] = &[
    (Category::Person, "The meeting with Ada Selftest in the small office went well.", "Ada Selftest"),
    (Category::Person, "Gestern hat Thomas Bergmann den Vertrag unterschrieben.", "Thomas Bergmann"),
    (Category::Person, "Hier soir, Claire Fontaine a accepté la proposition.", "Claire Fontaine"),
    (Category::Person, "Ayer por la tarde Carmen Ortega habló con los vecinos.", "Carmen Ortega"),
    (Category::Location, "We spent two weeks in the Whitmoor Mountains last summer.", "Whitmoor Mountains"),
    (
        Category::Org,
        "She has worked for the Whitmoor Savings Bank since the spring.",
        "Whitmoor Savings Bank",
    ),
];

/// Tries every category that the configuration switches on anywhere, of the `deny` lists every pattern that has a
/// sample and every place that is cloaked whatever stands there, and every reader of names. Returns the categories
/// that were tried.
///
/// # Errors
/// When a value survives, is not restored exactly, or a stage fails.
pub async fn self_test(config: &Config, readers: &Readers) -> Result<Vec<Category>, SelfTestError> {
    let mut tried: Vec<Category> = Vec::new();
    let mut read: Vec<(Effort, Category)> = Vec::new();
    for detection in scopes(config) {
        let effort = detection.names;
        for category in [Category::Person, Category::Location, Category::Org] {
            let is_wanted = effort != Effort::OFF && detection.categories.contains(category);
            if is_wanted && !read.contains(&(effort, category)) {
                try_names(effort, category, readers).await?;
                read.push((effort, category));
            }
        }
        for category in try_out(&detection).await? {
            if !tried.contains(&category) {
                tried.push(category);
            }
        }
    }
    tried.sort();
    Ok(tried)
}

/// The different settings of all servers and tools that are cloaked.
fn scopes(config: &Config) -> Vec<Detection> {
    let mut scopes: Vec<Detection> = Vec::new();
    for upstream in config.upstreams.values().filter(|upstream| upstream.sanitize) {
        for detection in upstream.tools.values().map(|tool| &tool.detection).chain([&upstream.detection]) {
            if !scopes.contains(detection) {
                scopes.push(detection.clone());
            }
        }
    }
    scopes
}

/// Tries a reader of names of a category.
async fn try_names(effort: Effort, category: Category, readers: &Readers) -> Result<(), SelfTestError> {
    let detection =
        Detection { names: effort, categories: CategorySet::none().with(category), ..Detection::default() };
    let pipeline = throwaway(&detection, readers)?;
    let tried = SENTENCES.iter().filter(|(own, _, _)| *own == category);
    let sentences: Vec<String> = tried.clone().map(|(_, sentence, _)| quoted(sentence)).collect();
    let message = format!("{{\"text\":[{}]}}", sentences.join(",")).into_bytes();
    let cloaked = cloak(&pipeline, &message).await?;
    if tried.into_iter().any(|(_, _, name)| holds(&cloaked, name)) {
        return Err(SelfTestError::NamesSurvived { effort, category });
    }
    if restore(&pipeline, &cloaked).await? != message {
        return Err(SelfTestError::NotRestored(vec![category]));
    }
    Ok(())
}

/// Tries one scope's rules and lists.
async fn try_out(detection: &Detection) -> Result<Vec<Category>, SelfTestError> {
    let wanted: Vec<Category> = Category::all()
        .filter(|category| detection.categories.contains(*category))
        .filter(|category| category.defaults() != Defaults::Internal && !WITHOUT_SAMPLE.contains(category))
        .collect();
    let rules = Detection { names: Effort::OFF, ..detection.clone() };
    let pipeline = throwaway(&rules, &Readers::default())?;
    let (mut survived, mut not_restored) = (Vec::new(), Vec::new());
    for Trial { category, sample } in trials(&wanted, detection) {
        let Some((message, value)) = sample else {
            survived.push(category);
            continue;
        };
        let cloaked = cloak(&pipeline, &message).await?;
        let is_gone = match value {
            Some(value) => !holds(&cloaked, &value),
            None if detection.redact.contains(category) => holds(&cloaked, &format!("[{category}_REDACTED]")),
            None => holds(&cloaked, &format!("[{category}_")),
        };
        if !is_gone {
            survived.push(category);
        } else if !holds(&cloaked, "_REDACTED]") && restore(&pipeline, &cloaked).await? != message {
            not_restored.push(category);
        }
    }
    if !survived.is_empty() {
        return Err(SelfTestError::Survived(survived));
    }
    if !not_restored.is_empty() {
        return Err(SelfTestError::NotRestored(not_restored));
    }
    Ok(wanted)
}

/// One message that must not come out as it went in.
struct Trial {
    category: Category,
    /// The message, and what must not be in it any more where that is not told by the category; `None` where nothing
    /// is known that could be tried.
    sample: Option<(Vec<u8>, Option<String>)>,
}

/// What stands at a place that is cloaked whatever stands there: nothing that a detector would find.
const ANYTHING: &str = "selftest anything";

/// A trial of each category, one of each pattern that has a sample, and one of each place.
fn trials(wanted: &[Category], detection: &Detection) -> Vec<Trial> {
    let of_category = |category: &Category| {
        let sample = SAMPLES.iter().find(|(sample, _, _)| sample == category);
        let sample = sample.map(|(_, key, parts)| (message(key, &parts.concat()), None));
        Trial { category: *category, sample }
    };
    let of_pattern = |pattern: &Pattern| {
        let text = pattern.sample()?;
        let sample = match pattern.field() {
            // What its key says about the value may name it otherwise.
            Some(field) => (message_at(field, text), Some(quoted(text))),
            None => (message("text", text), None),
        };
        Some(Trial { category: pattern.category(), sample: Some(sample) })
    };
    let of_place = |place: &FieldEntry| Trial {
        category: place.category().unwrap_or(Category::Custom),
        sample: Some((message_at(place.field(), ANYTHING), Some(quoted(ANYTHING)))),
    };
    let mut trials: Vec<Trial> = wanted.iter().map(of_category).collect();
    trials.extend(detection.deny.patterns().iter().filter_map(of_pattern));
    trials.extend(detection.deny.places().iter().map(of_place));
    trials
}

const UPSTREAM: &str = "self-test";

/// A pipeline with a scope's detectors and a session of its own.
fn throwaway(detection: &Detection, readers: &Readers) -> Result<Pipeline, SelfTestError> {
    let upstream: UpstreamName = UPSTREAM.parse().map_err(failed)?;
    let destination = Destination {
        upstream: upstream.clone(),
        scope: TokenScope::Session,
        unresolved: Unresolved::Refuse,
    };
    // What is allowed may be one of the samples; that it passes says nothing about the detectors.
    let strict = Detection { allow: TermList::default(), ..detection.clone() };
    let detectors = detectors(&strict, readers).map_err(failed)?;
    let policy = UpstreamPolicy {
        third_party: false,
        destination,
        budget: Budget::default(),
        detectors,
        tools: HashMap::new(),
        binary: Binary::Pass,
    };
    // The session ends with the test and holds invented values only, so its key need not be secret.
    let keys = SessionKeys::derive(&Secret::new([0; 32]));
    let session = UPSTREAM.parse().map_err(failed)?;
    Ok(Pipeline::new(Arc::new(MemoryVault::default()), session, keys, HashMap::from([(upstream, policy)])))
}

fn message(key: &str, value: &str) -> Vec<u8> {
    format!("{{\"{key}\":{}}}", quoted(value)).into_bytes()
}

/// An answer whose structured content holds a value at a path.
fn message_at(field: &FieldPath, value: &str) -> Vec<u8> {
    format!("{{\"result\":{{\"structuredContent\":{}}}}}", field.sample(&quoted(value))).into_bytes()
}

fn quoted(value: &str) -> String {
    let mut text = Vec::new();
    cloakgate_json::encode(value, &mut text);
    format!("\"{}\"", String::from_utf8_lossy(&text))
}

fn holds(message: &[u8], part: &str) -> bool {
    memchr::memmem::find(message, part.as_bytes()).is_some()
}

async fn cloak(pipeline: &Pipeline, message: &[u8]) -> Result<Vec<u8>, SelfTestError> {
    let (original, document) = scanned(message)?;
    let treatments = vec![Treatment::Cloak; document.len()];
    let upstream = UPSTREAM.parse().map_err(failed)?;
    let message = ("tools/call".to_owned(), Part::Result);
    let down = Down { upstream, message, tool: None, treatments, structured: None, edits: Vec::new() };
    Ok(pipeline.cloak(original, document, down).await.map_err(failed)?.bytes().to_vec())
}

async fn restore(pipeline: &Pipeline, message: &[u8]) -> Result<Vec<u8>, SelfTestError> {
    let (original, document) = scanned(message)?;
    let treatments = vec![Treatment::Restore; document.len()];
    let upstream = UPSTREAM.parse().map_err(failed)?;
    let up = Up { upstream, treatments, arguments: None, edits: Vec::new() };
    Ok(pipeline.restore(original, document, up).await.map_err(failed)?.bytes().to_vec())
}

fn scanned(message: &[u8]) -> Result<(Bytes, cloakgate_json::Document), SelfTestError> {
    let original = Bytes::copy_from_slice(message);
    let document = cloakgate_json::scan(&original).map_err(failed)?;
    Ok((original, document))
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> SelfTestError {
    SelfTestError::Failed(Box::new(error))
}

#[cfg(test)]
mod tests {
    use cloakgate_detect::CategorySet;
    use cloakgate_names::Readers;
    use cloakgate_vocab::Category;

    use super::{SelfTestError, self_test};
    use crate::config::{Config, Effort, Format};

    fn config(categories: CategorySet) -> Config {
        let text = r#"{"upstreams": {"fs": {"command": "true"}}}"#;
        let (config, _) = Config::parse(text, Format::Json).unwrap();
        let mut config = config;
        for upstream in config.upstreams.values_mut() {
            upstream.detection.categories = categories;
            upstream.detection.names = Effort::OFF;
        }
        config
    }

    #[tokio::test]
    async fn tools_redaction_and_patterns_are_tried_too() {
        let text = r#"{"names": "off", "upstreams": {"fs": {"command": "true", "categories": {"EMAIL": {"operator": "redact"}},
            "tools": {"weather": {"categories": {"IP_ADDRESS": false, "USERNAME": true}}},
            "allow": [{"pattern": "203\\.0\\.113\\.[0-9]+", "category": "IP_ADDRESS", "test": "203.0.113.9"}],
            "deny": [{"pattern": "PRJ-[0-9]{4}", "category": "ORG", "test": "PRJ-1234"},
                     {"pattern": "[a-z]+ day", "category": "ORG", "test": "a fine day", "field": "trip.*.note"},
                     {"field": "**.notes", "category": "CUSTOM"}, {"field": "email"}, {"field": "notes.0.x", "category": "ORG"}]}}}"#;
        let (config, _) = Config::parse(text, Format::Json).unwrap();
        let tried = self_test(&config, &Readers::default()).await.unwrap();
        assert!(tried.contains(&Category::Username) && tried.contains(&Category::IpAddress), "{tried:?}");
    }

    #[tokio::test]
    async fn every_core_category_passes() {
        let tried = self_test(&config(CategorySet::core()), &Readers::default()).await.unwrap();
        assert!(tried.len() >= 25, "{tried:?}");
    }

    #[tokio::test]
    async fn a_category_that_nothing_finds_stops_the_start() {
        // Nothing looks for other personal details.
        let set = CategorySet::core().with(Category::Other);
        let refused = self_test(&config(set), &Readers::default()).await.unwrap_err();
        assert!(
            matches!(&refused, SelfTestError::Survived(found) if found == &[Category::Other]),
            "{refused}"
        );
        assert!(refused.to_string().contains("OTHER"));
    }
}
