// What a run had in front of it, read from its transcript: tokens of its context at its fullest,
// and piece by piece what one single conversation would have carried along.
import { createHash } from "node:crypto";
import { isObject } from "../base/data/json.ts";
import { limits } from "../base/limits.ts";
import { countTokens } from "../base/text/tokens.ts";
import type { Message, ToolUseBlock } from "../model/message.ts";
import { iterateLines } from "../transcripts/reading/iterate-lines.ts";
import { spillDirOf } from "../transcripts/paths.ts";
import { isMessageLine, readMessage } from "../transcripts/reading/read-message.ts";
import { restoreSpilled } from "../transcripts/spill.ts";

/**
 * One part of a conversation. `key` is the same for the same call with the same result: in one
 * conversation that is there once.
 */
export type Piece = { tokens: number; key?: string };

export type RunContext = {
  /** The system prompt. */
  systemTokens: number;
  /**
   * System prompt and conversation at their fullest; a compaction empties the conversation, not
   * this number.
   */
  tokens: number;
  pieces: Piece[];
  model: string | null;
  /** Rules of the contract that its report broke. */
  lint: { level: string; rule: string }[];
};

type Reading = RunContext & { now: number; recent: number[]; calls: Map<string, ToolUseBlock> };

/**
 * A transcript that cannot be read counts as far as it can. Tool definitions are no part of it and
 * are not counted.
 */
export async function readRunContext(transcript: string): Promise<RunContext> {
  const reading: Reading = {
    systemTokens: 0,
    tokens: 0,
    pieces: [],
    model: null,
    lint: [],
    now: 0,
    recent: [],
    calls: new Map(),
  };
  const allowance = { bytes: limits.transcript.spillBytes };
  try {
    for await (const { value } of iterateLines(transcript)) {
      if (!value) continue;
      restoreSpilled(value, spillDirOf(transcript), allowance);
      addLine(value, reading);
      reading.tokens = Math.max(reading.tokens, reading.systemTokens + reading.now);
    }
  } catch {
    // A flow's result is not lost because a file beside it is.
  }
  const { systemTokens, tokens, pieces, model, lint } = reading;
  return { systemTokens, tokens, pieces, model, lint };
}

function addLine(line: Record<string, unknown>, reading: Reading): void {
  if (isMessageLine(line)) {
    const read = readMessage(line);
    if ("message" in read) addMessage(read.message, reading);
    return;
  }
  const { subtype, spec, summary, compactMetadata, result } = line;
  if (subtype === "spawn" && isObject(spec)) {
    reading.systemTokens = typeof spec["system"] === "string" ? countTokens(spec["system"]) : 0;
    reading.model = typeof spec["model"] === "string" ? spec["model"] : null;
  } else if (subtype === "compact_boundary") {
    const kept = Number(isObject(compactMetadata) ? compactMetadata["kept"] : 0) || 0;
    reading.now =
      (typeof summary === "string" ? countTokens(summary) : 0) +
      (kept > 0 ? sum(reading.recent.slice(-kept)) : 0);
  } else if (subtype === "verification" && isObject(result) && Array.isArray(result["lint"])) {
    reading.lint = result["lint"].flatMap((item) =>
      isObject(item) && typeof item["level"] === "string" && typeof item["rule"] === "string"
        ? [{ level: item["level"], rule: item["rule"] }]
        : [],
    );
  }
}

const keptMessages = 1_000;

function addMessage(message: Message, reading: Reading): void {
  const pieces =
    typeof message.content === "string"
      ? [promptPiece(message.content)]
      : message.content.map((block) => blockPiece(block, reading));
  const tokens = sum(pieces.map((piece) => piece.own));
  reading.now += tokens;
  reading.recent.push(tokens);
  if (reading.recent.length > keptMessages) reading.recent.shift();
  reading.pieces.push(
    ...pieces.map(({ tokens: inOne, key }) => ({
      tokens: inOne,
      ...(key === undefined ? {} : { key }),
    })),
  );
}

type Sized = Piece & { own: number };

/** What the agent before has found is in one conversation already. */
function promptPiece(text: string): Sized {
  const handedOver = /<previous-findings>[\s\S]*?<\/previous-findings>/.exec(text)?.[0] ?? "";
  return {
    own: countTokens(text),
    tokens: countTokens(handedOver === "" ? text : text.replace(handedOver, "")),
  };
}

function blockPiece(block: Exclude<Message["content"], string>[number], { calls }: Reading): Sized {
  const tokens = countTokens(JSON.stringify(block));
  if (block.type === "tool_use") calls.set(block.id, block);
  if (block.type !== "tool_result") return { own: tokens, tokens };
  const call = calls.get(block.tool_use_id);
  const key = createHash("sha256")
    .update(JSON.stringify([call?.name, call?.input, block.content]))
    .digest("base64");
  return { own: tokens, tokens, key };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
