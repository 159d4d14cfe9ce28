// The one task that every contender gets: ten replies with a tool call each, then an answer. The reply is the same stream of events for all.

// One zod in a process, as an installation of packages with the same version has it: the peers' lies in bench/, the package has its own.
const isOurs = process.argv[2]?.includes('"contender":"retinue"');
const { z } = await import(
  isOurs ? new URL("../../node_modules/zod/index.js", import.meta.url) : "zod"
);

export const turns = 10;
export const system = "You look things up and answer in one sentence.";
export const prompt = "Look up the ten items and say what they have in common.";
export const tool = {
  name: "lookup",
  description: "Looks up one item by its key",
  input: z.object({ key: z.string().min(1), limit: z.number().int().positive().optional() }),
};
/** The same as JSON Schema, for the requests of the raw loop. */
export const toolSchema = {
  name: tool.name,
  description: tool.description,
  input_schema: z.toJSONSchema(tool.input),
};

const finding =
  "The item is described in the catalogue under its key, with colour, size and weight; two of the three agree with its label. ".repeat(
    2,
  );

/** What the tool does. `hold` makes agents wait in their last call, so that memory can be read off while all are running. */
export const work = { runs: 0, hold: undefined };
export async function lookup({ key }) {
  work.runs += 1;
  if (work.hold && key === `item-${turns}`) await work.hold();
  // Flat, as text from a file or a socket is: joined strings share memory until someone reads them.
  return Buffer.from(`${key}: ${finding}`).toString();
}

/** The pieces of the reply number `turn` (from 1): three of text, and two of a call's input while there are calls to make. */
export function replyOf(turn) {
  if (turn > turns)
    return { text: ["All ten items ", "agree with their labels ", "in two of three points."] };
  return {
    text: [`Looking up item ${turn} `, "in the catalogue, ", "as asked."],
    call: { id: `toolu_${turn}`, name: tool.name, input: [`{"key":"item-${turn}"`, `,"limit":5}`] },
  };
}

/** The reply as the stream of a model in this process: eleven objects, or six for the answer, made anew for every reply. */
export async function* events(turn) {
  const { text, call } = replyOf(turn);
  yield {
    type: "message_start",
    message: { id: `msg_${turn}`, model: "fake", usage: { input_tokens: 100, output_tokens: 1 } },
  };
  yield { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
  for (const piece of text)
    yield { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } };
  yield { type: "content_block_stop", index: 0 };
  if (call) {
    yield {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: call.id, name: call.name, input: {} },
    };
    for (const piece of call.input)
      yield {
        type: "content_block_delta",
        index: 1,
        delta: { type: "input_json_delta", partial_json: piece },
      };
    yield { type: "content_block_stop", index: 1 };
  }
  yield {
    type: "message_delta",
    delta: { stop_reason: call ? "tool_use" : "end_turn" },
    usage: { output_tokens: 20 },
  };
  yield { type: "message_stop" };
}

/** Puts a reply together from its events, as every client has to. */
export function assembler() {
  const content = [];
  const json = [];
  const reply = {
    model: "",
    content,
    stop_reason: "",
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  const take = (event) => {
    switch (event.type) {
      case "message_start":
        reply.id = event.message.id;
        reply.model = event.message.model;
        reply.usage = { ...event.message.usage };
        break;
      case "content_block_start":
        content[event.index] = { ...event.content_block };
        json[event.index] = "";
        break;
      case "content_block_delta":
        if (event.delta.type === "text_delta") content[event.index].text += event.delta.text;
        else json[event.index] += event.delta.partial_json;
        break;
      case "content_block_stop":
        if (content[event.index].type === "tool_use")
          content[event.index].input = JSON.parse(json[event.index]);
        break;
      case "message_delta":
        reply.stop_reason = event.delta.stop_reason;
        reply.usage.output_tokens = event.usage.output_tokens;
        break;
    }
  };
  return { take, reply };
}
