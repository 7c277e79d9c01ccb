//! Every key of the configuration.

use cloakgate_cloak::{TokenScope, Unresolved};
use cloakgate_names::{Effort, Stage};

use super::choices::{
    Binary, FreshPii, LogLevel, Meaning, Mode, OnOff, Operator, PersonText, TokenStyle, Trust, UnknownMethods,
};
use super::keys::{Key, Names, Shape, words};

/// Most entries of one list of terms.
pub(super) const MAX_TERMS: usize = 10_000;
/// Most patterns of one list: each is a pass over the text of its own.
pub(super) const MAX_PATTERNS: usize = 100;
/// Most different paths that the entries of one list name: each is followed through every document.
pub(super) const MAX_FIELDS: usize = 100;
/// Longest name of a profile in bytes: it is part of a file's name.
pub(super) const MAX_PROFILE_BYTES: usize = 64;
/// Most models of one's own: each reads for itself.
const MAX_MODELS: usize = 4;
/// The most that any budget may be.
const MOST: usize = 1_000_000_000;
const MIN_NAME_BUDGET: usize = 16;
/// The protocol allows no more.
const MAX_NAME_BUDGET: usize = 128;
const MIN_MESSAGE_BYTES: usize = 64 << 10;
const LARGEST_MESSAGE_BYTES: usize = 1 << 30;

const TERMS: Shape = Shape::Shared(
    "terms",
    &Shape::List(
        &Shape::AnyOf(&[Shape::Text, Shape::Table(TERM), Shape::Table(PATTERN), Shape::Table(FIELD)]),
        MAX_TERMS,
    ),
);
const CATEGORIES: Shape = Shape::Shared(
    "categories",
    &Shape::Names(
        Names::Categories,
        &Shape::AnyOf(&[Shape::Flag, Shape::Choice(words::<OnOff>), Shape::Table(OPERATOR)]),
    ),
);
/// Shapes that several keys share.
pub(super) const SHARED: &[Shape] = &[TERMS, CATEGORIES];

/// The top level.
pub(super) const ROOT: &[Key] = &[
    Key::new("$schema", Shape::AnyText, "Where this schema lies, for editors."),
    Key::new(
        "upstreams",
        Shape::Names(Names::Upstreams, &Shape::Table(UPSTREAM)),
        "Servers by name; their order is the order of merged lists.",
    )
    .required(),
    Key::new("sanitize", Shape::Flag, "False switches cloaking off: only ids and names differ.").or("true"),
    Key::new("categories", CATEGORIES, "What is looked for, beside the core set."),
    Key::new("allow", TERMS, "Values that are left as they are."),
    Key::new("deny", TERMS, "Words and patterns that are cloaked beside what is found by itself."),
    Key::new(
        "names",
        Shape::Choice(words::<Effort>),
        "How much is done to find names in running text: nothing, one model, two, or whatever any of them says.",
    )
    .or("\"balanced\""),
    Key::new(
        "models",
        Shape::List(&Shape::Table(MODEL), MAX_MODELS),
        "Models of one's own that read names beside those that are built in; a build with the feature `models` runs them.",
    )
    .or("[]"),
    Key::new(
        "token_style",
        Shape::Choice(words::<TokenStyle>),
        "`default` writes [EMAIL_0_k7q]; `plain` writes [EMAIL_0] and keeps its numbers in a state file.",
    )
    .or("\"default\""),
    Key::new("profile", Shape::Profile, "Name of the numbering that `plain` tokens share.").or("\"default\""),
    Key::new("state_dir", Shape::Text, "Folder of state files."),
    Key::new(
        "token_scope",
        Shape::Choice(words::<TokenScope>),
        "Where a token is restored: in calls to every server, or only to one that brought the value.",
    )
    .or("\"session\""),
    Key::new(
        "unresolved",
        Shape::Choice(words::<Unresolved>),
        "What happens to a token that does not verify.",
    )
    .or("\"refuse\""),
    Key::new(
        "person_text",
        Shape::Choice(words::<PersonText>),
        "What a person reads where a server asks for something: tokens or values.",
    )
    .or("\"cloak\""),
    Key::new(
        "unknown_methods",
        Shape::Choice(words::<UnknownMethods>),
        "What happens to requests with a method that is not known; `forward` needs exactly one server.",
    )
    .or("\"refuse\""),
    Key::new(
        "name_budget",
        Shape::Integer(MIN_NAME_BUDGET, MAX_NAME_BUDGET),
        "Longest `upstream__tool` name in bytes; longer ones are shortened.",
    )
    .or("44"),
    Key::new(
        "max_message_bytes",
        Shape::Integer(MIN_MESSAGE_BYTES, LARGEST_MESSAGE_BYTES),
        "Longest message in either direction.",
    )
    .or("67108864"),
    Key::new(
        "request_timeout",
        Shape::Duration,
        "How long the gateway waits for answers to its own requests.",
    )
    .or("120"),
    Key::new(
        "allow_unknown_protocol_version",
        Shape::Flag,
        "Pass on a protocol version that the gateway does not know.",
    )
    .or("false"),
    Key::new("log_level", Shape::Choice(words::<LogLevel>), "How much is logged; --log-level comes first.")
        .or("\"info\""),
    Key::new("detection", Shape::Table(DETECTION), "The reference gateway's table."),
];

