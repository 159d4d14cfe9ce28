// `retinue top` on a real terminal, cell by cell: the tree of sessions of other processes, what each key does to them, and a terminal that is as before however it ends.
import { afterEach, describe, expect, test } from "vitest";
import { entry } from "./retinue-process.ts";
import {
  backgroundWorld,
  type BackgroundWorld,
  type Output,
  type Status,
} from "./support/background-world.ts";
import { keys, openScreen, type Screen } from "./support/screen.ts";
import { hasTmux, openTerminal } from "./support/terminal.ts";
import { waitUntil } from "./support/wait-until.ts";

let world: BackgroundWorld;
const screens: Screen[] = [];
afterEach(async () => {
  for (const screen of screens.splice(0)) screen.kill("SIGKILL");
  await world.close();
});

type Size = { columns?: number; rows?: number; env?: Record<string, string> };

function open(args: string[], { columns = 80, rows = 24, env = {} }: Size = {}): Screen {
  const screen = openScreen([entry, ...args], {
    cwd: world.project.root,
    env: { HOME: world.project.home, ...world.env, ...env },
    columns,
    rows,
  });
  screens.push(screen);
  return screen;
}

const call = (name: string, input: unknown) => ({ tools: [{ name, input }] });
const bash = (command: string) => call("Bash", { command });
const wait = (file: string): string => `until [ -e ${file} ]; do sleep 0.05; done`;
const shown = (screen: Screen, what: RegExp): Promise<string> =>
  waitUntil(() => (what.test(screen.text()) ? screen.text() : undefined), {
    withinMs: 20_000,
  }).catch(() => {
    throw new Error(`${String(what)} did not come; the screen shows:\n${screen.text()}`);
  });
/** Rows of the tree without their times. */
const tree = (screen: Screen): string[] =>
  screen
    .rows()
    .slice(1, 6)
    .map((row) => row.replace(/(?: {11}|  )\d+ s\b/, "        N s").trimEnd());

