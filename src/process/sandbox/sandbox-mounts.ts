// The file system of a sandboxed command as arguments of bubblewrap: everything read-only, then,
// from the root downwards, what is hidden, what is writable and what is held fast.
import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";

/**
 * hidden: an empty folder, or a file that cannot be opened; emptied: a file without content;
 * writable and read-only: held by an open handle, so that no link put in its place is followed.
 */
export type Mount = {
  path: string;
  as: "hidden-folder" | "hidden-file" | "emptied" | "read-only" | "writable" | "private";
  source?: string;
};

export type MountPlan = { args: string[]; handles: number[] };

// Wins over what else is known of the same path, the first most.
const strength = [
  "hidden-folder",
  "hidden-file",
  "emptied",
  "read-only",
  "private",
  "writable",
] as const;
const pathOnly = 0o10000000;

/**
 * The caller closes the handles once the command has started. `firstHandle` is the number that the
 * first of them will have in the command.
 */
export function planSandboxMounts(
  mounts: readonly Mount[],
  { emptyFile, firstHandle }: { emptyFile: string; firstHandle: number },
): MountPlan {
  const handles: number[] = [];
  const args: string[] = [];
  const late: string[] = [];
  try {
    for (const mount of inOrder(mounts)) {
      const { path, as } = mount;
      if (as === "hidden-folder") {
        args.push("--tmpfs", path);
        // Afterwards, because what lies below still needs its mount points.
        late.push("--remount-ro", path);
      } else if (as === "hidden-file") args.push("--ro-bind", "/dev/null", path);
      else if (as === "emptied") args.push("--ro-bind", emptyFile, path);
      else if (as === "private") args.push("--bind", mount.source!, path);
      else {
        handles.push(hold(path));
        args.push(
          as === "writable" ? "--bind-fd" : "--ro-bind-fd",
          `${firstHandle + handles.length - 1}`,
          path,
        );
      }
    }
    return { args: [...args, ...late], handles };
  } catch (error) {
    for (const handle of handles) closeSync(handle);
    throw error;
  }
}

function inOrder(mounts: readonly Mount[]): Mount[] {
  const strongest = new Map<string, Mount>();
  for (const mount of mounts) {
    const other = strongest.get(mount.path);
    if (!other || strength.indexOf(mount.as) < strength.indexOf(other.as))
      strongest.set(mount.path, mount);
  }
  const depth = ({ path }: Mount): number => path.split("/").length;
  return [...strongest.values()].sort((a, b) => depth(a) - depth(b));
}

function hold(path: string): number {
  const handle = openSync(path, pathOnly | constants.O_NOFOLLOW);
  if (readlinkSync(`/proc/self/fd/${handle}`) === path && !fstatSync(handle).isSymbolicLink())
    return handle;
  closeSync(handle);
  throw new Error(`${path} changed while the sandbox was being made; run the command again.`);
}
