// What a parser says about the sources of an installed package: its functions, calls, imports and comments. Facts
// for statements whose truth the code under test had no part in.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "oxc-parser";

const isSource = (name) => /\.[cm]?[jt]s$/.test(name) && !/\.min\.|\.d\.[cm]?ts$/.test(name);

/** {root, files: {path: text}, parsed: [{path, text, functions, classes, imports, calls, names}]} */
export function readPackage(root) {
  const files = {};
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== "node_modules" && entry.name !== ".git") walk(full);
      } else if (/\.(?:[cm]?[jt]s|json|md)$/.test(entry.name) && statSync(full).size < 200_000)
        files[relative(root, full)] = readFileSync(full, "utf8");
    }
  };
  walk(root);
  const parsed = Object.entries(files)
    .filter(([path, text]) => isSource(path) && !/[^\n]{1000}/.test(text))
    .flatMap(([path, text]) => factsOf(path, text) ?? []);
  return { root, files, parsed };
}

function factsOf(path, text) {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) return undefined;
  const facts = {
    path,
    text,
    functions: [],
    classes: [],
    imports: [],
    calls: [],
    names: new Map(),
  };
  const described = (at) => {
    const before = comments.findLast(({ end }) => end <= at);
    return (
      before !== undefined &&
      /^\s*$/.test(text.slice(before.end, at)) &&
      !/\n\s*\n/.test(text.slice(before.end, at))
    );
  };
  visit(program, [], (node, parents) => collect(node, parents, { facts, described, program }));
  return facts;
}

function collect(node, parents, { facts, described, program }) {
  const parent = parents.at(-1);
  const statement = parents.find((one) => parents[0] === program && one !== program) ?? node;
  const isTop =
    parents.filter(({ type }) => /Function|ArrowFunction|ClassBody/.test(type)).length === 0;
  const isExported = parents.some(({ type }) => /^Export/.test(type));
  const add = (name) =>
    facts.functions.push({
      name,
      isTop,
      isExported,
      isDescribed: described(statement.start),
      line: facts.text.slice(0, node.start).split("\n").length,
      end: facts.text.slice(0, node.end).split("\n").length,
    });
  if (node.type === "FunctionDeclaration" && node.id) add(node.id.name);
  if (
    node.type === "VariableDeclarator" &&
    node.id.type === "Identifier" &&
    /Function/.test(node.init?.type ?? "")
  )
    add(node.id.name);
  if (node.type === "ClassDeclaration") facts.classes.push(node.id?.name);
  if (/^(?:Import|ExportNamed|ExportAll)Declaration$/.test(node.type) && node.source)
    facts.imports.push(node.source.value);
  if (node.type === "CallExpression") {
    const callee = node.callee.type === "MemberExpression" ? node.callee.property : node.callee;
    if (callee.name === "require" && node.arguments[0]?.type === "Literal")
      facts.imports.push(node.arguments[0].value);
    else if (callee.type === "Identifier") facts.calls.push(callee.name);
  }
  if (node.type === "Identifier" && parent)
    facts.names.set(node.name, (facts.names.get(node.name) ?? 0) + 1);
}

function visit(node, parents, meet) {
  if (Array.isArray(node)) return node.forEach((one) => visit(one, parents, meet));
  if (node === null || typeof node !== "object" || typeof node.type !== "string") return undefined;
  meet(node, parents);
  for (const value of Object.values(node))
    if (typeof value === "object") visit(value, [...parents, node], meet);
  return undefined;
}
