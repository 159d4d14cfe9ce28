// One run as plain data, settled before it starts: it survives JSON, so it can be stored, resumed,
// or sent to another machine.
import type { JsonObject } from "../base/data/json.ts";
import type { Requirement } from "../contract/trust/requirement.ts";
import type { Effort } from "../model/model.ts";
import type { Policy } from "../permissions/policy.ts";
import type { Carried } from "./outcome.ts";

export type RunLimits = {
  maxTurns: number;
  timeoutMs: number;
  maxTokens?: number;
  maxUsd?: number;
};

/** The version of specs that this program writes. */
export const specVersion = 2;

/** A state of a workspace that follows a run from machine to machine, by its commits. */
export type TreeState = {
  /** Where the session began: what git ignores was made for this commit. */
  base: string;
  commit: string;
};

/** The folder that a run works in. `worktree`: a git worktree that lives with the run. */
export type RunPlace = {
  cwd: string;
  isolation?: "worktree";
  /** The repository that the worktree is made from. */
  from?: string;
  /** Where a run begins whose folder follows it. */
  checkpoint?: TreeState;
};

/** One run as plain data, complete before it starts. */
export type RunSpec = {
  version: typeof specVersion;
  /** One life; every resume has a new one. */
  runId: string;
  /** When this life was settled (epoch milliseconds): its deadline counts from here. */
  startedAt: number;
  agentId: string;
  /** The session that it belongs to. */
  session: { id: string };
  place: RunPlace;
  agentType: string;
  name?: string;
  /** The main thread of a session; sub-agents are all the others. */
  isMain: boolean;
  /** `provider:id`. */
  model: string;
  effort?: Effort;
  webSearch: boolean;
  system: string;
  prompt: string;
  /**
   * Moved here from another process at a turn boundary: the prompt is on record already, and this
   * much is used up.
   */
  carried?: Carried;
  tools: string[];
  /** What it may do, as the gate reads it. */
  policy: Policy;
  limits: RunLimits;
  compactionPercent: number;
  /**
   * MCP servers that start or are shared for this run: a name, an inline configuration, a subset of
   * tools.
   */
  mcpServers: { name: string; config?: JsonObject; tools?: string[] }[];
  memoryDir?: string;
  contract: "report" | "handoff" | "none";
  /** JSON Schema of the data that it owes instead of a report. */
  outputSchema?: JsonObject;
  /** The least trust that lets its answer proceed; null where nobody asked for any. */
  require: Requirement | null;
  background: boolean;
  /** For sub-agents: the call that started it, and its label. */
  toolUseId?: string;
  description?: string;
};
