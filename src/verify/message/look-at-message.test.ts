import { describe, expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";
import { verifyReport } from "../verify-report.ts";

const queue = [
  "const retryLimit = 5;",
  "",
  "export function pushJob(job) {",
  "  return jobs.push(job);",
  "}",
  "",
  "export function drainJobs() {",
  "  while (jobs.length > 0 && attempts < retryLimit) runJob(jobs.pop());",
  "}",
  "",
  ...Array.from({ length: 20 }, (_, index) => `note(${index});`),
  "export function closeQueue() {",
  "  jobs.length = 0;",
  "}",
].join("\n");

const repo = new Repository(
  memoryReader({ "src/jobs/queue.ts": queue, "src/jobs/worker.ts": "export const idle = true;\n" }),
);
const flagged = (report: string, document?: string) =>
  verifyReport(report, { reader: repo, ...(document === undefined ? {} : { document }) })
    .checks.filter(({ verdict }) => isFlagged(verdict))
    .map(({ verdict, text }) => `${verdict} ${text}`);

const told = "`src/jobs/queue.ts` holds it.\n\n`pushJob` is at line 3, `drainJobs` at line 7.\n\n";

describe("what only the whole of a message tells", () => {
  test.each([
    ["a name that is nowhere, with a line", "`flushJobsNow` (line 9) does the rest.", "missing"],
    ["a line behind the end", "`idle` (line 90) does the rest.", "out_of_range"],
    ["a name at another line", "`closeQueue` (line 16) ends it.", "wrong_symbol"],
    ["a quotation at another line", "It reads `const retryLimit = 5;` (line 20).", "relocated"],
    ["a name that code is said to use", "The rest is handled by `useJobRunner`.", "missing"],
    ["a changed number", "The bound is `const retryLimit = 8;` there.", "altered"],
    ["a changed operator", "It runs `jobs.length > 0 || attempts < retryLimit`.", "altered"],
    ["a path of a folder to come", "The rest is in `src/jobs/deep/timer.ts`.", "missing"],
    ["a path in apposition", "The other queue, `src/jobs/timer.ts`, has a guard.", "missing"],
    ["a name that does something", "`useJobRunner` in the same file starts it.", "missing"],
    ["a path beside those that are here", "The rest is in `src/jobs/timer.ts`.", "missing"],
  ])("%s is flagged", (_, sentence, verdict) => {
    expect(flagged(told + sentence)).toEqual([expect.stringMatching(`^${verdict} `)]);
  });

  test.each([
    ["what is right", "`closeQueue` (line 31) ends it with `jobs.length = 0;`."],
    ["advice", "Consider a helper such as `useJobRunner`, or call `const retryLimit = 8;`."],
    ["a wish", "I would add `flushJobsNow` (line 9) and `src/jobs/timer.ts`."],
    ["a path that would be nicer", "A shared `src/jobs/timer.ts` might be nicer."],
    ["a usual cure", "`JobSynchronizer.afterDrain` is the usual cure."],
    ["names under a lead that wishes", "Flags needed:\n\n- `show_job_names` (draw names)"],
    ["a plan", "The plan puts `useJobRunner` in `src/jobs/queue.ts`."],
    [
      "code that the place opens",
      "See `src/jobs/queue.ts:7`:\n\n```ts\n  while (jobs.length > 0 && attempts < retryLimit) runJob(jobs.pop());\n```",
    ],
    [
      "a quotation of the place before",
      "`src/jobs/queue.ts:1` sets it (`const retryLimit = 5;`), `src/jobs/queue.ts:7` reads it.",
    ],
    ["a second sentence behind a comma", "It repeats `closeQueue`, lines 7-9 equal lines 3-5."],
    ["a change", "`const retryLimit = 8;` → `const retryLimit = 5;`"],
    ["a denial", "There is no `flushJobsNow` at line 9."],
    [
      "lines that are somebody's, but whose cannot be told",
      "`pushJob` and `idle` (lines 3 and 1).",
    ],
  ])("%s is not", (_, sentence) => {
    expect(flagged(told + sentence)).toEqual([]);
  });

  const absent = [
    "The docs mention `src/jobs/timer.ts`, which is gone.",
    "Other projects have `src/jobs/timer.ts` for this.",
    "For tests, e.g. `src/jobs/timer.test.ts`, follow the others.",
    "The old repository had `src/jobs/timer.ts`.",
    "I looked for `src/jobs/timer.ts` and found nothing.",
    "You asked about `src/jobs/timer.ts`, so I began there.",
    "The import points to `src/jobs/timer.ts`, which is missing.",
    "It was in `src/jobs/timer.ts` before the move.",
  ];
  test.each(absent)("a file that is told not to be here is not, alone or not: %s", (sentence) => {
    expect(flagged(sentence)).toEqual([]);
    expect(flagged(told + sentence)).toEqual([]);
    expect(flagged(told + sentence.replace(".ts`", ".ts:12`"))).toEqual([]);
  });

  test("a file that is told to be here is, though no other is named", () => {
    expect(flagged("The timer lives in `src/jobs/timer.ts`.")).toHaveLength(1);
    expect(flagged("As expected, it is set in `src/jobs/timer.ts:3`.")).toHaveLength(1);
  });

  test("a document is read as before: it may speak of another time", () => {
    expect(flagged(`${told}The rest is handled by \`useJobRunner\`.`, "docs/notes.md")).toEqual([]);
  });
});

test("a name that stands in the file which is said to have it asks for no list of the tree", () => {
  const reader = memoryReader({ "src/jobs/queue.ts": queue });
  let lists = 0;
  const counted = { ...reader, list: () => (lists++, reader.list()) };
  const isFine = (name: string): boolean =>
    verifyReport(`\`${name}\` is defined in \`src/jobs/queue.ts\`.`, { reader: counted }).counts
      .flagged === 0;
  expect([isFine("pushJob"), lists]).toEqual([true, 0]);
  expect([isFine("runJobsLater"), lists]).toEqual([false, 1]);
});
