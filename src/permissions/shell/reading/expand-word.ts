// Expands a parsed word the way bash would, as far as that is possible without running anything,
// and walks whatever runs inside it.
import type {
  DoubleQuotedChild,
  HereDoc,
  ParameterExpansionPart,
  ParsedScript,
  Word,
  WordPart,
} from "unbash";
import { ask, type Concern } from "../analysis.ts";
import { checkArithmetic, isPlainIndex, isPlainNumber } from "./check-arithmetic.ts";
import { braceMembers } from "./expand-braces.ts";
import { splitting, unknown, type Field } from "../field.ts";
import type { Scope } from "../scope.ts";

/** What the expansion needs from the walk that it serves. */
export type Expander = {
  scope: Scope;
  home: string;
  /** Names whose value is a number wherever they are read. */
  numbers: Set<string>;
  runScript(script: ParsedScript | undefined): void;
  assign(name: string): void;
  complain(concern: Concern): void;
};

type Piece =
  | { text: string; glob?: boolean }
  | "unknown"
  | "splitting"
  | { alternatives: string[]; quoted: boolean; glob?: boolean }
  | { members: string[] }
  | "descriptor";

const maxAlternatives = 64;
/**
 * `$'…'` with escapes for ASCII only: decoders differ on the others, and a NUL ends the word early.
 */
const plainAnsi =
  /^\$'(?:[^\\]|\\(?:[abeEfnrtv\\'"?]|x(?:[1-7][\dA-Fa-f]|[1-9A-Fa-f](?![\dA-Fa-f]))|(?!000)[01][0-7]{2}|[1-7][0-7]?(?![0-7])))*'$/;

/** The fields one word becomes; brace expansion makes several. */
export function expandWord(word: Word, expander: Expander): Field[] {
  const pieces = word.parts ? piecesOf(word, word.parts, expander) : [plainPiece(word, expander)];
  return combine(pieces, word, expander);
}

function plainPiece(word: Word, expander: Expander): Piece {
  const bare = word.text.replace(/\\[\s\S]/g, "");
  if (/["'`]|\$[\w({[@*#?!$'"-]/.test(bare))
    expander.complain(ask("unknown-syntax", `The word ${word.text} is read differently by bash.`));
  return hasLooseBraces(bare) ? "splitting" : { text: word.value };
}

function hasLooseBraces(bare: string): boolean {
  const inner = bare.slice(bare.indexOf("{") + 1, bare.lastIndexOf("}") + 1);
  return bare.includes("{") && (inner.includes(",") || inner.includes(".."));
}

function piecesOf(word: Word, parts: readonly WordPart[], expander: Expander): Piece[] {
  let at = word.pos;
  for (const part of parts) {
    if (part.pos !== at)
      expander.complain(
        ask("unknown-syntax", `A part of the word ${word.text} was not understood.`),
      );
    at = part.end;
  }
  if (at !== word.end)
    expander.complain(
      ask("unknown-syntax", `The end of the word ${word.text} was not understood.`),
    );
  const pieces = parts.map((part) => pieceOf(part, expander, false));
  const bare = parts
    .map((part) =>
      part.type === "Literal"
        ? part.text.replace(/\\[\s\S]/g, "")
        : part.type === "BraceExpansion"
          ? ""
          : "x",
    )
    .join("");
  return hasLooseBraces(bare) ? [...pieces, "splitting"] : pieces;
}

function pieceOf(part: WordPart | DoubleQuotedChild, expander: Expander, quoted: boolean): Piece {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return { text: part.value };
    case "AnsiCQuoted":
      return plainAnsi.test(part.text) ? { text: part.value } : "unknown";
    case "Glob":
      part.parts?.forEach((child) => pieceOf(child, expander, false));
      return part.parts?.some((child) => child.type !== "Literal")
        ? "splitting"
        : { text: part.text, glob: true };
    case "DoubleQuoted":
      return quotedPiece(part.parts, expander);
    case "LocaleString":
      part.parts.forEach((child) => pieceOf(child, expander, true));
      return "unknown";
    case "SimpleExpansion":
      return variablePiece(part.text.slice(1), expander, quoted);
    case "ParameterExpansion":
      return parameterPiece(part, expander, quoted);
    case "CommandExpansion":
      if (part.text.startsWith("${"))
        expander.complain(
          ask("unknown-syntax", "Only the newest shells read ${ command; } as a substitution."),
        );
      expander.runScript(part.script);
      return quoted ? "unknown" : "splitting";
    case "ArithmeticExpansion":
      checkArithmetic(part.expression, { ...arithmeticTools(expander), text: part.text });
      return quoted ? "unknown" : "splitting";
    case "ProcessSubstitution":
      expander.runScript(part.script);
      return "descriptor";
    case "BraceExpansion":
      return bracePiece(part.text, part.parts, expander);
    case "ExtendedGlob":
      part.parts?.forEach((child) => pieceOf(child, expander, false));
      expander.complain(
        ask(
          "unknown-syntax",
          "Extended globs mean different things under different shell options.",
        ),
      );
      return "splitting";
    default:
      expander.complain(ask("unknown-syntax", "A word holds syntax that is not understood."));
      return "splitting";
  }
}

