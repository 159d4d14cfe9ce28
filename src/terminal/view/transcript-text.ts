// A transcript's lines for people: who said what, which tools ran and what came of them. Total on
// whatever a file holds.
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { oneLine, printable } from "../../base/text/printable.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import type { Paint } from "../paint.ts";
import { trustWords } from "./trust-words.ts";

/** `width`: the columns of a terminal, where Markdown is rendered; elsewhere it stays as it is. */
export type TranscriptLook = { paint: Paint; width?: number | undefined };

type Line = Record<string, unknown>;
type TextOf = (line: Line, look: TranscriptLook) => string | undefined;

const indentColumns = 8;

/** Text for one line; undefined for lines that say nothing to a person. */
export function transcriptText(line: Line, look: TranscriptLook): string | undefined {
  const written = line["timestamp"];
  const time = typeof written === "string" ? look.paint("dim", `${clockTime(written)} `) : "";
  const body = line["type"] === "system" ? systemText(line, look) : messageText(line, look);
  return body === undefined ? undefined : `${time}${body}`;
}

/** As the clock on the wall shows it; a time that cannot be read stands as it was written. */
function clockTime(written: string): string {
  const time = new Date(written);
  return Number.isNaN(time.getTime()) ? oneLine(written, 8) : time.toTimeString().slice(0, 8);
}

function messageText(line: Line, look: TranscriptLook): string | undefined {
  const content = isObject(line["message"]) ? line["message"]["content"] : undefined;
  const isReply = line["type"] === "assistant";
  const who = isReply ? look.paint("cyan", "agent") : look.paint("green", "user ");
  if (typeof content === "string") return `${who} ${indent(prose(content, look))}`;
  if (!Array.isArray(content)) return undefined;
  const parts = (content as unknown[]).flatMap((block) =>
    isObject(block) ? (blockText(block, look) ?? []) : [],
  );
  return parts.length > 0 ? `${who} ${parts.join("\n        ")}` : undefined;
}

const blocks: Readonly<Record<string, TextOf>> = {
  text: ({ text }, look) => indent(prose(asText(text), look)),
  thinking: ({ thinking }, { paint }) => paint("dim", indent(printable(asText(thinking)))),
  tool_use: ({ name, input }, { paint }) =>
    `${paint("bold", oneLine(asText(name), 60))} ${oneLine(JSON.stringify(input ?? {}), 160)}`,
  tool_result: ({ is_error, content }, { paint }) =>
    `${is_error ? paint("red", "✗") : paint("green", "✓")} ${oneLine(asText(content), 160)}`,
};

function blockText(block: Line, look: TranscriptLook): string | undefined {
  const type = block["type"];
  if (typeof type !== "string") return undefined;
  return Object.hasOwn(blocks, type)
    ? blocks[type]!(block, look)
    : look.paint("dim", `[${oneLine(type, 40)}]`);
}

const dim =
  (words: (line: Line) => string[], width: number): TextOf =>
  (line, { paint }) =>
    paint("dim", oneLine(words(line).join(" "), width));

/** By the subtype of a system line. */
const systemLines: Readonly<Record<string, TextOf>> = {
  retinue_session: () => undefined,
  permission_decision: dim(
    ({ behavior, tool, reason }) => [
      "permission",
      oneLine(asText(behavior), 160),
      `${oneLine(asText(tool), 160)}:`,
      oneLine(asText(reason), 160),
    ],
    Infinity,
  ),
  hook: dim(
    ({ event, outcome, hook, detail }) => [
      ...["hook", event, outcome].map(asText),
      `${asText(hook)}${detail === undefined ? "" : `: ${asText(detail)}`}`,
    ],
    200,
  ),
  compact_boundary: dim(
    ({ compactMetadata }) => ["conversation summarised", asText(compactMetadata)],
    200,
  ),
  spawn: dim(({ spec }) => {
    const { agentType, model } = isObject(spec) ? spec : {};
    return [
      "spawn",
      ...(typeof agentType === "string" ? [agentType] : []),
      ...(typeof model === "string" ? [`on ${model}`] : []),
    ];
  }, 160),
  verification: dim(
    ({ result }) => [
      "verification",
      ...trustWords(isObject(result) ? (result as JsonObject) : null),
    ],
    Infinity,
  ),
  run_end({ outcome }, { paint }) {
    const { state, reason, error } = isObject(outcome) ? outcome : {};
    const words = ["run", asText(state), reason ? `(${asText(reason)})` : "", asText(error)];
    const text = oneLine(words.filter((word) => word !== "").join(" "), 200);
    return paint(state === "completed" ? "green" : "red", text);
  },
};

function systemText(line: Line, look: TranscriptLook): string | undefined {
  const subtype = asText(line["subtype"]);
  return Object.hasOwn(systemLines, subtype)
    ? systemLines[subtype]!(line, look)
    : look.paint("dim", oneLine(subtype, 160));
}

/** Of what is no text its JSON. */
const asText = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : (JSON.stringify(value) ?? "");

const prose = (text: string, { width, paint }: TranscriptLook): string =>
  width === undefined
    ? printable(text)
    : renderMarkdown(printable(text), { width: width - indentColumns, paint });

const indent = (text: string): string =>
  text.trim().replaceAll("\n", `\n${" ".repeat(indentColumns)}`);
