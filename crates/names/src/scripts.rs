//! Names of people in texts that are not in Latin letters.
//!
//! In: a text. Out: mentions, sorted by start, apart. Invariant: cost is linear in the length of the text. Not here:
//! Latin words inside such texts.

mod again;
mod han;
mod japanese;
mod korean;
mod uncased;

#[cfg(test)]
mod measure;

use self::again::{Characters, again};
use crate::capitals::{self, Letters};
use crate::lists::Lists;
use crate::mention::Mention;

/// Names in a text.
pub(crate) fn read(text: &str, lists: &Lists) -> Vec<Mention> {
    if text.is_ascii() {
        return Vec::new();
    }
    let scripts = Scripts::of(text);
    let mut mentions = Vec::new();
    if scripts.han > 0 {
        chinese(text, scripts.is_japanese(), lists, &mut mentions);
    }
    if scripts.hangul > 0 {
        korean::read(text, lists, &mut mentions);
    }
    if scripts.cased {
        mentions.extend(capitals::read(text, Letters::Others, lists));
    }
    if scripts.uncased {
        uncased::read(text, lists, &mut mentions);
    }
    mentions.sort_by_key(|mention| mention.span.start());
    mentions
}

/// How many characters of each script a text has.
#[derive(Default)]
struct Scripts {
    han: usize,
    kana: usize,
    hangul: usize,
    /// Letters of Cyrillic or Greek script are there.
    cased: bool,
    /// Letters of alphabets without capitals are.
    uncased: bool,
}

impl Scripts {
    fn of(text: &str) -> Self {
        let mut scripts = Self::default();
        for c in text.chars().filter(|c| !c.is_ascii()) {
            scripts.cased |= matches!(c, '\u{370}'..='\u{52f}');
            scripts.uncased |= uncased::belongs(c);
            scripts.han += usize::from(is_han(c));
            scripts.kana += usize::from(japanese::is_kana(c));
            scripts.hangul += usize::from(matches!(c, '\u{ac00}'..='\u{d7a3}'));
        }
        scripts
    }

    /// Japanese is written with kana between the Chinese characters.
    const fn is_japanese(&self) -> bool {
        self.kana * 6 > self.han
    }
}

/// Runs of Chinese characters.
fn chinese(text: &str, is_japanese: bool, lists: &Lists, mentions: &mut Vec<Mention>) {
    let mut written: Vec<(usize, char)> = Vec::new();
    let mut runs = Vec::new();
    let mut before = None;
    let mut last = None;
    for (at, c) in text.char_indices().map(|(at, c)| (at, Some(c))).chain([(text.len(), None)]) {
        if let Some(c) = c.filter(|c| is_han(*c) || han::is_dot(*c) && !written.is_empty()) {
            if written.is_empty() {
                before = last;
            }
            written.push((at, c));
        } else if let Some((start, _)) = written.first() {
            let found = if is_japanese || matches!(c, Some(' ' | '\u{3000}')) {
                japanese::read(text, *start, at, lists)
            } else {
                Vec::new()
            };
            let written = std::mem::take(&mut written);
            if found.is_empty() && !is_japanese {
                let simple: Vec<char> = written.iter().map(|(_, c)| lists.simplified(*c)).collect();
                let run = han::Run { written: &written, simple: &simple, around: (before, c), lists };
                mentions.extend(han::read(&run));
                runs.push(Characters { written, simple });
            }
            mentions.extend(found);
        }
        last = c;
    }
    again(&runs, lists, mentions);
}

const fn is_han(c: char) -> bool {
    matches!(c, '々' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::lists::Lists;

    /// What is found as surely as this, marked in the text.
    fn marked(text: &str, least: f32, lists: &Lists) -> String {
        let mut marked = text.to_owned();
        for mention in read(text, lists).into_iter().rev().filter(|mention| mention.score >= least) {
            marked.insert(mention.span.end(), '»');
            marked.insert(mention.span.start(), '«');
        }
        marked
    }

    #[test]
    fn names_are_found_in_every_script_without_what_stands_beside_them() {
        let lists = Lists::load().unwrap();
        for text in [
            "请把合同寄给«陈晓东»先生，抄送«欧阳丽华»女士。",
            "記者«林志遠»表示，政府將於明年推出新政策。",
            "姓名：«赵敏慧»，部门：财务部",
            "法国作家«让·克洛德·莫里亚»来到上海",
            "导演«艾力克·莫里森»出席，«莫里森»随后离开。",
            "他从莫斯科飞往温哥华，再到洛杉矶。",
            "我们公司的产品质量很好，价格也合理。",
            "北京大学和清华大学位于海淀区。",
            "本日の担当は«高橋健太»さんです。«渡辺»様もお見えになります。",
            "東京都と大阪府の人口について",
            "«김서연» 님께 전달해 주세요. «박지훈»이 승인했습니다.",
            "서울특별시 강남구 회의 일정 안내",
            "Договор подписали «Ольга Викторовна Соколова» и «П. А. Громов».",
            "«Тарас Шевчук» повідомив про рішення",
            "Москва и Санкт-Петербург, Российская Федерация",
            "Η «Μαρία Παπαδοπούλου» υπέγραψε τη σύμβαση",
            "السيد «محمد العلي» والدكتورة «فاطمة حسن» حضروا",
            "شكرا جزيلا على رسالتك",
            "מר «דוד כהן» אישר את ההזמנה",
            "श्री «राजेश शर्मा» ने बताया",
            "plain text",
        ] {
            let plain = text.replace(['«', '»'], "");
            assert_eq!(marked(&plain, 0.5, &lists), text);
        }
    }

    #[test]
    fn long_runs_are_read_in_linear_time() {
        let lists = Lists::load().unwrap();
        for part in ["王", "一", "斯·", "山田", "김", "Иван ", "بن ", "Ав. "] {
            let start = std::time::Instant::now();
            let found = read(&part.repeat(20_000), &lists).len();
            assert!(found <= 20_000 && start.elapsed().as_secs() < 5, "{part}");
        }
    }
}
