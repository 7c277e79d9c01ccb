//! Words beside a name that say what it is.
//!
//! In: one word, small. Out: its part in a sentence. Invariant: small fixed lists. Not here: what it is worth
//! (`weights`).

/// Words that names follow.
const CUES: &[&str] = &[
    "am",
    "and",
    "ask",
    "asked",
    "attn",
    "best",
    "between",
    "by",
    "call",
    "called",
    "cc",
    "cheers",
    "contact",
    "dear",
    "from",
    "guys",
    "hello",
    "hey",
    "hi",
    "i'm",
    "i’m",
    "is",
    "love",
    "meet",
    "met",
    "name",
    "named",
    "ping",
    "regards",
    "signed",
    "sincerely",
    "tell",
    "told",
    "thanks",
    "thx",
    "via",
    "with",
    "mit",
    "von",
    "avec",
    "par",
    "con",
    "com",
    "por",
];

/// Verbs of people, and words that go on with what a person is.
const VERBS: &[&str] = &[
    "added",
    "admitted",
    "agreed",
    "apologised",
    "apologized",
    "argued",
    "asked",
    "asks",
    "attended",
    "believed",
    "born",
    "came",
    "claimed",
    "claims",
    "coached",
    "competed",
    "complained",
    "composed",
    "decided",
    "denied",
    "did",
    "died",
    "dijo",
    "disse",
    "dit",
    "does",
    "earned",
    "era",
    "explained",
    "explains",
    "felt",
    "foi",
    "fought",
    "fue",
    "goes",
    "got",
    "graduated",
    "grew",
    "had",
    "has",
    "hat",
    "hosted",
    "insisted",
    "is",
    "ist",
    "joined",
    "knows",
    "laughed",
    "left",
    "lived",
    "loves",
    "married",
    "met",
    "moved",
    "nodded",
    "noted",
    "painted",
    "played",
    "plays",
    "recalled",
    "recorded",
    "rekao",
    "replied",
    "resigned",
    "retired",
    "sagte",
    "said",
    "sang",
    "sat",
    "say",
    "says",
    "scored",
    "smiled",
    "spoke",
    "starred",
    "stood",
    "studied",
    "taught",
    "thanked",
    "thinks",
    "thought",
    "told",
    "took",
    "toured",
    "wanted",
    "wants",
    "war",
    "was",
    "went",
    "who",
    "whom",
    "whose",
    "will",
    "won",
    "wondered",
    "worried",
    "would",
    "writes",
    "wrote",
];

/// Words before the name of a thing.
const ARTICLES: &[&str] = &[
    "a", "an", "her", "his", "its", "my", "our", "that", "the", "their", "these", "this", "those", "your",
    "das", "die", "le", "les", "los", "las", "os", "as",
];

/// Words before the name of a place.
const PREPOSITIONS: &[&str] =
    &["at", "for", "in", "into", "near", "of", "on", "through", "to", "em", "en", "à", "nach", "u", "na"];

/// Words after which the name of a place is likelier than another.
const BEFORE_PLACES: &[&str] = &[
    "across",
    "around",
    "from",
    "in",
    "into",
    "leaving",
    "near",
    "outside",
    "reached",
    "throughout",
    "to",
    "toward",
    "towards",
    "via",
    "visit",
    "visited",
    "visiting",
    "downtown",
    "northern",
    "southern",
    "eastern",
    "western",
    "central",
    "aus",
    "bei",
    "in",
    "nach",
    "en",
    "vers",
    "à",
    "desde",
    "hacia",
    "em",
    "para",
    "naar",
    "uit",
    "från",
    "till",
    "i",
    "w",
    "v",
    "ve",
    "u",
];

/// Words that stand before `in`, `at`, `to` and the like where somebody is somewhere or goes there.
const WHEREABOUTS: &[&str] = &[
    "am",
    "arrived",
    "arrive",
    "arrives",
    "based",
    "born",
    "came",
    "come",
    "comes",
    "drive",
    "drove",
    "flew",
    "fly",
    "flying",
    "go",
    "goes",
    "going",
    "grew",
    "headed",
    "i'm",
    "live",
    "lived",
    "lives",
    "living",
    "located",
    "move",
    "moved",
    "moving",
    "originally",
    "raised",
    "reside",
    "resided",
    "resides",
    "residing",
    "return",
    "returned",
    "settled",
    "stay",
    "stayed",
    "staying",
    "travel",
    "traveled",
    "travelled",
    "traveling",
    "trip",
    "up",
    "went",
    "we're",
    "are",
    "is",
    "was",
    "wohne",
    "wohnt",
    "lebt",
    "lebe",
    "geboren",
    "habite",
    "vit",
    "vive",
    "vivo",
    "mora",
    "moro",
    "woont",
];

