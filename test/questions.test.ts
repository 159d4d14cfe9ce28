// Questions about tool calls on a real terminal, cell by cell: what is shown, what each key does, what "always" means, and how Ctrl+C ends.
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { entry } from "./retinue-process.ts";
import { backgroundWorld, type BackgroundWorld, type Output } from "./support/background-world.ts";
import { keys, openScreen, type Screen } from "./support/screen.ts";

let world: BackgroundWorld;
let screen: Screen | undefined;
afterEach(async () => {
  screen?.kill("SIGKILL");
  screen = undefined;
  await world.close();
});

type Size = { columns?: number; env?: Record<string, string> };

function start(args: string[], { columns = 80, env = {} }: Size = {}): Screen {
  screen = openScreen([entry, ...args], {
    cwd: world.project.root,
    env: { HOME: world.project.home, ...world.env, ...env },
    columns,
  });
  return screen;
}

const call = (name: string, input: unknown) => ({ tools: [{ name, input }] });
const bash = (command: string) => call("Bash", { command });
const run = ["run", "--model", "sonnet", "x"];
const lastMessage = (): string => JSON.stringify(world.provider.requests.at(-1)!.body);

const source = ["one", "two", "three", "four", "five", "six", "seven", ""].join("\n");
const edit = call("Edit", {
  file_path: "src/a.ts",
  old_string: "four\n",
  new_string: "vier 世界\n",
});

describe("an edit", () => {
  test.each([80, 160])(
    "is shown as a coloured diff with context at %i columns",
    async (columns) => {
      world = await backgroundWorld([call("Read", { file_path: "src/a.ts" }), edit, "Done."], {
        "src/a.ts": source,
      });
      const shown = start(run, { columns });
      await shown.until(/Allow Edit\?/);
      const rows = shown.rows();
      const at = rows.findIndex((row) => row.includes("file: src/a.ts"));
      expect(rows.slice(at + 1, at + 9)).toEqual([
        "  1   one",
        "  2   two",
        "  3   three",
        "  4 - four",
        "  4 + vier 世界",
        "  5   five",
        "  6   six",
        "  7   seven",
      ]);
      expect(shown.colourOf("- four")).toBe(1);
      expect(shown.colourOf("+ vier")).toBe(2);
      expect(shown.text()).toContain("❯ No (Esc)");
      shown.type("y");
      expect(await shown.ended()).toBe(0);
      expect(world.project.read("src/a.ts")).toContain("vier 世界");
    },
  );

  test("has no colours with NO_COLOR, and shows control characters instead of sending them", async () => {
    const evil = call("Write", { file_path: "b.txt", content: "\u001b[2Jgone\u0007\n\tend\n" });
    world = await backgroundWorld([evil, "Done."], { "b.txt": "was\n" });
    const shown = start(run, { env: { NO_COLOR: "1" } });
    await shown.until(/Allow Write\?/);
    expect(shown.text()).toContain("1 - was");
    expect(shown.text()).toContain("1 + \\u{1b}[2Jgone\\u{7}");
    expect(shown.text()).toContain("2 + →   end");
    expect(shown.colourOf("+ \\u{1b}")).toBeUndefined();
    expect(shown.bytes()).not.toContain("\u001b[2J");
    shown.type(keys.escape);
    await shown.ended();
    expect(world.project.read("b.txt")).toBe("was\n");
    expect(lastMessage()).toContain("a person said no");
  });

  test("names the place that a link leads to", async () => {
    world = await backgroundWorld([edit, "Done."], { "real/a.ts": source });
    symlinkSync("real", world.project.path("src"));
    const shown = start(run);
    await shown.until(/Allow Edit\?/);
    expect(shown.text().replaceAll("\n", "")).toContain(
      `leads to: ${world.project.path("real/a.ts")}`,
    );
    shown.type(keys.escape);
    await shown.ended();
  });
});

