// What a run may do: the session's rules under the definition's tools and profile, and for a child
// under its parent. It only narrows.
import { dirname } from "node:path";
import { isObject } from "../../../base/data/json.ts";
import { RetinueError } from "../../../base/errors.ts";
import { factsNear } from "../../../base/files/path-facts.ts";
import { suggest } from "../../../base/text/suggest.ts";
import { canonicalToolName, isMcpToolName } from "../../../base/tool-names.ts";
import type { AgentDefinition } from "../../../definitions/agent-definition.ts";
import { decide } from "../../../permissions/decide.ts";
import { onceFor } from "../../../permissions/once-for.ts";
import { refuseTool } from "../../../permissions/tools/refuse-tool.ts";
import {
  childMode,
  isPermissionMode,
  isWider,
  unknownMode,
  type PermissionMode,
} from "../../../permissions/mode.ts";
import {
  applyProfile,
  applyTools,
  createPolicy,
  underParent,
  type Call,
  type McpFacts,
  type Policy,
} from "../../../permissions/policy.ts";
import { resolveProfile } from "../../../permissions/profile.ts";
import { skillRules } from "./skill-rules.ts";
import type { Session } from "../../session/session.ts";

/** In the background nobody is asked, unless questions wait there. */
export const isUnasked = (session: Pick<Session, "background">, background: boolean): boolean =>
  background && session.background.ask !== "wait";

/**
 * The policy of a main thread. A mode on the command line beats the definition's, which beats the
 * settings'.
 */
export function resolveMainPolicy(
  session: Session,
  definition: AgentDefinition,
  input: { mode?: string | undefined; cwd: string },
): Policy {
  if (input.mode !== undefined && !isPermissionMode(input.mode))
    throw new RetinueError("usage", unknownMode(input.mode));
  const policy = basePolicy(session, definition, input.cwd);
  // What its agents write as they go may be read; as a record of runs it is never written.
  const outputs = dirname(session.paths.output("x"));
  return {
    ...policy,
    workspace: {
      ...policy.workspace,
      additionalDirectories: [...policy.workspace.additionalDirectories, outputs],
    },
    mode: input.mode ?? ownMode(session, definition),
    mainThread: true,
  };
}

function ownMode(session: Session, definition: AgentDefinition): PermissionMode {
  const wish = definition.permissionMode;
  if (wish === undefined || isSwitchedOff(wish, session)) return session.mode;
  return !isWider(wish, session.mode) || session.mayWiden(definition) ? wish : session.mode;
}

const isSwitchedOff = (mode: PermissionMode | undefined, { isBypassDisabled }: Session): boolean =>
  mode === "bypassPermissions" && isBypassDisabled;

/**
 * The policy of a sub-agent; throws `denied` when a call asks for a wider mode than it may. What a
 * definition asks for in vain is a note.
 */
export function resolveChildPolicy(
  session: Session,
  definition: AgentDefinition,
  from: {
    parent: Policy;
    mode?: string | undefined;
    viaTool: boolean;
    cwd: string;
    background: boolean;
  },
): { policy: Policy; notes: string[] } {
  if (from.mode !== undefined && !isPermissionMode(from.mode))
    throw new RetinueError("usage", unknownMode(from.mode));
  if (isSwitchedOff(from.mode, session))
    throw new RetinueError(
      "denied",
      "bypassPermissions is switched off by disableBypassPermissionsMode in the settings.",
    );
  const isVain = isSwitchedOff(definition.permissionMode, session);
  const mode = childMode({
    parent: from.parent.mode,
    definition: isVain ? undefined : definition.permissionMode,
    trusted: session.mayWiden(definition),
    input: from.mode,
    viaTool: from.viaTool,
  });
  if (!mode.ok) throw new RetinueError("denied", mode.reason);
  const policy = underParent(
    {
      ...basePolicy(session, definition, from.cwd),
      mode: mode.mode,
      background: isUnasked(session, from.background),
    },
    from.parent,
  );
  return {
    policy,
    notes: [
      ...(isVain
        ? [
            "its definition asks for bypassPermissions, which disableBypassPermissionsMode " +
              `in the settings switches off: it runs in ${mode.mode}`,
          ]
        : []),
      ...(mode.note === undefined ? [] : [mode.note]),
    ],
  };
}

