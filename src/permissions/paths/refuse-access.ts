// What may happen to a path: deny rules, ask rules and protected paths first; then, for the tools
// that name one file, mode and allow rules.
import { inMemory, shown, writes, type Access } from "./access.ts";
import { worse, type PartVerdict } from "../decision.ts";
import type { Judge, ListName, PathTool, PlacedRule } from "../judge.ts";
import { coveredBy, formOf, reaches, type PathForm } from "./path-rules.ts";
import { foldPath, isWithin, normalise } from "./written-path.ts";
import { heldBelow, heldByGlob, heldInTree, mayBeKernelPath, reachedByGlob } from "./held-below.ts";
import {
  isGitItself,
  isHarmlessDevice,
  isKernelPath,
  isNetworkDevice,
  protectedReason,
} from "./protected-names.ts";
import { linkedReason } from "./protected-links.ts";
import { recordsCovered } from "./records-covered.ts";
import { isSecretFile } from "./secret-files.ts";

const readers: PathTool[] = ["Read"];
const writers: PathTool[] = ["Edit", "Write"];

/**
 * The strictest word of deny rules, ask rules and protected paths; undefined when none of them
 * speaks. `tools` are the rules that count besides Read's.
 */
export function refuseAccess(
  access: Access,
  judge: Judge,
  tools: readonly PathTool[] = [],
): PartVerdict | undefined {
  if (access.from !== "tool" && isHarmlessDevice(access.lexical)) return undefined;
  const wanted = [
    ...readers,
    ...tools,
    ...(writes(access) || access.kind === "unknown" ? writers : []),
  ];
  return [
    byRules(rulesFor("deny", judge, wanted), access, judge),
    bySecrets(access, judge),
    byRules(rulesFor("ask", judge, wanted), access, judge),
    byProtection(access, judge),
    byNames(access, judge),
  ].reduce((found, next) => (found && next ? worse(found, next) : (found ?? next)), undefined);
}

const rulesFor = (list: "deny" | "ask", judge: Judge, tools: readonly PathTool[]) => ({
  list,
  items: judge.paths(list).filter((item) => tools.includes(item.tool)),
});

function byRules(
  { list, items }: ReturnType<typeof rulesFor>,
  access: Access,
  judge: Judge,
): PartVerdict | undefined {
  if (items.length === 0) return undefined;
  let verdict: PartVerdict | undefined;
  const folded = { access, forms: foldedForms(access) };
  for (const item of items) {
    const match = matchWide(item, folded, judge);
    if (match === "no") continue;
    const behavior = list === "deny" && match === "surely" ? "deny" : "ask";
    const words =
      match === "surely"
        ? `${shown(access)} is covered by`
        : `what lies below ${shown(access)} may be covered by`;
    const next: PartVerdict = {
      behavior,
      layer: list,
      rule: item.rule.text,
      reason: `${words} ${item.rule.text}`,
    };
    verdict = verdict ? worse(verdict, next) : next;
  }
  return verdict;
}

function matchWide(
  item: PlacedRule,
  { access, forms }: Folded,
  judge: Judge,
): "surely" | "perhaps" | "no" {
  const { places, tool } = item;
  if (forms.some((form) => coveredBy(places, form, { glob: access.glob }))) return "surely";
  // A listing shows names: where every child would be covered, so is the listing.
  if (
    (access.kind === "list" || access.kind === "unknown") &&
    forms.some((form) => coveredBy(places, childOf(form)))
  )
    return "surely";
  if (!looksBelow(access, tool)) return "no";
  const recorded = recordsCovered(item, access, judge);
  if (recorded !== undefined) return recorded ? "surely" : "no";
  const exists = (path: string): boolean => judge.facts(path).exists;
  const reach = [access.lexical, access.real].map((form) => reaches(places, form, exists));
  // Of what may be opened below a folder nobody knows whether it is that.
  if (reach.includes("surely")) return access.kind === "unknown" ? "perhaps" : "surely";
  return reach.includes("perhaps") ? "perhaps" : "no";
}

/** Whoever changes a folder leaves alone what is only not to be read. */
const looksBelow = (access: Access, tool: PathTool): boolean =>
  (access.recursive || (access.rulesBelow === true && tool !== "Read")) &&
  !(access.glob || access.kind === "list" || access.fileKind === "file");

type Folded = { access: Access; forms: PathForm[] };

/** Any child of a folder: what covers it covers all of them. */
const childOf = ({ path, segments }: PathForm): PathForm => ({
  path: `${path}/\u0001`,
  segments: [...segments, "\u0001"],
});

/** Both names of the path, folded and split once. */
function foldedForms({ lexical, real }: Access): PathForm[] {
  if (lexical === real) return [formOf(foldPath(real))];
  return [...new Set([foldPath(lexical), foldPath(real)])].map(formOf);
}

/** Stores of packages and of git give one file many names. */
const stores: ReadonlySet<string> = new Set(["node_modules", ".git", ".venv", "site-packages"]);

/** A file with a second name may be one that a rule refuses by its other name. */
function byNames(access: Access, judge: Judge): PartVerdict | undefined {
  if (access.names === undefined) return undefined;
  const refuses = (list: "deny" | "ask") => judge.paths(list).some((item) => item.tool === "Read");
  const isStored = access.real.split("/").some((segment) => stores.has(segment));
  if (isStored || !(refuses("deny") || refuses("ask"))) return undefined;
  return {
    behavior: "ask",
    layer: "ask",
    reason: `${shown(access)} has ${access.names} names on disk, and a rule may refuse it by another`,
  };
}

