import { delimiter } from "node:path";
import { defineConfig } from "vitest/config";

// Tests kill programs at any moment. A version manager's shim that dies so may leave a lock behind that every later start of the program waits for.
const path = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !/\.pyenv[\\/]|[\\/]shims$/.test(folder))
  .join(delimiter);

/** Real machines, stores and whole stories: each in a process of its own. */
const alone = ["test/**/*.test.ts", "examples/**/*.test.ts", "src/restate/**/*.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Real processes on a busy machine: in CI a test that fails gets one more try, and `npm test` names those that needed it.
    retry: process.env["CI"] === "true" ? 1 : 0,
    pool: "forks",
    // Most tests wait for processes: three at a time even on two cores.
    maxWorkers: 3,
    env: { NO_COLOR: "1", PATH: path },
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["src/**/*.test.ts", "scripts/**/*.test.mjs"],
          exclude: alone,
          // Loading the code anew for each file took a quarter of the time of all of them.
          isolate: false,
        },
      },
      { extends: true, test: { name: "stories", include: alone, exclude: [] } },
    ],
  },
});
