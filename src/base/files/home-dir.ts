// Finds the user's home folder. It is never relative: otherwise a project could supply files that
// count as the user's own settings and trust.
import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { RetinueError } from "../errors.ts";

/**
 * `HOME` if it is an absolute path, else the home folder that the system knows. An empty HOME
 * counts as not set.
 */
export function homeDir(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = env["HOME"];
  if (given !== undefined && isAbsolute(given)) return given;
  const known = systemHome();
  if (known !== undefined && isAbsolute(known)) return known;
  const found = given ? `"${given}", which is not an absolute path` : "not set";
  throw new RetinueError(
    "config",
    `there is no home folder: HOME is ${found}, and the system knows none for this user. Set HOME to an absolute path.`,
  );
}

function systemHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
