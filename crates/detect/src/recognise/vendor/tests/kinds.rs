//! The kinds that users know by the name of the vendor, tested apart from the table of forms.

use super::super::super::plausible_secret;
use super::super::super::tests::word_hits;
use super::super::super::vendor_table::Alphabet;
use super::{body, uuid};

/// What each vendor issues, written down apart from the table: `<w36>` is a part of 36 invented characters, `<w36-40>`
/// of 36 to 40. Alphabets: `d` digits, `h` hex digits, `A` capitals and digits, `w` letters
/// and digits, `u` base64url, `i` an identifier. The secret begins behind `|`. Forms end with `~`
/// where issued lengths vary more than the bounds given here; one third of such a form is the near miss.
const KINDS: &[(&str, &[&str])] = &[
    ("aws", &["AKIA<A16>", "ASIA<A16>"]),
    ("aws-bedrock", &["ABSK<w109-269>~"]),
    (
        "github",
        &["ghp_<w36>~", "gho_<w36>~", "ghu_<w36>~", "ghs_<w36>~", "ghr_<w36>~", "github_pat_<w22>_<w59>"],
    ),
    (
        "gitlab",
        &["glpat-<u20>~", "gldt-<u20>~", "glrt-<u20>~", "glptt-<u40>", "glcbt-<w20>~", "GR1348941<u20>"],
    ),
    ("slack", &["xoxb-<d12>-<d12>-<w24>~", "xoxp-<d12>-<d12>-<d12>-<h32>~", "xapp-1-<A11>-<d13>-<h64>~"]),
    ("slack-webhook", &["hooks.slack.com/services/|T<A10>/B<A10>/<w24>~"]),
    ("google", &["AIza<w35>", "GOCSPX-<w28>", "ya29.<w60-400>~"]),
    ("azure-storage", &["AccountKey=|<w86>=="]),
    ("azure-client-secret", &["<w3>8Q~<w31-34>"]),
    ("teams-webhook", &["example.webhook.office.com/webhookb2/|<i>@<i>/IncomingWebhook/<h32>/<i>"]),
    ("stripe", &["sk_live_<w24-99>~", "sk_test_<w24>~", "rk_live_<w24>~", "whsec_<w32>~"]),
    ("square", &["sq0atp-<w22>", "sq0csp-<w43>", "EAAA<w60>"]),
    ("shopify", &["shpat_<h32>", "shpca_<h32>", "shppa_<h32>", "shpss_<h32>"]),
    ("twilio", &["SK<h32>"]),
    ("sendgrid", &["SG.<w22>.<w43>~"]),
    ("mailgun", &["key-<h32>", "pubkey-<h32>", "<h32>-<h8>-<h8>"]),
    ("openai", &["sk-<w48>~", "sk-proj-<u48-156>~", "sk-svcacct-<u48>~", "sk-admin-<u48>~"]),
    ("anthropic", &["sk-ant-api03-<w93>~", "sk-ant-admin01-<w93>~"]),
    ("hugging-face", &["hf_<w34>~", "api_org_<w34>~"]),
    ("npm", &["npm_<w36>"]),
    ("pypi", &["pypi-AgEIcHlwaS5vcmc<u50-1000>~"]),
    ("docker", &["dckr_pat_<w27>~", "dckr_oat_<w32>~"]),
    ("digitalocean", &["dop_v1_<h64>", "doo_v1_<h64>", "dor_v1_<h64>"]),
    ("heroku", &["HRKU-AA<w58>~", "HRKU-<i>~"]),
    ("cloudflare", &["v1.0-<h24>-<h146>", "cfut_<w48>~", "cfat_<w48>~", "cfk_<w48>~"]),
    ("datadog", &["ddapp_<w34>"]),
    ("new-relic", &["<h36>NRAL", "eu01xx<h30>NRAL", "NRAK-<A27>", "NRII-<w32>", "NRJS-<h19>"]),
    ("sentry", &["sntrys_eyJpYXQiO<w80>=_<w43>~", "sntryu_<h64>"]),
    ("grafana", &["glc_<w32-400>~", "glsa_<w32>_<h8>", "eyJrIjoi<w70-400>~"]),
    ("telegram", &["<d10>:<w35>"]),
    (
        "discord",
        &["MTIzNDU2Nzg5MDEyMzQ1Njc4.<w6>.<w27-38>", "OTg3NjU0MzIxMDk4NzY1NDMyMQ.<w6>.<w30>~", "mfa.<w84>~"],
    ),
    (
        "discord-webhook",
        &[
            "discord.com/api/webhooks/|<d19>/<w68>~",
            "canary.discord.com/api/v10/webhooks/|<d19>/<w68>~",
            "discordapp.com/api/webhooks/|<d18>/<w68>~",
        ],
    ),
    ("notion", &["ntn_<d11><w35>~", "secret_<w43>"]),
    ("linear", &["lin_api_<w40>", "lin_oauth_<w64>"]),
    ("atlassian", &["ATATT3<w180>=<A8>~", "ATCTT3<w180>=<A8>~"]),
    ("databricks", &["dapi<h32>", "dapi<h32>-2~"]),
    ("vault", &["hvs.<w24-120>~", "hvb.<w138-300>~"]),
    ("terraform", &["<w14>.atlasv1.<w60-70>"]),
    (
        "doppler",
        &[
            "dp.pt.<w43>~",
            "dp.st.dev_eu.<w43>~",
            "dp.sa.<w43>~",
            "dp.ct.<w43>~",
            "dp.scim.<w43>~",
            "dp.audit.<w43>~",
        ],
    ),
    ("maxmind", &["<w6>_<w29>_mmk"]),
];

