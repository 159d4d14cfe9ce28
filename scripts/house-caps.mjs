// The caps of the house, counted on formatted code: sizes, names, crumbs.
import { spawnSync } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { Visitor } from "oxc-parser";
import { caps, fileNameRule } from "./floors.mjs";

export const functionNodes = [
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
];
const lineOf = (file, offset) => file.text.slice(0, offset).split("\n").length;
const complaint = (file, text) => `${file}${text}`;

/** Every complaint about the files of one house; `files` are those of check-house. */
export function checkCaps(files) {
  const sources = files.filter((file) => !file.isTest);
  return [
    ...sources.flatMap((file) => [...fileSize(file), ...functions(file), ...expressions(file)]),
    ...sources.flatMap((file) => namedAfter(file)),
    ...folders(sources),
    ...declaredTwice(sources),
    ...crumbs(sources),
  ];
}

function fileSize(file) {
  const lines = file.text.split("\n");
  const count = lines.length - 1;
  const wide = lines.findIndex((line) => line.length > caps.lineWidth);
  return [
    ...(count > caps.fileLines
      ? [complaint(file.name, `: ${count} lines, the cap is ${caps.fileLines}`)]
      : []),
    ...(wide >= 0
      ? [complaint(file.name, `:${wide + 1}: a line over ${caps.lineWidth} columns`)]
      : []),
  ];
}

function functions(file) {
  const found = [];
  const visit = (node) => {
    const length = file.text.slice(node.start, node.end).split("\n").length;
    const at = `:${lineOf(file, node.start)}`;
    if (length > caps.functionLines) {
      const text = `${at}: a function of ${length} lines, the cap is ${caps.functionLines}`;
      found.push(complaint(file.name, text));
    }
    const positional = node.params.filter(
      (param) =>
        param.type !== "RestElement" && !(param.type === "Identifier" && param.name === "this"),
    ).length;
    if (positional > caps.parameters) {
      const text = `${at}: ${positional} positional parameters, the cap is ${caps.parameters}`;
      found.push(complaint(file.name, text));
    }
  };
  new Visitor(Object.fromEntries(functionNodes.map((type) => [type, visit]))).visit(file.program);
  return found;
}

function expressions(file) {
  const found = [];
  new Visitor({
    Literal: (node) => {
      if (node.regex && node.regex.pattern.length > caps.expressionLength) {
        const text = `:${lineOf(file, node.start)}: a regular expression of ${node.regex.pattern.length} characters, the cap is ${caps.expressionLength}`;
        found.push(complaint(file.name, text));
      }
    },
  }).visit(file.program);
  return found;
}

/** The names that a file declares and exports itself. */
export function ownExports(file) {
  const names = [];
  for (const node of file.program.body) {
    if (node.type !== "ExportNamedDeclaration" || node.source) continue;
    const { declaration } = node;
    if (declaration?.id?.name) names.push(declaration.id.name);
    for (const item of declaration?.declarations ?? []) if (item.id.name) names.push(item.id.name);
    for (const item of node.specifiers ?? []) names.push(item.exported.name ?? item.exported.value);
  }
  return names;
}

const singular = (word) => word.toLowerCase().replace(/(?<=..)e?s$/, "");

/** One of the exports has every word of the file's name in it; a plural counts as its singular. */
function namedAfter(file) {
  if (fileNameRule.exempt.some((pattern) => pattern.test(file.name))) return [];
  const words = basename(file.name, ".ts").split("-").map(singular);
  const names = ownExports(file);
  const fits = (name) => words.every((word) => name.toLowerCase().includes(word));
  if (names.length === 0 || names.some(fits)) return [];
  const shown = names.slice(0, 3).join(", ");
  return [complaint(file.name, `: exports ${shown}, not what it is named after`)];
}

function folders(files) {
  return [...groupBy(files, (file) => dirname(file.name))]
    .filter(([, members]) => members.length > caps.folderFiles)
    .map(([folder, members]) =>
      complaint(folder, `: ${members.length} files, the cap is ${caps.folderFiles}`),
    );
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function declaredTwice(files) {
  const owners = new Map();
  for (const file of files) {
    if (fileNameRule.exempt.some((pattern) => pattern.test(file.name))) continue;
    for (const name of new Set(ownExports(file)))
      owners.set(name, [...(owners.get(name) ?? []), file.name]);
  }
  return [...owners]
    .filter(([, names]) => names.length > 1)
    .flatMap(([name, names]) =>
      names.map((file) =>
        complaint(file, `: ${name} is also exported by ${names.find((other) => other !== file)}`),
      ),
    );
}

/** Which files import each file. */
export function importersOf(files) {
  const importers = new Map();
  for (const file of files) {
    for (const spec of file.imports.filter((item) => item.startsWith("."))) {
      const target = join(dirname(file.name), spec).replaceAll("\\", "/");
      importers.set(target, (importers.get(target) ?? new Set()).add(file.name));
    }
  }
  return importers;
}

/** A file of a few lines that one other file imports belongs into that file; tables and ports may stand alone. */
function crumbs(files) {
  const importers = importersOf(files);
  return files
    .filter(
      (file) =>
        file.text.split("\n").length - 1 < caps.crumbLines &&
        (importers.get(file.name)?.size ?? 0) === 1,
    )
    .filter(
      (file) =>
        !fileNameRule.exempt.some((pattern) => pattern.test(file.name)) && holdsFunctions(file),
    )
    .map((file) =>
      complaint(
        file.name,
        `: under ${caps.crumbLines} lines and imported by ${[...importers.get(file.name)][0]} alone`,
      ),
    );
}

function holdsFunctions(file) {
  let found = false;
  new Visitor(Object.fromEntries(functionNodes.map((type) => [type, () => (found = true)]))).visit(
    file.program,
  );
  return found;
}

/** Cyclomatic complexity, as oxlint counts it: what is over the cap. */
export function checkComplexity(root) {
  const config = join(import.meta.dirname, "complexity.oxlintrc.json");
  const { stdout } = spawnSync("oxlint", ["-c", config, "--format", "json", "src"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: {
      ...process.env,
      PATH: `${join(import.meta.dirname, "../node_modules/.bin")}:${process.env.PATH}`,
    },
  });
  const { diagnostics } = JSON.parse(stdout);
  return diagnostics
    .filter(({ code }) => code === "eslint(complexity)")
    .map(({ filename, message, labels }) =>
      complaint(filename, `:${labels[0]?.span.line ?? 1}: ${message.split(".")[0]}`),
    );
}
