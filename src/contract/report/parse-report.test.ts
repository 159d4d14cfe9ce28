import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePlacedReport, parseReport } from "./parse-report.ts";
import { renderReport } from "./render-report.ts";
import { cpuMs } from "../../testing/cpu-ms.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../test/data/reports/${name}.md`, import.meta.url), "utf8");

describe("the contract's own examples", () => {
  test("exploration", () => {
    const report = parseReport(fixture("explorer"));
    expect(report).toMatchObject({
      agent: "Code Explorer",
      outcome: "SUCCESS",
      confidence: { score: 92, justification: "Clear patterns, all paths traced to completion" },
    });
    expect(report.findings.map(({ title, location }) => [title, location])).toEqual([
      ["POST /auth/login", "`src/api/auth.ts:45`"],
      ["POST /auth/refresh", "`src/api/auth.ts:89`"],
      [
        "Request → `src/api/auth.ts:45` (loginHandler)",
        "Request → `src/api/auth.ts:45` (loginHandler)",
      ],
      ["Validation → `src/validators/auth.ts:23` (validateLogin)", expect.anything()],
      ["Service → `src/services/auth.ts:67` (authenticate)", expect.anything()],
      ["Repository → `src/repositories/user.ts:34` (findByEmail)", expect.anything()],
      ["Evidence: `src/services/auth.ts:8`, `src/repositories/user.ts:5`", expect.anything()],
    ]);
    expect(report.key_references).toHaveLength(3);
    expect(report.next_steps).toHaveLength(2);
  });

  test("design: the implementation map becomes file claims", () => {
    const report = parseReport(fixture("architect"));
    expect(report.file_claims).toEqual([
      { path: "src/services/oauth.ts", action: "create", purpose: "Create", is_done: false },
      { path: "src/config/oauth.ts", action: "create", purpose: "Create", is_done: false },
      {
        path: "src/services/auth.ts",
        action: "modify",
        purpose: "Modify (add OAuth methods)",
        is_done: false,
      },
      {
        path: "src/routes/auth.ts",
        action: "modify",
        purpose: "Modify (add OAuth routes)",
        is_done: false,
      },
    ]);
  });

  test("review: issues with severity, confidence and the code quoted for them", () => {
    const report = parseReport(fixture("auditor"));
    expect(report.outcome).toBe("PARTIAL");
    expect(report.findings.slice(0, 3)).toMatchObject([
      {
        id: "SEC-001",
        title: "Hardcoded JWT secret",
        severity: "critical",
        severity_word: "Critical",
        confidence: 98,
        quotes: [expect.stringContaining("hardcoded-secret-key-123")],
      },
      {
        id: "SEC-002",
        severity: "critical",
        confidence: 95,
        quotes: [expect.stringContaining("router.post")],
      },
      {
        id: "SEC-003",
        severity: "important",
        confidence: 85,
        quotes: [expect.stringContaining("throw new Error")],
      },
    ]);
    expect(report.severity_summary).toEqual({ critical: 2, important: 1, minor: 0 });
  });

  test("implementation: created and modified files", () => {
    const report = parseReport(fixture("backend"));
    expect(report.file_claims.map(({ path, action }) => `${action} ${path}`)).toEqual([
      "create src/services/user.ts",
      "create src/repositories/user.ts",
      "create tests/services/user.test.ts",
      "modify src/routes/index.ts",
      "modify src/services/index.ts",
    ]);
  });

  test("the error form: both spellings of blockers", () => {
    const report = parseReport(fixture("error"));
    expect(report.outcome).toBe("FAILED");
    expect(report.sections.map(({ heading }) => heading)).toContain("Root Cause Analysis");
    expect(parseReport("### Blockers\n- no access | Resolution: a key\n").blockers).toEqual([
      { description: "no access", resolution: "a key" },
    ]);
    expect(parseReport("### Blockers\n- no access\n  Resolution: a key\n").blockers).toEqual([
      { description: "no access", resolution: "a key" },
    ]);
  });
});

