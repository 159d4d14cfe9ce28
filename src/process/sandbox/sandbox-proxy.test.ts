import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { markVariable, newMark } from "../mark.ts";
import { findProcesses } from "../find-processes.ts";
import { startSandboxProxy } from "./sandbox-proxy.ts";
import { findProgram, sandboxProblem } from "./sandbox-problem.ts";

test.runIf(sandboxProblem() === undefined)(
  "what runs behind the proxy finds itself in /proc, where a sandbox that is made there looks itself up; what carries for it ends with it",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "retinue-proxy-"));
    const proxy = await startSandboxProxy(["localhost"], {
      socketFile: join(folder, "socket"),
      socat: findProgram("socat")!,
    });
    const [program, ...args] = proxy.around(findProgram("bwrap")!, [
      "/bin/sh",
      "-c",
      "tr '\\0' ' ' < /proc/$$/cmdline",
    ]);
    const mark = newMark();
    const { stdout } = await promisify(execFile)(program!, args, {
      env: { ...process.env, [markVariable]: mark },
    });
    expect(stdout).toContain("/proc/$$/cmdline");
    await waitUntil(() => findProcesses({ mark }).length === 0);
    await proxy.close();
    rmSync(folder, { recursive: true });
  },
);
