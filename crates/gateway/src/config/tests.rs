use super::*;
use cloakgate_detect::CategorySet;
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
    assert_eq!(config.detection.categories, CategorySet::core().without(Category::IpAddress));
}

#[test]
fn defaults_are_those_of_the_documents() {
    let (config, _) = json(&with("\"sanitize\": true")).expect("valid");
    assert_eq!(config.detection.categories, CategorySet::core());
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
        "names": "off", "log_level": "warn", "allow_unknown_protocol_version": true, "request_timeout": 1.5, "sanitize": false,
        "token_scope": "upstream", "unresolved": "pass", "name_budget": 60, "max_message_bytes": 1048576,
        "categories": {"PHONE": "off", "organization": true, "EMAIL_ADDRESS": "on"},
        "detection": {"detect_iban": false, "ner_required": false, "mode": "tokenize", "custom_patterns": []},
        "upstreams": {
            "zz": {"command": "/bin/zz", "args": ["-a", ""], "env": {"TOKEN": "t-1", "EMPTY": ""}, "cwd": "/tmp",
                   "inherit_env": ["AWS_PROFILE"], "trust": "third-party", "startup_timeout": 5,
                   "call_timeout": "30s", "sanitize": true, "unresolved": "refuse"},
            "aa": {"command": "aa", "inherit_env": true, "trust": "local"}
        }
    }"#;
    let as_toml = r#"
        names = "off"
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
        organization = true
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
    assert_eq!(warnings.iter().map(|warning| warning.path.as_str()).collect::<Vec<_>>(), [""; 0]);
    let expected = CategorySet::core().without(Category::Phone).without(Category::Iban).with(Category::Org);
    assert_eq!(config.detection.categories, expected);
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
            with("\"categories\": {\"FAMILY\": true}"),
            "line 2: `categories.FAMILY` cannot be had: nothing finds this category yet",
        ),
        (
            with("\"categories\": {\"EMAIL\": \"maybe\"}"),
            "line 2: `categories.EMAIL` must be true, false, `on`, `off` or an object with `operator`",
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
            "line 4: unknown key `upstreams.fs.sandbox`; valid keys here are allow, args",
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
        assert_eq!(on.detection.categories, CategorySet::core(), "{key}");
        let (off, _) = json(&with(&format!("\"detection\": {{\"{key}\": false}}"))).expect(key);
        let expected = categories.into_iter().fold(CategorySet::core(), CategorySet::without);
        assert_eq!(off.detection.categories, expected, "{key}");
    }
}

