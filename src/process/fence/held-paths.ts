// What no command changes: protected files and folders, and what steers git. Before a command they
// become read-only mounts; afterwards what the command planted beside them is set aside and named.
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { gitFolderParts, linkedTree, nestedFolders, type LinkedTree } from "../git/git-folder.ts";
import { runsNothing } from "../git/runs-nothing.ts";
import type { Mount } from "../sandbox/sandbox-mounts.ts";
import {
  noGitState,
  putBackGitState,
  rememberGitState,
  type OpenGitState,
} from "./open-git-state.ts";
import { linkTarget, restoreLink, setAside } from "./set-aside.ts";
import type { LeftOpen, WrappedEnd } from "../sandbox/wrapped-command.ts";
import { behindLinks, type Restricted, type WorkspaceScan } from "./workspace-scan.ts";

/** Where protected paths are looked for. */
export type HeldPlaces = {
  /** Real paths of the folders that are looked through. */
  roots: readonly string[];
  scan: () => Promise<WorkspaceScan>;
  /** Single protected paths outside of them, there or not. */
  beside: readonly string[];
  /**
   * Commands can write outside of the roots too: what lies there and belongs to them is held as
   * well.
   */
  isOpenOutside: boolean;
};

/** What stands there before a command. */
export type Before = {
  restricted: Restricted[];
  /** What protected links lead to. */
  targets: Restricted[];
  repositories: string[];
  trees: LinkedTree[];
  folders: number;
  gitFolders: string[];
  /** Parts of git that are there. */
  fixed: string[];
  /** Not there; where a command makes one, it is set aside. */
  absent: string[];
  /** Left open for git's own work. */
  gitState: OpenGitState;
};

export async function lookAt(places: HeldPlaces, open: LeftOpen): Promise<Before> {
  const { roots, scan, beside, isOpenOutside } = places;
  const found = await scan();
  const single = beside.map(kindOf).filter((item) => item !== undefined);
  const repositories = [
    ...found.repositories,
    ...single.filter(({ path, kind }) => kind === "folder" && isGit(path)).map(({ path }) => path),
  ];
  const parts = repositories.map(gitFolderParts);
  const trees = roots.map(linkedTree).filter((tree) => tree !== undefined);
  const owners = trees
    .map(({ common }) => common)
    .filter((common) => isOpenOutside && !repositories.includes(common))
    .map(gitFolderParts);
  const plain = single.filter(({ path }) => !repositories.includes(path));
  const fixed = [...parts, ...owners, ...trees].flatMap((part) => part.fixed);
  return {
    restricted: [...found.restricted, ...plain].filter(({ path }) => !roots.includes(path)),
    // What links lead to is held, and never renamed: it may lie anywhere.
    targets: behindLinks([...found.restricted, ...plain]).filter(
      ({ path }) =>
        !roots.includes(path) && (isOpenOutside || roots.some((root) => isIn(path, root))),
    ),
    repositories,
    trees,
    folders: found.folders,
    gitFolders: [...parts, ...owners].flatMap(({ folders }) => folders),
    fixed,
    gitState: open.gitState ? rememberGitState(fixed) : noGitState,
    absent: [
      ...[...parts, ...owners, ...trees].flatMap(({ absent }) => absent),
      ...beside.filter((path) => !exists(path)),
    ],
  };
}

/** `anchors` are folders that are kept in their place by other means. */
export function heldMounts(
  before: Before,
  { anchors, open }: { anchors: readonly string[]; open: LeftOpen },
): Mount[] {
  const isApproved = leftOut(open.approved);
  const restricted = [...before.restricted, ...before.targets].filter(
    ({ path }) => !isApproved(path),
  );
  return [
    ...before.gitFolders.flatMap((folder): Mount[] => [
      ...pins(folder, anchors, []),
      { path: folder, as: "writable" },
    ]),
    ...before.fixed
      .filter((path) => !isApproved(path) && !before.gitState.has(path))
      .filter((path) => kindOf(path)?.kind !== "link")
      .flatMap((path): Mount[] => [
        ...pins(path, [...anchors, ...before.gitFolders], []),
        { path, as: "read-only" },
      ]),
    ...restricted.flatMap((item) => held(item, { restricted, anchors })),
  ];
}

