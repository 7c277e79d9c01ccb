//! The configurations that the documents show are configurations.

use std::path::Path;
use std::process::Command;

/// Blocks of a page in this language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    page.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn every_configuration_in_the_documents_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut checked = 0;
    for (page, language) in
        [("README.md", "json"), ("docs/CONFIGURATION.md", "json"), ("docs/CONFIGURATION.md", "toml")]
    {
        let page = std::fs::read_to_string(root.join(page)).expect("a page");
        for block in blocks(&page, language).into_iter().filter(|block| block.contains("upstreams")) {
            let file =
                std::env::temp_dir().join(format!("cloakgate-{}-{checked}.{language}", std::process::id()));
            std::fs::write(&file, block).expect("a temporary file");
            let output = Command::new(env!("CARGO_BIN_EXE_cloakgate"))
                .args(["check", "--no-upstreams", "--config"])
                .arg(&file)
                .output()
                .expect("the program starts");
            std::fs::remove_file(&file).expect("our own file");
            let (said, complained) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success(), "{block}\n{complained}");
            assert!(!said.contains("warning"), "{block}\n{said}");
            checked += 1;
        }
    }
    assert_eq!(checked, 5);
}
