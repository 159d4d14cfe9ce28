// The bundle of the command: a few files for each command instead of dozens, and libraries that few runs need in files that are read at their first use.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build, context, transform } from "esbuild";
import { parseSync } from "oxc-parser";

const { version, dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
// Loaded from node_modules at run time: large, rarely needed, or with parts that cannot be bundled.
const external = [...Object.keys(optionalDependencies), "@modelcontextprotocol/client", "chokidar"]
  .filter((name) => name in { ...dependencies, ...optionalDependencies })
  .concat(Object.keys(peerDependencies));
// A third of what `run` reaches, and a turn without a shell command, a pattern, an edit or a definition of one's own needs none of it.
const lazy = ["diff", "ipaddr.js", "re2js", "unbash", "yaml"];
// What reads and judges commands of a shell: half of the code that decides about calls, and a run that calls no command needs none of it.
const shellRooms = /^src\/permissions\/(?:bash|plain|shell)\//;
const shellFile = "shell-rooms";
// A command loads the layer of its row and those above it; a command of no row loads all layers.
const rows = [
  ["completion", "logs", "output", "ps", "stop"],
  ["agents", "aggregate", "clean", "handoff", "hook", "init", "trust", "verify"],
];
const usualFolder = "dist/cli";
const entry = "src/cli/retinue.ts";
// Reads the files of the bundle with the compiled code of an earlier start.
const loader = "src/cli/load-chunk.ts";
// What the entry loads beside every command.
const always = "src/cli/start-command.ts";
const commandFiles = readdirSync("src/cli/commands", { recursive: true });
/** Commands stand in folders by subject; their names are unique. */
export const commandFile = (name) =>
  `src/cli/commands/${commandFiles.find((file) => file === `${name}.ts` || file.endsWith(`/${name}.ts`))}`;

const shared = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  // Node has them: taken for new, such expressions would be compiled anew at every call.
  supported: { "regexp-unicode-property-escapes": true },
  // Names stay as they are: keeping them in a fully minified file is done anew at every start, which takes longer than reading them.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
};

const { bundle: _, ...scriptOptions } = shared;
const options = {
  ...shared,
  format: "esm",
  define: { RETINUE_VERSION: JSON.stringify(version) },
  metafile: true,
  external,
};
const libraries = () => [lazyLibraries, lightUndici, lazyShell];

/** Writes the command, or only plans it; gives esbuild's account of what went where. */
export async function bundleCommand({ write = true, folder = usualFolder } = {}) {
  const { graph, parts } = await plan(folder);
  if (write) rmSync(folder, { recursive: true, force: true });
  const built = await Promise.all([
    build({ ...entryOptions(graph, folder), write }),
    build({ ...parts, plugins: [...parts.plugins, ...(write ? [chunkFormat(folder)] : [])] }),
  ]);
  if (write) {
    const rooms = [...shellEntries].map((file) => `"${file}": require("./${file}")`).join(",");
    const late = { [shellFile]: `module.exports = { ${rooms} };` };
    for (const name of lazy) late[name] = `module.exports = require("${name}");`;
    await Promise.all(
      Object.entries(late).map(([name, contents]) =>
        build({
          ...shared,
          stdin: { contents, resolveDir: process.cwd() },
          outfile: join(folder, "chunks", `${name}.cjs`),
          format: "cjs",
          ...(name === shellFile ? { plugins: [lazyLibraries] } : {}),
        }),
      ),
    );
  }
  if (write) chmodSync(join(folder, "retinue.js"), 0o755);
  return { outputs: Object.assign({}, ...built.map(({ metafile }) => metafile.outputs)) };
}

export async function watchCommand() {
  await bundleCommand();
  const { graph, parts } = await plan(usualFolder);
  parts.plugins.push(chunkFormat(usualFolder));
  for (const each of [entryOptions(graph, usualFolder), parts])
    await (await context({ ...each, logLevel: "info" })).watch();
}

/** The commands and what they share, as options for esbuild. */
async function plan(folder) {
  const { metafile } = await build({
    ...options,
    entryPoints: [entry],
    outdir: folder,
    plugins: libraries(),
    write: false,
  });
  const graph = readGraph(metafile.inputs);
  return {
    graph,
    parts: {
      ...options,
      entryPoints: graph.commands,
      outdir: join(folder, "chunks"),
      entryNames: "[name]",
      chunkNames: "[name]-[hash]",
      outExtension: { ".js": ".cjs" },
      splitting: true,
      write: false,
      // Named by the loader.
      define: { ...options.define, "import.meta.url": "__url" },
      plugins: [...libraries(), layers(graph)],
    },
  };
}

