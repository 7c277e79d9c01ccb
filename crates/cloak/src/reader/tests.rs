use cloakgate_vocab::{Category, Secret, Spelling, TokenId};

use super::{Verdict, read};
use crate::keys::SessionKeys;
use crate::token::{Look, write};

fn keys() -> SessionKeys {
    SessionKeys::derive(&Secret::new([7; 32]))
}

fn token() -> (TokenId, String) {
    let id = TokenId { category: Category::CreditCard, number: 12, spelling: Spelling::new(1) };
    let bare = write(id, &keys(), Look::Bare);
    (id, bare)
}

#[test]
fn mangled_tokens_are_read() {
    let (id, bare) = token();
    let check = bare.rsplit('_').next().unwrap();
    for (name, text, covered) in [
        ("as written", format!("to [{bare}] now"), format!("[{bare}]")),
        ("whole", format!("[{bare}]"), format!("[{bare}]")),
        ("bare", format!("to {bare}, now"), bare.clone()),
        ("lower case", format!("to [{}]", bare.to_lowercase()), format!("[{}]", bare.to_lowercase())),
        ("upper case", format!("[{}]!", bare.to_uppercase()), format!("[{}]", bare.to_uppercase())),
        ("bare lower case", format!("x {} y", bare.to_lowercase()), bare.to_lowercase()),
        (
            "Markdown escapes",
            format!(r"a \[CREDIT\_CARD\_12b\_{check}\] b"),
            format!(r"\[CREDIT\_CARD\_12b\_{check}\]"),
        ),
        ("percent", format!("a=%5B{bare}%5D&b"), format!("%5B{bare}%5D")),
        ("percent bare in a query", format!("q=a%20{bare}&b"), bare.clone()),
        ("entities", format!("<b>&#91;{bare}&#93;</b>"), format!("&#91;{bare}&#93;")),
        ("blanks inside", format!("a [ {bare} ] b"), format!("[ {bare} ]")),
        ("dashes", format!("[CREDIT-CARD-12b-{check}]"), format!("[CREDIT-CARD-12b-{check}]")),
        ("possessive", format!("[{bare}]'s card"), format!("[{bare}]")),
        ("plural", format!("the [{bare}]s"), format!("[{bare}]")),
        ("bare plural", format!("the {bare}s"), bare.clone()),
        ("path", format!("/home/{bare}/x.txt"), bare.clone()),
        ("host", format!("https://{bare}.example.org/"), bare.clone()),
        ("one bracket", format!("a [{bare} b"), bare.clone()),
        ("angle brackets in a sentence", format!("mail <{bare}> now"), bare.clone()),
        ("full-width brackets, all there is", format!("［{bare}］"), format!("［{bare}］")),
        ("typographic quotes", format!("“{bare}”"), bare.clone()),
        ("CJK stop", format!("https://x.example/{bare}。"), bare.clone()),
        ("CJK neighbours", format!("日本{bare}語"), bare.clone()),
        ("no-break space", format!("a\u{a0}{bare}\u{a0}b"), bare.clone()),
        ("other brackets, all there is", format!("<{bare}>"), format!("<{bare}>")),
        ("link", format!("[{bare}](mailto:{bare})"), format!("[{bare}]")),
    ] {
        let readings = read(&text, &keys());
        let first = readings.first().unwrap_or_else(|| panic!("{name}: nothing read in {text}"));
        assert_eq!(first.span.of(&text), Some(covered.as_str()), "{name}");
        assert_eq!(first.id, id, "{name}");
        assert_eq!(first.verdict, Verdict::Verified, "{name}");
    }
}

#[test]
fn dashes_do_not_cut_the_name_of_a_category() {
    let id = TokenId { category: Category::IpAddress, number: 3, spelling: Spelling::new(0) };
    let text = format!("[{}]", write(id, &keys(), Look::Bare).replace('_', "-"));
    let readings = read(&text, &keys());
    assert_eq!(readings.iter().map(|reading| reading.id).collect::<Vec<_>>(), [id], "{text}");
}

