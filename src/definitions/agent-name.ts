// Checks names of agents: which are refused, which break the convention, and which may become part
// of a path.
import { escaped } from "../base/text/printable.ts";

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin|conout|clock)$/i;

/**
 * Whether the name may be part of a path: ASCII letters, digits, `-` and `_`, at most 64, no device
 * name of any platform.
 */
export function isSafeAgentName(name: unknown): boolean {
  return (
    typeof name === "string" &&
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name) &&
    !reserved.test(name)
  );
}

/** Why a definition of this name is not loaded; undefined if it is. */
export function refusedName(name: string): string | undefined {
  const shown = escaped(name.slice(0, 80));
  if (name === "") return "the name is empty";
  if (name.length > 200) return `the name has ${name.length} characters; at most 64 are sensible`;
  if (name.includes(":"))
    return `the name "${shown}" contains a colon, which belongs to the agents of plugins (\`plugin:name\`)`;
  if (name.startsWith("-"))
    return `the name "${shown}" starts with a dash and would be taken for an option`;
  if (escaped(name) !== name) return `the name "${shown}" contains control or invisible characters`;
  return undefined;
}

/** The convention: lowercase letters, digits and hyphens. */
export const isConventionalName = (name: string): boolean =>
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);

/** A conventional name made from another one; empty if no part can be kept. */
export function conventionalName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
}
