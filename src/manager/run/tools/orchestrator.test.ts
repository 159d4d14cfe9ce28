import { utimesSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { pathFacts } from "../../../base/files/path-facts.ts";
import type { RunSpec } from "../../../events/run-spec.ts";
import { createPolicy } from "../../../permissions/policy.ts";
import { tempProject, type TempProject } from "../../../testing/temp-project.ts";
import { joined, type EndedChild } from "./child-evidence.ts";
import { openOrchestrator, type Children, type Orchestrator } from "./orchestrator.ts";

type Call = {
  tool: string;
  input: Record<string, unknown>;
  facts: Record<string, unknown>;
  isError?: true;
};

/** A transcript as the writer leaves it, as far as it proves anything. */
function transcript(project: TempProject, name: string, calls: readonly Call[]): string {
  const lines = calls.flatMap(({ tool, input, facts, isError }, index) => [
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: [{ type: "tool_use", id: `t${index}`, name: tool, input }],
      },
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: `t${index}`,
            content: "…",
            ...(isError ? { is_error: true } : {}),
          },
        ],
      },
      toolFacts: { [`t${index}`]: facts },
    },
  ]);
  project.write(name, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return project.path(name);
}

const readCall = (
  project: TempProject,
  path: string,
  lines: [number, number],
  totalLines = lines[1],
): Call => ({
  tool: "Read",
  input: { file_path: path },
  facts: { path: project.path(path), lines, totalLines },
});

function orchestrator(
  project: TempProject,
  {
    own = [],
    ended = [],
    ...more
  }: { own?: Call[]; ended?: EndedChild[] } & Partial<Children> = {},
): Orchestrator {
  const policy = createPolicy({
    mode: "delegate",
    workspace: { cwd: project.root, home: project.home },
  });
  const children: Children = {
    running: () => [],
    unread: () => [],
    earlier: () => ended,
    watch: () => {},
    types: () => [],
    ...more,
  };
  return openOrchestrator({
    spec: { place: { cwd: project.root }, policy } as unknown as RunSpec,
    transcript: transcript(project, "own.jsonl", own),
    facts: (path) => pathFacts(path, project.root, project.home),
    children,
  });
}

const asks = async (
  guard: Orchestrator,
  file_path: string,
  more: Record<string, unknown> = {},
): Promise<string> =>
  (await guard.refuse({ toolUseId: "x", tool: "Read", input: { file_path, ...more } }))?.rule ??
  "allowed";
const files = { "a.ts": "a", "b.ts": "b", "c.ts": "c", "d.ts": "d", "x.ts": "x" };