describe("the tree", () => {
  const agents = JSON.stringify({
    "alpha-世界": {
      description: "a",
      prompt: "You are alpha.",
      tools: ["Bash"],
      contract: "none",
    },
    beta: { description: "b", prompt: "You are beta.", tools: ["Read"], contract: "report" },
  });

  test.each([
    [80, {}],
    [160, {}],
    [80, { NO_COLOR: "1" }],
  ] as const)("shows runs of other processes at %i columns with %j", async (columns, env) => {
    world = await backgroundWorld(({ body }) => {
      const text = JSON.stringify(body);
      if (text.includes("earlier work")) return "It was `nothing`.";
      if (text.includes("You are alpha.")) return bash(wait("go"));
      if (text.includes("You are beta.")) return "no form at all";
      return {
        tools: ["alpha-世界", "beta"].map((name) => ({
          name: "Agent",
          input: { subagent_type: name, description: `job \u001b[2J of ${name}`, prompt: "go" },
        })),
      };
    });
    await world.call(["run", "--model", "sonnet", "--name", "old", "earlier work"]);
    open([
      "run",
      "--model",
      "sonnet",
      "--allowedTools=Bash",
      "--agents",
      agents,
      "the \u001b[2J work",
    ]);
    const top = open(["top"], { columns, env });
    await shown(top, /✗ failed|✗ completed ├ beta|✗ completed └ beta/);
    await shown(top, /● running {3}[├└] alpha/);
    expect(top.isAlternate()).toBe(true);
    // What was chosen stays chosen, wherever it stands now.
    top.type("\u001b[H");
    await shown(top, /^❯● running/m);
    const head = "   STATE     AGENT";
    const rows = tree(top);
    if (columns === 80)
      expect(rows).toEqual([
        `${head}             MODEL      TURNS TOKENS    COST  CTX TRUST`,
        "❯● running   general-purpose   sonnet-5-5     1    120 $0.0004   0%",
        " ● running   ├ alpha-世界      sonnet-5-5     1    120 $0.0004   0%",
        " ✗ completed └ beta            sonnet-5-5     2    240 $0.0008   0% INVALID",
        " ✓ completed old               sonnet-5-5     1    120 $0.0004   0%",
      ]);
    else {
      const model = "sonnet-5-5         ";
      expect(rows.slice(1)).toEqual([
        `❯● running   general-purpose                ${model}1    120 $0.0004   0%                    N s Agent job of beta go`,
        ` ● running   ├ alpha-世界                   ${model}1    120 $0.0004   0%                    N s Bash ${wait("go")}`,
        ` ✗ completed └ beta                         ${model}2    240 $0.0008   0% INVALID            N s job of beta`,
        ` ✓ completed old                            ${model}1    120 $0.0004   0%                    N s earlier work`,
      ]);
    }
    expect(top.rows()[0]).toContain("2 running · 4 agents");
    expect(top.colourOf("INVALID")).toBe("NO_COLOR" in env ? undefined : 1);
    // The window changes while it runs.
    top.resize(60, 12);
    await waitUntil(() => top.rows()[2]!.startsWith("❯● running   general-"));
    expect(top.rows()).toHaveLength(12);
    expect(top.rows()[11]).toMatch(/^↑↓ {2}Enter log {2}s stop/);
    top.resize(columns, 24);
    top.type(keys.down);
    await shown(top, /job of alpha-世界$/m);
    top.type(keys.enter);
    await shown(top, /^log of alpha-世界 · a[0-9a-f]{16}$/m);
    await shown(top, /agent Bash \{"command":"until/);
    expect(top.bytes()).not.toContain("\u001b[2J");
    top.type("q");
    await shown(top, /STATE/);
    top.type("q");
    expect(await top.ended()).toBe(0);
    expect(top.isAlternate()).toBe(false);
    expect(top.text().trim()).toBe("");
  });

  test("of a flow stands below the flow; --json prints it once; without a terminal it says what to do", async () => {
    const phase = { status: "complete", decision: "PROCEED", findings: {}, issues: [] };
    world = await backgroundWorld(() => JSON.stringify({ ...phase, context_summary: "done" }));
    const flow = [
      "flow",
      "parallel",
      "--model",
      "sonnet",
      "--agents",
      agents.replace("none", "handoff"),
    ];
    await world.call([...flow, "--task", "alpha-世界=x", "--", "the feature"]);
    const rows = await world.json<{ label: string; depth: number; task: string }[]>(["top"]);
    expect(rows.map(({ label, depth }) => [label, depth])).toEqual([
      ["flow parallel", 0],
      ["alpha-世界", 1],
    ]);
    expect(rows[0]!.task).toBe("the feature");
    const refused = await world.call(["top"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("top needs a terminal. `retinue ps --all` prints a list");
  });
});

describe("the keys", () => {
  test("message, stop and resume reach runs in hosts", async () => {
    world = await backgroundWorld([
      bash("touch made"),
      bash(wait("go")),
      "Heard it.",
      bash(wait("never")),
      "On again.",
    ]);
    const { agent_id } = await world.start();
    const top = open(["top"], { columns: 120 });
    await shown(top, /● running/);
    top.type("r");
    await shown(top, /general-purpose still runs; m sends it a message/);
    await waitUntil(() => world.provider.requests.length === 2);
    top.type("m");
    await shown(top, /^message to general-purpose: █$/m);
    top.type("the door 世界\u007f\u007fis open");
    await shown(top, /message to general-purpose: the door is open█/);
    top.type(keys.enter);
    await shown(top, /gets the message at its next turn/);
    world.project.write("go", "");
    await shown(top, /✓ completed/);
    expect(JSON.stringify(world.provider.requests[2]!.body)).toContain("the door is open");
    top.type("r");
    await shown(top, /general-purpose goes on with: █/);
    top.type(`once more${keys.enter}`);
    await waitUntil(() => world.provider.requests.length === 4);
    await shown(top, /● running/);
    top.type("s");
    await shown(top, /stop general-purpose\? y yes/);
    top.type("y");
    await shown(top, /✗ stopped/);
    const [status] = await world.json<Status[]>(["ps", "--all"]);
    expect(status).toMatchObject({ agent_id, state: "stopped" });
    top.type("s");
    await shown(top, /general-purpose is over already/);
    top.type(keys.ctrlC);
    expect(await top.ended()).toBe(130);
    expect(top.isAlternate()).toBe(false);
    expect(top.all()).toContain("interrupted by Ctrl+C");
  });

  test("a shows the question with its diff on the usual screen, and the run goes on; b sends a run of another terminal to the background", async () => {
    world = await backgroundWorld(
      [
        call("Read", { file_path: "b.txt" }),
        call("Write", { file_path: "b.txt", content: "now\n" }),
        bash(wait("go")),
        "Finished alone.",
      ],
      { "b.txt": "was\n" },
    );
    const run = open(["run", "--model", "sonnet", "--allowedTools=Bash", "--", "x"]);
    await run.until(/Allow Write\?/);
    const top = open(["top"]);
    await shown(top, /\? asking/);
    top.type("a");
    await shown(top, /Allow Write\?/);
    expect(top.isAlternate()).toBe(false);
    expect(top.text()).toContain("  1 - was\n  1 + now");
    expect(top.colourOf("+ now")).toBe(2);
    top.type("y");
    await shown(top, /q[0-9a-f]{16} answered: yes/);
    expect(top.isAlternate()).toBe(true);
    await run.until(/answered elsewhere/);
    await shown(top, /● running/);
    await waitUntil(() => world.project.read("b.txt") === "now\n");
    top.type("b");
    await run.until(/going to the background at the end of this turn/);
    await shown(top, /goes to the background at the end of its turn/);
    world.project.write("go", "");
    expect(await run.ended()).toBe(0);
    await shown(top, /✓ completed/);
    const [{ agent_id } = { agent_id: "" }] = await world.json<Status[]>(["ps", "--all"]);
    expect(await world.json<Output>(["output", agent_id])).toMatchObject({
      content: "Finished alone.",
    });
    top.type("q");
    expect(await top.ended()).toBe(0);
  });
});

describe("the terminal is as before", () => {
  test("after a signal and after a fault of the program, whose words can be read", async () => {
    world = await backgroundWorld([]);
    const signalled = open(["top"]);
    await shown(signalled, /no agent has run here yet/);
    signalled.kill("SIGTERM");
    expect(await signalled.ended()).toBe(130);
    expect(signalled.isAlternate()).toBe(false);
    expect(signalled.bytes()).toContain("\u001b[?25h");

    const fault = `data:text/javascript,${encodeURIComponent(
      'setTimeout(() => { throw new Error("boom"); }, 1500)',
    )}`;
    const broken = open(["top"], { env: { NODE_OPTIONS: `--import=${fault}` } });
    expect(await broken.ended()).not.toBe(0);
    expect(broken.isAlternate()).toBe(false);
    expect(broken.all()).toContain("boom");
    expect(broken.bytes().lastIndexOf("\u001b[?1049l")).toBeLessThan(
      broken.bytes().lastIndexOf("boom"),
    );
  });

  test.runIf(hasTmux)("in tmux, with Ctrl+Z and fg in between", async () => {
    world = await backgroundWorld([]);
    const command = `${process.execPath} ${entry} top`;
    const terminal = openTerminal(
      `set -m; echo before; ${command}; echo "[stopped]"; sleep 1; fg`,
      {
        cwd: world.project.root,
        env: { HOME: world.project.home, ...world.env },
      },
    );
    try {
      await terminal.until(/retinue top · /);
      expect(terminal.screen()).not.toContain("before");
      terminal.press("C-z");
      await terminal.until(/before[\s\S]*\[stopped\]/);
      await terminal.until(/no agent has run here yet/);
      terminal.press("q");
      expect(await terminal.until(/\[exit 0\]/)).toContain("before");
      expect(terminal.screen()).not.toContain("retinue top");
    } finally {
      terminal.tear();
    }
  });
});
