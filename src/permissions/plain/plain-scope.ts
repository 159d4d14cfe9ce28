// What is known at one place of a plain text: folders, variables with known text, and variables
// whose text is one harmless word.
import { fork, unionCwds, type Scope } from "../shell/scope.ts";
import type { PlainList, PlainNode, PlainSimple, PlainWord } from "./plain-list.ts";

export type PlainScope = Scope & {
  /** Variables that hold one word that is no option and leads nowhere (a commit, a number). */
  words: Set<string>;
  /** Variables that were set since the scope was opened. */
  touched: Set<string>;
  /** Variables whose text stays unknown whatever sets them: a later value may not take. */
  settled: Set<string>;
};

export const openScope = (cwd: string): PlainScope => ({
  cwds: [cwd],
  values: new Map(),
  functions: new Set(),
  words: new Set(),
  touched: new Set(),
  settled: new Set(),
});

export const forkPlain = (scope: PlainScope): PlainScope => ({
  ...fork(scope),
  words: new Set(scope.words),
  touched: new Set(),
  settled: new Set(scope.settled),
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
  for (const name of inner.settled) scope.settled.add(name);
  if (moves) scope.cwds = unionCwds(scope.cwds, inner.cwds);
}

const anything = "*";
const setters = new Set(
  `
    read export declare typeset local readonly printf mapfile readarray getopts unset let eval
    source . trap set shopt wait`
    .trim()
    .split(/\s+/),
);
/** Builtins that may make a variable read-only, a number, another's name or of one case. */
const settlers = new Set("declare typeset local readonly".split(" "));
/** Variables that bash sets by itself or does not let anybody set. */
const ownedByBash = new Set(
  `
    _ COPROC DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD HOSTNAME HOSTTYPE LINENO
    MACHTYPE MAPFILE OLDPWD OPTARG OPTIND OSTYPE PIPESTATUS PPID PWD RANDOM REPLY SECONDS SHELLOPTS
    SHLVL SRANDOM UID`
    .trim()
    .split(/\s+/),
);

/** A text that is given to the variable here is its text. */
export const keepsText = ({ settled }: PlainScope, name: string): boolean =>
  !settled.has(name) &&
  !settled.has(anything) &&
  !ownedByBash.has(name) &&
  !/^(?:BASH|COMP_|READLINE_)/.test(name);

/** Whether the command may change for good how its variables take texts. */
export const settlesNames = ({ words }: PlainSimple): boolean => {
  const command = words[0] && wordText(words[0]);
  return command === undefined ? words.length > 0 : settlers.has(command);
};

/** The variables that a simple command may set; `*` stands for all of them. */
export function namesSetBy({ assignments, words }: PlainSimple): string[] {
  const own = words.length === 0 ? assignments.map((item) => item.name) : [];
  const [command, ...operands] = words.map(wordText);
  if (command === undefined) return words.length === 0 ? own : [anything];
  if (/^(?:printf|wait)$/.test(command) && !operands.some((text) => text?.startsWith("-")))
    return own;
  if (!setters.has(command)) return own;
  return operands.map(
    (text) => /^([A-Za-z_]\w*)(?:=|$)/.exec(text ?? "")?.[1] ?? optionOrAll(text),
  );
}

/**
 * An option of one letter sets nothing by itself; in a longer one a name may hide (`read -ax`), and
 * a word that is not known may set anything.
 */
const optionOrAll = (text: string | undefined): string =>
  text !== undefined && /^-[^]?$/.test(text) ? "" : anything;

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
export const namesSetIn = (list: PlainList): string[] => namesIn(list, namesSetBy);

/** Every variable that some command of the list may settle. */
export const namesSettledIn = (list: PlainList): string[] =>
  namesIn(list, (node) => (settlesNames(node) ? namesSetBy(node) : []));

type NamesOf = (node: PlainSimple) => string[];

const namesIn = (list: PlainList, namesOf: NamesOf): string[] =>
  list.flatMap(({ node }) => namesInNode(node, namesOf));

function namesInNode(node: PlainNode, namesOf: NamesOf): string[] {
  const inner = (item: PlainNode): string[] => namesInNode(item, namesOf);
  switch (node.type) {
    case "simple":
      return namesOf(node);
    case "pipeline":
      return node.items.flatMap(inner);
    case "chain":
      return [node.first, ...node.rest.map((item) => item.node)].flatMap(inner);
    case "subshell":
      return namesIn(node.body, namesOf);
    case "for":
      return [...(namesOf === namesSetBy ? [node.name] : []), ...namesIn(node.body, namesOf)];
    case "while":
      return [...namesIn(node.condition, namesOf), ...namesIn(node.body, namesOf)];
    default:
      return [
        ...node.branches.flatMap((item) => [
          ...namesIn(item.condition, namesOf),
          ...namesIn(item.body, namesOf),
        ]),
        ...namesIn(node.otherwise ?? [], namesOf),
      ];
  }
}
