// Brace expansion of plain words, bounded: `a{b,c}d` and `{1..9}`. Anything else that has braces is
// left to the caller as unknown.

const maxWords = 256;
const sequence = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/;
const letters = /^([A-Za-z])\.\.([A-Za-z])$/;

/**
 * The members of one brace part (`{…}` included), or undefined when they are too many or not plain.
 */
export function braceMembers(text: string): string[] | undefined {
  const inner = text.slice(1, -1);
  if (!/^[\w@%+=:,./^*?{}-]*$/.test(inner)) return undefined;
  const numbers = sequence.exec(inner);
  if (numbers) return numberRange(numbers);
  if (letters.test(inner)) return undefined;
  const items = splitTop(inner);
  if (!items || items.length < 2) return undefined;
  const members: string[] = [];
  for (const item of items) {
    const nested = item.includes("{") ? expandNested(item) : [item];
    if (!nested || members.length + nested.length > maxWords) return undefined;
    members.push(...nested);
  }
  return members;
}

function numberRange([, first, last, step]: RegExpExecArray): string[] | undefined {
  // Leading zeros ask for padding; rare enough to be left unknown.
  if (/^-?0\d/.test(first!) || /^-?0\d/.test(last!) || step !== undefined) return undefined;
  const from = Number(first);
  const to = Number(last);
  const size = Math.abs(to - from) + 1;
  if (size > maxWords) return undefined;
  return Array.from({ length: size }, (_, index) => String(from + (to >= from ? index : -index)));
}

function splitTop(text: string): string[] | undefined {
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    else if (character === "," && depth === 0) {
      items.push(text.slice(start, index));
      start = index + 1;
    }
    if (depth < 0 || depth > 8) return undefined;
  }
  return depth === 0 ? [...items, text.slice(start)] : undefined;
}

function expandNested(item: string): string[] | undefined {
  const open = item.indexOf("{");
  const close = item.lastIndexOf("}");
  if (close < open || item.slice(0, open).includes("}")) return undefined;
  const body = item.slice(open, close + 1);
  // Two groups side by side would need a full parser; such words stay unknown.
  if (splitTop(body.slice(1, -1)) === undefined) return undefined;
  const members = braceMembers(body);
  return members?.map((member) => item.slice(0, open) + member + item.slice(close + 1));
}
