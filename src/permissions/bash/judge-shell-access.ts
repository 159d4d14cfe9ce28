// Files that a shell command names: refusals first; then, inside the workspace, the command's rule
// speaks for them; redirections are
// edits; outside, path rules decide.
import { accessOf, inMemory, inWorkspace, shown, writes, type Access } from "../paths/access.ts";
import type { PathFacts } from "../../base/files/path-facts.ts";
import { worse, type PartVerdict } from "../decision.ts";
import type { Judge } from "../judge.ts";
import { onceFor } from "../once-for.ts";
import { allowRule, refuseAccess } from "../paths/refuse-access.ts";
import { compilePattern, coversPath } from "../paths/path-pattern.ts";
import { isHarmlessDevice, protectedNames } from "../paths/protected-names.ts";
import type { PathAccess, SimpleCommand } from "../shell/analysis.ts";
import { listedName } from "../shell/tables/commands.ts";
import { defaultAsk, quoted } from "./settle-command.ts";

/**
 * Each access once. What is read with everything below it (`cp -r`, `rsync`) is written so too.
 */
export const distinctAccesses = onceFor((all: readonly PathAccess[]) => {
  const deep = new Set(
    all.filter((item) => item.kind === "read" && item.recursive).map((item) => item.via),
  );
  const found = new Map<string, PathAccess>();
  for (const item of all) {
    const isDeep = item.kind === "write" && item.from === "operand" && deep.has(item.via);
    const access = isDeep ? { ...item, recursive: true } : item;
    found.set(JSON.stringify(access), access);
  }
  return found;
});

/** Where files are refused by name, no rule waves names through that nobody knows. */
function isSpelled({ spelled }: PathAccess, judge: Judge): boolean {
  if (!spelled || judge.paths("deny").length + judge.paths("ask").length > 0) return false;
  return judge
    .commands("allow")
    .some((rule) => rule.kind === "prefix" && spelled.every((word) => rule.words.includes(word)));
}

/** `touch -- -r; grep x *`, `touch 'a -r'; for f in a*; do grep x $f; done` */
export const makesOption = (accesses: readonly PathAccess[]): boolean =>
  [
    { isUsed: (item: PathAccess) => item.open, form: /\/-[^/]*$/ },
    { isUsed: (item: PathAccess) => item.bare, form: /[\s*?[\]\\]/ },
  ].some(
    ({ isUsed, form }) =>
      accesses.some(isUsed) &&
      accesses.some((item) => item.kind === "write" && form.test(item.path ?? "")),
  );

/**
 * `git checkout x && cp a d/b`: whether `d` is a folder or a link to one elsewhere is only known when
 * the other files are there. Who removes a name that lies here removes no more than a link.
 */
export function writesBehindSwitch(
  commands: readonly SimpleCommand[],
  accesses: readonly PathAccess[],
): boolean {
  const at = commands.findIndex((item) => item.replacesTree);
  if (at < 0) return false;
  const behind = commands.slice(at).filter((item) => item.writesFiles && item.name !== "git");
  const names = new Set(behind.map((item) => listedName(item.name ?? "")));
  const start = accesses.findIndex((item) => item.via === "git" && item.rulesBelow);
  return accesses.some(
    (item, index) =>
      (item.from === "redirection" ? index > start : names.has(item.via)) &&
      (item.kind === "write" || (item.kind === "delete" && !isDirect(item, behind))),
  );
}

const isDirect = ({ path }: PathAccess, commands: readonly SimpleCommand[]): boolean =>
  commands.every(({ cwds }) => cwds?.some((cwd) => path?.slice(0, path.lastIndexOf("/")) === cwd));

/** No system has a longer path. */
const maxPath = 4_096;

/**
 * Deny rules, ask rules and protected paths, by what the path says and by what its wildcards reach;
 * undefined where none speaks.
 */
export function refuseShellAccess(item: PathAccess, judge: Judge): PartVerdict | undefined {
  if (item.path !== null && item.path.length > maxPath)
    return defaultAsk(`${quoted(item.via)} names a path that is longer than any file's`);
  if (item.patch && judge.policy.mode === "acceptEdits") return undefined;
  if (item.path === null || (item.into !== undefined && !isFolder(item.into, judge)))
    return undefined;
  if (isPerhapsOption(item, judge)) return defaultAsk(perhapsOption(item));
  return formsOf(item, judge)
    .map((access) => refuseAccess(access, judge))
    .reduce((a, b) => (a && b ? worse(a, b) : (a ?? b)), undefined);
}

