//! Addresses in scripts without blanks: Chinese, Japanese, Korean.
//!
//! In: a text and a word of such a script. Out: the span of the address around it. Forms: `北京市朝阳区建国路88号`,
//! `東京都千代田区丸の内1丁目9番1号`, `서울특별시 강남구 테헤란로 152 (역삼동)`. Check rule: a region, then a street or block, then
//! a number or a post code. Invariant: `REACH` bytes are read from the region on. Not here: keys.

use std::collections::HashSet;
use std::sync::LazyLock;

use cloakgate_vocab::Span;

use crate::work;

/// Most bytes read from the region on.
const REACH: usize = 180;

/// Names of regions without their endings.
static REGIONS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    include_str!("../../data/regions.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split(' '))
        .collect()
});

/// Signs that end the name of a street or block.
const STREETS: &[char] =
    &['路', '街', '道', '巷', '弄', '村', '镇', '鎮', '乡', '鄉', '段', '里', '条', '胡', '坊', '园', '屯'];
/// Signs behind the number of a house or a part of it.
const HOUSES: &[char] = &[
    '号', '號', '弄', '室', '栋', '棟', '幢', '座', '楼', '樓', '层', '層', '元', '巷', '户', '之', '丁',
    '目', '番', '地',
];
/// Words that stand directly before an address.
const CUES: &[&str] = &[
    "地址",
    "住址",
    "住所",
    "现住",
    "現住",
    "住在",
    "位于",
    "位於",
    "寄到",
    "寄至",
    "送到",
    "送至",
    "居住于",
    "是",
    "为",
];

/// The address in or from the word at `start..end`, which begins with a sign of such a script.
pub(crate) fn in_run(text: &str, start: usize, end: usize) -> Option<Span> {
    let word = text.get(start..end)?;
    let mut tried = 0;
    for (at, sign) in word.char_indices() {
        if !matches!(
            sign,
            '省' | '市' | '区' | '區' | '县' | '縣' | '都' | '道' | '府' | '県' | '自' | '시' | '도'
        ) {
            continue;
        }
        let Some((from, known)) = region_before(word, at, sign) else { continue };
        tried += 1;
        let from = start + from;
        let found = if ('가'..='힣').contains(&sign) {
            korean(text, from)
        } else {
            han(text, from, start + at, known)
        };
        if let Some(to) = found {
            return Span::new(with_code_before(text, from), to);
        }
        if tried >= 3 {
            break;
        }
    }
    None
}

/// Where the region begins whose ending stands at `at`, and whether its name is known.
fn region_before(word: &str, at: usize, sign: char) -> Option<(usize, bool)> {
    let head = word.get(..at)?;
    for (from, _) in head.char_indices().rev().take(7) {
        if head.get(from..).is_some_and(|name| REGIONS.contains(name)) {
            return Some((from, true));
        }
    }
    // `朝阳区建国路88号`: a district may begin the run, or follow a cue.
    if !matches!(sign, '市' | '区' | '區' | '县' | '縣') || head.chars().count() > 12 {
        return None;
    }
    let cue = CUES.iter().filter_map(|cue| head.rfind(cue).map(|found| found + cue.len())).max().unwrap_or(0);
    (2..=6).contains(&head.get(cue..)?.chars().count()).then_some((cue, false))
}

/// As much of a text as is read from a region on, to the end of its line.
fn window(text: &str, from: usize) -> &str {
    let rest = text.get(from..).unwrap_or_default();
    let window = rest.get(..rest.floor_char_boundary(REACH)).unwrap_or_default();
    let line = window
        .find(['\n', '，', '。', '、', ',', '"', '；', ';', '|', '<', '\\', '！', '？'])
        .unwrap_or(window.len());
    work::count(line);
    window.get(..line).unwrap_or_default()
}