/// How long the parts of an instance are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Size {
    Shortest,
    Longest,
    /// The last part is one character too short.
    TooShort,
    /// The last part is one character too long.
    TooLong,
}

/// A variable part of a form.
struct Part {
    alphabet: Alphabet,
    shortest: u16,
    longest: u16,
    /// An identifier in groups, whatever the rest says.
    identifier: bool,
}

impl Part {
    fn parse(part: &str) -> Self {
        let (alphabet, length) = part.split_at(1);
        let (shortest, longest) = length.split_once('-').unwrap_or((length, length));
        Self {
            alphabet: match alphabet {
                "d" => Alphabet::Digit,
                "h" => Alphabet::Hex,
                "A" => Alphabet::Upper,
                "u" => Alphabet::Url,
                _ => Alphabet::Alnum,
            },
            shortest: shortest.parse().unwrap_or(36),
            longest: longest.parse().unwrap_or(36),
            identifier: alphabet == "i",
        }
    }

    fn fill(&self, size: Size, last: bool, seed: u32) -> String {
        let length = match size {
            Size::TooShort if last => self.shortest - 1,
            Size::TooLong if last => self.longest + 1,
            Size::Shortest | Size::TooShort => self.shortest,
            Size::Longest | Size::TooLong => self.longest,
        };
        if !self.identifier {
            return body(self.alphabet, length, seed);
        }
        let longer = uuid(seed) + "1";
        longer.split_at(usize::from(length)).0.to_owned()
    }
}

/// What announces the secret of a form of [`KINDS`], and the secret.
fn instance(form: &str, size: Size, seed: u32) -> (String, String) {
    let form = form.trim_end_matches('~');
    let (announced, mut rest) = form.split_once('|').unwrap_or(("", form));
    let mut secret = String::new();
    while let Some((literal, part)) = rest.split_once('<') {
        let (part, after) = part.split_once('>').unwrap();
        secret.push_str(literal);
        let seed = seed + secret.len() as u32;
        secret.push_str(&Part::parse(part).fill(size, !after.contains('<'), seed));
        rest = after;
    }
    (announced.to_owned(), secret + rest)
}

/// The secrets that a vendor's recognisers find in a text.
fn secrets(vendor: &str, text: &str) -> Vec<String> {
    let hits = word_hits(text).into_iter().filter(|hit| hit.detector.0 == vendor);
    hits.map(|hit| hit.span.of(text).unwrap().to_owned()).collect()
}

fn forms() -> impl Iterator<Item = (&'static str, &'static str)> {
    KINDS.iter().flat_map(|(vendor, forms)| forms.iter().map(|form| (*vendor, *form)))
}

#[test]
fn every_kind_is_found_whole_in_text() {
    for (vendor, form) in forms() {
        for seed in 0..20 {
            let size = if seed % 2 == 0 { Size::Shortest } else { Size::Longest };
            let (announced, secret) = instance(form, size, seed);
            for (left, right) in [("", ""), ("key=", ";"), ("\"", "\","), ("用", "用"), ("(", ").")] {
                let text = format!("{left}{announced}{secret}{right}");
                assert_eq!(secrets(vendor, &text), [secret.as_str()], "{form} in {text}");
            }
        }
    }
}

#[test]
fn near_misses_of_every_kind_are_none() {
    for (vendor, form) in forms() {
        let near = if form.ends_with('~') {
            let (announced, secret) = instance(form, Size::Shortest, 1);
            vec![announced + secret.split_at(secret.len() / 3).0]
        } else {
            [Size::TooShort, Size::TooLong].map(|size| instance(form, size, 1)).map(|(a, s)| a + &s).to_vec()
        };
        for near in near {
            assert_eq!(secrets(vendor, &near), [""; 0], "{form} as {near}");
        }
    }
}

#[test]
fn kinds_inside_longer_words_are_none() {
    for (vendor, form) in forms() {
        let (announced, secret) = instance(form, Size::Longest, 2);
        let mut embedded = vec![];
        if announced.is_empty() {
            embedded.push(format!("x{secret}"));
        }
        if !form.ends_with('~') {
            embedded.push(format!("{announced}{secret}x"));
        }
        for text in embedded {
            assert_eq!(secrets(vendor, &text), [""; 0], "{form} in {text}");
        }
    }
}

#[test]
fn fillings_of_every_kind_are_none() {
    for (vendor, form) in forms() {
        // keys of AWS are found even when they say that they are examples
        if vendor == "aws" {
            continue;
        }
        let parts = form.split('<').skip(1).filter_map(|part| part.split_once('>')).map(|(part, _)| part);
        let Some(part) = parts.filter(|part| *part != "i").max_by_key(|part| Part::parse(part).shortest)
        else {
            continue;
        };
        let filling = "x".repeat(usize::from(Part::parse(part).shortest));
        let (announced, secret) =
            instance(&form.replacen(&format!("<{part}>"), &filling, 1), Size::Shortest, 3);
        let text = announced + &secret;
        assert_eq!(secrets(vendor, &text), [""; 0], "{form} as {text}");
    }
}

#[test]
fn secrets_without_a_mark_are_plausible_beside_a_key() {
    // Datadog, Cloudflare, Heroku, Twilio, Sentry, Vault, Mailgun and others: the key word is the core's task
    for seed in 0..50 {
        for secret in [
            body(Alphabet::Hex, 32, seed),
            body(Alphabet::Hex, 37, seed),
            body(Alphabet::Hex, 40, seed),
            body(Alphabet::Hex, 64, seed),
            body(Alphabet::Url, 40, seed),
            body(Alphabet::Alnum, 32, seed),
            body(Alphabet::Upper, 26, seed),
            uuid(seed),
            uuid(seed).to_uppercase(),
        ] {
            assert!(plausible_secret(&secret), "{secret}");
        }
    }
}
