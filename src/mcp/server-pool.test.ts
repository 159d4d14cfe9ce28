// Real servers as real processes: two from the registry, and a small one of our own that
// misbehaves.
import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "../base/limits.ts";
import { countTokens } from "../base/text/tokens.ts";
import { findProcesses } from "../process/find-processes.ts";
import { newMark } from "../process/mark.ts";
import { tempProject, type TempProject } from "../testing/temp-project.ts";
import { noJudgedPath, type ToolContext, type ToolResult } from "../tool/tool.ts";
import type { McpTool } from "./mcp-tool.ts";
import type { ServerConfig } from "./server-config.ts";
import {
  createServerPool,
  type PoolOptions,
  type ServerLease,
  type ServerPool,
} from "./server-pool.ts";

const require = createRequire(import.meta.url);
const everything = require.resolve("@modelcontextprotocol/server-everything/dist/index.js");
const filesystem = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const fake = fileURLToPath(new URL("../../test/fixtures/fake-mcp-server.mjs", import.meta.url));

let project: TempProject;
let mark: string;
let pools: ServerPool[];
beforeEach(() => {
  project = tempProject({ notes: "" });
  mark = newMark();
  pools = [];
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  expect(findProcesses({ mark })).toEqual([]);
  project.remove();
});

function poolOf(
  servers: Record<string, ServerConfig>,
  options: Partial<PoolOptions> = {},
): ServerPool {
  const pool = createServerPool({
    servers: new Map(Object.entries(servers)),
    cwd: project.root,
    mark,
    connectTimeoutMs: 10_000,
    ...options,
  });
  pools.push(pool);
  return pool;
}
const stdio = (args: string[], env: Record<string, string> = {}): ServerConfig => ({
  type: "stdio",
  command: process.execPath,
  args,
  env,
});
const fakeServer = (...ways: string[]): ServerConfig =>
  stdio([fake, project.path("notes"), ...ways]);
const toolOf = (lease: ServerLease, name: string): McpTool => {
  const tool = lease.tools.find((item) => item.name === name);
  if (!tool)
    throw new Error(
      `no ${name} among ${lease.tools.map((item) => item.name).join(", ")}; ${lease.problems.join("; ")}`,
    );
  return tool;
};
const call = (
  lease: ServerLease,
  name: string,
  { context, ...input }: Record<string, unknown> & { context?: Partial<ToolContext> } = {},
): Promise<ToolResult> =>
  toolOf(lease, name).execute(input, {
    toolUseId: "t",
    judgedPath: noJudgedPath,
    signal: new AbortController().signal,
    progress: () => {},
    ...context,
  });
const named = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));
const notes = (): string[] => project.read("notes").trim().split("\n");
const count = (line: string): number => notes().filter((other) => other === line).length;
const pids = (): number[] =>
  notes()
    .filter((line) => line.startsWith("pid "))
    .map((line) => Number(line.slice(4)));
const alive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

