// Recognises a line that defines a name, in the languages that reports are about. Patterns, no
// parser: a hint that ranks, never a proof.

const keywords = new Set([
  ..."function function* def class interface enum struct union trait impl type typedef".split(" "),
  ..."module namespace package func fn sub record object protocol extension mod".split(" "),
  ..."macro_rules! defmodule defp defmacro macro data newtype instance procedure".split(" "),
  ..."table view trigger define".split(" "),
]);
const visibility = String.raw`(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal)\s+`;
const declaring =
  "const|let|var|val|local|our|my|static|readonly|final|declare|global|constexpr|alias|typeset|lateinit";
const declaration = new RegExp(String.raw`^\s*(?:${visibility})*(?:${declaring})\b[^=;(]*$`);
const plainType = /^[\w$<>[\],.*&:~\s@]*$/;
const statements = [
  "return|new|else|await|throw|if|while|for|switch|case|yield|in|not|and|or|print|echo|raise",
  "assert|del|go|defer|use|import|from|require|include|goto|delete",
].join("|");
const notDefining = new RegExp(String.raw`(?:^|\s)(?:${statements})\s+[\w$.*&:<>\s]*$`);
const opensBody =
  /(?:[{:,(]|=>|\)\s*(?:const|override|noexcept|throws\s[\w., ]+|->.*|:\s*[\w$<>[\]|.\s]+\{?)?)\s*\\?$/;

/**
 * 3: a keyword introduces it; 2: a declaration, method or assignment shape; 1: a key, a selector or
 * a heading; 0: none.
 */
export function definitionStrength(line: string, name: string): number {
  if (line.length > 1000 || isComment(line)) return 0;
  let best = 0;
  let at = line.indexOf(name);
  for (let tries = 0; at >= 0 && tries < 4; tries++, at = line.indexOf(name, at + name.length))
    best = Math.max(best, strengthAt(line.slice(0, at), line.slice(at + name.length)));
  return best;
}

const calling = /^\s*(?:<[^<>]*>)?\s*\(/;

/** What stands before and behind a name where a line defines it; the first row that fits says how surely. */
const shapes: { strength: number; fits: (before: string, after: string) => boolean }[] = [
  { strength: 3, fits: (before) => isIntroduced(before) },
  { strength: 2, fits: (before, after) => declaration.test(before) && !calling.test(after) },
  {
    strength: 2,
    fits: (before, after) =>
      /^\s*[$@%]?(?:[\w$]+\.)*[$@%]?$/.test(before) &&
      /^\s*(?::[^=]+)?[:?|]?=(?![=~>])/.test(after),
  },
  { strength: 2, fits: (before, after) => /^\s*[$@]$/.test(before) && /^\s*:/.test(after) },
  {
    strength: 2,
    fits: (before, after) =>
      calling.test(after) &&
      plainType.test(before) &&
      !notDefining.test(before) &&
      opensBody.test(after),
  },
  {
    strength: 1,
    fits: (before, after) =>
      /^\s*["'`]?$/.test(before) && (calling.test(after) || /^["'`]?\s*[:=](?!=)/.test(after)),
  },
  { strength: 1, fits: (before) => /^\s*(?:#{1,6}\s.*|[.#@&]|--)$/.test(before) },
];

function strengthAt(before: string, after: string): number {
  if (/\w$/.test(before) || /^\w/.test(after)) return 0;
  return shapes.find(({ fits }) => fits(before, after))?.strength ?? 0;
}

/** Whether a keyword stands directly before the name; sigils and a receiver ("(f *Foo)") may stand between. */
function isIntroduced(before: string): boolean {
  // "def self.name", "function Owner.name".
  if (before.endsWith(".") || before.endsWith("::"))
    return /\b(?:def|function|fn|func|sub)\s+[\w$.:]+$/.test(before.slice(-80));
  let end = before.length;
  while (end > 0 && sigil.test(before[end - 1]!)) end--;
  if (end === before.length || before.endsWith("~")) return false;
  const bare =
    before[end - 1] === ")"
      ? before
          .slice(0, end)
          .replace(/\([^()]*\)$/, "")
          .trimEnd()
      : before.slice(0, end);
  const last = /[\w!]+\*?$/.exec(bare.slice(-longestKeyword))?.[0];
  return last !== undefined && keywords.has(last);
}

const sigil = /[*&$@%~\s]/;
const longestKeyword = 32;

/**
 * A line that holds only a comment. `#` counts with a blank behind it: alone it also begins
 * selectors and directives.
 */
export function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|<!--|--\s|;;|"""|'''|#\s(?!\s*define))/.test(line);
}
