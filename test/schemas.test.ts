import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { reportInputJsonSchema } from "../src/app/index.ts";
import { expectGenerated } from "./generated-doc.ts";

const shipped: Record<string, () => unknown> = {
  "report-input": reportInputJsonSchema,
};

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