describe("the server everything, over stdio", () => {
  it("lists and calls: text, structure, images, resources, annotations, progress", async () => {
    const lease = await poolOf({ everything: stdio([everything]) }).acquire(named("everything"));
    expect(lease.problems).toEqual([]);
    expect(await call(lease, "mcp__everything__echo", { message: "hi" })).toEqual({
      content: "Echo: hi",
    });
    expect(await call(lease, "mcp__everything__get-sum", { a: 2, b: 40 })).toMatchObject({
      content: expect.stringContaining("42"),
    });
    const image = await call(lease, "mcp__everything__get-tiny-image");
    expect(image.content).toContainEqual({
      type: "image",
      source: { type: "base64", media_type: "image/png", data: expect.any(String) },
    });
    const steps: string[] = [];
    await call(lease, "mcp__everything__trigger-long-running-operation", {
      duration: 0.4,
      steps: 2,
      context: { progress: (line) => void steps.push(line) },
    });
    expect(steps.length).toBeGreaterThan(0);
    const long = toolOf(lease, "mcp__everything__trigger-long-running-operation");
    expect(long.mcp.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect([long.readOnly, long.inputSchema["type"]]).toEqual([true, "object"]);
    expect(long.parse("x")).toMatchObject({ ok: false });
    expect(long.parse({ duration: 1 })).toEqual({ ok: true, value: { duration: 1 } });
    expect(await call(lease, "mcp__everything__get-sum", { a: "x" })).toMatchObject({
      isError: true,
    });
  });
});

describe("the server everything, over streamable HTTP", () => {
  it("lists and calls, fails with a result when it is killed in the middle, and is found again when it is back", async () => {
    const port = await freePort();
    let server = await startHttp(port);
    try {
      const lease = await poolOf({
        web: { type: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {} },
      }).acquire(named("web"));
      expect(lease.problems).toEqual([]);
      expect(await call(lease, "mcp__web__echo", { message: "hi" })).toEqual({
        content: "Echo: hi",
      });
      const running = call(lease, "mcp__web__trigger-long-running-operation", {
        duration: 60,
        steps: 60,
      });
      await sleep(300);
      server.kill("SIGKILL");
      expect(await running).toMatchObject({
        isError: true,
        content: expect.stringContaining("MCP server web"),
      });
      server = await startHttp(port);
      await vi.waitFor(
        async () =>
          expect(await call(lease, "mcp__web__echo", { message: "again" })).toEqual({
            content: "Echo: again",
          }),
        { timeout: 10_000, interval: 200 },
      );
    } finally {
      server.kill("SIGKILL");
    }
  });

  it("says that nobody is there", async () => {
    const lease = await poolOf({
      web: { type: "http", url: `http://127.0.0.1:${await freePort()}/mcp`, headers: {} },
    }).acquire(named("web"));
    expect(lease.tools).toEqual([]);
    expect(lease.problems).toEqual([
      expect.stringMatching(/web could not be reached: .*ECONNREFUSED/),
    ]);
  });

  it("gives up on a server that takes the connection and says nothing, and on one that never stops talking", async () => {
    const mute = createServer(() => {}).listen(0, "127.0.0.1");
    const flood = createHttpServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void =>
        void (response.destroyed || (response.write("[".repeat(1_000_000)), setImmediate(more)));
      more();
    }).listen(0, "127.0.0.1");
    try {
      const address = (server: { address(): unknown }): string =>
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
      await sleep(50);
      const servers: Record<string, ServerConfig> = {
        mute: { type: "http", url: address(mute), headers: {} },
        flood: { type: "http", url: address(flood), headers: {} },
      };
      const lease = await poolOf(servers, { connectTimeoutMs: 2_000 }).acquire(
        named("mute", "flood"),
      );
      expect(lease.problems).toEqual([
        expect.stringContaining("no answer within 2 s"),
        expect.stringContaining("flood could not be reached"),
      ]);
    } finally {
      mute.close();
      flood.closeAllConnections();
      flood.close();
    }
  });
});

