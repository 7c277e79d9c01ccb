//! Bot tokens of Discord.
//!
//! Issuer: Discord. Format: the decimal id of the bot's user in base64url (23 to 28 letters, no padding), `.`, six
//! letters of a time of issue, `.`, 27 to 38 letters of a signature. Check rule: the first part decodes to 17 to 20 digits,
//! so it begins with one of `MNO`, one of `DTjz`, one of `AEIMQUYcgk` and one of `wxyz012345`: the invented user
//! `123456789012345678` becomes `MTIzNDU2Nzg5MDEyMzQ1Njc4`. Source: developer documentation, "Reference", section
//! "Authentication" and "Snowflakes".
//!
//! In: text and a word start. Out: one hit over all parts. Invariant: reads at most 80 bytes.
//! Not here: webhooks and tokens of users with a second factor (`vendor_table.rs`), client secrets (by key word only).

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::base64::decode;
use super::boundary::{at, before, is_base64url, run_end};
use super::plausible::has_spread;

/// Reports the token that begins at `start`.
pub(super) fn bot_token_at(text: &str, start: usize) -> Option<Hit> {
    if is_base64url(before(text, start)) || before(text, start) == b'.' {
        return None;
    }
    let user = part(text, start, 23..=28)?;
    let issued = part(text, user + 1, 6..=6)?;
    let end = run_end(text, issued + 1, 39, is_base64url);
    let signature = text.as_bytes().get(issued + 1..end)?;
    let digits = decode(text.as_bytes().get(start..user)?)?;
    let numbered = (17..=20).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    (numbered && (27..=38).contains(&signature.len()) && has_spread(signature))
        .then(|| Hit::new(start, end, Category::ApiKey, "discord", Strength::Checked))
}

/// The end of a part with a dot behind it.
fn part(text: &str, start: usize, length: std::ops::RangeInclusive<usize>) -> Option<usize> {
    let end = run_end(text, start, length.end() + 1, is_base64url);
    (length.contains(&(end - start)) && at(text, end) == b'.').then_some(end)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::ApiKey;

    #[test]
    fn tokens() {
        check_words(
            ApiKey,
            &[
                "DISCORD_TOKEN=«MTIzNDU2Nzg5¦MDEyMzQ1Njc4.G1nv¦En.q8Zt-Yw3RbK0uLx_5HdJm2PcVf7sNa»",
                "\"«OTg3NjU0MzIx¦MDk4NzY1NDMyMQ.Y0ab¦Cd.q8Zt-Yw3RbK0uLx_5HdJm2PcVf7sNaE4gT6iWo»\",",
                "用«MTIzNDU2Nzg5¦MDEyMzQ1Njc4.G1nv¦En.q8Zt-Yw3RbK0uLx_5HdJm2PcVf7»用",
                // no user id
                "MTIzNDU2Nzg5¦MDEyMzQ1Njxx.G1nv¦En.q8Zt-Yw3RbK0uLx_5HdJm2PcVf7sNa",
                // parts too short and too long
                "MTIzNDU2Nzg5¦MDEyMzQ.G1nv¦En.q8Zt-Yw3RbK0uLx_5HdJm2PcVf7sNa",
                "MTIzNDU2Nzg5¦MDEyMzQ1Njc4.G1nv¦E.q8Zt-Yw3RbK0uLx_5HdJm2PcVf7sNa",
                "MTIzNDU2Nzg5¦MDEyMzQ1Njc4.G1nv¦En.q8Zt-Yw3RbK0uLx_5HdJm2PcVf",
                "MTIzNDU2Nzg5¦MDEyMzQ1Njc4.G1nv¦En.q8Zt-Yw3RbK0uLx_5HdJm2PcVf7sNaE4gT6iWoX",
                // within something longer
                "xMTIzNDU2Nzg5¦MDEyMzQ1Njc4.G1nv¦En.q8Zt-Yw3RbK0uLx_5HdJm2PcVf7sNa",
                "a.MTIzNDU2Nzg5¦MDEyMzQ1Njc4.G1nv¦En.q8Zt-Yw3RbK0uLx_5HdJm2PcVf7sNa",
                "MTIzNDU2Nzg5MDEyMzQ1Njc4",
                "MTIzNDU2Nzg5MDEyMzQ1Njc4.G1nvEn.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            ],
        );
    }
}