/// One entry a key of the reference beside its switches: what is written, and what comes of it.
#[test]
fn each_key_of_the_reference_is_honoured_or_warns_or_is_refused() {
    for (setting, outcome) in [
        ("\"locale\": \"de\"", "warns"),
        ("\"spacy_model\": \"en_core_web_sm\"", "warns"),
        ("\"descriptive_tokens\": true", "warns"),
        ("\"max_input_length\": 1000000", "honoured"),
        ("\"ner_entity_types\": [\"PERSON\"]", "honoured"),
        ("\"ner_entity_types\": []", "warns"),
        ("\"ner_entity_types\": [\"PERSON\", \"ORG\", \"GPE\", \"MISC\", \"PRODUCT\"]", "warns"),
        ("\"ner_required\": false", "honoured"),
        ("\"ner_entity_types\": [\"PER\", \"persName\"]", "honoured"),
        ("\"ner_required\": true", "honoured"),
        ("\"mode\": \"tokenize\"", "honoured"),
        ("\"mode\": \"redact\"", "honoured"),
        ("\"custom_patterns\": []", "honoured"),
        (
            "\"custom_patterns\": [[\"HERON\", \"heron-[0-9]+\"], {\"name\": \"B\", \"pattern\": \"bittern\"}]",
            "warns",
        ),
    ] {
        let key = setting.split('"').nth(1).expect("a key");
        match json(&with(&format!("\"names\": \"fast\", \"detection\": {{{setting}}}"))) {
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

fn detection(text: &str) -> Detection {
    json(text).expect("valid").0.detection
}

#[test]
fn mode_redact_redacts_everything_but_what_is_said_to_be_a_token() {
    let redact = "\"detection\": {\"mode\": \"redact\"}";
    assert_eq!(detection(&with(redact)).redact, CategorySet::all());
    let but_phones = format!("{redact}, \"categories\": {{\"PHONE\": {{\"operator\": \"token\"}}}}");
    assert_eq!(detection(&with(&but_phones)).redact, CategorySet::all().without(Category::Phone));
    assert_eq!(detection(&with("\"sanitize\": true")).redact, CategorySet::none());
}

#[test]
fn ner_entity_types_widens_what_is_looked_for() {
    let found =
        detection(&with("\"detection\": {\"ner_entity_types\": [\"ORG\", \"FAC\", \"LAW\", \"DATE\"]}"));
    assert_eq!(
        found.categories,
        CategorySet::core().with(Category::Org).with(Category::Location).with(Category::Date)
    );
    let typo = json(&with("\"detection\": {\"ner_entity_types\": [\"PRESON\"]}")).expect_err("a typo");
    assert!(typo.to_string().contains("must be a list of labels"), "{typo}");
}

#[test]
fn custom_patterns_are_denied_terms() {
    let found = detection(&with(
        "\"detection\": {\"custom_patterns\": [[\"HERON\", \"heron-[0-9]+\"], {\"name\": \"B\", \"pattern\": \"bittern\", \"test\": \"a bittern\"}]}",
    ));
    let [heron, bittern] = found.deny.patterns() else { panic!("two patterns") };
    assert_eq!((heron.category(), heron.sample()), (Category::Custom, Some("heron-1")));
    assert_eq!(bittern.sample(), Some("a bittern"));
    for (pattern, reason) in [
        (
            "[\"HERON\", \"heron-(\"]",
            "`detection.custom_patterns[0]` is refused: it is no regular expression of linear time: unclosed group",
        ),
        ("[\"HERON\", \"(a)\\\\1\"]", "backreferences are not supported"),
        ("[\"HERON\", \"x*\"]", "it matches the empty text"),
        ("[\"HERON\"]", "must be a name and a pattern"),
        ("\"heron\"", "must be a name and a pattern"),
        ("{\"name\": \"HERON\"}", "`detection.custom_patterns[0].pattern` is missing"),
        ("{\"name\": \"H\", \"pattern\": \"heron\", \"test\": \"bittern\"}", "it does not match its `test`"),
    ] {
        let text = with(&format!("\"detection\": {{\"custom_patterns\": [{pattern}]}}"));
        let error = json(&text).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}\nis not\n{reason}");
    }
}

#[test]
fn max_input_length_is_kept() {
    let (config, _) = json(&with("\"detection\": {\"max_input_length\": 5}")).expect("valid");
    assert_eq!(config.max_input_length, Some(5));
    assert_eq!(json(&with("\"sanitize\": true")).expect("valid").0.max_input_length, None);
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

#[test]
fn the_narrower_scope_has_the_last_word_on_a_category() {
    let text = r#"{
        "categories": {"PHONE": "off", "IBAN": {"operator": "redact"}, "AGE": true},
        "upstreams": {
            "crm": {"command": "c", "categories": {"PHONE": true, "IBAN": {"operator": "token"}, "EMAIL": {"operator": "redact"}},
                    "tools": {"export": {"categories": {"EMAIL": "on", "AGE": false, "PHONE": "off"}}, "plain": {}}},
            "fs": {"command": "f"}
        }
    }"#;
    let (config, _) = json(text).expect("valid");
    let core = CategorySet::core().with(Category::Age);
    let global = (core.without(Category::Phone), CategorySet::none().with(Category::Iban));
    let server = (core, CategorySet::none().with(Category::Email));
    let tool = (core.without(Category::Age).without(Category::Phone), server.1);
    let both = |detection: &Detection| (detection.categories, detection.redact);
    assert_eq!(both(&config.detection), global);
    assert_eq!(both(&config.upstreams[0].detection), server);
    assert_eq!(both(config.upstreams[0].detection_of("export")), tool);
    assert_eq!(both(config.upstreams[0].detection_of("plain")), server);
    assert_eq!(both(config.upstreams[0].detection_of("other")), server);
    assert_eq!(both(&config.upstreams[1].detection), global);
}

#[test]
fn a_tool_has_a_limit_of_its_own_or_the_servers() {
    let text = r#"{"upstreams": {
        "a": {"command": "c", "call_timeout": "30s", "tools": {"slow": {"call_timeout": "1h"}, "plain": {}}},
        "b": {"command": "c", "tools": {"plain": {}}}
    }}"#;
    let (config, _) = json(text).expect("valid");
    let of = |upstream: usize, tool: &str| config.upstreams[upstream].tools[tool].call_timeout.as_secs();
    assert_eq!([of(0, "slow"), of(0, "plain"), of(1, "plain")], [3600, 30, 900]);
    for bad in ["0", "\"2 days\"", "true"] {
        let text = text.replace("\"1h\"", bad);
        assert!(json(&text).expect_err("no length of time").to_string().contains("tools.slow.call_timeout"));
    }
}

