// A plain word as the command will get it: its text where that is known, else what may be said
// about it.
import { ask, type Concern } from "../shell/analysis.ts";
import { addConcern } from "../shell/scope.ts";
import { known, splitting, unknown, type Field } from "../shell/field.ts";
import { knownOutput } from "./known-output.ts";
import type { PlainList, PlainPart, PlainWord } from "./plain-list.ts";
import type { PlainScope } from "./plain-scope.ts";

export type PlainExpander = {
  scope: PlainScope;
  home: string;
  /** What speaks against the word: it hands on a secret of the environment. */
  concerns: Concern[];
  /** Names that wildcards have matched stand without quotes: they must not fall apart. */
  noteBare(patterns: readonly string[]): void;
  /** Judges the commands of a `$(…)`. */
  runInner(script: PlainList): void;
};

type Draft = { text: string; glob: boolean };
/**
 * `one`: a single word of any text. `many`: any number of words. `names`: words with wildcards among
 * them. `word`: one word, no option.
 */
type Unknown = "one" | "many" | "names" | "word";
type Piece = Draft[] | Unknown;

const maxDrafts = 64;
/** `x=$x$x` again and again: no command takes longer words, and nobody has to build them. */
const maxText = 100_000;
/** Text that stays one word without quotes; with a wildcard it is what that matches. */
const unsplit = /^[\w./@:%+=,^-][\w./@:%+=,^~-]*$/;
const unsplitGlob = /^[\w./@:%+=,^*?[\]-][\w./@:%+=,^~*?[\]!-]*$/;

/**
 * Always one field. `isValue`: the word of an assignment, which bash neither splits nor matches
 * with files.
 */
export function expandPlain(
  { parts, raw }: PlainWord,
  expander: PlainExpander,
  { isValue = false }: { isValue?: boolean } = {},
): Field {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "text" && only.text.length <= maxText)
    return known(only.text, raw);
  const quotesAll = (part: PlainPart): PlainPart =>
    isValue && (part.kind === "variable" || part.kind === "output")
      ? { ...part, quoted: true }
      : isValue && part.kind === "glob"
        ? { kind: "text", text: part.text, quoted: true }
        : part;
  const pieces = parts.map((part) => pieceOf(quotesAll(part), expander));
  const hasGlob = pieces.some((piece) => Array.isArray(piece) && piece.some((draft) => draft.glob));
  const hasQuotedGlob = parts.some(
    (part) => part.kind === "text" && part.quoted && /[*?[\]\\]/.test(part.text),
  );
  const unknowns = pieces.filter((piece): piece is Unknown => !Array.isArray(piece));
  if (unknowns.includes("names")) return { ...splitting(raw), loose: true };
  if (unknowns.includes("many") || (hasGlob && hasQuotedGlob && !isValue)) return splitting(raw);
  if (unknowns.length > 0) {
    const field = unknown(raw, startsOpen(pieces));
    return isName(parts, pieces) ? { ...field, word: true } : field;
  }
  const drafts = combineDrafts(pieces as Draft[][], hasGlob);
  return drafts ? settle(drafts, raw) : unknown(raw, true);
}

/** Every text that the pieces give together; undefined where these are too many or too long. */
function combineDrafts(pieces: Draft[][], glob: boolean): Draft[] | undefined {
  const longest = pieces.map((piece) => Math.max(...piece.map(({ text }) => text.length)));
  if (longest.reduce((a, b) => a + b, 0) > maxText) return undefined;
  if (pieces.every((piece) => piece.length === 1))
    return [{ text: pieces.map(([only]) => only!.text).join(""), glob }];
  let drafts: Draft[] = [{ text: "", glob: false }];
  for (const piece of pieces) {
    drafts = drafts.flatMap((head) =>
      piece.map((tail) => ({ text: head.text + tail.text, glob: head.glob || tail.glob })),
    );
    if (drafts.length > maxDrafts) return undefined;
  }
  return drafts;
}

