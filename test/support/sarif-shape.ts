// SARIF 2.1.0: the public schema first, then what it does not say of the parts that are written here: no unknown properties, indexes that fit, references that resolve.
import { createRequire } from "node:module";
import Ajv from "ajv-draft-04";
import { z } from "zod";
import { expect } from "vitest";

const require = createRequire(import.meta.url);
const schema = require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json") as object;
// Formats are left to the strict shape below, which is narrower than the schema's "uri-reference".
const standard = new Ajv.default({
  strict: false,
  unicodeRegExp: false,
  validateFormats: false,
  allErrors: true,
}).compile(schema);

const message = z.strictObject({ text: z.string().min(1) });
const region = z.strictObject({
  startLine: z.int().min(1),
  startColumn: z.int().min(1).optional(),
  endLine: z.int().min(1).optional(),
  endColumn: z.int().min(1).optional(),
});
// A relative reference: no scheme, no blank, no character that an address does not have.
const uri = z
  .string()
  .regex(/^(?!\/)[A-Za-z0-9\-._~!$&'()*+,;=:@%/]+$/)
  .refine((text) => !/^[a-z][a-z0-9+.-]*:/i.test(text) && decodeURIComponent(text) !== "");
const place = z.strictObject({
  artifactLocation: z.strictObject({ uri, uriBaseId: z.string() }),
  region: region.optional(),
});
const location = z.strictObject({
  id: z.int().min(-1).optional(),
  physicalLocation: place,
  message: message.optional(),
});
const result = z.strictObject({
  ruleId: z.string().min(1),
  ruleIndex: z.int().min(0),
  level: z.enum(["none", "note", "warning", "error"]),
  message,
  locations: z.array(location),
  relatedLocations: z.array(location).min(1).optional(),
  partialFingerprints: z.record(z.string(), z.string().min(1)),
  properties: z.record(z.string(), z.unknown()),
});
const run = z.strictObject({
  tool: z.strictObject({
    driver: z.strictObject({
      name: z.string().min(1),
      semanticVersion: z.string().regex(/^\d+\.\d+\.\d+/),
      rules: z.array(z.strictObject({ id: z.string().min(1), shortDescription: message })),
    }),
  }),
  columnKind: z.literal("utf16CodeUnits"),
  originalUriBaseIds: z.record(z.string(), z.strictObject({ description: message })),
  results: z.array(result),
});
const log = z.strictObject({
  $schema: z.url(),
  version: z.literal("2.1.0"),
  runs: z.array(run).length(1),
});

/** What the public schema has against a log; empty when it is valid. */
export function againstTheSchema(value: unknown): string[] {
  standard(value);
  return (standard.errors ?? []).map(
    ({ instancePath, message: said }) => `${instancePath} ${said ?? ""}`,
  );
}

export function expectSarif(value: unknown): void {
  expect(againstTheSchema(value)).toEqual([]);
  const { runs } = log.parse(value);
  const { tool, results, originalUriBaseIds } = runs[0]!;
  const { rules } = tool.driver;
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { ruleId, ruleIndex, locations } of results) {
    expect(rules[ruleIndex]?.id).toBe(ruleId);
    for (const { physicalLocation } of locations) {
      expect(Object.keys(originalUriBaseIds)).toContain(
        physicalLocation.artifactLocation.uriBaseId,
      );
      const { startLine = 1, endLine = startLine } = physicalLocation.region ?? {};
      expect(endLine).toBeGreaterThanOrEqual(startLine);
    }
  }
}
