import { expect, test } from "vitest";
import { decide } from "../decide.ts";
import { createPolicy, type FactsOf } from "../policy.ts";

const policy = createPolicy({
  workspace: { cwd: "/w", home: "/h" },
  rules: { allow: ["Bash(cd:*)", "Bash(git:*)"], ask: [], deny: [] },
});
const factsWith =
  (...paths: string[]): FactsOf =>
  (path) => ({
    real: path,
    exists: paths.includes(path),
    kind: paths.includes(path) ? "file" : "absent",
  });
const behaviorOf = (command: string, facts: FactsOf) =>
  decide({ tool: "Bash", input: { command } }, policy, facts).behavior;

test.each([
  [
    "a bare repository in a folder",
    "cd evil && git log",
    ["/w/.git", "/w/evil/HEAD", "/w/evil/objects"],
    "ask",
  ],
  [
    "one on the way up",
    "cd evil/refs && git log",
    ["/w/.git", "/w/evil/HEAD", "/w/evil/objects"],
    "ask",
  ],
  ["one that -C names", "git -C evil log", ["/w/.git", "/w/evil/HEAD", "/w/evil/objects"], "ask"],
  ["an ordinary folder", "cd src && git log", ["/w/.git"], "allow"],
  [
    "a repository of its own",
    "cd sub && git log",
    ["/w/.git", "/w/sub/.git", "/w/sub/HEAD", "/w/sub/objects"],
    "allow",
  ],
] as const)("git follows the configuration of %s: %s", (_what, command, paths, behavior) => {
  expect(behaviorOf(command, factsWith(...paths))).toBe(behavior);
});

test.each([
  ["an empty .git hides nothing", "/w/.git", {}, "ask"],
  ["a .git that names a folder of its own", "/w/.git/HEAD", { gitdir: "/w/g" }, "ask"],
  ["a work tree of another repository", "", { gitdir: "/o/.git/worktrees/w" }, "allow"],
] as const)("%s", (_what, made, more, behavior) => {
  const facts: FactsOf = (path) => {
    const isThere = ["/w/.git", "/w/HEAD", "/w/objects", made].includes(path);
    const kind = path === "/w/.git" && !("gitdir" in more) ? "directory" : "file";
    return {
      real: path,
      exists: isThere,
      kind: isThere ? kind : "absent",
      ...(path === "/w/.git" ? more : {}),
    };
  };
  expect(behaviorOf("git log", facts)).toBe(behavior);
});
