// Puts text from files, servers and agents into a prompt: inside a tag that the text cannot close,
// with forged control tags disarmed.

/** Tags that harnesses give a meaning to, as parts of a regular expression. */
const controlTags = [
  "system|assistant|user|human|developer|invoke|antml",
  "tool[-_]?(?:use|result|call)s?|function[-_]?(?:calls?|results?)",
  "agent-memory|memory|skills?|project-instructions|environment",
  "critical-reminder|untrusted|agent-report|task-notification",
];
const controlTag = new RegExp(`<(?=\\s*/?\\s*(?:${controlTags.join("|")})\\b)`, "gi");

/** Turns `<` into `&lt;` before every control tag; other markup stays as it is. */
export const neutraliseTags = (text: string): string => text.replace(controlTag, "&lt;");

/**
 * The text inside `<tag attributes>`. Quotes, brackets and line breaks in attribute values become
 * `_`.
 */
export function dataBlock(tag: string, attributes: Record<string, string>, text: string): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${value.replace(/["<>&\p{Cc}]/gu, "_")}"`,
  );
  // Also disarms the block's own tag, whatever its name: the text can neither close it nor open
  // another one.
  const own = new RegExp(`<(?=\\s*/?\\s*${tag}\\b)`, "gi");
  return `<${tag}${written.join("")}>\n${neutraliseTags(text).replace(own, "&lt;").trimEnd()}\n</${tag}>`;
}
