import { describe, expect, test } from "vitest";
import type { HandoffRequest, HandoffResponse } from "../contract/handoff/handoff.ts";
import { branch } from "./branch.ts";
import type { Delegate, Delivery, FlowPorts, Phase, PhaseRecord } from "./flow.ts";
import { parallel } from "./parallel.ts";
import { sequence } from "./sequence.ts";

type Answer =
  | (Partial<HandoffResponse> & { outcome?: Delivery["outcome"] })
  | { lost: string; partial?: string }
  | Error;

const phase = (name: string, agent: string, more: Partial<Phase> = {}): Phase => ({
  name,
  agent,
  instructions: `do ${name}`,
  expected_output: "structured_findings",
  required: true,
  ...more,
});
const phases = [
  phase("research", "researcher"),
  phase("write", "writer", { expected_output: "files_changed" }),
  phase("validate", "validator", { repairs: "write" }),
];
const task = { feature: "login" };

type World = {
  ports: FlowPorts;
  requests: (HandoffRequest & { agent: string })[];
  records: PhaseRecord[];
};

/** Answers by agent, in order; the last one again and again. */
function world(answers: Record<string, Answer[]>, more: Partial<FlowPorts> = {}): World {
  const requests: World["requests"] = [];
  const records: PhaseRecord[] = [];
  let ids = 0;
  const delegate: Delegate = async (agent, request) => {
    requests.push({ ...request, agent });
    const list = answers[agent] ?? [];
    const answer = list.length > 1 ? list.shift()! : list[0]!;
    if (answer instanceof Error) throw answer;
    const base: Delivery = {
      task_id: request.task_id,
      agent,
      run_ids: [`r${requests.length}`],
      state: "completed",
      outcome: "SUCCESS",
      response: null,
      partial: "",
      trust: "VERIFIED",
      verification: null,
    };
    if ("lost" in answer)
      return {
        ...base,
        state: "failed",
        reason: answer.lost,
        outcome: "INVALID",
        partial: answer.partial ?? "",
      };
    const { outcome = "SUCCESS", ...given } = answer;
    return {
      ...base,
      outcome,
      response: {
        task_id: request.task_id,
        phase: request.phase,
        status: "complete",
        decision: "PROCEED",
        // The contract asks a validation for its checks.
        findings: agent === "validator" ? { checks: { tests: { passed: true } } } : {},
        context_summary: `${agent} is done`,
        tokens_used: 1,
        issues: [],
        ...given,
      },
    };
  };
  return {
    requests,
    records,
    ports: {
      delegate,
      newTaskId: (name) => `${name}-${++ids}`,
      record: (entry) => void records.push(entry),
      ...more,
    },
  };
}

const agents = ({ requests }: World): string[] => requests.map(({ agent }) => agent);

