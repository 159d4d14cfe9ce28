import { describe, expect, test } from "vitest";
import { checkRequest, checkResponse } from "./check-response.ts";
import { fitSummary } from "./fit-summary.ts";
import { checkHandoffText } from "./check-handoff-text.ts";
import { jsonInText } from "./json-in-text.ts";
import { countTokens } from "../../base/text/tokens.ts";

const request = {
  task_id: "t1",
  phase: "research",
  context: { feature: "login" },
  instructions: "find it",
};
const facts = { task_id: "t1", phase: "research", tokens_used: 1234 };
const token = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;

describe("a request", () => {
  test("is completed with what may be left out", () => {
    expect(checkRequest(request)).toMatchObject({
      ok: true,
      request: {
        context: { spec_path: null, relevant_files: [], constraints: [], previous_findings: null },
        expected_output: "structured_findings",
      },
    });
  });

  test("over the budget is refused with the counted number", () => {
    const previous_findings = "The parser reads every line twice. ".repeat(120);
    const result = checkRequest({ ...request, context: { feature: "x", previous_findings } });
    expect(result).toEqual({
      ok: false,
      problems: [
        {
          field: "context.previous_findings",
          message: expect.stringContaining(`${countTokens(previous_findings)} tokens, at most 500`),
        },
      ],
    });
  });

  test("with a secret is refused by kind and field, never by value", () => {
    const result = checkRequest({ ...request, instructions: `use ${token}` });
    expect(result).toMatchObject({ ok: false, problems: [{ field: "instructions" }] });
    expect(JSON.stringify(result)).not.toContain(token);
  });

  test.each([[null], [[]], ["text"], [{ ...request, phase: 7 }], [{ ...request, context: {} }]])(
    "%j is refused with the field at fault",
    (value) => {
      expect(checkRequest(value)).toMatchObject({
        ok: false,
        problems: [{ field: expect.any(String), message: expect.any(String) }],
      });
    },
  );
});

test("what is absent is called missing", () => {
  expect(checkRequest({ ...request, instructions: undefined })).toEqual({
    ok: false,
    problems: [{ field: "instructions", message: "is missing" }],
  });
});

describe("a response", () => {
  const response = {
    status: "complete",
    findings: { conflicts: [] },
    context_summary: "nothing in the way",
  };

  test("gets what only the runtime knows, and loses the model's own token count", () => {
    expect(checkResponse({ ...response, tokens_used: 1 }, facts)).toMatchObject({
      ok: true,
      outcome: "SUCCESS",
      response: { task_id: "t1", phase: "research", tokens_used: 1234, decision: "PROCEED" },
    });
  });

  test.each([
    [{ status: "complete" }, "PROCEED", "complete"],
    [{ status: "partial" }, "PROCEED", "partial"],
    [{ status: "partial", issues: ["minor: a typo", "not critical at all"] }, "PROCEED", "partial"],
    [{ status: "partial", issues: ["Critical: the key is in the code"] }, "CLARIFY", "partial"],
    [
      { status: "partial", findings: { conflicts: [{ what: "two owners", severity: "blocker" }] } },
      "CLARIFY",
      "partial",
    ],
    [{ status: "blocked" }, "STOP", "blocked"],
    [{ status: "blocked", questions: ["which one?"] }, "CLARIFY", "blocked"],
    [{ decision: "CLARIFY", questions: ["which one?"] }, "CLARIFY", "blocked"],
    [{ decision: "stop", reason: "conflict" }, "STOP", "complete"],
    [{ decision: "PROCEED" }, "PROCEED", "complete"],
  ])("%j derives %s and %s", (given, decision, status) => {
    expect(checkResponse({ ...given, context_summary: "s" }, facts)).toMatchObject({
      ok: true,
      response: { decision, status },
    });
  });

  test("of another task is refused", () => {
    expect(checkResponse({ ...response, task_id: "t2" }, facts)).toMatchObject({
      ok: false,
      problems: [{ field: "task_id" }],
    });
  });

  test("with phase data at top level has it moved to findings", () => {
    expect(
      checkResponse(
        { ...response, files_changed: ["a.ts"], checks: { types: { passed: true } } },
        facts,
      ),
    ).toMatchObject({
      ok: true,
      response: { findings: { files_changed: ["a.ts"], checks: { types: { passed: true } } } },
    });
  });

  test("with a secret has it masked and listed", () => {
    const result = checkResponse({ ...response, findings: { note: `key ${token}` } }, facts);
    expect(JSON.stringify(result)).not.toContain(token);
    expect(result).toMatchObject({
      ok: true,
      response: { issues: [expect.stringContaining("findings.note")] },
    });
  });

  test.each<[unknown, string]>([
    ["STOP: 3 type errors", '"STOP: 3 type errors" is none of PROCEED, STOP, CLARIFY'],
    ["HALT", '"HALT" is none of'],
    [["STOP"], '["STOP"] is none of'],
    ["DO NOT PROCEED", '"DO NOT PROCEED" is none of'],
    [7, "7 is none of"],
    [null, "null is none of"],
  ])("with the decision %j is refused with what was given", (decision, words) => {
    const read = checkResponse({ ...response, decision }, facts);
    expect(read).toMatchObject({
      ok: false,
      is_unreadable: true,
      problems: [{ field: "decision", message: expect.stringContaining(words) }],
    });
    const text = JSON.stringify({ ...response, task_id: "t1", phase: "research", decision });
    expect(checkHandoffText(text).problems.map(({ field }) => field)).toEqual(["decision"]);
  });

  test.each(["finished", "not complete", 3, ["complete"]])(
    "with the status %j is refused, whatever it decides",
    (status) => {
      expect(checkResponse({ ...response, decision: "PROCEED", status }, facts)).toMatchObject({
        ok: false,
        is_unreadable: true,
        problems: [{ field: "status" }],
      });
    },
  );

  test.each<[string, Record<string, unknown>]>([
    ["in its findings", { findings: { checks: { tests: { passed: false, reason: "2 failed" } } } }],
    ["at top level", { checks: { tests: { passed: false, reason: "2 failed" } } }],
    [
      "beside passed ones at top level",
      {
        checks: { types: { passed: true } },
        findings: { checks: { tests: { passed: false, reason: "2 failed" } } },
      },
    ],
    [
      "deep in its findings",
      { findings: { run: [{ checks: [{ name: "tests", passed: false, reason: "2 failed" }] }] } },
    ],
  ])("with a failed check %s is STOP, and both words are kept", (_where, given) => {
    expect(checkResponse({ ...response, decision: "PROCEED", ...given }, facts)).toMatchObject({
      ok: true,
      response: { decision: "STOP", reason: "a check failed: tests (2 failed)" },
      settled: { claimed: "PROCEED", decision: "STOP" },
    });
  });

  test.each<[string, unknown]>([
    ["a word", { tests: "ok" }],
    ["a text for passed", { tests: { passed: "true" } }],
    ["no passed", { tests: { errors: [] } }],
    ["a list", [{ passed: true }]],
    ["skipped by an agent", { tests: { passed: true, skipped: true } }],
  ])("with checks that say %s is refused", (_what, checks) => {
    const given = { ...response, decision: "PROCEED", findings: { checks } };
    expect(checkResponse(given, facts)).toMatchObject({ ok: false, is_unreadable: true });
  });

  test("of a phase with a form of its own is held to it where it arrives", () => {
    const validation = { task_id: "t1", phase: "validate", tokens_used: 0 };
    expect(checkResponse({ ...response, findings: {} }, validation)).toMatchObject({
      ok: false,
      problems: [{ field: "findings.checks" }],
    });
    expect(checkResponse({ ...response, findings: { checks: {} } }, validation)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("no check") }],
    });
    const checks = { types: { passed: true, skipped: true, reason: "none" } };
    const own = { ...validation, teller: "runtime" as const };
    expect(checkResponse({ ...response, findings: { checks } }, own)).toMatchObject({ ok: true });
  });

  test.each(["BLOCKED", "failed"])("%s is never PROCEED", (status) => {
    expect(checkResponse({ ...response, status, decision: "PROCEED" }, facts)).toMatchObject({
      ok: true,
      response: { decision: "STOP" },
      settled: { claimed: "PROCEED", overridden: expect.stringContaining("the outcome is") },
    });
  });

  test("that says neither status nor decision is refused", () => {
    expect(checkResponse({ context_summary: "s" }, facts)).toMatchObject({
      ok: false,
      problems: [{ field: "status" }],
    });
  });
});

