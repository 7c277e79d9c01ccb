use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Destination, SessionKeys, TokenScope, Treatment, Unresolved};
use cloakgate_detect::{Engine, Settings};
use cloakgate_json::NodeId;
use cloakgate_mcp::Part;
use cloakgate_vault::MemoryVault;
use cloakgate_vocab::{Category, Secret, UpstreamName};
use tokio::sync::Semaphore;

use super::{Budget, Detectors, Down, Job, Pipeline, PipelineError, Up, UpstreamPolicy};
use crate::config::{Binary, FreshPii};

fn policy(name: &str, third_party: bool, scope: TokenScope) -> (UpstreamName, UpstreamPolicy) {
    let upstream: UpstreamName = name.parse().unwrap();
    let destination = Destination { upstream: upstream.clone(), scope, unresolved: Unresolved::Refuse };
    let detectors = Detectors::from(Engine::new(Settings::default()));
    let policy = UpstreamPolicy {
        third_party,
        destination,
        budget: Budget::default(),
        detectors,
        tools: HashMap::new(),
        binary: Binary::Pass,
    };
    (upstream, policy)
}

fn pipeline() -> Pipeline {
    let policies = HashMap::from([
        policy("fs", false, TokenScope::Session),
        policy("db", false, TokenScope::Session),
        policy("closed", false, TokenScope::Upstream),
        policy("web", true, TokenScope::Session),
        policy("shop", true, TokenScope::Session),
    ]);
    Pipeline::new(
        Arc::new(MemoryVault::default()),
        "test".parse().unwrap(),
        SessionKeys::derive(&Secret::new([3; 32])),
        policies,
    )
}

fn down(upstream: &str, tool: Option<Arc<str>>, treatments: Vec<Treatment>) -> Down {
    Down {
        upstream: upstream.parse().unwrap(),
        message: ("tools/call".to_owned(), Part::Result),
        tool,
        treatments,
        structured: None,
        edits: Vec::new(),
    }
}

async fn cloak(pipeline: &Pipeline, upstream: &str, message: &str) -> String {
    let original = Bytes::copy_from_slice(message.as_bytes());
    let document = cloakgate_json::scan(&original).unwrap();
    let treatments = vec![Treatment::Cloak; document.len()];
    let cloaked = pipeline.cloak(original, document, down(upstream, None, treatments)).await.unwrap();
    String::from_utf8(cloaked.bytes().to_vec()).unwrap()
}

async fn restore(pipeline: &Pipeline, upstream: &str, message: &str) -> Result<String, PipelineError> {
    let original = Bytes::copy_from_slice(message.as_bytes());
    let document = cloakgate_json::scan(&original).unwrap();
    let treatments = vec![Treatment::Restore; document.len()];
    let up = Up { upstream: upstream.parse().unwrap(), treatments, arguments: None, edits: Vec::new() };
    let restored = pipeline.restore(original, document, up).await?;
    Ok(String::from_utf8(restored.bytes().to_vec()).unwrap())
}

