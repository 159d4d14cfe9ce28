// Splits a server's stdout into JSON-RPC messages. Other text is skipped, and an endless line never
// needs more memory than the cap.

export type MessageLines = { push(chunk: Buffer): void };

export type LineHandlers = {
  maxBytes: number;
  onLine: (line: string) => void;
  /** A line over the cap: its beginning, its end and its length. */
  onOversize: (line: OversizeMessage) => void;
};

export type OversizeMessage = { head: string; tail: string; bytes: number };

const headBytes = 64 * 1024;
const tailBytes = 4 * 1024;

export function createMessageLines({ maxBytes, onLine, onOversize }: LineHandlers): MessageLines {
  let parts: Buffer[] = [];
  let bytes = 0;
  let over: { head: Buffer; tail: Buffer } | undefined;

  const keep = (part: Buffer): void => {
    bytes += part.length;
    if (over) over.tail = lastBytes(over.tail, part);
    else if (bytes <= maxBytes) parts.push(part);
    else {
      const all = Buffer.concat([...parts, part]);
      over = {
        head: Buffer.from(all.subarray(0, headBytes)),
        tail: lastBytes(Buffer.alloc(0), all),
      };
      parts = [];
    }
  };
  const finish = (): void => {
    if (over)
      onOversize({ head: over.head.toString("utf8"), tail: over.tail.toString("utf8"), bytes });
    else if (bytes > 0) onLine(Buffer.concat(parts).toString("utf8"));
    parts = [];
    bytes = 0;
    over = undefined;
  };
  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        keep(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
  };
}

function lastBytes(tail: Buffer, part: Buffer): Buffer {
  if (part.length >= tailBytes) return Buffer.from(part.subarray(part.length - tailBytes));
  return Buffer.concat([tail.subarray(Math.max(0, tail.length + part.length - tailBytes)), part]);
}

/**
 * An answer in place of one that was too long: the beginning of its text, marked as cut; undefined
 * if the line answers no request.
 */
export function shortenedAnswer({
  head,
  tail,
  bytes,
}: OversizeMessage):
  | { jsonrpc: "2.0"; id: number; result: { content: { type: "text"; text: string }[] } }
  | undefined {
  const id =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*[,}]/.exec(head)?.[1] ??
    /"id"\s*:\s*(\d{1,15})\s*\}\s*$/.exec(tail)?.[1];
  if (id === undefined) return undefined;
  const note = `[cut: the server's answer was ${bytes} bytes]`;
  return {
    jsonrpc: "2.0",
    id: Number(id),
    result: { content: [{ type: "text", text: `${firstText(head)}\n${note}`.trim() }] },
  };
}

function firstText(head: string): string {
  const written = /"text"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(head)?.[1];
  if (written === undefined) return "";
  try {
    return String(JSON.parse(`"${written.replace(/\\u[0-9a-fA-F]{0,3}$/, "")}"`));
  } catch {
    return "";
  }
}
