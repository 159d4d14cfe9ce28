// Path rules: which of them speak about a file. Refusals compare folded and through links on both
// sides; permissions compare exactly.
import type { ParsedRule } from "../../base/parse-rule.ts";
import {
  compilePattern,
  coversPath,
  mayCoverGlob,
  reachBelow,
  splitLiteral,
  type PathPattern,
} from "./path-pattern.ts";
import { foldPath, parentOf, segmentsOf } from "./written-path.ts";
import type { FactsOf, Workspace } from "../policy.ts";

/**
 * A place of one rule: a pattern below a folder. `key` and `pattern` are compared; `base` and
 * `written` are what the disk is asked about (refusals compare folded).
 */
type Place = { base: string; key: string; pattern: PathPattern; written: PathPattern };

/** A path with its segments, split once for all rules. */
export type PathForm = { path: string; segments: string[] };
export const formOf = (path: string): PathForm => ({ path, segments: segmentsOf(path) });
export type PathRule = { rule: ParsedRule; places: Place[]; wide: boolean };

/**
 * Takes a path rule apart. `wide` (deny and ask): folded names, braces also as written, bare names
 * anywhere.
 */
export function compilePathRule(
  rule: ParsedRule,
  workspace: Workspace,
  { wide }: { wide: boolean },
): PathRule {
  const specifier = rule.specifier ?? "**";
  const texts = wide
    ? [...new Set([...expandBraces(specifier), specifier])]
    : expandBraces(specifier);
  const places = texts.flatMap((text) => placesOf(text, workspace, wide));
  return { rule, places, wide };
}

function placesOf(text: string, workspace: Workspace, wide: boolean): Place[] {
  const { base, body, anchored } = baseOf(text, workspace);
  const place = collapse(base, body);
  const hasSlash = anchored || body.replace(/\/+$/, "").includes("/");
  const at = (base: string, anchored: boolean): Place => ({
    base,
    key: wide ? foldPath(base) : base,
    pattern: compilePattern(wide ? foldPath(place.body) : place.body, { anchored }),
    written: compilePattern(place.body, { anchored }),
  });
  if (!wide) return [at(place.base, hasSlash)];
  // A refusal written `/etc/hosts` may have meant the root of the disk as well.
  const isRooted = text.startsWith("/") && !text.startsWith("//");
  return [
    at(place.base, hasSlash),
    ...(isRooted ? [at("/", true)] : hasSlash ? [] : [at("/", false)]),
  ];
}

function baseOf(
  text: string,
  { cwd, root, home }: Workspace,
): { base: string; body: string; anchored: boolean } {
  if (text.startsWith("//")) return { base: "/", body: text.slice(2), anchored: true };
  if (text === "~" || text.startsWith("~/"))
    return { base: home, body: text.slice(2), anchored: true };
  if (text.startsWith("/")) return { base: root, body: text.slice(1), anchored: true };
  if (text === "." || text.startsWith("./"))
    return { base: cwd, body: text.slice(2), anchored: true };
  return { base: cwd, body: text, anchored: false };
}

/** Resolves `..` in the pattern as text, climbing above the base where it says so. */
function collapse(base: string, body: string): { base: string; body: string } {
  const kept: string[] = [];
  let folder = base;
  for (const segment of body.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.pop() === undefined) folder = parentOf(folder);
  }
  return { base: folder, body: kept.join("/") };
}

const maxAlternatives = 128;

/** `a{b,c}` as `ab`, `ac`; what stands for more than 128 paths comes back as it is. */
export function expandBraces(text: string): string[] {
  const done: string[] = [];
  const open = [text];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = /\{([^{}]*,[^{}]*)\}/.exec(next);
    if (found === null) done.push(next);
    else
      for (const choice of found[1]!.split(",", maxAlternatives + 1))
        open.push(
          `${next.slice(0, found.index)}${choice}${next.slice(found.index + found[0].length)}`,
        );
    if (done.length + open.length > maxAlternatives) return [text];
  }
  return done;
}

/**
 * The rule's places, and where their folders (for refusals their literal names too) really lead.
 * Call once per decision: links change.
 */
export function realPlaces({ places, wide }: PathRule, facts: FactsOf): Place[] {
  return places.flatMap((place) => {
    const moved = place.base === "/" ? "/" : facts(place.base).real;
    const found =
      moved === place.base
        ? [place]
        : [place, { ...place, base: moved, key: wide ? foldPath(moved) : moved }];
    return wide ? [...found, ...throughLinks(place, facts)] : found;
  });
}

function throughLinks(place: Place, facts: FactsOf): Place[] {
  const { literals, rest } = splitLiteral(place.written);
  if (literals.length === 0) return [];
  const path = `${place.base === "/" ? "" : place.base}/${literals.join("/")}`;
  const { real } = facts(path);
  return real === path
    ? []
    : [
        {
          base: real,
          key: foldPath(real),
          pattern: { parts: place.pattern.parts.slice(literals.length) },
          written: rest,
        },
      ];
}

/**
 * True when one of the places covers the path (folded where the places are); `glob`: the path still
 * holds wildcards of bash.
 */
export function coveredBy(
  places: readonly Place[],
  form: PathForm,
  { glob = false }: { glob?: boolean } = {},
): boolean {
  return places.some((place) => {
    const below = relativeSegments(form, place.key);
    if (below === undefined) return false;
    return glob ? mayCoverGlob(place.pattern, below) : coversPath(place.pattern, below);
  });
}

/**
 * Whether something that the places (of a refusal) cover lies below the folder: surely (it exists),
 * perhaps, or not.
 */
export function reaches(
  places: readonly Place[],
  folder: string,
  exists: (path: string) => boolean,
): "surely" | "perhaps" | "no" {
  let found: "perhaps" | "no" = "no";
  const form = formOf(foldPath(folder));
  for (const place of places) {
    const reach = reachOf(place, form);
    if (reach === "everything") return "surely";
    if (reach === "unknown") found = "perhaps";
    if (
      typeof reach === "object" &&
      reach.literals.some((literal) => exists(`${folder === "/" ? "" : folder}/${literal}`))
    )
      return "surely";
  }
  return found;
}

function reachOf(place: Place, folder: PathForm): ReturnType<typeof reachBelow> {
  const below = relativeSegments(folder, place.key);
  if (below !== undefined) return reachBelow(place.pattern, below, place.written);
  // The rule's own folder lies below the one that is walked.
  if (relativeSegments(formOf(place.key), folder.path) === undefined) return "nothing";
  const above = segmentsOf(place.base).slice(folder.segments.length);
  const inner = reachBelow(place.pattern, [], place.written);
  return typeof inner === "object"
    ? { literals: inner.literals.map((literal) => [...above, literal].join("/")) }
    : inner === "everything"
      ? { literals: [above.join("/")] }
      : inner;
}

function relativeSegments({ path, segments }: PathForm, base: string): string[] | undefined {
  if (base === "/") return segments;
  if (!path.startsWith(base) || (path.length > base.length && path[base.length] !== "/"))
    return undefined;
  let depth = 0;
  for (const char of base) if (char === "/") depth++;
  return segments.slice(depth);
}
