// A working day at the terminal, driven by script: a run, a follow-up, an agent in the background, a message to it, an answer "always", and going on after kill -9.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { entry } from "./retinue-process.ts";
import {
  backgroundWorld,
  type BackgroundWorld,
  type Output,
  type Status,
} from "./support/background-world.ts";
import { openScreen, type Screen } from "./support/screen.ts";
import { waitUntil } from "./support/wait-until.ts";

let world: BackgroundWorld;
afterEach(() => world.close());

function type(args: string[]): Screen {
  return openScreen([entry, ...args], {
    cwd: world.project.root,
    env: { HOME: world.project.home, ...world.env },
    columns: 120,
  });
}

const bash = (command: string) => ({ tools: [{ name: "Bash", input: { command } }] });
const last = (): string => JSON.stringify(world.provider.requests.at(-1)!.body);

const helper = JSON.stringify({
  helper: { description: "h", prompt: "You are the helper.", tools: ["Bash"], contract: "none" },
});

test("a run, a follow-up with --continue, a sub-agent in the background, always, send, and --continue after kill -9", async () => {
  const script = [
    "The port is 8080.",
    // The follow-up: a call that is answered with always.
    bash("touch one"),
    bash("touch two"),
    "Both are there.",
    // The one that starts a sub-agent in the background.
    {
      tools: [
        {
          name: "Agent",
          input: {
            subagent_type: "helper",
            description: "wait",
            prompt: "w",
            run_in_background: true,
          },
        },
      ],
    },
    "It is on its way.",
    // The one that is killed, and its continuation.
    bash("touch dead; sleep 600"),
    "Back again.",
  ];
  world = await backgroundWorld(({ body }) => {
    const text = JSON.stringify(body);
    if (!text.includes("You are the helper.")) return script.shift()!;
    return text.includes("tool_result")
      ? "Heard it."
      : bash("until [ -e go ]; do sleep 0.05; done");
  });
  const shownTo = (words: string): string[] =>
    world.provider.requests
      .map(({ body }) => JSON.stringify(body))
      .filter((text) => text.includes(words));
  const first = type(["run", "--model", "sonnet", "which port?"]);
  expect(await first.ended()).toBe(0);
  const second = type(["run", "--continue", "make two files"]);
  await second.until(/Allow Bash\?/);
  second.type("a");
  await second.until(/1 Bash\(touch \*\)/);
  second.type("1");
  expect(await second.ended()).toBe(0);
  expect(second.all().match(/Allow Bash\?/g)).toHaveLength(1);
  expect(existsSync(world.project.path("two"))).toBe(true);
  expect(last()).toContain("which port?");
  expect(last()).toContain("make two files");

  const allowed = ["run", "--model", "sonnet", "--allowedTools=Bash"];
  const third = type([...allowed, "--agents", helper, "start a helper"]);
  const told = await third.until(/still at work, in a process of its own: a[0-9a-f]{16}/);
  expect(told).toMatch(/● (?:Agent wait w|helper works in the background)/);
  const [, id = ""] = /of its own: (a[0-9a-f]{16})/.exec(told) ?? [];
  const sent = await world.call(["send", id, "the door is open"]);
  expect(sent.stdout).toContain(`${id} gets the message at its next turn`);
  world.project.write("go", "");
  // It goes on in its own process, and the terminal is free.
  expect(await third.ended()).toBe(0);
  expect(await world.json<Output>(["output", id, "--block"])).toMatchObject({
    content: "Heard it.",
  });
  expect(shownTo("the door is open").at(-1)).toContain("You are the helper.");

  const fourth = type([...allowed, "wait"]);
  await waitUntil(() => existsSync(world.project.path("dead")));
  fourth.kill("SIGKILL");
  await fourth.ended();
  await waitUntil(async () =>
    (await world.json<Status[]>(["ps"])).some(({ reason }) => reason === "lost"),
  );
  const fifth = type(["run", "--continue", "are you there?"]);
  expect(await fifth.ended()).toBe(0);
  expect(fifth.all()).toContain("Back again.");
  expect(last()).toContain("may or may not have run");
  expect(script).toEqual([]);
});

describe("--resume without an id", () => {
  test("takes the newest session of this folder, wherever the prompt stands", async () => {
    world = await backgroundWorld(["One.", "Two.", "Three."]);
    await world.call(["run", "--model", "sonnet", "first words"]);
    expect((await world.call(["run", "second words", "--resume"])).code).toBe(0);
    expect((await world.call(["run", "--resume", "third words"])).code).toBe(0);
    for (const words of ["first words", "second words", "third words"])
      expect(last()).toContain(words);
  });

  test("says so where there is none", async () => {
    world = await backgroundWorld([]);
    const { code, stderr } = await world.call(["run", "--continue", "go on"]);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no session of this folder to continue");
  });
});

test("send to a finished agent continues it", async () => {
  world = await backgroundWorld(["One.", "Two."]);
  await world.call(["run", "--model", "sonnet", "first words"]);
  const [status] = await world.json<Status[]>(["ps", "--all"]);
  const { code, stdout } = await world.call(["send", status!.agent_id, "and now?"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Two.");
  expect(last()).toContain("first words");
});

test("ps has a header, the task, the folder and what it cost; the JSON for programs has no more than before", async () => {
  world = await backgroundWorld(["One."]);
  await world.call(["run", "--model", "sonnet", "count the doors"]);
  const { stdout } = await world.call(["ps", "--all"]);
  const [head, row] = stdout.split("\n");
  expect(head).toMatch(/^ID +AGENT +STATE +STARTED +TURNS +TOKENS +COST +CONTEXT +FOLDER +TASK$/);
  expect(row).toMatch(
    /^a[0-9a-f]{16} +general-purpose +completed +\d+ s ago +1 .*\$0\.\d{4} +\d+ % +/,
  );
  expect(row).toContain(world.project.root);
  expect(row).toMatch(/count the doors$/);
  expect(Object.keys((await world.json<Status[]>(["ps", "--all"]))[0]!)).toEqual([
    "agent_id",
    "agent_type",
    "name",
    "state",
    "started_at",
    "background",
    "host_pid",
    "metrics",
  ]);
});

test("the completion script of bash offers agents and runs", async () => {
  world = await backgroundWorld(["One."]);
  await world.call(["run", "--model", "sonnet", "x"]);
  const [{ agent_id } = { agent_id: "" }] = await world.json<Status[]>(["ps", "--all"]);
  const script = (await world.call(["completion", "bash"])).stdout;
  const typed = (line: string): string[] => {
    const words = line.split(" ");
    const completing = [
      `retinue() { ${process.execPath} ${entry} "$@"; }`,
      script,
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`,
      '_retinue; printf "%s\\n" "${COMPREPLY[@]}"',
    ].join("\n");
    return execFileSync("bash", ["-c", completing], {
      cwd: world.project.root,
      env: { PATH: process.env["PATH"], HOME: world.project.home },
      encoding: "utf8",
    }).split("\n");
  };
  expect(typed(`retinue output ${agent_id.slice(0, 4)}`)).toContain(agent_id);
  expect(typed("retinue run --agent Exp")).toContain("Explore");
  expect((await world.call(["completion", "words", "nonsense"])).code).toBe(2);
});
