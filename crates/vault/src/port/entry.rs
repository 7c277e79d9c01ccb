//! An entry as bytes, before it is sealed.
//!
//! In: a form and who brought it. Out: bytes, and from them the same again. Invariant: bytes that are cut off, too long
//! or of another format are refused. Not here: sealing.

use cloakgate_cloak::{Context, Form, Place, RawForm, Source};
use cloakgate_vocab::{ByteReader, Sensitive};
use zeroize::Zeroizing;

const FORMAT: u8 = 1;

/// Writes an entry.
pub(super) fn write(form: &Form, provenance: &[Source]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(64 + form.value.expose().len()));
    bytes.push(FORMAT);
    // The value is sealed by the caller.
    write_text(&mut bytes, form.value.expose());
    match &form.raw {
        None => bytes.push(0),
        Some(RawForm { text, home }) => {
            bytes.push(if home.is_some() { 2 } else { 1 });
            write_text(&mut bytes, text.expose());
            if let Some(Place { depth, context }) = home {
                let (tag, delimiter) = tag_of(*context);
                bytes.extend([*depth, tag, delimiter]);
            }
        }
    }
    for source in provenance {
        match source {
            Source::Client => bytes.push(0),
            Source::Upstream(name) => {
                bytes.push(1);
                write_text(&mut bytes, name.as_str());
            }
        }
    }
    bytes
}

/// Reads what [`write`] wrote.
pub(super) fn read(bytes: &[u8]) -> Option<(Form, Vec<Source>)> {
    let mut rest = ByteReader(bytes);
    if rest.byte()? != FORMAT {
        return None;
    }
    let value = Sensitive::new(read_text(&mut rest)?);
    let raw = match rest.byte()? {
        0 => None,
        1 => Some(RawForm { text: Sensitive::new(read_text(&mut rest)?), home: None }),
        2 => {
            let text = Sensitive::new(read_text(&mut rest)?);
            let (depth, tag, delimiter) = (rest.byte()?, rest.byte()?, rest.byte()?);
            Some(RawForm { text, home: Some(Place { depth, context: context_of(tag, delimiter)? }) })
        }
        _ => return None,
    };
    let mut provenance = Vec::new();
    while !rest.0.is_empty() {
        provenance.push(match rest.byte()? {
            0 => Source::Client,
            1 => Source::Upstream(read_text(&mut rest)?.parse().ok()?),
            _ => return None,
        });
    }
    Some((Form { value, raw }, provenance))
}

/// A text that is longer than its length can say cannot come in: messages are far shorter.
fn write_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend(text.as_bytes());
}

const fn tag_of(context: Context) -> (u8, u8) {
    match context {
        Context::Plain => (0, 0),
        Context::Number => (1, 0),
        Context::UrlPath => (2, 0),
        Context::UrlQuery => (3, 0),
        Context::UrlUserinfo => (4, 0),
        Context::UrlHost => (5, 0),
        Context::CsvQuoted => (6, 0),
        Context::CsvBare(delimiter) => (7, delimiter),
        Context::HtmlText => (8, 0),
        Context::HtmlAttribute => (9, 0),
        Context::Header => (10, 0),
    }
}

const fn context_of(tag: u8, delimiter: u8) -> Option<Context> {
    Some(match tag {
        0 => Context::Plain,
        1 => Context::Number,
        2 => Context::UrlPath,
        3 => Context::UrlQuery,
        4 => Context::UrlUserinfo,
        5 => Context::UrlHost,
        6 => Context::CsvQuoted,
        7 => Context::CsvBare(delimiter),
        8 => Context::HtmlText,
        9 => Context::HtmlAttribute,
        10 => Context::Header,
        _ => return None,
    })
}

fn read_text<'a>(bytes: &mut ByteReader<'a>) -> Option<&'a str> {
    let length = u32::from_be_bytes(bytes.array()?);
    bytes.text(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{Context, Form, Place, RawForm, Sensitive, Source, context_of, read, tag_of, write};

    #[test]
    fn entries_come_back_equal_and_cut_ones_are_refused_or_lack_a_source() {
        let upstream = Source::Upstream("crm".parse().unwrap());
        let raw = |home| Some(RawForm { text: Sensitive::new("O&#39;Brien"), home });
        let home = Place { depth: 2, context: Context::CsvBare(b';') };
        for (name, raw, provenance) in [
            ("plain", None, vec![Source::Client]),
            ("raw everywhere", raw(None), vec![upstream.clone(), Source::Client]),
            ("raw at home", raw(Some(home)), vec![]),
            ("two upstreams", None, vec![upstream, Source::Upstream("db".parse().unwrap())]),
        ] {
            let form = Form { value: Sensitive::new("O'Brien"), raw };
            let bytes = write(&form, &provenance);
            assert_eq!(read(&bytes), Some((form, provenance.clone())), "{name}");
            for end in 0..bytes.len() {
                let short = read(&bytes[..end]);
                assert!(short.is_none_or(|(_, sources)| sources.len() < provenance.len()), "{name} at {end}");
            }
        }
    }

    #[test]
    fn every_context_has_a_tag_of_its_own() {
        for tag in 0..=10 {
            assert_eq!(context_of(tag, b',').map(tag_of).map(|(tag, _)| tag), Some(tag));
        }
        assert_eq!(context_of(11, 0), None);
    }
}
