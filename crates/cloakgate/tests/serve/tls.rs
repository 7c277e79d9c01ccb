//! TLS by files, asked by real clients.

use std::io::ErrorKind;
use std::process::Command;

use crate::certificate;
use crate::connection::Connection;
use crate::piped;
use crate::process::{Folder, Serve, program};

const TEXT: &str = "Write to alice.johnson@example.org, or call +1 415 555 2671.\n";

/// Writes a certificate that is its own authority, and its key.
fn write_certificate(folder: &Folder) {
    let (certificate, key) = certificate::for_this_machine();
    std::fs::write(folder.0.join("cert.pem"), certificate).expect("a file");
    std::fs::write(folder.0.join("key.pem"), key).expect("a file");
}

#[test]
fn clients_that_know_the_certificate_are_served_over_tls() {
    let folder = Folder::new("tls");
    write_certificate(&folder);
    let files = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
    let service = Serve::new(&folder, "data").managed(None).with(&files).start();
    let url = service.word("export INC_MCP_URL=").split(' ').next().expect("a URL").to_owned();
    let key = service.word("server key");
    assert_eq!(url, format!("https://{}/mcp", service.address));
    let remote = |arguments: &[&str], authorities: &str, input: &str| {
        let mut command = program(&folder.0, arguments);
        command.env("INC_MCP_URL", &url).env("INC_MCP_API_KEY", &key).env("SSL_CERT_FILE", authorities);
        piped(command, input)
    };
    let (code, cloaked, said) = remote(&["cloak", "--remote", "-"], "cert.pem", TEXT);
    assert_eq!(code, Some(0), "{said}");
    assert!(!cloaked.contains("alice"), "{cloaked}");
    let id = said.trim().strip_prefix("cloakgate: id ").expect("an id").to_owned();
    let (code, text, said) = remote(&["uncloak", "--remote", "--id", &id], "cert.pem", &cloaked);
    assert_eq!((code, &*text, &*said), (Some(0), TEXT, ""));
    // Who does not know it sends nothing.
    std::fs::write(folder.0.join("none.pem"), "").expect("a file");
    let (code, out, said) = remote(&["cloak", "--remote", "-"], "none.pem", TEXT);
    assert_eq!((code, &*out), (Some(1), ""), "{said}");
    assert!(!said.contains("alice"), "{said}");
    // A client of somebody else, where it is installed.
    let ready = url.replace("/mcp", "/readyz");
    match Command::new("curl").args(["-sS", "--cacert", "cert.pem", &ready]).current_dir(&folder.0).output() {
        Ok(answer) => assert_eq!(String::from_utf8_lossy(&answer.stdout), "ready\n", "{answer:?}"),
        Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound),
    }
    // Whoever speaks in the clear is not answered in the clear.
    let mut clear = Connection::open(service.address).expect("a connection");
    assert!(clear.ask("GET", "/healthz", &[], b"").is_err());
    let log = service.stop();
    assert!(log.contains(r#""tls":true"#) && !log.contains("alice"), "{log}");
}

#[test]
fn files_for_tls_that_are_none_end_the_start_before_anything_is_made() {
    let folder = Folder::new("no-tls");
    write_certificate(&folder);
    std::fs::write(folder.0.join("empty.pem"), "").expect("a file");
    for (cert, key) in [
        ("cert.pem", "missing.pem"),
        ("missing.pem", "key.pem"),
        ("cert.pem", "empty.pem"),
        ("empty.pem", "key.pem"),
        ("key.pem", "cert.pem"),
    ] {
        let arguments =
            ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key];
        let (code, out, said) = piped(program(&folder.0, &arguments), "");
        assert_eq!((code, &*out), (Some(1), ""), "{cert} {key}: {said}");
        assert!(said.contains("cannot use the files for TLS") && !said.contains("serving"), "{said}");
        assert!(!folder.0.join("data/local.db").exists(), "{cert} {key}");
    }
}
