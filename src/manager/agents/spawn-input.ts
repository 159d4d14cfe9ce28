// What a spawn takes: the Agent tool's input, which is also the library's.
import * as z from "zod";
import type { OwedData } from "../run/tools/owed-data.ts";
import { requirements, type Requirement } from "../../contract/trust/requirement.ts";

export const spawnInputSchema = z.object({
  description: z.string().max(500).describe("What the agent is to do, in three to five words"),
  prompt: z
    .string()
    .min(1, "it is empty; say what is to be done")
    .describe("The task. The agent sees nothing of this conversation: say everything it needs"),
  subagent_type: z
    .string()
    .max(200)
    .optional()
    .describe("The agent's type; general-purpose when left out"),
  model: z.string().max(200).optional().describe("Another model for this run"),
  resume: z
    .string()
    .max(100)
    .optional()
    .describe("The id of a finished agent that goes on with this prompt"),
  run_in_background: z
    .boolean()
    .optional()
    .describe("Return at once; the result comes as a notification"),
  max_turns: z.number().int().positive().max(10_000).optional().describe("At most so many replies"),
  name: z.string().max(100).optional().describe("A name by which SendMessage reaches it"),
  mode: z.string().max(50).optional().describe("A narrower permission mode"),
  isolation: z
    .enum(["worktree"])
    .optional()
    .describe("worktree: work in a git worktree of its own"),
  require: z
    .enum(requirements)
    .optional()
    .describe("The least trust that lets its answer proceed: VERIFIED, MIXED or UNVERIFIED"),
  team_name: z.string().max(100).optional(),
}) satisfies z.ZodType<SpawnInput, SpawnInput>;

/** What an agent is started with; the names are those of Claude Code's Agent tool. */
export type SpawnInput = {
  /** A label of a few words, for listings. */
  description: string;
  /** The task. The agent knows nothing else: say everything it needs. */
  prompt: string;
  /** The agent's name; `general-purpose` without it. */
  subagent_type?: string | undefined;
  /** Instead of the definition's: an alias, `provider:id`, a key of `models`. */
  model?: string | undefined;
  /** The id of a finished agent that goes on with this prompt. */
  resume?: string | undefined;
  /** Nobody is asked: what is not allowed is denied. Its output goes to a file as well. */
  run_in_background?: boolean | undefined;
  max_turns?: number | undefined;
  /** By which `send`, `getOutput` and `stop` find it too. */
  name?: string | undefined;
  /** A permission mode instead of the definition's. */
  mode?: string | undefined;
  /** In a git worktree of its own, kept only if something in it is new. */
  isolation?: "worktree" | undefined;
  /** The least trust that lets its answer proceed. */
  require?: Requirement | undefined;
  /** Teams do not exist here; it is taken and means nothing. */
  team_name?: string | undefined;
};

/** Where a spawn comes from: a model's words may only narrow. */
export type SpawnOrigin = {
  viaTool: boolean;
  toolUseId?: string;
  /** The life of the main thread whose call it is. */
  parentRunId?: string;
  /** The data that the caller wants instead of a report. */
  output?: OwedData;
};
