// The events that hooks can listen to, what each event's matcher is compared with, and the JSON
// that a hook reads.
import type { Json, JsonObject } from "../base/data/json.ts";

export const hookEvents = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "Notification",
  "SubagentStart",
  "SubagentStop",
  "Stop",
  "PreCompact",
  "PostCompact",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
] as const;

/** When a hook is called. */
export type HookEvent = (typeof hookEvents)[number];

const known: ReadonlySet<string> = new Set(hookEvents);

export const isHookEvent = (name: string): name is HookEvent => known.has(name);

/**
 * Events whose hooks can block. After a tool has run, "block" means that the model is told the
 * reason.
 */
export const blockingEvents: ReadonlySet<HookEvent> = new Set([
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "SubagentStop",
  "Stop",
  "PreCompact",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
]);

/** Events about one tool call: their matchers name tools. */
export const toolEvents: ReadonlySet<HookEvent> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
]);

/** Events for which plain text on a hook's stdout is context for the model, as in Claude Code. */
export const textIsContext: ReadonlySet<HookEvent> = new Set(["SessionStart", "UserPromptSubmit"]);

/** What every event reports: where the hook fired, and for which agent. */
export type HookFacts = {
  sessionId: string;
  transcriptPath: string;
  cwd: string;
  permissionMode: string;
  /** Absent on the main thread. */
  agentId?: string;
  agentType?: string;
};

type ToolFields = { tool_name: string; tool_input: unknown; tool_use_id: string };

/**
 * What an event adds to the common facts; wire names, because hooks written for Claude Code read
 * them.
 */
export type HookFields = {
  SessionStart: { source: "startup" | "resume" | "clear" | "compact"; model?: string };
  SessionEnd: { reason: string };
  UserPromptSubmit: { prompt: string };
  PreToolUse: ToolFields;
  PostToolUse: ToolFields & { tool_response: unknown };
  PostToolUseFailure: ToolFields & { error: string; is_interrupt?: boolean };
  PermissionRequest: { tool_name: string; tool_input: unknown; tool_use_id?: string };
  Notification: { message: string; title?: string; notification_type: string };
  SubagentStart: { agent_type?: string };
  SubagentStop: {
    agent_transcript_path: string;
    last_assistant_message: string;
    stop_hook_active: boolean;
  };
  Stop: { last_assistant_message: string; stop_hook_active: boolean };
  PreCompact: { trigger: "auto" | "manual" | "overflow"; custom_instructions?: string };
  PostCompact: { trigger: "auto" | "manual" | "overflow"; summary?: string };
  TeammateIdle: { teammate_name?: string };
  TaskCreated: { task_id: string; task_subject?: string };
  TaskCompleted: { task_id: string; task_subject?: string };
};

/** What a hook is called with; the fields depend on the event, as in Claude Code. */
export type HookInput = JsonObject & {
  hook_event_name: HookEvent;
  session_id: string;
  cwd: string;
};

/** The object on a hook's stdin, or a function hook's first argument. */
export function hookInput<E extends HookEvent>(
  event: E,
  facts: HookFacts,
  fields: HookFields[E],
): HookInput {
  return {
    session_id: facts.sessionId,
    transcript_path: facts.transcriptPath,
    cwd: facts.cwd,
    permission_mode: facts.permissionMode,
    hook_event_name: event,
    ...(facts.agentId === undefined ? {} : { agent_id: facts.agentId }),
    ...(facts.agentType === undefined ? {} : { agent_type: facts.agentType }),
    ...(fields as JsonObject),
  };
}

const subjectField: Partial<Record<HookEvent, string>> = {
  PreToolUse: "tool_name",
  PostToolUse: "tool_name",
  PostToolUseFailure: "tool_name",
  PermissionRequest: "tool_name",
  SubagentStart: "agent_type",
  SubagentStop: "agent_type",
  SessionStart: "source",
  SessionEnd: "reason",
  Notification: "notification_type",
  PreCompact: "trigger",
  PostCompact: "trigger",
};

/**
 * What this event's matcher is compared with; undefined if the event has nothing to match, so that
 * every hook fires.
 */
export function subjectOf(input: HookInput): string | undefined {
  const field = subjectField[input.hook_event_name];
  if (field === undefined) return undefined;
  const value: Json | undefined = input[field];
  // Our own word counts as Claude Code's "automatic" too, so that hooks written for it fire.
  if (field === "trigger" && value === "overflow") return "auto";
  return typeof value === "string" ? value : "";
}
