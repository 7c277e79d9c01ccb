//! Rows compiled into a tree of steps, so that a message is walked once.
//!
//! In: fields with their paths; then one step at a time. Out: the treatment of the value that the steps lead to.
//! Invariant: a step costs the number of names that the table knows at that place, never the number of rows; a name
//! of its own goes before a beginning, and a beginning before `*`, without turning back. Not here: rows.

use std::borrow::Cow;
use std::collections::HashSet;

use cloakgate_cloak::Treatment;
use cloakgate_json::{Document, Kind, NodeId};

use super::fields::{Field, Rule};
use super::shape::Shape;

/// What a place gives the value that stands there, while it looks so.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Own {
    pub(super) treatment: Treatment,
    pub(super) shape: Shape,
}

/// One place of the table.
#[derive(Clone, Debug, Default)]
struct Place {
    own: Option<Own>,
    below: Option<Treatment>, // for all values inside that have no place of their own
    members: Vec<(Cow<'static, str>, usize)>,
    beginnings: Vec<(Cow<'static, str>, usize)>,
    any_member: Option<usize>,
    element: Option<usize>,
    kinds: Vec<(&'static str, usize)>,
}

/// Where a walk is, and what holds there if the table knows no more.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    place: Option<usize>,
    inherited: Treatment,
}

impl State {
    pub(super) const fn root(fallback: Treatment) -> Self {
        Self { place: Some(0), inherited: fallback }
    }

    /// True when nothing inside has a place of its own.
    pub(super) const fn is_plain(self) -> bool {
        self.place.is_none()
    }

    /// The state of a value inside that the table does not know.
    pub(super) const fn plain(self) -> Self {
        Self { place: None, inherited: self.inherited }
    }
}

/// Objects that have a key twice: which of the two the receiver reads is unknown, so their `type` decides nothing.
pub(super) struct Ambiguous(HashSet<NodeId>);

impl Ambiguous {
    pub(super) fn of(document: &Document) -> Self {
        Self(document.duplicates().iter().filter_map(|pair| document.parent(pair.again)).collect())
    }

    pub(super) fn contains(&self, object: NodeId) -> bool {
        !self.0.is_empty() && self.0.contains(&object)
    }
}

/// The compiled rows of one kind of message. The first place is the message itself.
#[derive(Clone, Debug)]
pub(super) struct Trie {
    places: Vec<Place>,
}

impl Default for Trie {
    fn default() -> Self {
        Self { places: vec![Place::default()] }
    }
}

impl Trie {
    /// Adds fields at the message's root.
    pub(super) fn insert_all(&mut self, fields: &[Field]) {
        self.insert_at(0, fields);
    }

    fn insert_at(&mut self, at: usize, fields: &[Field]) {
        for field in fields {
            let mut place = at;
            for step in field.path.split('/').filter(|step| !step.is_empty()) {
                place = self.step(place, step);
            }
            self.apply(place, field.rule);
        }
    }

    fn apply(&mut self, at: usize, rule: Rule) {
        match rule {
            Rule::Group(fields) => self.insert_at(at, fields),
            Rule::Kinds(common, kinds) => {
                self.insert_at(at, common);
                for (kind, fields) in kinds {
                    let place = self.add();
                    self.insert_at(place, common);
                    self.insert_at(place, fields);
                    self.change(at, |own| own.kinds.push((kind, place)));
                }
            }
            Rule::Is(treatment, shape) => self.change(at, |place| place.own = Some(Own { treatment, shape })),
            Rule::Whole(treatment) => self.change(at, |place| {
                place.own = Some(Own { treatment, shape: Shape::Any });
                place.below = Some(treatment);
            }),
        }
    }

    fn change(&mut self, at: usize, change: impl FnOnce(&mut Place)) {
        if let Some(place) = self.places.get_mut(at) {
            change(place);
        }
    }

    fn add(&mut self) -> usize {
        self.places.push(Place::default());
        self.places.len() - 1
    }

    /// The place that `step` leads to, made if it is new.
    fn step(&mut self, at: usize, step: &'static str) -> usize {
        let known = self.places.get(at).and_then(|place| place.named(step));
        if let Some(place) = known {
            return place;
        }
        let new = self.add();
        self.change(at, |place| match step {
            "[]" => place.element = Some(new),
            "*" => place.any_member = Some(new),
            _ => match step.strip_suffix('*') {
                Some(beginning) => place.beginnings.push((unescaped(beginning), new)),
                None => place.members.push((unescaped(step), new)),
            },
        });
        new
    }

    fn place(&self, state: State) -> Option<&Place> {
        self.places.get(state.place?)
    }

    fn inside(&self, state: State, place: Option<usize>) -> State {
        let inherited = self.place(state).and_then(|here| here.below).unwrap_or(state.inherited);
        State { place, inherited }
    }

    /// The state of a member.
    pub(super) fn member(&self, state: State, key: &str) -> State {
        self.inside(state, self.place(state).and_then(|place| place.member(key)))
    }

    /// The state of an element.
    pub(super) fn element(&self, state: State) -> State {
        self.inside(state, self.place(state).and_then(|place| place.element))
    }

    /// The state from which the values inside a container are reached; `kind` gives its `type`.
    pub(super) fn entered<'a>(&self, state: State, kind: impl FnOnce() -> Option<Cow<'a, str>>) -> State {
        let Some(place) = self.place(state).filter(|place| !place.kinds.is_empty()) else { return state };
        let Some(kind) = kind() else { return state };
        let by_kind = place.kinds.iter().find(|(name, _)| *name == kind).map(|(_, place)| *place);
        State { place: by_kind.or(state.place), ..state }
    }

    /// The kind by which `entered` follows `state`, where that is one of the table's.
    pub(super) fn kind(&self, state: State, entered: State) -> Option<&'static str> {
        let kinds = &self.place(state)?.kinds;
        kinds.iter().find(|(_, place)| Some(*place) == entered.place).map(|(name, _)| *name)
    }

