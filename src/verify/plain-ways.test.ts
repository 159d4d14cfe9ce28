// Plain ways in which people and models write a reference, each once right and once wrong.
import { describe, expect, test } from "vitest";
import { memoryReader } from "./reader.ts";
import { Repository } from "./repository.ts";
import { verifyReport } from "./verify-report.ts";

const cart = [
  "import { round } from './money.js';",
  "",
  "/** Adds the prices of all items. */",
  "export function total(items, rate) {",
  "  const sum = items.reduce((left, item) => left + item.price, 0);",
  "  if (!rate) return round(sum);",
  "  return round(",
  "    sum * (1 + rate),",
  "    2,",
  "  );",
  "}",
  "",
  "export class Cart {",
  "  add(item, ...rest) {",
  "    this.items.push(item, ...rest);",
  "    return await this.save();",
  "  }",
  "}",
].join("\n");

const repo = new Repository(
  memoryReader({
    "src/cart.js": cart,
    "src/money.js":
      "export function round(value, digits = 2) {\n  return Number(value.toFixed(digits));\n}\n",
    "lib/suggest-fix.js":
      "const limit = 5;\nexport function nearest(word, words) {\n  return words.find((other) => other === word);\n}\n",
    "package.json":
      '{\n  "name": "shop",\n  "main": "./src/cart.js",\n  "files": ["src/cart.js"]\n}\n',
    "conf/shop.yml": "host: here\nport: 8080\ngift-card: yes\n",
    "bin/shop": "#!/bin/sh\nrun_all() {\n  echo all\n}\n",
    LICENSE: "MIT\n\nPermission is hereby granted\n",
  }),
);

const verdicts = (report: string) =>
  verifyReport(report, { reader: repo }).checks.map((check) => check.verdict);
const worst = (report: string) =>
  verdicts(report).find((verdict) => !["verified", "exists_only"].includes(verdict)) ??
  (verdicts(report).includes("verified") ? "verified" : verdicts(report)[0]);

