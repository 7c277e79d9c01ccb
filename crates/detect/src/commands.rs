//! Passwords on command lines.
//!
//! In: a text and the place of a command's name. Out: the span of the password among its arguments. Forms:
//! `mysql -u root -pPASSWORD`, `sshpass -p PASSWORD`, `curl -u name:PASSWORD`, `net use ... /user:name PASSWORD`,
//! `docker login -p PASSWORD`, `redis-cli -a PASSWORD`, `ldapsearch -w PASSWORD`, `smbclient -U name%PASSWORD`,
//! `net user name PASSWORD`, `echo name:PASSWORD | chpasswd`, `sqlplus name/PASSWORD@host`, `mongo -p PASSWORD`, `htpasswd -b file name PASSWORD`, `plink -pw PASSWORD`.
//! `chpasswd <<EOF` with lines below it, `AUTH PASSWORD`. Invariant: only the rest of the line is read, at most `REACH` bytes of it,
//! and below it at most `MAX_ACCOUNTS` lines.

use cloakgate_vocab::Span;

use crate::placeholder::is_placeholder;
use crate::recognise::plausible_password;

/// How far, in bytes, after the command an argument is looked for.
const REACH: usize = 160;
/// Most accounts whose passwords are read below a command.
const MAX_ACCOUNTS: usize = 256;

/// The password among the arguments of the command named at `start..end`.
pub(crate) fn password_in_command(text: &str, start: usize, end: usize) -> Option<Span> {
    let name = text.get(start..end)?.to_ascii_lowercase();
    let rest = text.get(end..)?;
    let stop = rest.char_indices().find(|(at, c)| *c == '\n' || *at > REACH).map_or(rest.len(), |(at, _)| at);
    let line = rest.get(..stop)?;
    let value = match name.as_str() {
        "mysql" | "mysqldump" | "mysqladmin" | "mariadb" => glued(line),
        "sshpass" => after(line, " -p ").or_else(|| glued(line)),
        "curl" => [" -u ", " --user ", " --user=", " -U ", " --proxy-user ", " -u"]
            .iter()
            .find_map(|option| Some(after(line, option)?.split_once(':')?.1)),
        "docker" | "podman" | "helm" | "az" if line.contains(" login") => after(line, " -p "),
        "mongo" | "mongosh" | "mongodump" | "mongorestore" => {
            after(line, " -p ").or_else(|| after(line, " -p"))
        }
        "redis" if line.starts_with("-cli") => after(line, " -a "),
        "ldapsearch" | "ldapmodify" | "ldapadd" => after(line, " -w "),
        "smbclient" | "rpcclient" => after(line, " -U ").and_then(|word| Some(word.split_once('%')?.1)),
        "sqlplus" => logon(line),
        "htpasswd" => after_name(line),
        "plink" | "pscp" => after(line, " -pw "),
        "user" if text.get(..start)?.ends_with("net ") => second_argument(line),
        "auth" => after_auth(text.get(..start)?, line),
        "chpasswd" | "passwd" => echoed(text.get(..start)?, name == "chpasswd"),
        "wpa" if line.starts_with("_passphrase ") => second_argument(line),
        "snmp" if line.starts_with("-server community ") => {
            Some(word(line.get("-server community ".len()..)?))
        }
        "user" if is_net_use(text.get(..start)?) => after_account(line),
        _ => None,
    }?;
    let value = value.trim_matches(['"', '\'']);
    if value.len() < 4 || is_placeholder(value) || !plausible_password(value) {
        return None;
    }
    // The value is a part of the line, so its place follows from the addresses of both.
    let offset = (value.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    Some(Span::sized(offset, value.len()))
}

/// The passwords of `chpasswd <<EOF`: lines `name:PASSWORD` up to the word that ends them.
pub(crate) fn passwords_below(text: &str, start: usize, end: usize) -> Vec<Span> {
    let line_end = |from: usize| {
        text.get(from..).and_then(|rest| rest.find('\n').filter(|len| *len <= REACH)).map(|len| from + len)
    };
    let below = || {
        let stop = line_end(end).filter(|_| text.get(start..end) == Some("chpasswd"))?;
        let (_, word) = text.get(end..stop)?.split_once("<<")?;
        let word = word.trim_start_matches(['-', ' ', '~']).trim_matches(['"', '\'', ' ']);
        (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
            .then_some((stop + 1, word))
    };
    let Some((mut at, word)) = below() else { return Vec::new() };
    let mut found = Vec::new();
    for _ in 0..MAX_ACCOUNTS {
        let line = text.get(at..line_end(at).unwrap_or(text.len())).unwrap_or_default();
        if line.trim() == word || line.is_empty() || line.len() > REACH {
            break;
        }
        if let Some((name, password)) = line.split_once(':')
            && !name.contains(' ')
            && password.len() >= 4
            && !is_placeholder(password)
        {
            found.push(Span::sized(at + name.len() + 1, password.trim_end().len()));
        }
        at += line.len() + 1;
    }
    found
}

/// `AUTH PASSWORD`, `AUTH name PASSWORD` as a command of Redis, at the start of a line or in quotes: `"AUTH" "PASSWORD"`.
fn after_auth<'a>(head: &str, line: &'a str) -> Option<&'a str> {
    if head.ends_with('"') {
        let words = line.strip_prefix("\" \"")?.trim_end().strip_suffix('"')?;
        return words.rsplit("\" \"").next();
    }
    let begins = head.is_empty() || head.ends_with(['\n', '>']) || head.ends_with("> ");
    let words = line.strip_prefix(' ')?;
    let last = words.rsplit(' ').next()?;
    // `AUTH LOGIN` and `AUTH PLAIN` are those of mail.
    (begins && words.split(' ').count() <= 2 && !last.bytes().all(|byte| byte.is_ascii_uppercase()))
        .then_some(last)
}

