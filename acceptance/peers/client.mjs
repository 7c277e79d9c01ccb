// Lists and calls the tools of a service by the TypeScript SDKs: client.mjs URL KEY ERA MESSAGE.
// The era `first` is spoken by the first major version of the SDK.

const [url, key, era, message] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport } =
  era === "first"
    ? {
        ...(await import("@modelcontextprotocol/sdk/client/index.js")),
        ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
      }
    : await import("@modelcontextprotocol/client");

const modes = { first: undefined, legacy: "legacy", auto: "auto", modern: { pin: "2026-07-28" } };
const options = modes[era] === undefined ? {} : { versionNegotiation: { mode: modes[era] } };
const client = new Client({ name: "peer", version: "1.0.0" }, options);
const requestInit = { headers: { "x-inc-agentcloak-api-key": key } };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
const { tools } = await client.listTools();
const { structuredContent: cloaked } = await client.callTool({ name: "cloak", arguments: { message } });
const { structuredContent: restored } = await client.callTool({
  name: "uncloak",
  arguments: { message: cloaked.result, id: cloaked.id },
});
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), cloaked, restored }));
await client.close();
