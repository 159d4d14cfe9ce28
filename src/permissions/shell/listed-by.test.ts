import { expect, test } from "vitest";
import { analyseCommand } from "./reading/analyse-command.ts";
import { listedBy } from "./listed-by.ts";

const listed = (text: string): ReturnType<typeof listedBy> =>
  listedBy(analyseCommand(text, { cwd: "/ws", home: "/home/x" }).commands[0]);

test.each([
  ["find src test -type f -name '*.ts' -print0", { folders: ["src", "test"], plain: true }],
  ["find . -not -path './x/*' -type f -print0", { folders: ["."], plain: true }],
  ["rg -l0 foo src", { folders: ["src"], plain: true }],
  ["rg --files -0", { folders: ["."], plain: false }],
  ["rg -l -0 -e foo src", { folders: ["src"], plain: true }],
  ["grep -rlZ foo src", { folders: ["src"], plain: true }],
])("%s hands on names of files below %j", (text, expected) => {
  expect(listed(text)).toEqual(expected);
});

test.each([
  "find src -type f",
  "find src -print0",
  "find src ! -type f -print0",
  "find src -type l -print0",
  "find src -type f -o -name x -print0",
  "find -L src -type f -print0",
  "find src -type f -printf /etc/passwd -print0",
  "find src -type f -exec echo {} + -print0",
  "rg -l foo src",
  "rg -0 foo src",
  "rg -0 -g -l foo src",
  "rg -l0 --follow foo src",
  "rg -l0 --path-separator x foo src",
  "grep -RlZ foo src",
  "grep -rl foo src",
  "grep -lZ foo src",
  "ls",
  "/tmp/find src -type f -print0",
  "toString x",
])("nothing is known of what %s hands on", (text) => {
  expect(listed(text)).toBeUndefined();
});