describe("fences", () => {
  test.each([
    [
      "a caption below names the place",
      "```js\n  if (!rate) return round(sum);\n  return round(\n```\n*src/cart.js:6*",
      "verified",
    ],
    [
      "a caption with a wrong line",
      "```js\n  if (!rate) return round(sum);\n  return round(\n```\nSource: `src/cart.js` lines 4-5",
      "relocated",
    ],
    [
      "a caption frees the reference above",
      "See src/money.js:1.\n\n```js\n  if (!rate) return round(sum);\n```\n(`src/cart.js:6`)",
      "verified",
    ],
    [
      "a heading that names nothing ends what stood above",
      "See src/money.js:1.\n\n### Next\n\n```js\nconst other = 1;\n```",
      "exists_only",
    ],
    [
      "a file's name is no proposal",
      "`lib/suggest-fix.js:1`:\n```js\nconst limit = 6;\n```",
      "altered",
    ],
    [
      "four blanks make code",
      "In src/cart.js:5:\n\n      const sum = items.reduce((left, item) => left - item.price, 0);\n",
      "altered",
    ],
    [
      "an arrow in an added comment",
      "`src/cart.js:6`\n```js\n  if (!rate) return round(sum);  // <-- here\n```",
      "verified",
    ],
    [
      "a first line that is shown in part",
      "`src/cart.js:16`\n```js\n    await this.save();\n  }\n```",
      "exists_only",
    ],
    [
      "a line in the middle that is shown in part",
      "`src/cart.js:5`\n```js\n  const sum = items.reduce((left, item) => left + item.price, 0);\n  if (rate) return round(sum);\n  return round(\n```",
      "altered",
    ],
    [
      "a printed line that is shown in part",
      "src/cart.js\n```\n15\tthis.items.push(item, ...rest);\n16\tawait this.save();\n```",
      "altered",
    ],
    [
      "a colon that belongs to the code",
      "src/money.js\n```\n 1\texport function round(value, digits = 2) {\n 2\t  return Number(value.toFixed(digits));\n```",
      "verified",
    ],
    [
      "dots that stand in the file elide nothing",
      "`src/cart.js:14`\n```js\n  add(item, ...rest) {\n    return await this.save();\n```",
      "altered",
    ],
    [
      "a name alone above a fence",
      "src/cort.js\n\n```\n  6: if (!rate) return round(sum);\n```",
      "relocated",
    ],
    [
      "a file without extension above a fence",
      "Read of LICENSE:\n```\n  1→MTI\n  2→\n  3→Permission is hereby granted\n```",
      "missing",
    ],
    [
      "a fence in a block quote",
      "> From `src/cart.js:6`:\n>\n> ```js\n>   if (!rate) return round(sum);\n>   return round(\n> ```",
      "verified",
    ],
    [
      "a place beside its line of code",
      "```js\n  if (rate) return round(sum);   // src/cart.js:6\n```",
      "altered",
    ],
    [
      "an info string of assignments",
      '~~~js file="src/cart.js" line=5\n  if (!rate) return round(sum);\n~~~',
      "relocated",
    ],
    [
      "a decorated path above the code",
      "```\n-- src/cart.js:5 --\n  if (!rate) return round(sum);\n```",
      "relocated",
    ],
    [
      "a comment of the code that speaks of a file",
      "`src/cart.js:3`\n```js\n// src/money.js rounds.\n```",
      "missing",
    ],
    [
      "a compiler's excerpt",
      "```\nerror: bad\n --> src/cart.js:6:5\n  |\n6 |   if (rate) return round(sum);\n  |   ^^ here\n```",
      "altered",
    ],
    [
      "the source below a frame",
      '```\n  File "src/cart.js", line 6, in total\n    sum * (1 + rate),\n```',
      "relocated",
    ],
    [
      "the lines that a command printed",
      "```\n$ grep -n rate src/cart.js\n5:  if (!rate) return round(sum);\n```",
      "relocated",
    ],
    [
      "a hunk at its line",
      "```diff\n--- a/src/cart.js\n+++ b/src/cart.js\n@@ -5,2 +5,2 @@\n   const sum = items.reduce((left, item) => left + item.price, 0);\n   if (!rate) return round(sum);\n```",
      "verified",
    ],
    [
      "a hunk at another line",
      "```diff\n--- a/src/cart.js\n+++ b/src/cart.js\n@@ -8,2 +8,2 @@\n   const sum = items.reduce((left, item) => left + item.price, 0);\n   if (!rate) return round(sum);\n```",
      "relocated",
    ],
  ])("%s", (_, report, verdict) => {
    expect(worst(report)).toBe(verdict);
  });
});

describe("what tools print", () => {
  test.each([
    [
      "rustc",
      "```\nerror[E0308]: mismatched types\n  --> src/cart.js:6:5\n```",
      "```\nerror[E0308]: mismatched types\n  --> src/cart.js:60:5\n```",
    ],
    [
      "a goroutine",
      "```\nmain.main()\n\tsrc/cart.js:6 +0x1d\n```",
      "```\nmain.main()\n\tsrc/cart.js:66 +0x1d\n```",
    ],
    [
      "eslint",
      "```\nsrc/cart.js\n  6:14  error  'x' is never used  no-unused-vars\n```",
      "```\nsrc/cart.js\n  66:14  error  'x' is never used  no-unused-vars\n```",
    ],
    [
      "go vet",
      "```\n# command-line-arguments\n./src/cart.js:6:2: undefined: foo\n```",
      "```\n./src/cart.js:66:2: undefined: foo\n```",
    ],
    [
      "gcc",
      "```\nIn file included from src/cart.js:6:\n```",
      "```\nIn file included from src/cart.js:66:\n```",
    ],
    [
      "an annotation",
      "```\n::error file=src/cart.js,line=6::Missing check\n```",
      "```\n::error file=src/cart.js,line=66::Missing check\n```",
    ],
    [
      "ruby",
      "```\n\tfrom bin/shop:2:in `run_all'\n```",
      "```\n\tfrom bin/shop:22:in `run_all'\n```",
    ],
    [
      "a panic",
      "```\nthread 'main' panicked at src/cart.js:6:5:\n```",
      "```\nthread 'main' panicked at src/cart.js:66:5:\n```",
    ],
    [
      ".NET",
      "```\n   at Cart.total(items) in src/cart.js:line 6\n```",
      "```\n   at Cart.total(items) in src/cart.js:line 66\n```",
    ],
    [
      "a frame without a name",
      "```\n    at src/cart.js:6:10\n```",
      "```\n    at src/cart.js:66:10\n```",
    ],
  ])("%s", (_, right, wrong) => {
    expect(verdicts(right)).toEqual(["exists_only"]);
    expect(verdicts(wrong)).toEqual(["out_of_range"]);
  });
});

