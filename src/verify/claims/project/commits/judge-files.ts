// The files that a commit changed, against those that a sentence says it did: by path, by a noun that one file is
// called by, and the tests.
import type { Repository } from "../../../../source/repository.ts";
import type { Referent } from "../../facts/referents.ts";
import type { ClaimJudgement } from "../../judgement.ts";
import { counteredBy, held } from "../../tree/countered.ts";
import { isTest } from "../../tree/uses.ts";
import { gitText, type Commit } from "../history-of.ts";

const filesOf = ({ id }: Commit, root: string | undefined): string[] =>
  ((root !== undefined && gitText(root, ["show", "--name-only", "--format=", id])) || "")
    .split("\n")
    .filter(Boolean);

type Touched = { commit: Commit; places: readonly Referent[]; isInside: boolean };

/** "but left its test alone", "no test" */
export const deniesTests = new RegExp(
  "\\b(?:no|not|without|never|nor|\\w+n't|except|leaves|left)\\b(?: \\w+){0,3} " +
    "(?:tests?|specs?)\\b(?: alone| untouched)?",
  "i",
);

/** What a part of a sentence says of files, places aside. */
type Said = { tests: boolean; without: boolean; isDenied: boolean; isOnly: boolean; rest: string };

function readSaid(part: string, isInside: boolean): Said {
  const rest = part.replace(deniesTests, "");
  const only = /\b(?:only|alone|nothing (?:else|but)|solely|just)\b/i;
  return {
    tests: /\b(?:the|its|a|both) (?:\w+ )?(?:tests?|specs?)\b(?! [§¶])/i.test(rest),
    without: rest !== part,
    isDenied: /\b(?:not|never|n't|no|nor)\b/i.test(rest),
    isOnly: !isInside && only.test(rest),
    rest,
  };
}

export function judgeFiles(
  part: string,
  { commit, places, isInside }: Touched,
  { reader }: Repository,
): ClaimJudgement | undefined {
  const said = readSaid(part, isInside);
  const { tests, isDenied, isOnly } = said;
  const nouns = nounsIn(said.rest, reader.list().paths);
  const meant = [...places, ...(nouns ?? [])];

  const isEmpty = meant.length === 0 && !tests && !said.without;
  const files = isEmpty ? [] : filesOf(commit, reader.root);
  if (files.length === 0) return undefined;
  const wrong = isDenied
    ? touchesAny(files, places)
    : differs(files, { places: meant, tests, isOnly });
  return wrong || (said.without && files.some(isTest))
    ? counteredBy(`"${commit.subject.slice(0, 60)}" changed ${files.slice(0, 3).join(", ")}`)
    : held(`${commit.id.slice(0, 7)} changed ${files.slice(0, 3).join(", ")}`);
}

const itemsOf = new RegExp(
  "\\b(?:touch|modif|edit)\\w*(?: only| just)? ((?:(?:, | and |, and )?" +
    "(?:(?:the|its|a|both) )?[\\w§¶]+(?! (?:of|in|for|to|from)\\b))+)(?=[.,;]|$)",
  "i",
);

/** "The validator and its test": of each noun the one file that is called so; undefined where one has none. */
function nounsIn(part: string, paths: readonly string[]): Referent[] | undefined {
  const items = itemsOf.exec(part)?.[1]?.split(/, and |, | and /) ?? [];
  const nouns = items
    .map((item) => /^(?:the|its|both|a) (\w{4,})$/.exec(item)?.[1]?.toLowerCase())
    .filter((noun) => noun !== undefined && !/^(?:tests?|specs?)$/.test(noun));
  const found = nouns.map((noun) => {
    const own = paths.filter(
      (path) => !isTest(path) && /([^/.]+)[^/]*$/.exec(path)?.[1]?.toLowerCase().endsWith(noun!),
    );
    return own.length === 1 ? { text: own[0]!, paths: own } : undefined;
  });
  return found.includes(undefined) ? undefined : (found as Referent[]);
}

export const isOf = (file: string, { paths, text }: Referent): boolean =>
  paths!.includes(file) || file.endsWith(text);

const touchesAny = (files: readonly string[], places: readonly Referent[]): boolean =>
  places.some((place) => files.some((file) => isOf(file, place)));

/** Rust keeps tests beside the code. */
const mayTest = (file: string): boolean => isTest(file) || file.endsWith(".rs");

type Changed = { places: readonly Referent[]; tests: boolean; isOnly: boolean };

/** A place or the tests are not among the files, or more is. */
function differs(files: readonly string[], { places, tests, isOnly }: Changed): boolean {
  const isMeant = (file: string): boolean =>
    places.some((place) => isOf(file, place)) || (tests && isTest(file));
  const lacks = places.some((place) => !files.some((file) => isOf(file, place)));
  return lacks || (tests && !files.some(mayTest)) || (isOnly && !files.every(isMeant));
}
