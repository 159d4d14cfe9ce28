// Agents that answer with the Report tool, as whole runs over HTTP on both wire protocols.
import { afterEach, describe, expect, test } from "vitest";
import { createManager, type AgentManager } from "../src/app/create-manager.ts";
import { functionHook } from "../src/hooks/hook.ts";
import type { AgentResult } from "../src/manager/session/agent-result.ts";
import {
  startMockProvider,
  type MockLine,
  type MockProvider,
} from "../src/testing/mock-provider.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const source = [
  "import { hash } from './hash.js';",
  "",
  "export function login(name, password) {",
  "  const user = find(name);",
  "  return user && user.hash === hash(password);",
  "}",
  "",
  "export function logout(session) {",
  "  session.user = null;",
  "}",
  "",
].join("\n");

type World = { project: TempProject; provider: MockProvider; manager: AgentManager };
type Protocol = "anthropic" | "openai";

async function world(
  protocol: Protocol,
  script: (root: string) => MockLine[],
  agent: Record<string, unknown> = {},
): Promise<World> {
  const project = tempProject({ "src/auth.js": source });
  open.push(() => project.remove());
  const provider = await startMockProvider({ script: script(project.root) });
  open.push(() => provider.close());
  const env =
    protocol === "anthropic"
      ? { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-test" }
      : { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: "sk-test" };
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] ?? "", ...env },
    model: protocol === "anthropic" ? "anthropic:claude-sonnet-5" : "openai:gpt-5",
    watch: false,
    permissions: { mode: "acceptEdits" },
    agents: {
      auditor: {
        description: "Looks for bugs",
        prompt: "Look for bugs.",
        tools: ["Read", "Grep"],
        contract: "report",
        ...agent,
      },
    },
  });
  open.push(() => manager.close());
  return { project, provider, manager };
}

const run = ({ manager }: World): Promise<AgentResult> =>
  manager.spawn({ description: "look", prompt: "look", subagent_type: "auditor" }).done;

const read = (root: string): MockLine => ({
  tools: [{ name: "Read", input: { file_path: `${root}/src/auth.js` } }],
});
const finding = {
  title: "Compares hashes with ===",
  kind: "present",
  statement: "A comparison that ends early tells how much was right.",
  path: "src/auth.js",
  quote: "return user && user.hash === hash(password);",
  severity: "important",
  category: "security",
  confidence: 90,
};
const base = {
  status: "SUCCESS",
  summary: "Looked at the login.",
  confidence: { verified: 84, inferred: 80, justification: "Read the module" },
  next_steps: ["Compare in constant time"],
};
const report = (...findings: object[]): MockLine => ({
  tools: [{ name: "Report", input: { ...base, findings } }],
});
const invented = { ...finding, title: "Backdoor", quote: "if (name === 'root') return true;" };

/** The results that the model was shown in a request, whatever the protocol. */
const shown = ({ provider }: World, request: number): string =>
  JSON.stringify(provider.requests[request]?.body["messages"] ?? provider.requests[request]?.body);

