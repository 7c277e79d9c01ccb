//! Decides which variables a server's process gets to see.
//!
//! In: our own variables and the server's settings. Out: the whole environment of the child.
//! Invariant: what is neither on the default list nor named by the settings is not handed on; a server gets no
//! credentials of its neighbours, and none gets our own keys and tokens. Not here: starting anything.

use std::ffi::{OsStr, OsString};

/// Which of our own variables a server gets, besides those that its settings write out.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Inherit {
    /// The list of the official SDKs, and what locale, temporary files and proxies need.
    #[default]
    Default,
    /// The default list and these names.
    Names(Vec<String>),
    /// Everything.
    All,
}

/// What the official SDKs hand on.
#[cfg(not(windows))]
const DEFAULT_NAMES: &[&str] = &["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TMPDIR"];
/// What the official SDKs hand on.
#[cfg(windows)]
const DEFAULT_NAMES: &[&str] = &[
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "LANG",
];
/// Handed on in upper and lower case: a server behind a proxy cannot reach anything without.
const PROXY_NAMES: &[&str] = &["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
/// All `LC_` variables choose a language or a format.
const LOCALE_PREFIX: &str = "LC_";
/// Variables of ours that hold a key or a token begin and end so: no server gets one, whatever is inherited.
const OWN_PREFIX: &str = "CLOAKGATE_";
const SECRET_ENDINGS: [&str; 2] = ["_KEY", "_TOKEN"];
/// A value that begins so is an exported shell function, which the SDKs hold back as well.
const SHELL_FUNCTION: &str = "()";

/// The environment of a child, sorted as given: inherited variables first, then `overlay` over them.
pub(crate) fn environment(
    own: impl Iterator<Item = (OsString, OsString)>,
    inherit: &Inherit,
    overlay: &[(String, String)],
) -> Vec<(OsString, OsString)> {
    own.filter(|(name, value)| is_handed_on(name, value, inherit))
        .chain(overlay.iter().map(|(name, value)| (name.into(), value.into())))
        .collect()
}

/// Names of the variables of this process that a server with these settings does not get, sorted. For the
/// person who wonders why a server misses one.
#[must_use]
pub fn withheld_names(inherit: &Inherit, overlay: &[(String, String)]) -> Vec<String> {
    let mut names: Vec<String> = std::env::vars_os()
        .filter(|(name, value)| !is_handed_on(name, value, inherit))
        .map(|(name, _)| name.to_string_lossy().into_owned())
        .filter(|name| !overlay.iter().any(|(given, _)| given == name))
        .collect();
    names.sort_unstable();
    names
}

fn is_handed_on(name: &OsStr, value: &OsStr, inherit: &Inherit) -> bool {
    let named = name.to_str().is_some_and(|name| match inherit {
        Inherit::All => true,
        Inherit::Default => is_default(name),
        Inherit::Names(names) => is_default(name) || names.iter().any(|given| same_name(given, name)),
    });
    if name.to_str().is_some_and(is_own_secret) {
        return false;
    }
    let is_function = value.as_encoded_bytes().starts_with(SHELL_FUNCTION.as_bytes());
    *inherit == Inherit::All || (named && !is_function)
}

fn is_own_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name.starts_with(OWN_PREFIX) && SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn is_default(name: &str) -> bool {
    DEFAULT_NAMES.iter().any(|given| same_name(given, name))
        || PROXY_NAMES.iter().any(|given| given.eq_ignore_ascii_case(name))
        || name.starts_with(LOCALE_PREFIX)
}

fn same_name(left: &str, right: &str) -> bool {
    // Windows does not tell `Path` from `PATH`.
    if cfg!(windows) { left.eq_ignore_ascii_case(right) } else { left == right }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(inherit: &Inherit, overlay: &[(&str, &str)]) -> Vec<String> {
        let ours = ["CLOAKGATE_MASTER_KEY", "cloakgate_admin_token"];
        let own = ["PATH", "LC_ALL", "https_proxy", "AWS_SECRET_ACCESS_KEY", "EXTRA", "FUNCTION"];
        let own = own.iter().chain(&ours).map(|name| {
            let value = if *name == "FUNCTION" { "() { :; }" } else { "own" };
            (OsString::from(name), OsString::from(value))
        });
        let overlay: Vec<(String, String)> =
            overlay.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        environment(own, inherit, &overlay)
            .into_iter()
            .map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy()))
            .collect()
    }

    #[test]
    fn a_child_sees_only_the_default_list_and_what_is_named() {
        let default = ["PATH=own", "LC_ALL=own", "https_proxy=own"];
        assert_eq!(names(&Inherit::Default, &[]), default);
        let named = Inherit::Names(vec!["EXTRA".into(), "FUNCTION".into()]);
        assert_eq!(names(&named, &[]), [&default[..], &["EXTRA=own"]].concat());
        assert_eq!(names(&Inherit::All, &[]).len(), 6);
    }

    #[test]
    fn no_child_gets_our_keys_and_tokens() {
        let named = Inherit::Names(vec!["CLOAKGATE_MASTER_KEY".into()]);
        for inherit in [Inherit::All, named, Inherit::Default] {
            let names = names(&inherit, &[]);
            assert!(
                !names.iter().any(|name| name.to_ascii_lowercase().starts_with("cloakgate")),
                "{names:?}"
            );
        }
    }

    #[test]
    fn the_overlay_comes_last_and_so_wins() {
        assert_eq!(
            names(&Inherit::Default, &[("PATH", "given")]).last().map(String::as_str),
            Some("PATH=given")
        );
    }
}
