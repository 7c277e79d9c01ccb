//! What code, logs and prose hold that looks like data of people and is none, and what is data although it looks
//! unlike it. Findings are marked in the texts; what is unmarked must not be found.

use cloakgate_detect::{Engine, Field, FieldKind, Hints, KnownKey, KnownValues, Reach, admit, canonical};
use cloakgate_vocab::Category;

/// The text with its findings marked.
fn marked(field: &Field<'_>) -> String {
    let mut out = field.text.to_owned();
    for finding in Engine::default().scan(field).iter().rev() {
        for piece in finding.pieces.iter().rev() {
            out.insert(piece.end(), '»');
            out.insert(piece.start(), '«');
        }
    }
    out
}

fn check(text: &str) {
    let plain = text.replace(['«', '»'], "");
    assert_eq!(marked(&Field::text(&plain)), text);
}

#[test]
fn code_and_logs_hold_nothing() {
    for text in [
        "2026-05-09 07:29:26 status installed libpam-cap:amd64 1:2.66-4+deb12u2+b2",
        "2025-06-24 14:39:36 configure alsa-topology-conf:all <none> 1.2.5.1-2",
        "install zip:amd64 3.0-13",
        "passwd = fallback_getpass(prompt, stream)",
        "userid, acct, passwd = netrcobj.authenticators(host)",
        "self.password = config['password']",
        "password = auth[2]",
        "def read(self, name, pwd=None):",
        "if len(password) > blocksize:",
        "user_pass = '%s:%s' % (unquote(user), unquote(password))",
        "pub passwd: ::windows_sys::core::PCSTR,",
        "pub log_passwd: __u32,",
        "const WAKE_TOKEN: Token = Token(10);",
        "let token = &tokens_in(&cloaked)[0];",
        "pub pat: nl80211_pattern_support,",
        "pub credentials: IKEEXT_CREDENTIALS0,",
        "longopt_pat = r'[a-zA-Z](?:[a-zA-Z0-9-]*)'",
        "int f(const char *pass, int passlen,\n    unsigned char *salt, int saltlen,\n    int iter);",
        "items you pass to `nl_langinfo' or `-ccbin`, pass `consume: true`",
        "DenseMap<AnalysisID, Pass*> AvailableAnalysis;",
        "enum xdp_action {\n\tXDP_PASS,\n\tXDP_TX,\n};",
        "address: An integer representation of an IPv4 IP address.",
        "source_address: a 2-tuple (host, port)",
        "the block's address is 8-byte aligned",
        "See RFC 2373 2.7 for details, RFC 2047/2243 and RFC: 822",
        "#[cfg(not(all(target_family = \"wasm\", target_os = \"unknown\")))]",
        ".any(|given| same_name(given, name))",
        "# Given 'haystack', see if a given \"needle\" is in it",
        "unsafe_op = \"warn\"\ntarget_family = \"warn\"",
        "/// The default name fn is `default_name`.",
        "Written by `cargo xtask demo`, given to 'merge'",
        "if readonly:\n    name = 'EXAMINE'\nelse:\n    name = 'SELECT'",
        "| Role | Meaning |\n|---|---|\n| Only values of | the table |",
        "__u32 family;\n__u32 type;\n__u32 remote_ip4;\n",
        "pub p_paddr: Elf64_Addr,\npub p_filesz: Elf64_Xword,\n",
        "'HAVE_FN': 1,\n'HAVE_DUP': 1,\n",
        "{\"author\": \"\",\n \"license\": \"ISC\",}",
        "#define EXFLAG_SSN 0x2000",
        "pub const BMC_IOCTL_SET_SMS_ATN: u32 = 536916224;",
        "array_impls! { 01 02 03 04 05 06 07 08 09 10 }",
        "Decimal('+35236450.6')",
        "syscall: 163 (acct)<br>\n407589 [Linux] more",
        "MS Windows, Module M. Return, Hello World!",
        "zlib@1.2.13.1-motley and GCC 2.7.2.3",
        "\"pbkdf2-password\": \"1.2.1\"",
    ] {
        check(text);
    }
}

