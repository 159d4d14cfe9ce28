// Read, Write, Edit, Grep and Glob: the paths they name, judged layer by layer.
import { accessOf, inMemory, inWorkspace, shown, type Access } from "./access.ts";
import { worse, type PartVerdict } from "../decision.ts";
import type { Judge, PathTool } from "../judge.ts";
import { allowRule, refuseAccess } from "./refuse-access.ts";
import { expandBraces } from "./path-rules.ts";
import { isWithin, normalise, resolveWritten } from "./written-path.ts";

type Input = Record<string, unknown>;

const broken = (reason: string): PartVerdict => ({ behavior: "deny", layer: "protected", reason });

/** Read, Write or Edit of one file. */
export function judgeFile(
  tool: "Read" | "Write" | "Edit",
  input: Input,
  judge: Judge,
): PartVerdict {
  const path = resolveWritten(input["file_path"], judge.policy.workspace);
  if (!path.ok) return broken(path.reason);
  const access = accessOf(
    { raw: path.raw, kind: tool === "Read" ? "read" : "write", from: "tool" },
    judge,
  );
  const settled = path.unclear
    ? unclear(access)
    : settle(access, judge, tool === "Read" ? ["Read"] : ["Edit", "Write"]);
  return together(refuseAccess(access, judge), settled);
}

/**
 * The file tools name this path; undefined where the input names none. Used to see whether a call
 * stays in the agent's memory.
 */
export function staysInMemory(tool: string, input: Input, judge: Judge): boolean {
  if (tool !== "Read" && tool !== "Write" && tool !== "Edit") return false;
  const path = resolveWritten(input["file_path"], judge.policy.workspace);
  return (
    path.ok && inMemory(accessOf({ raw: path.raw, kind: "write", from: "tool" }, judge), judge)
  );
}

const grepKeys = new Set([
  "pattern",
  "path",
  "glob",
  "type",
  "output_mode",
  "-A",
  "-B",
  "-C",
  "-n",
  "-i",
  "-o",
  "context",
  "multiline",
  "head_limit",
  "offset",
]);

/** Grep below a folder or in a file. What it finds is filtered by `mayRead` while it runs. */
export function judgeGrep(input: Input, judge: Judge): PartVerdict {
  const stray = Object.keys(input).find((key) => !grepKeys.has(key));
  if (stray !== undefined)
    return broken(
      `Grep has no parameter ${JSON.stringify(stray)}; it searches with one linear-time engine`,
    );
  const folder = input["path"] ?? judge.policy.workspace.cwd;
  return together(refuseNamed(folder, input["glob"], judge), judgeFolder("Grep", folder, judge));
}

/** A glob that asks for a refused file by name is refused as well; what it matches is filtered anyway. */
function refuseNamed(folder: unknown, glob: unknown, judge: Judge): PartVerdict | undefined {
  const path = resolveWritten(folder, judge.policy.workspace);
  if (!path.ok || typeof glob !== "string" || glob.startsWith("!")) return undefined;
  return expandBraces(glob)
    .map((choice) =>
      accessOf({ raw: `${path.raw}/${choice}`, kind: "read", glob: true, from: "tool" }, judge),
    )
    .map((access) => refuseAccess(access, judge, ["Grep"]))
    .reduce((a, b) => (a && b ? worse(a, b) : (a ?? b)), undefined);
}

