// A row of a table without its column of "before": what was so once is told of no run on record.
import type { Statement } from "./statements.ts";
import { plainWords } from "./statements.ts";

const columnOf = (words: string, signs: string): RegExp =>
  new RegExp(`(?<![\\p{L}])(?:${words})(?![\\p{L}])|${signs}`, "iu");
const once = columnOf(
  "before|baseline|previous(?:ly)?|old|was|vorher|avant|antes|prima",
  "之前|修改前|变更前|以前",
);
const now = columnOf(
  "after|now|current|new|nachher|jetzt|après|maintenant|después|ahora|depois|agora|dopo",
  "之后|现在|修改后|変更後",
);

/** The words of a statement that speak of now. */
export function wordsOfNow({ kind, words, parts, head }: Statement): string {
  if (kind !== "row" || !head.some((one) => now.test(one) && !once.test(one))) return words;
  return parts.reduce((left, part, at) => {
    const column = head[at] ?? "";
    const cell = plainWords(part).words;
    if (cell === "" || !once.test(column) || now.test(column)) return left;
    const place = left.indexOf(` ${cell} `);
    return place < 0 ? left : left.slice(0, place + 1) + left.slice(place + 1 + cell.length);
  }, ` ${words} `);
}
