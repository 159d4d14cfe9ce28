// The one task that every contender gets: ten replies with a tool call each, then an answer. The reply is the same stream of events for all.

// One zod in a process, as an installation of packages with the same version has it: the peers' lies in bench/, the package has its own.
const job = JSON.parse(process.argv[2]?.startsWith("{") ? process.argv[2] : "{}");
const isOurs = job.contender?.startsWith("retinue");
const { z } = await import(
  isOurs ? new URL("../../node_modules/zod/index.js", import.meta.url) : "zod"
);

export const turns = job.turns ?? 10;
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
  if (turn > turns && job.report)
    return {
      text: ["Here is the report."],
      call: { id: `toolu_${turn}`, name: "Report", input: [JSON.stringify(report)] },
    };
  if (turn > turns && job.sentence)
    return { text: ["All ten items ", "agree with their labels ", "in two of three points."] };
  if (turn > turns) return { text: ["All ", "done."] };
  return {
    text: [`Looking up item ${turn} `, "in the catalogue, ", "as asked."],
    call: { id: `toolu_${turn}`, name: tool.name, input: [`{"key":"item-${turn}"`, `,"limit":5}`] },
  };
}

/** Twenty lines of twenty files, which `prepare` of the contender writes. */
export const sources = Array.from({ length: 20 }, (_, index) => ({
  path: `src/part-${index}.ts`,
  quote: `export const part${index} = (value: number): number => value + ${index};`,
}));
const report = {
  status: "SUCCESS",
  summary: "The ten items were looked up, and twenty parts add a number to what they are given.",
  findings: [],
  key_references: sources.map(({ path, quote }, index) => ({
    item: `part${index}`,
    path,
    quote,
    relevance: `It adds ${index}.`,
  })),
  confidence: {
    verified: 90,
    inferred: 80,
    justification: "Every part was looked up.",
    blind_spots: "Parts that no item names.",
  },
};

/** The reply as one object, as a model in this process gives it. */
export function wholeReply(turn) {
  const { text, call } = replyOf(turn);
  const content = [{ type: "text", text: text.join("") }];
  if (call)
    content.push({
      type: "tool_use",
      id: call.id,
      name: call.name,
      input: JSON.parse(call.input.join("")),
    });
  return {
    id: `msg_${turn}`,
    model: "fake",
    content,
    stop_reason: call ? "tool_use" : "end_turn",
    usage: {
      input_tokens: 100,
      output_tokens: 20,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    },
  };
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
