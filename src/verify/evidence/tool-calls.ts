// Pairs the calls and results of a transcript, Retinue's or Claude Code's, line by line. Only what
// a tool returned is a result; bounded for any transcript.
import { isObject } from "../../base/data/json.ts";
import { canonicalToolName } from "../../base/tool-names.ts";

/** One tool call with its result. */
export type ToolCall = {
  /** Counts the results of the transcript from 1. */
  order: number;
  tool: string;
  input: Record<string, unknown>;
  /** The working directory that the line names. */
  cwd: string | null;
  output: string;
  isError: boolean;
  /** What the runtime itself noted: `toolFacts` of a Retinue line, `toolUseResult` of a Claude Code line. */
  facts: Record<string, unknown>;
};

const maxOpenCalls = 10_000;
const none: readonly never[] = [];

export type CallReader = {
  /** The calls that this line completes. */
  take(line: Record<string, unknown>): readonly ToolCall[];
  /** How many calls the model has made so far. */
  readonly asked: number;
};

export function callReader(): CallReader {
  const open = new Map<string, { tool: string; input: Record<string, unknown> }>();
  let order = 0;
  let asked = 0;
  return {
    get asked() {
      return asked;
    },
    take(line) {
      const blocks = blocksOf(line);
      if (line["type"] === "assistant") {
        for (const { type, id, name, input } of blocks) {
          if (
            type !== "tool_use" ||
            typeof id !== "string" ||
            typeof name !== "string" ||
            open.has(id)
          )
            continue;
          asked++;
          open.set(id, { tool: canonicalToolName(name), input: isObject(input) ? input : {} });
          if (open.size > maxOpenCalls) open.delete(open.keys().next().value!);
        }
        return none;
      }
      if (line["type"] !== "user") return none;
      const taken: ToolCall[] = [];
      for (const block of blocks) {
        const id = block["type"] === "tool_result" ? block["tool_use_id"] : undefined;
        const call = typeof id === "string" ? open.get(id) : undefined;
        if (!call) continue;
        open.delete(id as string);
        taken.push({
          order: ++order,
          tool: call.tool,
          input: call.input,
          cwd: typeof line["cwd"] === "string" ? line["cwd"] : null,
          output: textOf(block["content"]),
          isError: block["is_error"] === true,
          facts: factsOf(line, id as string, blocks.length),
        });
      }
      return taken;
    },
  };
}

function blocksOf(line: Record<string, unknown>): readonly Record<string, unknown>[] {
  const message = line["message"];
  const content: unknown = isObject(message) ? message["content"] : undefined;
  if (!Array.isArray(content)) return none;
  return content.every(isObject) ? content : content.filter(isObject);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) =>
      isObject(part) && part["type"] === "text" && typeof part["text"] === "string"
        ? part["text"]
        : "",
    )
    .join("\n");
}

/** Claude Code writes one result a line; where a line has several, its `toolUseResult` belongs to none for certain. */
function factsOf(
  line: Record<string, unknown>,
  id: string,
  results: number,
): Record<string, unknown> {
  const own = isObject(line["toolFacts"]) ? line["toolFacts"][id] : undefined;
  if (isObject(own)) return own;
  return results === 1 && isObject(line["toolUseResult"]) ? line["toolUseResult"] : {};
}

export function isStrange(line: Record<string, unknown>): boolean {
  const message = isObject(line["message"]) ? line["message"] : line;
  if (hasStrangePart(message) || (message !== line && hasStrangePart(line))) return true;
  for (const key of partLists) {
    const parts: unknown = message[key];
    if (Array.isArray(parts)) return parts.some((part) => isObject(part) && hasStrangePart(part));
  }
  return false;
}

const partLists = ["parts", "content", "tool_calls"];

/** Parts with which other harnesses write their calls, and rows of other logs. */
const hasStrangePart = (value: Record<string, unknown>): boolean =>
  value["functionCall"] !== undefined ||
  value["functionResponse"] !== undefined ||
  value["tool_calls"] !== undefined ||
  value["function_call"] !== undefined;
