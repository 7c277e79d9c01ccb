use super::*;
use cloakgate_vocab::Category;
use cloakgate_wire::Inherit;

const REFERENCE: &str = r#"{
  "upstreams": {
    "fs": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/path/to/dir"]
    }
  },
  "sanitize": true,
  "detection": { "detect_ip_addresses": false }
}
"#;

fn json(text: &str) -> Result<(Config, Vec<Warning>), ConfigError> {
    Config::parse(text, Format::Json)
}

/// A configuration with one server and `more` keys beside it.
fn with(more: &str) -> String {
    format!("{{\"upstreams\":{{\"fs\":{{\"command\":\"npx\"}}}},\n{more}}}")
}

fn with_upstream(more: &str) -> String {
    format!("{{\"upstreams\":{{\"fs\":{{\"command\":\"npx\",\n{more}}}}}}}")
}

#[test]
fn the_reference_example_is_read_unchanged() {
    let (config, warnings) = json(REFERENCE).expect("the reference's own example");
    assert_eq!(warnings, []);
    let (name, upstream) = config.upstreams.first().expect("one server");
    assert_eq!((name.as_str(), upstream.command.as_str(), upstream.args.len()), ("fs", "npx", 3));
    assert!(config.sanitize && upstream.sanitize);
    assert_eq!(config.categories, CategorySet::core().without(Category::IpAddress));
}

#[test]
fn defaults_are_those_of_the_documents() {
    let (config, _) = json(&with("\"sanitize\": true")).expect("valid");
    assert_eq!(config.categories, CategorySet::core());
    assert_eq!(config.token_scope, TokenScope::Session);
    assert_eq!(config.unresolved, Unresolved::Refuse);
    assert_eq!((config.name_budget, config.max_message_bytes), (44, 64 << 20));
    assert_eq!(config.request_timeout, Duration::from_secs(120));
    assert_eq!(config.log_level, LogLevel::Info);
    assert!(!config.allow_unknown_protocol_version);
    let upstream = config.upstreams.first().expect("one server").1;
    assert_eq!(upstream.startup_timeout, Duration::from_secs(30));
    assert_eq!(upstream.call_timeout, Duration::from_secs(900));
    assert_eq!((upstream.trust, &upstream.inherit_env), (Trust::Trusted, &Inherit::Default));
    assert!(upstream.args.is_empty() && upstream.env.is_empty() && upstream.cwd.is_none());
}

