// The attack rows that the manager has to stop: ids and transcripts, tasks and their results, what
// reaches a terminal. Each is really tried.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openSession } from "../src/app/session/open-session.ts";
import { pathFacts } from "../src/base/files/path-facts.ts";
import { escaped } from "../src/base/text/printable.ts";
import { countTokens } from "../src/base/text/tokens.ts";
import { describeCall } from "../src/cli/asking/describe-call.ts";
import type { Io } from "../src/cli/io.ts";
import { liveText } from "../src/terminal/live/live-text.ts";
import { checkResponse } from "../src/contract/handoff/check-response.ts";
import { fitSummary } from "../src/contract/handoff/fit-summary.ts";
import { jsonInText } from "../src/contract/handoff/json-in-text.ts";
import { reportText } from "../src/manager/agents/tools/report-text.ts";
import type { Manager } from "../src/manager/agents/manager.ts";
import { openManager } from "../src/manager/agents/open-manager.ts";
import { resolveMainPolicy } from "../src/manager/run/settle/resolve-policy.ts";
import { decide } from "../src/permissions/decide.ts";
import { createPolicy } from "../src/permissions/policy.ts";
import {
  attackRows,
  createPlace,
  fillRow,
  setUp,
  type AttackRow,
  type Place,
} from "./attack-rows.ts";
import {
  brainModel,
  forever,
  type Brain,
  type BrainModel,
  type Say,
} from "./support/manager-bench.ts";

const find = (id: string): AttackRow => attackRows.find((row) => row.id === id)!;
const title = (row: AttackRow): string =>
  `${row.id} ${row.note}${row.assert ? `: ${row.assert}` : ""}`.slice(0, 200);

const open: { close(): Promise<unknown> }[] = [];
const places: Place[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  for (const place of places.splice(0)) place.remove();
});

type World = { manager: Manager; model: BrainModel; place: Place; sessionId: string };
type Arranged = {
  brain?: Brain;
  lead?: Record<string, unknown>;
  agents?: Record<string, object>;
  env?: Record<string, string>;
  place?: Place;
  sessionId?: string;
  maxUsd?: number;
  rules?: { allow?: string[]; deny?: string[] };
  mode?: string;
  depth?: number;
  trust?: boolean;
};

/** A session with a caller of the row's making: its tools, its mode, its rules. */
function arrange({
  brain = () => "done",
  lead = {},
  agents = {},
  env = {},
  place,
  sessionId,
  maxUsd,
  rules = {},
  mode,
  depth = 0,
  trust,
}: Arranged = {}): World {
  const here = place ?? createPlace();
  if (!place) places.push(here);
  const model = brainModel(brain);
  const plain = { description: "d", prompt: "p", contract: "none" as const };
  const types = Object.fromEntries(
    ["worker", "researcher", "writer", "reviewer", "Explorer", "ro", "admin"].map((name) => [
      name,
      plain,
    ]),
  );
  const opened = openSession({
    cwd: here.ws,
    env: { PATH: process.env["PATH"], HOME: here.home, ...env },
    models: { "brain:one": model },
    agents: { ...types, ...agents, lead: { ...plain, ...lead } },
    allowedTools: rules.allow ?? [],
    disallowedTools: rules.deny ?? [],
    ...(sessionId ? { sessionId } : {}),
    ...(mode ? { mode } : {}),
    ...(trust ? { trust } : {}),
  });
  const policy = {
    ...resolveMainPolicy(opened.session, opened.session.definitions().get("lead")!, {
      mode,
      cwd: here.ws,
    }),
    mainThread: depth === 0,
  };
  const manager = openManager(opened.session, {
    parent: { policy, model: "brain:one" },
    ...(maxUsd === undefined ? {} : { maxUsd }),
  });
  open.push({ close: async () => (await manager.close(), await opened.close()) });
  return { manager, model, place: here, sessionId: opened.session.id };
}

const viaTool = { viaTool: true };
const spawned = (manager: Manager, input: Record<string, unknown>) =>
  manager.spawn({ description: "d", prompt: "do it", ...input }, viaTool);
const act =
  (name: string, input: unknown): Brain =>
  ({ turn }): Say =>
    turn === 1 ? { tools: [{ name, input }] } : "done";

describe("task/rules", () => {
  const rows = attackRows.filter((row) => row.class === "task/rules");
  test.each(rows.map((row) => [title(row), row] as const))("%s", async (_title, row) => {
    const tools = row.agent?.["tools"];
    const { manager } = arrange({
      rules: row.rules,
      ...(tools ? { lead: { tools } } : {}),
      depth: Number(row.parent?.["depth"] ?? 0),
    });
    for (const type of [row.input["subagent_type"], ...(row.variants ?? [])]) {
      const start = () =>
        spawned(manager, { ...row.input, subagent_type: type, resume: undefined });
      if (row.expected === "allow") expect((await start().done).state).toBe("completed");
      else expect(start).toThrow();
    }
    expect(manager.list()).toEqual([]);
  });
});