describe("a sequence", () => {
  test("gives each phase the summary of the one before and nothing else of it", async () => {
    const flow = world({
      researcher: [
        { context_summary: "JWT lives in auth.ts", findings: { raw: "x".repeat(9_000) } },
      ],
      writer: [{ findings: { files_changed: ["src/a.ts", { path: "src/b.ts" }] } }],
      validator: [{}],
    });
    const result = await sequence({ task, phases, ports: flow.ports });
    expect(result).toMatchObject({ decision: "PROCEED", warnings: [] });
    expect(flow.requests[1]!.context).toEqual({
      feature: "login",
      spec_path: null,
      relevant_files: [],
      constraints: [],
      previous_findings: "JWT lives in auth.ts",
    });
    expect(flow.requests[2]!.context).toMatchObject({
      relevant_files: ["src/a.ts", "src/b.ts"],
      previous_findings: "writer is done",
    });
    expect(flow.records.map(({ phase: name, status }) => [name, status])).toEqual([
      ["research", "done"],
      ["write", "done"],
      ["validate", "done"],
    ]);
  });

  test("STOP halts with the reason and a way out", async () => {
    const flow = world({ researcher: [{ decision: "STOP", reason: "it exists already" }] });
    expect(await sequence({ task, phases, ports: flow.ports })).toMatchObject({
      decision: "STOP",
      reason: "it exists already",
      suggestion: expect.any(String),
    });
    expect(agents(flow)).toEqual(["researcher"]);
  });

  test("CLARIFY asks, and runs the agent again with the answers as constraints", async () => {
    const flow = world(
      {
        researcher: [{ decision: "CLARIFY", questions: ["Which provider?"] }, {}],
        writer: [{}],
        validator: [{}],
      },
      { ask: async () => ["Google"] },
    );
    expect((await sequence({ task, phases, ports: flow.ports })).decision).toBe("PROCEED");
    expect(flow.requests[1]!.context.constraints).toEqual(["Which provider? Google"]);
    expect(flow.requests[1]!.task_id).toBe(flow.requests[0]!.task_id);
  });

  test("CLARIFY without anyone to ask stops with the questions", async () => {
    const flow = world({ researcher: [{ decision: "CLARIFY", questions: ["Which provider?"] }] });
    expect(await sequence({ task, phases, ports: flow.ports })).toMatchObject({
      decision: "CLARIFY",
      questions: ["Which provider?"],
    });
  });

  test.each(["timeout", "lost", "empty", "overflow", "error"])(
    "a required agent that ends by %s is tried once more with a smaller task",
    async (reason) => {
      const flow = world({
        researcher: [{ lost: reason, partial: "half of it" }, {}],
        writer: [{}],
        validator: [{}],
      });
      const result = await sequence({
        task: { ...task, relevant_files: ["1", "2", "3", "4", "5"] },
        phases,
        ports: flow.ports,
      });
      expect(result.decision).toBe("PROCEED");
      expect(flow.requests[1]!.context.relevant_files).toHaveLength(3);
      expect(flow.requests[1]!.instructions).toContain("did not finish");
      expect(flow.records[0]!.run_ids).toEqual(["r1", "r2"]);
    },
  );

  test.each(["FAILED", "INVALID"] as const)(
    "a required agent whose outcome is %s is tried once more with a smaller task",
    async (outcome) => {
      const flow = world({
        researcher: [{ outcome, status: "blocked", decision: "STOP" }, {}],
        writer: [{}],
        validator: [{}],
      });
      expect((await sequence({ task, phases, ports: flow.ports })).decision).toBe("PROCEED");
      expect(flow.requests[1]!.instructions).toContain("did not finish");
      expect(flow.records[0]!.run_ids).toEqual(["r1", "r2"]);
    },
  );

  test("what is not recoverable is not tried again; it and its blockers reach the person", async () => {
    const asked: string[] = [];
    const flow = world(
      {
        researcher: [
          {
            outcome: "FAILED",
            status: "blocked",
            decision: "STOP",
            blockers: [{ description: "no access to the registry", resolution: "a token" }],
            error: { type: "Denied", message: "403", occurredAt: "step 1", recoverable: false },
            context_summary: "half of it",
          },
        ],
      },
      { ask: async (questions) => (asked.push(...questions), [""]) },
    );
    const result = await sequence({ task, phases, ports: flow.ports });
    expect(agents(flow)).toEqual(["researcher"]);
    expect(asked).toEqual([
      expect.stringMatching(/^researcher failed \(Denied: 403 at step 1\)\. It left: half of it/),
    ]);
    expect(result).toMatchObject({
      decision: "STOP",
      suggestion: expect.stringContaining("no access to the registry (what is needed: a token)"),
      phases: [
        {
          blockers: [{ description: "no access to the registry", resolution: "a token" }],
          error: { recoverable: false },
        },
      ],
    });
  });

  test("a validator that calls itself failed because a check failed is not tried again", async () => {
    const failing: Answer = {
      outcome: "FAILED",
      decision: "STOP",
      findings: { checks: { tests: { passed: false } } },
    };
    const flow = world({ researcher: [{}], writer: [{}], validator: [failing, {}] });
    expect((await sequence({ task, phases, ports: flow.ports })).decision).toBe("PROCEED");
    expect(agents(flow)).toEqual(["researcher", "writer", "validator", "writer", "validator"]);
  });

  test("CLARIFY without questions asks with its reason, or with what blocks it", async () => {
    const asked: string[] = [];
    const ask: FlowPorts["ask"] = async (questions) => (asked.push(...questions), ["Google"]);
    const flow = world(
      {
        researcher: [
          { decision: "CLARIFY", reason: "two providers fit" },
          {
            decision: "CLARIFY",
            blockers: [{ description: "no key", resolution: "a key of Google" }],
          },
          {},
        ],
        writer: [{}],
        validator: [{}],
      },
      { ask },
    );
    expect((await sequence({ task, phases, ports: flow.ports })).decision).toBe("PROCEED");
    expect(asked).toEqual([
      "researcher cannot go on: two providers fit. What should it do?",
      "researcher cannot go on: no key (what is needed: a key of Google). What should it do?",
    ]);
  });

  test("after two failed repairs a person is asked with what there is, and a hint makes one more", async () => {
    const failing: Answer = {
      decision: "STOP",
      issues: ["tests: 1 failed"],
      findings: { checks: { tests: { passed: false } } },
    };
    const asked: string[] = [];
    const ask: FlowPorts["ask"] = async (questions) => (asked.push(...questions), ["use a map"]);
    const flow = world(
      {
        researcher: [{}],
        writer: [{ context_summary: "tried a list" }],
        validator: [failing, failing, failing, {}],
      },
      { ask },
    );
    expect((await sequence({ task, phases, ports: flow.ports })).decision).toBe("PROCEED");
    expect(asked).toEqual([
      expect.stringMatching(
        /^validate still fails after 2 repairs by writer: tests: 1 failed\. writer said last: tried a list/,
      ),
    ]);
    expect(flow.requests.at(-2)!.context.constraints).toContain("use a map");
    const again = world({ validator: [{}] }, { finished: flow.records.slice(0, -1) });
    const resumed = await sequence({ task, phases, ports: again.ports });
    expect(resumed).toMatchObject({ decision: "PROCEED", warnings: [] });
    expect(agents(again), "the round that a person asked for is on record").toEqual(["validator"]);
    const silent = world(
      { researcher: [{}], writer: [{}], validator: [failing] },
      { ask: async () => undefined },
    );
    expect(await sequence({ task, phases, ports: silent.ports })).toMatchObject({
      decision: "STOP",
      suggestion: expect.stringMatching(/tests: 1 failed.*write could not repair them/),
    });
  });

  test("a second loss ends the flow with what there is", async () => {
    const flow = world({ researcher: [{ lost: "timeout", partial: "half of it" }] });
    expect(await sequence({ task, phases, ports: flow.ports })).toMatchObject({
      decision: "STOP",
      reason: expect.stringContaining("timeout"),
      suggestion: expect.stringContaining("research failed and was tried again (timeout)"),
      phases: [{ context_summary: "half of it", status: "failed" }],
    });
    expect(flow.requests).toHaveLength(2);
  });

  test("a flow that a person stopped says so, and does not ask for a smaller task", async () => {
    const flow = world({ researcher: [{ lost: "cancelled" }] });
    const result = await sequence({ task, phases, ports: flow.ports });
    expect(result).toMatchObject({
      decision: "STOP",
      reason: "researcher was stopped",
      suggestion: expect.stringContaining("resume"),
    });
    expect(flow.requests).toHaveLength(1);
  });

  test("an optional agent's failure is a warning and the flow goes on", async () => {
    const flow = world({ scout: [{ lost: "timeout" }], writer: [{}] });
    const result = await sequence({
      task,
      phases: [phase("scout", "scout", { required: false }), phase("write", "writer")],
      ports: flow.ports,
    });
    expect(result).toMatchObject({
      decision: "PROCEED",
      warnings: ["Agent scout failed, results may be incomplete"],
    });
  });

  test("a failed validation sends the writer back with the failures, twice, then it is a person's turn", async () => {
    const failing: Answer = {
      decision: "STOP",
      issues: ["tests: 1 failed"],
      findings: { checks: { tests: { passed: false } } },
    };
    const fixed = world({ researcher: [{}], writer: [{}], validator: [failing, failing, {}] });
    expect((await sequence({ task, phases, ports: fixed.ports })).decision).toBe("PROCEED");
    expect(agents(fixed)).toEqual([
      "researcher",
      "writer",
      "validator",
      "writer",
      "validator",
      "writer",
      "validator",
    ]);
    expect(fixed.requests[3]!.context.constraints.join(" ")).toContain("tests: 1 failed");

    const never = world({ researcher: [{}], writer: [{}], validator: [failing] });
    expect(await sequence({ task, phases, ports: never.ports })).toMatchObject({
      decision: "STOP",
      reason: "tests: 1 failed",
      suggestion: expect.stringContaining("could not repair"),
    });
    expect(agents(never).filter((agent) => agent === "writer")).toHaveLength(3);
  });

  test("a no at the confirmation stops before the next phase", async () => {
    const flow = world({ researcher: [{}] }, { confirm: async () => false });
    expect(await sequence({ task, phases, ports: flow.ports })).toMatchObject({
      decision: "STOP",
      reason: expect.stringContaining("a person stopped"),
    });
    expect(agents(flow)).toEqual(["researcher"]);
  });

  test("what an earlier life has finished is not run again", async () => {
    const first = world({
      researcher: [{ context_summary: "known" }],
      writer: [new Error("killed")],
    });
    await expect(sequence({ task, phases, ports: first.ports })).rejects.toThrow("killed");
    const second = world({ writer: [{}], validator: [{}] }, { finished: first.records });
    expect((await sequence({ task, phases, ports: second.ports })).decision).toBe("PROCEED");
    expect(agents(second)).toEqual(["writer", "validator"]);
    expect(second.requests[0]!.context.previous_findings).toBe("known");
  });
});

