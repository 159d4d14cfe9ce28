// The evidence ledger: what a transcript proves about a run. Which lines of which file the agent was shown, which commands ran and how they ended,
// which files its tools wrote. The model cannot write it: only tool results count, and a call that was denied or failed proves nothing.
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { answeringTool, coordinationTools } from "../../base/tool-names.ts";
import { analyseCommand } from "../../permissions/shell/reading/analyse-command.ts";
import { iterateLines } from "../../transcripts/reading/iterate-lines.ts";
import { spillDirOf } from "../../transcripts/paths.ts";
import { restoreSpilled } from "../../transcripts/spill.ts";
import type { RepositoryReader } from "../../source/reader.ts";
import { commandFinder, commandRun, followBackground, type CommandRun } from "./command-runs.ts";
import { figureReader, type PrintedFigures } from "./printed-figures.ts";
import { finalReply, type FinalReply } from "./final-reply.ts";
import { seenFiles } from "./seen-files.ts";
import { shownLines } from "./shown-lines.ts";
import { placer } from "./placer.ts";
import { callReader, isStrange, type ToolCall } from "./tool-calls.ts";

/** A file that a tool of the run wrote; `command` where Bash did. */
export type Edit = {
  order: number;
  path: string;
  action: "create" | "modify" | "delete";
  by: string;
  /** The words before and after, where the tool was told them. */
  change: { from: string; to: string } | null;
};

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
  /** Calls that did something: not denied, not failed, a command whatever its exit code. To-do lists and questions are not among them. */
  readonly effectiveUses: number;
  readonly deniedCalls: number;
  readonly failedCalls: number;
  readonly edits: readonly Edit[];
  readonly commands: readonly CommandRun[];
  /** Calls of other servers' tools, which may have run something. */
  readonly toolRuns: readonly CommandRun[];
  /** Paths that a writing tool was asked to write and did not. */
  readonly refusedWrites: readonly string[];
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

/** `root`: the folder that a report's paths are relative to. */
export function ledgerBuilder({ root }: { root: string }): LedgerBuilder {
  const calls = callReader();
  const seen = seenFiles();
  const final = finalReply();
  const numbers = figureReader();
  const edits: Edit[] = [];
  const commands: CommandRun[] = [];
  const toolRuns: CommandRun[] = [];
  const refused: string[] = [];
  const background = new Map<string, CommandRun>();
  const searches: string[] = [];
  const tally = {
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
  };
  const place = placer(root);
  const keep = <T>(list: T[], items: readonly T[]): void => {
    if (list.length + items.length > limits.verify.ledgerEntries) tally.truncated = true;
    else list.push(...items);
  };
  return {
    add(line) {
      place.notice(line);
      if (isStrange(line)) tally.strange++;
      if (line["isCompactSummary"] === true && calls.asked === 0) tally.isContinued = true;
      if (line["type"] === "user" || line["type"] === "assistant") tally.messages++;
      if (line["type"] === "system" && line["subtype"] === "spawn") tally.earlier = tally.answered;
      final.add(line);
      numbers.add(line);
      for (const call of calls.take(line)) {
        tally.answered = call.order;
        // A report that was sent back is no failed piece of work.
        if (call.tool === answeringTool) continue;
        const run = commandRun(place.rebased(call));
        if (run) keep(run.tool === "Bash" ? commands : toolRuns, [run]);
        if (call.tool === "WebFetch" || call.tool.startsWith("mcp__")) tally.fetches++;
        followBackground(call, run, background);
        if (call.isError)
          keep(
            refused,
            editsOf(call).map(({ path }) => place.of(path, call.cwd)),
          );
        if (call.isError && !run) tally[isDenial(call) ? "denied" : "failed"]++;
        else if (!coordinationTools.has(call.tool)) tally.effective++;
        if (call.tool === "Grep" && !call.isError && typeof call.input["pattern"] === "string")
          keep(searches, [call.input["pattern"].slice(0, 400)]);
        if (call.tool === "TodoWrite" && !call.isError)
          tally.openTodos = openItems(call.input["todos"]);
        if (delegating.has(call.tool) && !call.isError) {
          tally.delegations++;
          if (failedHeader.test(call.output)) tally.failedAgents++;
        }
        for (const { path, line: number, text } of shownLines(call))
          seen.add(place.of(path, call.cwd), number, text);
        if (!call.isError || run)
          keep(
            edits,
            editsOf(call).map(({ path, ...rest }) => ({ ...rest, path: place.of(path, call.cwd) })),
          );
      }
    },
    ledger: () => ({
      root,
      messages: tally.messages,
      toolUses: calls.asked,
      effectiveUses: tally.effective,
      deniedCalls: tally.denied,
      failedCalls: tally.failed,
      edits,
      commands,
      toolRuns,
      refusedWrites: refused,
      wasTold: (test) =>
        seen.some((line, path) => isDocument.test(path) && test(line)) ||
        commands.some(
          ({ command, output }) => isHistory.test(command) && output.split("\n").some(test),
        ),
      isContinued: tally.isContinued,
      fetches: tally.fetches,
      figures: numbers.figures,
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
      final: final.reply(),
      earlierCalls: tally.earlier,
      openTodos: tally.openTodos,
      delegations: tally.delegations,
      failedAgents: tally.failedAgents,
      searched: (word) =>
        [
          ...searches,
          ...commands.flatMap(({ command }) =>
            /\b(?:grep|rg|ag|ack)\b/.test(command) ? [command] : [],
          ),
        ].some((pattern) => pattern.includes(word)),
      truncated: tally.truncated,
    }),
  };
}

