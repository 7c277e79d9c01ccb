//! The facts of a check, and their JSON form.
//!
//! Invariant: texts of `allow` and `deny`, arguments and values of variables are counted, never shown.

use cloakgate_detect::CategorySet;
use cloakgate_gateway::config::{
    Binary, Config, Detection, FreshPii, PersonText, TermList, TokenScope, TokenStyle, ToolConfig, Trust,
    UnknownMethods, Unresolved, UpstreamConfig, Warning,
};
use cloakgate_vocab::{Category, Defaults};
use cloakgate_wire::withheld_names;
use serde_json::{Map, Value, json};

use super::{SelfTest, Trial};

/// What reaches the model without being read, in the words of the protocol.
pub(super) const NOT_INSPECTED: &[(&str, &str)] = &[
    ("tools/list", "schemas and descriptions of tools"),
    ("prompts/list", "descriptions of prompts and of their arguments"),
    ("content blocks", "`data` of images and audio while it is base64"),
    ("resource contents", "`blob` while it is base64 and no text by its media type"),
    ("icons", "`src` while it is a picture's address"),
    ("everywhere", "words of the protocol itself: types, roles, media types, levels, time stamps"),
];

/// Names of the categories for which `wanted` holds, in alphabetical order.
pub(super) fn names(wanted: impl Fn(Category) -> bool) -> Vec<&'static str> {
    let mut names: Vec<&str> = Category::all()
        .filter(|category| category.defaults() != Defaults::Internal && wanted(*category))
        .map(Category::name)
        .collect();
    names.sort_unstable();
    names
}

pub(super) fn terms(list: &TermList) -> usize {
    list.len()
}

/// Entries that count at a field only.
pub(super) fn fields(list: &TermList) -> usize {
    list.fields().count()
}

pub(super) fn withheld(upstream: &UpstreamConfig) -> Vec<String> {
    withheld_names(&upstream.inherit_env, &upstream.env)
}

pub(super) fn trust(trust: Trust) -> &'static str {
    match trust {
        Trust::Local => "local",
        Trust::Trusted => "trusted",
        Trust::ThirdParty => "third-party",
    }
}

pub(super) fn binary(binary: Binary) -> &'static str {
    match binary {
        Binary::Pass => "pass",
        Binary::Flag => "flag",
        Binary::Block => "block",
    }
}

/// Everything, as one object.
pub(super) fn json(config: &Config, warnings: &[Warning], tested: &SelfTest, trials: &[Trial]) -> Value {
    let warnings: Vec<Value> = warnings
        .iter()
        .map(|warning| json!({"path": warning.path, "line": warning.line, "reason": warning.reason}))
        .collect();
    let upstreams: Map<String, Value> = config
        .upstreams
        .iter()
        .map(|(name, upstream)| {
            let trial = trials.iter().find(|trial| trial.upstream == *name);
            (name.to_string(), of_upstream(upstream, trial))
        })
        .collect();
    let not_inspected: Vec<Value> =
        NOT_INSPECTED.iter().map(|(place, what)| json!({"place": place, "what": what})).collect();
    json!({
        "valid": true,
        "warnings": warnings,
        "cloaking": config.sanitize,
        "detection": of_detection(&config.detection),
        "flow": of_flow(config),
        "not_inspected": not_inspected,
        "self_test": tested.as_ref().map(|tested| match tested {
            Ok(categories) => json!({"passed": categories.iter().map(|category| category.name()).collect::<Vec<_>>()}),
            Err(reason) => json!({"error": reason}),
        }),
        "max_message_bytes": config.max_message_bytes,
        "max_input_length": config.max_input_length,
        "upstreams": upstreams,
    })
}

fn of_flow(config: &Config) -> Value {
    json!({
        "token_scope": match config.token_scope {
            TokenScope::Session => "session",
            TokenScope::Upstream => "upstream",
        },
        "secrets": "only to the server that brought them",
        "unresolved": unresolved(config.unresolved),
        "token_style": match config.token_style {
            TokenStyle::Default => "default",
            TokenStyle::Plain => "plain",
        },
        "person_text": match config.person_text {
            PersonText::Cloak => "cloak",
            PersonText::Real => "real",
        },
        "unknown_methods": match config.unknown_methods {
            UnknownMethods::Refuse => "refuse",
            UnknownMethods::Forward => "forward",
        },
    })
}

fn unresolved(unresolved: Unresolved) -> &'static str {
    match unresolved {
        Unresolved::Refuse => "refuse",
        Unresolved::Pass => "pass",
    }
}

fn of_detection(detection: &Detection) -> Value {
    let set = |set: CategorySet| names(|category| set.contains(category));
    json!({
        "names": detection.names.to_string(),
        "on": set(detection.categories),
        "off": names(|category| !detection.categories.contains(category)),
        "redacted": set(detection.redact),
        "allowed_terms": terms(&detection.allow),
        "denied_terms": terms(&detection.deny),
        "allowed_terms_with_field": fields(&detection.allow),
        "denied_terms_with_field": fields(&detection.deny),
    })
}

fn of_upstream(upstream: &UpstreamConfig, trial: Option<&Trial>) -> Value {
    let of_tool = |(name, tool): (&String, &ToolConfig)| {
        let mut shown = of_detection(&tool.detection);
        if let Some(shown) = shown.as_object_mut() {
            shown.insert("call_timeout_s".to_owned(), json!(tool.call_timeout.as_secs_f64()));
        }
        (name.clone(), shown)
    };
    let tools: Map<String, Value> = upstream.tools.iter().map(of_tool).collect();
    json!({
        "command": upstream.command,
        "cloaking": upstream.sanitize,
        "trust": trust(upstream.trust),
        "unresolved": unresolved(upstream.unresolved),
        "detection": of_detection(&upstream.detection),
        "tools": tools,
        "binary": binary(upstream.binary),
        "fresh_pii": match upstream.fresh_pii {
            FreshPii::Report => "report",
            FreshPii::Refuse => "refuse",
        },
        "budgets": {
            "max_foreign_tokens_per_call": upstream.max_foreign_tokens_per_call,
            "max_foreign_tokens_per_minute": upstream.max_foreign_tokens_per_minute,
            "max_fresh_values_per_call": upstream.max_fresh_values_per_call,
            "max_entries": upstream.max_entries,
        },
        "withheld_variables": withheld(upstream),
        "serves": trial.map(|trial| match &trial.outcome {
            Ok(offer) => {
                let lists: Map<String, Value> =
                    offer.lists.iter().map(|(list, count)| ((*list).to_owned(), json!(count))).collect();
                json!({"lists": lists})
            }
            Err(reason) => json!({"error": reason}),
        }),
    })
}