describe.each<Protocol>(["anthropic", "openai"])("over %s", (protocol) => {
  test("an accepted call is the answer, written in the contract's form", async () => {
    const all = await world(protocol, (root) => [read(root), report(finding)]);
    const result = await run(all);
    all.provider.finish();
    expect(result).toMatchObject({
      state: "completed",
      verification: {
        trust: "VERIFIED",
        outcome: { value: "SUCCESS" },
        counts: { flagged: 0 },
        repair: null,
        findings: [{ path: "src/auth.js", lines: [5, 5], grade: "E3", severity: "important" }],
      },
    });
    expect(result.content).toContain("| F1 | Compares hashes with === | `src/auth.js:5` |");
    expect(result.verification?.header).toContain("VERIFIED");
  });

  test("what is not found comes back in the turn, and its correction is accepted", async () => {
    const all = await world(protocol, (root) => [
      read(root),
      report({ ...finding, quote: "return user && user.hash == hash(password);" }),
      report(finding),
    ]);
    const result = await run(all);
    all.provider.finish();
    expect(shown(all, 2)).toContain("does not stand in src/auth.js; nearest is line 5");
    expect(result.verification).toMatchObject({ trust: "VERIFIED", outcome: { value: "SUCCESS" } });
    expect(result.verification?.lint?.map(({ rule }) => rule)).not.toContain(
      "success-despite-failures",
    );
  });

  test("what a stubborn fabricator keeps is withdrawn, and the outcome is PARTIAL", async () => {
    const lie = report(finding, invented);
    const all = await world(protocol, (root) => [read(root), lie, lie, lie]);
    const result = await run(all);
    all.provider.finish();
    expect(result.verification).toMatchObject({
      outcome: { value: "PARTIAL" },
      withdrawn: [{ text: "Backdoor" }],
      counts: { flagged: 0 },
    });
    expect(result.content).toContain("### Status\nPARTIAL");
    expect(result.content).toContain("### Withdrawn\n- Backdoor (withdrawn after 2 corrections");
    expect(result.verification?.header).toContain("withdrawn: Backdoor");
  });

  test("a summary over its budget is refused with its number", async () => {
    const long = { ...base, summary: "A word after another. ".repeat(200), findings: [finding] };
    const all = await world(protocol, (root) => [
      read(root),
      { tools: [{ name: "Report", input: long }] },
      report(finding),
    ]);
    expect((await run(all)).verification).toMatchObject({ trust: "VERIFIED" });
    expect(shown(all, 2)).toMatch(/summary has \d+ tokens, at most 500 are passed on/);
  });

  test("five hundred findings are refused, and a hundred at most are taken", async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ ...finding, title: `No. ${index}` }));
    const all = await world(protocol, (root) => [
      read(root),
      report(...many),
      report(...many.slice(0, 100)),
    ]);
    const result = await run(all);
    expect(shown(all, 2)).toContain("findings has 500 entries, at most 100 are taken");
    expect(result.verification).toMatchObject({ trust: "VERIFIED", counts: { flagged: 0 } });
    expect(result.report?.["findings"]).toHaveLength(100);
  });

  test("two calls in one reply: the last that was accepted counts", async () => {
    const call = (title: string) => ({
      name: "Report",
      input: { ...base, findings: [{ ...finding, title }] },
    });
    const all = await world(protocol, (root) => [
      read(root),
      { tools: [call("First"), call("Second")] },
    ]);
    const result = await run(all);
    all.provider.finish();
    expect(result.state).toBe("completed");
    expect(result.content).toContain("| F1 | Second |");
    expect(result.content).not.toContain("First");
  });

  test("broken JSON is told, and the next call counts", async () => {
    const all = await world(protocol, (root) => [
      read(root),
      { tools: [{ name: "Report", rawInput: '{"status": "SUCCESS", "findings": [' }] },
      report(finding),
    ]);
    const result = await run(all);
    all.provider.finish();
    expect(shown(all, 2)).toMatch(/not executed|JSON/);
    expect(result.verification).toMatchObject({ trust: "VERIFIED" });
  });

  test("Markdown that holds is read as it is; one that does not is pointed to the tool", async () => {
    const text = (line: number): string =>
      `## Auditor Result\n\n### Status\nSUCCESS\n\n### Summary\nLooked.\n\n### Findings\n| ID | Issue | File:Line | Severity | Confidence |\n|---|---|---|---|---|\n| QA-1 | \`login\` compares | \`src/auth.js:${line}\` (\`login\`) | Important | 90 |\n\n### Confidence\n60 - read it\n`;
    const plain = await world(protocol, (root) => [read(root), text(3)]);
    expect((await run(plain)).verification).toMatchObject({ counts: { flagged: 0 }, repair: null });
    plain.provider.finish();
    const wrong = await world(protocol, (root) => [read(root), text(9), report(finding)]);
    const result = await run(wrong);
    wrong.provider.finish();
    expect(shown(wrong, 2)).toContain("Give it with the Report tool instead");
    expect(result.verification).toMatchObject({ trust: "VERIFIED", counts: { flagged: 0 } });
  });
});

