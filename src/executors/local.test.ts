import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { RecordedFact } from "../events/event.ts";
import type { Message } from "../model/message.ts";
import { collectEvents } from "../testing/event-collector.ts";
import { scriptedModel, type ScriptLine } from "../testing/scripted-model.ts";
import { defineZodTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import type { Catalog, RunStore } from "./catalog.ts";
import type { Watch } from "./executor.ts";
import { interruptedText } from "../transcripts/reading/normalize-messages.ts";
import { createDurableExecutor, createLocalExecutor } from "./local.ts";
import { detachedReason } from "../loop/ports.ts";
import { MemoryJournal, type Crash } from "../../test/support/memory-journal.ts";
import { noJudgedPath } from "../tool/tool.ts";
import { runSpec } from "../../test/support/run-spec.ts";
import type { RunSpec } from "../events/run-spec.ts";

const spec = runSpec({
  runId: "run-1",
  session: { id: "s" },
  agentType: "tester",
  place: { cwd: "/" },
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

const because = { judgedPath: noJudgedPath, layer: "allow", reason: "test" };

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
    gate: () => ({
      judge: (call) => ({ call, behavior: "allow", ...because }),
      ask: async () => ({}),
      conclude: () => ({ behavior: "allow", ...because }),
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

const call = (text: string, id?: string): ScriptLine => ({
  tools: [{ name: "Append", input: { text }, ...(id === undefined ? {} : { id }) }],
});
const never = new AbortController().signal;

describe("the local executor", () => {
  test("reaches a run by its address while it runs it, and no other", async () => {
    const { catalog } = world([{ text: "late" }], []);
    const stop = new AbortController();
    const heard: string[] = [];
    const executor = createLocalExecutor({
      ...catalog,
      model: (of) => ({
        ...catalog.model(of),
        async send(request, options) {
          expect(executor.send(spec, "one more thing")).toBe(true);
          expect(executor.send({ ...spec, runId: "run-2" }, "not you")).toBe(false);
          expect(executor.stop(spec)).toBe(true);
          return catalog.model(of).send(request, options);
        },
      }),
    });
    const held = {
      abort: () => stop.abort("stop"),
      receive: (message: string) => void heard.push(message),
      takeMessages: () => heard,
    };
    const outcome = await executor.execute(spec, { signal: stop.signal, held });
    expect(outcome).toMatchObject({ state: "stopped", reason: "cancelled" });
    expect(heard).toEqual(["one more thing"]);
    expect([executor.stop(spec), executor.send(spec, "too late")]).toEqual([false, false]);
  });

  test("lets a message wait behind messages where nobody hears it, and settles before a request", async () => {
    const look: Tool = { ...appendTool([]), name: "Look", readOnly: true };
    const use = (name: string): ScriptLine => ({ tools: [{ name, input: { text: "x" } }] });
    const waited = async (more: Partial<Watch>, make = createLocalExecutor): Promise<string> => {
      const { catalog, model } = world(
        [use("Look"), use("Append"), use("Look"), "done"],
        [look, appendTool([])],
      );
      const seen: string[] = [];
      const executor = make({
        ...catalog,
        journal: () => new MemoryJournal().open(),
        model: () => ({
          ...model,
          send(request, options) {
            options.beforeRequest?.();
            return model.send(request, options);
          },
        }),
        store: (of) => ({
          ...(catalog.store(of) as RunStore),
          append: (fact, mayWait) =>
            void seen.push(`${mayWait ? "~" : ""}${fact.type === "message" ? "m" : fact.type[0]}`),
          settle: () => void seen.push("|"),
        }),
      });
      const outcome = await executor.execute(spec, { signal: never, ...more });
      expect(outcome).toMatchObject({ state: "completed" });
      return seen.join("");
    };
    const onEvent = (): void => undefined;
    // Start, prompt, look, append with its decision and result, look, answer, end.
    const quiet = "rm|~m~m|~mpm|~m~m|~mr";
    expect(await waited({})).toBe(quiet);
    expect(await waited({ onEvent, isHeard: () => false })).toBe(quiet);
    expect(await waited({ onEvent, isHeard: () => true })).toBe(quiet.replaceAll("~", ""));
    expect(await waited({ onEvent })).toBe(quiet.replaceAll("~", ""));
    expect(await waited({}, createDurableExecutor)).toBe(quiet.replaceAll(/[~|]/g, ""));
  });

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
      { ...spec, startedAt: Date.now(), limits: { maxTurns: 3, timeoutMs: 30 } },
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

  test("its deadline does not begin anew: it counts from when the run was settled", async () => {
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
    const began = performance.now();
    const outcome = await createLocalExecutor(stuck).execute(
      { ...spec, startedAt: Date.now() - spec.limits.timeoutMs + 30 },
      { signal: never },
    );
    expect(outcome).toMatchObject({ state: "failed", reason: "timeout" });
    expect(performance.now() - began).toBeLessThan(spec.limits.timeoutMs / 2);
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

describe("the durable executor", () => {
  const calls = [call("x", "t1"), call("y", "t2"), "done"];

  /** One process: it lives until its crash, or to the end of the run. */
  const live = async (
    past: { journal: MemoryJournal; written: RecordedFact[] },
    script: ScriptLine[],
    { log, crash }: { log: string[]; crash?: Omit<Crash, "die"> },
  ) => {
    const process = new AbortController();
    const { catalog, model } = world(script, [appendTool(log)], { written: past.written });
    const journal = past.journal.open(
      crash && { ...crash, die: () => process.abort(detachedReason) },
    );
    const outcome = await createDurableExecutor({ ...catalog, journal: () => journal }).execute(
      spec,
      { signal: process.signal },
    );
    return { outcome, model };
  };

  test("without a journal it says what it needs", () => {
    expect(() => createDurableExecutor(world([], []).catalog)).toThrow("journal");
  });

  test("dead at any step, it goes on in another process: no reply is asked for twice, no call runs twice, and the facts are the same", async () => {
    const whole = { journal: new MemoryJournal(), written: [] as RecordedFact[] };
    await live(whole, calls, { log: [] });
    const story = whole.written.map(({ type }) => type);
    const steps = whole.journal.kept.size;
    expect(steps).toBeGreaterThan(8);
    for (let at = 1; at <= steps; at++)
      for (const when of ["before", "after"] as const) {
        const past = { journal: new MemoryJournal(), written: [] as RecordedFact[] };
        const log: string[] = [];
        const first = await live(past, calls, { log, crash: { at, when } });
        expect(first.outcome).toMatchObject({ state: "stopped", reason: "moved" });
        expect(past.journal.isOver).toBe(false);
        const asked = first.model.requests.length;
        const replies = [...past.journal.kept.keys()].filter((key) => key.startsWith("reply/"));
        const { outcome } = await live(past, calls.slice(replies.length), { log });
        expect(outcome).toMatchObject({ state: "completed", content: "done" });
        // Only a reply that no process could keep is asked for again.
        expect(asked - replies.length).toBeLessThanOrEqual(1);
        expect(new Set(log).size).toBe(log.length);
        expect(past.written.map(({ seq }) => seq)).toEqual(
          past.written.map((_, index) => index + 1),
        );
        const told = past.written.map(({ type }) => type).filter((type) => type !== "interruption");
        expect(told).toEqual(story);
        expect(past.journal.isOver).toBe(true);
      }
  });

  test("a finished run executed again calls neither model nor tool", async () => {
    const log: string[] = [];
    const past = { journal: new MemoryJournal(), written: [] as RecordedFact[] };
    await live(past, calls, { log });
    const { outcome, model } = await live(past, [], { log });
    expect(outcome).toMatchObject({ state: "completed", content: "done" });
    expect(log).toEqual(["x", "y"]);
    model.finish();
  });

  test("a journal that lost its end against the transcript repeats nothing and is dropped", async () => {
    const log: string[] = [];
    const past = { journal: new MemoryJournal(), written: [] as RecordedFact[] };
    await live(past, calls, { log, crash: { at: 9, when: "after" } });
    const facts = past.written.length;
    for (const key of [...past.journal.kept.keys()].slice(4)) past.journal.kept.delete(key);
    const { outcome, model } = await live(past, ["another"], { log });
    expect(outcome).toMatchObject({ state: "failed", error: expect.stringContaining("journal") });
    expect(model.requests).toEqual([]);
    expect(past.written).toHaveLength(facts);
    expect(past.journal.isOver).toBe(true);
  });
});
