// The attack rows of test/data, each with a workspace of its own on the real disk.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative } from "node:path";

export type Behavior = "allow" | "ask" | "deny";

export type AttackRow = {
  id: string;
  class: string;
  layer: string;
  tool: string;
  input: Record<string, unknown>;
  profile: string | null;
  mode: string | null;
  rules: { allow: string[]; ask: string[]; deny: string[] };
  expected: Behavior;
  legit: boolean;
  note: string;
  assert?: string;
  oracle?: { marker: string };
  /** `prepare`: a line of shell that runs in the workspace once its files are there. */
  context?: Record<string, unknown> & { also_ok?: Behavior[]; prepare?: string };
  setup?: (
    | { file: string; content?: string; mode?: string | number }
    | { symlink: string; to: string }
    | { hardlink: string; to: string }
    | { fifo: string }
    | { dir: string }
  )[];
  agent?: Record<string, unknown>;
  parent?: Record<string, unknown>;
  background?: boolean;
  variants?: string[];
};

/** The rows of a file of test/data. */
export function readRows(name: string): AttackRow[] {
  const place = name.startsWith("/") ? name : new URL(`data/${name}`, import.meta.url);
  return readFileSync(place, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as AttackRow);
}

export const attackRows: AttackRow[] = readRows("attacks.jsonl");

/**
 * Rows that are no matter of the decision alone: what happens when the call is made, or the state
 * of the manager.
 */
export const elsewhere: Record<string, RegExp> = {
  "tools (the call is made against links that change, and against a loopback server)":
    /^(?:PATH-TOCT-\d+|WEBF-REDI-00\d|WEBF-LIMI-00[123])$/,
  "sandbox (what an interpreter does is only stopped while it runs)":
    /^(?:BASH-READ-0(?:39|40|41)|BASH-EXFI-011)$/,
  "manager (limits, budgets, and who may approve)": /^(?:TASK-LIMI-00[12]|TASK-CONF-009)$/,
};

/** Rows of further files that no decision over the text can close, and what closes them instead. */
export const closedElsewhere: Record<string, string> = {
  "RT3-PROT-006":
    "which files a patch writes stands in the patch: the rule for git apply is meant, and read-only mounts keep protected paths (protected-writes.test.ts)",
  "R16-040":
    "settings that lie in the project are its owner's: what an agent writes there is asked about, what stands there already is meant",
  "R16-049": "the same as R16-040",
  "R7-096":
    "a rule for a program that builds into a folder is meant: which folder it empties first is not in the text",
};

export const accepted = (row: AttackRow): Behavior[] => [
  row.expected,
  ...(row.context?.also_ok ?? []),
];

export type Place = { root: string; ws: string; out: string; home: string; remove: () => void };

/** A workspace, a folder outside it and a home, all new. */
export function createPlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "retinue-attacks-")));
  const [ws, out, home] = [join(root, "project"), join(root, "outside"), join(root, "home")];
  for (const folder of [join(ws, ".git"), join(ws, "src"), out, home])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(ws, "src/a.ts"), "export const a = 1;\n");
  return { root, ws, out, home, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** The row with its placeholders filled in for this place. */
export function fillRow(row: AttackRow, { ws, out, home }: Place): AttackRow {
  const store = join(home, ".claude/projects/p/8f14e45f-ceea-467f-9b36-e3d8ac2a4b11");
  const values: Record<string, string> = {
    WS: ws,
    WSNAME: basename(ws),
    OUT: out,
    OUTREL: relative(ws, out),
    HOME: home,
    TRANSCRIPTS: join(store, "subagents"),
    OUTPUTS: join(store, "tasks"),
    AGENTID: "a0123456789abcdef",
  };
  return JSON.parse(
    JSON.stringify(row).replaceAll(
      /\{\{([A-Z]+)\}\}/g,
      (whole, name: string) => values[name] ?? whole,
    ),
  ) as AttackRow;
}

const gitAuthor = {
  ...process.env,
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.org",
};

/** Makes the files, then the links and pipes, of a filled row, then runs what prepares it. */
export function setUp({ id, setup = [], context }: AttackRow, { ws }: Place): void {
  const at = (path: string): string => {
    const full = isAbsolute(path) ? path : join(ws, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  for (const item of setup) {
    if ("dir" in item) mkdirSync(at(item.dir), { recursive: true });
    if (!("file" in item)) continue;
    writeFileSync(at(item.file), item.content ?? "");
    // A number is the mode itself, a text its octal digits.
    const { mode } = item;
    if (mode !== undefined)
      chmodSync(at(item.file), typeof mode === "number" ? mode : Number.parseInt(mode, 8));
  }
  for (const item of setup) {
    if ("symlink" in item) {
      if (isAbsolute(item.to)) mkdirSync(dirname(item.to), { recursive: true });
      rmSync(at(item.symlink), { recursive: true, force: true });
      symlinkSync(item.to, at(item.symlink));
    }
    if ("hardlink" in item) linkSync(at(item.to), at(item.hardlink));
    if ("fifo" in item) execFileSync("mkfifo", [at(item.fifo)]);
  }
  // Where a program that prepares is not installed, the row is judged without its work.
  if (context?.prepare !== undefined)
    spawnSync("bash", ["-c", context.prepare], { cwd: ws, stdio: "ignore", env: gitAuthor });
  if (id === "PATH-SPEC-006") createServer().unref().listen(join(ws, "sock"));
}
