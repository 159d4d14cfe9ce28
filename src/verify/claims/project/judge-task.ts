// Statements about scripts and targets: that one is there, and what it runs, against the task files.
import { knownTools } from "../runs/tables/known-tools.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import type { Statement } from "../words/statements.ts";
import type { Manifests, ProjectTask } from "./manifests.ts";

const ordinary = new Set(
  (
    "black green standard robot install prove surge build task m np lab tap tape ward make go cargo " +
    "node deno bun mix dotnet swift flutter dart npm npx pnpm yarn rails rake docker helm git gh ssh " +
    "aws az stack next ng flow parcel trunk expo arch migrate atlas ent hub coverage check test " +
    "tests format release deploy publish hugo"
  ).split(" "),
);

const runs = new RegExp(
  "^(?:(npm|pnpm|yarn|bun) run(?:-script)?|(make|gmake)|(just)|(composer)(?: run)?|(task)|" +
    "(?:bundle exec )?(rake)) ([\\w][\\w:./-]*)$",
);

/** "`npm run audit-all` checks …", "the `lint` script", "a make target called `x`". */
export function judgeTask(statement: Statement, manifests: Manifests): ClaimJudgement | undefined {
  let right = judgeRow(statement, manifests);
  if (right?.verdict === "countered") return right;
  for (const { words, code } of statement.clauses)
    for (const [index, one] of code.entries()) {
      const named = taskIn(one, { words, code, index }, manifests.tasks);
      const place = [...words.matchAll(/[§¤]/g)][index]?.index ?? 0;
      if (
        !named ||
        /\b(?:(?:add|creat|introduc|propos|need|want|suggest|recommend|consider)\w*|new)\b[^§]*$/i.test(
          words.slice(0, place),
        )
      )
        continue;
      const judged = judgeNamed(named, {
        manifests,
        words,
        place,
        others: code.filter((other) => other !== one),
      });
      if (judged?.verdict === "countered") return judged;
      right ??= judged;
    }
  return right;
}

type Task = { runner: string | undefined; name: string; one: string };

function taskIn(
  one: string,
  { words, code, index }: { words: string; code: readonly string[]; index: number },
  tasks: Manifests["tasks"],
): Task | undefined {
  const match = runs.exec(one);
  if (match) {
    const other = match[3] ?? match[4] ?? match[5] ?? match[6]!;
    const runner = match[1] ? "npm" : match[2] ? "make" : other;
    return { runner, name: match[7]!, one };
  }
  const plain = plainTask(one, words, tasks);
  if (plain) return plain;
  if (namesTask(words, code, index)) return { runner: undefined, name: one, one };
  return undefined;
}

