import { describe, expect, test } from "vitest";
import { aggregateReports } from "../contract/aggregate/aggregate-reports.ts";
import type { VerifiedFinding, VerifiedReport } from "../contract/aggregate/verified-report.ts";
import type { HandoffRequest } from "../contract/handoff/handoff.ts";
import {
  usualPolicy,
  type Delegate,
  type Delivery,
  type FlowPorts,
  type Phase,
  type PhaseRecord,
} from "./flow.ts";
import { parallel } from "./parallel.ts";
import { planSecondLooks } from "./second-looks.ts";
import { sequence } from "./sequence.ts";

const finding = (over: Partial<VerifiedFinding> = {}): VerifiedFinding => ({
  id: "F1",
  title: "The total is rounded twice",
  category: "bug",
  severity: "critical",
  confidence: 90,
  grade: "E3",
  path: "src/a.ts",
  lines: [8, 8],
  line_text: "return round(round(total));",
  symbol: null,
  ...over,
});
const report = (
  agent: string,
  findings: VerifiedFinding[],
  over: Partial<VerifiedReport> = {},
): VerifiedReport => ({
  task_id: `t-${agent}`,
  agent_id: agent,
  agent_type: agent,
  model: null,
  required: true,
  outcome: "SUCCESS",
  decision: "PROCEED",
  trust: "VERIFIED",
  findings,
  assertions: [],
  tests: null,
  issues: [],
  ...over,
});
const nothing = { keys: new Set<string>(), tasks: new Set<string>() };
const plan = (reports: VerifiedReport[], most = 3): ReturnType<typeof planSecondLooks> =>
  planSecondLooks(aggregateReports(reports), nothing, { most });

describe("a second look", () => {
  test.each<[string, Partial<VerifiedFinding>, string[]]>([
    ["one source below E4", {}, ["needs corroboration"]],
    ["one source with E4: it was executed", { grade: "E4" }, []],
    ["a minor one of one source", { severity: "minor" }, []],
    ["a note without a severity", { severity: null }, []],
    [
      "a security finding below E2",
      { category: "security", severity: null, grade: "E1", confidence: 74 },
      ["unverified security claim"],
    ],
    [
      "a security finding that matches the files",
      { category: "security", severity: null, grade: "E2", confidence: 80 },
      [],
    ],
    ["a confidence below 70", { severity: "minor", confidence: 60 }, ["second agent"]],
    [
      "a confidence that only the evidence brings below 70",
      { severity: "minor", confidence: 95, grade: "E0" },
      ["second agent"],
    ],
    ["a confidence of 70", { severity: "minor", confidence: 70 }, []],
    ["nobody's number", { severity: null, confidence: null }, []],
    [
      "everything at once, still one look",
      { category: "sec", grade: "E0", confidence: 30 },
      ["needs corroboration", "unverified security claim", "second agent"],
    ],
  ])("%s", (_name, over, triggers) => {
    expect(plan([report("a", [finding(over)])]).looks.map((look) => look.triggers)).toEqual(
      triggers.length > 0 ? [triggers] : [],
    );
  });

  test("what two agents report needs no third", () => {
    expect(plan([report("a", [finding()]), report("b", [finding()])]).looks).toEqual([]);
  });

  test("the worst come first, one a group, within the flow's share; the rest is counted", () => {
    const many = Array.from({ length: 6 }, (_, index) =>
      finding({
        id: `F${index}`,
        title: `thing ${index}`,
        path: `src/${index}.ts`,
        line_text: `const thing${index} = ${index};`,
        severity: index === 4 ? "critical" : "important",
      }),
    );
    const { looks, left } = plan([report("a", [...many, { ...many[0]!, id: "F9" }])]);
    expect(looks.map((look) => look.finding.title)).toEqual([
      "thing 4",
      expect.any(String),
      expect.any(String),
    ]);
    expect(left).toBe(3);
    expect(plan([report("a", many)], 0)).toEqual({ looks: [], left: 6 });
  });

  test("nothing is looked at twice, whoever leads the group by now", () => {
    const folded = aggregateReports([
      report("a", [finding({ confidence: 40, grade: "E1" })]),
      report("b", [finding({ id: "B1", confidence: 50, grade: "E2" })], { task_id: "look" }),
    ]);
    expect(planSecondLooks(folded, nothing, { most: 3 }).looks).toHaveLength(1);
    expect(
      planSecondLooks(folded, { keys: new Set(["t-a F1"]), tasks: new Set() }, { most: 3 }).looks,
    ).toEqual([]);
    expect(
      planSecondLooks(folded, { keys: new Set(), tasks: new Set(["look"]) }, { most: 3 }).looks,
    ).toEqual([]);
  });

  test.each<[string, string, string[] | undefined, string]>([
    [
      "security",
      "security-scan",
      ["security-auditor", "security-scan", "Explore"],
      "security-auditor",
    ],
    ["security", "security-auditor", ["security-auditor", "security-scan"], "security-scan"],
    ["sec", "x", undefined, "security-scan"],
    ["tests", "x", ["test-runner"], "test-runner"],
    ["bug", "x", ["code-explorer", "Explore"], "code-explorer"],
    ["bug", "x", [], "Explore"],
  ])("%s found by %s goes to a specialist that there is", (category, agent, known, expected) => {
    const { looks } = planSecondLooks(
      aggregateReports([report(agent, [finding({ category })])]),
      nothing,
      { most: 3, knows: known ? (name) => known.includes(name) : undefined },
    );
    expect(looks[0]!.agent).toBe(expected);
  });
});

