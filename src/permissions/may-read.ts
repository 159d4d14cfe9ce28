// What file tools ask about real paths while they run. Grep and Glob ask `mayRead` for every file
// before its name or its lines leave the tool; Write and Edit ask `mayWrite` right before a file is
// replaced.
import { accessOf, inWorkspace } from "./paths/access.ts";
import { createJudge, type Judge } from "./judge.ts";
import { allowRule, refuseAccess } from "./paths/refuse-access.ts";
import type { FactsOf, Policy } from "./policy.ts";

/** What the gate has already let pass: the very file, or the folder that is searched. */
export type Approved = "file" | "root";

const answersPerLook = 64;
const searches = ["Grep", "Glob"] as const;
const readers: readonly string[] = ["Read", ...searches];

/**
 * True where `mayRead` lets every plain file of the workspace pass: no rule of a reading tool refuses
 * or asks, and secrets are not hidden. Lists of tools are no matter: it is not asked which tool reads.
 */
export function refusesNoFile(policy: Policy, facts: FactsOf): boolean {
  const { rules } = createJudge(policy, facts);
  return (
    !policy.hidesSecrets &&
    [...rules.deny, ...rules.ask].every(({ tool }) => !readers.includes(tool))
  );
}

/**
 * True for an absolute path that the policy would let Read, Grep and Glob show: nothing denied,
 * nothing that a person would have to be asked about. An approved file is only held against what no
 * yes can permit.
 */
export function mayRead(
  policy: Policy,
  facts: FactsOf,
): (path: string, approved?: Approved) => boolean {
  let judge: Judge | undefined;
  let answers = 0;
  return (path, approved) => {
    if (!path.startsWith("/") || path.includes("\0")) return false;
    // A filter lives as long as its run, and links change: the path itself is looked at every time,
    // the rules' folders every so often.
    if (!judge || ++answers % answersPerLook === 0) judge = createJudge(policy, facts);
    // One look at the path answers both what it is and where it leads.
    const own = facts(path);
    const access = accessOf(
      { raw: path, kind: own.kind === "directory" ? "list" : "read", from: "tool" },
      { facts: (asked) => (asked === path ? own : facts(asked)) },
    );
    const refused = refuseAccess(access, judge, searches);
    if (approved === "file") return refused?.behavior !== "deny";
    if (refused !== undefined) return false;
    return (
      approved === "root" ||
      policy.mode === "bypassPermissions" ||
      inWorkspace(access, judge) ||
      allowRule(access, judge, ["Read", ...searches]) !== undefined
    );
  };
}

/**
 * False for an absolute path that a deny rule, or a protection that no yes can lift, keeps from
 * being written.
 */
export function mayWrite(policy: Policy, facts: FactsOf): (path: string) => boolean {
  return (path) => {
    if (!path.startsWith("/") || path.includes("\0")) return false;
    const access = accessOf({ raw: path, kind: "write", from: "tool" }, { facts });
    return refuseAccess(access, createJudge(policy, facts))?.behavior !== "deny";
  };
}
