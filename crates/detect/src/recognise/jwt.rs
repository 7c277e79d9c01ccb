//! JSON web tokens.
//!
//! Format: header, payload and signature in base64url, joined by dots (RFC 7515 section 3.1); five parts when encrypted
//! (RFC 7516 section 3.1); the signature may be empty (`alg` none). Check rule: the header decodes to a JSON object
//! with a member `alg`; a header and a payload whose signature was cut off count too.
//! `eyJhbGciOiJIUzI1NiJ9` is the header `{"alg":"HS256"}`.
//!
//! In: text and the start of a word `eyJ...`. Out: one hit over all parts. Invariant: each part is at most 16 KiB, and no
//! letter of the alphabet stands before the start, so no byte is read by two calls as a first part.
//! Not here: claims, signatures.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::base64::decode;
use super::boundary::{at, before, is_base64url, run_end};

const MAX_PART: usize = 16 << 10;
const MAX_HEADER: usize = 4096;

/// Reports the token that begins at `start` with `eyJ`, a base64 `{"`.
pub(super) fn jwt_at(text: &str, start: usize) -> Option<Hit> {
    if is_base64url(before(text, start)) {
        return None;
    }
    let header_end = part_end(text, start);
    if at(text, header_end) != b'.' || !names_algorithm(text.as_bytes().get(start..header_end)?) {
        return None;
    }
    let payload_end = part_end(text, header_end + 1);
    if payload_end - header_end < 5 {
        return None;
    }
    let mut end = payload_end;
    for _ in 0..3 {
        if at(text, end) != b'.' {
            break;
        }
        let next = part_end(text, end + 1);
        if next == end + 1 {
            break;
        }
        end = next;
    }
    Some(Hit::new(start, end, Category::Jwt, "jwt", Strength::Checked))
}

fn part_end(text: &str, start: usize) -> usize {
    run_end(text, start, MAX_PART, is_base64url)
}

fn names_algorithm(header: &[u8]) -> bool {
    let head = header.get(..MAX_HEADER).unwrap_or(header);
    decode(head)
        .is_some_and(|json| json.first() == Some(&b'{') && json.windows(5).any(|name| name == b"\"alg\""))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::Jwt;

    #[test]
    fn tokens() {
        check_words(
            Jwt,
            &[
                "Bearer «eyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl»",
                "\"«eyJ¦hbGciOiAiSFMyNTYifQ.eyJzdWIiOiIxIn0.c2lnbmF0dXJl»\",",
                "cut «eyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0» here",
                "«eyJ¦hbGciOiJub25lIn0.eyJzdWIiOiIxIn0».",
                "é«eyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln»é",
                "jwe «eyJ¦hbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOawDo13gRp2ojaHV7LFp.48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ.XFBoMYUZodetZdvTiFvSkQ»",
            ],
        );
    }

    #[test]
    fn look_alikes() {
        check_words(
            Jwt,
            &[
                "eyJmb28iOiJiYXIifQ.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
                "eyJ¦hbGciOiJIUzI1NiJ9",
                "eyJ¦hbGciOiJIUzI1NiJ9.",
                "eyJ¦hbGciOiJIUzI1NiJ9.abc",
                "aeyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
                "-eyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
                "eyJ.eyJ.x",
                "eyJoZWxsbw.world.example",
            ],
        );
    }
}