    /// A member's name, where the table has it.
    pub(super) fn name(&self, state: State, key: &str) -> Option<&str> {
        let known = self.place(state)?.members.iter().find(|(name, _)| name == key)?;
        Some(known.0.as_ref())
    }

    /// What a value of this kind gets at `state`; `text` gives a string's text or a number as written.
    pub(super) fn treatment<'a>(
        &self,
        state: State,
        kind: Kind,
        text: impl FnOnce() -> Option<Cow<'a, str>>,
        fallback: Treatment,
    ) -> Treatment {
        match self.place(state).and_then(|place| place.own) {
            None => state.inherited,
            Some(own) if own.shape.fits(kind, text) => own.treatment,
            Some(_) => fallback,
        }
    }

    /// What a place of its own decides for `path`, or a place above it for all below.
    pub(super) fn decided(&self, path: &[&str]) -> Option<Treatment> {
        let (mut at, mut below) = (Some(0), None);
        for step in path {
            let place = self.places.get(at?)?;
            below = place.below.or(below);
            let kind = step.strip_prefix("type=");
            at = match kind {
                // A kind without fields of its own has the common ones.
                Some(kind) => {
                    place.kinds.iter().find(|(name, _)| *name == kind).map_or(at, |(_, place)| Some(*place))
                }
                None if *step == "[]" => place.element,
                None => place.member(step),
            };
            if at.is_none() {
                return below;
            }
        }
        match self.places.get(at?)?.own {
            None => below,
            Some(own) => Some(own.treatment),
        }
    }
}

impl Place {
    /// The place that the table's own step leads to.
    fn named(&self, step: &str) -> Option<usize> {
        match step {
            "[]" => self.element,
            "*" => self.any_member,
            _ => {
                let (list, name) = match step.strip_suffix('*') {
                    Some(beginning) => (&self.beginnings, beginning),
                    None => (&self.members, step),
                };
                let name = name.replace("~1", "/");
                list.iter().find(|(known, _)| *known == name).map(|(_, place)| *place)
            }
        }
    }

    /// The place that a message's member leads to.
    fn member(&self, key: &str) -> Option<usize> {
        let own = self.members.iter().find(|(name, _)| name == key);
        let own =
            own.or_else(|| self.beginnings.iter().find(|(beginning, _)| key.starts_with(beginning.as_ref())));
        own.map(|(_, place)| *place).or(self.any_member)
    }
}

fn unescaped(step: &'static str) -> Cow<'static, str> {
    if step.contains("~1") { Cow::Owned(step.replace("~1", "/")) } else { Cow::Borrowed(step) }
}