/// One server.
pub(super) const UPSTREAM: &[Key] = &[
    Key::new("command", Shape::Text, "Program, by path or by its name on PATH.").required(),
    Key::new("args", Shape::List(&Shape::AnyText, usize::MAX), "Arguments, passed without a shell.").or("[]"),
    Key::new("env", Shape::Names(Names::Variables, &Shape::AnyText), "Variables for this server.").or("{}"),
    Key::new(
        "inherit_env",
        Shape::AnyOf(&[Shape::Flag, Shape::List(&Shape::Text, usize::MAX)]),
        "Which of the gateway's own variables it gets besides the default ones.",
    )
    .or("false"),
    Key::new("cwd", Shape::Text, "Folder to start in."),
    Key::new("startup_timeout", Shape::Duration, "How long it may take to answer the handshake.").or("30"),
    Key::new("call_timeout", Shape::Duration, "How long a forwarded call may take.").or("\"15m\""),
    Key::new("sanitize", Shape::Flag, "Whether its messages are cloaked; the file's where it is left out."),
    Key::new(
        "trust",
        Shape::Choice(words::<Trust>),
        "How far it is trusted with values that others brought.",
    )
    .or("\"trusted\""),
    Key::new(
        "unresolved",
        Shape::Choice(words::<Unresolved>),
        "As at the top level, for calls to this server; the file's where it is left out.",
    ),
    Key::new("categories", CATEGORIES, "As at the top level, for this server."),
    Key::new("names", Shape::Choice(words::<Effort>), "As at the top level, for this server."),
    Key::new("allow", TERMS, "As at the top level, besides the file's, for this server."),
    Key::new("deny", TERMS, "As at the top level, besides the file's, for this server."),
    Key::new(
        "tools",
        Shape::Names(Names::Tools, &Shape::Table(TOOL)),
        "Settings of single tools, by the name that the server gives them.",
    )
    .or("{}"),
    Key::new(
        "binary",
        Shape::Choice(words::<Binary>),
        "What happens to images, audio and other content that cannot be read.",
    )
    .or("\"pass\""),
    Key::new(
        "fresh_pii",
        Shape::Choice(words::<FreshPii>),
        "What happens to personal data that the model writes by itself.",
    )
    .or("\"report\""),
    Key::new(
        "max_foreign_tokens_per_call",
        Shape::Integer(0, MOST),
        "Most different tokens of other servers' values in one call: 64, for a third party 8.",
    ),
    Key::new(
        "max_foreign_tokens_per_minute",
        Shape::Integer(0, MOST),
        "The same within a minute: 600, for a third party 60.",
    ),
    Key::new(
        "max_fresh_values_per_call",
        Shape::Integer(0, MOST),
        "Most values in one call that the model wrote by itself.",
    )
    .or("50"),
    Key::new(
        "max_entries",
        Shape::Integer(1, MOST),
        "Most different values that it may bring into a session: 200000, for a third party 50000.",
    ),
];

/// One tool of a server.
pub(super) const TOOL: &[Key] = &[
    Key::new("categories", CATEGORIES, "As at the server, for this tool's answers."),
    Key::new("names", Shape::Choice(words::<Effort>), "As at the server, for this tool's answers."),
    Key::new("allow", TERMS, "As at the server, besides the server's."),
    Key::new("deny", TERMS, "As at the server, besides the server's."),
    Key::new(
        "call_timeout",
        Shape::Duration,
        "How long a call of it may take; the server's where it is left out.",
    ),
];

/// A model of one's own.
pub(super) const MODEL: &[Key] = &[
    Key::new("dir", Shape::Text, "Folder with `model.onnx`, `config.json` and `tokenizer.json`.").required(),
    Key::new("sha256", Shape::Table(MODEL_FILES), "The SHA-256 of each of its files.").required(),
    Key::new(
        "labels",
        Shape::Names(Names::Labels, &Shape::Choice(words::<Meaning>)),
        "What its labels mean, without `B-` and the like; those that are left out are dropped.",
    )
    .required(),
    Key::new("threshold", Shape::Share, "Least probability that counts.").or("0.5"),
    Key::new(
        "stage",
        Shape::Choice(words::<Stage>),
        "`open` asks it where names are undecided, beside the transformer; `every` lets it read all that is read.",
    )
    .or("\"open\""),
];

