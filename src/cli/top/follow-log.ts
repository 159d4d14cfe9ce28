// The log of one run for `retinue top`: its lines as text, broken to the width of the screen, and
// more of them as the run goes on.
import { limits } from "../../base/limits.ts";
import { transcriptText } from "../../terminal/view/transcript-text.ts";
import { wrapText } from "../../terminal/screen/wrap-text.ts";
import { iterateLines } from "../../transcripts/reading/iterate-lines.ts";

export type FollowedLog = {
  /** All lines that there are by now; at another width they are broken anew. */
  read(width: number): Promise<readonly string[]>;
};

export function followLog(transcript: string): FollowedLog {
  let from = 0;
  let texts: string[] = [];
  return {
    async read(width) {
      for await (const { value, problem, end } of iterateLines(transcript, { from })) {
        // A line that is still being written is read at the next look.
        if (problem === "torn") break;
        from = end;
        // Without colours: lines are broken by what is seen of them.
        const text = value && transcriptText(value, { paint: (_style, own) => own });
        if (text !== undefined) texts.push(text);
      }
      texts = texts.slice(-limits.top.logLines);
      return texts.flatMap((text) => wrapText(text, width)).slice(-limits.top.logLines);
    },
  };
}