#[test]
fn lists_of_terms_add_up_from_the_wider_to_the_narrower_scope() {
    let text = r#"{
        "deny": ["Project Heron", {"term": "Blue Tulip", "category": "ORG"},
                 {"pattern": "EMP-[0-9]{4}", "category": "OTHER_ID", "test": "id EMP-0042"}],
        "allow": ["support@example.org", {"term": "Acme  Corp"},
                  {"pattern": "203\\.0\\.113\\.[0-9]+", "category": "IP", "test": "203.0.113.9"}],
        "upstreams": {
            "crm": {"command": "c", "deny": ["Project Heron", "Swan"], "tools": {"export": {"allow": ["Wren"]}}}
        }
    }"#;
    let (config, warnings) = json(text).expect("valid");
    assert_eq!(warnings, []);
    let terms = |list: &TermList| {
        list.terms()
            .iter()
            .map(|term| (term.text().to_owned(), term.folding(), term.category()))
            .collect::<Vec<_>>()
    };
    let heron = ("Project Heron".to_owned(), Folding::Exact, Some(Category::Custom));
    let tulip = ("Blue Tulip".to_owned(), Folding::Folded, Some(Category::Org));
    let swan = ("Swan".to_owned(), Folding::Exact, Some(Category::Custom));
    let allowed = ("support@example.org".to_owned(), Folding::Exact, None);
    let acme = ("Acme  Corp".to_owned(), Folding::Folded, None);
    let wren = ("Wren".to_owned(), Folding::Exact, None);
    assert_eq!(terms(&config.detection.deny), [heron.clone(), tulip.clone()]);
    assert_eq!(terms(&config.detection.allow), [allowed.clone(), acme.clone()]);
    let crm = &config.upstreams[0];
    assert_eq!(terms(&crm.detection.deny), [heron, tulip, swan]);
    assert_eq!(terms(&crm.detection_of("export").allow), [allowed, acme, wren]);
    assert_eq!(crm.detection_of("export").deny, crm.detection.deny);
    let [employee] = config.detection.deny.patterns() else { panic!("one pattern") };
    assert_eq!((employee.category(), employee.sample()), (Category::OtherId, Some("id EMP-0042")));
    let [address] = config.detection.allow.patterns() else { panic!("one pattern") };
    assert!(address.covers("203.0.113.77") && !address.covers("at 203.0.113.77"));
}

#[test]
fn debug_output_holds_no_terms() {
    let text = with(
        r#""deny": ["Heron", {"term": "Swan"}, {"pattern": "Wren", "category": "ORG", "test": "Wren"}]"#,
    );
    let shown = format!("{:?}", json(&text).expect("valid"));
    for term in ["Heron", "Swan", "Wren"] {
        assert!(!shown.contains(term), "{shown}");
    }
}

