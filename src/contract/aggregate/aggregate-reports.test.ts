import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { caps, grades, type Grade } from "../grades.ts";
import { aggregateReports } from "./aggregate-reports.ts";
import { foldChecks, type CheckResult } from "./fold-checks.ts";
import { pooledConfidence } from "./pool-confidence.ts";
import { alike } from "./group-findings.ts";
import {
  categoryOf,
  type Member,
  type VerifiedFinding,
  type VerifiedReport,
} from "./verified-report.ts";

const finding = (over: Partial<VerifiedFinding> = {}): VerifiedFinding => ({
  id: "SEC-001",
  title: "Hardcoded secret",
  category: "sec",
  severity: "critical",
  confidence: 95,
  grade: "E4",
  path: "src/jwt.ts",
  lines: [8, 8],
  line_text: "const JWT_SECRET = 'abc';",
  symbol: null,
  ...over,
});
const report = (
  agent: string,
  findings: VerifiedFinding[],
  over: Partial<VerifiedReport> = {},
): VerifiedReport => ({
  task_id: `t-${agent}`,
  agent_id: agent,
  agent_type: agent,
  model: null,
  required: true,
  outcome: "SUCCESS",
  decision: "PROCEED",
  trust: "VERIFIED",
  findings,
  assertions: [],
  tests: null,
  issues: [],
  ...over,
});
const member = (
  agent: string,
  over: Partial<VerifiedFinding> = {},
  model: string | null = null,
): Member => ({ ...finding(over), agent_id: agent, agent_type: agent, task_id: agent, model });

describe("confidence", () => {
  const two = [member("a", { confidence: 95 }), member("b", { confidence: 78, grade: "E3" })];

  test("95 and 78 give 96.5 under pool and under seed-mean", () => {
    expect(pooledConfidence([two[0]!, { ...two[1]!, grade: "E3" }], "pool")).toBe(96.5);
    expect(pooledConfidence(two, "seed-mean")).toBe(96.5);
  });

  test("seed-max adds ten once, at most 100", () => {
    expect(
      pooledConfidence(
        [member("a", { confidence: 80 }), member("b", { confidence: 60 })],
        "seed-max",
      ),
    ).toBe(90);
    expect(pooledConfidence(two, "seed-max")).toBe(100);
  });

  test("95 and 78 with E3 evidence stay at the cap of 94", () => {
    expect(
      pooledConfidence(
        [member("a", { grade: "E3" }), member("b", { confidence: 78, grade: "E3" })],
        "pool",
      ),
    ).toBe(94);
  });

  test("agreement never lowers a number, as the mean does for 95 and 70", () => {
    expect(
      pooledConfidence([member("a", { confidence: 95 }), member("b", { confidence: 40 })], "pool"),
    ).toBe(95);
  });

  test("the same model on the same lines counts little, other families on other lines more", () => {
    const same = pooledConfidence(
      [
        member("a", { confidence: 80 }, "anthropic:claude-x"),
        member("b", { confidence: 80, grade: "E2" }, "anthropic:claude-x"),
      ],
      "pool",
    )!;
    const other = pooledConfidence(
      [
        member("a", { confidence: 80 }, "anthropic:claude-x"),
        member("b", { confidence: 80, grade: "E2", lines: [9, 9] }, "openai:gpt-x"),
      ],
      "pool",
    )!;
    expect(same).toBeLessThan(other);
  });

  test("one agent's two findings are one voice", () => {
    expect(
      pooledConfidence([member("a", { confidence: 80 }), member("a", { confidence: 80 })], "pool"),
    ).toBe(80);
  });

  test("expertise weighs an agent", () => {
    const mean = pooledConfidence(
      [member("a", { confidence: 90 }), member("b", { confidence: 50 })],
      "seed-mean",
      { a: { sec: 3 } },
    );
    expect(mean).toBe(90);
  });
});

