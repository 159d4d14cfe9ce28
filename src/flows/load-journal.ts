// Reads a flow's journal back: whole lines count, a torn last one had not been acknowledged, a
// damaged one is named and left as it is.
import { readFileSync, statSync } from "node:fs";
import * as z from "zod";
import { RetinueError } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import type { VerifiedReport } from "../contract/aggregate/verified-report.ts";
import { axes, type Decision } from "../contract/axes.ts";
import { blockerSchema, errorDetailsSchema } from "../contract/failure.ts";
import { grades } from "../contract/grades.ts";
import { requirements } from "../contract/trust/requirement.ts";
import type { PhaseRecord } from "../patterns/flow.ts";
import { permissionModes } from "../permissions/mode.ts";
import type { FlowHeader } from "./journal.ts";

export type LoadedJournal = {
  header: FlowHeader;
  /**
   * In their order. Of a parallel flow that had come to its end only what passed: the rest is to
   * be run again.
   */
  entries: PhaseRecord[];
  /** By task id. */
  reports: ReadonlyMap<string, VerifiedReport>;
  answers: string[];
  /** All that were ever asked, and those that its last life ended with. */
  questions: { asked: string[]; open: string[] };
  /** The number of the last line. */
  lines: number;
  isTorn: boolean;
  /** How its last life ended; undefined while one runs, and for one that was cut short. */
  end: Decision | undefined;
  /** What is wrong with the file, in sentences. */
  problems: string[];
};

