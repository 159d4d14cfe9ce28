// The mock provider in a process of its own: the scenario over both wire protocols.
import { startMockProvider } from "../../dist/testing/index.js";
import { replyOf } from "./scenario.mjs";

const provider = await startMockProvider({
  reply({ body }) {
    const { text, call } = replyOf(
      body.messages.filter(({ role }) => role === "assistant").length + 1,
    );
    return {
      text: text.join(""),
      ...(call ? { tools: [{ name: call.name, id: call.id, rawInput: call.input.join("") }] } : {}),
    };
  },
});
process.on("disconnect", () => process.exit(0));
process.send({ url: provider.url });
