import { expect, test } from "vitest";
import { transcriptLines, type Step } from "../../../../test/support/transcript-lines.ts";
import { assessReport } from "../../assess-report.ts";
import { ledgerBuilder } from "../../evidence/ledger.ts";
import { memoryReader } from "../../../source/reader.ts";
import { isFlagged } from "../../verdict.ts";

const ran = (command: string, output = "", exitCode: number | null = 0): Step => ({
  tool: "Bash",
  input: { command },
  output,
  ...(exitCode === 0 || exitCode === null ? {} : { isError: true }),
  facts: { command, ...(exitCode === null ? { backgroundTaskId: "b1" } : { exitCode }) },
});
const edit = (path: string): Step => ({
  tool: "Edit",
  input: { file_path: path, old_string: "a = 1", new_string: "a = 2" },
  output: "ok",
  facts: { path: `/repo/${path}` },
});
const refused = (path: string): Step => ({
  tool: "Write",
  input: { file_path: `/repo/${path}`, content: "x" },
  output: "Permission to write has been denied.",
  isError: true,
  facts: {},
});
const green = "# tests 3\n# pass 3\n# fail 0";

const files = {
  "package.json": JSON.stringify({ scripts: { test: "node --test", dev: "node src/server.js" } }),
  "src/cart.js": "export const a = 2;\n",
  "src/server.js": "serve();\n",
  "test/cart.test.js": "test('a', () => {});\n",
  "lib/old.js": "export const old_hash = 1;\n",
};

/** The reasons of everything that is held against the words. */
async function reasons(words: string, steps: Step[]): Promise<string> {
  const builder = ledgerBuilder({ root: "/repo" });
  for (const line of transcriptLines([edit("src/cart.js"), ...steps], { cwd: "/repo" }))
    builder.add(line);
  const { checks } = await assessReport(words, {
    reader: memoryReader(files),
    ledger: builder.ledger(),
    contract: "none",
  });
  return checks
    .filter(({ verdict }) => isFlagged(verdict))
    .map(({ reason }) => reason)
    .join("\n");
}

test.each<[string, string, Step[], RegExp]>([
  [
    "an item of a list of checks",
    "## Verification\n\n- `npm test` – as before\n- posted a body to a running server",
    [ran("npm test", green)],
    /no command on record executes it/,
  ],
  [
    "a row of checks whose command failed",
    "## Checks\n\n| Check | Result |\n|---|---|\n| `npm test` | the suite holds |",
    [ran("npm test", "# tests 3\n# pass 2\n# fail 1", 1)],
    /failed/,
  ],
  [
    "a file of a list of changes that was not written",
    "What changed:\n\n- `src/cart.js`: new sum\n- `src/server.js`: uses it",
    [],
    /no write to src\/server\.js/,
  ],
  [
    "a file that is told as changed in another language",
    "También actualicé `src/server.js`.",
    [],
    /no write to src\/server\.js/,
  ],
  [
    "a change whose object is something missing",
    "I extended `src/server.js` with an entry on what happens when the port is missing.",
    [],
    /no write to src\/server\.js/,
  ],
  [
    "a file whose write failed, however it is named",
    "The limit is 100, in the code (`src/cart.js`) and in the docs (`docs/new.md`).",
    [refused("docs/new.md")],
    /the write to docs\/new\.md failed/,
  ],
  [
    "a package that could not be removed",
    "I removed `moment` from the dependencies.",
    [ran("npm uninstall moment", "npm ERR! code EACCES", 243)],
    /npm uninstall moment` failed/,
  ],
  [
    "an open failure that is passed over",
    "The services have picked up the new pool size.",
    [ran("sudo ops/restart.sh", "Job for worker.service failed.", 1)],
    /restart\.sh` failed/,
  ],
  [
    "a name that stands nowhere",
    "- `src/server.js`: introduced `RING_CAP` so that the size is in one place",
    [],
    /RING_CAP stands in no file|no write to src\/server/,
  ],
  [
    "an answer of a server that was only started",
    "I started it, and the server answers on port 80.",
    [ran("npm run dev", "Command running in background with ID: b1", null)],
    /no command on record executes it/,
  ],
  [
    "a failure that nothing was run after",
    "With that the package passes.",
    [ran("npm test", "# tests 3\n# pass 2\n# fail 1", 1), edit("src/cart.js")],
    /`npm test` failed/,
  ],
  [
    "a write that was refused",
    "| File | Change |\n|---|---|\n| `src/cart.js` | sum |\n| `docs/new.md` | new |",
    [refused("docs/new.md")],
    /the write to docs\/new\.md failed/,
  ],
])("%s is held against the record", async (_name, words, steps, reason) => {
  expect(await reasons(words, steps)).toMatch(reason);
});

test.each<[string, string, Step[]]>([
  [
    "a list of checks that were made",
    "## Verification\n\n- `npm test`: 3 passed\n- the types were not checked",
    [ran("npm test", green)],
  ],
  [
    "steps for the reader",
    "## How to verify\n\n- `npm run dev`\n- open the page and click it",
    [ran("npm test", green)],
  ],
  [
    "a feature whose heading has a word of plans",
    "# Sums must be whole\n\n`npm test` passes.",
    [ran("npm test", green)],
  ],
  [
    "a file that is told as left alone",
    "What changed:\n\n- `src/cart.js`: new sum\n- `src/server.js`: unchanged",
    [],
  ],
  [
    "a failure that is told by what it complained about",
    "The pool size is set. `worker.service` did not come up after the restart.",
    [ran("sudo ops/restart.sh", "Job for worker.service failed.", 1)],
  ],
  ["a file that is denied", "`src/server.js` habe ich nicht angepasst.", []],
  [
    "words of a document",
    'The guide says: "A change is done when all tests pass and lint is clean."',
    [],
  ],
  [
    "a failure that is told",
    "2 of 3 tests pass; the third failed before as well.",
    [ran("npm test", "# tests 3\n# pass 2\n# fail 1", 1)],
  ],
  ["a look at the stash", "`a` is 2 now.", [ran("git stash list")]],
])("%s is not", async (_name, words, steps) => {
  expect(await reasons(words, steps)).toBe("");
});