describe("a sequence that goes on from its record", () => {
  const failing: Answer = { decision: "STOP", issues: ["tests: 1 failed"] };
  const script = (): Record<string, Answer[]> => ({
    researcher: [{ context_summary: "known" }],
    writer: [{ context_summary: "one" }, { context_summary: "two" }, { context_summary: "three" }],
    validator: [failing, failing, {}],
  });

  /** The whole flow, and then only what is left of it after its first `kept` records. */
  async function cut(
    kept: (records: PhaseRecord[]) => PhaseRecord[],
  ): Promise<{ whole: World; rest: World; result: Awaited<ReturnType<typeof sequence>> }> {
    const whole = world(script());
    await sequence({ task, phases, ports: whole.ports });
    const finished = kept(whole.records);
    const left = script();
    for (const { agent } of whole.records.slice(0, whole.records.indexOf(finished.at(-1)!) + 1))
      left[agent]!.shift();
    const rest = world(left, { finished });
    return { whole, rest, result: await sequence({ task, phases, ports: rest.ports }) };
  }

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    "after %i records the rest is run, with the same requests as without a break",
    async (kept) => {
      const { whole, rest, result } = await cut((records) => records.slice(0, kept));
      expect(result.decision).toBe("PROCEED");
      expect(result.phases).toHaveLength(7);
      const plain = ({ requests }: World): unknown[] =>
        requests.map(({ task_id: _id, ...request }) => request);
      expect(plain(rest)).toEqual(plain(whole).slice(kept));
    },
  );

  test.each([
    ["research", 0],
    ["the first write", 1],
    ["the first validation", 2],
    ["the second write", 3],
  ])(
    "a record of %s that cannot be read is named, and nothing is run again for it",
    async (_name, lost) => {
      const { rest, result } = await cut((records) =>
        records.filter((_entry, index) => index !== lost && index < 6),
      );
      expect(result.decision).toBe("PROCEED");
      expect(agents(rest)).toEqual(["validator"]);
      expect(result.warnings).toEqual([expect.stringContaining("cannot be read")]);
    },
  );

  test("the rounds of repair are counted across the break; what had ended the flow is run again, with rounds of its own", async () => {
    const first = world({ researcher: [{}], writer: [{}], validator: [failing] });
    expect((await sequence({ task, phases, ports: first.ports })).decision).toBe("STOP");
    const broken = world(
      { writer: [{}], validator: [failing] },
      { finished: first.records.slice(0, 5) },
    );
    await sequence({ task, phases, ports: broken.ports });
    expect(agents(broken)).toEqual(["writer", "validator"]);
    const again = world({ writer: [{}], validator: [failing] }, { finished: first.records });
    expect((await sequence({ task, phases, ports: again.ports })).decision).toBe("STOP");
    expect(agents(again)).toEqual(["validator", "writer", "validator", "writer", "validator"]);
  });
});