#[test]
fn mistakes_in_lists_of_terms_are_named_with_their_place() {
    let many = vec!["{\"pattern\": \"abc\", \"category\": \"ORG\", \"test\": \"abc\"}"; 101].join(",");
    let fields = (0..101).map(|at| format!("{{\"field\": \"f{at}\"}}")).collect::<Vec<_>>().join(",");
    for (list, expected) in [
        ("\"deny\": \"Heron\"", "`deny` must be a list of at most 10000"),
        ("\"deny\": [1]", "`deny[0]` must be a text, or an object with `term`, `pattern` or `field`"),
        ("\"deny\": [{\"field\": \"a..b\"}]", "`deny[0].field` is refused: a segment is empty"),
        (
            "\"deny\": [\"ab\", {\"term\": \"ab\", \"field\": \"a*\"}]",
            "`deny[1].field` is refused: a star stands alone",
        ),
        (
            "\"allow\": [{\"field\": \"items[*].a\"}]",
            "`allow[0].field` is refused: a place in an array is a segment",
        ),
        ("\"allow\": [{\"field\": 7}]", "`allow[0].field` must be a text that is not empty"),
        (
            "\"deny\": [{\"field\": \"a\", \"trem\": \"ab\"}]",
            "unknown key `deny[0].trem`; did you mean `term`?",
        ),
        (
            "\"deny\": [{\"feild\": \"a\", \"category\": \"ORG\"}]",
            "unknown key `deny[0].feild`; did you mean `field`?",
        ),
        ("\"deny\": [{\"term\": \"ab\", \"exact\": 1}]", "`deny[0].exact` must be true or false"),
        (
            "\"allow\": [{\"field\": \"a.b\"}], \"deny\": [{\"field\": \"A.b\"}]",
            "`allow` and `deny` contradict each other",
        ),
        (&format!("\"deny\": [{fields}]"), "`deny` must be a list that names at most 100 different fields"),
        ("\"deny\": [\" x \"]", "`deny[0]` must be a text of at least 2 characters"),
        ("\"allow\": [{}]", "`allow[0].term` is missing"),
        ("\"allow\": [\"ab\", {\"term\": \"-\"}]", "`allow[1].term` must be a text of at least 2"),
        (
            "\"deny\": [{\"term\": \"ab\", \"kategory\": \"ORG\"}]",
            "unknown key `deny[0].kategory`; did you mean `category`?",
        ),
        (
            "\"deny\": [{\"term\": \"ab\", \"category\": \"PERSN\"}]",
            "`deny[0].category` names no category; did you mean `PERSON`?",
        ),
        ("\"deny\": [{\"term\": \"ab\", \"category\": \"LITERAL\"}]", "`deny[0].category` names no category"),
        ("\"deny\": [{\"pattern\": \"ab\", \"category\": \"ORG\"}]", "`deny[0].test` is missing"),
        ("\"deny\": [{\"pattern\": \"ab\", \"test\": \"ab\"}]", "`deny[0].category` is missing"),
        (
            "\"deny\": [{\"pattern\": \"ab(\", \"category\": \"ORG\", \"test\": \"ab\"}]",
            "`deny[0].pattern` is refused: it is no regular expression",
        ),
        (
            "\"allow\": [{\"pattern\": \"ab\", \"category\": \"ORG\", \"test\": \"abc\"}]",
            "`allow[0].pattern` is refused: it does not match its `test`",
        ),
        (
            "\"allow\": [\"Heron\"], \"deny\": [{\"term\": \"heron\"}]",
            "`allow` and `deny` contradict each other",
        ),
        (&format!("\"deny\": [{many}]"), "`deny` must be a list with at most 100 patterns"),
    ] {
        for text in [with(list), with_upstream(list)] {
            let error = json(&text).expect_err(expected).to_string();
            let expected = expected.replace("` and `", "` and `upstreams.fs.");
            let within = expected.replacen('`', "`upstreams.fs.", 1);
            let holds = error.contains(&within) || error.contains(&expected.replace("upstreams.fs.", ""));
            assert!(error.starts_with("line 2: ") && holds, "{error}\nis not\n{expected}");
        }
    }
}

