//! The scripted server as a program: `testkit-hostile [--script FILE | --live FILE] [--received FILE]`.

use std::io::{self, stdin, stdout};
use std::path::PathBuf;

use cloakgate_testkit::{Hostile, Script, serve_lines};

fn main() -> io::Result<()> {
    let (mut script, mut live, mut received) = (Script::default(), None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        match (option.as_str(), arguments.next()) {
            ("--script", Some(file)) => script = Script::parse(&std::fs::read_to_string(file)?)?,
            ("--live", Some(file)) => live = Some(PathBuf::from(file)),
            ("--received", Some(file)) => received = Some(PathBuf::from(file)),
            _ => {
                return Err(io::Error::other(
                    "usage: testkit-hostile [--script FILE | --live FILE] [--received FILE]",
                ));
            }
        }
    }
    let mut hostile = match live {
        Some(file) => Hostile::live(&file, received.as_deref())?,
        None => Hostile::new(script, received.as_deref())?,
    };
    // Not locked for good: a script may write before a wait.
    serve_lines(stdin().lock(), stdout(), &mut hostile)
}
