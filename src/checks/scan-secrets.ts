// The security check of a project without one: looks for secrets in the files that git would commit.
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findSecrets } from "../base/secret-scan.ts";
import type { CheckOutcome } from "./run-check.ts";

const maxFiles = 20_000;
const maxFileBytes = 1024 * 1024;
const maxFindings = 20;

/** Names kind and place, never the value. */
export async function scanSecrets(root: string): Promise<CheckOutcome> {
  const files = (await trackedFiles(root)).slice(0, maxFiles);
  const errors: string[] = [];
  for (const file of files) {
    const text = readSmall(join(root, file));
    if (text === undefined) continue;
    for (const { kind, start } of findSecrets(text)) {
      if (errors.length < maxFindings) errors.push(`${file}:${text.slice(0, start).split("\n").length}: ${kind}`);
    }
  }
  return { passed: errors.length === 0, reason: `no security script: ${files.length} files were searched for secrets`, errors };
}

function trackedFiles(root: string): Promise<string[]> {
  return new Promise((done) => {
    execFile("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => done(error ? [] : stdout.split("\0").filter(Boolean)));
  });
}

function readSmall(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    const bytes = size <= maxFileBytes ? readFileSync(path) : undefined;
    return bytes?.includes(0) ? undefined : bytes?.toString("utf8");
  } catch {
    return undefined;
  }
}
