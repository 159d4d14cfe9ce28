// Judges statements about the tree: counter-examples are shown with their places and make a statement
// countered; what nothing speaks against is verified; what could be meant otherwise is left open.
import type { FileEvidence } from "../../evidence/judge-files.ts";
import type { Ledger } from "../../evidence/ledger.ts";
import type { SnapshotDiff } from "../../evidence/snapshot.ts";
import { isComment } from "../../../source/definitions.ts";
import type { Repository } from "../../../source/repository.ts";
import type { Place } from "../../verdict.ts";
import { isProse } from "../runs/edit-after.ts";
import { contradicted, notJudged, onRecord, type ClaimJudgement } from "../judgement.ts";
import type { TreeClaim, TreeSubject } from "./find-tree-claims.ts";
import { judgeFiles, judgeLength, judgeMembers, judgeUsages } from "./judge-usages.ts";
import {
  countered,
  counteredBy,
  filesIn,
  held,
  isName,
  bareName,
  pathOf,
  spoken,
} from "./countered.ts";
import { isTest, placeWords, usesOf } from "./uses.ts";

export type TreeSetting = { repo: Repository; ledger: Ledger | undefined; evidence: FileEvidence };

type Judge = (claim: TreeClaim, setting: TreeSetting) => ClaimJudgement | undefined;

/** Undefined where the words need no judgement. */
export const judgeTree: Judge = (claim, setting) => judges[claim.subject](claim, setting);

const judges: Record<TreeSubject, Judge> = {
  unused: (claim, { repo }) => {
    const names = claim.code.filter(isName);
    // Of several names, the one that is used decides.
    const name = names.find((one) => (usesOf(one, repo)?.code.length ?? 0) > 0) ?? names[0];
    const uses = name === undefined ? undefined : usesOf(name, repo);
    if (!uses) return undefined;
    const isImported = /import/i.test(claim.match);
    const found = isImported ? [...uses.imports, ...uses.code] : uses.code;
    const isOther = /\b(?:other|further|remaining|additional|more|else|elsewhere)\b/i.test(
      claim.words,
    );
    if (isOther && found.length > 0)
      return notJudged(`\`${bareName(name!)}\` stands at ${placeWords(found)}`);
    if (found.length > 0) return countered(spoken(claim), found);
    return uses.lines === 0
      ? undefined
      : held(`\`${bareName(name!)}\` is used nowhere outside its definition`);
  },
  absent: (claim, { repo }) => {
    // "nothing in a calls b", and "no b in a".
    const isFirst = placesOf(pathOf(claim.code[0] ?? ""), repo).length > 0;
    const names = isFirst ? claim.code : claim.code.toReversed();
    const [folders, word] = [names.slice(0, -1).map(pathOf), bareName(names.at(-1) ?? "")];
    const places = folders.map((folder) => placesOf(folder, repo));
    const files = places.flat();
    if (places.some((own) => own.length === 0) || word.length < 3 || files.length > 2_000)
      return undefined;
    const found = linesWith(word, files, repo);
    return found.length > 0
      ? countered(spoken(claim), found)
      : held(`${word} stands nowhere in ${folders.join(", ")}`);
  },
  nowhere: (claim, { repo }) => {
    for (const text of claim.code) {
      const found = placesWith(text, repo);
      if (found === undefined) return undefined;
      if (found.length > 0) return countered(spoken(claim), found);
    }
    return held("it stands nowhere");
  },
  untested: (claim, { repo }) => {
    const name = claim.code.find((one) => isName(one) || repo.isListed(one));
    if (name === undefined) return undefined;
    if (repo.isListed(name)) return testedFile(claim, name, repo);
    const uses = usesOf(name, repo);
    if (!uses) return undefined;
    return uses.tests.length > 0
      ? countered(spoken(claim), uses.tests)
      : held(`no test names \`${bareName(name)}\``);
  },
  undefined: (claim, { repo }) => {
    const name = claim.code.find(isName);
    if (name === undefined || /[./]/.test(name)) return undefined;
    const places = repo.definedAt(bareName(name)).filter(({ path }) => !isTest(path));
    if (places.length > 0) return countered(spoken(claim), places);
    return repo.spread(bareName(name)) === 0
      ? held(`\`${bareName(name)}\` stands nowhere`)
      : undefined;
  },
  only: (claim, { repo }) => {
    const paths = claim.code.filter((one) => !isName(one) || repo.isListed(one)).map(pathOf);
    const name = claim.code.find((one) => isName(one) && !repo.isListed(one));
    const uses = name === undefined ? undefined : usesOf(name, repo);
    if (!uses || paths.length === 0) return undefined;
    const isHere = (path: string): boolean =>
      paths.some(
        (one) =>
          path === one || path.endsWith(`/${one}`) || path.startsWith(`${one.replace(/\/$/, "")}/`),
      );
    const strange = uses.code.filter(({ path }) => !isHere(path));
    if (strange.length > 0) return countered(spoken(claim), strange);
    return uses.code.some(({ path }) => isHere(path))
      ? held(`\`${bareName(name!)}\` is used nowhere else`)
      : undefined;
  },
  every: (claim, { repo }) => {
    const [folder, word] = [pathOf(claim.code[0] ?? ""), claim.code.at(-1) ?? ""];
    const files = filesIn(folder, repo).filter((path) => /\.\w+$/.test(path));
    if (files.length === 0 || word.length < 3 || files.length > 2_000) return undefined;
    const without = files.filter((path) => {
      const state = repo.open(path);
      return state.ok && !state.file.text.includes(word);
    });
    return without.length > 0
      ? countered(
          spoken(claim),
          without.map((path) => ({ path, line: 1 })),
        )
      : held(`all ${files.length} files have it`);
  },
  marks: ({ match, code, words, ...claim }, { repo }) => {
    const mark = /TODO|FIXME|HACK|XXX/.exec(match)?.[0] ?? "TODO";
    const paths = code.map(pathOf);
    const places = repo
      .filesWith(mark)
      .filter(({ path }) => paths.length === 0 || paths.some((one) => path.startsWith(one)))
      .flatMap((file) => file.linesWith(mark).map((line) => ({ path: file.path, line })));
    return places.length > 0
      ? countered(spoken({ ...claim, match, code, words }), places)
      : held(`${mark} stands nowhere`);
  },
  usages: judgeUsages,
  length: judgeLength,
  members: judgeMembers,
  files: judgeFiles,
  reading: judgeReading,
  searching: ({ code }, { ledger }) => {
    const names = code.filter((one) => /^[\w$.-]+$/.test(one));
    if (!ledger || names.length === 0) return undefined;
    return names.every((name) => ledger.searched(name))
      ? onRecord("the search is recorded")
      : notJudged("no search for it is recorded");
  },
  undoing: ({ code }, { repo, evidence: { diff } }) => {
    const paths = code.map(pathOf).filter((path) => repo.isListed(path));
    if (!diff || paths.length === 0) return undefined;
    const changed = paths.find((path) => isChanged(diff, path));
    return changed === undefined
      ? onRecord("it is as it was before the run")
      : notJudged(`${changed} is not as it was before the run`);
  },
  changing: judgeChange,
};

