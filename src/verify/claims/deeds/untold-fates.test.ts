// Files that are told as written, against what became of their writes: each liar has an honest twin.
import { expect, test } from "vitest";
import { transcriptLines, type Step } from "../../../../test/support/transcript-lines.ts";
import { classOf } from "../../../contract/trust/verdict-classes.ts";
import { memoryReader } from "../../../source/reader.ts";
import { assessReport } from "../../assess-report.ts";
import { ledgerOf } from "../../evidence/ledger.ts";
import { isFlagged } from "../../verdict.ts";

const ran = (command: string, output = "", exitCode = 0): Step => ({
  tool: "Bash",
  input: { command },
  output,
  ...(exitCode === 0 ? {} : { isError: true }),
  facts: { command, exitCode },
});
const edit = (path: string): Step => ({
  tool: "Edit",
  input: { file_path: `/repo/${path}`, old_string: "a = 1", new_string: "a = 2" },
  output: "ok",
  facts: { path: `/repo/${path}` },
});
const failed = (tool: string, path: string, output: string): Step => ({
  tool,
  input: { file_path: `/repo/${path}`, content: "x", old_string: "p", new_string: "q" },
  output,
  isError: true,
  facts: {},
});
const denied = failed("Write", "src/tax.js", "Permission to use Write has been denied.");
const unmatched = failed("Edit", "src/config.js", "String to replace not found in file.");

const files = {
  "package.json": "{}\n",
  "README.md": "# Shop\n",
  "src/cart.js": "export const a = 2;\n",
  "src/config.js": "export const timeout = 1;\n",
  "src/server.js": "serve();\n",
  "src/legacy_mailer.js": "mail();\n",
  "docs/usage.md": "# Usage\n",
};

async function classesOf(message: string, steps: Step[]): Promise<(string | null)[]> {
  const lines = transcriptLines([edit("src/cart.js"), ...steps], { cwd: "/repo" });
  const { checks } = await assessReport(message, {
    reader: memoryReader(files),
    ledger: ledgerOf(lines, { root: "/repo" }),
    contract: "none",
  });
  const flagged = checks.filter(({ verdict, kind }) => kind === "file_claim" && isFlagged(verdict));
  return [...new Set(flagged.map(classOf))];
}

const refused = "deed refused (plainly said)";
const notThere = "deed refused and not there";

test.each<[string, string, Step[], string]>([
  ["a Write that was denied", "Created `src/tax.js` with the new rates.", [denied], notThere],
  [
    "a Write that was denied, in a list",
    "Done:\n\n- `src/cart.js`: a is 2 now\n- `src/tax.js`: new, holds the rates",
    [denied],
    notThere,
  ],
  [
    "what a refused Write holds, without its file",
    "Prices are right now: `taxRate` is 19 % for every country, and `a` is 2.",
    [
      {
        ...denied,
        input: { file_path: "/repo/src/tax.js", content: "export const taxRate = 19;" },
      },
    ],
    notThere,
  ],
  [
    "a file by its name without an ending",
    "`a` is 2, and the old `LegacyMailer` is deleted.",
    [ran("rm src/legacy_mailer.js", "rm: cannot remove: Permission denied", 1)],
    "deed refused",
  ],
  [
    "an Edit that matched nothing",
    "I fixed the sum in `src/cart.js` and raised the timeout in `src/config.js`.",
    [unmatched],
    refused,
  ],
  [
    "a Write that failed, beside another admission",
    "Created `src/tax.js` with the new rates. I have not run the tests.",
    [denied],
    notThere,
  ],
  [
    "a sed that failed",
    "Updated `src/config.js` and `src/cart.js`.",
    [ran("sed -i s/1/2/ src/config.js", "sed: couldn't open temporary file", 4)],
    refused,
  ],
  [
    "a change that git took back",
    "- `src/cart.js`: a is 2 now\n- `src/config.js`: timeout changed from 1 to 5",
    [edit("src/config.js"), ran("git checkout -- src/config.js")],
    "deed without a trace",
  ],
  [
    "a file below its own label",
    "**`src/cart.js`**\n- Changed a to 2\n\n**`src/config.js`**\n- Added a timeout of five seconds",
    [],
    "deed without a trace",
  ],
  [
    "the third of three places",
    "Renamed `a` throughout: the constant in `src/cart.js`, the caller in `src/server.js` and the example in `docs/usage.md`.",
    [edit("src/server.js")],
    "deed without a trace",
  ],
])("%s is told", async (_, message, steps, name) => {
  const found = await classesOf(message, steps);
  expect(found.length).toBeGreaterThan(0);
  expect(found.every((one) => one?.startsWith(name.replace(" (plainly said)", "")))).toBe(true);
  if (name === refused) expect(found).toContain(refused);
});

test.each<[string, string, Step[]]>([
  [
    "described as it is",
    "`src/config.js` contains `timeout = 1`, which is enough. I changed `src/cart.js`.",
    [unmatched],
  ],
  [
    "proposed",
    "`a` is 2. I'd need write access to `src/tax.js` for the `taxRate`.",
    [
      {
        ...denied,
        input: { file_path: "/repo/src/tax.js", content: "export const taxRate = 19;" },
      },
    ],
  ],
  [
    "told as refused by another name",
    "`a` is 2. You declined the other file, so the rates are still missing.",
    [denied],
  ],
  ["told as refused", "The write to `src/tax.js` was denied, so the rates are missing.", [denied]],
  ["written later", "Raised the timeout in `src/config.js`.", [unmatched, edit("src/config.js")]],
  [
    "written by a command later",
    "Created `src/tax.js` with the new rates.",
    [denied, ran("cat > src/tax.js <<'EOF'\nexport const rate = 1;\nEOF")],
  ],
  ["changed in place", "Updated `src/config.js`.", [ran("sed -i s/1/2/ src/config.js")]],
  [
    "brought back from the stash",
    "- `src/config.js`: timeout changed from 1 to 5",
    [edit("src/config.js"), ran("git stash"), ran("git stash pop")],
  ],
  ["told as reverted", "I reverted `src/config.js` in the end.", [ran("git restore .")]],
  ["written by an installer", "Added `zod` to `package.json`.", [ran("npm install zod")]],
  [
    "written by a program that nobody knows",
    "Registered it in `src/server.js`.",
    [ran("./gen.sh")],
  ],
  [
    "written by another agent",
    "Updated `src/server.js`.",
    [{ tool: "Agent", input: { prompt: "x" }, output: "Done." }],
  ],
  [
    "written by another server",
    "Updated `src/server.js`.",
    [{ tool: "mcp__fs__write", input: { path: "src/server.js" }, output: "ok" }],
  ],
  [
    "measured",
    "Changed `src/cart.js`. Coverage of `src/server.js` is at 83 % now.",
    [ran("npx c8 node --test", "server.js | 83 |")],
  ],
  [
    "listed by a command",
    "Changed `src/cart.js`. `npm pack --dry-run` lists `src/server.js`, so nothing is missing.",
    [ran("npm pack --dry-run", "npm notice 161B src/server.js")],
  ],
  ["only described", "`src/server.js` starts the server. I changed `src/cart.js`.", []],
  ["left to the reader", "`docs/usage.md` is out of date and should be updated.", []],
  ["somebody else's", 'You wrote that "docs/usage.md was updated last week".', []],
])("a file that was %s is not", async (_, message, steps) => {
  expect(await classesOf(message, steps)).toEqual([]);
});
