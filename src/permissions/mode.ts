// Permission modes: their order of width, and the mode that a child gets.
import { permissionModes, type PermissionModeName } from "../base/permission-modes.ts";
import { suggest } from "../base/text/suggest.ts";

export { permissionModes } from "../base/permission-modes.ts";
/** What happens to calls that no rule decides. */
export type PermissionMode = PermissionModeName;

export const isPermissionMode = (value: unknown): value is PermissionMode =>
  (permissionModes as readonly unknown[]).includes(value);

/** A sentence for a word that is no mode. */
export function unknownMode(value: unknown): string {
  const near = typeof value === "string" ? suggest(value, permissionModes) : undefined;
  return (
    `${JSON.stringify(value)} is no permission ` +
    `mode${near ? `; did you mean ${near}?` : ""} (${permissionModes.join(", ")})`
  );
}

const width: Record<Exclude<PermissionMode, "delegate">, number> = {
  plan: 0,
  dontAsk: 1,
  default: 2,
  acceptEdits: 3,
  bypassPermissions: 4,
};

/**
 * True when `mode` lets something through that `than` would not. `delegate` is compared by its
 * tools: every other mode has more, and it writes progress files, which `plan` does not.
 */
export function isWider(mode: PermissionMode, than: PermissionMode): boolean {
  if (mode === than) return false;
  if (mode === "delegate") return than === "plan";
  if (than === "delegate") return true;
  return width[mode] > width[than];
}

export type ChildModeInput = {
  parent: PermissionMode;
  /** `permissionMode` of the child's definition. */
  definition?: PermissionMode | undefined;
  /**
   * The definition comes from a source that may widen (section 14 of the specification: a trusted
   * folder, the user, the library).
   */
  trusted: boolean;
  /** `mode` of the spawn. */
  input?: PermissionMode | undefined;
  /**
   * The spawn was a model's call of the Agent tool: its mode may only narrow. The library's
   * `spawn({ mode })` overrides.
   */
  viaTool: boolean;
};

/** `ok: false` refuses the spawn; `note` reports a widening that had no effect. */
export type ChildMode =
  | { ok: true; mode: PermissionMode; note?: string }
  | { ok: false; reason: string };

/**
 * The child's mode: the definition's, else the parent's; a parent in bypassPermissions passes that
 * on.
 */
export function childMode({
  parent: given,
  definition,
  trusted,
  input,
  viaTool,
}: ChildModeInput): ChildMode {
  // A delegating parent hands work to others: a child that could only coordinate, without an Agent
  // tool, could do nothing.
  const parent = given === "delegate" ? "default" : given;
  if (input !== undefined && !viaTool) return { ok: true, mode: input };
  const own = ownMode({ parent, definition, trusted });
  if (input === undefined || input === own.mode) return { ok: true, ...own };
  if (isWider(input, own.mode) || isWider(input, parent)) {
    return {
      ok: false,
      reason:
        `a mode in a tool call may only narrow: ${input} is wider than ` +
        (isWider(input, parent) ? parent : own.mode),
    };
  }
  return { ok: true, mode: input };
}

function ownMode({
  parent,
  definition,
  trusted,
}: Pick<ChildModeInput, "parent" | "definition" | "trusted">): {
  mode: PermissionMode;
  note?: string;
} {
  if (definition === undefined || parent === "bypassPermissions") return { mode: parent };
  if (!isWider(definition, parent)) return { mode: definition };
  if (trusted) return { mode: definition };
  return {
    mode: parent,
    note:
      `the definition asks for ${definition}, wider than ${parent}; its folder is not ` +
      `trusted, so it runs in ${parent}`,
  };
}
