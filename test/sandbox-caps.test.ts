// The sandbox where no control group can be made, as for root in most containers: the same tests of its limits, and what `retinue doctor` says. Made by a mount over the control groups that only these processes see.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { looserCaps } from "../src/process/control-group.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { entry } from "./retinue-process.ts";
import { cannotSandbox } from "./support/sandboxed.ts";

const home = join(import.meta.dirname, "..");
const without = [
  "unshare",
  "-m",
  "sh",
  "-c",
  'mount -t tmpfs -o ro,size=4k none /sys/fs/cgroup && exec "$@"',
  "sh",
];
const call = (
  before: readonly string[],
  args: readonly string[],
  { cwd = home, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): { status: number | null; text: string } => {
  const [program, ...rest] = [...before, process.execPath, ...args];
  const { status, stdout, stderr } = spawnSync(program!, rest, {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", NO_COLOR: "1", ...env },
    timeout: 60_000,
  });
  return { status, text: stdout + stderr };
};
// Where nothing may be mounted the system is taken as it is: such a place rarely has control groups to hide.
const canHide = call(without, ["-e", ""]).status === 0;
const hiding = canHide ? without : [];
const suite = describe.skipIf(cannotSandbox !== undefined);

suite("without control groups", () => {
  test("processes and memory are watched: too many or too much, and the command is ended and told why; a fork bomb too", () => {
    const { status, text } = call(
      hiding,
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        "src/process/sandbox/sandbox.test.ts",
        "-t",
        "limits",
        "--reporter=json",
      ],
      { env: { HOME: home } },
    );
    const result = JSON.parse(text.slice(text.indexOf('{"numTotalTestSuites"'))) as {
      numPassedTests: number;
      numFailedTests: number;
      testResults: { assertionResults: { failureMessages: string[] }[] }[];
    };
    expect(
      result.testResults.flatMap(({ assertionResults }) =>
        assertionResults.flatMap(({ failureMessages }) => failureMessages),
      ),
    ).toEqual([]);
    expect([status, result.numPassedTests, result.numFailedTests]).toEqual([0, 6, 0]);
  }, 90_000);

  test("`retinue doctor` says that they are counted instead of kept, and says nothing where they are kept", () => {
    using project = tempProject();
    const sandbox = (before: readonly string[]): string => {
      const { text } = call(before, [entry, "doctor", "--json"], {
        cwd: project.root,
        env: { HOME: project.home },
      });
      return (JSON.parse(text) as { check: string; detail: string }[]).find(
        ({ check }) => check === "sandbox",
      )!.detail;
    };
    expect(sandbox([])).toBe(
      ["off; everything it needs is there", looserCaps()]
        .filter((part) => part !== undefined)
        .join("; "),
    );
    if (canHide)
      expect(sandbox(without)).toMatch(
        /^off; everything it needs is there; no control group can be made for processes and memory: they are counted a few times a second instead, and a command that takes too much is ended after it did$/,
      );
  });
});
