// P11 with the built command: kill -9 of the host, and no process of its agents is alive two seconds later.
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startMockProvider } from "../src/testing/mock-provider.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

function runningWith(word: string): string[] {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && commandOf(name).startsWith(`sleep\0${word}`),
  );
}

test.runIf(process.platform === "linux").each(["SIGKILL", "SIGTERM"] as const)(
  "%s of a run leaves no process of its commands",
  async (signal) => {
    const word = `${3_000_000 + Math.floor(Math.random() * 1_000_000)}`;
    const command = `sleep ${word} & setsid sleep ${word} & (setsid sleep ${word} &) ; (trap '' TERM HUP; setsid sleep ${word}) & sleep ${word}`;
    const project = tempProject({});
    const server = await startMockProvider({
      script: [{ tools: [{ name: "Bash", input: { command } }] }, { text: "never" }],
    });
    let host: ChildProcess | undefined;
    const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
    const finished = retinue(
      [
        "run",
        "--model",
        "sonnet",
        "--allowedTools=Bash",
        "--permission-mode",
        "bypassPermissions",
        "go",
      ],
      { project, env, onStart: (child) => void (host = child) },
    );
    for (let round = 0; round < 200 && runningWith(word).length < 5; round++) await sleep(50);
    expect(runningWith(word).length).toBe(5);
    host!.kill(signal);
    await finished;
    await sleep(2_000);
    expect(runningWith(word)).toEqual([]);
    await server.close();
    project.remove();
  },
);
