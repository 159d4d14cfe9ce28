// The output file of a run that may go to the background later: its lines are remembered until then, and written from then on.
import type { RunEvent } from "../../events/event.ts";
import { openOutputFile, outputLine, type OutputFile } from "./output-file.ts";

export type LateOutput = Pick<OutputFile, "path" | "onEvent" | "end" | "close"> & {
  /** The file begins, with what there is so far. */ begin(): void;
};

/** More than this is in the transcript anyway. */
const rememberedCharacters = 1024 * 1024;

export function lateOutput(path: string, secrets: readonly string[]): LateOutput {
  let file: OutputFile | undefined;
  let lines: string[] = [];
  let characters = 0;
  const remember = (event: RunEvent): void => {
    const line = outputLine(event);
    if (line === undefined) return;
    lines.push(line);
    characters += line.length;
    while (characters > rememberedCharacters && lines.length > 1)
      characters -= lines.shift()!.length;
  };
  return {
    path,
    onEvent: (event) => (file ? file.onEvent(event) : remember(event)),
    begin() {
      if (file) return;
      file = openOutputFile(path, secrets);
      if (lines.length > 0) file.write(lines.join("\n"));
      lines = [];
    },
    end: (outcome, agentId) => file?.end(outcome, agentId),
    close: () => file?.close(),
  };
}
