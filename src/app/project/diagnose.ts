// What is needed here and whether it is there: each check with a detail and, where it fails, what
// to do. Never prints a key.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import { errorText } from "../../base/errors.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import type { Environment } from "../../manager/session/session.ts";
import { defaultModelName } from "../../model/providers.ts";
import { looserCaps } from "../../process/control-group.ts";
import { fenceProblem } from "../../process/fence/fence.ts";
import { findProgram, sandboxProblem } from "../../process/sandbox/sandbox-problem.ts";
import { keysWithoutEffect } from "../../settings/foreign-keys.ts";
import { trustState } from "../../settings/trust.ts";
import type { LoadedSkills } from "../../skills/load-skills.ts";
import { writableAdvice } from "../../transcripts/storage-failure.ts";
import { openSession, type OpenedSession } from "../session/open-session.ts";
import { addressOf } from "../session/executor-of.ts";

export type Diagnosis = { check: string; ok: boolean; detail: string; fix: string | null };

export async function diagnose({
  cwd,
  env,
}: {
  cwd: string;
  env: Environment;
}): Promise<Diagnosis[]> {
  const opened = openedHere(cwd, env);
  return [
    nodeVersion(),
    platform(),
    program("git", env, "worktrees and the verifier's snapshots need it"),
    ripgrep(env),
    configDir(env),
    model(opened, env),
    ...project(opened, cwd, env),
    sandbox(opened, env),
    await protectedPaths(env),
    ...(await cluster(opened, env)),
  ];
}

/**
 * The session as a run would have it, or why there is none; opened once, because large folders take
 * their time.
 */
type Opened = OpenedSession | { problem: string };

function openedHere(cwd: string, env: Environment): Opened {
  try {
    return openSession({ cwd, env });
  } catch (error) {
    return { problem: errorText(error) };
  }
}

const good = (check: string, detail: string): Diagnosis => ({ check, ok: true, detail, fix: null });
const bad = (check: string, detail: string, fix: string): Diagnosis => ({
  check,
  ok: false,
  detail,
  fix,
});

/** Where agents run on other machines: whether the gateway knows the token. */
async function cluster(opened: Opened, env: Environment): Promise<Diagnosis[]> {
  const setting = "settings" in opened ? opened.settings.retinue.executor : "local";
  if (typeof setting === "string") return [];
  const check = "gateway";
  try {
    const { openGateway } = await import("../../restate/client/gateway-client.ts");
    const tenant = await openGateway(addressOf(setting.restate, env)).tenant();
    return [good(check, `${setting.restate.url} takes runs of the tenant ${tenant}`)];
  } catch (error) {
    const fix = "look at retinue.executor.restate: its url, its tokenEnv and its tenant";
    return [bad(check, `${setting.restate.url}: ${errorText(error)}`, fix)];
  }
}

function nodeVersion(): Diagnosis {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? good("node", `Node ${process.versions.node}`)
    : bad("node", `Node ${process.versions.node}`, "install Node 20.19 or newer");
}

function platform(): Diagnosis {
  if (process.platform === "linux") return good("platform", "Linux: everything is supported");
  return bad(
    "platform",
    `${process.platform}: processes that leave their group are not swept, and there is no sandbox`,
    "use Linux where that matters",
  );
}

/** Where a program stands on the PATH. */
const onPath = (name: string, env: Environment): string | undefined =>
  findProgram(name, env["PATH"] ?? "");

function program(name: string, env: Environment, need: string): Diagnosis {
  const path = onPath(name, env);
  return path ? good(name, path) : bad(name, `not on the PATH: ${need}`, `install ${name}`);
}

function ripgrep(env: Environment): Diagnosis {
  const path = onPath("rg", env);
  return good(
    "ripgrep",
    path ??
      "not on the PATH: the shipped one or the built-in search is used, which gives the same results",
  );
}

function configDir(env: Environment): Diagnosis {
  const path = claudeConfigDir(env);
  try {
    makePrivateDir(path);
    // Written for real: a full disk lets everybody in.
    const trial = join(path, `.doctor-${process.pid}`);
    try {
      writeFileSync(trial, "trial", { mode: 0o600 });
    } finally {
      rmSync(trial, { force: true });
    }
    return good("config folder", path);
  } catch (error) {
    return bad("config folder", `${path} cannot be written: ${errorText(error)}`, writableAdvice);
  }
}

