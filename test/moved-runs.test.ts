// The moment in which a run leaves for another process: its last lines are on their way to the disk, and somebody wants something of it.
import * as nodeFs from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { inBackground } from "../src/app/host/move-to-host.ts";
import { openSession } from "../src/app/session/open-session.ts";
import type { AgentRun } from "../src/manager/agents/agent-run.ts";
import type { Manager } from "../src/manager/agents/manager.ts";
import { openManager } from "../src/manager/agents/open-manager.ts";
import { resolveMainPolicy } from "../src/manager/run/settle/resolve-policy.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { lockHolder, lockTranscript } from "../src/transcripts/lock/lock.ts";
import type { TranscriptFs } from "../src/transcripts/transcript-file.ts";
import { brainModel, forever, task, type Brain } from "./support/manager-bench.ts";

const open: { close: () => Promise<void>; project: TempProject }[] = [];
afterEach(async () => {
  for (const { close, project } of open.splice(0)) {
    await close();
    project.remove();
  }
});

/** `move`: from its next turn on it goes on in another process, which is this one's parent or, where the test takes it, this one. */
type Staff = {
  manager: Manager;
  move: (id: string, pid?: number) => void;
};

const usual: Brain = ({ turn }) =>
  turn === 1 ? { tools: [{ name: "Glob", input: { pattern: "*" } }] } : "done";

function staff(fs: Partial<TranscriptFs> = {}, brain = usual): Staff {
  const project = tempProject();
  const model = brainModel(brain);
  const opened = openSession({
    cwd: project.root,
    env: { HOME: project.home },
    contract: "none",
    models: { "brain:one": model },
    agents: { worker: { description: "works", prompt: "You work." } },
  });
  const { session } = opened;
  const caller = {
    name: "library",
    description: "the caller",
    prompt: "",
    source: "library" as const,
    priority: 0,
  };
  const manager = openManager(
    { ...session, transcriptFs: { ...nodeFs, ...fs } },
    {
      parent: {
        policy: resolveMainPolicy(session, caller, { cwd: session.cwd }),
        model: "brain:one",
      },
    },
  );
  open.push({ project, close: async () => (await manager.close(), await opened.close()) });
  return {
    manager,
    move: (id, pid = process.ppid) => manager.runOf(id)!.moveTo(Promise.resolve(pid)),
  };
}

/** Starts a run that moves away after its first turn. */
function leaving({ manager, move }: Staff, pid?: number): AgentRun {
  const run = manager.spawn(task("go"));
  move(run.id, pid);
  return run;
}

describe("a run that leaves", () => {
  test("takes along the time that it has used: in the other process its deadline does not begin anew", async () => {
    let isHere = true;
    const here = staff({}, ({ turn, signal }) =>
      turn === 1 || isHere
        ? { tools: [{ name: "Glob", input: { pattern: "*" } }] }
        : forever(signal),
    );
    const run = leaving(here, process.pid);
    const live = here.manager.running(run.id)!;
    const { reason } = await run.done;
    expect(reason).toBe("moved");
    isHere = false;
    // As if it had been settled long ago.
    const startedAt = Date.now() - live.spec.limits.timeoutMs + 100;
    const there = await here.manager.take({ ...inBackground(live.spec, live.left!), startedAt })
      .done;
    expect(there).toMatchObject({ state: "failed", reason: "timeout" });
  });

  test("its lock is the other process's, at every moment", async () => {
    const { reason, transcript } = await leaving(staff()).done;
    expect(reason).toBe("moved");
    expect(lockHolder(transcript)).toMatchObject({ pid: process.ppid, handed: true });
  });

  test("a stop that comes too late for it says so, and claims no stop", async () => {
    let stopping: ReturnType<Manager["stop"]> | undefined;
    const here: Staff = staff({
      // It leaves at once, so that its one sync is the one before the lock is handed over: what is said from then on the other process does not hear.
      fsync(fd, done) {
        stopping ??= here.manager.stop(run.id);
        nodeFs.fsync(fd, done);
      },
    });
    const run = leaving(here);
    expect(await run.done).toMatchObject({ state: "stopped", reason: "moved" });
    expect(await stopping).toEqual({
      agent_id: run.id,
      stopped: false,
      state: "running",
      message: expect.stringContaining("has gone on in another process"),
    });
  });

  test("one whose last lines cannot be written does not leave: it failed, and nobody is given its lock", async () => {
    const run = leaving(staff({ fsync: (_fd, done) => done(new Error("EIO: i/o error")) }));
    const { state, reason, transcript } = await run.done;
    expect({ state, reason }).toEqual({ state: "failed", reason: "storage" });
    expect(lockHolder(transcript)).toBeUndefined();
  });
});

test("a run whose lock somebody holds is running, also where its last line on disk is still the end of its life before", async () => {
  const { manager } = staff();
  const { agent_id, state, transcript } = await manager.spawn(task("go")).done;
  expect(state).toBe("completed");
  const lock = lockTranscript(transcript);
  expect(() => manager.resume(agent_id, "again")).toThrowError(
    expect.objectContaining({ code: "running" }) as Error,
  );
  lock.release();
  expect(await manager.resume(agent_id, "again").done).toMatchObject({ state: "completed" });
});
