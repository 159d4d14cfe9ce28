// The builtins of the bash on this machine, against what the tables know of them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { createPolicy } from "../policy.ts";
import { isKnownCommand } from "./tables/commands.ts";

const bash = (text: string): string =>
  execFileSync("bash", ["--norc", "-c", text], { encoding: "utf8" });
const synopses = new Map(
  bash(
    'for name in $(compgen -b); do printf "%s\\t" "$name"; help -s "$name" | tr "\\n" " "; echo; done',
  )
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\t") as [string, string]),
);

/** `jobs [-lnprs] … or jobs -x command`: every letter behind a dash. */
const lettersOf = (synopsis: string): string[] => [
  ...new Set(
    [...synopsis.matchAll(/(?<=[\s[|])-([A-Za-z]+)/g)].flatMap(([, letters]) => letters!.split("")),
  ),
];

function answer(command: string): string {
  const policy = createPolicy({
    workspace: { cwd: "/w", home: "/h" },
    rules: { allow: ["Bash"], ask: [], deny: ["Bash(evil:*)"] },
  });
  return decide({ tool: "Bash", input: { command } }, policy, (path) => ({
    real: path,
    exists: false,
    kind: "absent",
  })).behavior;
}

/** Those of the texts by which bash starts the program `evil`. */
function formsThatRun(forms: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "retinue-builtins-"));
  try {
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin/evil"), '#!/bin/sh\n: > "$RAN"\n', { mode: 0o755 });
    const script = forms
      .map((form, at) => `(export RAN=ran-${at}; ${form}\n) < bin/evil > /dev/null 2>&1`)
      .join("\n");
    writeFileSync(join(folder, "forms.sh"), `PATH=$PWD/bin:$PATH\n${script}\ntrue\n`);
    execFileSync("bash", ["--norc", "forms.sh"], { cwd: folder });
    return forms.filter((_, at) => existsSync(join(folder, `ran-${at}`)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("the builtins of bash", () => {
  test("are all known", () => {
    expect(synopses.size).toBeGreaterThan(55);
    expect([...synopses.keys()].filter((name) => !isKnownCommand(name))).toEqual([]);
  });

  test("that the real bash runs a command by are never allowed where it is refused", () => {
    const forms = [...synopses].flatMap(([name, synopsis]) =>
      ["", ...lettersOf(synopsis).map((letter) => `-${letter}`)].flatMap((option) => [
        `${name} ${option} evil x`,
        `${name} ${option} 1 evil x`,
      ]),
    );
    const ran = formsThatRun(forms.filter((form) => !form.startsWith("suspend -f")));
    expect(ran).toContain("jobs -x evil x");
    expect(ran.length).toBeGreaterThan(8);
    expect(ran.filter((form) => answer(form) === "allow")).toEqual([]);
    expect(answer("jobs -lp")).toBe("allow");
  });
});
