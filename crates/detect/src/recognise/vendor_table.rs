//! The heads and forms of vendors' secrets.
//!
//! Issuers and sources: each vendor's documentation of its token formats, as grouped below; widths are those that
//! documentation and issued tokens show. A row reads: vendor, head, the parts behind the head. The first row whose
//! head and parts fit decides, so longer forms stand before shorter ones of the same head.
//!
//! Invariant: a head has at least three bytes (`vendor.rs` filters by them). Over 400 lines: it is one table.
//! Not here: matching.

use cloakgate_vocab::Category;

use Alphabet::{Alnum, Base64, Digit, Dotted, Hex, HexAny, Lower, Path, Percent, Upper, Url, Word};
use Part::{Run, Text, Uuid};

/// A set of characters that a part of a secret is written in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Alphabet {
    /// `0-9`
    Digit,
    /// `0-9a-f`
    Hex,
    /// `0-9a-fA-F`
    HexAny,
    /// `0-9A-Z`
    Upper,
    /// `0-9a-z`
    Lower,
    /// `0-9A-Za-z`
    Alnum,
    /// `0-9A-Za-z_`
    Word,
    /// `0-9A-Za-z_-`
    Url,
    /// `0-9A-Za-z+/=_-`
    Base64,
    /// `0-9A-Za-z_.=-`
    Dotted,
    /// `0-9A-Za-z+/=%_-`
    Percent,
    /// `0-9A-Za-z/_-`
    Path,
}

impl Alphabet {
    /// True when the byte belongs to the set.
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Self::Digit => byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
            Self::HexAny => byte.is_ascii_hexdigit(),
            Self::Upper => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Self::Lower => byte.is_ascii_digit() || byte.is_ascii_lowercase(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'=' | b'-'),
            Self::Percent => {
                byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'%' | b'_' | b'-')
            }
            Self::Path => byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-'),
        }
    }
}

/// One part of a secret behind its head.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// These bytes.
    Text(&'static str),
    /// A universally unique identifier in small letters.
    Uuid,
    /// A maximal run of the alphabet, at least and at most so many bytes.
    Run(Alphabet, u16, u16),
}

/// A form of a vendor's secret.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Name of the vendor, shown as the detector.
    pub(super) vendor: &'static str,
    /// What every secret of the form begins with.
    pub(super) head: &'static str,
    /// What follows.
    pub(super) parts: &'static [Part],
    /// How many bytes of the head announce the secret without belonging to it.
    pub(super) skipped: u8,
    /// What the secret is.
    pub(super) category: Category,
}

impl Rule {
    const fn skipping(mut self, bytes: u8) -> Self {
        self.skipped = bytes;
        self
    }

    const fn aws(mut self) -> Self {
        self.category = Category::AwsKey;
        self
    }
}

const fn rule(vendor: &'static str, head: &'static str, parts: &'static [Part]) -> Rule {
    Rule { vendor, head, parts, skipped: 0, category: Category::ApiKey }
}

/// One identifier and nothing else.
const UUID: &[Part] = &[Uuid];
/// Organisation, tenant, key and group of a webhook of Microsoft Teams.
const TEAMS: &[Part] = &[Uuid, Text("@"), Uuid, Text("/IncomingWebhook/"), Run(Hex, 32, 32), Text("/"), Uuid];
/// The same with the signature of newer webhooks.
const TEAMS_SIGNED: &[Part] = &[
    Uuid,
    Text("@"),
    Uuid,
    Text("/IncomingWebhook/"),
    Run(Hex, 32, 32),
    Text("/"),
    Uuid,
    Text("/"),
    Run(Url, 16, 80),
];
/// Number and token of a webhook of Discord.
const DISCORD: &[Part] = &[Run(Digit, 17, 20), Text("/"), Run(Url, 60, 80)];

/// Client, key and account of Authress, and the key itself.
const AUTHRESS: &[Part] =
    &[Run(Lower, 5, 30), Text("."), Run(Lower, 4, 6), Text(".acc"), Run(Dotted, 40, 160)];

