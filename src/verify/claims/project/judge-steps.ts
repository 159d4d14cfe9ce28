// What a script or target is told to do, against its recipe with all that it needs and calls: tools, flags,
// commands, other tasks, their order, and numbers.
import { knownTools } from "../runs/tables/known-tools.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import type { ProjectTask } from "./manifests.ts";

type Table = ReadonlyMap<string, ProjectTask>;
/** `behind`: what is said of it, code as `§`; `code`: those pieces, in order. */
export type ToldSteps = {
  name: string;
  task: ProjectTask;
  table: Table;
  behind: string;
  code: readonly string[];
};

const deepest = 6;

/** Everything that runs, in its order. */
export function unfolded(task: ProjectTask, table: Table, depth = 0): string {
  if (depth > deepest) return "";
  const own = (name: string): string => {
    const found = table.get(name);
    return found && found !== task ? `${name} ${unfolded(found, table, depth + 1)}` : name;
  };
  const text = task.text.replace(
    /(?:\b(?:npm|pnpm|yarn|bun)(?: run)?|\bmake|\bjust|\brake|\btask|@(?:composer )?) ?([\w:-]+)|^([\w:-]+)$/gm,
    (found, called: string | undefined, alone: string | undefined) =>
      table.has(called ?? alone ?? "") ? `${found} ${own(called ?? alone!)}` : found,
  );
  return [...task.needs.map(own), text].join(" ").replace(/\s+/g, " ").trim();
}

const ordinary = new Set(
  (
    "black green standard robot install prove surge build task m np lab tap tape ward make go cargo " +
    "node deno bun mix dotnet swift flutter dart npm npx pnpm yarn rails rake docker helm git gh ssh " +
    "aws az stack next ng flow parcel trunk expo arch migrate atlas ent hub coverage check test " +
    "tests format release deploy publish hugo just composer bundle"
  ).split(" "),
);

/** Names of tools that are no other word. */
const toolNames = new Set(
  knownTools
    .flatMap(({ calls }) => calls.map((call) => call.split(" ")[0]!))
    .filter((name) => /^[a-z][\w-]*\d?$/.test(name) && !ordinary.has(name))
    .concat("clippy", "twine", "rubocop", "nyc", "c8", "nodemon", "phpstan", "phpunit", "specs"),
);

