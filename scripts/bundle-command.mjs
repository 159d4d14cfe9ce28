// The bundle of the command: a few files for each command instead of dozens, and libraries that few runs need in files that are read at their first use.
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build, context } from "esbuild";

const { version, dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
// Loaded from node_modules at run time: large, rarely needed, or with parts that cannot be bundled.
const external = [...Object.keys(optionalDependencies), "@modelcontextprotocol/client", "chokidar"].filter((name) => name in { ...dependencies, ...optionalDependencies });
// A third of what `run` reaches, and a turn without a shell command, a pattern, an edit or a definition of one's own needs none of it.
const lazy = ["diff", "re2js", "unbash", "yaml"];
// A command loads the layer of its row and those above it; a command of no row loads all layers.
const rows = [
  ["completion", "logs", "output", "ps", "stop"],
  ["agents", "aggregate", "clean", "handoff", "hook", "init", "trust", "verify"],
];
const folder = "dist/cli";
// What the entry loads beside every command.
const always = "src/cli/start-command.ts";
const commandFile = (name) => `src/cli/commands/${name}.ts`;

const shared = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  // Names stay as they are: keeping them in a fully minified file is done anew at every start, which takes longer than reading them.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
};

const options = {
  ...shared,
  entryPoints: { retinue: "src/cli/retinue.ts" },
  outdir: folder,
  splitting: true,
  format: "esm",
  chunkNames: "chunks/[name]-[hash]",
  define: { RETINUE_VERSION: JSON.stringify(version) },
  banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  metafile: true,
  external,
};

/** Writes the command to dist/cli, or only plans it; gives esbuild's account of what went where. */
export async function bundleCommand({ write = true } = {}) {
  const plugins = [lazyLibraries, withoutHttp2, await layers()];
  if (write) rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({ ...options, plugins, write });
  if (write) await Promise.all(lazy.map((name) => build({ ...shared, stdin: { contents: `module.exports = require("${name}");`, resolveDir: process.cwd() }, outfile: join(folder, "chunks", `${name}.cjs`), format: "cjs" })));
  if (write) chmodSync(join(folder, "retinue.js"), 0o755);
  return metafile;
}

export async function watchCommand() {
  await bundleCommand();
  const watcher = await context({ ...options, plugins: [lazyLibraries, withoutHttp2, await layers()], logLevel: "info" });
  await watcher.watch();
}

/** In place of the library stand getters of the same names, which `require` its file when one of them is first read. */
const lazyLibraries = {
  name: "lazy-libraries",
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^(${lazy.join("|")})$`) }, ({ path }) => ({ path, namespace: "lazy" }));
    builder.onResolve({ filter: /\.cjs$/, namespace: "lazy" }, ({ path }) => ({ path, external: true }));
    builder.onLoad({ filter: /./, namespace: "lazy" }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== "default" && name !== "module.exports");
      const loader = `let library; const load = () => (library ??= require("./${path}.cjs"));`;
      return { contents: `${loader} for (const name of ${JSON.stringify(names)}) Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });` };
    });
  },
};

/** The providers are asked over HTTP/1.1; undici would load Node's http2 with every start for the case that somebody asks otherwise. */
const withoutHttp2 = {
  name: "without-http2",
  setup(builder) {
    builder.onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({ contents: 'module.exports = () => { throw new Error("HTTP/2 is not part of this bundle"); };' }));
  },
};

/**
 * esbuild makes a file of every set of modules that the same commands reach: 49 files for `run`, a millisecond each. Here every module that `run` needs
 * belongs to the layer of the lightest command that needs it too, and a command imports its layers whole, so that each layer is one file.
 */
async function layers() {
  const { metafile } = await build({ ...options, plugins: [lazyLibraries, withoutHttp2], write: false });
  const graph = readGraph(metafile.inputs);
  const members = layerMembers(graph);
  const depths = entryDepths(graph);
  return {
    name: "layers",
    setup(builder) {
      builder.onResolve({ filter: /^layer:/ }, ({ path }) => ({ path: path.slice("layer:".length), namespace: "layer" }));
      builder.onLoad({ filter: /./, namespace: "layer" }, ({ path }) => ({ contents: members[Number(path)].map((file) => `import "./${file}";`).join("\n"), resolveDir: process.cwd() }));
      builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const depth = depths.get(relative(process.cwd(), path));
        if (depth === undefined) return undefined;
        const imports = members.slice(0, depth + 1).map((_, layer) => `import "layer:${layer}";`);
        return { contents: imports.join("") + readFileSync(path, "utf8"), loader: "ts", resolveDir: dirname(path) };
      });
    },
  };
}

/** What imports what: `static` follows the imports that are loaded together with a file, `closure` also those that it may load later. */
function readGraph(inputs) {
  const reach = (file, follows, seen = new Set()) => {
    if (seen.has(file) || !(file in inputs)) return seen;
    seen.add(file);
    for (const { path, kind } of inputs[file].imports) if (follows(kind)) reach(path, follows, seen);
    return seen;
  };
  const isLazy = (kind) => kind === "dynamic-import";
  const entries = new Set(Object.values(inputs).flatMap(({ imports }) => imports.filter(({ kind, path }) => isLazy(kind) && path.startsWith("src/")).map(({ path }) => path)));
  return { entries: [...entries], together: (file) => reach(file, (kind) => !isLazy(kind)), later: (file) => reach(file, () => true) };
}

/** The modules of each layer: those of `run` that a command of the row needs, and no row before it. */
function layerMembers({ together }) {
  const needed = rows.map((names, row) => new Set([...names.map(commandFile), ...(row === 0 ? [always] : [])].flatMap((file) => [...together(file)])));
  const members = [...rows, []].map(() => []);
  for (const file of new Set([commandFile("run"), always].flatMap((each) => [...together(each)]))) {
    const row = needed.findIndex((files) => files.has(file));
    if (file.startsWith("src/") && file !== commandFile("run")) members[row < 0 ? rows.length : row].push(file);
  }
  return members;
}

/** How many layers come before each module that is loaded by itself: those that everything before it has loaded already. */
function entryDepths({ entries, later }) {
  const depthOf = (name) => [...rows, [name]].findIndex((names) => names.includes(name));
  const commands = entries.filter((file) => dirname(file) === dirname(commandFile("run"))).map((file) => ({ file, depth: depthOf(basename(file, ".ts")), reached: later(file) }));
  const least = (file) => Math.min(file === always ? 0 : rows.length, ...commands.filter(({ reached }) => reached.has(file)).map(({ depth }) => depth));
  return new Map(entries.map((file) => [file, commands.find((command) => command.file === file)?.depth ?? least(file)]));
}