describe("the history of an orchestrator", () => {
  test("is restored from its transcript: reads, lines that a search showed, and the last delegation", async () => {
    using project = tempProject(files);
    const search = (shown: Record<string, number[]>): Call => ({
      tool: "Grep",
      input: { pattern: "x" },
      facts: {
        files: Object.fromEntries(
          Object.entries(shown).map(([name, lines]) => [project.path(name), lines]),
        ),
      },
    });
    const three = [readCall(project, "a.ts", [1, 1]), search({ "b.ts": [1], "c.ts": [1] })];
    expect(await asks(orchestrator(project, { own: three }), "d.ts")).toBe("max-files");
    expect(
      await asks(
        orchestrator(project, { own: [...three.slice(0, 1), search({ "b.ts": [], "c.ts": [] })] }),
        "d.ts",
      ),
      "names are no contents",
    ).toBe("allowed");
    expect(
      await asks(
        orchestrator(project, {
          own: [...three, { tool: "Agent", input: {}, facts: { agent_id: "a1" } }],
        }),
        "d.ts",
      ),
    ).toBe("allowed");
    expect(
      await asks(
        orchestrator(project, {
          own: [...three, { tool: "Agent", input: {}, facts: {}, isError: true }],
        }),
        "d.ts",
      ),
      "a spawn that was refused",
    ).toBe("max-files");
    expect(
      await asks(
        orchestrator(project, {
          own: [
            ...three.slice(0, 1),
            { ...readCall(project, "b.ts", [1, 1]), isError: true },
            { ...readCall(project, "c.ts", [1, 1]), isError: true },
          ],
        }),
        "d.ts",
      ),
      "reads that failed",
    ).toBe("allowed");
  });

  test("begins anew with a delegation that took place", async () => {
    using project = tempProject(files);
    const guard = orchestrator(project);
    for (const name of ["a.ts", "b.ts", "c.ts"])
      guard.note({ toolUseId: "x", tool: "Read", input: { file_path: name } });
    guard.noteResult({ tool: "Agent" }, { content: "unknown subagent_type", isError: true });
    expect(await asks(guard, "d.ts")).toBe("max-files");
    guard.noteResult({ tool: "SendMessage" }, { content: "report", facts: { agent_id: "a1" } });
    expect(await asks(guard, "d.ts")).toBe("allowed");
  });

  test.each<[string, [number, number][], number, Record<string, unknown>, string]>([
    ["all of it", [[1, 90]], 90, {}, "use-agent-output"],
    [
      "all of it in pieces",
      [
        [41, 90],
        [1, 40],
      ],
      90,
      {},
      "use-agent-output",
    ],
    ["a part of it", [[1, 40]], 90, {}, "allowed"],
    ["the part that is asked for", [[1, 40]], 90, { offset: 10, limit: 20 }, "use-agent-output"],
    ["another part", [[1, 40]], 90, { offset: 30, limit: 20 }, "allowed"],
    ["as much of a long file as Read shows", [[1, 2_000]], 9_000, {}, "use-agent-output"],
  ])(
    "a file of which an agent was shown %s",
    async (_what, ranges, totalLines, input, expected) => {
      using project = tempProject(files);
      const child: EndedChild = {
        agentId: "a1",
        agentType: "code-explorer",
        report: null,
        transcript: transcript(
          project,
          "child.jsonl",
          ranges.map((lines) => readCall(project, "x.ts", lines, totalLines)),
        ),
      };
      expect(await asks(orchestrator(project, { ended: [child] }), "x.ts", input)).toBe(expected);
    },
  );

  test("a file that an agent wrote is not read again; one that has changed since is", async () => {
    using project = tempProject(files);
    const child: EndedChild = {
      agentId: "a1",
      agentType: "writer",
      report: null,
      transcript: transcript(project, "child.jsonl", [
        { tool: "Write", input: { file_path: "x.ts" }, facts: { path: project.path("x.ts") } },
      ]),
    };
    const guard = orchestrator(project, { ended: [child] });
    expect(await asks(guard, "x.ts")).toBe("use-agent-output");
    const later = new Date(Date.now() + 60_000);
    utimesSync(project.path("x.ts"), later, later);
    expect(await asks(guard, "x.ts")).toBe("allowed");
  });

  test("only the first three key references of a report may be read all the same", async () => {
    using project = tempProject(files);
    const names = ["a.ts", "b.ts", "c.ts", "d.ts"];
    const report = {
      key_references: [
        { location: "`a.ts:1`" },
        { location: "a.ts:7" },
        { location: "[the start](b.ts#L3)" },
        { location: "**c.ts**" },
        { location: "d.ts" },
      ],
    };
    const child: EndedChild = {
      agentId: "a1",
      agentType: "code-explorer",
      report,
      transcript: transcript(
        project,
        "child.jsonl",
        names.map((name) => readCall(project, name, [1, 1])),
      ),
    };
    const guard = orchestrator(project, { ended: [child] });
    expect(await Promise.all(names.map((name) => asks(guard, name)))).toEqual([
      "allowed",
      "allowed",
      "allowed",
      "use-agent-output",
    ]);
  });

  test("an agent that ends, and one that goes on and ends again, is known by all it was shown", async () => {
    using project = tempProject(files);
    let tell!: (child: EndedChild) => void;
    const guard = orchestrator(project, { watch: (onEnd) => (tell = onEnd) });
    expect(await asks(guard, "a.ts")).toBe("allowed");
    const child = (...names: string[]): EndedChild => ({
      agentId: "a1",
      agentType: "worker",
      report: null,
      transcript: transcript(
        project,
        "child.jsonl",
        names.map((name) => readCall(project, name, [1, 1])),
      ),
    });
    tell(child("a.ts"));
    expect([await asks(guard, "a.ts"), await asks(guard, "b.ts")]).toEqual([
      "use-agent-output",
      "allowed",
    ]);
    tell(child("a.ts", "b.ts"));
    expect(await Promise.all([asks(guard, "a.ts"), asks(guard, "b.ts")])).toEqual([
      "use-agent-output",
      "use-agent-output",
    ]);
  });

  test("a transcript that is damaged or gone proves nothing, and nothing breaks", async () => {
    using project = tempProject(files);
    writeFileSync(project.path("broken.jsonl"), '{"type":"user","mess\u0000\n[1,2]\n"x"\n');
    const ended: EndedChild[] = ["broken.jsonl", "gone.jsonl"].map((name, index) => ({
      agentId: `a${index}`,
      agentType: "worker",
      report: { key_references: [null, { location: 7 }, { location: "\u0000" }] },
      transcript: project.path(name),
    }));
    expect(await asks(orchestrator(project, { ended }), "x.ts")).toBe("allowed");
  });

  test("the answer waits for the agents at work, and no longer than the run itself", async () => {
    using project = tempProject(files);
    let end!: () => void;
    const worker = {
      agentId: "a1",
      agentType: "qa-engineer",
      done: new Promise<void>((resolve) => (end = resolve)),
    };
    const waiting = orchestrator(project, { running: () => [worker] }).gateAnswer(
      new AbortController().signal,
    );
    expect(
      await Promise.race([
        waiting,
        new Promise((resolve) => setTimeout(() => resolve("still waiting"), 50)),
      ]),
    ).toBe("still waiting");
    end();
    expect(await waiting).toMatchObject({
      behavior: "deny",
      rule: "wait-for-agents",
      reason: expect.stringContaining("have ended by now") as string,
    });
    const stopped = new AbortController();
    const held = orchestrator(project, {
      running: () => [{ ...worker, done: new Promise(() => {}) }],
    }).gateAnswer(stopped.signal);
    stopped.abort();
    expect((await held)?.reason).not.toContain("have ended by now");
    expect(await orchestrator(project).gateAnswer(stopped.signal)).toBeUndefined();
  });
});

test("ranges that touch are one", () => {
  expect(
    joined([
      [5, 9],
      [1, 2],
      [3, 4],
      [20, 30],
      [25, 26],
    ]),
  ).toEqual([
    [1, 9],
    [20, 30],
  ]);
});
