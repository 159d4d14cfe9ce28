// What a person watches while agents work, cell by cell: a line for each agent at work below the one that started it, its trust line once it has ended, the phases of a flow with their agents inside, and Markdown.
import { afterEach, expect, test } from "vitest";
import { entry } from "./retinue-process.ts";
import { backgroundWorld, type BackgroundWorld } from "./support/background-world.ts";
import { openScreen, type Screen } from "./support/screen.ts";
import { waitUntil } from "./support/wait-until.ts";

let world: BackgroundWorld;
let screen: Screen;
afterEach(async () => {
  screen.kill("SIGKILL");
  await world.close();
});

const call = (name: string, input: unknown) => ({ name, input });
const wait = (file: string): string => `until [ -e ${file} ]; do sleep 0.05; done`;
const agents = (contract: string): string =>
  JSON.stringify({
    alpha: { description: "a", prompt: "You are alpha.", tools: ["Bash", "Read"], contract },
    beta: { description: "b", prompt: "You are beta.", tools: ["Bash", "Read"], contract },
    gamma: { description: "c", prompt: "You are gamma.", tools: ["Read"], contract: "report" },
  });
const madeUp = [
  "## Explore Result\n\n### Status\nSUCCESS\n\n### Summary\nFound it.\n\n### Findings",
  "| ID | Issue | File:Line | Severity |\n|---|---|---|---|",
  "| QA-1 | it is here | `src/nowhere.ts:3` | Important |\n\n### Confidence\n70\n",
].join("\n");

function start(args: string[], columns: number, env: Record<string, string> = {}): Screen {
  screen = openScreen([entry, ...args], {
    cwd: world.project.root,
    env: { HOME: world.project.home, ...world.env, ...env },
    columns,
  });
  return screen;
}

/** The lines of agents at work, without what turns and counts. */
const status = (): string[] => screen.rows().filter((row) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /.test(row));
const still = (row: string): string => row.replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/, "*").replace(/\d+ s$/, "N s");

const answer = [
  "# Result",
  "",
  "All **done**, see `a.txt`:",
  "",
  "1. first 世界",
  "   - inner",
  "",
  "| Name | 値 |",
  "|---|---|",
  "| a | 世界 |",
  "",
  "```js",
  "const x = 1;",
  "```",
  "\u001b[2J\u001b]0;owned\u0007end",
].join("\n");

