import { describe, expect, test } from "vitest";
import { writesGitState } from "./git-state.ts";

describe("git's own work on its settings", () => {
  test.each([
    "git push -u origin feature",
    "git remote add up https://example.org/x.git && git fetch up 2>&1 | tail -3",
    "cd sub && git rebase --continue",
    "git submodule update --init",
    "git checkout -b side origin/side 2>/dev/null",
  ])("%s", (text) => expect(writesGitState(text)).toBe(true));

  test.each([
    "git status",
    "git config core.pager x",
    "git -c core.hooksPath=x push",
    "git push -u origin x; node build.js",
    "git push -u origin x > .git/config",
    "GIT_DIR=x git push -u origin x",
    "git rebase -x 'touch pwn' main",
    "git submodule foreach 'touch pwn'",
    "git rebase $WORDS",
    "git push -u origin x &",
    "git remote add x y <(touch pwn)",
    'git push -u origin "$(touch pwn)"',
  ])("not %s", (text) => expect(writesGitState(text)).toBe(false));
});
