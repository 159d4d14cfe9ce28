import { describe, expect, test } from "vitest";
import {
  guardAnswer,
  guardCall,
  guardSearch,
  noHistory,
  type Coverage,
  type GuardedCall,
  type OrchestratorState,
} from "./orchestrator-rules.ts";

const file = (path: string, more: Partial<NonNullable<GuardedCall["file"]>> = {}) => ({
  real: `/w/${path}`,
  shown: path,
  exists: true,
  isOwn: false,
  ...more,
});
const read = (path: string, more: Partial<GuardedCall> = {}): GuardedCall => ({
  tool: "Read",
  file: file(path),
  ...more,
});
const write = (path: string): GuardedCall => ({ tool: "Write", file: file(path) });
const bash = (command: string): GuardedCall => ({ tool: "Bash", command });
const seen = (more: Partial<Coverage> = {}): Coverage => ({
  agentId: "a1",
  agentType: "code-explorer",
  ranges: [[1, 100]],
  totalLines: 100,
  isKey: false,
  ...more,
});
const after = (more: Partial<OrchestratorState>): OrchestratorState => ({ ...noHistory, ...more });
const threeRead = after({ filesRead: ["/w/a.ts", "/w/b.ts", "/w/c.ts"] });
const covered = (...by: Coverage[]): OrchestratorState =>
  after({ covered: new Map([["/w/x.ts", by]]) });

describe("calls of an orchestrator", () => {
  test.each<[string, GuardedCall, OrchestratorState]>([
    ["a first file", read("a.ts"), noHistory],
    ["a third file", read("c.ts"), after({ filesRead: ["/w/a.ts", "/w/b.ts"] })],
    [
      "more of a file that it has open",
      read("a.ts", { lines: { offset: 50, limit: 10 } }),
      threeRead,
    ],
    [
      "a file that is not there, whose absence it is told",
      read("d.ts", { file: file("d.ts", { exists: false }) }),
      threeRead,
    ],
    [
      "a progress file or its own memory",
      { tool: "Write", file: file(".retinue/progress/x.json", { isOwn: true }) },
      threeRead,
    ],
    [
      "its own notes, however many it has read",
      read("MEMORY.md", { file: file("MEMORY.md", { isOwn: true }) }),
      threeRead,
    ],
    ["a search, whose result is judged", { tool: "Grep" }, threeRead],
    ["a key reference of a report", read("x.ts"), covered(seen({ isKey: true }))],
    [
      "a key reference of one report that another agent read too",
      read("x.ts"),
      covered(seen(), seen({ agentId: "a2", isKey: true })),
    ],
    [
      "lines that the agent was not shown",
      read("x.ts", { lines: { offset: 90, limit: 20 } }),
      covered(seen({ totalLines: 500 })),
    ],
    [
      "the whole of a file that the agent saw in part",
      read("x.ts"),
      covered(seen({ totalLines: 500 })),
    ],
    ["Agent", { tool: "Agent" }, threeRead],
    ["Task, as older callers name it", { tool: "Task" }, threeRead],
    ["SendMessage", { tool: "SendMessage" }, threeRead],
    ["TodoWrite", { tool: "TodoWrite" }, threeRead],
    ["AskUserQuestion", { tool: "AskUserQuestion" }, threeRead],
  ])("may make: %s", (_what, call, state) => {
    expect(guardCall(call, state)).toBeUndefined();
  });

  test.each<[string, GuardedCall, OrchestratorState, string, string]>([
    ["a fourth file", read("d.ts"), threeRead, "max-files", "code-explorer"],
    [
      "a key reference as the fourth file",
      read("x.ts"),
      { ...covered(seen({ isKey: true })), filesRead: threeRead.filesRead },
      "max-files",
      "code-explorer",
    ],
    [
      "a file that an agent has read",
      read("x.ts"),
      covered(seen()),
      "use-agent-output",
      "code-explorer",
    ],
    [
      "some lines of it",
      read("x.ts", { lines: { offset: 20, limit: 10 } }),
      covered(seen({ totalLines: 500 })),
      "use-agent-output",
      "code-explorer",
    ],
    [
      "the end of it, and beyond",
      read("x.ts", { lines: { offset: 90, limit: 2_000 } }),
      covered(seen()),
      "use-agent-output",
      "code-explorer",
    ],
    ["credentials", read("config/.env"), noHistory, "no-security-analysis", "security-auditor"],
    ["code", write("src/auth.ts"), noHistory, "no-implementation", "backend-specialist"],
    [
      "code, with Edit's older name",
      { tool: "MultiEdit", file: file("src/auth.go") },
      noHistory,
      "no-implementation",
      "backend-specialist",
    ],
    ["a page", write("src/login.tsx"), noHistory, "no-implementation", "frontend-specialist"],
    ["a style sheet", write("src/app.css"), noHistory, "no-implementation", "frontend-specialist"],
    ["a test beside the code", write("src/auth.test.ts"), noHistory, "no-tests", "qa-engineer"],
    ["a test in a folder of tests", write("tests/auth.py"), noHistory, "no-tests", "qa-engineer"],
    ["a test as Go names it", write("auth_test.go"), noHistory, "no-tests", "qa-engineer"],
    ["a test as Java names it", write("src/AuthTest.java"), noHistory, "no-tests", "qa-engineer"],
    ["a specification", write("specs/login.md"), noHistory, "no-spec-edits", "product-manager"],
    ["a design", write("docs/design/auth.mdx"), noHistory, "no-spec-edits", "product-manager"],
    [
      "a file that is not named",
      { tool: "Write" },
      noHistory,
      "no-implementation",
      "backend-specialist",
    ],
    ["a command", bash("npm install"), noHistory, "no-commands", "backend-specialist"],
    ["the tests", bash("npm test"), noHistory, "no-commands", "qa-engineer"],
    ["looking with a command", bash("cat src/a.ts"), noHistory, "no-commands", "code-explorer"],
    ["an audit", bash("npm audit --json"), noHistory, "no-security-analysis", "security-auditor"],
    ["a page of the web", { tool: "WebFetch" }, noHistory, "coordinate-only", "researcher"],
    [
      "a tool of a server",
      { tool: "mcp__db__query" },
      noHistory,
      "coordinate-only",
      "backend-specialist",
    ],
    ["a skill", { tool: "Skill" }, noHistory, "coordinate-only", "backend-specialist"],
  ])("may not make: %s", (_what, call, state, rule, role) => {
    const refused = guardCall(call, state);
    expect(refused).toMatchObject({ layer: "orchestrator-guard", rule });
    expect(refused?.reason).toMatch(
      new RegExp(`^orchestrator rule ${rule} \\(.+\\): .+; delegate to ${role}$`),
    );
  });

  test("names who is there where the agent of that name is not", () => {
    expect(
      guardCall(read("d.ts"), { ...threeRead, agents: ["general-purpose", "Explore"] })?.reason,
    ).toMatch(/delegate to code-explorer \(here: Explore\)$/);
    expect(
      guardCall(read("d.ts"), { ...threeRead, agents: ["code-explorer", "Explore"] })?.reason,
    ).toMatch(/delegate to code-explorer$/);
  });
});