describe("records", () => {
  test.each([
    [
      '```json\n{"file": "src/cart.js", "line": 6, "code": "if (!rate) return round(sum);"}\n```',
      "verified",
    ],
    [
      '```json\n{"file": "src/cart.js", "line": 7, "code": "if (!rate) return round(sum);"}\n```',
      "relocated",
    ],
    [
      '```json\n[{"line": 6, "path": "src/cart.js"}, {"line": 60, "path": "src/cart.js"}]\n```',
      "out_of_range",
    ],
    [
      '```json\n{"physicalLocation": {"artifactLocation": {"uri": "src/cart.js"}, "region": {"startLine": 60}}}\n```',
      "out_of_range",
    ],
    [
      '```json\n{"file": "src/cart.js", "issues": [{"line": 6, "symbol": "rate"}, {"line": 5, "symbol": "rate"}]}\n```',
      "wrong_symbol",
    ],
    ["```yaml\nfindings:\n  - file: src/cart.js\n    line: 4\n    symbol: total\n```", "verified"],
    [
      "```yaml\nfindings:\n  - file: src/cart.js\n    line: 5\n    symbol: total\n```",
      "wrong_symbol",
    ],
    ['<evidence path="src/cart.js" line="6">if (!rate) return round(sum);</evidence>', "verified"],
    ['<evidence path="src/cart.js" line="6">if (rate) return round(sum);</evidence>', "altered"],
    ["<ref><file>src/cart.js</file><line>5</line><symbol>total</symbol></ref>", "wrong_symbol"],
    // A quotation of a file that holds such keys is no record.
    ['`package.json:2`:\n```json\n  "name": "shop",\n  "main": "./src/cart.js",\n```', "verified"],
  ])("%s is %s", (report, verdict) => {
    expect(worst(report)).toBe(verdict);
  });
});

describe("lines apart from their file", () => {
  test.each([
    ["### src/cart.js\n\n- L4: `total` is defined here", "verified"],
    ["### src/cart.js\n\n- L5: `total` is defined here", "wrong_symbol"],
    ["- Core\n  - `src/cart.js`\n    - `total` (line 9)", "wrong_symbol"],
    ["**src/cart.js**\n- 4: `total`", "verified"],
    ["**src/cart.js**\n- 5: `total`", "wrong_symbol"],
    ["### `src/cart.js`\n\n| Line | Symbol |\n|---|---|\n| 5 | `total` |", "wrong_symbol"],
    ["In `src/cart.js`, `total` is on line 4.", "verified"],
    ["In `src/cart.js`, `total` is on line 6.", "wrong_symbol"],
    ["Line 4 (`src/cart.js`): `total`.", "verified"],
    ["Line 6 (`src/cart.js`): `total`.", "wrong_symbol"],
    [
      "| Where | What |\n|---|---|\n| `src/cart.js`<br>line 5 | `if (!rate) return round(sum);` |",
      "relocated",
    ],
    ["src/cart.js, line -4: `total`", "out_of_range"],
    ["- `bin/nowhere/shop`\n  - `run_all` (line 2)", "missing"],
  ])("%s is %s", (report, verdict) => {
    expect(worst(report)).toBe(verdict);
  });
});

