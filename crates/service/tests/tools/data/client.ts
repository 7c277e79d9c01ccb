async function callMcp(tool: "cloak" | "uncloak", args: Record<string, string>) {
  const res = await fetch(process.env.INC_MCP_URL!, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Accept": "application/json, text/event-stream",
      "x-inc-agentcloak-api-key": process.env.INC_MCP_API_KEY!,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      method: "tools/call",
      id: 1,
      params: { name: tool, arguments: args },
    }),
  });
  const data = await res.json();
  // Use structuredContent (already parsed) or JSON.parse(data.result.content[0].text)
  return data.result.structuredContent as { result: string; id: string };
}

// Cloak
const { result: cloaked, id: cloakId } = await callMcp("cloak", { message: "Alice Johnson" });

// Uncloak
const { result: original } = await callMcp("uncloak", { message: cloaked, id: cloakId });