/// All forms.
pub(super) static RULES: &[Rule] = &[
    // Amazon Web Services: access key ids (IAM user guide, unique identifiers), Bedrock API keys
    rule("aws", "AKIA", &[Run(Upper, 16, 16)]).aws(),
    rule("aws", "ASIA", &[Run(Upper, 16, 16)]).aws(),
    rule("aws", "ABIA", &[Run(Upper, 16, 16)]).aws(),
    rule("aws", "ACCA", &[Run(Upper, 16, 16)]).aws(),
    rule("aws", "A3T", &[Run(Upper, 17, 17)]).aws(),
    rule("aws-bedrock", "ABSK", &[Run(Base64, 100, 280)]).aws(),
    rule("aws-bedrock", "bedrock-api-key-", &[Run(Base64, 40, 1200)]).aws(),
    // GitHub: token formats (authentication documentation)
    rule("github", "ghp_", &[Run(Alnum, 36, 251)]),
    rule("github", "gho_", &[Run(Alnum, 36, 251)]),
    rule("github", "ghu_", &[Run(Alnum, 36, 251)]),
    rule("github", "ghs_", &[Run(Alnum, 36, 251)]),
    rule("github", "ghr_", &[Run(Alnum, 36, 251)]),
    rule("github", "github_pat_", &[Run(Alnum, 22, 22), Text("_"), Run(Alnum, 59, 59)]),
    // GitLab: token prefixes (security documentation)
    rule("gitlab", "glpat-", &[Run(Url, 20, 300), Text("."), Run(Url, 2, 2), Text("."), Run(Url, 7, 9)]),
    rule("gitlab", "glpat-", &[Run(Url, 20, 64)]),
    rule("gitlab", "gldt-", &[Run(Url, 20, 64)]),
    rule("gitlab", "glrt-", &[Run(Url, 20, 300), Text("."), Run(Url, 2, 2), Text("."), Run(Url, 7, 9)]),
    rule("gitlab", "glrt-", &[Run(Url, 20, 64)]),
    rule("gitlab", "glrtr-", &[Run(Url, 20, 64)]),
    rule("gitlab", "glcbt-", &[Run(Url, 20, 400)]),
    rule("gitlab", "glptt-", &[Run(Url, 40, 40)]),
    rule("gitlab", "glft-", &[Run(Url, 20, 64)]),
    rule("gitlab", "glimt-", &[Run(Url, 25, 25)]),
    rule("gitlab", "glagent-", &[Run(Url, 50, 64)]),
    rule("gitlab", "glsoat-", &[Run(Url, 20, 64)]),
    rule("gitlab", "gloas-", &[Run(Url, 64, 64)]),
    rule("gitlab", "glffct-", &[Run(Url, 20, 64)]),
    rule("gitlab", "glwt-", &[Run(Url, 20, 64)]),
    rule("gitlab", "GR1348941", &[Run(Url, 20, 20)]),
    // Atlassian: API, Bitbucket and Data Center tokens; Trello
    rule("atlassian", "ATATT3", &[Run(Dotted, 100, 300)]),
    rule("atlassian", "ATCTT3", &[Run(Dotted, 60, 300)]),
    rule("atlassian", "ATSTT3", &[Run(Dotted, 60, 300)]),
    rule("bitbucket", "ATBB", &[Run(Alnum, 24, 40)]),
    rule("bitbucket", "BBDC-", &[Run(Base64, 40, 60)]),
    rule("trello", "ATTA", &[Run(Hex, 64, 80)]),
    // Slack: bot, user, workspace, legacy, configuration, app and cookie tokens; webhooks
    rule("slack", "xoxb-", &[Run(Url, 24, 120)]),
    rule("slack", "xoxp-", &[Run(Url, 24, 120)]),
    rule("slack", "xoxa-", &[Run(Url, 24, 120)]),
    rule("slack", "xoxr-", &[Run(Url, 24, 120)]),
    rule("slack", "xoxo-", &[Run(Url, 24, 120)]),
    rule("slack", "xoxs-", &[Run(Url, 24, 120)]),
    rule("slack", "xoxc-", &[Run(Url, 24, 120)]),
    rule("slack", "xoxd-", &[Run(Percent, 40, 400)]),
    rule("slack", "xoxe-", &[Run(Url, 24, 300)]),
    rule("slack", "xoxe.xox", &[Run(Url, 24, 300)]),
    rule("slack", "xapp-", &[Run(Url, 40, 140)]),
    rule("slack-webhook", "hooks.slack.com/services/", &[Run(Path, 28, 90)]).skipping(25),
    rule("slack-webhook", "hooks.slack.com/workflows/", &[Run(Path, 28, 90)]).skipping(26),
    rule("slack-webhook", "hooks.slack.com/triggers/", &[Run(Path, 28, 90)]).skipping(25),
    // Google: API keys, OAuth tokens and client secrets, refresh tokens, HMAC keys
    rule("google", "AIza", &[Run(Url, 35, 35)]),
    rule("google", "GOCSPX-", &[Run(Url, 28, 28)]),
    rule("google", "ya29.", &[Run(Url, 20, 1000)]),
    rule("google", "1//0", &[Run(Url, 38, 120)]),
    rule("google", "AQ.Ab", &[Run(Url, 30, 80)]),
    rule("google", "GOOG1E", &[Run(Upper, 57, 57)]),
    // Microsoft: storage, service bus, shared access signatures
    rule("azure-storage", "AccountKey=", &[Run(Base64, 88, 88)]).skipping(11),
    rule("azure-storage", "AccountKey=\"", &[Run(Base64, 88, 88)]).skipping(12),
    rule("azure-storage", "AccountKey='", &[Run(Base64, 88, 88)]).skipping(12),
    rule("azure-storage", "AccountKey\": \"", &[Run(Base64, 88, 88)]).skipping(14),
    rule("azure-storage", "AccountKey\":\"", &[Run(Base64, 88, 88)]).skipping(13),
    rule("azure-service-bus", "SharedAccessKey=", &[Run(Base64, 44, 44)]).skipping(16),
    rule("azure-signature", "sig=", &[Run(Percent, 43, 80)]).skipping(4),
    // Microsoft Teams: webhooks
    rule("teams-webhook", "webhookb2/", TEAMS_SIGNED).skipping(10),
    rule("teams-webhook", "webhookb2/", TEAMS).skipping(10),
    rule("teams-webhook", "outlook.office.com/webhook/", TEAMS).skipping(27),
    // Alibaba Cloud, Tencent Cloud, Yandex Cloud, DigitalOcean, Heroku, Cloudflare, Fly, Netlify, Render, Scalingo, Supabase
    rule("alibaba", "LTAI", &[Run(Alnum, 12, 26)]),
    rule("tencent", "AKID", &[Run(Alnum, 32, 32)]),
    rule("yandex", "AQVN", &[Run(Url, 35, 38)]),
    rule("yandex", "t1.", &[Run(Url, 16, 200), Text("."), Run(Url, 80, 90)]),
    rule("yandex", "y0_", &[Run(Url, 50, 100)]),
    rule("yandex", "YCAJE", &[Run(Url, 20, 20)]),
    rule("yandex", "YCM", &[Run(Url, 37, 37)]),
    rule("yandex", "YCN", &[Run(Url, 37, 37)]),
    rule("yandex", "YCO", &[Run(Url, 37, 37)]),
    rule("yandex", "YCP", &[Run(Url, 37, 37)]),
    rule("digitalocean", "dop_v1_", &[Run(Hex, 64, 64)]),
    rule("digitalocean", "doo_v1_", &[Run(Hex, 64, 64)]),
    rule("digitalocean", "dor_v1_", &[Run(Hex, 64, 64)]),
    rule("heroku", "HRKU-", &[Run(Url, 36, 64)]),
    rule("cloudflare", "cfk_", &[Run(Alnum, 44, 60)]),
    rule("cloudflare", "cfut_", &[Run(Alnum, 44, 60)]),
    rule("cloudflare", "cfat_", &[Run(Alnum, 44, 60)]),
    rule("cloudflare", "v1.0-", &[Run(Hex, 24, 24), Text("-"), Run(Hex, 146, 146)]),
    rule("fly", "fo1_", &[Run(Word, 43, 43)]),
    rule("fly", "fm1_", &[Run(Base64, 100, 1200)]),
    rule("fly", "fm2_", &[Run(Base64, 100, 1200)]),
    rule("fly", "fm1a_", &[Run(Base64, 100, 1200)]),
    rule("fly", "fm1r_", &[Run(Base64, 100, 1200)]),
    rule("netlify", "nfp_", &[Run(Alnum, 36, 46)]),
    rule("netlify", "nfc_", &[Run(Alnum, 36, 46)]),
    rule("render", "rnd_", &[Run(Alnum, 24, 40)]),
    rule("scalingo", "tk-us-", &[Run(Url, 48, 48)]),
    rule("supabase", "sbp_", &[Run(Hex, 40, 40)]),
    rule("supabase", "sb_secret_", &[Run(Url, 20, 60)]),
    // Payments: Stripe, Square, PayPal, Shopify, Flutterwave, GoCardless, Mollie, Plaid, EasyPost
    rule("stripe", "sk_live_", &[Run(Alnum, 10, 247)]),
    rule("stripe", "sk_test_", &[Run(Alnum, 10, 247)]),
    rule("stripe", "sk_prod_", &[Run(Alnum, 10, 247)]),
    rule("stripe", "rk_live_", &[Run(Alnum, 10, 247)]),
    rule("stripe", "rk_test_", &[Run(Alnum, 10, 247)]),
    rule("stripe", "rk_prod_", &[Run(Alnum, 10, 247)]),
    rule("stripe", "whsec_", &[Run(Base64, 24, 64)]),
    rule("square", "sq0atp-", &[Run(Url, 22, 22)]),
    rule("square", "sq0csp-", &[Run(Url, 43, 43)]),
    rule("square", "EAAA", &[Run(Url, 60, 60)]),
    rule("braintree", "access_token$production$", &[Run(Lower, 16, 16), Text("$"), Run(Hex, 32, 32)]),
    rule("braintree", "access_token$sandbox$", &[Run(Lower, 16, 16), Text("$"), Run(Hex, 32, 32)]),
    rule("shopify", "shpat_", &[Run(HexAny, 32, 32)]),
    rule("shopify", "shpca_", &[Run(HexAny, 32, 32)]),
    rule("shopify", "shppa_", &[Run(HexAny, 32, 32)]),
    rule("shopify", "shpss_", &[Run(HexAny, 32, 32)]),
    rule("shopify", "shpua_", &[Run(HexAny, 32, 32)]),
    rule("shopify", "shptka_", &[Run(HexAny, 32, 32)]),
    rule("flutterwave", "FLWSECK-", &[Run(Url, 12, 60)]),
    rule("flutterwave", "FLWSECK_TEST-", &[Run(Url, 12, 60)]),
    rule("flutterwave", "FLWPUBK-", &[Run(Url, 32, 60)]),
    rule("flutterwave", "FLWPUBK_TEST-", &[Run(Url, 32, 60)]),
    rule("mollie", "live_", &[Run(Alnum, 30, 45)]),
    rule("gocardless", "live_", &[Run(Url, 40, 40)]),
    rule("plaid", "access-production-", UUID),
    rule("plaid", "access-sandbox-", UUID),
    rule("plaid", "access-development-", UUID),
    rule("easypost", "EZAK", &[Run(Alnum, 54, 54)]),
    rule("easypost", "EZTK", &[Run(Alnum, 54, 54)]),
    rule("shippo", "shippo_live_", &[Run(Hex, 40, 40)]),
    rule("shippo", "shippo_test_", &[Run(Hex, 40, 40)]),
    rule("duffel", "duffel_live_", &[Run(Url, 43, 43)]),
    rule("duffel", "duffel_test_", &[Run(Url, 43, 43)]),
    // Messages: Twilio, SendGrid, Mailgun, Brevo, Resend, Telegram, Discord, Intercom
    rule("twilio", "SK0", &[Run(Hex, 31, 31)]),
    rule("twilio", "SK1", &[Run(Hex, 31, 31)]),
    rule("twilio", "SK2", &[Run(Hex, 31, 31)]),
    rule("twilio", "SK3", &[Run(Hex, 31, 31)]),
    rule("twilio", "SK4", &[Run(Hex, 31, 31)]),
    rule("twilio", "SK5", &[Run(Hex, 31, 31)]),
    rule("twilio", "SK6", &[Run(Hex, 31, 31)]),
    rule("twilio", "SK7", &[Run(Hex, 31, 31)]),
    rule("twilio", "SK8", &[Run(Hex, 31, 31)]),
    rule("twilio", "SK9", &[Run(Hex, 31, 31)]),
    rule("twilio", "SKa", &[Run(Hex, 31, 31)]),
    rule("twilio", "SKb", &[Run(Hex, 31, 31)]),
    rule("twilio", "SKc", &[Run(Hex, 31, 31)]),
    rule("twilio", "SKd", &[Run(Hex, 31, 31)]),
    rule("twilio", "SKe", &[Run(Hex, 31, 31)]),
    rule("twilio", "SKf", &[Run(Hex, 31, 31)]),
    rule("sendgrid", "SG.", &[Run(Url, 20, 24), Text("."), Run(Url, 39, 50)]),
    rule("mailgun", "key-", &[Run(Hex, 32, 32)]),
    rule("mailgun", "pubkey-", &[Run(Hex, 32, 32)]),
    rule("brevo", "xkeysib-", &[Run(Hex, 64, 64), Text("-"), Run(Alnum, 16, 16)]),
    rule("brevo", "xsmtpsib-", &[Run(Hex, 64, 64), Text("-"), Run(Alnum, 16, 16)]),
    rule("resend", "re_", &[Run(Alnum, 8, 8), Text("_"), Run(Alnum, 24, 24)]),
    rule("discord-webhook", "discord.com/api/webhooks/", DISCORD).skipping(25),
    rule("discord-webhook", "discord.com/api/v6/webhooks/", DISCORD).skipping(28),
    rule("discord-webhook", "discord.com/api/v7/webhooks/", DISCORD).skipping(28),
    rule("discord-webhook", "discord.com/api/v8/webhooks/", DISCORD).skipping(28),
    rule("discord-webhook", "discord.com/api/v9/webhooks/", DISCORD).skipping(28),
    rule("discord-webhook", "discord.com/api/v10/webhooks/", DISCORD).skipping(29),
    rule("discord-webhook", "discordapp.com/api/webhooks/", DISCORD).skipping(28),
    rule("discord-webhook", "discordapp.com/api/v6/webhooks/", DISCORD).skipping(31),
    rule("discord-webhook", "discordapp.com/api/v7/webhooks/", DISCORD).skipping(31),
    rule("discord-webhook", "discordapp.com/api/v8/webhooks/", DISCORD).skipping(31),
    rule("discord-webhook", "discordapp.com/api/v9/webhooks/", DISCORD).skipping(31),
    rule("discord-webhook", "discordapp.com/api/v10/webhooks/", DISCORD).skipping(32),
    rule("discord", "mfa.", &[Run(Url, 84, 95)]),
    rule("telegram", "bot", &[Run(Digit, 8, 10), Text(":"), Run(Url, 35, 35)]).skipping(3),
    rule("intercom", "dG9rO", &[Run(Base64, 50, 60)]),
    // Models: OpenAI, Anthropic, Google, Groq, xAI, Perplexity, Replicate, Hugging Face, Pinecone, LangSmith and others
    rule("openai", "sk-proj-", &[Run(Url, 20, 250)]),
    rule("openai", "sk-svcacct-", &[Run(Url, 20, 250)]),
    rule("openai", "sk-service-", &[Run(Url, 20, 250)]),
    rule("openai", "sk-admin-", &[Run(Url, 20, 250)]),
    rule("openai", "sk-None-", &[Run(Url, 20, 250)]),
    rule("anthropic", "sk-ant-", &[Run(Url, 40, 250)]),
    rule("openrouter", "sk-or-v1-", &[Run(Hex, 64, 64)]),
    rule("langfuse", "sk-lf-", UUID),
    rule("openai", "sk-", &[Run(Alnum, 20, 64)]),
    rule("openai", "sess-", &[Run(Alnum, 40, 40)]),
    rule("groq", "gsk_", &[Run(Alnum, 40, 60)]),
    rule("xai", "xai-", &[Run(Alnum, 60, 100)]),
    rule("perplexity", "pplx-", &[Run(Alnum, 40, 60)]),
    rule("replicate", "r8_", &[Run(Alnum, 37, 40)]),
    rule("hugging-face", "hf_", &[Run(Alnum, 30, 40)]),
    rule("hugging-face", "api_org_", &[Run(Alnum, 30, 40)]),
    rule("fireworks", "fw_", &[Run(Alnum, 20, 40)]),
    rule("together", "tgp_v1_", &[Run(Url, 40, 60)]),
    rule("nvidia", "nvapi-", &[Run(Url, 60, 80)]),
    rule("pinecone", "pcsk_", &[Run(Word, 50, 90)]),
    rule("langsmith", "lsv2_pt_", &[Run(Hex, 32, 32), Text("_"), Run(Hex, 10, 10)]),
    rule("langsmith", "lsv2_sk_", &[Run(Hex, 32, 32), Text("_"), Run(Hex, 10, 10)]),
    rule("langsmith", "ls__", &[Run(Hex, 32, 32)]),
    rule("tavily", "tvly-", &[Run(Url, 32, 50)]),
    rule("firecrawl", "fc-", &[Run(Hex, 32, 32)]),
    rule("e2b", "e2b_", &[Run(Hex, 40, 40)]),
    rule("cerebras", "csk-", &[Run(Lower, 48, 48)]),
    rule("jina", "jina_", &[Run(Alnum, 60, 70)]),
    rule("brave-search", "BSA", &[Run(Alnum, 27, 28)]),
    rule("elevenlabs", "sk_", &[Run(Hex, 48, 48)]),
    rule("weights-and-biases", "wandb_v1_", &[Run(Url, 40, 120)]),
    rule("settlemint", "sm_aat_", &[Run(Url, 16, 16)]),
    rule("settlemint", "sm_pat_", &[Run(Url, 16, 16)]),
    rule("settlemint", "sm_sat_", &[Run(Url, 16, 16)]),
    // Packages: npm, PyPI, RubyGems, crates.io, NuGet, Clojars, Docker, JFrog, Buildkite, CircleCI, Octopus
    rule("npm", "npm_", &[Run(Alnum, 36, 36)]),
    rule("pypi", "pypi-AgEIcHlwaS5vcmc", &[Run(Url, 40, 1000)]),
    rule("pypi", "pypi-AgENdGVzdC5weXBpLm9yZw", &[Run(Url, 40, 1000)]),
    rule("rubygems", "rubygems_", &[Run(Hex, 48, 48)]),
    rule("crates-io", "cio", &[Run(Alnum, 32, 32)]),
    rule("nuget", "oy2", &[Run(Lower, 43, 43)]),
    rule("clojars", "CLOJARS_", &[Run(Lower, 60, 60)]),
    rule("docker", "dckr_pat_", &[Run(Url, 27, 40)]),
    rule("docker", "dckr_oat_", &[Run(Url, 27, 50)]),
    rule("jfrog", "AKCp", &[Run(Alnum, 60, 80)]),
    rule("jfrog", "cmVmd", &[Run(Alnum, 59, 59)]),
    rule("buildkite", "bkua_", &[Run(Hex, 40, 40)]),
    rule("circleci", "CCIPAT_", &[Run(Alnum, 22, 22), Text("_"), Run(Hex, 40, 40)]),
    rule("circleci", "CCIPRJ_", &[Run(Alnum, 22, 22), Text("_"), Run(Hex, 40, 40)]),
    rule("octopus", "API-", &[Run(Upper, 25, 32)]),
    rule("sourcegraph", "sgp_local_", &[Run(Hex, 40, 40)]),
    // Development: Linear, Notion, Asana, Airtable, Figma, Postman, Doppler, Pulumi, Prefect, Harness, Sonar, Sourcegraph and others
    rule("linear", "lin_api_", &[Run(Alnum, 40, 40)]),
    rule("linear", "lin_oauth_", &[Run(Alnum, 64, 64)]),
    rule("notion", "secret_", &[Run(Alnum, 43, 43)]),
    rule("notion", "ntn_", &[Run(Alnum, 40, 50)]),
    rule("airtable", "pat", &[Run(Word, 14, 14), Text("."), Run(Hex, 64, 64)]),
    rule("figma", "figd_", &[Run(Url, 40, 64)]),
    rule("figma", "figo_", &[Run(Url, 40, 64)]),
    rule("figma", "figoh_", &[Run(Url, 40, 64)]),
    rule("figma", "figoR_", &[Run(Url, 40, 64)]),
    rule("postman", "PMAK-", &[Run(Hex, 24, 24), Text("-"), Run(Hex, 34, 34)]),
    rule("postman", "PMAT-", &[Run(Alnum, 26, 26)]),
    rule("doppler", "dp.pt.", &[Run(Alnum, 40, 44)]),
    rule("doppler", "dp.st.", &[Run(Dotted, 40, 80)]),
    rule("doppler", "dp.sa.", &[Run(Alnum, 40, 44)]),
    rule("doppler", "dp.ct.", &[Run(Alnum, 40, 44)]),
    rule("doppler", "dp.scim.", &[Run(Alnum, 40, 44)]),
    rule("doppler", "dp.audit.", &[Run(Alnum, 40, 44)]),
    rule("pulumi", "pul-", &[Run(Hex, 40, 40)]),
    rule("infracost", "ico-", &[Run(Alnum, 32, 32)]),
    rule("prefect", "pnu_", &[Run(Alnum, 36, 36)]),
    rule("prefect", "pnb_", &[Run(Alnum, 36, 36)]),
    rule(
        "harness",
        "pat.",
        &[Run(Url, 22, 22), Text("."), Run(Alnum, 24, 24), Text("."), Run(Alnum, 20, 20)],
    ),
    rule(
        "harness",
        "sat.",
        &[Run(Url, 22, 22), Text("."), Run(Alnum, 24, 24), Text("."), Run(Alnum, 20, 20)],
    ),
    rule("sonar", "squ_", &[Run(Hex, 40, 40)]),
    rule("sonar", "sqp_", &[Run(Hex, 40, 40)]),
    rule("sonar", "sqa_", &[Run(Hex, 40, 40)]),
    rule("sourcegraph", "sgp_", &[Run(Hex, 16, 16), Text("_"), Run(Hex, 40, 40)]),
    rule("sourcegraph", "sgp_", &[Run(Hex, 40, 40)]),
    rule("sourcegraph", "sgd_", &[Run(Hex, 64, 64)]),
    rule("snyk", "snyk_uat.", &[Run(Alnum, 8, 8), Text("."), Run(Url, 60, 100)]),
    rule("semgrep", "sgp_", &[Run(Alnum, 64, 64)]),
    rule("contentful", "CFPAT-", &[Run(Url, 43, 43)]),
    rule("readme", "rdme_", &[Run(Lower, 70, 70)]),
    rule("typeform", "tfp_", &[Run(Dotted, 40, 70)]),
    rule("hubspot", "pat-na1-", UUID),
    rule("hubspot", "pat-na2-", UUID),
    rule("hubspot", "pat-eu1-", UUID),
    rule("hubspot", "pat-ap1-", UUID),
    rule("launchdarkly", "sdk-", UUID),
    rule("posthog", "phx_", &[Run(Alnum, 40, 60)]),
    rule("posthog", "phs_", &[Run(Alnum, 40, 60)]),
    rule("frame-io", "fio-u-", &[Run(Url, 64, 64)]),
    rule("adobe", "p8e-", &[Run(Alnum, 32, 32)]),
    rule("authress", "sc_", AUTHRESS),
    rule("authress", "ext_", AUTHRESS),
    rule("authress", "scauth_", AUTHRESS),
    rule("authress", "authress_", AUTHRESS),
    rule("intra42", "s-s4t2ud-", &[Run(Hex, 64, 64)]),
    rule("intra42", "s-s4t2af-", &[Run(Hex, 64, 64)]),
    rule("mapbox", "sk.eyJ", &[Run(Url, 60, 240), Text("."), Run(Url, 20, 30)]),
    rule("facebook", "EAAM", &[Run(Alnum, 100, 400)]),
    rule("facebook", "EAAC", &[Run(Alnum, 100, 400)]),
    rule("facebook", "EAAG", &[Run(Alnum, 100, 400)]),
    rule("facebook", "EAAB", &[Run(Alnum, 100, 400)]),
    rule("instagram", "IGQ", &[Run(Url, 100, 400)]),
    rule("twitter", "AAAAAAAAAAAAAAAAAAAAA", &[Run(Percent, 60, 120)]),
    rule("linkedin", "WPL_AP1.", &[Run(Alnum, 16, 16), Text("."), Run(Alnum, 8, 8), Text("==")]),
    rule("dropbox", "sl.", &[Run(Url, 120, 1200)]),
    rule("vk", "vk1.a.", &[Run(Url, 80, 250)]),
    rule("salesforce", "00D", &[Run(Alnum, 12, 15), Text("!"), Run(Dotted, 60, 140)]),
    // Data: Databricks, PlanetScale, ClickHouse, CockroachDB, Aiven, MongoDB, Neon, Elastic, Confluent
    rule("databricks", "dapi", &[Run(Hex, 32, 32), Text("-"), Run(Digit, 1, 2)]),
    rule("databricks", "dapi", &[Run(Hex, 32, 32)]),
    rule("databricks", "dose", &[Run(Hex, 32, 32)]),
    rule("planetscale", "pscale_tkn_", &[Run(Dotted, 32, 64)]),
    rule("planetscale", "pscale_oauth_", &[Run(Dotted, 32, 64)]),
    rule("planetscale", "pscale_pw_", &[Run(Dotted, 32, 64)]),
    rule("clickhouse", "4b1d", &[Run(Alnum, 38, 38)]),
    rule("cockroach", "CCDB1_", &[Run(Alnum, 22, 22), Text("_"), Run(Alnum, 40, 40)]),
    rule("aiven", "AVNS_", &[Run(Url, 15, 24)]),
    rule("mongodb", "mdb_sa_sk_", &[Run(Url, 40, 40)]),
    rule("neon", "napi_", &[Run(Alnum, 50, 70)]),
    rule("elastic", "essu_", &[Run(Base64, 60, 120)]),
    rule("confluent", "cflt", &[Run(Base64, 60, 60)]),
    // Monitoring: Datadog, New Relic, Sentry, Grafana, Dynatrace, Honeycomb, Axiom
    rule("datadog", "ddapp_", &[Run(Alnum, 34, 34)]),
    rule("datadog", "ddpat_", &[Run(Alnum, 30, 60)]),
    rule("new-relic", "NRAK-", &[Run(Upper, 27, 27)]),
    rule("new-relic", "eu01xx", &[Run(Hex, 30, 30), Text("NRAL")]),
    rule("new-relic", "gov01xx", &[Run(Hex, 29, 29), Text("NRAL")]),
    rule("new-relic", "NRAA-", &[Run(Alnum, 27, 27)]),
    rule("new-relic", "NRII-", &[Run(Url, 32, 32)]),
    rule("new-relic", "NRJS-", &[Run(Hex, 19, 19)]),
    rule("new-relic", "NRRA-", &[Run(Hex, 42, 42)]),
    rule("sentry", "sntrys_", &[Run(Base64, 60, 400)]),
    rule("sentry", "sntryu_", &[Run(Hex, 64, 64)]),
    rule("grafana", "glsa_", &[Run(Alnum, 32, 32), Text("_"), Run(HexAny, 8, 8)]),
    rule("grafana", "glc_", &[Run(Base64, 32, 400)]),
    rule("grafana", "eyJrIjoi", &[Run(Base64, 60, 400)]),
    rule("dynatrace", "dt0c01.", &[Run(Upper, 24, 24), Text("."), Run(Upper, 64, 64)]),
    rule("dynatrace", "dt0s01.", &[Run(Upper, 24, 24), Text("."), Run(Upper, 64, 64)]),
    rule("dynatrace", "dt0s16.", &[Run(Upper, 24, 24), Text("."), Run(Upper, 64, 64)]),
    rule("honeycomb", "hcaik_", &[Run(Lower, 58, 58)]),
    rule("honeycomb", "hcbik_", &[Run(Lower, 58, 58)]),
    rule("honeycomb", "hcalk_", &[Run(Lower, 58, 58)]),
    rule("axiom", "xaat-", UUID),
    rule("axiom", "xapt-", UUID),
    // Secrets and networks: Vault, Terraform, 1Password, age, Tailscale, OpenShift, Rancher
    rule("vault", "hvs.", &[Run(Url, 24, 160)]),
    rule("vault", "hvb.", &[Run(Url, 60, 400)]),
    rule("vault", "hvr.", &[Run(Url, 60, 400)]),
    rule("1password", "ops_eyJ", &[Run(Base64, 200, 1200)]),
    rule(
        "1password",
        "A3-",
        &[
            Run(Upper, 6, 6),
            Text("-"),
            Run(Upper, 6, 6),
            Text("-"),
            Run(Upper, 5, 5),
            Text("-"),
            Run(Upper, 5, 5),
            Text("-"),
            Run(Upper, 5, 5),
            Text("-"),
            Run(Upper, 5, 5),
        ],
    ),
    rule(
        "1password",
        "A3-",
        &[
            Run(Upper, 6, 6),
            Text("-"),
            Run(Upper, 11, 11),
            Text("-"),
            Run(Upper, 5, 5),
            Text("-"),
            Run(Upper, 5, 5),
            Text("-"),
            Run(Upper, 5, 5),
        ],
    ),
    rule("age", "AGE-SECRET-KEY-1", &[Run(Upper, 58, 58)]),
    rule("age", "AGE-SECRET-KEY-PQ-1", &[Run(Upper, 58, 120)]),
    rule("defined-networking", "dnkey-", &[Run(Lower, 26, 26), Text("-"), Run(Lower, 52, 52)]),
    rule("tailscale", "tskey-auth-", &[Run(Url, 20, 80)]),
    rule("tailscale", "tskey-api-", &[Run(Url, 20, 80)]),
    rule("tailscale", "tskey-client-", &[Run(Url, 20, 80)]),
    rule("tailscale", "tskey-scim-", &[Run(Url, 20, 80)]),
    rule("openshift", "sha256~", &[Run(Url, 43, 43)]),
    rule("rancher", "kubeconfig-user-", &[Run(Lower, 5, 12), Text(":"), Run(Lower, 54, 54)]),
];
