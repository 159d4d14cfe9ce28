// Keeps every step of a run in a journal, so that a run whose process died is executed again from
// the start and repeats nothing: replies, judgements, answers, calls with their hooks and endings
// come from the journal, with the facts and the times they had.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Fact } from "../events/event.ts";
import {
  isDetached,
  type FinishedCall,
  type LoopPorts,
  type RequestedCall,
} from "../loop/ports.ts";
import { toolUsesOf } from "../model/message.ts";
import type { ModelResult } from "../model/model.ts";
import { errorResult, type Tool } from "../tool/tool.ts";
import { interruptedText } from "../transcripts/reading/normalize-messages.ts";
import type { RunHooks, RunLog, RunStore } from "./catalog.ts";
import type { StepJournal, KeptStep } from "./step-journal.ts";
import type { Keeping } from "./keeping.ts";

const unwritten: RunLog = { record: () => undefined, signal: () => undefined };

/**
 * Where the facts of the step that is under way are collected. One for all runs: Node 20 walks
 * through all such storages at every promise.
 */
const stepFacts = new AsyncLocalStorage<Fact[]>();

/** One run over its journal. While steps come from it nothing stops the run; then it is live. */
export class DurableRun implements Keeping {
  readonly #journal: StepJournal;
  readonly #ending = new AbortController();
  /** Which process let a call through, by the key of its step. */
  readonly #attempts = new Map<string, string>();
  /** Calls that stand in a reply without its secrets. */
  readonly #masked = new Set<string>();
  readonly #counts = new Map<string, number>();
  #log: RunLog = unwritten;
  #hooks: RunHooks | undefined;
  #outer: AbortSignal | undefined;
  #isLive = false;
  /** How many steps are being done now, and the end that the run has been told. */
  #working = 0;
  #told: { reason: unknown } | undefined;
  #time: number | undefined;
  /** The newest memory that was kept or put back, and how many there were. */
  #memory = { count: 0, text: "" };
  /** How far the facts have come, and how far they stand on disk. */
  #seq = 0;
  #written = 0;

  constructor(journal: StepJournal) {
    this.#journal = journal;
  }

  now(): number {
    return this.#time ?? Date.now();
  }

