// What a person sees and presses: questions on a real terminal, Ctrl+B, and a terminal that is torn away.
import { existsSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { entry } from "./retinue-process.ts";
import {
  backgroundWorld,
  rareWord,
  sleepers,
  stubbornCommand,
  type BackgroundWorld,
  type Output,
  type Status,
} from "./support/background-world.ts";
import { hasTmux, openTerminal, type Terminal } from "./support/terminal.ts";
import { waitUntil } from "./support/wait-until.ts";

let world: BackgroundWorld;
let terminal: Terminal | undefined;
afterEach(async () => {
  terminal?.tear();
  terminal = undefined;
  await world.close();
});

const bash = (
  command: string,
  text = "",
): { text: string; tools: { name: string; input: unknown }[] } => ({
  text,
  tools: [{ name: "Bash", input: { command } }],
});

function type(args: string): Terminal {
  terminal = openTerminal(`${process.execPath} ${entry} ${args}`, {
    cwd: world.project.root,
    env: { HOME: world.project.home, ...world.env },
  });
  return terminal;
}

const run = "run --model sonnet";

describe.runIf(hasTmux)("a question about a tool call", () => {
  test("shows the call in escaped form, every control character visible, and does what is answered", async () => {
    world = await backgroundWorld([
      bash("touch once\u001b[2K\u0007\r\n# harmless"),
      bash("touch refused"),
      "The end.",
    ]);
    const screen = type(`${run} x`);
    await screen.until(/Allow Bash\?/);
    expect(screen.screen()).toContain("general-purpose wants to use Bash");
    expect(screen.screen()).toContain("touch once\\u{1b}[2K\\u{7}\\r\\n# harmless");
    screen.press("Up", "Up", "Up", "Enter");
    await screen.until(/touch refused/);
    await screen.until(/❯ No[\s\S]*$/);
    screen.press("Enter");
    const end = await screen.until(/\[exit 0\]/);
    expect(end).toContain("The end.");
    expect(end).toContain("denied Bash: a person said no");
    expect(existsSync(world.project.path("refused"))).toBe(false);
  });

  test("an answer for the whole session is not asked again; Ctrl+C at a question stops the run", async () => {
    world = await backgroundWorld([
      bash("echo a >> log"),
      bash("echo a >> log"),
      bash("echo b >> log"),
      "never",
    ]);
    const screen = type(`${run} x`);
    await screen.until(/echo a >> log/);
    await screen.until(/Allow Bash\?/);
    screen.press("a");
    const offered = await screen.until(/(\d) this very call/);
    screen.press(/(\d) this very call/.exec(offered)![1]!);
    await screen.until(/echo b >> log/);
    await screen.until(/❯ No \(Esc\)\s*$/);
    expect(world.project.read("log")).toBe("a\na\n");
    screen.press("C-c");
    await screen.until(/\[exit 130\]/);
    expect(world.project.read("log")).toBe("a\na\n");
    expect(world.provider.requests).toHaveLength(3);
  });

  test("after Ctrl+Z and fg the question still hears keys, Ctrl+C among them", async () => {
    world = await backgroundWorld([bash("touch once"), bash("touch never"), "The end."]);
    const command = `${process.execPath} ${entry} ${run} x`;
    terminal = openTerminal(
      `set -m; ${command}; echo "[stopped]"; fg; echo "[stopped again]"; fg`,
      { cwd: world.project.root, env: { HOME: world.project.home, ...world.env } },
    );
    await terminal.until(/❯ No[\s\S]*$/);
    terminal.press("C-z");
    await terminal.until(/\[stopped\]\n\S*node/);
    terminal.press("y");
    await terminal.until(/touch never[\s\S]*❯ No[\s\S]*$/);
    expect(existsSync(world.project.path("once"))).toBe(true);
    terminal.press("C-z");
    await terminal.until(/\[stopped again\]\n\S*node/);
    terminal.press("C-c");
    await terminal.until(/\[exit 130\]/);
    expect(existsSync(world.project.path("never"))).toBe(false);
  });

  test("Ctrl+C at an agent's own question stops the run too", async () => {
    world = await backgroundWorld([
      { tools: [{ name: "AskUserQuestion", input: { questions: [{ question: "Which port?" }] } }] },
      "never",
    ]);
    const screen = type(`${run} x`);
    await screen.until(/Which port\?/);
    screen.press("C-c");
    await screen.until(/\[exit 130\]/);
    expect(world.provider.requests).toHaveLength(1);
  });

  test("a run for the background asks once, up front, and is then left alone", async () => {
    world = await backgroundWorld([bash("touch made"), "Done."]);
    const screen = type(`${run} --background x`);
    await screen.until(/In the background nobody can be asked\. May general-purpose use .*Bash/);
    screen.press("y");
    const [, id] = /Agent ID: (a[0-9a-f]{16})/.exec(await screen.until(/\[exit 0\]/)) ?? [];
    expect(await world.json<Output>(["output", id!, "--block"])).toMatchObject({
      state: "completed",
      permission_denials: [],
    });
    expect(existsSync(world.project.path("made"))).toBe(true);
  });
});

describe.runIf(hasTmux)("Ctrl+B", () => {
  test("moves the run to a host at the end of its turn: same id, same conversation, no call repeated, the file from the beginning", async () => {
    world = await backgroundWorld([
      bash("echo one >> log", "First."),
      bash("until [ -e go ]; do sleep 0.05; done; echo two >> log", "Second."),
      bash("echo three >> log"),
      { tools: [{ name: "Write", input: { file_path: "w", content: "" } }] },
      "Finished alone.",
    ]);
    const screen = type(`${run} --allowedTools=Bash x`);
    await waitUntil(() => existsSync(world.project.path("log")));
    await screen.until(/Second\./);
    const [before] = await world.json<Status[]>(["ps"]);
    screen.press("C-b");
    await screen.until(/going to the background at the end of this turn/);
    world.project.write("go", "");
    const left = await screen.until(/\[exit 0\]/);
    const [, id, file] = /Agent ID: (a[0-9a-f]{16})\s+Output file: (\S+\.output)/.exec(left) ?? [];
    expect(id).toBe(before!.agent_id);
    const output = await world.json<Output>(["output", id!, "--block"]);
    expect(output).toMatchObject({
      state: "completed",
      content: "Finished alone.",
      metrics: { tool_uses: 3 },
    });
    // Nobody was there to be asked about the Write.
    expect(output.permission_denials.map((denial) => denial.tool_name)).toEqual(["Write"]);
    expect(world.project.read("log")).toBe("one\ntwo\nthree\n");
    expect(readFileSync(file!, "utf8")).toMatch(
      /^First\.\n\[tool\] Bash ok[\s\S]*Second\.\n\[tool\] Bash ok[\s\S]*\[denied\] Write[\s\S]*Finished alone\.\n\[retinue\] state=completed agent=a[0-9a-f]{16}\n$/,
    );
    expect(await world.json<Status[]>(["ps", "--all"])).toMatchObject([
      { agent_id: id, state: "completed", background: true, metrics: { turns: 5 } },
    ]);
    // One prompt, and no word that anything was interrupted.
    const last = JSON.stringify(world.provider.requests.at(-1)!.body);
    expect(last).not.toContain("interrupted");
    world.provider.finish();
  });

  test("is no stop: until the host has it the run shows as running, and never as lost", async () => {
    world = await backgroundWorld([
      bash("until [ -e go ]; do sleep 0.02; done", "Waiting."),
      bash("until [ -e end ]; do sleep 0.02; done"),
      "Done.",
    ]);
    const screen = type(`${run} --allowedTools=Bash x`);
    await screen.until(/Waiting\./);
    screen.press("C-b");
    await screen.until(/going to the background/);
    const states = new Set<string>();
    const pids = new Set<number | null>();
    world.project.write("go", "");
    for (let look = 0; look < 12; look++) {
      for (const { state, host_pid } of await world.json<Status[]>(["ps", "--all"])) {
        states.add(state);
        pids.add(host_pid);
      }
    }
    expect([...states]).toEqual(["running"]);
    await screen.until(/\[exit 0\]/);
    screen.tear();
    const [status] = await world.json<Status[]>(["ps"]);
    expect(status).toMatchObject({ state: "running", background: true });
    world.project.write("end", "");
    expect(await world.json<Output>(["output", status!.agent_id, "--block"])).toMatchObject({
      state: "completed",
      content: "Done.",
    });
  });
});

describe.runIf(hasTmux)("a terminal that is torn away", () => {
  test("does not touch a background run that was started in it", async () => {
    world = await backgroundWorld([bash("until [ -e go ]; do sleep 0.05; done"), "Still here."]);
    const screen = type(`${run} --background --allowedTools=Bash,Edit,Write,WebFetch x`);
    const [, id] = /Agent ID: (a[0-9a-f]{16})/.exec(await screen.until(/\[exit 0\]/)) ?? [];
    screen.tear();
    expect(await world.json<Status[]>(["ps"])).toMatchObject([{ agent_id: id, state: "running" }]);
    world.project.write("go", "");
    expect(await world.json<Output>(["output", id!, "--block"])).toMatchObject({
      state: "completed",
      content: "Still here.",
    });
  });

  test("ends a run that was shown in it, and every process of it", async () => {
    const word = rareWord();
    world = await backgroundWorld([bash(stubbornCommand(word))]);
    const screen = type(`${run} --allowedTools=Bash x`);
    await waitUntil(() => sleepers(word).length === 5);
    screen.tear();
    await waitUntil(() => sleepers(word).length === 0, {
      withinMs: 2_500,
      what: "the end of all processes",
    });
    await waitUntil(
      async () => (await world.json<Status[]>(["ps", "--all"]))[0]?.state === "stopped",
    );
  });
});
