//! What a web server costs by itself, as a program: `testkit-http-echo ADDR` parses the JSON of each request to
//! `/mcp` and answers with the same. The address is printed once it listens.

use std::io::{self, Write, stdout};

use axum::routing::post;
use axum::{Json, Router};
use serde_json::Value;

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).ok_or_else(|| io::Error::other("usage: testkit-http-echo ADDR"))?;
    let listener = tokio::net::TcpListener::bind(address).await?;
    writeln!(stdout(), "{}", listener.local_addr()?)?;
    axum::serve(listener, Router::new().route("/mcp", post(echo))).await
}

async fn echo(Json(body): Json<Value>) -> Json<Value> {
    Json(body)
}
