// The intersection of two policies: a resumed run may do what its first run and today's definition
// both allow.
import { isWider } from "../../../permissions/mode.ts";
import type { Policy, ToolCeiling } from "../../../permissions/policy.ts";

/**
 * `earlier` comes from a file and is read with care: whatever it lacks counts as nothing allowed,
 * never as everything.
 */
export function narrowPolicy(now: Policy, earlier: Partial<Policy>): Policy {
  const allowed = new Set(stringsOf(earlier.rules?.allow));
  const directories = new Set(stringsOf(earlier.workspace?.additionalDirectories));
  return {
    ...now,
    ceilings: [
      ...now.ceilings,
      ...ceilingsOf(earlier.ceilings).filter(
        (ceiling) => !now.ceilings.some((own) => sameCeiling(own, ceiling)),
      ),
    ],
    mode:
      earlier.mode === undefined || isWider(now.mode, earlier.mode)
        ? (earlier.mode ?? "plan")
        : now.mode,
    rules: {
      allow: now.rules.allow.filter((rule) => allowed.has(rule)),
      ask: joined(now.rules.ask, earlier.rules?.ask),
      deny: joined(now.rules.deny, earlier.rules?.deny),
    },
    disallowed: joined(now.disallowed, earlier.disallowed),
    hidesSecrets: now.hidesSecrets || earlier.hidesSecrets === true,
    readOnlyCommands: now.readOnlyCommands && earlier.readOnlyCommands === true,
    workspace: {
      ...now.workspace,
      additionalDirectories: now.workspace.additionalDirectories.filter((path) =>
        directories.has(path),
      ),
      protectedPaths: joined(now.workspace.protectedPaths, earlier.workspace?.protectedPaths),
      storeDirectories: joined(now.workspace.storeDirectories, earlier.workspace?.storeDirectories),
    },
  };
}

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

const joined = (a: readonly string[], b: unknown): string[] => [
  ...new Set([...a, ...stringsOf(b)]),
];

function ceilingsOf(value: unknown): ToolCeiling[] {
  if (!Array.isArray(value)) return [];
  return (value as Partial<ToolCeiling>[]).map(({ from, tools, isProfile, guarded }) => ({
    from: typeof from === "string" ? from : "its first life",
    tools: stringsOf(tools),
    isProfile: isProfile === true,
    guarded: guarded === true,
  }));
}

const sameCeiling = (a: ToolCeiling, b: ToolCeiling): boolean =>
  a.isProfile === b.isProfile &&
  a.guarded === b.guarded &&
  a.tools.length === b.tools.length &&
  a.tools.every((tool, index) => tool === b.tools[index]);
