// Protected names that are links: who writes the file to which one leads writes the protected file.
import type { FactsOf } from "../policy.ts";
import { protectedReason } from "./protected-names.ts";
import { isWithin } from "./written-path.ts";

/** A protected name and the place to which it leads. */
export type ProtectedLink = { link: string; real: string };

/** Folders in which protected names lie, without being protected themselves. */
const holders: ReadonlySet<string> = new Set([".github", ".cargo", ".config", ".bundle"]);
/** Below a protected folder links are looked for so far down. */
const maxLevels = 2;

/** The protected links of these folders, and of the protected folders directly in them. */
export const protectedLinks = (roots: readonly string[], facts: FactsOf): ProtectedLink[] =>
  [...new Set(roots)].flatMap((root) => linksIn(root, facts, 0));

function linksIn(folder: string, facts: FactsOf, level: number): ProtectedLink[] {
  return (facts(folder).list?.() ?? []).flatMap(({ name, isLink }) => {
    const path = `${folder === "/" ? "" : folder}/${name}`;
    const isProtected = level > 0 || protectedReason(path) !== undefined;
    if (isLink) return isProtected ? [{ link: path, real: facts(path).real }] : [];
    // The store of git is large, and nothing in it leads elsewhere.
    const isOpen = (isProtected || holders.has(name)) && level < maxLevels && name !== "objects";
    return isOpen ? linksIn(path, facts, level + 1) : [];
  });
}

/** Why a path that one of the links leads to is protected. */
export function linkedReason(
  forms: readonly string[],
  links: readonly ProtectedLink[],
): string | undefined {
  const found = links.find(({ real }) => forms.some((form) => isWithin(form, real)));
  return found && `${found.link} leads there`;
}
