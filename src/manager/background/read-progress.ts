// What a run has done so far, read from its transcript while somebody else writes it.
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { addUsage, noUsage, totalTokens, type Usage } from "../../model/model.ts";
import { iterateLines } from "../../transcripts/reading/iterate-lines.ts";

export type ProgressOnDisk = {
  turns: number;
  tool_uses: number;
  tokens_used: number;
  usage: Usage;
  /** What the agent has said in this run; where that is long, the newest of it. Unverified. */
  text: string;
};

/** Counts the newest run of the file; a run that was moved between processes is one run. */
export async function readProgress(transcript: string): Promise<ProgressOnDisk> {
  let run = newCount();
  try {
    for await (const { value } of iterateLines(transcript, { passOver: results })) {
      if (!value) continue;
      if (value["subtype"] === "spawn" && value["runId"] !== run.runId)
        run = newCount(value["runId"]);
      else if (value["type"] === "assistant" && isObject(value["message"]))
        countReply(run, value["message"]);
    }
  } catch {
    // Removed while it was read: what was counted until then.
  }
  return {
    turns: run.turns,
    tool_uses: run.toolUses,
    tokens_used: totalTokens(run.usage),
    usage: run.usage,
    text: run.texts.join("\n"),
  };
}

/** They are the bulk of a transcript, and count for nothing here. */
const results = '{"type":"user"';

type Count = {
  runId: unknown;
  turns: number;
  toolUses: number;
  usage: Usage;
  texts: string[];
  characters: number;
};

const newCount = (runId?: unknown): Count => ({
  runId,
  turns: 0,
  toolUses: 0,
  usage: noUsage,
  texts: [],
  characters: 0,
});

function countReply(run: Count, { content, usage }: Record<string, unknown>): void {
  run.turns += 1;
  if (isObject(usage)) run.usage = addUsage(run.usage, { ...noUsage, ...numbers(usage) });
  for (const block of Array.isArray(content) ? (content as unknown[]) : []) {
    if (!isObject(block)) continue;
    if (block["type"] === "tool_use") run.toolUses += 1;
    else if (block["type"] === "text" && typeof block["text"] === "string")
      addText(run, block["text"]);
  }
}

function addText(run: Count, text: string): void {
  run.texts.push(text);
  run.characters += text.length;
  while (run.characters > limits.output.bytes && run.texts.length > 1)
    run.characters -= run.texts.shift()!.length;
}

const numbers = (usage: Record<string, unknown>): Partial<Usage> =>
  Object.fromEntries(
    Object.entries(usage).filter(([key, value]) => key in noUsage && typeof value === "number"),
  );
