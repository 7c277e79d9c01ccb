use cloakgate_vocab::Span;
use proptest::prelude::{ProptestConfig, any, proptest};

use super::{Kind, NewEntry, Replaced, SessionError, TextSession};
use crate::text::Field;

fn name<'a>(kind: Kind, original: &'a str, identity: &'a str, shown: &'a str) -> NewEntry<'a> {
    NewEntry { kind, field: Field::Name, identity, shown, original, unique: true }
}

fn replaced(at: std::ops::Range<usize>, original: &str, field: Field, unique: bool) -> Replaced {
    Replaced { at: Span::sized(at.start, at.len()), original: original.to_owned(), field, unique }
}

fn session() -> TextSession {
    let mut session = TextSession::new([7; 32]);
    session.add(name(Kind::PERSON, "Alice Johnson", "alice johnson", "Yuki Tanaka")).unwrap();
    session.add(name(Kind::GIVEN, "Alice", "alice", "Yuki")).unwrap();
    session.add(name(Kind::FAMILY, "Johnson", "johnson", "Tanaka")).unwrap();
    let places =
        [replaced(0..11, "Alice Johnson", Field::Name, true), replaced(13..18, "34", Field::Age, false)];
    session.record("Yuki Tanaka, adult.\nNothing here.\n", &places).unwrap();
    session
}

#[test]
fn entries_are_found_by_identity_and_by_what_is_shown() {
    let session = session();
    assert_eq!(session.entry(&Kind::PERSON, "alice johnson").unwrap().shown.as_ref(), "Yuki Tanaka");
    assert!(session.entry(&Kind::GIVEN, "alice johnson").is_none());
    assert_eq!(session.shown_as("yuki  TANAKA").unwrap().original.expose(), "Alice Johnson");
    assert!(session.is_taken("TANAKA") && !session.is_taken("Tana"));
    assert_eq!((session.count(&Kind::GIVEN), session.count(&Kind::of("CARD"))), (1, 0));
}

#[test]
fn what_is_taken_is_refused() {
    let mut session = session();
    for again in [
        name(Kind::PERSON, "alice johnson", "alice johnson", "Mia Sato"),
        name(Kind::PERSON, "Bob Lee", "bob lee", "yuki tanaka"),
    ] {
        assert_eq!(session.add(again).unwrap_err(), SessionError::Taken);
    }
}

#[test]
fn choices_hang_on_key_domain_and_subject() {
    let (one, same, other) =
        (TextSession::new([1; 32]), TextSession::new([1; 32]), TextSession::new([2; 32]));
    let all = |session: &TextSession, domain: &str| -> Vec<usize> {
        (0..64).map(|n| session.choose(domain, &format!("subject {n}"), 1000)).collect()
    };
    assert_eq!(all(&one, "given"), all(&same, "given"));
    assert_ne!(all(&one, "given"), all(&other, "given"));
    assert_ne!(all(&one, "given"), all(&one, "family"));
    assert!(all(&one, "given").iter().all(|choice| *choice < 1000));
    assert_eq!(one.choose("given", "alice", 0), 0);
}

#[test]
fn places_must_lie_in_the_text() {
    for places in [
        vec![replaced(0..9, "x", Field::Name, true)],
        vec![replaced(2..4, "x", Field::Name, true), replaced(3..5, "y", Field::Name, true)],
        vec![replaced(1..2, "x", Field::Name, true)],
    ] {
        assert_eq!(TextSession::new([0; 32]).record("éabcd", &places), Err(SessionError::Places));
    }
}

#[test]
fn bytes_give_the_session_back() {
    let session = session();
    let bytes = session.to_bytes();
    let again = TextSession::from_bytes(&bytes).unwrap();
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!(again.entry(&Kind::FAMILY, "johnson").unwrap().shown.as_ref(), "Tanaka");
    assert_eq!((again.entries(), again.texts()), (3, 1));
    assert_eq!(again.originals().count(), 5);
}

#[test]
fn damaged_bytes_are_an_error_or_a_whole_session() {
    let bytes = session().to_bytes();
    assert_eq!(TextSession::from_bytes(&[9]).unwrap_err(), SessionError::Version(9));
    for end in 0..bytes.len() {
        assert!(TextSession::from_bytes(&bytes[..end]).is_err(), "{end}");
    }
    for (at, bit) in (33..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << bit;
        if let Ok(session) = TextSession::from_bytes(&changed) {
            assert!(session.originals().count() < 100);
        }
    }
    let mut longer = bytes;
    longer.push(0);
    assert_eq!(TextSession::from_bytes(&longer).unwrap_err(), SessionError::Damaged);
}

#[test]
fn a_forgotten_value_is_gone_and_its_stand_in_stays_taken() {
    let mut session = session();
    assert_eq!(session.forget("Carol"), 0);
    assert_eq!(session.forget("ALICE  Johnson"), 4);
    assert!(session.originals().all(|(_, original)| original.expose() == "34"));
    assert!(session.is_taken("Yuki Tanaka") && session.entry(&Kind::PERSON, "alice johnson").is_none());
    let bytes = session.to_bytes();
    assert!(!String::from_utf8_lossy(&bytes).contains("Alice"));
    assert_eq!(TextSession::from_bytes(&bytes).unwrap().to_bytes(), bytes);
}

#[test]
fn a_part_that_another_name_has_stays() {
    let mut session = session();
    session.add(name(Kind::PERSON, "Bob Johnson", "bob johnson", "Luca Tanaka")).unwrap();
    session.forget("Alice Johnson");
    assert!(session.entry(&Kind::FAMILY, "johnson").is_some());
    assert!(session.entry(&Kind::GIVEN, "alice").is_none());
}

#[test]
fn debug_shows_no_value() {
    let shown = format!("{:?} {:?}", session(), replaced(0..1, "Alice", Field::Name, true));
    assert!(!shown.contains("Alice") && !shown.contains("Tanaka"), "{shown}");
}

#[test]
fn limits_are_errors() {
    let mut session = TextSession::new([0; 32]);
    session.size = super::MAX_STATE_BYTES - 10;
    assert_eq!(session.record("x", &[]), Err(SessionError::Bytes));
    let new = name(Kind::PERSON, "Alice Johnson", "alice johnson", "Yuki Tanaka");
    assert_eq!(session.add(new).unwrap_err(), SessionError::Bytes);
    let mut session = TextSession::new([0; 32]);
    for number in 0..super::MAX_TEXTS {
        session.record(&number.to_string(), &[]).unwrap();
    }
    assert_eq!(session.record("x", &[]), Err(SessionError::Texts));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn any_bytes_are_read_without_a_panic(mut bytes: Vec<u8>, versioned in any::<bool>()) {
        if versioned && let Some(first) = bytes.first_mut() {
            *first = 1;
        }
        let read = TextSession::from_bytes(&bytes);
        assert!(read.is_err() || bytes.len() > 33);
    }
}
