// Spawn one agent and read its report: every place it names has been compared with the files before you see it.
// In your own project the imports are "retinue" and "retinue/testing". Node 22.18 and newer runs this file as it is: node examples/01-verified-report.ts
import assert from "node:assert/strict";
import { createManager } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const project = tempProject({
  "src/retry.js":
    "export function delay(attempt) {\n  return Math.min(1000 * 2 ** attempt, 30_000);\n}\n",
});

// A model from a script, so that no key is needed. Its line number is wrong; the report that reaches you is not.
const model = scriptedModel([
  { tools: [{ name: "Read", input: { file_path: project.path("src/retry.js") } }] },
  `## Explore Result

### Status
SUCCESS

### Summary
The delay between attempts doubles and ends at 30 seconds.

### Findings
- The delay is decided in \`src/retry.js:1\`: \`return Math.min(1000 * 2 ** attempt, 30_000);\`

### Confidence
90 - read the function
- verified_confidence: 90
- inferred_confidence: 90`,
]);

const manager = createManager({
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  model,
});
const run = manager.spawn({
  subagent_type: "general-purpose",
  description: "find retries",
  prompt: "Where is the delay between attempts decided?",
});
const { state, content, verification } = await run.done; // never rejects

assert.equal(state, "completed");
assert.equal(verification?.["trust"], "VERIFIED");
assert.match(content, /src\/retry\.js:2/); // corrected: the quoted line stands there, and nowhere else
console.log(content);

await manager.close();
project.remove();