const isPerhapsOption = ({ open, path }: PathAccess, { facts }: Judge): boolean =>
  open === true && facts(path!).dashed === true;

const perhapsOption = ({ via }: PathAccess): string =>
  `${quoted(via)} has a wildcard that matches a name with a dash in front, which would be an option`;

/** A name with a slash behind it is meant as one. */
const isFolder = (path: string, { facts }: Judge): boolean =>
  facts(path).kind === "directory" || path.endsWith("/");

/**
 * The path as written, and each place that its wildcards, or the search below it, reach through
 * links.
 */
function formsOf(item: PathAccess, judge: Judge): Access[] {
  const { path, kind, glob, recursive, follows, inTree, from } = item;
  const rulesBelow = item.rulesBelow === true;
  const isWhole = kind === "read" && inTree === "whole";
  if (isWhole)
    return judge.roots.lexical.map((raw) => accessOf({ raw, kind, recursive, from }, judge));
  const written = accessOf({ raw: path!, kind, glob, recursive, rulesBelow, inTree, from }, judge);
  const { linked = [] } = glob ? judge.facts(path!) : {};
  if (linked === "too many") return [written];
  const landed = item.landing === undefined ? [] : protectedBy(item.landing, judge);
  if (landed.length > 0)
    return landed.map((name) => accessOf({ raw: `${item.into!}/${name}`, kind, from }, judge));
  const below = follows && !glob ? linksBelow(path!, judge) : [];
  if (below !== "too many" && below.length > 0)
    return [written, ...below.map((raw) => accessOf({ raw, kind, recursive, from }, judge))];
  // Who removes a link removes no more than the link: its folder is followed, its end is not.
  return [
    written,
    ...linked.map((raw) =>
      accessOf({ raw, glob: kind === "delete", kind, recursive, from }, judge),
    ),
  ];
}

/** Protected names that the pattern fits and that lie there. */
function protectedBy(pattern: string, { facts }: Judge): string[] {
  const at = pattern.lastIndexOf("/");
  const folder = pattern.slice(0, at);
  const wild = compilePattern(pattern.slice(at + 1), { anchored: true });
  return protectedNames.filter(
    (name) => coversPath(wild, [name]) && facts(`${folder}/${name}`).kind !== "absent",
  );
}

const maxLevels = 6;

/** Links below a folder, as far down as is looked. */
function linksBelow(folder: string, { facts }: Judge): string[] | "too many" {
  const found: string[] = [];
  const base = folder.replace(/\/+$/, "");
  for (let level = 0, stars = base; level < maxLevels; level += 1, stars += "/*")
    for (const end of ["/*", "/.*"]) {
      const { linked = [] } = facts(`${stars}${end}`);
      if (linked === "too many") return "too many";
      found.push(...linked.filter((path) => !/\/\.\.?$/.test(path)));
    }
  return found;
}

export function judgeShellAccess(item: PathAccess, judge: Judge): PartVerdict {
  if (item.path === null && isSpelled(item, judge)) return pass("a rule names how it is found");
  if (item.path === null)
    return defaultAsk(`${quoted(item.via)} touches a path that is only known when it runs`);
  if (item.path.length > maxPath) return refuseShellAccess(item, judge)!;
  if (item.into !== undefined && !isFolder(item.into, judge)) return pass("it is no folder");
  if (item.patch && judge.policy.mode === "acceptEdits")
    return pass("acceptEdits allows edits inside the workspace");
  const doubt = doubtAbout(item, judge);
  if (doubt !== undefined) return defaultAsk(doubt);
  return formsOf(item, judge)
    .map((access) => {
      const refused = refuseAccess(access, judge);
      const settled = settleAccess(access, judge);
      return refused ? worse(refused, settled) : settled;
    })
    .reduce(worse);
}