#[tokio::test]
async fn big_and_small_messages_take_the_same_way() {
    let pipeline = pipeline();
    let small = r#"{"mail":"marie.dubois@example.eu"}"#;
    let big = format!(r#"{{"filler":"{}","mail":"marie.dubois@example.eu"}}"#, "plain words ".repeat(20_000));
    let (small_cloaked, big_cloaked) =
        (cloak(&pipeline, "fs", small).await, cloak(&pipeline, "fs", &big).await);
    let token = small_cloaked.split('"').nth(3).unwrap();
    assert!(big_cloaked.ends_with(&format!("\"mail\":\"{token}\"}}")));
    assert_eq!(restore(&pipeline, "fs", &big_cloaked).await.unwrap(), big);
}

#[tokio::test]
async fn values_of_a_third_party_are_known_only_there_until_a_second_source_brings_them() {
    let pipeline = pipeline();
    let planted = r#"{"full_name":"Verity Quillfeather"}"#;
    cloak(&pipeline, "web", planted).await;
    let text = r#"{"text":"then verity quillfeather came"}"#;
    assert_eq!(
        cloak(&pipeline, "db", text).await,
        text,
        "one third party cannot mask another server's words"
    );
    assert_ne!(cloak(&pipeline, "web", text).await, text);
    cloak(&pipeline, "shop", planted).await;
    assert_eq!(cloak(&pipeline, "db", text).await, text, "nor can two third parties");
    cloak(&pipeline, "fs", planted).await;
    assert_ne!(cloak(&pipeline, "db", text).await, text, "a source that is not third-party can");
}

#[tokio::test]
async fn a_closed_server_gets_only_its_own_values() {
    let pipeline = pipeline();
    let foreign = cloak(&pipeline, "fs", r#"{"mail":"marie.dubois@example.eu"}"#).await;
    assert!(matches!(restore(&pipeline, "closed", &foreign).await, Err(PipelineError::Refused(_))));
    // The same identity in another spelling does not open the first spelling.
    let own = cloak(&pipeline, "closed", r#"{"mail":"MARIE.DUBOIS@EXAMPLE.EU"}"#).await;
    assert!(matches!(restore(&pipeline, "closed", &foreign).await, Err(PipelineError::Refused(_))));
    assert_eq!(restore(&pipeline, "closed", &own).await.unwrap(), r#"{"mail":"MARIE.DUBOIS@EXAMPLE.EU"}"#);
}

#[tokio::test]
async fn messages_that_pass_at_the_same_time_agree() {
    let pipeline = pipeline();
    let mut tasks = Vec::new();
    for index in 0..32 {
        let pipeline = pipeline.clone();
        tasks.push(tokio::spawn(async move {
            let message = format!(r#"{{"a":"marie.dubois@example.eu","b":"user{}@example.org"}}"#, index % 4);
            cloak(&pipeline, "fs", &message).await
        }));
    }
    let mut first_tokens = std::collections::HashSet::new();
    for task in tasks {
        first_tokens.insert(task.await.unwrap().split('"').nth(3).unwrap().to_owned());
    }
    assert_eq!(first_tokens.len(), 1);
}

/// A pipeline whose upstream `web` has this budget.
fn with_budget(budget: Budget) -> Pipeline {
    let (web, policy_of_web) = policy("web", true, TokenScope::Session);
    let policies = HashMap::from([
        policy("fs", false, TokenScope::Session),
        (web, UpstreamPolicy { budget, ..policy_of_web }),
    ]);
    let keys = SessionKeys::derive(&Secret::new([3; 32]));
    Pipeline::new(Arc::new(MemoryVault::default()), "test".parse().unwrap(), keys, policies)
}

#[tokio::test]
async fn a_server_gets_only_so_many_values_of_others() {
    let pipeline = with_budget(Budget { foreign_per_call: 3, foreign_per_minute: 5, ..Budget::default() });
    let mails = |range: std::ops::Range<u32>| {
        let list: Vec<String> = range.map(|n| format!("\"user{n}@example.org\"")).collect();
        format!("[{}]", list.join(","))
    };
    let three = cloak(&pipeline, "fs", &mails(0..3)).await;
    let four = cloak(&pipeline, "fs", &mails(0..4)).await;
    assert!(restore(&pipeline, "web", &three).await.is_ok());
    assert!(restore(&pipeline, "web", &four).await.is_err_and(|e| e.to_string().contains("in a call")));
    assert!(restore(&pipeline, "web", &three).await.is_err_and(|e| e.to_string().contains("in a minute")));
    assert!(restore(&pipeline, "fs", &four).await.is_ok(), "its own values are not counted");
}

#[tokio::test]
async fn values_that_the_model_writes_out_are_limited() {
    let pipeline = with_budget(Budget { fresh_per_call: 2, ..Budget::default() });
    let two = r#"{"text":"a@example.org and b@example.org"}"#;
    let three = r#"{"text":"a@example.org and b@example.org and c@example.org"}"#;
    assert_eq!(restore(&pipeline, "web", two).await.unwrap(), two);
    assert!(matches!(restore(&pipeline, "web", three).await, Err(PipelineError::Refused(_))));
    let strict = with_budget(Budget { fresh: FreshPii::Refuse, ..Budget::default() });
    let refused = restore(&strict, "web", two).await.unwrap_err().to_string();
    assert!(refused.contains("EMAIL") && !refused.contains('@'), "{refused}");
}

#[tokio::test]
async fn a_guess_that_is_read_back_never_shows_the_token_of_the_real_value() {
    let pipeline = with_budget(Budget::default());
    let real = cloak(&pipeline, "fs", r#"{"date_of_birth":"1984-03-12"}"#).await;
    // The model writes dates into a file and reads the file back.
    restore(&pipeline, "web", r#"{"date_of_birth":"1984-03-12"}"#).await.unwrap();
    let read_back = cloak(&pipeline, "web", r#"{"date_of_birth":"1984-03-12"}"#).await;
    assert!(read_back.contains("[DATE_OF_BIRTH_1_"), "{read_back}");
    assert_ne!(real, read_back, "the same token would tell that the guess is right");
    assert_eq!(restore(&pipeline, "web", &read_back).await.unwrap(), r#"{"date_of_birth":"1984-03-12"}"#);
}

#[tokio::test]
async fn what_leaves_unread_is_counted_by_position() {
    let pipeline = pipeline();
    let original = Bytes::from_static(
        br#"{"content":[{"type":"image","data":"aGVsbG8="},{"blob":"aGVsbG8="},{"data":"eA=="}]}"#,
    );
    let document = cloakgate_json::scan(&original).unwrap();
    let unread = |name: &str| matches!(name, "data" | "blob");
    let treatments = document
        .nodes()
        .map(|node| {
            let scan = document.key(&original, node).is_some_and(|key| unread(&key));
            if scan { Treatment::Scan } else { Treatment::Cloak }
        })
        .collect();
    let down = down("fs", None, treatments);
    pipeline.cloak(original, document, down).await.unwrap();
    assert_eq!(pipeline.unread(), [("blob".to_owned(), 1), ("data".to_owned(), 2)]);
}

#[tokio::test]
async fn a_tool_has_detectors_of_its_own() {
    let (fs, policy) = policy("fs", false, TokenScope::Session);
    let off = Engine::new(Settings { categories: cloakgate_detect::CategorySet::none() });
    let tools = HashMap::from([("weather".into(), Detectors::from(off))]);
    let policies = HashMap::from([(fs, UpstreamPolicy { tools, ..policy })]);
    let keys = SessionKeys::derive(&Secret::new([3; 32]));
    let pipeline = Pipeline::new(Arc::new(MemoryVault::default()), "test".parse().unwrap(), keys, policies);
    let original = Bytes::from_static(br#"{"text":"from 203.0.113.7"}"#);
    for (tool, same) in [(Some("weather"), true), (Some("other"), false), (None, false)] {
        let document = cloakgate_json::scan(&original).unwrap();
        let treatments = vec![Treatment::Cloak; document.len()];
        let tool = tool.map(Into::into);
        let down = down("fs", tool, treatments);
        let cloaked = pipeline.cloak(original.clone(), document, down).await.unwrap();
        assert_eq!(cloaked.bytes() == &original, same);
    }
}

#[tokio::test]
async fn content_that_cannot_be_read_is_blocked_where_it_must() {
    let (fs, policy) = policy("fs", false, TokenScope::Session);
    let policies = HashMap::from([(fs, UpstreamPolicy { binary: Binary::Block, ..policy })]);
    let keys = SessionKeys::derive(&Secret::new([3; 32]));
    let pipeline = Pipeline::new(Arc::new(MemoryVault::default()), "test".parse().unwrap(), keys, policies);
    let original = Bytes::from_static(br#"{"data":"aGVsbG8="}"#);
    let document = cloakgate_json::scan(&original).unwrap();
    let treatments = vec![Treatment::Cloak, Treatment::Scan];
    let down = down("fs", None, treatments);
    let refused = pipeline.cloak(original, document, down).await.unwrap_err();
    assert!(refused.to_string().contains("`data`"), "{refused}");
}

#[test]
fn the_tripwire_names_method_and_position_once_for_each_kind() {
    let text = br#"{"result":{"structuredContent":{"marie@example.eu":"x"}}}"#;
    let original = Bytes::from_static(text);
    let document = cloakgate_json::scan(&original).unwrap();
    let value = document.nodes().last().unwrap();
    let mut job = Job { original, document, down: down("fs", None, Vec::new()), forced: Vec::new() };
    assert_eq!(job.place_of(value), ("tools/call", "/result/structuredContent/*".to_owned()));
    job.down.message.0 = "marie/dubois".to_owned();
    assert_eq!(job.place_of(value), ("unknown", "/result/*/*".to_owned()));
    assert_eq!(job.place_of(NodeId::ROOT).1, "");
    let shared = pipeline().0;
    let trips = [Category::Email, Category::Email, Category::Iban].map(|kind| shared.is_first_trip(kind));
    assert_eq!(trips, [true, false, true]);
}

#[tokio::test]
async fn a_message_that_is_not_read_in_time_does_not_leave() {
    let mut pipeline = pipeline();
    let shared = Arc::get_mut(&mut pipeline.0).unwrap();
    // No worker comes free.
    (shared.max_look, shared.workers) = (std::time::Duration::ZERO, Arc::new(Semaphore::new(0)));
    let original = Bytes::from(format!(r#"{{"filler":"{}"}}"#, "plain words ".repeat(20_000)));
    let document = cloakgate_json::scan(&original).unwrap();
    let treatments = vec![Treatment::Cloak; document.len()];
    let outcome = pipeline.cloak(original, document, down("fs", None, treatments)).await;
    assert!(matches!(outcome, Err(PipelineError::TooLong)), "{outcome:?}");
}
