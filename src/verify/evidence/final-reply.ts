// The last thing an agent said in a transcript, and who it was. A main transcript's sub-agents are not its own words.
import { isObject } from "../../base/data/json.ts";

export type FinalReply = {
  text: string;
  agentId: string | null;
  agentType: string | null;
  model: string | null;
  tokens: number;
  cwd: string | null;
  /** When it was said, as the transcript has it. */
  at: string | null;
};

export type FinalReplyReader = { add(line: Record<string, unknown>): void; reply(): FinalReply };

/** `isKept`: the lines stay in memory anyway, so that they can wait until somebody asks. */
export function finalReply(isKept: boolean): FinalReplyReader {
  const reply: FinalReply = {
    text: "",
    agentId: null,
    agentType: null,
    model: null,
    tokens: 0,
    cwd: null,
    at: null,
  };
  let messageId: unknown;
  let isSidechain: boolean | undefined;
  const counted = new Map<unknown, number>();
  const waiting: Record<string, unknown>[] = [];
  const read = (line: Record<string, unknown>): void => {
    reply.cwd ??= text(line["cwd"]);
    reply.agentId ??= text(line["agentId"]);
    reply.agentType ??= typeOf(line);
    if (!isMessage(line)) return;
    isSidechain ??= line["isSidechain"] === true;
    if ((line["isSidechain"] === true) !== isSidechain || !isReply(line)) return;
    const message = isObject(line["message"]) ? line["message"] : {};
    const said = saidIn(message["content"]);
    const id = message["id"] ?? line["uuid"];
    // Claude Code writes one line a block; the blocks of one reply belong together.
    if (said !== "") {
      reply.text = id === messageId ? `${reply.text}\n\n${said}` : said;
      reply.at = text(line["timestamp"]);
      messageId = id;
    }
    const tokens = tokensOf(message["usage"]);
    reply.model = text(message["model"]) ?? reply.model;
    reply.tokens += tokens - (counted.get(id) ?? 0);
    counted.clear();
    counted.set(id, tokens);
  };
  return {
    add: (line) => void (isKept ? waiting.push(line) : read(line)),
    reply: () => {
      waiting.splice(0).forEach(read);
      return { ...reply };
    },
  };
}

const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

const isMessage = ({ type }: Record<string, unknown>): boolean =>
  type === "assistant" || type === "user";

const isReply = (line: Record<string, unknown>): boolean =>
  line["type"] === "assistant" && line["isApiErrorMessage"] !== true;

function saidIn(content: unknown): string {
  if (typeof content === "string") return content.trim();
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block) =>
      isObject(block) && block["type"] === "text" && typeof block["text"] === "string"
        ? [block["text"].trim()]
        : [],
    )
    .filter(Boolean)
    .join("\n\n");
}

function typeOf(line: Record<string, unknown>): string | null {
  const spec = line["subtype"] === "spawn" && isObject(line["spec"]) ? line["spec"] : {};
  // Claude Code's word for it stands on the replies.
  const found = spec["agentType"] ?? line["attributionAgent"];
  return typeof found === "string" ? found : null;
}

function tokensOf(usage: unknown): number {
  if (!isObject(usage)) return 0;
  return [
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
  ].reduce((sum, key) => sum + (typeof usage[key] === "number" ? usage[key] : 0), 0);
}
