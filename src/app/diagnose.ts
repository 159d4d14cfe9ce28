// What is needed here and whether it is there: each check with a detail and, where it fails, what to do. Never prints a key.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeConfigDir } from "../base/claude-paths.ts";
import { errorText } from "../base/errors.ts";
import type { Environment } from "../manager/session.ts";
import { defaultModelName } from "../model/providers.ts";
import { looserCaps } from "../process/control-group.ts";
import { findProgram, sandboxProblem } from "../process/sandbox-support.ts";
import { keysWithoutEffect } from "../settings/foreign-keys.ts";
import { trustState } from "../settings/trust.ts";
import { openSession } from "./open-session.ts";

export type Diagnosis = { check: string; ok: boolean; detail: string; fix: string | null };

export function diagnose({ cwd, env }: { cwd: string; env: Environment }): Diagnosis[] {
  return [nodeVersion(), platform(), program("git", env, "worktrees and the verifier's snapshots need it"), ripgrep(env), configDir(env), model(cwd, env), ...project(cwd, env), sandbox(cwd, env)];
}

const good = (check: string, detail: string): Diagnosis => ({ check, ok: true, detail, fix: null });
const bad = (check: string, detail: string, fix: string): Diagnosis => ({ check, ok: false, detail, fix });

function nodeVersion(): Diagnosis {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 20 || (major === 20 && minor >= 19) ? good("node", `Node ${process.versions.node}`) : bad("node", `Node ${process.versions.node}`, "install Node 20.19 or newer");
}

function platform(): Diagnosis {
  if (process.platform === "linux") return good("platform", "Linux: everything is supported");
  return bad("platform", `${process.platform}: processes that leave their group are not swept, and there is no sandbox`, "use Linux where that matters");
}

/** Where a program stands on the PATH. */
const onPath = (name: string, env: Environment): string | undefined => findProgram(name, env["PATH"] ?? "");

function program(name: string, env: Environment, need: string): Diagnosis {
  const path = onPath(name, env);
  return path ? good(name, path) : bad(name, `not on the PATH: ${need}`, `install ${name}`);
}

function ripgrep(env: Environment): Diagnosis {
  const path = onPath("rg", env);
  return good("ripgrep", path ?? "not on the PATH: the shipped one or the built-in search is used, which gives the same results");
}

function configDir(env: Environment): Diagnosis {
  const path = claudeConfigDir(env);
  try {
    if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
    // Written for real: a full disk lets everybody in.
    const trial = join(path, `.doctor-${process.pid}`);
    try {
      writeFileSync(trial, "trial", { mode: 0o600 });
    } finally {
      rmSync(trial, { force: true });
    }
    return good("config folder", path);
  } catch (error) {
    return bad("config folder", `${path} cannot be written: ${errorText(error)}`, "make it writable, or set CLAUDE_CONFIG_DIR to a folder that is");
  }
}

/** As a run would choose it. */
function model(cwd: string, env: Environment): Diagnosis {
  let name: string | undefined;
  try {
    const { settings, session } = openSession({ cwd, env });
    name = settings.model ?? defaultModelName(session.env);
    if (name) session.model(name);
  } catch (error) {
    if (name !== undefined) return bad("model", errorText(error), "set the key, or name another model");
    name = defaultModelName(env);
  }
  return name ? good("model", `${name} is used where nothing else is said`) : bad("model", "no provider has a key", "set ANTHROPIC_API_KEY or OPENAI_API_KEY, run a local model and name it with --model ollama:NAME, or use --model offline, which needs no key");
}

function project(cwd: string, env: Environment): Diagnosis[] {
  try {
    const { loaded, layers, complaints, withheld } = openSession({ cwd, env });
    const errors = loaded.problems.filter((problem) => problem.severity === "error");
    const foreign = [...new Set(layers.flatMap((layer) => keysWithoutEffect(layer.values.other)))];
    const withoutEffect = foreign.length > 0 ? [foreign.join(", ")] : [];
    const trust = trustState(cwd, { configDir: claudeConfigDir(env) }).state;
    return [
      errors.length === 0 ? good("agents", `${loaded.definitions.size} agents`) : bad("agents", `${errors.length === 1 ? "1 error" : `${errors.length} errors, the first`}: ${errors[0]!.path}:${errors[0]!.line}: ${errors[0]!.message}`, "retinue agents validate"),
      complaints.length === 0 ? good("settings", ["read without a complaint", ...withoutEffect].join("; without effect here: ")) : bad("settings", complaints.length === 1 ? complaints[0]! : `${complaints.length} complaints:\n${complaints.join("\n")}`, "mend what is named"),
      trust === "trusted" || withheld.length === 0 ? good("trust", trust === "trusted" ? "this folder is trusted" : "this folder asks for nothing that needs trust") : bad("trust", trust === "changed" ? "this folder has changed since it was trusted" : "this folder is not trusted", "look at what it would do with `retinue trust`"),
    ];
  } catch (error) {
    return [bad("settings", errorText(error), "mend the file that is named")];
  }
}

function sandbox(cwd: string, env: Environment): Diagnosis {
  let wanted = { enabled: false, allowHosts: [] as string[] };
  try {
    wanted = openSession({ cwd, env }).settings.retinue.sandbox;
  } catch {
    // Settings that cannot be read are named by their own check.
  }
  const problem = sandboxProblem({ path: env["PATH"], withHosts: wanted.allowHosts.length > 0 });
  if (problem === undefined) return good("sandbox", [wanted.enabled ? "on" : "off; everything it needs is there", looserCaps()].filter((part) => part !== undefined).join("; "));
  if (!wanted.enabled) return good("sandbox", `off; to use it: ${problem}`);
  return bad("sandbox", `switched on, but ${problem}`, "install what is named, or switch retinue.sandbox off");
}
