// Protected paths that a call reaches without naming them: what lies in a folder that it removes or
// fills, and what bash's wildcards could stand for.
import type { Access } from "./access.ts";
import type { Judge } from "../judge.ts";
import { compilePattern, coversPath, mayCoverGlob, type PathPattern } from "./path-pattern.ts";
import {
  protectedFolderNames,
  protectedNames,
  protectedReason,
  protectedTails,
} from "./protected-names.ts";
import { isWithin, lastSegment, normalise, parentOf } from "./written-path.ts";

/** Why writing or removing everything below the folder reaches a protected path. */
export function heldBelow(access: Access, { policy, facts, roots }: Judge): string | undefined {
  const forms = [access.lexical, access.real];
  if (
    forms.some((form) =>
      [...roots.real, normalise(policy.workspace.home)].some((root) => isWithin(root, form)),
    )
  )
    return "it holds the workspace or the home folder";
  const extra = policy.workspace.protectedPaths.find((path) =>
    forms.some((form) => isWithin(normalise(path), form)),
  );
  if (extra !== undefined) return `it holds ${extra}`;
  if (access.fileKind !== "directory") return undefined;
  const direct = protectedNames.find((name) => facts(`${access.real}/${name}`).exists);
  if (direct !== undefined) return `it holds ${direct}`;
  const isInside = roots.real.some((root) => isWithin(access.real, root));
  return isInside ? heldDeep(access.real, { facts }) : undefined;
}

/** Names that a protected path may end in; whether it is one, its whole path says. */
const lastNames = new Set(
  [...protectedNames, ...protectedTails.map((tail) => tail.slice(tail.lastIndexOf("/") + 1))].map(
    (name) => name.toLowerCase(),
  ),
);
const isProtected = (path: string): boolean =>
  lastNames.has(lastSegment(path).toLowerCase()) && protectedReason(path) !== undefined;

/** What lies further down; of a folder of packages nobody expects to find its files untouched. */
function heldDeep(
  folder: string,
  { facts }: Pick<Judge, "facts">,
  enters?: (name: string) => boolean,
): string | undefined {
  if (/\/(?:node_modules|\.venv|site-packages)(?:\/|$)/.test(folder)) return undefined;
  const found = facts(folder).findBelow?.({ isWanted: isProtected, ...(enters ? { enters } : {}) });
  if (found === "too many") return "it holds more folders than can be looked at";
  return found && `it holds ${found.path.slice(folder.length + 1)}`;
}

/** `rm -r packages/*`: what lies below the names that the last wildcard matches. */
export function heldByGlob({ real }: Access, { facts }: Judge): string | undefined {
  const at = real.lastIndexOf("/");
  const [folder, last] = [real.slice(0, at) || "/", real.slice(at + 1)];
  if (!isWild(last) || isWild(folder)) return undefined;
  const pattern = compilePattern(last, { anchored: true });
  const enters = (name: string): boolean =>
    (last.startsWith(".") || !name.startsWith(".")) && coversPath(pattern, [name]);
  return heldDeep(facts(folder).real, { facts }, enters);
}

/** What git takes away or writes back below a place, or in the whole repository around it. */
export function heldInTree(access: Access, judge: Judge): string | undefined {
  if (access.inTree !== "below" && access.inTree !== "whole") return undefined;
  const { policy, facts, roots } = judge;
  const wild = access.glob ? access.real.search(/[*?[]/) : -1;
  const place = wild < 0 ? access.real : parentOf(`${access.real.slice(0, wild)}*`);
  if (!roots.real.some((root) => isWithin(place, root))) return undefined;
  const folder = access.inTree === "whole" ? repositoryAround(place, judge) : place;
  // git's own wildcards reach over slashes: of a pattern only its end is sure.
  const end = wild < 0 ? "" : access.real.replace(/^.*[*?[]/s, "");
  const isWanted = (path: string): boolean =>
    path.endsWith(end) && !/\/\.git(?:\/|$)/i.test(path.slice(folder.length)) && isKept(path);
  const isKept = (path: string): boolean =>
    end === "" ? isProtected(path) : protectedReason(path.slice(folder.length)) !== undefined;
  const extra = policy.workspace.protectedPaths.find(
    (path) => isWithin(normalise(path), folder) && path.endsWith(end) && facts(path).exists,
  );
  if (extra !== undefined) return `git may change ${extra}`;
  const found = facts(folder).findBelow?.({ isWanted, enters: (name) => name !== ".git" });
  if (found === "too many") return "it holds more folders than can be looked at";
  return found && `git may change ${found.path.slice(folder.length + 1)}`;
}

/** The repository that the folder belongs to; where it begins above the workspace, the workspace. */
export function repositoryAround(
  folder: string,
  { facts, roots }: Pick<Judge, "facts" | "roots">,
): string {
  const isInside = (path: string): boolean => roots.real.some((root) => isWithin(path, root));
  let place = folder;
  while (!facts(`${place}/.git`).exists && place !== "/" && isInside(parentOf(place)))
    place = parentOf(place);
  return place;
}

type Named = { name: string; pattern: PathPattern };
const named = (names: readonly string[]): Named[] =>
  names.map((name) => ({ name, pattern: compilePattern(name, { anchored: true }) }));
const [anyName, folders, kernel] = [
  named(protectedNames),
  named(protectedFolderNames),
  named(["proc", "sys", "dev"]),
];
const isWild = (segment: string): boolean => /[*?[]/.test(segment);

/**
 * The protected name that a wildcard could stand for: a folder on the way, or a name at the end
 * that exists there.
 */
export function reachedByGlob({ lexical, real }: Access, { facts }: Judge): string | undefined {
  for (const form of new Set([lexical, real])) {
    const segments = form.split("/").slice(1);
    const first = segments.findIndex(isWild);
    const onTheWay = segments
      .slice(0, -1)
      .filter(isWild)
      .flatMap((segment) => folders.filter(({ pattern }) => mayCoverGlob(pattern, [segment])));
    if (onTheWay[0]) return onTheWay[0].name;
    if (first !== segments.length - 1) continue;
    const folder = segments.slice(0, -1).join("/");
    const found = anyName.find(
      ({ name, pattern }) =>
        mayCoverGlob(pattern, [segments[first]!]) &&
        (!/^\*+(?:\.\w+)?$/.test(segments[first]!) || facts(`/${folder}/${name}`).exists),
    );
    if (found) return found.name;
  }
  return undefined;
}

/** True when the path's first segment is a wildcard that could stand for a kernel tree. */
export function mayBeKernelPath({ glob, lexical, real }: Access): boolean {
  if (!glob) return false;
  return [lexical, real].some((form) => {
    const first = form.split("/")[1] ?? "";
    return isWild(first) && kernel.some(({ pattern }) => mayCoverGlob(pattern, [first]));
  });
}
