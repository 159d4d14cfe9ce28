import fc from "fast-check";
import { expect, it } from "vitest";
import { foldAnswers } from "./fold-answers.ts";
import { answerOfCommand, answerOfOutput } from "./hook-answer.ts";
import { hookEvents } from "./hook-event.ts";

const event = fc.constantFrom(...hookEvents);
const words = fc.oneof(
  fc.constantFrom(
    "allow",
    "deny",
    "ask",
    "block",
    "approve",
    "Allow",
    "ALLOW",
    "yes",
    true,
    1,
    null,
  ),
  fc.jsonValue(),
);
const output = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      decision: words,
      continue: fc.anything(),
      hookSpecificOutput: fc.oneof(
        fc.jsonValue(),
        fc.record({
          permissionDecision: words,
          updatedInput: fc.jsonValue(),
          additionalContext: fc.jsonValue(),
        }),
      ),
    },
    { requiredKeys: [] },
  ),
);

it("never throws, and allows only for one of the words that say so", () => {
  fc.assert(
    fc.property(event, output, (name, value) => {
      const answer = answerOfOutput(name, value);
      if (answer.decision === "allow") expect(JSON.stringify(value)).toMatch(/"(?:allow|approve)"/);
      if (answer.updatedInput !== undefined)
        expect(Object.getPrototypeOf(answer.updatedInput)).not.toBe(Array.prototype);
    }),
    { numRuns: 500 },
  );
});

it("takes any exit code and any output without throwing, and exit code 2 never allows", () => {
  fc.assert(
    fc.property(
      event,
      fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 255 }), fc.constant(2)),
      fc.oneof(fc.string(), fc.json()),
      (...[name, code, stdout]) => {
        const answer = answerOfCommand(name, {
          code,
          signal: null,
          stdout,
          stderr: "",
          truncated: false,
        });
        if (code !== 0) expect(answer.decision).not.toBe("allow");
        if (code === 2 && name === "PreToolUse") expect(answer.decision).toBe("deny");
      },
    ),
    { numRuns: 500 },
  );
});

it("folds to the strictest decision, whatever the order", () => {
  const decision = fc.constantFrom("allow" as const, "ask" as const, "deny" as const, undefined);
  const rank = { allow: 1, ask: 2, deny: 3 };
  fc.assert(
    fc.property(fc.array(decision, { maxLength: 8 }), (decisions) => {
      const verdict = foldAnswers(
        decisions.map((item) => ({
          label: "h",
          source: "s",
          durationMs: 1,
          answer: { outcome: "ok", ...(item ? { decision: item, reason: item } : {}) },
        })),
      );
      const strictest = decisions
        .filter((item) => item !== undefined)
        .sort((a, b) => rank[b] - rank[a])[0];
      expect([verdict.behavior, verdict.reason]).toEqual([strictest, strictest]);
    }),
  );
});
