import { describe, expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { verifyReport } from "../verify-report.ts";

const cart = [
  'import { loadPrices } from "./prices.ts";',
  "",
  "export function checkoutTotal(cart, context) {",
  "  // The latest prices of the database.",
  "  const priceList = loadPrices(context);",
  "  const sum = cart.items.length * priceList.base;",
  "  return sum + context.shipping;",
  "}",
  "",
  "export function applyDiscount(total) {",
  "  const rounded = Math.round(total);",
  "  return rounded;",
  "}",
  "",
].join("\n");

const repo = new Repository(
  memoryReader({
    "src/cart.ts": cart,
    "src/a/geo.ts": "import { GEO_RADIUS } from '../settings.ts';\nexport const first = 1;\n",
    "src/b/geo.ts": "export const second = 2;\n",
    "src/eta/progress_eta.ts": "export function etaOf(state) {\n  return state.left;\n}\n",
    "src/rules.go": [
      "package rules",
      ...Array.from({ length: 4 }, () => ""),
      "// Apply replaced legacyRule here.",
      "func Apply(rule domain.ProxyRule, gmp string) {",
      '  log.Print("the WebSocket is open")',
      "}",
      "",
    ].join("\n"),
    "src/fast_gmp.ts": "export function fast(a) {\n  return gmp.square(a);\n}\n",
    "src/agents.yaml": Array.from(
      { length: 12 },
      (_, index) => `agent${index}:\n  port: \${PORT_OFFSET}+${index}\n  required: true\n`,
    ).join(""),
    "src/long.ts": `first();\n${"step();\n".repeat(200)}lastStep();\n`,
    ".github/workflows/ci.yml": "jobs:\n  test:\n    runs-on: ubuntu-latest\n",
  }),
);

/** The verdict on the first place of a document, with its reason. */
function said(document: string): string {
  const [check] = verifyReport(document, { reader: repo, document: "REVIEW.md" }).checks;
  return `${check!.verdict}: ${check!.reason}`;
}

const row = (description: string, fix: string, place = "src/cart.ts:5-7"): string =>
  `| Place | Severity | Description | Recommendation |\n|---|---|---|---|\n| ${place} | low | ${description} | ${fix} |`;

describe("a place is verified by what is said of it", () => {
  test.each([
    ["a name of the description", row("`priceList` is read again for every cart.", "Keep it.")],
    [
      "the name of the function around it, right beside the place",
      "`checkoutTotal` (`src/cart.ts:5-7`) reads too much.",
    ],
    ["a name with the owner that stands there", "`domain.ProxyRule` (`src/rules.go:7`) is read."],
    ["an open range that the name is near", "`applyDiscount` (`src/cart.ts:8+`) rounds."],
    [
      "more names that stand there than names that do not",
      row("`priceList` and `loadPrices` have no `priceCache` between them.", "Keep it."),
    ],
  ])("%s", (_, document) => expect(said(document)).toMatch(/^verified/));
});

describe("what is said around a place leaves it open where it", () => {
  test.each([
    [
      "is the recommendation",
      row("The prices are read again for every cart.", "Give `priceList` to it."),
      /of a proposal/,
    ],
    [
      "stands behind the label of a fix",
      "**Prices are read twice** — `src/cart.ts:5-7`.\n*Problem:* each cart reads them again.\n*Fix:* keep the `priceList` of the first one.",
      /of a proposal/,
    ],
    [
      "is a part of another word",
      "The pipeline `ci.yml` runs one more job every single night that really installs the whole host program, in at least its `latest` and one stable version of `hostRange`.",
      /by chance/,
    ],
    [
      "is only the function around the lines",
      row("`checkoutTotal` prints `=== Cart Debug Info ===` for every cart.", "Drop it."),
      /nothing else of what is said/,
    ],
    [
      "is only the function around the lines, where a quotation beside it is not on them",
      "`checkoutTotal` (`src/cart.ts:5-7`) calls `context.reset({ keep: true })` first.",
      /nothing else of what is said/,
    ],
    [
      "is one of many names that do not stand there",
      row("`roundCents`, `applyDiscount` and `cartState` wait for `priceList`.", "Do."),
      /more of what is said/,
    ],
    ["is another owner's name", "`protocol.ProxyRule` (`src/rules.go:7`) is read.", /by chance/],
    [
      "is a word of a comment of the file",
      "`legacyRule` in `src/rules.go` decides what passes.",
      /by chance/,
    ],
    ["is a word of a message of the file", "`src/rules.go` opens the WebSocket.", /by chance/],
    ["is a word of the path", "The build tag `gmp` (`src/fast_gmp.ts:2`) is set.", /by chance/],
    [
      "stands in a file of a longer name",
      "`etaOf` of `eta.ts` counts what is left.",
      /eta\.ts may be another file/,
    ],
    [
      "stands on most lines of the file",
      "The third agent takes `PORT_OFFSET` (`src/agents.yaml:10-12`).",
      /by chance/,
    ],
    [
      "is quoted where the lines end in the middle of it",
      "`src/cart.ts:4-10` has `export function applyDiscount(total) {`.",
      /by chance/,
    ],
    [
      "stands far behind the first line of an open range",
      "`lastStep` (`src/long.ts:8+`) ends it.",
      /by chance/,
    ],
    [
      "is the function around lines that are shown and are not there",
      "Keep `priceList` as it is. `checkoutTotal` in `src/cart.ts` (lines 5-7) does:\n```ts\nconst list = context.prices();\nreturn list;\n```",
      /nothing else of what is said/,
    ],
    [
      "stands in one of two files of that name",
      "6. Fetch `geo.ts` in several tiles. A radius that is too large for one of them is split, which honors what the setting `GEO_RADIUS` asks for.",
      /which of 2 files/,
    ],
  ])("%s", (_, document, why) => {
    expect(said(document)).toMatch(/^exists_only/);
    expect(said(document)).toMatch(why);
  });
});
