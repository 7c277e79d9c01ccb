//! Words with a role, and words that may end a key.
//!
//! In: a word with its roles. Out: hits of the rules that start from it. Invariant: a rule runs only for the roles that
//! it is made for. Not here: what a key phrase leads to (`phrases`).

use cloakgate_vocab::Category;

use super::{Ends, Pass};
use crate::lexicon::Roles;
use crate::{
    address, call_arguments, cda, cluster_secret, commands, files, keys, named_lines, people, recognise,
    structure,
};

/// How far, in bytes, into a word of a script without blanks a value may begin.
const MAX_UNSPACED_BYTES: usize = 96;

impl Pass<'_> {
    /// A word with a role.
    pub(super) fn told(&mut self, start: usize, end: usize, roles: Roles, ends: Ends) {
        if roles.any(Roles::TITLE) {
            self.person(people::after_title(self.text, start, end), "title");
            self.person(named_lines::traveller(self.text, start), "booking");
        }
        if roles.any(Roles::AUTHORIZATION) {
            self.hits.extend(recognise::authorization_at(self.text, start));
        }
        if roles.any(Roles::HEAD) {
            self.mail_head(start, end);
        }
        if roles.any(Roles::STREET) {
            let span = address::around_word(&mut self.reader, start);
            self.address(span);
        }
        if roles.any(Roles::CLOSING) {
            self.person(people::after_closing(self.text, end), "signature");
        }
        if roles.any(Roles::GREETING) {
            self.person(people::after_greeting(self.text, end), "greeting");
        }
        if roles.any(Roles::WROTE) {
            self.person(people::before_wrote(self.text, start, end), "quoted_mail");
        }
        if roles.any(Roles::PAPER) {
            self.person(files::owner(self.text, start, end), "file_name");
        }
        if roles.any(Roles::SHELL) {
            let argument = commands::password_in_command(self.text, start, end);
            for span in argument.into_iter().chain(commands::passwords_below(self.text, start, end)) {
                self.push(span, Category::Password, "command");
            }
        }
        if roles.any(Roles::CALL)
            && let Some(span) = call_arguments::password(self.text, start, end)
        {
            self.push(span, Category::Password, "call");
        }
        if roles.any(Roles::TRAVEL)
            && let Some(document) = named_lines::travel_document(self.text, end)
        {
            self.push(document.number, Category::Passport, "booking");
            self.push(document.birth, Category::DateOfBirth, "booking");
        }
        if roles.any(Roles::PATIENT) {
            for span in cda::patient_numbers(self.text, end) {
                self.push(span, Category::HealthId, "patient_role");
            }
        }
        if ends != Ends::Nothing {
            match ends {
                Ends::Lone(hash) => self.phrase_found(keys::lone_word(self.text, (start, end), hash)),
                _ => self.key(end),
            }
            if self.text.as_bytes().get(start) == Some(&b'S') {
                self.cluster_secret(start, end);
            }
        } else if roles.any(Roles::KEY_END)
            && self.text.as_bytes().get(start..end) == Some(keys::ENV_KEY_WORD)
        {
            self.phrase_found(keys::env_key(self.text, end));
        }
    }

    /// `kind: Secret`
    pub(super) fn cluster_secret(&mut self, start: usize, end: usize) {
        let (text, floor) = (self.text, self.cluster_end);
        let mut values = Vec::new();
        if let Some(end) = cluster_secret::values_of(text, start, end, floor, &mut |span| values.push(span)) {
            self.cluster_end = end;
        }
        for span in values {
            self.push(span, Category::Secret, "cluster_secret");
        }
    }

    /// A mark that joins a key with its value follows, also behind one blank: `apiKey = 'x'`.
    pub(super) fn mark_of_structure(&self, end: usize) -> bool {
        let bytes = self.text.as_bytes();
        match bytes.get(end) {
            Some(b'"' | b'\'' | b':' | b'=' | b'>' | 0xef) => true,
            Some(b' ') => matches!(bytes.get(end + 1), Some(b'=' | b':' | b'-' | b'|')),
            Some(b'(') => matches!(bytes.get(end + 1), Some(b'"' | b'\'')),
            Some(b'\n') => bytes.get(end + 1) == Some(&b' '),
            _ => false,
        }
    }

    /// A camelCase word that a mark of structure follows: only its last humps may be a key.
    pub(super) fn camel(&mut self, start: usize, end: usize) {
        let Some(word) = self.text.as_bytes().get(start..end) else { return };
        let humps = word
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
        if humps {
            self.key(end);
        } else if word.first().is_some_and(|byte| *byte >= 0xe0) {
            self.phrase_found(keys::unspaced_ending(self.text, end));
        }
    }

    /// A word of a script without blanks: a key may end it, or stand before a verb and the value: `密码是Xk9mmQ2`.
    pub(super) fn unspaced(&mut self, start: usize, end: usize) {
        if self.mark_of_structure(end) {
            self.phrase_found(keys::unspaced_ending(self.text, end));
            return;
        }
        let bytes = self.text.as_bytes();
        let word = bytes.get(start..end).unwrap_or_default();
        let inner = word.iter().take(MAX_UNSPACED_BYTES).position(u8::is_ascii).map_or(end, |at| start + at);
        let value = bytes.get(inner).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b' ');
        let verb = structure::UNSPACED_VERBS
            .iter()
            .find(|verb| value && self.text.get(start..inner).is_some_and(|head| head.ends_with(**verb)));
        if let Some(verb) = verb {
            self.phrase_found(keys::unspaced_ending(self.text, inner - verb.len()));
        }
    }

    /// A key phrase may end at `end`.
    pub(super) fn key(&mut self, end: usize) {
        self.phrase_found(keys::phrase_ending(self.text, end));
    }
}
