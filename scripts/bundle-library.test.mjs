import { expect, test } from "vitest";
import { bundleLibrary } from "./bundle-library.mjs";

test("an import of the library reads a few files and none of the packages that are needed later", async () => {
  const { outputs } = await bundleLibrary({ write: false });
  const read = new Set();
  const packages = new Set();
  const follow = (file) => {
    if (read.has(file)) return;
    read.add(file);
    for (const { path, kind, external } of outputs[file].imports) {
      if (external && kind === "import-statement" && !path.startsWith("node:")) packages.add(path);
      if (!external && kind === "import-statement") follow(path);
    }
  };
  follow("dist/app/index.js");
  expect([...packages]).toEqual([]);
  expect(read.size).toBeLessThan(40);
});
