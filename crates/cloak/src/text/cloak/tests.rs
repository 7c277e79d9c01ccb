use cloakgate_detect::{Engine, KnownKey, Settings};

use super::cloak;
use crate::find::Finder;
use crate::text::profile::{ExtendedOption, Profile};
use crate::text::session::TextSession;
use crate::text::today::Today;
use crate::text::uncloak::{Mode, uncloak};

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
