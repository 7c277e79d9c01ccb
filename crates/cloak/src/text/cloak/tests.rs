use cloakgate_detect::{Engine, KnownKey, Settings};

use super::cloak;
use crate::find::Finder;
use crate::text::field::Field;
use crate::text::profile::{AgeOption, Extended, ExtendedOption, Marks, Profile, Reveal};
use crate::text::session::TextSession;
use crate::text::today::Today;
use crate::text::uncloak::{Access, Mode, uncloak, uncloak_for};

/// Cloaks a text in a session of its own and holds that it comes back.
#[track_caller]
pub(crate) fn cloaked(text: &str, profile: &Profile) -> String {
    let mut session = TextSession::new([7; 32]);
    in_session(text, profile, &mut session)
}

#[track_caller]
pub(crate) fn in_session(text: &str, profile: &Profile, session: &mut TextSession) -> String {
    let engine = Engine::new(Settings { categories: profile.categories() });
    let finder = Finder::new(engine, KnownKey::new([7; 16]));
    let today = Today::new(2026, 12, 1).expect("a day");
    let cloaked = cloak(text, profile, &finder, session, today).expect("it is cloaked").text;
    assert_eq!(cloaked.matches('\n').count(), text.matches('\n').count(), "{cloaked}");
    let back = uncloak(&cloaked, session, Mode::Strict);
    assert_eq!(back.text, text, "{cloaked}");
    cloaked
}

