// `describe` for tests that need the engine: under CI a missing one is an error, elsewhere the tests
// say that they are skipped, and why.
import { describe } from "vitest";
import { restateBinary } from "./restate-server.ts";

export const hasEngine = (what: string): boolean => {
  if (restateBinary() !== undefined) return true;
  if (process.env["CI"] === "true")
    throw new Error(`${what}: under CI the engine (restate-server) must be installed`);
  console.log(
    `skipped: ${what} (restate-server is not installed; \`npm test\` does it on Linux with x64)`,
  );
  return false;
};

export const withEngine = (what: string, tests: () => void): void => {
  describe.skipIf(!hasEngine(what))(what, tests);
};
