// Code beside a place that nobody calls a quotation: it accuses only where it is known to come from here, and what was not found confirms nothing.
import { describe, expect, test } from "vitest";
import { memoryReader } from "./reader.ts";
import { Repository } from "./repository.ts";
import type { Verdict } from "./verdict.ts";
import { verifyReport } from "./verify-report.ts";

const pool = [
  "import { Worker } from './worker.js';",
  "",
  "/** Gives out workers. */",
  "export class Pool {",
  "  take(size) {",
  "    const free = this.workers.filter((worker) => !worker.busy);",
  "    if (free.length < size) throw new Error(`only ${free.length} left`);",
  "    this.taken += size;",
  "",
  "    return free.slice(0, size);",
  "  }",
  "}",
];

const repo = new Repository(
  memoryReader({
    "src/pool.js": `${pool.join("\n")}\n`,
    "src/worker.js":
      "export class Worker {\n  busy = false;\n  stop() {\n    this.busy = null;\n  }\n}\n",
    "src/rows.ts": "export type Partial = 1;\n",
  }),
);

const verdicts = (report: string): Verdict[] =>
  verifyReport(report, { reader: repo }).checks.map(({ verdict }) => verdict);

describe("what a place does, may do or should do is no quotation of it", () => {
  test.each([
    'src/pool.js:7 shows "Only 3 left? (y/N)"',
    "`src/pool.js:7` shows `only 3 left`.",
    "src/pool.js:8: (a) `queue = new Queue({ most: 4 })` or (b) leave it.",
    "The type at src/pool.js:6 is `Map<string, Set<number>>`.",
    "src/pool.js:10 (`Partial<Options>`) is too wide.",
    "`src/pool.js:10` returns `{ ok: true, items: [] }`.",
    "`RangeError: size must be > 0` at `src/pool.js:5`",
    "src/pool.js:6 → `SELECT * FROM workers WHERE busy = 0`",
    "- src/pool.js:8\n  - `total = await count({ deep: true })`",
    "| Where | Plan |\n|---|---|\n| src/pool.js:8 | `total = await count({ deep: true })` |",
    "#### `try { … } finally { … }`\n\nsrc/pool.js:6",
    "Try `size === 0`[^1] first.\n\n[^1]: src/pool.js:7",
    "The dialog from `src/pool.js:7` shows `Sure? (y/N)` and maps `Ctrl+C` to `stop(130)`.",
  ])("%s", (report) => {
    expect(verdicts(report)).toEqual(["exists_only"]);
  });

  test("what stands there word for word is confirmed all the same", () => {
    expect(verdicts("src/pool.js:8 (`this.taken += size;`) is not atomic.")).toEqual(["verified"]);
  });

  test("a name that is right makes up for no code that was not found", () => {
    expect(verdicts("`take` (src/pool.js:5) returns `[1, 2, 3]`.")).toEqual(["exists_only"]);
  });

  test("a wrong name beside such code is still found", () => {
    expect(verdicts("`take` (src/pool.js:10) returns `[1, 2, 3]`.")).toEqual(["wrong_symbol"]);
    expect(verdicts("`giveBack` (src/pool.js:5) returns `[1, 2, 3]`.")).toEqual(["missing"]);
  });
});

describe("code that is known to come from here accuses", () => {
  test.each<[string, Verdict]>([
    ["`src/pool.js:5` shows `this.taken += size;`", "relocated"],
    ["src/pool.js:10 → `const free = this.workers.filter((worker) => !worker.busy);`", "relocated"],
    ["src/pool.js:4: `this.busy = null;`", "relocated"],
    ["src/pool.js:8 (`this.taken -= size;`) is not atomic.", "altered"],
    ["- src/pool.js:10\n  - `return free.slice(1, size);`", "altered"],
    ["| Where | What |\n|---|---|\n| src/pool.js:6 | `this.taken += size;` |", "relocated"],
    ["`src/pool.js`: `const free = this.workers.filter((worker) => worker.busy);`", "altered"],
  ])("%s is %s", (report, verdict) => {
    expect(verdicts(report)).toEqual([verdict]);
  });

  test.each([
    "src/pool.js:8 reads `total = await count({ deep: true })`.",
    "The statement `total = await count({ deep: true })` (src/pool.js:8) is slow.",
    "| Where | Code |\n|---|---|\n| src/pool.js:8 | `total = await count({ deep: true })` |",
    "`src/pool.js:8`\n```js\ntotal = await count({ deep: true })\n```",
  ])("what is called a quotation and stands nowhere is missing: %s", (report) => {
    expect(verdicts(report)).toEqual(["missing"]);
  });
});

describe("a place and code and nothing else", () => {
  test("is a quotation where all its names are from the file", () => {
    expect(verdicts("- src/pool.js:8 — `if (size > free) throw new Worker(workers);`")).toEqual([
      "missing",
    ]);
    expect(verdicts("`if (size > free) throw new Worker(workers);` (src/pool.js:8)")).toEqual([
      "missing",
    ]);
  });

  test("cannot be judged with names from elsewhere, or with words beside it", () => {
    expect(verdicts("- src/pool.js:8 — `if (size > limit) throw new Worker(workers);`")).toEqual([
      "exists_only",
    ]);
    expect(
      verdicts(
        "- src/pool.js:8 — `if (size > free) throw new Worker(workers);` is what I had in mind",
      ),
    ).toEqual(["exists_only"]);
  });
});

describe("numbers beside the lines of a fence", () => {
  const fence = (first: number, write: (line: number, text: string) => string, rows = pool) =>
    `src/pool.js:${first}\n\n\`\`\`js\n${rows
      .slice(first - 1, first + 4)
      .map((text, index) => write(first + index, text))
      .join("\n")}\n\`\`\``;
  const gutters: [string, (line: number, text: string) => string][] = [
    ["as a comment before each", (line, text) => `/* ${line} */ ${text}`],
    ["in angle brackets", (line, text) => `<${line}> ${text}`],
    ["as a comment behind each", (line, text) => `${text}  // ${line}`],
  ];
  test.each(gutters)("%s hold, blank lines too", (_, write) => {
    expect(verdicts(fence(6, write))).toEqual(["verified"]);
  });

  test.each(gutters)("%s are wrong where one line differs", (_, write) => {
    expect(
      verdicts(
        fence(
          6,
          write,
          pool.map((text) => text.replace("taken", "given")),
        ),
      ),
    ).not.toEqual(["verified"]);
    expect(
      verdicts(
        fence(
          6,
          write,
          pool.map((text) => text.replace("    this.taken += size;", "")),
        ),
      ),
    ).not.toEqual(["verified"]);
  });
});
