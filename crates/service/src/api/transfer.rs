//! Environments as files: the reference's export, to move from there, to back up, to keep in version control.
//!
//! Invariant: no key is in a file; a file is checked whole before anything is written.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::servers::{TIERS, new_key};
use crate::app::App;
use crate::fault::Fault;
use crate::fields::{Fields, missing, wrong};
use crate::openapi::EnvironmentFile;
use crate::records::{Billing, Country, Directions, Kept, Page, Proxy, Server, Service};
use crate::reply;
use crate::request::{Body, Parameters};
use crate::settings::Settings;

/// Parts of the reference's file that there is nothing for here.
const IGNORED: [&str; 3] = ["policies", "keyMapping", "dataFirewall"];
/// What to do with a record that is there already.
const CONFLICTS: [&str; 3] = ["skip", "replace", "copy"];

/// What became of a record of the file.
#[derive(Serialize, ToSchema)]
pub(super) struct Imported {
    /// `cloak-settings`, `mcp-server` or `mcp-proxy`.
    kind: &'static str,
    name: Option<String>,
    /// The id in the file.
    from_id: Option<Uuid>,
    /// The id here; absent where it was left out and in a dry run.
    id: Option<Uuid>,
    /// `created`, `replaced`, `skipped`.
    action: &'static str,
    /// The key of a server that was made; shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    api_key: Option<String>,
}

/// What became of a file.
#[derive(Serialize, ToSchema)]
pub(super) struct ImportReport {
    dry_run: bool,
    records: Vec<Imported>,
    /// Parts of the file that there is nothing for here.
    ignored: Vec<String>,
}

/// Export an environment as the reference does. Keys are not in it.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/export", tag = "Import and export",
    responses((status = 200, description = "The file.", body = EnvironmentFile)))]
pub(super) async fn export(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    let records = app.records();
    let settings = records.list::<Settings>(environment, Page::default()).await?;
    let settings = settings.into_iter().map(|kept| {
        let mut shown = kept.record.shown().clone();
        shown.insert("id".to_owned(), json!(kept.id));
        Value::Object(shown)
    });
    let all = records.list::<Country>(environment, Page::default()).await?;
    let services = records.list::<Service>(environment, Page::default()).await?;
    let mut countries = Map::new();
    for country in &all {
        let (mut servers, mut proxies) = (Vec::new(), Vec::new());
        for service in services.iter().filter(|service| service.record.country_id == country.id) {
            for server in records.list::<Server>(service.id, Page::default()).await? {
                servers.push(written_server(&server)?);
            }
            for proxy in records.list::<Proxy>(service.id, Page::default()).await? {
                proxies.push(with_id(proxy.id, &proxy.record)?);
            }
        }
        let part = json!({ "agentCloak": { "mcpServers": servers, "mcpProxies": proxies } });
        match countries.get_mut(&country.record.region) {
            // Two countries of one region are one part.
            Some(Value::Object(_)) => append(&mut countries, &country.record.region, &part),
            _ => drop(countries.insert(country.record.region.clone(), part)),
        }
    }
    let regions: Vec<&str> = all.iter().map(|country| &*country.record.region).collect();
    reply::json(
        StatusCode::OK,
        &json!({
            "version": 1,
            "environmentId": environment,
            "activatedCountries": regions,
            "cloakSettings": settings.collect::<Vec<_>>(),
            "countries": countries,
        }),
    )
}

fn append(countries: &mut Map<String, Value>, region: &str, part: &Value) {
    for list in ["mcpServers", "mcpProxies"] {
        let more = part.pointer(&format!("/agentCloak/{list}")).and_then(Value::as_array).cloned();
        let held =
            countries.get_mut(region).and_then(|held| held.pointer_mut(&format!("/agentCloak/{list}")));
        if let (Some(Value::Array(held)), Some(more)) = (held, more) {
            held.extend(more);
        }
    }
}

fn written_server(kept: &Kept<Server>) -> Result<Value, Fault> {
    let mut written = with_id(kept.id, &kept.record)?;
    if let Value::Object(members) = &mut written {
        members.remove("keys");
    }
    Ok(written)
}

