// What the parts of a parsed word stand for: text, several texts, or something that is only known
// when it runs. Whatever runs inside the word is walked on the way.
import type {
  DoubleQuotedChild,
  HereDoc,
  ParameterExpansionPart,
  ParsedScript,
  Word,
  WordPart,
} from "unbash";
import { ask, type Concern } from "../analysis.ts";
import { braceMembers } from "./brace-members.ts";
import { checkArithmetic, isPlainIndex, isPlainNumber } from "./check-arithmetic.ts";
import { joinQuoted, type WordPiece } from "./join-quoted.ts";
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

/** A letter of `$'…'` and how it is written. */
const ansiLetters = [
  String.raw`[^\\]`,
  String.raw`\\(?:[abeEfnrtv\\'"?]`,
  String.raw`x(?:[1-7][\dA-Fa-f]|[1-9A-Fa-f](?![\dA-Fa-f]))`,
  String.raw`(?!000)[01][0-7]{2}`,
  String.raw`[1-7][0-7]?(?![0-7]))`,
].join("|");
/**
 * `$'…'` with escapes for ASCII only: decoders differ on the others, and a NUL ends the word early.
 */
const plainAnsi = new RegExp(String.raw`^\$'(?:${ansiLetters})*'$`);

/** What the word is made of. */
export const wordPieces = (word: Word, expander: Expander): WordPiece[] =>
  word.parts ? piecesOf(word, word.parts, expander) : [plainPiece(word, expander)];

function plainPiece(word: Word, expander: Expander): WordPiece {
  const bare = word.text.replace(/\\[\s\S]/g, "");
  if (/["'`]|\$[\w({[@*#?!$'"-]/.test(bare))
    expander.complain(ask("unknown-syntax", `The word ${word.text} is read differently by bash.`));
  return hasLooseBraces(bare) ? "splitting" : { text: word.value };
}

function hasLooseBraces(bare: string): boolean {
  const inner = bare.slice(bare.indexOf("{") + 1, bare.lastIndexOf("}") + 1);
  return bare.includes("{") && (inner.includes(",") || inner.includes(".."));
}

