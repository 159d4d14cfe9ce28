// List prices in USD per million tokens, by family. A model without a row has no price: its cost is
// unknown, not wrong.
import type { Price, Usage } from "./model.ts";

type Row = { pattern: RegExp; price: Price };

const anthropic = (input: number, output: number, cacheRead = input / 10): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite: input * 1.25,
});
/**
 * Reading the cache is cheaper by the given factor; writing it costs as much as reading the prompt.
 */
const openai = (input: number, output: number, cacheRead: number): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite: input,
});

const haiku55: Price = {
  ...anthropic(0.1, 0.5),
  longPrompt: { overTokens: 100_000, ...anthropic(0.5, 2.5) },
};

/**
 * Matches exactly this version: a longer version is another model, but a date or a word such as
 * `latest` is not.
 */
const claude = (version: string): RegExp => new RegExp(`claude-${version}(?!\\d|-\\d{1,2}(?!\\d))`);

/** The first matching row counts, so narrower patterns stand first. */
const rows: readonly Row[] = [
  { pattern: claude("(fable|mythos)-5(-1)?"), price: anthropic(10, 50) },
  { pattern: claude("opus-5-5"), price: anthropic(4, 20, 0.2) },
  { pattern: claude("opus-(5|4-[5-8])"), price: anthropic(5, 25) },
  { pattern: claude("(opus-4(-[01])?|3-opus)"), price: anthropic(15, 75) },
  { pattern: claude("sonnet-5(-5)?"), price: anthropic(2, 10) },
  { pattern: claude("(sonnet-4(-[056])?|3-[57]-sonnet)"), price: anthropic(3, 15) },
  { pattern: claude("haiku-5-5"), price: haiku55 },
  { pattern: claude("haiku-4-5"), price: anthropic(1, 5) },
  { pattern: claude("3-5-haiku"), price: anthropic(0.8, 4) },
  { pattern: claude("3-haiku"), price: anthropic(0.25, 1.25) },
  { pattern: /^gpt-6-sol/, price: { ...openai(2, 10, 0.2), cacheWrite: 2.5 } },
  { pattern: /^gpt-6-luna/, price: { ...openai(0.1, 0.5, 0.01), cacheWrite: 0.125 } },
  { pattern: /^gpt-5\.4-mini/, price: openai(0.75, 4.5, 0.075) },
  { pattern: /^gpt-5\.4(?!-(nano|pro))/, price: openai(2.5, 15, 0.25) },
  { pattern: /^gpt-5(\.1)?-mini/, price: openai(0.25, 2, 0.025) },
  { pattern: /^gpt-5-nano/, price: openai(0.05, 0.4, 0.005) },
  { pattern: /^gpt-5(\.1)?(?![.\w]|-(pro|mini|nano))/, price: openai(1.25, 10, 0.125) },
  { pattern: /^gpt-4\.1-mini/, price: openai(0.4, 1.6, 0.1) },
  { pattern: /^gpt-4\.1-nano/, price: openai(0.1, 0.4, 0.025) },
  { pattern: /^gpt-4\.1/, price: openai(2, 8, 0.5) },
  { pattern: /^gpt-4o-mini/, price: openai(0.15, 0.6, 0.075) },
  { pattern: /^gpt-4o/, price: openai(2.5, 10, 1.25) },
  { pattern: /^o4-mini/, price: openai(1.1, 4.4, 0.275) },
  { pattern: /^o3(?!-(mini|pro|deep))/, price: openai(2, 8, 0.5) },
  {
    pattern: /^gemini-2\.5-pro/,
    price: {
      ...openai(1.25, 10, 0.125),
      longPrompt: { overTokens: 200_000, ...openai(2.5, 15, 0.25) },
    },
  },
  { pattern: /^gemini-2\.5-flash-lite/, price: openai(0.1, 0.4, 0.01) },
  { pattern: /^gemini-2\.5-flash/, price: openai(0.3, 2.5, 0.03) },
];

/**
 * The list price of a model id; undefined if it is unknown. A model on this machine costs nothing.
 */
export function priceOf(id: string, provider?: string): Price | undefined {
  if (provider === "ollama") return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const name = id.toLowerCase().replace(/^.*\//, "");
  return rows.find((row) => row.pattern.test(name))?.price;
}

/**
 * The cost of one reply; null if the price is unknown. Add the costs of replies, not their usage:
 * long prompts may have other prices.
 */
export function costUsd(usage: Usage, price: Price | undefined): number | null {
  if (!price) return null;
  const prompt =
    usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  const rate = price.longPrompt && prompt > price.longPrompt.overTokens ? price.longPrompt : price;
  const micro =
    usage.input_tokens * rate.input +
    usage.output_tokens * rate.output +
    usage.cache_read_input_tokens * rate.cacheRead +
    usage.cache_creation_input_tokens * rate.cacheWrite;
  return micro / 1_000_000;
}
