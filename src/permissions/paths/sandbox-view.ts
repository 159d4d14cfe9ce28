// The policy as a sandbox can enforce it: which files of the workspace a command must not see or
// not write, and which paths elsewhere it must not see.
import { createJudge, type PlacedRule } from "../judge.ts";
import { coveredBy, formOf } from "./path-rules.ts";
import { splitLiteral } from "./path-pattern.ts";
import { foldPath, isWithin } from "./written-path.ts";
import type { FactsOf, Policy } from "../policy.ts";
import { protectedReason } from "./protected-names.ts";
import { isSecretFile } from "./secret-files.ts";

export type SandboxView = {
  /** About a real path inside one of the workspace's folders. */
  judge: (path: string) => "open" | "read-only" | "hidden";
  /** Paths that deny rules name without wildcards, or whole folders; they may not exist. */
  hidden: string[];
  /** Folders that commands may write at all. */
  writable: string[];
  /** Deny rules that cannot be read. */
  problems: string[];
};

/** `hide` are further patterns to hide, in the form of Read rules' specifiers. */
export function sandboxView(
  policy: Policy,
  facts: FactsOf,
  hide: readonly string[] = [],
): SandboxView {
  const { workspace } = policy;
  const judge = createJudge(
    {
      ...policy,
      rules: {
        ...policy.rules,
        deny: [...policy.rules.deny, ...hide.map((specifier) => `Read(${specifier})`)],
      },
    },
    facts,
  );
  const denied = judge.paths("deny");
  const reads = denied.filter(({ tool }) => tool === "Read");
  const writes = denied.filter(({ tool }) => tool === "Write" || tool === "Edit");
  const roots = [workspace.cwd, ...workspace.additionalDirectories].map(
    (folder) => facts(folder).real,
  );
  return {
    judge: (path) => {
      // Asked about every file of a workspace: what no rule speaks of is not taken apart.
      const form = denied.length > 0 ? formOf(foldPath(path)) : undefined;
      const coveredByOne = (rules: readonly PlacedRule[]): boolean =>
        form !== undefined && rules.some(({ places }) => coveredBy(places, form));
      if (coveredByOne(reads)) return "hidden";
      const below = relativeTo(path, roots);
      if (policy.hidesSecrets && isSecretFile(below)) return "hidden";
      // Of the part below the workspace alone: a workspace may itself lie in a protected folder.
      if (
        protectedReason(ending(below)) !== undefined ||
        isProtectedPlace(path, workspace.protectedPaths, roots)
      )
        return "read-only";
      return coveredByOne(writes) ? "read-only" : "open";
    },
    hidden: reads.flatMap(wholePlaces),
    writable: policy.mode === "plan" ? [] : roots,
    problems: judge.rules.problems
      .filter(({ list }) => list === "deny")
      .map(({ rule, message }) => `${rule}: ${message}`),
  };
}

/** A protected place holds what lies in it, but for a folder of the workspace in it. */
const isProtectedPlace = (
  path: string,
  places: readonly string[],
  roots: readonly string[],
): boolean =>
  places.some(
    (place) =>
      isWithin(foldPath(path), foldPath(place)) &&
      !roots.some((root) => isWithin(root, place) && isWithin(path, root)),
  );

function relativeTo(path: string, roots: readonly string[]): string {
  const root = roots
    .filter((folder) => isWithin(path, folder))
    .sort((a, b) => b.length - a.length)[0];
  return root === undefined ? path : path.slice(root === "/" ? 0 : root.length);
}

/**
 * The last three names, more than any protected path has: a protected folder above is one itself,
 * with all that lies in it.
 */
function ending(path: string): string {
  let from = path.length;
  for (let names = 0; names < 3 && from > 0; names++) from = path.lastIndexOf("/", from - 1);
  return path.slice(Math.max(0, from));
}

/**
 * The folder or file that the rule means as a whole; nothing where wildcards choose among its
 * content.
 */
function wholePlaces({ places }: PlacedRule): string[] {
  return places.flatMap(({ base, written }) => {
    const { literals, rest } = splitLiteral(written);
    const [only] = rest.parts;
    const isWhole =
      rest.parts.length === 0 ||
      (rest.parts.length === 1 &&
        only?.kind === "glob" &&
        only.tokens.length === 1 &&
        only.tokens[0]?.kind === "star");
    const path = `${base === "/" ? "" : base}/${literals.join("/")}`.replace(/\/$/, "");
    return isWhole && path !== "" ? [path] : [];
  });
}
