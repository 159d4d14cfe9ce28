// Statements about scripts and targets: that one is there, and what it runs, against the task files.
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import type { Statement } from "../words/statements.ts";
import { judgeSteps, leadsToSteps } from "./judge-steps.ts";
import type { Manifests } from "./manifests.ts";

const runs = new RegExp(
  "^(?:(npm|pnpm|yarn|bun) run(?:-script)?|(make|gmake)|(just)|(composer)(?: run)?|(task)|" +
    "(?:bundle exec )?(rake)|(cargo)|(mvn) -P) ?(?<=[ P])([\\w][\\w:./-]*)(?: [A-Z\\w:-]+)?$",
);

export type NamedTask = { runner: string | undefined; name: string; one: string };
type Judged = { judged: ClaimJudgement | undefined; task: NamedTask | undefined };

/**
 * "`npm run audit-all` checks …", "the `lint` script", "a make target called `x`". `before`: the task that the
 * sentence before names, which "it" may mean. `isOrder`: the sentence is said to the reader, and only tells that
 * the task is there.
 */
export function judgeTask(
  statement: Statement,
  manifests: Manifests,
  { before, isOrder }: { before: NamedTask | undefined; isOrder: boolean },
): Judged {
  const { words } = statement;
  const code = statement.clauses.flatMap((clause) => clause.code);
  const named = tasksNamed({ words, code, isOrder }, manifests.tasks);
  const all = [
    isOrder ? undefined : judgeRow(statement, manifests),
    ...named.map(({ task, ...said }) => judgeNamed(task, { manifests, ...said })),
  ];
  const isOfBefore = named.length === 0 && !isOrder && itself.test(words) ? before : undefined;
  if (isOfBefore) all.push(stepsOf(isOfBefore, { manifests, behind: words, others: code }));
  return {
    judged: all.find((one) => one?.verdict === "countered") ?? all.find(Boolean),
    task: named.at(-1)?.task ?? isOfBefore,
  };
}

const itself = /^(?:It|This|That|The (?:script|target|task|recipe))\b/;

/** `words`: up to the next task that the sentence names; `others`: the code in them behind the task. */
type SaidOf = { task: NamedTask; words: string; place: number; others: readonly string[] };

function tasksNamed(
  { words, code, isOrder }: { words: string; code: readonly string[]; isOrder: boolean },
  tasks: Manifests["tasks"],
): SaidOf[] {
  const places = [...words.matchAll(/[§¤]/g)].map(({ index }) => index);
  const found = code
    .map((one, index) => ({ index, task: taskIn(one, { words, code, index }, tasks) }))
    .filter((one): one is { index: number; task: NamedTask } => one.task !== undefined)
    // "`npm run all` runs `npm run a`": the second is what the first does.
    .filter(({ index }, at, all) => {
      const before = at > 0 && all[at - 1]!.index === index - 1 ? places[index - 1] : undefined;
      return before === undefined || !leadsToSteps.test(words.slice(before + 1, places[index]));
    });
  return found.flatMap(({ index, task }, at): SaidOf[] => {
    const place = places[index] ?? 0;
    const next = found[at + 1]?.index ?? code.length;
    const end = isOrder ? place + 1 : (places[next] ?? words.length);
    const others = isOrder ? [] : code.slice(index + 1, next);
    return [{ task, words: words.slice(0, end), place, others }];
  });
}

type Said = { manifests: Manifests; behind: string; others: readonly string[] };

function stepsOf(
  { runner, name }: NamedTask,
  { manifests, behind, others }: Said,
): ClaimJudgement | undefined {
  const [found] = [...manifests.tasks]
    .filter(([key]) => runner === undefined || key === runner)
    .map(([, table]) => ({ table, task: table.get(name) }))
    .filter(({ task }) => task !== undefined);
  const isFile = (one: string): boolean => /^(?:package\.json|Makefile|[jJ]ustfile)$/.test(one);
  const code = others.filter((one) => !isFile(one));
  const said = isFile(others[0] ?? "") ? behind.replace(/^ in §/, "") : behind;
  return found && judgeSteps({ name, task: found.task!, table: found.table, behind: said, code });
}

function taskIn(
  one: string,
  { words, code, index }: { words: string; code: readonly string[]; index: number },
  tasks: Manifests["tasks"],
): NamedTask | undefined {
  const match = runs.exec(one);
  if (match) {
    const other = match.slice(3, 9).find((group) => group !== undefined);
    const runner = match[1] ? "npm" : match[2] ? "make" : other;
    return { runner, name: match[9]!, one };
  }
  const plain = plainTask(one, words, tasks);
  if (plain) return plain;
  // A command that the package installs has a name of its own.
  if (tasks.get("python")?.has(one)) return { runner: "python", name: one, one };
  if (namesTask(words, code, index)) return { runner: undefined, name: one, one };
  return undefined;
}

