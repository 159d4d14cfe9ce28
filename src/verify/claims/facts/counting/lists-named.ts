// Lists, maps and sets that code and settings give a name, with the number of their entries.
import type { Repository } from "../../../../source/repository.ts";
import type { SourceFile } from "../../../../source/source-file.ts";
import { isProse } from "../../runs/edit-after.ts";
import { isTest } from "../../tree/uses.ts";
import { isVendored } from "../referents.ts";

type CountedList = { count: number; where: string };

export function listsNamed(spoken: string, repo: Repository): CountedList[] {
  const name = spoken.split("::").at(-1)!;
  if (!/^[A-Za-z_]\w{2,}$/.test(name)) return [];
  return repo
    .filesWith(name, 24)
    .filter(({ path }) => !isTest(path) && !isVendored(path) && !isProse(path))
    .flatMap((file) =>
      file.linesWith(name).flatMap((line) => {
        const count = /\.ya?ml$/.test(file.path)
          ? yamlEntries(file, line, name)
          : entriesAt(file, line, name);
        return count === undefined || count < 1 ? [] : [{ count, where: file.path }];
      }),
    )
    .slice(0, 8);
}

function yamlEntries(file: SourceFile, line: number, name: string): number | undefined {
  const head = /^(\s*)([\w-]+):\s*$/.exec(file.line(line));
  if (head?.[2] !== name) return undefined;
  const rest = Array.from({ length: Math.min(400, file.lineCount - line) }, (_, at) =>
    file.line(line + 1 + at),
  );
  const end = rest.findIndex(
    (one) =>
      one.trim() !== "" && /^\s*/.exec(one)![0].length <= head[1]!.length && !/^\s*- /.test(one),
  );
  const own = (end < 0 ? rest : rest.slice(0, end)).filter(
    (one) => one.trim() !== "" && !/^\s*#/.test(one),
  );
  const depth = /^\s*/.exec(own[0] ?? "")![0];
  const isItem = /^\s*- /.test(own[0] ?? "");
  return own.filter(
    (one) =>
      one.startsWith(depth) &&
      !/^\s/.test(one.slice(depth.length)) &&
      (!isItem || /^\s*- /.test(one)),
  ).length;
}

const opening =
  /(?:=|:|=>)\s*(?:new\s+)?(?:Object\.freeze\(|frozenset\(|set\(|(?:[\w.<>:[\], ]*?))?(%[wi])?([[{(])/;
const closes: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")" };

/** Commas at the outer level; a list in `%w[…]` has words. */
function entriesAt(file: SourceFile, line: number, name: string): number | undefined {
  const text = file.line(line);
  const at = text.search(new RegExp(`(?<![\\w$.])${name}(?![\\w$(])`));
  // Go and others name the type before the bracket.
  const typed = /map\[[^\]]*\]\*?[\w.]+(?=\{)|\[\d*\]\*?[\w.]+(?=\{)/;
  const rest = at < 0 ? "" : text.slice(at + name.length).replace(typed, "");
  const match = opening.exec(rest);
  if (!match || match.index > 60 || /=>\s*\{|\bfunction\b|\bclass\b/.test(text)) return undefined;
  const below = Array.from({ length: Math.min(300, file.lineCount - line) }, (_, next) =>
    file.line(line + 1 + next),
  );
  const body = [rest.slice(match.index + match[0].length), ...below].join("\n");
  return countEntries(body, closes[match[2]!]!, match[1] !== undefined);
}

function countEntries(body: string, close: string, isWords: boolean): number | undefined {
  const bare = body
    .replace(/(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g, "x")
    .replace(/(?:\/\/|#(?![\w{])).*$/gm, "");
  let [depth, count, isOpen] = [0, 0, false];
  for (const letter of bare) {
    if (depth === 0 && letter === close)
      return isWords
        ? bare.slice(0, bare.indexOf(close)).trim().split(/\s+/).filter(Boolean).length
        : count + (isOpen ? 1 : 0);
    if (/[[{(]/.test(letter)) depth++;
    if (/[\]})]/.test(letter)) depth--;
    if (depth === 0 && letter === ",") [count, isOpen] = [count + (isOpen ? 1 : 0), false];
    else if (/\S/.test(letter)) isOpen = true;
  }
  return undefined;
}
