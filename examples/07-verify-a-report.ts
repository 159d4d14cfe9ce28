// Check a report by hand, from any agent of any harness: one verdict for each place that it names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { assessReport, commitReader, treeReader } from "../src/app/index.ts";
import { tempProject } from "../src/testing/index.ts";

const project = tempProject({
  "src/cart.js":
    "export function total(items) {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n",
});

const text = `The sum is computed in \`src/cart.js:1\` (total).
Discounts are applied in \`src/discount.js:14\`.
Prices are added here:

\`\`\`js
// src/cart.js:2
  return items.reduce((sum, item) => sum + item.price, 0);
\`\`\`
`;
const { checks, counts, trust, repair } = await assessReport(text, {
  reader: treeReader(project.root),
  contract: "none",
});

const verdicts = checks.map(({ path, verdict }) => `${path} ${verdict}`);
assert.ok(verdicts.includes("src/cart.js verified"));
assert.ok(verdicts.includes("src/discount.js missing"));
assert.notEqual(trust, "VERIFIED");
assert.match(repair!.rows[0]!.text, /src\/discount\.js:14/); // the row that goes back to whoever wrote it
console.log(counts, verdicts);

// The same against a commit: what stands in the folder now does not matter.
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@example.com", ...args], {
    cwd: project.root,
  });
git("init", "-q");
git("add", ".");
git("commit", "-qm", "Add the cart");
project.write("src/cart.js", "// rewritten\n");
const committed = await assessReport(text, {
  reader: commitReader(project.root, "HEAD"),
  contract: "none",
});
assert.deepEqual(committed.counts, counts);

project.remove();
