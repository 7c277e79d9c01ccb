//! The filesystem server. Its script and its world are `script` and `world`.

use std::path::Path;

use super::{Runtime, Server, no_asks, no_environment, text};
use crate::acceptance::{script, world};

pub(super) const SERVER: Server = Server {
    name: "fs",
    runtime: Runtime::Node { package: "server-filesystem" },
    arguments: |folder| vec![text(folder)],
    environment: no_environment,
    says: |_| true,
    plant: |folder| world::plant(folder, &world::at_start()),
    steps: script::steps,
    asks: no_asks,
    left,
};

fn left(folder: &Path) -> anyhow::Result<Vec<String>> {
    Ok(world::differences(&world::at_end(), &world::snapshot(folder)?))
}
