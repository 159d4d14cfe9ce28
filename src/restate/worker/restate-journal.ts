// The steps of one run in the engine's journal: each is one operation, in the order in which the
// run asks for them. Mail and answers come in through promises of the run; a question is told in
// one step and answered in another, and in between a run may hold nothing at all.
import type { RestatePromise } from "@restatedev/restate-sdk";
import { errorText } from "../../base/errors.ts";
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import type { KeptStep, StepJournal } from "../../executors/step-journal.ts";
import type { HeldRun } from "../../executors/executor.ts";
import { answersResult } from "../../manager/agents/tools/ask-user-question-tool.ts";
import type { UserQuestion } from "../../manager/session/asker.ts";
import type { ToolResult } from "../../tool/tool.ts";
import { isTexts } from "../run-job.ts";
import { untilDone } from "../store/chunk-upload.ts";
import type { StepSpill } from "../store/step-spill.ts";
import type { Pump } from "./pump.ts";

/** A question that waits for its answer stands in place of the answer. */
export type AwaitedQuestion = { "retinue:asked": JsonObject };

export const awaitedQuestion = (question: object): AwaitedQuestion => ({
  "retinue:asked": question as JsonObject,
});

/** What the journal uses of the engine. */
export type EngineContext = {
  run<T>(name: string, action: () => Promise<T>): RestatePromise<T>;
  promise<T>(name: string): { get(): RestatePromise<T>; peek(): Promise<T | undefined> };
  set(name: string, value: unknown): void;
  clear(name: string): void;
};

export type JournalParts = {
  context: EngineContext;
  pump: Pump;
  spill: StepSpill;
  attempt: string;
  /** An error that the engine does not try again. */
  terminal: (message: string) => Error;
  /** Shows a question to whoever watches the run; undefined: it is answered. */
  show: (toolUseId: string, question: object | undefined) => void;
};

/** For the names of promises that others resolve. */
export const mailName = (number: number): string => `mail-${number}`;
export const answerName = (toolUseId: string): string => `answer-${toolUseId}`;
export const stopName = "stop";

