//! The client of the Rust SDK, in both eras.

use http::{HeaderName, HeaderValue};
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt};
use serde_json::{Value, json};

use crate::service::{NATIVE, Service};

#[tokio::test]
async fn the_rust_sdk_lists_and_calls_both_tools_in_both_eras() {
    let service = Service::start().await;
    let modern = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let auto = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: None,
    };
    for (name, lifecycle) in [("legacy", ClientLifecycleMode::Initialize), ("modern", modern), ("auto", auto)]
    {
        let header = HeaderName::from_static("x-inc-agentcloak-api-key");
        let config = StreamableHttpClientTransportConfig::with_uri(service.url())
            .custom_headers([(header, HeaderValue::from_static(NATIVE))].into());
        let transport = StreamableHttpClientTransport::from_config(config);
        let client = ().serve_with_lifecycle(transport, lifecycle).await.expect(name);
        let tools = client.list_all_tools().await.expect(name);
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["cloak", "uncloak"], "{name}");

        let call = async |tool: &'static str, arguments: Value| -> Value {
            let arguments = arguments.as_object().cloned().expect("an object");
            let params = CallToolRequestParams::new(tool).with_arguments(arguments);
            let result = client.call_tool(params).await.expect(name);
            assert_ne!(result.is_error, Some(true), "{name}");
            result.structured_content.expect(name)
        };
        let message = "Please call Alice Johnson.";
        let cloaked = call("cloak", json!({"message": message})).await;
        assert!(!cloaked["result"].as_str().expect("a text").contains("Alice"), "{name}");
        let back = call("uncloak", json!({"message": cloaked["result"], "id": cloaked["id"]})).await;
        assert_eq!(back, json!({"result": message, "id": cloaked["id"]}), "{name}");
        client.cancel().await.expect(name);
    }
}