describe("the server filesystem", () => {
  it("reads inside its folder, and its refusal is an error result", async () => {
    project.write("docs/a.txt", "alpha");
    const lease = await poolOf({ files: stdio([filesystem, project.path("docs")]) }).acquire([
      { name: "files", tools: ["read_text_file", "list_directory", "lst_directory"] },
    ]);
    expect(lease.tools.map((tool) => tool.name).sort((a, b) => a.localeCompare(b))).toEqual([
      "mcp__files__list_directory",
      "mcp__files__read_text_file",
    ]);
    expect(lease.problems).toEqual([expect.stringContaining('did you mean "list_directory"')]);
    expect(
      await call(lease, "mcp__files__read_text_file", { path: project.path("docs/a.txt") }),
    ).toMatchObject({ content: "alpha" });
    expect(await call(lease, "mcp__files__read_text_file", { path: "/etc/passwd" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("denied"),
    });
  });
});

describe("a server that misbehaves", () => {
  it.each(["silent", "listless"])(
    "is given up at the connect timeout when it is %s, and its processes are gone (TOOLS-08)",
    async (way) => {
      const started = performance.now();
      const lease = await poolOf(
        { bad: fakeServer(way, "daemon", "stubborn") },
        { connectTimeoutMs: 1_500 },
      ).acquire(named("bad"));
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(lease.problems).toEqual([
        expect.stringContaining("bad could not be reached: no answer within 1.5 s"),
      ]);
      expect(pids()).toHaveLength(2);
      expect(pids().filter(alive)).toEqual([]);
    },
  );

  it("tells why it did not start, without its secrets, and the others work", async () => {
    const lease = await poolOf({
      bad: fakeServer("refuses"),
      absent: { type: "stdio", command: "/no/such/program", args: [], env: {} },
      good: fakeServer(),
    }).acquire(named("bad", "absent", "good"));
    expect(await call(lease, "mcp__good__echo", { text: "still here" })).toEqual({
      content: "still here",
    });
    expect(lease.problems).toEqual([
      expect.stringContaining("no licence found"),
      expect.stringContaining("ENOENT"),
    ]);
    expect(lease.problems[0]).not.toContain("A1b2A1b2");
  });

  it("does not answer a call: an error result after the idle timeout, and the next call works (TOOLS-09)", async () => {
    const lease = await poolOf({ s: fakeServer() }, { callTimeoutMs: 400 }).acquire(named("s"));
    expect(await call(lease, "mcp__s__hang")).toMatchObject({
      isError: true,
      content: expect.stringContaining("no answer within 0.4 s"),
    });
    expect(await call(lease, "mcp__s__echo", { text: "a" })).toEqual({ content: "a" });
    expect(count("start")).toBe(1);
  });

  it("is slow but shows signs of life, and is waited for", async () => {
    const lease = await poolOf({ s: fakeServer() }, { callTimeoutMs: 1_200 }).acquire(named("s"));
    expect(await call(lease, "mcp__s__slow")).toEqual({ content: "late" });
  });

  it("dies in the middle of a call: an error result with its last words, no second call, and it is started again for the next (TOOLS-10)", async () => {
    const lease = await poolOf({ s: fakeServer() }).acquire(named("s"));
    const died = await call(lease, "mcp__s__die");
    expect(died).toMatchObject({
      isError: true,
      content: expect.stringMatching(/may or may not have run.*out of cheese/s),
    });
    expect([count("call die"), count("start")]).toEqual([1, 1]);
    expect(await call(lease, "mcp__s__echo", { text: "again" })).toEqual({ content: "again" });
    expect(count("start")).toBe(2);
  });

  it("is killed from outside in the middle of a call that changes nothing: started again and asked once more", async () => {
    const lease = await poolOf({ s: fakeServer() }).acquire(named("s"));
    expect(await call(lease, "mcp__s__die_once")).toEqual({ content: "alive" });
    expect([count("call die_once"), count("start")]).toEqual([2, 2]);
  });

  it("dies on every call: the pauses grow until calls fail at once", async () => {
    const lease = await poolOf({ s: fakeServer() }).acquire(named("s"));
    for (let round = 0; round < 3; round++)
      expect(await call(lease, "mcp__s__die")).toMatchObject({ isError: true });
    const gaps = notes().filter((line) => line === "start").length;
    expect(gaps).toBe(3);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    const started = performance.now();
    expect(
      await call(lease, "mcp__s__echo", { text: "x", context: { signal: stop.signal } }),
    ).toMatchObject({ isError: true });
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  it("writes junk and endless lines to stdout and floods stderr, and is still understood (TOOLS-11, TOOLS-12)", async () => {
    const before = process.memoryUsage().rss;
    const lease = await poolOf({ s: fakeServer("junk", "flood") }).acquire(named("s"));
    expect(lease.problems).toEqual([]);
    expect(await call(lease, "mcp__s__echo", { text: "clear" })).toEqual({ content: "clear" });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it("answers with more than anybody can read: cut to the cap and marked, memory bounded", async () => {
    const lease = await poolOf({ s: fakeServer() }).acquire(named("s"));
    const before = process.memoryUsage().rss;
    const [medium, huge] = [
      await call(lease, "mcp__s__big", { megabytes: 1 }),
      await call(lease, "mcp__s__big", { megabytes: 300 }),
    ];
    for (const result of [medium, huge]) {
      expect(result.content).toMatch(/^begin é z+/);
      expect(result.content).toContain("[cut");
      expect(countTokens(result.content as string)).toBeLessThan(limits.mcp.resultTokens + 100);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    expect(await call(lease, "mcp__s__echo", { text: "next" })).toEqual({ content: "next" });
  });

  it("answers with nesting that overflows a stack: one call fails, nothing else", async () => {
    const lease = await poolOf({ s: fakeServer() }, { callTimeoutMs: 3_000 }).acquire(named("s"));
    expect(await call(lease, "mcp__s__deep")).toMatchObject({ isError: true });
    expect(await call(lease, "mcp__s__echo", { text: "fine" })).toEqual({ content: "fine" });
  });

  it("reports errors of its own and of the protocol as error results, control characters removed", async () => {
    const lease = await poolOf({ s: fakeServer() }).acquire(named("s"));
    expect(await call(lease, "mcp__s__fail")).toEqual({
      content: "it did not work",
      isError: true,
    });
    const refused = await call(lease, "mcp__s__refuse");
    expect(refused).toMatchObject({
      isError: true,
      content: expect.stringContaining("bad arguments"),
    });
  });

  it("describes its tools with hostile text: cut, cleaned, and no two share a name", async () => {
    const lease = await poolOf({ s: fakeServer("hostile") }).acquire(named("s"));
    const spoof = toolOf(lease, "mcp__s__spoof");
    expect(spoof.description).toMatch(/^Atool!+… \[cut\]$/);
    expect(spoof.description.length).toBeLessThan(limits.mcp.descriptionCharacters + 20);
    expect(spoof.inputSchema).toEqual({
      type: "object",
      properties: { a: { type: "string", description: "xz", enum: ["\u200b"] } },
    });
    expect(toolOf(lease, "mcp__s__a_b").description).toBe("the plain one");
    const names = lease.tools.map((tool) => tool.name);
    expect(new Set(names).size).toBe(names.length);
    expect(lease.problems).toHaveLength(4);
    const started = performance.now();
    await call(lease, "mcp__s__regex");
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it("changes a tool behind our back: the call is not made, and the tool is marked as changed", async () => {
    const lease = await poolOf({ s: fakeServer("drift") }).acquire(named("s"));
    await call(lease, "mcp__s__die");
    expect(toolOf(lease, "mcp__s__echo").mcp.hasChanged()).toBe(false);
    expect(await call(lease, "mcp__s__echo", { text: "x" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("changed its tool echo"),
    });
    expect(count("call echo")).toBe(0);
    expect(toolOf(lease, "mcp__s__echo").mcp.hasChanged()).toBe(true);
    expect(toolOf(lease, "mcp__s__hang").mcp.hasChanged()).toBe(false);
  });

  it("leaves nothing behind when it is closed in the middle of a call, daemons and stubborn processes included", async () => {
    const pool = poolOf({ s: fakeServer("daemon", "stubborn") });
    const lease = await pool.acquire(named("s"));
    const running = call(lease, "mcp__s__hang");
    await sleep(100);
    const started = performance.now();
    await pool.close();
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(await running).toMatchObject({ isError: true });
    expect(pids()).toHaveLength(2);
    expect(pids().filter(alive)).toEqual([]);
    expect(await call(lease, "mcp__s__echo")).toMatchObject({
      isError: true,
      content: expect.stringContaining("closed"),
    });
  });

  it("is not waited for when the pool closes while it connects", async () => {
    const pool = poolOf({ s: fakeServer("silent") }, { connectTimeoutMs: 60_000 });
    const pending = pool.acquire(named("s"));
    await sleep(300);
    const started = performance.now();
    await pool.close();
    expect(performance.now() - started).toBeLessThan(4_000);
    expect((await pending).tools).toEqual([]);
  });

  it("stops a call when the run is stopped", async () => {
    const lease = await poolOf({ s: fakeServer() }).acquire(named("s"));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    expect(await call(lease, "mcp__s__hang", { context: { signal: stop.signal } })).toMatchObject({
      isError: true,
      content: expect.stringContaining("stopped"),
    });
  });
});

describe("sharing", () => {
  it("one connection serves all who name the server, each gets its own answers, and it ends with the last of them", async () => {
    const pool = poolOf({ s: fakeServer() });
    const [a, b] = await Promise.all([
      pool.acquire(named("s")),
      pool.acquire([{ name: "s", tools: ["mcp__s__echo"] }]),
    ]);
    expect(b.tools).toHaveLength(1);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        call(index % 2 ? a : b, "mcp__s__echo", { text: index }),
      ),
    );
    expect(answers.map((answer) => answer.content)).toEqual(
      Array.from({ length: 40 }, (_, index) => String(index)),
    );
    expect(count("start")).toBe(1);
    await a.release();
    await a.release();
    expect(await call(b, "mcp__s__echo", { text: "b" })).toEqual({ content: "b" });
    await b.release();
    expect(pids().filter(alive)).toEqual([]);
  });

  it("an inline server belongs to its run and cannot take a session server's name", async () => {
    const pool = poolOf({ shared: fakeServer() });
    const inline = { command: process.execPath, args: [fake, project.path("notes")] };
    const lease = await pool.acquire([
      { name: "own", config: inline },
      { name: "shared", config: inline },
      { name: "shred" },
    ]);
    expect(lease.tools.every((tool) => tool.name.startsWith("mcp__own__"))).toBe(true);
    expect(lease.problems).toEqual([
      expect.stringContaining("the session has a server of that name"),
      expect.stringContaining('did you mean "shared"'),
    ]);
    await lease.release();
    expect(pids().filter(alive)).toEqual([]);
  });

  it("a failure is not shared: the next one who asks tries again", async () => {
    const pool = poolOf({ s: stdio([fake, project.path("absent/notes")]) });
    const failed = await pool.acquire(named("s"));
    expect(failed.problems).toHaveLength(1);
    project.write("absent/notes", "");
    expect((await pool.acquire(named("s"))).problems).toEqual([]);
  });
});

it("gives a server an environment without secrets, and what its configuration sets", async () => {
  const environment = {
    PATH: process.env["PATH"],
    HOME: project.home,
    ANTHROPIC_API_KEY: "sk-ant-hush",
    GITHUB_TOKEN: "hush",
  };
  const config: ServerConfig = {
    type: "stdio",
    command: process.execPath,
    args: [fake, project.path("notes")],
    env: { TEAM: "blue" },
  };
  const lease = await poolOf({ s: config }, { environment }).acquire(named("s"));
  const { content } = await call(lease, "mcp__s__env");
  expect(content).toContain('"TEAM":"blue"');
  expect(content).not.toContain("hush");
});

async function startHttp(port: number): Promise<ChildProcess> {
  const server = spawn(process.execPath, [everything, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise((resolve) => server.stderr.once("data", resolve));
  return server;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
