//! Models that the operator brings.
//!
//! In: the list `models` of the file. Out: what the readers of names load. Invariant: each file of a model is pinned by
//! its SHA-256; a build that cannot run such models refuses the list. Not here: loading them (`cloakgate_names`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use cloakgate_names::{Kind, ModelConfig, Preset, RUNS_BROUGHT_MODELS, Stage};

use super::choices::Meaning;
use super::section::{Section, chosen, expected};
use super::tables::{MODEL, MODEL_FILES};
use super::tree::{Node, Value};
use super::{ConfigError, KeyProblem, Warning};

/// Least probability that counts where the file does not say.
const DEFAULT_THRESHOLD: f32 = 0.5;
/// Length of a SHA-256 in hexadecimal digits.
const HASH_DIGITS: usize = 64;
const WHY_NOT_BUILT: &str = "this build cannot run models of one's own; build with `--features models`";
const WARN_NOBODY_READS: &str = "has no effect: `names` is off everywhere";
const WARN_NEVER_ASKED: &str = "keeps the model from ever being asked: `open` is for `balanced` and `recall`, and \
                                `names` is nowhere more than `fast`; with `every` it reads there too";

/// Reads the list.
pub(super) fn read(root: &Section<'_>) -> Result<Vec<ModelConfig>, ConfigError> {
    let items = root.items("models")?;
    let models = items.into_iter().map(|(path, node)| model(path, node)).collect::<Result<Vec<_>, _>>()?;
    if !models.is_empty() && !RUNS_BROUGHT_MODELS {
        let (path, line) = root.place("models");
        return Err(ConfigError::key(path, line, KeyProblem::Unsupported(WHY_NOT_BUILT)));
    }
    Ok(models)
}

