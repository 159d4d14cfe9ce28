// A transcript's lines for people: who said what, which tools ran and what came of them.
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { oneLine, printable } from "../../base/text/printable.ts";
import type { Io } from "../io.ts";
import { trustWords } from "./trust-words.ts";

type Block = {
  type?: string;
  text?: string;
  thinking?: string;
  name?: string;
  input?: unknown;
  content?: unknown;
  is_error?: boolean;
};

/**
 * Text for one line; undefined for lines that say nothing to a person. Total on whatever a file
 * holds.
 */
export function transcriptText(
  line: Record<string, unknown>,
  io: Pick<Io, "paint">,
): string | undefined {
  const time =
    typeof line["timestamp"] === "string"
      ? io.paint("dim", `${clockTime(line["timestamp"])} `)
      : "";
  const body = line["type"] === "system" ? systemText(line, io) : messageText(line, io);
  return body === undefined ? undefined : `${time}${body}`;
}

/** As the clock on the wall shows it; a time that cannot be read stands as it was written. */
function clockTime(written: string): string {
  const time = new Date(written);
  return Number.isNaN(time.getTime()) ? oneLine(written, 8) : time.toTimeString().slice(0, 8);
}

function messageText(line: Record<string, unknown>, io: Pick<Io, "paint">): string | undefined {
  const content = (line["message"] as { content?: unknown } | undefined)?.content;
  const who = line["type"] === "assistant" ? io.paint("cyan", "agent") : io.paint("green", "user ");
  if (typeof content === "string") return `${who} ${indent(printable(content))}`;
  if (!Array.isArray(content)) return undefined;
  const parts = content
    .map((block: Block) => blockText(block, io))
    .filter((part) => part !== undefined);
  return parts.length > 0 ? `${who} ${parts.join("\n        ")}` : undefined;
}

function blockText(block: Block, io: Pick<Io, "paint">): string | undefined {
  switch (block.type) {
    case "text":
      return indent(printable(block.text ?? ""));
    case "thinking":
      return io.paint("dim", indent(printable(block.thinking ?? "")));
    case "tool_use":
      return `${io.paint("bold", oneLine(block.name ?? "", 60))} ${oneLine(JSON.stringify(block.input ?? {}), 160)}`;
    case "tool_result":
      return (
        `${block.is_error ? io.paint("red", "✗") : io.paint("green", "✓")} ` +
        oneLine(
          typeof block.content === "string" ? block.content : JSON.stringify(block.content ?? ""),
          160,
        )
      );
    default:
      return block.type === undefined ? undefined : io.paint("dim", `[${oneLine(block.type, 40)}]`);
  }
}

function systemText(line: Record<string, unknown>, io: Pick<Io, "paint">): string | undefined {
  const text = (key: string): string =>
    oneLine(typeof line[key] === "string" ? line[key] : JSON.stringify(line[key] ?? ""), 160);
  switch (line["subtype"]) {
    case "retinue_session":
      return undefined;
    case "permission_decision":
      return io.paint("dim", `permission ${text("behavior")} ${text("tool")}: ${text("reason")}`);
    case "hook":
      return io.paint(
        "dim",
        oneLine(
          [
            "hook",
            text("event"),
            text("outcome"),
            `${text("hook")}${line["detail"] === undefined ? "" : `: ${text("detail")}`}`,
          ].join(" "),
          200,
        ),
      );
    case "compact_boundary":
      return io.paint("dim", `conversation summarised ${text("compactMetadata")}`);
    case "spawn": {
      const { agentType, model } = (isObject(line["spec"]) ? line["spec"] : {}) as {
        agentType?: unknown;
        model?: unknown;
      };
      return io.paint(
        "dim",
        oneLine(
          [
            "spawn",
            ...(typeof agentType === "string" ? [agentType] : []),
            ...(typeof model === "string" ? [`on ${model}`] : []),
          ].join(" "),
          160,
        ),
      );
    }
    case "verification":
      return io.paint(
        "dim",
        [
          "verification",
          ...trustWords(isObject(line["result"]) ? (line["result"] as JsonObject) : null),
        ].join(" "),
      );
    case "run_end": {
      const outcome = line["outcome"] as
        | { state?: string; reason?: string; error?: string }
        | undefined;
      return io.paint(
        outcome?.state === "completed" ? "green" : "red",
        oneLine(
          ["run", outcome?.state, outcome?.reason && `(${outcome.reason})`, outcome?.error]
            .filter(Boolean)
            .join(" "),
          200,
        ),
      );
    }
    default:
      return io.paint("dim", text("subtype"));
  }
}

const indent = (text: string): string => text.trim().replaceAll("\n", "\n        ");