#[test]
fn every_key_is_read_and_both_formats_say_the_same() {
    let as_json = r#"{
        "log_level": "warn", "allow_unknown_protocol_version": true, "request_timeout": 1.5, "sanitize": false,
        "token_scope": "upstream", "unresolved": "pass", "name_budget": 60, "max_message_bytes": 1048576,
        "categories": {"PHONE": "off", "gpe": true, "EMAIL_ADDRESS": "on"},
        "detection": {"detect_iban": false, "ner_required": false, "mode": "tokenize", "custom_patterns": []},
        "upstreams": {
            "zz": {"command": "/bin/zz", "args": ["-a", ""], "env": {"TOKEN": "t-1", "EMPTY": ""}, "cwd": "/tmp",
                   "inherit_env": ["AWS_PROFILE"], "trust": "third-party", "startup_timeout": 5,
                   "call_timeout": "30s", "sanitize": true, "unresolved": "refuse"},
            "aa": {"command": "aa", "inherit_env": true, "trust": "local"}
        }
    }"#;
    let as_toml = r#"
        log_level = "warn"
        allow_unknown_protocol_version = true
        request_timeout = 1.5
        sanitize = false
        token_scope = "upstream"
        unresolved = "pass"
        name_budget = 60
        max_message_bytes = 1_048_576
        [categories]
        PHONE = "off"
        gpe = true
        EMAIL_ADDRESS = "on"
        [detection]
        detect_iban = false
        ner_required = false
        mode = "tokenize"
        custom_patterns = []
        [upstreams.zz]
        command = "/bin/zz"
        args = ["-a", ""]
        env = { TOKEN = "t-1", EMPTY = "" }
        cwd = "/tmp"
        inherit_env = ["AWS_PROFILE"]
        trust = "third-party"
        startup_timeout = 5
        call_timeout = "30s"
        sanitize = true
        unresolved = "refuse"
        [upstreams.aa]
        command = "aa"
        inherit_env = true
        trust = "local"
    "#;
    let (config, warnings) = json(as_json).expect("valid");
    assert_eq!(warnings.iter().map(|warning| warning.path.as_str()).collect::<Vec<_>>(), ["categories.gpe"]);
    let expected =
        CategorySet::core().without(Category::Phone).without(Category::Iban).with(Category::Location);
    assert_eq!(config.categories, expected);
    assert_eq!(config.upstreams.keys().map(UpstreamName::as_str).collect::<Vec<_>>(), ["zz", "aa"]);
    assert_eq!(config.upstreams[0].env, [("TOKEN".into(), "t-1".into()), ("EMPTY".into(), String::new())]);
    assert_eq!(config.upstreams[0].inherit_env, Inherit::Names(vec!["AWS_PROFILE".into()]));
    assert!(config.upstreams[0].sanitize && !config.upstreams[1].sanitize);
    assert_eq!(
        (config.upstreams[0].unresolved, config.upstreams[1].unresolved),
        (Unresolved::Refuse, Unresolved::Pass)
    );
    let (from_toml, _) = Config::parse(as_toml, Format::Toml).expect("valid");
    assert_eq!(format!("{from_toml:?}"), format!("{config:?}"));
    assert_eq!(from_toml.upstreams[0].env, config.upstreams[0].env);
}

