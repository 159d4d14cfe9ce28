// Some gateways say `100 Continue` before their answer although nobody asked them. undici takes it
// for a broken answer, so it is taken out of what a socket reads, where an answer begins.
import type { Socket } from "node:net";

const informational = Buffer.from("HTTP/1.1 100");
const headEnd = "\r\n\r\n";
/** A longer head is no `100 Continue`. */
const longestHead = 16 * 1024;

/** One request at a time goes over the socket: what is read first after a write is a head. */
export function skipContinue(socket: Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const read = socket.read.bind(socket);
  let isHead = false;
  let held: Buffer | undefined;
  socket.write = (...args: unknown[]) => {
    isHead = true;
    return write(...args);
  };
  socket.read = (size?: number): unknown => {
    const chunk = read(size) as Buffer | null;
    if (!isHead || chunk === null) return chunk;
    const bytes = held ? Buffer.concat([held, chunk]) : chunk;
    held = undefined;
    const compared = Math.min(bytes.length, informational.length);
    const isSkipped = bytes.compare(informational, 0, compared, 0, compared) === 0;
    const end = isSkipped ? bytes.indexOf(headEnd) : -1;
    if (isSkipped && end < 0 && bytes.length < longestHead) {
      held = bytes;
      return socket.read();
    }
    if (end < 0) {
      isHead = false;
      return bytes;
    }
    const rest = bytes.subarray(end + headEnd.length);
    if (rest.length > 0) socket.unshift(rest);
    return socket.read();
  };
}
