import { describe, expect, test } from "vitest";
import { memoryReader } from "../../../source/reader.ts";
import { isFlagged } from "../../verdict.ts";
import { verifyReport } from "../../verify-report.ts";

const cache = [
  "export function makeKey(url, mode) {",
  "  const parts = url.split('?', 2);",
  "  parts.unique();",
  "  return parts.join(':');",
  "}",
  "",
  "export function readCache(key) {",
  "  const found = entries.get(key);",
  "  if (found === undefined) return readLater(key, { codes: [] });",
  "  logger.debug('hit', key); // only for the tests",
  "  return found;",
  "}",
].join("\n");
const reader = memoryReader({
  "src/cache.ts": cache,
  "src/main.ts": "import { readCache } from './cache';\n\nstartServer(8080);\n",
});
const flagged = (report: string, files = reader) =>
  verifyReport(report, { reader: files })
    .checks.filter(({ verdict }) => isFlagged(verdict))
    .map(({ verdict }) => verdict);
const shown = (lead: string, ...code: string[]) =>
  `${lead}\n\n\`\`\`ts\n${code.join("\n")}\n\`\`\`\n`;

describe("a line in a block of code", () => {
  const known = "The key is made in `src/cache.ts`:";
  test.each([
    ["a member in the place of another", "  parts.sort();"],
    ["something put in", "  parts.sort.unique();"],
  ])("%s, between lines that stand there, is altered", (_, line) => {
    const [above, below] = ["  const parts = url.split('?', 2);", "  return parts.join(':');"];
    expect(flagged(shown(known, above, line, below))).toEqual(["altered"]);
  });

  test.each([
    ["a mark in a text", known, "  const parts = url.split('#', 2);"],
    ["a comment", known, "  logger.debug('hit', key); // only for the users"],
    [
      "a list that is empty",
      "`src/cache.ts:9`",
      "  if (found === undefined) return readLater(key, { codes: [408] });",
    ],
    [
      "of a file that defines what is named",
      "`src/main.ts` calls `readCache`:",
      "  logger.trace('hit', key);",
    ],
  ])("%s is altered", (_, lead, line) => {
    expect(flagged(shown(lead, line))).toEqual(["altered"]);
  });

  test.each([
    ["as it stands", known, ["  parts.unique();"]],
    ["with a comment of the agent's", known, ["  return parts.join(':'); // the key"]],
    ["without the comment", known, ["  logger.debug('hit', key);"]],
    ["as a proposal", "I would write `src/cache.ts` so:", ["  logger.trace('hit', key);"]],
    ["as something else", known, ["  return sendAnswer(request, { codes: [] });"]],
    [
      "with a type",
      known,
      ["export function makeKey(url, mode: string) {", "  const parts = url.split('?', 2);"],
    ],
  ])("%s is not", (_, lead, code) => {
    expect(flagged(shown(lead, ...code))).toEqual([]);
  });

  test("of a file that has a whole record in a line is not made of that line", () => {
    const record = (id: string) => ({
      id,
      title: `Index the records of ${id}`,
      notes: Array.from({ length: 40 }, (_, at) => `step ${at}`).join(", "),
      status: "open",
      priority: 2,
      issue_type: "task",
      created_by: "Ada",
    });
    const records = memoryReader({ "data/issues.jsonl": JSON.stringify(record("tracker-0rt.1")) });
    const { notes: _, ...rest } = record("tracker-2qx.1");
    const draft = JSON.stringify({ ...rest, title: "Index the records of tracker-0rt.1" }, null, 2);
    const report = `Here it is:\n\n\`\`\`json\n${draft}\n\`\`\`\n\nIt has the form of \`data/issues.jsonl\`.`;
    expect(flagged(report, records)).toEqual([]);
  });
});
