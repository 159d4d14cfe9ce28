// Runs an MCP server as a child process in its own group: bounded buffers, a scrubbed environment,
// and no process left after `close`.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { limits } from "../base/limits.ts";
import { markVariable, newMark } from "../process/mark.ts";
import { scrubEnvironment } from "../process/sandbox/scrub-environment.ts";
import { sweep } from "../process/sweep.ts";
import { hostWatchdog, type Watchdog } from "../process/watchdog.ts";
import { createMessageLines, shortenedAnswer } from "./message-lines.ts";
import type { StdioServer } from "./server-config.ts";

export type StdioSurroundings = {
  cwd: string;
  /**
   * The environment of which the server gets only allow-listed names, plus what the configuration
   * sets.
   */
  environment: NodeJS.ProcessEnv;
  mark: string;
  watchdog?: Pick<Watchdog, "add" | "remove">;
  /** The SDK's reader of one line; throws for anything but a JSON-RPC message. */
  parse: (line: string) => JSONRPCMessage;
};

export type StdioTransport = Transport & {
  /** The end of the server's stderr. */
  stderr: () => string;
};

type Server = ChildProcessByStdio<Writable, Readable, Readable>;

const politeMs = 300;

export function createStdioTransport(
  config: StdioServer,
  around: StdioSurroundings,
): StdioTransport {
  const mark = newMark(around.mark);
  const stderr = createRing(limits.mcp.stderrBytes);
  let server: Server | undefined;
  let ending: Promise<void> | undefined;

  const end = (): Promise<void> => {
    ending ??= endServer(server, mark).finally(() => {
      if (server?.pid !== undefined) (around.watchdog ?? hostWatchdog()).remove(server.pid);
      transport.onclose?.();
    });
    return ending;
  };
  const transport: StdioTransport = {
    async start() {
      server = spawnServer(config, around, mark);
      const lines = createMessageLines({
        maxBytes: limits.mcp.messageBytes,
        onLine: (line) => deliver(transport, () => around.parse(line)),
        onOversize: (line) => deliver(transport, () => shortenedAnswer(line)),
      });
      server.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
      server.stderr.on("data", stderr.add);
      server.once("exit", () => void end());
      await once(server, "spawn");
      if (server.pid !== undefined) (around.watchdog ?? hostWatchdog()).add(server.pid);
    },
    async send(message) {
      if (!server?.stdin.writable) throw new Error("the server is not running");
      // Not awaited: a server that stops reading must run into the call's timeout and not block the
      // caller.
      server.stdin.write(`${JSON.stringify(message)}\n`);
    },
    close: end,
    stderr: stderr.text,
  };
  return transport;
}

function spawnServer(config: StdioServer, around: StdioSurroundings, mark: string): Server {
  const env = { ...scrubEnvironment(around.environment), ...config.env, [markVariable]: mark };
  const server = spawn(config.command, config.args, {
    cwd: config.cwd ?? around.cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  for (const emitter of [server, server.stdin, server.stdout, server.stderr])
    emitter.on("error", () => {});
  return server;
}

/**
 * Lines that are no messages are skipped: servers print banners and warnings to stdout. Nothing
 * that a server writes may throw into the stream's event.
 */
function deliver(transport: Transport, read: () => JSONRPCMessage | undefined): void {
  try {
    const message = read();
    if (message) transport.onmessage?.(message);
  } catch (error) {
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Closes stdin as a request to end, then ends the whole process tree. */
async function endServer(server: Server | undefined, mark: string): Promise<void> {
  if (server?.pid === undefined) return;
  server.stdin.end();
  const exited = server.exitCode !== null || server.signalCode !== null;
  // After an exit, an answer written just before may still be in the pipe.
  const quiet = exited ? once(server.stdout, "end") : once(server, "exit");
  await Promise.race([quiet, sleep(politeMs, undefined, { ref: false })]).catch(() => {});
  await sweep({ mark, pgid: server.pid, graceMs: politeMs });
  for (const stream of [server.stdin, server.stdout, server.stderr]) stream.destroy();
}

/** Keeps the last `maxBytes` of a stream. */
function createRing(maxBytes: number): { add: (chunk: Buffer) => void; text: () => string } {
  let kept: Buffer = Buffer.alloc(0);
  return {
    add: (chunk) => {
      kept =
        chunk.length >= maxBytes
          ? Buffer.from(chunk.subarray(chunk.length - maxBytes))
          : Buffer.concat([
              kept.subarray(Math.max(0, kept.length + chunk.length - maxBytes)),
              chunk,
            ]);
    },
    text: () => kept.toString("utf8"),
  };
}
