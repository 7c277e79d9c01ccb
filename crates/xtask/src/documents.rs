//! That the documents name what the code has.
//!
//! Not here: anything but tests.

use cloakgate_vocab::{Category, Defaults};

use serde_json::{Value, json};

use crate::call_sites::sources;
use crate::rust_text::product_code;
use crate::workspace::Workspace;

const PAGES: [&str; 11] = [
    "README.md",
    "docs/ARCHITECTURE.md",
    "docs/CLIENTS.md",
    "docs/CONFIGURATION.md",
    "docs/DETECTION.md",
    "docs/LIMITS.md",
    "docs/MODELS.md",
    "docs/OPTIONS.md",
    "docs/SERVICE.md",
    "docs/THREAT-MODEL.md",
    "eval/README.md",
];

fn document(path: &str) -> String {
    std::fs::read_to_string(Workspace::find().unwrap().path(path)).unwrap()
}

#[test]
fn every_category_has_its_row_in_the_configuration_page() {
    let page = document("docs/CONFIGURATION.md");
    let mut rows = page.lines().filter(|line| line.starts_with("| `"));
    for category in Category::all().filter(|category| category.defaults() != Defaults::Internal) {
        let start = format!("| `{}` | ", category.name());
        let row = rows
            .find(|line| line.starts_with(&start))
            .unwrap_or_else(|| panic!("{category} in the table's order"));
        for alias in category.aliases() {
            assert!(row.contains(&format!("`{alias}`")), "{category}: {alias}");
        }
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    let workspace = Workspace::find().unwrap();
    for page in PAGES {
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        for target in document(page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { workspace.path(page) } else { workspace.path(folder).join(file) };
            assert!(path.exists(), "{page}: {target}");
            if !heading.is_empty() {
                let text = std::fs::read_to_string(path).unwrap();
                assert!(
                    text.lines().any(|line| anchor(line).as_deref() == Some(heading)),
                    "{page}: {target}"
                );
            }
        }
    }
}

/// What a link to a heading is called, if the line is one.
fn anchor(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').trim().to_lowercase();
    Some(
        heading
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .collect::<String>()
            .replace(' ', "-"),
    )
}

#[test]
fn every_piece_of_json_in_the_documents_is_json() {
    for page in PAGES {
        for piece in json_pieces(&document(page)) {
            assert!(serde_json::from_str::<Value>(&piece).is_ok(), "{page}: {piece}");
        }
    }
}

#[test]
fn clients_are_told_to_start_the_gateway_in_words_that_it_knows() {
    let mut clients = 0;
    for piece in json_pieces(&document("docs/CLIENTS.md")) {
        let value: Value = serde_json::from_str(&piece).unwrap();
        let Some(entry) =
            value.pointer("/mcpServers/cloakgate").or_else(|| value.pointer("/servers/cloakgate"))
        else {
            assert!(value.get("upstreams").is_some(), "{piece}");
            continue;
        };
        clients += 1;
        assert!(entry["command"].as_str().is_some_and(|command| command.ends_with("cloakgate")), "{piece}");
        assert_eq!(entry["args"], json!(["gateway", "--config", "/home/marie/cloakgate.json"]));
    }
    assert_eq!(clients, 4);
}

/// The blocks marked as JSON, wherever they are indented.
fn json_pieces(page: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut open: Option<String> = None;
    for line in page.lines() {
        match (line.trim(), &mut open) {
            ("```json", None) => open = Some(String::new()),
            ("```", Some(_)) => pieces.extend(open.take()),
            (_, Some(piece)) => {
                piece.push_str(line);
                piece.push('\n');
            }
            (_, None) => {}
        }
    }
    pieces
}

/// "A configuration is code": what a server says cannot start anything, for only the configuration makes the
/// description of a process, and only one place starts what it describes.
#[test]
fn only_the_configuration_names_processes() {
    let (mut started, mut described) = (Vec::new(), Vec::new());
    for (file, source) in sources(&Workspace::find().unwrap()).unwrap() {
        if file.starts_with("crates/testkit/") {
            continue;
        }
        let code = product_code(&source);
        if ["Command::new", "posix_spawn", "execv", "CommandExt::exec"]
            .iter()
            .any(|start| code.contains(start))
        {
            started.push(file.clone());
        }
        let literals = code.matches("ChildSpec {").count()
            - ["struct ChildSpec {", "impl ChildSpec {", "for ChildSpec {", "-> ChildSpec {"]
                .map(|other| code.matches(other).count())
                .iter()
                .sum::<usize>();
        if literals > 0 {
            described.push(file);
        }
    }
    assert_eq!(started, ["crates/wire/src/child.rs"]);
    assert_eq!(described, ["crates/gateway/src/config/upstream.rs"]);
}
