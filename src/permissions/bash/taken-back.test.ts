// A rule's own words hold: later words do not take them back, other forms and names do not evade them.
import { expect, test } from "vitest";
import { createPolicy, type FactsOf } from "../policy.ts";
import { decide } from "../decide.ts";

const programs = new Set(["/w/run", "/w/x.sh"]);
const facts: FactsOf = (path) => ({
  real: path,
  exists: programs.has(path),
  kind: programs.has(path) ? "file" : "absent",
  ...(programs.has(path) ? { runs: true } : {}),
  ...(path === "/w/odd/*.ts" ? { splits: true } : {}),
});

function answer(command: string, allow: string[], deny: string[] = []): string {
  const policy = createPolicy({
    workspace: { cwd: "/w", home: "/h" },
    rules: { allow, ask: [], deny },
  });
  return decide({ tool: "Bash", input: { command } }, policy, facts).behavior;
}

test.each([
  ["mytool --env staging up --env=production", "Bash(mytool --env staging *)", "ask"],
  ["mytool --env staging up -e production", "Bash(mytool --env staging *)", "ask"],
  ["mytool --env staging up --no-env", "Bash(mytool --env staging *)", "ask"],
  ["mytool --env staging up --all", "Bash(mytool --env staging *)", "allow"],
  ["tsc --noEmit --noEmit false", "Bash(tsc --noEmit:*)", "ask"],
  ["tsc --noEmit false", "Bash(tsc --noEmit:*)", "ask"],
  ["kubectl -n dev get pods -nprod", "Bash(kubectl -n dev *)", "ask"],
  ["python -m pytest -m slow", "Bash(python -m pytest:*)", "allow"],
  ["find . -name a -o -name b", "Bash(find . -name *)", "allow"],
])("an option of the rule that comes again: %s under %s: %s", (command, rule, expected) => {
  expect(answer(command, [rule])).toBe(expected);
});

test.each([
  ["python3 scripts/ -c x.py", "Bash(python3 scripts/*.py)", "ask"],
  ["python3 scripts/a.py", "Bash(python3 scripts/*.py)", "allow"],
  ["mytool -x.py", "Bash(mytool *.py)", "ask"],
  ["git checkout -q main", "Bash(git * main)", "allow"],
])("a star inside a word stays there: %s under %s: %s", (command, rule, expected) => {
  expect(answer(command, [rule])).toBe(expected);
});

test.each([
  ["git push origin +main", "Bash(git push --force:*)", "ask"],
  ["git push origin :main", "Bash(git push -d:*)", "ask"],
  ["git push --mirror", "Bash(git push --force:*)", "ask"],
  ["git push origin main", "Bash(git push --force:*)", "allow"],
  ["pip3.12 install x", "Bash(pip install:*)", "deny"],
  ["genv rm x", "Bash(rm:*)", "deny"],
])("what is refused has other forms and names: %s under %s: %s", (command, rule, expected) => {
  expect(answer(command, ["Bash"], [rule])).toBe(expected);
});

test.each([
  ["mytool -i run", "ask"],
  ["mytool --clang=./x.sh a.c", "ask"],
  ["mytool '|touch x'", "ask"],
  ["mytool --skeleton=e.m4 a.y", "ask"],
  ["mytool --config=evil.js", "ask"],
  ["mytool --config=plain.yaml", "ask"],
  ["mytool someone@host.example:x", "ask"],
  ["mytool run --verbose src/a.py", "allow"],
  ["mytool --output=dist/a.js src/a.ts", "ask"],
])("a program that no table has: %s: %s", (command, expected) => {
  expect(answer(command, ["Bash(mytool:*)"])).toBe(expected);
});

test.each([
  ["for f in src/*.ts; do wc -l $f; done", "allow"],
  ["for f in odd/*.ts; do wc -l $f; done", "ask"],
  ["for f in src/*.ts; do (cd odd; wc -l $f); done", "ask"],
])("names that a loop goes over: %s: %s", (command, expected) => {
  expect(answer(command, [])).toBe(expected);
});
