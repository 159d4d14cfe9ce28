import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts", "scripts/**/*.test.mjs"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    env: { NO_COLOR: "1" },
  },
});
