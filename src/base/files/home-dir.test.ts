import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { claudeConfigDir } from "./project-folders.ts";
import { homeDir } from "./home-dir.ts";

test("an absolute HOME is the home", () => {
  expect(homeDir({ HOME: "/home/me" })).toBe("/home/me");
});

test.each([undefined, "", ".", "me"])(
  "HOME=%j does not make the working directory a home",
  (given) => {
    const env = given === undefined ? {} : { HOME: given };
    expect(homeDir(env)).toBe(userInfo().homedir);
    expect(claudeConfigDir(env)).toBe(`${userInfo().homedir}/.claude`);
  },
);
