//! The detectors of the commands that look at texts and files.
//!
//! In: the arguments that such commands share. Out: a `Finder`. Invariant: without arguments the gateway's own
//! defaults hold.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::PathBuf;

use clap::Args;
use cloakgate_cloak::Finder;
use cloakgate_detect::{CategorySet, KnownKey};
use cloakgate_gateway::config::{Config, Detection, Effort};
use cloakgate_names::Readers;
use cloakgate_vocab::{Category, Defaults};

#[derive(Args, Clone, Debug)]
pub(crate) struct DetectorArgs {
    /// What to look for: core, all, or names of categories, labels and aliases
    #[arg(
        long,
        visible_alias = "labels",
        value_name = "core|all|A,B",
        value_parser = categories
    )]
    pub(crate) categories: Option<CategorySet>,
    /// How much is done to find names in running text [default: the gateway's]
    #[arg(long, value_name = "off|fast|balanced|recall")]
    pub(crate) names: Option<Effort>,
    /// Take `names`, `models`, categories and the lists `allow` and `deny` from the top level of this gateway configuration
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

impl DetectorArgs {
    /// The finder that was asked for.
    ///
    /// # Errors
    /// When the configuration is wrong or a model is damaged.
    pub(crate) fn finder(&self) -> anyhow::Result<Finder> {
        let (mut detection, models) = match &self.config {
            Some(file) => Config::load(file).map(|(config, _)| (config.detection, config.models))?,
            None => (Detection::default(), Vec::new()),
        };
        if let Some(categories) = self.categories {
            detection.categories = categories;
        }
        if let Some(names) = self.names {
            detection.names = names;
        }
        let readers = Readers::load([detection.names], &models)?;
        let engine = cloakgate_gateway::detectors(&detection, &readers)?.engine;
        Ok(Finder::new(engine, random_key()))
    }
}

/// A key that no author of a text can know.
pub(crate) fn random_key() -> KnownKey {
    let half = || RandomState::new().build_hasher().finish();
    KnownKey::new(((u128::from(half()) << 64) | u128::from(half())).to_le_bytes())
}

/// Reads a list of categories. A label that several categories share names all of them.
fn categories(text: &str) -> Result<CategorySet, String> {
    match text {
        "core" => return Ok(CategorySet::core()),
        "all" => return Ok(CategorySet::all()),
        _ => {}
    }
    let mut set = CategorySet::none();
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let named = name.parse::<Category>().ok();
        let of_label = data().filter(|category| category.label().eq_ignore_ascii_case(name));
        let mut any = false;
        for category in of_label.chain(named.filter(|category| category.defaults() != Defaults::Internal)) {
            set = set.with(category);
            any = true;
        }
        if !any {
            let known: Vec<&str> = data().map(Category::name).collect();
            return Err(format!("`{name}` is no category; there are core, all, {}", known.join(", ")));
        }
    }
    if set == CategorySet::none() { Err("no category is named".to_owned()) } else { Ok(set) }
}

/// Categories that are kinds of data.
fn data() -> impl Iterator<Item = Category> {
    Category::all().filter(|category| category.defaults() != Defaults::Internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_by_name_label_and_alias() {
        let secrets =
            [Category::ApiKey, Category::AwsKey, Category::Jwt, Category::PrivateKey, Category::Secret]
                .into_iter()
                .fold(CategorySet::none(), CategorySet::with);
        for (text, expected) in [
            ("core", CategorySet::core()),
            ("all", CategorySet::all()),
            ("email", CategorySet::none().with(Category::Email)),
            ("JWT", CategorySet::none().with(Category::Jwt)),
            ("IP, mac_address", CategorySet::none().with(Category::IpAddress).with(Category::MacAddress)),
            ("SECRET", secrets),
            ("DOB", CategorySet::none().with(Category::DateOfBirth)),
        ] {
            assert_eq!(categories(text), Ok(expected), "{text}");
        }
        for text in ["", ",", "EMIAL", "core,EMAIL", "LITERAL"] {
            assert!(categories(text).is_err(), "{text}");
        }
    }
}
