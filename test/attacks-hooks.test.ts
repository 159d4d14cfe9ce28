// Every attack row of the layer hooks: a real hook is run, its verdict goes to the permission
// engine, and the row's assertion is checked on the disk.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { factsNear } from "../src/base/files/path-facts.ts";
import type { FoldedAnswers } from "../src/hooks/fold-answers.ts";
import { hookInput } from "../src/hooks/hook-event.ts";
import { readHooks } from "../src/hooks/read-hooks.ts";
import { matchHooks } from "../src/hooks/matching/match-hooks.ts";
import { runHooks } from "../src/hooks/run-hooks.ts";
import { answerCase, readCase } from "../src/permissions/read-case.ts";
import {
  accepted,
  attackRows,
  createPlace,
  fillRow,
  type AttackRow,
  type Place,
} from "./attack-rows.ts";

const rows = attackRows.filter((row) => row.layer === "hooks");
const places: Place[] = [];
afterAll(() => places.forEach((place) => place.remove()));

type HookCase = {
  hook?: string;
  hook_result?: Record<string, unknown>;
  hook_exit?: number;
  hook_timeout?: boolean;
  hook_stdout?: string;
  hook_stdout_bytes?: number;
  matcher?: string;
  tool_name?: string;
  tool?: string;
  tool_input?: Record<string, unknown>;
};

const timeoutSeconds = 2;
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The hook that the row describes, as a command of a settings file. */
function commandOf(input: HookCase, { out }: Place): string {
  if (input.hook !== undefined) return `env > ${quoted(join(out, "env"))}\n${input.hook}`;
  if (input.hook_result)
    return `printf %s ${quoted(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...input.hook_result } }))}`;
  if (input.hook_exit !== undefined) return `echo "the reason" >&2; exit ${input.hook_exit}`;
  if (input.hook_timeout)
    return `echo $$ > ${quoted(join(out, "pids"))}; setsid sh -c 'echo $$ >> "$1"; sleep 300' sh ${quoted(join(out, "pids"))} & sleep 300`;
  if (input.hook_stdout !== undefined) return `printf %s ${quoted(input.hook_stdout)}`;
  return `head -c ${input.hook_stdout_bytes ?? 0} /dev/zero`;
}

async function run(
  row: AttackRow,
): Promise<{ input: HookCase; place: Place; verdict: FoldedAnswers; elapsedMs: number }> {
  const place = createPlace();
  places.push(place);
  const input = fillRow(row, place).input as HookCase;
  const { hooks } = readHooks(
    {
      PreToolUse: [
        {
          matcher: "*",
          hooks: [{ type: "command", command: commandOf(input, place), timeout: timeoutSeconds }],
        },
      ],
    },
    "row",
  );
  const facts = {
    sessionId: "s",
    transcriptPath: "/t",
    cwd: place.ws,
    permissionMode: row.mode ?? "default",
  };
  const event = hookInput("PreToolUse", facts, {
    tool_name: input.tool ?? "Bash",
    tool_input: input.tool_input ?? {},
    tool_use_id: "t",
  });
  const started = performance.now();
  const verdict = await runHooks({ input: event, hooks });
  return { input, place, verdict, elapsedMs: performance.now() - started };
}

function decision(
  row: AttackRow,
  input: HookCase,
  { place, verdict }: { place: Place; verdict: FoldedAnswers },
): string {
  const hook = verdict.behavior
    ? { behavior: verdict.behavior, reason: verdict.reason }
    : undefined;
  const read = readCase(
    {
      ...row,
      agent: undefined,
      tool: input.tool,
      input: input.tool_input,
      hook,
      cwd: place.ws,
      home: place.home,
    },
    { cwd: "/", protectedPaths: [], home: "/" },
  );
  if (!read.ok) throw new Error(read.problem);
  return answerCase(read, (path, folder) =>
    factsNear(path, { cwd: place.ws, home: place.home, folder }),
  ).decision;
}

const alive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) &&
  !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

describe("text of a tool call stays text", () => {
  test.each(
    rows
      .filter((row) => row.input["hook"] !== undefined)
      .map((row) => [row.id, row.note, row] as const),
  )("%s %s", async (_id, _note, row) => {
    const { place, verdict } = await run(row);
    expect(verdict.runs).toHaveLength(1);
    const environment = readFileSync(join(place.out, "env"), "utf8");
    expect(environment).toContain("CLAUDE_PROJECT_DIR=");
    expect(environment).not.toMatch(/LD_PRELOAD|pwned|TOOL_INPUT|HOOK_DATA/);
    expect(existsSync(join(place.out, "pwned"))).toBe(false);
  });
});

describe("what a hook says, and the rules", () => {
  const decided = rows.filter((row) => row.input["tool"] !== undefined);
  test.each(decided.map((row) => [row.id, row.note, row] as const))(
    "%s %s",
    async (_id, _note, row) => {
      const before = process.memoryUsage().rss;
      const { input, place, verdict, elapsedMs } = await run(row);
      expect(accepted(row)).toContain(decision(row, input, { place, verdict }));
      if (input.hook_exit !== undefined)
        expect([...verdict.warnings, verdict.reason]).toContainEqual(
          expect.stringContaining("the reason"),
        );
      if (input.hook_stdout_bytes !== undefined)
        expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
      if (!input.hook_timeout) return;
      expect(elapsedMs).toBeLessThan(timeoutSeconds * 1000 + 3_000);
      const pids = readFileSync(join(place.out, "pids"), "utf8").trim().split("\n").map(Number);
      expect(pids).toHaveLength(2);
      expect(pids.filter(alive)).toEqual([]);
    },
  );
});

describe("matchers", () => {
  const matched = rows.filter((row) => row.input["matcher"] !== undefined);
  test.each(matched.map((row) => [row.id, row.note, row] as const))("%s %s", (_id, _note, row) => {
    const { matcher, tool_name = "" } = row.input as HookCase;
    const { hooks } = readHooks(
      { PreToolUse: [{ matcher, hooks: [{ type: "command", command: "true" }] }] },
      "row",
    );
    const event = hookInput(
      "PreToolUse",
      { sessionId: "s", transcriptPath: "/t", cwd: "/", permissionMode: "default" },
      { tool_name, tool_input: {}, tool_use_id: "t" },
    );
    matchHooks(hooks, event);
    const started = performance.now();
    const fired = matchHooks(hooks, event).length > 0;
    expect(performance.now() - started).toBeLessThan(100);
    expect(fired).toBe(row.expected === "allow");
  });
});

test("no row of the layer is left out", () => {
  const covered = rows.filter((row) =>
    ["hook", "tool", "matcher"].some((key) => row.input[key] !== undefined),
  );
  expect(covered.map((row) => row.id)).toEqual(rows.map((row) => row.id));
  expect(rows.length).toBeGreaterThan(0);
});
