// Another reading of the same words saves a true reference from an accusation, and saves no wrong one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempProject, type TempProject } from "../testing/temp-project.ts";
import { Repository } from "./repository.ts";
import { treeReader } from "./tree-reader.ts";
import type { Verdict } from "./verdict.ts";
import { isFlagged } from "./verdict.ts";
import { verifyReport } from "./verify-report.ts";

const route = [
  "import { log } from './log.js';",
  "",
  "export function buildRoute(options) {",
  "  const prefix = options.prefix ?? '/';",
  "  log(prefix);",
  "  return prefix.length > 1 ? prefix : undefined;",
  "}",
  "",
  "export function closeRoute(route) {",
  "  return route.close(prefixOf(route));",
  "}",
];

let project: TempProject;
let reader: Repository;
beforeAll(() => {
  project = tempProject({
    "lib/route.js": `${route.join("\n")}\n`,
    "lib/log.js": "export const log = (text) => console.log(text);\n",
    "main.js": "import { buildRoute } from './lib/route.js';\nbuildRoute({});\n",
    "app/(shop)/page.js": "export const page = 1;\n",
  });
  reader = new Repository(treeReader(project.root));
});
afterAll(() => project.remove());

const verdicts = (report: string): Verdict[] =>
  verifyReport(report, { reader }).checks.map(({ verdict }) => verdict);
const fence = (...rows: string[]): string => `\`\`\`\n${rows.join("\n")}\n\`\`\``;

describe("marks that are glued to a path", () => {
  const glued = [
    (line: number) => `📍lib/route.js:${line} \`buildRoute\``,
    (line: number) => `- ⚠️lib/route.js:${line} \`buildRoute\` may throw`,
    (line: number) => `[HIGH]lib/route.js:${line} \`buildRoute\``,
    (line: number) => `loc:lib/route.js:${line} \`buildRoute\``,
    (line: number) => `\`buildRoute\` → b/lib/route.js:${line}`,
    (line: number) => `\`buildRoute\` at acme/x@0123abc:lib/route.js:${line}`,
    (line: number) => `\`buildRoute\` (lib/route.js,${line})`,
    (line: number) => `\`buildRoute\` at lib/route.js!${line}`,
    (line: number) => `- \`buildRoute\` [[file:lib/route.js::${line}]]`,
    (line: number) => `\`lib/route.js|${line}|buildRoute\``,
    (line: number) => `buildRoute()@lib/route.js:${line}`,
    (line: number) => `src=lib/route.js:${line} → \`buildRoute\``,
  ];
  test.each(glued.map((write) => [write(3), write(9)]))(
    "%s holds, and with another line it does not",
    (right, wrong) => {
      expect(verdicts(right)).toEqual(["verified"]);
      expect(verdicts(wrong).some(isFlagged)).toBe(true);
    },
  );

  test("a frame with its function before the path holds anywhere inside it", () => {
    expect(verdicts(fence("buildRoute@webpack:///./lib/route.js:5:9"))).toEqual(["exists_only"]);
    expect(verdicts(fence("buildRoute@webpack:///./lib/route.js:10:9"))).toEqual(["wrong_symbol"]);
  });

  test("a range behind an unknown dash keeps its end", () => {
    expect(verdicts("`buildRoute`: lib/route.js:3〜7")).toEqual(["verified"]);
    expect(verdicts("`buildRoute`: lib/route.js:3〜70")).toEqual(["out_of_range"]);
  });

  test("a name before the path that merely is a word accuses nobody", () => {
    expect(verdicts("The line log:lib/route.js:10 `closeRoute`").some(isFlagged)).toBe(true);
    expect(verdicts("The line main:lib/route.js:9 `closeRoute`")).toEqual(["verified"]);
  });

  test.each([
    "`lib/(old)/route.js:3` has `buildRoute`",
    "`src/lib/route.js:3` has `buildRoute`",
    "`../lib/route.js:3` has `buildRoute`",
    "`app/(other)/page.js:1`",
    "`core/main.js:1`",
    "`lib/rоute.js:3` has `buildRoute`",
  ])("a wrong folder or letter is no mark: %s", (report) => {
    expect(verdicts(report).some(isFlagged)).toBe(true);
  });
});

