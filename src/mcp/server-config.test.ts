import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listedTools } from "./listed-tool.ts";
import { readServers } from "./server-config.ts";
import { nameTools, serverKey } from "./tool-name.ts";
import { toolResult } from "./tool-result.ts";
import { createMessageLines, shortenedAnswer } from "./message-lines.ts";

describe("reading .mcp.json", () => {
  it("takes stdio and http, expands variables and defaults, and expands nothing twice", () => {
    const { servers, problems } = readServers(
      {
        mcpServers: {
          db: {
            command: "${HOME}/bin/db",
            args: ["--url", "${DB_URL:-postgres://local}", "$5 ${NESTED}"],
            env: { TOKEN: "${TOKEN}" },
          },
          web: {
            type: "http",
            url: "https://${HOST:-example.org}/mcp",
            headers: { Authorization: "Bearer ${TOKEN}" },
          },
        },
      },
      { HOME: "/h", TOKEN: "t", NESTED: "${TOKEN}", DB_URL: "" },
    );
    expect(problems).toEqual([]);
    expect(servers.get("db")).toEqual({
      type: "stdio",
      command: "/h/bin/db",
      args: ["--url", "postgres://local", "$5 ${TOKEN}"],
      env: { TOKEN: "t" },
    });
    expect(servers.get("web")).toEqual({
      type: "http",
      url: "https://example.org/mcp",
      headers: { Authorization: "Bearer t" },
    });
  });

  it.each([
    ["a variable that is not set", { command: "x", env: { K: "${NOPE}" } }, "has no NOPE"],
    ["the transport of the past", { type: "sse", url: "http://x/sse" }, "streamable HTTP"],
    ["a transport nobody knows", { type: "ws", url: "ws://x" }, "unknown transport"],
    ["no command", { args: [] }, "`command` must"],
    ["args that are no list", { command: "x", args: "-y" }, "`args` must"],
    ["an address that is none", { type: "http", url: "file:///etc/passwd" }, "http or https"],
    ["a NUL", { command: "x", args: ["a\0b"] }, "NUL"],
    ["no object", "npx x", "expected {command"],
  ])("%s is a problem, and the others still load", (_name, entry, words) => {
    const { servers, problems } = readServers({ bad: entry, good: { command: "x" } }, {});
    expect([...servers.keys()]).toEqual(["good"]);
    expect(problems).toEqual([expect.stringContaining(words)]);
  });
});

describe("names", () => {
  it.each(["a__b", "_a", "a_", "", "__", "a..b", "x".repeat(41), "(a)"])(
    "refuses the server name %j",
    (name) => {
      expect(serverKey(name)).toMatchObject({ ok: false });
    },
  );

  it.each([
    ["github", "github"],
    ["my server", "my_server"],
    ["a-b_c.d", "a-b_c_d"],
  ])("reads the server name %j as %j", (name, key) => {
    expect(serverKey(name)).toEqual({ ok: true, name: key });
  });

  it("gives every (server, tool) pair a name of its own that leads back to the server", () => {
    const servers = ["a", "b", "a-b", "a_b", "ab", "a__b", "a_", "_a", "a_b_c"].flatMap((name) => {
      const key = serverKey(name);
      return key.ok ? [key.name] : [];
    });
    const tools = ["x", "_x", "__x", "b", "_b", "b__x", "a__b", "x_", "c"].map((name) => ({
      name,
    }));
    const seen = new Map<string, string>();
    for (const server of servers) {
      for (const { name, tool } of nameTools(server, tools).named) {
        expect(seen.get(name)).toBeUndefined();
        seen.set(name, `${server} ${tool.name}`);
        expect(name.slice("mcp__".length).split("__")[0]).toBe(server);
      }
    }
    expect(seen.size).toBe(servers.length * tools.length);
  });
});

