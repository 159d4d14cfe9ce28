import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { handoffJsonSchemas, parseReport, reportInputJsonSchema } from "../src/app/index.ts";
import { reportJsonSchema } from "../src/contract/report/report-schema.ts";
import { expectGenerated } from "./generated-doc.ts";

const shipped: Record<string, () => unknown> = {
  "report-input": reportInputJsonSchema,
  report: reportJsonSchema,
  "handoff-request": () => handoffJsonSchemas()["handoff-request"],
  "handoff-response": () => handoffJsonSchemas()["handoff-response"],
};
const validator = (name: string): ReturnType<Ajv2020["compile"]> =>
  new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync(`schemas/${name}.json`, "utf8")) as object,
  );

test.each(Object.keys(shipped))("schemas/%s.json is what the package checks by", (name) => {
  expectGenerated(`schemas/${name}.json`, `${JSON.stringify(shipped[name]!(), null, 2)}\n`);
});

test("a validator of others takes the shipped schema", () => {
  const schema = JSON.parse(readFileSync("schemas/report-input.json", "utf8")) as object;
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const report = {
    status: "SUCCESS",
    summary: "Done.",
    findings: [
      { title: "A", kind: "present", statement: "B", path: "a.ts", quote: "const a = 1;" },
    ],
    confidence: { verified: 80, inferred: 70, justification: "Read it" },
  };
  expect(validate(report)).toBe(true);
  expect(validate({ ...report, status: "FINE" })).toBe(false);
});

test.each(["explorer", "architect", "auditor", "backend"])(
  "the shipped schema of a report takes the contract's own example %s, as it is parsed",
  (name) => {
    const validate = validator("report");
    const report = parseReport(readFileSync(`test/data/reports/${name}.md`, "utf8"));
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...report, outcome: "FINE" })).toBe(false);
  },
);

test("the shipped schemas of handoffs take the contract's shapes", () => {
  const [request, response] = [validator("handoff-request"), validator("handoff-response")];
  expect(
    request({ task_id: "1", phase: "research", context: { feature: "x" }, instructions: "y" }),
  ).toBe(true);
  expect(request({ task_id: "1", phase: "research" })).toBe(false);
  const answer = {
    task_id: "1",
    phase: "research",
    status: "blocked",
    decision: "STOP",
    reason: "no key",
    findings: {},
    context_summary: "x",
    tokens_used: 1,
    issues: [],
    blockers: [{ description: "no key", resolution: "a key" }],
    error: { type: "Auth", message: "401", occurredAt: "step 1", recoverable: false },
  };
  expect(response(answer), JSON.stringify(response.errors)).toBe(true);
  expect(response({ ...answer, decision: "HALT" })).toBe(false);
});