/**
 * The approved path itself, what lies in it, and the folders above it, of which the rest is held
 * piece by piece.
 */
const leftOut =
  (approved: readonly string[]) =>
  (path: string): boolean =>
    approved.some((one) => isIn(path, one) || isIn(one, path));

const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** A link cannot be mounted upon: it is looked at again afterwards. */
function held(
  item: Restricted,
  { restricted, anchors }: { restricted: readonly Restricted[]; anchors: readonly string[] },
): Mount[] {
  if (item.kind === "link") return [];
  const above = restricted.filter(
    (other) => other.kind === "folder" && item.path.startsWith(`${other.path}/`),
  );
  if (above.length > 0 && item.verdict === "read-only") return [];
  const as =
    item.verdict === "read-only"
      ? "read-only"
      : item.kind === "folder"
        ? "hidden-folder"
        : "hidden-file";
  return [...pins(item.path, anchors, above), { path: item.path, as }];
}

/**
 * The folders above a held path are mount points too: otherwise one could be moved away, and
 * another put in its place. None where no anchor is above it: a mount must not open what was
 * closed.
 */
function pins(path: string, anchors: readonly string[], readOnly: readonly Restricted[]): Mount[] {
  const pinned: Mount[] = [];
  let folder = dirname(path);
  for (; !anchors.includes(folder) && folder !== "/"; folder = dirname(folder)) {
    if (!readOnly.some((other) => isIn(folder, other.path)))
      pinned.push({ path: folder, as: "writable" });
  }
  return anchors.includes(folder) ? pinned : [];
}

/** Paths that a person approved in this process: no command's clean-up takes them for planted. */
const letThrough = new Set<string>();

/** A person has allowed these paths to be made. */
export function letStay(paths: readonly string[]): void {
  for (const path of paths) letThrough.add(path);
}

/**
 * Looks again after the command, sets aside what is protected and new, and says so. A command that
 * leaves more than `most` folders has failed.
 */
export async function undoPlanted(
  before: Before,
  places: HeldPlaces,
  most: number,
): Promise<WrappedEnd> {
  const { restricted, repositories, folders } = await places.scan();
  const known = new Set(before.restricted.map(({ path }) => path));
  const knownGit = new Set([...before.repositories, ...before.gitFolders]);
  const mayStay = leftOut([...letThrough]);
  const made = [
    ...restricted
      .filter(({ path, verdict }) => verdict === "read-only" && !known.has(path))
      .map(({ path }) => path),
    ...repositories,
    ...repositories.flatMap(nestedFolders),
    ...before.absent,
  ].filter((path) => !knownGit.has(path) && exists(path) && !mayStay(path) && !isPlainGit(path));
  const outermost = [...new Set(made)].filter(
    (path, _at, all) => !all.some((other) => path.startsWith(`${other}/`)),
  );
  const notes = [
    ...putBackGitState(before.gitState),
    ...outermost.map((path) => setAside(path)),
    ...before.restricted.map(({ path, kind, target }) =>
      kind === "link" && target !== undefined ? restoreLink(path, target) : undefined,
    ),
  ].filter((line) => line !== undefined);
  const problems =
    folders > most && folders > before.folders
      ? [`The command left more than ${most} folders in the workspace (${folders}).`]
      : [];
  return { problems, notes };
}

/** What a command that fails may have tried to write. */
export const heldPaths = ({ restricted, targets, fixed }: Before): string[] => [
  ...[...restricted, ...targets]
    .filter(({ verdict }) => verdict === "read-only")
    .map(({ path }) => path),
  ...fixed,
];

/** New in git, and nothing that git would run. */
const isPlainGit = (path: string): boolean =>
  /\/\.git(?:$|\/)/.test(path) && !/\/(?:config|hooks)$/.test(path) && runsNothing(path);

const isGit = (path: string): boolean => path.endsWith("/.git");

function kindOf(path: string): Restricted | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const kind = stat.isDirectory() ? "folder" : stat.isSymbolicLink() ? "link" : "file";
  const target = kind === "link" ? linkTarget(path) : undefined;
  return { path, verdict: "read-only", kind, ...(target === undefined ? {} : { target }) };
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
