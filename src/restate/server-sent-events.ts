// The texts of a stream of server-sent events, as they come. Parsed by hand out of the chunks: the
// chain of web streams for it costs several times more.
import { createParser } from "eventsource-parser";

export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let came: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void came.push(data) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    const texts = came;
    came = [];
    yield* texts;
  }
}
