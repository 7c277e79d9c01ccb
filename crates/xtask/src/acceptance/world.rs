//! The folder that the sessions work in: planted files, what is planted in them, and how they must end.
//!
//! In: a folder. Out: files in it, and a copy of its contents for comparison.
//! Invariant: every value is invented and from ranges kept for tests.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

/// The lower-case spelling, which file names and the second line of the note use.
pub(super) const EMAIL: &str = "marie.dubois@example.eu";
/// The same address in capitals, which stands before it in the note.
pub(super) const EMAIL_CAPITALS: &str = "MARIE.DUBOIS@EXAMPLE.EU";
pub(super) const PHONE: &str = "+33 6 39 98 12 34";
pub(super) const IBAN: &str = "DE89 3704 0044 0532 0130 00";
pub(super) const CARD: &str = "4111 1111 1111 1111";
pub(super) const PERSON: &str = "Amélie Laurent";
pub(super) const PERSON_CAPITALS: &str = "AMÉLIE LAURENT";
pub(super) const SECOND_EMAIL: &str = "amelie.laurent@example.org";
pub(super) const SECOND_IBAN: &str = "DE02120300000000202051";
pub(super) const KEY_FILE: &str = "deploy/server key.txt";
pub(super) const KEY_REPLACED: &str = "(moved to the key store)";

const KEY_LINES: usize = 5;
const KEY_LINE_LENGTH: usize = 64;

/// Contents of a folder: path below it to bytes; a folder ends in `/` and holds nothing.
pub(super) type Tree = BTreeMap<String, Vec<u8>>;

/// A text that a token may stand for.
#[derive(Clone, Debug)]
pub(super) struct Planted {
    /// Exact characters.
    pub(super) text: String,
    /// Category that its token must name.
    pub(super) category: &'static str,
    /// Equal for spellings of one value.
    pub(super) identity: usize,
    /// Whether it must not reach the client. The armour lines of a key say nothing by themselves.
    pub(super) hidden: bool,
}

/// Everything planted.
pub(super) fn planted() -> Vec<Planted> {
    let values = [
        ("EMAIL", EMAIL, 0),
        ("EMAIL", EMAIL_CAPITALS, 0),
        // The file name's ending may count as part of the address.
        ("EMAIL", "marie.dubois@example.eu.txt", 1),
        ("EMAIL", "marie.dubois@example.eu.md", 2),
        ("PHONE", PHONE, 3),
        ("IBAN", IBAN, 4),
        ("CREDIT_CARD", CARD, 5),
        ("PERSON", PERSON, 6),
        ("PERSON", PERSON_CAPITALS, 6),
        ("EMAIL", SECOND_EMAIL, 7),
        ("DATE_OF_BIRTH", "1984-03-12", 8),
        ("IBAN", SECOND_IBAN, 9),
        ("PERSON", "Jonas Weber", 10),
        ("EMAIL", "jonas.weber@example.com", 11),
        ("PHONE", "+49 30 23125 014", 12),
        ("PERSON", "Ana Sousa Lima", 13),
        ("EMAIL", "ana.lima@example.com", 14),
        ("PHONE", "+44 20 7946 0958", 15),
    ];
    let mut planted: Vec<Planted> = values
        .into_iter()
        .map(|(category, text, identity)| Planted { text: text.to_owned(), category, identity, hidden: true })
        .collect();
    for (line, text) in key().lines().enumerate() {
        let hidden = !text.starts_with("-----");
        planted.push(Planted {
            text: text.to_owned(),
            category: "PRIVATE_KEY",
            identity: 100 + line,
            hidden,
        });
    }
    planted
}

/// An invented private key in its armour: the right shape, no key.
pub(super) fn key() -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut state = 20_261_130u64;
    let mut key = String::from("-----BEGIN PRIVATE KEY-----\n");
    for line in 0..KEY_LINES {
        let prefix = if line == 0 { "MIIE" } else { "" };
        key.push_str(prefix);
        for _ in prefix.len()..KEY_LINE_LENGTH {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let index = usize::try_from(state >> 58).unwrap_or_default();
            key.push(char::from(ALPHABET.get(index).copied().unwrap_or(b'A')));
        }
        key.push('\n');
    }
    key.push_str("-----END PRIVATE KEY-----\n");
    key
}