describe("which findings are one", () => {
  const merged = (...findings: Partial<VerifiedFinding>[]): number =>
    aggregateReports(findings.map((over, index) => report(`agent-${index}`, [finding(over)])))
      .findings.length;
  test.each<[string, Partial<VerifiedFinding>, Partial<VerifiedFinding>, number]>([
    ["same category, path and line text at other numbers", {}, { lines: [80, 80] }, 1],
    [
      "overlapping ranges",
      { lines: [5, 10], line_text: "a" },
      { lines: [9, 12], line_text: "b" },
      1,
    ],
    [
      "the same symbol within three lines",
      { line_text: "a", symbol: "f" },
      { lines: [11, 11], line_text: "b", symbol: "f" },
      1,
    ],
    ["a telling line in a file that moved", {}, { path: "lib/jwt.ts", lines: [90, 90] }, 1],
    ["other categories", {}, { category: "perf" }, 2],
    [
      "near lines without a common symbol",
      { line_text: "a" },
      { lines: [10, 10], line_text: "b" },
      2,
    ],
    [
      "a brace in two files",
      { line_text: "}" },
      { path: "lib/jwt.ts", line_text: "}", lines: [90, 90] },
      2,
    ],
  ])("%s", (_name, a, b, count) => {
    expect(merged(a, b)).toBe(count);
  });

  test("titles alike on one path are a suspicion, never a merge", () => {
    const result = aggregateReports([
      report("a", [finding({ category: "x" })]),
      report("b", [finding({ category: "y", title: "Hardcoded secrets" })]),
    ]);
    expect(result.findings).toHaveLength(2);
    expect(result.possible_duplicates).toHaveLength(1);
    expect(alike("Hardcoded secret", "Slow query")).toBeLessThan(0.3);
  });

  test.each([
    [{ id: "SEC-001", category: null }, "sec"],
    [{ id: "SEC-001", category: "Crypto" }, "crypto"],
    [{ id: "F3", category: null }, "qa-engineer"],
  ])("%j has the category %s", (given, expected) => {
    expect(categoryOf(given, "qa-engineer")).toBe(expected);
  });
});

describe("outcome, decision, conflicts, triggers", () => {
  test("no reports at all is STOP", () => {
    expect(aggregateReports([])).toMatchObject({ decision: "STOP", outcome: "INVALID" });
  });

  test("the worst required agent gives the outcome; an optional one that failed is named", () => {
    const result = aggregateReports([
      report("a", []),
      report("b", [], { outcome: "FAILED", decision: "STOP", required: false }),
    ]);
    expect(result).toMatchObject({
      outcome: "SUCCESS",
      decision: "PROCEED",
      issues: ["Agent b failed, results may be incomplete"],
    });
    expect(
      aggregateReports([report("a", []), report("b", [], { outcome: "FAILED", decision: "STOP" })]),
    ).toMatchObject({ outcome: "FAILED", decision: "STOP" });
  });

  test("severities two steps apart need a person and hold everything up", () => {
    const result = aggregateReports([
      report("a", [finding()]),
      report("b", [finding({ severity: "minor" })]),
    ]);
    expect(result.conflicts).toMatchObject([
      { kind: "severity", human_review: true, blocks: true },
    ]);
    expect(result.decision).toBe("CLARIFY");
  });

  test("there and not there: the side with matched evidence decides", () => {
    const result = aggregateReports([
      report("a", [finding({ grade: "E3" })]),
      report("b", [finding({ title: "No hardcoded secret", grade: "X" })]),
    ]);
    expect(result.conflicts).toMatchObject([
      { kind: "presence", decided: "present", human_review: false, blocks: false },
    ]);
  });

  test("PASS against FAIL and differing test numbers are conflicts", () => {
    const assertion = (verdict: "PASS" | "FAIL") => [
      { subject: "OWASP A07", verdict, grade: "E1" as Grade },
    ];
    const result = aggregateReports([
      report("a", [], { assertions: assertion("PASS"), tests: { passed: 5, failed: 0 } }),
      report("b", [], { assertions: assertion("FAIL"), tests: { passed: 4, failed: 1 } }),
    ]);
    expect(result.conflicts.map(({ kind, human_review }) => [kind, human_review])).toEqual([
      ["tests", true],
      ["verdict", true],
    ]);
  });

  test("a single source, an unverified security claim and low confidence are triggers", () => {
    const { triggers } = aggregateReports([
      report("a", [finding({ grade: "E1", confidence: 60 })]),
    ]);
    expect(triggers.map(({ kind }) => kind)).toEqual([
      "needs corroboration",
      "unverified security claim",
      "second agent",
    ]);
  });
});

