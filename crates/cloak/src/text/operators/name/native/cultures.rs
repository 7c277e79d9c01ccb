//! The cultures of locales and the scripts of names, as the lists name them.
//!
//! In: a locale of the settings, a name. Out: codes of lists. Not here: which list is drawn from (`pick`).

/// The code of the lists of a locale.
pub(super) fn culture_of(locale: &str) -> &str {
    let language = locale.split(['_', '-']).next().unwrap_or_default();
    match (language, locale.get(3..5)) {
        ("en", Some("IN" | "NP")) | ("mr" | "ne", _) => "hi",
        ("en", Some("NG" | "KE" | "GH")) | ("yo" | "ig" | "ha" | "zu" | "xh" | "tw" | "ak", _) => "sw",
        ("fr", Some("DZ" | "MA" | "TN")) => "ar",
        ("en", Some("PK")) | ("ur" | "ku" | "ps", _) => "fa",
        ("en", Some("HK")) => "zh",
        ("da" | "no" | "nb" | "nn" | "is", _) => "sv",
        ("cy" | "ga", _) => "en",
        ("af", _) => "nl",
        ("et", _) => "fi",
        ("ca" | "gl" | "eu", _) => "es",
        ("sk", _) => "cs",
        ("sr" | "sl" | "bs", _) => "hr",
        ("mk", _) => "bg",
        ("lv", _) => "lt",
        ("az" | "uz", _) => "tr",
        _ => language,
    }
}

/// The script of the letters of a name, as lists name it.
pub(super) fn script_of(name: &str) -> Option<&'static str> {
    let of = |c: char| match u32::from(c) {
        0x41..=0x24f | 0x1e00..=0x1eff => Some("latn"),
        0x370..=0x3ff | 0x1f00..=0x1fff => Some("grek"),
        0x400..=0x52f => Some("cyrl"),
        0x530..=0x58f => Some("armn"),
        0x590..=0x5ff => Some("hebr"),
        0x600..=0x6ff | 0x750..=0x77f => Some("arab"),
        0x900..=0x97f => Some("deva"),
        0x980..=0x9ff => Some("beng"),
        0xa80..=0xaff => Some("gujr"),
        0xb00..=0xb7f => Some("orya"),
        0xb80..=0xbff => Some("taml"),
        0xd80..=0xdff => Some("sinh"),
        0xe00..=0xe7f => Some("thai"),
        0x10a0..=0x10ff => Some("geor"),
        0xac00..=0xd7a3 => Some("hang"),
        0x3040..=0x30ff => Some("kana"),
        0x4e00..=0x9fff | 0x3005 => Some("hani"),
        _ => None,
    };
    let mut scripts = name.chars().filter(|c| c.is_alphabetic()).map(of);
    let first = scripts.next()??;
    // Kanji with kana are a Japanese name in kanji.
    Some(if first == "kana" && scripts.any(|script| script == Some("hani")) { "hani" } else { first })
}