describe("a command", () => {
  test("is shown with its parts; the question stays whole when the window changes", async () => {
    world = await backgroundWorld([bash("npm test && touch done > log"), "Done."]);
    const shown = start(run, { columns: 160 });
    await shown.until(/Allow Bash\?/);
    expect(shown.text()).toMatch(/asked\s+npm test · no rule allows `npm test`/);
    expect(shown.text()).toMatch(/asked\s+touch done/);
    expect(shown.text()).toMatch(/asked\s+write \S+\/log/);
    shown.resize(60, 40);
    shown.type(keys.down);
    await shown.until(/❯ y Yes, once/);
    expect(shown.text().match(/Allow Bash\?/g)).toHaveLength(1);
    shown.type(keys.escape);
    await shown.ended();
  });

  test('"no" with a reason is told to the agent; identical denials are one line with a count', async () => {
    world = await backgroundWorld([bash("make a"), bash("make b"), bash("make c"), "Done."]);
    const shown = start(run);
    for (const target of ["a", "b", "c"]) {
      await shown.until(new RegExp(`command: make ${target}[^]*❯ No \\(Esc\\)\\s*$`));
      shown.type("n");
      await shown.until(/What shall the agent know.*\n❯\s*$/);
      shown.type("use npm ünder all\u007f\u007f\u007f\u007f\r");
    }
    expect(await shown.ended()).toBe(0);
    expect(lastMessage()).toContain("permission denied: a person said no: use npm ünder");
    expect(shown.all()).toContain("denied Bash: a person said no: use npm ünder (3 times)");
  });

  test('"always" by a rule is not asked again, in this session', async () => {
    world = await backgroundWorld([bash("touch a1"), bash("touch b2"), bash("mkdir c3"), "Done."]);
    const shown = start(run);
    await shown.until(/Allow Bash\?/);
    shown.type("a");
    await shown.until(/Do not ask again about:/);
    expect(shown.text()).toContain("1 Bash(touch *)");
    expect(shown.text()).toContain("Bash(touch a1)");
    shown.type("1");
    await shown.until(/command: mkdir c3/);
    expect(existsSync(world.project.path("b2"))).toBe(true);
    shown.type(keys.escape);
    await shown.ended();
    expect(existsSync(world.project.path(".claude/settings.local.json"))).toBe(false);
  });

  test('"always" saved in the project holds in the next session, once the folder is trusted', async () => {
    world = await backgroundWorld([bash("touch a1"), "Done.", bash("touch b2"), "Done."]);
    world.project.write(".claude/settings.json", `{"permissions": {"allow": ["Bash(ls *)"]}}`);
    await world.call(["trust", "--yes"]);
    const shown = start(run);
    await shown.until(/Allow Bash\?/);
    shown.type("a");
    const offered = await shown.until(/(\d) Bash\(touch \*\) \(saved in/);
    shown.type(/(\d) Bash\(touch \*\) \(saved in/.exec(offered)![1]!);
    expect(await shown.ended()).toBe(0);
    expect(
      JSON.parse(readFileSync(world.project.path(".claude/settings.local.json"), "utf8")),
    ).toEqual({ permissions: { allow: ["Bash(touch *)"] } });
    const again = start(run);
    expect(await again.ended()).toBe(0);
    expect(again.all()).not.toContain("Allow Bash?");
    expect(existsSync(world.project.path("b2"))).toBe(true);
  });
});

describe("Ctrl+C ends with 130 and a sentence", () => {
  const handoff = call("AskUserQuestion", { questions: [{ question: "Which port?" }] });
  const choice = call("AskUserQuestion", {
    questions: [{ question: "Which one?", options: [{ label: "a" }, { label: "b" }] }],
  });
  const several = call("AskUserQuestion", {
    questions: [{ question: "Which ones?", options: [{ label: "a" }], multiSelect: true }],
  });
  test.each([
    ["a question about a call", bash("make a"), [], /Allow Bash\?/],
    ["the rules of always", bash("make a"), [[/Allow Bash\?/, "a"]], /Do not ask again about/],
    ["the reason of a no", bash("make a"), [[/Allow Bash\?/, "n"]], /What shall the agent know/],
    ["an agent's question", handoff, [], /Which port\?/],
    ["an agent's choice", choice, [], /Which one\?/],
    ["an agent's list", several, [], /Which ones\?/],
  ] as const)("at %s", async (_where, first, before, question) => {
    world = await backgroundWorld([first, "never"]);
    const shown = start(run);
    for (const [seen, key] of before) {
      await shown.until(seen);
      shown.type(key);
    }
    await shown.until(question);
    shown.type(keys.ctrlC);
    expect(await shown.ended()).toBe(130);
    expect(shown.all()).toContain("interrupted by Ctrl+C");
    expect(world.provider.requests).toHaveLength(1);
  });

  test("at the question before a run in the background, at both of its steps", async () => {
    world = await backgroundWorld([]);
    for (const before of ["", "s"]) {
      const shown = start(["run", "--background", "--model", "sonnet", "x"]);
      await shown.until(/In the background nobody can be asked/);
      shown.type(before);
      if (before) await shown.until(/Without asking, it may use/);
      shown.type(keys.ctrlC);
      expect(await shown.ended()).toBe(130);
      expect(shown.all()).toContain("interrupted by Ctrl+C");
    }
    expect(await world.json(["ps", "--all"])).toEqual([]);
  });

  test("at the question of trust, and nothing is trusted", async () => {
    world = await backgroundWorld([]);
    world.project.write(".claude/settings.json", `{"permissions": {"allow": ["Bash(ls *)"]}}`);
    const shown = start(["trust"]);
    await shown.until(/Do you trust this folder\?/);
    shown.type(keys.ctrlC);
    expect(await shown.ended()).toBe(130);
    expect(shown.all()).toContain("interrupted by Ctrl+C");
    expect((await world.call(["trust", "--check"])).code).toBe(1);
  });

  test("at the files that init would overwrite", async () => {
    world = await backgroundWorld([]);
    await world.call(["init"]);
    world.project.write(".claude/agents/researcher.md", "mine");
    const shown = start(["init"]);
    await shown.until(/Which ones may be overwritten\?/);
    shown.type(keys.ctrlC);
    expect(await shown.ended()).toBe(130);
    expect(shown.all()).toContain("interrupted by Ctrl+C");
  });
});

describe("Ctrl+C in a flow ends with 130, a sentence, and how it goes on", () => {
  const report = (value: Record<string, unknown>): string =>
    JSON.stringify({
      status: "complete",
      decision: "PROCEED",
      findings: {},
      issues: [],
      context_summary: "done",
      ...value,
    });
  const write = call("Write", { file_path: "done.txt", content: "x\n" });
  const files = { "package.json": JSON.stringify({ scripts: { test: "test -f done.txt" } }) };
  const clarify = report({ decision: "CLARIFY", status: "blocked", questions: ["Which one?"] });
  test.each([
    ["the question between phases", [report({})], ["--confirm"], /Continue after research\?/],
    ["a question of an agent's report", [clarify], [], /research: Which one\?/],
    ["the question about an agent's call", [report({}), write], [], /Allow Write\?/],
    [
      "the validator's question",
      [report({}), write, report({ findings: { files_changed: ["done.txt"] } })],
      ["--permission-mode", "acceptEdits"],
      /Allow Bash\?/,
    ],
  ] as const)("at %s", async (_where, script, flags, question) => {
    world = await backgroundWorld([...script], files);
    const shown = start(["flow", "sequence", "--model", "sonnet", ...flags, "make it pass"]);
    await shown.until(question);
    shown.type(keys.ctrlC);
    expect(await shown.ended()).toBe(130);
    expect(shown.all()).toContain("interrupted by Ctrl+C");
    expect(shown.all()).toMatch(/continue with: retinue flow resume/);
  });
});

test("before a run in the background single rules can be approved", async () => {
  world = await backgroundWorld([
    bash("touch made"),
    call("Write", { file_path: "w", content: "" }),
    "Done.",
  ]);
  const shown = start(["run", "--background", "--model", "sonnet", "x"]);
  await shown.until(/In the background nobody can be asked/);
  shown.type("s");
  await shown.until(/\[ \] Bash/);
  shown.type(keys.down);
  shown.type(keys.down);
  shown.type(" ");
  await shown.until(/❯ \[x\] Bash/);
  shown.type(keys.enter);
  expect(await shown.ended()).toBe(0);
  const [, id] = /Agent ID: (a[0-9a-f]{16})/.exec(shown.all()) ?? [];
  const output = await world.json<Output>(["output", id!, "--block"]);
  expect(output.permission_denials.map(({ tool_name }) => tool_name)).toEqual(["Write"]);
  expect(existsSync(world.project.path("made"))).toBe(true);
});

test("doctor and explain name the rules that a folder without trust has, and why they do nothing", async () => {
  world = await backgroundWorld([]);
  world.project.write(".claude/settings.json", `{"permissions": {"allow": ["Bash(npm *)"]}}`);
  const explained = await world.call([
    "permissions",
    "explain",
    "general-purpose",
    "Bash",
    "npm test",
  ]);
  expect(explained.stdout).toMatch(/^ask:/);
  expect(explained.stdout).toContain("without effect, because this folder is not trusted");
  expect(explained.stdout).toContain("  allow  Bash(npm *)");
  expect(explained.stdout).toContain("with them the answer would be: allow (Bash(npm *))");
  const doctor = await world.call(["doctor"]);
  expect(doctor.stdout).toMatch(
    /not trusted; until it is, this has no effect:\s+.*allow Bash\(npm \*\)/,
  );
  await world.call(["trust", "--yes"]);
  const trusted = await world.call([
    "permissions",
    "explain",
    "general-purpose",
    "Bash",
    "npm test",
  ]);
  expect(trusted.stdout).not.toContain("without effect");
});
