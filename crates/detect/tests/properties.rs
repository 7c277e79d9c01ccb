//! What holds for every text: no panic, findings sorted, apart, in range and on character boundaries.

use cloakgate_detect::{
    CategorySet, Engine, Field, FieldKind, Hints, KnownKey, KnownValues, Reach, Settings, admit, canonical,
    is_cut,
};
use cloakgate_vocab::{Category, Finding};
use proptest::prelude::*;

fn check(text: &str, findings: &[Finding]) {
    let mut end = 0;
    for finding in findings {
        let hull = finding.hull();
        assert!(!hull.is_empty() && hull.start() >= end, "{findings:?}");
        end = hull.end();
        let mut piece_end = 0;
        for piece in &finding.pieces {
            assert!(
                !piece.is_empty() && piece.start() >= piece_end && piece.of(text).is_some(),
                "{findings:?}"
            );
            piece_end = piece.end();
        }
        assert!(finding.decoded.is_none() || finding.pieces.len() == 1);
    }
}

/// Texts made of what rules react to.
fn telling_text() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "name",
        "full_name",
        "email",
        "Password",
        "token",
        ":",
        "=",
        "\"",
        "'",
        " ",
        "  ",
        "\n",
        ",",
        "\t",
        "|",
        "<td>",
        "</td>",
        "@",
        "example.org",
        "://",
        "%40",
        "%",
        "&amp;",
        "&#64;",
        "=40",
        "=\n",
        "\\u00e9",
        "\\",
        " at ",
        " dot ",
        "Marie",
        "Dubois",
        "Dr.",
        "Herr",
        "dear",
        "regards",
        "wrote",
        "born",
        "12.3.1984",
        "4111 1111 1111 1111",
        "+33 6 12 34 56 78",
        "ｍ＠",
        "\u{200b}",
        "а",
        "陈凤兰",
        "生年月日",
        "：",
        "é",
        "[",
        "]",
        "(",
        "{",
        "--",
        "-----BEGIN",
        "PRIVATE KEY-----",
        "dGhpcyBpcyBtQHguZXUgb2s=",
        "INSERT INTO x (name, email) VALUES (",
        "COPY x (name, dob) FROM",
        "mysql -u r -p",
        "/user:",
        "define('DB_PASSWORD', '",
        "setPassword(\"",
        "\n  value: ",
        " ........ ",
        "PESEL#",
        "密码是",
        "비밀번호는 ",
        "SH-TQ-1",
        "ΑΒ 123456",
        "echo root:",
        " | chpasswd",
        " #12",
        "sku",
        "0",
        "9",
        "_",
        ".",
        "/",
    ]);
    prop::collection::vec(parts, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_scanned(text in any::<String>(), key in prop::option::of("[a-z_A-Z]{0,12}")) {
        let engine = Engine::new(Settings { categories: CategorySet::all() });
        for kind in [FieldKind::Text, FieldKind::Number, FieldKind::Key] {
            let field = Field { text: &text, kind, key: key.as_deref(), siblings: Hints::default(), within: None };
            check(&text, &engine.scan(&field));
        }
    }

    #[test]
    fn telling_texts_are_scanned(text in telling_text(), key in prop::sample::select(vec!["", "name", "password", "iban", "address"])) {
        let engine = Engine::new(Settings { categories: CategorySet::all() });
        let field = Field { text: &text, kind: FieldKind::Text, key: Some(key), siblings: Hints::of_keys(["email"].into_iter()), within: None };
        let findings = engine.scan(&field);
        check(&text, &findings);
        let again: Vec<_> = engine.scan(&field).iter().map(|f| (f.category, f.pieces.clone())).collect();
        prop_assert_eq!(again, findings.iter().map(|f| (f.category, f.pieces.clone())).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_admitted_is_found_again(value in any::<String>(), category in prop::sample::select(Category::all().collect::<Vec<_>>())) {
        let key = KnownKey::new([1; 16]);
        let mut known = KnownValues::new(key);
        drop(canonical(category, &value));
        if let Some(admitted) = admit(&key, category, &value, Some("key"), Reach::Everywhere) {
            known.insert(admitted);
            let text = format!("; {} ;", value.trim());
            let found = known.probe(&Field { key: Some("key"), ..Field::text(&text) }, None);
            check(&text, &found);
            prop_assert!(!found.is_empty());
        }
    }
}

/// Prose that ends in whatever way, with names among its words.
const PROSE: &[&str] = &[
    "We met Marie in the mar",
    "Marie and Will will do it, said Marie",
    "The contact at the office is Will",
    "Marie. Then the meeting began in June and we all will s",
    "from 1 to 44 and on 12 rue",
    "ask Jürgen, he has the",
    "a list: 2024, 4420, 12",
];

/// Known values, and how many characters of each tell at the end of a text.
const KNOWN: &[(Category, &str, usize)] = &[
    (Category::Person, "Marie Dubois", 7),
    (Category::Person, "Anne-Sophie de la Tour", 6),
    (Category::Person, "Jürgen Müller-Lüdenscheidt", 8),
    (Category::Person, "Νίκος Παπαδόπουλος", 7),
    (Category::Person, "Will Smith", 8),
    (Category::Person, "Seán O'Brien", 6),
    (Category::Person, "陈凤兰", 2),
    (Category::Email, "marie.dubois@example.eu", 7),
    (Category::Email, "marie@example.eu", 6),
    (Category::Email, "j.lenoir+shop@mail.example.org", 6),
    (Category::Email, "kowalczyk1984@example.org", 10),
    (Category::Username, "mdubois-84", 9),
    (Category::Phone, "+44 20 7946 0958", 11),
    (Category::Iban, "DE89 3704 0044 0532 0130 00", 14),
    (Category::ApiKey, "zq_9fK2mXv7LpT4wZc8NbY1sHd6JfG3aEu5KiO", 16),
    (Category::Address, "12 rue des Lilas, 69003 Lyon", 13),
];

/// The beginnings of a text, shortest first, that end in a letter or digit.
fn beginnings(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices()
        .filter_map(|(end, _)| text.get(..end))
        .filter(|cut| cut.ends_with(char::is_alphanumeric))
}

#[test]
fn a_known_value_is_found_wherever_the_end_of_a_text_cuts_it() {
    let key = KnownKey::new([1; 16]);
    let mut all = KnownValues::new(key);
    for (category, value, least) in KNOWN {
        let mut known = KnownValues::new(key);
        known.insert(admit(&key, *category, value, None, Reach::Everywhere).expect(value));
        all.insert(admit(&key, *category, value, None, Reach::Everywhere).expect(value));
        for cut in beginnings(value) {
            // Beginnings that are followed by something, and shorter ones, are nobody's.
            assert!(known.probe(&Field::text(&format!("{cut} then more")), None).is_empty(), "{cut}");
            if cut.chars().count() < *least {
                assert!(known.probe(&Field::text(cut), None).is_empty(), "{cut}");
                continue;
            }
            for before in ["", "so write to ", "{\"owner\":\"", "a\n", &"é long text. ".repeat(400)] {
                for after in ["", "\n", "...", "… [truncated]"] {
                    let text = format!("{before}{cut}{after}");
                    let found = known.probe(&Field::text(&text), None);
                    let last = found.last().unwrap_or_else(|| panic!("{cut} is not found"));
                    let start = before.len() + value.find(char::is_alphanumeric).unwrap_or(0);
                    assert_eq!((last.category, last.hull().start()), (*category, start), "{text}");
                    assert_eq!((last.hull().end(), is_cut(last)), (before.len() + cut.len(), true), "{text}");
                }
            }
        }
    }
    for cut in PROSE.iter().flat_map(|prose| beginnings(prose).chain([*prose])) {
        assert!(all.probe(&Field::text(cut), None).is_empty(), "{cut}");
    }
}

/// Texts that tempt rules to look too far; each must take time in proportion to its length.
#[test]
fn floods_stay_linear() {
    let engine = Engine::new(Settings { categories: CategorySet::all() });
    for unit in [
        "1",
        "1 ",
        "@",
        "a@",
        "[",
        "<",
        "\"",
        "'",
        "%",
        "%4",
        "&",
        "=\n",
        "password: ",
        "password ",
        "name=\"",
        "name,email\n",
        "-----BEGIN ",
        "://",
        "(202) ",
        "INSERT INTO x (name, email) VALUES ('",
        "COPY x (name, dob) FROM stdin;\n",
        "Dear Marie ",
        "é",
        "陈",
        "а",
        "--\n",
        "Marie <",
        "[1/1/26, 1:1] ",
        "mysql -p",
        "x",
        "dGhp",
        "4111 1111 1111 1111 ",
        "name: name: ",
        " dot ",
        "\\u0041",
        "ａ",
        "\"name\n,",
        "|name|\n",
    ] {
        let text = unit.repeat(200_000 / unit.len());
        check(&text, &engine.scan(&Field::text(&text)));
    }
}
