// A short name that the document spells out elsewhere means that file; else the files of the folders
// that the document is about come first.
import type { Claim } from "../claim.ts";

/** Orders the files that each claim may mean; a name spelled out in full leaves only that file. */
export function preferSpelledOut(claims: readonly Claim[]): void {
  const spelled = new Set<string>();
  const whole = new Map<string, string>();
  const folders = new Map<string, number>();
  for (const { mention } of claims) {
    if (mention.kind !== "file" || mention.paths.length !== 1) continue;
    const [path] = mention.paths as [string];
    if (mention.path.includes("/")) {
      spelled.add(path);
      whole.set(path.slice(path.lastIndexOf("/") + 1), path);
    }
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1))
      folders.set(path.slice(0, at), (folders.get(path.slice(0, at)) ?? 0) + 1);
  }
  for (const { mention } of claims) {
    // A file that no list names, as git ignores it, is known once it is spelled out.
    const meant = mention.kind === "unknown" ? whole.get(mention.path) : undefined;
    if (meant !== undefined) Object.assign(mention, { kind: "file", paths: [meant] });
    if (mention.kind !== "file" || mention.paths.length < 2) continue;
    const exact = mention.paths.filter((path) => spelled.has(path));
    if (exact.length === 1) {
      const others = mention.paths.filter((path) => path !== exact[0]);
      mention.alternates = () => others;
      mention.paths = exact;
    } else mention.paths = ordered(mention.paths, folders);
  }
}

function ordered(paths: readonly string[], folders: ReadonlyMap<string, number>): string[] {
  const score = (path: string): number => {
    let best = 0;
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1))
      best += (folders.get(path.slice(0, at)) ?? 0) * at;
    return best;
  };
  return paths
    .map((path) => ({ path, score: score(path) }))
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}