describe("parallel", () => {
  const checks = ["types", "lint", "tests", "security"].map((name) =>
    phase(name, `${name}-checker`),
  );

  test("keeps every result when one throws and one runs out of time", async () => {
    const flow = world({
      "types-checker": [{}],
      "lint-checker": [new Error("no linter")],
      "tests-checker": [{ lost: "timeout" }],
      "security-checker": [{ findings: { ok: 1 } }],
    });
    const result = await parallel({ task, phases: checks, ports: flow.ports });
    expect(result.decision).toBe("STOP");
    expect(Object.values(result.checks).map((check) => check.decision)).toEqual([
      "PROCEED",
      "STOP",
      "STOP",
      "PROCEED",
    ]);
    expect(result.issues).toEqual([
      "lint-checker: no linter",
      "tests-checker: gave no usable answer (timeout)",
    ]);
    expect(new Set(Object.keys(result.checks)).size).toBe(4);
  });

  test("what is on record is not run again and loses nothing, the failed ones included", async () => {
    const first = world({
      "types-checker": [{}],
      "lint-checker": [{ decision: "STOP", issues: ["lint: 2 errors"] }],
      "tests-checker": [{ decision: "CLARIFY", questions: ["Which?"] }],
    });
    await parallel({ task, phases: checks.slice(0, 3), ports: first.ports });
    const second = world({ "security-checker": [{}] }, { finished: first.records });
    const result = await parallel({ task, phases: checks, ports: second.ports });
    expect(agents(second)).toEqual(["security-checker"]);
    expect(result).toMatchObject({
      decision: "STOP",
      issues: ["lint: 2 errors"],
      questions: ["Which?"],
    });
  });

  test("runs side by side, within its bound", async () => {
    let running = 0;
    let most = 0;
    const flow = world({});
    const delegate: Delegate = async (agent, request) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      return {
        task_id: request.task_id,
        agent,
        run_ids: [],
        state: "completed",
        outcome: "SUCCESS",
        partial: "",
        trust: "VERIFIED",
        verification: null,
        response: {
          task_id: request.task_id,
          phase: request.phase,
          status: "complete",
          decision: "PROCEED",
          findings: {},
          context_summary: "",
          tokens_used: 0,
          issues: [],
        },
      };
    };
    await parallel({ task, phases: checks, ports: { ...flow.ports, delegate }, maxConcurrent: 3 });
    expect(most).toBe(3);
  });
});

