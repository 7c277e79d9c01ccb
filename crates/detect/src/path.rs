//! Where a value stands in its document, as far as the operator's lists speak of it.
//!
//! In: paths as they are written in lists (`customer.name`, `items.*.note`, `**.email`), then documents. Out: for each
//! value, which of the paths it lies at or within. A path begins at the top of a document; a key is one step, and so is
//! a place in an array; JSON in a string goes on with the path of the string. A value that a table or a pair names
//! goes by that name as well as by its own step. Case of ASCII letters does not count. Invariant: one step costs the
//! same however deep a value lies, so a document takes time linear in its values. Not here: what happens to a value
//! (`terms`), where in a message a document begins (`cloak`).

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use cloakgate_json::{Document, Kind, NodeId};

use crate::records::Records;

/// Longest path in bytes.
const MAX_PATH_BYTES: usize = 512;
/// Most segments of a path; each is a bit of its state.
const MAX_SEGMENTS: usize = 24;

/// Why a path was refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldPathError {
    /// A segment is empty.
    #[error("a segment is empty: write keys with one dot between them, such as `customer.name`")]
    Empty,
    /// Too long.
    #[error("it has more than {MAX_SEGMENTS} segments or {MAX_PATH_BYTES} bytes")]
    TooLong,
    /// A star is part of a segment.
    #[error("a star stands alone: `*` for one segment, `**` for any number; write `\\*` for a star in a key")]
    Star,
    /// Brackets of another notation.
    #[error(
        "a place in an array is a segment: write `items.*.note` or `items.0.note`, or `\\[` for a bracket in a key"
    )]
    Bracket,
    /// The top of another notation.
    #[error("it begins with a key of the top level: leave out `$`, or write `\\$` for such a key")]
    Top,
    /// A backslash before something else.
    #[error("a backslash stands before one of `.`, `*`, `[`, `]`, `$` and `\\`")]
    Escape,
}

/// A path as it is written in a list. Cheap to clone.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct FieldPath(Arc<[Segment]>);

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
enum Segment {
    /// `*`
    One,
    /// `**`
    Any,
    /// A key in small letters, and the place in an array that it may be.
    Key(Box<str>, Option<u32>),
}

impl FieldPath {
    /// Reads a path.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<Self, FieldPathError> {
        if text.len() > MAX_PATH_BYTES {
            return Err(FieldPathError::TooLong);
        }
        let mut segments = Vec::new();
        let mut segment = Unfinished::default();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            match character {
                '.' => segments.push(std::mem::take(&mut segment).finish()?),
                '*' => segment.stars += 1,
                '[' | ']' => return Err(FieldPathError::Bracket),
                '$' if segments.is_empty() && segment.key.is_empty() => return Err(FieldPathError::Top),
                '\\' => match characters.next() {
                    Some(escaped @ ('.' | '*' | '[' | ']' | '$' | '\\')) => segment.key.push(escaped),
                    _ => return Err(FieldPathError::Escape),
                },
                other => segment.key.push(other),
            }
        }
        segments.push(segment.finish()?);
        segments.dedup_by(|one, before| (&*one, &*before) == (&Segment::Any, &Segment::Any));
        if segments.len() > MAX_SEGMENTS { Err(FieldPathError::TooLong) } else { Ok(Self(segments.into())) }
    }

    /// A document of one value, in which that value lies at the path; the value is JSON.
    #[must_use]
    pub fn sample(&self, value: &str) -> String {
        let mut out = String::from(value);
        for segment in self.0.iter().rev() {
            let key = match segment {
                Segment::Key(key, _) => key,
                Segment::One | Segment::Any => "any",
            };
            let mut encoded = Vec::new();
            cloakgate_json::encode(key, &mut encoded);
            out = format!("{{\"{}\":{out}}}", String::from_utf8_lossy(&encoded));
        }
        out
    }

    /// The places in the path that are reached from `at` without a step.
    fn closed(&self, mut at: u32) -> u32 {
        for (index, segment) in self.0.iter().enumerate() {
            if *segment == Segment::Any && at & (1 << index) != 0 {
                at |= 1 << (index + 1);
            }
        }
        at
    }

    /// The places in the path after one more step.
    fn after(&self, at: u32, step: &Step<'_>) -> u32 {
        let mut next = at & (1 << self.0.len());
        for (index, segment) in self.0.iter().enumerate().filter(|(index, _)| at & (1 << index) != 0) {
            match segment {
                Segment::Any => next |= 1 << index,
                Segment::One => next |= 1 << (index + 1),
                Segment::Key(key, place) if step.is(key, *place) => next |= 1 << (index + 1),
                Segment::Key(..) => {}
            }
        }
        self.closed(next)
    }

    fn is_reached(&self, at: u32) -> bool {
        at & (1 << self.0.len()) != 0
    }
}

