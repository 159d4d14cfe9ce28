// The events of a main thread: what a hook adds reaches the model, what it refuses reaches nobody.
import { existsSync, readdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { backgroundWorld, type BackgroundWorld, type Status } from "./support/background-world.ts";

let world: BackgroundWorld;
afterEach(() => world.close());

const note = `node -e 'const { appendFileSync } = require("fs"); const input = JSON.parse(require("fs").readFileSync(0)); appendFileSync("seen", [input.hook_event_name, input.source ?? input.prompt ?? input.reason].join(" ") + "\\n")'`;
const hook = (command: string): object[] => [{ hooks: [{ type: "command", command }] }];
const settings = (hooks: object): string => JSON.stringify({ hooks });
const run = (hooks: object, ...args: string[]): ReturnType<BackgroundWorld["call"]> =>
  world.call(["run", "--model", "sonnet", "--settings", settings(hooks), ...args]);

test("SessionStart, UserPromptSubmit and SessionEnd are fired once a run, with what they may add, and stand in the log", async () => {
  world = await backgroundWorld(["Done.", "Again."]);
  const hooks = {
    SessionStart: hook(`${note}; echo 'The build is red.'`),
    UserPromptSubmit: hook(`${note}; echo 'Be brief.'`),
    SessionEnd: hook(note),
  };
  expect(await run(hooks, "work")).toMatchObject({ code: 0, stdout: "Done.\n" });
  const [{ agent_id: id }] = (await world.json<Status[]>(["ps", "--all"])) as [Status];
  expect(JSON.stringify(world.provider.requests[0]!.body)).toMatch(
    /work.*The build is red\..*Be brief\./,
  );
  expect((await world.call(["logs", id])).stdout).toMatch(
    /hook SessionStart ok node[^]*hook UserPromptSubmit ok node/,
  );
  expect(await world.call(["resume", id, "--settings", settings(hooks), "more"])).toMatchObject({
    code: 0,
  });
  expect(world.project.read("seen").trim().split("\n")).toEqual([
    "SessionStart startup",
    "UserPromptSubmit work",
    "SessionEnd other",
    "SessionStart resume",
    "UserPromptSubmit more",
    "SessionEnd other",
  ]);
});

test.each([[[]], [["--background"]]])(
  "a prompt that a hook refuses is neither sent nor written (%j)",
  async (flags) => {
    world = await backgroundWorld([]);
    const { code, stderr, stdout } = await run(
      { UserPromptSubmit: hook("echo 'that is a secret' >&2; exit 2") },
      ...flags,
      "the word is xyzzy",
    );
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      "error a hook refused the prompt: that is a secret\n",
    ]);
    expect(world.provider.requests).toEqual([]);
    const projects = world.project.home + "/.claude/projects";
    expect(
      existsSync(projects)
        ? readdirSync(projects, { recursive: true }).filter((name) =>
            String(name).endsWith(".jsonl"),
          )
        : [],
    ).toEqual([]);
  },
);

test("an event that never happens here is said to", async () => {
  world = await backgroundWorld(["Done."]);
  expect((await run({ TaskCreated: hook("true") }, "work")).stderr).toContain(
    "--settings: hooks.TaskCreated: the event TaskCreated does not happen here: its hooks never run",
  );
});

test.each([
  ["PreToolUse", 0],
  ["PostToolUse", 1],
])(
  "`continue: false` on %s ends the run, and no further call of the reply is made",
  async (event, calls) => {
    world = await backgroundWorld([
      {
        tools: [
          { name: "Glob", input: { pattern: "*" } },
          { name: "Bash", input: { command: "touch b.txt" } },
        ],
      },
      "never asked for",
    ]);
    const { code, stdout } = await run(
      { [event]: hook(`echo '{"continue": false, "stopReason": "enough"}'`) },
      "--json",
      "--permission-mode",
      "bypassPermissions",
      "go",
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      subtype: "error_stopped",
      error: "a hook ended the run: enough",
      num_turns: 1,
      agents: [{ tool_uses: calls }],
    });
    expect(world.provider.requests).toHaveLength(1);
    expect(existsSync(world.project.path("b.txt"))).toBe(false);
  },
);