/// The folder as the sessions find it.
pub(super) fn at_start() -> Tree {
    let numbered: String =
        (KEY_LINES + 3..KEY_LINES + 8).map(|line| format!("{line}: step {line}\n")).collect();
    tree(&[
        (
            "customer note.txt",
            &format!(
                "Customer note\nInvoices go to {EMAIL_CAPITALS} as printed on the contract.\n\
                 Reminders go to {EMAIL}\nCall {PHONE} after ten.\nRefund by transfer: {IBAN}\nCard on file: {CARD}\n"
            ),
        ),
        (&format!("letter to {EMAIL}.txt"), "Your order has left the house.\n"),
        (
            "customers.json",
            "{\n  \"customers\": [\n    {\n      \"id\": 4711,\n      \"full_name\": \"Amélie Laurent\",\n      \
             \"email\": \"amelie.laurent@example.org\",\n      \"dob\": \"1984-03-12\",\n      \
             \"iban\": \"DE02120300000000202051\",\n      \"balance\": 1.10,\n      \"limit\": 1e400,\n      \
             \"ref\": 123456789012345678901234567890\n    }\n  ]\n}\n",
        ),
        (
            "contacts.csv",
            "full_name,email,phone,plan\nJonas Weber,jonas.weber@example.com,+49 30 23125 014,basic\n\
             Ana Sousa Lima,ana.lima@example.com,+44 20 7946 0958,plus\n",
        ),
        ("minutes.txt", &format!("Present were {PERSON_CAPITALS} and two guests.\n{PERSON} wants a copy.\n")),
        (
            "build.log",
            "build 20261130.4 of commit 9fceb02d0ae598e95dc970b74767f19372d61af8\n\
             request 6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b took 12:34:56 on port 8080\n\
             package left-pad 1.3.0, isbn 978-3-16-148410-0, doi 10.1000/182\n\
             epoch 1764519420, part 123-45-6789-A, 1024x768, std::vec::Vec\n",
        ),
        (KEY_FILE, &format!("{}{numbered}", key())),
        ("pixel.png", ""),
    ])
    .into_iter()
    .map(|(path, content)| if path == "pixel.png" { (path, PIXEL.to_vec()) } else { (path, content) })
    .collect()
}

/// The folder as every session must leave it.
pub(super) fn at_end() -> Tree {
    let mut end = at_start();
    let note = format!(
        "Customer note\nInvoices go to {PHONE} as printed on the contract.\nReminders go to the portal\n\
         Call {PHONE} after ten.\nRefund by transfer: {IBAN}\nCard on file: {CARD}\n"
    );
    end.insert("customer note.txt".to_owned(), note.into_bytes());
    if let Some(letter) = end.remove(&format!("letter to {EMAIL}.txt")) {
        end.insert(format!("archive/letter to {EMAIL}.txt"), letter);
    }
    if let Some(text) = end.get_mut(KEY_FILE) {
        *text = String::from_utf8_lossy(text).replace(&key(), &format!("{KEY_REPLACED}\n")).into_bytes();
    }
    for (path, content) in [(REPLY_FILE, reply()), (EXPORT_FILE, export())] {
        end.insert(path.to_owned(), content.into_bytes());
    }
    end.insert(format!("archive/{EMAIL}.md"), b"Nothing open.\n".to_vec());
    end.insert("archive/".to_owned(), Vec::new());
    end
}

pub(super) const REPLY_FILE: &str = "reply.txt";
pub(super) const EXPORT_FILE: &str = "export.json";

/// Text of the file that the session writes with every kind of value.
pub(super) fn reply() -> String {
    format!("To: {EMAIL}\nPhone: {PHONE}\nIBAN: {IBAN}\nCard: {CARD}\n\nDear {PERSON},\n\nit is done.\n")
}

