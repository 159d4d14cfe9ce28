// The user's home: never relative, because what a project's folder holds must not pass for the
// user's own settings and trust.
import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { RetinueError } from "../errors.ts";

/**
 * `HOME` where it is an absolute path, else what the system knows of the user; an empty HOME counts
 * as none.
 */
export function homeDir(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = env["HOME"];
  if (given !== undefined && isAbsolute(given)) return given;
  const known = systemHome();
  if (known !== undefined && isAbsolute(known)) return known;
  throw new RetinueError(
    "config",
    `there is no home folder: HOME is ${given ? `"${given}", which is no absolute path` : "not set"}, and the system knows none for this user. Set HOME to an absolute path.`,
  );
}

function systemHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
