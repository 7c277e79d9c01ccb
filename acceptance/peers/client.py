"""Lists and calls the tools of a service by the Python SDK: client.py URL KEY ERA MESSAGE."""

import asyncio
import json
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, key: str, era: str, message: str) -> None:
    mode = "2026-07-28" if era == "modern" else era
    async with httpx2.AsyncClient(headers={"x-inc-agentcloak-api-key": key}) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            tools = await client.list_tools()
            cloaked = await client.call_tool("cloak", {"message": message})
            content = cloaked.structured_content
            restored = await client.call_tool("uncloak", {"message": content["result"], "id": content["id"]})
            report = {
                "tools": [tool.name for tool in tools.tools],
                "cloaked": content,
                "restored": restored.structured_content,
            }
            print(json.dumps(report))


asyncio.run(main(*sys.argv[1:5]))
