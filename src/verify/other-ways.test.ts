// Ways of writing a reference that lean on what stands around it, and sentences that only look like claims.
import { describe, expect, test } from "vitest";
import { memoryReader } from "./reader.ts";
import { Repository } from "./repository.ts";
import { verifyReport } from "./verify-report.ts";
import { isFlagged } from "./verdict.ts";

const queue = [
  "import { log } from '../base/log.js';",
  "",
  "const settings = 'conf/local.json';",
  "",
  "export class Queue {",
  "  push(job) {",
  "    this.jobs.push(job, this.jobs.length);",
  "    log(job.name, 'queued');",
  "  }",
  "",
  "  drainAll() {",
  "    while (this.jobs.length > 0) this.run(this.jobs.shift());",
  "  }",
  "}",
  "",
  "export function retryLater(job, delayMs) {",
  "  setTimeout(() => queue.push(job), delayMs);",
  "}",
].join("\n");

const repo = new Repository(
  memoryReader({
    "src/work/queue.js": queue,
    "src/work/queue.test.js": "import './queue.js';\n\nconst waitingJobs = 3;\n",
    "src/base/log.js": "export function log(...parts) {\n  console.log(...parts);\n}\n",
    "index.js": "export { Queue } from './src/work/queue.js';\n",
    "docs/guide.md": "# Guide\n\n## First steps\n\nCall retryLater.\n",
  }),
);

const checks = (report: string) => verifyReport(report, { reader: repo }).checks;
const worst = (report: string) => {
  const verdicts = checks(report).map(({ verdict }) => verdict);
  return (
    verdicts.find((verdict) => isFlagged(verdict)) ??
    (verdicts.includes("verified") ? "verified" : (verdicts[0] ?? "unseen"))
  );
};

describe("a place and what stands there, apart from each other", () => {
  test.each([
    [
      "a column headed Ln",
      "| Sev | What | Ln | Where |\n|---|---|---:|---|\n| high | `retryLater` leaks | LINE | src/work/queue.js |",
      16,
      3,
    ],
    [
      "headers in German",
      "| Nr. | Datei | Zeile | Name |\n|---|---|---|---|\n| 1 | src/work/queue.js | LINE | `drainAll` |",
      11,
      2,
    ],
    [
      "a table without headers",
      "| | | |\n|---|---|---|\n| `src/work/queue.js` | LINE | `drainAll` |",
      11,
      2,
    ],
    [
      "a number in parentheses in a column of places",
      "| Location | Finding |\n|---|---|\n| src/work/queue.js (LINE) | `drainAll` blocks |",
      11,
      17,
    ],
    [
      "the name's own column beside two places",
      "| Function | Defined | Used by |\n|---|---|---|\n| `retryLater` | src/work/queue.js:LINE | `Queue` (index.js:1) |",
      16,
      4,
    ],
    [
      "a folder before the file",
      "In `src/work/`: `queue.js` LINE (`retryLater`). Nothing else matters.",
      16,
      12,
    ],
    ["a folder in the heading", "#### src/work/\n\n- `queue.js`, line LINE: `retryLater`", 16, 12],
    [
      "a note by its number",
      "`retryLater` is never cancelled [1], and the docs are silent [2].\n\n[1] src/work/queue.js:LINE\n[2] docs/guide.md",
      16,
      3,
    ],
    [
      "the item above names the file",
      "- [x] Read `src/work/queue.js`\n- [x] Confirmed `retryLater` at line LINE\n- [ ] Write a test",
      16,
      4,
    ],
    [
      "a diagram's label",
      '```mermaid\ngraph TD\n  A["retryLater<br/>src/work/queue.js:LINE"] --> B["end"]\n```',
      16,
      3,
    ],
    [
      "emphasis in HTML",
      "<li><b>src/work/queue.js</b>, line <b>LINE</b>: <code>setTimeout(() =&gt; queue.push(job), delayMs);</code></li>",
      17,
      8,
    ],
    ["signs of any kind before the number", "→ `retryLater` :: src/work/queue.js :: LINE", 16, 11],
    [
      "a name that begins with the file's",
      "`job-queue::retryLater` — defined in src/work/queue.js at line LINE.",
      16,
      5,
    ],
    [
      "what a command showed",
      "`cat -n src/work/queue.js` shows:\n\n```\n    LINE\t  setTimeout(() => queue.push(job), delayMs);\n```",
      17,
      12,
    ],
    [
      "a line below a quotation says where it stands",
      "> setTimeout(() => queue.push(job), delayMs);\n>\n> — src/work/queue.js:LINE",
      17,
      8,
    ],
    [
      "the answer to a question",
      "**Q:** Where is `retryLater` defined?\n**A:** src/work/queue.js, line LINE.",
      16,
      4,
    ],
    [
      "values with commas between",
      "```csv\nid,severity,file,line,symbol\n1,high,src/work/queue.js,LINE,retryLater\n```",
      16,
      5,
    ],
    [
      "columns of a call tree",
      "```\nmain()           index.js:1\n└─ retryLater()  src/work/queue.js:LINE\n```",
      16,
      5,
    ],
    [
      "an editor's list of places",
      "```\nsrc/work/queue.js|LINE col 3| setTimeout(() => queue.push(job), delayMs);\n```",
      17,
      8,
    ],
    [
      "a tag with braces",
      '<Finding file="src/work/queue.js" line={LINE} symbol="retryLater" />',
      16,
      8,
    ],
    ["a range behind a colon", "- `src/work/queue.js`: LINE-18 (`retryLater`)", 16, 17],
    [
      "an ordinal number in Turkish",
      "`retryLater` fonksiyonu `src/work/queue.js` dosyasının LINE. satırında tanımlı.",
      16,
      4,
    ],
    ["a raised number", "`retryLater`¹ is shared.\n\n¹ src/work/queue.js:LINE", 16, 3],
    [
      "a label for the name",
      "- where: src/work/queue.js\n- line: LINE\n- symbol: retryLater",
      16,
      3,
    ],
    [
      "a proposed patch shows what is there",
      "Proposed:\n```diff\n--- a/src/work/queue.js\n+++ b/src/work/queue.js\n@@ -LINE,2 +LINE,2 @@\n export function retryLater(job, delayMs) {\n-  setTimeout(() => queue.push(job), delayMs);\n+  return schedule(job, delayMs);\n```",
      16,
      5,
    ],
  ])("%s", (_, written, right, wrong) => {
    expect(worst(written.replaceAll("LINE", String(right)))).toBe("verified");
    expect(["relocated", "wrong_symbol"]).toContain(
      worst(written.replaceAll("LINE", String(wrong))),
    );
  });

  test("a number that is not understood confirms nothing about its line", () => {
    expect(
      worst("| Where | Weight | What |\n|---|---|---|\n| src/work/queue.js | 3 | `retryLater` |"),
    ).toBe("exists_only");
    expect(
      worst("| Where | Weight | What |\n|---|---|---|\n| src/work/queue.js | 16 | `retryLater` |"),
    ).toBe("verified");
  });

  test("a name in a frame that stands nowhere", () => {
    expect(worst("```\nTypeError: x\n    at flushEverything (src/work/queue.js:12:3)\n```")).toBe(
      "missing",
    );
  });

  test("a name that something was renamed to", () => {
    expect(worst("Renamed `later` to `retryLater` in `src/work/queue.js` (line 16).")).toBe(
      "verified",
    );
    expect(worst("Renamed `later` to `retryMuchLater` in `src/work/queue.js` (line 16).")).toBe(
      "missing",
    );
  });
});

