import fc from "fast-check";
import { expect, test } from "vitest";
import { aggregateReports } from "../contract/aggregate/aggregate-reports.ts";
import { foldChecks } from "../contract/aggregate/fold-checks.ts";
import { foldDecisions, readDecision, readOutcome } from "../contract/axes.ts";
import { checkResponse } from "../contract/handoff/check-response.ts";
import { branch } from "./branch.ts";
import type { Delivery, FlowPorts, Phase } from "./flow.ts";
import { parallel } from "./parallel.ts";
import { sequence } from "./sequence.ts";

const words = [
  "PROCEED",
  " proceed ",
  "Proceed",
  "STOP",
  "CLARIFY",
  "STOP: 3 type errors",
  "HALT",
  "DO NOT PROCEED",
  "PROCEED after the fix",
  "proceed?",
  "complete",
  "not complete",
  "partial",
  "blocked",
  "failed",
  "ok",
  "",
];
const json: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 });
/** Nothing, a word of or near the contract's, or any JSON value. */
const word = fc.oneof(
  { weight: 3, arbitrary: fc.constant<unknown>(undefined) },
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...words) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...words).map((one) => [one]) },
  { weight: 2, arbitrary: json },
);
const passed = fc.constantFrom<unknown>(true, true, false, "false", "true", 0, 1, null, undefined);
const check = fc.oneof(
  fc.record({ passed, skipped: fc.constantFrom<unknown>(undefined, true, false, "yes") }),
  passed,
  json,
);
const checks = fc.oneof(
  { weight: 2, arbitrary: fc.constant<unknown>(undefined) },
  { weight: 4, arbitrary: fc.dictionary(fc.constantFrom("types", "tests", "lint"), check) },
  { weight: 1, arbitrary: fc.array(check) },
  { weight: 1, arbitrary: json },
);
const findings = fc.oneof(
  fc.record({ checks, complexity: fc.constantFrom<unknown>("simple", "complex", 3) }),
  fc.record({ validation: fc.record({ checks }) }),
  json,
  fc.constant(undefined),
);
const response = fc.record({ decision: word, status: word, checks, findings });
type Given = typeof response extends fc.Arbitrary<infer T> ? T : never;

/** The word PROCEED alone; or none at all, and a status that stands for it. */
const saysProceed = ({ decision, status }: Given): boolean =>
  decision === undefined
    ? typeof status === "string" && ["SUCCESS", "PARTIAL"].includes(readOutcome(status) ?? "")
    : typeof decision === "string" && decision.trim().toUpperCase() === "PROCEED";

/** `passed: false` in any `checks` of the value. */
function hasFailedCheck(value: unknown, inChecks = false): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (inChecks && !Array.isArray(value) && "passed" in value && value.passed === false) return true;
  return Object.entries(value).some(([key, item]) =>
    hasFailedCheck(item, inChecks || key === "checks"),
  );
}

const phase = (name: string): Phase => ({
  name,
  agent: name,
  instructions: "do it",
  expected_output: "structured_findings",
  required: true,
});

function portsFor(given: Given, bad: string): FlowPorts {
  let ids = 0;
  return {
    newTaskId: (name) => `${name}-${++ids}`,
    record: () => undefined,
    delegate: async (agent, request): Promise<Delivery> => {
      const good = { decision: "PROCEED", status: "complete", findings: {} };
      return {
        task_id: request.task_id,
        agent,
        run_ids: [],
        state: "completed",
        outcome: "SUCCESS",
        partial: "",
        trust: "VERIFIED",
        verification: null,
        response: {
          context_summary: "done",
          issues: [],
          ...(agent === bad ? given : good),
        } as unknown as Delivery["response"],
      };
    },
  };
}

const task = { feature: "login" };
const report = {
  task_id: "t",
  agent_id: "a",
  agent_type: "x",
  model: null,
  required: true,
  outcome: "SUCCESS" as const,
  trust: "VERIFIED" as const,
  findings: [],
  assertions: [],
  tests: null,
  issues: [],
};

test("no response, however malformed, ends in PROCEED without a readable PROCEED or with a failed check", async () => {
  let proceeded = 0;
  await fc.assert(
    fc.asyncProperty(response, async (given) => {
      const plan = { task, ports: portsFor(given, "b") };
      const phases = [phase("a"), phase("b")];
      const read = checkResponse(
        { context_summary: "done", ...given },
        { task_id: "t", phase: "b", tokens_used: 0 },
      );
      const results = [
        (await sequence({ ...plan, phases })).decision,
        (await parallel({ ...plan, phases })).decision,
        (
          await branch({
            task,
            ports: portsFor(given, "a"),
            analyzer: phase("a"),
            paths: { simple: [phase("c")], complex: [phase("c")] },
          })
        ).decision,
        read.ok ? read.response.decision : "STOP",
        foldChecks([
          {
            task_id: "t",
            phase: "b",
            issues: [],
            decision: given.decision as "PROCEED",
            findings: (given.checks === undefined
              ? given.findings
              : { checks: given.checks, inner: given.findings }) as Record<string, unknown>,
          },
        ]).decision,
        foldDecisions(["PROCEED", given.decision as "PROCEED"]),
        aggregateReports([{ ...report, decision: given.decision as "PROCEED" }]).decision,
      ];
      const mayProceed = saysProceed(given) && !hasFailedCheck(given);
      // The last two know nothing of checks.
      const wordOnly = readDecision(given.decision) === "PROCEED";
      for (const [index, decision] of results.entries())
        if (decision === "PROCEED") {
          proceeded += 1;
          expect(index >= 5 ? wordOnly : mayProceed, `${index} ${JSON.stringify(given)}`).toBe(
            true,
          );
        }
    }),
    { numRuns: 10_000 },
  );
  expect(proceeded, "the honest ones go on").toBeGreaterThan(1_000);
}, 120_000);
