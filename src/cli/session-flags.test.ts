// The same flags in every command that opens a session, and one meaning for each.
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { build as buildFlow } from "./commands/flow.ts";
import { build as buildResume } from "./commands/runs/resume.ts";
import { build as buildRun } from "./commands/run.ts";
import type { Io } from "./io.ts";
import { addSessionFlags, sessionOptionsFromFlags, type SessionFlags } from "./session-flags.ts";

const io = {
  cwd: "/here",
  env: { HOME: "/home/me" },
  out: () => {},
  err: () => {},
  paint: (_: string, text: string) => text,
  paintErr: (_: string, text: string) => text,
} as unknown as Io;

const parsed = (args: string[]): SessionFlags =>
  addSessionFlags(new Command()).parse(args, { from: "user" }).opts<SessionFlags>();

describe("flags of a session", () => {
  test.each<[string[], Record<string, unknown>]>([
    [["--agents", '{"a": {}}'], { cliAgents: '{"a": {}}' }],
    [["--settings", "s.json"], { settings: "s.json" }],
    [["--mcp-config", "a.json", "b.json"], { mcpConfigs: ["a.json", "b.json"] }],
    [["--plugin-dir", "p", "/q"], { pluginDirs: ["/here/p", "/q"] }],
    [["--add-dir", "../docs"], { addDirs: ["../docs"] }],
    [["--cwd", "/there"], { cwd: "/there" }],
    [["--cwd", "below"], { cwd: "/here/below" }],
    [["--trust"], { trust: true }],
    [["--permission-mode", "plan"], { mode: "plan" }],
    [
      ["--allowedTools", "Edit,Bash(npm test)", "--allowedTools", "Write"],
      { allowedTools: ["Edit", "Bash(npm test)", "Write"] },
    ],
    [["--disallowedTools", "WebFetch"], { disallowedTools: ["WebFetch"] }],
  ])("%j", (args, options) => {
    expect(sessionOptionsFromFlags(parsed(args), io)).toEqual({
      cwd: "/here",
      env: io.env,
      ...options,
    });
  });

  const commandOf = (build: typeof buildRun): Command => build(io, () => {}, []);
  const flow = (name: string): Command =>
    commandOf(buildFlow).commands.find((sub) => sub.name() === name)!;
  const all = [
    "--agents",
    "--settings",
    "--mcp-config",
    "--plugin-dir",
    "--add-dir",
    "--trust",
    "--permission-mode",
    "--allowedTools",
    "--disallowedTools",
  ];
  test.each<[string, Command, string[]]>([
    ["run", commandOf(buildRun), [...all, "--cwd"]],
    ["resume", commandOf(buildResume), all],
    ["flow sequence", flow("sequence"), [...all, "--cwd"]],
    ["flow parallel", flow("parallel"), [...all, "--cwd"]],
    ["flow branch", flow("branch"), [...all, "--cwd"]],
    ["flow resume", flow("resume"), all],
  ])("%s has them", (_, command, flags) => {
    expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
  });
});
