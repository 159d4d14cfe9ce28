// An agent in delegate mode, through the built command and over real HTTP: every hard rule of an orchestrator is tried, and each denial says by which rule and whose work it is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { orchestratorRules } from "../src/permissions/orchestrator/orchestrator-rules.ts";
import {
  startMockProvider,
  type MockAnswer,
  type MockLine,
  type MockRequest,
} from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue, type Finished } from "./retinue-process.ts";
import { answer, flowStory } from "./support/flow-story.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

type Denial = { tool_name: string; rule?: string; reason: string };
type Seen = { system: string; text: string; last: string; prompt: string; turn: number };
type World = {
  place: TempProject;
  run: (
    args: string[],
    more?: { resume?: string; onStart?: Parameters<typeof retinue>[1]["onStart"] },
  ) => Promise<Finished>;
  shown: () => string[];
};

const files = Object.fromEntries(
  ["a", "b", "c", "d", "e"].map((name) => [
    `src/${name}.js`,
    `export const ${name} = "needle ${name.toUpperCase()}-CONTENT";\n`,
  ]),
);

const systemOf = (system: unknown): string =>
  Array.isArray(system)
    ? (system as { text: string }[]).map(({ text }) => text).join("\n")
    : String(system);

/** The answers of the orchestrator by turn, and those of its agents. */
async function world(
  main: ((seen: Seen) => MockAnswer)[],
  sub: (seen: Seen) => MockAnswer,
): Promise<World> {
  const place = tempProject({ ...files, ".env": "KEY=hidden-value\n", "package.json": "{}" });
  const shown: string[] = [];
  const seenIn = ({ body }: MockRequest): Seen => {
    const messages = body["messages"] as { role: string; content: unknown }[];
    return {
      system: systemOf(body["system"]),
      text: JSON.stringify(messages),
      last: JSON.stringify(messages.at(-1)),
      prompt: JSON.stringify(messages[0]!.content),
      turn: messages.filter(({ role }) => role === "assistant").length + 1,
    };
  };
  const server = await startMockProvider({
    reply: (request) => {
      const seen = seenIn(request);
      if (!seen.prompt.includes("MAIN TASK")) return sub(seen);
      shown.push(seen.last);
      return main[seen.turn - 1]?.(seen) ?? "the end";
    },
  });
  open.push(server, { close: () => place.remove() });
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
  return {
    place,
    shown: () => shown,
    run: (args, { resume, ...rest } = {}) =>
      retinue(
        [
          "run",
          ...(resume === undefined
            ? ["--model", "sonnet", "--permission-mode", "delegate"]
            : ["--resume", resume]),
          "--output-format",
          "json",
          ...args,
          resume === undefined ? "MAIN TASK" : "go on",
        ],
        { project: place, env, ...rest },
      ),
  };
}

const call = (name: string, input: Record<string, unknown>) => ({ name, input });
const read = (name: string) => call("Read", { file_path: `src/${name}.js` });
const agent = (prompt: string, more: Record<string, unknown> = {}) =>
  call("Agent", { description: "a task", prompt, subagent_type: "general-purpose", ...more });
const report = (body = ""): string =>
  `## general-purpose Result\n### Status\nSUCCESS\n### Summary\nLooked.\n${body}### Confidence\n60, read once.`;
type Result = {
  result: string;
  session_id: string;
  agents: { agent_id: string }[];
  permission_denials: Denial[];
};
const resultOf = (finished: Finished): Result => JSON.parse(finished.stdout) as Result;
const transcriptOf = (finished: Finished): string =>
  readFileSync(
    (JSON.parse(finished.stdout) as { agents: { transcript: string }[] }).agents[0]!.transcript,
    "utf8",
  );

