//! That the documents name what the code has.
//!
//! Not here: anything but tests.

use cloakgate_vocab::{Category, Defaults};

use crate::workspace::Workspace;

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
    for page in ["README.md", "docs/ARCHITECTURE.md", "docs/CONFIGURATION.md", "docs/THREAT-MODEL.md"] {
        for target in document(page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(workspace.path(target).exists(), "{page}: {target}");
        }
    }
}
