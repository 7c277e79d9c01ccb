//! Forty invented names of many cultures in the shapes that programs write: each must be found whole.

#![expect(clippy::unwrap_used, reason = "a table of texts: what does not fit should stop it")]

use cloakgate_detect::{Engine, Field, FieldKind, Records};
use cloakgate_json::Kind;
use cloakgate_vocab::{Category, Span};

/// Fewest names that must be found whole in each shape.
const LEAST: usize = 36;

/// A name: whole, given and family.
type Name = (&'static str, &'static str, &'static str);

const NAMES: &[Name] = &[
    ("Marie Dubois", "Marie", "Dubois"),
    ("Jan van der Berg", "Jan", "van der Berg"),
    ("Seán O'Brien", "Seán", "O'Brien"),
    ("Anne-Marie Lefèvre", "Anne-Marie", "Lefèvre"),
    ("J. R. Whitfield", "J. R.", "Whitfield"),
    ("María José García López", "María José", "García López"),
    ("Lukas Müller-Lüdenscheid", "Lukas", "Müller-Lüdenscheid"),
    ("Björn Åkesson", "Björn", "Åkesson"),
    ("Zoë D’Angelo", "Zoë", "D’Angelo"),
    ("Łukasz Wiśniewski", "Łukasz", "Wiśniewski"),
    ("Nguyễn Thị Minh Khai", "Minh Khai", "Nguyễn Thị"),
    ("İsmail Çelik", "İsmail", "Çelik"),
    ("Ștefan Popescu", "Ștefan", "Popescu"),
    ("Þórunn Jónsdóttir", "Þórunn", "Jónsdóttir"),
    ("Dvořák, Jiří", "Jiří", "Dvořák"),
    ("Okafor, Chidi", "Chidi", "Okafor"),
    ("Олена Шевченко", "Олена", "Шевченко"),
    ("Пётр Ильич Соколов", "Пётр", "Соколов"),
    ("Γιώργος Παπαδόπουλος", "Γιώργος", "Παπαδόπουλος"),
    ("محمد العلي", "محمد", "العلي"),
    ("ليلى بن يوسف", "ليلى", "بن يوسف"),
    ("נועה כהן", "נועה", "כהן"),
    ("王小明", "小明", "王"),
    ("欧阳娜娜", "娜娜", "欧阳"),
    ("佐藤 花子", "花子", "佐藤"),
    ("山田太郎", "太郎", "山田"),
    ("김민수", "민수", "김"),
    ("राजेश कुमार", "राजेश", "कुमार"),
    ("பிரியா சுந்தரம்", "பிரியா", "சுந்தரம்"),
    ("สมชาย ใจดี", "สมชาย", "ใจดี"),
    ("Will May", "Will", "May"),
    ("Rose Marsh-Green", "Rose", "Marsh-Green"),
    ("Mark Summers", "Mark", "Summers"),
    ("Ana de la Cruz", "Ana", "de la Cruz"),
    ("Ludwig von Hohenberg", "Ludwig", "von Hohenberg"),
    ("Mehmet Can Öztürk", "Mehmet Can", "Öztürk"),
    ("Siobhán Ní Dhomhnaill", "Siobhán", "Ní Dhomhnaill"),
    ("Kwame Nkrumah-Mensah", "Kwame", "Nkrumah-Mensah"),
    ("Jean-Luc N'Diaye", "Jean-Luc", "N'Diaye"),
    ("Tuulikki Hämäläinen", "Tuulikki", "Hämäläinen"),
];

/// Shapes. `{n}` is the whole name, `{f}` and `{l}` given and family name; `{c}` the name as a cell of CSV, `{q}` as
/// a string of SQL, `{j}` with JSON escapes, `{u}` and `{s}` in capitals and in small letters.
const SHAPES: &[(&str, &str)] = &[
    ("label", "Full name: {n}\nPhone: +33 1 99 00 12 34\n"),
    ("label in words", "Ansprechpartner: {n}\n"),
    ("csv", "id,name,email\n7,{c},m@example.org\n"),
    ("csv, quoted head", "\"Employee\",\"DOB\"\r\n\"{n}\",\"07/10/2001\"\r\n"),
    ("csv, given and family", "id,first_name,last_name\n7,{f},{l}\n"),
    ("csv, german", "Vorname;Nachname;PLZ\n{f};{l};10115\n"),
    ("tsv", "name\tphone\n{n}\t+33 1 99 00 12 34\n"),
    ("yaml", "customer:\n  full_name: {n}\n  id: 7\n"),
    ("yaml, list of maps", "users:\n  - name: {n}\n    email: m@example.org\n  - name: x\n"),
    ("yaml, nested", "user:\n  name: \"{n}\"\n  plan: pro\n"),
    ("toml", "[owner]\nfull_name = \"{n}\"\n"),
    ("env", "CUSTOMER_NAME=\"{n}\"\nPORT=80\n"),
    ("env, bare", "CONTACT_NAME={n}\nPORT=80\n"),
    ("ini", "[contact]\ncontact_name = {n}\nport = 80\n"),
    ("log", "2026-03-02T10:11:12Z INFO svc=billing customer_name=\"{n}\" status=ok\n"),
    ("log, bare", "10:11:12 INFO login ok full_name={n}\n"),
    ("log, sentence", "10:11:12 ERROR [main] c.a.B - declined holder={n}\n"),
    ("markdown table", "| id | Name | Email |\n|---|---|---|\n| 7 | {n} | m@example.org |\n"),
    ("markdown list", "- **Assignee:** {n}\n- **Status:** open\n"),
    ("html table", "<table><tr><th>Full name</th><th>Age</th></tr><tr><td>{n}</td><td>7</td></tr></table>"),
    ("html row", "<tr><th>Patient name</th><td>{n}</td></tr>"),
    ("html list", "<dl><dt>Contact person</dt><dd>{n}</dd></dl>"),
    ("html form", "<label>Name</label><input name=\"full_name\" value=\"{n}\">"),
    ("json, pretty", "{\n  \"id\": 7,\n  \"full_name\": \"{n}\"\n}"),
    ("json, compact", "{\"id\":7,\"name\":\"{n}\",\"email\":\"m@example.org\"}"),
    ("json, escapes", "{\"customer\":{\"name\":\"{j}\"}}"),
    ("json, lines", "{\"level\":\"info\",\"user\":{\"name\":\"{n}\"}}\n{\"level\":\"warn\"}\n"),
    ("json in text", "Here it is:\n```json\n{\"full_name\": \"{n}\", \"id\": 7}\n```\n"),
    ("json, table", "{\"columns\":[\"id\",\"full_name\"],\"rows\":[[7,\"{n}\"]]}"),
    ("json, pair", "[{\"name\":\"Full name\",\"value\":\"{n}\"}]"),
    ("json, parts", "{\"name\":{\"given\":\"{f}\",\"family\":\"{l}\"}}"),
    ("sql insert", "INSERT INTO users (id, full_name) VALUES (7, '{q}');\n"),
    ("sql update", "UPDATE users SET full_name = '{q}' WHERE id = 7;\n"),
    ("psql", " id | name | email \n----+------+------\n  7 | {n} | m@example.org\n(1 row)\n"),
    (
        "mysql",
        "+----+------+------+\n| id | name | email |\n+----+------+------+\n|  7 | {n} | m@example.org |\n+----+------+------+\n",
    ),
    ("psql, expanded", "-[ RECORD 1 ]---\nid        | 7\nfull_name | {n}\n"),
    ("copy", "COPY public.users (id, name, email) FROM stdin;\n7\t{n}\tm@example.org\n\\.\n"),
    ("xml", "<customer><fullName>{n}</fullName><id>7</id></customer>"),
    ("xml attribute", "<customer id=\"7\" fullName=\"{n}\"/>"),
    ("mail head", "From: {n} <m@example.org>\nTo: \"{n}\" <b@example.org>\nSubject: x\n"),
    ("mail head, no address", "From: {n}\nTo: support\nSubject: x\n"),
    ("signature", "See you then.\n\nBest regards,\n{n}\nHead of Sales\n"),
    ("dashes", "See you then.\n--\n{n}\n+33 1 99 00 12 34\n"),
    ("vcard", "BEGIN:VCARD\nVERSION:3.0\nFN:{n}\nEND:VCARD\n"),
    ("vcard, parts", "BEGIN:VCARD\nVERSION:3.0\nN:{l};{f};;;\nEND:VCARD\n"),
    (
        "icalendar",
        "BEGIN:VEVENT\nORGANIZER;CN={n}:mailto:m@example.org\nATTENDEE;ROLE=REQ-PARTICIPANT;CN=\"{n}\":mailto:b@example.org\nEND:VEVENT\n",
    ),
    (
        "git log",
        "commit 99febedc3252bca522762c7ba18ef8cc808047bc\nAuthor: {n} <m@example.org>\nDate:   Mon Mar 2 10:11:12 2026 +0100\n\n    Fix\n\n    Signed-off-by: {n} <m@example.org>\n",
    ),
    ("git shortlog", "Author:     {n}\nAuthorDate: Mon Mar 2 10:11:12 2026\n"),
    ("form body", "id=7&full_name={n}&x=1"),
    ("http head", "X-Request-Id: 7\r\nX-Full-Name: {n}\r\n"),
    ("graphql", "mutation { createUser(fullName: \"{n}\", id: 7) { id } }"),
    ("python repr", "User(id=7, full_name=\"{n}\", active=True)"),
    ("python dict", "{'id': 7, 'full_name': \"{n}\"}"),
    ("javascript", "const user = { id: 7, fullName: \"{n}\" };"),
    ("java", "Customer{id=7, fullName='{n}', active=true}"),
    ("java, bare", "Customer[id=7, fullName={n}, active=true]"),
    ("go", "&{ID:7 FullName:\"{n}\" Active:true}"),
    ("command", "crm add --full-name \"{n}\" --plan pro"),
    ("capitals", "FULL NAME: {u}\nID: 7\n"),
    ("small letters", "{\"full_name\": \"{s}\"}"),
    ("small letters, csv", "id,full_name\n7,{s}\n"),
];

/// What of a shape must be found: the parts where only parts stand in it.
fn wanted(shape: &str, (full, first, last): Name) -> Vec<String> {
    if shape.contains("{f}") {
        return vec![first.to_owned(), last.to_owned()];
    }
    let name = if shape.contains("{u}") {
        full.to_uppercase()
    } else if shape.contains("{s}") {
        full.to_lowercase()
    } else if shape.contains("{q}") {
        full.replace('\'', "''")
    } else {
        full.to_owned()
    };
    vec![name]
}

fn filled(shape: &str, (full, first, last): Name) -> String {
    let cell = if full.contains(',') { format!("\"{full}\"") } else { full.to_owned() };
    let escaped: String = full
        .encode_utf16()
        .map(|unit| if unit < 128 { char::from(unit as u8).to_string() } else { format!("\\u{unit:04x}") })
        .collect();
    shape
        .replace("{n}", full)
        .replace("{f}", first)
        .replace("{l}", last)
        .replace("{c}", if shape.contains("full_name\n7,{s}") { full } else { &cell })
        .replace("{q}", &full.replace('\'', "''"))
        .replace("{j}", &escaped)
        .replace("{u}", &full.to_uppercase())
        .replace(
            "{s}",
            &if shape.contains("\n7,{s}") && full.contains(',') {
                format!("\"{}\"", full.to_lowercase())
            } else {
                full.to_lowercase()
            },
        )
}

/// Decoded texts with their findings: the values of JSON, else the text.
fn found(engine: &Engine, text: &str) -> Vec<(String, Vec<Span>)> {
    let people = |field: &Field<'_>| {
        let findings = engine.scan(field).into_iter().filter(|finding| finding.category == Category::Person);
        findings.flat_map(|finding| finding.pieces).collect::<Vec<Span>>()
    };
    let Some(document) = cloakgate_json::nested(text) else {
        return vec![(text.to_owned(), people(&Field::text(text)))];
    };
    let records = Records::of(&document, text.as_bytes());
    document
        .nodes()
        .filter(|node| document.kind(*node) == Kind::String)
        .map(|node| {
            let value = document.text(text.as_bytes(), node).unwrap().into_owned();
            let (key, siblings) = (records.key(node), records.siblings(node));
            let spans = people(&Field { text: &value, kind: FieldKind::Text, key, siblings, within: None });
            (value, spans)
        })
        .collect()
}