/// Warns of models that nobody asks where `deepest` is the most that is done for names.
pub(super) fn warn_of_unasked(
    root: &Section<'_>,
    models: &[ModelConfig],
    deepest: Option<Preset>,
    warnings: &mut Vec<Warning>,
) -> Result<(), ConfigError> {
    match deepest {
        None if !models.is_empty() => {
            let (path, line) = root.place("models");
            warnings.push(Warning { path, line, reason: WARN_NOBODY_READS });
        }
        Some(Preset::Fast) => {
            for ((path, node), model) in root.items("models")?.into_iter().zip(models) {
                if model.stage == Stage::Open {
                    let (path, line) = Section::of(path, node, MODEL)?.place("stage");
                    warnings.push(Warning { path, line, reason: WARN_NEVER_ASKED });
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn model(path: String, node: &Node) -> Result<ModelConfig, ConfigError> {
    let section = Section::of(path, node, MODEL)?;
    let threshold = section.read("threshold", "a number above 0, at most 1", |value| match value {
        Value::Number(number) => number.parse().ok().filter(|number| *number > 0.0 && *number <= 1.0),
        _ => None,
    })?;
    let dir = section.text("dir")?.unwrap_or_default();
    let stage: Stage = section.choice("stage")?.unwrap_or_default();
    Ok(ModelConfig {
        dir: PathBuf::from(dir),
        sha256: hashes(&section)?,
        labels: labels(&section)?,
        threshold: threshold.unwrap_or(DEFAULT_THRESHOLD),
        stage,
    })
}

fn hashes(section: &Section<'_>) -> Result<BTreeMap<String, String>, ConfigError> {
    let Some(files) = section.section("sha256", MODEL_FILES)? else { return Ok(BTreeMap::new()) };
    let mut hashes = BTreeMap::new();
    for (file, node) in files.entries() {
        let hash = match &node.value {
            Value::Text(hash) if is_hash(hash) => hash.to_ascii_lowercase(),
            _ => return Err(expected(files.path_of(file), node.line, "a SHA-256 of 64 hexadecimal digits")),
        };
        hashes.insert(file.to_owned(), hash);
    }
    Ok(hashes)
}

fn is_hash(text: &str) -> bool {
    text.len() == HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn labels(section: &Section<'_>) -> Result<BTreeMap<String, Kind>, ConfigError> {
    let mut labels = BTreeMap::new();
    let Some(table) = section.named("labels")? else { return Ok(labels) };
    for (label, node) in table.entries() {
        let Some(Meaning(kind)) = chosen(&node.value).filter(|_| !label.is_empty()) else {
            return Err(expected(table.path_of(label), node.line, "`PERSON`, `LOCATION`, `ORG` or `NRP`"));
        };
        labels.insert(label.to_owned(), kind);
    }
    if labels.is_empty() {
        let (path, line) = section.place("labels");
        return Err(expected(path, line, "an object that says of at least one label what it means"));
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Format};

    const HASH: &str = "9f27d24949b0581701071ea5ef522d77ccd3f50c525cc91eac4d265b0fc2afe5";

    fn parse(change: impl FnOnce(&mut serde_json::Value)) -> Result<Config, String> {
        let mut model = serde_json::json!({
            "dir": "/models/x", "labels": {"PER": "PERSON", "CITY": "LOCATION"}, "threshold": 0.4, "stage": "every",
            "sha256": {"model.onnx": HASH, "config.json": HASH.to_uppercase(), "tokenizer.json": HASH},
        });
        change(&mut model);
        let text = serde_json::json!({"upstreams": {"a": {"command": "a"}}, "models": [model]}).to_string();
        Config::parse(&text, Format::Json).map(|(config, _)| config).map_err(|error| error.to_string())
    }

    #[test]
    fn a_model_is_pinned_and_its_labels_have_meanings() {
        let drop_key = |model: &mut serde_json::Value, pointer: &str, key: &str| {
            model.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key);
        };
        for (pointer, key, problem) in [
            ("", "dir", "`models[0].dir` is missing"),
            ("", "sha256", "`models[0].sha256` is missing"),
            ("/sha256", "config.json", "`models[0].sha256.config.json` is missing"),
            ("", "labels", "`models[0].labels` is missing"),
        ] {
            let refused = parse(|model| drop_key(model, pointer, key)).unwrap_err();
            assert!(refused.contains(problem), "{refused}");
        }
        for (key, value, problem) in [
            ("threshold", serde_json::json!(1.5), "must be a number above 0, at most 1"),
            ("stage", serde_json::json!("late"), "must be `open` or `every`"),
            ("labels", serde_json::json!({"PER": "EMAIL"}), "`models[0].labels.PER` must be `PERSON`"),
            ("labels", serde_json::json!({}), "at least one label"),
            ("url", serde_json::json!("https://example.org"), "unknown key `models[0].url`"),
        ] {
            let refused = parse(|model| model[key] = value).unwrap_err();
            assert!(refused.contains(problem), "{refused}");
        }
        let refused = parse(|model| model["sha256"]["model.onnx"] = "9f27".into()).unwrap_err();
        assert!(refused.contains("must be a SHA-256 of 64 hexadecimal digits"), "{refused}");
    }

    #[cfg(not(feature = "models"))]
    #[test]
    fn a_build_that_runs_no_such_models_says_so() {
        let refused = parse(|_| ()).unwrap_err();
        assert!(refused.contains("`models` cannot be had: this build cannot run models"), "{refused}");
    }

    #[cfg(feature = "models")]
    #[test]
    fn a_model_that_nobody_asks_is_warned_of() {
        for (names, stage, tool, warned) in [
            ("fast", "open", "off", Some("`models[0].stage` keeps the model from ever being asked")),
            ("fast", "every", "fast", None),
            ("fast", "open", "balanced", None),
            ("recall", "open", "fast", None),
            ("off", "open", "fast", Some("`models[0].stage` keeps the model")),
            ("off", "every", "off", Some("`models` has no effect")),
        ] {
            let text = serde_json::json!({
                "names": names,
                "upstreams": {"a": {"command": "a", "tools": {"t": {"names": tool}}}},
                "models": [{
                    "dir": "/models/x", "labels": {"PER": "PERSON"}, "stage": stage,
                    "sha256": {"model.onnx": HASH, "config.json": HASH, "tokenizer.json": HASH},
                }],
            });
            let (_, warnings) = Config::parse(&text.to_string(), Format::Json).unwrap();
            let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
            assert_eq!(warnings.len(), usize::from(warned.is_some()), "{names} {stage} {tool}: {warnings:?}");
            assert!(warned.is_none_or(|warned| warnings.concat().contains(warned)), "{warnings:?}");
        }
    }

    #[cfg(feature = "models")]
    #[test]
    fn what_is_said_of_a_model_is_read() {
        use cloakgate_names::{Kind, Stage};

        let config = parse(|_| ()).unwrap();
        let [model] = &*config.models else { panic!("one model") };
        assert_eq!((model.stage, model.threshold), (Stage::Every, 0.4));
        assert_eq!(model.labels.get("CITY"), Some(&Kind::Place));
        assert!(model.sha256.values().all(|hash| hash == HASH), "{model:?}");
    }
}
