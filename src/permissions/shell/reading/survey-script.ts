// A first look over the whole text: which functions it defines, which variables are plain counters,
// which are set in one place only.
import {
  forEachChild,
  type Assignment,
  type ParsedScript,
  type SyntaxNode,
  type Word,
} from "unbash";

export type Survey = {
  /** Some command in it changes the directory. */
  moves: boolean;
  /** Variables that only ever hold numbers. */
  numbers: Set<string>;
  /** The variable's name is written once outside of `$name`: that one place sets it. */
  isStable: (name: string) => boolean;
};

type Tally = { numeric: Set<string>; other: Set<string>; words: Set<string> };

const number = /^-?\d{1,9}$/;

export function surveyScript(script: ParsedScript, text: string): Survey {
  const tally: Tally = { numeric: new Set(), other: new Set(), words: new Set() };
  const pending: SyntaxNode[] = [script];
  while (pending.length) {
    const node = pending.pop()!;
    note(node, tally);
    forEachChild(node, (child) => pending.push(child));
  }
  const numbers = new Set(
    [...tally.numeric].filter((name) => !tally.other.has(name) && !tally.words.has(name)),
  );
  let stable: Set<string> | undefined;
  return {
    moves: ["cd", "pushd", "popd"].some((name) => tally.words.has(name)),
    numbers,
    isStable: (name) => (stable ??= stableNames(text)).has(name),
  };
}

type Notes = {
  [Kind in SyntaxNode["type"]]?: (node: Extract<SyntaxNode, { type: Kind }>, tally: Tally) => void;
};

const notes: Notes = {
  Assignment: noteAssignment,
  For: ({ name, wordlist }, { numeric, other }) =>
    void (wordlist?.every(isNumberList) ? numeric : other).add(name.value),
  Select: ({ name }, { other }) => void other.add(name.value),
  ArithmeticBinary: ({ left, operator }, { numeric }) => {
    const assigns = operator.endsWith("=") && !/^[=!<>]=$/.test(operator);
    if (left.type === "ArithmeticWord" && assigns) numeric.add(left.value.trim());
  },
  Command: ({ name, args }, { words }) => {
    if (name) words.add(name.value);
    for (const item of args) if (item.type === "Word") words.add(item.value.replace(/=[^]*$/, ""));
  },
  ParameterExpansion: ({ operation, parameter }, { other }) => {
    if (operation?.type === "Default" && operation.operator.endsWith("=")) other.add(parameter);
  },
};

function note(node: SyntaxNode, tally: Tally): void {
  const noteKind = notes[node.type] as ((node: SyntaxNode, tally: Tally) => void) | undefined;
  noteKind?.(node, tally);
}

function noteAssignment(node: Assignment, tally: Tally): void {
  const counts =
    node.value.type === "Word" &&
    !node.value.parts &&
    number.test(node.value.value) &&
    !node.append &&
    !node.index;
  const computed =
    node.value.type === "Word" &&
    node.value.parts?.length === 1 &&
    node.value.parts[0]!.type === "ArithmeticExpansion" &&
    !node.index;
  (counts || computed ? tally.numeric : tally.other).add(node.name);
}

function isNumberList(word: Word): boolean {
  return word.parts ? /^\{-?\d{1,9}\.\.-?\d{1,9}\}$/.test(word.text) : number.test(word.value);
}

function stableNames(text: string): Set<string> {
  // A name cut by a line continuation would be counted as two others.
  if (/\w\\\n\w/.test(text)) return new Set();
  const mentions = new Map<string, number>();
  for (const match of text.matchAll(/(\$\{?[#!]?)?([A-Za-z_]\w*)(\.\w)?/g)) {
    // `f` in `f.txt` is no name that anything could set.
    if (!match[1] && !match[3]) mentions.set(match[2]!, (mentions.get(match[2]!) ?? 0) + 1);
  }
  return new Set([...mentions].filter(([, count]) => count === 1).map(([name]) => name));
}