function bySecrets(access: Access, { policy }: Judge): PartVerdict | undefined {
  if (
    !policy.hidesSecrets ||
    access.kind === "list" ||
    !(isSecretFile(access.lexical) || isSecretFile(access.real))
  )
    return undefined;
  return {
    behavior: "deny",
    layer: "deny",
    reason: `${shown(access)} is a key or credential file, which the profile hides`,
  };
}

function byProtection(access: Access, judge: Judge): PartVerdict | undefined {
  const { lexical, real } = access;
  const forms = lexical === real ? [real] : [lexical, real];
  const deny = (reason: string): PartVerdict => ({ behavior: "deny", layer: "protected", reason });
  const ask = (reason: string): PartVerdict => ({ behavior: "ask", layer: "protected", reason });
  if (isNetworkDevice(access.lexical)) return ask(`${shown(access)} opens a network connection`);
  if (forms.some(isKernelPath) || mayBeKernelPath(access))
    return deny(`${shown(access)} leads into /proc, /sys or /dev`);
  if (access.from === "tool") {
    const special = specialFile(access);
    if (special !== undefined) return deny(special);
  }
  if (access.kind === "unknown")
    return (protectedForms(forms, judge) ?? heldInTree(access, judge)) === undefined
      ? undefined
      : ask(`${shown(access)} is protected, and what the command does with it is not known`);
  if (!writes(access) || inMemory(access, judge)) return undefined;
  const never = neverWritten(access, forms, judge);
  if (never !== undefined) return deny(never);
  const reason = protectedForms(forms, judge) ?? reached(access, judge);
  return reason === undefined
    ? undefined
    : ask(`writing ${shown(access)} needs a person's yes: ${reason}`);
}

function reached(access: Access, judge: Judge): string | undefined {
  if (
    access.glob &&
    access.kind === "delete" &&
    /\/\*+$/.test(access.lexical) &&
    judge.roots.real.some((root) =>
      isWithin(root, normalise(access.lexical.replace(/\/\*+$/, "") || "/")),
    )
  )
    return "it empties the workspace";
  if (!access.glob && bringsProtected(access)) return "protected files may come with it";
  if (!access.glob)
    return access.kind === "delete" || access.recursive
      ? heldBelow(access, judge)
      : heldInTree(access, judge);
  const name = reachedByGlob(access, judge);
  if (name !== undefined) return `its wildcard reaches ${name}`;
  return (access.recursive ? heldByGlob(access, judge) : undefined) ?? heldInTree(access, judge);
}

/** A folder that arrives as a whole, and of which a folder below is protected. */
const bringsProtected = ({ kind, lexical, real, recursive, fileKind }: Access): boolean =>
  kind === "write" &&
  (recursive || fileKind !== "directory") &&
  [lexical, real].some((form) => /\/\.github$/i.test(form));

function specialFile(access: Access): string | undefined {
  const { kind, fileKind } = access;
  if (kind === "list")
    return fileKind === "fifo" || fileKind === "socket" || fileKind === "device"
      ? `${shown(access)} is no folder`
      : undefined;
  if (fileKind === "directory") return `${shown(access)} is a folder, not a file`;
  if (fileKind === "fifo" || fileKind === "socket" || fileKind === "device")
    return `${shown(access)} is a ${fileKind}, not a regular file`;
  return fileKind === "symlink-broken" && kind === "read"
    ? `${shown(access)} is a link that leads nowhere`
    : undefined;
}

function protectedForms(forms: string[], { policy, links }: Judge): string | undefined {
  for (const form of forms) {
    const reason = protectedReason(form, policy.workspace.protectedPaths);
    if (reason !== undefined) return reason;
  }
  return linkedReason(forms, links);
}

/** What no yes can permit: `.git` itself, the home, the root, and the records of runs. */
function neverWritten(
  access: Access,
  forms: string[],
  { policy, facts }: Judge,
): string | undefined {
  const { home, storeDirectories } = policy.workspace;
  if (forms.some(isGitItself)) return `${shown(access)} is a repository's .git itself`;
  const homes = [normalise(home), facts(home).real];
  const cleared = forms.map((form) => (access.glob ? form.replace(/\/\*+$/, "") || "/" : form));
  if (
    access.kind === "delete" &&
    cleared.some((form) => form === "/" || homes.some((folder) => isWithin(folder, form)))
  )
    return `${shown(access)} holds the home folder or the root`;
  const stores = [...storeDirectories, `${home}/.claude/projects`].flatMap((folder) => [
    normalise(folder),
    facts(folder).real,
  ]);
  const isRecord = forms.some((form) =>
    stores.some(
      (store) => isWithin(form, store) || (access.kind === "delete" && isWithin(store, form)),
    ),
  );
  return isRecord ? `${shown(access)} belongs to the transcripts and outputs of runs` : undefined;
}

/**
 * The allow rule that covers the access under both of its names, if there is one. `tools` are the
 * rules that count.
 */
export function allowRule(
  access: Access,
  judge: Judge,
  tools: readonly PathTool[],
): string | undefined {
  if (access.glob) return undefined;
  const [lexical, real] = [access.lexical, access.real].map((path) =>
    access.kind === "list" ? childOf(formOf(path)) : formOf(path),
  );
  const covers = ({ places }: PlacedRule): boolean =>
    coveredBy(places, lexical!) && coveredBy(places, real!);
  const item = judge.paths("allow").find((item) => tools.includes(item.tool) && covers(item));
  return (
    item?.rule.text ??
    tools.map((tool) => bareRule("allow", judge, tool)).find((text) => text !== undefined)
  );
}

/** A rule for the whole of this tool. */
export function bareRule(list: ListName, { rules }: Judge, tool: string): string | undefined {
  for (const rule of rules[list])
    if (rule.specifier === undefined && (rule.tool === tool || rule.tool === "*")) return rule.text;
  return undefined;
}