function settle(drafts: Draft[], raw: string): Field {
  const values = [...new Set(drafts.map((draft) => draft.text))];
  const glob = drafts.some((draft) => draft.glob);
  // `--include=*.ts`: bash hands it on as it is, unless a file is named so.
  const isOption = glob && values.every((value) => /^--[a-z][a-z-]*=[^/]*$/.test(value));
  if (isOption && values.length === 1) return { ...known(values[0]!, raw), pattern: true };
  const isSingle = values.length === 1 && !glob;
  const open = values.some(
    (value) => (value.startsWith("-") && !isSingle) || (glob && /^[*?[]/.test(value)),
  );
  return {
    value: isSingle ? values[0]! : null,
    values,
    glob,
    open,
    splits: glob,
    descriptor: false,
    raw,
  };
}

/** The name of a commit made of such words: `$x`, `main..$x`, `$x~1`. */
function isName(parts: PlainPart[], pieces: Piece[]): boolean {
  const [first, ...rest] = parts
    .map((part, at) =>
      part.kind === "text" ? part.text : pieces[at] === "word" ? "\u0001" : "\u0002",
    )
    .join("")
    .split("\u0001");
  if (rest.length === 0 || [first!, ...rest].some((text) => text.includes("\u0002"))) return false;
  return (
    /^(?:[A-Za-z0-9][\w./-]*\.\.\.?)?$/.test(first!) &&
    rest.every((text) => /^(?:[~^]\d*)*(?:\.\.\.?[\w@-]*)?$/.test(text))
  );
}

/** The word may begin with a dash: what comes first is not known, or is a dash. */
function startsOpen(pieces: Piece[]): boolean {
  for (const piece of pieces) {
    if (!Array.isArray(piece)) return piece !== "word";
    if (piece.some((draft) => draft.text.startsWith("-"))) return true;
    if (piece.every((draft) => draft.text !== "")) return false;
  }
  return true;
}

function pieceOf(part: PlainPart, expander: PlainExpander): Piece {
  switch (part.kind) {
    case "text":
      return [{ text: part.text, glob: false }];
    case "glob":
      return [{ text: part.text, glob: true }];
    case "home":
      return [{ text: expander.home, glob: false }];
    case "variable":
      return variablePiece(part.name, part.quoted, expander);
    default:
      return outputPiece(part.script, part.quoted, expander);
  }
}

const secretName =
  /(?:^|_)(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|(?:API|ACCESS|PRIVATE|SIGNING)_?KEY)(?:_|$)/i;

function complainSecret(name: string, { scope, concerns }: PlainExpander): void {
  if (!scope.touched.has(name) && !scope.values.has(name))
    addConcern(
      concerns,
      ask("unknown-arguments", `The text hands on ${name}, which holds a secret.`),
    );
}

function variablePiece(name: string, quoted: boolean, expander: PlainExpander): Piece {
  const { scope, home } = expander;
  if (name === "?" || scope.words.has(name)) return "word";
  if (secretName.test(name)) complainSecret(name, expander);
  const value = scope.values.get(name);
  const texts = value?.texts ?? impliedTexts(name, scope, home);
  const isMatched = value?.glob === true;
  // Names that were matched in one folder say nothing about another.
  const isElsewhere = isMatched && String(value.cwds) !== String(scope.cwds);
  if (!texts || isElsewhere) return quoted ? "one" : "many";
  if (quoted) return texts.map((text) => ({ text, glob: isMatched }));
  if (isMatched) expander.noteBare(texts);
  return barePiece(texts, isMatched);
}

/** Text of a variable without quotes: what the shell would split is not one word. */
function barePiece(texts: readonly string[], isMatched: boolean): Piece {
  if (!texts.every((text) => unsplitGlob.test(text)))
    return texts.some((text) => /[*?[]/.test(text)) ? "names" : "many";
  const glob = isMatched || !texts.every((text) => unsplit.test(text));
  return texts.map((text) => ({ text, glob }));
}

/** `$HOME` and `$PWD` are what they are unless the text sets them. */
function impliedTexts(name: string, scope: PlainScope, home: string): string[] | undefined {
  if (scope.touched.has(name)) return undefined;
  if (name === "HOME") return [home];
  return name === "PWD" && scope.cwds ? scope.cwds : undefined;
}

function outputPiece(script: PlainList, quoted: boolean, expander: PlainExpander): Piece {
  expander.runInner(script);
  const output = knownOutput(script);
  if (output === "word") return "word";
  if (output === "folder" && expander.scope.cwds)
    return quoted || expander.scope.cwds.every((cwd) => unsplit.test(cwd))
      ? expander.scope.cwds.map((text) => ({ text, glob: false }))
      : "many";
  if (typeof output === "object" && (quoted || unsplit.test(output.text)))
    return [{ text: output.text, glob: false }];
  return quoted ? "one" : "many";
}
