// The part of sed's language that every sed reads alike and that only prints and changes lines:
// addresses and `p d s y = q n N g h x …`.

type Reader = { text: string; at: number };

const address = /\s*(?:\d+(?:~\d+)?|\$)/y;
const letters = /[pdDP=nNgGhHx]/y;
const quit = /[qQ]\d*/y;
const flags = /[gpiIM\d]*/y;
const ending = /\s*(?:[;\n}]|$)/y;

/** True when the whole script is of that part. */
export function isPlainSed(text: string): boolean {
  const reader: Reader = { text, at: 0 };
  let depth = 0;
  while (take(reader, /[\s;]+/y) !== undefined || reader.at < text.length) {
    if (reader.at >= text.length) break;
    if (take(reader, /\}/y) !== undefined) {
      depth -= 1;
      if (depth < 0) return false;
      continue;
    }
    if (!passAddresses(reader)) return false;
    take(reader, /\s*!?\s*/y);
    if (take(reader, /\{/y) !== undefined) depth += 1;
    else if (!passCommand(reader)) return false;
  }
  return depth === 0;
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found) reader.at += found.length;
  return found || undefined;
}

function passAddresses(reader: Reader): boolean {
  for (let count = 0; count < 2; count += 1) {
    take(reader, /[ \t]+/y);
    if (reader.text[reader.at] === "/") {
      if (!passSections(reader, 1)) return false;
      take(reader, /I/y);
    } else if (take(reader, count === 0 ? address : /\s*(?:\d+|\$|[+~]\d+)/y) === undefined)
      return count === 0;
    if (take(reader, /[ \t]*,/y) === undefined) return true;
  }
  return true;
}

function passCommand(reader: Reader): boolean {
  if (take(reader, letters) === undefined && take(reader, quit) === undefined) {
    const command = reader.text[reader.at];
    reader.at += 1;
    if (command !== "s" && command !== "y") return false;
    if (!/[/|#,@:!%_+~]/.test(reader.text[reader.at] ?? "")) return false;
    if (!passSections(reader, 2)) return false;
    if (command === "s") take(reader, flags);
  }
  const start = reader.at;
  ending.lastIndex = start;
  const end = ending.exec(reader.text)?.[0];
  if (end === undefined) return false;
  reader.at = start + end.length - (end.endsWith("}") ? 1 : 0);
  return true;
}

/**
 * Moves past the sections between the delimiters. Seds differ on line ends and on a delimiter in
 * brackets: neither is plain.
 */
function passSections(reader: Reader, count: number): boolean {
  const delimiter = reader.text[reader.at]!;
  reader.at += 1;
  for (let left = count; left > 0; reader.at += 1) {
    const character = reader.text[reader.at];
    if (character === undefined || character === "\n") return false;
    if (character === "\\") {
      reader.at += 1;
      if (reader.text[reader.at] === "\n") return false;
    } else if (character === delimiter) left -= 1;
    else if (character === "[" && left === count) {
      const inside = /\[\^?\]?(?:\[:[a-z]+:\]|[^\]\n\\])*\]/y;
      const found = take(reader, inside);
      if (found === undefined || found.includes(delimiter)) return false;
      reader.at -= 1;
    }
  }
  return true;
}
