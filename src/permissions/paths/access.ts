// One file or folder that a call touches: as written, as text, and where it really leads.
import { escaped } from "../../base/text/printable.ts";
import type { PathKind } from "../../base/files/path-facts.ts";
import { isWithin, normalise } from "./written-path.ts";
import type { Judge } from "../judge.ts";
import type { AccessKind, PathAccess } from "../shell/analysis.ts";

export type Access = {
  kind: AccessKind;
  lexical: string;
  real: string;
  /** Absent where the path holds wildcards. */
  fileKind?: PathKind;
  /** How many names the file has, where it has more than one. */
  names?: number;
  glob: boolean;
  recursive: boolean;
  /** Path rules look at everything below; protected names below are no matter. */
  rulesBelow?: boolean;
  /** git takes what lies below away or writes it back. */
  inTree?: PathAccess["inTree"];
  from: "tool" | "redirection" | "operand";
};

export type AccessInput = {
  raw: string;
  kind: AccessKind;
  glob?: boolean;
  recursive?: boolean;
  rulesBelow?: boolean;
  inTree?: PathAccess["inTree"];
  from: Access["from"];
};

/**
 * Settles where an absolute path (`..` kept as written) leads. For a glob, the part before the
 * first wildcard is followed.
 */
export function accessOf(
  { raw, kind, glob = false, recursive = false, rulesBelow = false, inTree, from }: AccessInput,
  { facts }: Pick<Judge, "facts">,
): Access {
  const tree = inTree === undefined ? {} : { inTree };
  const lexical = normalise(glob ? withoutClasses(raw) : raw);
  if (!glob) {
    const { real, kind: fileKind, names } = facts(raw);
    const named = names === undefined ? {} : { names };
    return { kind, lexical, real, fileKind, ...named, ...tree, glob, recursive, rulesBelow, from };
  }
  const segments = withoutClasses(raw).split("/");
  const first = segments.findIndex((segment) => /[*?[]/.test(segment));
  const fixed = segments.slice(0, first).join("/") || "/";
  const { real } = facts(fixed);
  return {
    kind,
    lexical,
    real: normalise([real, ...segments.slice(first)].join("/")),
    ...tree,
    glob,
    recursive,
    from,
  };
}

/** What stands in brackets may be any character: ranges and classes depend on the language. */
const withoutClasses = (path: string): string =>
  path.replaceAll(/\[[!^]?\]?(?:\[[:.=][^\]/]*[:.=]\]|[^\]/])*\]/g, "?");

/** The path for messages, with the place it leads to where that is another. */
export const shown = ({ lexical, real }: Access): string =>
  lexical === real ? plain(lexical) : `${plain(lexical)} (really ${plain(real)})`;

const plain = (path: string): string =>
  /^[ -~]{0,300}$/.test(path) ? path : escaped(path.length > 300 ? `${path.slice(0, 299)}…` : path);

export const writes = ({ kind }: Access): boolean => kind === "write" || kind === "delete";

/**
 * Both the path as written and the real one lie in the workspace, its additional folders or the
 * agent's memory.
 */
export function inWorkspace({ lexical, real }: Access, { roots }: Judge): boolean {
  return (
    roots.real.some((root) => isWithin(lexical, root)) &&
    roots.real.some((root) => isWithin(real, root))
  );
}

/** Both lie in the agent's own memory folder. */
export function inMemory({ lexical, real }: Access, { policy, facts }: Judge): boolean {
  const { memoryDirectory } = policy.workspace;
  if (memoryDirectory === undefined) return false;
  const folder = normalise(memoryDirectory);
  return isWithin(lexical, folder) && isWithin(real, facts(folder).real);
}
