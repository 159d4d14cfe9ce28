import { describe, expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";
import { verifyReport } from "../verify-report.ts";

const filler = Array.from({ length: 30 }, (_, index) => `note(${index});`);
const queue = [
  "export const retryLimit = 5;",
  "",
  "export function pushJob(job) {",
  "  return waiting.push(job);",
  "}",
  ...filler,
  "export function drainJobs() {",
  "  while (waiting.length > retryLimit) runJob(waiting.pop());",
  "}",
].join("\n");

const repo = new Repository(
  memoryReader({
    "src/jobs/queue.ts": queue,
    "src/jobs/worker.ts": "export const idle = true;\n",
    "lib/list.ts": "export const listOf = 1;\n",
  }),
);
const verdictsOf = (report: string, document?: string): string[] =>
  verifyReport(report, { reader: repo, ...(document ? { document } : {}) }).checks.map(
    ({ verdict }) => verdict,
  );
const flags = (report: string, document?: string): string[] =>
  verdictsOf(report, document).filter((verdict) => isFlagged(verdict as never));

const box = (info: string, ...lines: string[]): string =>
  ["```" + info, ...lines, "```"].join("\n");
const drain = "  while (waiting.length > retryLimit) runJob(waiting.pop());";

/** Each is right with line 36 or 37 of the queue, and wrong with line 20. */
const names: [string, (line: number) => string][] = [
  ["behind its lines", (n) => `Jobs leave by \`drainJobs\`, ${n}-${n + 1}:src/jobs/queue.ts`],
  [
    "in a list below a line that is nothing but a file",
    (n) =>
      `**File:** \`src/jobs/queue.ts\`\n\n1. I read it.\n2. \`drainJobs\` (line ${n}): the part of interest`,
  ],
  [
    "right below a title in bold that is a file",
    (n) => `**src/jobs/queue.ts**\n- \`drainJobs\` (line ${n}): the part of interest`,
  ],
  [
    "as the answer to where it is",
    (n) => `**Q: Where does \`drainJobs\` live?**\n\nA: In \`src/jobs/queue.ts\`, at line ${n}.`,
  ],
  [
    "as the answer to a question without a label",
    (n) =>
      `**Where does \`drainJobs\` come from?**\n\nFrom \`src/jobs/queue.ts\`. The declaration is on line ${n}.`,
  ],
  [
    "in a table with a Chinese column of lines",
    (n) =>
      `| 符号 | 行号 | 文件 |\n|---|---|---|\n| \`drainJobs\` | ${n} | \`src/jobs/queue.ts\` |`,
  ],
  [
    "under a title that is a file",
    (n) => `### \`src/jobs/queue.ts\`\n\n- **Line ${n}**: \`drainJobs\``,
  ],
  ["in an item under a file", (n) => `- \`src/jobs/queue.ts\`\n  - \`drainJobs\`: L${n}`],
  [
    "as a plain word before brackets",
    (n) => `It ends in drainJobs (src/jobs/queue.ts:${n}) at last.`,
  ],
  [
    "behind a place in brackets",
    (n) => `**Nit** (\`src/jobs/queue.ts\`, line ${n}): \`drainJobs\` says little.`,
  ],
  ["behind two colons", (n) => `- \`src/jobs/queue.ts::drainJobs\` (line ${n})`],
  [
    "between tags",
    (n) => `<p><code>drainJobs</code>: <code>src/jobs/queue.ts</code>, line ${n}.</p>`,
  ],
  [
    "as what a part starts with",
    (n) => `The part that starts with \`drainJobs\`, line ${n} of \`src/jobs/queue.ts\`.`,
  ],
  [
    "under a foreign root",
    (n) => `\`drainJobs\` is in \`/home/dev/app/src/jobs/queue.ts\` at line ${n}.`,
  ],
  ["in a stack", (n) => box("text", `#0  drainJobs    src/jobs/queue.ts:${n}`, "#1  <event loop>")],
  [
    "in a record",
    (n) =>
      box("yaml", "- id: F-1", "  file: src/jobs/queue.ts", `  line: ${n}`, "  symbol: drainJobs"),
  ],
  [
    "in a node of a chart",
    (n) => box("mermaid", `  IN --> A["drainJobs<br/>src/jobs/queue.ts:${n}"]`),
  ],
  ["in a list of tags", (n) => box("", `drainJobs\tsrc/jobs/queue.ts\t${n};"`)],
  [
    "in a tree",
    (n) =>
      box("", "app/", "└── src/", "    └── jobs/", `        └── queue.ts   ← drainJobs (L${n})`),
  ],
];

const quotations: [string, (line: number) => string][] = [
  [
    "in a sentence of any words",
    (n) => `No ficheiro \`src/jobs/queue.ts:${n}\` consta \`${drain.trim()}\`.`,
  ],
  [
    "in a block quote above its source",
    (n) => `> \`${drain.trim()}\`\n>\n> — \`src/jobs/queue.ts\`, line ${n}`,
  ],
  [
    "below a command for one line",
    (n) => box("console", `$ sed -n '${n}p' src/jobs/queue.ts`, drain),
  ],
  ["with a title and its line", (n) => box(`ts title="src/jobs/queue.ts, line ${n}"`, drain)],
  [
    "with a title, led by a line",
    (n) => `It starts at line ${n}:\n\n${box('ts title="src/jobs/queue.ts"', drain)}`,
  ],
  [
    "before a comment with the line",
    (n) => `From \`src/jobs/queue.ts\`:\n\n${box("ts", `${drain}  // line ${n}`)}`,
  ],
  ["before a comment with the place", (n) => box("ts", `${drain}  // src/jobs/queue.ts:${n}`)],
  [
    "in a part of a change",
    (n) => box("diff", "+++ b/src/jobs/queue.ts", `@@ -${n - 1},0 +${n},1 @@`, `+${drain}`),
  ],
  [
    "below a label with a colon",
    (n) =>
      `**Arquivo:** \`src/jobs/queue.ts\` · **Linha:** ${n} · **Trecho:**\n\n${box("ts", drain)}`,
  ],
];

describe("a place is read in whatever way it is written", () => {
  test.each(names)("a name %s", (_, write) => {
    expect(flags(write(36))).toEqual([]);
    expect(flags(write(20))).not.toEqual([]);
  });

  test.each(quotations)("a quotation %s", (_, write) => {
    expect(flags(write(37))).toEqual([]);
    expect(verdictsOf(write(37))).toContain("verified");
    expect(flags(write(20))).not.toEqual([]);
  });
});

describe("nothing is called right by standing anywhere in its file", () => {
  test.each([
    ["a number in brackets", "`drainJobs` объявлен в `src/jobs/queue.ts` (c. 20)."],
    [
      "another place of the file",
      "Line 20 of `queue.ts` is `drainJobs`. (The file: `src/jobs/queue.ts`.)",
    ],
    [
      "the lines of the title",
      `### \`queue.ts\`, lines 8–9\n\nFile: \`src/jobs/queue.ts\`\n\n${box("ts", drain)}`,
    ],
    [
      "a number of a sentence about lines",
      "In `src/jobs/queue.ts` two line numbers matter: 20, where `drainJobs` stands, and 21.",
    ],
    [
      "a path that is not here, in full below,",
      `\`queue.ts\` says \`${drain.trim()}\` on line 37.\n\nFiles:\n- \`/w/app/src/other/queue.ts\``,
    ],
  ])("where %s may be meant", (_, report) => {
    expect(verdictsOf(report)).not.toContain("verified");
  });
});

describe("paths of another machine", () => {
  test.each([
    [
      "a file that is not here, beside one that is",
      "`/w/app/src/jobs/queue.ts:3`, `/w/app/src/jobs/timer.ts:3`",
    ],
    ["steps that lead out", "See `/w/app/../../src/jobs/queue.ts:3`."],
  ])("%s", (_, report) => {
    expect(flags(report)).toHaveLength(1);
  });

  test.each([
    ["another project", "See `/w/other/pkg/timer.ts:3`."],
    ["a single path that shares one folder", "See `/w/other/src/timer.ts:3`."],
    ["steps within the tree", "See `/w/app/src/jobs/../jobs/queue.ts:3`."],
  ])("%s accuses nobody", (_, report) => {
    expect(flags(report)).toEqual([]);
  });
});

describe("what is not accused", () => {
  test.each([
    ["a label that is its file", "- [queue.ts#L9](src/jobs/queue.ts#L9)"],
    [
      "files that a manifest exports",
      box("json", '  "./list": {', '    "import": "./src/jobs/worker.ts"', "  }"),
    ],
    [
      "a proposed change",
      `Proposal:\n\n${box("diff", "+++ b/src/jobs/queue.ts", "@@ -20,0 +20,1 @@", `+${drain}`)}`,
    ],
    ["a word of a stack", box("", "❯ src/jobs/queue.ts:20:9 at")],
  ])("%s", (_, report) => {
    expect(flags(report)).toEqual([]);
  });

  test("the entries of a fence of a document, which may be of any time", () => {
    const entry = box("text", "#0  drainJobs    src/jobs/queue.ts:20");
    expect(flags(entry)).toHaveLength(1);
    expect(flags(entry, "docs/notes.md")).toEqual([]);
  });

  test("a misspelt path without a line is, whatever is said of it", () => {
    expect(flags("- `src/jobs/queu.ts`: read in full")).toEqual(["missing"]);
    expect(flags("- `src/jobs/clock.ts`: read in full")).toEqual([]);
  });
});

describe("a short name and its full path", () => {
  const twins = new Repository(
    memoryReader({
      "now.js": "export const now = 1;\n",
      "fp/now.js": `${filler.join("\n")}\n${drain}\n`,
    }),
  );
  const checksOf = (report: string): string[] =>
    verifyReport(report, { reader: twins }).checks.map(({ verdict }) => verdict);

  test("the name means the file that is spelled out, though another has exactly that name", () => {
    const report = `\`now.js\` says \`${drain.trim()}\` on line 31.\n\nFile: \`fp/now.js\``;
    expect(checksOf(report)).toContain("verified");
    expect(checksOf(report).filter((verdict) => isFlagged(verdict as never))).toEqual([]);
  });
});
