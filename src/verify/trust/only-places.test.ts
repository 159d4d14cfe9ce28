// A text that only names places is passed over by the code that reads claims: nothing may be lost by it.
import { describe, expect, test } from "vitest";
import { knownTools } from "../claims/runs/tables/known-tools.ts";
import { claimChecks, toldNumbers } from "../claims/claim-checks.ts";
import { ledgerOf } from "../evidence/ledger.ts";
import { memoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { onlyPlaces } from "./only-places.ts";

const code = "export const part1 = (value: number): number => value + 1;";

describe("a text that only names places", () => {
  test.each([
    "`part1` stands in `src/part-1.ts:1`.",
    `- \`readAll\` is in \`src/read.ts\`, line 4: \`${code}\``,
    "## Findings\n\n- See `module-1.ts`.\n- It is in `lib/a.rb:4-9`.\n",
    "1. The function `open_file` lives in `src/files.py` (lines 10-12).",
    "",
  ])("is %j", (text) => {
    expect(onlyPlaces(text)).toBe(true);
  });

  test.each([
    ["a word of a deed", "I fixed it in `src/a.ts:1`."],
    ["a word of a result", "`readAll` passes."],
    ["a word of a delivery", "It is live."],
    ["a denial", "`readAll` is not in `src/a.ts`."],
    ["a number", "It is in 3 files."],
    ["a number in words", "It is in three files."],
    ["a command", "See `npm test`."],
    ["a tool", "It is `vitest`."],
    ["a script", "It is `./check.sh`."],
    ["an action with its version", "It is `actions/checkout@v4`."],
    ["a package with its version", "It is `left-pad@1.2.0`."],
    ["a sentence in code marks", "It is in `README.md`: `the first of all words`."],
    ["a quotation", 'It is in `README.md`: "the first of all words".'],
    ["a heading about checks", "## Verification\n\n- `src/a.ts`"],
    ["a box", "- [x] `src/a.ts`"],
    ["a mark", "- ✅ `src/a.ts`"],
    ["a block of code", "```\n3 passed\n```"],
    ["a table", "| `src/a.ts` | `readAll` |"],
  ])("is none with %s", (_, text) => {
    expect(onlyPlaces(text)).toBe(false);
  });

  test("holds nothing that is found by those who read claims", async () => {
    const repo = new Repository(
      memoryReader({
        "src/a.ts": `${code}\n`,
        "package.json": '{"dependencies":{"zod":"^3.0.0"},"scripts":{"test":"vitest"}}',
        "README.md": "# A\n",
      }),
    );
    const files = { isListed: () => true, exists: () => true };
    const evidence = { diff: undefined, ledger: undefined, readOnly: false, ...files };
    const setting = { repo, evidence, rerun: undefined, base: undefined, runners: [] };
    const tools = knownTools.flatMap(({ calls }) => calls.map((call) => call.split(" ")[0]!));
    const names = [
      "src/a.ts:1",
      "a.ts",
      "part1",
      "zodSchema",
      "test_all",
      "runTests()",
      code,
      ...tools,
    ];
    const texts = ["# Answer\n\n", "", "- "].flatMap((lead) =>
      [
        "§",
        "See §.",
        "It is in §.",
        "§ stands in §: §",
        "§ stands in `src/a.ts:1`",
        "The function § lives here, at line 3 of §.",
      ].flatMap((form) => names.map((name) => lead + form.replaceAll("§", `\`${name}\``))),
    );
    const silent = texts.filter(onlyPlaces);
    expect(silent.length).toBeGreaterThan(100);
    const told: string[] = [];
    for (const ledger of [ledgerOf([], { root: "/repo" }), undefined])
      for (const text of silent) {
        const found = await claimChecks(text, { ...setting, ledger });
        if (found.length > 0 || toldNumbers(text) !== null) told.push(text);
      }
    expect(told).toEqual([]);
  }, 60_000);
});
