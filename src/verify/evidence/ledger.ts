// The evidence ledger: what a transcript proves about a run. Which lines of which file the agent
// was shown, which commands ran and how they ended, which files its tools wrote. The model cannot
// write it: only tool results count, and a call that was denied or failed proves nothing.
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { answeringTool, coordinationTools } from "../../base/tool-names.ts";
import { iterateLines } from "../../transcripts/reading/iterate-lines.ts";
import { spillDirOf } from "../../transcripts/paths.ts";
import { restoreSpilled } from "../../transcripts/spill.ts";
import type { RepositoryReader } from "../../source/reader.ts";
import { editsOf, failedToWrite, refusedWritesOf, type Edit, type RefusedWrite } from "./edits.ts";
import { commandFinder, commandRun, followBackground, type CommandRun } from "./command-runs.ts";
import { figureReader, type PrintedFigures } from "./printed-figures.ts";
import { finalReply, type FinalReply } from "./final-reply.ts";
import { shownFiles } from "./seen-files.ts";
import { placer } from "./placer.ts";
import { callReader, isStrange, type ToolCall } from "./tool-calls.ts";

/** A recorded run of a command; `proven` where its exit code is known to be its own. */
export type RanCommand = { run: CommandRun; proven: boolean };

/** What a transcript proves that the agent saw, ran and changed. */
export type Ledger = {
  /** The folder that its paths are relative to. */
  readonly root: string;
  /** Messages that were read; none at all is no transcript. */
  readonly messages: number;
  /** Calls that the model made, denied and failed ones included. */
  readonly toolUses: number;
  /**
   * Calls that did something: not denied, not failed, a command whatever its exit code. To-do lists
   * and questions are not among them.
   */
  readonly effectiveUses: number;
  readonly deniedCalls: number;
  readonly failedCalls: number;
  readonly edits: readonly Edit[];
  readonly commands: readonly CommandRun[];
  /** Calls of other servers' tools, which may have run something. */
  readonly toolRuns: readonly CommandRun[];
  /** Paths that a writing tool was asked to write and did not. */
  readonly refusedWrites: readonly string[];
  /** The same calls, with what they would have written. */
  readonly refusals: readonly RefusedWrite[];
  /** The first lines say that an earlier conversation, which is not here, goes on. */
  readonly isContinued: boolean;
  /** Numbers that were printed or given. */
  readonly figures: PrintedFigures;
  /** Pages and addresses that it looked at. */
  readonly fetches: number;
  /** A document or the history that the agent was shown has a line like this. */
  wasTold(test: (line: string) => boolean): boolean;
  /** Lines that hold calls of tools in a form that is not understood: what happened is not known. */
  readonly isUnderstood: boolean;
  /** Every one of these lines was shown under its number. Paths are relative to the root. */
  seen(path: string, lines: [number, number]): boolean;
  /** A line of this file with this text was shown. */
  showed(path: string, text: string): boolean;
  /** Every recorded run of the command, alone or as a link of a chain, in order. */
  ran(command: string): RanCommand[];
  /** The files as the agent saw them. */
  reader(): RepositoryReader;
  readonly seenPaths: readonly string[];
  /** The last thing the agent said. */
  readonly final: FinalReply;
  /** Calls of the agent's earlier lives: those before this run began. */
  readonly earlierCalls: number;
  /** Results of other agents that it was given: what they did is on their record, not on this one. */
  readonly delegations: number;
  /** Those that the runtime's own header calls contradicted, or less than done. */
  readonly failedAgents: number;
  /** Items of the agent's own list that it last left open. */
  readonly openTodos: number;
  /** It searched for this word, by Grep or by a command. */
  searched(word: string): boolean;
  /** More happened than is kept; what is missing counts as not done. */
  readonly truncated: boolean;
};

export type LedgerBuilder = { add(line: Record<string, unknown>): void; ledger(): Ledger };

/** `root`: the folder that a report's paths are relative to; `isKept`: the lines stay in memory anyway. */
type LedgerPlace = { root: string; isKept?: boolean };

export function ledgerBuilder({ root, isKept = false }: LedgerPlace): LedgerBuilder {
  const entries = noEntries(root, isKept);
  return { add: (line) => addLine(entries, line), ledger: () => asLedger(entries) };
}

