import { expect, test } from "vitest";
import {
  caps,
  combine,
  computeConfidence,
  findingGrade,
  reportGrade,
  trustOf,
  type Grade,
} from "./grades.ts";

const finding = (severity: "critical" | "important" | "minor" | null, ...grades: Grade[]) => ({
  severity,
  grades,
});

test("verified 90 and inferred 70 combine to 80 when half of the claims are checked", () => {
  expect(combine(90, 70, 0.5)).toBe(80);
});

test("an agent that quotes what it never read is capped at 84", () => {
  const { combined, cap } = computeConfidence(
    [{ grade: "E2", standing: "finding" }],
    { claimed: 100, inferred: 100 },
    caps.E2,
  );
  expect(cap).toBe(84);
  expect(combined).toBeLessThanOrEqual(84);
});

test("what was matched and seen never passes 94, what was executed may reach 100", () => {
  const claim = (grade: Grade) =>
    computeConfidence(
      [{ grade, standing: "finding" }],
      { claimed: 100, inferred: 100 },
      caps[grade],
    ).combined;
  expect(claim("E3")).toBe(94);
  expect(claim("E4")).toBe(100);
});

test("one contradicted claim decides over a finding, otherwise its best one", () => {
  expect(findingGrade(finding("minor", "E4", "X"))).toBe("X");
  expect(findingGrade(finding("minor", "E1", "E3"))).toBe("E3");
  expect(findingGrade(finding("minor"))).toBe("E0");
});

test("the weakest weighty finding caps the report; minor ones do not", () => {
  expect(
    reportGrade([finding("critical", "E3"), finding("important", "E1"), finding("minor", "X")]),
  ).toBe("E1");
  expect(reportGrade([finding("minor", "E1"), finding(null, "E3")])).toBe("E3");
});

test.each([
  ["no findings", [], [], "UNVERIFIED"],
  [
    "a contradicted critical finding",
    [finding("critical", "X"), finding("minor", "E3")],
    [],
    "CONTRADICTED",
  ],
  [
    "a contradicted minor finding",
    [finding("minor", "X"), ...Array.from({ length: 9 }, () => finding("minor", "E3"))],
    [],
    "MIXED",
  ],
  ["all matched", [finding("critical", "E3"), finding("minor", "E2")], [], "VERIFIED"],
  [
    "all matched but a key reference contradicted",
    [finding("critical", "E3")],
    [{ grade: "X", standing: "reference" as const }],
    "MIXED",
  ],
  ["bare references only", [finding("critical", "E1"), finding("minor", "E1")], [], "UNVERIFIED"],
  ["half matched", [finding("critical", "E3"), finding("minor", "E1")], [], "MIXED"],
] as const)("trust with %s", (_name, findings, claims, expected) => {
  expect(trustOf(findings, claims)).toBe(expected);
});

test("overclaim is what was claimed beyond the evidence", () => {
  const result = computeConfidence(
    [{ grade: "X", standing: "finding" }],
    { claimed: 95, inferred: null },
    caps.X,
  );
  expect(result).toMatchObject({ verified: 0, inferred: 95, combined: 0, overclaim: 95 });
});

test("one weak finding among strong ones holds the whole report at its cap", () => {
  const claims = (["E4", "E4", "E4", "E2"] as const).map((grade) => ({
    grade,
    standing: "finding" as const,
  }));
  expect(computeConfidence(claims, { claimed: 99, inferred: 99 }, caps.E4).combined).toBe(96);
  expect(computeConfidence(claims, { claimed: 99, inferred: 99 }, caps.E2)).toMatchObject({
    verified: 96,
    combined: 84,
    cap: 84,
    overclaim: 15,
  });
});