describe("nobody is accused", () => {
  test.each([
    [
      "of what was not found",
      "I did not find `AbortController.timeoutAll` in `src/work/queue.js`, and grepping for `SIGHUP_HANDLER` gave 0 hits.",
    ],
    [
      "of what was not found, in German",
      "In `src/work/queue.js` gibt es keine `haltAlles`; `stoppeSofort` existiert nicht.",
    ],
    [
      "of code that one could write",
      "`src/work/queue.js` has no limit. One could write:\n\n```js\nexport function limited(queue, most) {\n  return queue.jobs.slice(0, most);\n}\n```",
    ],
    [
      "of code that was removed",
      "I removed `oldPush(job)` from `src/work/queue.js`; it used to read:\n\n```js\nfunction oldPush(job) {\n  return jobs.concat(job);\n}\n```",
    ],
    [
      "of code before a change that was made",
      "Changed `src/work/queue.js:17`:\n\nBefore:\n```js\n  later.add(job, delayMs);\n```\n\nAfter:\n```js\n  setTimeout(() => queue.push(job), delayMs);\n```",
    ],
    [
      "of a value at run time",
      "At `src/work/queue.js:8` the value was `{ status: 503, retry: true }` and nothing else.",
    ],
    ["of a file that the code names", "`src/work/queue.js:3` reads `conf/local.json`."],
    [
      "of an import written from the file's folder",
      "`src/work/queue.js` imports `../base/log.js`.",
    ],
    [
      "of an expected value",
      "It fails near `src/work/queue.js:8`: expected `{ ok: true }` but got `{ ok: false }`.",
    ],
    [
      "of a variable of the environment",
      "With `DEBUG=queue:*` set, `src/work/queue.js:8` prints twice.",
    ],
    [
      "of a file that was dropped",
      "`oldQueue()` no longer appears in `src/work/queue.js`; it was dropped together with `src/work/old-queue.js`.",
    ],
    [
      "of a note in a tree of folders",
      "```\nsrc/work/\n└── queue.js   # retryLater (line 16)\n```",
    ],
    [
      "of an example",
      'Input such as `{"id": 1, "name": "x"}` reaches `src/work/queue.js:8` and becomes `SELECT * FROM jobs WHERE id = 1`.',
    ],
    [
      "of a plan",
      "Plan: at `src/work/queue.js:8` insert `if (!job.ready) return;`, then cover it with `src/work/ready.test.js`.",
    ],
    [
      "of a suggestion",
      "**src/work/queue.js** (line 17)\n\n```suggestion\nawait safely(() => run());\n```",
    ],
    ["of a commit", "Commit `3f2a1bc` introduced `src/work/queue.js:8`."],
    ["of a folder in backticks", "In `src/work/`: `queue.js` is central."],
    [
      "of code in a sentence about another file",
      "`{jobs, running}` is kept in memory; a `docs/guide.md` tells how.",
    ],
    ["of a heading's anchor", "See [the guide](docs/guide.md#first-steps)."],
    ["of an address of mail", "Ask jane.doe@queue.js.org about `src/work/queue.js`."],
  ])("%s", (_, report) => {
    expect(checks(report).filter(({ verdict }) => isFlagged(verdict))).toEqual([]);
    expect(checks(report).length).toBeGreaterThan(0);
  });
});
