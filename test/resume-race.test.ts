// Two terminals go on with the same agent: one does, the other is told who has it, whichever moment it came at.
import { readFileSync, rmSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { findRun } from "../src/app/runs/find-run.ts";
import { openSession } from "../src/app/session/open-session.ts";
import { resumeAgent } from "../src/app/main/resume-agent.ts";
import { runMainThread, settleMain } from "../src/app/main/run-main-thread.ts";
import { lockTranscript } from "../src/transcripts/lock/lock.ts";
import type { RunOnDisk } from "../src/transcripts/reading/list-runs.ts";
import { backgroundWorld, type BackgroundWorld, type Status } from "./support/background-world.ts";

let world: BackgroundWorld;
afterEach(() => world.close());

const scout = {
  ".claude/agents/scout.md": "---\nname: scout\ndescription: looks\ncontract: none\n---\nLook.\n",
};
const delegate = {
  tools: [
    { name: "Agent", input: { description: "look", prompt: "Look.", subagent_type: "scout" } },
  ],
};
const wait = {
  tools: [{ name: "Bash", input: { command: "until [ -e go ]; do sleep 0.02; done; rm go" } }],
};

/** A main thread and its agent, both over. */
async function finishedRuns(): Promise<RunOnDisk[]> {
  await world.call(["run", "--model", "sonnet", "--allowedTools=Bash", "begin"]);
  return (await world.json<Status[]>(["ps", "--all"]))
    .map(({ agent_id }) => findRun(agent_id, { HOME: world.project.home }))
    .sort((a, b) => Number(b.isMain) - Number(a.isMain));
}

test(
  "of two commands that resume one run at once, one goes on; the other ends with 2 and names the process that has it",
  { timeout: 60_000 },
  async () => {
    const rounds = 4;
    world = await backgroundWorld(
      [
        delegate,
        "Looked.",
        "Begun.",
        ...Array.from({ length: rounds }, () => [wait, "Gone on."]).flat(),
      ],
      scout,
    );
    const runs = await finishedRuns();
    for (let round = 0; round < rounds; round++) {
      const id = runs[round % 2]!.agentId;
      const over: number[] = [];
      const calls = [0, 1].map(async (index) => {
        const finished = await world.call(["resume", id, "--allowedTools=Bash", "--", "go on"]);
        // The slower one is over first; only then may the other end.
        if (over.push(index) === 1) world.project.write("go", "");
        return finished;
      });
      const [won, lost] = (await Promise.all(calls)).sort((a, b) => a.code! - b.code!);
      expect(won).toMatchObject({ code: 0, stdout: expect.stringContaining("Gone on.") });
      expect(lost).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/^error .* process \d+\. Wait /m),
      });
      rmSync(world.project.path("go"), { force: true });
    }
    world.provider.finish();
  },
);

test("who comes too late to the lock is refused like who is seen earlier, and leaves what the other one writes alone", async () => {
  world = await backgroundWorld([delegate, "Looked.", "Begun."], scout);
  const [main, child] = await finishedRuns();
  const opened = openSession({
    cwd: world.project.root,
    env: { HOME: world.project.home, PATH: process.env["PATH"], ...world.env },
    sessionId: main!.sessionId,
  });
  const signal = new AbortController().signal;
  const refusal = expect.objectContaining({
    code: "running",
    message: expect.stringContaining(`process ${process.pid}`),
  }) as Error;
  try {
    for (const background of [false, true]) {
      const held = lockTranscript(main!.transcript);
      await expect(
        settleMain(opened, {
          prompt: "go on",
          model: "sonnet",
          agentId: main!.agentId,
          background,
          limits: {},
        }).then((spec) => runMainThread(opened, spec, { signal })),
      ).rejects.toEqual(refusal);
      held.release();
      // It has looked and found the agent free; before it has its lock, somebody else takes it.
      const late = resumeAgent(
        opened,
        { agentId: child!.agentId, prompt: "go on", background },
        { signal },
      );
      const quicker = lockTranscript(child!.transcript);
      await expect(late).rejects.toEqual(refusal);
      quicker.release();
      if (background)
        for (const { agentId } of [main!, child!])
          expect(readFileSync(opened.session.paths.output(agentId), "utf8")).toBe("");
    }
    expect(world.provider.requests).toHaveLength(3);
    await expect(world.call(["resume", child!.agentId, "again"])).resolves.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("request 4"),
    });
  } finally {
    await opened.close();
  }
});
