// Protected paths that a call reaches without naming them: what lies in a folder that it removes or
// fills, and what bash's wildcards could stand for.
import type { Access } from "./access.ts";
import type { Judge } from "../judge.ts";
import { compilePattern, mayCoverGlob, type PathPattern } from "./path-pattern.ts";
import { isWithin, normalise } from "./path-text.ts";
import { protectedFolderNames, protectedNames } from "./protected-paths.ts";

/**
 * Why writing or removing everything below the folder reaches a protected path. Names are looked
 * for directly in it.
 */
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
  const held =
    access.fileKind === "directory"
      ? protectedNames.find((name) => facts(`${access.real}/${name}`).exists)
      : undefined;
  return held === undefined ? undefined : `it holds ${held}`;
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