describe("the tool", () => {
  const toolsOf = ({ provider }: World): string[] =>
    (provider.requests[0]!.body["tools"] as { name: string }[]).map(({ name }) => name);
  const systemOf = ({ provider }: World): string =>
    JSON.stringify(provider.requests[0]!.body["system"]);

  test("needs no place in `tools:`, and the brief is short where it is there", async () => {
    const all = await world("anthropic", (root) => [read(root), report(finding)]);
    await run(all);
    expect(toolsOf(all)).toEqual(["Read", "Grep", "Report"]);
    expect(systemOf(all)).toContain("one call of the Report tool");
    expect(systemOf(all)).not.toContain("## NAME Result");
  });

  test("is switched off by disallowedTools, and the brief says the form", async () => {
    const all = await world("anthropic", (root) => [read(root), "Nothing to say."], {
      disallowedTools: ["Report"],
      contract: "report",
    });
    await run(all);
    expect(toolsOf(all)).toEqual(["Read", "Grep"]);
    expect(systemOf(all)).toContain("## NAME Result");
  });

  test("is not there for agents that owe no report", async () => {
    const all = await world("anthropic", () => ["Hello."], { contract: "none" });
    await run(all);
    expect(toolsOf(all)).toEqual(["Read", "Grep"]);
  });

  test("a provider that takes no tools is asked for the text instead", async () => {
    const project = tempProject({ "src/auth.js": source });
    open.push(() => project.remove());
    const model = scriptedModel(["Nothing found.", "Nothing found."], { takesTools: false });
    const manager = createManager({
      cwd: project.root,
      env: { HOME: project.home, PATH: process.env["PATH"] ?? "" },
      model,
      watch: false,
      agents: { auditor: { description: "Looks", prompt: "Look.", contract: "report" } },
    });
    open.push(() => manager.close());
    await manager.spawn({ description: "look", prompt: "look", subagent_type: "auditor" }).done;
    expect(model.requests[0]!.tools).toEqual([]);
    expect(model.requests[0]!.system).toContain("## NAME Result");
  });

  test("takes a handoff in its own shape, with the lines added", async () => {
    const handoff = {
      status: "complete",
      decision: "PROCEED",
      context_summary: "login stands in src/auth.js and compares hashes.",
      references: [
        {
          item: "login",
          path: "src/auth.js",
          quote: "export function login(name, password) {",
          relevance: "Where it begins",
        },
      ],
    };
    const call = (input: object): MockLine => ({ tools: [{ name: "Report", input }] });
    const all = await world(
      "anthropic",
      (root) => [
        read(root),
        call({ ...handoff, decision: "STOP" }),
        call({
          ...handoff,
          references: [{ ...handoff.references[0], quote: "function signIn() {" }],
        }),
        call(handoff),
      ],
      { contract: "handoff" },
    );
    const result = await run(all);
    all.provider.finish();
    expect(shown(all, 2)).toContain("reason is missing: STOP says why");
    expect(shown(all, 3)).toContain("references[0].quote does not stand in src/auth.js");
    expect(JSON.parse(result.content)).toMatchObject({
      decision: "PROCEED",
      findings: { references: [{ path: "src/auth.js", line: 3 }] },
    });
    expect(result.verification).toMatchObject({ counts: { flagged: 0 } });
  });

  test("a hook that objects sends the agent on, and its next report counts", async () => {
    const all = await world("anthropic", (root) => [
      read(root),
      report(finding),
      report({ ...finding, title: "After the hook" }),
    ]);
    let asked = 0;
    const manager = createManager({
      cwd: all.project.root,
      env: {
        HOME: all.project.home,
        PATH: process.env["PATH"] ?? "",
        ANTHROPIC_BASE_URL: all.provider.url,
        ANTHROPIC_API_KEY: "sk-ant-test",
      },
      model: "anthropic:claude-sonnet-5",
      watch: false,
      hooks: [
        functionHook({
          event: "SubagentStop",
          run: () => (asked++ === 0 ? { decision: "block", reason: "name it better" } : undefined),
        }),
      ],
      agents: {
        auditor: { description: "Looks", prompt: "Look.", tools: ["Read"], contract: "report" },
      },
    });
    open.push(() => manager.close());
    const result = await run({ ...all, manager });
    expect(shown(all, 2)).toContain("name it better");
    expect(result.content).toContain("After the hook");
  });
});
