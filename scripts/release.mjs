// `node scripts/release.mjs X.Y.Z`: version, changelog, commit and tag. `--dry-run` also packs and asks npm what it would publish, and writes nothing.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const run = (command, args, options = {}) =>
  execFileSync(command, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });

/** The changelog with its unreleased part under the new version; refuses where there is nothing to release. */
export function releasedChangelog(text, version, date) {
  const heading = /^## (?:Unreleased|(\d+\.\d+\.\d+) \(unreleased\))$/im.exec(text);
  if (!heading) {
    throw new Error(
      'CHANGELOG.md has no part headed "## Unreleased" or "## X.Y.Z (unreleased)": write there what changes for users',
    );
  }
  const rest = text.slice(heading.index + heading[0].length);
  const body = rest.slice(0, rest.search(/^## /m) < 0 ? undefined : rest.search(/^## /m)).trim();
  if (body === "") throw new Error(`CHANGELOG.md says nothing under "${heading[0]}"`);
  return text.replace(heading[0], `## ${version} (${date})`);
}

/** Whether `next` is a version above `now`. */
export function isNewer(next, now) {
  const parts = [next, now].map((version) =>
    /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number),
  );
  if (!parts[0]) throw new Error(`"${next}" is no version; expected three numbers such as 0.2.0`);
  const difference = parts[0]
    .map((part, index) => part - parts[1][index])
    .find((each) => each !== 0);
  return (difference ?? 0) > 0;
}

function release(version, dryRun) {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  const first = run("git", ["tag", "--list", "v*"]).trim() === "";
  if (!isNewer(version, manifest.version) && !(first && version === manifest.version))
    throw new Error(`${version} is not above ${manifest.version}, the version of package.json`);
  const dirty = run("git", ["status", "--porcelain"]).trim();
  if (dirty !== "") throw new Error(`commit or remove these first:\n${dirty}`);
  const released = releasedChangelog(changelog, version, new Date().toISOString().slice(0, 10));
  if (dryRun) {
    const told = JSON.parse(run("npm", ["publish", "--provenance", "--dry-run", "--json"]));
    const packed = told.files ? told : Object.values(told)[0];
    console.log(
      `would release ${version}: ${packed.files.length} files, ${packed.unpackedSize} bytes; nothing was written`,
    );
    return;
  }
  writeFileSync("CHANGELOG.md", released);
  if (version !== manifest.version) run("npm", ["version", version, "--no-git-tag-version"]);
  run("git", ["commit", "-am", `Release ${version}`]);
  run("git", ["tag", "-a", `v${version}`, "-m", `Release ${version}`]);
  console.log(`made the commit and the tag v${version}; push both: git push --follow-tags`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const version = process.argv.slice(2).find((word) => !word.startsWith("-"));
  try {
    if (!version) throw new Error("give the version: node scripts/release.mjs X.Y.Z [--dry-run]");
    release(version, process.argv.includes("--dry-run"));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
