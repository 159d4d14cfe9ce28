// The files that an instruction file imports with `@path`: which words are imports, and where they lead.
import { dirname, join, resolve } from "node:path";
import { homeDir } from "../base/files/home-dir.ts";

const maxImports = 100;
/** Fences and inline code: what stands in them is shown, not meant. */
const code =
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))|(`+)(?!`)[^\n]*?[^`\n]\2(?!`)/gm;

/** Absolute paths, in order, each once. `path` is the file that the text was read from. */
export function importsIn(text: string, path: string, home = homeDir()): string[] {
  if (!text.includes("@")) return [];
  const words = [
    ...text.replace(code, " ").matchAll(/(?:^|\s)@((?:[^\s\\`"'<>()[\]{}]|\\ )+)/g),
  ].map((match) => match[1]!.replaceAll("\\ ", " ").replace(/[.,;:!?*_]+$/, ""));
  const paths = words
    .filter((word) => /^(?:~\/|\.{0,2}\/)?[\p{L}\p{N}._]/u.test(word) && word.length <= 1_000)
    .map((word) =>
      word.startsWith("~/") ? join(home, word.slice(2)) : resolve(dirname(path), word),
    );
  return [...new Set(paths)].slice(0, maxImports);
}