#[test]
fn values_are_found_whole() {
    for text in [
        "sk-proj key «sk-proj-abcDEF0123456789abcDEF0123456789abcDEF0»",
        "call «13912345678» now",
        "number 13912345678 of 20000000000",
        "password: «a1b2»",
        "password=«ab!c»",
        "password: abc",
        "password=«Ab\"c<d|e7» next",
        "DD_APPLICATION_KEY=«0123456789abcdef0123456789abcdef01234567»",
        "| full_name |\n|---|\n| «Marie  Dubois» |",
        "name,note\n\"«Dubois, Marie»\",likes tea\nleft-pad,1.0",
        "BEGIN:VCARD\nN:«Dubois»;«Marie»;;;\nFN:«Marie Dubois»\nADR:;;«12 rue des Lilas»;Lyon;;«69003»;France\nEND:VCARD",
        "«MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDInventedKeyAB»\n«abcd==»\n«-----END RSA PRIVATE KEY-----»\n",
        "x\n«-----BEGIN PRIVATE KEY-----»\n«MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDInventedKeyAB»\n«MIIEvQ»",
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDInventedKeyAB\n-----END CERTIFICATE-----\n",
        "__author__ = ('«Ka-Ping Yee» <«ping@example.org»>',",
        "send it to «12 Elm Street, Springfield, IL 62704» today",
        "RFC: «DUMA840312AB1»",
        "CP: «28035».",
    ] {
        check(text);
    }
}

#[test]
fn keys_decide_about_whole_fields() {
    let long = "q7Zt8uJ9".repeat(25);
    for (key, text, found) in [
        ("password", long.as_str(), true),
        ("password", "why do birds sing every morning at 7 in the old garden", true),
        ("password", "abc", false),
        ("password", "The password is sent by mail. Keep it.", false),
        ("uri", "f://marie@example.eu/1", true),
        ("uri", "ssh://deploy@host.example.org", false),
        ("given", "Marie", true),
        ("family", "monospace", false),
        ("fn", "Marie Dubois", true),
        ("fn", "callback", false),
        ("owner", "Only values of", false),
        ("cap", "00184", true),
        ("cap", "0x2229", false),
        ("cp", "u32", false),
    ] {
        let field =
            Field { text, kind: FieldKind::Text, key: Some(key), siblings: Hints::default(), within: None };
        assert_eq!(marked(&field) != text, found, "{key}: {text}");
    }
}

#[test]
fn a_planted_value_changes_no_other_text() {
    let key = KnownKey::new([5; 16]);
    let mut known = KnownValues::new(key);
    for (field, text) in [
        ("password", "localhost"),
        ("password", "SELECT * FROM users"),
        ("phone", "123456"),
        ("employee_id", "1234567"),
        ("assignee", "getUserById"),
        ("full_name", "Error Code"),
        ("full_name", "import os"),
        ("first_name", "Docker"),
    ] {
        let planted =
            Field { text, kind: FieldKind::Text, key: Some(field), siblings: Hints::default(), within: None };
        for finding in Engine::default().scan(&planted) {
            let value = finding.hull().of(text).unwrap();
            if let Some(value) = admit(&key, finding.category, value, Some(field), Reach::Everywhere) {
                known.insert(value);
            }
        }
        assert_eq!(admit(&key, Category::Person, text, Some("text"), Reach::Everywhere), None, "{text}");
    }
    let text =
        "Error Code 123456 on localhost: SELECT * FROM users; import os; getUserById(1234567) in Docker";
    assert!(known.probe(&Field::text(text), None).is_empty());
    assert!(known.probe(&Field { key: Some("text"), ..Field::text(text) }, None).is_empty());
}

#[test]
fn accounts_of_payment_providers_keep_their_marks() {
    let form = |value| canonical(Category::BankAccount, value);
    assert_eq!(form("Marie.Dubois@okaxis"), "marie.dubois@okaxis");
    assert_ne!(form("marie.dubois@okaxis"), form("mariedubois@okaxis"));
    assert_eq!(form("12 34-5678"), "12345678");
}
