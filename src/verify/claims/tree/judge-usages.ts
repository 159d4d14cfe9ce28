// Judges numbers of lines and usages by counting them in every way a person may have.
import type { Repository } from "../../../source/repository.ts";
import type { Place } from "../../verdict.ts";
import { contradicted, type ClaimJudgement } from "../judgement.ts";
import type { TreeClaim } from "./find-tree-claims.ts";
import { isProse } from "../runs/edit-after.ts";
import { counteredBy, filesIn, held, isName, bareName, pathOf, spoken } from "./countered.ts";
import { placeWords, usesOf } from "./uses.ts";

type TreeSetting = { repo: Repository };

const numberIn = (text: string): number => Number(/\d[\d,]*/.exec(text)![0].replaceAll(",", ""));
const isRough = (words: string): boolean =>
  /~|≈|\b(?:about|around|roughly|approximately|some|over|nearly|almost|at least|more than|up to)\b/i.test(
    words,
  );
const isNear = (said: number, really: number): boolean =>
  Math.abs(said - really) <= Math.max(2, really / 5);

/** Lines, files, calls, with and without tests and imports: whatever a person may have counted. */
export function judgeUsages(claim: TreeClaim, { repo }: TreeSetting): ClaimJudgement | undefined {
  const name = claim.code.find(isName);
  const uses = name === undefined ? undefined : usesOf(name, repo);
  if (!uses || uses.lines === 0) return undefined;
  const said = numberIn(claim.match.replace(/§/g, ""));
  const { code, imports, tests, defined, lines, files } = uses;
  const filesOf = (places: readonly Place[]): number =>
    new Set(places.map(({ path }) => path)).size;
  const counts = /\b(?:files?|modules?|components?|classes|views|pages|packages)\b/i.test(
    claim.match,
  )
    ? [
        files,
        filesOf(code),
        filesOf([...code, ...imports]),
        filesOf([...code, ...tests]),
        files - filesOf(defined),
      ]
    : [
        lines,
        lines - defined.length,
        code.length,
        code.length + tests.length,
        code.length + imports.length,
        filesOf(code),
        filesOf([...code, ...tests]),
        files,
        occurrences(name!, repo),
        occurrences(name!, repo) - defined.length,
      ];
  if (
    counts.includes(said) ||
    (isRough(claim.words) && counts.some((count) => isNear(said, count)))
  )
    return held(`\`${bareName(name!)}\` stands on ${lines} lines in ${files} files`);
  return counteredBy(
    `"${spoken(claim)}", but it stands on ${lines} lines in ${files} files: ${placeWords([...code, ...tests])}`,
  );
}

const occurrences = (name: string, repo: Repository): number =>
  repo
    .filesWith(bareName(name), 200)
    .reduce(
      (sum, { text }) =>
        sum +
        (text.match(new RegExp(`\\b${bareName(name).replaceAll(/[$.]/g, "\\$&")}\\b`, "g")) ?? [])
          .length,
      0,
    );

export function judgeLength(claim: TreeClaim, { repo }: TreeSetting): ClaimJudgement | undefined {
  const paths = claim.code.map(pathOf);
  const isFolder = paths.length === 1 && repo.kindOf(paths[0]!) === "directory";
  const found = isFolder
    ? filesIn(paths[0]!, repo).filter((path) => !isProse(path))
    : paths.flatMap((path) => (repo.isListed(path) ? [path] : repo.endingIn(path)));
  const states = found.slice(0, mostFiles).map((path) => repo.open(path));
  const files = states.flatMap((state) => (state.ok ? [state.file] : []));
  if (files.length === 0 || files.length < found.length || (!isFolder && found.length > 1))
    return undefined;
  const said = numberIn(claim.match.replace(/§/g, ""));
  const lineCount = files.reduce((sum, file) => sum + file.lineCount, 0);
  const filled = files
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.trim() !== "").length;
  // A last line end may or may not be counted as a line, and neither may blank lines.
  if (
    Math.abs(said - lineCount) <= files.length ||
    said === filled ||
    (isRough(claim.words) && isNear(said, lineCount))
  )
    return held(`${paths[0]} has ${lineCount} lines`);
  return contradicted(`${paths[0]} has ${lineCount} lines`);
}
const mostFiles = 200;