describe("tolerance", () => {
  const base =
    "## Explore Result\n\n### Status\nSUCCESS\n\n### Summary\nFound it.\n\n### Confidence\n80 - seen\n";
  test.each<[string, string]>([
    ["an outer fence", `\`\`\`markdown\n${base}\`\`\`\n`],
    ["CRLF", base.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\ufeff${base}`],
    ["heading levels", base.replaceAll("###", "#####")],
    [
      "heading case",
      base.replaceAll("### Status", "### STATUS").replaceAll("### Summary", "### summary:"),
    ],
    ["status on one line", base.replace("### Status\nSUCCESS", "**Status**: success")],
    [
      "bold lines as headings",
      base.replace("### Status", "**Status**").replace("### Summary", "**Summary:**"),
    ],
    ["numbered headings", base.replace("### Status", "### 1. Status")],
    ["prose before it", `Here is my report.\n\n${base}`],
    [
      "a fence that was never closed",
      base.replace("### Confidence", "```ts\ncode\n\n### Confidence"),
    ],
  ])("reads through %s", (_name, text) => {
    expect(parseReport(text)).toMatchObject({ outcome: "SUCCESS", confidence: { score: 80 } });
    expect(parseReport(text).summary).toMatch(/^Found it\./);
  });

  test.each([
    ["92", 92],
    ["92%", 92],
    ["0.92", 92],
    ["92/100", 92],
    ["9/10", 90],
    ["**Score**: 92 - sure", 92],
    ["High", null],
    ["101", null],
  ])("reads the confidence %s as %s", (text, score) => {
    expect(parseReport(`### Confidence\n${text}\n`).confidence.score).toBe(score);
  });

  test("keeps words where there is no number", () => {
    expect(parseReport("### Confidence\nHigh\n").confidence).toMatchObject({
      score: null,
      words: "high",
    });
  });

  test("reads the breakdown in any spelling", () => {
    const text =
      "### Confidence\n80\n- verified_confidence: 90 (read it)\n- **Inferred confidence**: 70\n- combined_confidence: 80\n";
    expect(parseReport(text).confidence).toMatchObject({
      score: 80,
      verified: 90,
      inferred: 70,
      combined: 80,
    });
  });

  test.each([
    ["blocker", "critical"],
    ["P0", "critical"],
    ["High", "important"],
    ["medium", "important"],
    ["🔴 Critical", "critical"],
    ["nit", "minor"],
    ["P3", "minor"],
    ["purple", null],
  ])("maps the severity %s to %s and keeps the word", (word, severity) => {
    const { findings } = parseReport(
      `### Findings\n| Issue | File | Severity |\n|---|---|---|\n| x | \`a.ts:1\` | ${word} |\n`,
    );
    expect(findings).toMatchObject([{ severity, severity_word: word }]);
  });

  test("tables with missing cells, reordered columns and pipes in code", () => {
    const { findings } = parseReport(
      "### Findings\n| Severity | File:Line | Issue | ID |\n|---|---|---|---|\n| Critical | `a.ts:1` | uses `a | b` |\n| minor |\n",
    );
    expect(findings).toMatchObject([
      { id: "F1", title: "uses `a | b`", location: "`a.ts:1`", severity: "critical" },
      { id: "F2", severity: "minor" },
    ]);
  });

  test("issues as a table and as bullets", () => {
    expect(
      parseReport("### Issues (if any)\n- Slow start: takes long | Severity: important\n").issues,
    ).toEqual([
      {
        title: "Slow start",
        description: "takes long",
        severity: "important",
        severity_word: "important",
      },
    ]);
    expect(
      parseReport("### Issues\n| Issue | Severity |\n|---|---|\n| Slow start | low |\n").issues,
    ).toMatchObject([{ title: "Slow start", severity: "minor" }]);
  });

  test("a status that still offers every choice claims none", () => {
    expect(parseReport("### Status\n[SUCCESS | PARTIAL | FAILED]\n").outcome).toBeNull();
  });

  test("findings know their place in the original text", () => {
    const text = `\ufeff\r\n${base.replaceAll("\n", "\r\n")}\r\n### Findings\r\n- a bug in \`a.ts:3\`\r\n`;
    const [placed] = parsePlacedReport(text).findings;
    expect(text.slice(...placed!.span)).toBe("- a bug in `a.ts:3`");
  });
});

const words = fc.constantFrom(
  "## X Result",
  "### Status",
  "SUCCESS",
  "### Findings",
  "#### Sub",
  "##### Deep",
  "###### Deeper",
  "# Top",
  "| a | b |",
  "|---|---|",
  "| `x|y` | 2 |",
  "```ts",
  "```",
  "~~~~",
  "- item `a.ts:1`",
  "  more",
  "1. one",
  "**Summary**: hi",
  "**Bold** text",
  "",
  "   ",
  "### Confidence",
  "0.9",
  "- [x] done",
  "### Verification Completed",
  "\\|",
  "|",
  "Severity: high",
  "### Issues",
  "<b>",
  "\t",
  "\u000b",
  "### Blockers",
  "Resolution: x",
);
const reports = fc
  .array(fc.oneof(words, fc.string(), fc.string({ unit: "binary" })), { maxLength: 40 })
  .map((lines) => lines.join("\n"));

test("parsing what was rendered gives the same report", () => {
  fc.assert(
    fc.property(reports, (text) => {
      const report = parseReport(text);
      expect(parseReport(renderReport(report))).toEqual(report);
    }),
    { numRuns: 2_000, examples: [["!\n\u000b\n\u000b\n\u0000"]] },
  );
});

test.each([
  ["list items", "", "- a bug in `a.ts:3`\n"],
  ["rows", "| Issue | File |\n|---|---|\n", "| x | `a.ts:3` |\n"],
])("more %s than a call can have arguments are findings like others", (_name, head, one) => {
  expect(parseReport(`### Findings\n${head}${one.repeat(150_000)}`).findings).toHaveLength(150_000);
});

test("code with more fences in it than a call can have arguments is rendered", () => {
  const report = parseReport(`### Findings\n\`\`\`\`\`ts\n${"```\n".repeat(150_000)}\`\`\`\`\`\n`);
  expect(parseReport(renderReport(report))).toEqual(report);
});

test("any bytes give a report, in linear time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => void parseReport(text)),
    { numRuns: 500 },
  );
  for (const unit of [
    "#",
    "`",
    "|",
    "- ",
    "\n",
    "```\n",
    "| a |\n|---|\n",
    "**",
    "a|`b\n",
    "### Status\n",
    "[x] ",
    "  - a\n",
  ]) {
    const time = (megabytes: number): number => {
      const text = unit.repeat((megabytes * 1024 * 1024) / unit.length);
      return cpuMs(() => void parseReport(text), 1);
    };
    // Twice the text, up to 1 MB. Collecting garbage falls into one measure or another, so the best of some tries counts.
    let [half, whole] = [time(0.5), time(1)];
    for (let tries = 1; tries < 6 && whole / Math.max(10, half) > 2.5; tries++)
      [half, whole] = [Math.min(half, time(0.5)), Math.min(whole, time(1))];
    expect(whole / Math.max(10, half), JSON.stringify(unit)).toBeLessThanOrEqual(2.5);
  }
}, 120_000);
