// The security check of a project without one: looks for secrets in what a run changed; where the
// state before it is not known, in the files that git would commit, or in all of them without git.
import { limits } from "../base/limits.ts";
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { findSecrets } from "../base/secrets/find-secrets.ts";
import { ownGitEnvironment } from "../process/git/own-git.ts";
import type { BeforeState } from "./before-state.ts";
import type { CheckOutcome } from "./run-check.ts";

const made =
  /(?:^|\/)(?:node_modules|\.git|\.venv|venv|dist|build|target|vendor|coverage|__pycache__)(?:\/|$)/;
/**
 * What stands in tests and fixtures is made up more often than not: it is named, and does not fail
 * the check.
 */
const testData = new RegExp(
  "(?:^|/)(?:tests?|__tests__|specs?|fixtures?|testdata|test-data|__fixtures__)/|" +
    "[._-](?:test|spec)\\.\\w+$|(?:^|/)test_[^/]*\\.py$",
  "i",
);
/** The marks by which other scanners are told that a line is all right. */
const allowed = /gitleaks:allow|pragma:\s*allowlist\s+secret|nosecret/i;

/** Names kind and place, never the value. */
export async function scanSecrets(root: string, before?: BeforeState): Promise<CheckOutcome> {
  const changed = before?.changedFiles();
  const files = (changed ?? (await trackedFiles(root)) ?? walkedFiles(root)).slice(
    0,
    limits.checks.secretFiles,
  );
  const textBefore = (file: string): string =>
    changed === undefined ? "" : (before?.textOf(file) ?? "");
  const found = files.flatMap((file) => secretsIn(root, file, textBefore(file)));
  const errors = found.filter(({ file }) => !testData.test(file)).map(({ place }) => place);
  const passedOver = found.length - errors.length;
  const note =
    passedOver > 0
      ? `; ${passedOver} ${passedOver === 1 ? "place" : "places"} in tests and fixtures ` +
        `passed over, the first is ${found.find(({ file }) => testData.test(file))!.place}`
      : "";
  const what = `${changed ? "changed " : ""}${files.length === 1 ? "file was" : "files were"}`;
  return {
    passed: errors.length === 0,
    reason: `no security script: ${files.length} ${what} searched for secrets${note}`,
    errors: errors.slice(0, limits.checks.errors),
  };
}

/** What stood in the file before is not this run's. */
function secretsIn(root: string, file: string, was: string): { file: string; place: string }[] {
  const text = readSmall(join(root, file));
  if (text === undefined) return [];
  return findSecrets(text).flatMap(({ kind, start, end: stop }) => {
    if (was.includes(text.slice(start, stop))) return [];
    if (kind === "secret" && isType(text, start, stop)) return [];
    const end = text.indexOf("\n", start);
    const line = text.slice(text.lastIndexOf("\n", start) + 1, end < 0 ? undefined : end);
    return allowed.test(line)
      ? []
      : [{ file, place: `${file}:${text.slice(0, start).split("\n").length}: ${kind}` }];
  });
}

/**
 * `secret: Uint8Array` declares a type: a bare name behind a colon that is made of words. What
 * chance made has hardly four letters of one word in a row, and what is assigned is a value.
 */
function isType(text: string, start: number, end: number): boolean {
  const name = text.slice(start, end);
  if (!/^[A-Z][A-Za-z\d]*$/.test(name) || !/:\s*$/.test(text.slice(start - 8, start))) return false;
  const words = name.match(/[A-Z]?[a-z]+/g) ?? [];
  const ofWords = words.filter((word) => word.length >= 4).join("").length;
  return ofWords / name.length >= 0.7;
}

/** Undefined where there is no git. */
function trackedFiles(root: string): Promise<string[] | undefined> {
  return new Promise((done) => {
    execFile(
      "git",
      ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
      { cwd: root, env: ownGitEnvironment(root), maxBuffer: 64 * 1024 * 1024 },
      (error, stdout) => done(error ? undefined : stdout.split("\0").filter(Boolean)),
    );
  });
}

function walkedFiles(root: string): string[] {
  const found: string[] = [];
  const folders = [""];
  for (
    let folder = folders.pop();
    folder !== undefined && found.length < limits.checks.secretFiles;
    folder = folders.pop()
  ) {
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (made.test(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found.sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readSmall(path: string): string | undefined {
  try {
    const facts = statSync(path);
    const bytes =
      facts.isFile() && facts.size <= limits.checks.secretFileBytes
        ? readFileSync(path)
        : undefined;
    return bytes?.includes(0) ? undefined : bytes?.toString("utf8");
  } catch {
    return undefined;
  }
}