describe("gutters of any kind", () => {
  const gutters: [string, (code: string, line: number) => string][] = [
    ["#3  code", (code, line) => `#${line}  ${code}`],
    ["<3> code", (code, line) => `<${line}> ${code}`],
    ["/* 3 */ code", (code, line) => `/* ${line} */ ${code}`],
    ["3:: code", (code, line) => `${line}:: ${code}`],
    ["line 3: code", (code, line) => `line ${line}: ${code}`],
    ["jdoe 4711:3: code", (code, line) => `jdoe 4711:${line}: ${code}`],
    ["👉 3 code", (code, line) => `👉 ${line} ${code}`],
  ];
  test.each(gutters)("%s is read by its numbers", (_, write) => {
    const rows = (lines: string[], first: number): string =>
      `lib/route.js:${first}\n${fence(...lines.map((code, index) => write(code, first + index)))}`;
    expect(verdicts(rows(route.slice(2, 6), 3))).toEqual(["verified"]);
    expect(verdicts(rows(route.slice(2, 6), 4)).some(isFlagged)).toBe(true);
    for (const changed of [2, 3, 4, 5])
      expect(
        verdicts(
          rows(
            route
              .slice(2, 6)
              .map((code, index) =>
                index === changed - 2 ? code.replace(/prefix|options/, "suffix") : code,
              ),
            3,
          ),
        ).some(isFlagged),
      ).toBe(true);
  });

  test("bars alone are a gutter too, and a line that was left out shows", () => {
    const barred = (lines: string[]): string =>
      `lib/route.js:3\n${fence(...lines.map((code) => `│ ${code}`))}`;
    expect(verdicts(barred(route.slice(2, 7)))).toEqual(["verified"]);
    expect(verdicts(barred([route[2]!, ...route.slice(4, 7)])).some(isFlagged)).toBe(true);
  });

  test("a tool's message above the numbered code is no quotation", () => {
    const report = (code: string): string =>
      fence(
        "lib/route.js:6:5 - error TS2304: Cannot find name 'qqz'.",
        "",
        `6   ${code}`,
        "    ~~~",
      );
    expect(verdicts(report("return prefix.length > 1 ? prefix : undefined;"))).toEqual([
      "verified",
    ]);
    expect(verdicts(report("return prefix.length > 2 ? prefix : undefined;")).some(isFlagged)).toBe(
      true,
    );
  });
});

describe("what stands beside the place", () => {
  test("a frame's words name what holds the line", () => {
    expect(verdicts(fence("lib/route.js:5:in 'Object#buildRoute'"))).toEqual(["exists_only"]);
    expect(verdicts(fence("lib/route.js:10:in 'Object#buildRoute'")).some(isFlagged)).toBe(true);
  });

  test("another number of the line that fits makes the line unclear, and one that fits nothing does not", () => {
    expect(verdicts("`closeRoute` is at lib/route.js:4 / 9")).toEqual(["unverifiable"]);
    expect(verdicts("`closeRoute` is at lib/route.js:4 / 8").some(isFlagged)).toBe(true);
  });

  test("two names that changed places stay wrong", () => {
    expect(
      verdicts("`buildRoute` (lib/route.js:9), `closeRoute` (lib/route.js:3)").filter(isFlagged),
    ).toHaveLength(2);
  });

  test("an inverted range stays wrong, whichever of its ends fits", () => {
    expect(
      verdicts(
        "| File | Start | End | Name |\n|---|---|---|---|\n| lib/route.js | 7 | 3 | `buildRoute` |",
      ),
    ).toEqual(["out_of_range"]);
  });
});

test("a number inside the quoted code is no line that was meant: the wrong line is put right", () => {
  const other = tempProject({
    "retry.js":
      "export function delay(attempt) {\n  return Math.min(1000 * 2 ** attempt, 30_000);\n}\n",
  });
  const { checks } = verifyReport(
    "- The delay is decided in `retry.js:1`: `return Math.min(1000 * 2 ** attempt, 30_000);`",
    { reader: new Repository(treeReader(other.root)) },
  );
  expect(checks).toMatchObject([
    { verdict: "relocated", suggestion: { path: "retry.js", line: 2 } },
  ]);
  other.remove();
});