/// JSON that the session writes.
pub(super) fn export() -> String {
    format!("{{\"email\": \"{EMAIL_CAPITALS}\", \"iban\": \"{SECOND_IBAN}\", \"limit\": 1e400}}\n")
}

/// A picture of one pixel, which must come through untouched.
const PIXEL: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00,
    0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x60, 0xf8, 0x5f, 0x0f, 0x00, 0x02,
    0x87, 0x01, 0x80, 0xeb, 0x47, 0xba, 0x92, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42,
    0x60, 0x82,
];

fn tree(files: &[(&str, &str)]) -> Tree {
    let mut tree: Tree =
        files.iter().map(|(path, content)| ((*path).to_owned(), content.as_bytes().to_vec())).collect();
    for (path, _) in files {
        if let Some((folder, _)) = path.rsplit_once('/') {
            tree.insert(format!("{folder}/"), Vec::new());
        }
    }
    tree
}

/// Empties `folder` and fills it with `tree`.
///
/// # Errors
/// When the folder cannot be written.
pub(super) fn plant(folder: &Path, tree: &Tree) -> anyhow::Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).context("cannot empty the folder")?;
    }
    std::fs::create_dir_all(folder).context("cannot make the folder")?;
    for (path, content) in tree {
        let target = folder.join(path);
        if path.ends_with('/') {
            std::fs::create_dir_all(&target).context("cannot make a folder")?;
        } else {
            std::fs::write(&target, content).context("cannot plant a file")?;
        }
    }
    Ok(())
}

/// What `folder` holds now.
///
/// # Errors
/// When it cannot be read.
pub(super) fn snapshot(folder: &Path) -> anyhow::Result<Tree> {
    let mut tree = Tree::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).context("cannot list a folder")? {
            let path = entry?.path();
            let below = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            if path.is_dir() {
                tree.insert(format!("{below}/"), Vec::new());
                open.push(path);
            } else {
                tree.insert(below, std::fs::read(&path).context("cannot read a file")?);
            }
        }
    }
    Ok(tree)
}

/// Where `found` is not as `wanted`, one line each.
pub(super) fn differences(wanted: &Tree, found: &Tree) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, content) in wanted {
        match found.get(path) {
            None => lines.push(format!("{path}: is missing")),
            Some(other) if other != content => lines.push(format!(
                "{path}: holds {:?} instead of {:?}",
                String::from_utf8_lossy(other),
                String::from_utf8_lossy(content)
            )),
            Some(_) => {}
        }
    }
    lines.extend(
        found.keys().filter(|path| !wanted.contains_key(*path)).map(|path| format!("{path}: is too much")),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::{KEY_FILE, at_end, at_start, differences, key, plant, planted, snapshot};

    #[test]
    fn everything_hidden_stands_in_some_file_at_start_or_in_a_name() {
        let start = at_start();
        for planted in planted().iter().filter(|planted| planted.hidden && !planted.text.ends_with(".md")) {
            let stands = start.iter().any(|(path, content)| {
                path.contains(&planted.text) || String::from_utf8_lossy(content).contains(&planted.text)
            });
            assert!(stands, "{}", planted.text);
        }
    }

    #[test]
    fn numbered_lines_say_their_own_number() {
        let start = at_start();
        let text = String::from_utf8(start[KEY_FILE].clone()).unwrap();
        let numbered: Vec<_> =
            text.lines().enumerate().filter(|(_, line)| line.contains(": step ")).collect();
        assert_eq!(numbered.len(), 5);
        for (index, line) in numbered {
            assert!(line.starts_with(&format!("{}:", index + 1)), "{line}");
        }
        assert!(text.starts_with(&key()));
    }

    #[test]
    fn a_planted_folder_reads_back() {
        let folder = std::env::temp_dir().join(format!("cloakgate-world-{}", std::process::id()));
        plant(&folder, &at_start()).unwrap();
        assert_eq!(differences(&at_start(), &snapshot(&folder).unwrap()), Vec::<String>::new());
        assert_eq!(differences(&at_end(), &snapshot(&folder).unwrap()).len(), 8);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
