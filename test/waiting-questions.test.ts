// Questions on disk: they wait without anybody watching, survive the death of their process, are answered once from anywhere, and end at their deadline.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { entry } from "./retinue-process.ts";
import {
  backgroundWorld,
  type BackgroundWorld,
  type Output,
  type Started,
  type Status,
} from "./support/background-world.ts";
import { openScreen } from "./support/screen.ts";
import { waitUntil } from "./support/wait-until.ts";

let world: BackgroundWorld;
afterEach(() => world.close());

type Question = { id: string; agent_id: string; tool: string; offers: string[][]; reason: string };

const bash = (command: string, more: { name: string; input: unknown }[] = []) => ({
  tools: [...more, { name: "Bash", input: { command } }],
});

/** Starts a run in the background with these settings of the user. */
async function start(background: object, args: string[] = []): Promise<Started> {
  mkdirSync(join(world.project.home, ".claude"), { recursive: true });
  writeFileSync(
    join(world.project.home, ".claude/settings.json"),
    JSON.stringify({ retinue: { background } }),
  );
  const { stdout, stderr } = await world.call([
    "run",
    "--background",
    "--model",
    "sonnet",
    "--output-format",
    "json",
    ...args,
    "do it",
  ]);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Started;
}

const question = (): Promise<Question> =>
  waitUntil(async () => (await world.json<Question[]>(["asks"]))[0]);

const output = (id: string): Promise<Output> =>
  world.json<Output>(["output", id, "--block", "--timeout", "20000"]);

const recorded = (transcript: string): string[] =>
  readFileSync(transcript, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { subtype?: string; type: string })
    .map(({ subtype, type }) => subtype ?? type);

test("asked, the host killed with SIGKILL, answered from another terminal: it goes on, and the call runs once", async () => {
  world = await backgroundWorld(
    [bash("echo ran >> log", [{ name: "Read", input: { file_path: "a.txt" } }]), "Done."],
    { "a.txt": "a\n" },
  );
  const { agent_id } = await start({ ask: "wait" });
  const { id, agent_id: asker, tool, offers } = await question();
  expect({ asker, tool, offers: offers[0] }).toEqual({
    asker: agent_id,
    tool: "Bash",
    offers: ["Edit(/log)"],
  });
  const [before] = await world.json<Status[]>(["ps"]);
  expect(before).toMatchObject({ agent_id, state: "asking" });
  process.kill(before!.host_pid!, "SIGKILL");
  await waitUntil(async () => (await world.json<Status[]>(["ps"]))[0]?.host_pid === null);
  expect(await world.json<Status[]>(["ps"])).toMatchObject([{ agent_id, state: "asking" }]);
  const answered = await world.call(["answer", id, "yes"]);
  expect(answered).toMatchObject({ code: 0 });
  expect(answered.stderr).toContain("its process is gone: it goes on in a new one");
  const ended = await output(agent_id);
  expect(ended).toMatchObject({ state: "completed", content: "Done.", permission_denials: [] });
  expect(world.project.read("log")).toBe("ran\n");
  expect(world.provider.requests).toHaveLength(2);
  const last = JSON.stringify(world.provider.requests[1]!.body);
  expect(last).not.toContain("may or may not have run");
  expect(recorded(ended.transcript)).toContain("asked");
  expect(await world.json(["asks"])).toEqual([]);
});

test("two answers at once: one counts, the other is told; a later one and an unknown one too", async () => {
  world = await backgroundWorld([bash("touch made"), "Done."]);
  const { agent_id } = await start({ ask: "wait" });
  const { id } = await question();
  const both = await Promise.all([
    world.call(["answer", id, "yes"]),
    world.call(["answer", id, "no", "--because", "not now"]),
  ]);
  expect(both.map(({ code }) => code).sort((a, b) => a! - b!)).toEqual([0, 1]);
  const loser = both.find(({ code }) => code === 1)!;
  expect(loser.stderr).toMatch(
    /not counted q[0-9a-f]{16}: (somebody else was first|it was answered)/,
  );
  await output(agent_id);
  expect((await world.call(["answer", id, "yes"])).code).toBe(1);
  expect((await world.call(["answer", "q0123456789abcdef", "yes"])).code).toBe(2);
  expect((await world.call(["answer", "nonsense", "yes"])).code).toBe(2);
});

test("a no with its reason reaches the agent; always is not asked again", async () => {
  world = await backgroundWorld([bash("make a"), bash("touch one"), bash("touch two"), "Done."]);
  const { agent_id } = await start({ ask: "wait" });
  const first = await question();
  await world.call(["answer", first.id, "no", "--because", "use npm"]);
  const second = await waitUntil(async () =>
    (await world.json<Question[]>(["asks"])).find(({ id }) => id !== first.id),
  );
  await world.call(["answer", second.id, "always"]);
  const ended = await output(agent_id);
  expect(ended.state).toBe("completed");
  expect(JSON.stringify(world.provider.requests[1]!.body)).toContain(
    "permission denied: a person said no: use npm",
  );
  expect(readdirSync(world.project.root)).toEqual(expect.arrayContaining(["one", "two"]));
  const asks = readdirSync(join(dirname(dirname(ended.output_file!)), "asks"));
  expect(asks.filter((name) => name.endsWith(".json"))).toHaveLength(2);
});

test("a question that nobody answers until its deadline is a denial with that reason, and does not count into the run's time", async () => {
  world = await backgroundWorld([bash("make a"), "Done."]);
  const { agent_id } = await start({ ask: "wait", waitMs: 2_500 }, ["--timeout", "2000"]);
  const ended = await output(agent_id);
  expect(ended).toMatchObject({
    state: "completed",
    permission_denials: [
      { tool_name: "Bash", reason: expect.stringContaining("nobody answered until 2") },
    ],
  });
});

test("an agent's own question waits in the same way", async () => {
  world = await backgroundWorld([
    { tools: [{ name: "AskUserQuestion", input: { questions: [{ question: "Which port?" }] } }] },
    "Done.",
  ]);
  const { agent_id } = await start({ ask: "wait" });
  const { id } = await question();
  expect((await world.call(["asks"])).stdout).toContain("Which port?");
  await world.call(["answer", id, "8080"]);
  expect((await output(agent_id)).state).toBe("completed");
  expect(JSON.stringify(world.provider.requests[1]!.body)).toContain("8080");
});

test.each(["deny", "upfront"])(
  "with ask: %s nobody is asked and the call is denied",
  async (ask) => {
    world = await backgroundWorld([bash("make a"), "Done."]);
    const { agent_id } = await start({ ask });
    const ended = await output(agent_id);
    expect(ended.permission_denials).toMatchObject([{ tool_name: "Bash" }]);
    expect(await world.json(["asks"])).toEqual([]);
  },
);

test("a question at one terminal can be answered from another", async () => {
  world = await backgroundWorld([bash("touch made"), "Done."]);
  const screen = openScreen([entry, "run", "--model", "sonnet", "x"], {
    cwd: world.project.root,
    env: { HOME: world.project.home, ...world.env },
  });
  await screen.until(/Allow Bash\?/);
  const { id } = await question();
  expect((await world.call(["answer", id, "yes"])).code).toBe(0);
  expect(await screen.ended()).toBe(0);
  expect(screen.all()).toContain("answered elsewhere");
  expect(readdirSync(world.project.root)).toContain("made");
});
