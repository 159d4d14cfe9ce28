import { describe, expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { isFlagged } from "../verdict.ts";
import { verifyReport } from "../verify-report.ts";

const reader = memoryReader({
  "src/parsers/json.ts": "export const parseJson = JSON.parse;\n",
  "src/parsers/yaml.ts": "export function parseYaml() {}\n",
  "src/parsers/toml.ts": "export function parseToml() {}\n",
  "src/shared/walk.ts": "import { parseYaml } from '../parsers/yaml';\n",
});
const flagged = (report: string) =>
  verifyReport(report, { reader })
    .checks.filter(({ verdict }) => isFlagged(verdict))
    .map(({ verdict, text }) => `${verdict} ${text.replaceAll("`", "")}`);

describe("files in a list whose other files are here", () => {
  test.each([
    [
      "in a sentence",
      "Parsers are in `src/parsers`: `json.ts`, `yaml.ts`, `toml.ts` and `xml.ts`.",
    ],
    [
      "as examples",
      "See e.g. `src/parsers/json.ts`, `src/parsers/yaml.ts` and `src/parsers/xml.ts`.",
    ],
    [
      "in items",
      "Parsers:\n\n- `json.ts` reads JSON\n- `yaml.ts`: YAML\n- `toml.ts`: TOML\n- `xml.ts`: XML",
    ],
    [
      "in rows",
      "| File | Reads |\n|---|---|\n| `json.ts` | JSON |\n| `yaml.ts` | YAML |\n| `xml.ts` | XML |",
    ],
  ])("%s: the one that is nowhere is missing", (_, report) => {
    expect(flagged(report)).toEqual([
      expect.stringMatching(/^missing (?:src\/parsers\/)?xml\.ts$/),
    ]);
  });

  test.each([
    ["a new one", "I would add `xml.ts` beside `json.ts`, `yaml.ts` and `toml.ts`."],
    ["one that is gone", "Parsers:\n\n- `json.ts`: kept\n- `yaml.ts`: kept\n- `xml.ts`: deleted"],
    ["one that is denied", "There are `json.ts`, `yaml.ts` and `toml.ts`, and no `xml.ts`."],
    ["of folders that differ", "It uses `src/parsers/json.ts`, `src/shared/walk.ts` and `xml.ts`."],
    ["another kind of file", "It reads `json.ts`, `yaml.ts`, `toml.ts` and `settings.conf`."],
    ["under a plan", "Files to create:\n\n- `json.ts`\n- `yaml.ts`\n- `toml.ts`\n- `xml.ts`"],
    ["most of which are not here", "There are `json.ts`, `a.ts`, `b.ts` and `c.ts`."],
  ])("%s is not", (_, report) => {
    expect(flagged(report)).toEqual([]);
  });
});

describe("what is told to be in a file or folder", () => {
  test.each([
    ["a name of another file", "`parseToml` is defined in `src/shared/walk.ts`.", "wrong_symbol"],
    ["behind a clause", "`parseToml`, which you need, is in `src/shared/walk.ts`.", "wrong_symbol"],
    [
      "a name in no file",
      "`src/shared/walk.ts` calls it; `parseToml` lives in `helpers.ts`.",
      "missing",
    ],
    [
      "a file of no folder",
      "`src/shared/walk.ts` calls it; the rest lives in `spec/rest.ts`.",
      "missing",
    ],
    ["a file of another folder", "`toml.ts` is in `src/shared/`.", "missing"],
    [
      "a file in the same folder",
      "`src/parsers/json.ts` reads, `xml.ts` in the same folder, too.",
      "missing",
    ],
  ])("%s is flagged", (_, report, verdict) => {
    expect(flagged(report)).toEqual([expect.stringMatching(`^${verdict} `)]);
  });

  test.each([
    ["where it is used", "`parseYaml` is found in `src/shared/walk.ts`."],
    ["where it is called from", "`parseToml` is called in `src/shared/walk.ts`."],
    ["where it should be", "`parseToml` should be defined in `src/shared/walk.ts`."],
    ["where it is not", "`parseToml` is not defined in `src/shared/walk.ts`."],
    ["what is another's", "`parse` is defined in `parser.ts` of the yaml package."],
    [
      "what a program printed",
      "`src/shared/walk.ts`:\n\n```\nerror in build.ts:9\n```\n\nThe error is in `build.ts`.",
    ],
    ["its own folder", "`toml.ts` is in `parsers/`."],
  ])("%s is not", (_, report) => {
    expect(flagged(report)).toEqual([]);
  });
});
