// Text from agents, tools and files on its way to a terminal: no control sequence of theirs ever
// reaches it.

// C0 and C1 controls apart from tab and newline, and the characters that reorder or hide text.
const unsafe = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e`,
    String.raw`\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]`,
  ].join(""),
  "g",
);
// Whole escape sequences, so that their letters do not stay behind as litter.
const sequences = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`, // CSI
    String.raw`(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)?`, // OSC
    String.raw`\u001b[PX^_][^\u001b]{0,4096}(?:\u001b\\)?`, // DCS, SOS, PM, APC
    String.raw`\u001b[ -/]*[0-~]`, // the short ones
  ].join("|"),
  "g",
);

// What a person cannot see, or takes for an ordinary blank, besides: fillers, joiners, selectors,
// other spaces, private and unassigned characters. The sign that makes an emoji of the one before
// it is seen.
const unseen =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}\u2800]|(?! )\p{Zs}/gu;

/** Nothing in it is removed. */
const ordinary = /^[\t\n -~]*$/;

/**
 * For display: control sequences and invisible characters are removed, a carriage return becomes a
 * line break.
 */
export function printable(text: string): string {
  if (ordinary.test(text)) return text;
  return text.replace(/\r\n?/g, "\n").replace(sequences, "").replace(unsafe, "").toWellFormed();
}

/**
 * For approvals: every such character stands there in escaped form, line breaks too, so that what
 * is shown is what will happen.
 */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("\r", "\\r")
    .replace(unsafe, named)
    .replace(unseen, named);
}

const named = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/**
 * One line of at most `width` columns, for a list or a status line; with Infinity nothing is cut.
 */
export function oneLine(text: string, width: number): string {
  const flat = printable(text).replace(/\s+/g, " ").trim();
  if (displayWidth(flat) <= width) return flat;
  let left = width - 1;
  let end = 0;
  for (const char of flat) {
    left -= displayWidth(char);
    if (left < 0) break;
    end += char.length;
  }
  return `${flat.slice(0, end)}…`;
}

const plain = /^[ -~]*$/;
const wide = new RegExp(
  [
    String.raw`^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3`,
    String.raw`\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$`,
  ].join(""),
  "u",
);
const mark = /^[\p{Mn}\p{Me}\ufe0f]$/u;

/**
 * The columns that a line takes on a terminal: East Asian characters and emoji take two, marks on a
 * letter none.
 */
export function displayWidth(line: string): number {
  if (plain.test(line)) return line.length;
  let columns = 0;
  for (const char of line) columns += mark.test(char) ? 0 : wide.test(char) ? 2 : 1;
  return columns;
}
