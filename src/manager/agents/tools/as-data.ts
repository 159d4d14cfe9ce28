// What an agent wrote, on its way into another agent's context: data. What poses as something else
// is made harmless, and named.
import { neutraliseTags } from "../../../base/text/data-block.ts";
import { printable } from "../../../base/text/printable.ts";

export type AsData = {
  text: string;
  /** In words, what was made harmless; empty for ordinary text. */ found: string[];
};

/** A line that poses as a turn of the conversation. */
const roleLine =
  /^([ \t>*_#`-]{0,8})(human|user|assistant|system|developer|tool)([*_`]{0,3}[ \t]*:)/gim;
/** A line that poses as the runtime's own. */
const headerLine =
  /^((?:\d{1,4}[.)])?[^\p{L}\p{N}\n[［【]{0,40})[[［【](retinue|hook|system)\b/gimu;

export function asData(text: string): AsData {
  const found: string[] = [];
  const count = (what: string, number: number): void =>
    void (number > 0 && found.push(`${number} ${what}${number === 1 ? "" : "s"}`));
  const visible = printable(text);
  count("invisible or control character", text.replace(/\r\n?/g, "\n").length - visible.length);
  const tagged = neutraliseTags(visible);
  count("control tag", (tagged.length - visible.length) / 3);
  count("role line", [...tagged.matchAll(roleLine)].length);
  count("forged header", [...tagged.matchAll(headerLine)].length);
  return { text: tagged.replace(roleLine, "$1($2)$3").replace(headerLine, "$1($2"), found };
}
