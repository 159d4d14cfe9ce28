// A mock provider that answers every request with one sentence.
import { startMockProvider } from "../../dist/testing/index.js";

const provider = await startMockProvider({ reply: () => "The answer is in src/index.ts." });
process.on("disconnect", () => process.exit(0));
process.send({ url: provider.url });
