// The files of a drawn tree, each with the folders that it hangs under, where something is noted of it.
import type { CodeLine } from "../../../markdown/markdown-block.ts";
import { gluedNumbers } from "../spelled-numbers.ts";
import { newMention, type Mention } from "../paths/find-mentions.ts";
import { isMeant } from "../paths/is-meant.ts";
import { resolveMention } from "../paths/resolve-mention.ts";
import type { Reader } from "../read-unit.ts";

type TreeEntry = { text: string; start: number; mention: Mention; lines: CodeLine[] };

const drawn = /[├└]/;
const branch = /^([\s│|├└─┬╰+`-]*)([\w.@()[\]-][\w.@()[\]/+-]*)/;

type Node = { depth: number; path: string; entry: TreeEntry | undefined };

export function treeEntries(lines: readonly CodeLine[], reader: Reader): TreeEntry[] {
  if (!lines.some(({ text }) => drawn.test(text))) return [];
  const found: TreeEntry[] = [];
  const above: Node[] = [];
  for (const line of lines) {
    const match = branch.exec(line.text);
    if (!match) continue;
    const [marks, name] = [match[1]!, match[2]!];
    while (above.length > 0 && above.at(-1)!.depth >= marks.length) above.pop();
    const parent = above.at(-1);
    if (parent?.entry) {
      // What hangs under a file stands in it.
      parent.entry.text += `\n${line.text}`;
      parent.entry.lines.push(line);
      continue;
    }
    const path = parent ? `${parent.path}/${name}` : name;
    const entry = parent && fileEntry({ line, name, marks, path }, reader);
    above.push({ depth: marks.length, path: path.replace(/\/$/, ""), entry });
    if (entry) found.push(entry);
  }
  return found;
}

type Named = { line: CodeLine; name: string; marks: string; path: string };

/** The topmost name may be that of the project. */
function fileEntry(
  { line, name, marks, path }: Named,
  { repo, place }: Reader,
): TreeEntry | undefined {
  if (!/\.\w+$/.test(name)) return undefined;
  const below = path.slice(path.indexOf("/") + 1);
  const isOwn = repo.isListed(path.slice(0, path.indexOf("/"))) || path.startsWith("../");
  const whole = isOwn ? path : below;
  const resolution = resolveMention(whole, repo, place);
  if (!isMeant(whole, resolution, { inCode: true, hasLine: false, repo })) return undefined;
  const start = marks.length;
  const glued = gluedNumbers(line.text, start + name.length);
  const { ranges } = glued;
  const end = Math.max(glued.end, start + name.length);
  const mention = newMention(resolution, { start, end, path: whole, ranges, inCode: true });
  return { text: line.text, start: line.start, mention, lines: [line] };
}
