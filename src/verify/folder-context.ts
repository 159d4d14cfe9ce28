// A folder that was named before a file: "In `src/foo/`: `bar.ts` 10, `baz.ts` 7". The files that are there decide whether the one stands in the other.
import type { Claim } from "./claims.ts";
import type { Read } from "./line-claims.ts";
import type { Repository } from "./repository.ts";
import type { Unit } from "./units.ts";

const nearBefore = 240;
const mostParents = 12;

/** "`src/a/x.ts` imports `../b/y.ts`": what is written from a file's own folder, where that leads to a file. */
function fromFile(claim: Claim, claims: Claim[], repo: Repository): string | undefined {
  if (claim.range !== null) return undefined;
  for (const { path, external } of claims) {
    const steps =
      external || !path.includes("/") || path.startsWith(".")
        ? undefined
        : [...path.split("/").slice(0, -1), ...claim.path.split("/")];
    const found = steps
      ?.reduce<string[]>(
        (left, step) => (step === ".." ? left.slice(0, -1) : step === "." ? left : [...left, step]),
        [],
      )
      .join("/");
    if (found !== undefined && repo.isListed(found)) return found;
  }
  return undefined;
}

/** Completes paths that are files of a folder named earlier in the unit, or by the item or heading above it. */
export function completeInFolder(
  claims: Claim[],
  { unit, read, repo }: { unit: Unit; read: Read[]; repo: Repository },
): void {
  let above: string | null | undefined;
  for (const claim of claims) {
    if (!claim.external && claim.path.startsWith("../"))
      claim.path = fromFile(claim, claims, repo) ?? claim.path;
    if (
      claim.external ||
      claim.path.startsWith("/") ||
      claim.path.startsWith(".") ||
      (claim.path.includes("/") && repo.isListed(claim.path))
    )
      continue;
    const at = claim.start - unit.start;
    const folder =
      folderIn(unit.text.slice(Math.max(0, at - nearBefore), at), repo) ??
      (above === undefined ? (above = folderAbove(unit, read, repo) ?? null) : above);
    const joined = folder ? `${folder}/${claim.path}` : "";
    if (folder && repo.isListed(joined) && repo.kindOf(joined) === "file") claim.path = joined;
  }
}

/** The last folder of a text that is written as one: with a slash, or in backticks. */
function folderIn(text: string, repo: Repository): string | undefined {
  if (!/[/`]/.test(text)) return undefined;
  for (const word of (text.match(/`?(?:\.\/)?[\w.@-]+(?:\/[\w.@-]+)*\/?`?/g) ?? []).reverse()) {
    const path = word.replace(/^`?(?:\.\/)?|\/?`?$/g, "");
    if (
      /[/`]/.test(word) &&
      path !== "" &&
      repo.isListed(path) &&
      repo.kindOf(path) === "directory"
    )
      return path;
  }
  return undefined;
}

/** The folder that the parent item, the line before a list or the nearest heading names; a file named there first is what it is about. */
function folderAbove(unit: Unit, read: Read[], repo: Repository): string | undefined {
  for (let index = read.length - 1; index >= Math.max(0, read.length - mostParents); index--) {
    const { unit: other } = read[index]!;
    if (
      other.kind === "fence" ||
      other.kind === "row" ||
      (other.bullet && (!unit.bullet || other.indent >= unit.indent))
    )
      continue;
    const folder = folderIn(other.text.slice(0, 400), repo);
    if (folder !== undefined || other.kind === "heading") return folder;
  }
  return undefined;
}