describe("a branch", () => {
  const paths = { simple: [phase("write", "quick-writer")], complex: phases };
  const analyzer = phase("analyze", "analyzer");

  test.each([
    ["simple", ["analyzer", "quick-writer"]],
    ["complex", ["analyzer", "researcher", "writer", "validator"]],
    ["unreadable", ["analyzer", "researcher", "writer", "validator"]],
  ])("%s takes its way", async (complexity, expected) => {
    const flow = world({
      analyzer: [{ findings: { complexity } }],
      "quick-writer": [{}],
      researcher: [{}],
      writer: [{}],
      validator: [{}],
    });
    expect((await branch({ task, analyzer, paths, ports: flow.ports })).decision).toBe("PROCEED");
    expect(agents(flow)).toEqual(expected);
  });

  test("an analysis that had questions is made again", async () => {
    const first = world({ analyzer: [{ decision: "CLARIFY", questions: ["How?"] }] });
    expect((await branch({ task, analyzer, paths, ports: first.ports })).decision).toBe("CLARIFY");
    const second = world(
      { analyzer: [{ findings: { complexity: "simple" } }], "quick-writer": [{}] },
      { finished: first.records },
    );
    expect((await branch({ task, analyzer, paths, ports: second.ports })).path).toBe("simple");
    expect(agents(second)).toEqual(["analyzer", "quick-writer"]);
  });

  test("remembers the way it chose", async () => {
    const first = world({
      analyzer: [{ findings: { complexity: "simple" } }],
      "quick-writer": [new Error("killed")],
    });
    await expect(branch({ task, analyzer, paths, ports: first.ports })).rejects.toThrow("killed");
    const second = world({ "quick-writer": [{}] }, { finished: first.records });
    expect((await branch({ task, analyzer, paths, ports: second.ports })).path).toBe("simple");
    expect(agents(second)).toEqual(["quick-writer"]);
  });
});
