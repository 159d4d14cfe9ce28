// What a piece of inline code is: the name of one thing, a piece of code, or neither.

/** Keywords, types and literals seldom name one thing. */
const everyday = new Set(
  (
    "true false null undefined none nil this self super void int string number boolean bool any object array " +
    "const let var " +
    "function class def return if else for while do async await import export from public private protected " +
    "static new try " +
    "catch throw yield case switch default break continue in of is not and or struct fn func end " +
    "then begin with as yes no ok " +
    "main test todo id name type value data error result key index file path line code str dict " +
    "list map set float double " +
    "unknown never enum interface module package use pub mod impl trait match some ok err " +
    "option vec print len range utf8 foo bar baz"
  ).split(" "),
);

const keyword =
  "new|async|await|function|class|def|fn|func|struct|interface|enum|type|sub|const|impl|trait";
const leadWord = String.raw`(?:(?:${keyword})\s|[&*$@#.]|--|\(\*?(?=[\w$]+\)\.))?`;
const owner = String.raw`(?:[\w$\u00c0-\u1fff\u3040-\ud7ff]+(?:-[\w$]+)*\)?(?:\.|::|->|#|\?\.))*`;
const ownName = String.raw`~?[\w$\u00c0-\u1fff\u3040-\ud7ff]+(?:-[\w$]+)*[!?]?`;
const behindName = String.raw`(<[^<>\s]{0,80}>)?(\([^()\x60]{0,200}\)|\[\])?(\/\d)?`;
const nameForm = new RegExp(`^${leadWord}(${owner}${ownName})${behindName}$`);

type CodeName = { name: string; isEveryday: boolean; hasArguments: boolean };

/** The name in a code span that names one thing (`a.b`, `A::b()`, `foo(x)`). */
export function codeName(written: string): CodeName | undefined {
  const match = nameForm.exec(written.trim());
  const name = match?.[1]!.replaceAll(")", "");
  if (!match || !name || name.length < 2 || name.length > 160) return undefined;
  if (/^\d/.test(name) || /^(?=.*\d)[\da-f]{7,40}$/.test(name)) return undefined;
  const isCall = match[3] !== undefined;
  return {
    name,
    isEveryday: match[2] !== undefined || (!isCall && isEverydayName(name)),
    hasArguments: isCall && /[\w"']/.test(match[3]!),
  };
}

/** `file::name`: every part of it is such a word. */
const isEverydayName = (name: string): boolean =>
  name
    .toLowerCase()
    .split(/\.|::|->|#|\?\./)
    .every((part) => everyday.has(part));

/** The last part of a qualified name. */
export function lastPart(name: string): string {
  if (!/[.:>#?!~]/.test(name)) return name;
  const parts = name.split(/\.|::|->|#|\?\./);
  return parts.at(-1)!.replace(/[!?~]/g, "") || name;
}

const programs =
  "npm npx yarn pnpm bun git pip pip3 python python3 node cargo go make cd curl docker kubectl brew apt apt-get sudo " +
  "bash sh rg grep pytest vitest jest mix uv ls cat find sed";
const command = new RegExp(`^(?:${programs.replaceAll(" ", "|")})\\s`);

/** Whether a code span holds code to compare: more than one word, or an operator, and no command. */
export function isCode(text: string): boolean {
  const code = text.trim();
  if (code.length < 3 || !/[\w\u00c0-\u1fff\u3040-\ud7ff]/.test(code) || command.test(code))
    return false;
  if (
    /^[:#L\d.,%\s–-]+$/.test(code) ||
    /^[\w.@~<>*{}$:[\]-]*(?:\/[\w.@~<>*{}$:[\]-]*)+$/.test(code)
  )
    return false;
  // A pattern of names.
  if (/^[\w.:/-]*\*[\w.:/*-]*$/.test(code)) return false;
  if (/^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+\//.test(code)) return false;
  return !/^--?[a-z][\w-]*(?:[= ]\S+)?$/.test(code);
}

/** Code that nobody writes as a mere phrase. */
export const isStrongCode = (text: string): boolean =>
  text.trim().length >= 8 && /[;{}=]|[\w>\]]\(|=>|->|::|\w\.\w/.test(text);

/** A word that is code by its looks: camelCase, snake_case, a call. */
export const isCodeShaped = (word: string): boolean =>
  /[a-z\d][A-Z]|\w_\w|[A-Z]{2,}[a-z]|\(\)$|::|^[a-z_]\w*\.\w+\(/.test(word);
