// A short name that the document spells out elsewhere means that file; else the files of the folders
// that the document is about come first.
import type { Claim } from "../claim.ts";
import { sectionOf } from "../read-unit.ts";
import type { Mention } from "./find-mentions.ts";

/** Orders the files that each claim may mean; a name spelled out in full leaves only that file. */
export function preferSpelledOut(claims: readonly Claim[], isMessage: boolean): void {
  const spelled = new Set<string>();
  const whole = new Map<string, string>();
  for (const { mention } of claims) {
    if (mention.kind !== "file" || mention.paths.length !== 1 || !mention.path.includes("/"))
      continue;
    const [path] = mention.paths as [string];
    spelled.add(path);
    whole.set(nameOf(path), path);
  }
  const isShared = claims.some(({ mention: { paths } }) => paths.length > 1);
  const folders = isShared ? foldersOf(claims) : undefined;
  const longPathsOf = longPathsBySection(claims);
  for (const claim of claims) {
    const { mention } = claim;
    // A file that no list names, as git ignores it, is known once it is spelled out.
    const meant = mention.kind === "unknown" ? whole.get(mention.path) : undefined;
    if (meant !== undefined) Object.assign(mention, { kind: "file", paths: [meant] });
    if (mention.kind !== "file") continue;
    if (!mention.path.includes("/")) meanSpelledOut(mention, longPathsOf(claim), isMessage);
    if (mention.paths.length < 2) continue;
    const exact = mention.paths.filter((path) => spelled.has(path));
    if (exact.length === 1) {
      const others = mention.paths.filter((path) => path !== exact[0]);
      mention.alternates = () => others;
      mention.paths = exact;
    } else mention.paths = ordered(mention.paths, folders!);
  }
}

/** How often each folder is named. */
function foldersOf(claims: readonly Claim[]): ReadonlyMap<string, number> {
  const folders = new Map<string, number>();
  for (const { mention } of claims) {
    if (mention.kind !== "file" || mention.paths.length !== 1) continue;
    const [path] = mention.paths as [string];
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1))
      folders.set(path.slice(0, at), (folders.get(path.slice(0, at)) ?? 0) + 1);
  }
  return folders;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

type LongPaths = (claim: Claim) => readonly Mention[];

/** The paths with a folder and the name of a claim: those of its section, else the only one of the document. */
function longPathsBySection(claims: readonly Claim[]): LongPaths {
  const known = new Map<string, { section: unknown; mention: Mention }[]>();
  for (const { block, mention } of claims) {
    if (!mention.path.includes("/") || mention.external) continue;
    const long = known.get(nameOf(mention.path)) ?? [];
    known.set(nameOf(mention.path), long);
    if (long.length < most) long.push({ section: sectionOf(block), mention });
  }
  return ({ block, mention }) => {
    const long = known.get(mention.path) ?? [];
    const own = long.filter(({ section }) => section === sectionOf(block));
    // A file that has exactly this path needs no other text to say what it means.
    const isOwn = mention.paths[0] === mention.path;
    const isOne = new Set(long.map((item) => item.mention.path)).size === 1;
    return (own.length > 0 || isOwn || !isOne ? own : long).map((item) => item.mention);
  };
}

const most = 40;

/**
 * A name that its section spells out may be that file, though another file has exactly this name; where the
 * path that is spelled out is not here, no file of that name proves anything.
 */
function meanSpelledOut(mention: Mention, long: readonly Mention[], isMessage: boolean): void {
  if (long.length === 0) return;
  const here = long.flatMap(({ kind, paths }) => (kind === "file" ? paths.slice(0, 1) : []));
  const [spelled] = long;
  if (here.length === 0)
    Object.assign(
      mention,
      isMessage && (spelled!.kind === "unknown" || spelled!.kind === "outside")
        ? { kind: spelled!.kind, paths: [], path: spelled!.path }
        : {
            kind: "foreign",
            paths: [],
            why: `it is spelled out as ${spelled!.path}, which is not here`,
          },
    );
}

function ordered(paths: readonly string[], folders: ReadonlyMap<string, number>): string[] {
  const score = (path: string): number => {
    let best = 0;
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1))
      best += (folders.get(path.slice(0, at)) ?? 0) * at;
    return best;
  };
  return paths
    .map((path) => ({ path, score: score(path) }))
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}