const denied =
  /\b(?:not|never|no|n't)\b[^§,;]{0,24}$|n't [^§,;]{0,20}$|\bwithout (?!(?:any )?arguments?)[^§,;]{0,24}$/i;

/** A word or a piece of code that is told to be a part of the task. */
type Part = { text: string; at: number; isDenied: boolean };

export function judgeSteps(told: ToldSteps): ClaimJudgement {
  const { name, task, table, behind } = told;
  const text = unfolded(task, table).toLowerCase();
  const right = held(`${task.place} has ${name}`);
  if (text === "") return right;
  const wrong = (what: string): ClaimJudgement =>
    counteredBy(`"${what}", but in ${task.place} ${name} is ${text.slice(0, 80)}`);
  const whole = wholeIn(told);
  const own = task.text.toLowerCase().replace(/\s+/g, " ");
  if (whole && [own, text].some((one) => one.includes(whole.text)) === whole.isDenied)
    return wrong(whole.text);
  const parts = [...toolsIn(told), ...tasksIn(told), ...codeIn(told)].toSorted(
    (a, b) => a.at - b.at,
  );
  const strange = parts.find(({ text: part, isDenied }) => hasPart(text, part) === isDenied);
  if (strange) return wrong(strange.text);
  const places = parts.filter(({ isDenied }) => !isDenied).map((part) => placeIn(text, part.text));
  if (ordered.test(behind) && places.some((place, at) => at > 0 && place < places[at - 1]!))
    return wrong(behind.slice(0, 60).replaceAll("§", "…"));

  const number = strangeNumber(behind, text);
  if (number !== undefined) return wrong(number);
  return removesMore(told, text) ? wrong("only") : right;
}

/** Right behind a task: what it runs. */
export const leadsToSteps = new RegExp(
  "^(?:[^§]{0,30}\\b(?:runs?|calls?|executes?|invokes?|uses?|is|defined as|maps to|expands to|" +
    "points? (?:at|to)|wraps?|starts?|stands?|does)\\b[^§]{0,20}| ?(?:→|=|:|\\() ?)$",
  "i",
);

/** The whole of a command that is told right behind the task. */
function wholeIn({ behind, code: [first] }: ToldSteps): Omit<Part, "at"> | undefined {
  const lead = behind.slice(0, Math.max(0, behind.indexOf("§")));
  if (first === undefined || !leadsToSteps.test(lead) || !/^-|\s|:/.test(first)) return undefined;
  return { text: first.toLowerCase().replace(/\s+/g, " ").trim(), isDenied: denied.test(lead) };
}

const ordered =
  /\bfirst\b.*\b(?:second|then|last)\b|\bin (?:this|that) order\b|\band then\b|, then\b/i;

const bareWord = (text: string): string => text.toLowerCase().replace(/^specs$/, "spec");
const hasPart = (text: string, part: string): boolean => placeIn(text, part) >= 0;

/** All words of a command in any order, or the whole of it. */
function placeIn(text: string, part: string): number {
  const own = bareWord(part).replace(/\s+/g, " ").trim();
  const whole = text.indexOf(own);
  if (whole >= 0) return whole;
  const words = own.split(/[\s=]+/).filter((word) => word.length > 1);
  return words.length > 1 && words.every((word) => text.includes(word))
    ? text.indexOf(words[0]!)
    : -1;
}

/** Tools by their names, behind words that lead to them. */
function toolsIn({ behind }: ToldSteps): Part[] {
  const said = behind.split(/[.;] |, (?:so|because|which means|but|while)\b/)[0]!;
  if (
    !/\b(?:runs?|uses?|calls?|invokes?|wraps?|via|with|through|in|is|expands|uploads?)\b/i.test(
      said,
    )
  )
    return [];
  return [...said.matchAll(/(?<![\w./-])[A-Za-z][\w-]+/g)]
    .filter(({ 0: word }) => toolNames.has(word.toLowerCase()))
    .map(({ index, 0: word }) => ({
      text: word,
      at: index,
      isDenied: denied.test(said.slice(0, index)),
    }));
}

/** Other tasks of the same file, as items of what it runs. */
function tasksIn({ behind, table, name }: ToldSteps): Part[] {
  const lists = behind.matchAll(
    /\b(?:runs?|calls?|executes?|i\.e\.|that is|depends on|needs|does)(?= )([^.;§]*)/gi,
  );
  return [...lists].flatMap(({ index: start, 0: whole, 1: list }): Part[] => {
    const from = start + whole.length - list!.length;
    return [...list!.matchAll(item)]
      .filter(({ 1: word }) => word !== name && table.has(word!))
      .map(({ index, 1: word }) => ({
        text: word!,
        at: from + index,
        isDenied: denied.test(list!.slice(0, index)),
      }));
  });
}
const item = new RegExp(
  "(?<=(?:^|,|\\band|\\bthen|\\bthe|\\bfirst) )([\\w:-]{3,})(?=,| and\\b| then\\b| first\\b| second\\b| in th|$)",
  "g",
);

/** A module is started by its name, a file by its path. */
function startedAs(path: string, text: string): string {
  const stem = path.replace(/^.*\/|\.\w+$/g, "");
  return text.includes(`${stem}:`) ? stem : path;
}

/** Flags, commands, functions and tasks, and files that are told to be run. */
function codeIn({ behind, code, table, name, task }: ToldSteps): Part[] {
  const text = unfolded(task, table);
  const hasGaps = /\$\(|\{\{|\$\{|\$\w/.test(text);
  const places = [...behind.matchAll(/§/g)].map(({ index }) => index);
  return code.flatMap((one, at): Part[] => {
    const place = places[at];
    if (place === undefined || one === name) return [];
    const lead = behind.slice(0, place);
    const isFlag = /^-{1,2}[a-z]/i.test(one);
    const isTask = table.has(one);
    const isFunction = /^[\w.]+:\w+$/.test(one) && !isTask;
    const isCommand =
      /^[a-z][\w./-]* [\w./-]/i.test(one) && !/^(?:npm|make|just|rake|task|composer)\b/.test(one);
    const isScript =
      /^[\w./-]+\.(?:m?[jt]s|py|sh|rb|php)$/.test(one) &&
      /\b(?:runs?|calls?|executes?|starts?)\b/i.test(lead);
    if (!isFlag && !isTask && !isFunction && !isCommand && !isScript) return [];
    if (hasGaps && !isTask) return [];
    const started = isScript ? startedAs(one, text) : one;
    return [{ text: started, at: place, isDenied: denied.test(lead.slice(-40)) }];
  });
}

/** "at level 5", where the recipe says another. */
function strangeNumber(behind: string, text: string): string | undefined {
  for (const [whole, word, told] of behind.matchAll(/\b([a-z]{4,}) (\d+)\b/gi)) {
    const own = new RegExp(`\\b${word!.toLowerCase()}[ =:]+(\\d+)`).exec(text)?.[1];
    if (own !== undefined && own !== told) return whole;
  }
  return undefined;
}

/** "removes only `bin`" of a recipe that removes more. */
function removesMore({ behind, code }: ToldSteps, text: string): boolean {
  if (!/\b(?:removes|deletes|cleans) (?:only|just|nothing but) (?:the )?§/i.test(behind))
    return false;
  const removed = /\brm (?:-\w+ )*([^&|;]+)/.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  return removed.some(
    (one) => !code.some((told) => one.startsWith(told.toLowerCase().replace(/\/$/, ""))),
  );
}
