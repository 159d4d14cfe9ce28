// What the loop knows about a tool: a schema to show, a check of the input, and a function that
// returns a result. Its errors are results too.
import type { JsonObject } from "../base/data/json.ts";
import type { ResultContent } from "../model/message.ts";

/** Where the `file_path` of a call really led when the gate allowed the call: the tool opens this path and no other. */
export type JudgedPath = string | null;

/** For a call that names no file, and for tools that run without a gate. */
export const noJudgedPath: JudgedPath = null;

/** What a tool's `run` gets beside its input. */
export type ToolContext = {
  toolUseId: string;
  judgedPath: JudgedPath;
  signal: AbortSignal;
  /** A line for people who watch; it is not part of the result. */
  progress: (text: string) => void;
};

/** What a tool call returns to the model. */
export type ToolResult = {
  content: ResultContent;
  isError?: boolean;
  /** One line for a terminal ("42 lines", "exit 1"). */
  summary?: string;
  /**
   * Facts for the transcript and the evidence ledger (path, lines, hash, exit code…); the model
   * does not see them.
   */
  facts?: JsonObject;
  /** The run ends with this text as its answer, unless someone objects. */
  answer?: string;
  /** A rule held back a part of the requested data. */
  denied?: { layer: string; rule: string; reason: string };
};

export type ParsedInput =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; problem: string };

/** A tool as agents use it; make one with `defineTool`. */
export type Tool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** Checks the model's input; the model gets a problem as an error result. */
  parse(input: unknown): ParsedInput;
  /**
   * True if running it changes nothing: such calls of one reply run in parallel and may be repeated
   * after a crash.
   */
  readOnly: boolean;
  /** Not read-only, but calls of one reply do not disturb each other: they run in parallel too. */
  concurrent?: boolean;
  execute(input: Record<string, unknown>, context: ToolContext): Promise<ToolResult>;
  /**
   * True for a call that goes on with what it began when it is made again under the same id: after
   * a crash it is made again, though it is not read-only.
   */
  canContinue?(input: Record<string, unknown>): boolean;
  /**
   * Told of a result that this tool gave in another process, in the order of the calls, so that it
   * knows what it would know had it run here. What it throws changes nothing.
   */
  recall?(input: Record<string, unknown>, result: ToolResult): void | Promise<void>;
};

export const errorResult = (message: string, summary?: string): ToolResult => ({
  content: message,
  isError: true,
  ...(summary === undefined ? {} : { summary }),
});

/**
 * The same tool with another `execute`. The properties are listed one by one: a spread would lose
 * those on a class's prototype and would derive a schema that nobody has asked for.
 */
export function withExecute(tool: Tool, execute: Tool["execute"]): Tool {
  return {
    name: tool.name,
    description: tool.description,
    get inputSchema() {
      return tool.inputSchema;
    },
    parse: (input) => tool.parse(input),
    readOnly: tool.readOnly,
    ...(tool.concurrent ? { concurrent: true } : {}),
    ...(tool.canContinue ? { canContinue: (input) => tool.canContinue?.(input) === true } : {}),
    ...(tool.recall ? { recall: (input, result) => tool.recall?.(input, result) } : {}),
    execute,
  };
}
