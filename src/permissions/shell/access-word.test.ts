import { expect, test } from "vitest";
import { analyseCommand } from "./reading/analyse-command.ts";
import { executingOption } from "./access-word.ts";

const pathsOf = (command: string): string[] =>
  analyseCommand(command, { cwd: "/w", home: "/h" }).accesses.flatMap((access) =>
    access.kind === "unknown" && access.path !== null ? [access.path] : [],
  );

test.each([
  ["frobnicate /etc/x", "/etc/x"],
  ["frobnicate --out=/etc/x", "/etc/x"],
  ["frobnicate -o/etc/x", "/etc/x"],
  ["frobnicate @/etc/x", "/etc/x"],
  ["frobnicate key=/etc/x", "/etc/x"],
  ["frobnicate a,/etc/x", "/etc/x"],
  ["frobnicate file:///etc/x", "/etc/x"],
  ["frobnicate ~/x", "/h/x"],
])("%s may touch %s", (command, path) => {
  expect(pathsOf(command)).toContain(path);
});

test("an address is no file", () => {
  expect(pathsOf("frobnicate --url=https://etc/x")).toEqual([]);
});

test.each([
  ["--exec", "--exec"],
  ["--preview=sh", "--preview"],
  ["--use-compress-program=x", "--use-compress-program"],
  ["--post-renderer", "--post-renderer"],
  ["--ignore-hook", undefined],
  ["--config", undefined],
  ["--filter=web", undefined],
  ["-x", undefined],
])("%s runs something: %s", (option, name) => {
  expect(executingOption(option)).toBe(name);
});
