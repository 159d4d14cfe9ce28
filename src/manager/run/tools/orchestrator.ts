// The history of one run in delegate mode: what it has read since it last delegated, what its
// agents were shown, who is at work. The rules themselves are pure.
import { statSync } from "node:fs";
import { isObject } from "../../../base/data/json.ts";
import type { RunSpec } from "../../../events/run-spec.ts";
import type { GateDecision, RequestedCall } from "../../../loop/ports.ts";
import {
  guardAnswer,
  guardCall,
  guardSearch,
  type Coverage,
  type Found,
  type GuardedCall,
  type OrchestratorState,
  type Refusal,
} from "../../../permissions/orchestrator/orchestrator-rules.ts";
import type { FactsOf } from "../../../permissions/policy.ts";
import type { ToolResult } from "../../../tool/tool.ts";
import { callsOf, readEvidence, type ChildEvidence, type EndedChild } from "./child-evidence.ts";
import { guardedCall } from "./guarded-call.ts";
import { unlessStopped } from "./unless-stopped.ts";

/** The agents of a main thread. A sub-agent has none. */
export type Children = {
  running(): { agentId: string; agentType: string; done: Promise<unknown> }[];
  /** Ended in the background, and their reports not told yet. */
  unread(): { agentId: string; agentType: string }[];
  /** Those that ended before, found one by one. */
  earlier(): Iterable<EndedChild>;
  /** Tells of each one that ends from now on. */
  watch(onEnd: (child: EndedChild) => void): void;
  types(): readonly string[];
};

export type Orchestrator = {
  refuse(call: RequestedCall): Promise<Refusal | undefined>;
  /** The call is about to be made. */
  note(call: RequestedCall): void;
  /** The call has been made. A delegation begins a new count. */
  noteResult(call: Pick<RequestedCall, "tool">, result: ToolResult): void;
  /** What of a search may be shown; what is shown counts as read. */
  refuseFound(found: Found): Promise<Refusal | undefined>;
  /** Waits for the agents at work, so that the answer that comes next can rest on their reports. */
  gateAnswer(signal: AbortSignal): Promise<GateDecision | undefined>;
};

export type OrchestratorParts = {
  spec: RunSpec;
  transcript: string;
  facts: FactsOf;
  children?: Children | undefined;
};

export function openOrchestrator({
  spec,
  transcript,
  facts,
  children,
}: OrchestratorParts): Orchestrator {
  const filesRead = new Set<string>();
  const { workspace } = spec.policy;
  const evidence = evidenceOf(children, spec.place.cwd);
  let restored: Promise<void> | undefined;
  const settle = (call: RequestedCall): GuardedCall => guardedCall(call, { facts, workspace });
  /** The state as far as these files go. */
  const stateFor = async (paths: readonly string[]): Promise<OrchestratorState> => {
    await (restored ??= restore(transcript, filesRead));
    return {
      filesRead: [...filesRead],
      covered: coveredBy(paths.length > 0 ? await evidence() : [], paths),
      running: [],
      unread: [],
      ...(children ? { agents: children.types() } : {}),
    };
  };
  return {
    async refuse(call) {
      const guarded = settle(call);
      return guardCall(guarded, await stateFor(guarded.file ? [guarded.file.real] : []));
    },
    note(call) {
      const { tool, file } = settle(call);
      if (tool === "Read" && file?.exists && !file.isOwn) filesRead.add(file.real);
    },
    noteResult({ tool }, { facts: known }) {
      if (isDelegation(tool, known)) filesRead.clear();
    },
    async refuseFound(found) {
      const refused = guardSearch(found, await stateFor(found.files.map(({ real }) => real)));
      if (!refused && found.isContent) for (const { real } of found.files) filesRead.add(real);
      return refused;
    },
    gateAnswer: async (signal) => (children ? heldAnswer(children, signal) : undefined),
  };
}

/**
 * What finished agents were shown. Their transcripts are read when it is asked for, one after the
 * other, each once.
 */
function evidenceOf(children: Children | undefined, cwd: string): () => Promise<ChildEvidence[]> {
  const known = new Map<string, ChildEvidence>();
  const ended: EndedChild[] = [];
  children?.watch((child) => void ended.push(child));
  const read = async (list: Iterable<EndedChild>): Promise<void> => {
    try {
      for (const child of list) known.set(child.agentId, await readEvidence(child, cwd));
    } catch {
      // What cannot be found proves nothing.
    }
  };
  let reading: Promise<void> | undefined;
  return async () => {
    const before = (reading ??= read(children?.earlier() ?? []));
    await (reading = before.then(() => read(ended.splice(0))));
    return [...known.values()];
  };
}

/** A delegation that took place: both ways of starting an agent name it. */
const isDelegation = (tool: string, facts: Record<string, unknown> | undefined): boolean =>
  (tool === "Agent" || tool === "SendMessage") && typeof facts?.["agent_id"] === "string";

/** The files whose contents a finished call has shown. */
function shownBy(tool: string, { path, files }: Record<string, unknown>): string[] {
  if (tool === "Read") return typeof path === "string" ? [path] : [];
  return tool === "Grep" && isObject(files)
    ? Object.entries(files).flatMap(([real, lines]) =>
        Array.isArray(lines) && lines.length > 0 ? [real] : [],
      )
    : [];
}

/** A run that goes on after an interruption has read what its transcript says it has. */
async function restore(transcript: string, filesRead: Set<string>): Promise<void> {
  try {
    for await (const { tool, facts, isError } of callsOf(transcript)) {
      if (isDelegation(tool, facts)) filesRead.clear();
      else if (!isError) for (const path of shownBy(tool, facts)) filesRead.add(path);
    }
  } catch {
    // Nothing is on record yet.
  }
}

/** Evidence about these files that still holds: what has changed since is worth another look. */
function coveredBy(
  all: readonly ChildEvidence[],
  paths: readonly string[],
): Map<string, Coverage[]> {
  return new Map(
    paths.map((path): [string, Coverage[]] => {
      const changedMs = changedAt(path);
      return [
        path,
        all.flatMap(({ agentId, agentType, atMs, files, keys }) =>
          files.has(path) && changedMs <= atMs
            ? [{ agentId, agentType, ...files.get(path)!, isKey: keys.has(path) }]
            : [],
        ),
      ];
    }),
  );
}

function changedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return Infinity;
  }
}

async function heldAnswer(
  children: Children,
  signal: AbortSignal,
): Promise<GateDecision | undefined> {
  const running = children.running();
  const refused = guardAnswer({ running, unread: children.unread() });
  if (!refused) return undefined;
  const haveEnded = await unlessStopped(signal, Promise.all(running.map(({ done }) => done))).then(
    () => true,
    () => false,
  );
  return {
    behavior: "deny",
    ...refused,
    reason: haveEnded
      ? `${refused.reason}. All of them have ended by now, and their reports follow: answer with them`
      : refused.reason,
  };
}
