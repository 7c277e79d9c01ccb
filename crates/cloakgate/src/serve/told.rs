//! What is told once the service is ready: addresses, and on the first start the secrets and how to use them.

use std::io::{self, IsTerminal, Write};

use cloakgate_service::{App, FirstRun};

/// Tells the secrets of the first start with examples that work when they are pasted.
pub(super) fn first_run(app: &App, first: &FirstRun) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let FirstRun { admin_token, mcp_server_url, api_key, environment, .. } = first;
    let base = mcp_server_url.trim_end_matches("/mcp");
    writeln!(out, "Cloakgate is ready: {base}")?;
    writeln!(out)?;
    writeln!(out, "These are shown once. Keep them.")?;
    match admin_token {
        Some(token) => writeln!(out, "  admin token   {token}")?,
        None => writeln!(out, "  admin token   the one of CLOAKGATE_ADMIN_TOKEN")?,
    }
    writeln!(out, "  server key    {api_key}")?;
    writeln!(out, "  environment   {environment}")?;
    writeln!(out, "  data          {}", app.config().data.display())?;
    writeln!(out)?;
    writeln!(out, "Cloak a text:")?;
    writeln!(out)?;
    writeln!(
        out,
        r#"  curl -s {mcp_server_url} -H 'content-type: application/json' -H 'x-inc-agentcloak-api-key: {api_key}' -d '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"cloak","arguments":{{"message":"Hello, my name is Alice Johnson and I am 34 years old."}}}}}}'"#
    )?;
    writeln!(out)?;
    writeln!(out, "The same from a shell:")?;
    writeln!(out)?;
    writeln!(out, "  export INC_MCP_URL={mcp_server_url} INC_MCP_API_KEY={api_key}")?;
    writeln!(out, "  echo 'Alice Johnson, alice@example.org' | cloakgate cloak --remote -")?;
    writeln!(out)?;
    writeln!(out, "Claude Desktop (claude_desktop_config.json):")?;
    writeln!(out)?;
    writeln!(
        out,
        r#"  {{"mcpServers": {{"cloakgate": {{"command": "npx", "args": ["-y", "mcp-remote", "{mcp_server_url}", "--header", "x-inc-agentcloak-api-key:{api_key}"]}}}}}}"#
    )?;
    writeln!(out)?;
    writeln!(out, "Cursor (.cursor/mcp.json):")?;
    writeln!(out)?;
    writeln!(
        out,
        r#"  {{"mcpServers": {{"cloakgate": {{"url": "{mcp_server_url}", "headers": {{"x-inc-agentcloak-api-key": "{api_key}"}}}}}}}}"#
    )?;
    writeln!(out)?;
    writeln!(out, "MCP Inspector:")?;
    writeln!(out)?;
    writeln!(
        out,
        "  npx @modelcontextprotocol/inspector --cli {mcp_server_url} --transport http --header 'x-inc-agentcloak-api-key: {api_key}' --method tools/list"
    )?;
    writeln!(out)?;
    writeln!(out, "Management API: {base}/api/docs")?;
    out.flush()
}

/// Says where the service is. Programs that start it know that already.
pub(super) fn again(app: &App) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        let scheme = if app.config().tls.is_some() { "https" } else { "http" };
        writeln!(out, "Cloakgate is ready: {scheme}://{}", app.config().listen)?;
    }
    out.flush()
}