type Entries = ReturnType<typeof noEntries>;

const noEntries = (root: string, isKept: boolean) => {
  const place = placer(root);
  return {
    ...noRecord(isKept),
    root,
    place,
    seen: shownFiles((path, cwd) => place.of(path, cwd), { isKept }),
  };
};

const noRecord = (isKept: boolean) => ({
  calls: callReader(),
  final: finalReply(isKept),
  numbers: figureReader(isKept),
  edits: [] as Edit[],
  commands: [] as CommandRun[],
  toolRuns: [] as CommandRun[],
  refused: [] as RefusedWrite[],
  background: new Map<string, CommandRun>(),
  searches: [] as string[],
  tally: {
    messages: 0,
    effective: 0,
    denied: 0,
    failed: 0,
    answered: 0,
    earlier: 0,
    openTodos: 0,
    delegations: 0,
    failedAgents: 0,
    truncated: false,
    strange: 0,
    fetches: 0,
    isContinued: false,
  },
});

function addLine(entries: Entries, line: Record<string, unknown>): void {
  const { place, calls, tally } = entries;
  place.notice(line);
  // Behind the first call that is understood no line puts the whole in doubt.
  if (calls.asked === 0 && isStrange(line)) tally.strange++;
  if (line["isCompactSummary"] === true && calls.asked === 0) tally.isContinued = true;
  if (line["type"] === "user" || line["type"] === "assistant") tally.messages++;
  if (line["type"] === "system" && line["subtype"] === "spawn") tally.earlier = tally.answered;
  entries.final.add(line);
  entries.numbers.add(line);
  for (const call of calls.take(line)) {
    tally.answered = call.order;
    // A report that was sent back is no failed piece of work.
    if (call.tool !== answeringTool) addCall(entries, call);
  }
}

function addCall(entries: Entries, call: ToolCall): void {
  const { tally, place } = entries;
  const run = commandRun(place.rebased(call));
  if (run) keep(entries, run.tool === "Bash" ? entries.commands : entries.toolRuns, [run]);
  if (call.tool === "WebFetch" || call.tool.startsWith("mcp__")) tally.fetches++;
  followBackground(call, run, entries.background);
  addWrites(entries, call, run);
  if (call.isError && !run) tally[isDenial(call) ? "denied" : "failed"]++;
  else if (!coordinationTools.has(call.tool)) tally.effective++;
  const { pattern } = call.input;
  if (call.tool === "Grep" && !call.isError && typeof pattern === "string")
    keep(entries, entries.searches, [pattern.slice(0, 400)]);
  if (!call.isError) countedTools.get(call.tool)?.(tally, call);
  entries.seen.take(call);
}

function keep<T>({ tally }: Entries, list: T[], items: readonly T[]): void {
  if (list.length + items.length > limits.verify.ledgerEntries) tally.truncated = true;
  else if (items.length > 0) list.push(...items);
}

function addWrites(entries: Entries, call: ToolCall, run: CommandRun | null): void {
  const written = editsOf(call);
  if (written.length === 0 && !call.isError) return;
  const pathOf = (path: string): string => entries.place.of(path, call.cwd);
  const placed = <T extends { path: string }>(one: T): T => ({ ...one, path: pathOf(one.path) });
  const edits = written.map(placed);
  if (call.isError) keep(entries, entries.refused, refusedWritesOf(call, edits).map(placed));
  const isMade = ({ path }: Edit): boolean =>
    !call.isError || (run !== null && !failedToWrite(run, path));
  keep(entries, entries.edits, edits.filter(isMade));
}

const countAgent = (tally: Entries["tally"], { output }: ToolCall): void => {
  tally.delegations++;
  if (failedHeader.test(output)) tally.failedAgents++;
};

/** What a call of these says beside that it was made. */
const countedTools = new Map<string, (tally: Entries["tally"], call: ToolCall) => void>([
  ["TodoWrite", (tally, { input }) => void (tally.openTodos = openItems(input["todos"]))],
  ["Agent", countAgent],
  ["TaskOutput", countAgent],
  ["SendMessage", countAgent],
]);