const words = z.array(z.string());
const grade = z.enum(grades);
const findingSchema = z.object({
  id: z.string(),
  title: z.string(),
  category: z.string(),
  severity: z.enum(axes.severities).nullable(),
  confidence: z.number().nullable(),
  grade,
  path: z.string().nullable(),
  lines: z.tuple([z.number(), z.number()]).nullable(),
  line_text: z.string(),
  symbol: z.string().nullable(),
});
const reportSchema = z.object({
  task_id: z.string(),
  agent_id: z.string(),
  agent_type: z.string(),
  model: z.string().nullable(),
  required: z.boolean(),
  outcome: z.enum(axes.outcomes),
  decision: z.enum(axes.decisions),
  trust: z.enum(axes.trusts),
  findings: z.array(findingSchema),
  assertions: z.array(z.object({ subject: z.string(), verdict: z.enum(["PASS", "FAIL"]), grade })),
  tests: z.object({ passed: z.number(), failed: z.number() }).nullable(),
  issues: words,
});
const recordSchema = z.object({
  seq: z.number().int(),
  phase: z.string(),
  agent: z.string(),
  task_id: z.string(),
  run_ids: words,
  status: z.enum(["done", "failed", "skipped"]),
  decision: z.enum(axes.decisions),
  context_summary: z.string(),
  files: words,
  issues: words.default([]),
  findings: z.record(z.string(), z.unknown()).exactOptional(),
  blockers: z.array(blockerSchema).exactOptional(),
  error: errorDetailsSchema.exactOptional(),
  questions: words.exactOptional(),
  overridden: z
    .object({
      claimed: z.enum(axes.decisions),
      why: z.string(),
      failed_checks: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  warned: z.string().exactOptional(),
  outcome: z.enum(axes.outcomes),
  trust: z.enum(axes.trusts),
  choice: z.string().exactOptional(),
  verifies: z.string().exactOptional(),
  report: reportSchema.exactOptional(),
  context_tokens: z.number().exactOptional(),
});
const lineSchema = z.union([
  recordSchema,
  z.object({ seq: z.number().int(), answers: words }),
  z.object({
    seq: z.number().int(),
    end: z.enum(axes.decisions),
    questions: words.exactOptional(),
  }),
]);
type Line = z.output<typeof lineSchema>;

const phaseSchema = z.object({
  name: z.string(),
  agent: z.string(),
  instructions: z.string(),
  expected_output: z.enum(["structured_findings", "files_changed", "validation_result"]),
  required: z.boolean(),
  repairs: z.string().exactOptional(),
  require: z.enum(requirements).exactOptional(),
});
const headerSchema = z.object({
  type: z.literal("retinue_flow"),
  version: z.literal(1),
  flowId: z.string(),
  sessionId: z.string(),
  pattern: z.enum(["sequence", "parallel", "branch"]),
  task: z.object({
    feature: z.string(),
    spec_path: z.string().nullable().exactOptional(),
    relevant_files: words.exactOptional(),
    constraints: words.exactOptional(),
  }),
  phases: z.array(phaseSchema),
  cwd: z.string(),
  model: z.string().nullable(),
  secondLooks: z.number().exactOptional(),
  begun: z
    .object({
      mode: z.enum(permissionModes),
      kept: z.object({
        cliAgents: z.unknown().exactOptional(),
        settings: z.string().exactOptional(),
        mcpConfigs: words.exactOptional(),
        pluginDirs: words.exactOptional(),
        addDirs: words.exactOptional(),
      }),
      withheld: z.record(z.string(), z.string()),
      allowedTools: words,
      disallowedTools: words,
      askRules: words,
    })
    .exactOptional(),
  at: z.string().exactOptional(),
});

/** Throws where there is no flow to go on with; the file is never changed. */
export function loadJournal(path: string): LoadedJournal {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new RetinueError("unknown_task", `there is no flow at ${path}`);
  const text = readFileSync(path, "utf8");
  const [first, ...rest] = text.split("\n");
  const header = headerSchema.safeParse(parsed(first ?? ""));
  if (!header.success)
    throw new RetinueError(
      "config",
      `${path} cannot be continued: its first line ${headerProblem(first ?? "")}. It is ` +
        "left as it is; start the flow anew. What its agents did stands in their transcripts " +
        "beside it.",
    );
  const { lines, torn, lost } = readLines(rest);
  return {
    header: header.data,
    entries: finishedIn(lines, header.data.pattern),
    reports: new Map(
      lines.flatMap((line) =>
        "phase" in line && line.report ? [[line.task_id, line.report]] : [],
      ),
    ),
    answers: lines.flatMap((line) => ("answers" in line ? line.answers : [])),
    questions: questionsIn(lines),
    lines: [...lines.map(({ seq }) => seq), ...lost].reduce((most, seq) => Math.max(most, seq), 0),
    isTorn: !text.endsWith("\n"),
    end: endOf(lines),
    problems: [
      ...lost.map((seq) => `line ${seq} of the journal ${path} is damaged and was left as it is`),
      ...(torn === "" ? [] : [tornProblem(torn, path)]),
    ],
  };
}

/** `torn` is empty or the text of a line that was not written whole; `lost` are numbers of damaged lines. */
function readLines(rest: readonly string[]): { lines: Line[]; torn: string; lost: number[] } {
  const whole = rest.slice(0, -1);
  const read = whole.map((line) => lineSchema.safeParse(parsed(line)));
  const lines = read.flatMap((line) => (line.success ? [line.data] : []));
  // A damaged last line that is whole was acknowledged: it has a number, and the next one must not
  // take it.
  const endsDamaged = whole.length > 0 && !read.at(-1)!.success && whole.at(-1)!.endsWith("}");
  // Torn just now, or closed by a life that died before it wrote anything else.
  const torn = rest.at(-1) || (endsDamaged || read.at(-1)?.success ? "" : (whole.at(-1) ?? ""));
  return {
    lines,
    torn,
    lost: [...gapsIn(lines), ...(endsDamaged ? [(lines.at(-1)?.seq ?? 0) + 1] : [])],
  };
}

/**
 * A line that was torn in the middle of its writing gives its number to the next one; a gap means
 * that an acknowledged line cannot be read.
 */
function gapsIn(lines: readonly Line[]): number[] {
  const gaps: number[] = [];
  let expected = 1;
  for (const { seq } of lines) {
    while (expected < seq && gaps.length < 20) gaps.push(expected++);
    expected = seq + 1;
  }
  return gaps;
}

/** What a torn line was to record has no number and is done again. */
function tornProblem(line: string, path: string): string {
  const phase = /"phase":"([\w-]{1,60})"/.exec(line)?.[1];
  return (
    `the last line of the journal ${path} is not whole (${line.length} characters) and ` +
    "does not " +
    `count${phase === undefined ? "" : `: the phase "${phase}" was not on record and runs again`}`
  );
}

function endOf(lines: readonly Line[]): Decision | undefined {
  const last = lines.at(-1);
  return last && "end" in last ? last.end : undefined;
}

/** A journal whose end names no questions has them in its phases. */
function questionsIn(lines: readonly Line[]): LoadedJournal["questions"] {
  const asked = lines.flatMap((line) =>
    "questions" in line && line.questions ? [line.questions] : [],
  );
  return { asked: [...new Set(asked.flat())], open: asked.at(-1) ?? [] };
}

function finishedIn(lines: readonly Line[], pattern: FlowHeader["pattern"]): PhaseRecord[] {
  let entries: PhaseRecord[] = [];
  for (const line of lines) {
    if ("end" in line && pattern === "parallel")
      entries = entries.filter(
        ({ status, decision }) => status === "done" && decision === "PROCEED",
      );
    if (!("phase" in line)) continue;
    const { seq: _number, report: _report, ...entry } = line;
    entries.push(entry);
  }
  return entries;
}

function headerProblem(line: string): string {
  const value = parsed(line);
  if (!isObject(value)) return "is torn or damaged";
  return value["type"] === "retinue_flow" && value["version"] !== 1
    ? `is of version ${String(value["version"]).slice(0, 20)}, and this program reads version 1`
    : "is no header of a flow";
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
