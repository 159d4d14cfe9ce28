// Every default number of the system, in one place. docs/limits.md is made from this file.

export const limits = {
  run: { maxConcurrent: 10, maxTurns: 50, timeoutMs: 1_800_000, idleTimeoutMs: 120_000, maxToolCallsPerReply: 64, repeatedFailures: 5 },
  read: { lines: 2_000, lineCharacters: 2_000, fileBytes: 50 * 1024 * 1024, mediaBytes: 5 * 1024 * 1024 },
  write: { fileBytes: 50 * 1024 * 1024 },
  bash: { timeoutMs: 120_000, maxTimeoutMs: 600_000, outputCharacters: 30_000, spillBytes: 10 * 1024 * 1024, graceMs: 500 },
  grep: { lines: 250, lineCharacters: 1_000, timeoutMs: 30_000 },
  glob: { files: 1_000 },
  webFetch: { bytes: 5 * 1024 * 1024, timeoutMs: 30_000, redirects: 5 },
  mcp: { resultTokens: 25_000, timeoutMs: 60_000, connectTimeoutMs: 15_000 },
  hook: { timeoutMs: 60_000, outputBytes: 1024 * 1024 },
  model: { retries: 6, retryBudgetMs: 300_000, connectTimeoutMs: 15_000, replyTimeoutMs: 600_000, maxRetryAfterMs: 60_000 },
  report: { tokens: 2_000, summaryTokens: 500 },
  transcript: { lineBytes: 256 * 1024, cleanupDays: 30 },
  output: { bytes: 10 * 1024 * 1024, resultCharacters: 32_000 },
  memory: { lines: 200, bytes: 25 * 1024 },
  definition: { bytes: 64 * 1024, keys: 200 },
  shell: { characters: 10_000, commands: 50 },
  verify: { fileBytes: 1024 * 1024, reportBytes: 4 * 1024 * 1024 },
  compactionPercent: 95,
  prompt: { bytes: 4 * 1024 * 1024 },
} as const;
