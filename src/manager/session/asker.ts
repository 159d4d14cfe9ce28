// Asking a person: what is asked, what can be answered, and what "always" means for the rest of a
// session.
import { isObject } from "../../base/data/json.ts";
import type { RequestedCall } from "../../loop/ports.ts";

export type PermissionQuestion = {
  agentId: string;
  agentType: string;
  tool: string;
  input: Record<string, unknown>;
  /** Why it has to be asked. */
  reason: string;
  rule?: string;
};

/** `session`: the same thing is not asked again in this session. */
export type PermissionAnswer = "once" | "session" | "no";

/** Asks a person. */
export type Asker = (
  question: PermissionQuestion,
  signal: AbortSignal,
) => Promise<PermissionAnswer>;

/** Nobody is there: what would be asked is denied. */
export const nobodyToAsk = undefined;

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

/** What was answered with "always": kept in memory, for one session. */
export type Approvals = {
  has(call: RequestedCall): boolean;
  add(call: RequestedCall): void;
  /** To take along into another process. */ all(): string[];
};

export function createApprovals(earlier: readonly string[] = []): Approvals {
  const approved = new Set(earlier);
  return {
    has: (call) => approved.has(sameThing(call)),
    add: (call) => void approved.add(sameThing(call)),
    all: () => [...approved],
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