describe("task/limits", () => {
  test(title(find("TASK-LIMI-001")), () => {
    const { manager } = arrange({ brain: ({ signal }) => forever(signal) });
    for (let n = 0; n < 10; n++) spawned(manager, { subagent_type: "worker" });
    expect(() => spawned(manager, { subagent_type: "worker" })).toThrow(
      "max concurrent agents reached (10)",
    );
  });

  test(title(find("TASK-LIMI-002")), () => {
    expect(() => spawned(arrange({ maxUsd: 0 }).manager, { subagent_type: "worker" })).toThrow(
      "the budget is used up",
    );
  });

  test(title(find("TASK-LIMI-003")), async () => {
    const { manager } = arrange({
      brain: () => ({ tools: [{ name: "Glob", input: { pattern: "*" } }] }),
      agents: { worker: { description: "d", prompt: "p", maxTurns: 4 } },
    });
    expect(() => spawned(manager, { ...find("TASK-LIMI-003").input })).toThrow("max_turns");
    expect(
      (await spawned(manager, { subagent_type: "worker", max_turns: 10_000 }).done).metrics
        .tool_uses,
    ).toBe(4);
  });
});

describe("task/confused-deputy", () => {
  const denials = async ({ manager }: World, type: string): Promise<string[]> =>
    (await spawned(manager, { subagent_type: type }).done).permission_denials.map(
      ({ tool_name }) => tool_name,
    );

  test(title(find("TASK-CONF-001")), () => {
    expect(() =>
      spawned(arrange().manager, { subagent_type: "worker", mode: "bypassPermissions" }),
    ).toThrow("may only narrow");
  });

  test(title(find("TASK-CONF-002")), async () => {
    const place = createPlace();
    places.push(place);
    mkdirSync(join(place.ws, ".claude/agents"), { recursive: true });
    writeFileSync(
      join(place.ws, ".claude/agents/evil.md"),
      "---\nname: evil\ndescription: d\npermissionMode: bypassPermissions\n---\np\n",
    );
    const world = arrange({ place, brain: act("Bash", { command: `touch ${place.out}/pwned` }) });
    expect(await denials(world, "evil")).toEqual(["Bash"]);
    expect(existsSync(join(place.out, "pwned"))).toBe(false);
  });

  test(title(find("TASK-CONF-003")), async () => {
    const world = arrange({
      mode: "bypassPermissions",
      agents: { reviewer: { description: "d", prompt: "p", tools: ["Read"] } },
      brain: act("Write", { file_path: "x", content: "x" }),
    });
    expect((await spawned(world.manager, { subagent_type: "reviewer" }).done).state).toBe(
      "completed",
    );
    expect(existsSync(join(world.place.ws, "x"))).toBe(false);
  });

  test(title(find("TASK-CONF-004")), async () => {
    for (const [name, input] of [
      ["Write", { file_path: "x", content: "x" }],
      ["Bash", { command: "touch x" }],
    ] as const) {
      const world = arrange({ mode: "plan", brain: act(name, input) });
      expect(await denials(world, "writer")).toEqual([name]);
      expect(existsSync(join(world.place.ws, "x"))).toBe(false);
    }
  });

  test(title(find("TASK-CONF-005")), async () => {
    const world = arrange({
      rules: { allow: ["Bash"], deny: ["Bash(rm:*)"] },
      brain: act("Bash", { command: "rm src/a.ts" }),
    });
    expect(await denials(world, "general-purpose")).toEqual(["Bash"]);
    expect(existsSync(join(world.place.ws, "src/a.ts"))).toBe(true);
  });

  test(title(find("TASK-CONF-006")), async () => {
    const world = arrange({
      rules: { allow: ["Bash(*)"] },
      agents: { ro: { description: "d", prompt: "p", disallowedTools: ["*"] } },
      brain: act("Bash", { command: "touch x" }),
    });
    await spawned(world.manager, { subagent_type: "ro" }).done;
    expect(world.model.requests[0]!.tools).toEqual([]);
    expect(existsSync(join(world.place.ws, "x"))).toBe(false);
  });

  test(title(find("TASK-CONF-007")), () => {
    // The profile has no Agent: a read-only caller starts nobody at all.
    expect(() =>
      spawned(arrange({ lead: { profile: "read-only" } }).manager, { subagent_type: "researcher" }),
    ).toThrow("may not be started");
  });

  test(title(find("TASK-CONF-009")), async () => {
    const world = arrange({
      brain: ({ prompt, turn }) =>
        prompt === "approve"
          ? "approve: yes"
          : turn === 1
            ? { tools: [{ name: "Bash", input: { command: "rm -rf x" } }] }
            : "done",
    });
    await spawned(world.manager, { subagent_type: "worker", prompt: "approve" }).done;
    expect(await denials(world, "worker")).toEqual(["Bash"]);
  });
});

