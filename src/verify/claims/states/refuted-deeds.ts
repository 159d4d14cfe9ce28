// "I deleted `src/a.ts`", "created `lib/b.js`", "removed the folder src": deeds about a named file or
// folder against the tree. What is still there was not deleted, what is not there was not created.
import { posix } from "node:path";
import type { FileEvidence } from "../../evidence/judge-files.ts";
import type { ResultSetting } from "../gap-of.ts";
import { contradicted, notJudged, onRecord, type ClaimJudgement } from "../judgement.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { isAhead, standsAhead } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import { isBuilt } from "./is-built.ts";

type RefutedDeed = { span: [number, number]; judged: ClaimJudgement };
type Deed = { noun: string; raw: string; isGone: boolean; span: [number, number] };
type DeedSetting = ResultSetting & { exists: FileEvidence["exists"] };

/** Words between a verb and a file that make something else its object. */
const noAttribute =
  "from|in|of|to|into|with|for|by|at|on|and|or|that|which|as|import|line|call|dependency|package|reference|entry|" +
  "rule|option|section|link|usage|file|folder|directory|script";
const told = new RegExp(
  "(?:^|\\b(?:I|we|I've|we've|I have|we have|and)\\s+)(?:(?:and|also|then|just|now|have)\\s+)*" +
    "(deleted|removed|created|added|wrote)\\s+" +
    `(?:(?:the|an?|both|now)\\s+)?(?:(?!(?:${noAttribute})s?\\b)[\\p{L}-]+\\s+){0,3}` +
    "(?:(files?|folders?|director(?:y|ies)|scripts?)\\s+)?(§|[\\w/.-]*\\w/?)",
  "giu",
);
const isOwn = /^\W*(?:deleted|removed|created|added|wrote)\b|\b(?:I|we|I've|we've)\b/iu;
/** "The `old/` directory is removed": who did it is not said. */
const passive = new RegExp(
  "(§)(?: (files?|folders?|director(?:y|ies)|scripts?|packages?))?(?: and §)? (?:is|are|was|were|has been|have been) " +
    "(?:(?:now|also|gone and) )?(?:deleted|removed|gone)(?= *(?:$|[,.;:!)]|and|now|too|as well|because|since))",
  "giu",
);
/** The file is the object itself, not what something was taken from or added to. */
const ends = new RegExp(
  "^\\s*(?:$|[,.;:!()—–-]|(?:and|as|because|since|which|with|for|to|too|completely|entirely|" +
    "again|now|files?|folders?|director(?:y|ies))\\b)",
  "i",
);
const knownEnding =
  /\.(?:lock|json|toml|ya?ml|md|txt|html|css|sh|sql|[cm]?[jt]sx?|py|rb|go|rs|java|kt|php|cs|cpp|c|h)$/i;
/** It was there for a while. */
const tellsMore =
  /\b(?:temporar\w+|then (?:removed|deleted)|cleaned up|restored|re-?created|again)\b/i;

export function refutedDeeds(report: string, setting: DeedSetting): RefutedDeed[] {
  const { delegations, truncated, isContinued, toolRuns } = setting.ledger;
  if (delegations + toolRuns.length > 0 || truncated || isContinued) return [];
  return statementsOf(report)
    .filter((statement) => statement.kind === "sentence" && isOwnTale(statement))
    .flatMap((statement) =>
      statement.clauses
        .filter(
          (clause) =>
            !isAhead(clause.words) && isAsserted(statement, clause, [0, clause.words.length]),
        )
        .flatMap((clause) => deedsIn(clause, report)),
    )
    .flatMap((deed): RefutedDeed[] => {
      const judged = judgeDeed(deed, setting);
      return judged ? [{ span: deed.span, judged }] : [];
    });
}

const isOwnTale = (statement: Statement): boolean =>
  (isOwn.test(statement.words) || statement.words.search(passive) >= 0) &&
  !tellsMore.test(statement.words) &&
  !isAside(statement) &&
  !standsAhead(statement.under);

function deedsIn(clause: Clause, report: string): Deed[] {
  return [...activeIn(clause, report), ...passiveIn(clause, report)];
}

const passiveIn = (clause: Clause, report: string): Deed[] =>
  [...clause.words.matchAll(passive)].flatMap(({ index, 2: noun = "" }): Deed[] => {
    const before = clause.words.slice(0, index);
    // "The entry in `a.json` is removed"
    if (/(?:^| )(?:in|from|of|to|by|for|at|on|into) (?:the )?$/i.test(before)) return [];
    const raw = clause.code[before.match(/[§¤]/g)?.length ?? 0] ?? "";
    return [{ noun, raw, isGone: true, span: spanOf(report, clause.span, { raw, verb: "" }) }];
  });