test.each([
  [80, {}],
  [160, {}],
  [80, { NO_COLOR: "1" }],
] as const)("agents side by side at %i columns with %j", async (columns, env) => {
  world = await backgroundWorld(
    ({ body }) => {
      const text = JSON.stringify(body);
      const isOver = text.includes("tool_result");
      if (text.includes("You are alpha."))
        return isOver
          ? "The line `const second = 2;` is in `a.txt:2`."
          : { tools: [call("Bash", { command: wait("go"), description: "wait 世界 \u001b[2J" })] };
      if (text.includes("You are beta."))
        return isOver ? madeUp : { tools: [call("Bash", { command: wait("go2") })] };
      if (text.includes("You are gamma.")) return "no form at all";
      if (text.includes('"name":"Agent","input"')) return answer;
      return isOver
        ? {
            tools: ["alpha", "beta", "gamma"].map((name) =>
              call("Agent", { subagent_type: name, description: name, prompt: "go" }),
            ),
          }
        : {
            tools: [
              call("Read", { file_path: "a.txt", offset: 2, limit: 3 }),
              call("Bash", { command: "echo hi", description: "greet 世界 \u001b[2J" }),
            ],
          };
    },
    { "a.txt": "one\nconst second = 2;\nthree\nfour\n" },
  );
  start(
    ["run", "--model", "sonnet", "--allowedTools=Bash", "--agents", agents("none"), "start them"],
    columns,
    env,
  );
  await screen.until(/gamma · [^\n]*outcome INVALID/);
  await waitUntil(() => status().length === 3 && /beta · Bash/.test(status()[2]!));
  const doing = columns === 80 ? "Bash until [ -e go ]; do s…" : `Bash ${wait("go")}`;
  expect(still(status()[1]!).replace(/do sl?e?…/, "do s…")).toBe(
    `* ├ alpha · ${doing} · 1 turn · 120 tokens · $0.0004 · N s`,
  );
  expect(status()[0]).toMatch(
    /^. general-purpose · Agent .* · 2 turns · 240 tokens · \$0\.0008 · \d+ s$/,
  );
  expect(screen.all()).toMatch(/^ {2}✓ Read a\.txt:2-4 → /m);
  expect(screen.all()).toMatch(/^ {2}✓ Bash echo hi · greet 世界 → /m);
  screen.resize(60, 40);
  await waitUntil(() => status().length === 3 && status().every((row) => row.length <= 60));
  screen.resize(columns, 40);
  world.project.write("go", "");
  await screen.until(/^ {2}└ ✓ alpha · places 1 of 1 hold · trust VERIFIED · 2 turns/m);
  world.project.write("go2", "");
  expect(await screen.ended()).toBe(0);
  const all = screen.all();
  // What is contradicted or invalid is never a success, and the call that started it shows nothing.
  expect(all).toMatch(/^ {2}└ ✗ beta · .*trust CONTRADICTED/m);
  expect(all).toMatch(/^ {2}└ ✗ gamma · .*outcome INVALID/m);
  expect(all).not.toMatch(/✓ (?:beta|gamma|Agent)/);
  expect(status()).toEqual([]);
  const at = all.split("\n").indexOf("Result");
  const code = env === undefined || !("NO_COLOR" in env) ? "a.txt" : "`a.txt`";
  expect(all.split("\n").slice(at, at + 12)).toEqual([
    "Result",
    "",
    `All done, see ${code}:`,
    "",
    "1. first 世界",
    "  • inner",
    "",
    "Name │ 値",
    "─────┼─────",
    "a    │ 世界",
    "",
    "  const x = 1;",
  ]);
  expect(screen.colourOf("const x")).toBe("NO_COLOR" in env ? undefined : 6);
  expect(screen.bytes()).not.toMatch(/\u001b\[2J|owned/);
});

test("without a terminal every line stands by itself with the agent's name, and the answer stays as it was written", async () => {
  world = await backgroundWorld(
    ({ body }) => {
      const text = JSON.stringify(body);
      if (text.includes("You are gamma.")) return "no form at all";
      return text.includes("tool_result")
        ? "# Result\n\n**done**"
        : { tools: [call("Agent", { subagent_type: "gamma", description: "c", prompt: "go" })] };
    },
    { "a.txt": "1\n" },
  );
  const { stdout, stderr } = await world.call([
    "run",
    "--model",
    "sonnet",
    "--agents",
    agents("none"),
    "x",
  ]);
  expect(stdout).toBe("# Result\n\n**done**\n");
  expect(stderr).toMatch(/^ {4}gamma │ ● gamma on anthropic:/m);
  expect(stderr).toMatch(/^ {4}gamma │ ✗ gamma · .*outcome INVALID/m);
  expect(stderr).not.toContain("\u001b");
});

test.each([80, 160])(
  "a flow shows its phases with their agents inside at %i columns",
  async (columns) => {
    const phase = (decision: object) =>
      JSON.stringify({
        status: "complete",
        decision: "PROCEED",
        findings: {},
        issues: [],
        context_summary: "found 世界",
        ...decision,
      });
    world = await backgroundWorld(
      ({ body }) => {
        const text = JSON.stringify(body);
        if (text.includes("tool_result")) return phase({});
        return {
          tools: [call("Bash", { command: wait(text.includes("second job") ? "go2" : "go") })],
        };
      },
      { "a.txt": "1\n" },
    );
    const tasks = ["alpha=first job", "beta=second job"].flatMap((task) => ["--task", task]);
    start(
      [
        "flow",
        "parallel",
        "--model",
        "sonnet",
        "--allowedTools=Bash",
        "--agents",
        agents("handoff"),
        ...tasks,
        "--",
        "x",
      ],
      columns,
    );
    await waitUntil(() => status().filter((row) => row.includes("· Bash ")).length === 2);
    const shown = status().map((row) =>
      still(row).replace(/Bash until.* · 1 turn/, "Bash … · 1 turn"),
    );
    expect(shown).toEqual([
      "* task-1 · alpha · N s",
      "* └ alpha · Bash … · 1 turn · 120 tokens · $0.0004 · N s",
      "* task-2 · beta · N s",
      "* └ beta · Bash … · 1 turn · 120 tokens · $0.0004 · N s",
    ]);
    world.project.write("go", "");
    await waitUntil(() => status().length === 2);
    expect(screen.all()).toMatch(
      /^! task-1 alpha · PROCEED · SUCCESS · UNVERIFIED\n {2}└ ! alpha · nothing to check · trust UNVERIFIED/m,
    );
    world.project.write("go2", "");
    await screen.ended();
    expect(status()).toEqual([]);
    expect(screen.all()).toMatch(/^PROCEED/m);
  },
);
