// What whoever operates runs on a bad day relies on: stop without a disk, no guess at a newer format, and the next step in words.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
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
import { waitUntil } from "./support/wait-until.ts";

let world: BackgroundWorld;
afterEach(() => world.close());

const bash = (command: string): { tools: { name: string; input: unknown }[] } => ({
  tools: [{ name: "Bash", input: { command } }],
});
const mainTranscript = (): string => {
  const projects = join(world.project.home, ".claude", "projects");
  const folder = join(projects, readdirSync(projects)[0]!);
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".jsonl"))!,
  );
};

test("stop ends a background run also where no request can be written", async () => {
  const word = rareWord();
  world = await backgroundWorld([bash(stubbornCommand(word))]);
  const { agent_id } = await world.start();
  await waitUntil(() => sleepers(word).length === 5);
  const folder = join(world.project.home, ".claude", "retinue", "stop");
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, "");
  expect(await world.call(["stop", agent_id])).toMatchObject({
    code: 0,
    stdout: `${agent_id} stopped (cancelled)\n`,
  });
  expect(sleepers(word)).toEqual([]);
  expect(await world.json<Status[]>(["ps"])).toEqual([]);
});

test("a transcript of another format is shown and not continued", async () => {
  world = await backgroundWorld(["One."]);
  const { agent_id } = await world.start();
  await world.call(["output", agent_id, "--block"]);
  const path = mainTranscript();
  const newer = readFileSync(path, "utf8").replace('"version":1', '"version":2');
  writeFileSync(path, newer);
  expect(await world.json<Output>(["output", agent_id])).toMatchObject({
    state: "completed",
    content: "One.",
  });
  for (const words of [
    ["resume", agent_id],
    ["run", "--resume", agent_id],
  ]) {
    const again = await world.call([...words, "go on"]);
    expect(again).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /cannot be continued: its transcript was written by retinue \S+ in format 2, and this version continues format 1/,
      ) as string,
    });
  }
  expect(readFileSync(path, "utf8")).toBe(newer);
});

test("what ended too early names the command that goes on with it, and that command tells of a folder that is gone", async () => {
  world = await backgroundWorld([{ fault: { kind: "status", status: 401 } }]);
  const { agent_id } = await world.start();
  const next = `to go on with it: retinue resume ${agent_id} PROMPT`;
  expect(await world.call(["output", agent_id, "--block"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(next) as string,
  });
  const moved = `${world.project.root}-moved`;
  mkdirSync(join(world.project.home, "elsewhere"));
  renameSync(world.project.root, moved);
  try {
    const again = await world.call(["resume", agent_id, "go on"], {
      project: { ...world.project, root: join(world.project.home, "elsewhere") },
    });
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /cannot use .* as working directory: ENOENT\. What is resumed goes on in the folder that it worked in: bring that back/,
      ) as string,
    });
  } finally {
    renameSync(moved, world.project.root);
  }
});

const hasScript =
  process.platform === "linux" &&
  spawnSync("script", ["--version"], { stdio: "ignore" }).status === 0;
test.runIf(hasScript).each([
  ["xterm", true],
  ["dumb", false],
])("on a terminal that calls itself %s lines are written over: %s", async (term, isRewritten) => {
  world = await backgroundWorld([bash("sleep 0.3"), "Done."]);
  const { stdout } = await promisify(execFile)(
    "script",
    [
      "-qc",
      `stty cols 100; ${process.execPath} ${entry} run --model sonnet --allowedTools=Bash go`,
      "/dev/null",
    ],
    {
      cwd: world.project.root,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: world.project.home,
        TERM: term,
        NO_COLOR: "1",
        ...world.env,
      },
    },
  );
  expect([stdout.includes("Done."), stdout.includes("\u001b")]).toEqual([true, isRewritten]);
});

test("a run in the foreground that fails says how to go on", async () => {
  world = await backgroundWorld([{ fault: { kind: "status", status: 401 } }]);
  const { code, stderr } = await world.call(["run", "--model", "sonnet", "go"]);
  const [{ agent_id }] = await world.json<[Status]>(["ps", "--all"]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(
      `to go on with it: retinue resume ${agent_id} PROMPT\n`,
    ) as string,
  });
});

test("a resume says what the first command line allowed and it does not, and allows it only when told again", async () => {
  world = await backgroundWorld([
    "One.",
    bash("touch a.txt"),
    "Two.",
    bash("touch b.txt"),
    "Three.",
  ]);
  await world.call(["run", "--model", "sonnet", "--allowedTools", "Bash(touch *)", "--", "go"]);
  const [{ agent_id: id }] = (await world.json<Status[]>(["ps", "--all"])) as [Status];
  const again = await world.call(["resume", id, "go on"]);
  expect(again.stderr).toContain(
    "it was also allowed Bash(touch *) when it began; a resume keeps no such rule: give it again with --allowedTools",
  );
  expect(
    (await world.call(["resume", id, "--allowedTools=Bash(touch *)", "go on"])).stderr,
  ).not.toContain("it was also allowed");
  expect(readdirSync(world.project.root).filter((name) => name.endsWith(".txt"))).toEqual([
    "b.txt",
  ]);
});
