// The bundle of the library: a few files instead of hundreds, and packages that few programs need are read at their first use.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const { version, dependencies, optionalDependencies } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
/** Small, and needed by every program: they are part of the bundle. */
const inside = ["zod", "tokenx", "eventsource-parser"];
/** In their place stand getters of the same names. */
const lazy = ["diff", "ipaddr.js", "re2js", "unbash", "yaml"];

const entryPoints = {
  "app/index": "src/app/index.ts",
  "testing/index": "src/testing/index.ts",
  "restate/index": "src/restate/index.ts",
};

/** Writes the files that package.json names, and what they share to its folder chunks; gives esbuild's account of it. */
export async function bundleLibrary({ write = true, folder = "dist" } = {}) {
  const { metafile } = await build({
    entryPoints,
    write,
    outdir: folder,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // Node has them: taken for new, such expressions would be compiled anew at every call.
    supported: { "regexp-unicode-property-escapes": true },
    minifyWhitespace: true,
    minifySyntax: true,
    // Node shows the line that throws: it has to be one that a person can read past.
    lineLimit: 160,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    define: { RETINUE_VERSION: JSON.stringify(version) },
    external: Object.keys({ ...dependencies, ...optionalDependencies }).filter(
      (name) => !inside.includes(name) && !lazy.includes(name),
    ),
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    plugins: [lazyPackages],
  });
  return metafile;
}

/** Getters of the same names, which `require` the package when one of them is first read. */
const lazyPackages = {
  name: "lazy-packages",
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^(${lazy.join("|")})$`) }, ({ path, namespace }) =>
      namespace === "lazy" ? { path, external: true } : { path, namespace: "lazy" },
    );
    builder.onLoad({ filter: /./, namespace: "lazy" }, async ({ path }) => {
      const { default: whole, ...parts } = await import(path);
      const names = Object.keys({ ...whole, ...parts }).filter((name) => name !== "module.exports");
      const loader = `let library; const load = () => (library ??= require("${path}"));`;
      return {
        contents: `${loader} for (const name of ${JSON.stringify(names)}) Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });`,
      };
    });
  },
};
