// Runs the tool calls of one reply: prepare, gate, execute, finish. Every call gets a result; what
// goes wrong becomes an error result.
import { errorText } from "../base/errors.ts";
import type { JsonObject } from "../base/data/json.ts";
import { limits } from "../base/limits.ts";
import type { ToolResultBlock, ToolUseBlock, UserMessage } from "../model/message.ts";
import { isCut, type Reply } from "../model/model.ts";
import {
  errorResult,
  noJudgedPath,
  type JudgedPath,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../tool/tool.ts";
import type { AfterTool, FinishedCall, GateDecision, LoopPorts, RequestedCall } from "./ports.ts";
import type { Tally } from "./tally.ts";

export type ToolRound = {
  message: UserMessage;
  facts: Record<string, JsonObject>;
  /** The calls that ended in an error, as text. */ failedCalls: string[];
  /** A tool gave the run's answer; of several the last. */ answer: string | undefined;
};

type Prepared = {
  use: ToolUseBlock;
  tool?: Tool;
  input?: Record<string, unknown>;
  /** Absent until the gate has decided. */
  judgedPath: JudgedPath;
  refusal?: ToolResult;
};

type AllowedCall = Required<Omit<Prepared, "refusal">>;

type CallWorld = { ports: LoopPorts; tally: Tally; signal: AbortSignal };

/** Runs every call of the reply: in parallel if none can disturb another, otherwise in order. */
export function runTools(uses: ToolUseBlock[], reply: Reply, run: CallWorld): Promise<ToolRound> {
  const prepared = uses.map((use, index) =>
    prepare(use, index, { reply, tools: run.ports.tools, count: uses.length }),
  );
  if (prepared.length !== 1) return runSeveral(uses, prepared, run);
  const gated = gateCall(prepared[0]!, run);
  const ran =
    gated instanceof Promise ? gated.then((item) => execute(item, run)) : execute(gated, run);
  return ran.then((result) => collect(uses, [result]));
}

async function runSeveral(
  uses: ToolUseBlock[],
  prepared: Prepared[],
  run: CallWorld,
): Promise<ToolRound> {
  if (prepared.every(isHarmless)) {
    // Gated one after another, since a person can answer only one question at a time.
    for (const [index, item] of prepared.entries()) prepared[index] = await gateCall(item, run);
    return collect(uses, await Promise.all(prepared.map((item) => execute(item, run))));
  }
  const results: ToolResult[] = [];
  for (const item of prepared) results.push(await execute(await gateCall(item, run), run));
  return collect(uses, results);
}

const isHarmless = ({ tool, refusal }: Prepared): boolean =>
  refusal !== undefined || tool?.readOnly === true || tool?.concurrent === true;

function prepare(
  use: ToolUseBlock,
  index: number,
  { reply, tools, count }: { reply: Reply; tools: LoopPorts["tools"]; count: number },
): Prepared {
  if (index >= limits.run.maxToolCallsPerReply)
    return refused(
      use,
      `a reply may hold at most ${limits.run.maxToolCallsPerReply} tool calls; send the rest in the next one`,
    );
  if (index === count - 1 && isCut(reply))
    return refused(
      use,
      "the reply was cut at the output limit inside this call; send it again, shorter",
    );
  const invalid = reply.invalid_inputs?.[use.id];
  if (invalid !== undefined)
    return refused(
      use,
      `${invalid}; send the call again with an id of its own and a complete JSON object`,
    );
  const tool = tools.get(use.name);
  if (!tool)
    return {
      use,
      judgedPath: noJudgedPath,
      refusal: errorResult(
        `there is no tool "${use.name}"; available: ${[...tools.keys()].join(", ") || "none"}`,
      ),
    };
  const parsed = parseInput(tool, use.input);
  return parsed.ok
    ? { use, tool, input: parsed.value, judgedPath: noJudgedPath }
    : refused(use, `invalid input for ${use.name}: ${parsed.problem}`);
}

const refused = (use: ToolUseBlock, why: string): Prepared => ({
  use,
  judgedPath: noJudgedPath,
  refusal: errorResult(`not executed: ${why}`),
});

function parseInput(tool: Tool, input: unknown): ReturnType<Tool["parse"]> {
  try {
    return tool.parse(input);
  } catch (error) {
    return { ok: false, problem: errorText(error) };
  }
}

/** Synchronous if the gate is: most calls do not wait for a person. */
function gateCall(item: Prepared, run: CallWorld): Prepared | Promise<Prepared> {
  if (item.refusal || !item.tool || !item.input) return item;
  if (run.signal.aborted) return refused(item.use, "the run was stopped");
  const call: RequestedCall = { toolUseId: item.use.id, tool: item.tool.name, input: item.input };
  const deciding = run.ports.gate(call, run.signal);
  return deciding instanceof Promise
    ? deciding.then((decision) => applyDecision(item, { call, decision }, run))
    : applyDecision(item, { call, decision: deciding }, run);
}

function applyDecision(
  item: Prepared,
  { call, decision }: { call: RequestedCall; decision: GateDecision },
  run: CallWorld,
): Prepared {
  // An allowed read gets no line of its own: its result is the evidence. Everything else is
  // recorded before it runs.
  if (decision.behavior === "allow") {
    if (item.tool?.readOnly !== true) keep(call, decision, run.ports);
    item.judgedPath = decision.judgedPath;
    if (decision.input) item.input = decision.input;
    return item;
  }
  refuse(call, decision, run);
  return {
    use: item.use,
    judgedPath: noJudgedPath,
    refusal: errorResult(`permission denied: ${decision.reason}`, "denied"),
  };
}

type Word = Pick<GateDecision, "behavior" | "layer" | "rule" | "reason">;

function keep(
  { toolUseId, tool }: RequestedCall,
  { behavior, layer, rule, reason }: Word,
  ports: LoopPorts,
): void {
  const named = rule === undefined ? {} : { rule };
  const decided = { toolUseId, tool, behavior, layer, ...named, reason };
  ports.record({ type: "permission-decision", ...decided });
}

/** Records the denial and adds it to the run's outcome. */
export function refuse(
  call: RequestedCall,
  decision: Word,
  { ports, tally }: { ports: LoopPorts; tally: Tally },
): void {
  keep(call, decision, ports);
  const { rule, reason } = decision;
  tally.denials.push({
    tool_name: call.tool,
    tool_use_id: call.toolUseId,
    tool_input: call.input,
    reason,
    ...(rule === undefined ? {} : { rule }),
  });
}

function begin(allowed: AllowedCall, call: RequestedCall, run: CallWorld): Promise<FinishedCall> {
  const { ports, tally } = run;
  tally.toolUses += 1;
  return ports.keepCall
    ? ports.keepCall(allowed.tool, call, () => callTool(allowed, call, run))
    : callTool(allowed, call, run);
}

/** What comes of it: a denial inside the tool is put on record, and hooks add to the result. */
function finished(
  { result, context }: FinishedCall,
  call: RequestedCall,
  run: CallWorld,
): ToolResult {
  if (result.denied) refuse(call, { behavior: "deny", ...result.denied }, run);
  return context ? withContext(result, context) : result;
}

/** The call and the hooks after it. Never rejects for what the tool does. */
function callTool(
  { tool, input, judgedPath }: AllowedCall,
  call: RequestedCall,
  { ports, signal }: CallWorld,
): Promise<FinishedCall> {
  const { toolUseId } = call;
  const told = { toolUseId, judgedPath, signal, progress: progressOf(toolUseId, ports) };
  const failed = (error: unknown): FinishedCall | Promise<FinishedCall> =>
    afterCall(errorResult(`${tool.name} failed: ${errorText(error)}`), call, ports);
  try {
    const result = signal.aborted
      ? errorResult("not executed: the run was stopped")
      : tool.execute(input, told);
    return Promise.resolve(result).then((given) => afterCall(given, call, ports), failed);
  } catch (error) {
    return Promise.resolve(error).then(failed);
  }
}

function afterCall(
  result: ToolResult,
  call: RequestedCall,
  { hooks }: LoopPorts,
): FinishedCall | Promise<FinishedCall> {
  const after = hooks?.afterTool?.(call, result);
  const withAdded = ({ context }: AfterTool = {}): FinishedCall =>
    context === undefined ? { result } : { result, context };
  return after ? after.then(withAdded) : { result };
}

/** Not async: a function that waits is kept in memory for every agent that does. */
function execute(
  { use, tool, input, judgedPath, refusal }: Prepared,
  run: CallWorld,
): Promise<ToolResult> {
  const { ports } = run;
  const startedAt = ports.now();
  ports.signal?.({
    type: "tool-start",
    toolUseId: use.id,
    tool: use.name,
    input: input ?? use.input,
  });
  const end = (result: ToolResult): ToolResult => {
    ports.signal?.({
      type: "tool-end",
      toolUseId: use.id,
      tool: use.name,
      isError: result.isError === true,
      summary: result.summary ?? firstLine(result),
      durationMs: ports.now() - startedAt,
    });
    return result;
  };
  if (refusal || !tool || !input)
    return Promise.resolve(end(refusal ?? errorResult("not executed")));
  const call: RequestedCall = { toolUseId: use.id, tool: tool.name, input };
  return begin({ use, tool, input, judgedPath }, call, run).then((ran) =>
    end(finished(ran, call, run)),
  );
}

const unwatched = (): void => undefined;

function progressOf(toolUseId: string, ports: LoopPorts): ToolContext["progress"] {
  return ports.signal
    ? (text) => ports.signal?.({ type: "tool-progress", toolUseId, text })
    : unwatched;
}

function withContext(result: ToolResult, context: string): ToolResult {
  const note = `\n\n[hook] ${context}`;
  const content =
    typeof result.content === "string"
      ? result.content + note
      : [...result.content, { type: "text" as const, text: note.trim() }];
  return { ...result, content };
}

function firstLine(result: ToolResult): string {
  const text = typeof result.content === "string" ? result.content : "";
  const end = text.indexOf("\n");
  return (end < 0 ? text : text.slice(0, end)).slice(0, 200);
}

function collect(uses: ToolUseBlock[], results: ToolResult[]): ToolRound {
  const facts: Record<string, JsonObject> = {};
  const failedCalls: string[] = [];
  const content = uses.map((use, index): ToolResultBlock => {
    const result = results[index] ?? errorResult("not executed");
    if (result.facts) facts[use.id] = result.facts;
    if (result.isError) failedCalls.push(`${use.name} ${JSON.stringify(use.input)}`);
    const block: ToolResultBlock = {
      type: "tool_result",
      tool_use_id: use.id,
      content: result.content,
    };
    return result.isError ? { ...block, is_error: true } : block;
  });
  const answer = results.findLast((result) => result.answer !== undefined)?.answer;
  return { message: { role: "user", content }, facts, failedCalls, answer };
}
