// The flags of a session, defined once for every command that opens one, and turned into the
// session's options in one way.
import { resolve } from "node:path";
import { Option, type Command } from "commander";
import type { HostSession } from "../app/host/host-job.ts";
import { splitRuleList } from "../base/parse-rule.ts";
import type { Io } from "./io.ts";

export type SessionFlags = {
  agents?: string;
  settings?: string;
  mcpConfig?: string[];
  pluginDir?: string[];
  addDir?: string[];
  cwd?: string;
  trust?: boolean;
  permissionMode?: string;
  allowedTools?: string[];
  disallowedTools?: string[];
};

const ruleList = (text: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...splitRuleList(text),
];

const options: Readonly<Record<keyof SessionFlags, () => Option>> = {
  agents: () =>
    new Option(
      "--agents <json>",
      "more agent definitions as JSON: {name: {description, prompt, …}}",
    ),
  settings: () => new Option("--settings <file>", "a settings file, or the JSON itself"),
  mcpConfig: () => new Option("--mcp-config <files...>", "files with more MCP servers"),
  pluginDir: () => new Option("--plugin-dir <folders...>", "plugins to load"),
  addDir: () =>
    new Option(
      "--add-dir <folders...>",
      "more folders that agents may read and, if rules allow it, write",
    ),
  cwd: () => new Option("--cwd <folder>", "work in this folder"),
  trust: () => new Option("--trust", "trust this folder's settings and agents for this run"),
  permissionMode: () =>
    new Option(
      "--permission-mode <mode>",
      "default, acceptEdits, plan, dontAsk, delegate or bypassPermissions",
    ),
  allowedTools: () =>
    new Option(
      "--allowedTools <rules...>",
      'allow these calls without asking, e.g. "Edit" "Bash(npm test)"',
    ).argParser(ruleList),
  disallowedTools: () =>
    new Option(
      "--disallowedTools <rules...>",
      "deny these calls, even if another rule allows them",
    ).argParser(ruleList),
};

const names = Object.keys(options) as (keyof SessionFlags)[];

/** A resumed agent stays in its folder. */
export const resumeFlagNames = names.filter((name) => name !== "cwd");

export function addSessionFlags(
  command: Command,
  wanted: readonly (keyof SessionFlags)[] = names,
): Command {
  for (const name of wanted) command.addOption(options[name]());
  return command;
}

export function sessionOptionsFromFlags(flags: SessionFlags, io: Io): HostSession {
  return {
    cwd: resolve(io.cwd, flags.cwd ?? "."),
    env: io.env,
    ...(flags.agents === undefined ? {} : { cliAgents: flags.agents }),
    ...(flags.settings === undefined ? {} : { settings: flags.settings }),
    ...(flags.mcpConfig ? { mcpConfigs: flags.mcpConfig } : {}),
    ...(flags.pluginDir
      ? { pluginDirs: flags.pluginDir.map((folder) => resolve(io.cwd, folder)) }
      : {}),
    ...(flags.addDir ? { addDirs: flags.addDir } : {}),
    ...(flags.trust ? { trust: true } : {}),
    ...(flags.permissionMode === undefined ? {} : { mode: flags.permissionMode }),
    ...(flags.allowedTools ? { allowedTools: flags.allowedTools } : {}),
    ...(flags.disallowedTools ? { disallowedTools: flags.disallowedTools } : {}),
  };
}