/// End of a Chinese or Japanese address.
fn han(text: &str, from: usize, region: usize, known: bool) -> Option<usize> {
    let window = window(text, from);
    let signs: Vec<(usize, char)> = window.char_indices().collect();
    let mut best = None;
    for (index, (at, sign)) in signs.iter().enumerate() {
        if from + at <= region {
            continue;
        }
        let next = signs.get(index + 1).map(|(_, c)| *c);
        let street = STREETS.contains(sign);
        let number = next.is_some_and(|c| {
            c.is_ascii_alphanumeric() || "〇一二三四五六七八九十".contains(c) || ('０'..='９').contains(&c)
        });
        // Japanese blocks have a number right behind a name.
        let block = !street
            && known
            && next.is_some_and(|c| c.is_ascii_digit() || ('０'..='９').contains(&c))
            && is_letter(*sign);
        if !(number && (street || block)) {
            continue;
        }
        let after = at + sign.len_utf8();
        let groups = groups(window, after);
        if groups.end > after && (street || groups.marked) {
            best = Some(groups.end);
            break;
        }
    }
    let end = best.map(|end| with_rest(window, end));
    let end = match end {
        Some(end) => with_code_after(window, end).unwrap_or(end),
        // `…宁德路 100000`: a street sign and a post code will do.
        None => {
            let street = signs.iter().rfind(|(at, sign)| from + at > region && STREETS.contains(sign))?;
            with_code_after(window, street.0 + street.1.len_utf8())?
        }
    };
    Some(from + end)
}

fn is_letter(c: char) -> bool {
    ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{3400}'..='\u{9fff}').contains(&c) || c == '々'
}

struct Groups {
    end: usize,
    marked: bool, // whether a sign for a house or two numbers were among them
}

/// Passes numbers and the signs behind them: `88号2栋301室`, `38丁目27番8号`, `1-9-1`.
fn groups(window: &str, from: usize) -> Groups {
    let mut groups = Groups { end: from, marked: false };
    let mut numbers = 0;
    loop {
        let rest = window.get(groups.end..).unwrap_or_default();
        let lead = usize::from(groups.end > from && rest.starts_with(['-', '−', '之']));
        let lead = if lead > 0 { rest.chars().next().map_or(0, char::len_utf8) } else { 0 };
        let digits: usize = rest
            .get(lead..)
            .unwrap_or_default()
            .chars()
            .take(6)
            .take_while(|c| {
                c.is_ascii_alphanumeric() || ('０'..='９').contains(c) || "一二三四五六七八九十".contains(*c)
            })
            .map(char::len_utf8)
            .sum();
        if digits == 0 {
            return groups;
        }
        numbers += 1;
        let mut end = groups.end + lead + digits;
        let tail = window.get(end..).unwrap_or_default();
        let signs: usize =
            tail.chars().take(3).take_while(|c| HOUSES.contains(c) || *c == '单').map(char::len_utf8).sum();
        end += signs;
        groups.marked |= signs > 0 || numbers > 1;
        groups.end = end;
    }
}

/// A building behind the number that ends with a number or a sign for a part of it: ` シャルム鳥越736`, `大厦A座`.
fn with_rest(window: &str, end: usize) -> usize {
    let rest = window.get(end..).unwrap_or_default();
    let body = rest.strip_prefix([' ', '\u{3000}']).unwrap_or(rest);
    let lead = rest.len() - body.len();
    let name: usize = body.chars().take(16).take_while(|c| is_letter(*c)).map(char::len_utf8).sum();
    let digits: usize =
        body.get(name..).unwrap_or_default().chars().take(5).take_while(char::is_ascii_alphanumeric).count();
    let after = name + digits;
    let sign = body.get(after..).and_then(|rest| rest.chars().next()).filter(|c| HOUSES.contains(c));
    if (1..=40).contains(&name) && digits > 0 {
        end + lead + after + sign.map_or(0, char::len_utf8)
    } else {
        end
    }
}

/// A post code of six digits behind an address.
fn with_code_after(window: &str, end: usize) -> Option<usize> {
    let rest = window.get(end..)?;
    let body = rest.trim_start_matches(' ');
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    (digits == 6 && rest.len() - body.len() <= 2).then_some(end + rest.len() - body.len() + 6)
}

/// `〒100-0001 ` before an address.
fn with_code_before(text: &str, from: usize) -> usize {
    let head = text.get(..from).unwrap_or_default().trim_end_matches(' ');
    let len = head.bytes().rev().take(8).take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
    let code = head.get(head.len() - len..).unwrap_or_default();
    let form = matches!(code.as_bytes(), [_, _, _, b'-', _, _, _, _])
        || (code.len() == 6 || code.len() == 5) && !code.contains('-');
    let marked = head.get(..head.len() - len).unwrap_or_default().trim_end_matches(' ');
    if !form || marked.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-') {
        return from;
    }
    if marked.ends_with('〒') { marked.len() - '〒'.len_utf8() } else { head.len() - len }
}

