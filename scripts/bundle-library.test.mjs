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
  // What several machines need is read by those who import `retinue/restate`, or set the executor.
  const modules = [...read].flatMap((file) => Object.keys(outputs[file].inputs));
  expect(modules.length).toBeGreaterThan(100);
  expect(modules.filter((file) => /^src\/(?:restate|app\/worker)\/|restatedev/.test(file))).toEqual(
    [],
  );
  expect(read.size).toBeLessThan(50);
});
