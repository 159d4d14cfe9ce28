// What an agent wrote, on its way into another agent's context: data. What poses as something else
// is made harmless, and named.
import { asSeen, neutraliseTags } from "../../../base/text/data-block.ts";
import { printable } from "../../../base/text/printable.ts";

export type AsData = {
  text: string;
  /** In words, what was made harmless; empty for ordinary text. */ found: string[];
};

/** What may stand before a posing word: marks, blanks and bars; `1.`, `a)`, `iv.`, `(b)`, `[3]`. */
const lead = /(?:[^\p{L}\p{N}\p{Ps}]|[\p{L}\p{N}]{1,4}[.)][\s*_]|\p{Ps}[\p{L}\p{N}]{1,3}\p{Pe})*/uy;
/** A line that poses as the runtime's own, whichever bracket it opens. */
const header = /\p{Ps}\s*(?=(?:retinue|hook|system)\b)/iuy;
/** A line that poses as a turn of the conversation. */
const role = /(human|user|assistant|system|developer|tool)(?=[*_`]{0,3}\s*:)/iuy;

export function asData(text: string): AsData {
  const found: string[] = [];
  const count = (what: string, number: number): void =>
    void (number > 0 && found.push(`${number} ${what}${number === 1 ? "" : "s"}`));
  const given = text.replace(/\r\n?/g, "\n");
  const visible = asSeen(printable(given));
  count("invisible or control character", given.length - visible.length);
  const tagged = neutraliseTags(visible);
  count("control tag", signsIn(tagged) - signsIn(visible));
  const counts = { header: 0, role: 0 };
  const lines = tagged.split("\n").map((line) => {
    const posing = poseOf(line);
    if (!posing) return line;
    counts[posing.as] += 1;
    return posing.harmless;
  });
  count("role line", counts.role);
  count("forged header", counts.header);
  return { text: lines.join("\n"), found };
}

const signsIn = (text: string): number => text.match(/&lt;|&#91;/g)?.length ?? 0;

/** Judged as a reader takes it: letters and brackets of other widths and styles are the plain ones. */
function poseOf(line: string): { as: "header" | "role"; harmless: string } | undefined {
  const plain = line.normalize("NFKC");
  const at = endOf(lead, plain, 0);
  const word = endOf(header, plain, at);
  if (word > at) return { as: "header", harmless: `${plain.slice(0, at)}(${plain.slice(word)}` };
  const end = endOf(role, plain, at);
  if (end === at) return undefined;
  return {
    as: "role",
    harmless: `${plain.slice(0, at)}(${plain.slice(at, end)})${plain.slice(end)}`,
  };
}

/** Where a match that begins at `from` ends; `from` where there is none. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
