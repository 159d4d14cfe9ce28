// A program of a test that never outlives it: a guard ends it when the test's process is gone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { repositoryRoot } from "./repository-root.ts";

export type GuardedProcess = {
  /** Of the program itself. */
  readonly pid: number;
  /** Everything that it has printed. */
  output(): string;
  /** Settles when a line that matches is printed; rejects when the program ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Ends it at once and waits for that. */
  end(): Promise<void>;
};

const guard = join(repositoryRoot, "test/support/cluster/guard.mjs");

export async function guardedProcess(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<GuardedProcess> {
  const child = spawn(process.execPath, [guard, command, ...args], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const ownPid = once(child.stdio[3] as Readable, "data");
  let text = "";
  const waiting = new Set<() => void>();
  const heard = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout.on("data", heard);
  child.stderr.on("data", heard);
  child.stdin.on("error", () => undefined);
  let isOver = false;
  const over = new Promise<void>((resolve) =>
    child.on("close", () => {
      isOver = true;
      for (const look of waiting) look();
      resolve();
    }),
  );
  const line = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(text);
        if (!found && !isOver) return;
        waiting.delete(look);
        if (found) resolve(found);
        else reject(new Error(`${command} ended without ${pattern}:\n${text.slice(-2_000)}`));
      };
      waiting.add(look);
      look();
    });
  const pid = Number(String(await Promise.race([ownPid, over])));
  if (!(pid > 0)) throw new Error(`${command} did not start:\n${text.slice(-2_000)}`);
  return {
    pid,
    output: () => text,
    line,
    signal: (name) => void process.kill(pid, name),
    async end() {
      child.stdin.end();
      await over;
    },
  };
}
