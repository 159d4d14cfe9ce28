// What changed beside the tests: whether the code did, whether anything that people read says so, and
// which words the code took up or gave up.
import { isProse } from "../runs/edit-after.ts";
import { isTest } from "../tree/uses.ts";
import { grammars, withoutComments } from "./reading/block-end.ts";
import { languageOf } from "./cases/test-cases.ts";

export type Files = ReadonlyMap<string, string>;

export type Change = {
  /** Files that are not the same, tests among them. */
  paths: string[];
  /** Sources whose code is not the same. */
  sources: string[];
  isDocumented: boolean;
  /** The new words all came into the code, or are among what the tests give to it. */
  isNamed: (old: string, now: string, given?: ReadonlySet<string>) => boolean;
};

export function whatChanged({ old, now }: { old: Files; now: Files }): Change {
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => old.get(path) !== now.get(path),
  );
  const pairs = paths.filter(isSource).map((path) => ({
    path,
    was: withoutTests(old.get(path) ?? ""),
    is: withoutTests(now.get(path) ?? ""),
  }));
  const sources = pairs.filter(({ path, was, is }) => codeOf(path, was) !== codeOf(path, is));
  const isDocumented =
    paths.some(isDocument) ||
    sources.some(({ path, was, is }) => {
      const before = new Set(remarksIn(path, was));
      return remarksIn(path, is).some((remark) => !before.has(remark));
    });
  const [was, is] = [
    countsIn(sources.map((one) => one.was)),
    countsIn(sources.map((one) => one.is)),
  ];
  return {
    paths,
    sources: sources.map(({ path }) => path),
    isDocumented,
    isNamed: (before, after, given) => {
      const [had, has] = [piecesOf(before), piecesOf(after)];
      const fresh = has.filter((one) => !had.includes(one) && !given?.has(one));
      const count = (counts: ReadonlyMap<string, number>, piece: string): number =>
        counts.get(piece) ?? 0;
      // A single digit stands in any code.
      const isTelling = fresh.some((piece) => !/^\d$/.test(piece));
      return isTelling && fresh.every((piece) => count(is, piece) > count(was, piece));
    },
  };
}

export const isSource = (path: string): boolean =>
  !isTest(path) &&
  !isSnapshot(path) &&
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kt|scala|rb|erb|php|cs|swift|exs?|c|cc|cpp|h|dart)$/.test(
    path,
  );

/** Output that was recorded to be compared with. */
export const isSnapshot = (path: string): boolean =>
  /\.(?:snap|ambr|golden|approved\.\w+|verified\.\w+)$|__snapshots__\//i.test(path) ||
  /(?:^|\/)(?:snapshots?|golden(?:s|_?files)?)\//i.test(path) ||
  /(?:^|\/)(?:expected|golden)[\w.-]*\.(?:txt|json|html|xml|ya?ml|csv|out)$/i.test(path);

/** People read there what the code does. */
const isDocument = (path: string): boolean =>
  !isSnapshot(path) &&
  !isTest(path) &&
  ((isProse(path) && !/^\.\w+\/|\.(?:log|out|png|jpe?g|gif|csv|patch|diff)$/i.test(path)) ||
    /(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json)$|\.(?:proto|graphqls?|feature|d\.ts)$/i.test(path));

/** Rust keeps tests beside the code. */
export const withoutTests = (text: string): string => text.replace(/#\[cfg\(test\)\][\s\S]*$/, "");

const grammarOf = (path: string): (typeof grammars)[keyof typeof grammars] =>
  grammars[languageOf(path)?.grammar ?? "braces"];

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

const docStrings = /^[ \t]*(?:"""[\s\S]*?"""|'''[\s\S]*?''')/gm;

const codeOf = (path: string, text: string): string =>
  squeezed(withoutComments(text, grammarOf(path)).replace(docStrings, ""));

/** Comments and documentation in the code, those to tools aside. */
const remarksIn = (path: string, text: string): string[] => {
  const found = [...text.matchAll(grammarOf(path).covers)].map(([one]) => one);
  const own = found.filter((one) => /^(?:\/\*|\/\/|#)/.test(one));
  return [...own, ...(text.match(docStrings) ?? [])]
    .map(squeezed)
    .filter(
      (one) => one.split(" ").length > 3 && !/\b(?:TODO|FIXME|XXX|HACK|eslint|noqa)\b/.test(one),
    );
};

/** Words and signs of a value; a sentence is compared by them. */
export const piecesOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}_.]*[\p{L}\p{N}_]|[^\s\w"'`,]/gu) ?? [];

function countsIn(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const piece of texts.flatMap(piecesOf)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
}