describe("names and quotations in a sentence", () => {
  test.each([
    ["The method `add` of `Cart` lives at src/cart.js:14.", "verified"],
    ["The method `add` of `Cart` lives at src/cart.js:13.", "wrong_symbol"],
    [
      "| Location | Description |\n|---|---|\n| `src/cart.js:5` | defines `total` |",
      "wrong_symbol",
    ],
    ["The check is skipped [src/cart.js:66].", "out_of_range"],
    ["`(*Cart).add` at `src/cart.js:14`", "verified"],
    ["`total(...)` is at `src/cart.js:5`", "wrong_symbol"],
    ['src/cart.js:6 says "if (!rate) return round(sum);".', "verified"],
    ['src/cart.js:6 says "if (rate) return round(sum);".', "altered"],
    ["Line 2 of src/money.js reads \"import { round } from './money.js';\"", "relocated"],
    ["src/cart.js:13:Cart", "verified"],
    ["src/cart.js:14:Cart", "wrong_symbol"],
    ["`src/cart.js:7`: `return round(sum * (1 + rate), 2,`", "verified"],
    ["`src/cart.js:7`: `return round(sum * (1 - rate), 2,`", "altered"],
    ["`src/cart.js:5`: `…items.reduce((left, item) => left + item.pri…`", "verified"],
    ["`src/cart.js:5`: `…items.reduce((left, item) => right + item.pri…`", "altered"],
    ['`package.json:4`: `"files": ["src/cart.js"]`', "verified"],
    ['**package.json**, line 2: `"./src/cart.js",`', "relocated"],
    ["[cart.js](src/cart.js#L4) has `total`", "verified"],
    [
      "| Location | Name | Kind |\n|---|---|---|\n| src/cart.js#L5 | total | function |",
      "wrong_symbol",
    ],
    ["`totals` comes from `src/cart.js`.", "missing"],
  ])("%s is %s", (report, verdict) => {
    expect(worst(report)).toBe(verdict);
  });
});

describe("a name and its place in two items", () => {
  test.each([
    ["- `total`\n  - Location: `src/cart.js:4`", "verified"],
    ["- `total`\n  - Location: `src/cart.js:5`", "wrong_symbol"],
    ["1. **`total()`** — adds up\n   - File: src/cart.js\n   - Line: 5", "wrong_symbol"],
    ["#### `total`\n\nsrc/cart.js:5", "wrong_symbol"],
    ["- `if (!rate) return round(sum);`\n  - at src/cart.js:7", "relocated"],
    ["- src/cart.js:7\n  - `if (!rate) return round(sum);`", "relocated"],
    ["- src/cart.js:6\n  - `if (!rate) return round(sum);`", "verified"],
    ["- `total` is too long\n  - it calls src/money.js:1", "exists_only"],
    ["- Add `subtotal`\n  - src/cart.js:4", "exists_only"],
    ["The helper [`total`][impl] adds.\n\n[impl]: src/cart.js#L5", "wrong_symbol"],
    ["It ends with `return round(sum);`[^2].\n\n[^2]: src/cart.js, line 7", "relocated"],
    ["The entry is src/cart.js:1. Same file, line 5: `total`.", "wrong_symbol"],
    ["- See src/cart.js:1.\n- `total`: ibid., line 4", "verified"],
    ["- See src/cart.js:1.\n- `total`: ibid., line 5", "wrong_symbol"],
    ["**`src/cart.js`:**\n- `:5` `total`", "wrong_symbol"],
    ["`total` and `round` live at `src/cart.js:4` and `src/money.js:1` respectively.", "verified"],
    [
      "`total` and `round` live at `src/money.js:1` and `src/cart.js:4` respectively.",
      "wrong_symbol",
    ],
  ])("%s is %s", (report, verdict) => {
    expect(worst(report)).toBe(verdict);
  });
});

