// The sandbox of one run: its policy, the settings and the usual places of keys become what bubblewrap shows to its commands.
import { existsSync, readdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { FactsOf, Policy } from "../../permissions/policy.ts";
import { sandboxView } from "../../permissions/paths/sandbox-view.ts";
import { openSandbox, type Sandbox } from "../../process/sandbox/sandbox.ts";
import { sandboxProblem } from "../../process/sandbox/sandbox-support.ts";
import type { Session } from "../session/session.ts";

/** Keys, sign-ins and histories, relative to the home folder. */
const secretPlaces = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".docker",
  ".kube",
  ".password-store",
  ".1password",
  ".terraform.d",
  ".vault-token",
  ".claude.json",
  ".oci",
  ".config/gcloud",
  ".config/gh",
  ".config/hub",
  ".config/op",
  ".config/rclone",
  ".config/doctl",
  ".config/heroku",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".config/microsoft-edge",
  ".config/vivaldi",
  ".config/opera",
  ".mozilla",
  ".thunderbird",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  ".config/Bitwarden",
  ".config/1Password",
  ".config/Signal",
  ".config/Slack",
  ".bash_history",
  ".zsh_history",
  ".history",
  ".python_history",
  ".node_repl_history",
  ".psql_history",
  ".mysql_history",
  ".lesshst",
];
/** Files with keys in them that programs read as settings and fail without. */
const keyedSettings = [
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".config/git/credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".config/pip/pip.conf",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".config/hub",
];
/** Of the user's `.claude`: what commands of skills and plugins are made of. */
const neededOfConfig = ["skills", "plugins"];

/** Of the machine; only root could read them. */
const systemSecrets = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssl/private",
  "/etc/ssh/ssh_host_rsa_key",
  "/etc/ssh/ssh_host_ecdsa_key",
  "/etc/ssh/ssh_host_ed25519_key",
  "/etc/krb5.keytab",
  "/etc/kubernetes",
  "/etc/rancher",
];

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

export async function openRunSandbox(
  session: Session,
  from: { cwd: string; policy: Policy; facts: FactsOf },
): Promise<Sandbox> {
  const { allowHosts, denyRead } = session.sandbox;
  requireSandbox(session, ["Bash"]);
  const view = sandboxView(from.policy, from.facts, denyRead.map(asSpecifier));
  if (view.problems[0] !== undefined)
    throw new RetinueError(
      "config",
      `a deny rule cannot be enforced by the sandbox: ${view.problems[0]}. Mend the rule or retinue.sandbox.denyRead.`,
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

/** The session's home, the user's own where HOME says another, and for root, who may read them all, everybody's. */
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
