// The real packages that references are made from: pinned, fetched once into a cache below the system's temporary folder.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const cache = join(tmpdir(), "retinue-bench-verify");

/** `only` keeps the part of a package that is source and not build output. */
export const packages = {
  development: [
    { from: "npm", name: "express", version: "4.19.2", older: "4.17.1" },
    { from: "npm", name: "rxjs", version: "7.8.1", older: "7.5.0", only: ["src"] },
    { from: "npm", name: "node-gyp", version: "10.2.0", older: "9.0.0" },
    { from: "npm", name: "cordova-android", version: "13.0.0", older: "11.0.0" },
    { from: "npm", name: "tree-sitter", version: "0.21.1", older: "0.20.0" },
    { from: "npm", name: "bootstrap", version: "5.3.3", older: "5.1.3", only: ["scss", "js/src"] },
    { from: "deb", name: "golang-github-spf13-cobra-dev", version: "1.6.1-1" },
    { from: "deb", name: "librust-anyhow-dev", version: "1.0.69-1" },
    { from: "deb", name: "libmojolicious-perl", version: "9.31+dfsg-1" },
    { from: "deb", name: "ruby-thor", version: "1.2.1-2" },
    { from: "deb", name: "bash-completion", version: "1:2.11-6" },
  ],
  heldOut: [
    { from: "npm", name: "zod", version: "3.25.76", older: "3.25.20", only: ["src"] },
    { from: "npm", name: "lodash", version: "4.17.21", older: "4.17.11" },
    { from: "npm", name: "nan", version: "2.20.0", older: "2.14.0" },
    { from: "npm", name: "react-native-webview", version: "13.12.2", older: "11.26.0" },
    { from: "deb", name: "python3-flask", version: "2.2.2-3" },
    { from: "deb", name: "golang-github-gorilla-mux-dev", version: "1.8.0-1" },
    { from: "deb", name: "librust-regex-dev", version: "1.7.1-1" },
    { from: "deb", name: "libdancer2-perl", version: "0.400001+dfsg-1" },
    { from: "deb", name: "ruby-tilt", version: "2.0.11-2" },
    { from: "deb", name: "php-monolog", version: "2.8.0-1" },
    { from: "deb", name: "debhelper", version: "13.11.4" },
  ],
};

/** The folder of a package, downloaded where it is not there yet; undefined with a word on stderr where that fails. */
export function fetchPackage({ from, name, only }, version) {
  const folder = join(cache, `${name}-${version.replace(/[^\w.+-]/g, "_")}`);
  if (existsSync(folder)) return folder;
  const work = `${folder}.part-${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    if (from === "npm") fetchNpm(work, name, version);
    else fetchDebian(work, name, version);
    for (const part of only ?? ["."])
      cpSync(join(work, "tree", part), join(work, "kept", part), {
        recursive: true,
        verbatimSymlinks: true,
      });
    renameSync(join(work, "kept"), folder);
    return folder;
  } catch (error) {
    console.error(`left out ${name} ${version}: ${String(error.message).split("\n")[0]}`);
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function fetchNpm(work, name, version) {
  execFileSync("npm", ["pack", "--silent", `${name}@${version}`], { cwd: work, stdio: "pipe" });
  const archive = readdirSync(work).find((file) => file.endsWith(".tgz"));
  mkdirSync(join(work, "tree"));
  execFileSync("tar", ["xzf", archive, "-C", "tree", "--strip-components=1"], {
    cwd: work,
    stdio: "pipe",
  });
}

function fetchDebian(work, name, version) {
  try {
    execFileSync("apt-get", ["download", "-qq", `${name}=${version}`], {
      cwd: work,
      stdio: "pipe",
    });
  } catch {
    // A point release replaces the pinned version; the candidate is as real.
    execFileSync("apt-get", ["download", "-qq", name], { cwd: work, stdio: "pipe" });
  }
  const archive = readdirSync(work).find((file) => file.endsWith(".deb"));
  execFileSync("dpkg-deb", ["-x", archive, "tree"], { cwd: work, stdio: "pipe" });
}
