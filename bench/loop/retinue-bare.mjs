// Not the front door: the bare executor with a spec made by hand and a store that forgets (or another store). It is the limit of what the manager,
// the transcripts and the verifier around it can cost.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { lookup, prompt, system, tool, turns, wholeReply } from "./scenario.mjs";

/** What the package does not export, bundled from its sources. */
const parts = [
  "app/session/open-session",
  "executors/local",
  "manager/run/run-catalog",
  "manager/run/settle/resolve-spec",
  "manager/run/settle/resolve-policy",
  "tool/define-tool",
  "base/ids",
];
const src = new URL("../../src/", import.meta.url).pathname;
const outfile = join(mkdtempSync(join(tmpdir(), "retinue-bare-")), "parts.mjs");
process.on("exit", () => rmSync(dirname(outfile), { recursive: true, force: true }));
await build({
  stdin: {
    contents: parts.map((path) => `export * from "./${path}.ts";`).join("\n"),
    resolveDir: src,
  },
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  packages: "external",
  define: { RETINUE_VERSION: '"bench"' },
  logLevel: "warning",
});
symlinkSync(new URL("../../node_modules", import.meta.url), join(dirname(outfile), "node_modules"));
const {
  openSession,
  createLocalExecutor,
  createRunCatalog,
  resolveSpec,
  resolveMainPolicy,
  defineZodTool,
  newAgentId,
} = await import(outfile);

const fakeModel = {
  name: "fake:model",
  contextWindow: 200_000,
  maxOutputTokens: 8_192,
  takesImages: false,
  takesDocuments: false,
  hasWebSearch: false,
  send: async ({ messages }) => ({ ok: true, reply: wholeReply((messages.length + 1) / 2) }),
};

const forgets = () => ({ history: [], lastSeq: 0, append() {}, close() {} });

/**
 * `disk`: false, true for the settings' default, "never" for no fsync. `store`: instead of transcripts, such as one that forgets.
 * `within`: a folder that whoever gave it removes at the end. Removed at once, a thousand transcripts would make the files of the next
 * measurement up to ten times dearer: ext4 passes over the inodes of files that were removed a short while ago, one by one.
 */
export async function prepare({ url, disk = false, store = disk ? undefined : forgets, within }) {
  const folder = mkdtempSync(join(within ?? tmpdir(), "retinue-bench-"));
  if (!within) process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const lookupTool = defineZodTool({
    ...tool,
    readOnly: true,
    run: async (input) => ({ content: await lookup(input) }),
  });
  const env = {
    HOME: folder,
    CLAUDE_CONFIG_DIR: join(folder, ".claude"),
    ...(url ? { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: url } : {}),
  };
  const { session } = openSession({
    cwd: folder,
    verify: false,
    env,
    tools: [lookupTool],
    allowedTools: [tool.name],
    models: { "fake:model": fakeModel },
    ...(disk === "never" ? { settings: '{"retinue":{"transcripts":{"fsync":"never"}}}' } : {}),
  });
  const definition = {
    ...session.definitions().get("general-purpose"),
    tools: [tool.name],
    maxTurns: turns + 10,
  };
  const model = session.model(url ? "claude-sonnet-4-5" : "fake:model");
  const policy = { ...resolveMainPolicy(session, definition, { cwd: folder }), mainThread: false };
  const catalog = createRunCatalog(session, {
    runOf: () => undefined,
    tools: () => [],
    notices: () => [],
    children: undefined,
  });
  const executor = createLocalExecutor(store ? { ...catalog, store } : catalog);
  const { signal } = new AbortController();
  const runAgent = async () => {
    const spec = resolveSpec(session, definition, {
      agentId: newAgentId(),
      prompt,
      model: model.name,
      limits: { maxTurns: turns + 10 },
      isMain: false,
      place: { cwd: folder },
      policy,
      tools: [tool.name],
      mcpServers: [],
      contract: "none",
      background: false,
      system,
    });
    const outcome = await executor.execute(spec, { signal });
    if (outcome.state !== "completed") throw new Error(outcome.error);
    return outcome.content;
  };
  return Object.assign(runAgent, { folder });
}
