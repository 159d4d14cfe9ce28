// Commands inside `$(…)` whose output is known before they run: in full, or in kind (one word that
// is no option).
import type { PlainList } from "./plain-list.ts";
import { wordText } from "./plain-scope.ts";

/** A name of a commit: it begins like a word and leads out of no folder. */
const revision = "(?!\\S*\\.\\.(?:/|$))(?!\\S*/\\.\\.)[A-Za-z0-9@][\\w./@{}^~-]*";
const count = "(?:-\\d+|-n \\d+|-n\\d+|--max-count=\\d+)";
const order = "--max-parents=0|--reverse|--no-merges";
const hashes = "--(?:format|pretty)=(?:format:)?%[Hh]";
const shapes: readonly RegExp[] = [
  // Hashes, or the revision itself where it names nothing.
  `git rev-parse(?: (?:--short(?:=\\d+)?|--verify|-q|--quiet))*(?: ${revision})+`,
  `git merge-base(?: (?:--fork-point|--octopus))?(?: ${revision})+`,
  `git (?:log|rev-list)(?: (?:${count}|${order}))* ${hashes}(?: ${count})*(?: ${revision})*`,
  `git rev-list(?: (?:${count}|--max-parents=0|--count|--reverse|--no-merges))+(?: ${revision})+`,
  "date \\+%[YsFyjmdH][%\\w.:-]*",
  "nproc",
  "seq(?: \\d+){1,3}",
].map((source) => new RegExp(`^(?:${source})$`));

export type KnownOutput = { text: string } | "word" | "folder" | undefined;

/**
 * `"word"`: plain words that are no options. `"folder"`: the folder in force. Undefined: anything.
 */
export function knownOutput(script: PlainList): KnownOutput {
  const [only, ...others] = script;
  if (!only || others.length > 0 || only.background || only.node.type !== "simple")
    return undefined;
  const { assignments, words, redirects } = only.node;
  if (assignments.length > 0) return undefined;
  const texts = words.map(wordText);
  if (texts.includes(undefined)) return undefined;
  const [input] = redirects;
  if (texts.join(" ") === "cat" && redirects.length === 1 && input!.kind === "text")
    return { text: input!.body.replace(/\n+$/, "") };
  if (!redirects.every((item) => item.kind === "errors")) return undefined;
  const text = texts.join(" ");
  return text === "pwd" ? "folder" : shapes.some((shape) => shape.test(text)) ? "word" : undefined;
}