/** The first line of each file that has the word; where it is declared and where a comment has it aside. */
function linesWith(word: string, files: readonly string[], repo: Repository): Place[] {
  const spelled = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const isWord = new RegExp(`(?<![\\w$])${spelled}(?![\\w$])`);
  const declares = new RegExp(`\\b(?:function|def|func|fn|fun|class|const|let|type) ${spelled}\\b`);
  return files.flatMap((path) => {
    const state = repo.open(path);
    if (!state.ok) return [];
    const line = state.file.text
      .split("\n")
      .findIndex((text) => isWord.test(text) && !isComment(text) && !declares.test(text));
    return line < 0 ? [] : [{ path, line: line + 1 }];
  });
}

/** Lines of code that have a text; undefined where it is too short to be looked for. */
function placesWith(text: string, repo: Repository): Place[] | undefined {
  const plain = text.replace(/\(\)$|\.?\*$/, "").replace(/^\./, "");
  const word = plain.match(/[A-Za-z_$][\w$]{2,}/)?.[0];
  if (word === undefined || repo.spread(word) > 200) return undefined;
  const spelled = plain.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const whole = new RegExp(`(?<![\\w$])${spelled}(?![\\w$])`);
  return repo
    .filesWith(word, 200)
    .filter(({ path }) => !isProse(path) && !/\.(?:json|lock|ya?ml|toml)$/.test(path))
    .flatMap((file) =>
      file
        .linesWith(word)
        .filter((line) => whole.test(file.line(line)) && !isComment(file.line(line)))
        .map((line) => ({ path: file.path, line })),
    );
}

/** The files of a folder, by its path or by its last name. */
function placesOf(name: string, repo: Repository): string[] {
  const own = filesIn(name, repo);
  if (own.length > 0 || name === "" || name.includes(" ")) return own;
  return repo.reader.list().paths.filter((path) => path === name || path.includes(`/${name}/`));
}

