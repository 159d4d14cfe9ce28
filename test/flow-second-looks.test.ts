// Second looks on the real product: which finding gets one, what the second agent is shown, and where its result is seen.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MockLine } from "../src/testing/mock-provider.ts";
import { retinue } from "./retinue-process.ts";
import { answer, flowStory, type FlowStory } from "./support/flow-story.ts";

const files = {
  "src/jwt.ts":
    'import { sign } from "jwt";\nexport const issuer = "shop";\nexport const token = (user: string): string => sign(user, process.env.KEY ?? "fallback");\n',
};
const line =
  'export const token = (user: string): string => sign(user, process.env.KEY ?? "fallback");';
const looks = (root: string): MockLine => ({
  tools: [{ name: "Read", input: { file_path: join(root, "src/jwt.ts") } }],
});
const found = (over: object = {}): string =>
  answer({
    findings: {
      findings: [
        {
          id: "SEC-1",
          title: "The key has a fallback",
          path: "src/jwt.ts",
          line: 3,
          category: "security",
          severity: "critical",
          confidence: 90,
          ...over,
        },
      ],
    },
  });
const tasks: [string, string][] = [
  ["security-scan", "look for keys"],
  ["type-checker", "check the types"],
];

const story = (first: string, second: string): Promise<FlowStory> =>
  flowStory({
    files,
    script: (root) => ({
      "task-1": [looks(root), first],
      "task-2": [answer({})],
      "verify-1": [looks(root), second],
    }),
  });

test("a security finding that only names a place is looked at by a second agent, and both are folded into one", async () => {
  await using flow = await story(found(), found({ id: "SEC-2", quote: line, confidence: 85 }));
  const outcome = await flow.start("parallel", { tasks });
  expect(outcome).toMatchObject({
    decision: "PROCEED",
    phases: [
      { phase: "task-1" },
      { phase: "task-2" },
      {
        phase: "verify-1",
        agent: "security-scan",
        verifies: expect.stringMatching(/task-1-\d+ SEC-1$/),
      },
    ],
    second_looks: [
      {
        finding: "The key has a fallback",
        place: "src/jwt.ts:3",
        agent: "security-scan",
        verdict: "confirmed",
        triggers: ["needs corroboration", "unverified security claim"],
        confidence: { before: 74 },
      },
    ],
    aggregate: {
      findings: [
        {
          category: "security",
          grade: "E3",
          members: [
            { id: "SEC-2", grade: "E3" },
            { id: "SEC-1", grade: "E1" },
          ],
        },
      ],
      triggers: [],
    },
  });
  expect(outcome.second_looks[0]!.confidence.after).toBeGreaterThan(85);
  expect(flow.started().sort()).toEqual(["security-scan", "security-scan", "type-checker"]);
  const [request] = flow.shown("verify-1");
  expect(request).toContain("critical: The key has a fallback\\nPlace: src/jwt.ts:3");
  expect(request, "its own confidence is asked for, the first one's not told").not.toMatch(
    /confidence[^a-z]*90/,
  );
  expect(flow.journal().lines.at(-2)).toMatchObject({
    phase: "verify-1",
    verifies: expect.any(String),
    report: { findings: [{ id: "SEC-2" }] },
  });
});

test("what stands on evidence and is no problem gets none", async () => {
  await using flow = await story(found({ quote: line, severity: "minor" }), found());
  expect(await flow.start("parallel", { tasks })).toMatchObject({
    decision: "PROCEED",
    second_looks: [],
    aggregate: { findings: [{ grade: "E3" }] },
  });
  expect(flow.runsOf("verify-1")).toBe(0);
});

test("in a sequence it comes before the writer, and a denial of something critical is a person's to settle", async () => {
  const denial =
    "## Explore Result\n### Status\nSUCCESS\n### Summary\nThere is none.\n### Findings\n\n| ID | Issue | File:Line | Category | Severity | Confidence |\n|---|---|---|---|---|---|\n| E-1 | No fallback of the key | `src/jwt.ts:3` | bug | critical | 60 |\n\n### Confidence\n60: read it.\n### Uncertainty\nWho sets the key?\n";
  await using flow = await flowStory({
    files,
    script: (root) => ({
      research: [looks(root), found({ category: "bug" })],
      "verify-1": [looks(root), denial],
    }),
  });
  expect(await flow.start("sequence")).toMatchObject({
    decision: "CLARIFY",
    reason: "two agents contradict each other",
    questions: [expect.stringContaining("Which of them holds?")],
    phases: [{ phase: "research" }, { phase: "verify-1", agent: "Explore" }],
    second_looks: [{ verdict: "disputed" }],
  });
  expect(flow.started()).toEqual(["researcher", "Explore"]);
});

test("the command tells of it, and --second-looks 0 or the setting switches it off", async () => {
  await using flow = await story(found(), found({ quote: line }));
  const call = (...more: string[]): ReturnType<typeof retinue> =>
    retinue(
      [
        "flow",
        "parallel",
        "look",
        "--task",
        "security-scan=look for keys",
        "type-checker=check the types",
        ...more,
      ],
      { project: flow.project, env: flow.env },
    );
  const told = await call();
  expect(told.stdout).toMatch(
    /⇄ The key has a fallback \(src\/jwt\.ts:3\): confirmed by security-scan, confidence 74 → \d+/,
  );
  expect(told.stderr).toContain("verify-1");
  expect(
    JSON.parse((await call("--second-looks", "0", "--output-format", "json")).stdout),
  ).toMatchObject({ second_looks: [], warnings: [] });
  flow.project.write(
    "../home/.claude/settings.json",
    JSON.stringify({ retinue: { flows: { secondLooks: 0 } } }),
  );
  expect(JSON.parse((await call("--output-format", "json")).stdout)).toMatchObject({
    second_looks: [],
  });
  expect(flow.runsOf("verify-1")).toBe(1);
  expect(await call("--second-looks", "many")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--second-looks"),
  });
});
