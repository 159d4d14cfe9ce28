// Reads the `model` of a definition (aliases, ids, retired ids, display names, lists: an unusable
// name becomes "inherit", with a warning) and its `effort`.
import { efforts } from "../../base/efforts.ts";
import { suggest } from "../../base/text/suggest.ts";
import type { NameCheck } from "../agent-definition.ts";
import type { FieldReader } from "./field-reader.ts";
import { readText } from "./read-fields.ts";

const aliases = /^(?:opus|sonnet|haiku|fable|inherit)$/;
const family = /\b(opus|sonnet|haiku|fable)\b/;
const retired = /^(?:anthropic[:/])?claude-(?:instant|[123])(?:[.-]|$)/;

/** `check` knows which names can be resolved; without it every plain word is accepted. */
export function readModel(reader: FieldReader, check?: NameCheck): string | undefined {
  if (!reader.has("model")) return undefined;
  const value = reader.data["model"];
  const listed = Array.isArray(value)
    ? (value as unknown[])
    : (reader.text("model") ?? "").split(/\s*[,|]\s*/);
  const names = listed
    .filter((item): item is string => typeof item === "string")
    .map((item) => item.trim().replace(/^[`"'[]+|[`"'\]]+$/g, ""))
    .filter((item) => item !== "");
  const first = names[0];
  if (first === undefined) {
    reader.warn("model", {
      code: "model-unclear",
      message: "`model` must be one name; the parent's model is used",
      suggestion: "model: sonnet",
    });
    return undefined;
  }
  if (names.length > 1)
    reader.warn("model", {
      code: "model-list",
      message: `\`model\` names several; the first, ${first.slice(0, 60)}, is used`,
      suggestion: `model: ${first.slice(0, 60)}`,
    });
  const used = oneModel(reader, first);
  const complaint = check?.(used);
  if (complaint)
    reader.warn("model", {
      code: "unknown-model",
      message: complaint.message,
      ...(complaint.suggestion !== undefined && { suggestion: `model: ${complaint.suggestion}` }),
    });
  return used;
}

function oneModel(reader: FieldReader, name: string): string {
  const [used, reason] = understood(name);
  if (used !== name)
    reader.warn("model", {
      code: "model-name",
      message: `\`model: ${name.slice(0, 60)}\` ${reason}; \`${used}\` is used`,
      suggestion: `model: ${used}`,
    });
  return used;
}

function understood(name: string): [used: string, reason: string] {
  const lower = name.toLowerCase();
  const near = family.exec(lower)?.[1] ?? "inherit";
  if (aliases.test(lower)) return [lower, "is written in lowercase"];
  if (retired.test(lower)) return [near, "is a retired model"];
  if (/^(?:default|auto|any|none)$/.test(lower)) return ["inherit", "is written `inherit`"];
  if (lower === "opusplan") return ["opus", "is no model of its own"];
  if (/^(?:anthropic|openai|google|ollama)\/\S+$/.test(name))
    return [name.replace("/", ":"), "has a colon after its provider"];
  return /^[\w./@+:-]+$/.test(name) ? [name, ""] : [near, "is no model id"];
}

const effortWords: readonly string[] = efforts;

/** Another word would have no effect, so it is named and left out. */
export function readEffort(reader: FieldReader): string | undefined {
  const text = readText(reader, "effort")?.trim().toLowerCase().replace(/^med$/, "medium");
  if (text === undefined || effortWords.includes(text)) return text;
  const near = suggest(text, effortWords);
  reader.warn("effort", {
    code: "invalid-effort",
    message: `\`effort: ${text.slice(0, 60)}\` is not one of ${effortWords.join(", ")}; it is left out`,
    ...(near && { suggestion: `effort: ${near}` }),
  });
  return undefined;
}