/** As a run would choose it. */
function model(opened: Opened, env: Environment): Diagnosis {
  const name =
    "problem" in opened
      ? defaultModelName(env)
      : (opened.settings.model ?? defaultModelName(opened.session.env));
  if (name === undefined)
    return bad(
      "model",
      "no provider has a key",
      "set ANTHROPIC_API_KEY or OPENAI_API_KEY, run a local model and name it with --model " +
        "ollama:NAME, or use --model offline, which needs no key",
    );
  try {
    if (!("problem" in opened)) opened.session.model(name);
    return good("model", `${name} is used where nothing else is said`);
  } catch (error) {
    return bad("model", errorText(error), "set the key, or name another model");
  }
}

function project(opened: Opened, cwd: string, env: Environment): Diagnosis[] {
  if ("problem" in opened) return [bad("settings", opened.problem, "mend the file that is named")];
  const { loaded, layers, complaints, withheld, session } = opened;
  const errors = loaded.problems.filter((problem) => problem.severity === "error");
  const foreign = [...new Set(layers.flatMap((layer) => keysWithoutEffect(layer.values.other)))];
  const { state: trust, files } = trustState(cwd, { configDir: claudeConfigDir(env) });
  return [
    errors.length === 0
      ? good("agents", `${loaded.definitions.size} agents`)
      : bad("agents", firstOf(errors), "retinue agents validate"),
    skills(session.skills()),
    complaints.length === 0
      ? good(
          "settings",
          ["read without a complaint", ...(foreign.length > 0 ? [foreign.join(", ")] : [])].join(
            "; without effect here: ",
          ),
        )
      : bad(
          "settings",
          complaints.length === 1
            ? complaints[0]!
            : `${complaints.length} complaints:\n${complaints.join("\n")}`,
          "fix these",
        ),
    trust === "trusted" || withheld.length === 0
      ? good(
          "trust",
          trust === "trusted" && files.length > 0
            ? "this folder is trusted"
            : "nothing here needs trust",
        )
      : bad(
          "trust",
          (trust === "changed"
            ? "this folder has changed since it was trusted"
            : "this folder is not trusted") +
            `; until it is, this has no effect:\n${withheld.join("\n")}`,
          "look at what it would do with `retinue trust`",
        ),
  ];
}

type Placed = { path: string; line: number; message: string };
const placed = ({ path, line, message }: Placed): string => `${path}:${line}: ${message}`;
const firstOf = (errors: readonly Placed[]): string =>
  `${errors.length === 1 ? "1 error" : `${errors.length} errors, the first`}: ${placed(errors[0]!)}`;

/**
 * A skill that is not there shows itself nowhere else; hooks that nobody runs are named as well.
 */
function skills({ skills: found, problems }: LoadedSkills): Diagnosis {
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first, ...more] = problems.filter(({ message }) => /hooks of a skill/.test(message));
  const hooks = first
    ? `; ${placed(first)}${more.length > 0 ? ` (and ${more.length} more)` : ""}`
    : "";
  return errors.length === 0
    ? good("skills", `${found.size} skills and commands${hooks}`)
    : bad("skills", `${firstOf(errors)}${hooks}`, "mend the file that is named");
}

/** Which of the two columns of docs/security.md holds here. */
async function protectedPaths(env: Environment): Promise<Diagnosis> {
  const problem = await fenceProblem(env["PATH"]);
  return problem === undefined
    ? good(
        "protected paths",
        "held: commands find .git's settings, .claude, CLAUDE.md and their kin read-only in every mode",
      )
    : good(
        "protected paths",
        `judged by rules alone: a script can write .git/config, .claude and CLAUDE.md; to have them held: ${problem}`,
      );
}

function sandbox(opened: Opened, env: Environment): Diagnosis {
  // Settings that cannot be read are named by their own check.
  const wanted =
    "problem" in opened ? { enabled: false, allowHosts: [] } : opened.settings.retinue.sandbox;
  const problem = sandboxProblem({ path: env["PATH"], withHosts: wanted.allowHosts.length > 0 });
  if (problem === undefined)
    return good(
      "sandbox",
      [wanted.enabled ? "on" : "off; everything it needs is there", looserCaps()]
        .filter((part) => part !== undefined)
        .join("; "),
    );
  if (!wanted.enabled) return good("sandbox", `off; to use it: ${problem}`);
  return bad(
    "sandbox",
    `switched on, but ${problem}`,
    "install what is named, or switch retinue.sandbox off",
  );
}
