// Writes the replies of the mock provider in both protocols, as events or as one JSON answer.

export type MockToolCall = {
  name: string;
  input?: unknown;
  id?: string;
  /** Sent instead of `input`, unchanged: for input that is not JSON. */
  rawInput?: string;
};

/** A reply in short form. `stop_reason` has Anthropic's words for both protocols. */
export type MockReply = {
  text?: string;
  thinking?: string;
  tools?: MockToolCall[];
  stop_reason?: string;
  /** Null leaves usage out. */
  usage?: Record<string, unknown> | null;
  model?: string;
};

type Facts = { reply: MockReply; index: number; model: string };

const pieceCharacters = 48;
const pieces = (text: string): string[] =>
  text.match(new RegExp(`[\\s\\S]{1,${pieceCharacters}}`, "gu")) ?? [];

const stopOf = (reply: MockReply): string =>
  reply.stop_reason ?? (reply.tools?.length ? "tool_use" : "end_turn");
const inputOf = (tool: MockToolCall): string => tool.rawInput ?? JSON.stringify(tool.input ?? {});
const idOf = (tool: MockToolCall, index: number, at: number): string =>
  tool.id ?? `toolu_${index}_${at}`;

const event = (data: { type: string; [key: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

export function anthropicEvents({ reply, index, model }: Facts): string[] {
  const { input, output } = anthropicUsage(reply);
  const message = {
    id: `msg_${index}`,
    type: "message",
    role: "assistant",
    model: reply.model ?? model,
    content: [],
    stop_reason: null,
    ...(input ? { usage: input } : {}),
  };
  const events = [event({ type: "message_start", message }), event({ type: "ping" })];
  let at = 0;
  const block = (content_block: object, deltas: object[]): void => {
    events.push(event({ type: "content_block_start", index: at, content_block }));
    for (const delta of deltas)
      events.push(event({ type: "content_block_delta", index: at, delta }));
    events.push(event({ type: "content_block_stop", index: at++ }));
  };
  if (reply.thinking) {
    const signature = { type: "signature_delta", signature: `sig_${index}` };
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...pieces(reply.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
      signature,
    ]);
  }
  if (reply.text)
    block(
      { type: "text", text: "" },
      pieces(reply.text).map((text) => ({ type: "text_delta", text })),
    );
  for (const [n, tool] of (reply.tools ?? []).entries()) {
    const deltas = pieces(inputOf(tool)).map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
    block({ type: "tool_use", id: idOf(tool, index, n), name: tool.name, input: {} }, deltas);
  }
  events.push(
    event({
      type: "message_delta",
      delta: { stop_reason: stopOf(reply), stop_sequence: null },
      ...(output ? { usage: output } : {}),
    }),
    event({ type: "message_stop" }),
  );
  return events;
}

function anthropicUsage(reply: MockReply): { input?: object; output?: object } {
  if (reply.usage === null) return {};
  const usage = {
    input_tokens: 100,
    output_tokens: 20,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    ...reply.usage,
  };
  return { input: { ...usage, output_tokens: 1 }, output: { output_tokens: usage.output_tokens } };
}

export function anthropicMessage({ reply, index, model }: Facts): object {
  const content: object[] = [];
  if (reply.thinking)
    content.push({ type: "thinking", thinking: reply.thinking, signature: `sig_${index}` });
  if (reply.text) content.push({ type: "text", text: reply.text });
  for (const [n, tool] of (reply.tools ?? []).entries())
    content.push({
      type: "tool_use",
      id: idOf(tool, index, n),
      name: tool.name,
      input: tool.input ?? {},
    });
  const { input, output } = anthropicUsage(reply);
  return {
    id: `msg_${index}`,
    type: "message",
    role: "assistant",
    model: reply.model ?? model,
    content,
    stop_reason: stopOf(reply),
    usage: { ...input, ...output },
  };
}

const finishReasons: Record<string, string> = {
  end_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
  stop_sequence: "stop",
};
const finishOf = (reply: MockReply): string => finishReasons[stopOf(reply)] ?? stopOf(reply);

function openAiUsage(reply: MockReply): object | undefined {
  if (reply.usage === null) return undefined;
  const { input_tokens = 100, output_tokens = 20, cache_read_input_tokens = 0 } = reply.usage ?? {};
  return {
    prompt_tokens: Number(input_tokens) + Number(cache_read_input_tokens),
    completion_tokens: output_tokens,
    prompt_tokens_details: { cached_tokens: cache_read_input_tokens },
  };
}

export function openAiEvents({ reply, index, model }: Facts): string[] {
  const chunk = (delta: object | undefined, more: object = {}): string => {
    const choices = delta ? [{ index: 0, delta, finish_reason: null, ...more }] : [];
    const data = {
      id: `chatcmpl_${index}`,
      object: "chat.completion.chunk",
      model: reply.model ?? model,
      choices,
      ...(delta ? {} : more),
    };
    return `data: ${JSON.stringify(data)}\n\n`;
  };
  const events = [chunk({ role: "assistant", content: "" })];
  for (const reasoning_content of pieces(reply.thinking ?? ""))
    events.push(chunk({ reasoning_content }));
  for (const content of pieces(reply.text ?? "")) events.push(chunk({ content }));
  for (const [n, tool] of (reply.tools ?? []).entries()) {
    events.push(
      chunk({
        tool_calls: [
          {
            index: n,
            id: idOf(tool, index, n),
            type: "function",
            function: { name: tool.name, arguments: "" },
          },
        ],
      }),
    );
    for (const piece of pieces(inputOf(tool)))
      events.push(chunk({ tool_calls: [{ index: n, function: { arguments: piece } }] }));
  }
  events.push(chunk({}, { finish_reason: finishOf(reply) }));
  const usage = openAiUsage(reply);
  if (usage) events.push(chunk(undefined, { usage }));
  events.push("data: [DONE]\n\n");
  return events;
}

export function openAiCompletion({ reply, index, model }: Facts): object {
  const calls = (reply.tools ?? []).map((tool, n) => ({
    id: idOf(tool, index, n),
    type: "function",
    function: { name: tool.name, arguments: inputOf(tool) },
  }));
  const message = {
    role: "assistant",
    content: reply.text ?? null,
    ...(reply.thinking ? { reasoning_content: reply.thinking } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const usage = openAiUsage(reply);
  return {
    id: `chatcmpl_${index}`,
    object: "chat.completion",
    model: reply.model ?? model,
    choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
    ...(usage ? { usage } : {}),
  };
}
