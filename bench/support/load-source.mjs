// Bundles exports of the project's own sources and loads them; packages are found from the project's folder.
import { build } from "esbuild";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";

/** `names`: [name, file below src] pairs; gives an object with these names. `plugins`: of the bundler. */
export async function loadSource(names, plugins = []) {
  const folder = mkdtempSync(join(root, ".bench-"));
  const outfile = join(folder, "source.mjs");
  const contents = names
    .map(([name, file]) => `export { ${name} } from "./src/${file}";`)
    .join("\n");
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    target: "node20.19",
    // Node has them: taken for new, such expressions would be compiled anew at every call.
    supported: { "regexp-unicode-property-escapes": true },
    outfile,
    logLevel: "warning",
    plugins,
  });
  const loaded = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true, force: true });
  return loaded;
}
