// How the commands of one run are started: in the sandbox where settings switch it on, and with
// protected paths held read-only everywhere else, in every mode, where bubblewrap is there.
import { existsSync, readdirSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { FactsOf, Policy } from "../../permissions/policy.ts";
import { protectedNames, protectedTails } from "../../permissions/paths/protected-names.ts";
import { sandboxView } from "../../permissions/paths/sandbox-view.ts";
import { openFence } from "../../process/fence/fence.ts";
import { openSandbox, type Sandbox } from "../../process/sandbox/sandbox.ts";
import { keyedSettings, secretPlaces, systemSecrets } from "../../process/sandbox/secret-places.ts";
import type { Wrap } from "../../process/sandbox/wrapped-command.ts";
import { sandboxProblem } from "../../process/sandbox/sandbox-problem.ts";
import type { Session } from "../session/session.ts";

/** Of the user's `.claude`: what commands of skills and plugins are made of. */
const neededOfConfig = ["skills", "plugins"];

/** Throws when a run with Bash is to be sandboxed and cannot be: there is no silent way around. */
export function requireSandbox(session: Session, tools: readonly string[]): void {
  if (!session.sandbox.enabled || !tools.includes("Bash")) return;
  const problem = sandboxProblem({
    path: session.env["PATH"],
    withHosts: session.sandbox.allowHosts.length > 0,
  });
  if (problem !== undefined)
    throw new RetinueError("sandbox", `retinue.sandbox is on, but ${problem}`);
}

type RunPlace = { cwd: string; policy: Policy; facts: FactsOf };

/** Holds protected paths and nothing else. Looked into at the first command. */
export function openRunFence(session: Session, from: RunPlace): Wrap {
  let fence: Wrap | undefined;
  return (argv, approved) => (fence ??= fenceOf(session, from))(argv, approved);
}

function fenceOf(session: Session, { cwd, policy, facts }: RunPlace): Wrap {
  // Rules are the gate's matter: without the sandbox a file that the agent may not read is still
  // there for programs.
  const view = sandboxView(
    {
      ...policy,
      mode: "default",
      rules: { allow: [], ask: [], deny: [] },
      disallowed: [],
      hidesSecrets: false,
    },
    facts,
  );
  const { memoryDirectory } = policy.workspace;
  const folders = new Set([...view.writable.flatMap(foldersAbove), ...homes(session.home)]);
  return openFence({
    cwd,
    roots: view.writable,
    judge: view.judge,
    beside: [
      ...[...folders].flatMap((folder) =>
        [...protectedNames, ...protectedTails].map((name) => join(folder, name)),
      ),
      ...[session.configDir, session.storeDirectory].map((path) => facts(path).real),
    ],
    open: memoryDirectory === undefined ? [] : [facts(memoryDirectory).real],
    folders: limits.sandbox.folders,
    path: session.env["PATH"],
  });
}

function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

export async function openRunSandbox(session: Session, from: RunPlace): Promise<Sandbox> {
  const { allowHosts, denyRead } = session.sandbox;
  requireSandbox(session, ["Bash"]);
  const view = sandboxView(from.policy, from.facts, denyRead.map(asSpecifier));
  if (view.problems[0] !== undefined)
    throw new RetinueError(
      "config",
      `a deny rule cannot be enforced by the sandbox: ${view.problems[0]}. Mend the rule ` +
        "or retinue.sandbox.denyRead.",
    );
  if (view.writable.includes("/"))
    throw new RetinueError(
      "sandbox",
      "retinue.sandbox is on, and the workspace is /: everything would be writable. Work in a folder below it.",
    );
  const atHome = (name: string): string[] => homes(session.home).map((home) => join(home, name));
  return openSandbox({
    cwd: from.cwd,
    writable: view.writable,
    judge: view.judge,
    hidden: [
      ...secretPlaces.flatMap(atHome),
      ...systemSecrets,
      session.configDir,
      session.storeDirectory,
      ...view.hidden,
    ],
    emptied: keyedSettings.flatMap(atHome),
    visible: neededOfConfig
      .map((name) => join(session.configDir, name))
      .filter((path) => existsSync(path)),
    allowHosts,
    path: session.env["PATH"],
    caps: {
      processes: limits.sandbox.processes,
      memoryBytes: limits.bash.memoryBytes,
      folders: limits.sandbox.folders,
    },
  });
}

/**
 * The session's home, the user's own where HOME says another, and for root, who may read them all,
 * everybody's.
 */
function homes(given: string): string[] {
  const others =
    process.getuid?.() === 0 && existsSync("/home")
      ? readdirSync("/home").map((name) => join("/home", name))
      : [];
  return [...new Set([given, userInfo().homedir, ...others])];
}

/** Here `/etc/x` is the root's, as everywhere but in rules, where one slash means the project. */
const asSpecifier = (entry: string): string =>
  entry.startsWith("/") && !entry.startsWith("//") ? `/${entry}` : entry;
