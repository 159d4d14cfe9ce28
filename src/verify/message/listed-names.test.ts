import { describe, expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { isFlagged } from "../verdict.ts";
import { verifyReport } from "../verify-report.ts";

const queue = ["pushJob", "drainJobs", "closeQueue", "countJobs"]
  .map((name) => `export function ${name}() {\n  return jobs;\n}\n`)
  .join("\n");
const reader = memoryReader({
  "src/queue.ts": queue,
  "src/main.ts": "// refresh the queue\nrunAll(pause);\n",
});
const flagged = (report: string) =>
  verifyReport(report, { reader })
    .checks.filter(({ verdict }) => isFlagged(verdict))
    .map(({ verdict, text }) => `${verdict} ${text}`);
const list =
  "What `src/queue.ts` has:\n\n- `pushJob` adds one\n- `drainJobs`: runs all\n- `closeQueue` ends it\n";

describe("a name in a list of names that one file defines", () => {
  test.each([
    ["that nothing has", "- `flushJobs` waits for them"],
    ["that only a comment has", "- `refresh` keeps the order"],
  ])("%s is missing", (_, item) => {
    expect(flagged(list + item)).toEqual([expect.stringMatching(/^missing /)]);
  });

  test.each([
    ["that it defines", "- `countJobs` counts them"],
    ["that another file uses", "- `pause` is what the caller gives"],
    ["that shall be", "- `flushJobs` would wait for them"],
    ["that is new", "- `flushJobs` (new) waits for them"],
    ["that was", "- `flushJobs` was removed"],
  ])("%s is not", (_, item) => {
    expect(flagged(list + item)).toEqual([]);
  });

  test("a list of many strange names is one of something else", () => {
    expect(flagged(`${list}- \`flushAll\` x\n- \`pauseAll\` y\n- \`mergeAll\` z\n`)).toEqual([]);
  });
});
