// Fails when the code leaves the house plan: imports going up or sideways, impure pure rooms, cycles, files or functions over the caps.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { checkCaps, checkComplexity } from "./house-caps.mjs";
import { floorOf, pureRooms, sidewaysAllowed, testingRoom } from "./floors.mjs";

const impureGlobals =
  /\b(?:Date\.now|Math\.random|new Date(?:\(\)|(?!\w|\())|performance\.now|process\.(?!\w*Error)|setTimeout|setInterval|setImmediate|crypto\.(?:randomUUID|getRandomValues))/;

/** Checks every TypeScript file below `root/src`; returns the complaints, empty when the house stands. */
export function checkHouse(root, { complexity = false } = {}) {
  const files = readHouse(root);
  const complaints = files.flatMap((file) => [
    ...checkImports(file),
    ...checkPurity(file),
    ...checkStart(file),
  ]);
  const counted = [...checkCaps(files), ...(complexity ? checkComplexity(root) : [])];
  return [...complaints, ...counted, ...checkCycles(files)];
}

/** This project's own house. */
export const checkThisHouse = (root) => checkHouse(root, { complexity: true });

/** Every TypeScript file below `root/src`, parsed. */
export const readHouse = (root) =>
  sourceFiles(join(root, "src")).map((path) => readSource(root, path));

function sourceFiles(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function readSource(root, path) {
  const text = readFileSync(path, "utf8");
  const name = relative(root, path).split(sep).join("/");
  const parsed = parseSync(path, text);
  const imports = [
    ...parsed.module.staticImports.map((item) => item.moduleRequest.value),
    ...parsed.module.staticExports.flatMap((item) =>
      item.entries.map((entry) => entry.moduleRequest?.value),
    ),
    ...parsed.module.dynamicImports.map((item) =>
      text.slice(item.moduleRequest.start + 1, item.moduleRequest.end - 1),
    ),
    ...importTypes(parsed.program),
  ].filter((value) => value !== undefined);
  return {
    root,
    path,
    name,
    text,
    program: parsed.program,
    imports: [...new Set(imports)],
    room: roomOf(name),
    isTest: name.endsWith(".test.ts"),
  };
}

/** `import("../x.ts").X` as a type is an import like others. */
function importTypes(program) {
  const found = [];
  new Visitor({
    TSImportType: (node) => void found.push(node.source?.value ?? node.argument?.literal?.value),
  }).visit(program);
  return found;
}

function roomOf(name) {
  return name.split("/")[1];
}

function localTargets(file) {
  return file.imports
    .filter((spec) => spec.startsWith("."))
    .map((spec) =>
      relative(file.root, resolve(dirname(file.path), spec))
        .split(sep)
        .join("/"),
    );
}

function checkImports(file) {
  if (file.room !== testingRoom.name && floorOf(file.room) < 0)
    return [`${file.name}: the room "${file.room}" is not in scripts/floors.mjs`];
  return localTargets(file)
    .filter((target) => target.startsWith("src/"))
    .map((target) => ({ target, reason: refusal(file, roomOf(target)) }))
    .filter(({ reason }) => reason)
    .map(({ target, reason }) => `${file.name}: imports ${target}: ${reason}`);
}

function refusal(file, room) {
  if (room === file.room) return undefined;
  if (room === testingRoom.name) {
    return testingRoom.importers.some((pattern) => pattern.test(file.name))
      ? undefined
      : "testing is for tests and the demo only";
  }
  const to = floorOf(room);
  if (to < 0) return `the room "${room}" is not in scripts/floors.mjs`;
  if (file.room === testingRoom.name)
    return to <= testingRoom.highestFloor || file.isTest
      ? undefined
      : `testing sees floors 0-${testingRoom.highestFloor} only`;
  const from = floorOf(file.room);
  if (to > from) return "an import never goes up";
  if (to === from && !sidewaysAllowed.has(`${file.room}>${room}`))
    return "an import never goes sideways";
  return undefined;
}

function checkPurity(file) {
  if (!pureRooms.has(file.room) || file.isTest) return [];
  const complaints = file.imports
    .filter((spec) => isBuiltin(spec))
    .map((spec) => `${file.name}: a pure room imports ${spec}`);
  const code = withoutCommentsAndStrings(file);
  const impure = impureGlobals.exec(code);
  return impure ? [...complaints, `${file.name}: a pure room uses ${impure[0]}`] : complaints;
}

/** One of these in the path of every command costs more than the command: the bundle then carries zod's forty languages, or Node loads its locales. */
function checkStart(file) {
  if (file.isTest) return [];
  const complaints = /^import \{ z \} from "zod"/m.test(file.text)
    ? [
        `${file.name}: write \`import * as z from "zod"\`, which leaves out of the bundle what is not used`,
      ]
    : [];
  return /\.toLocaleString\(/.test(withoutCommentsAndStrings(file))
    ? [...complaints, `${file.name}: use base/grouped instead of toLocaleString`]
    : complaints;
}

function withoutCommentsAndStrings(file) {
  return file.text.replace(
    /\/\*[\s\S]*?\*\/|\/\/.*$|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gm,
    "",
  );
}

function checkCycles(files) {
  const graph = new Map(files.map((file) => [file.name, localTargets(file)]));
  const done = new Set();
  const cycles = [];
  const walk = (name, trail) => {
    const at = trail.indexOf(name);
    if (at >= 0)
      return void cycles.push(`import cycle: ${[...trail.slice(at), name].join(" -> ")}`);
    if (done.has(name)) return;
    for (const next of graph.get(name) ?? []) walk(next, [...trail, name]);
    done.add(name);
  };
  for (const name of graph.keys()) walk(name, []);
  return cycles;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const complaints = checkThisHouse(process.cwd());
  for (const complaint of complaints) console.error(complaint);
  console.log(complaints.length ? `${complaints.length} complaints` : "the house stands");
  process.exitCode = complaints.length ? 1 : 0;
}
