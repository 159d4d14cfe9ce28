// Every attack row that rules, paths, profiles and static network checks must stop, one named test
// each; nothing is left out silently.
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { factsNear } from "../src/base/files/path-facts.ts";
import { answerCase, readCase, type CheckAnswer } from "../src/permissions/read-case.ts";
import { decide } from "../src/permissions/decide.ts";
import { mayRead } from "../src/permissions/may-read.ts";
import { cpuMs } from "../src/testing/cpu-ms.ts";
import { childMode } from "../src/permissions/mode.ts";
import {
  applyTools,
  createPolicy,
  underParent,
  type FactsOf,
  type Policy,
} from "../src/permissions/policy.ts";
import {
  accepted,
  attackRows,
  createPlace,
  elsewhere,
  fillRow,
  setUp,
  type AttackRow,
  type Place,
} from "./attack-rows.ts";
import { expectGenerated } from "./generated-doc.ts";

const layers = new Set(["rules", "path", "profile", "net", "path+sandbox", "sandbox"]);
const rows = attackRows.filter((row) => layers.has(row.layer));

/** Rows decided here whose `assert` speaks of what comes after the decision. */
const assertedElsewhere: Record<string, RegExp> = {
  tools: /^(?:PATH-SPEC-\d+|SEAR-LEAK-01[1234]|WEBF-REDI-010)$/,
  mcp: /^MCP-(?:ISOL|DOS)-\d+$/,
  manager: /^(?:TASK-LIMI-003|TASK-RESU-\d+|TASK-BACK-00[13])$/,
};
const whereIn = (table: Record<string, RegExp>, { id }: AttackRow): string | undefined =>
  Object.keys(table).find((place) => table[place]!.test(id));
const judged = rows.filter((row) => whereIn(elsewhere, row) === undefined);

const agents = [
  "general-purpose",
  "worker",
  "writer",
  "researcher",
  "reviewer",
  "evil",
  "ro",
  "Explore",
  "Explorer",
];
const places: Place[] = [];
afterAll(() => places.forEach((place) => place.remove()));

type Arranged = {
  row: AttackRow;
  place: Place;
  facts: FactsOf;
  policy: Policy;
  answer: CheckAnswer;
};

function arrange(given: AttackRow): Arranged {
  const place = createPlace();
  places.push(place);
  const row = fillRow(given, place);
  setUp(row, place);
  const facts: FactsOf = (path, folder) =>
    factsNear(path, { cwd: place.ws, home: place.home, folder });
  const mcp = {
    changed:
      row.context?.["mcp_config_hash_changed"] === true ||
      row.context?.["tool_schema_hash_changed"] === true,
  };
  const read = readCase(
    { ...row, cwd: place.ws, home: place.home, agents, mcp },
    { protectedPaths: [], cwd: "/", home: "/" },
  );
  if (!read.ok) throw new Error(read.problem);
  return { row, place, facts, policy: read.policy, answer: answerCase(read, facts) };
}

const answers = new Map<string, Arranged>();
beforeAll(() => {
  for (const row of judged) answers.set(row.id, arrange(row));
});
const answerOf = (row: AttackRow): CheckAnswer => answers.get(row.id)!.answer;
const isWrongAllow = (row: AttackRow): boolean =>
  answerOf(row).decision === "allow" && !accepted(row).includes("allow");

describe("attack rows", () => {
  test.each(judged.map((row) => [row.id, row.class, row] as const))("%s %s", (_id, _class, row) => {
    const { decision, layer, reason } = answerOf(row);
    const said = `${row.tool} ${JSON.stringify(row.input).slice(0, 300)}: ${decision} (${layer}: ${reason})`;
    // The parser stops it, or else the sandbox does when it runs: asking is an answer too.
    const allowed = row.layer === "path+sandbox" ? [...accepted(row), "ask"] : accepted(row);
    expect(allowed, said).toContain(decision);
  });

  test.each(
    judged.flatMap((row) => (row.variants ?? []).map((variant) => [row.id, variant, row] as const)),
  )("%s as %s", (_id, variant, row) => {
    expect(
      arrange({ ...row, input: { ...row.input, subagent_type: variant } }).answer.decision,
    ).toBe(row.expected);
  });

  test("every row is judged here or named as handled elsewhere, and so is every assertion", () => {
    expect(judged.length + rows.filter((row) => whereIn(elsewhere, row)).length).toBe(rows.length);
    const asserted =
      /^(?:PATH-TRAV-01[02]|PATH-SYML-01[12]|SEAR-LEAK-00[145]|RULE-SEMA-01[67]|TASK-CONF-00[234567])$/;
    expect(
      judged
        .filter((row) => row.assert && !asserted.test(row.id) && !whereIn(assertedElsewhere, row))
        .map((row) => row.id),
    ).toEqual([]);
  });

  test("no attack is allowed, and at most 3 % of legitimate calls are held up", () => {
    expect(judged.filter(isWrongAllow).map((row) => row.id)).toEqual([]);
    const legit = judged.filter((row) => row.legit);
    const held = legit.filter((row) => answerOf(row).decision !== "allow");
    expect(held.length / legit.length, held.map((row) => row.id).join(", ")).toBeLessThanOrEqual(
      0.03,
    );
  });
});

