// Who answers what an agent asks through AskUserQuestion: the person who is there, or whoever finds
// the question on disk.
import { writeWaitingLines } from "../../transcripts/waiting-lines.ts";
import type { RunHandle } from "../run/run-handle.ts";
import type { Answerer } from "../session/asker.ts";
import type { Session } from "../session/session.ts";
import { recordedAnswerer } from "./recorded-asker.ts";

/** In the background the questions wait on disk, where the settings say so. Undefined: nobody is there. */
export function answererOf(
  session: Session,
  { isBackground, spec: { agentId, agentType } }: RunHandle,
  toolUseId: string,
): Answerer | undefined {
  writeWaitingLines();
  if (!isBackground) return session.answer;
  if (session.background.ask !== "wait") return undefined;
  const place = {
    folder: session.paths.asks,
    secrets: session.secrets,
    waitMs: session.background.waitMs,
    // A question changes nothing: it may be asked again.
    onAsked: () => undefined,
  };
  return recordedAnswerer(place, { agentId, agentType, toolUseId });
}
