// What a run has said and been told, in memory while it lives: the evidence for its answer, without
// its transcript being read back. The messages are the loop's own, so that it holds little.
import type { JsonObject } from "../../base/data/json.ts";
import type { RecordedFact } from "../../events/event.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Message } from "../../model/message.ts";
import { masked, maskedOnce } from "../../transcripts/masked-json.ts";

const none: Record<string, JsonObject> = {};

export class RunRecord {
  readonly #messages: Message[] = [];
  /** Whether nothing secret was found when the message was written. */
  readonly #clean: boolean[] = [];
  /** What tools noted, by the place of the message with their results. */
  #toolFacts: Map<number, Record<string, JsonObject>> | undefined;

  /** `isClean`: the fact was searched for the session's secrets, and has none. */
  add(fact: RecordedFact, isClean = false): void {
    if (fact.type !== "message") return;
    const { message, toolFacts } = fact;
    if (toolFacts !== undefined && Object.keys(toolFacts).length > 0)
      (this.#toolFacts ??= new Map()).set(this.#messages.length, toolFacts);
    this.#messages.push(message);
    this.#clean.push(isClean);
  }

  /** As the lines of its transcript would be read, without secrets. */
  lines(
    { place: { cwd }, agentId, isMain }: Pick<RunSpec, "place" | "agentId" | "isMain">,
    secrets: readonly string[],
  ): Record<string, unknown>[] {
    const isSidechain = !isMain;
    return this.#messages.map((message, index) => {
      const toolFacts = this.#toolFacts?.get(index) ?? none;
      const { role: type } = message;
      return this.#clean[index]
        ? { type, message, cwd, agentId, isSidechain, toolFacts }
        : {
            type,
            message: masked(message, secrets),
            cwd,
            agentId,
            isSidechain,
            toolFacts: maskedOnce(toolFacts, secrets),
          };
    });
  }
}
