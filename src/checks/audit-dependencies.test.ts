import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { tempProject } from "../testing/temp-project.ts";
import { validateProject } from "./validate-project.ts";

const npm = (severity: string): object => ({
  auditReportVersion: 2,
  vulnerabilities: { lodash: { name: "lodash", severity } },
});

/** A package manager that prints this and ends with that code. */
function world(
  lockfile: string,
  program: string,
  output: { text: string; code: number },
): ReturnType<typeof tempProject> {
  const project = tempProject({
    [lockfile]: "{}",
    Makefile: "test:\n\ttrue\n",
    [`bin/${program}`]: `#!/bin/sh\ncat <<'END'\n${output.text}\nEND\nexit ${output.code}\n`,
  });
  chmodSync(project.path(`bin/${program}`), 0o755);
  return project;
}

test.each<[string, string, string, { text: string; code: number }, string[], RegExp]>([
  [
    "a severe one",
    "package-lock.json",
    "npm",
    { text: JSON.stringify(npm("critical")), code: 1 },
    ["lodash: known vulnerability (critical)"],
    /npm audit found 1 severe/,
  ],
  [
    "a mild one",
    "package-lock.json",
    "npm",
    { text: JSON.stringify(npm("moderate")), code: 1 },
    [],
    /npm audit found nothing severe/,
  ],
  [
    "no network",
    "package-lock.json",
    "npm",
    { text: '{"message": "request failed", "error": {"code": "ENOTFOUND"}}', code: 1 },
    [],
    /npm audit could not be made/,
  ],
  [
    "words instead of a verdict",
    "package-lock.json",
    "npm",
    { text: "npm error audit endpoint returned an error", code: 1 },
    [],
    /npm audit could not be made/,
  ],
  [
    "a Python package",
    "requirements.txt",
    "pip-audit",
    {
      text: '{"dependencies": [{"name": "flask", "vulns": [{"id": "X"}]}, {"name": "ok", "vulns": []}]}',
      code: 1,
    },
    ["flask: 1 known vulnerability"],
    /found 1 severe/,
  ],
])("the dependency audit: %s", async (_name, lockfile, program, output, errors, note) => {
  using project = world(lockfile, program, output);
  const { decision, checks } = await validateProject({
    root: project.root,
    env: { PATH: `${project.path("bin")}:${process.env["PATH"]}` },
  });
  expect(checks.security).toMatchObject({
    passed: errors.length === 0,
    errors,
    reason: expect.stringMatching(note),
  });
  expect(decision).toBe(errors.length === 0 ? "PROCEED" : "STOP");
});

test("it is not made without a yes, and that is no failure", async () => {
  using project = world("package-lock.json", "npm", {
    text: JSON.stringify(npm("critical")),
    code: 1,
  });
  const mayRun = async (command: string): Promise<{ ok: true } | { ok: false; reason: string }> =>
    command.startsWith("npm audit") ? { ok: false, reason: "no" } : { ok: true };
  expect(
    await validateProject({
      root: project.root,
      mayRun,
      env: { PATH: `${project.path("bin")}:${process.env["PATH"]}` },
    }),
  ).toMatchObject({
    decision: "PROCEED",
    checks: {
      security: { passed: true, reason: expect.stringContaining("npm audit was not allowed") },
    },
  });
});
