// What git shows of a repository without being given a path: the files that its index lists.
import type { Access } from "./access.ts";
import { repositoryAround } from "./held-below.ts";
import type { Judge, PlacedRule } from "../judge.ts";
import { coveredBy, formOf, reaches } from "./path-rules.ts";
import { foldPath, isWithin } from "./written-path.ts";

/** Answers about the same index: a repository has thousands of paths, a session few rules. */
const answers = new WeakMap<readonly string[], Map<string, boolean>>();

/**
 * Whether git has recorded a file that the rule speaks of, and shows it; undefined where the access
 * is of another kind. Without an index that can be read, what lies on disk counts.
 */
export function recordsCovered(
  { rule, places }: PlacedRule,
  { real, inTree }: Access,
  judge: Judge,
): boolean | undefined {
  if (inTree !== "recorded" && inTree !== "recorded below") return undefined;
  const root = repositoryAround(real, judge);
  const folder = inTree === "recorded" ? root : real;
  const own = judge.facts(`${root}/.git`).gitdir ?? `${root}/.git`;
  const paths = judge.facts(`${own}/index`).tracked?.();
  if (paths === undefined)
    return reaches(places, folder, (path) => judge.facts(path).exists) === "surely";
  const known = answers.get(paths) ?? new Map<string, boolean>();
  answers.set(paths, known);
  const key = [rule.text, folder, ...places.map((place) => place.key)].join("\0");
  const isCovered = (path: string): boolean =>
    isWithin(path, folder) && coveredBy(places, formOf(foldPath(path)));
  const answer = known.get(key) ?? paths.some((path) => isCovered(`${root}/${path}`));
  known.set(key, answer);
  return answer;
}
