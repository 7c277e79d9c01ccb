//! Which file holds the configuration.

use std::path::{Path, PathBuf};

use super::ConfigError;

/// Environment variable that names the file.
pub const CONFIG_VARIABLE: &str = "CLOAKGATE_CONFIG";
const JSON_NAME: &str = "cloakgate.json";
const TOML_NAME: &str = "cloakgate.toml";

/// The file that counts: the one that was named, else the one that `CLOAKGATE_CONFIG` (`variable`) names, else
/// `cloakgate.json` or `cloakgate.toml` in `folder`.
///
/// # Errors
/// When there is none, or when both lie in `folder`: to pick one would leave the other's changes unheard.
pub fn locate(named: Option<&Path>, variable: Option<&Path>, folder: &Path) -> Result<PathBuf, ConfigError> {
    let variable = variable.filter(|path| !path.as_os_str().is_empty());
    if let Some(path) = named.or(variable) {
        return Ok(path.to_owned());
    }
    let (json, toml) = (folder.join(JSON_NAME), folder.join(TOML_NAME));
    match (json.exists(), toml.exists()) {
        (true, false) => Ok(json),
        (false, true) => Ok(toml),
        (true, true) => Err(ConfigError::Ambiguous),
        (false, false) => Err(ConfigError::Missing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_naming_counts() {
        let folder = std::env::temp_dir().join(format!("cloakgate-locate-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let (named, variable) = (Path::new("named.json"), Path::new("variable.json"));
        assert_eq!(locate(Some(named), Some(variable), &folder).expect("named"), named);
        assert_eq!(locate(None, Some(variable), &folder).expect("named"), variable);
        assert!(matches!(locate(None, Some(Path::new("")), &folder), Err(ConfigError::Missing)));
        std::fs::write(folder.join(TOML_NAME), "").expect("a file");
        assert_eq!(locate(None, None, &folder).expect("found"), folder.join(TOML_NAME));
        std::fs::write(folder.join(JSON_NAME), "").expect("a file");
        assert!(matches!(locate(None, None, &folder), Err(ConfigError::Ambiguous)));
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