/// The files of a model.
pub(super) const MODEL_FILES: &[Key] = &[
    Key::new("model.onnx", Shape::Sha256, "The network.").required(),
    Key::new("config.json", Shape::Sha256, "The names of its outputs.").required(),
    Key::new("tokenizer.json", Shape::Sha256, "How texts are cut.").required(),
];

/// A category's value, where more than a switch is said.
pub(super) const OPERATOR: &[Key] = &[Key::new(
    "operator",
    Shape::Choice(words::<Operator>),
    "`token` can be put back for tools; `redact` writes [EMAIL_REDACTED] and cannot.",
)
.required()];

/// A word in any case and spacing.
pub(super) const TERM: &[Key] = &[
    Key::new("term", Shape::Text, "The words; case, blanks and forms of the same letter do not count.")
        .required(),
    Key::new(
        "category",
        Shape::Category,
        "What it is; in `deny` CUSTOM where it is left out, in `allow` any.",
    ),
    Key::new("exact", Shape::Flag, "True compares character for character.").or("false"),
    Key::new("field", Shape::Text, FIELD_HELP),
];

/// A pattern.
pub(super) const PATTERN: &[Key] = &[
    Key::new(
        "pattern",
        Shape::Text,
        "Regular expression of linear time: no back-references, no look-around.",
    )
    .required(),
    Key::new("category", Shape::Category, "What a match is.").required(),
    Key::new("test", Shape::Text, "A sample that must match.").required(),
    Key::new("field", Shape::Text, FIELD_HELP),
];

/// A place, whatever stands there.
pub(super) const FIELD: &[Key] = &[
    Key::new("field", Shape::Text, "Path of values that are cloaked, or let through, whatever they are.")
        .required(),
    Key::new(
        "category",
        Shape::Category,
        "What they are; in `deny` CUSTOM where it is left out, in `allow` any.",
    ),
];

const FIELD_HELP: &str =
    "Path of the values for which the entry counts: `customer.name`, `items.*.note`, `**.email`.";

/// The reference gateway's table.
pub(super) const DETECTION: &[Key] = &[
    Key::new("detect_emails", Shape::Flag, "Switches EMAIL.").or("true"),
    Key::new("detect_phones", Shape::Flag, "Switches PHONE.").or("true"),
    Key::new("detect_ssns", Shape::Flag, "Switches SSN.").or("true"),
    Key::new("detect_credit_cards", Shape::Flag, "Switches CREDIT_CARD.").or("true"),
    Key::new("detect_api_keys", Shape::Flag, "Switches API_KEY, AWS_KEY and JWT.").or("true"),
    Key::new("detect_ip_addresses", Shape::Flag, "Switches IP_ADDRESS.").or("true"),
    Key::new("detect_iban", Shape::Flag, "Switches IBAN.").or("true"),
    Key::new(
        "mode",
        Shape::Choice(words::<Mode>),
        "`redact` writes [EMAIL_REDACTED] for every category; nothing can be put back.",
    )
    .or("\"tokenize\""),
    Key::new(
        "custom_patterns",
        Shape::List(&Shape::AnyOf(&[Shape::Pair, Shape::Table(CUSTOM_PATTERN)]), MAX_PATTERNS),
        "Names and regular expressions of one's own; tokens say CUSTOM.",
    )
    .or("[]"),
    Key::new(
        "ner_entity_types",
        Shape::List(&Shape::AnyText, usize::MAX),
        "Labels of a model: PERSON is on, others are switched on.",
    ),
    Key::new("ner_required", Shape::Flag, "True refuses `names` to be off.").or("false"),
    Key::new("spacy_model", Shape::Text, "No effect: the models are built in."),
    Key::new("locale", Shape::Text, "No effect: the rules of all countries are always on."),
    Key::new("descriptive_tokens", Shape::Flag, "No effect: tokens always say their category."),
    Key::new(
        "max_input_length",
        Shape::Integer(1, MOST),
        "Longest text in characters; a message with a longer one becomes an error.",
    ),
];

/// A pattern as the reference has it, with its parts named.
pub(super) const CUSTOM_PATTERN: &[Key] = &[
    Key::new("name", Shape::Text, "Its name, which tokens do not say.").required(),
    Key::new("pattern", Shape::Text, "Regular expression of linear time.").required(),
    Key::new("test", Shape::Text, "A sample that must match."),
];
