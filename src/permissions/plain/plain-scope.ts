// What is known at one place of a plain text: folders, variables with known text, and variables
// whose text is one harmless word.
import { fork, unionCwds, type Scope } from "../shell/scope.ts";
import type { PlainList, PlainNode, PlainSimple, PlainWord } from "./plain-list.ts";

export type PlainScope = Scope & {
  /** Variables that hold one word that is no option and leads nowhere (a commit, a number). */
  words: Set<string>;
  /** Variables that were set since the scope was opened. */
  touched: Set<string>;
};

export const openScope = (cwd: string): PlainScope => ({
  cwds: [cwd],
  values: new Map(),
  functions: new Set(),
  words: new Set(),
  touched: new Set(),
});

export const forkPlain = (scope: PlainScope): PlainScope => ({
  ...fork(scope),
  words: new Set(scope.words),
  touched: new Set(),
});

export function forget(scope: PlainScope, names: Iterable<string>): void {
  for (const name of names) {
    if (name === anything) scope.values.clear();
    if (name === anything) scope.words.clear();
    scope.values.delete(name);
    scope.words.delete(name);
    scope.touched.add(name);
  }
}

/**
 * Behind a part that may or may not have run, or only for itself: what it set is no longer known.
 */
export function rejoin(scope: PlainScope, inner: PlainScope, { moves }: { moves: boolean }): void {
  forget(scope, inner.touched);
  if (moves) scope.cwds = unionCwds(scope.cwds, inner.cwds);
}

const anything = "*";
const setters = new Set(
  `
    read export declare typeset local readonly printf mapfile readarray getopts unset let eval
    source . trap set shopt`
    .trim()
    .split(/\s+/),
);

/** The variables that a simple command may set; `*` stands for all of them. */
export function namesSetBy({ assignments, words }: PlainSimple): string[] {
  const own = words.length === 0 ? assignments.map((item) => item.name) : [];
  const [command, ...operands] = words.map(wordText);
  if (command === undefined) return words.length === 0 ? own : [anything];
  if (command === "printf" && operands[0]?.startsWith("-") !== true) return own;
  if (!setters.has(command)) return own;
  return operands.map(
    (text) => /^([A-Za-z_]\w*)(?:=|$)/.exec(text ?? "")?.[1] ?? optionOrAll(text),
  );
}

/** An option sets nothing by itself; a word that is not known may set anything. */
const optionOrAll = (text: string | undefined): string => (text?.startsWith("-") ? "" : anything);

/** The word's text where every part of it is text. */
export function wordText({ parts }: PlainWord): string | undefined {
  let text = "";
  for (const part of parts) {
    if (part.kind !== "text") return undefined;
    text += part.text;
  }
  return text;
}

/** Every variable that some command of the list may set. */
export function namesSetIn(list: PlainList): string[] {
  return list.flatMap(({ node }) => namesSetInNode(node));
}

function namesSetInNode(node: PlainNode): string[] {
  switch (node.type) {
    case "simple":
      return namesSetBy(node);
    case "pipeline":
      return node.items.flatMap(namesSetInNode);
    case "chain":
      return [node.first, ...node.rest.map((item) => item.node)].flatMap(namesSetInNode);
    case "subshell":
      return namesSetIn(node.body);
    case "for":
      return [node.name, ...namesSetIn(node.body)];
    case "while":
      return [...namesSetIn(node.condition), ...namesSetIn(node.body)];
    default:
      return [
        ...node.branches.flatMap((item) => [
          ...namesSetIn(item.condition),
          ...namesSetIn(item.body),
        ]),
        ...namesSetIn(node.otherwise ?? []),
      ];
  }
}