export class RestateJournal implements StepJournal {
  readonly attempt: string;
  readonly #parts: JournalParts;
  readonly #began = performance.now();
  /** Set when the run is there: mail goes to it. */
  held: HeldRun | undefined;
  #mail = 0;
  #turns = 0;
  #bytes = 0;
  #waitedMs = 0;
  #askedAt: number | undefined;
  #replayMs: number | undefined;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.attempt = parts.attempt;
    this.#listen();
  }

  readonly once = <T>(key: string, work: () => Promise<KeptStep<T>>): Promise<KeptStep<T>> => {
    if (key.startsWith("ask/")) return this.#ask(key.slice("ask/".length), work);
    if (key.startsWith("tool/")) return this.#call(key.slice("tool/".length), work);
    if (key.startsWith("mail/") && key !== "mail/1") return this.#mailOnly() as never;
    if (key.startsWith("mail/")) return this.#withMail(key, { work, mail: this.#heardMail() });
    // One that ends has to look: a letter may be on its way.
    if (key.startsWith("end/")) return this.#withMail(key, { work, mail: this.#newMail() });
    if (key.startsWith("reply/")) this.#turns += 1;
    return this.#step(key, work);
  };

  close(): void {}

  /** By what is kept alone: whoever goes on comes to the same end. */
  isFull(): boolean {
    return this.#turns >= limits.restate.turns || this.#bytes >= limits.restate.journalBytes;
  }

  /** What people took for their answers, and what a replay takes, is no time of the run. */
  askedMs(): number {
    const asking = this.#askedAt === undefined ? 0 : Date.now() - this.#askedAt;
    const replay = this.#replayMs ?? performance.now() - this.#began + 1;
    return this.#waitedMs + asking + replay;
  }

  async #step<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { context, pump, spill, terminal } = this.#parts;
    const kept = await pump.wait(
      context.run(key, async () => {
        this.#replayMs ??= performance.now() - this.#began;
        let value: T;
        try {
          value = await work();
        } catch (error) {
          throw terminal(errorText(error));
        }
        return packed(spill, value);
      }),
    );
    // Spilled ones count as what stands for them.
    this.#bytes += JSON.stringify(kept)?.length ?? 0;
    return spill.unpack(kept);
  }

  #listen(): void {
    const { context, pump } = this.#parts;
    pump.listen(context.promise<string>(mailName(this.#mail + 1)).get());
  }

  /** Messages that have come since the last look. */
  async #newMail(): Promise<string[]> {
    const { context, pump } = this.#parts;
    const texts: string[] = [];
    for (;;) {
      const looked = context.promise<string>(mailName(this.#mail + 1)).peek();
      const text = await pump.wait(looked as RestatePromise<string | undefined>);
      if (text === undefined) break;
      this.#mail += 1;
      texts.push(text);
    }
    if (texts.length > 0) this.#listen();
    return texts;
  }

  /** Looks only where a letter has been heard of: a look at each turn would be one of four round trips. */
  async #heardMail(): Promise<string[]> {
    return this.#parts.pump.hasMail ? this.#newMail() : [];
  }

  /** After an agent's first turn its inbox holds nothing but mail. */
  async #mailOnly(): Promise<KeptStep<string[]>> {
    return { value: await this.#heardMail(), at: 0, attempt: this.attempt };
  }

  /** Handed to the run before the step reads them. */
  async #withMail<T>(
    key: string,
    { work, mail }: { work: () => Promise<KeptStep<T>>; mail: Promise<string[]> },
  ): Promise<KeptStep<T>> {
    for (const text of await mail) this.held?.receive(text);
    let isNew = false;
    const kept = await this.#step(key, () => ((isNew = true), work()));
    // The step that is kept has read them.
    if (!isNew) this.held?.takeMessages();
    return kept;
  }

  async #ask<T>(toolUseId: string, work: () => Promise<KeptStep<T>>): Promise<KeptStep<T>> {
    const told = await this.#step(`tell/${toolUseId}`, work);
    const question = questionIn(isObject(told.value) ? told.value["said"] : undefined);
    if (!question) return told;
    const answered = await this.#answer({ toolUseId, question, at: told.at });
    return { ...told, ...answered, value: answered.value as T };
  }

  /** A call that asks the person gives a question in place of its result. */
  async #call<T>(toolUseId: string, work: () => Promise<KeptStep<T>>): Promise<KeptStep<T>> {
    const told = await this.#step(`tool/${toolUseId}`, work);
    const { result } = told.value as { result?: ToolResult };
    const question = questionIn(result?.facts);
    if (!question) return told;
    const answered = await this.#answer({ toolUseId, question, at: told.at });
    const { questions } = question as { questions: UserQuestion[] };
    const answers = isObject(answered.value) ? answered.value["said"] : undefined;
    const said = answersResult(questions, isTexts(answers) ? answers : undefined);
    return { ...told, ...answered, value: { ...told.value, result: said } };
  }

  async #answer({ toolUseId, question, at: askedAt }: Told): Promise<KeptStep> {
    const { context, pump, show } = this.#parts;
    this.#askedAt = askedAt;
    context.set("asking", { toolUseId, question });
    show(toolUseId, question);
    const answer = await pump.waitUntilEnd(context.promise<unknown>(answerName(toolUseId)).get());
    // Which of answer and stop was first is kept too.
    const kept = await this.#step<KeptStep>(`answered/${toolUseId}`, async () => ({
      value: answer ? { said: answer.came } : { failed: "the run was stopped" },
      at: Math.max(Date.now(), askedAt),
      attempt: this.attempt,
    }));
    context.clear("asking");
    show(toolUseId, undefined);
    this.#waitedMs += kept.at - askedAt;
    this.#askedAt = undefined;
    return kept;
  }
}

type Told = { toolUseId: string; question: object; at: number };

/** A step that was done is never done again because the store is down: it waits for the store. */
async function packed<T>(
  spill: StepSpill,
  value: T,
): Promise<Awaited<ReturnType<typeof spill.pack<T>>>> {
  let result!: Awaited<ReturnType<typeof spill.pack<T>>>;
  await untilDone(
    async () => void (result = await spill.pack(value)),
    () => undefined,
    () => false,
  );
  return result;
}

function questionIn(value: unknown): object | undefined {
  const question = isObject(value) ? value["retinue:asked"] : undefined;
  return isObject(question) ? question : undefined;
}