function bracePiece(
  text: string,
  parts: readonly WordPart[] | undefined,
  expander: Expander,
): Piece {
  parts?.forEach((child) => pieceOf(child, expander, false));
  const members = braceMembers(text);
  if (members) return { members };
  if (text.length > 40 || /\.\./.test(text))
    expander.complain(
      ask("too-many", "A brace expansion is too large or too unusual to be listed."),
    );
  return "splitting";
}

function quotedPiece(parts: readonly DoubleQuotedChild[], expander: Expander): Piece {
  let text = "";
  let alternatives: string[] | undefined;
  let glob = false;
  let dynamic: Piece | undefined;
  for (const part of parts) {
    const piece = pieceOf(part, expander, true);
    if (typeof piece === "string")
      dynamic = piece === "splitting" || dynamic === "splitting" ? "splitting" : "unknown";
    else if ("text" in piece) {
      // A literal star beside names that match a pattern would become part of the pattern.
      if (glob && /[*?[\]\\]/.test(piece.text)) dynamic = "unknown";
      text += piece.text;
      alternatives = alternatives?.map((item) => item + piece.text);
    } else if ("alternatives" in piece) {
      const heads = alternatives ?? [text];
      glob ||= piece.glob === true;
      if (glob && /[*?[\]\\]/.test(text)) dynamic = "unknown";
      if (heads.length * piece.alternatives.length > maxAlternatives) dynamic = "unknown";
      else alternatives = heads.flatMap((head) => piece.alternatives.map((item) => head + item));
    }
  }
  if (dynamic)
    return dynamic === "unknown" && text !== "" && firstIsPlain(parts)
      ? { alternatives: [], quoted: true }
      : dynamic;
  return alternatives ? { alternatives, quoted: true, glob } : { text };
}

/** `"src/$x"` can be no option and is exactly one word. */
function firstIsPlain(parts: readonly DoubleQuotedChild[]): boolean {
  const first = parts[0];
  return first?.type === "Literal" && first.value !== "" && !first.value.startsWith("-");
}

