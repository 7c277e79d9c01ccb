//! In what form a caller sends and wants to be answered.
//!
//! In: headers. Out: JSON or events. Invariant: JSON wherever it is wanted, too; events only where nothing else is.

use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};

use super::fault::Fault;

/// The form of an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// One JSON text.
    Json,
    /// A stream of one event.
    Events,
}

/// Checks that the body says to be JSON. A body that does not say what it is may come from a page that no browser
/// asked us about.
pub(super) fn content_type(headers: &HeaderMap) -> Result<(), Fault> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (types.next(), types.next()) else { return Err(Fault::ContentType) };
    let (media, parameters) = split(value.to_str().map_err(|_| Fault::ContentType)?);
    let charset =
        parameters.split(';').filter_map(|parameter| parameter.split_once('=')).find_map(|(name, value)| {
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
        });
    let readable =
        charset.is_none_or(|charset| ["utf-8", "utf8"].iter().any(|own| own.eq_ignore_ascii_case(charset)));
    let plain = headers
        .get(CONTENT_ENCODING)
        .is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if media.eq_ignore_ascii_case("application/json") && readable && plain {
        Ok(())
    } else {
        Err(Fault::ContentType)
    }
}

/// The form in which the caller wants its answer. Whoever does not say takes JSON.
pub(super) fn form(headers: &HeaderMap) -> Result<Form, Fault> {
    let mut said = false;
    let (mut json, mut events) = (Wish::default(), Wish::default());
    for value in headers.get_all(ACCEPT) {
        for range in value.to_str().map_err(|_| Fault::Accept)?.split(',').map(str::trim) {
            if range.is_empty() {
                continue;
            }
            said = true;
            let (media, parameters) = split(range);
            let wanted = !is_refused(parameters);
            json.hear(media, "application/*", "application/json", wanted);
            events.hear(media, "text/*", "text/event-stream", wanted);
        }
    }
    match (json.granted(), events.granted()) {
        _ if !said => Ok(Form::Json),
        (true, _) => Ok(Form::Json),
        (false, true) => Ok(Form::Events),
        (false, false) => Err(Fault::Accept),
    }
}

/// Whether one media type is wanted: the closest range decides.
#[derive(Default)]
struct Wish {
    any: Option<bool>,
    kind: Option<bool>,
    exact: Option<bool>,
}

impl Wish {
    fn hear(&mut self, media: &str, kind: &str, exact: &str, wanted: bool) {
        let slot = if media == "*/*" {
            &mut self.any
        } else if media.eq_ignore_ascii_case(kind) {
            &mut self.kind
        } else if media.eq_ignore_ascii_case(exact) {
            &mut self.exact
        } else {
            return;
        };
        *slot = Some(slot.unwrap_or(false) || wanted);
    }

    fn granted(&self) -> bool {
        self.exact.or(self.kind).or(self.any).unwrap_or(false)
    }
}

/// A media type or range, and the parameters after it.
fn split(value: &str) -> (&str, &str) {
    let (media, parameters) = value.split_once(';').unwrap_or((value, ""));
    (media.trim(), parameters)
}

/// True for a weight of 0.
fn is_refused(parameters: &str) -> bool {
    parameters.split(';').filter_map(|parameter| parameter.split_once('=')).any(|(name, value)| {
        name.trim().eq_ignore_ascii_case("q") && value.trim().parse::<f32>().is_ok_and(|weight| weight <= 0.0)
    })
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn headers(name: &HeaderName, values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn json_unless_only_events_are_wanted() {
        for (values, expected) in [
            (&[][..], Some(Form::Json)),
            (&[""], Some(Form::Json)),
            (&["*/*"], Some(Form::Json)),
            (&["application/json, text/event-stream"], Some(Form::Json)),
            (&["text/event-stream", "application/json"], Some(Form::Json)),
            (&["Application/JSON;q=0.1"], Some(Form::Json)),
            (&["application/*"], Some(Form::Json)),
            (&["text/event-stream"], Some(Form::Events)),
            (&["text/*"], Some(Form::Events)),
            (&["text/event-stream, application/json;q=0"], Some(Form::Events)),
            (&["text/event-stream, */*"], Some(Form::Json)),
            (&["application/json;q=0, */*;q=0.1"], Some(Form::Events)),
            (&["text/html"], None),
            (&["application/json;q=0"], None),
            (&["application/xml, image/*"], None),
        ] {
            assert_eq!(form(&headers(&ACCEPT, values)).ok(), expected, "{values:?}");
        }
    }

    #[test]
    fn bodies_say_that_they_are_json() {
        for (values, expected) in [
            (&["application/json"][..], true),
            (&["application/json; charset=utf-8"], true),
            (&["Application/Json;Charset=\"UTF-8\""], true),
            (&["application/json; charset=utf-16"], false),
            (&["application/jsonp"], false),
            (&["text/plain"], false),
            (&[], false),
            (&["application/json", "text/plain"], false),
        ] {
            assert_eq!(content_type(&headers(&CONTENT_TYPE, values)).is_ok(), expected, "{values:?}");
        }
        let mut packed = headers(&CONTENT_TYPE, &["application/json"]);
        packed.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(content_type(&packed).is_err());
    }
}
