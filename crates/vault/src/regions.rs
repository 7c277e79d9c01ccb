//! Regions: a database each.
//!
//! In: names and addresses. Out: the database of a region. Invariant: a database is of one region for good, which is
//! written in it and checked when it is opened; sessions of a region are in its database and nowhere else; the catalog is
//! in that of the home region. Not here: which environment is in which region.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use crate::catalog::Catalog;
use crate::database::{Database, DatabaseConfig};
use crate::error::StoreError;
use crate::sessions::Sessions;

const MAX_NAME_BYTES: usize = 32;

/// Name of a region: 1 to 32 lower-case letters, digits and `-`.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct RegionName(String);

impl RegionName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RegionName {
    type Err = StoreError;

    fn from_str(name: &str) -> Result<Self, StoreError> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let holds = (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(allowed);
        if holds { Ok(Self(name.to_owned())) } else { Err(StoreError::RegionName) }
    }
}

impl fmt::Display for RegionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The regions that are active.
#[derive(Debug)]
pub struct Regions {
    home: RegionName,
    catalog: Catalog,
    databases: RwLock<BTreeMap<RegionName, Database>>,
}

impl Regions {
    /// Opens the database of the home region, which also holds the catalog.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub async fn open(home: &DatabaseConfig) -> Result<Self, StoreError> {
        let database = Database::open(home).await?;
        let catalog = Catalog::open(database.clone()).await?;
        let databases = RwLock::new(BTreeMap::from([(home.region.clone(), database)]));
        Ok(Self { home: home.region.clone(), catalog, databases })
    }

    /// Opens the database of another region; one that is open already stays.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub async fn activate(&self, config: &DatabaseConfig) -> Result<(), StoreError> {
        if self.database(&config.region).is_ok() {
            return Ok(());
        }
        let database = Database::open(config).await?;
        let first = {
            let mut databases = self.databases.write().unwrap_or_else(PoisonError::into_inner);
            match databases.entry(config.region.clone()) {
                std::collections::btree_map::Entry::Vacant(entry) => {
                    entry.insert(database.clone());
                    true
                }
                std::collections::btree_map::Entry::Occupied(_) => false,
            }
        };
        if !first {
            database.close().await;
        }
        Ok(())
    }

    /// The catalog, which is in the home region.
    #[must_use]
    pub const fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Name of the home region.
    #[must_use]
    pub const fn home(&self) -> &RegionName {
        &self.home
    }

    /// Names of the active regions.
    #[must_use]
    pub fn names(&self) -> Vec<RegionName> {
        self.databases.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// The database of a region.
    ///
    /// # Errors
    /// When the region is not active.
    pub fn database(&self, region: &RegionName) -> Result<Database, StoreError> {
        let databases = self.databases.read().unwrap_or_else(PoisonError::into_inner);
        databases.get(region).cloned().ok_or_else(|| StoreError::UnknownRegion(region.to_string()))
    }

    /// The sessions of a region.
    ///
    /// # Errors
    /// When the region is not active.
    pub fn sessions(&self, region: &RegionName) -> Result<Sessions, StoreError> {
        self.database(region).map(Sessions::new)
    }

    /// Closes all databases.
    pub async fn close(&self) {
        let databases: Vec<Database> =
            self.databases.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        for database in databases {
            database.close().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RegionName;

    #[test]
    fn region_names_obey_their_alphabet() {
        for (name, holds) in [
            ("de", true),
            ("eu-1", true),
            ("", false),
            ("DE", false),
            ("d e", false),
            (&"a".repeat(33), false),
        ] {
            assert_eq!(name.parse::<RegionName>().is_ok(), holds, "{name}");
        }
    }
}
