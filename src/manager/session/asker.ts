// Asking a person: what is asked, what can be answered, and what "always" means for the rest of a
// session.
import { isObject } from "../../base/data/json.ts";
import type { RequestedCall } from "../../loop/ports.ts";

/** What `ask` is called with: a tool call that the rules leave open. */
export type PermissionQuestion = {
  agentId: string;
  agentType: string;
  toolUseId: string;
  tool: string;
  input: Record<string, unknown>;
  /** Why it has to be asked. */
  reason: string;
  rule?: string;
  /** The commands and paths of the call, each with what the rules say about it. */
  parts: QuestionPart[];
  /** Where the call's path really leads, if that is another place. */
  leadsTo?: string;
  /** Allow rules that would answer this question, widest first; each offer is taken whole. */
  offers: string[][];
  /** Before a run in the background: any of the offers can be approved, for that run alone. */
  isUpFront?: true;
};

export type QuestionPart = { part: string; behavior: "allow" | "ask" | "deny"; reason: string };

/**
 * The answer of `ask`. `session`: the same call is not asked about again in this session. `always`: what these rules
 * cover is not asked again, in this session or (`local`) in all sessions of the project. The reason
 * of a no is told to the agent.
 */
export type PermissionAnswer =
  | "once"
  | "session"
  | "no"
  | { answer: "no"; because: string; /** Nobody answered in time. */ by?: "deadline" }
  | { answer: "always"; rules: string[]; keep: "session" | "local" };

/** Decides about a tool call that the rules leave open, usually by asking a person. */
export type Asker = (
  question: PermissionQuestion,
  signal: AbortSignal,
) => Promise<PermissionAnswer>;

/** Nobody is there: what would be asked is denied. */
export const nobodyToAsk = undefined;

/** One question that an agent asks a person through AskUserQuestion. */
export type UserQuestion = {
  question: string;
  header?: string | undefined;
  options?: { label: string; description?: string | undefined }[] | undefined;
  multiSelect?: boolean | undefined;
};

/**
 * Puts questions of an agent to a person: one answer each, in words; undefined when the person does
 * not answer.
 */
export type Answerer = (
  questions: readonly UserQuestion[],
  signal: AbortSignal,
) => Promise<string[] | undefined>;

/**
 * What was answered with "always", for one session: in memory here, where several processes run one
 * session behind a promise.
 */
export type Approvals = {
  has(call: RequestedCall): boolean | Promise<boolean>;
  /** Told of the same answer once more by every process that goes on with the run. */
  add(call: RequestedCall): void;
  /** Allow rules that hold from now on: in this session, or in all sessions of the project. */
  allow(rules: readonly string[], keep: "session" | "local"): void;
  /** Only grows. */ rules(): readonly string[];
  /** To take along into another process. */ all(): string[];
};

/** Where no rule can be kept beyond the session. */
export const notSaved = (): void => undefined;

const rulePrefix = "rule ";

/** `save` writes rules down for all sessions of the project. */
export function createApprovals(
  earlier: readonly string[] = [],
  save: (rules: readonly string[]) => void = notSaved,
): Approvals {
  const approved = new Set(earlier.filter((text) => !text.startsWith(rulePrefix)));
  const rules = earlier
    .filter((text) => text.startsWith(rulePrefix))
    .map((text) => text.slice(rulePrefix.length));
  return {
    has: (call) => approved.has(sameThing(call)),
    add: (call) => void approved.add(sameThing(call)),
    allow(given, keep) {
      rules.push(...given.filter((rule) => !rules.includes(rule)));
      if (keep === "local") save(given);
    },
    rules: () => rules,
    all: () => [...approved, ...rules.map((rule) => rulePrefix + rule)],
  };
}

/**
 * Edits of one file are the same thing whatever they change; everything else only with the very
 * same input, down to its last field.
 */
function sameThing({ tool, input }: RequestedCall): string {
  const path = tool === "Edit" || tool === "Write" ? input["file_path"] : undefined;
  if (typeof path === "string") return `edit ${path}`;
  // Of a command or an agent it is a label; of another tool it may be what the call does.
  const { description: _label, ...rest } = input;
  return `${tool} ${JSON.stringify(tool === "Bash" || tool === "Agent" ? rest : input, inOrder)}`;
}

/** The same fields in another order are the same input, at any depth. */
const inOrder = (_key: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
