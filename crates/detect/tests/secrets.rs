//! Every kind of secret of `secret_kinds.txt`, in the places where people and programs write one.
//!
//! Each row gives an invented value of its shape, drawn from a seed. It must be found whole in every place; what people
//! write instead of a value must not be found in any.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "a test may panic")]

use cloakgate_detect::{Engine, Field};
use cloakgate_vocab::Category;

const KINDS: &str = include_str!("secret_kinds.txt");

/// A row of the table.
struct Kind {
    name: &'static str,
    /// Words of the key that announces the value; none when the value speaks for itself.
    words: Option<Vec<&'static str>>,
    form: &'static str,
}

fn kinds() -> Vec<Kind> {
    let rows = KINDS.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let mut columns = row.splitn(3, " | ");
        let mut next = || columns.next().unwrap();
        let (name, words, form) = (next(), next(), next());
        Kind { name, words: (words != "-").then(|| words.split(' ').collect()), form }
    })
    .collect()
}

struct Dice(u32);

impl Dice {
    fn draw(&mut self, letters: &[u8]) -> char {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(letters[(self.0 >> 16) as usize % letters.len()])
    }

    /// The form with its parts drawn.
    fn fill(&mut self, form: &str) -> String {
        let alphabet = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let mut out = String::new();
        let mut rest = form;
        while let Some((literal, part)) = rest.split_once('<') {
            out += literal;
            let (part, after) = part.split_once('>').unwrap();
            rest = after;
            let length: usize = part[1..].parse().unwrap();
            for at in 0..length {
                out.push(match &part[..1] {
                    "i" if matches!(at, 8 | 13 | 18 | 23) => '-',
                    "d" => self.draw(&alphabet[..10]),
                    "h" | "i" => self.draw(&alphabet[..16]),
                    "l" => self.draw(&alphabet[..36]),
                    "A" => {
                        self.draw(&alphabet[..10].iter().chain(&alphabet[36..]).copied().collect::<Vec<_>>())
                    }
                    "u" if at % 9 == 8 && at + 1 < length => self.draw(b"_-"),
                    _ => self.draw(alphabet),
                });
            }
        }
        out + rest
    }
}

/// Places of a value that speaks for itself.
const ALONE: [&str; 7] =
    ["V", "use V for it", "X=\"V\"", "{\"x\": \"V\"}", "x: V\ny: 1", "(see V).", "- V, then"];
/// Places of a value behind its key: `U` FOO_API_KEY, `S` foo_api_key, `C` fooApiKey, `K` foo-api-key, `W` foo api key.
const KEYED: [&str; 12] = [
    "U=V",
    "export U='V'",
    "S: V\nnext: 1",
    "{\"C\": \"V\", \"n\": 1}",
    "const C = 'V';",
    "X-K: V",
    "https://api.example.org/v1?S=V&x=1",
    "tool --K V --verbose",
    "tool --K=V",
    "our W is V",
    "the W: V.",
    "| S | V |",
];

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// The text of a place with a value, and where the value stands in it.
fn placed(place: &str, words: &[&str], value: &str) -> (String, usize) {
    let camel: String = words.iter().skip(1).map(|word| capital(word)).collect();
    let mut text = String::new();
    let mut at = 0;
    let mark = |before: Option<char>, after: Option<char>| {
        !before.is_some_and(|c| c.is_ascii_lowercase()) && !after.is_some_and(|c| c.is_ascii_alphabetic())
    };
    let letters: Vec<char> = place.chars().collect();
    for (index, letter) in letters.iter().enumerate() {
        let alone = mark(index.checked_sub(1).map(|before| letters[before]), letters.get(index + 1).copied());
        match letter {
            'V' if alone => {
                at = text.len();
                text += value;
            }
            'U' if alone => text += &words.join("_").to_uppercase(),
            'S' if alone => text += &words.join("_"),
            'C' if alone => text += &(words[0].to_owned() + &camel),
            'K' if alone => text += &words.join("-"),
            'W' if alone => text += &words.join(" "),
            _ => text.push(*letter),
        }
    }
    (text, at)
}

fn secrets(text: &str) -> Vec<(usize, usize)> {
    let findings = Engine::default().scan(&Field::text(text));
    let wanted = findings
        .iter()
        .filter(|finding| finding.category.is_secret() || finding.category == Category::Password);
    wanted.map(|finding| (finding.hull().start(), finding.hull().end())).collect()
}

#[test]
fn every_kind_is_found_whole_in_every_place() {
    let mut missed = Vec::new();
    for kind in kinds() {
        for seed in 0..4 {
            let drawn = Dice(seed * 7919 + kind.form.len() as u32).fill(kind.form);
            let mut parts = drawn.split('|');
            let parts: [&str; 3] = std::array::from_fn(|_| parts.next().unwrap_or(""));
            let [before, value, after] = if parts[1].is_empty() { ["", parts[0], ""] } else { parts };
            let value = value.replace('¦', "|");
            let whole = format!("{before}{value}{after}");
            let places = if kind.words.is_some() { &KEYED[..] } else { &ALONE[..] };
            for place in places {
                let (text, at) = placed(place, kind.words.as_deref().unwrap_or(&[]), &whole);
                let (start, end) = (at + before.len(), at + before.len() + value.len());
                if !secrets(&text)
                    .iter()
                    .any(|(from, to)| *from <= start && *to >= end && to - from < value.len() + 40)
                {
                    missed.push(format!("{}: {text}", kind.name));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn what_stands_for_a_value_is_none() {
    let mut found = Vec::new();
    let fillings = [
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "your-api-key-here",
        "<API_KEY>",
        "${VAR}",
        "process.env.X",
        "********",
        "REDACTED",
        "{{ value }}",
        "abc1",
        "os.environ['X']",
        "null",
    ];
    for words in kinds().iter().filter_map(|kind| kind.words.as_deref()) {
        for (place, filling) in
            KEYED.iter().flat_map(|place| fillings.iter().map(move |filling| (place, filling)))
        {
            let (text, _) = placed(place, words, filling);
            if !secrets(&text).is_empty() && words[words.len() - 1] != "password" {
                found.push(text);
            }
        }
    }
    assert!(found.is_empty(), "{} found:\n{}", found.len(), found.join("\n"));
}
