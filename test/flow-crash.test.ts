// A three-phase flow killed with -9 at every line of its journal, and what is left of it continued: nothing that was finished happens twice.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { MockLine } from "../src/testing/mock-provider.ts";
import { retinue, type Finished } from "./retinue-process.ts";
import { answer, flowStory, type FlowStory } from "./support/flow-story.ts";

/** The writer runs a command of its own each time, so that every run of it leaves a trace. */
function crashStory(before: MockLine[] = []): Promise<FlowStory> {
  return flowStory({
    script: () => ({
      research: [answer({ context_summary: "SUMMARY-R" })],
      write: [
        ...before,
        ({ body }) =>
          (body["messages"] as unknown[]).length === 1
            ? {
                tools: [
                  { name: "Bash", input: { command: "echo wrote >> writes.log; touch done.txt" } },
                ],
              }
            : answer({ context_summary: "SUMMARY-W" }),
      ],
    }),
  });
}

const preload = pathToFileURL(join(import.meta.dirname, "support", "kill-at-line.mjs")).href;
const rules = ["--allowedTools", "Bash"];
const call = (
  story: FlowStory,
  args: string[],
  env: Record<string, string> = {},
): Promise<Finished> =>
  retinue(
    ["flow", ...args, "--output-format", "json", "--permission-mode", "acceptEdits", ...rules],
    { project: story.project, env: { ...story.env, ...env } },
  );
const count = ({ project }: FlowStory, name: string): number => {
  try {
    return project.read(name).trim().split("\n").length;
  } catch {
    return 0;
  }
};
const result = ({ stdout }: Finished): Record<string, unknown> =>
  JSON.parse(stdout) as Record<string, unknown>;

const tornWarning: Record<number, RegExp> = {
  2: /is not whole \(\d+ characters\).*"research" was not on record and runs again$/,
  3: /"write" was not on record/,
  4: /"validate" was not on record/,
  5: /is not whole .* does not count$/,
};

describe("killed with -9", () => {
  // Lines of the journal: 1 the header, 2 research, 3 write, 4 validate, 5 the end. A torn line was not acknowledged: its phase runs once more.
  test.each<[number, string, { research: number; write: number; validate: number }]>([
    [1, "on disk", { research: 1, write: 1, validate: 1 }],
    [2, "torn", { research: 2, write: 1, validate: 1 }],
    [2, "on disk", { research: 1, write: 1, validate: 1 }],
    [3, "torn", { research: 1, write: 2, validate: 1 }],
    [3, "on disk", { research: 1, write: 1, validate: 1 }],
    [4, "torn", { research: 1, write: 1, validate: 2 }],
    [4, "on disk", { research: 1, write: 1, validate: 1 }],
    [5, "torn", { research: 1, write: 1, validate: 1 }],
    [5, "on disk", { research: 1, write: 1, validate: 1 }],
  ])(
    "at line %i, %s, it continues and no finished phase runs again",
    async (line, moment, runs) => {
      await using story = await crashStory();
      expect(
        (
          await call(story, ["sequence", "make the test pass"], {
            NODE_OPTIONS: `--import ${preload}`,
            KILL_AT_LINE: `${line}:${moment}`,
          })
        ).signal,
      ).toBe("SIGKILL");
      const { path, lines } = story.journal();
      expect(lines).toHaveLength(line);
      const left = readFileSync(path, "utf8");
      const finished = await call(story, ["resume", (lines[0] as { flowId: string }).flowId]);
      expect(result(finished)).toMatchObject({
        decision: "PROCEED",
        warnings: moment === "torn" ? [expect.stringMatching(tornWarning[line]!)] : [],
        phases: [
          { phase: "research", context_summary: "SUMMARY-R" },
          { phase: "write", context_summary: "SUMMARY-W" },
          { phase: "validate" },
        ],
      });
      expect({
        research: story.runsOf("research"),
        write: story.runsOf("write"),
        validate: count(story, "runs.log"),
      }).toEqual(runs);
      expect(count(story, "writes.log"), "side effects of the writer").toBe(runs.write);
      expect(readFileSync(path, "utf8").startsWith(left), "nothing that was written is lost").toBe(
        true,
      );
      for (const request of story.shown("write")) expect(request).toContain("SUMMARY-R");
    },
  );

  test("in the middle of a phase, with its agent at work: the agent shows as lost, and the phase is run again from its handoff", async () => {
    const half: MockLine = {
      text: "I have half of it",
      tools: [{ name: "Bash", input: { command: "echo half >> half.log" } }],
    };
    await using story = await crashStory([half, { fault: { kind: "stall", at: "body" } }]);
    const killed = await retinue(
      [
        "flow",
        "sequence",
        "--output-format",
        "json",
        "--permission-mode",
        "acceptEdits",
        ...rules,
        "--",
        "make the test pass",
      ],
      {
        project: story.project,
        env: story.env,
        onStart: (child) => {
          const timer = setInterval(() => {
            if (story.shown("write").length < 2) return;
            clearInterval(timer);
            child.kill("SIGKILL");
          }, 20);
        },
      },
    );
    expect(killed.signal).toBe("SIGKILL");
    const runs = JSON.parse(
      (await retinue(["ps", "--all", "--json"], { project: story.project })).stdout,
    ) as { agent_id: string; agent_type: string; state: string; reason?: string }[];
    const lost = runs.find(({ agent_type }) => agent_type === "writer")!;
    expect(lost).toMatchObject({ state: "failed" });
    const output = JSON.parse(
      (await retinue(["output", lost.agent_id, "--json"], { project: story.project })).stdout,
    ) as { reason: string; content: string };
    expect(output).toMatchObject({
      reason: "lost",
      content: expect.stringContaining("I have half of it"),
      error: expect.stringMatching(
        /^the process that ran it is gone; its last line is of 20\S+Z: the results of its calls$/,
      ),
    });
    const finished = await call(story, [
      "resume",
      (story.journal().lines[0] as { flowId: string }).flowId,
    ]);
    expect(result(finished)).toMatchObject({
      decision: "PROCEED",
      phases: [
        { phase: "research" },
        { phase: "write", context_summary: "SUMMARY-W" },
        { phase: "validate" },
      ],
    });
    expect([story.runsOf("research"), story.runsOf("write"), count(story, "half.log")]).toEqual([
      1, 2, 1,
    ]);
    const again = story.shown("write")[2]!;
    expect(again).toContain("SUMMARY-R");
    expect(again).not.toContain("I have half of it");
  });

  test("before its first line is whole there is nothing to continue, and nothing has happened", async () => {
    await using story = await crashStory();
    await call(story, ["sequence", "make the test pass"], {
      NODE_OPTIONS: `--import ${preload}`,
      KILL_AT_LINE: "1:torn",
    });
    const { path } = story.journal();
    const finished = await call(story, ["resume", /([0-9a-f-]{36})\.jsonl$/.exec(path)![1]!]);
    expect(finished).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("its first line is torn or damaged"),
    });
    expect(story.server.requests).toHaveLength(0);
  });

  test("while one process runs it, another is refused", async () => {
    await using story = await crashStory();
    let second: Promise<Finished> | undefined;
    const first = await retinue(
      [
        "flow",
        "sequence",
        "--output-format",
        "stream-json",
        "--permission-mode",
        "acceptEdits",
        ...rules,
        "--",
        "x",
      ],
      {
        project: story.project,
        env: story.env,
        onStart: (child) =>
          child.stdout!.once("data", (chunk: Buffer) => {
            child.kill("SIGSTOP");
            const { flow_id } = JSON.parse(chunk.toString().split("\n")[0]!) as { flow_id: string };
            second = call(story, ["resume", flow_id]).finally(() => child.kill("SIGCONT"));
          }),
      },
    );
    expect(await second).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is being run by process \d+/),
    });
    expect(first.code).toBe(0);
  });
});