fn with_id(id: Uuid, record: &impl Serialize) -> Result<Value, Fault> {
    let mut written = serde_json::to_value(record).map_err(|error| Fault::internal(&error))?;
    if let Value::Object(members) = &mut written {
        members.insert("id".to_owned(), json!(id));
    }
    Ok(written)
}

/// Import a file of the reference or of our own. Servers get new keys, which this answer shows.
#[utoipa::path(post, path = "/api/environments/{environment_uuid}/import", tag = "Import and export",
    request_body = EnvironmentFile,
    params(
        ("dry_run" = Option<bool>, Query, description = "Check the file and say what would be done."),
        ("on_conflict" = Option<String>, Query,
            description = "What to do with records that are there already: `skip` (default), `replace` or `copy`."),
    ),
    responses((status = 200, description = "What was done.", body = ImportReport)))]
pub(super) async fn import(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    mut parameters: Parameters,
    Body(fields): Body,
) -> Result<Response, Fault> {
    let dry_run = parameters.flag("dry_run")?;
    let conflict = match parameters.text("on_conflict")? {
        None => "skip",
        Some(word) => crate::fields::choose("on_conflict", &word, &CONFLICTS)?,
    };
    parameters.finish()?;
    let file = File::read(fields)?;
    let import = Import { app: &app, environment, conflict, dry_run };
    let mut records = Vec::new();
    let mut ids = Vec::new();
    for (from, settings) in file.settings {
        let imported = import.settings(from, settings).await?;
        ids.push((from, imported.id));
        records.push(imported);
    }
    for (region, from, server) in file.servers {
        let server = import.linked(server, &ids).await?;
        records.push(import.server(&region, from, server).await?);
    }
    for (region, from, proxy) in file.proxies {
        let settings = import.mapped(proxy.cloak_settings_id, &ids).await?;
        records.push(import.proxy(&region, from, Proxy { cloak_settings_id: settings, ..proxy }).await?);
    }
    reply::json(StatusCode::OK, &ImportReport { dry_run, records, ignored: file.ignored })
}

/// A file that was checked.
struct File {
    settings: Vec<(Option<Uuid>, Settings)>,
    servers: Vec<(String, Option<Uuid>, Server)>,
    proxies: Vec<(String, Option<Uuid>, Proxy)>,
    ignored: Vec<String>,
}

impl File {
    fn read(mut fields: Fields) -> Result<Self, Fault> {
        if fields.number("version")? != Some(1) {
            return Err(wrong("version", "1"));
        }
        let mut file =
            Self { settings: Vec::new(), servers: Vec::new(), proxies: Vec::new(), ignored: Vec::new() };
        fields.text("environmentId")?;
        fields.list("activatedCountries")?;
        for (place, value) in fields.list("cloakSettings")?.unwrap_or_default().into_iter().enumerate() {
            let below = |fault: Fault| fault.below(&format!("cloakSettings[{place}]"));
            let mut settings = object(value, "cloakSettings")?;
            let id = settings.id("id").map_err(below)?;
            file.settings.push((id, Settings::read(settings).map_err(below)?));
        }
        for name in IGNORED {
            if fields.take(name).is_some() {
                file.ignored.push(name.to_owned());
            }
        }
        let countries = fields.object("countries")?.map(Fields::rest).unwrap_or_default();
        fields.finish()?;
        for (region, part) in countries {
            file.country(&region, object(part, "countries")?)?;
        }
        Ok(file)
    }