/** Glob: every folder that the pattern could start from. */
export function judgeGlob(input: Input, judge: Judge): PartVerdict {
  const { pattern } = input;
  if (typeof pattern !== "string" || pattern === "")
    return broken("the pattern is missing or empty");
  if (pattern.length > 4_096 || pattern.includes("\0"))
    return broken("the pattern is over-long or holds a NUL character");
  const base = input["path"] ?? judge.policy.workspace.cwd;
  const whole = judgeFolder("Glob", base, judge);
  if (typeof base !== "string") return whole;
  const choices = expandBraces(pattern);
  const starts = new Set(
    choices.map((choice) => (/\{[^{}]*\.\./.test(choice) ? undefined : fixedPart(choice))),
  );
  return [...starts].map((start) => judgeStart(start, base, judge)).reduce(worse, whole);
}

/** The part of a pattern before its first wildcard; undefined where it climbs again after one. */
function fixedPart(pattern: string): string | undefined {
  const segments = pattern.split("/");
  const first = segments.findIndex((segment) => /[*?[{!(]/.test(segment));
  if (first < 0) return pattern;
  // `[.][.]` is two dots as well.
  return segments
    .slice(first)
    .some((segment) => segment.replaceAll(/[[\]!^\\]/g, "").includes(".."))
    ? undefined
    : segments.slice(0, first).join("/") || (pattern.startsWith("/") ? "/" : ".");
}

function judgeStart(start: string | undefined, base: string, judge: Judge): PartVerdict {
  if (start === undefined)
    return {
      behavior: "ask",
      layer: "default",
      reason: "the pattern climbs with `..` among its wildcards",
    };
  return judgeFolder(
    "Glob",
    start.startsWith("/") || start.startsWith("~") ? start : `${base}/${start}`,
    judge,
  );
}

function judgeFolder(tool: "Grep" | "Glob", written: unknown, judge: Judge): PartVerdict {
  const path = resolveWritten(written, judge.policy.workspace);
  if (!path.ok) return broken(path.reason);
  const isFile = judge.facts(path.raw).kind === "file";
  const access = accessOf({ raw: path.raw, kind: isFile ? "read" : "list", from: "tool" }, judge);
  const settled = path.unclear ? unclear(access) : settle(access, judge, [tool, "Read"]);
  return together(refuseAccess(access, judge, [tool]), settled);
}

const unclear = (access: Access): PartVerdict => ({
  behavior: "ask",
  layer: "default",
  reason: `${shown(access)} would mean another place to a shell`,
});

const together = (refused: PartVerdict | undefined, settled: PartVerdict): PartVerdict =>
  refused ? worse(refused, settled) : settled;

/** Mode, allow rules and the default for one path of a file tool. */
function settle(access: Access, judge: Judge, tools: readonly PathTool[]): PartVerdict {
  const byMode = settleByMode(access, judge);
  if (byMode !== undefined) return byMode;
  const rule = allowRule(access, judge, tools);
  if (rule !== undefined)
    return {
      behavior: "allow",
      layer: "allow",
      rule,
      reason: `${shown(access)} is covered by ${rule}`,
    };
  const where = inWorkspace(access, judge) ? "" : ", which lies outside the workspace";
  return {
    behavior: "ask",
    layer: "default",
    reason: `no rule allows to ${access.kind === "list" ? "search" : access.kind} ${shown(access)}${where}`,
  };
}

function settleByMode(access: Access, judge: Judge): PartVerdict | undefined {
  const { mode, workspace } = judge.policy;
  const allow = (reason: string): PartVerdict => ({ behavior: "allow", layer: "mode", reason });
  const deny = (reason: string): PartVerdict => ({ behavior: "deny", layer: "mode", reason });
  const isWrite = access.kind === "write";
  if (mode === "plan" && isWrite) return deny("plan mode writes nothing");
  if (inMemory(access, judge)) return allow("the agent's own memory");
  if (mode === "bypassPermissions")
    return allow("bypassPermissions allows what no rule and no protection stops");
  const inside = inWorkspace(access, judge);
  if (!isWrite && inside) return allow(`reading ${shown(access)} inside the workspace`);
  if (mode === "acceptEdits" && isWrite && inside)
    return allow("acceptEdits allows edits inside the workspace");
  if (mode !== "delegate") return undefined;
  const progress = normalise(`${workspace.cwd}/.retinue/progress`);
  const isProgress =
    isWrite &&
    [access.lexical, access.real].every(
      (form) =>
        form.endsWith(".json") &&
        isWithin(form, form === access.real ? judge.facts(progress).real : progress),
    );
  return isProgress
    ? allow("a progress file")
    : deny(
        "delegate mode coordinates: it reads inside the workspace and writes progress files only",
      );
}
