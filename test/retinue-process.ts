// Runs the built command as a real process with a home of its own, and gives back what it printed.
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { TempProject } from "../src/testing/temp-project.ts";

export type Finished = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
};

export const entry = join(import.meta.dirname, "..", "dist", "cli", "retinue.js");

export type CallOptions = {
  project: TempProject;
  env?: Record<string, string>;
  stdin?: string | Buffer;
  onStart?: (child: ChildProcess) => void;
  onStderr?: (text: string) => void;
};

/** Nothing of the caller's environment but the PATH: no key, no home, no colours. */
export function retinue(
  args: string[],
  { project, env, stdin, onStart, onStderr }: CallOptions,
): Promise<Finished> {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: project.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: project.home, NO_COLOR: "1", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => {
    err.push(chunk);
    onStderr?.(Buffer.concat(err).toString());
  });
  child.stdin.on("error", () => {});
  child.stdin.end(stdin ?? "");
  onStart?.(child);
  return new Promise((done) =>
    child.on("close", (code, signal) =>
      done({
        code,
        signal,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      }),
    ),
  );
}