/// Whether each place of the name is covered by findings, its letters at least.
fn is_whole(found: &[(String, Vec<Span>)], name: &str) -> bool {
    let mut places = 0;
    let covered = found.iter().all(|(text, spans)| {
        text.match_indices(name).all(|(at, _)| {
            places += 1;
            name.char_indices()
                .filter(|(_, c)| c.is_alphanumeric())
                .all(|(offset, _)| spans.iter().any(|span| span.range().contains(&(at + offset))))
        })
    });
    covered && places > 0
}

#[test]
fn names_are_found_whole_in_every_shape() {
    let engine = Engine::default();
    let mut poor = Vec::new();
    for (label, shape) in SHAPES {
        let missed: Vec<&str> = NAMES
            .iter()
            .filter(|name| {
                let found = found(&engine, &filled(shape, **name));
                !wanted(shape, **name).iter().all(|part| is_whole(&found, part))
            })
            .map(|name| name.0)
            .collect();
        if !missed.is_empty() {
            println!("{label}: {} of {}, not {missed:?}", NAMES.len() - missed.len(), NAMES.len());
        }
        if NAMES.len() - missed.len() < LEAST {
            poor.push(*label);
        }
    }
    assert!(poor.is_empty(), "fewer than {LEAST} names in: {poor:?}");
}
