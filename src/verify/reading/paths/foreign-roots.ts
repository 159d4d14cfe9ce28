// Absolute paths of another machine: the root that they share, by the files and folders of this tree under
// it, makes a path of this tree of every path below it, whether its file is here or not.
import type { Repository } from "../../../source/repository.ts";
import type { Claim } from "../claim.ts";
import type { Mention } from "./find-mentions.ts";

/** The paths below a root; `sure`: one of them is a file or a deep folder of this tree. */
type Root = { paths: Set<string>; sure: boolean };

/** Gives mentions of such paths the path from the root. */
export function settleForeignRoots(claims: readonly Claim[], repo: Repository): void {
  const mentions = claims.map(({ mention }) => mention).filter(isAbsolute);
  if (mentions.length === 0) return;
  const roots = new Map<string, Root>();
  const put = (root: string, path: string, sure: boolean): void => {
    const known = roots.get(root) ?? { paths: new Set(), sure: false };
    roots.set(root, known);
    known.paths.add(path);
    known.sure ||= sure;
  };
  for (const { kind, path, paths } of mentions)
    if (kind === "foreign") for (const [root, sure] of rootsOf(path, repo)) put(root, path, sure);
    else put(path.slice(0, -paths[0]!.length - 1), path, true);
  for (const mention of mentions) settle(mention, roots, repo);
}

const isAbsolute = ({ kind, path, paths }: Mention): boolean =>
  path.startsWith("/") &&
  (kind === "foreign" || (kind === "file" && path.endsWith(`/${paths[0]}`)));

/** Where a name of this tree's top follows; sure where two folders of it do. */
function rootsOf(path: string, repo: Repository): [string, boolean][] {
  const found: [string, boolean][] = [];
  for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) {
    const [first, second, third] = path.slice(at + 1).split("/", 3);
    if (!repo.isListed(first!)) continue;
    const isDeep = third !== undefined && repo.isListed(`${first}/${second}`);
    found.push([path.slice(0, at), isDeep]);
  }
  return found;
}

/** The root of most paths, or the one of the file itself. */
function settle(mention: Mention, roots: ReadonlyMap<string, Root>, repo: Repository): void {
  const { kind, path } = mention;
  const own = kind === "file" ? path.slice(0, -mention.paths[0]!.length - 1) : "";
  let best: { root: string; count: number } | undefined;
  for (const [root, { paths, sure }] of roots)
    if (path.startsWith(`${root}/`) && (sure || paths.size > 1))
      if (!best || paths.size > best.count) best = { root, count: paths.size };
  if (!best || best.root === own) return;
  // A file below a folder that is not here, under the root of other paths.
  if (
    kind === "file" &&
    !(own.startsWith(`${best.root}/`) && best.count > roots.get(own)!.paths.size)
  )
    return;
  const rest = path.slice(best.root.length + 1);
  const isHere = repo.kindOf(rest) === "file";
  mention.path = rest;
  mention.kind = isHere ? "file" : "unknown";
  mention.paths = isHere ? [rest] : [];
  mention.why = undefined;
}
