// What a person reads of a flow on a terminal, through the built command: what does not hold, why it
// stopped, and which answers it can take.
import { expect, test } from "vitest";
import { answer, flowStory, writes, type FlowStory } from "./support/flow-story.ts";
import { retinue, type Finished } from "./retinue-process.ts";

const source = "export function first() {}\n\nexport function login() {}\n";
const validated = { "src/a.js": source, "done.txt": "x\n" };

const flowOf = ({ project, env }: FlowStory, [name, ...args]: string[]): Promise<Finished> => {
  const rules = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash(npm run:*)"];
  return retinue(["flow", name!, ...(name === "resume" ? [] : rules), ...args], { project, env });
};

test("a phase whose places do not hold, or that changed what it does not name, says so in lines and has no tick", async () => {
  await using flow = await flowStory({
    files: validated,
    script: (root) => ({
      research: [
        answer({
          context_summary: "`login` is defined at `src/a.js:1`; `gone` is in `src/gone.js:4`.",
        }),
      ],
      write: [writes(root, "src/extra.js"), answer({ context_summary: "Nothing was changed." })],
    }),
  });
  const { stderr } = await flowOf(flow, ["sequence", "--second-looks", "0", "--", "look"]);
  expect(stderr).toMatch(/^! research researcher · PROCEED · PARTIAL/m);
  expect(stderr).toMatch(
    /^ {2}! contradicted: src\/a\.js:1 \(.*`login` is defined at src\/a\.js:3/m,
  );
  expect(stderr).toMatch(/^ {2}! contradicted: src\/gone\.js:4 \(there is no src\/gone\.js\)/m);
  expect(stderr).toMatch(/^! write writer/m);
  expect(stderr).toMatch(/^ {2}! undeclared: src\/extra\.js was created and is not named/m);
  expect(stderr).toMatch(/^✓ validate validator/m);
});

test("checks side by side that the record refutes: the flow ends with why and what failed, the checks line says what counts", async () => {
  const claims = answer({
    context_summary: "all fine",
    checks: { tests: { passed: true } },
    findings: { checks: { types: { passed: true } } },
  });
  await using flow = await flowStory({
    files: validated,
    script: () => ({ types: [claims], lint: [claims], tests: [claims], security: [answer()] }),
  });
  const { stdout, stderr, code } = await flowOf(flow, ["parallel", "--", "look"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^STOP types, lint, tests: 2 checks failed: .*tests \(no run that shows/m);
  expect(stdout).toMatch(/^ {2}→ settle what failed in types, lint, tests \(.*tests \(no run/m);
  expect(stderr).toMatch(
    /^ {2}checks: types failed \(.*the agent said passed\) · tests failed \(/m,
  );
  expect(stderr).not.toMatch(/(tests|types) passed/);
  const json = await flowOf(flow, ["parallel", "--json", "--", "look"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    decision: "STOP",
    reason: expect.stringContaining("2 checks failed"),
    suggestion: expect.stringContaining("tests (no run"),
    phases: [
      {
        overridden: { claimed: "PROCEED", failed_checks: [expect.any(String), expect.any(String)] },
      },
      {},
      {},
      { decision: "PROCEED" },
    ],
  });
});

test("an answer to what was never asked is refused, with the open questions and nothing run; the beginning of one is enough", async () => {
  await using flow = await flowStory({
    files: validated,
    script: () => ({
      types: [answer()],
      lint: [answer()],
      security: [answer()],
      tests: [
        answer({ decision: "CLARIFY", questions: ["Which db?", "Which a=b form?"] }),
        answer({ context_summary: "clear now" }),
      ],
    }),
  });
  const first = await flow.start("parallel");
  expect(first).toMatchObject({ decision: "CLARIFY", questions: ["Which db?", "Which a=b form?"] });
  const requests = flow.server.requests.length;
  const wrong = await flowOf(flow, ["resume", first.flow_id, "--answer", "Which dbb?=pg"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(
    /"Which dbb\?=pg" answers no question.*\n.*\? Which db\?\n.*\? Which a=b/,
  );
  const unclear = await flowOf(flow, ["resume", first.flow_id, "--answer", "Which=pg"]);
  expect(unclear.code, "both begin so").toBe(2);
  expect(flow.server.requests).toHaveLength(requests);
  const answers = ["which  db=pg", "Which a=b form?=the first"];
  expect(await flow.resume(first.flow_id, { answers })).toMatchObject({ decision: "PROCEED" });
  const shown = flow.shown("tests").at(-1)!;
  expect(shown).toContain("Which db?=pg");
  expect(shown).toContain("Which a=b form?=the first");
});

test("prose where a handoff was asked for is shown as none, and not as a success", async () => {
  await using flow = await flowStory({ script: () => ({ research: ["I had a look."] }) });
  const { stderr } = await flowOf(flow, ["sequence", "--", "look"]);
  expect(stderr).toMatch(/✗ researcher · .*outcome INVALID \(it is no handoff: there is no JSON/);
  expect(stderr).not.toMatch(/outcome SUCCESS|decision PROCEED/);
});