#[derive(Default)]
struct Unfinished {
    key: String,
    stars: usize,
}

impl Unfinished {
    fn finish(self) -> Result<Segment, FieldPathError> {
        match (self.stars, self.key.is_empty()) {
            (0, true) => Err(FieldPathError::Empty),
            (0, false) => {
                let place = self.key.parse().ok();
                Ok(Segment::Key(self.key.to_ascii_lowercase().into(), place))
            }
            (1, true) => Ok(Segment::One),
            (2, true) => Ok(Segment::Any),
            _ => Err(FieldPathError::Star),
        }
    }
}

/// One step down.
struct Step<'a> {
    key: Option<&'a str>,
    index: Option<u32>,
    /// What a table or a pair calls the value.
    name: Option<&'a str>,
}

impl Step<'_> {
    fn is(&self, key: &str, place: Option<u32>) -> bool {
        (self.index.is_some() && self.index == place)
            || [self.key, self.name].iter().flatten().any(|own| own.eq_ignore_ascii_case(key))
    }
}

/// All paths that some lists name. Paths are known by their place here.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<FieldPath>);

impl Fields {
    /// The place of a path, which is added where it is new.
    pub fn add(&mut self, path: &FieldPath) -> u16 {
        let found = self.0.iter().position(|own| own == path);
        let at = found.unwrap_or_else(|| {
            self.0.push(path.clone());
            self.0.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    /// True when no list names a path.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The top of a document.
    #[must_use]
    pub fn top(&self) -> PathState {
        self.state(self.0.iter().map(|path| path.closed(1)).collect())
    }

    /// The cell of a column.
    #[must_use]
    pub fn cell(&self, of: &PathState, column: &str) -> PathState {
        let mut places = Vec::new();
        self.step(&of.places, &Step { key: Some(column), index: None, name: None }, &mut places);
        self.state(places.into())
    }

    /// Writes to `next` how far each path is followed after one more step.
    fn step(&self, places: &[u32], step: &Step<'_>, next: &mut Vec<u32>) {
        next.clear();
        next.extend(self.0.iter().zip(places).map(|(path, at)| path.after(*at, step)));
    }

    fn state(&self, places: Box<[u32]>) -> PathState {
        let reached = self.0.iter().zip(&places).zip(0..).filter(|((path, at), _)| path.is_reached(**at));
        PathState { within: reached.map(|(_, index)| index).collect(), places }
    }
}

/// How far each path has been followed to a value.
#[derive(Clone, Debug)]
pub struct PathState {
    places: Box<[u32]>,
    within: Box<[u16]>,
}

impl PathState {
    /// The paths that the value lies at or within, in order.
    #[must_use]
    pub fn within(&self) -> &[u16] {
        &self.within
    }
}

/// A place in data: the paths that are looked for, and how far each was followed. Without a state a text is no part of
/// a document, and JSON in it is one of its own.
#[derive(Clone, Copy)]
pub struct Within<'a> {
    fields: &'a Fields,
    state: Option<&'a PathState>,
}

impl<'a> Within<'a> {
    /// A text that is no part of a document.
    #[must_use]
    pub const fn no_document(fields: &'a Fields) -> Self {
        Self { fields, state: None }
    }

    /// The paths that the place lies at or within.
    #[must_use]
    pub fn reached(&self) -> &'a [u16] {
        self.state.map_or(&[], PathState::within)
    }

    /// Follows the paths through the document that begins here, from `root` down.
    #[must_use]
    pub fn enter(&self, document: &Document, (bytes, records): (&[u8], &Records<'_>), root: NodeId) -> Steps {
        let top = self.top();
        Steps::of(self.fields, document, (bytes, records), (root, top))
    }

    /// The same paths at another place.
    #[must_use]
    pub fn at(&self, state: Option<&'a PathState>) -> Self {
        Self { state, ..*self }
    }

    /// The paths that a cell lies at or within, in a table that stands here.
    pub(crate) fn cell(&self, column: &str) -> PathState {
        self.fields.cell(&self.top(), column)
    }

    fn top(&self) -> PathState {
        self.state.cloned().unwrap_or_else(|| self.fields.top())
    }
}

/// Keys may tell of people.
impl fmt::Debug for Within<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Within").field("reached", &self.reached()).finish_non_exhaustive()
    }
}