describe("names without backticks", () => {
  test.each([
    ["Cart.add (src/cart.js:14) appends.", "verified"],
    ["Cart.add (src/cart.js:13) appends.", "wrong_symbol"],
    ["Cart.append (src/cart.js:14) appends.", "missing"],
    ["The function subtotal() at src/cart.js:4 adds.", "missing"],
    ["The word subtotal at src/cart.js:4 is plain.", "exists_only"],
    ["`round` ([source](src/money.js#L1))", "verified"],
    ["`src/cart.js` has `total:4`", "verified"],
    ["`src/cart.js` has `total:5`", "wrong_symbol"],
    ["`conf/shop.yml` has `port:8080`", "verified"],
    ["`total` is in @../../src/cart.js:4", "outside_root"],
    ["`total` is in @src/cart.js:4", "verified"],
    ["`total` is in @src/cart.js:5", "wrong_symbol"],
    ["`src/cart.js:total:4`", "verified"],
    ["`src/cart.js:total:5`", "wrong_symbol"],
    ["`total`, see src/cart.js:5ff.", "wrong_symbol"],
    ["`total` in src/cart.js:4 to 60", "out_of_range"],
    ["src/cart.js:4 - 2 problems", "exists_only"],
    ["`total` is on line 1,024 of src/cart.js.", "out_of_range"],
    ["#### Race in `total`\n\n**Where:** src/cart.js:6", "exists_only"],
    ["#### Race in `total`\n\n**Where:** src/cart.js:15", "wrong_symbol"],
    ["#### src/cart.js:5\n\nThe function `total` starts here.", "wrong_symbol"],
    ["`src/cart.js`: `total` (5)", "exists_only"],
    ["`src/cart.js`, llinell 5: `total`", "exists_only"],
  ])("%s is %s", (report, verdict) => {
    expect(worst(report)).toBe(verdict);
  });
});

describe("cells", () => {
  test.each([
    [
      "| File | Start | End | Name |\n|---|---|---|---|\n| src/cart.js | 4 | 11 | `total` |",
      "verified",
    ],
    [
      "| File | Start | End | Name |\n|---|---|---|---|\n| src/cart.js | 5 | 11 | `total` |",
      "wrong_symbol",
    ],
    [
      '| File | Line | Name |\n|---|---|---|\n| src/cart.js | 13 | `Cart` |\n| " | 5 | `total` |',
      "wrong_symbol",
    ],
    [
      "| File | Line | Name |\n|---|---|---|\n| src/cart.js | 13 | `Cart` |\n|  | 4 | `total` |",
      "verified",
    ],
    [
      "| File | Start | End | Name |\n|---|---|---|---|\n| LICENSE | 1 | 3 | `total` |",
      "wrong_symbol",
    ],
    ["Run `conf/shop.yml::gift-card`.", "verified"],
    ["Run `conf/shop.yml::gift-cord`.", "missing"],
    ["| File | Function (Line) |\n|---|---|\n| src/cart.js | `total` (4) |", "verified"],
    ["| File | Function (Line) |\n|---|---|\n| src/cart.js | `total` (5) |", "wrong_symbol"],
    ["| Name | File (Line) |\n|---|---|\n| `total` | src/cart.js (4) |", "verified"],
    [
      "| Names | Places |\n|---|---|\n| `total`<br>`round` | src/cart.js:4<br>src/money.js:1 |",
      "verified",
    ],
    [
      "| Names | Places |\n|---|---|\n| `round`<br>`total` | src/cart.js:4<br>src/money.js:1 |",
      "wrong_symbol",
    ],
    [
      "| File | Line | Code |\n|---|---|---|\n| src/cart.js | 1 | import { round } from './money.js'; |",
      "verified",
    ],
    [
      "| File | Line | Code |\n|---|---|---|\n| src/cart.js | 2 | import { round } from './money.js'; |",
      "relocated",
    ],
    [
      "| File | Line | Code |\n|---|---|---|\n| src/cart.js | 2 | none of it is here |",
      "exists_only",
    ],
  ])("%s is %s", (report, verdict) => {
    expect(worst(report)).toBe(verdict);
  });
});