test.each<[string, string]>([
  ["alone", '{"a": 1}'],
  ["in a fence", 'Done.\n```json\n{"a": 1}\n```\nBye.'],
  ["in a bare fence", '```\n{"a": 1}\n```'],
  ["in prose", 'Here it is: {"a": 1} as asked'],
  ["after braces in prose", 'I used {curly} words. {"a": 1}'],
  ["with braces in strings", '{"a": 1, "b": "}{"}'],
])("JSON is found %s", (_name, text) => {
  expect(jsonInText(text)).toMatchObject({ ok: true, value: { a: 1 } });
});

test.each([["no object here"], ['{"a": 1'], ["[1, 2]"], ["```json\n{broken}\n```"]])(
  "no JSON in %j, and it says why",
  (text) => {
    expect(jsonInText(text)).toMatchObject({ ok: false, problem: expect.stringMatching(/JSON/) });
  },
);

test.each([
  [90, true],
  [110, false],
  [200_000, false],
])("an answer nested %i levels deep is read: %s", (levels, isRead) => {
  const text = `{"status": "complete", "context_summary": "x", "findings": {"x": ${"[".repeat(levels)}${"]".repeat(levels)}}}`;
  expect(jsonInText(text).ok).toBe(isRead);
  expect(
    checkHandoffText(text).problems.some(({ message }) =>
      message.includes("nested more than 100 levels deep"),
    ),
  ).toBe(!isRead);
});

test("a long summary keeps whole sentences within the budget and names the full text", () => {
  const fitted = fitSummary("The cache is rebuilt on every call. ".repeat(200), "/tmp/full.txt");
  expect(fitted.cut).toBe(true);
  expect(fitted.tokens).toBeLessThanOrEqual(500);
  expect(fitted.text).toMatch(
    /^(?:The cache is rebuilt on every call\. ?)+\(shortened; full text: \/tmp\/full\.txt\)$/,
  );
  expect(fitSummary("short.", "/x")).toEqual({
    text: "short.",
    tokens: countTokens("short."),
    cut: false,
  });
  expect(fitSummary("word ".repeat(5_000), "/x").tokens).toBeLessThanOrEqual(500);
});
