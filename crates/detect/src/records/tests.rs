use super::Records;

/// Each string that has a key, with it, and `!` where its record is a person's.
fn shown(json: &str) -> Vec<String> {
    let document = cloakgate_json::scan(json.as_bytes()).unwrap();
    let records = Records::of(&document, json.as_bytes());
    document
        .nodes()
        .filter_map(|node| {
            let text = document.text(json.as_bytes(), node)?;
            let person = if records.siblings(node).person_like() { "!" } else { "" };
            Some(format!("{}{person}={text}", records.key(node).unwrap_or_default()))
        })
        .collect()
}

#[test]
fn shapes_of_many_programs_name_their_values() {
    let mut wrong = Vec::new();
    for (json, expected) in [
        (r#"{"columns":["id","name","email"],"rows":[["1","A B","m"]]}"#, "name!=A B"),
        (r#"{"schema":{"fields":[{"name":"name"},{"name":"email"}]},"data":[["A B","m"]]}"#, "name!=A B"),
        (
            r#"{"schema":{"fields":[{"name":"name"},{"name":"email"}]},"rows":[{"f":[{"v":"A B"},{"v":"m"}]}]}"#,
            "name!=A B",
        ),
        (r#"{"fields":[{"key":"full_name","label":"X"}],"items":[["A B"]]}"#, "full_name=A B"),
        (r#"[["name","email"],["A B","m"],["C D"]]"#, "name!=C D"),
        (r#"{"range":"A1","values":[["Name","Phone"],["A B","1"]]}"#, "Name!=A B"),
        (r#"{"name":["A B","C D"],"email":["m","n"]}"#, "name!=C D"),
        (r#"{"name":{"0":"A B","1":"C D"},"email":{"0":"m"}}"#, "name!=C D"),
        (r#"[{"key":"name","value":"A B"},{"key":"email","value":"m"}]"#, "name!=A B"),
        (r#"{"label":"Full name","text":"A B"}"#, "Full name=A B"),
        (r#"{"name":[{"use":"official","family":"B","given":["A","C"]}]}"#, "given name=C"),
        (r#"{"name":{"first":"A","last":"B"}}"#, "first name=A"),
        (r#"{"telecom":[{"system":"phone","value":"1"}]}"#, "phone!=1"),
        (r#"{"Name":{"S":"A B"},"Email":{"S":"m"}}"#, "Name!=A B"),
        (r#"{"dob":{"$date":"1984-03-12"}}"#, "dob!=1984-03-12"),
        (
            r#"{"properties":{"Full name":{"id":"t","type":"title","title":[{"type":"text","text":{"content":"A B"},"plain_text":"A B"}]}}}"#,
            "Full name=A B",
        ),
        (r#"{"user":{"name":"A B","city":"L"}}"#, "name!=A B"),
        (r#"{"members":[{"name":"A B"}]}"#, "name!=A B"),
        (r#"{"from":{"emailAddress":{"name":"A B","address":"m"}}}"#, "name!=A B"),
        (r#"{"data":{"type":"users","attributes":{"name":"A B"}}}"#, "name!=A B"),
        (r#"{"passport":{"number":"X1"}}"#, "passport number=X1"),
        (r#"{"package":{"name":"A B","version":"1"}}"#, "name=A B"),
        (r#"{"content":[{"type":"text","text":"A B"}]}"#, "text=A B"),
        (r#"{"type":{"text":"MRN","coding":[{"code":"MR"}]},"value":"M1"}"#, "MRN!=M1"),
        (r#"{"author":{"url":"A B"}}"#, "url!=A B"),
        (r#"[["a","b"],["A B","m"]]"#, "=A B"),
        (r#"{"columns":["a","b"],"rows":[["A B","m"]]}"#, "rows=A B"),
    ] {
        let shown = shown(json);
        if !shown.iter().any(|value| value == expected) {
            wrong.push(format!("{json}: {shown:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}",
        wrong.join(
            "
"
        )
    );
}

#[test]
fn records_are_elements_of_lists() {
    let json = r#"{"list":[{"user":{"name":"A"},"text":"B"},{"text":"C"}],"one":[{"x":"D"}],"y":"E"}"#;
    let document = cloakgate_json::scan(json.as_bytes()).unwrap();
    let records = Records::of(&document, json.as_bytes());
    let of = |wanted: &str| {
        let node = document
            .nodes()
            .find(|node| document.text(json.as_bytes(), *node).is_some_and(|text| text == wanted));
        records.record(node.unwrap())
    };
    assert_eq!(of("A"), of("B"));
    assert_ne!(of("B"), of("C"));
    assert_eq!(of("D"), of("E"));
}