function activeIn(clause: Clause, report: string): Deed[] {
  return [...clause.words.matchAll(told)].flatMap((match) => {
    const [all, verb = "", noun = "", first = ""] = match;
    const { objects, rest } = objectsFrom(clause, first, match.index + all.length);
    // What was added to something need not be a file.
    const isPut = /^added$/i.test(verb) && /^\s*(?:to|for|as)\b/i.test(rest);
    if (isPut || !ends.test(rest) || (first !== "§" && noun === "")) return [];
    const isGone = /^(?:deleted|removed)$/i.test(verb);
    const kind = noun || (/^\s*(folder|directory)\b/i.exec(rest)?.[1] ?? "");
    return objects.map((raw, index) => ({
      noun: kind,
      raw,
      isGone,
      span: spanOf(report, clause.span, { raw, verb: index === 0 ? verb : "" }),
    }));
  });
}

/** What the verb is followed by, one or several, and the words behind that. */
function objectsFrom(
  { words, code }: Clause,
  first: string,
  end: number,
): { objects: string[]; rest: string } {
  const marks = words.slice(0, end).match(/[§¤]/g)?.length ?? 0;
  if (first !== "§") return { objects: [first], rest: words.slice(end) };
  const more = /^(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)§)*/.exec(words.slice(end))![0];
  const count = 1 + (more.match(/§/g)?.length ?? 0);
  return {
    objects: code.slice(marks - 1, marks - 1 + count),
    rest: words.slice(end + more.length),
  };
}

/** From the verb to the end of what it names. */
function spanOf(
  report: string,
  clause: [number, number],
  { raw, verb }: { raw: string; verb: string },
): [number, number] {
  const at = report.indexOf(raw, clause[0]);
  if (raw === "" || at < 0 || at >= clause[1]) return clause;
  const to = at + raw.length;
  const from = verb === "" ? at : report.lastIndexOf(verb, at);
  return [from >= clause[0] ? from : at, report[to] === "`" && from < at ? to + 1 : to];
}

/** Undefined where the words name no file or folder of the project. */
function judgeDeed(deed: Deed, setting: DeedSetting): ClaimJudgement | undefined {
  const { ledger, exists } = setting;
  const path = pathOf(deed, ledger.root);
  if (path === undefined) return undefined;
  const isThere = exists(path);
  const isRecorded = ledger.edits.some(
    (edit) => isSameFile(edit.path, path) || isSameFile(path, edit.path) || isIn(edit.path, path),
  );
  const isDone = isThere !== deed.isGone;
  if (isRecorded) return isDone ? onRecord(`a write of ${path} is on record`) : undefined;
  if (isDone || isNamedInRun(path, setting) || isElsewhere(path, setting))
    return notJudged(`no write of ${path} is on record`);
  const reason = deed.isGone ? `${path} is still there` : `there is no ${path} after the run`;
  return ledger.refusedWrites.some((one) => isSameFile(one, path))
    ? { ...contradicted(reason), cause: deed.isGone ? "failed_write" : "not_there" }
    : contradicted(reason);
}

const isSameFile = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other}`);
const isIn = (path: string, folder: string): boolean =>
  path.startsWith(`${folder}/`) || path.includes(`/${folder}/`);

/** A command that went through names it: what it did to it is not known. */
const isNamedInRun = (path: string, { ledger }: DeedSetting): boolean =>
  ledger.commands.some(
    ({ command, exitCode }) => exitCode === 0 && command.includes(posix.basename(path)),
  );

/** A name that is short for another place, or that of a file which a tool writes. */
const isElsewhere = (path: string, { project }: DeedSetting): boolean =>
  isBuilt(path) || project.paths().some((one) => one.endsWith(`/${path}`) || isIn(one, `/${path}`));

function pathOf({ noun, raw }: Deed, root: string): string | undefined {
  const inside = raw.startsWith(`${root}/`) ? raw.slice(root.length + 1) : raw;
  const path = inside.replace(/^\.\//, "").replace(/\/$/, "");
  if (!/^[\w@.()[\]-]+(?:\/[\w@.()[\]-]+)*$/.test(path) || path.startsWith("..")) return undefined;
  return noun !== "" || inside.endsWith("/") || knownEnding.test(path) ? path : undefined;
}
