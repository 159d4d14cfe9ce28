// A workspace with the sandbox on and every rule allowing: a home with keys, a folder outside, a repository; and a picture of all of it, to compare afterwards.
import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { openSession } from "../../src/app/session/open-session.ts";
import { pathFacts } from "../../src/base/files/path-facts.ts";
import { openRunSandbox } from "../../src/manager/run/run-sandbox.ts";
import { createPolicy, type PolicyInput } from "../../src/permissions/policy.ts";
import { newMark } from "../../src/process/mark.ts";
import { sandboxProblem } from "../../src/process/sandbox/sandbox-problem.ts";
import { noJudgedPath } from "../../src/tool/tool.ts";
import { anyPath, nothingApproved } from "../../src/tools/tool-environment.ts";
import { noKnownSecrets } from "../../src/base/secrets/find-secrets.ts";
import { createTools, type BuiltInToolSet } from "../../src/tools/create-tools.ts";

/** Why the sandbox cannot be tried here; under CI=true that is a failure, not a reason to skip. */
export const cannotSandbox =
  process.env["CI"] === "true" ? undefined : sandboxProblem({ withHosts: true });
if (cannotSandbox !== undefined)
  console.warn(`skipped: the sandbox cannot be tried here: ${cannotSandbox}`);

export const secret = "TOP-SECRET-VALUE";

export type Sandboxed = {
  root: string;
  ws: string;
  out: string;
  home: string;
  mark: string;
  set: BuiltInToolSet;
  bash(
    command: string,
    more?: Record<string, unknown>,
  ): Promise<{ text: string; isError: boolean; ms: number; facts: Record<string, unknown> }>;
  write(path: string, content?: string): string;
  remove(): Promise<void>;
};

export type Wish = {
  sandbox?: { allowHosts?: string[]; denyRead?: string[] };
  policy?: Partial<PolicyInput>;
  files?: Record<string, string>;
  git?: boolean;
  addDirs?: string[];
  at?: string;
};

/** Not below /tmp, which is private in the sandbox: what lies outside must be in sight to be attacked. */
export async function sandboxed({
  sandbox = {},
  policy = {},
  files = {},
  git = true,
  addDirs = [],
  at,
}: Wish = {}): Promise<Sandboxed> {
  const root = realpathSync(mkdtempSync("/var/tmp/retinue-sandboxed-"));
  const [ws, out, home] = [at ?? join(root, "ws"), join(root, "out"), join(root, "home")];
  const write = (path: string, content = ""): string => {
    const full = path.startsWith("/") ? path : join(ws, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  };
  for (const folder of [ws, out, home]) mkdirSync(folder, { recursive: true });
  for (const name of [
    ".ssh/id_ed25519",
    ".aws/credentials",
    ".npmrc",
    ".netrc",
    ".claude/projects/p/s.jsonl",
    ".bash_history",
  ])
    write(join(home, name), secret);
  write(join(home, ".claude/settings.json"), JSON.stringify({ env: { INNER: secret } }));
  write(join(out, "file.txt"), "outside\n");
  write(join(home, ".gitconfig"), "[user]\n\tname = Test\n\temail = test@example.test\n");
  if (git) execFileSync("git", ["init", "-q", "-b", "main", ws]);
  for (const [name, content] of Object.entries(files)) write(name, content);
  const { session } = openSession({
    cwd: ws,
    env: { ...process.env, HOME: home },
    addDirs,
    settings: JSON.stringify({ retinue: { sandbox: { enabled: true, ...sandbox } } }),
  });
  const facts = (path: string): ReturnType<typeof pathFacts> => pathFacts(path, ws, home);
  const cage = await openRunSandbox(session, {
    cwd: ws,
    policy: createPolicy({
      mode: "bypassPermissions",
      ...policy,
      workspace: { cwd: ws, home, additionalDirectories: session.additionalDirectories },
    }),
    facts,
  });
  const mark = newMark("feed");
  const set = createTools({
    cwd: ws,
    home,
    spillDir: join(root, "spill"),
    mark,
    env: { HOME: home },
    takesImages: false,
    takesDocuments: false,
    secrets: () => noKnownSecrets,
    mayRead: anyPath,
    mayWrite: anyPath,
    sandbox: cage.wrap,
    approved: nothingApproved,
  });
  const tool = set.tools.find(({ name }) => name === "Bash")!;
  const bash: Sandboxed["bash"] = async (command, more = {}) => {
    const started = performance.now();
    const { content, isError, facts } = await tool.execute(
      { command, ...more },
      {
        toolUseId: "t",
        judgedPath: noJudgedPath,
        signal: AbortSignal.timeout(25_000),
        progress: () => {},
      },
    );
    return {
      text: typeof content === "string" ? content : "",
      isError: isError === true,
      ms: performance.now() - started,
      facts: facts ?? {},
    };
  };
  const remove = async (): Promise<void> => {
    await set.close();
    await cage.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { root, ws, out, home, mark, set, bash, write, remove };
}

/** Every name below the folders, with what it is and holds. */
export function picture(...folders: string[]): Record<string, string> {
  const seen: Record<string, string> = {};
  const look = (path: string): void => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return;
    const kind = stats.isSymbolicLink()
      ? `link ${readlinkSync(path)}`
      : stats.isFile()
        ? `file ${readFileSync(path, "latin1")}`
        : stats.isDirectory()
          ? "folder"
          : "special";
    seen[path] = `${(stats.mode & 0o7777).toString(8)} ${kind}`;
    if (stats.isDirectory()) for (const name of readdirSync(path)) look(join(path, name));
  };
  folders.forEach(look);
  return seen;
}