/** One file by itself, so that `--version` reads nothing else: what it shares with the commands is in it a second time. */
function entryOptions({ commands }, folder) {
  const linked = {
    name: "linked-commands",
    setup(builder) {
      builder.onLoad({ filter: /[\\/]src[\\/]cli[\\/](?:commands|retinue)\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, "utf8").replace(
          /\bimport\("(.+?)"\)/g,
          (whole, target) =>
            commands.includes(relative(process.cwd(), join(dirname(path), target)))
              ? `loadChunk("${basename(target, ".ts")}.cjs")`
              : whole,
        );
        const loading = `import { loadChunk } from "./${basename(loader)}";`;
        return { contents: contents + loading, loader: "ts", resolveDir: dirname(path) };
      });
    },
  };
  return { ...options, entryPoints: [entry], outdir: folder, plugins: [linked] };
}

/**
 * The files are scripts, because V8 gives the compiled code of scripts to programs, and that of modules to Node alone. esbuild splits modules only, so each
 * file becomes a script afterwards. What it imports later it asks of the loader.
 */
function chunkFormat(folder) {
  return {
    name: "chunk-format",
    setup(builder) {
      builder.onEnd(async ({ errors, outputFiles }) => {
        if (errors.length > 0) return;
        const chunks = join(folder, "chunks");
        mkdirSync(chunks, { recursive: true });
        await Promise.all(
          outputFiles.map(async ({ path, text }) => {
            const source = withLoader(text);
            const { code } = await transform(source, { ...scriptOptions, format: "cjs" });
            writeFileSync(join(chunks, basename(path)), code);
          }),
        );
      });
    },
  };
}