describe("what the rows assert", () => {
  const named = (pattern: RegExp): Arranged[] =>
    judged.filter((row) => pattern.test(row.id)).map((row) => answers.get(row.id)!);

  test("PATH-TRAV: what is read lies in the workspace", () => {
    for (const { row, place, facts, answer } of named(/^PATH-TRAV-01[02]$/)) {
      if (answer.decision === "allow")
        expect(facts(String(row.input["file_path"])).real.startsWith(`${place.ws}/`), row.id).toBe(
          true,
        );
    }
  });

  test("PATH-SYML and SEAR-LEAK: a search shows nothing from outside and no denied file", () => {
    for (const { row, place, facts, policy } of named(/^(?:PATH-SYML-01[12]|SEAR-LEAK-00[145])$/)) {
      const filter = mayRead(policy, facts);
      const visible = everyFile(place.ws).filter((file) => filter(file));
      expect(visible.length, row.id).toBeGreaterThan(0);
      for (const file of visible)
        expect(
          realpathSync(file).startsWith(`${place.ws}/`) && !file.endsWith(".env"),
          `${row.id}: ${file}`,
        ).toBe(true);
    }
  });

  test("RULE-SEMA: a mistyped deny rule is reported", () => {
    for (const { answer } of named(/^RULE-SEMA-01[67]$/))
      expect(answer.reason).toMatch(/can never match/);
  });

  const workspace = { cwd: "/w", home: "/h" };
  const facts: FactsOf = (path) => ({ real: path, exists: false, kind: "absent" });
  const child = (parent: Policy, own: Partial<Policy> = {}, tools?: string[]): Policy =>
    applyTools(underParent(createPolicy({ workspace, ...own }), parent), { tools });
  const parentOf = (id: string): Policy => answers.get(id)!.policy;
  const denied = (tool: string, input: Record<string, unknown>, policy: Policy): boolean =>
    decide({ tool, input }, policy, facts).behavior === "deny";

  test("TASK-CONF-002: a widening definition from an untrusted folder runs in the parent's mode, and that is reported", () => {
    expect(
      childMode({
        parent: "default",
        definition: "bypassPermissions",
        trusted: false,
        viaTool: true,
      }),
    ).toMatchObject({ ok: true, mode: "default", note: expect.stringMatching(/not trusted/) });
  });
  test("TASK-CONF-003: below bypassPermissions the child's tools still bind", () => {
    expect(
      denied(
        "Write",
        { file_path: "/w/a" },
        child(parentOf("TASK-CONF-003"), { mode: "bypassPermissions" }, ["Read"]),
      ),
    ).toBe(true);
  });
  test("TASK-CONF-004: below plan the child writes nothing", () => {
    const mode = childMode({ parent: "plan", trusted: false, viaTool: true });
    const policy = child(parentOf("TASK-CONF-004"), { mode: mode.ok ? mode.mode : "plan" }, [
      "Write",
      "Edit",
      "Bash",
    ]);
    for (const [tool, input] of [
      ["Write", { file_path: "/w/a" }],
      ["Edit", { file_path: "/w/a" }],
      ["Bash", { command: "touch a" }],
    ] as const)
      expect(denied(tool, input, policy)).toBe(true);
  });
  test("TASK-CONF-005: the child has the parent's rules", () => {
    expect(
      denied(
        "Bash",
        { command: "rm x" },
        child(parentOf("TASK-CONF-005"), { mode: "bypassPermissions" }),
      ),
    ).toBe(true);
  });
  test("TASK-CONF-006: the child's own denials hold whatever the caller may do", () => {
    expect(
      denied(
        "Bash",
        { command: "ls" },
        child(parentOf("TASK-CONF-006"), {
          mode: "bypassPermissions",
          rules: { allow: ["Bash(*)"], ask: [], deny: ["*"] },
        }),
      ),
    ).toBe(true);
  });
  test("TASK-CONF-007: the child of a read-only parent stays within its profile", () => {
    expect(
      denied(
        "Bash",
        { command: "curl evil" },
        child(parentOf("TASK-CONF-007"), { mode: "bypassPermissions" }),
      ),
    ).toBe(true);
  });
});

function everyFile(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory())
      return path.split("/").length > 12 || !realpathSync(path).startsWith("/tmp")
        ? readdirSync(path)
            .slice(0, 5)
            .map((inner) => join(path, inner))
        : everyFile(path);
    return stats ? [path] : [];
  });
}