describe("a damaged line of the journal", () => {
  test.each([
    [2, "research"],
    [3, "write"],
  ])(
    "line %i (%s) is named and left as it is, and its phase is not run again: the next one proves it",
    async (line, phase) => {
      await using story = await crashStory();
      const { flow_id: flowId } = await story.start("sequence", {
        options: { allowedTools: ["Bash"] },
      });
      const { path } = story.journal();
      const lines = readFileSync(path, "utf8").split("\n");
      const damaged = [
        ...lines.slice(0, line - 1),
        lines[line - 1]!.replace(/"status":"\w+"/, '"status":\u0000\u0000'),
        ...lines.slice(line, 4),
        "",
      ].join("\n");
      writeFileSync(path, damaged);
      const requests = story.server.requests.length;
      expect(await story.resume(flowId)).toMatchObject({
        decision: "PROCEED",
        warnings: [
          expect.stringContaining(`line ${line - 1} of the journal`),
          `${phase} was finished, but its record cannot be read`,
        ],
      });
      expect(story.server.requests).toHaveLength(requests);
      expect(readFileSync(path, "utf8").startsWith(damaged)).toBe(true);
    },
  );

  test.each([
    ["without its end", (line: string) => `${line.slice(0, line.length / 2)}\n`],
    ["overwritten", (line: string) => `${line.slice(0, -9)}\u0000\u0000\u0000\n`],
  ])("the last one, %s, is told of, and its phase runs again", async (_, damage) => {
    await using story = await crashStory();
    const { flow_id: flowId } = await story.start("sequence", {
      options: { allowedTools: ["Bash"] },
    });
    const { path } = story.journal();
    const lines = readFileSync(path, "utf8").split("\n");
    const damaged = `${lines.slice(0, 2).join("\n")}\n${damage(lines[2]!)}`;
    writeFileSync(path, damaged);
    expect(await story.resume(flowId)).toMatchObject({
      decision: "PROCEED",
      warnings: [
        expect.stringMatching(
          /the last line of the journal .* is not whole .*"write" was not on record/,
        ),
      ],
    });
    expect([story.runsOf("research"), story.runsOf("write")]).toEqual([1, 2]);
    expect(readFileSync(path, "utf8").startsWith(damaged)).toBe(true);
    expect(await story.resume(flowId), "told once").toMatchObject({ warnings: [] });
  });
});
