// Commands inside $(…) whose output is known in kind before they run: one plain word that can be no option.
import type { DoubleQuotedChild, ParsedScript, Redirection, Word, WordPart } from "unbash";

/** A name of a commit: it begins like a word and leads out of no folder. */
const revision = "(?!\\S*\\.\\.(?:/|$))(?!\\S*/\\.\\.)[A-Za-z0-9@][\\w./@{}^~-]*";
const shapes: readonly RegExp[] = [
  // Hashes, or the revision itself where it names nothing.
  `git rev-parse(?: (?:--short(?:=\\d+)?|--verify|-q|--quiet))*(?: ${revision})+`,
  `git merge-base(?: (?:--fork-point|--octopus))?(?: ${revision})+`,
  `git (?:log|rev-list)(?: (?:-\\d+|-n \\d+|-n\\d+|--max-count=\\d+|--max-parents=0|--reverse|--no-merges))*(?: --(?:format|pretty)=(?:format:)?%[Hh])(?: (?:-\\d+|-n \\d+|-n\\d+))*(?: ${revision})*`,
  `git rev-list(?: (?:-\\d+|-n \\d+|-n\\d+|--max-count=\\d+|--max-parents=0|--count|--reverse|--no-merges))+(?: ${revision})+`,
  "date \\+%[YsFyjmdH][%\\w.:-]*",
  "nproc",
  "seq(?: \\d+){1,3}",
].map((source) => new RegExp(`^(?:${source})$`));

/** `"word"`: plain words that are no options. `"folder"`: the folder in force. Undefined: anything. */
export function outputOf(script: ParsedScript | undefined): "word" | "folder" | undefined {
  const [statement, ...others] = script?.commands ?? [];
  if (!statement || others.length || script!.errors?.length || statement.background)
    return undefined;
  const { command } = statement;
  if (command.type !== "Command" || command.prefix.length > 0 || !command.name) return undefined;
  if (!command.redirects.every(hidesErrors)) return undefined;
  const words = [command.name, ...command.args].map((item) =>
    item.type === "Word" ? plainText(item) : undefined,
  );
  if (words.includes(undefined)) return undefined;
  const text = words.join(" ");
  return text === "pwd" ? "folder" : shapes.some((shape) => shape.test(text)) ? "word" : undefined;
}

/** `2>/dev/null` and the like leave the output alone. */
const hidesErrors = (item: Redirection): boolean =>
  item.type === "Redirect" &&
  item.operator === ">" &&
  item.descriptor?.type === "FileDescriptor" &&
  item.descriptor.value === 2;

/** The word where bash changes nothing in it. */
function plainText(word: Word): string | undefined {
  const text = word.text.replace(/^(['"])([^'"$`\\]*)\1$/, "$2");
  return /^[\w./@{}^~=:+%-]+$/.test(text) &&
    !text.startsWith("~") &&
    !/\{[^}]*(?:,|\.\.)/.test(text)
    ? text
    : undefined;
}

/** The scripts of a word that is made of such outputs and of what stands around names of commits (`$(…)`, `"$(…)"`, `main..$(…)`, `$(…)~1`): one plain word, no option, no file elsewhere. */
export function scriptsOfName(word: Word): ParsedScript[] | undefined {
  const [only, ...others] = word.parts ?? [];
  const parts: readonly (WordPart | DoubleQuotedChild)[] =
    only?.type === "DoubleQuoted" && others.length === 0 ? only.parts : (word.parts ?? []);
  const scripts: ParsedScript[] = [];
  for (const [at, part] of parts.entries()) {
    if (
      part.type === "CommandExpansion" &&
      part.script &&
      !part.text.startsWith("${") &&
      outputOf(part.script) === "word"
    )
      scripts.push(part.script);
    else if (
      part.type !== "Literal" ||
      !(at === 0 ? /^[A-Za-z0-9][\w./-]*\.\.$/ : /^(?:[~^]\d*)*(?:\.\.\.?[\w@-]*)?$/).test(
        part.text,
      )
    )
      return undefined;
  }
  return scripts.length > 0 ? scripts : undefined;
}