#[test]
fn debug_output_holds_no_credentials() {
    let text = with_upstream(r#""env": {"TOKEN": "hunter22"}, "args": ["--key=hunter22"]"#);
    let shown = format!("{:?}", json(&text).expect("valid"));
    assert!(shown.contains("TOKEN") && !shown.contains("hunter22"), "{shown}");
}

#[test]
fn mistakes_are_named_with_their_place() {
    let long = "x".repeat(40);
    for (text, expected) in [
        (
            with("\"detection\": {\"detect_emials\": true}"),
            "line 2: unknown key `detection.detect_emials`; did you mean `detect_emails`?",
        ),
        (with("\"sanitise\": true"), "line 2: unknown key `sanitise`; did you mean `sanitize`?"),
        (
            with_upstream("\"comand\": \"x\""),
            "line 2: unknown key `upstreams.fs.comand`; did you mean `command`?",
        ),
        (
            with("\"categories\": {\"EMIAL\": true}"),
            "line 2: unknown key `categories.EMIAL`; did you mean `EMAIL`?",
        ),
        (
            with("\"categories\": {\"LITERAL\": false}"),
            "line 2: unknown key `categories.LITERAL`; valid keys here are ADDRESS, AGE,",
        ),
        (
            with("\"categories\": {\"URL\": true}"),
            "line 2: `categories.URL` cannot be had: nothing finds this category yet",
        ),
        (
            with("\"categories\": {\"EMAIL\": \"maybe\"}"),
            "line 2: `categories.EMAIL` must be true, false, `on` or `off`",
        ),
        (
            with("\"categories\": {\"EMAIL\": true, \"EMAIL_ADDRESS\": false}"),
            "line 2: `categories.EMAIL_ADDRESS` and `categories.EMAIL` contradict each other",
        ),
        (
            with("\"categories\": {\"JWT\": true}, \"detection\": {\"detect_api_keys\": false}"),
            "line 2: `detection.detect_api_keys` and `categories.JWT` contradict each other",
        ),
        (with("\"sanitize\": \"yes\""), "line 2: `sanitize` must be true or false"),
        (with("\"token_scope\": \"global\""), "line 2: `token_scope` must be `session` or `upstream`"),
        (with("\"request_timeout\": 0"), "line 2: `request_timeout` must be a length of time over zero"),
        (with("\"name_budget\": 44.5"), "line 2: `name_budget` must be a whole number from 16 to 128"),
        (with("\"max_message_bytes\": 10"), "line 2: `max_message_bytes` must be a whole number from 65536"),
        (
            "{\"name_budget\": 29, \"upstreams\": {\"a-rather-long-name-0\": {\"command\": \"a\"}}}".into(),
            "line 1: `name_budget` must be a whole number from 30 to 128",
        ),
        (with("\"sanitize\": null"), "line 2: `sanitize` must be true or false"),
        (with("\"sanitize\": true, \"sanitize\": true"), "line 2: `sanitize` is given twice"),
        (with_upstream("\"args\": \"-y\""), "line 2: `upstreams.fs.args` must be a list of texts"),
        (with_upstream("\"env\": {\"A\": 1}"), "line 2: `upstreams.fs.env` must be an object of texts"),
        (with_upstream("\"env\": {\"A=B\": \"\"}"), "line 2: `upstreams.fs.env` must be an object of texts"),
        (
            with_upstream("\"inherit_env\": [\"\"]"),
            "line 2: `upstreams.fs.inherit_env` must be true, false or a list of names",
        ),
        (
            with_upstream("\"trust\": \"full\""),
            "line 2: `upstreams.fs.trust` must be `local` or `trusted` or `third-party`",
        ),
        ("{}".into(), "line 1: `upstreams` is missing"),
        ("{\"upstreams\": {}}".into(), "line 1: `upstreams` must be an object with at least one server"),
        ("{\"upstreams\": {\n\"fs\": {}}}".into(), "line 2: `upstreams.fs.command` is missing"),
        (
            "{\"upstreams\": {\"fs\": {\"command\": \"\"}}}".into(),
            "line 1: `upstreams.fs.command` must be a text that is not empty",
        ),
        (
            "{\"upstreams\": {\"my_fs\": {\"command\": \"a\"}}}".into(),
            "line 1: `upstreams.my_fs` must be named otherwise: `_` is not allowed in a name",
        ),
        (
            format!("{{\"upstreams\": {{\"{long}\": {{\"command\": \"a\"}}}}}}"),
            "must be named otherwise: a name may have at most 32 bytes",
        ),
        ("[]".into(), "line 1: `the configuration` must be an object"),
        ("{\n\"upstreams\": {,}}".into(), "line 2: invalid json at byte"),
        ("{\"upstreams\": ".into(), "line 1: json ends too early"),
    ] {
        let error = json(&text).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}\nis not\n{expected}");
    }
}

#[test]
fn a_mistake_in_toml_has_its_line_and_quotes_nothing() {
    for (text, expected) in [
        (
            "sanitize = true\n[upstreams.fs]\ncommand = \"a\"\nsandbox = true\n",
            "line 4: unknown key `upstreams.fs.sandbox`; valid keys here are args",
        ),
        ("sanitize = true\n[upstreams.fs]\ncommand = \"hunter22\nargs = []\n", "line 3: "),
        (
            "[upstreams.fs]\ncommand = \"a\"\nstartup_timeout = 1979-05-27\n",
            "line 3: `upstreams.fs.startup_timeout` must be",
        ),
        ("a = 1\na = \"hunter22\"\n", "line 2: "),
    ] {
        let error = Config::parse(text, Format::Toml).expect_err(expected).to_string();
        assert!(error.starts_with(expected) && !error.contains("hunter22"), "{error}");
    }
}

#[test]
fn keys_of_the_reference_map_onto_categories() {
    for (key, categories) in [
        ("detect_emails", vec![Category::Email]),
        ("detect_phones", vec![Category::Phone]),
        ("detect_ssns", vec![Category::Ssn]),
        ("detect_credit_cards", vec![Category::CreditCard]),
        ("detect_api_keys", vec![Category::ApiKey, Category::AwsKey, Category::Jwt]),
        ("detect_ip_addresses", vec![Category::IpAddress]),
        ("detect_iban", vec![Category::Iban]),
    ] {
        let (on, _) = json(&with(&format!("\"detection\": {{\"{key}\": true}}"))).expect(key);
        assert_eq!(on.categories, CategorySet::core(), "{key}");
        let (off, _) = json(&with(&format!("\"detection\": {{\"{key}\": false}}"))).expect(key);
        let expected = categories.into_iter().fold(CategorySet::core(), CategorySet::without);
        assert_eq!(off.categories, expected, "{key}");
    }
}

