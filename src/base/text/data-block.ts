// Text from files, servers and agents inside a prompt: framed by a tag it cannot close, with forged
// control tags made harmless.

const controlTag =
  /<(?=\s*\/?\s*(?:system|assistant|user|human|developer|tool[-_]?(?:use|result|call)s?|function[-_]?(?:calls?|results?)|invoke|antml|agent-memory|memory|skills?|project-instructions|environment|critical-reminder|untrusted|agent-report|task-notification)\b)/gi;

/**
 * Turns `<` into `&lt;` where it opens or closes a tag that a prompt gives meaning to; other markup
 * stays as it is.
 */
export const neutraliseTags = (text: string): string => text.replace(controlTag, "&lt;");

/** `<tag attributes>` around the text. Attribute values lose quotes, brackets and line breaks. */
export function dataBlock(tag: string, attributes: Record<string, string>, text: string): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${value.replace(/["<>&\p{Cc}]/gu, "_")}"`,
  );
  // Whatever the tag is called: the text can neither close it nor open another one.
  const own = new RegExp(`<(?=\\s*/?\\s*${tag}\\b)`, "gi");
  return `<${tag}${written.join("")}>\n${neutraliseTags(text).replace(own, "&lt;").trimEnd()}\n</${tag}>`;
}
