import { describe, expect, test } from "vitest";
import { countTokens } from "../../base/text/tokens.ts";
import type { PhaseRecord } from "../../patterns/flow.ts";
import { tempProject } from "../../testing/temp-project.ts";
import { measureFlow } from "./measure-flow.ts";
import { readRunContext } from "../run-context.ts";

const entry = (more: Partial<PhaseRecord> = {}): PhaseRecord => ({
  phase: "research",
  agent: "researcher",
  task_id: "t",
  run_ids: [],
  status: "done",
  decision: "PROCEED",
  context_summary: "done",
  files: [],
  issues: [],
  outcome: "SUCCESS",
  trust: "VERIFIED",
  ...more,
});
const facts = {
  atOnce: 0,
  mostAtOnce: 1,
  told: 1,
  noted: 1,
  independent: 0,
  stillRunning: 0,
  transcriptOf: (id: string) => `/nowhere/${id}.jsonl`,
};
const measured = async (
  phases: PhaseRecord[],
  more: Partial<typeof facts> = {},
  warnings: string[] = [],
) => (await measureFlow({ phases, warnings }, { ...facts, ...more })).measures;
const words = (tokens: number): string => {
  let text = "word";
  while (countTokens(`${text} word`) <= tokens) text += " word";
  return text;
};

describe("the rules of a flow, measured", () => {
  test("a summary at its budget, with files and an issue, stays within what a phase may add to the orchestrator", async () => {
    const measures = await measured([
      entry({
        context_summary: words(500),
        files: Array.from({ length: 10 }, (_, index) => `src/rooms/room-${index}.ts`),
        issues: ["one thing is left to do"],
      }),
    ]);
    expect(measures.filter(({ level }) => level === "L1").every(({ holds }) => holds)).toBe(true);
  });

  test.each<[string, PhaseRecord[], Partial<typeof facts>, string[], string]>([
    [
      "a summary over its budget",
      [entry({ context_summary: words(600) })],
      {},
      [],
      "L1 summary-budget",
    ],
    [
      "more than a phase may add",
      [
        entry({
          issues: Array.from({ length: 60 }, () => "a long line about something that went wrong"),
        }),
      ],
      {},
      [],
      "L1 orchestrator-context",
    ],
    ["an agent at work at the end", [entry()], { stillRunning: 1 }, [], "L1 wait-for-agents"],
    [
      "independent phases one after another",
      [entry(), entry()],
      { independent: 2, told: 2, noted: 2 },
      [],
      "L2 parallel-agents",
    ],
    ["a phase that nobody was shown", [entry()], { told: 0 }, [], "L2 results-presented"],
    [
      "a phase that is not in the progress file",
      [entry()],
      { noted: 0 },
      [],
      "L2 progress-updated",
    ],
    [
      "a failure that is not on record",
      [entry({ status: "skipped" })],
      {},
      [],
      "L3 failures-documented",
    ],
  ])("%s does not hold", async (_what, phases, more, warnings, rule) => {
    expect(
      (await measured(phases, more, warnings))
        .filter(({ holds }) => !holds)
        .map(({ level, rule: name }) => `${level} ${name}`),
    ).toContain(rule);
  });

  test("a failure that is on record holds", async () => {
    expect(
      (
        await measured([entry({ status: "skipped" })], {}, [
          "Agent researcher failed, results may be incomplete",
        ])
      ).find(({ rule }) => rule === "failures-documented"),
    ).toMatchObject({ value: 1, limit: 1, holds: true });
  });
});

describe("the context of a run", () => {
  const spawn = {
    type: "system",
    subtype: "spawn",
    spec: { system: "You look.", model: "mock:one" },
  };
  const said = (role: "user" | "assistant", content: unknown) => ({
    type: role,
    message: { role, content },
  });
  const tokensOf = (...texts: string[]): number =>
    texts.reduce((sum, text) => sum + countTokens(text), 0);
  const contextOf = async (lines: object[]) => {
    using project = tempProject({
      "t.jsonl": lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    });
    return await readRunContext(project.path("t.jsonl"));
  };

  test("is at its fullest before a compaction, and goes on from the summary and what was kept", async () => {
    const long = "a long story ".repeat(50);
    const boundary = {
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: { kept: 1 },
      summary: "short",
    };
    const { tokens } = await contextOf([
      spawn,
      said("user", long),
      said("user", "kept"),
      boundary,
      said("user", "next"),
    ]);
    expect(tokens).toBe(tokensOf("You look.", long, "kept"));
    const more = await contextOf([
      spawn,
      said("user", long),
      said("user", "kept"),
      boundary,
      said("user", `${long}${long}`),
    ]);
    expect(more.tokens).toBe(tokensOf("You look.", "short", "kept", `${long}${long}`));
  });

  test("what was handed over counts for the agent, and not again in one conversation", async () => {
    const prompt =
      "Write it.\n\n<previous-findings>\nThe limit stands in src/a.ts.\n</previous-findings>\n\nExpected: files_changed.";
    const { tokens, pieces, model } = await contextOf([spawn, said("user", prompt)]);
    expect(tokens).toBe(tokensOf("You look.", prompt));
    expect(pieces[0]!.tokens).toBe(tokensOf("Write it.\n\n\n\nExpected: files_changed."));
    expect(model).toBe("mock:one");
  });
});
