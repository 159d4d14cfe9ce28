// Turns a server's answer into a tool result: text within a token budget, images as blocks, other
// content by name only.
import { isObject } from "../base/data/json.ts";
import { limits } from "../base/limits.ts";
import { countTokens } from "../base/text/tokens.ts";
import type { ImageBlock, TextBlock } from "../model/message.ts";
import type { ToolResult } from "../tool/tool.ts";

const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const maxImages = limits.mcp.images;

/** `answer` comes from the server and may be anything. */
export function toolResult(answer: unknown): ToolResult {
  const result = isObject(answer) ? answer : {};
  const items = Array.isArray(result["content"]) ? result["content"] : [];
  const blocks = limitImages(items.map(blockOf));
  if (blocks.length === 0 && result["structuredContent"] !== undefined)
    blocks.push(text(JSON.stringify(result["structuredContent"])));
  const cut = capText(blocks);
  const isError = result["isError"] === true;
  const only =
    cut.blocks.length === 1 && cut.blocks[0]?.type === "text" ? cut.blocks[0].text : undefined;
  return {
    content: cut.blocks.length === 0 ? "(the tool returned nothing)" : (only ?? cut.blocks),
    ...(isError ? { isError } : {}),
    ...(cut.truncated ? { facts: { truncated: true } } : {}),
  };
}

const word = (value: unknown): string => (typeof value === "string" ? value : "");
const text = (value: string): TextBlock => ({ type: "text", text: value });

function blockOf(item: unknown): TextBlock | ImageBlock {
  if (!isObject(item)) return text("[content that is no object]");
  const kind = item["type"];
  if (kind === "text") return text(word(item["text"]));
  if (kind === "image") return imageOf(item);
  if (kind === "resource") return resourceOf(item["resource"]);
  if (kind === "resource_link")
    return text(`[resource ${word(item["name"])}: ${word(item["uri"])}]`);
  if (kind === "audio") return text(`[audio, ${word(item["mimeType"])}: not shown]`);
  return text(`[content of an unknown kind: ${word(kind).slice(0, 50)}]`);
}

function imageOf(item: Record<string, unknown>): TextBlock | ImageBlock {
  const { data, mimeType } = item;
  if (typeof data !== "string" || typeof mimeType !== "string" || !imageTypes.has(mimeType))
    return text("[an image of a type that cannot be shown]");
  if (data.length * 0.75 > limits.mcp.imageBytes)
    return text(
      `[an image of ${Math.round((data.length * 0.75) / 1024)} KB: over the limit, not shown]`,
    );
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(data)) return text("[an image that is no base64]");
  return { type: "image", source: { type: "base64", media_type: mimeType, data } };
}

function resourceOf(resource: unknown): TextBlock {
  if (!isObject(resource)) return text("[a resource without content]");
  const uri = word(resource["uri"]);
  return typeof resource["text"] === "string"
    ? text(`[resource ${uri}]\n${resource["text"]}`)
    : text(`[resource ${uri}: binary, not shown]`);
}

function limitImages(blocks: (TextBlock | ImageBlock)[]): (TextBlock | ImageBlock)[] {
  let images = 0;
  return blocks.map((block) =>
    block.type === "image" && ++images > maxImages ? text("[a further image, not shown]") : block,
  );
}

/** One budget for all text blocks together; a cut is marked. */
function capText(blocks: (TextBlock | ImageBlock)[]): {
  blocks: (TextBlock | ImageBlock)[];
  truncated: boolean;
} {
  let left: number = limits.mcp.resultTokens;
  const kept: (TextBlock | ImageBlock)[] = [];
  for (const block of blocks) {
    if (block.type === "image") kept.push(block);
    else {
      const part = cutToTokens(block.text, left);
      left -= part.tokens;
      if (part.text.length < block.text.length)
        return {
          blocks: [
            ...kept,
            text(
              `${part.text}\n[cut: the result is over ${limits.mcp.resultTokens} tokens; ask for less at once]`,
            ),
          ],
          truncated: true,
        };
      kept.push(block);
    }
  }
  return { blocks: kept, truncated: false };
}

/**
 * Roughly the longest beginning within `max` tokens; the time depends on `max`, not on the text.
 */
function cutToTokens(given: string, max: number): { text: string; tokens: number } {
  // No tokenizer needs fewer tokens than one for 16 characters of ordinary text; longer texts need
  // no count.
  let part = given.slice(0, max * 16);
  let tokens = countTokens(part);
  while (tokens > max && part !== "") {
    part = part.slice(0, Math.floor(part.length * Math.min(0.95, max / tokens)));
    tokens = countTokens(part);
  }
  return { text: part, tokens };
}
