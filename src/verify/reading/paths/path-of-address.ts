// The path inside an address of a code forge or an editor.
import type { Repository } from "../../../source/repository.ts";

const forge = String.raw`[\w.-]*(?:github|gitlab|gitea|codeberg|bitbucket|sr\.ht|gitee|forgejo)[\w.-]*`;
const view = String.raw`(?:-\/)?(?:blob|blame|raw|src|tree|edit)`;
const blob = new RegExp(
  String.raw`^https?:\/\/${forge}\/(?:[\w.-]+\/)+?([\w.-]+)\/${view}\/(.+)$`,
  "i",
);
const raw = /^https?:\/\/raw\.githubusercontent\.com\/[\w.-]+\/([\w.-]+)\/(.+)$/i;

/** A commit, a version or a usual branch: the path begins behind it. */
const plainRevision = /^(?:[\da-f]{7,40}|v?\d+(?:\.\d+)+|main|master|head|develop)$/i;

/** Undefined for an address that is not about this repository. */
export function pathOfAddress(address: string, repo: Repository): string | undefined {
  const match = blob.exec(address) ?? raw.exec(address);
  if (!match) return undefined;
  const parts = decoded(match[2]!).split("/");
  if (parts.includes("..")) return parts.slice(1).join("/");
  // A branch name may hold slashes: the first cut that leads to a file is the right one.
  const most = plainRevision.test(parts[0]!) ? 2 : 6;
  for (let cut = 1; cut < Math.min(parts.length, most); cut++)
    if (repo.isListed(parts.slice(cut).join("/"))) return parts.slice(cut).join("/");
  const path = parts.slice(1).join("/");
  const isOurs = repo.reader.names.some((own) => own.toLowerCase() === match[1]!.toLowerCase());
  return path !== "" && (isOurs || repo.isListed(parts[1]!) || repo.near(path).length > 0)
    ? path
    : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
