// Context window and longest output by family. Unknown models get generous values, because
// compaction handles a real overflow.

export type ContextWindow = { contextWindow: number; maxOutputTokens: number };

const rows: readonly (readonly [RegExp, number, number])[] = [
  [/claude-(fable|mythos|opus|sonnet|haiku)-[5-9]/, 1_000_000, 128_000],
  [/claude-(opus-4-[6-9]|sonnet-4-6)/, 200_000, 128_000],
  [/claude-(opus-4-5|sonnet-4|haiku-4-5|3-7-sonnet)/, 200_000, 64_000],
  [/claude-opus-4/, 200_000, 32_000],
  [/claude-3-5/, 200_000, 8_192],
  [/claude-3-/, 200_000, 4_096],
  [/claude/, 200_000, 32_000],
  [/^gpt-6/, 400_000, 128_000],
  [/^gpt-5/, 400_000, 128_000],
  [/^gpt-4\.1/, 1_000_000, 32_768],
  [/^gpt-4o/, 128_000, 16_384],
  [/^gpt-4-turbo/, 128_000, 4_096],
  [/^gpt-4/, 8_192, 4_096],
  [/^gpt-3\.5/, 16_385, 4_096],
  [/^o\d/, 200_000, 100_000],
  [/^gemini/, 1_000_000, 65_536],
];

const unknown: ContextWindow = { contextWindow: 128_000, maxOutputTokens: 16_384 };

export function windowOf(id: string): ContextWindow {
  const name = id.toLowerCase().replace(/^.*\//, "");
  const row = rows.find(([pattern]) => pattern.test(name));
  return row ? { contextWindow: row[1], maxOutputTokens: row[2] } : unknown;
}