/** A rule for all commands, or one that spells the file, means what the program does with it. */
function startsFile({ starts, path, via }: PathAccess, judge: Judge): string | undefined {
  if (starts === undefined) return undefined;
  const { kind, runs, findBelow } = judge.facts(path!);
  const isHolding = starts === "programs" && holdsProgram(path!, findBelow, judge);
  const isStarted = runs || starts === "words" || starts === "module";
  if (!isHolding && (kind !== "file" || !isStarted)) return undefined;
  const does = starts === "words" ? "take its words from" : "start";
  const isMeant = judge
    .commands("allow")
    .some((rule) => rule.kind === "all" || rule.words.some((word) => path!.endsWith(baseOf(word))));
  return isMeant ? undefined : `${quoted(via)} may ${does} ${path!}, and no rule names it`;
}

/** A program lies directly in the folder. */
const holdsProgram = (
  folder: string,
  findBelow: PathFacts["findBelow"],
  { facts }: Judge,
): boolean =>
  findBelow?.({
    isWanted: () => true,
    enters: (name) => facts(`${folder}/${name}`).runs === true,
  }) !== undefined;

const baseOf = (word: string): string => `/${word.slice(word.lastIndexOf("/") + 1)}`;

/** Why what the path reaches cannot be told. */
function doubtAbout(item: PathAccess, judge: Judge): string | undefined {
  if (isPerhapsOption(item, judge)) return perhapsOption(item);
  const started = startsFile(item, judge);
  if (started !== undefined) return started;
  if (item.bare && judge.facts(item.path!).splits)
    return "a name that the loop goes over holds blanks or wildcards, and stands without quotes";
  if (item.follows && linksBelow(item.path!, judge) === "too many")
    return `${quoted(item.via)} follows more links than can be looked at`;
  return item.glob && judge.facts(item.path!).linked === "too many"
    ? `${quoted(item.via)} has wildcards that match more names than can be looked at`
    : undefined;
}

const pass = (reason: string, rule?: string): PartVerdict => ({
  behavior: "allow",
  layer: rule === undefined ? "mode" : "allow",
  reason,
  ...(rule === undefined ? {} : { rule }),
});

function settleAccess(access: Access, judge: Judge): PartVerdict {
  if (access.kind === "execute" || isHarmlessDevice(access.lexical))
    return pass("judged with its command");
  const { mode } = judge.policy;
  if (access.kind === "unknown")
    return liesElsewhere(access, judge)
      ? settleElsewhere(access, judge)
      : pass("judged with its command");
  if (mode === "plan" && writes(access))
    return { behavior: "deny", layer: "mode", reason: "plan mode writes nothing" };
  if (inMemory(access, judge)) return pass("the agent's own memory");
  return inWorkspace(access, judge) ? settleInside(access, judge) : settleOutside(access, judge);
}

function settleInside(access: Access, judge: Judge): PartVerdict {
  if (!(writes(access) && access.from === "redirection"))
    return pass(`${shown(access)} lies inside the workspace`);
  if (judge.policy.mode === "acceptEdits")
    return pass("acceptEdits allows edits inside the workspace");
  const blanket = judge.commands("allow").find((rule) => rule.kind === "all");
  const rule = blanket?.rule.text ?? allowRule(access, judge, ["Edit", "Write"]);
  return rule === undefined
    ? defaultAsk(`no rule allows to ${access.kind} ${shown(access)} by redirection`)
    : pass(`${shown(access)} is covered by ${rule}`, rule);
}

function settleOutside(access: Access, judge: Judge): PartVerdict {
  const rule = allowRule(access, judge, writes(access) ? ["Edit", "Write"] : ["Read"]);
  return rule === undefined
    ? defaultAsk(
        `no rule allows to ${access.kind} ${shown(access)}, which lies outside the workspace`,
      )
    : pass(`${shown(access)} is covered by ${rule}`, rule);
}

/**
 * A word that no table explains names a place outside the workspace: its first folder is there, so
 * it is hardly anything else than a path.
 */
function liesElsewhere(access: Access, judge: Judge): boolean {
  if (inWorkspace(access, judge) || inMemory(access, judge)) return false;
  const top = access.real.split("/")[1] ?? "";
  return access.real !== "/" && judge.facts(`/${top}`).exists;
}

function settleElsewhere(access: Access, judge: Judge): PartVerdict {
  const rule = allowRule(access, judge, ["Edit", "Write"]);
  if (rule !== undefined) return pass(`${shown(access)} is covered by ${rule}`, rule);
  return defaultAsk(`no rule allows to touch ${shown(access)}, which lies outside the workspace`);
}