#[test]
fn tokens_are_read_across_soft_line_breaks() {
    let (id, bare) = token();
    for written in [format!("[{bare}]"), bare.clone(), bare.to_lowercase(), format!("%5B{bare}%5D")] {
        for cut in 1..written.len() {
            for line_end in ["=\n", "=\r\n", "=\n=\r\n"] {
                let (head, tail) = written.split_at(cut);
                let broken = format!("{head}{line_end}{tail}");
                // A break right at the name leaves the name whole, without its bracket.
                for text in [format!("x=\nto {broken}=\n now"), broken.clone()] {
                    let readings = read(&text, &keys());
                    assert_eq!(readings.len(), 1, "{text}");
                    assert_eq!(readings[0].span.of(&text), Some(broken.as_str()), "{text}");
                    assert_eq!((readings[0].id, readings[0].verdict), (id, Verdict::Verified), "{text}");
                    assert_eq!(readings[0].whole, text == broken, "{text}");
                }
                let other = read(&broken, &SessionKeys::derive(&Secret::new([8; 32])));
                assert_eq!(
                    other.len(),
                    usize::from(written != bare && written != bare.to_lowercase()),
                    "{broken}"
                );
            }
        }
    }
}

#[test]
fn line_ends_that_split_no_token_change_nothing() {
    let (id, bare) = token();
    for (text, count) in [
        (format!("a=\n[{bare}]=\nb"), 1),
        (format!("KEY=\n{bare}=\nOTHER=\n"), 1),
        (format!("{bare}=\n{bare}"), 2),
        (format!("[{bare}]=\n[{bare}]"), 2),
        ("CREDIT_CARD_12b=\n_abc".to_owned(), 0),
        ("PERSON_1=\nage".to_owned(), 0),
        ("x = \ny =\n".to_owned(), 0),
    ] {
        let readings = read(&text, &keys());
        assert_eq!(readings.len(), count, "{text}");
        assert!(readings.iter().all(|reading| reading.id == id && !reading.whole), "{text}");
    }
}

#[test]
fn two_tokens_in_one_bracket_are_two() {
    let (_, bare) = token();
    let text = format!("[{bare}, {bare}]");
    assert_eq!(read(&text, &keys()).len(), 2);
}

#[test]
fn names_that_only_resemble_tokens_are_text() {
    for text in [
        "PHONE_1",
        "EMAIL_0",
        "[EMAIL_0]",
        "arr[DATE_2]",
        "config[SECTION_1]",
        "person_1_age",
        "PERSON_1_AGE",
        "MY_EMAIL_0_k7q",
        "EMAIL_0_k7q_x",
        "EMAIL_0_k7qz",
        "EMAIL_00_k7q",
        "EMAIL_0_i7q",
        "EMAIL_0_k7",
        "[FOO_0_k7q]",
        "éEMAIL_0_k7q",
        "EMAIL_0_k7qé",
        "url-2-max",
        "EMAIL_99999999999_k7q",
        "_0_k7q",
        "-0-k7q",
    ] {
        assert_eq!(read(text, &keys()), [], "{text}");
    }
}

#[test]
fn tokens_of_other_sessions_fail_by_name() {
    let (id, bare) = token();
    let other = SessionKeys::derive(&Secret::new([8; 32]));
    for text in [format!("to [{bare}] now"), format!("to {bare} now"), format!("[{}]", bare.to_lowercase())] {
        let readings = read(&text, &other);
        assert_eq!(readings.len(), 1, "{text}");
        assert_eq!(readings[0].verdict, Verdict::Failing);
        assert_eq!(readings[0].id, id);
    }
    assert_eq!(read(&format!("to {} now", bare.to_lowercase()), &other), [], "bare lower case is text");
}

#[test]
fn a_checks_characters_depend_on_every_part_of_the_name() {
    let base = TokenId { category: Category::Email, number: 0, spelling: Spelling::new(0) };
    let checks: std::collections::HashSet<_> = [
        base,
        TokenId { number: 1, ..base },
        TokenId { spelling: Spelling::new(1), ..base },
        TokenId { category: Category::Person, ..base },
    ]
    .into_iter()
    .map(|id| keys().check(id))
    .collect();
    assert_eq!(checks.len(), 4);
}

proptest::proptest! {
    #[test]
    fn readings_are_ordered_and_in_range(text in "([\\[\\]_%5BDF\\\\ -]|EMAIL|0b?|k7q|é|=\r?\n){0,40}") {
        let mut end = 0;
        for reading in read(&text, &keys()) {
            assert!(reading.span.start() >= end && reading.span.of(&text).is_some());
            end = reading.span.end();
        }
    }
}
