// Judges numbers of lines, usages, members and files by counting them in every way a person may have.
import type { Repository } from "../../../source/repository.ts";
import type { Place } from "../../verdict.ts";
import { contradicted, notJudged, type ClaimJudgement } from "../judgement.ts";
import type { TreeClaim } from "./find-tree-claims.ts";
import { counteredBy, filesIn, held, isName, bareName, pathOf, spoken } from "./countered.ts";
import { isTest, placeWords, usesOf } from "./uses.ts";

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
  const counts = /\bfiles?|modules?\b/i.test(claim.match)
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
  const found = paths.flatMap((path) => (repo.isListed(path) ? [path] : repo.endingIn(path)));
  const state = found.length === 1 ? repo.open(found[0]!) : undefined;
  if (!state?.ok) return undefined;
  const said = numberIn(claim.match.replace(/§/g, ""));
  const { lineCount } = state.file;
  const filled = state.file.text.split("\n").filter((line) => line.trim() !== "").length;
  // A last line end may or may not be counted as a line, and neither may blank lines.
  if (
    Math.abs(said - lineCount) <= 1 ||
    said === filled ||
    (isRough(claim.words) && isNear(said, lineCount))
  )
    return held(`${found[0]} has ${lineCount} lines`);
  return contradicted(`${found[0]} has ${lineCount} lines`);
}

/** Ways to count members of a file, by what they are called. */
const memberLines: readonly [RegExp, readonly RegExp[]][] = [
  [
    /^(?:function|method)/i,
    [
      new RegExp(
        "^\\s*(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?function\\b|^\\s*(?:pub(?:\\([^)]*\\)" +
          ")?\\s+)?(?:async\\s+)?fn\\s|^\\s*(?:async\\s+)?def\\s|^\\s*func\\s",
        "gm",
      ),
      /^\s*(?:export\s+)?(?:const|let)\s+\w+\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*(?::[^=]+)?=>/gm,
      new RegExp(
        "^\\s+(?:(?:public|private|protected|static|async|override|readonly)\\s+)*(?!if|for|while|" +
          "switch|catch|return|function|constructor)\\w+\\([^)]*\\)\\s*(?::[^{]+)?\\{",
        "gm",
      ),
    ],
  ],
  [/^class/i, [/^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+|public\s+|final\s+)*class\s/gm]],
  [/^export/i, [/^\s*export\s+(?!\*|\{)/gm, /^\s*(?:module\.)?exports\.\w+/gm]],
  [
    /^test/i,
    [/^\s*(?:it|test)(?:\.\w+)*\s*\(|^\s*(?:async\s+)?def test_|^func Test|#\[test\]|@Test\b/gm],
  ],
];

export function judgeMembers(claim: TreeClaim, { repo }: TreeSetting): ClaimJudgement | undefined {
  const path = claim.code.map(pathOf).find((one) => repo.isListed(one));
  const state = path === undefined ? undefined : repo.open(path);
  if (!state?.ok) return undefined;
  const bare = claim.match.replace(/§/g, "");
  const said = numberIn(bare);
  const word = /\d\s+(\w+)/.exec(bare)?.[1] ?? "";
  const patterns = memberLines.find(([kind]) => kind.test(word))?.[1];
  if (!patterns) return undefined;
  const counts = patterns.map((pattern) => (state.file.text.match(pattern) ?? []).length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const possible = new Set([
    total,
    ...counts,
    counts[0]! + (counts[1] ?? 0),
    counts[0]! + (counts[2] ?? 0),
  ]);
  if (possible.has(said) || (isRough(claim.words) && isNear(said, total)))
    return held(`${path} has ${said} of them`);
  return said > Math.max(...possible) || said < Math.min(...counts.filter((count) => count > 0))
    ? counteredBy(`"${spoken(claim)}", but ${path} has ${total}`)
    : notJudged(`${path} has ${total}, counted by patterns`);
}

export function judgeFiles(claim: TreeClaim, { repo }: TreeSetting): ClaimJudgement | undefined {
  const folder = claim.code.map(pathOf).find((one) => repo.kindOf(one) === "directory");
  if (folder === undefined) return undefined;
  const all = filesIn(folder, repo);
  const direct = all.filter((path) => !path.slice(folder.length + 1).includes("/"));
  const said = numberIn(claim.match.replace(/§/g, ""));
  const counts = [all, direct].flatMap((list) => [
    list.length,
    list.filter((path) => !isTest(path)).length,
    list.filter(isTest).length,
    ...[...new Set(list.map((path) => path.slice(path.lastIndexOf("."))))].map(
      (extension) => list.filter((path) => path.endsWith(extension)).length,
    ),
  ]);
  return counts.includes(said) ||
    (isRough(claim.words) && counts.some((count) => isNear(said, count)))
    ? held(`${folder} has ${all.length} files`)
    : counteredBy(`"${spoken(claim)}", but ${folder} has ${all.length} files`);
}
