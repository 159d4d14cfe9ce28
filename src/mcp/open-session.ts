// Opens one session with an MCP server: handshake and list of tools within a deadline. On failure
// nothing is left running.
import type { Client, JsonSchemaValidator, Transport } from "@modelcontextprotocol/client";
import { errorText } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { printable } from "../base/text/printable.ts";
import { maskSecrets } from "../base/secrets/find-secrets.ts";
import type { Watchdog } from "../process/watchdog.ts";
import { createHttpTransport } from "./http-transport.ts";
import type { ServerConfig } from "./server-config.ts";
import { createStdioTransport } from "./stdio-transport.ts";

export type McpSurroundings = {
  cwd: string;
  environment: NodeJS.ProcessEnv;
  mark: string;
  watchdog?: Pick<Watchdog, "add" | "remove">;
  connectTimeoutMs?: number;
  /** How long a call may be silent; progress counts as activity. */
  callTimeoutMs?: number;
};

export type McpSession = {
  client: Client;
  tools: readonly unknown[];
  isAlive(): boolean;
  close(): Promise<void>;
  /** The end of the server's stderr, safe to show; empty over HTTP. */
  lastWords(): string;
};

type SessionPorts = {
  signal: AbortSignal;
  onClose(): void;
  onTools(tools: readonly unknown[]): void;
};

const loadSdk = () => import("@modelcontextprotocol/client");

/** Rejects with an Error for people; by then the server's processes are gone. */
export async function openMcpSession(
  config: ServerConfig,
  around: McpSurroundings,
  ports: SessionPorts,
): Promise<McpSession> {
  const sdk = await loadSdk();
  const { transport, stderr } = createTransport(sdk, config, around);
  const client = createClient(sdk, ports);
  let alive = true;
  const onclose = (): void => {
    if (alive) ports.onClose();
    alive = false;
  };
  Object.assign(client, { onclose });
  const lastWords = (): string => maskSecrets(printable(stderr()).trim().slice(-500));
  const close = async (): Promise<void> => {
    alive = false;
    await client.close().catch(() => {});
    // The client forgets a transport whose handshake failed; the process must still end.
    await transport.close().catch(() => {});
  };
  const timeout = around.connectTimeoutMs ?? limits.mcp.connectTimeoutMs;
  try {
    const tools = await withDeadline(
      handshake(client, transport, timeout + 1_000),
      timeout,
      ports.signal,
    );
    return { client, tools, isAlive: () => alive, close, lastWords };
  } catch (error) {
    await close();
    const words = lastWords();
    throw new Error(`${failureWords(error)}${words === "" ? "" : `; its stderr ends: ${words}`}`, {
      cause: error,
    });
  }
}

/** The message of a failure and of its cause, safe to show: "fetch failed" alone helps nobody. */
export function failureWords(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  const words =
    cause === "" || errorText(error).includes(cause)
      ? errorText(error)
      : `${errorText(error)}: ${cause}`;
  return maskSecrets(printable(words).slice(0, 1_000));
}

async function handshake(
  client: Client,
  transport: Transport,
  timeout: number,
): Promise<readonly unknown[]> {
  await client.connect(transport, { timeout });
  const { tools } = await client.listTools(undefined, { timeout });
  return tools;
}

async function withDeadline<T>(
  work: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<T> {
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => {};
  const late = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error("the connection was closed"));
    timer = setTimeout(
      () => reject(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

function createTransport(
  sdk: Sdk,
  config: ServerConfig,
  around: McpSurroundings,
): { transport: Transport; stderr: () => string } {
  if (config.type === "stdio") {
    const transport = createStdioTransport(config, { ...around, parse: sdk.deserializeMessage });
    return { transport, stderr: transport.stderr };
  }
  return {
    transport: createHttpTransport(config, sdk.StreamableHTTPClientTransport),
    stderr: () => "",
  };
}

function createClient(sdk: Sdk, ports: SessionPorts): Client {
  return new sdk.Client(
    { name: "retinue", version: "1" },
    {
      capabilities: {},
      listMaxPages: 20,
      // A server's output schema is only its claim; compiling its patterns could hang this process.
      jsonSchemaValidator: {
        getValidator:
          <T>(): JsonSchemaValidator<T> =>
          (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
      },
      listChanged: {
        tools: { onChanged: (_error, tools) => void (tools && ports.onTools(tools)) },
      },
    },
  );
}