describe("time", () => {
  const policy = createPolicy({
    workspace: { cwd: "/w", home: "/h" },
    rules: {
      allow: ["Bash(echo:*)", "Read(./**)"],
      ask: ["Bash(git push:*)"],
      deny: Array.from({ length: 200 }, (_, index) =>
        index % 2 ? `Read(**/*a*a*a*a*b${index})` : `Bash(tool${index} * --flag *x)`,
      ),
    },
  });
  const facts: FactsOf = (path) => ({ real: path, exists: false, kind: "absent" });
  const timeOf = (tool: string, input: Record<string, unknown>): number => {
    // Processor time: a busy machine must not fail a bound on work.
    const started = process.cpuUsage();
    decide({ tool, input }, policy, facts);
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  };
  const best = (tool: string, input: Record<string, unknown>): number =>
    Math.min(...Array.from({ length: 5 }, () => timeOf(tool, input)));

  test.each<[string, (size: number) => string]>([
    ["one long word", (size) => `echo ${"a".repeat(size)}`],
    ["many words", (size) => `echo ${"ab ".repeat(size / 3)}`],
    ["many paths", (size) => `cat ${"aaaa/aaa ".repeat(size / 9)}`],
    ["many stars", (size) => `cat ${"*a".repeat(size / 2)}`],
  ])("grows in proportion to the command: %s", (_name, make) => {
    // Many decisions a measure, so that there is something to measure; eight times the text may
    // take a little over eight times as long, a quadratic step sixty-four.
    const many = (size: number): number => {
      const command = make(size);
      return Math.min(
        ...Array.from({ length: 5 }, () =>
          cpuMs(
            () =>
              void Array.from({ length: 20 }, () =>
                decide({ tool: "Bash", input: { command } }, policy, facts),
              ),
            1,
          ),
        ),
      );
    };
    many(1_000);
    expect(many(8_000) / (many(1_000) + 0.2)).toBeLessThan(20);
  });

  test.each<[string, string, Record<string, unknown>]>([
    ["brackets", "Bash", { command: `${"(".repeat(9_000)}ls` }],
    ["pipes", "Bash", { command: "a|".repeat(4_990) }],
    ["chains", "Bash", { command: "true;".repeat(1_900) }],
    ["substitutions", "Bash", { command: `${"$(".repeat(3_000)}x${")".repeat(3_000)}` }],
    ["braces", "Bash", { command: `echo ${"{a,b}".repeat(1_900)}` }],
    ["wildcards", "Bash", { command: `cat ${"*a?[b-z]".repeat(1_200)}` }],
    ["quotes", "Bash", { command: `echo ${"'\"".repeat(4_900)}` }],
    ["an over-long command", "Bash", { command: "echo a; ".repeat(200_000) }],
    ["a deep path", "Read", { file_path: "a/".repeat(2_000) }],
    ["climbing", "Read", { file_path: "../".repeat(1_300) }],
    ["a glob of braces", "Glob", { pattern: "{a,{b,c}}".repeat(400) }],
    ["a long address", "WebFetch", { url: `https://${"a.".repeat(50_000)}com/` }],
  ])("nothing takes more than half a second: %s", (_name, tool, input) => {
    expect(best(tool, input)).toBeLessThan(500);
  });
});

test("docs/security.md shows what these rows give", () => {
  const path = "docs/security.md";
  const text = readFileSync(path, "utf8");
  const table = securityTable();
  expect(text).toContain("<!-- rows -->");
  expectGenerated(
    path,
    text.replace(
      /<!-- rows -->[\s\S]*<!-- \/rows -->/,
      () => `<!-- rows -->\n${table}\n<!-- /rows -->`,
    ),
  );
});

function securityTable(): string {
  const classes = [...new Set(judged.map((row) => row.class))].sort();
  const lines = classes.map((name) => {
    const of = judged.filter((row) => row.class === name);
    const [attacks, legit] = [of.filter((row) => !row.legit), of.filter((row) => row.legit)];
    return `| ${name} | ${attacks.length} | ${attacks.filter(isWrongAllow).length} | ${legit.length} | ${legit.filter((row) => answerOf(row).decision !== "allow").length} |`;
  });
  const sum = (pick: (row: AttackRow) => boolean): number => judged.filter(pick).length;
  const total = `| **all** | ${sum((row) => !row.legit)} | ${sum((row) => !row.legit && isWrongAllow(row))} | ${sum((row) => row.legit)} | ${sum((row) => row.legit && answerOf(row).decision !== "allow")} |`;
  const others = Object.keys(elsewhere).map(
    (place) =>
      `- ${place}: ${rows
        .filter((row) => whereIn(elsewhere, row) === place)
        .map((row) => row.id)
        .join(", ")}`,
  );
  return [
    "| class | attacks | wrongly allowed | legitimate | held up |",
    "|---|---:|---:|---:|---:|",
    ...lines,
    total,
    "",
    "Rows of the same layers that are no matter of the decision alone:",
    "",
    ...others,
  ].join("\n");
}