/// `net user marie PASSWORD /add`, `wpa_passphrase network PASSWORD`
fn second_argument(line: &str) -> Option<&str> {
    let value = line.split_ascii_whitespace().filter(|word| !word.starts_with("_passphrase")).nth(1)?;
    (!value.starts_with('/') && value != "*").then_some(value)
}

/// `echo "marie:PASSWORD" | chpasswd`, `echo PASSWORD | passwd --stdin marie`
fn echoed(head: &str, account: bool) -> Option<&str> {
    let head = head.trim_end_matches("sudo ").trim_end().strip_suffix('|')?.trim_end();
    let line = head.rsplit(['\n', ';']).next()?;
    let said =
        line.get(line.rfind("echo ")? + "echo ".len()..)?.trim_start_matches("-n ").trim_start_matches("-e ");
    let said = said.trim_matches(['"', '\'']);
    if account { Some(said.split_once(':')?.1) } else { (!said.contains(' ')).then_some(said) }
}

fn word(text: &str) -> &str {
    text.split([' ', '\t']).next().unwrap_or_default()
}

/// `-pPASSWORD`
fn glued(line: &str) -> Option<&str> {
    let at = line.find(" -p")? + 3;
    let value = word(line.get(at..)?);
    (value.len() >= 6 && !value.starts_with('=')).then_some(value)
}

fn after<'a>(line: &'a str, option: &str) -> Option<&'a str> {
    Some(word(line.get(line.find(option)? + option.len()..)?))
}

/// `name/PASSWORD@host`
fn logon(line: &str) -> Option<&str> {
    let word = line.split([' ', '\t']).find(|word| word.contains('/') && !word.starts_with('/'))?;
    let (_, rest) = word.split_once('/')?;
    Some(rest.split('@').next().unwrap_or(rest))
}

/// `-b file name PASSWORD`
fn after_name(line: &str) -> Option<&str> {
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let batch = words.find(|word| word.starts_with('-') && word.contains('b'))?;
    let file = usize::from(!batch.contains('n'));
    words.nth(file + 1)
}

/// `net use X: \\\\host\\share /`
fn is_net_use(head: &str) -> bool {
    let floor = head
        .char_indices()
        .rev()
        .take(REACH)
        .take_while(|(_, c)| *c != '\n')
        .last()
        .map_or(head.len(), |(at, _)| at);
    let line = head.get(floor..).unwrap_or_default();
    line.ends_with('/') && line.to_ascii_lowercase().contains("net use ")
}

