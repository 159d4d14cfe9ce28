// Turns any list of messages into one that a provider accepts: user first, alternating roles, every
// tool_use answered once and at once, nothing empty. Pure. Valid messages keep their meaning (a
// single text becomes a list of one block).
import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ResultContent,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserBlock,
} from "../../model/message.ts";

export const interruptedText = "interrupted: it may or may not have run";

/** Stands for a user message that the provider requires and nobody wrote. */
export const continueText = "Continue.";

/**
 * If the conversation ends with an assistant message, a user message follows: the missing results,
 * or a request to continue.
 */
export function normalizeMessages(messages: readonly Message[]): Message[] {
  const turns = inTurns(messages);
  const seen = new Set<string>();
  const valid: Message[] = [];
  for (let index = 0; index < turns.length; index++) {
    const turn = turns[index]!;
    if (turn.role === "user") {
      valid.push({ role: "user", content: withoutResults(turn.content as UserBlock[]) });
      continue;
    }
    const assistant: AssistantMessage = {
      role: "assistant",
      content: onceOnly(turn.content as AssistantBlock[], seen),
    };
    const uses = assistant.content.filter(
      (block): block is ToolUseBlock => block.type === "tool_use",
    );
    const next = turns[index + 1];
    valid.push(assistant, {
      role: "user",
      content: answered(uses, next?.role === "user" ? (next.content as UserBlock[]) : []),
    });
    if (next?.role === "user") index++;
  }
  return finish(valid);
}

/**
 * The same for a history that the caller continues with its own user message: a last assistant
 * message stays last, its calls open.
 */
export function normalizeHistory(messages: readonly Message[]): Message[] {
  const valid = normalizeMessages(messages);
  return inTurns(messages).at(-1)?.role === "assistant" ? valid.slice(0, -1) : valid;
}

type Turn = { role: "user" | "assistant"; content: (UserBlock | AssistantBlock)[] };

/** Neighbours of one role become one message; empty ones are removed. */
function inTurns(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const content = blocksOf(message);
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === message.role) for (const block of content) last.content.push(block);
    else turns.push({ role: message.role, content });
  }
  return turns;
}

function blocksOf({ role, content }: Message): (UserBlock | AssistantBlock)[] {
  const blocks: (UserBlock | AssistantBlock)[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return blocks.filter(
    (block) =>
      kinds[role].has(block.type) &&
      (block.type !== "text" || (typeof block.text === "string" && block.text.trim() !== "")),
  );
}

const kinds: Record<Message["role"], ReadonlySet<string>> = {
  user: new Set(["text", "image", "document", "tool_result"]),
  assistant: new Set([
    "text",
    "thinking",
    "redacted_thinking",
    "tool_use",
    "server_tool_use",
    "web_search_tool_result",
  ]),
};

/**
 * A tool_use without an id, or with an id that was used before, becomes text: its result could not
 * be told from the first one's.
 */
function onceOnly(blocks: AssistantBlock[], seen: Set<string>): AssistantBlock[] {
  return blocks.map((block): AssistantBlock => {
    if (block.type !== "tool_use") return block;
    if (
      typeof block.id !== "string" ||
      block.id === "" ||
      typeof block.name !== "string" ||
      seen.has(block.id)
    ) {
      return {
        type: "text",
        text:
          `[refused: a call of ${block.name} with the tool_use id ${JSON.stringify(block.id)}, ` +
          "which is missing or was used before]",
      };
    }
    seen.add(block.id);
    return isPlainObject(block.input) ? block : { ...block, input: { value: block.input ?? null } };
  });
}

/**
 * The user message after an assistant message: first one result per call, in the order of the
 * calls.
 */
function answered(uses: readonly ToolUseBlock[], blocks: readonly UserBlock[]): UserBlock[] {
  const results = new Map<string, ToolResultBlock>();
  const rest: UserBlock[] = [];
  const wanted = new Set(uses.map((use) => use.id));
  for (const block of blocks) {
    if (block.type !== "tool_result") rest.push(block);
    else if (wanted.has(block.tool_use_id) && !results.has(block.tool_use_id))
      results.set(block.tool_use_id, { ...block, content: resultContent(block.content) });
    else rest.push(...asText(block));
  }
  return [...uses.map((use) => results.get(use.id) ?? interrupted(use.id)), ...rest];
}

const withoutResults = (blocks: readonly UserBlock[]): UserBlock[] =>
  blocks.flatMap((block) => (block.type === "tool_result" ? asText(block) : [block]));

const interrupted = (id: string): ToolResultBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: interruptedText,
  is_error: true,
});

/**
 * A result without its call still tells the model something; as a result block it would make the
 * request invalid.
 */
function asText(block: ToolResultBlock): TextBlock[] {
  const content = resultContent(block.content);
  const text =
    typeof content === "string"
      ? content
      : content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
  return text.trim() === ""
    ? []
    : [{ type: "text", text: `[result of an earlier tool call that is no longer shown]\n${text}` }];
}

function resultContent(content: unknown): ResultContent {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) {
    return content.filter(
      (part): part is TextBlock =>
        isPlainObject(part) &&
        (part["type"] === "text"
          ? typeof part["text"] === "string" && part["text"] !== ""
          : part["type"] === "image" || part["type"] === "document"),
    );
  }
  return content === undefined || content === null ? "" : JSON.stringify(content);
}

function finish(messages: Message[]): Message[] {
  const full = messages.map((message, index): Message => {
    if (message.content.length > 0) return message;
    if (message.role === "assistant")
      return { role: "assistant", content: [{ type: "text", text: "[empty]" }] };
    return {
      role: "user",
      content:
        index < messages.length - 1 || messages[index - 1]?.role === "assistant"
          ? [{ type: "text", text: continueText }]
          : [],
    };
  });
  const kept = full.filter((message) => message.content.length > 0);
  return kept[0]?.role === "assistant"
    ? [{ role: "user", content: [{ type: "text", text: continueText }] }, ...kept]
    : kept;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