/** The ledger of lines that are in memory. */
export function ledgerOf(
  lines: Iterable<Record<string, unknown>>,
  options: { root: string },
): Ledger {
  const builder = ledgerBuilder(options);
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
const isHistory =
  /^\s*(?:cd\s+\S+\s*&&\s*)?(?:git(?:\s+-\S+\s+\S+)*\s+(?:log|show|blame)|gh\s+\w+\s+(?:view|list|checks)|glab\s+\w+\s+view)\b/;

const delegating: ReadonlySet<string> = new Set(["Agent", "TaskOutput", "SendMessage"]);
/** The runtime's lines before a report; what poses as one inside of it was made harmless. */
const failedHeader =
  /^\[retinue\] (?:trust CONTRADICTED|outcome (?:PARTIAL|BLOCKED|FAILED|INVALID))\b/m;

const openItems = (todos: unknown): number =>
  Array.isArray(todos)
    ? todos.filter((item) => isObject(item) && item["status"] !== "completed").length
    : 0;

function ranIn(commands: readonly CommandRun[], command: string): RanCommand[] {
  const find = commandFinder(command);
  return commands.flatMap((run) => {
    const found = find(run);
    return found ? [{ run, ...found }] : [];
  });
}

const isDenial = ({ output }: ToolCall): boolean =>
  /permission|denied|not allowed|rejected|doesn't want to proceed|blocked by/i.test(
    output.slice(0, 300),
  );

function editsOf({ order, tool, input, facts, cwd, output }: ToolCall): Edit[] {
  if (tool === "Bash")
    return typeof input["command"] === "string"
      ? commandEdits(input["command"], order, cwd ?? "/")
      : [];
  if (!["Write", "Edit", "MultiEdit", "NotebookEdit"].includes(tool)) return [];
  const path = [facts["path"], facts["filePath"], input["file_path"], input["notebook_path"]].find(
    (value) => typeof value === "string",
  );
  // A Write that nobody said more about may have created the file: doubt is no accusation.
  const created =
    facts["created"] === true ||
    facts["type"] === "create" ||
    (tool === "Write" &&
      facts["created"] === undefined &&
      facts["type"] === undefined &&
      !/\b(?:updated|overwr[io]t)/i.test(output.slice(0, 500)));
  return path === undefined
    ? []
    : [{ order, path, action: created ? "create" : "modify", by: tool, change: changeOf(input) }];
}

const changeOf = ({ old_string: from, new_string: to }: Record<string, unknown>): Edit["change"] =>
  typeof from === "string" && typeof to === "string"
    ? { from: from.slice(0, 4_000), to: to.slice(0, 4_000) }
    : null;

/** Files that a command names as written or removed; `sed -i`, `mv`, redirections. What it does inside stays unknown. */
function commandEdits(command: string, order: number, cwd: string): Edit[] {
  const { accesses } = analyseCommand(command, { cwd, home: "/" });
  return accesses.flatMap(({ kind, path }): Edit[] =>
    (kind === "write" || kind === "delete") && path !== null && !path.startsWith("/dev/")
      ? [{ order, path, action: kind === "delete" ? "delete" : "modify", by: "Bash", change: null }]
      : [],
  );
}