/// End of a Korean address: words that end like districts and streets, a number, a quarter in brackets.
fn korean(text: &str, from: usize) -> Option<usize> {
    let window = window(text, from);
    let mut at = 0;
    let mut street = false;
    for _ in 0..8 {
        let rest = window.get(at..)?;
        let body = rest.trim_start_matches(' ');
        let lead = rest.len() - body.len();
        let word: usize = body.chars().take(14).take_while(|c| c.is_alphanumeric()).map(char::len_utf8).sum();
        let last = body.get(..word)?.chars().next_back()?;
        if body.starts_with(|c: char| c.is_ascii_digit()) && last.is_ascii_digit() {
            let number = body.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
            if !street || number > 10 {
                return None;
            }
            return Some(from + korean_rest(window, at + lead + number));
        }
        let belongs =
            matches!(last, '시' | '도' | '군' | '구' | '읍' | '면' | '동' | '리' | '로' | '길' | '가' | '번');
        if !(belongs || at == 0 || body.get(..word)?.ends_with("거리")) {
            return None;
        }
        street |= matches!(last, '로' | '길' | '가' | '동' | '리');
        at += lead + word;
    }
    None
}

/// ` (역삼동)`, ` 101동 1203호`
fn korean_rest(window: &str, end: usize) -> usize {
    let mut at = end;
    for _ in 0..3 {
        let rest = window.get(at..).unwrap_or_default();
        let body = rest.trim_start_matches(' ');
        let lead = rest.len() - body.len();
        if let Some(close) = body.find(')').filter(|close| body.starts_with('(') && *close < 60) {
            at += lead + close + 1;
            continue;
        }
        let digits = body.bytes().take_while(u8::is_ascii_digit).count();
        let sign = body.get(digits..).and_then(|rest| rest.chars().next());
        match sign.filter(|c| digits > 0 && matches!(c, '동' | '호' | '층')) {
            Some(sign) => at += lead + digits + sign.len_utf8(),
            None => break,
        }
    }
    at
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use super::in_run;
    use crate::canonical::is_word_char;

    fn found(text: &str) -> &str {
        let mut start = 0;
        while start < text.len() {
            let c = text[start..].chars().next().unwrap();
            let len: usize = text[start..]
                .chars()
                .take_while(|c| is_word_char(*c) && !c.is_ascii())
                .map(char::len_utf8)
                .sum();
            if len > 0
                && let Some(span) = in_run(text, start, start + len)
            {
                return &text[span.range()];
            }
            start += len.max(c.len_utf8());
        }
        ""
    }

    #[test]
    fn addresses_of_east_asia_are_found_whole() {
        for (text, address) in [
            ("您的地址北京市朝阳区建国路88号已更新", "北京市朝阳区建国路88号"),
            ("寄到广东省深圳市南山区科技园路1号2栋301室。", "广东省深圳市南山区科技园路1号2栋301室"),
            ("河北省兰州县西峰张街o座 420497，联系人", "河北省兰州县西峰张街o座 420497"),
            ("臺北市信義區信義路五段7號", "臺北市信義區信義路五段7號"),
            ("朝阳区建国路88号", "朝阳区建国路88号"),
            ("〒100-0005 東京都千代田区丸の内1丁目9番1号", "〒100-0005 東京都千代田区丸の内1丁目9番1号"),
            ("大阪府大阪市北区梅田3-1-3", "大阪府大阪市北区梅田3-1-3"),
            (
                "沖縄県印西市虎ノ門38丁目27番8号 シャルム鳥越736",
                "沖縄県印西市虎ノ門38丁目27番8号 シャルム鳥越736",
            ),
            ("주소 서울특별시 강남구 테헤란로 152 (역삼동) 변경", "서울특별시 강남구 테헤란로 152 (역삼동)"),
            (
                "부산광역시 강동구 석촌호수거리 787 (은지이리)",
                "부산광역시 강동구 석촌호수거리 787 (은지이리)",
            ),
            ("서울시 마포구 동교로 12, 101동", "서울시 마포구 동교로 12"),
            ("江西省很大", ""),
            ("北京市有2000万人", ""),
            ("東京都は大きい", ""),
            ("サーバー区分3番", ""),
            ("제도 개선 3", ""),
        ] {
            assert_eq!(found(text), address, "{text}");
        }
    }
}
