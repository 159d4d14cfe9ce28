// The lock file holds what every system needs: otherwise `npm ci` refuses it, and a Mac installs no linter.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

/** Optional packages that one asks for and the lock does not have, wherever npm would look for them. */
function missingFrom({ packages }) {
  const missing = [];
  for (const [place, { optionalDependencies = {} }] of Object.entries(packages))
    for (const name of Object.keys(optionalDependencies)) {
      const folders = place.split("/node_modules/").map((_, at, parts) => parts.slice(0, at + 1));
      const places = [
        `node_modules/${name}`,
        ...folders.map((parts) => `${parts.join("/node_modules/")}/node_modules/${name}`),
      ];
      if (!places.some((one) => one in packages)) missing.push(`${place}: ${name}`);
    }
  return missing;
}

test("names the binaries of every system", () => {
  for (const lock of ["../package-lock.json", "../bench/package-lock.json"])
    expect(missingFrom(read(lock))).toEqual([]);
});

test("tells which binaries a lock lacks", () => {
  const lock = {
    packages: {
      "": {},
      "node_modules/a": { optionalDependencies: { "a-linux": "1", "a-mac": "1" } },
      "node_modules/a-linux": {},
      "node_modules/b/node_modules/a": { optionalDependencies: { "a-mac": "2" } },
      "node_modules/b/node_modules/a-mac": {},
    },
  };
  expect(missingFrom(lock)).toEqual(["node_modules/a: a-mac"]);
});