/** What is imported later is asked of the loader: a file of the bundle, or a package, which Node imports from the entry. */
function withLoader(text) {
  const { module } = parseSync("chunk.mjs", text);
  return module.dynamicImports
    .toSorted((a, b) => b.start - a.start)
    .reduce((source, { start, moduleRequest }) => {
      const isOwn = /^["'`]\.\//.test(source.slice(moduleRequest.start, moduleRequest.end));
      const rest = source.slice(start).replace(/^import\b/, isOwn ? "__later" : "__import");
      return source.slice(0, start) + rest;
    }, text);
}

/** In place of a library stand getters of the same names, which `require` its file when one of them is first read. */
const lazyLibraries = {
  name: "lazy-libraries",
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^(${lazy.join("|")})$`) }, ({ path }) => ({
      path,
      namespace: "lazy",
    }));
    builder.onResolve({ filter: /\.cjs$/, namespace: "lazy" }, ({ path }) => ({
      path,
      external: true,
    }));
    builder.onLoad({ filter: /./, namespace: "lazy" }, async ({ path }) => {
      const { default: whole, ...parts } = await import(path);
      const names = Object.keys({ ...whole, ...parts }).filter((name) => name !== "module.exports");
      const loader = `let library; const load = () => (library ??= require("./${path}.cjs"));`;
      return {
        contents: `${loader} for (const name of ${JSON.stringify(names)}) Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });`,
      };
    });
  },
};

/** Files of the shell's rooms that others import. */
const shellEntries = new Set();

/**
 * The same for the rooms of the shell: whoever imports one of their files from outside gets getters. What these rooms share with the rest is in their
 * file a second time, which is why nothing in them may depend on being there once.
 */
const lazyShell = {
  name: "lazy-shell",
  setup(builder) {
    builder.onResolve({ filter: /\.ts$/ }, ({ path, importer, resolveDir, kind }) => {
      const file = relative(process.cwd(), join(resolveDir, path));
      if (kind === "entry-point" || !shellRooms.test(file)) return undefined;
      if (shellRooms.test(relative(process.cwd(), importer))) return undefined;
      shellEntries.add(file);
      // Getters of its own for every importer: shared ones would be files of their own.
      return { path: `${file} for ${importer}`, namespace: "lazy-shell" };
    });
    builder.onLoad({ filter: /./, namespace: "lazy-shell" }, (shim) => {
      const [path] = shim.path.split(" for ");
      const source = readFileSync(path, "utf8");
      if (/^export (?:\*|\{)/m.test(source))
        throw new Error(`${path} hands names on: see lazyShell`);
      const names = [
        ...source.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm),
      ];
      const loader = `const load = () => require("./${shellFile}.cjs")["${path}"];`;
      return {
        contents: `${loader} for (const name of ${JSON.stringify(names.map(([, name]) => name))}) Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });`,
        resolveDir: process.cwd(),
      };
    });
    builder.onResolve({ filter: /\.cjs$/, namespace: "lazy-shell" }, ({ path }) => ({
      path,
      external: true,
    }));
  },
};

/** undici without what no run uses: providers are asked over HTTP/1.1, so Node's http2 is not loaded. */
const lightUndici = {
  name: "light-undici",
  setup(builder) {
    builder.onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
      contents: 'module.exports = () => { throw new Error("HTTP/2 is not part of this bundle"); };',
    }));
  },
};

/**
 * esbuild makes a file of every set of modules that the same commands reach: 49 files for `run`, a millisecond each. Here every module that `run` needs
 * belongs to the layer of the lightest command that needs it too, and a command imports its layers whole, so that each layer is one file.
 */
function layers(graph) {
  const members = layerMembers(graph);
  const depths = entryDepths(graph);
  const checking = checkMembers(graph, members);
  const checks = (file) => [...graph.together(file)].some((each) => checking.has(each));
  return {
    name: "layers",
    setup(builder) {
      builder.onResolve({ filter: /^layer:/ }, ({ path }) => ({
        path: path.slice("layer:".length),
        namespace: "layer",
      }));
      builder.onLoad({ filter: /./, namespace: "layer" }, ({ path }) => ({
        contents: (path === "check" ? [...checking] : members[Number(path)])
          .map((file) => `import "./${file}";`)
          .join("\n"),
        resolveDir: process.cwd(),
      }));
      builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const file = relative(process.cwd(), path);
        const depth = depths.get(file);
        if (depth === undefined) return undefined;
        const imports = members.slice(0, depth + 1).map((_, layer) => `import "layer:${layer}";`);
        if (checks(file)) imports.push('import "layer:check";');
        return {
          contents: imports.join("") + readFileSync(path, "utf8"),
          loader: "ts",
          resolveDir: dirname(path),
        };
      });
    },
  };
}

/** What imports what: `together` follows the imports that are loaded with a file, `later` also those that it may load afterwards. */
function readGraph(inputs) {
  const reach = (file, follows, seen = new Set()) => {
    if (seen.has(file) || !(file in inputs)) return seen;
    seen.add(file);
    for (const { path, kind } of inputs[file].imports)
      if (follows(kind)) reach(path, follows, seen);
    return seen;
  };
  const together = (file) => reach(file, (kind) => kind !== "dynamic-import");
  const lazyOf = (files) => [
    ...new Set(
      files.flatMap((file) =>
        inputs[file].imports
          .filter(({ kind, path }) => kind === "dynamic-import" && path.startsWith("src/"))
          .map(({ path }) => path),
      ),
    ),
  ];
  return {
    together,
    later: (file) => reach(file, () => true),
    entries: lazyOf(Object.keys(inputs)),
    commands: lazyOf([...together(entry)]),
  };
}

/** The modules of each layer: those of `run` that a command of the row needs, and no row before it. */
function layerMembers({ together }) {
  const needed = rows.map(
    (names, row) =>
      new Set(
        [...names.map(commandFile), ...(row === 0 ? [always] : [])].flatMap((file) => [
          ...together(file),
        ]),
      ),
  );
  const members = [...rows, []].map(() => []);
  for (const file of new Set([commandFile("run"), always].flatMap((each) => [...together(each)]))) {
    const row = needed.findIndex((files) => files.has(file));
    if (file.startsWith("src/") && file !== commandFile("run"))
      members[row < 0 ? rows.length : row].push(file);
  }
  return members;
}

/** The check of an answer: what a run loads with it beside its own layers, as one file for all that need a part of it. */
function checkMembers({ together }, members) {
  const known = new Set(members.flat());
  const found = [...together("src/manager/run/report-verifier.ts")];
  return new Set(
    found.filter((file) => /^src\/(?:verify|source)\//.test(file) && !known.has(file)),
  );
}

/** How many layers come before each module that is loaded by itself: those that everything before it has loaded already. */
function entryDepths({ entries, commands, later }) {
  const depthOf = (file) => {
    const row = rows.findIndex((names) => names.map(commandFile).includes(file));
    return file === always ? 0 : row < 0 ? rows.length : row;
  };
  const reached = commands.map((file) => ({ depth: depthOf(file), files: later(file) }));
  const least = (file) =>
    Math.min(...reached.filter(({ files }) => files.has(file)).map(({ depth }) => depth));
  return new Map(
    entries.map((file) => [file, commands.includes(file) ? depthOf(file) : least(file)]),
  );
}