function testedFile(claim: TreeClaim, path: string, repo: Repository): ClaimJudgement | undefined {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const tests = repo.reader
    .list()
    .paths.filter((one) => isTest(one) && one.includes(stem) && one !== path);
  return tests.length > 0
    ? countered(
        spoken(claim),
        tests.map((one) => ({ path: one, line: 1 })),
      )
    : held(`no test file is named after ${path}`);
}

/** What it says it read, against what tools showed it. */
function judgeReading(claim: TreeClaim, { ledger, repo }: TreeSetting): ClaimJudgement | undefined {
  if (!ledger) return undefined;
  const names = claim.code.map(pathOf);
  const folders = names.filter((one) => repo.kindOf(one) === "directory");
  const listed = [
    ...names.filter((one) => repo.kindOf(one) === "file"),
    ...folders.flatMap((folder) => filesIn(folder, repo)),
  ];
  if (listed.length === 0) return undefined;
  const seen = new Set(ledger.seenPaths);
  const unseen = listed.filter((path) => !seen.has(path));
  if (unseen.length > 0) {
    const some = unseen.slice(0, 3).join(", ");
    const fact = `looked at ${listed.length - unseen.length} of ${listed.length} files; not at ${some}`;
    return ledger.delegations > 0 ||
      ledger.commands.some(({ tool }) => tool !== "Bash") ||
      folders.length === 0
      ? notJudged(fact)
      : counteredBy(fact);
  }
  const isWhole = new RegExp(
    "\\b(?:whole|entire|full|fully|complete\\w*|every line|all (?:of the )?lines|entirely|" +
      "line by line|vollständig|komplett)\\b",
    "i",
  );
  const partly = isWhole.test(claim.words)
    ? listed.find((path) => !isShownWhole(path, ledger, repo))
    : undefined;
  return partly === undefined
    ? onRecord("the record shows it")
    : notJudged(`${partly} was shown in parts only`);
}

function isShownWhole(path: string, ledger: Ledger, repo: Repository): boolean {
  const state = repo.open(path);
  if (!state.ok) return false;
  const { file } = state;
  return Array.from({ length: file.lineCount }, (_, index) => file.line(index + 1)).every(
    (text) => text.trim() === "" || ledger.showed(path, text),
  );
}

const isChanged = ({ created, modified, deleted }: SnapshotDiff, path: string): boolean =>
  created.includes(path) || modified.includes(path) || deleted.includes(path);

/** A run that wrote nothing, ran nothing and left the tree as it was did not change anything. */
function judgeChange(
  claim: TreeClaim,
  { ledger, repo, evidence }: TreeSetting,
): ClaimJudgement | undefined {
  const { diff } = evidence;
  if (!diff?.complete || evidence.readOnly || !ledger) return undefined;
  const changed = claim.code.map(pathOf).filter((path) => isChanged(diff, path));
  const fresh = changed.length === 0 ? undefined : newWords(claim);
  if (fresh !== undefined && !changed.some((path) => holds(repo, path, fresh)))
    return notJudged(`${changed[0]} does not hold ${fresh.slice(0, 80)}`);
  if (changed.length > 0) return held(`${changed[0]} changed in this run`);
  const paths = claim.code.map(pathOf).filter((path) => repo.isListed(path));
  const idle = diff.created.length + diff.modified.length + diff.deleted.length === 0;
  return unchangedWords(claim, { paths, idle }, ledger);
}

function unchangedWords(
  claim: TreeClaim,
  { paths, idle }: { paths: string[]; idle: boolean },
  ledger: Ledger,
): ClaimJudgement | undefined {
  const isOwn = /^\W*(?:(?:I|we)\b|\w+ (?:the|an?|all|how|§))/i.test(claim.match);
  if (
    idle &&
    isOwn &&
    paths.length > 0 &&
    ledger.commands.length + ledger.delegations + ledger.earlierCalls === 0
  )
    return contradicted("nothing was changed in this run");
  if (paths.length > 0) return notJudged(`${paths[0]} did not change in this run`);
  return idle && ledger.earlierCalls === 0
    ? notJudged("no file of the tree changed in this run")
    : undefined;
}

/** What stands there now, by the sentence's own words: "replaced § with §". */
const newWords = ({ words, code }: TreeClaim): string | undefined =>
  /^[^§]*§[^§]{0,20}\s(?:with|by|to|durch)\s+§/.test(words) ? code[1] : undefined;

function holds(repo: Repository, path: string, text: string): boolean {
  const state = repo.open(path);
  const squeezed = (one: string): string => one.replace(/\s+/g, " ").trim();
  return path === text || !state.ok || squeezed(state.file.text).includes(squeezed(text));
}
