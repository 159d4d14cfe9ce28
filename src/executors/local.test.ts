import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { RecordedFact } from "../events/event.ts";
import type { Message } from "../model/message.ts";
import { collectEvents } from "../testing/event-collector.ts";
import { scriptedModel, type ScriptLine } from "../testing/scripted-model.ts";
import { defineZodTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import type { Catalog } from "./catalog.ts";
import { durable, type Once } from "./durable.ts";
import { interruptedText } from "../transcripts/reading/normalize-messages.ts";
import { createLocalExecutor } from "./local.ts";
import { noJudgedPath } from "../tool/tool.ts";
import { runSpec } from "../../test/support/run-spec.ts";
import type { RunSpec } from "../events/run-spec.ts";

const spec = runSpec({
  runId: "run-1",
  sessionId: "s",
  agentType: "tester",
  cwd: "/",
  model: "scripted:model",
  system: "s",
  prompt: "go",
  tools: ["Append"],
  limits: { maxTurns: 10, timeoutMs: 60_000 },
  compactionPercent: 95,
});

const appendTool = (log: string[]): Tool =>
  defineZodTool({
    name: "Append",
    description: "appends",
    input: z.object({ text: z.string() }),
    readOnly: false,
    run: async ({ text }) => (log.push(text), { content: "ok" }),
  });

type World = {
  catalog: Catalog;
  written: RecordedFact[];
  closed: string[];
  model: ReturnType<typeof scriptedModel>;
};

function world(
  script: ScriptLine[],
  tools: Tool[],
  past: { history?: Message[]; written?: RecordedFact[] } = {},
): World {
  const written = past.written ?? [];
  const closed: string[] = [];
  const model = scriptedModel(script);
  const catalog: Catalog = {
    model: () => model,
    tools: () => ({ tools, close: async () => void closed.push("tools") }),
    gate: () => () => ({
      behavior: "allow",
      judgedPath: noJudgedPath,
      layer: "allow",
      reason: "test",
    }),
    store: () => ({
      history: past.history ?? [],
      lastSeq: written.at(-1)?.seq ?? 0,
      append: (fact) => void written.push(fact),
      close: () => void closed.push("store"),
    }),
  };
  return { catalog, written, closed, model };
}

const call = (text: string): ScriptLine => ({ tools: [{ name: "Append", input: { text } }] });
const never = new AbortController().signal;

describe("the local executor", () => {
  test("tells the whole story in order, facts stored before they are heard", async () => {
    const log: string[] = [];
    const { catalog, written } = world([call("x"), "done"], [appendTool(log)]);
    const heard = collectEvents();
    // What a listener throws is nobody's concern, so it only notes what it saw.
    const stored: [type: string, isStored: boolean][] = [];
    await createLocalExecutor(catalog).execute(spec, {
      signal: never,
      onEvent: (event) => (
        stored.push([event.type, written.includes(event as RecordedFact)]),
        heard.onEvent(event)
      ),
    });
    const facts = new Set<string>(written.map(({ type }) => type));
    expect(stored.filter(([type, isStored]) => facts.has(type) && !isStored)).toEqual([]);
    expect(stored.filter(([, isStored]) => isStored)).toHaveLength(written.length);
    expect(heard.story()).toEqual([
      "run-start",
      "message:prompt",
      "turn-start",
      "message:reply",
      "permission-decision:allow",
      "tool-start:Append",
      "tool-end:Append",
      "message:tool_results",
      "turn-start",
      "message:reply",
      "run-end:completed",
    ]);
    expect(written.map((fact) => fact.seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("a fact that could not be stored is heard by nobody", async () => {
    const { catalog, written } = world([call("x"), "done"], [appendTool([])]);
    const store = await catalog.store(spec);
    const append = (fact: RecordedFact): void => {
      if (written.length === 2)
        throw Object.assign(new Error("disk full"), { name: "StorageFailure" });
      store.append(fact);
    };
    const full: Catalog = { ...catalog, store: () => ({ ...store, append }) };
    const heard = collectEvents();
    expect(
      await createLocalExecutor(full).execute(spec, {
        signal: never,
        onEvent: (event) => heard.onEvent(event),
      }),
    ).toMatchObject({ state: "failed", reason: "storage", error: "disk full" });
    expect(heard.story()).toEqual(["run-start", "message:prompt", "turn-start"]);
  });

  test("a spec survives JSON", async () => {
    const { catalog } = world(["done"], []);
    const outcome = await createLocalExecutor(catalog).execute(
      JSON.parse(JSON.stringify(spec)) as RunSpec,
      { signal: never },
    );
    expect(outcome.state).toBe("completed");
  });

  test("a listener that throws changes nothing", async () => {
    const { catalog } = world(["done"], []);
    const outcome = await createLocalExecutor(catalog).execute(spec, {
      signal: never,
      onEvent: () => {
        throw new Error("bad listener");
      },
    });
    expect(outcome).toMatchObject({ state: "completed", content: "done" });
  });

  test("closes tools and store in every ending", async () => {
    for (const script of [
      ["done"],
      [{ failure: { kind: "auth" as const, message: "no key" } }],
      [],
    ]) {
      const { catalog, closed } = world(script, []);
      await createLocalExecutor(catalog).execute(spec, { signal: never });
      expect(closed).toEqual(["tools", "store"]);
    }
  });

  test("a store that cannot be opened is failed(storage), not an exception", async () => {
    const { catalog } = world([], []);
    const broken: Catalog = {
      ...catalog,
      store: () => {
        throw Object.assign(new Error("read-only file system"), { name: "StorageFailure" });
      },
    };
    expect(await createLocalExecutor(broken).execute(spec, { signal: never })).toMatchObject({
      state: "failed",
      reason: "storage",
      error: "read-only file system",
    });
  });

  test("the deadline of the spec ends a run whose model never answers", async () => {
    const { catalog } = world([], []);
    const stuck: Catalog = {
      ...catalog,
      model: () => ({
        ...scriptedModel([]),
        send: (_request, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener("abort", () =>
              resolve({ ok: false, failure: { kind: "aborted", message: "aborted" } }),
            ),
          ),
      }),
    };
    const outcome = await createLocalExecutor(stuck).execute(
      { ...spec, limits: { maxTurns: 3, timeoutMs: 30 } },
      { signal: never },
    );
    expect(outcome).toMatchObject({ state: "failed", reason: "timeout" });
  });

  test("a call left open by an earlier life is answered as interrupted and not run again", async () => {
    const log: string[] = [];
    const history: Message[] = [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "t1", name: "Append", input: { text: "x" } }],
      },
    ];
    const { catalog, model, written } = world(["done"], [appendTool(log)], { history });
    await createLocalExecutor(catalog).execute({ ...spec, prompt: "go on" }, { signal: never });
    expect(log).toEqual([]);
    expect(model.requests[0]!.messages.at(-1)!.content).toEqual([
      { type: "tool_result", tool_use_id: "t1", content: interruptedText, is_error: true },
      { type: "text", text: "go on" },
    ]);
    expect(written.map((fact) => fact.type)).toContain("interruption");
  });
});

test("an id that ran in an earlier life does not run again, also when a summary has taken it out of the history", async () => {
  const log: string[] = [];
  const { catalog, model } = world(
    [{ tools: [{ name: "Append", input: { text: "x" }, id: "t1" }] }, "done"],
    [appendTool(log)],
    { history: [{ role: "user", content: "a summary" }] },
  );
  const resumed: Catalog = {
    ...catalog,
    store: async (given) => ({ ...(await catalog.store(given)), usedIds: new Set(["t1"]) }),
  };
  await createLocalExecutor(resumed).execute(spec, { signal: never });
  expect(log).toEqual([]);
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain("was used before");
});

describe("a run that moves to another process", () => {
  test("ends here without an end on record, its store left for the other, and goes on there without a prompt, a repeated call or a lost count", async () => {
    const log: string[] = [];
    const here = world([call("x")], [appendTool(log)]);
    const endings: unknown[] = [];
    let turns = 0;
    const leaving: Catalog = {
      ...here.catalog,
      hooks: () => ({ isMoving: () => turns++ > 0 }),
      store: () => ({
        history: [],
        lastSeq: 0,
        append: (fact) => void here.written.push(fact),
        close: (how) => void endings.push(how),
      }),
    };
    const left = await createLocalExecutor(leaving).execute(spec, { signal: never });
    expect(left).toMatchObject({ state: "stopped", reason: "moved" });
    expect(here.written.at(-1)).toMatchObject({ type: "message", origin: "tool_results" });
    expect(endings).toEqual(["moved"]);

    const history = here.written.flatMap((fact) => (fact.type === "message" ? [fact.message] : []));
    const there = world(
      [{ tools: [{ id: "t2", name: "Append", input: { text: "y" } }] }, "done"],
      [appendTool(log)],
      { history, written: here.written },
    );
    const { metrics, permission_denials } = left;
    const outcome = await createLocalExecutor(there.catalog).execute(
      JSON.parse(JSON.stringify({ ...spec, carried: { metrics, permission_denials } })) as RunSpec,
      { signal: never },
    );
    expect(outcome).toMatchObject({
      state: "completed",
      content: "done",
      metrics: { turns: 3, tool_uses: 2 },
    });
    expect(log).toEqual(["x", "y"]);
    expect(
      there.written.filter((fact) => fact.type === "message" && fact.origin === "prompt"),
    ).toHaveLength(1);
    expect(there.written.map((fact) => fact.seq)).toEqual(
      there.written.map((_, index) => index + 1),
    );
  });

  test("its deadline does not begin anew: what the time before has used is gone", async () => {
    const { catalog } = world([], []);
    const stuck: Catalog = {
      ...catalog,
      model: () => ({
        ...scriptedModel([]),
        send: (_request, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener("abort", () =>
              resolve({ ok: false, failure: { kind: "aborted", message: "aborted" } }),
            ),
          ),
      }),
    };
    const usage = {
      input_tokens: 0,
      output_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    };
    const carried = {
      metrics: {
        turns: 1,
        tool_uses: 0,
        tokens_used: 0,
        duration_ms: spec.limits.timeoutMs - 30,
        cost_usd: null,
        usage,
      },
      permission_denials: [],
    };
    const outcome = await createLocalExecutor(stuck).execute(
      { ...spec, carried },
      { signal: never },
    );
    expect(outcome).toMatchObject({ state: "failed", reason: "timeout" });
    expect(outcome.metrics.duration_ms).toBeGreaterThanOrEqual(carried.metrics.duration_ms);
  });

  test("a stop that comes while it is leaving ends it here", async () => {
    const stop = new AbortController();
    const { catalog, written } = world([], []);
    const leaving: Catalog = {
      ...catalog,
      hooks: () => ({ isMoving: () => true }),
      tools: () => ({ tools: [], close: async () => stop.abort("stop") }),
    };
    expect(await createLocalExecutor(leaving).execute(spec, { signal: stop.signal })).toMatchObject(
      { state: "stopped", reason: "cancelled" },
    );
    expect(written.at(-1)).toMatchObject({ type: "run-end" });
  });
});

describe("a durable catalog", () => {
  const memory = (): { once: Once; kept: Map<string, string> } => {
    const kept = new Map<string, string>();
    const once: Once = async (key, work) => {
      if (!kept.has(key)) kept.set(key, JSON.stringify(await work()));
      return JSON.parse(kept.get(key)!) as never;
    };
    return { once, kept };
  };

  test("a run that crashed after its tool ran is executed again and runs the tool once", async () => {
    const log: string[] = [];
    const { once } = memory();
    const written: RecordedFact[] = [];
    const crash = { ...world([call("x")], [appendTool(log)], { written }).catalog };
    const crashing: Catalog = {
      ...crash,
      store: () => ({
        history: [],
        lastSeq: 0,
        close: () => {},
        append: (fact) => {
          if (fact.type === "message" && fact.origin === "tool_results") throw new Error("killed");
          written.push(fact);
        },
      }),
    };
    const first = await createLocalExecutor(durable(crashing, once)).execute(spec, {
      signal: never,
    });
    expect(first.error).toBe("killed");
    expect(log).toEqual(["x"]);
    written.splice(written.findIndex((fact) => fact.type === "run-end"));

    // The second life's model knows only the second reply: the first comes from what was kept.
    const again = world(["done"], [appendTool(log)], { written });
    const second = await createLocalExecutor(durable(again.catalog, once)).execute(spec, {
      signal: never,
    });
    expect(second).toMatchObject({
      state: "completed",
      content: "done",
      metrics: { turns: 2, tool_uses: 1 },
    });
    expect(log).toEqual(["x"]);
    again.model.finish();
    expect(written.map((fact) => fact.seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("a finished run executed again calls neither model nor tool", async () => {
    const log: string[] = [];
    const { once } = memory();
    const first = world([call("x"), "done"], [appendTool(log)]);
    await createLocalExecutor(durable(first.catalog, once)).execute(spec, { signal: never });
    const again = world([], [appendTool(log)], { written: first.written });
    expect(
      await createLocalExecutor(durable(again.catalog, once)).execute(spec, { signal: never }),
    ).toMatchObject({ state: "completed", content: "done" });
    expect(log).toEqual(["x"]);
    again.model.finish();
  });
});