describe("a main agent in delegate mode", () => {
  test("the fourth file, an Edit, a Write, a Bash and a bulk Grep are denied, each with its rule and with whom to delegate to; all of it is on record", async () => {
    const { run, shown, place } = await world(
      [
        () => ({ tools: [read("a"), read("b"), read("c"), read("d")] }),
        () => ({
          tools: [
            call("Edit", { file_path: "src/a.js", old_string: "needle", new_string: "pin" }),
            call("Write", { file_path: "src/a.test.js", content: "x" }),
            call("Write", { file_path: "docs/design.md", content: "x" }),
            call("Bash", { command: "npm test" }),
          ],
        }),
        () => ({ tools: [call("Grep", { pattern: "needle", output_mode: "content" })] }),
        () => ({
          tools: [
            call("Read", { file_path: ".env" }),
            call("WebFetch", { url: "https://example.com", prompt: "x" }),
          ],
        }),
        () => "done",
      ],
      () => report(),
    );
    const finished = await run([]);
    const { permission_denials: denials, result } = resultOf(finished);
    expect(result).toBe("done");
    expect(denials.map(({ tool_name, rule }) => `${tool_name} ${rule}`)).toEqual([
      "Read max-files",
      "Edit no-implementation",
      "Write no-tests",
      "Write no-spec-edits",
      "Bash no-commands",
      "Grep bulk-search",
      "Read no-security-analysis",
      "WebFetch coordinate-only",
    ]);
    const roles = [
      "code-explorer",
      "backend-specialist",
      "qa-engineer",
      "product-manager",
      "qa-engineer",
      "code-explorer",
      "security-auditor",
      "researcher",
    ];
    for (const [index, { reason, rule }] of denials.entries())
      expect(reason).toMatch(
        new RegExp(`^orchestrator rule ${rule} .*delegate to ${roles[index]}`),
      );
    const [, reads, writes, search] = shown();
    expect(reads).toContain("C-CONTENT");
    expect(reads).not.toContain("D-CONTENT");
    expect(writes).toContain("permission denied: orchestrator rule no-implementation");
    expect(search).not.toContain("-CONTENT");
    for (const name of ["a", "b", "c", "d", "e"]) expect(search).toContain(`src/${name}.js`);
    expect(search).toContain("delegate to code-explorer");
    expect(readFileSync(place.path("src/a.js"), "utf8")).toContain("needle");
    const decisions = transcriptOf(finished)
      .split("\n")
      .filter((line) => line.includes('"permission_decision"'));
    expect(decisions.filter((line) => line.includes('"layer":"orchestrator-guard"'))).toHaveLength(
      8,
    );
  });

  test("knows the rules from its system prompt; nobody else is told", async () => {
    const systems: string[] = [];
    const told = async (...args: string[]): Promise<string> => {
      const { run } = await world([({ system }) => (systems.push(system), "done")], () => report());
      await run(args);
      return systems.pop()!;
    };
    const led = await told();
    for (const [rule, words] of Object.entries(orchestratorRules))
      expect(led).toContain(`- ${rule}: ${words}`);
    expect(await told("--permission-mode", "default")).not.toContain("max-files");
  });

  test("a delegation begins a new count; what the agent has read is not read again, its key references aside", async () => {
    const child = ({ turn }: Seen): MockAnswer =>
      turn === 1
        ? { tools: [read("a"), read("b")] }
        : report(
            "### Key References\n| Item | Location | Relevance |\n|---|---|---|\n| b | `src/b.js:1` | the start |\n",
          );
    const { run, shown } = await world(
      [
        () => ({ tools: [read("c"), read("d"), read("e")] }),
        () => ({ tools: [agent("look")] }),
        () => ({ tools: [read("a"), read("b"), read("c")] }),
        () => ({
          tools: [call("Grep", { pattern: "needle", path: "src/a.js", output_mode: "content" })],
        }),
        () => "done",
      ],
      child,
    );
    const { permission_denials: denials } = resultOf(await run([]));
    expect(denials.map(({ tool_name, rule }) => `${tool_name} ${rule}`)).toEqual([
      "Read use-agent-output",
      "Grep use-agent-output",
    ]);
    expect(denials[0]!.reason).toMatch(
      /src\/a\.js was read by general-purpose a[0-9a-f]{16}: use its report/,
    );
    const again = shown()[3]!;
    expect(again).not.toContain("A-CONTENT");
    expect(again).toContain("B-CONTENT");
    expect(again).toContain("C-CONTENT");
  });

  test("a refused delegation begins no new count, and a run that goes on remembers what it has read", async () => {
    const { run } = await world(
      [
        () => ({ tools: [read("a"), read("b"), read("c")] }),
        () => ({ tools: [agent("look", { subagent_type: "nobody" })] }),
        () => ({ tools: [read("d")] }),
        () => "a pause",
        () => ({ tools: [read("e")] }),
        () => "done",
      ],
      () => report(),
    );
    const first = resultOf(await run([]));
    expect(first.permission_denials.map(({ rule }) => rule)).toContain("max-files");
    const second = resultOf(await run([], { resume: first.agents[0]!.agent_id }));
    expect(second.permission_denials.map(({ tool_name, rule }) => `${tool_name} ${rule}`)).toEqual([
      "Read max-files",
    ]);
  });

  test("an answer while an agent is at work is held back, told by rule, and given anew with the report", async () => {
    const { run, shown } = await world(
      [
        () => ({ tools: [agent("SLOW", { run_in_background: true })] }),
        () => "too early",
        ({ last }) => (last.includes("THE-REPORT") ? "with the report" : "without it"),
      ],
      () => ({ text: report("THE-REPORT\n"), delayMs: 700 }),
    );
    const finished = await run([]);
    expect(resultOf(finished)).toMatchObject({
      result: "with the report",
      permission_denials: [
        {
          tool_name: "answer",
          rule: "wait-for-agents",
          reason: expect.stringMatching(
            /^orchestrator rule wait-for-agents .*still at work: general-purpose a[0-9a-f]{16}/,
          ) as string,
        },
      ],
    });
    expect(shown()[2]).toContain("permission denied: orchestrator rule wait-for-agents");
    expect(transcriptOf(finished)).toContain('"layer":"orchestrator-guard"');
  });

  test("what it stopped itself is not waited for; outside delegate mode nothing of this holds", async () => {
    const { run } = await world(
      [
        () => ({ tools: [agent("SLOW", { run_in_background: true })] }),
        ({ text }) => ({
          tools: [call("TaskStop", { task_id: /Agent ID: (a[0-9a-f]{16})/.exec(text)![1] })],
        }),
        () => "done",
      ],
      () => ({ text: report(), delayMs: 60_000 }),
    );
    expect(resultOf(await run([]))).toMatchObject({ result: "done", permission_denials: [] });
    const plain = await world(
      [
        () => ({ tools: [read("a"), read("b"), read("c"), read("d")] }),
        () => ({ tools: [call("Grep", { pattern: "needle", output_mode: "content" })] }),
        () => "done",
      ],
      () => report(),
    );
    expect(resultOf(await plain.run(["--permission-mode", "default"]))).toMatchObject({
      result: "done",
      permission_denials: [],
    });
  });

  test("a stop ends the waiting", async () => {
    const { run, shown } = await world(
      [() => ({ tools: [agent("SLOW", { run_in_background: true })] }), () => "too early"],
      () => ({ text: report(), delayMs: 60_000 }),
    );
    const begun = performance.now();
    const finished = await run([], {
      onStart: (child) => {
        const timer = setInterval(() => {
          if (shown().length < 2) return;
          clearInterval(timer);
          setTimeout(() => child.kill("SIGINT"), 500);
        }, 20);
      },
    });
    expect(finished.code).toBe(130);
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  test("progress files are written, and only there", async () => {
    const { run, place } = await world(
      [
        () => ({
          tools: [
            call("Write", { file_path: ".retinue/progress/x.json", content: "{}" }),
            call("Write", { file_path: ".retinue/other.json", content: "{}" }),
          ],
        }),
        () => "done",
      ],
      () => report(),
    );
    expect(resultOf(await run([])).permission_denials.map(({ rule }) => rule)).toEqual([
      "no-implementation",
    ]);
    expect(readFileSync(join(place.root, ".retinue/progress/x.json"), "utf8")).toBe("{}");
  });
});

describe("flows", () => {
  const lead =
    "---\nname: lead\ndescription: leads\npermissionMode: delegate\ncontract: handoff\n---\nYou lead.\n";
  const tried: MockLine[] = [
    { tools: ["a", "b", "c", "d"].map(read) },
    {
      tools: [
        call("Edit", { file_path: "src/a.js", old_string: "needle", new_string: "pin" }),
        call("Bash", { command: "npm test" }),
      ],
    },
    { tools: [call("Grep", { pattern: "needle", output_mode: "content" })] },
    answer(),
  ];

  test("an agent of a flow in delegate mode is held to the same rules", async () => {
    await using flow = await flowStory({
      files: { ...files, ".claude/agents/lead.md": lead },
      script: () => ({ "task-1": tried }),
    });
    const { decision } = await flow.start("parallel", { tasks: [["lead", "look around"]] });
    expect(decision).toBe("PROCEED");
    const denials = flow.events
      .of("permission-decision")
      .filter(({ layer }) => layer === "orchestrator-guard")
      .map(
        ({ tool, rule, reason }) => `${tool} ${rule} ${/delegate to ([\w-]+)/.exec(reason)?.[1]}`,
      );
    expect(denials).toEqual([
      "Read max-files code-explorer",
      "Edit no-implementation backend-specialist",
      "Bash no-commands qa-engineer",
      "Grep bulk-search code-explorer",
    ]);
    expect(flow.shown("task-1").at(-1)).not.toMatch(/D-CONTENT|E-CONTENT/);
  });

  test("nothing is put together while a required agent is at work; that, and what else can be measured, is in the result", async () => {
    await using flow = await flowStory({
      files,
      script: () => ({
        "task-1": [answer()],
        "task-2": [
          { text: answer({ decision: "STOP", issues: ["late, and it counts"] }), delayMs: 600 },
        ],
      }),
    });
    const ends: string[] = [];
    const outcome = await flow.start("parallel", {
      tasks: [
        ["researcher", "quick"],
        ["researcher", "slow"],
      ],
      watch: { onEvent: (event) => void (event.type === "run-end" && ends.push(event.agentId)) },
    });
    expect(ends.sort()).toEqual(outcome.phases.flatMap(({ run_ids }) => run_ids).sort());
    expect(outcome).toMatchObject({ decision: "STOP", issues: ["late, and it counts"] });
    const measured = Object.fromEntries(
      outcome.measures.map(({ rule, value, holds }) => [rule, { value, holds }]),
    );
    expect(measured).toMatchObject({
      "wait-for-agents": { value: 0, holds: true },
      "parallel-agents": { value: 2, holds: true },
      "results-presented": { value: 2, holds: true },
      "progress-updated": { value: 2, holds: true },
      "split-work": { value: 2, holds: true },
      "summary-budget": { holds: true },
    });
  });

  test("rules that a report breaks are counted, with their level", async () => {
    await using flow = await flowStory({
      files: {
        ...files,
        ".claude/agents/reporter.md":
          "---\nname: reporter\ndescription: reports\ncontract: report\ntools: Read\n---\nYou report.\n",
      },
      script: () => ({
        "task-1": [
          "## Reporter Result\n### Status\nSUCCESS\n### Summary\nAll is well.\n### Confidence\n95",
        ],
      }),
    });
    const { measures } = await flow.start("parallel", { tasks: [["reporter", "look"]] });
    expect(measures).toContainEqual({
      level: "L2",
      rule: "confidence-justification",
      value: 1,
      limit: 0,
      holds: false,
      detail: "reports that break it: reporter",
    });
    expect(measures).toContainEqual(
      expect.objectContaining({ level: "L1", rule: "confidence-breakdown", holds: false }),
    );
  });

  test("a flow in delegate mode runs the project's checks as the validator's, not as the orchestrator's", async () => {
    await using flow = await flowStory({
      files: { ...files, "done.txt": "" },
      script: () => ({ research: [answer()], write: [answer()] }),
    });
    expect(await flow.start("sequence", { options: { mode: "delegate" } })).toMatchObject({
      decision: "PROCEED",
      phases: [{}, {}, { phase: "validate", decision: "PROCEED" }],
    });
  });
});

test("docs/flows.md lists every rule in its own words", () => {
  const page = readFileSync("docs/flows.md", "utf8");
  for (const [rule, words] of Object.entries(orchestratorRules))
    expect(page).toContain(`| \`${rule}\` | ${words} |`);
});