#[test]
fn keys_of_the_reference_without_effect_warn_and_those_that_promise_are_refused() {
    for (setting, outcome) in [
        ("\"locale\": \"de\"", "warns"),
        ("\"spacy_model\": \"en_core_web_sm\"", "warns"),
        ("\"descriptive_tokens\": true", "warns"),
        ("\"max_input_length\": 1000000", "warns"),
        ("\"ner_entity_types\": [\"PERSON\"]", "warns"),
        ("\"ner_entity_types\": []", "warns"),
        ("\"ner_entity_types\": [\"PERSON\", \"ORG\"]", "refused"),
        ("\"ner_required\": false", "honoured"),
        ("\"ner_required\": true", "refused"),
        ("\"mode\": \"tokenize\"", "honoured"),
        ("\"mode\": \"redact\"", "refused"),
        ("\"custom_patterns\": []", "honoured"),
        ("\"custom_patterns\": [[\"HERON\", \"heron-[0-9]+\"]]", "refused"),
    ] {
        let key = setting.split('"').nth(1).expect("a key");
        match json(&with(&format!("\"detection\": {{{setting}}}"))) {
            Ok((_, warnings)) => {
                let paths: Vec<&str> = warnings.iter().map(|warning| warning.path.as_str()).collect();
                let expected = if outcome == "warns" { vec![format!("detection.{key}")] } else { vec![] };
                assert_eq!(paths, expected, "{setting}");
                assert_ne!(outcome, "refused", "{setting}");
            }
            Err(ConfigError::Key { path, problem: KeyProblem::Unsupported(_), .. }) => {
                assert_eq!((path, outcome), (format!("detection.{key}"), "refused"), "{setting}");
            }
            Err(error) => panic!("{setting}: {error}"),
        }
    }
}

#[test]
fn wrong_types_under_detection_are_refused_even_where_the_key_has_no_effect() {
    for setting in [
        "\"locale\": 1",
        "\"spacy_model\": []",
        "\"descriptive_tokens\": \"yes\"",
        "\"max_input_length\": \"many\"",
        "\"ner_entity_types\": \"PERSON\"",
        "\"ner_required\": 1",
        "\"mode\": \"mask\"",
        "\"custom_patterns\": {}",
        "\"detect_emails\": \"on\"",
    ] {
        let error = json(&with(&format!("\"detection\": {{{setting}}}"))).expect_err(setting);
        let ConfigError::Key { problem, .. } = error else { panic!("{setting}: {error}") };
        assert!(matches!(problem, KeyProblem::Expected(_)), "{setting}: {problem:?}");
    }
}

#[test]
fn a_file_is_read_by_its_ending_and_named_in_errors() {
    let folder = std::env::temp_dir().join(format!("cloakgate-config-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let toml = folder.join("c.toml");
    std::fs::write(&toml, "\u{feff}[upstreams.fs]\ncommand = \"a\"\n").expect("a file");
    assert_eq!(Config::load(&toml).expect("valid").0.upstreams.len(), 1);
    let other = folder.join("c.conf");
    std::fs::write(&other, with("\"sanitise\": true")).expect("a file");
    let error = Config::load(&other).expect_err("a typo").to_string();
    assert!(error.starts_with(&format!("{}:2: unknown key", other.display())), "{error}");
    let missing = Config::load(&folder.join("missing.json")).expect_err("no such file");
    assert!(matches!(missing, ConfigError::Read { .. }), "{missing}");
    std::fs::remove_dir_all(&folder).expect("our own folder");
}
