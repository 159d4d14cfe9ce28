// A line said in words, in several languages: each sentence once with the right line and once with a wrong one.
import { expect, test } from "vitest";
import { memoryReader } from "./reader.ts";
import { Repository } from "./repository.ts";
import { verifyReport } from "./verify-report.ts";

const source = [
  "import os",
  "",
  "def load(name):",
  "    return open(name)",
  "",
  "def save(name, text):",
  "    with open(name, 'w') as out:",
  "        out.write(text)",
  "",
].join("\n");
const repo = new Repository(memoryReader({ "src/store.py": source }));
const verdicts = (report: string) =>
  verifyReport(report, { reader: repo }).checks.map(({ verdict }) => verdict);

test.each([
  "Die Funktion `save` steht in `src/store.py`, Zeile 6.",
  "In Zeile 6 von `src/store.py` wird `save` definiert.",
  "`save` liegt in src/store.py (Zeilen 6 bis 8).",
  "La fonction `save` est définie à la ligne 6 du fichier `src/store.py`.",
  "`save` se trouve dans `src/store.py`, lignes 6 à 8.",
  "La función `save` está en `src/store.py` (línea 6).",
  "`save` está en las líneas 6 a 8 de `src/store.py`.",
  "A função `save` fica em `src/store.py`, linha 6.",
  "`save` si trova alla riga 6 di `src/store.py`.",
  "De functie `save` staat op regel 6 van `src/store.py`.",
  "Функция `save` находится в `src/store.py`, строка 6.",
  "函数 `save` 定义在 `src/store.py` 的第 6 行。",
  "`save`定义在src/store.py第6行。",
  "関数 `save` は `src/store.py` の 6 行目にあります。",
  "`save`：src/store.py：6",
  "`save`, src/store.py, ln. 6",
  "`save` starts on line 6 and ends on line 8 of src/store.py.",
])("%s", (sentence) => {
  expect(verdicts(sentence)).toEqual(["verified"]);
  expect(verdicts(sentence.replaceAll("6", "3").replaceAll("8", "4"))).toEqual(["wrong_symbol"]);
  expect(verdicts(sentence.replaceAll("6", "60").replaceAll("8", "80"))).toEqual(["out_of_range"]);
});

test("a number behind a hash is a line where the file has one, else an issue", () => {
  expect(verdicts("`save` — src/store.py #6")).toEqual(["verified"]);
  expect(verdicts("`save` — src/store.py #3")).toEqual(["wrong_symbol"]);
  expect(verdicts("- Fix `save` in src/store.py #4295")).toEqual(["exists_only"]);
  expect(verdicts("- Drop global Store.raw #4180")).toEqual([]);
});

test.each([
  "On line 3 a 2-element list of src/store.py is made.",
  "src/store.py (#1234) was merged.",
  "Fixed in src/store.py, see issue #1234.",
])("no second line and no line at all: %s", (sentence) => {
  expect(verdicts(sentence).every((verdict) => verdict === "exists_only")).toBe(true);
});
