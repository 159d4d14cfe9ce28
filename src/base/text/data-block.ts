// Text from files, servers and agents inside a prompt: framed by a tag it cannot close, with forged
// control tags made harmless.

/** Seen by nobody: soft hyphens, joiners, fillers, marks of direction. An emoji's own are kept. */
const ignored = /(?<!\p{Extended_Pictographic}\ufe0f?)[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** As a reader sees it: nothing invisible, and every blank an ordinary one. */
export const asSeen = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? text.replace(ignored, "").replace(/(?! )\p{Zs}/gu, " ") : text;

/** Whatever looks like the sign that opens a tag. */
const opening = "[<\uff1c\ufe64\u2039\u3008\u276e]";
const meant = [
  "(?:system|assistant|user|human|developer|tool[-_]?(?:use|result|call)s?",
  "|function[-_]?(?:calls?|results?)|invoke|antml|agent-memory|memory|skills?",
  "|project-instructions|environment|critical-reminder|untrusted|agent-report",
  "|task-notification)\\b",
].join("");
/**
 * What the prompts of any vendor mark turns with, by its form and not by its name: a bar inside the
 * sign (`<|x|>`), signs doubled (`<<X>>`), and a tag of joined words without attributes
 * (`<start_of_turn>`), which no markup language has; and the one-letter tags of a sequence.
 */
const token = [
  "[|\uff5c\u2502\u00a6]",
  `${opening}?\\s*/?\\s*[A-Z_]{2,20}\\s*[>\uff1e]{2}`,
  "/?\\s*[a-z]+(?:[_\u2581][a-z]+)+\\s*[>\uff1e]",
  "/?\\s*(?:s|bos|eos)\\s*[>\uff1e]",
].join("|");
const controlTag = new RegExp(`${opening}(?=\\s*/?\\s*${meant}|\\s*(?:${token}))`, "giu");
/** `[INST] … [/INST]`: capitals in brackets that something closes again. */
const paired = /\[(?=(\/?)([A-Z_]{2,20})\])/g;

/**
 * Turns `<` into `&lt;` where it opens or closes a tag that a prompt gives meaning to; other markup
 * stays as it is.
 */
export function neutraliseTags(text: string): string {
  const seen = asSeen(text);
  return seen
    .replace(controlTag, "&lt;")
    .replace(paired, (sign, _slash: string, name: string) =>
      seen.includes(`[/${name}]`) ? "&#91;" : sign,
    );
}

/** `<tag attributes>` around the text. Attribute values lose quotes, brackets and line breaks. */
export function dataBlock(tag: string, attributes: Record<string, string>, text: string): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${value.replace(/["<>&\p{Cc}]/gu, "_")}"`,
  );
  // Whatever the tag is called: the text can neither close it nor open another one.
  const own = new RegExp(`<(?=\\s*/?\\s*${tag}\\b)`, "gi");
  return `<${tag}${written.join("")}>\n${neutraliseTags(text).replace(own, "&lt;").trimEnd()}\n</${tag}>`;
}
