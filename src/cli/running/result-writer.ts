// Results on their way into a file: every byte is written, or it is known that it was not. Node
// takes a short write, as a full disk gives it, for a whole one.
import { fstatSync, writeSync } from "node:fs";
import { errorText } from "../../base/errors.ts";

export type ResultWriter = {
  write: (text: string) => void;
  /** Why something is missing in the file. */ failure: () => string | undefined;
};

/** After a failure nothing more is written: what came later would stand behind half a line. */
export function resultWriter(fd: number): ResultWriter {
  let failure: string | undefined;
  const write = (text: string): void => {
    if (failure !== undefined) return;
    try {
      writeWhole(fd, Buffer.from(text));
    } catch (error) {
      failure = errorText(error);
    }
  };
  return { write, failure: () => failure };
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}

/**
 * Not for terminals, pipes and sockets: streams of Node's write everything there, and tell of a
 * reader that is gone.
 */
export function isFileOrDevice({ fd, isTTY }: { fd: number; isTTY?: boolean }): boolean {
  const facts = fstatSync(fd);
  return !isTTY && (facts.isFile() || facts.isCharacterDevice());
}
