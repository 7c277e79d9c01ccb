//! Stand-ins and everyday words, one by one.

use super::marked::session;
use crate::text::uncloak::{Mode, uncloak};

#[test]
fn stand_ins_are_restored_wherever_they_stand_whole() {
    let (session, _) = session(
        "«Alice Johnson|@Yuki Tanaka», «Bob Johnson|@Luca Tanaka», «Carol Lee|@Ann Sato», «Luca|!Mia», «one|!PERSON_1», \
         «ten|!PERSON_10», «$5 & \\1 $0|!{{AMOUNT}}», «x@example.eu|!y@example.org», «4111111111111111|!****1111», \
         «山田太郎|!佐藤花子», «김민준|!이서연», «44|!30–44 years», «a \"b\"|!{{QUOTE}}», «42|!adult [A1]», «Lyon|!an area [L12]», «Müller|!Jiménez»",
    );
    for (name, back, expected) in [
        ("part of a word", "Annual Annabel Yukio", "Annual Annabel Yukio"),
        ("possessive", "Ann's and Yuki’s", "Carol's and Alice’s"),
        ("numbers", "PERSON_10, PERSON_1, PERSON_100, PERSON_1_2", "ten, one, PERSON_100, PERSON_1_2"),
        ("capitals", "YUKI TANAKA", "ALICE JOHNSON"),
        ("small", "yuki tanaka", "alice johnson"),
        ("family first", "TANAKA, Yuki", "JOHNSON, Alice"),
        ("blanks", "Yuki\u{a0}Tanaka, Yuki  Tanaka", "Alice Johnson, Alice Johnson"),
        ("over lines", "Yuki\nTanaka", "Alice\nJohnson"),
        ("emphasis", "**Yuki Tanaka**, **Yuki** _Tanaka_", "**Alice Johnson**, **Alice** _Johnson_"),
        ("inside a name", "Yuki-Marie and Anne-Yuki, Yuki-san", "Yuki-Marie and Anne-Yuki, Alice-san"),
        ("two names joined", "Tanaka-Sato", "Johnson-Lee"),
        ("never twice", "Mia met Luca", "Luca met Bob"),
        ("literal", "pay {{AMOUNT}}", "pay $5 & \\1 $0"),
        ("placeholder in small", "pay {{amount}} \\{\\{AMOUNT\\}\\}", "pay $5 & \\1 $0 $5 & \\1 $0"),
        ("in three braces", "{{{AMOUNT}}}", "{$5 & \\1 $0}"),
        ("address", "mailto:Y@EXAMPLE.ORG.", "mailto:X@EXAMPLE.EU."),
        ("longer address", "ay@example.org y@example.org.uk", "ay@example.org x@example.eu.uk"),
        ("stars", "****1111 *****1111 ****11112", "4111111111111111 *****1111 ****11112"),
        ("no blanks", "佐藤花子さん", "山田太郎さん"),
        ("particles", "이서연은 새이서연", "김민준은 새이서연"),
        ("hyphen", "30-44 years, 30\u{2011}44 YEARS", "44, 44"),
        ("longer number", "130–44 years, 1.30–44 years", "130–44 years, 1.30–44 years"),
        ("letters as escapes", "Jim\\u00e9nez", "Müller"),
        ("mark", "Adult [A1], **adult** \\[A1\\], adult[A1]", "42, **42**, 42"),
        ("mark alone", "age: [A1]; area [L12]; [A12]", "age: 42; area Lyon; [A12]"),
        ("JSON", "{\"a\": \"{{QUOTE}}\"}", "{\"a\": \"a \\\"b\\\"\"}"),
        ("no JSON", "{{QUOTE}}", "a \"b\""),
    ] {
        assert_eq!(uncloak(back, &session, Mode::Strict).text, expected, "{name}");
    }
}

