use super::super::tests::{check_words, word_hits};
use super::{RULES, hash, may_begin};
use crate::recognise::vendor_table::{Alphabet, Part};
use cloakgate_vocab::Category::{ApiKey, AwsKey};

mod kinds;

/// An invented body of so many characters of the alphabet.
fn body(alphabet: Alphabet, length: u16, seed: u32) -> String {
    let all: Vec<char> = (b'0'..=b'z')
        .map(char::from)
        .filter(|character| character.is_ascii_alphanumeric() && alphabet.has(*character as u8))
        .collect();
    let mut state = 20_011 + seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        all[(state >> 16) as usize % all.len()]
    };
    (0..length).map(|_| next()).collect()
}

fn uuid(seed: u32) -> String {
    let groups = [8, 4, 4, 4, 12].map(|width| body(Alphabet::Hex, width, seed + u32::from(width)));
    groups.join("-")
}

fn sample(rule: &super::Rule, extra: u16) -> String {
    let mut text = rule.head.to_owned();
    for (seed, part) in (0..).zip(rule.parts) {
        match part {
            Part::Text(literal) => text.push_str(literal),
            Part::Uuid => text.push_str(&uuid(seed)),
            Part::Run(alphabet, shortest, _) => text.push_str(&body(*alphabet, shortest + extra, seed)),
        }
    }
    text
}

#[test]
fn every_form_is_found_whole() {
    for rule in RULES {
        let secret = sample(rule, 0);
        for (left, right) in [("", ""), ("key=", ";"), ("\"", "\","), ("é", "é"), ("(", ").")] {
            let text = format!("{left}{secret}{right}");
            let found: Vec<_> = word_hits(&text)
                .into_iter()
                .filter(|hit| hit.category == rule.category)
                .map(|hit| hit.span.of(&text).unwrap().to_owned())
                .collect();
            assert!(
                found.iter().any(|value| Some(value.as_str()) == secret.get(usize::from(rule.skipped)..)),
                "{} in {text}: {found:?}",
                rule.vendor
            );
        }
    }
}

#[test]
fn short_and_embedded_forms_are_none() {
    for rule in RULES {
        if let [Part::Run(alphabet, shortest, _)] = rule.parts {
            let near = format!("{}{}", rule.head, body(*alphabet, shortest - 1, 0));
            let same = RULES.iter().filter(|other| near.starts_with(other.head)).count();
            if same == 1 {
                assert!(word_hits(&near).iter().all(|hit| hit.detector.0 != rule.vendor), "{near}");
            }
        }
        let embedded = format!("x{}", sample(rule, 0));
        assert!(word_hits(&embedded).iter().all(|hit| hit.span.start() != 1), "{embedded}");
    }
}

#[test]
fn the_filter_knows_every_head_and_little_else() {
    assert!(RULES.iter().all(|rule| rule.head.len() >= 3));
    assert!(RULES.iter().all(|rule| may_begin([
        rule.head.as_bytes()[0],
        rule.head.as_bytes()[1],
        rule.head.as_bytes()[2]
    ])));
    let letters = b'a'..=b'z';
    let passed = letters
        .clone()
        .flat_map(|a| letters.clone().map(move |b| (a, b)))
        .flat_map(|(a, b)| letters.clone().map(move |c| [a, b, c]));
    let share = passed.filter(|bytes| may_begin(*bytes)).count();
    assert!(share < 26 * 26 * 26 / 40, "{share}");
    assert!(hash([255, 255, 255]) < 256 * 64);
}

#[test]
fn secrets_in_text() {
    check_words(
        AwsKey,
        &[
            "id AKIA: «AK¦IAS6N6LPAAX3EJOOC3» (rotate)",
            "«AK¦IAIOSFODNN7EXAMPLE»".replace("EXAMPLE", "INVENTE").as_str(),
            "AK¦IAS6N6LPAAX3EJOOC",
            "AK¦IAS6N6LPAAX3EJOOC33",
            "AK¦IAs6n6lpaax3ejooc3",
        ],
    );
    check_words(
        ApiKey,
        &[
            "«gh¦p_1dtmAz4JpoKZ01L7D4YbQLefB51VWQmjdF0H», do not",
            "https://«gh¦p_1dtmAz4JpoKZ01L7D4YbQLefB51VWQmjdF0H»@github.com",
            "«gl¦pat-SrSTAulJuaRfvSBdfdwP»\"",
            "«SK8dc8e3¦b66b43ea976bcd5d455a09dd3c»",
            "AC8dc8¦e3b66b43ea976bcd5d455a09dd3c",
            "«3731862954:¦AAmrwPO-RdLBaABpmch3q0V657PXaWfxv4n»",
            "bot«3731862954:¦AAmrwPO-RdLBaABpmch3q0V657PXaWfxv4n»/send",
            "Account¦Key=«M3J7Ugj7lom9bBR5PexDqUWgNP08ujAG5sD+gSPccoYXMq3XH0yuDbfhVfo47E/DUBvGku500L7PieqcjDnd3w==»;Endpoint",
            "https://hooks.slack.com/¦services/«T02INVENT/B03INVENT9/aB3dE5fG7hI9jK1lM3nO5pQ7»",
            "«SG¦.PGdlsDSGFUvu4XUzbZY0Yo.Q9zmQchSVPZWTUkfehBheLRSO9yF0UFcAfYJ7RjsS-_»",
        ],
    );
}

#[test]
fn placeholders_and_names_are_none() {
    check_words(
        ApiKey,
        &[
            "sk-learn",
            "sk-learn-contrib-package",
            "ghp_example",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "xoxb-your-token-here-please-now",
            "sk_test_xxxxxxxxxxxxxxxx is",
            "npm_package_config_registry_and_more_words",
            "AIzaYOUR_API_KEY_HERE_PLEASE_REPLACE_IT_",
            "hf_transformers_model_cache_directory",
            "dapi_function",
            "live_streaming",
            "key-value-store",
            "pat.match.case",
            "SG.Main.View",
            "sig=left",
            "sk-proj-YOUR_KEY_GOES_HERE_0123456789_abcdefghijk",
            "https://hooks.slack.com/¦services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
            "1731862954:5",
            "glpat-",
            "pypi-AgEIcHlwaS5vcmc",
        ],
    );
}