#[test]
fn values_are_numbered_and_nothing_else_changes() {
    let profile = Profile::default();
    for (text, expected) in [
        ("nothing here", "nothing here"),
        ("", ""),
        ("\n\r\n", "\n\r\n"),
        (
            "mail a@example.org or b@example.org, not A@example.org",
            "mail {{EMAIL}} or {{EMAIL_2}}, not {{EMAIL}}",
        ),
        ("Alice Johnson\nBob Smith\r\n\nCarol White\n", "{{NAME}}\n{{NAME_2}}\r\n\n{{NAME_3}}\n"),
        ("Release Notes\nGetting Started", "Release Notes\nGetting Started"),
        (r#"{"email":"a@example.org","n":1}"#, r#"{"email":"{{EMAIL}}","n":1}"#),
        (r#"{"phone":2025550143}"#, r#"{"phone":"{{PHONE}}"}"#),
        ("use {{EMAIL}} for a@example.org", "use {{EMAIL}} for {{EMAIL_2}}"),
    ] {
        assert_eq!(cloaked(text, &profile), expected);
    }
}

#[test]
fn keys_that_hold_values_are_replaced_and_stay_apart() {
    let masks = Extended { email: ExtendedOption::Mask, ..Extended::default() };
    let masked = Profile { extended: masks, ..Profile::default() };
    let plain = Profile::default();
    for (text, profile, expected) in [
        (
            r#"{"marie@example.eu":{"email":"marie@example.eu","n":1},"b@example.net":2,"email":"x"}"#,
            &plain,
            r#"{"{{EMAIL}}":{"email":"{{EMAIL}}","n":1},"{{EMAIL_2}}":2,"email":"x"}"#,
        ),
        (
            r#"{"a@example.net":1,"b@example.net":"c@example.net"}"#,
            &masked,
            r#"{"{{EMAIL}}":1,"{{EMAIL_2}}":"*****"}"#,
        ),
        (
            r#"{"note":"{\"a@example.net\":\"2024-02-03\"}","2024-02-03":1}"#,
            &plain,
            r#"{"note":"{\"{{EMAIL}}\":\"{{DATE}}\"}","2024-02-03":1}"#,
        ),
        (
            r#"{"Alice Johnson":{"full_name":"Alice Johnson"}}"#,
            &plain,
            r#"{"{{NAME}}":{"full_name":"{{NAME}}"}}"#,
        ),
        (
            r#"{"first_name":[1],"iban":[],"user.email":{}}"#,
            &plain,
            r#"{"first_name":[1],"iban":[],"user.email":{}}"#,
        ),
    ] {
        assert_eq!(cloaked(text, profile), expected);
    }
}

#[test]
fn marks_that_a_text_has_by_itself_stay_its_own() {
    let profile = Profile { age: AgeOption::Categories, marks: Marks::Visible, ..Profile::default() };
    let mut session = TextSession::new([7; 32]);
    let cloaked = in_session("See [A1] and \\[a2\\]. I am 34 years old.", &profile, &mut session);
    assert_eq!(cloaked, "See [A1] and \\[a2\\]. I am adult [A3].");
    let back = |text: &str, session: &TextSession| uncloak(text, session, Mode::Strict).text;
    assert_eq!(back("[A1], [a1], [A2], adult [A3]", &session), "[A1], [a1], [A2], 34 years old");
    assert_eq!(back("[A3]", &session), "34 years old");
    // A mark that was given comes back with a text that is cloaked again, and means what it meant.
    let engine = Engine::new(Settings { categories: profile.categories() });
    let finder = Finder::new(engine, KnownKey::new([7; 16]));
    let today = Today::new(2026, 12, 1).expect("a day");
    let text = "He is adult [A3], she is 41 years old.";
    let again = cloak(text, &profile, &finder, &mut session, today).expect("it is cloaked").text;
    assert_eq!(again, "He is adult [A3], she is adult [A4].");
    assert_eq!(back("[A4] [A3] [A1]", &session), "41 years old 34 years old [A1]");
}

#[test]
fn what_a_reader_may_not_see_stays_and_masks_fit_their_place() {
    let profile = Profile { age: AgeOption::Categories, marks: Marks::Visible, ..Profile::default() };
    let text =
        r#"{"phone":2025550143,"card":4111111111111111,"note":"I am 34 years old, a@example.org","n":1}"#;
    let mut session = TextSession::new([7; 32]);
    let cloaked = in_session(text, &profile, &mut session);
    let longer = cloaked.replace(r#""n":1"#, r#""n":2"#);
    let to = |fields: &[Field], reveal, text: &str| {
        let access = Access::to(fields.iter().copied(), reveal);
        let back = uncloak_for(access, text, &session, Mode::Lenient);
        let value: serde_json::Value = serde_json::from_str(&back.text).expect("it stays JSON");
        (value, back.masked, back.withheld, back.restored)
    };
    for text in [&cloaked, &longer] {
        let was: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let (back, masked, withheld, restored) = to(&[], Reveal::Plain, text);
        assert_eq!((&back, masked, withheld, restored), (&was, 0, 4, 0));
        let all = [Field::Phone, Field::Financial, Field::Age, Field::Email];
        let (back, masked, withheld, restored) = to(&all, Reveal::Masked, text);
        assert_eq!((masked, withheld, restored), (4, 0, 0), "{back}");
        assert_eq!((&back["phone"], &back["card"]), (&"*****".into(), &"****1111".into()));
        assert_eq!(back["note"], "I am *****, *****");
        let (back, masked, withheld, restored) = to(&[Field::Age], Reveal::Plain, text);
        assert_eq!((masked, withheld, restored), (0, 3, 1));
        assert!(
            back["note"].as_str().is_some_and(|note| note.starts_with("I am 34 years old, {{")),
            "{back}"
        );
    }
}

#[test]
fn live_stand_ins_pass() {
    let profile = Profile::default();
    let mut session = TextSession::new([7; 32]);
    assert_eq!(in_session("mail a@example.org", &profile, &mut session), "mail {{EMAIL}}");
    let engine = Engine::new(Settings { categories: profile.categories() });
    let finder = Finder::new(engine, KnownKey::new([7; 16]));
    let today = Today::new(2026, 12, 1).expect("a day");
    let again = cloak("mail {{EMAIL}}, b@example.org", &profile, &finder, &mut session, today);
    assert_eq!(again.expect("it is cloaked").text, "mail {{EMAIL}}, {{EMAIL_2}}");
}

#[test]
fn a_profile_may_refuse() {
    let mut profile = Profile::default();
    profile.extended.email = ExtendedOption::Block;
    let engine = Engine::new(Settings { categories: profile.categories() });
    let finder = Finder::new(engine, KnownKey::new([7; 16]));
    let today = Today::new(2026, 12, 1).expect("a day");
    let refused = cloak("mail a@example.org", &profile, &finder, &mut TextSession::new([7; 32]), today);
    let refused = refused.expect_err("blocked");
    assert!(refused.is_refusal() && !refused.to_string().contains("example.org"), "{refused}");
}
