// True facts about a package: a symbol that is defined on a line, a line of code, a block of lines. Own patterns, not those of src/verify.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const languages = {
  js: "js",
  mjs: "js",
  cjs: "js",
  ts: "ts",
  tsx: "ts",
  py: "py",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  go: "go",
  rs: "rust",
  java: "java",
  kt: "kotlin",
  rb: "ruby",
  pl: "perl",
  pm: "perl",
  php: "php",
  sh: "sh",
  bash: "sh",
  scss: "scss",
  css: "css",
  md: "markdown",
};

const definitions = [
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s+([A-Za-z_$][\w$]{2,})/,
  /^\s*(?:export\s+)?(?:abstract\s+|final\s+|public\s+|private\s+|protected\s+|static\s+|open\s+|data\s+)*(?:class|interface|trait|enum|struct)\s+([A-Za-z_][\w]{2,})/,
  /^\s*(?:async\s+)?def\s+(?:self\.)?([A-Za-z_]\w{2,})/,
  /^func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w{2,})/,
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+)?(?:unsafe\s+)?fn\s+([A-Za-z_]\w{2,})/,
  /^\s*(?:export\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]{3,})\s*=/,
  /^\s*sub\s+([A-Za-z_]\w{2,})/,
  /^\s*(?:public|private|protected|static|final|override|abstract)(?:\s+[\w<>[\],?.]+)+\s+([a-zA-Z_]\w{2,})\s*\(/,
  /^\s*(?:public\s+|private\s+|protected\s+|static\s+)*function\s+&?([A-Za-z_]\w{2,})/,
  /^([A-Za-z_]\w{2,})\s*\(\)\s*\{?\s*$/,
  /^\s*#\s*define\s+([A-Za-z_]\w{3,})/,
  /^(?:static\s+|inline\s+|extern\s+)*[A-Za-z_][\w\s*]*?\b([A-Za-z_]\w{3,})\s*\([^;]*$/,
  /^\$([a-z][\w-]{4,}):/,
];

/** Files, their lines, the definitions and a line index of one package. */
export function readPackage(name, root) {
  const files = new Map();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = relative(root, join(entry.parentPath, entry.name)).split("\\").join("/");
    const bytes = readFileSync(join(root, path));
    if (bytes.length > 400_000 || bytes.subarray(0, 4000).includes(0)) continue;
    const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
    const lines = text.split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    files.set(path, { path, text, lines, language: languageOf(path, lines[0] ?? "") });
  }
  const pack = {
    name,
    root,
    files,
    paths: [...files.keys()],
    symbols: [],
    codeCount: new Map(),
    definitionCount: new Map(),
  };
  for (const file of files.values()) if (file.language) indexFile(pack, file);
  return pack;
}

function languageOf(path, first) {
  const extension = /\.(\w+)$/.exec(path)?.[1];
  if (extension === undefined && /completions\/|profile|bash/.test(path)) return "sh";
  return languages[extension] ?? (/^#!.*perl/.test(first) ? "perl" : undefined);
}

function indexFile(pack, file) {
  file.lines.forEach((line, index) => {
    const key = squeeze(line);
    if (key.length > 8) pack.codeCount.set(key, (pack.codeCount.get(key) ?? 0) + 1);
    if (line.length > 300) return;
    const symbol = file.language === "markdown" ? undefined : definedIn(line);
    // An everyday word names no one thing, in marks of code or without.
    if (symbol === undefined || everyday.has(symbol.toLowerCase())) return;
    pack.symbols.push({ path: file.path, line: index + 1, symbol });
    pack.definitionCount.set(symbol, (pack.definitionCount.get(symbol) ?? 0) + 1);
  });
}

const keyword =
  /^(?:if|for|while|switch|return|else|function|constructor|typeof|catch|sizeof|static|const|void|elif|unless|until|defined)$/;

const everyday = new Set(
  (
    "path test type name value data error result key index file line code list map set main option options string " +
    "object array number match print range body with from default"
  ).split(" "),
);

/** The name that a line defines, as far as patterns can tell. */
export function definedIn(line) {
  for (const pattern of definitions) {
    const symbol = pattern.exec(line)?.[1];
    if (symbol && !keyword.test(symbol)) return symbol;
  }
  return undefined;
}

export const squeeze = (text) => text.replace(/\s+/g, "");

/** The lines of a file without blanks, made once. */
export const squeezed = (file) => (file.squeezed ??= file.lines.map(squeeze));

/** Whether `word` stands in `line` as a word. */
export function hasWord(line, word) {
  return (
    line !== undefined &&
    new RegExp(`(?<![\\w])${word.replace(/[$]/g, "\\$&")}(?![\\w$])`).test(line)
  );
}

/** A code line that says enough to be quoted: no comment, no backtick, three words or more. */
export function isQuotable(line) {
  const text = line.trim();
  return (
    text.length >= 14 &&
    text.length <= 110 &&
    !text.includes("`") &&
    (text.match(/\w+/g) ?? []).length >= 3 &&
    !/^(?:\/\/|\/\*|\*|#|--|<!--|;|=|"""|')/.test(text) &&
    !/\.{3}|…/.test(text) &&
    /[\w)]/.test(text) &&
    !/\s(?:\/\/|#|\/\*)/.test(text)
  );
}