    fn country(&mut self, region: &str, mut part: Fields) -> Result<(), Fault> {
        if let Some(mut cloak) = part.object("agentCloak")? {
            for value in cloak.list("mcpServers")?.unwrap_or_default() {
                let (id, server) =
                    read_server(object(value, "mcpServers")?).map_err(|fault| fault.below("mcpServers"))?;
                self.servers.push((region.to_owned(), id, server));
            }
            for value in cloak.list("mcpProxies")?.unwrap_or_default() {
                match read_proxy(object(value, "mcpProxies")?) {
                    Ok((id, proxy)) => self.proxies.push((region.to_owned(), id, proxy)),
                    // The reference's proxies have a form that is not published.
                    Err(_) => self.ignored.push(format!("countries.{region}.agentCloak.mcpProxies")),
                }
            }
        }
        self.ignored
            .extend(part.names().map(|name| format!("countries.{region}.{}", crate::fault::shown(name))));
        Ok(())
    }
}

fn object(value: Value, name: &str) -> Result<Fields, Fault> {
    Fields::of(value).ok_or_else(|| wrong(name, "made of objects"))
}

fn read_server(mut fields: Fields) -> Result<(Option<Uuid>, Server), Fault> {
    let id = fields.id("id")?;
    let name = fields.name("name")?.ok_or_else(|| missing("name"))?;
    let cloak_settings_id = fields.id("cloak_settings_id")?.ok_or_else(|| missing("cloak_settings_id"))?;
    let directions = Directions {
        prompts_cloak_settings_id: fields.id("prompts_cloak_settings_id")?,
        requests_cloak_settings_id: fields.id("requests_cloak_settings_id")?,
        responses_cloak_settings_id: fields.id("responses_cloak_settings_id")?,
    };
    let mut billing = fields.object("billing")?;
    let tier = match &mut billing {
        Some(billing) => billing.choice("tier", &TIERS)?,
        None => fields.choice("tier", &TIERS)?,
    };
    let mut more = |name| billing.as_mut().map(|billing| billing.text(name)).transpose().map(Option::flatten);
    let billing = Billing {
        tier: tier.unwrap_or("free").to_owned(),
        provider: more("provider")?,
        customer_id: more("customerId")?,
    };
    Ok((id, Server { name, cloak_settings_id, directions, billing, keys: Vec::new() }))
}

fn read_proxy(mut fields: Fields) -> Result<(Option<Uuid>, Proxy), Fault> {
    let id = fields.id("id")?;
    let (name, url, cloak_settings_id, requests, responses) = super::proxies::read_fields(&mut fields)?;
    Ok((id, Proxy { name, url, cloak_settings_id, requests, responses }))
}

/// An import that is under way.
struct Import<'a> {
    app: &'a App,
    environment: Uuid,
    conflict: &'static str,
    dry_run: bool,
}

