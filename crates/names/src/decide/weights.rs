//! What each sign is worth: the one place where the decision is tuned.
//!
//! In: the signs that hold for a candidate. Out: a score; above the bound of the preset it is a person. Each sign has two
//! weights: one where the transformer was not asked, and one where it was. They were fitted by logistic regression on
//! texts that people wrote and marked (Broad Twitter Corpus, WNUT-17 training part), then rounded. Those of lines, items,
//! citations and languages, which these texts do not show, that of the tagger, which has learnt from them, and those of
//! doubts were set by hand.

use crate::preset::Preset;

macro_rules! signs {
    ($($(#[$doc:meta])* $name:ident: $alone:literal, $asked:literal;)*) => {
        /// Something that speaks for or against a name.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub(crate) enum Sign { $($(#[$doc])* $name,)* }

        /// Every sign, with its weight without and with the transformer.
        const WEIGHTS: &[(Sign, f32, f32)] = &[$((Sign::$name, $alone, $asked),)*];

        /// Number of signs.
        pub(crate) const SIGNS: usize = [$(Sign::$name,)*].len();
    };
}

signs! {
    /// Holds always.
    Always: -2.54, -3.00;
    /// The small network sees a person.
    Network: 2.06, 1.96;
    /// How likely it takes one of the words for a person, where it does not see one.
    NetworkChance: 0.60, 0.60;
    /// It sees a person in a part of the words.
    NetworkPart: 0.21, 0.19;
    /// It sees a firm.
    NetworkFirm: 0.41, 0.26;
    /// It sees a place.
    NetworkPlace: -0.62, -0.57;
    /// It sees a group of people.
    NetworkGroup: -1.08, -0.90;
    /// How sure the transformer is.
    Transformer: 0.00, 2.26;
    /// The same, where no word is in any list.
    TransformerUnknown: 0.00, 0.80;
    /// The same, in small letters.
    TransformerLower: 0.00, 1.30;
    /// How sure the lists are by themselves.
    Listed: 1.47, 1.87;
    /// How sure the tagger is.
    Tagger: 2.80, 2.80;
    /// The first word is a given name.
    Given: 0.15, -0.08;
    /// It is a common one.
    GivenCommon: 1.27, 1.22;
    /// It is a rare one.
    GivenRare: 0.09, -0.24;
    /// The last word is a surname.
    Surname: 0.42, 0.48;
    /// A given name and a surname.
    GivenSurname: 0.81, 0.91;
    /// Two words.
    Two: 0.10, 0.14;
    /// Three words or more.
    Three: 0.09, 0.12;
    /// Share of everyday words.
    Everyday: -1.96, -1.67;
    /// A given name that is an everyday word, too.
    Ambiguous: 0.28, 0.22;
    /// No word is in any list.
    Unknown: -1.09, -0.99;
    /// With an initial.
    Initial: 0.03, 0.22;
    /// In capitals.
    Upper: -0.68, -0.61;
    /// In small letters.
    Lower: -0.66, -0.89;
    /// In small letters, and no given name.
    LowerUnlisted: -0.87, -0.79;
    /// After a title or an office.
    Title: 1.54, 1.59;
    /// An everyday word after a title.
    TitleOfThing: -1.20, -1.20;
    /// After a word that names follow: `with`, `thanks`, `ask`.
    Cue: 0.76, 0.72;
    /// Before a verb of people.
    Verb: 1.02, 0.91;
    /// Before a possessive ending.
    Possessive: 0.89, 0.64;
    /// Before a comma and an initial: `Lindström, K.`
    BeforeInitial: 1.60, 1.60;
    /// After `the`, `a`, `my`.
    Article: -0.88, -0.71;
    /// After `in`, `at`, `of`.
    Preposition: -0.60, -0.51;
    /// Beside a word of firms, streets and things.
    Thing: -1.71, -1.44;
    /// One word, before a small one that is no verb.
    Noun: -0.90, -0.70;
    /// The same, and no given name.
    NounUnlisted: -1.00, -1.00;
    /// One word that begins a sentence.
    Opening: -0.29, -0.44;
    /// The same, and an everyday word.
    AmbiguousOpening: -0.80, -0.80;
    /// All that its line holds.
    Alone: 0.80, 0.80;
    /// One word between commas or ends of lines that means something else, too: `Lyon, Berlin, Heron`.
    Item: -1.80, -2.60;
    /// In a line of key and value.
    Pair: -0.30, -0.30;
    /// In a comment or a heading.
    Comment: -2.20, -2.20;
    /// A word that programs, products or places are called by.
    Other: -1.20, -1.23;
    /// Share of the text that does not look English.
    Foreign: -1.05, -0.95;
    /// The same, where no word is in any list.
    ForeignUnknown: -0.25, -0.25;
    /// The same, where the tagger sees a person.
    ForeignTagger: 0.00, 0.00;
    /// The same, where the lists are sure.
    ForeignListed: 0.80, 0.80;
    /// The same, where the small network sees a person.
    ForeignNetwork: -0.80, -0.80;
    /// The same, where the transformer sees one.
    ForeignTransformer: 0.00, -0.40;
    /// The same, where the first word is a given name.
    ForeignGiven: 0.30, 0.30;
}

/// The signs of one candidate.
pub(crate) type Signs = [f32; SIGNS];

/// The score of a candidate.
pub(crate) fn score(signs: &Signs, asked: bool) -> f32 {
    WEIGHTS
        .iter()
        .map(|(sign, alone, with)| {
            signs.get(*sign as usize).unwrap_or(&0.0) * if asked { with } else { alone }
        })
        .sum()
}

/// What scores mean at a preset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// From here on it is a person.
    pub(crate) person: f32,
    /// From here up to `sure`, the transformer is asked.
    pub(crate) open: f32,
    /// The same for one word without a sentence, of which the transformer sees no more than we do.
    pub(crate) lone: f32,
    /// From here on nobody is asked.
    pub(crate) sure: f32,
    /// What the same word in a name that is sure, elsewhere in the message, adds.
    pub(crate) again: f32,
    /// From here on a name speaks for its words elsewhere.
    pub(crate) speaks: f32,
    /// What the same word in any name elsewhere in the message adds.
    pub(crate) beside: f32,
}

/// The bounds of a preset.
pub(crate) const fn bounds(preset: Preset) -> Bounds {
    match preset {
        Preset::Fast => {
            let (open, lone) = (f32::MAX, f32::MAX);
            Bounds { person: -1.1, open, lone, sure: f32::MIN, again: 2.0, speaks: 0.2, beside: 0.0 }
        }
        Preset::Balanced => {
            let (open, lone) = (-2.9, -2.2);
            Bounds { person: -1.4, open, lone, sure: -0.3, again: 2.0, speaks: -0.6, beside: 1.0 }
        }
        Preset::Recall => {
            let (open, lone) = (-4.0, -4.0);
            Bounds { person: -1.8, open, lone, sure: 2.0, again: 2.5, speaks: -0.5, beside: 1.0 }
        }
    }
}
