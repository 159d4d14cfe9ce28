// Ours through the front door: createManager().spawn, as a program calls it. `persist: false` keeps nothing; `report` asks for a report of twenty
// references by the Report tool, which is verified; `sentence` an answer that says something and is checked; without both it is "All done.", which
// claims nothing.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lookup, prompt, sources, system, tool, turns, wholeReply } from "./scenario.mjs";

const own = new URL("../../dist/app/index.js", import.meta.url).href;

const fakeModel = {
  name: "fake:model",
  contextWindow: 200_000,
  maxOutputTokens: 8_192,
  takesImages: false,
  takesDocuments: false,
  hasWebSearch: false,
  send: async ({ messages }) => ({ ok: true, reply: wholeReply((messages.length + 1) / 2) }),
};

/**
 * `library`: the built library of another commit instead of this one's.
 * `within`: a folder that whoever gave it removes at the end. Removed at once, a thousand transcripts would make the files of the next
 * measurement up to ten times dearer: ext4 passes over the inodes of files that were removed a short while ago, one by one.
 */
export async function prepare({ url, persist, report = false, fsync, library = own, within }) {
  const { createManager, defineTool } = await import(library);
  const folder = mkdtempSync(join(within ?? tmpdir(), "retinue-bench-"));
  if (!within) process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  for (const { path, quote } of sources) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), `// One part.\n${quote}\n`);
  }
  if (fsync !== undefined) {
    mkdirSync(join(folder, ".claude"));
    writeFileSync(
      join(folder, ".claude", "settings.json"),
      JSON.stringify({ retinue: { transcripts: { fsync } } }),
    );
  }
  const lookupTool = defineTool({
    ...tool,
    readOnly: true,
    run: async (input) => ({ content: await lookup(input) }),
  });
  const manager = createManager({
    cwd: project,
    env: {
      HOME: folder,
      CLAUDE_CONFIG_DIR: join(folder, ".claude"),
      ...(url ? { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: url } : {}),
    },
    watch: false,
    model: url ? "anthropic:claude-sonnet-4-5" : fakeModel,
    tools: [lookupTool],
    permissions: { allow: [tool.name] },
    contract: report ? "report" : "none",
    agents: {
      worker: {
        description: "looks things up",
        prompt: system,
        tools: [tool.name],
        maxTurns: turns + 10,
      },
    },
    limits: { maxConcurrent: 100_000, maxTurns: turns + 10 },
    ...(persist === undefined ? {} : { persist }),
  });
  const input = { description: "look up", prompt, subagent_type: "worker" };
  const runAgent = async () => {
    const { state, content, error, verification } = await manager.spawn(input).done;
    if (state !== "completed") throw new Error(error ?? state);
    const checked = verification?.checks.filter(({ verdict }) => verdict === "verified").length;
    if (report && !(checked >= sources.length))
      throw new Error(`${checked} of ${sources.length} references were verified`);
    return content;
  };
  return Object.assign(runAgent, { folder, manager });
}