/// How far each path was followed, for every value of a document. Few states differ, so each is kept once.
#[derive(Debug)]
pub struct Steps {
    first: usize,
    of_node: Vec<u32>,
    states: Vec<PathState>,
}

impl Steps {
    fn of(
        fields: &Fields,
        document: &Document,
        (bytes, records): (&[u8], &Records<'_>),
        (root, top): (NodeId, PathState),
    ) -> Self {
        let first = root.index();
        let mut ids: HashMap<Box<[u32]>, u32> = HashMap::from([(top.places.clone(), 0)]);
        let mut steps = Self { first, of_node: vec![0], states: vec![top] };
        let mut next = Vec::new();
        let last = document.subtree_end(root).index();
        for node in document.nodes().take(last).skip(first + 1) {
            let parent = document.parent(node);
            let Some(state) = parent.and_then(|parent| steps.state(parent)) else { break };
            let key = document.key(bytes, node);
            let in_array = parent.is_some_and(|parent| document.kind(parent) == Kind::Array);
            let step = Step {
                key: key.as_deref(),
                index: in_array.then(|| document.index(node)),
                name: records.name(node),
            };
            fields.step(&state.places, &step, &mut next);
            let id = ids.get(next.as_slice()).copied().unwrap_or_else(|| {
                let id = u32::try_from(steps.states.len()).unwrap_or(0);
                steps.states.push(fields.state(next.as_slice().into()));
                ids.insert(next.as_slice().into(), id);
                id
            });
            steps.of_node.push(id);
        }
        steps
    }

    /// The state at a value; `None` outside of the document.
    #[must_use]
    pub fn state(&self, node: NodeId) -> Option<&PathState> {
        let id = self.of_node.get(node.index().checked_sub(self.first)?)?;
        self.states.get(*id as usize)
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_json::NodeId;

    use super::{FieldPath, FieldPathError, Fields, MAX_SEGMENTS, Within};
    use crate::records::Records;

    /// The values of a document that lie at or within a path.
    fn within(path: &str, json: &str) -> Vec<String> {
        let mut fields = Fields::default();
        fields.add(&FieldPath::parse(path).unwrap());
        let document = cloakgate_json::scan(json.as_bytes()).unwrap();
        let records = Records::of(&document, json.as_bytes());
        let steps = Within::no_document(&fields).enter(&document, (json.as_bytes(), &records), NodeId::ROOT);
        let leaf = |node: &NodeId| document.children(*node).next().is_none();
        let reached = |node: &NodeId| !steps.state(*node).unwrap().within().is_empty();
        let leaves = document.nodes().filter(leaf).filter(reached);
        leaves.map(|node| document.span(node).of(json).unwrap().trim_matches('"').to_owned()).collect()
    }

    #[test]
    fn paths_reach_values_and_what_lies_within_them() {
        let order = r#"{"customer":{"name":"a","email":"b","emails":["c","d"]},"items":[{"note":"e"},{"note":"f","Email":"g"}],"email":"h","x.y":"i"}"#;
        let table = r#"{"columns":["id","email","note"],"rows":[["1","a","b"],["2","c","d"]]}"#;
        let pairs = r#"{"fields":[{"name":"email","value":"a"},{"name":"phone","value":"b"}]}"#;
        for (path, json, expected) in [
            ("customer.name", order, "a"),
            ("customer", order, "a b c d"),
            ("customer.emails", order, "c d"),
            ("customer.emails.1", order, "d"),
            ("items.*.note", order, "e f"),
            ("items.1.note", order, "f"),
            ("items.note", order, ""),
            ("*.note", order, ""),
            ("**.note", order, "e f"),
            ("**.email", order, "b g h"),
            ("email", order, "h"),
            ("*.email", order, "b"),
            ("**.*.email", order, "b g"),
            ("**.**.EMAIL", order, "b g h"),
            ("x\\.y", order, "i"),
            ("x.y", order, ""),
            ("**", order, "a b c d e f g h i"),
            ("customer.**.1", order, "d"),
            ("name", order, ""),
            ("rows.*.email", table, "a c"),
            ("rows.*.2", table, "b d"),
            ("**.note", table, "b d"),
            ("**.email", pairs, "a"),
            ("fields.0.value", pairs, "a"),
            ("**", "7", "7"),
            ("a", "7", ""),
        ] {
            assert_eq!(within(path, json).join(" "), expected, "{path}");
        }
    }

    #[test]
    fn mistakes_have_reasons() {
        let deep = vec!["a"; MAX_SEGMENTS + 1].join(".");
        for (path, expected) in [
            ("", FieldPathError::Empty),
            ("a..b", FieldPathError::Empty),
            ("a.", FieldPathError::Empty),
            (".a", FieldPathError::Empty),
            ("a*", FieldPathError::Star),
            ("***", FieldPathError::Star),
            ("items[*].note", FieldPathError::Bracket),
            ("$.a", FieldPathError::Top),
            ("a\\b", FieldPathError::Escape),
            ("a\\", FieldPathError::Escape),
            (deep.as_str(), FieldPathError::TooLong),
            (&"a".repeat(600), FieldPathError::TooLong),
        ] {
            assert_eq!(FieldPath::parse(path), Err(expected), "{path}");
        }
    }

    #[test]
    fn samples_lie_at_their_path() {
        for path in ["a", "customer.name", "items.*.note", "**.email", "**", "a.0.b", "we\\.ird.\\*"] {
            let json = FieldPath::parse(path).unwrap().sample("\"v\"");
            assert_eq!(within(path, &json), ["v"], "{path}: {json}");
        }
    }

    #[test]
    fn a_step_costs_the_same_however_deep_a_value_lies() {
        let deep = |levels: usize| format!("{}1{}", "[1,".repeat(levels), "]".repeat(levels));
        let wide = |levels: usize| format!("[{}]", vec![deep(levels); 12_000 / levels].join(","));
        let spent = |levels: usize| {
            let json = wide(levels);
            let once = || {
                let start = std::time::Instant::now();
                assert_eq!(within("**.0.**.*.**.x.**.y", &json).len(), 0);
                start.elapsed()
            };
            [once(), once(), once()].into_iter().min().unwrap_or_default()
        };
        let (flat, deep) = (spent(4), spent(400));
        assert!(deep < flat * 8 + std::time::Duration::from_millis(20), "{flat:?} and {deep:?}");
    }
}
