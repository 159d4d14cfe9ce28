// What judges of statements about the tree share: names and paths of a claim, and how a counter-example
// is told.
import type { Repository } from "../../../source/repository.ts";
import type { Place } from "../../verdict.ts";
import type { ClaimJudgement } from "../judgement.ts";
import type { TreeClaim } from "./find-tree-claims.ts";
import { placeWords } from "./uses.ts";

export const countered = (words: string, places: readonly Place[]): ClaimJudgement => ({
  verdict: "countered",
  grade: "E0",
  reason: `"${words.replace(/\s+/g, " ").slice(0, 80)}", but ${placeWords(places)}`,
});
export const counteredBy = (reason: string): ClaimJudgement => ({
  verdict: "countered",
  grade: "E0",
  reason,
});
export const held = (reason: string): ClaimJudgement => ({
  verdict: "verified",
  grade: "E2",
  reason,
});

export const bareName = (text: string): string => text.replace(/\(.*\)$/, "");
export const isName = (text: string): boolean => /^[A-Za-z_$][\w$.]*(?:\([^)]*\))?$/.test(text);

/** The words with their names in place, as they are shown. */
export const spoken = ({ match, code }: TreeClaim): string => {
  let at = 0;
  return match.replace(/§/g, () => code[at++] ?? "…");
};

export const pathOf = (text: string): string =>
  text
    .replace(/^\.\//, "")
    .replace(/:\d[\d:,-]*$/, "")
    .replace(/\/$/, "");

export const filesIn = (folder: string, repo: Repository): string[] =>
  repo.reader.list().paths.filter((path) => folder === "." || path.startsWith(`${folder}/`));