/** "Plain `just`", "`make` without arguments": the default one, or the first. */
function plainTask(one: string, words: string, tasks: Manifests["tasks"]): Task | undefined {
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

/** Right around the name: "there is no `x` script", "`x` does not exist". */
const deniesTask = (words: string, place: number): boolean =>
  /\b(?:no|without|lacks?|missing)(?: \w+){0,2} $/i.test(words.slice(0, place)) ||
  /^ (?:\w+ )?(?:does not|doesn't|is not|isn't)\b/i.test(words.slice(place + 1));

function judgeNamed(
  { runner, name, one }: Task,
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
  // `composer install` is a command of its own.
  if (!task && runner === "composer" && !/ run /.test(one)) return undefined;
  if (!task) return counteredBy(`"${one}", but no script or target is called ${name}`);
  if (isDenied && /^ (?:npm |make )?(?:script|target|task|recipe)/.test(words.slice(place + 1)))
    return counteredBy(`"no ${name}", but ${task.place} has it`);
  return judgeWhat({ task, name, one }, others, {
    behind: words.slice(place),
    tasks: manifests.tasks,
  });
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

type Told = { task: ProjectTask; name: string; one: string };

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/** "runs `eslint src`", "wraps the tests in nyc", "uses `-race`": what the task is told to do. */
function judgeWhat(
  { task, name, one }: Told,
  others: readonly string[],
  { behind, tasks }: { behind: string; tasks: Manifests["tasks"] },
): ClaimJudgement {
  const text = squeezed(unfolded(task.text, tasks));
  const right = held(`${task.place} has ${name}`);
  const strange = needed(behind, others).find((need) => isOther(need, { task, tasks }));
  if (strange !== undefined)
    return counteredBy(
      `"${one}", but in ${task.place} ${name} needs ${task.needs.join(", ") || "nothing"}`,
    );
  if (text === "" || /\b(?:should|would|could|if|add|instead)\b/i.test(behind)) return right;
  const wrong = counteredBy(`"${one}", but in ${task.place} ${name} is ${text.slice(0, 80)}`);
  const isDenied = /^§[^§]{0,24}\b(?:not|n't|never|without)\b/i.test(behind);
  const named = others.filter((other) => !/^(?:package\.json|Makefile|[jJ]ustfile)$/.test(other));
  const told = saysWhat.test(behind.replace(/^§ in §/, "§")) ? named[0] : undefined;
  if (told !== undefined && /^-|\s|:/.test(told))
    return text.includes(squeezed(told)) === !isDenied ? right : wrong;
  if (!isDenied && told !== undefined && isOther(told, { task, tasks })) return wrong;
  return isDenied || hasTool(text, toolIn(behind)) ? right : wrong;
}

/** None is told, it stands there, or no other tool of the kind does. */
const hasTool = (text: string, tool: string | undefined): boolean =>
  tool === undefined ||
  text.toLowerCase().includes(tool.toLowerCase()) ||
  ![...toolNames].some((other) => hasWord(text, other));

/** "runs eslint", "wraps the tests in nyc": a tool whose name is no other word, behind a word that leads to it. */
function toolIn(behind: string): string | undefined {
  const lead =
    /\b(?:runs?|uses?|calls?|invokes?|wraps?|via|with|through|in) (?:the )?([A-Za-z][\w-]+)/g;
  const clause = /^§[^§;.]*/.exec(behind)?.[0] ?? "";
  return [...clause.matchAll(lead)]
    .map(([, word]) => word!)
    .find((word) => toolNames.has(word.toLowerCase()));
}

/** "depends on `test`, `lint` and `types`", "first runs `test`": tasks that run before it. */
function needed(behind: string, others: readonly string[]): readonly string[] {
  const lead = /^§ (?:depends on|needs|requires|first runs|runs first)((?:[ ,]+(?:and )?§)+)/i;
  const list = lead.exec(behind)?.[1];
  return list === undefined ? [] : others.slice(0, list.match(/§/g)!.length);
}

/** A task of the same file that does not run before it, nor is called by it. */
const isOther = (
  need: string,
  { task, tasks }: { task: ProjectTask; tasks: Manifests["tasks"] },
): boolean => {
  const own = [...tasks.values()].find((table) => [...table.values()].includes(task));
  if (!own?.has(need) || own.get(need) === task || hasWord(task.text, need)) return false;
  const open = [...task.needs];
  for (const [index] of open.entries()) open.push(...(own.get(open[index]!)?.needs ?? []));
  return !open.includes(need);
};

const hasWord = (text: string, word: string): boolean => text.split(/[^\w-]+/).includes(word);

const saysWhat = new RegExp(
  "^§(?:[^§]{0,30}\\b(?:runs?|calls?|executes?|invokes?|uses?|is|defined as|maps to|expands to|points? (?:at|to)|" +
    "wraps?|starts?|stands?|does)\\b[^§]{0,20}| ?(?:→|=|:|\\() ?)§",
  "i",
);

/** Names of tools that are no other word. */
const toolNames = new Set(
  knownTools
    .flatMap(({ calls }) => calls.map((call) => call.split(" ")[0]!))
    .filter((name) => /^[a-z][\w-]*\d?$/.test(name) && !ordinary.has(name)),
);

/** `npm run a && npm run b`: what those run stands in it too. */
function unfolded(text: string, tasks: Manifests["tasks"]): string {
  const inner = [
    ...text.matchAll(/\b(?:npm|pnpm|yarn|bun)(?: run)? ([\w:-]+)|\bmake ([\w-]+)/g),
  ].flatMap(([, script, target]) => {
    const found = tasks.get(script === undefined ? "make" : "npm")?.get(script ?? target ?? "");
    return found ? [found.text] : [];
  });
  return [text, ...inner].join(" ");
}

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
