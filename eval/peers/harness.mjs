// Runs @redactpii/node on texts, for `cargo xtask peers`; speaks as harness.py does. The package is found from the
// working directory. It replaces values and does not say where they were, so nothing but its speed is measured.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const answer = (value) => console.log(JSON.stringify(value));
let redactor;
try {
  const main = pathToFileURL(`${process.cwd()}/node_modules/@redactpii/node/lib/index.mjs`);
  const { Redactor } = await import(main);
  redactor = new Redactor({});
  redactor.redact("mail m@example.org");
  const { version } = JSON.parse(readFileSync("node_modules/@redactpii/node/package.json", "utf8"));
  answer({ ready: version });
} catch (error) {
  answer({ missing: String(error).slice(0, 300) });
  process.exit(0);
}
const texts = new Map(
  readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean).map(JSON.parse).map(({ id, text }) => [id, text]),
);
for await (const line of createInterface({ input: process.stdin })) {
  const [command, name, repeats] = line.split("\t");
  const text = texts.get(name);
  if (command === "time") {
    const started = performance.now();
    for (let i = 0; i < Number(repeats); i += 1) redactor.redact(text);
    answer({ seconds: (performance.now() - started) / 1000 });
  } else {
    answer({ spans: null });
  }
}
