// Reads the lines of a stream as they arrive, in bounded memory: a line that is too long is
// reported by its number and skipped.
import { StringDecoder } from "node:string_decoder";

export type StreamLine = { number: number; text: string } | { number: number; tooLong: true };

/** Every line of `stream` without its `\n` or `\r\n`, also a last line without newline. */
export async function* readLines(
  stream: AsyncIterable<string | Uint8Array>,
  { maxCharacters }: { maxCharacters: number },
): AsyncGenerator<StreamLine> {
  const decoder = new StringDecoder("utf8");
  let number = 1;
  let rest = "";
  let skipping = false;
  const take = (text: string): StreamLine =>
    skipping || text.length > maxCharacters
      ? { number, tooLong: true }
      : { number, text: text.replace(/\r$/, "") };
  for await (const chunk of stream) {
    const pieces = (
      rest + (typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk)))
    ).split("\n");
    rest = pieces.pop()!;
    for (const piece of pieces) {
      yield take(piece);
      skipping = false;
      number++;
    }
    if (rest.length > maxCharacters) [rest, skipping] = ["", true];
  }
  rest += decoder.end();
  if (rest !== "" || skipping) yield take(rest);
}
