use super::{Letters, read};
use crate::lists::Lists;

/// What is found, marked in the text.
fn marked(text: &str, lists: &Lists) -> String {
    let mut marked = text.to_owned();
    let mut mentions = read(text, Letters::Latin, lists);
    mentions.extend(read(text, Letters::Others, lists));
    mentions.sort_by_key(|mention| mention.span.start());
    for mention in mentions.into_iter().rev() {
        marked.insert(mention.span.end(), '»');
        marked.insert(mention.span.start(), '«');
    }
    marked
}

#[test]
fn names_are_found_and_other_words_are_not() {
    let lists = Lists::load().unwrap();
    for text in [
        "yesterday «Katarzyna Wiśniewska» wrote to «Jean-Luc Moreau».",
        "Dr. «Anna Lindqvist» and «P. J. Hartmann» agreed",
        "«Maria da Silva Santos», «Ludwig van der Berg», «Seán O'Brien»",
        "Sudac «Tomislav Horvatić» odbio je zahtjev",
        "«Иван Петрович Сидоров» и «А. С. Кузнецов» подписали",
        "Ο «Γιώργος Παπαδόπουλος» μίλησε",
        "\"«Lindqvist, Anna»\",12",
        "«Tomislav Horvatić» je rekao, a odluku «Horvatića» podupiru svi",
        "Earl Grey tea, a Dr. Martens boot, Harry Potter",
        "Guten Morgen Frau «Schneider»",
        "Open the Docker Compose file in Visual Studio",
        "JUAN MARTINEZ REPORT",
        "The John Hopkins University and Rua Maria Fernandes",
        "Mark Complete and Will Retry are buttons",
        "const userName = John.Smith(Maria_Lopez)",
        "Die Bundesregierung plant eine Erhöhung",
        "",
    ] {
        let plain = text.replace(['«', '»'], "");
        assert_eq!(marked(&plain, &lists), text);
    }
}