  readonly step = async <T>(key: string, work: () => T | Promise<T>): Promise<T> => {
    let isNew = false;
    const kept = await this.#journal.once(key, async () => {
      isNew = true;
      this.#goLive(key);
      return this.#do(work);
    });
    // Steps may end side by side: time goes on all the same.
    this.#time = Math.max(this.#time ?? 0, kept.at);
    if (key.startsWith("gate/") || key.startsWith("ask/")) this.#attempts.set(key, kept.attempt);
    if (!isNew) this.#replay(kept);
    for (const fact of kept.facts ?? []) this.#log.record(fact);
    return kept.value;
  };

  async open(store: RunStore): Promise<RunStore> {
    this.#written = store.lastSeq;
    const { history, usedIds, unbegun, lastSeq } = await this.step("open", () => ({
      history: store.history,
      usedIds: [...(store.usedIds ?? [])],
      ...(store.unbegun ? { unbegun: [...store.unbegun] } : {}),
      lastSeq: store.lastSeq,
    }));
    this.#seq = lastSeq;
    return {
      history,
      usedIds: new Set(usedIds),
      ...(unbegun ? { unbegun: new Set(unbegun) } : {}),
      lastSeq,
      // A replay says the same facts again; only those that no process got to write are new.
      append: (fact) => {
        if (fact.seq > this.#written) store.append(fact);
        this.#seq = fact.seq;
      },
      close: (how) => store.close(how),
    };
  }

  log(log: RunLog): RunLog {
    this.#log = log;
    const record = (fact: Fact): void => {
      const facts = stepFacts.getStore();
      if (facts) facts.push(fact);
      else log.record(fact);
    };
    return { record, signal: log.signal };
  }

  /** What they have in mind now is kept with the next step, before any call. */
  begin(hooks: RunHooks | undefined): void {
    this.#hooks = hooks;
  }

  signal(outer: AbortSignal): AbortSignal {
    this.#outer = outer;
    if (this.#isLive) this.#listen(outer);
    return this.#ending.signal;
  }

  ports(ports: LoopPorts): LoopPorts {
    return {
      ...ports,
      now: () => this.now(),
      send: (request, call) => this.#numbered("reply", () => ports.send(request, call)),
      keepCall: (tool, call, work) => this.#call(tool, call, work),
      ...(ports.hooks ? { hooks: this.#steppedHooks(ports.hooks) } : {}),
    };
  }

  async close(how: "over" | "goes on"): Promise<void> {
    await this.#journal.close(how);
  }

  async #do<T>(work: () => T | Promise<T>): Promise<KeptStep<T>> {
    const facts: Fact[] = [];
    this.#working += 1;
    this.#hearEnd();
    let value: T;
    try {
      value = await stepFacts.run(facts, work);
    } finally {
      this.#working -= 1;
    }
    // A process that lets go of the run keeps nothing that it has cut off.
    if (this.#outer && isDetached(this.#outer)) throw new Error("the run was let go");
    const memory = this.#newMemory();
    const { aborted, reason } = this.#ending.signal;
    return {
      value,
      at: Math.max(Date.now(), this.#time ?? 0),
      attempt: this.#journal.attempt,
      ...(facts.length > 0 ? { facts } : {}),
      ...(memory ? { memory } : {}),
      ...(aborted ? { aborted: String(reason) } : {}),
    };
  }

  #newMemory(): KeptStep["memory"] {
    const kept = this.#hooks?.memory?.();
    const text = kept && JSON.stringify(kept);
    if (!kept || text === undefined || text === this.#memory.text) return undefined;
    this.#memory = { count: this.#memory.count + 1, text };
    return { count: this.#memory.count, kept };
  }

  #replay({ memory, aborted, value, isMasked }: KeptStep): void {
    // Steps that ran side by side are not replayed in the order in which they ended.
    if (memory && memory.count > this.#memory.count) {
      this.#memory = { count: memory.count, text: JSON.stringify(memory.kept) };
      this.#hooks?.remember?.(memory.kept);
    }
    if (aborted !== undefined) this.#ending.abort(aborted);
    if (isMasked) for (const id of callsIn(value)) this.#masked.add(id);
  }

  /** The first step that no process has kept: from here on the world is heard again. */
  #goLive(key: string): void {
    if (this.#isLive) return;
    if (key !== "open" && this.#seq < this.#written)
      throw new Error(
        "its journal ends before its transcript and was dropped: resume it once more, and it goes " +
          "on from its transcript",
      );
    this.#isLive = true;
    if (this.#outer) this.#listen(this.#outer);
  }

  #listen(outer: AbortSignal): void {
    const tell = (): void => {
      this.#told = { reason: outer.reason };
      this.#hearEnd();
    };
    if (outer.aborted) tell();
    else outer.addEventListener("abort", tell, { once: true });
  }

  /** Only in a step, which keeps it: whoever goes on hears the end at the same place. */
  #hearEnd(): void {
    if (this.#told && this.#working > 0) this.#ending.abort(this.#told.reason);
  }

  #numbered<T>(kind: string, work: () => T | Promise<T>): Promise<T> {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return this.step(`${kind}/${count}`, work);
  }

  /** A call and the hooks after it are one step. */
  async #call(
    tool: Tool,
    call: RequestedCall,
    work: () => Promise<FinishedCall>,
  ): Promise<FinishedCall> {
    let isNew = false;
    const done = await this.step(`tool/${call.toolUseId}`, () => {
      isNew = true;
      return this.#mayHaveBegun(tool, call) ? this.#interrupted(call) : work();
    });
    if (isNew) return done;
    try {
      await tool.recall?.(call.input, done.result);
    } catch {
      // What a tool cannot recall it says itself when it is called again.
    }
    this.#hooks?.recallTool?.(call, done.result);
    return done;
  }

  /**
   * Another process let the call through and kept no result of it: it may have run there. So a tool
   * that changes something runs at most once, and one that only reads at least once.
   */
  #mayHaveBegun(tool: Tool, { toolUseId, input }: RequestedCall): boolean {
    if (this.#masked.has(toolUseId)) return true;
    if (tool.canContinue?.(input)) return false;
    const admittedBy =
      this.#attempts.get(`ask/${toolUseId}`) ?? this.#attempts.get(`gate/${toolUseId}`);
    return !tool.readOnly && admittedBy !== this.#journal.attempt;
  }

  #interrupted({ toolUseId }: RequestedCall): FinishedCall {
    stepFacts.getStore()?.push({ type: "interruption", toolUseIds: [toolUseId] });
    return { result: errorResult(interruptedText) };
  }

  #steppedHooks(hooks: NonNullable<LoopPorts["hooks"]>): NonNullable<LoopPorts["hooks"]> {
    return {
      withheld: () => hooks.withheld?.(),
      ended: () => hooks.ended?.(),
      // A run leaves for another process from where it is, not from where it was.
      isMoving: () =>
        this.#journal.isFull?.() === true || (this.#isLive && (hooks.isMoving?.() ?? false)),
      afterTool: (call, result) => hooks.afterTool?.(call, result),
      inbox: () => this.#numbered("mail", () => hooks.inbox?.() ?? []),
      gateAnswer: (signal) => this.#numbered("answer", () => hooks.gateAnswer?.(signal)),
      beforeEnd: (...at) => this.#numbered("end", () => hooks.beforeEnd?.(...at)),
      beforeCompact: (trigger) => this.#numbered("compact", () => hooks.beforeCompact?.(trigger)),
      afterCompact: (...at) => this.#numbered("compacted", () => hooks.afterCompact?.(...at)),
    };
  }
}

const callsIn = (value: unknown): string[] => {
  const result = value as Partial<ModelResult> | null;
  return result?.ok === true && "reply" in result && result.reply
    ? toolUsesOf(result.reply.content).map(({ id }) => id)
    : [];
};