/** "Plain `just`", "`make` without arguments": the default one, or the first. */
function plainTask(one: string, words: string, tasks: Manifests["tasks"]): NamedTask | undefined {
  if (
    !/^(?:make|just|rake|task)$/.test(one) ||
    !/\b(?:plain|bare|without (?:any )?arguments?|alone|by default|on its own)\b/i.test(words)
  )
    return undefined;
  const table = tasks.get(one);
  const name = table?.has("default")
    ? "default"
    : /make|just/.test(one)
      ? [...(table?.keys() ?? [])][0]
      : undefined;
  return name === undefined ? undefined : { runner: one, name, one };
}

/** Commands that cargo has without an alias. */
const cargoOwn = new Set(
  (
    "add audit b bench build c check clean clippy d deny doc expand fetch fix fmt generate-lockfile " +
    "help init install llvm-cov " +
    "login machete metadata miri new nextest outdated package publish r remove report run rustc rustdoc " +
    "search sort t tarpaulin test tree uninstall update vendor watch yank"
  ).split(" "),
);

/** `composer install` and `cargo build` are commands of their own. */
const isOwnCommand = ({ runner, name, one }: NamedTask): boolean =>
  (runner === "composer" && !/ run /.test(one)) || (runner === "cargo" && cargoOwn.has(name));

/** Right around the name: "there is no `x` script", "`x` does not exist". */
const deniesTask = (words: string, place: number): boolean =>
  /\b(?:no|without|lacks?|missing)(?: \w+){0,2} $/i.test(words.slice(0, place)) ||
  /^ (?:\w+ )?(?:does not|doesn't|is not|isn't|would (?:fail|not)|fails?\b|errors\b)/i.test(
    words.slice(place + 1),
  );

function judgeNamed(
  { runner, name, one }: NamedTask,
  {
    manifests,
    words,
    place,
    others,
  }: { manifests: Manifests; words: string; place: number; others: readonly string[] },
): ClaimJudgement | undefined {
  const tables = [...manifests.tasks].filter(([key]) => runner === undefined || key === runner);
  if (tables.length === 0) return undefined;
  const task = tables.map(([, table]) => table.get(name)).find((found) => found !== undefined);
  const isDenied = deniesTask(words, place);
  if (!task && isDenied) return held(`no script is called ${name}`);
  // "The root has no `test` script": another folder's has it.
  if (isDenied && task?.place.includes("/")) return undefined;
  if (!task)
    return isOwnCommand({ runner, name, one })
      ? undefined
      : counteredBy(`"${one}", but no script or target is called ${name}`);
  return stepsOf({ runner, name, one }, { manifests, behind: words.slice(place + 1), others });
}

const namesTask = (words: string, code: readonly string[], index: number): boolean => {
  const place = [...words.matchAll(/[§¤]/g)][index]?.index;
  if (place === undefined || !/^[\w][\w:-]*$/.test(code[index]!)) return false;
  return (
    /^\s+(?:npm |make |package )?(?:script|target|task|recipe)\b/i.test(words.slice(place + 1)) ||
    /\b(?:script|target|recipe)(?: is)?(?: called| named)?\s*$/i.test(words.slice(0, place)) ||
    (words.slice(place + 1).startsWith(" in §") &&
      /^(?:package\.json|Makefile|[jJ]ustfile)$/.test(code[index + 1] ?? "")) ||
    /^ as an? (?:script|target|task)\b/.test(words.slice(place + 1))
  );
};

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Rows of a table of scripts and their commands. */
function judgeRow(
  { kind, parts, head }: Statement,
  { tasks }: Manifests,
): ClaimJudgement | undefined {
  const [name, command] = [
    head.findIndex((one) => /^(?:script|target|task|recipe|name)s?$/i.test(one)),
    head.findIndex((one) => /^(?:commands?|runs?|what it (?:runs|does)|definition)$/i.test(one)),
  ];
  if (kind !== "row" || name < 0 || command < 0) return undefined;
  const [told, text] = [parts[name], parts[command]].map((cell) =>
    (cell ?? "").replace(/`|^\*+|\*+$/g, "").trim(),
  );
  const task = [...tasks.values()]
    .map((table) => table.get(told!))
    .find((one) => one !== undefined);
  if (!task || !/`/.test(parts[command] ?? "") || task.text === "") return undefined;
  return squeezed(task.text).includes(squeezed(text!))
    ? held(`${task.place} has ${told}`)
    : counteredBy(`"${text}", but in ${task.place} ${told} is ${squeezed(task.text).slice(0, 80)}`);
}
