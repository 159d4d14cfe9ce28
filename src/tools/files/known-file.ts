// Checks the file that Write or Edit will replace: this run has read it, it has not changed since,
// and this run may write it.
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { resolve } from "node:path";
import { limits } from "../../base/limits.ts";
import { absolutePath } from "../../base/files/path-facts.ts";
import { isInside, locate, maySee, workspaceRoots } from "./locate.ts";
import { notAFile, openRegular } from "./open-regular.ts";
import type { ReadStamps } from "./read-stamps.ts";
import { changedSinceRead } from "./replace-file.ts";
import type { JudgedPath } from "../../tool/tool.ts";
import type { ToolEnvironment } from "../tool-environment.ts";

export type KnownFile =
  | {
      ok: true;
      real: string;
      shown: string;
      before?: { bytes: Buffer; sha256: string; stats: BigIntStats };
    }
  | { ok: false; problem: string };

export type Wanted = { environment: ToolEnvironment; stamps: ReadStamps; judgedPath: JudgedPath };

export async function knownFile(
  { environment, stamps, judgedPath }: Wanted,
  path: string,
): Promise<KnownFile> {
  const located = locate(environment, path, judgedPath);
  if (!located.ok) return located;
  const { facts, shown } = located;
  if (!mayWriteAt(environment, path)(facts.real))
    return {
      ok: false,
      problem: `${shown} leads to ${facts.real}, which may not be written in this run.`,
    };
  if (!facts.exists) return { ok: true, real: facts.real, shown };
  if (facts.kind !== "file") return { ok: false, problem: notAFile(facts.kind, shown) };
  if (!maySee(environment, facts.real, "file"))
    return { ok: false, problem: `${shown} may not be read in this run, and so not be changed.` };
  const stamp = stamps.of(facts.real);
  if (stamp === undefined)
    return { ok: false, problem: `${shown} exists and was not read in this run. Read it first.` };
  const opened = await openRegular(facts.real, shown);
  if (!opened.ok) return opened;
  try {
    if (opened.stats.size > BigInt(limits.write.fileBytes))
      return {
        ok: false,
        problem: `${shown} has ${opened.stats.size} bytes; files up to ${limits.write.fileBytes} bytes can be changed.`,
      };
    const bytes = await opened.handle.readFile();
    const sha256 = sha256Of(bytes);
    if (sha256 !== stamp) return { ok: false, problem: changedSinceRead(shown) };
    return { ok: true, real: facts.real, shown, before: { bytes, sha256, stats: opened.stats } };
  } finally {
    await opened.handle.close();
  }
}

/** The write policy; also, a path written as inside the workspace must really be there. */
export function mayWriteAt(environment: ToolEnvironment, path: string): (real: string) => boolean {
  const roots = workspaceRoots(environment);
  const written = resolve(absolutePath(path, environment.cwd, environment.home));
  const meantInside = [
    environment.cwd,
    ...(environment.additionalDirectories ?? []),
    ...roots,
  ].some((root) => isInside(resolve(environment.cwd, root), written));
  return (real) =>
    environment.mayWrite(real) && (!meantInside || roots.some((root) => isInside(root, real)));
}

export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