#[test]
fn budgets_follow_trust_unless_they_are_said() {
    let budgets = |more: &str| {
        let (config, _) = json(&with_upstream(more)).expect("valid");
        let upstream = &config.upstreams[0];
        [
            upstream.max_foreign_tokens_per_call,
            upstream.max_foreign_tokens_per_minute,
            upstream.max_fresh_values_per_call,
            upstream.max_entries,
        ]
    };
    assert_eq!(budgets("\"trust\": \"trusted\""), [64, 600, 50, 200_000]);
    assert_eq!(budgets("\"trust\": \"local\""), [64, 600, 50, 200_000]);
    assert_eq!(budgets("\"trust\": \"third-party\""), [8, 60, 50, 50_000]);
    assert_eq!(
        budgets(
            "\"trust\": \"third-party\", \"max_foreign_tokens_per_call\": 0, \"max_foreign_tokens_per_minute\": 90, \"max_fresh_values_per_call\": 1, \"max_entries\": 7"
        ),
        [0, 90, 1, 7]
    );
}

#[test]
fn the_narrowest_scope_says_how_much_is_read_for_names() {
    let servers = r#""upstreams": {"a": {"command": "a", "tools": {"t": {"names": "recall"}, "u": {}}},
        "b": {"command": "b", "names": "off", "tools": {"t": {"names": "balanced"}, "u": {}}}}"#;
    let efforts = |config: &Config| {
        let of_upstream = |upstream: &UpstreamConfig| {
            let tools: Vec<_> =
                upstream.tools.values().map(|tool| tool.detection.names.to_string()).collect();
            format!("{} {}", upstream.detection.names, tools.join(" "))
        };
        config.upstreams.values().map(of_upstream).collect::<Vec<_>>()
    };
    let config = json(&format!("{{\"names\": \"fast\", {servers}}}")).expect("valid").0;
    assert_eq!(efforts(&config), ["fast recall fast", "off balanced off"]);
    let silent = json(&format!("{{{servers}}}")).expect("valid").0;
    let usual = Effort::default();
    assert_eq!(efforts(&silent), [format!("{usual} recall {usual}"), "off balanced off".to_owned()]);
    assert!(json(&with("\"names\": \"loud\"")).is_err());
}

#[test]
fn what_wants_models_says_so_where_names_are_off() {
    let off = |detection: &str| json(&with(&format!("\"names\": \"off\", \"detection\": {{{detection}}}")));
    let error = off("\"ner_required\": true").expect_err("a contradiction").to_string();
    assert!(error.contains("`detection.ner_required` and `names` contradict each other"), "{error}");
    let (_, warnings) = off("\"ner_entity_types\": [\"PERSON\"]").expect("valid");
    assert!(
        matches!(&*warnings, [warning] if warning.to_string().contains("`names` is off")),
        "{warnings:?}"
    );
}

#[test]
fn unknown_methods_go_on_only_where_there_is_one_server() {
    let one = json(&with("\"unknown_methods\": \"forward\"")).expect("valid").0;
    assert_eq!(one.unknown_methods, UnknownMethods::Forward);
    let two = "{\"unknown_methods\": \"forward\", \"upstreams\": {\"a\": {\"command\": \"a\"}, \"b\": {\"command\": \"b\"}}}";
    let error = json(two).expect_err("two servers").to_string();
    assert!(error.contains("`unknown_methods` cannot be had"), "{error}");
}

#[test]
fn what_is_not_said_is_as_safe_as_it_can_be() {
    let (config, _) = json(&with("\"sanitize\": true")).expect("valid");
    assert_eq!((config.person_text, config.unknown_methods), (PersonText::Cloak, UnknownMethods::Refuse));
    assert_eq!((config.token_style, config.profile.as_str()), (TokenStyle::Default, "default"));
    let upstream = &config.upstreams[0];
    assert_eq!((upstream.binary, upstream.fresh_pii), (Binary::Pass, FreshPii::Report));
    let plain = json(&with("\"token_style\": \"plain\", \"profile\": \"work_1\", \"state_dir\": \"/s\""))
        .expect("valid")
        .0;
    assert_eq!((plain.token_style, plain.profile.as_str()), (TokenStyle::Plain, "work_1"));
    assert_eq!(plain.state_dir.as_deref(), Some(Path::new("/s")));
    assert!(json(&with("\"profile\": \"../up\"")).is_err());
}