describe("in a flow", () => {
  const phase = (name: string, agent: string): Phase => ({
    name,
    agent,
    instructions: `do ${name}`,
    expected_output: "structured_findings",
    required: true,
  });
  type World = {
    ports: FlowPorts;
    requests: (HandoffRequest & { agent: string })[];
    records: PhaseRecord[];
    reports: Map<string, VerifiedReport>;
  };

  /** Each agent's findings; one that has none listed fails. */
  function world(
    findings: Record<string, VerifiedFinding[]>,
    more: Partial<FlowPorts> = {},
  ): World {
    const made: Omit<World, "ports"> = { requests: [], records: [], reports: new Map() };
    let ids = 0;
    const delegate: Delegate = async (agent, request) => {
      made.requests.push({ ...request, agent });
      const own = findings[agent];
      if (!own) throw new Error(`${agent} broke`);
      const base: Delivery = {
        task_id: request.task_id,
        agent,
        run_ids: [],
        state: "completed",
        outcome: "SUCCESS",
        response: {
          task_id: request.task_id,
          phase: request.phase,
          status: "complete",
          decision: "PROCEED",
          findings: {},
          context_summary: agent,
          tokens_used: 1,
          issues: [],
        },
        partial: "",
        trust: "VERIFIED",
        verification: null,
      };
      return { ...base, report: report(agent, own, { task_id: request.task_id }) };
    };
    const record: FlowPorts["record"] = (entry, told) => {
      made.records.push(entry);
      if (told) made.reports.set(entry.task_id, told);
    };
    return {
      ...made,
      ports: { delegate, newTaskId: (name) => `${name}-${++ids}`, record, ...more },
    };
  }

  const task = { feature: "login" };
  const chain = [phase("research", "researcher"), phase("write", "writer")];

  test("comes before the phase that would build on it, with the claim as material", async () => {
    const flow = world({
      researcher: [finding()],
      Explore: [finding({ id: "E1", confidence: 80 })],
      writer: [],
    });
    const result = await sequence({ task, phases: chain, ports: flow.ports });
    expect(flow.requests.map(({ agent, phase: name }) => `${name} ${agent}`)).toEqual([
      "research researcher",
      "verify-1 Explore",
      "write writer",
    ]);
    expect(flow.requests[1]!.context).toMatchObject({
      previous_findings: "critical: The total is rounded twice\nPlace: src/a.ts:8",
      relevant_files: ["src/a.ts"],
    });
    expect(flow.requests[1]!.instructions).not.toContain("rounded");
    expect(result).toMatchObject({
      decision: "PROCEED",
      second_looks: [
        {
          agent: "Explore",
          verdict: "confirmed",
          triggers: ["needs corroboration"],
          confidence: { before: 90 },
        },
      ],
      aggregate: { findings: [{ members: [{}, {}] }] },
    });
    expect(result.second_looks[0]!.confidence.after).toBeGreaterThan(90);
    expect(flow.records[1]).toMatchObject({ phase: "verify-1", verifies: "research-1 F1" });
  });

  test.each<[string, VerifiedFinding[] | undefined, string]>([
    ["another finding", [finding({ path: "src/b.ts", line_text: "else" })], "not confirmed"],
    ["nothing", [], "not confirmed"],
    ["a failure", undefined, "failed"],
  ])("%s confirms nothing and stops nothing", async (_name, found, verdict) => {
    const flow = world({
      researcher: [finding()],
      writer: [],
      ...(found ? { Explore: found } : {}),
    });
    const result = await sequence({ task, phases: chain, ports: flow.ports });
    expect(result).toMatchObject({ decision: "PROCEED", second_looks: [{ verdict }] });
    expect(result.warnings).toEqual(
      found ? [] : ["Agent Explore failed, results may be incomplete"],
    );
  });

  test("where the two contradict each other and no evidence decides, a person settles it; once", async () => {
    const findings = {
      researcher: [finding({ grade: "E1", confidence: 74 })],
      Explore: [finding({ title: "No double rounding", grade: "E1", confidence: 74 })],
      writer: [],
    };
    const flow = world(findings);
    const open = await sequence({ task, phases: chain, ports: flow.ports });
    expect(open).toMatchObject({
      decision: "CLARIFY",
      second_looks: [{ verdict: "disputed" }],
      questions: [
        expect.stringMatching(
          /Explore says absent.*researcher says present.*Which of them holds\?/,
        ),
      ],
    });
    const rest = world(findings, { finished: flow.records, reports: flow.reports });
    expect(await sequence({ task, phases: chain, ports: rest.ports })).toMatchObject({
      decision: "PROCEED",
      second_looks: [{ verdict: "disputed" }],
    });
    expect(rest.requests.map(({ agent }) => agent)).toEqual(["writer"]);

    const asked = world(findings, { ask: async () => ["it is rounded once"] });
    expect((await sequence({ task, phases: chain, ports: asked.ports })).decision).toBe("PROCEED");
    expect(asked.requests.at(-1)!.context.constraints).toEqual([
      expect.stringMatching(/Which of them holds\? it is rounded once$/),
    ]);
  });

  test("a break between a phase and its second look loses neither", async () => {
    const findings = { researcher: [finding()], Explore: [finding()], writer: [] };
    const flow = world(findings);
    await sequence({ task, phases: chain, ports: flow.ports });
    for (const [kept, expected] of [
      [1, ["Explore", "writer"]],
      [2, ["writer"]],
      [3, []],
    ] as const) {
      const rest = world(findings, {
        finished: flow.records.slice(0, kept),
        reports: flow.reports,
      });
      expect(await sequence({ task, phases: chain, ports: rest.ports })).toMatchObject({
        decision: "PROCEED",
        second_looks: [{ verdict: "confirmed" }],
      });
      expect(rest.requests.map(({ agent }) => agent)).toEqual(expected);
    }
  });

  test("side by side they come after all checks; zero switches them off", async () => {
    const findings = {
      "type-checker": [],
      "security-scan": [finding({ category: "security", grade: "E1", confidence: 60 })],
      "security-auditor": [finding({ category: "security", grade: "E2", confidence: 80 })],
    };
    const flow = world(findings, { knows: (agent) => agent in findings });
    const phases = [phase("types", "type-checker"), phase("security", "security-scan")];
    expect(await parallel({ task, phases, ports: flow.ports })).toMatchObject({
      decision: "PROCEED",
      phases: [{}, {}, { phase: "verify-1", agent: "security-auditor" }],
      second_looks: [
        {
          verdict: "confirmed",
          triggers: ["needs corroboration", "unverified security claim", "second agent"],
        },
      ],
    });
    const off = world(findings);
    const result = await parallel({
      task,
      phases,
      ports: off.ports,
      policy: { ...usualPolicy, secondLooks: 0 },
    });
    expect(off.requests).toHaveLength(2);
    expect(result).toMatchObject({ second_looks: [], warnings: [] });
  });
});