#[test]
fn everyday_words_are_restored_where_it_is_certain_whose_they_are() {
    let record = "«Alice Johnson|@Yuki Tanaka», «34|adult», lives in «Lyon|France» and has «asthma|chronic illness».\n\
                  «Bob Marsh|@Luca Rossi», «41|adult», lives in «Paris|France» and has «flu|an infection».";
    let (session, text) = session(record);
    for (name, back, expected) in [
        (
            "unchanged",
            &*text,
            "Alice Johnson, 34, lives in Lyon and has asthma.\nBob Marsh, 41, lives in Paris and has flu.",
        ),
        ("another order", "From France: Luca, adult.", "From Paris: Bob, 41."),
        ("compound", "Yuki likes adult education.", "Alice likes adult education."),
        ("in general", "Yuki says every adult in Bonn knows.", "Alice says every adult in Bonn knows."),
        ("joined", "Yuki is pro-France and adult-only.", "Alice is pro-France and adult-only."),
        ("possessive", "Yuki likes France's south.", "Alice likes France's south."),
        ("next sentence", "I met Yuki. She is adult.", "I met Alice. She is 34."),
        ("about others", "I met Yuki. Most adults are in France.", "I met Alice. Most adults are in France."),
        ("general words", "I met Yuki. You should visit France.", "I met Alice. You should visit France."),
        ("two people", "Yuki met Luca in France.", "Alice met Bob in France."),
        (
            "two people, two parts",
            "Yuki is adult, and Luca lives in France.",
            "Alice is 34, and Bob lives in Paris.",
        ),
        (
            "brackets",
            "Yuki (adult, France) met Luca (adult, France).",
            "Alice (34, Lyon) met Bob (41, Paris).",
        ),
        ("side by side", "Yuki and Luca, adult, came.", "Alice and Bob, adult, came."),
        (
            "respectively",
            "Luca and Yuki live in France and France respectively.",
            "Bob and Alice live in Paris and Lyon respectively.",
        ),
        ("of others", "Yuki's brother is adult.", "Alice's brother is adult."),
        (
            "of others after",
            "Yuki came with her sister. She is adult.",
            "Alice came with her sister. She is adult.",
        ),
        ("the first is meant", "Yuki, the boss of Luca, is adult.", "Alice, the boss of Bob, is adult."),
        (
            "the first is meant, still",
            "Yuki is adult, Luca's driver, from France.",
            "Alice is 34, Bob's driver, from France.",
        ),
        ("what is theirs", "Yuki's age group is adult.", "Alice's age group is 34."),
        ("nobody", "The adult lives in France.", "The adult lives in France."),
        ("unknown of the person", "Yuki has an infection.", "Alice has an infection."),
        ("with its article", "Luca has an infection.", "Bob has flu."),
        ("without its article", "Luca: infection", "Bob: flu"),
        ("twice", "Yuki, adult, left France for France.", "Alice, adult, left France for France."),
        ("capital", "Adult and from France, Yuki came.", "34 and from Lyon, Alice came."),
    ] {
        assert_eq!(uncloak(back, &session, Mode::Lenient).text, expected, "{name}");
    }
    let back = "Yuki, adult, is from France.";
    let strict = uncloak(back, &session, Mode::Strict);
    assert_eq!((&*strict.text, strict.restored, strict.unresolved), ("Alice, adult, is from France.", 1, 2));
}

#[test]
fn what_was_forgotten_is_left() {
    let (mut session, text) =
        session("«Alice Johnson|@Yuki Tanaka», «34|adult», is here.\nAnd «Bob Marsh|@Luca Rossi».");
    session.forget("alice johnson");
    assert_eq!(uncloak(&text, &session, Mode::Lenient).text, "Yuki Tanaka, 34, is here.\nAnd Bob Marsh.");
    let changed = uncloak("So Yuki is here, and Luca.", &session, Mode::Lenient);
    assert_eq!((&*changed.text, changed.restored, changed.unresolved), ("So Yuki is here, and Bob.", 1, 1));
    session.forget("34");
    assert!(uncloak(&text, &session, Mode::Lenient).text.contains("adult"));
}

#[test]
fn words_that_the_text_had_by_itself_stay() {
    let record = "Yearly letter: adult classes are in France.\n«Alice Johnson|@Yuki Tanaka», «34|adult», lives in «Lyon|France».";
    let (session, _) = session(record);
    let back = "Yuki asks. Yearly letter: adult classes are in France. Yuki lives in France.";
    let expected = "Alice asks. Yearly letter: adult classes are in France. Alice lives in Lyon.";
    assert_eq!(uncloak(back, &session, Mode::Lenient).text, expected);
}

#[test]
fn nothing_and_strange_texts_come_back_as_they_are() {
    let (session, _) = session("«Alice Johnson|@Yuki Tanaka», «34|adult».");
    for text in ["", "\n", "\u{0}", "\\u00", "{\"a\": [}", "𝕏 \u{301}\u{feff}", "\r\n\r\n"] {
        for mode in [Mode::Strict, Mode::Lenient] {
            let came = uncloak(text, &session, mode);
            assert_eq!((&*came.text, came.restored, came.unresolved), (text, 0, 0), "{text:?}");
        }
    }
}
