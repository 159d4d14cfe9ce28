import { expect, test } from "vitest";
import { memoryReader } from "../../../source/reader.ts";
import { assessReport } from "../../assess-report.ts";

const files = {
  "src/limits.ts": "export const UPPER_LIMIT = 9;\nexport const LOWER_LIMIT = 1;\n",
  "src/store/shelf.ts":
    'import { UPPER_LIMIT } from "../limits.ts";\nexport class Shelf {\n  take(count: number) {\n' +
    "    return Math.min(count, UPPER_LIMIT);\n  }\n}\nexport const isEmpty = true;\n",
  "src/store/shelf.test.ts":
    'import { Shelf } from "./shelf.ts";\ntest("takes", () => new Shelf());\n',
  "src/api/routes.ts": "export const routes = [];\n",
  "scripts/deploy.sh": "need git\n",
  "scripts/lib.sh": "need() {\n  command -v $1\n}\nconfirm() {\n  read -r answer\n}\n",
  "main.tf":
    'variable "region" {}\nvariable "contact" {}\nresource "server" "web" {\n  region = var.region\n}\n',
};

const countered = async (text: string): Promise<string[]> =>
  (await assessReport(text, { reader: memoryReader(files), contract: "auto" })).checks
    .filter(({ verdict }) => verdict === "countered")
    .map(({ reason }) => reason);

test.each([
  [
    "Nothing reads `LOWER_LIMIT` after it has been set.",
    "Nothing reads `UPPER_LIMIT` after it has been set.",
  ],
  ["`LOWER_LIMIT` is read by nothing.", "`UPPER_LIMIT` is read by nothing."],
  [
    "Of the constants in `src/limits.ts`, `LOWER_LIMIT` is used nowhere.",
    "Of the constants in `src/limits.ts`, `UPPER_LIMIT` is used nowhere.",
  ],
  [
    "`LOWER_LIMIT` is declared, and no TypeScript code reads it.",
    "`UPPER_LIMIT` is declared, and no TypeScript code reads it.",
  ],
  ["`confirm` is not called by any script.", "`need` is not called by any script."],
  ["There are no tests for the `api` package.", "There are no tests for the `store` package."],
  [
    "`contact` is declared but no resource or output refers to it.",
    "`region` is declared but no resource or output refers to it.",
  ],
  [
    "`contact` is not referenced in any `.tf` file.",
    "`region` is not referenced in any `.tf` file.",
  ],
])("the files decide about: %s", async (right, wrong) => {
  expect(await countered(right)).toEqual([]);
  expect(await countered(wrong)).not.toEqual([]);
});

test.each([
  "No route reads `UPPER_LIMIT`.",
  "The compiler warns that `UPPER_LIMIT` is never used.",
  "`UPPER_LIMIT` should not be used anywhere.",
  "There are limits, none of which uses `UPPER_LIMIT` twice.",
  "Nothing has touched `src/limits.ts` since.",
])("says nothing against: %s", async (text) => expect(await countered(text)).toEqual([]));