function basePolicy(session: Session, definition: AgentDefinition, cwd: string): Policy {
  const granted = skillRules(session, definition);
  const policy = createPolicy({
    rules:
      granted.length === 0
        ? session.rules
        : { ...session.rules, allow: [...session.rules.allow, ...granted] },
    customTools: session.tools.map((tool) => tool.name),
    readOnlyCommands: session.readOnlyCommands,
    mcpInBackground: session.background.mcp,
    // A worktree is a workspace of its own: rules that start at the root start there.
    workspace: {
      cwd,
      root: cwd === session.cwd ? session.root : cwd,
      home: session.home,
      additionalDirectories: session.additionalDirectories,
      // Settings, trust and the command's compiled code, wherever CLAUDE_CONFIG_DIR puts them.
      protectedPaths: [session.configDir],
      storeDirectories: [session.storeDirectory],
    },
  });
  const narrowed = applyTools(policy, {
    tools: definition.tools?.includes("*") ? undefined : definition.tools,
    disallowedTools: definition.disallowedTools,
  });
  if (definition.profile === undefined) return narrowed;
  const profile = resolveProfile(definition.profile, session.profiles);
  if (!profile.ok) throw new RetinueError("config", `agent ${definition.name}: ${profile.problem}`);
  return applyProfile(narrowed, profile.profile, { trusted: session.mayWiden(definition) });
}

/** The newest policy of every type of agent, by session. */
const newest = new WeakMap<Session, Map<string, Policy>>();
const mostTypes = 1_000;

/**
 * Runs of one type that may do the same share one policy, and with it everything that is made ready
 * for a policy once: its rules, its tools, the decisions that follow from a name.
 */
export function sharedPolicy(session: Session, type: string, policy: Policy): Policy {
  let types = newest.get(session);
  if (!types) newest.set(session, (types = new Map()));
  const known = types.get(type);
  if (known && isSameData(known, policy)) return known;
  if (types.size >= mostTypes) types.clear();
  const shared = frozen(structuredClone(policy));
  types.set(type, shared);
  return shared;
}

/** Nobody changes what several runs rely on. */
function frozen<T>(data: T): T {
  if (typeof data === "object" && data !== null) Object.values(Object.freeze(data)).forEach(frozen);
  return data;
}

function isSameData(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameData(item, other[index]))
    );
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameData(one[key], other[key]))
  );
}

const admitted = new WeakMap<Policy, Map<string, boolean>>();

/** The tools of `available` that the run has. */
export function admittedTools(
  available: readonly string[],
  policy: Policy,
  mcpFacts?: (tool: string) => McpFacts | undefined,
): string[] {
  let known = admitted.get(policy);
  if (!known) admitted.set(policy, (known = new Map()));
  return available.filter((tool) => {
    const mcp = mcpFacts?.(tool);
    if (mcp) return isAdmitted({ tool, input: {}, mcp }, policy);
    const said = known.get(tool) ?? isAdmitted({ tool, input: {} }, policy);
    known.set(tool, said);
    return said;
  });
}

const isAdmitted = (call: Call, policy: Policy): boolean =>
  !policy.disallowed.includes(call.tool) && refuseTool(call.tool, call, policy) === undefined;

/** The policy without the limits of its mode; one for each, because its rules are prepared once. */
const withoutMode = onceFor((policy: Policy): Policy => ({
  ...policy,
  mode: "bypassPermissions",
}));

/**
 * Why a run with this policy may not start agents of the type; undefined when it may. The mode does
 * not matter for that.
 */
export function spawnRefusal(type: string, policy: Policy): string | undefined {
  const { cwd, home } = policy.workspace;
  const decision = decide(
    { tool: "Agent", input: { subagent_type: type, prompt: "", description: "" } },
    withoutMode(policy),
    (path, folder) => factsNear(path, { cwd, home, folder }),
  );
  return decision.behavior === "deny" ? decision.reason : undefined;
}

/** Refuses a list of tools of which none exists; an empty list is allowed and means no tools. */
export function refuseEmptyToolset(
  definition: AgentDefinition,
  admitted: readonly string[],
  available: readonly string[],
): void {
  const wanted = definition.tools ?? [];
  if (admitted.length > 0 || wanted.length === 0 || wanted.some(isMcpToolName)) return;
  const unknown = wanted
    .map((entry) => entry.split("(")[0]!.trim())
    .filter((name) => !available.includes(name));
  const hints = unknown.map((name) =>
    canonicalToolName(name) === "Agent"
      ? `${name}, which only a main thread has: agents that an agent would start are started ` +
        `by the program, or by \`retinue run\``
      : `${name}${nearTo(name, available)}`,
  );
  throw new RetinueError(
    "no_tools",
    `agent ${definition.name}: none of its tools exists here ` +
      `(${hints.join(", ") || wanted.join(", ")}); available are ${available.join(", ")}. ` +
      `Write \`tools: []\` for an agent without tools.`,
  );
}

function nearTo(name: string, available: readonly string[]): string {
  const near = suggest(name, available);
  return near ? `: did you mean ${near}?` : "";
}