describe("what a search of an orchestrator shows", () => {
  const found = (count: number, isContent = true) => ({
    files: Array.from({ length: count }, (_, index) => ({
      real: `/w/f${index}.ts`,
      shown: `f${index}.ts`,
    })),
    isContent,
  });
  test.each<[string, ReturnType<typeof found>, OrchestratorState, string | undefined]>([
    ["lines of three files", found(3), noHistory, undefined],
    ["lines of four", found(4), noHistory, "bulk-search"],
    ["names of three", found(3, false), threeRead, undefined],
    ["names of four", found(4, false), noHistory, "bulk-search"],
    [
      "lines of two more after two that were read",
      found(2),
      after({ filesRead: ["/w/a.ts", "/w/b.ts"] }),
      "max-files",
    ],
    [
      "lines of files that are open already",
      { files: [{ real: "/w/a.ts", shown: "a.ts" }], isContent: true },
      threeRead,
      undefined,
    ],
    [
      "lines of a file that an agent has read",
      { files: [{ real: "/w/x.ts", shown: "x.ts" }], isContent: true },
      covered(seen()),
      "use-agent-output",
    ],
    [
      "lines of credentials",
      { files: [{ real: "/w/.env", shown: ".env" }], isContent: true },
      noHistory,
      "no-security-analysis",
    ],
    ["nothing", found(0), threeRead, undefined],
  ])("%s", (_what, result, state, rule) => {
    expect(guardSearch(result, state)?.rule).toBe(rule);
  });
});

describe("the answer of an orchestrator", () => {
  const worker = { agentId: "a1", agentType: "qa-engineer" };
  test("comes when nobody is at work and everything is read", () => {
    expect(guardAnswer(noHistory)).toBeUndefined();
  });

  test.each([
    ["an agent is at work", { running: [worker], unread: [] }, "still at work: qa-engineer a1"],
    [
      "a report has not been read",
      { running: [], unread: [worker] },
      "not read yet: the report of qa-engineer a1",
    ],
  ])("waits while %s", (_what, state, words) => {
    expect(guardAnswer(state)).toMatchObject({
      layer: "orchestrator-guard",
      rule: "wait-for-agents",
      reason: expect.stringContaining(words) as string,
    });
  });
});
