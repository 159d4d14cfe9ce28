// What a spawn takes: the Agent tool's input, which is also the library's.
import * as z from "zod";

export const spawnInputSchema = z.object({
  description: z.string().max(500).describe("What the agent is to do, in three to five words"),
  prompt: z.string().min(1, "it is empty; say what is to be done").describe("The task. The agent sees nothing of this conversation: say everything it needs"),
  subagent_type: z.string().max(200).optional().describe("The agent's type; general-purpose when left out"),
  model: z.string().max(200).optional().describe("Another model for this run"),
  resume: z.string().max(100).optional().describe("The id of a finished agent that goes on with this prompt"),
  run_in_background: z.boolean().optional().describe("Return at once; the result comes as a notification"),
  max_turns: z.number().int().positive().max(10_000).optional().describe("At most so many replies"),
  name: z.string().max(100).optional().describe("A name by which SendMessage reaches it"),
  mode: z.string().max(50).optional().describe("A narrower permission mode"),
  isolation: z.enum(["worktree"]).optional().describe("worktree: work in a git worktree of its own"),
  team_name: z.string().max(100).optional(),
});

export type SpawnInput = z.input<typeof spawnInputSchema>;

/** Where a spawn comes from: a model's words may only narrow. */
export type SpawnOrigin = { viaTool: boolean; toolUseId?: string };