/// Words of work, before `for` and `at` and a firm.
const WORK: &[&str] = &[
    "career", "employed", "employee", "hired", "intern", "interned", "job", "position", "work", "worked",
    "working", "works",
];
/// Words between those and the firm.
const BEFORE_EMPLOYERS: &[&str] = &["at", "by", "for", "with"];

/// Words after the name of a firm, a place, a street, a thing.
const THINGS: &[&str] = &[
    "airport",
    "album",
    "api",
    "army",
    "association",
    "award",
    "awards",
    "band",
    "bank",
    "blvd",
    "bridge",
    "building",
    "center",
    "centre",
    "church",
    "city",
    "club",
    "college",
    "county",
    "court",
    "cup",
    "drive",
    "festival",
    "foundation",
    "framework",
    "group",
    "highway",
    "hospital",
    "hotel",
    "house",
    "institute",
    "island",
    "lake",
    "lane",
    "league",
    "library",
    "line",
    "magazine",
    "model",
    "mountain",
    "museum",
    "navy",
    "news",
    "orchestra",
    "park",
    "party",
    "place",
    "press",
    "protocol",
    "railway",
    "records",
    "regiment",
    "restaurant",
    "river",
    "road",
    "school",
    "server",
    "square",
    "stadium",
    "station",
    "street",
    "test",
    "theater",
    "theatre",
    "times",
    "university",
    "valley",
    "village",
    "way",
    "wiki",
    "avenue",
    "theorem",
    "algorithm",
    "distance",
    "filter",
    "transform",
    "code",
    "desktop",
    "effect",
    "prize",
    "hurricane",
];

/// Frequent small words of English: their share tells whether a text is English.
const SMALL_ENGLISH: &[&str] = &[
    "the", "of", "and", "to", "in", "is", "for", "that", "with", "on", "was", "you", "it", "i", "a", "an",
    "this", "be", "are", "not", "have", "at", "as", "by", "from", "or", "but", "they", "he", "she", "his",
    "her", "my", "me", "we", "your", "if", "so", "just", "what", "all", "do", "can", "out", "up", "no",
    "like", "about", "get", "go", "has", "when",
];

fn is_among(list: &[&str], word: &str) -> bool {
    word.len() <= 12 && list.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// True for a word that names follow.
pub(crate) fn is_cue(word: &str) -> bool {
    word == "&" || is_among(CUES, word)
}

/// True for a verb of people.
pub(crate) fn is_verb(word: &str) -> bool {
    is_among(VERBS, word)
}

/// True for a word before the name of a thing.
pub(crate) fn is_article(word: &str) -> bool {
    is_among(ARTICLES, word)
}

/// True for a word before the name of a place.
pub(crate) fn is_preposition(word: &str) -> bool {
    is_among(PREPOSITIONS, word)
}

/// True for a word after which a place is likely.
pub(crate) fn is_before_places(word: &str) -> bool {
    is_among(BEFORE_PLACES, word)
}

/// True for a word that stands before `in` or `to` where somebody is somewhere or goes there.
pub(crate) fn is_whereabouts(word: &str) -> bool {
    is_among(WHEREABOUTS, word)
}

/// True for a word of work, before `for` or `at` and a firm.
pub(crate) fn is_work(word: &str) -> bool {
    is_among(WORK, word)
}

/// True for a word between one of work and a firm.
pub(crate) fn is_before_employers(word: &str) -> bool {
    is_among(BEFORE_EMPLOYERS, word)
}

/// True for a word after the name of a thing.
pub(crate) fn is_thing(word: &str) -> bool {
    is_among(THINGS, word)
}

/// True for a frequent small word of English.
pub(crate) fn is_small_english(word: &str) -> bool {
    word.len() <= 4 && is_among(SMALL_ENGLISH, word)
}