describe("what a terminal shows", () => {
  test.each([
    [
      "```console\n$ sed -n '6,7p' src/cart.js\n  if (!rate) return round(sum);\n  return round(\n```",
      "verified",
    ],
    [
      "```console\n$ sed -n '7,8p' src/cart.js\n  if (!rate) return round(sum);\n  return round(\n```",
      "relocated",
    ],
    [
      "```\n$ cat -n src/cart.js | sed -n '6p'\n     6\t  if (rate) return round(sum);\n```",
      "altered",
    ],
    ["```\n$ cat src/money.js\nexport function round(value, digits = 2) {\n```", "verified"],
    [
      "```\n$ git blame -L 6,6 src/cart.js\n0f3a9c1d (Jane Doe 2024-01-02 10:00:00 +0100 6)   if (!rate) return round(sum);\n```",
      "verified",
    ],
    [
      "src/cart.js\n```\n[5]   if (!rate) return round(sum);\n[6]   return round(\n```",
      "relocated",
    ],
    ["src/cart.js\n```\n6)   if (!rate) return round(sum);\n7)   return round(\n```", "verified"],
    ["```\nsrc/cart.js:5 | if (!rate) return round(sum);\n```", "relocated"],
    ["```js\n# --- src/cart.js:5 ---\n  if (!rate) return round(sum);\n```", "relocated"],
    ["```js\n// src/cart.js (5)\n  if (!rate) return round(sum);\n```", "relocated"],
    [
      "src/cart.js:6\n```diff\n-  if (!rate) return round(sum);\n+  if (rate === 0) return round(sum);\n   return round(\n```",
      "verified",
    ],
    [
      "src/cart.js:4\n```diff\n-  if (!rate) return round(sum);\n+  if (rate === 0) return round(sum);\n   return round(\n```",
      "relocated",
    ],
    ["```\n$ cat example.js\nconst x = require('shop');\n```", "unseen"],
    ["```\n$ cat src/cart.js | sort\nexport function nothing() {\n```", "unseen"],
    [
      "```\nsrc/cart.js:6\n  if (rate) return round(sum);\n      ^\n\nTypeError: boom\n```",
      "altered",
    ],
    [
      "src/cart.js:6\n\n```\n  5 |   const sum = items.reduce((left, item) => left + item.price, 0);\n> 6 |   if (!rate) return round(sum);\n    |       ^\n```",
      "verified",
    ],
    [
      "```\nsrc/cart.js-5-  const sum = items.reduce((left, item) => left + item.price, 0);\nsrc/cart.js:6:  warning = 'none';\n```",
      "missing",
    ],
    ["Open it with `vim +60 src/cart.js`.", "out_of_range"],
    ["Open it with `code -g src/cart.js:60`.", "out_of_range"],
    ["Run `cat src/none.js` first.", "unseen"],
    ["### Node.js\n\nIt runs there.", "unseen"],
    ["src/cart.js:7\n\n<pre><code>if (!rate) return round(sum);</code></pre>", "relocated"],
    ["src/cart.js:6\n\n>   if (!rate) return round(sum);\n>   return round(", "verified"],
    ["src/cart.js:5\n\n>   if (!rate) return round(sum);\n>   return round(", "relocated"],
    [
      "```yaml\n- file: src/cart.js\n  line: 7\n  code: |\n    if (!rate) return round(sum);\n```",
      "relocated",
    ],
    ['```js title="src/cart.js" startLine=7\n  if (!rate) return round(sum);\n```', "relocated"],
    ["src/cart.js:5\n\n```\nitems.reduce\n```", "verified"],
  ])("%s is %s", (report, verdict) => {
    expect(worst(report) ?? "unseen").toBe(verdict);
  });
});

describe("where it really stands", () => {
  test.each([
    ["`total` at src/cart.js:66", { path: "src/cart.js", line: 4 }],
    ["`total` at src/crat.js:4", { path: "src/cart.js", line: 4 }],
    [
      "src/cart.js:8\n\n```\n  7 |   if (!rate) return round(sum);\n  8 |   return round(\n```",
      { path: "src/cart.js", line: 7 },
    ],
  ])("%s", (report, place) => {
    expect(verifyReport(report, { reader: repo }).checks[0]?.suggestion).toEqual(place);
  });
});