describe("task/result-injection", () => {
  test(title(find("TASK-RESU-001")), async () => {
    const { manager } = arrange({
      brain: () => String(find("TASK-RESU-001").context!["child_result"]),
    });
    const shown = reportText(await spawned(manager, { subagent_type: "worker" }).done);
    expect(shown).not.toMatch(/<\/?(?:tool_result|system)/);
    expect(shown).toContain("made harmless in the text below: 3 control tags");
  });

  test(title(find("TASK-RESU-002")), async () => {
    const { manager } = arrange({
      brain: () => String(find("TASK-RESU-002").context!["child_result"]),
    });
    expect(
      reportText(await spawned(manager, { subagent_type: "worker" }).done).split("\n")[0],
    ).toMatch(/^\[retinue\] agent=a[0-9a-f]{16} .* 0 tool uses/);
  });

  test(title(find("TASK-RESU-003")), () => {
    const read = jsonInText(String(find("TASK-RESU-003").context!["child_result"]));
    expect(
      read.ok && checkResponse(read.value, { task_id: "mine", phase: "write", tokens_used: 1 }),
    ).toMatchObject({ ok: false });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test(title(find("TASK-RESU-004")), () => {
    const fitted = fitSummary("One more sentence of the summary. ".repeat(10_000), "/full.txt");
    expect(countTokens(fitted.text)).toBeLessThanOrEqual(500);
    expect(fitted.cut).toBe(true);
    expect(fitted.text).toContain("/full.txt");
  });
});

describe("task/background", () => {
  test(title(find("TASK-BACK-001")), async () => {
    const { manager } = arrange({ env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" } });
    const result = await spawned(manager, { subagent_type: "worker", run_in_background: true })
      .done;
    expect(result.output_file).toBeUndefined();
    expect(reportText(result)).toContain("in the foreground");
  });

  test(title(find("TASK-BACK-002")), async () => {
    const { manager, model } = arrange({
      brain: act("AskUserQuestion", { questions: [{ question: "ok?" }] }),
    });
    expect(
      (await spawned(manager, { subagent_type: "worker", run_in_background: true }).done).content,
    ).toBe("done");
    expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain('"is_error":true');
  });

  test(title(find("TASK-BACK-003")), async () => {
    const { manager } = arrange({
      brain: async ({ signal }) => (await forever(signal), "finished after all"),
    });
    const run = spawned(manager, { subagent_type: "worker", run_in_background: true });
    await expect.poll(() => manager.running(run.id) !== undefined).toBe(true);
    await manager.stop(run.id);
    expect([
      (await run.done).state,
      (await manager.getOutput(run.id)).state,
      manager.list().length,
    ]).toEqual(["stopped", "stopped", 0]);
  });
});

describe("ids", () => {
  const ids = attackRows.filter((row) => row.class === "task/ids");
  test.each(ids.map((row) => [title(row), row] as const))("%s", async (_title, row) => {
    const { manager } = arrange();
    await spawned(manager, { subagent_type: "worker" }).done;
    const id = String(row.input["task_id"]);
    await expect(manager.getOutput(id, { block: false })).rejects.toThrow("unknown task_id: ");
    await expect(manager.stop(id)).rejects.toThrow("unknown task_id: ");
  });

  test("TASK-IDS-009 with the id of a real agent: another session's agent is unknown", async () => {
    const other = arrange();
    const { agent_id } = await spawned(other.manager, { subagent_type: "worker" }).done;
    await expect(arrange({ place: other.place }).manager.getOutput(agent_id)).rejects.toThrow(
      "unknown task_id",
    );
    expect(
      (
        await arrange({ place: other.place, sessionId: other.sessionId }).manager.getOutput(
          agent_id,
        )
      ).state,
    ).toBe("completed");
  });

  const resumes = attackRows.filter((row) => row.class === "transcript/resume-id");
  test.each(resumes.map((row) => [title(row), row] as const))("%s", async (_title, row) => {
    const { manager, place } = arrange({
      brain: ({ prompt, signal }) => (prompt === "wait" ? forever(signal) : "done"),
    });
    const { agent_id } = await spawned(manager, { subagent_type: "worker" }).done;
    const elsewhere = arrange();
    const other = (await spawned(elsewhere.manager, { subagent_type: "worker" }).done).agent_id;
    const running = spawned(manager, { subagent_type: "worker", prompt: "wait" }).id;
    const id = String(row.input["resume"])
      .replace("{{AGENTID_OTHER_PROJECT}}", other)
      .replace("{{AGENTID_RUNNING}}", running)
      .replace("{{AGENTID}}", agent_id);
    const transcripts = (): number =>
      readdirSync(place.home, { recursive: true }).filter((name) => String(name).endsWith(".jsonl"))
        .length;
    await expect.poll(transcripts).toBe(2);
    const start = () => spawned(manager, { subagent_type: "worker", resume: id });
    if (row.expected === "allow") expect((await start().done).agent_id).toBe(agent_id);
    else expect(start).toThrow();
    expect(transcripts()).toBe(2);
  });
});

describe("transcripts", () => {
  const tamper = (transcript: string, change: (spec: Record<string, unknown>) => void): void => {
    const lines = readFileSync(transcript, "utf8").split("\n");
    const spawn = JSON.parse(lines[1]!) as { spec: Record<string, unknown> };
    change(spawn.spec);
    writeFileSync(transcript, [lines[0], JSON.stringify(spawn), ...lines.slice(2)].join("\n"));
  };

  test(title(find("TRAN-TAMP-001")), async () => {
    const brain: Brain = ({ turn }) =>
      turn % 2 === 1 ? { tools: [{ name: "Bash", input: { command: "touch pwned" } }] } : "done";
    const { manager, model, place } = arrange({
      brain,
      agents: { worker: { description: "d", prompt: "p", tools: ["Read", "Grep"] } },
    });
    const { agent_id, transcript } = await spawned(manager, { subagent_type: "worker" }).done;
    tamper(transcript, (spec) => {
      spec["tools"] = ["Bash", "Read"];
      spec["policy"] = {
        ...(spec["policy"] as object),
        mode: "bypassPermissions",
        ceilings: [],
        disallowed: [],
        rules: { allow: ["Bash"], ask: [], deny: [] },
      };
    });
    await spawned(manager, { subagent_type: "worker", resume: agent_id }).done;
    expect(model.requests.at(-1)!.tools.map(({ name }) => name)).toEqual(["Read"]);
    expect(existsSync(join(place.ws, "pwned"))).toBe(false);
  });

  test("a transcript that was changed to name another folder does not move the agent there", async () => {
    const { manager, place } = arrange();
    const { agent_id, transcript } = await spawned(manager, { subagent_type: "worker" }).done;
    tamper(transcript, (spec) => void (spec["place"] = { cwd: join(place.ws, "..") }));
    expect(() => spawned(manager, { resume: agent_id })).toThrow(
      "which is neither this session's folder",
    );
    tamper(
      transcript,
      (spec) => void Object.assign(spec["place"] as object, { isolation: "worktree" }),
    );
    expect(() => spawned(manager, { resume: agent_id })).toThrow(
      /neither this session's folder|needs a git repository/,
    );
  });

  test("a spec in a transcript that is no spec is refused with a sentence", async () => {
    const { manager } = arrange();
    const { agent_id, transcript } = await spawned(manager, { subagent_type: "worker" }).done;
    tamper(transcript, (spec) => delete spec["policy"]);
    expect(() => spawned(manager, { resume: agent_id })).toThrow("does not say what it ran with");
  });

  test(title(find("TRAN-TAMP-003")), async () => {
    const { manager } = arrange();
    const { agent_id } = await spawned(manager, { subagent_type: "worker" }).done;
    expect(() => spawned(manager, { subagent_type: "admin", resume: agent_id })).toThrow(
      "is a worker",
    );
  });

  test(title(find("TRAN-PERM-001")), async () => {
    const mask = process.umask(0);
    try {
      const { manager } = arrange();
      const { transcript, output_file } = await spawned(manager, {
        subagent_type: "worker",
        run_in_background: true,
      }).done;
      await manager.close();
      const modes = [
        transcript,
        output_file!,
        transcript.replace(/\.jsonl$/, ".meta.json"),
      ].flatMap((path) => [statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]);
      expect(modes.map((mode) => mode.toString(8))).toEqual([
        "600",
        "700",
        "600",
        "700",
        "600",
        "700",
      ]);
    } finally {
      process.umask(mask);
    }
  });
});

// ESC, C0 without newline and tab, C1, bidi, zero-width, tag characters.
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/;

describe("rendering", () => {
  const rows = attackRows.filter(
    (row) =>
      row.layer === "render" &&
      (row.class === "render/escape" || row.class === "prompt-injection/content"),
  );
  test.each(rows.map((row) => [title(row), row] as const))("%s", async (_title, row) => {
    const printed: string[] = [];
    const io = {
      out: (text: string) => void printed.push(text),
      err: (text: string) => void printed.push(text),
      paintErr: (_style: unknown, text: string) => text,
      env: {},
    } as unknown as Io;
    const place = createPlace();
    places.push(place);
    const filled = fillRow(row, place);
    setUp(filled, place);
    const content = readFileSync(
      join(place.ws, row.class === "render/escape" ? "out.txt" : "doc.md"),
      "utf8",
    );
    // The agent says what it read, and then tries what the text would like to have allowed.
    const brain: Brain = ({ turn, last }) =>
      turn === 1
        ? { tools: [{ name: row.tool, input: filled.input }] }
        : turn === 2
          ? {
              text: `It says: ${content}`,
              tools: [{ name: "Bash", input: { command: `touch ${place.out}/pwned` } }],
            }
          : `${JSON.stringify(last.content).slice(0, 20)} ${content}`;
    const { manager } = arrange({
      place,
      brain,
      rules: { allow: ["Bash(cat:*)", "WebFetch"], deny: [] },
    });
    const live = liveText(io, undefined);
    const run = spawned(manager, { subagent_type: "worker", run_in_background: true });
    for await (const event of run.events()) live.onEvent(event);
    const result = await run.done;
    expect(printed.join("\n")).not.toMatch(unsafe);
    expect(readFileSync(result.output_file!, "utf8")).not.toMatch(unsafe);
    expect(reportText(result)).not.toMatch(unsafe);
    expect(reportText(result).replace(/<\/?agent-report[^>]*>/g, "")).not.toMatch(
      /<\/?(?:tool_result|system)\b/,
    );
    expect(result.permission_denials.filter(({ tool_name }) => tool_name === "Bash")).toHaveLength(
      1,
    );
    expect(existsSync(join(place.out, "pwned"))).toBe(false);
  });

  test.each(["REND-APPR-001", "REND-APPR-002"].map((id) => [title(find(id)), find(id)] as const))(
    "%s",
    (_title, row) => {
      const place = createPlace();
      places.push(place);
      const { input } = fillRow(row, place);
      const policy = createPolicy({ workspace: { cwd: place.ws, home: place.home } });
      expect(
        decide({ tool: "Bash", input }, policy, (path) => pathFacts(path, place.ws, place.home))
          .behavior,
      ).toBe("ask");
      const shown = describeCall(
        {
          agentId: "a",
          agentType: "t",
          toolUseId: "u",
          tool: "Bash",
          input,
          reason: "r",
          parts: [],
          offers: [],
        },
        { paintErr: (_style, text) => text },
      );
      expect(shown).not.toMatch(/[\u001b\r]/);
      expect(shown).toContain(escaped(String(input["command"])));
    },
  );
});

test(title(find("RESO-EXHA-016")), () => {
  const row = find("RESO-EXHA-016");
  const place = createPlace();
  places.push(place);
  const { input } = fillRow(row, place);
  const policy = createPolicy({
    workspace: { cwd: place.ws, home: place.home },
    rules: {
      allow: [],
      ask: [],
      deny: [
        ...row.rules.deny,
        "Read(./*a*a*a*a*a*a*a*a*a*a*a*a*a*b)",
        "Read(./**/*a*/**/*a*/**/*a*/b)",
      ],
    },
  });
  const started = process.cpuUsage();
  decide({ tool: "Read", input }, policy, (path) => pathFacts(path, place.ws, place.home));
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(50);
});

test("every row of these kinds has its test", () => {
  const kinds = attackRows.filter(
    (row) =>
      row.layer === "store" ||
      row.class.startsWith("task/") ||
      row.class.startsWith("render/") ||
      row.class.startsWith("prompt-injection/") ||
      row.layer === "limits",
  );
  const here =
    readFileSync(import.meta.filename, "utf8") +
    readFileSync(new URL("attacks-tools.test.ts", import.meta.url), "utf8") +
    readFileSync(new URL("attacks-memory-mcp.test.ts", import.meta.url), "utf8");
  const byClass = new Set([
    "task/rules",
    "task/ids",
    "transcript/resume-id",
    "render/escape",
    "prompt-injection/content",
  ]);
  expect(
    kinds.filter((row) => !byClass.has(row.class) && !here.includes(row.id)).map(({ id }) => id),
  ).toEqual([]);
});
