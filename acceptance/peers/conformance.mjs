// Runs the conformance suite at a service that wants a key: a proxy puts it into each request, since the suite cannot.
// Arguments: the service's URL, its key, the suite's main file, and further arguments of the suite.
import { spawn } from "node:child_process";
import { createServer, request } from "node:http";

const [url, key, suite, ...more] = process.argv.slice(2);
const proxy = createServer((asked, answer) => {
  const headers = ["x-inc-agentcloak-api-key", key, ...asked.rawHeaders];
  const onward = request(url, { method: asked.method, headers, setDefaultHeaders: false }, (said) => {
    answer.writeHead(said.statusCode, said.rawHeaders);
    said.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  asked.pipe(onward);
});
proxy.listen(0, "127.0.0.1", () => {
  const at = `http://127.0.0.1:${proxy.address().port}/mcp`;
  const run = spawn(process.execPath, [suite, "server", "--url", at, ...more], { stdio: ["ignore", 2, 2] });
  run.on("exit", () => process.exit(0));
});
