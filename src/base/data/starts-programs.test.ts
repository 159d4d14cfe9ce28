import { expect, test } from "vitest";
import { startsPrograms } from "./starts-programs.ts";

test.each([
  ["", false],
  ["[core]\n\tbare = false\n\tfilemode = true\n; a note\n", false],
  ['[remote "origin"]\n\turl = git@host.example:a/b.git\n\tfetch = +refs/*:refs/*\n', false],
  ['[branch "main"] remote = origin\n', false],
  ['[submodule "x"]\n\turl = ../x\n\tactive = true\n', false],
  ['[submodule "x"]\n\tupdate = !touch x\n', true],
  ["[core]\n\tfsmonitor = ./x\n", true],
  ["[CORE] FsMonitor = ./x\n", true],
  ['[remote "o"]\n\turl = ext::sh -c x\n', true],
  ['[remote "o"]\n\tuploadpack = ./x\n', true],
  ["[core]\n\tbare = fa\\\nlse\n", true],
  ["[unheard]\n\tof = it\n", true],
  ["no section = 1\n", true],
])("%j starts programs: %s", (settings, expected) => {
  expect(startsPrograms(settings)).toBe(expected);
});