function piecesOf(word: Word, parts: readonly WordPart[], expander: Expander): WordPiece[] {
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

type AnyPart = WordPart | DoubleQuotedChild;
type Of<Kind extends AnyPart["type"]> = Extract<AnyPart, { type: Kind }>;
type Makers = {
  [Kind in AnyPart["type"]]?: (part: Of<Kind>, expander: Expander, quoted: boolean) => WordPiece;
};

const makers: Makers = {
  Literal: ({ value }) => ({ text: value }),
  SingleQuoted: ({ value }) => ({ text: value }),
  AnsiCQuoted: ({ text, value }) => (plainAnsi.test(text) ? { text: value } : "unknown"),
  Glob: ({ text, parts }, expander) => {
    parts?.forEach((child) => pieceOf(child, expander, false));
    return parts?.some((child) => child.type !== "Literal") ? "splitting" : { text, glob: true };
  },
  DoubleQuoted: ({ parts }, expander) => quotedPiece(parts, expander),
  LocaleString: ({ parts }, expander) => {
    parts.forEach((child) => pieceOf(child, expander, true));
    return "unknown";
  },
  SimpleExpansion: ({ text }, expander, quoted) => variablePiece(text.slice(1), expander, quoted),
  ParameterExpansion: parameterPiece,
  CommandExpansion: ({ text, script }, expander, quoted) => {
    if (text.startsWith("${"))
      expander.complain(
        ask("unknown-syntax", "Only the newest shells read ${ command; } as a substitution."),
      );
    expander.runScript(script);
    return quoted ? "unknown" : "splitting";
  },
  ArithmeticExpansion: ({ text, expression }, expander, quoted) => {
    checkArithmetic(expression, { ...arithmeticTools(expander), text });
    return quoted ? "unknown" : "splitting";
  },
  ProcessSubstitution: ({ script }, expander) => {
    expander.runScript(script);
    return "descriptor";
  },
  BraceExpansion: ({ text, parts }, expander) => bracePiece(text, parts, expander),
  ExtendedGlob: ({ parts }, expander) => {
    parts?.forEach((child) => pieceOf(child, expander, false));
    expander.complain(
      ask("unknown-syntax", "Extended globs mean different things under different shell options."),
    );
    return "splitting";
  },
};

function pieceOf(part: AnyPart, expander: Expander, quoted: boolean): WordPiece {
  const make = Object.hasOwn(makers, part.type)
    ? (makers[part.type] as (part: AnyPart, expander: Expander, quoted: boolean) => WordPiece)
    : undefined;
  if (make) return make(part, expander, quoted);
  expander.complain(ask("unknown-syntax", "A word holds syntax that is not understood."));
  return "splitting";
}

function bracePiece(
  text: string,
  parts: readonly WordPart[] | undefined,
  expander: Expander,
): WordPiece {
  parts?.forEach((child) => pieceOf(child, expander, false));
  const members = braceMembers(text);
  if (members) return { members };
  if (text.length > 40 || /\.\./.test(text))
    expander.complain(
      ask("too-many", "A brace expansion is too large or too unusual to be listed."),
    );
  return "splitting";
}

const quotedPiece = (parts: readonly DoubleQuotedChild[], expander: Expander): WordPiece =>
  joinQuoted(
    parts.map((part) => pieceOf(part, expander, true)),
    firstIsPlain(parts),
  );

/** `"src/$x"` can be no option and is exactly one word. */
function firstIsPlain(parts: readonly DoubleQuotedChild[]): boolean {
  const first = parts[0];
  return first?.type === "Literal" && first.value !== "" && !first.value.startsWith("-");
}

function variablePiece(name: string, expander: Expander, quoted: boolean): WordPiece {
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

type Operation = NonNullable<ParameterExpansionPart["operation"]>;
type Operations = {
  [Kind in Operation["type"]]?: (
    operation: Extract<Operation, { type: Kind }>,
    part: ParameterExpansionPart,
    expander: Expander,
  ) => void;
};

const walkWord = (word: Word | undefined, expander: Expander): void =>
  void (word && wordPieces(word, expander));

const operations: Operations = {
  Names: () => undefined,
  Default: ({ operator, operand }, { parameter }, expander) => {
    if (operator.endsWith("=")) expander.assign(parameter);
    walkWord(operand, expander);
  },
  Remove: ({ operand }, _, expander) => walkWord(operand, expander),
  CaseModification: ({ operand }, _, expander) => walkWord(operand, expander),
  Replace: ({ pattern, replacement }, _, expander) => {
    walkWord(pattern, expander);
    walkWord(replacement, expander);
  },
  Slice: ({ offset, length }, { text }, expander) => {
    for (const bound of [offset, length]) {
      walkWord(bound, expander);
      if (bound && !isPlainNumber(bound.text))
        expander.complain(
          ask("arithmetic", `${text} evaluates text as arithmetic, which can run commands.`),
        );
    }
  },
  Transform: ({ operand }, { text }, expander) => {
    if (!/^[QULEAaKku]$/.test(operand.text))
      expander.complain(
        ask("dynamic-code", `${text} expands a value as a prompt, which can run commands.`),
      );
  },
};

function walkOperation(part: ParameterExpansionPart, expander: Expander): void {
  const { operation, text } = part;
  if (!operation) return;
  if (!Object.hasOwn(operations, operation.type))
    return expander.complain(ask("unknown-syntax", `${text} is not understood.`));
  const walk = operations[operation.type] as (
    operation: Operation,
    part: ParameterExpansionPart,
    expander: Expander,
  ) => void;
  walk(operation, part, expander);
}

function parameterPiece(
  part: ParameterExpansionPart,
  expander: Expander,
  quoted: boolean,
): WordPiece {
  const { prefix, index, operation, parameter } = part;
  if (!prefix && !index && !operation) return variablePiece(parameter, expander, quoted);
  if (prefix === "!" && operation?.type !== "Names")
    expander.complain(
      ask("arithmetic", `${part.text} reads a variable whose name is only known at run time.`),
    );
  if (index) checkIndex(index, expander);
  walkOperation(part, expander);
  if (prefix === "#") return "unknown";
  const wholeArray = parameter === "@" || index?.text === "@" || operation?.type === "Names";
  return quoted && !wholeArray ? "unknown" : "splitting";
}

/** A subscript is arithmetic: only `@`, `*` and numbers are inert. */
export function checkIndex(index: Word, expander: Expander): void {
  wordPieces(index, expander);
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
