import { expect, test } from "vitest";
import { readLines, type StreamLine } from "./read-lines.ts";

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  for (const part of parts) yield await Promise.resolve(part);
}

async function collect(
  stream: AsyncIterable<string | Uint8Array>,
  maxCharacters = 10,
): Promise<StreamLine[]> {
  const lines: StreamLine[] = [];
  for await (const line of readLines(stream, { maxCharacters })) lines.push(line);
  return lines;
}

test("joins lines over chunks, also inside a character, and keeps a last line without newline", async () => {
  const umlaut = Buffer.from("ü");
  expect(await collect(chunks("a\r\nb", "c\n", umlaut.subarray(0, 1), umlaut.subarray(1)))).toEqual(
    [
      { number: 1, text: "a" },
      { number: 2, text: "bc" },
      { number: 3, text: "ü" },
    ],
  );
});

test("passes over a line that is too long without holding it, and goes on", async () => {
  expect(await collect(chunks("x".repeat(8), "x".repeat(8), "x".repeat(8), "\nok\n"))).toEqual([
    { number: 1, tooLong: true },
    { number: 2, text: "ok" },
  ]);
  expect(await collect(chunks("x".repeat(20)))).toEqual([{ number: 1, tooLong: true }]);
});
