//! The server of tasks as a program: `testkit-tasks [--received FILE] [--version VERSION]`.

use std::io::{self, stdin, stdout};
use std::path::PathBuf;

use cloakgate_testkit::{NEWEST_VERSION, TaskServer, serve_lines};

fn main() -> io::Result<()> {
    let (mut received, mut version) = (None, NEWEST_VERSION.to_owned());
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        match (option.as_str(), arguments.next()) {
            ("--received", Some(file)) => received = Some(PathBuf::from(file)),
            ("--version", Some(text)) => version = text,
            _ => return Err(io::Error::other("usage: testkit-tasks [--received FILE] [--version VERSION]")),
        }
    }
    serve_lines(stdin().lock(), stdout().lock(), &mut TaskServer::new(&version, received.as_deref())?)
}