impl Import<'_> {
    async fn settings(&self, from: Option<Uuid>, record: Settings) -> Result<Imported, Fault> {
        let name = record.name().map(str::to_owned);
        let imported =
            |id, action| Imported { kind: "cloak-settings", name, from_id: from, id, action, api_key: None };
        let known = self.known::<Settings>(self.environment, from).await?;
        Ok(match (known, self.conflict) {
            (Some(old), "skip") => imported(Some(old.id), "skipped"),
            (Some(old), "replace") if self.dry_run => imported(Some(old.id), "replaced"),
            (Some(old), "replace") => {
                imported(Some(self.app.records().replace(&old, record).await?.id), "replaced")
            }
            _ if self.dry_run => imported(None, "created"),
            _ => imported(Some(self.app.records().add(self.environment, record).await?.id), "created"),
        })
    }

    async fn server(&self, region: &str, from: Option<Uuid>, mut record: Server) -> Result<Imported, Fault> {
        let name = Some(record.name.clone());
        let imported =
            |id, action, api_key| Imported { kind: "mcp-server", name, from_id: from, id, action, api_key };
        let service = self.service(region).await?;
        let known = match service {
            Some(service) => self.known::<Server>(service, from).await?,
            None => None,
        };
        Ok(match (known, self.conflict) {
            (Some(old), "skip") => imported(Some(old.id), "skipped", None),
            (Some(old), "replace") if self.dry_run => imported(Some(old.id), "replaced", None),
            (Some(old), "replace") => {
                record.keys = old.record.keys.clone();
                imported(Some(self.app.records().replace(&old, record).await?.id), "replaced", None)
            }
            _ => match (self.dry_run, service) {
                (false, Some(service)) => {
                    let (secret, key) = new_key()?;
                    record.keys = vec![key];
                    let kept = self.app.records().add(service, record).await?;
                    imported(Some(kept.id), "created", Some(format!("{}:{secret}", kept.id)))
                }
                _ => imported(None, "created", None),
            },
        })
    }

    async fn proxy(&self, region: &str, from: Option<Uuid>, record: Proxy) -> Result<Imported, Fault> {
        let name = Some(record.name.clone());
        let imported =
            |id, action| Imported { kind: "mcp-proxy", name, from_id: from, id, action, api_key: None };
        let service = self.service(region).await?;
        let known = match service {
            Some(service) => self.known::<Proxy>(service, from).await?,
            None => None,
        };
        Ok(match (known, self.conflict) {
            (Some(old), "skip") => imported(Some(old.id), "skipped"),
            (Some(old), "replace") if self.dry_run => imported(Some(old.id), "replaced"),
            (Some(old), "replace") => {
                imported(Some(self.app.records().replace(&old, record).await?.id), "replaced")
            }
            _ => match (self.dry_run, service) {
                (false, Some(service)) => {
                    imported(Some(self.app.records().add(service, record).await?.id), "created")
                }
                _ => imported(None, "created"),
            },
        })
    }

    async fn known<R: crate::records::Record>(
        &self,
        parent: Uuid,
        id: Option<Uuid>,
    ) -> Result<Option<Kept<R>>, Fault> {
        match id {
            Some(id) => self.app.records().find::<R>(parent, id).await,
            None => Ok(None),
        }
    }

    /// The service that takes what the file has for a region; made where there is none.
    async fn service(&self, region: &str) -> Result<Option<Uuid>, Fault> {
        let records = self.app.records();
        let countries = records.list::<Country>(self.environment, Page::default()).await?;
        let configured = self.app.config().regions.iter().find(|known| known.name == region);
        let wanted = configured.or(self.app.config().regions.first()).map(|region| region.name.clone());
        let wanted = wanted.unwrap_or_default();
        let country =
            countries.iter().find(|country| country.record.region == wanted).map(|country| country.id);
        let country = match country {
            Some(country) => country,
            None if self.dry_run => return Ok(None),
            None => {
                let record = Country { region: wanted.clone(), name: wanted };
                records.add(self.environment, record).await?.id
            }
        };
        let services = records.list::<Service>(self.environment, Page::default()).await?;
        let service = services.iter().find(|service| service.record.country_id == country);
        Ok(match service {
            Some(service) => Some(service.id),
            None if self.dry_run => None,
            None => {
                let record = Service { name: "Cloaking".to_owned(), country_id: country };
                Some(records.add(self.environment, record).await?.id)
            }
        })
    }

    /// The server with its settings as they are here.
    async fn linked(&self, server: Server, ids: &[(Option<Uuid>, Option<Uuid>)]) -> Result<Server, Fault> {
        let mut directions = server.directions;
        for direction in [
            &mut directions.prompts_cloak_settings_id,
            &mut directions.requests_cloak_settings_id,
            &mut directions.responses_cloak_settings_id,
        ] {
            if let Some(id) = direction {
                *direction = Some(self.mapped(*id, ids).await?);
            }
        }
        let cloak_settings_id = self.mapped(server.cloak_settings_id, ids).await?;
        Ok(Server { cloak_settings_id, directions, ..server })
    }

    async fn mapped(&self, from: Uuid, ids: &[(Option<Uuid>, Option<Uuid>)]) -> Result<Uuid, Fault> {
        if let Some((_, to)) = ids.iter().find(|(known, _)| *known == Some(from)) {
            return Ok(to.unwrap_or(from));
        }
        let here = self.app.records().find::<Settings>(self.environment, from).await?;
        here.map(|kept| kept.id).ok_or_else(|| {
            Fault::field("cloak_settings_id", "a server names settings that are neither in the file nor here")
        })
    }
}
