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

export type CallReader = {
  /** The calls that this line completes. */
  take(line: Record<string, unknown>): ToolCall[];
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
        return [];
      }
      if (line["type"] !== "user") return [];
      return blocks.flatMap((block) => {
        const id =
          block["type"] === "tool_result" && typeof block["tool_use_id"] === "string"
            ? block["tool_use_id"]
            : "";
        const call = open.get(id);
        if (!call) return [];
        open.delete(id);
        const cwd = typeof line["cwd"] === "string" ? line["cwd"] : null;
        return [
          {
            order: ++order,
            ...call,
            cwd,
            output: textOf(block["content"]),
            isError: block["is_error"] === true,
            facts: factsOf(line, id, blocks.length),
          },
        ];
      });
    },
  };
}

function blocksOf(line: Record<string, unknown>): Record<string, unknown>[] {
  const message = line["message"];
  const content = isObject(message) ? message["content"] : undefined;
  return Array.isArray(content) ? content.filter(isObject) : [];
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

/** Parts with which other harnesses write their calls, and rows of other logs. */
const strangeParts = ["functionCall", "functionResponse", "tool_calls", "function_call"];

export function isStrange(line: Record<string, unknown>): boolean {
  const message = isObject(line["message"]) ? line["message"] : line;
  const parts = [message["parts"], message["content"], message["tool_calls"]].find(Array.isArray);
  return (
    strangeParts.some((key) => message[key] !== undefined || line[key] !== undefined) ||
    (Array.isArray(parts) &&
      parts.some((part) => isObject(part) && strangeParts.some((key) => part[key] !== undefined)))
  );
}