function variablePiece(name: string, expander: Expander, quoted: boolean): Piece {
  if (name === "HOME") return { alternatives: [expander.home], quoted: true };
  if (name === "PWD" && expander.scope.cwds)
    return { alternatives: expander.scope.cwds, quoted: true };
  const values = expander.scope.values.get(name);
  if (values) {
    const splits =
      !quoted &&
      (values.glob || values.texts.some((value) => value === "" || /[\s*?[\]\\]/.test(value)));
    if (!splits) return { alternatives: values.texts, quoted, glob: values.glob };
  }
  if (/^[#?$!]$/.test(name)) return "unknown";
  // "$@" is any number of words even in quotes.
  return quoted && name !== "@" ? "unknown" : "splitting";
}

function parameterPiece(part: ParameterExpansionPart, expander: Expander, quoted: boolean): Piece {
  const operation = part.operation;
  if (!part.prefix && !part.index && !operation)
    return variablePiece(part.parameter, expander, quoted);
  if (part.prefix === "!" && operation?.type !== "Names")
    expander.complain(
      ask("arithmetic", `${part.text} reads a variable whose name is only known at run time.`),
    );
  if (part.index) checkIndex(part.index, expander);
  const walk = (word: Word | undefined) => void (word && expandWord(word, expander));
  switch (operation?.type) {
    case undefined:
    case "Names":
      break;
    case "Default":
      if (operation.operator.endsWith("=")) expander.assign(part.parameter);
      walk(operation.operand);
      break;
    case "Remove":
    case "CaseModification":
      walk(operation.operand);
      break;
    case "Replace":
      walk(operation.pattern);
      walk(operation.replacement);
      break;
    case "Slice":
      for (const bound of [operation.offset, operation.length]) {
        walk(bound);
        if (bound && !isPlainNumber(bound.text))
          expander.complain(
            ask("arithmetic", `${part.text} evaluates text as arithmetic, which can run commands.`),
          );
      }
      break;
    case "Transform":
      if (!/^[QULEAaKku]$/.test(operation.operand.text))
        expander.complain(
          ask("dynamic-code", `${part.text} expands a value as a prompt, which can run commands.`),
        );
      break;
    default:
      expander.complain(ask("unknown-syntax", `${part.text} is not understood.`));
  }
  if (part.prefix === "#") return "unknown";
  const wholeArray =
    part.parameter === "@" || part.index?.text === "@" || operation?.type === "Names";
  return quoted && !wholeArray ? "unknown" : "splitting";
}

/** A subscript is arithmetic: only `@`, `*` and numbers are inert. */
export function checkIndex(index: Word, expander: Expander): void {
  expandWord(index, expander);
  if (!isPlainIndex(index.text))
    expander.complain(
      ask("arithmetic", `The subscript [${index.text}] is evaluated, which can run commands.`),
    );
}

export function arithmeticTools(expander: Expander) {
  return {
    numbers: expander.numbers,
    complain: (concern: Concern) => expander.complain(concern),
    runScript: (script: ParsedScript | undefined) => expander.runScript(script),
    walkParts: (parts: readonly WordPart[]) =>
      parts.forEach((part) => pieceOf(part, expander, true)),
  };
}

/** The body of a heredoc expands unless its delimiter was quoted. */
export function walkHereDoc(document: HereDoc, expander: Expander): void {
  if (!document.delimiter || !document.closing)
    expander.complain(ask("syntax", "A heredoc does not end."));
  if (document.delimiter?.quoted) return;
  document.body.parts?.forEach((part) => pieceOf(part, expander, true));
  const literal = document.body.parts
    ? document.body.parts.map((part) => (part.type === "Literal" ? part.text : "")).join("")
    : document.body.text;
  if (/`|\$[({[]/.test(literal.replace(/\\[\s\S]/g, "")))
    expander.complain(ask("unknown-syntax", "A heredoc expands text that was not understood."));
}

type Draft = { text: string; glob: boolean };

function combine(pieces: Piece[], word: Word, expander: Expander): Field[] {
  const raw = word.text;
  if (pieces.includes("splitting")) return [splitting(raw)];
  if (pieces.includes("descriptor"))
    return [{ ...unknown(raw, false), descriptor: pieces.length === 1 }];
  if (
    pieces.includes("unknown") ||
    pieces.some(
      (piece) =>
        typeof piece === "object" && "alternatives" in piece && piece.alternatives.length === 0,
    )
  ) {
    return [unknown(raw, !startsPlain(pieces))];
  }
  let drafts: Draft[] = [{ text: "", glob: false }];
  let braced = false;
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    const tails =
      "text" in piece ? [{ text: piece.text, glob: piece.glob ?? false }] : memberDrafts(piece);
    braced ||= "members" in piece;
    if (drafts.length * tails.length <= maxAlternatives * 4)
      drafts = drafts.flatMap((head) =>
        tails.map((tail) => ({ text: head.text + tail.text, glob: head.glob || tail.glob })),
      );
    else {
      expander.complain(ask("too-many", "A brace expansion is too large to be listed."));
      return [splitting(raw)];
    }
  }
  return braced
    ? drafts.map((draft) => toField([draft], word, expander))
    : [toField(drafts, word, expander)];
}

function memberDrafts(
  piece: { members: string[] } | { alternatives: string[]; glob?: boolean },
): Draft[] {
  return "members" in piece
    ? piece.members.map((text) => ({ text, glob: /[*?]/.test(text) }))
    : piece.alternatives.map((text) => ({ text, glob: piece.glob === true }));
}

function startsPlain(pieces: Piece[]): boolean {
  const first = pieces[0];
  if (typeof first !== "object") return false;
  if ("alternatives" in first) return first.quoted;
  return "text" in first && first.text !== "" && !first.text.startsWith("-") && !first.glob;
}

function toField(drafts: Draft[], word: Word, expander: Expander): Field {
  const texts = drafts.map((draft) => expandTilde(draft.text, word, expander));
  if (texts.includes(null)) return unknown(word.text, false);
  const values = texts as string[];
  const glob = drafts.some((draft) => draft.glob);
  const single = values.length === 1 && !glob;
  return {
    value: single ? values[0]! : null,
    values,
    glob,
    splits: glob,
    open: values.some(
      (value) => (value.startsWith("-") && !single) || (glob && /^[*?[]/.test(value)),
    ),
    descriptor: false,
    raw: word.text,
  };
}

function expandTilde(text: string, word: Word, expander: Expander): string | null {
  const written = word.text;
  if (written.startsWith("~") && text.startsWith("~")) {
    if (text === "~" || text.startsWith("~/")) return expander.home + text.slice(1);
    return null;
  }
  // bash expands a tilde after `name=` and after `:` in such words too.
  const named = /^([A-Za-z_]\w*=)(~)(?=\/|$|:)/.exec(written);
  if (named && text.startsWith(`${named[1]}~`))
    return named[1] + expander.home + text.slice(named[1]!.length + 1);
  if (/^[A-Za-z_]\w*=.*(?:^|[=:])~/.test(written)) return null;
  return text;
}
