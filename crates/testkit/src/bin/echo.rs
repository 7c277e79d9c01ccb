//! The honest server as a program: `testkit-echo [--raw FILE]`.

use std::io::{self, stdin, stdout};

use cloakgate_testkit::{Echo, serve_lines};

const DEFAULT_RAW: &str = r#"{"content":[{"type":"text","text":"raw"}]}"#;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let raw = match arguments.as_slice() {
        [] => DEFAULT_RAW.to_owned(),
        [option, file] if option == "--raw" => {
            std::fs::read_to_string(file)?.trim().replace(['\n', '\r'], " ")
        }
        _ => return Err(io::Error::other("usage: testkit-echo [--raw FILE]")),
    };
    serve_lines(stdin().lock(), stdout().lock(), &mut Echo::new(raw))
}