/// `/user:name PASSWORD`
fn after_account(line: &str) -> Option<&str> {
    let account = line.strip_prefix(':')?;
    let value = word(account.get(account.find(' ')? + 1..)?);
    (!value.starts_with('/')).then_some(value)
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use super::{password_in_command, passwords_below};

    #[test]
    fn passwords_stand_below_a_command() {
        let text = "chpasswd <<'EOF'\nrita:Tr0ub4dor\nbob:hunter_77\n${x}:y\nEOF\nz:not_one\n";
        let found: Vec<&str> =
            passwords_below(text, 0, "chpasswd".len()).iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found, ["Tr0ub4dor", "hunter_77"]);
        assert!(passwords_below("chpasswd < file\nrita:Tr0ub4dor\n", 0, 8).is_empty());
    }

    #[test]
    fn passwords_are_found_among_arguments() {
        for (command, text, password) in [
            ("mysql", "mysql -u root -p86gr#4sMZNm db", "86gr#4sMZNm"),
            ("mysql", "mysql -u root -p", ""),
            ("mysql", "mysql -u root -p$PW_X db", ""),
            ("sshpass", "sshpass -p 'Tr0ub4dor' ssh host", "Tr0ub4dor"),
            ("curl", "curl -u deploy:Tr0ub4dor https://example.org", "Tr0ub4dor"),
            ("curl", "curl -udeploy:Tr0ub4dor https://example.org", "Tr0ub4dor"),
            ("docker", "docker login -u marie -p Tr0ub4dor reg", "Tr0ub4dor"),
            ("docker", "docker run -p 8080:80 image", ""),
            ("redis", "redis-cli -a Tr0ub4dor ping", "Tr0ub4dor"),
            ("ldapsearch", "ldapsearch -D cn=a -w Tr0ub4dor -b dc=x", "Tr0ub4dor"),
            ("smbclient", "smbclient //srv/x -U marie%Tr0ub4dor", "Tr0ub4dor"),
            ("sqlplus", "sqlplus scott/Tr0ub4dor@db1", "Tr0ub4dor"),
            ("htpasswd", "htpasswd -bc .htpasswd marie Tr0ub4dor", "Tr0ub4dor"),
            ("plink", "plink -ssh host -pw Tr0ub4dor", "Tr0ub4dor"),
            ("mongosh", "mongosh -u app -p Tr0ub4dor", "Tr0ub4dor"),
            ("user", "net use Z: \\\\srv\\x /user:adm Tr0ub4dor_77", "Tr0ub4dor_77"),
            ("user", "net user marie Tr0ub4dor_77 /add", "Tr0ub4dor_77"),
            ("user", "net user marie /delete", ""),
            ("chpasswd", "echo \"root:Tr0ub4dor\" | sudo chpasswd", "Tr0ub4dor"),
            ("passwd", "echo Tr0ub4dor | passwd --stdin bob", "Tr0ub4dor"),
            ("passwd", "run passwd bob", ""),
            ("wpa", "wpa_passphrase home Tr0ub4dor", "Tr0ub4dor"),
            ("snmp", "snmp-server community Tr0ub4dor RO", "Tr0ub4dor"),
            ("AUTH", "1339518083.1 [0 x] \"AUTH\" \"Tr0ub4dor_77\"", "Tr0ub4dor_77"),
            ("AUTH", "\"AUTH\" \"rita\" \"Tr0ub4dor_77\"", "Tr0ub4dor_77"),
            ("AUTH", "> AUTH Tr0ub4dor_77", "Tr0ub4dor_77"),
            ("AUTH", "250 AUTH LOGIN PLAIN", ""),
            ("user", "the user Tr0ub4dor_77", ""),
        ] {
            let at = text.find(command).unwrap();
            let found =
                password_in_command(text, at, at + command.len()).map_or("", |span| &text[span.range()]);
            assert_eq!(found, password, "{text}");
        }
    }
}
