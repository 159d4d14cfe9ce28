// The API reference, made from the sources: every export of an entry file with its sentence, its
// signature and, for functions, a link to an example, in the order and under the headings of the file.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  parseSync,
  type Class,
  type Comment,
  type ExportNamedDeclaration,
  type Program,
} from "oxc-parser";

type Source = { path: string; text: string; program: Program; comments: Comment[] };
type Declaration = NonNullable<ExportNamedDeclaration["declaration"]>;

const sources = new Map<string, Source>();

export function apiReference(entry: string): string {
  const source = parsed(entry);
  const headings = source.comments
    .filter(({ start, type }) => type === "Line" && start > 0)
    .map(({ start, value }) => ({ start, text: `## ${value.trim()}` }));
  const entries = source.program.body.flatMap((node) =>
    node.type === "ExportNamedDeclaration" && node.source
      ? node.specifiers.map(({ local, start }) => ({
          start,
          text: described(nameOf(local), join(dirname(entry), node.source!.value)),
        }))
      : [],
  );
  return [...headings, ...entries]
    .sort((a, b) => a.start - b.start)
    .map(({ text }) => text)
    .join("\n\n");
}

function parsed(path: string): Source {
  const known = sources.get(path);
  if (known) return known;
  const text = readFileSync(path, "utf8");
  const { program, comments, errors } = parseSync(basename(path), text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const source = { path, text, program, comments };
  sources.set(path, source);
  return source;
}

const nameOf = (node: { type: string; name?: string; value?: unknown }): string =>
  node.name ?? String(node.value);

function described(name: string, path: string): string {
  const source = parsed(path);
  for (const node of source.program.body) {
    if (node.type !== "ExportNamedDeclaration") continue;
    const from = node.specifiers.find(({ exported }) => nameOf(exported) === name);
    if (from && node.source)
      return described(nameOf(from.local), join(dirname(path), node.source.value));
    if (node.declaration && namesOf(node.declaration).includes(name)) {
      const isValue = node.declaration.type !== "TSTypeAliasDeclaration";
      return [
        `### \`${name}\``,
        "",
        ...commentBefore(node.start, source),
        ...(isValue ? [exampleOf(name), ""] : []),
        "```ts",
        signature(node.declaration, { name, source }),
        "```",
      ].join("\n");
    }
  }
  throw new Error(`${path} does not export ${name}`);
}

/** A program that the tests run and that uses the name: of the examples, else of a page. */
function exampleOf(name: string): string {
  const uses = (text: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const example = readdirSync("examples")
    .filter((file) => /^\d\d-/.test(file))
    .find((file) => uses(parsed(join("examples", file)).text));
  if (example) return `Example: [${example}](../examples/${example}).`;
  const page = readdirSync("docs").find(
    (file) =>
      file.endsWith(".md") &&
      file !== "api.md" &&
      [...readFileSync(join("docs", file), "utf8").matchAll(/^```ts\n(.*?)^```/gms)].some(
        ([, code]) => uses(code ?? ""),
      ),
  );
  return page ? `Example: [${page}](${page}).` : "Example: none.";
}

function namesOf(declaration: Declaration): string[] {
  if (declaration.type === "VariableDeclaration")
    return declaration.declarations.map(({ id }) => ("name" in id ? id.name : ""));
  return "id" in declaration && declaration.id && "name" in declaration.id
    ? [declaration.id.name]
    : [];
}

function commentBefore(start: number, { comments, text }: Source): string[] {
  const comment = comments.find(
    ({ end, type }) => type === "Block" && end < start && text.slice(end, start).trim() === "",
  );
  return comment
    ? [
        comment.value
          .replace(/^\*/, "")
          .split("\n")
          .map((line) => line.replace(/^\s*\* ?/, "").trim())
          .join(" ")
          .trim(),
        "",
      ]
    : [];
}

function signature(
  declaration: Declaration,
  { name, source }: { name: string; source: Source },
): string {
  const { text } = source;
  if (declaration.type === "FunctionDeclaration" && declaration.body)
    return text.slice(declaration.start, declaration.body.start).trim();
  if (declaration.type === "ClassDeclaration") return classShape(declaration, text);
  if (declaration.type !== "VariableDeclaration")
    return text.slice(declaration.start, declaration.end);
  const { id, init } = declaration.declarations.find(
    (each) => "name" in each.id && each.id.name === name,
  )!;
  if (init?.type === "ArrowFunctionExpression")
    return `const ${name}: ${text
      .slice(init.start, init.body.start)
      .replace(/=>\s*$/, "")
      .trim()}`;
  return `const ${text.slice(id.start, id.end)}${init && !("typeAnnotation" in id && id.typeAnnotation) && text.slice(init.start, init.end).length < 120 ? ` = ${text.slice(init.start, init.end)}` : ""}`;
}

/** Public members without their bodies. */
function classShape(declaration: Class, text: string): string {
  const members = declaration.body.body.flatMap((member) => {
    if (!("key" in member) || member.key.type === "PrivateIdentifier") return [];
    const body = member.type === "MethodDefinition" ? member.value.body : null;
    return [`  ${text.slice(member.start, body ? body.start : member.end).trim()}`];
  });
  return [text.slice(declaration.start, declaration.body.start) + "{", ...members, "}"].join("\n");
}
