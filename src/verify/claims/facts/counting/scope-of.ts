// Where the things stand that a number is told of: the files of a place, the members of a type, the whole project.
import type { Repository } from "../../../../source/repository.ts";
import { isTest } from "../../tree/uses.ts";
import { elementsIn } from "../elements-in.ts";
import type { Quantified } from "../read-quantified.ts";
import { isVendored, type Referent } from "../referents.ts";
import type { CountScope } from "./file-lists.ts";
import type { Noun } from "./noun-of.ts";

/** Undefined where nobody knows what is spoken of. */
export function scopeOf(
  { places, quantity }: Quantified,
  noun: Noun,
  repo: Repository,
): CountScope | undefined {
  const all = (): string[] => repo.reader.list().paths.filter((path) => !isVendored(path));
  if (places === undefined)
    return quantity === "every" ? { paths: all(), isWhole: true } : undefined;
  // "Two files, three lines": of what was changed, not of the project.
  if (places.length === 0)
    return ofProject.test(noun.words) ? { paths: all(), isWhole: true } : undefined;
  const files = places.flatMap((place) => filesMeant(place, noun, repo));
  const types = places.filter(({ paths }) => paths === null);
  // Several types stand for the files that define them.
  const homes = types.length > 1 ? types.map(({ text }) => homeOf(text, repo)) : [];
  if (homes.length > 0)
    return homes.includes(undefined)
      ? undefined
      : { paths: [...new Set(homes.map((home) => home!))], isWhole: false };
  if (types.length === 0)
    return { paths: files, isWhole: places.some(({ isWhole }) => isWhole === true) };
  if (places.length > 1) return undefined;
  const owner = types[0]!.text.replace(/^[*&]|\(\)$/g, "");
  if (!/^[\w.]+$/.test(owner)) return undefined;
  const paths = pathsWith(owner, repo);
  const isType = isTypeHere(owner, repo);
  if (isType) return { paths, owner, isWhole: false };
  // A router, a table: what stands in the one file that makes it.
  const made = repo.definedAt(owner).filter(({ path }) => paths.includes(path));
  return made.length === 1 && /route|endpoint/.test(noun.words)
    ? { paths: made.map(({ path }) => path), isWhole: false }
    : undefined;
}

/** Tests, too, where it is one of theirs. */
const pathsWith = (name: string, repo: Repository): string[] =>
  repo
    .filesWith(name.split(".").at(-1)!, 100)
    .map(({ path }) => path)
    .filter((path) => (!isTest(path) || /Tests?$|Spec$/.test(name)) && !isVendored(path));

export const isTypeHere = (name: string, repo: Repository): boolean =>
  pathsWith(name, repo).some((path) =>
    elementsIn(path, repo).some((one) => one.kind === "class" && one.name === name),
  );

const homeOf = (name: string, repo: Repository): string | undefined => {
  const paths = [...new Set(repo.definedAt(name).map(({ path }) => path))];
  return paths.length === 1 ? paths[0] : undefined;
};

const ofProject = new RegExp(
  "test|assert|routes|classes|jobs|steps|scripts|migrations|dependencies|suites|commands|" +
    "resource|variab|outp|argum|flags",
);

/** Of several files of one name, the one that has such things is meant. */
export function filesMeant(
  { paths, isOneOf }: Referent,
  noun: Noun,
  repo: Repository,
): readonly string[] {
  if (!isOneOf || paths === null) return paths ?? [];
  const full = paths.filter((path) =>
    noun.list({ paths: [path], isWhole: false }, repo).some(({ length }) => length > 0),
  );
  return full.length === 1 ? full : [];
}