describe("results", () => {
  it("shows what can be shown and names the rest", () => {
    const result = toolResult({
      content: [
        { type: "text", text: "a" },
        { type: "audio", mimeType: "audio/wav", data: "x" },
        { type: "resource", resource: { uri: "file:///x", text: "inside" } },
        { type: "resource", resource: { uri: "file:///y", blob: "AAAA" } },
        { type: "resource_link", uri: "u://z", name: "zed" },
        { type: "image", mimeType: "image/svg+xml", data: "AAAA" },
        { type: "image", mimeType: "image/png", data: "no base64!" },
        { type: "what" },
        7,
      ],
    });
    expect((result.content as { text: string }[]).map((block) => block.text)).toEqual([
      "a",
      "[audio, audio/wav: not shown]",
      "[resource file:///x]\ninside",
      "[resource file:///y: binary, not shown]",
      "[resource zed: u://z]",
      "[an image of a type that cannot be shown]",
      "[an image that is no base64]",
      "[content of an unknown kind: what]",
      "[content that is no object]",
    ]);
  });

  it.each([undefined, null, "x", {}, { content: "x" }])(
    "makes a result of the answer %j",
    (answer) => {
      expect(toolResult(answer)).toEqual({ content: "(the tool returned nothing)" });
    },
  );

  it("shows structured content where there is no other", () => {
    expect(toolResult({ content: [], structuredContent: { a: 1 } })).toEqual({
      content: '{"a":1}',
    });
  });

  it("cuts all text blocks together to one budget, in bounded time", () => {
    const started = performance.now();
    const result = toolResult({
      content: Array.from({ length: 50 }, () => ({ type: "text", text: "word ".repeat(200_000) })),
    });
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(JSON.stringify(result.content).length).toBeLessThan(300_000);
    expect(result.facts).toEqual({ truncated: true });
  });
});

it("takes whatever a server or a file says without throwing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      toolResult(value);
      toolResult({ content: [value], isError: value });
      readServers({ s: value, t: { command: value, args: value, env: value } }, {});
      const { tools } = listedTools("s", [
        value,
        { name: "t", description: value, inputSchema: value, annotations: value },
      ]);
      for (const tool of tools)
        expect([tool.inputSchema["type"], typeof tool.description]).toEqual(["object", "string"]);
    }),
    { numRuns: 300 },
  );
});

describe("lines", () => {
  const collect = (maxBytes: number) => {
    const seen: { lines: string[]; over: number[] } = { lines: [], over: [] };
    return {
      seen,
      lines: createMessageLines({
        maxBytes,
        onLine: (line) => seen.lines.push(line),
        onOversize: ({ bytes }) => seen.over.push(bytes),
      }),
    };
  };

  it("are put together however the chunks fall", () => {
    const text = '{"a":"é"}\n\n{"b":2}\nrest';
    for (let size = 1; size < text.length; size++) {
      const { seen, lines } = collect(100);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) lines.push(bytes.subarray(at, at + size));
      expect(seen.lines).toEqual(['{"a":"é"}', '{"b":2}']);
    }
  });

  it("over the cap are told once, with their length, and the next line is read", () => {
    const { seen, lines } = collect(10);
    for (const part of ["0123456", "789abc", "def\nok\n"]) lines.push(Buffer.from(part));
    expect(seen).toEqual({ lines: ["ok"], over: [16] });
  });

  it.each([
    [
      '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"a\\nb\\u00',
      "…",
      7,
      "a\nb",
    ],
    [
      '{"result":{"content":[{"type":"text","text":"say \\"id\\":9}',
      '..."}]},"jsonrpc":"2.0","id":12}',
      12,
      'say "id":9}',
    ],
  ])("an answer too long keeps its id and the beginning of its text", (...row) => {
    const [head, tail, id, text] = row;
    const answer = shortenedAnswer({ head, tail, bytes: 99 });
    expect(answer?.id).toBe(id);
    expect(answer?.result.content[0]!.text).toBe(
      `${text}\n[cut: the server's answer was 99 bytes]`,
    );
  });

  it("a long notification answers nobody", () => {
    expect(
      shortenedAnswer({
        head: '{"jsonrpc":"2.0","method":"x","params":{"id":3',
        tail: "}}",
        bytes: 9,
      }),
    ).toBeUndefined();
  });
});
