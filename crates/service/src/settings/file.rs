//! Settings of a file, for commands that cloak without a service.

use cloakgate_cloak::text::Profile;
use cloakgate_names::Effort;

use super::Settings;
use crate::fields::Fields;

/// Why settings were refused.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(String);

/// Checked cloak settings.
#[derive(Clone, Debug, Default)]
pub struct SettingsFile(Settings);

impl SettingsFile {
    /// Reads settings as the API takes them.
    ///
    /// # Errors
    /// When a key or an option is none, or a range or a term is wrong.
    pub fn read(text: &[u8]) -> Result<Self, SettingsError> {
        let settings = Fields::read(text).and_then(Settings::read);
        settings.map(Self).map_err(|fault| SettingsError(fault.message().to_owned()))
    }

    /// What is done with each kind of value.
    ///
    /// # Errors
    /// As for `read`.
    pub fn profile(&self) -> Result<Profile, SettingsError> {
        self.0.profile().map_err(|fault| SettingsError(fault.message().to_owned()))
    }

    /// How much is done to find names.
    #[must_use]
    pub fn names(&self) -> Effort {
        self.0.names().unwrap_or_default()
    }
}