describe("folding checks", () => {
  const check = (task_id: string, decision: CheckResult["decision"]): CheckResult => ({
    task_id,
    phase: "validate",
    decision,
    findings: { task: task_id },
    issues: decision === "STOP" ? [`${task_id} failed`] : [],
  });
  test.each([
    ["all_must_pass", ["PROCEED", "PROCEED"], "PROCEED"],
    ["all_must_pass", ["PROCEED", "STOP"], "STOP"],
    ["all_must_pass", ["PROCEED", "CLARIFY"], "CLARIFY"],
    ["all_must_pass", ["CLARIFY", "STOP"], "STOP"],
    ["any_pass", ["PROCEED", "STOP"], "PROCEED"],
    ["majority_pass", ["PROCEED", "STOP"], "STOP"],
    ["majority_pass", ["PROCEED", "PROCEED", "STOP"], "PROCEED"],
    ["all_must_pass", [], "STOP"],
  ] as const)("%s of %j is %s", (rule, list, expected) => {
    expect(
      foldChecks(
        list.map((decision, index) => check(`t${index}`, decision)),
        rule,
      ).decision,
    ).toBe(expected);
  });

  test("keeps every result under its task id, with the phase inside", () => {
    expect(foldChecks([check("types", "PROCEED"), check("tests", "STOP")])).toMatchObject({
      checks: { types: { phase: "validate" }, tests: { decision: "STOP" } },
      issues: ["tests failed"],
    });
  });
});

const findingOf = fc.record({
  id: fc.constantFrom("SEC-1", "QA-2", "F1"),
  title: fc.constantFrom("Hardcoded secret", "No secret", "Slow loop", "Slow loops"),
  category: fc.constantFrom("sec", "perf"),
  severity: fc.constantFrom("critical", "important", "minor", null),
  confidence: fc.option(fc.integer({ min: 0, max: 100 })),
  grade: fc.constantFrom(...grades),
  path: fc.constantFrom("a.ts", "b/a.ts", null),
  lines: fc.option(
    fc
      .tuple(fc.nat(20), fc.nat(5))
      .map(([from, length]): [number, number] => [from + 1, from + 1 + length]),
  ),
  line_text: fc.constantFrom("", "}", "const secret = 'a long text';"),
  symbol: fc.constantFrom("f", null),
}) as fc.Arbitrary<VerifiedFinding>;
const reportOf = fc
  .tuple(fc.constantFrom("a", "b", "c", "d"), fc.array(findingOf, { maxLength: 5 }), fc.boolean())
  .map(([agent, findings, required]) => report(agent, findings, { required }));
const reportsOf = fc.array(reportOf, { maxLength: 5 });

describe("for any reports, aggregation", () => {
  test("does not depend on their order", () => {
    fc.assert(
      fc.property(
        reportsOf.chain((list) =>
          fc.tuple(
            fc.constant(list),
            fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
          ),
        ),
        ([list, shuffled]) => {
          expect(aggregateReports(shuffled)).toEqual(aggregateReports(list));
        },
      ),
    );
  });

  test("is idempotent when a report is given twice", () => {
    fc.assert(
      fc.property(reportsOf, (list) => {
        expect(aggregateReports([...list, ...list])).toEqual(aggregateReports(list));
      }),
    );
  });

  test("loses no finding", () => {
    fc.assert(
      fc.property(reportsOf, (list) => {
        const distinct = new Map(list.map((one) => [JSON.stringify(one), one]));
        const given = [...distinct.values()].reduce((sum, one) => sum + one.findings.length, 0);
        expect(
          aggregateReports(list).findings.reduce((sum, merged) => sum + merged.members.length, 0),
        ).toBe(given);
      }),
    );
  });

  test("never lowers a confidence by a further voice, and never passes the cap", () => {
    const voice = fc
      .tuple(
        fc.constantFrom("a", "b", "c", "d", "e"),
        fc.integer({ min: 0, max: 100 }),
        fc.constantFrom(...grades),
        fc.constantFrom("anthropic:claude-1", "openai:gpt-1", null),
        fc.constantFrom<[number, number]>([1, 1], [2, 2]),
      )
      .map(([agent, confidence, grade, model, lines]) =>
        member(agent, { confidence, grade, lines }, model),
      );
    fc.assert(
      fc.property(
        fc.uniqueArray(voice, { minLength: 1, maxLength: 5, selector: ({ agent_id }) => agent_id }),
        voice,
        (voices, last) => {
          const more = { ...last, agent_id: "z" };
          const before = pooledConfidence(voices, "pool")!;
          const after = pooledConfidence([...voices, more], "pool")!;
          const best = [...voices, more]
            .map((one) => caps[one.grade])
            .reduce((a, b) => Math.max(a, b));
          expect(after).toBeGreaterThanOrEqual(before);
          expect(after).toBeLessThanOrEqual(best);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
