// A program with one agent that nobody listens to. It kills itself with SIGKILL at the step that it is told, and notes
// every effect of its one tool that changes something, in the moment in which it happens.
import { appendFileSync } from "node:fs";
import { createManager, defineTool } from "../../dist/app/index.js";

const [folder, sessionId, agentId, killAt] = process.argv.slice(2);
let step = 0;
const passed = (name) => {
  step += 1;
  if (step === Number(killAt)) {
    appendFileSync(`${folder}/killed`, `${name}\n`);
    process.kill(process.pid, "SIGKILL");
  }
};

const calls = ["look", "look", "change", "look", "change", "look"];
const model = {
  name: "fake:model",
  contextWindow: 200_000,
  maxOutputTokens: 8_192,
  takesImages: false,
  takesDocuments: false,
  hasWebSearch: false,
  async send({ messages }) {
    passed("model");
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const name = calls[turn];
    return {
      ok: true,
      reply: {
        id: `msg_${turn}`,
        model: "fake",
        content: name
          ? [{ type: "tool_use", id: `toolu_${turn}`, name, input: { key: `k${turn}` } }]
          : [{ type: "text", text: "All done." }],
        stop_reason: name ? "tool_use" : "end_turn",
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    };
  },
};
const input = { type: "object", properties: { key: { type: "string" } }, required: ["key"] };
const tool = (name, readOnly) =>
  defineTool({
    name,
    description: name,
    input,
    readOnly,
    run: async (_, { toolUseId }) => {
      passed(`${name} begins ${toolUseId}`);
      if (!readOnly) appendFileSync(`${folder}/effects`, `${toolUseId}\n`);
      passed(`${name} has run ${toolUseId}`);
      return { content: "done" };
    },
  });

const manager = createManager({
  cwd: folder,
  sessionId,
  env: { HOME: folder, CLAUDE_CONFIG_DIR: `${folder}/.claude` },
  watch: false,
  model,
  tools: [tool("look", true), tool("change", false)],
  permissions: { allow: ["look", "change"] },
  contract: "none",
  agents: { worker: { description: "works", prompt: "work", tools: ["look", "change"] } },
});
const run = agentId
  ? manager.resume(agentId, "go on")
  : manager.spawn({ description: "work", prompt: "go", subagent_type: "worker" });
const { state, error, transcript } = await run.done;
await manager.close();
console.log(JSON.stringify({ state, error, transcript, steps: step }));
