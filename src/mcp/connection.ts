// A connection to a server as its users see it: every call ends in a result, restarts wait longer
// each time, and no call is repeated unless that is harmless.
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { printable } from "../base/text/printable.ts";
import { errorResult, type ToolContext, type ToolResult } from "../tool/tool.ts";
import { brokenStreamCode } from "./http-transport.ts";
import { listedTools, type ListedTool } from "./listed-tool.ts";
import {
  failureWords,
  openMcpSession,
  type McpSurroundings,
  type McpSession,
} from "./open-session.ts";
import type { ServerConfig } from "./server-config.ts";
import { toolResult } from "./tool-result.ts";

export type Connection = {
  /** The tools at the time of the first connection. */
  tools: readonly ListedTool[];
  problems: readonly string[];
  /** Never rejects. */
  call(tool: ListedTool, input: Record<string, unknown>, context: ToolContext): Promise<ToolResult>;
  /** The server now describes this tool differently than when it was listed. */
  hasChanged(tool: ListedTool): boolean;
  close(): Promise<void>;
};

const firstBackoffMs = limits.mcp.firstBackoffMs;

export type ConnectPlan = {
  /** The name in tool names and messages. */
  server: string;
  config: ServerConfig;
  around: McpSurroundings;
  /** Aborted by `close`, or by a caller that no longer waits for the first connection. */
  ending: AbortController;
};

/** Rejects if the server cannot be reached at first; afterwards every failure is a result. */
export async function connect({
  server,
  config,
  around,
  ending,
}: ConnectPlan): Promise<Connection> {
  const link = createLink(config, around, ending);
  const first = await link.ready();
  const { tools, problems } = listedTools(server, first.tools);
  const changed = new Set<string>();
  link.onTools = (offered) => {
    const now = new Map(
      listedTools(server, offered).tools.map((tool) => [tool.name, tool.fingerprint]),
    );
    for (const tool of tools) if (now.get(tool.name) !== tool.fingerprint) changed.add(tool.name);
  };

  async function call(
    tool: ListedTool,
    input: Record<string, unknown>,
    context: ToolContext,
  ): Promise<ToolResult> {
    const repeatable =
      tool.annotations.readOnlyHint === true || tool.annotations.idempotentHint === true;
    const knownChange = changed.has(tool.name);
    for (let attempt = 1; ; attempt++) {
      const session = await link.ready(context.signal).catch(errorText);
      if (typeof session === "string")
        return errorResult(`MCP server ${server} is not available: ${session}`);
      if (!knownChange && changed.has(tool.name))
        return errorResult(
          `MCP server ${server} changed its tool ${tool.name} while it was running; the call was not made`,
        );
      const outcome = await callOnce(session, {
        tool,
        input,
        context,
        timeoutMs: around.callTimeoutMs ?? limits.mcp.timeoutMs,
      });
      if (outcome.ok) {
        link.worked();
        return outcome.result;
      }
      const lost = outcome.answered ? false : config.type === "http" || !session.isAlive();
      if (lost) await link.drop(session);
      if (!lost || !repeatable || attempt > 1 || context.signal.aborted)
        return errorResult(`MCP server ${server}: ${outcome.problem}`);
    }
  }

  return {
    tools,
    problems,
    call,
    hasChanged: (tool) => changed.has(tool.name),
    close: () => link.close(),
  };
}

/** `answered`: the server refused, or the caller gave up; a new connection would change nothing. */
type CallOutcome =
  | { ok: true; result: ToolResult }
  | { ok: false; problem: string; answered: boolean };
type OneCall = {
  tool: ListedTool;
  input: Record<string, unknown>;
  context: ToolContext;
  timeoutMs: number;
};

async function callOnce(
  session: McpSession,
  { tool, input, context, timeoutMs }: OneCall,
): Promise<CallOutcome> {
  try {
    const answer = await session.client.callTool(
      { name: tool.name, arguments: input },
      {
        timeout: timeoutMs,
        maxTotalTimeout: Math.max(timeoutMs, limits.mcp.totalTimeoutMs),
        resetTimeoutOnProgress: true,
        signal: context.signal,
        onprogress: ({ progress, total, message }) =>
          context.progress(
            printable(message ?? `${progress}${total === undefined ? "" : ` of ${total}`}`).slice(
              0,
              500,
            ),
          ),
      },
    );
    return { ok: true, result: toolResult(answer) };
  } catch (error) {
    return failedCall(session, { error, context, timeoutMs });
  }
}

function failedCall(
  session: McpSession,
  { error, context, timeoutMs }: { error: unknown; context: ToolContext; timeoutMs: number },
): CallOutcome {
  if (context.signal.aborted) return { ok: false, problem: "the call was stopped", answered: true };
  const words = session.lastWords();
  if (!session.isAlive())
    return {
      ok: false,
      problem:
        "it ended during the call, which may or may not have " +
        `run${words === "" ? "" : `; its stderr ends: ${words}`}`,
      answered: false,
    };
  const code = (error as { code?: unknown }).code;
  if (code === "REQUEST_TIMEOUT")
    return {
      ok: false,
      problem: `no answer within ${timeoutMs / 1000} s; the call may or may not have run`,
      answered: true,
    };
  // Errors of the protocol have JSON-RPC's numbers; errors of the transport have words.
  return {
    ok: false,
    problem: failureWords(error),
    answered: typeof code === "number" && code !== brokenStreamCode,
  };
}

type Link = {
  ready(signal?: AbortSignal): Promise<McpSession>;
  worked(): void;
  drop(session: McpSession): Promise<void>;
  close(): Promise<void>;
  onTools(tools: readonly unknown[]): void;
};

/**
 * Holds the current session. After a crash the next session starts on demand, after a pause that
 * doubles until a call succeeds.
 */
function createLink(config: ServerConfig, around: McpSurroundings, ending: AbortController): Link {
  let current: McpSession | undefined;
  let opening: Promise<McpSession> | undefined;
  let failures = 0;
  let notBefore = 0;

  const failed = (): void => {
    notBefore =
      performance.now() + Math.min(limits.mcp.maxBackoffMs, firstBackoffMs * 2 ** failures);
    failures++;
  };
  const open = async (): Promise<McpSession> => {
    const waitMs = notBefore - performance.now();
    if (waitMs > limits.mcp.maxPauseMs)
      throw new Error(
        `it failed ${failures === 1 ? "once" : `${failures} times`}; the next try is in ${Math.ceil(waitMs / 1000)} s`,
      );
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false, signal: ending.signal });
    try {
      const session = await openMcpSession(config, around, {
        signal: ending.signal,
        onClose: failed,
        onTools: (tools) => link.onTools(tools),
      });
      current = session;
      link.onTools(session.tools);
      return session;
    } catch (error) {
      failed();
      throw error;
    }
  };
  const link: Link = {
    async ready(signal) {
      if (ending.signal.aborted) throw new Error("the connection was closed");
      if (current?.isAlive()) return current;
      opening ??= open().finally(() => (opening = undefined));
      return signal === undefined ? opening : Promise.race([opening, whenAborted(signal)]);
    },
    worked: () => void (failures = 0),
    async drop(session) {
      if (session.isAlive()) failed();
      await session.close();
    },
    async close() {
      ending.abort();
      await opening?.catch(() => {});
      await current?.close();
    },
    onTools: () => {},
  };
  return link;
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(new Error("the call was stopped"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