function asLedger({ root, calls, seen, commands, searches, tally, ...entries }: Entries): Ledger {
  return {
    root,
    messages: tally.messages,
    toolUses: calls.asked,
    effectiveUses: tally.effective,
    deniedCalls: tally.denied,
    failedCalls: tally.failed,
    edits: entries.edits,
    commands,
    toolRuns: entries.toolRuns,
    refusedWrites: entries.refused.map(({ path }) => path),
    refusals: entries.refused,
    wasTold: (test) =>
      seen.some((line, path) => isDocument.test(path) && test(line)) ||
      commands.some(
        ({ command, output }) => isHistory.test(command) && output.split("\n").some(test),
      ),
    isContinued: tally.isContinued,
    fetches: tally.fetches,
    figures: entries.numbers.figures,
    isUnderstood: tally.strange === 0 || calls.asked > 0,
    seen: (path, [first, last]) =>
      first >= 1 &&
      last >= first &&
      last - first < 100_000 &&
      Array.from({ length: last - first + 1 }, (_, index) => first + index).every((number) =>
        seen.has(path, number),
      ),
    showed: (path, text) => seen.showed(path, text),
    ran: (command) => ranIn(commands, command),
    reader: () => seen.reader(),
    get seenPaths() {
      return seen.paths();
    },
    get final() {
      return entries.final.reply();
    },
    earlierCalls: tally.earlier,
    openTodos: tally.openTodos,
    delegations: tally.delegations,
    failedAgents: tally.failedAgents,
    searched: (word) =>
      searches.some((pattern) => pattern.includes(word)) ||
      commands.some(
        ({ command }) => /\b(?:grep|rg|ag|ack)\b/.test(command) && command.includes(word),
      ),
    truncated: tally.truncated,
  };
}

/** The ledger of lines that are in memory. */
export function ledgerOf(
  lines: Iterable<Record<string, unknown>>,
  options: { root: string },
): Ledger {
  const builder = ledgerBuilder({ ...options, isKept: true });
  for (const line of lines) builder.add(line);
  return builder.ledger();
}

/**
 * Reads from a transcript what the agent saw, ran and changed. The ledger of a transcript on disk.
 * Throws only when the file cannot be read, or is no transcript.
 */
export async function readLedger(transcript: string, options: { root: string }): Promise<Ledger> {
  const builder = ledgerBuilder(options);
  const allowance = { bytes: limits.transcript.spillBytes };
  for await (const { value } of iterateLines(transcript)) {
    if (!value) continue;
    restoreSpilled(value, spillDirOf(transcript), allowance);
    builder.add(value);
  }
  const ledger = builder.ledger();
  if (ledger.messages === 0)
    throw new Error(`${transcript} is no transcript: it has no message of a conversation`);
  return ledger;
}

const isDocument = /\.(?:md|mdx|rst|adoc)$/i;
const looksBack = String.raw`git(?:\s+-\S+\s+\S+)*\s+(?:log|show|blame)`;
const looksAtHost = String.raw`gh\s+\w+\s+(?:view|list|checks)|glab\s+\w+\s+view`;
const isHistory = new RegExp(
  String.raw`^\s*(?:cd\s+\S+\s*&&\s*)?(?:${looksBack}|${looksAtHost})\b`,
);

/** The runtime's lines before a report; what poses as one inside of it was made harmless. */
const failedHeader =
  /^\[retinue\] (?:trust CONTRADICTED|outcome (?:PARTIAL|BLOCKED|FAILED|INVALID))\b/m;

const openItems = (todos: unknown): number =>
  Array.isArray(todos)
    ? todos.filter((item) => isObject(item) && item["status"] !== "completed").length
    : 0;

function ranIn(commands: readonly CommandRun[], command: string): RanCommand[] {
  const foundBy = (find: ReturnType<typeof commandFinder>): RanCommand[] =>
    commands.flatMap((run) => {
      const found = find(run);
      return found ? [{ run, ...found }] : [];
    });
  const found = foundBy(commandFinder(command));
  return found.length > 0 ? found : foundBy(commandFinder(command, true));
}

const isDenial = ({ output }: ToolCall): boolean =>
  /permission|denied|not allowed|rejected|doesn't want to proceed|blocked by/i.test(
    output.slice(0, 300),
  );
