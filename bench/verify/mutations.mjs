// Ways in which a reference goes wrong. Each gives a changed fact that is certainly wrong, with the right place where content still points to it, or undefined.
import { definedIn, hasWord, squeeze, squeezed } from "./facts.mjs";

const linesOf = (pack, path) => pack.files.get(path)?.lines ?? [];

/** Whether the content of a fact (symbol, code or block) stands at a place. */
function standsAt(fact, pack, { path, line, end }) {
  const lines = linesOf(pack, path);
  if (fact.kind === "symbol") {
    if (fact.lineless) return lines.some((text) => hasWord(text, fact.symbol));
    for (let at = line; at <= (fact.ranged ? end : line); at++)
      if (hasWord(lines[at - 1], fact.symbol)) return true;
    return false;
  }
  const block = (fact.kind === "block" ? fact.block : [fact.code]).map(squeeze).filter(Boolean);
  const all = pack.files.has(path) ? squeezed(pack.files.get(path)) : [];
  const matches = (start) => {
    let at = start;
    return block.every((row, index) => {
      while (all[at] === "" && index > 0) at++;
      return block.length === 1 ? (all[at++] ?? "").includes(row) : all[at++] === row;
    });
  };
  if (fact.lineless) return all.some((_, index) => matches(index));
  for (let at = line; at <= (fact.ranged ? end : line); at++)
    if (matches(at - 1) && (!fact.ranged || at + block.length - 1 <= end)) return true;
  return false;
}

const hasContent = (fact) => ["symbol", "code", "block"].includes(fact.kind);

const indentOf = (text) => text.length - text.trimStart().length;

/** The last line of what begins at `line`, by indentation: generous, so that no case in doubt is called wrong. */
function extentOf(lines, line) {
  const indent = indentOf(lines[line - 1]);
  let end = line;
  for (let next = line + 1; next <= lines.length; next++) {
    const text = lines[next - 1];
    if (
      text.trim() !== "" &&
      indentOf(text) <= indent &&
      !/^\s*[)\]}{]|^\s*(?:end|else|elif|catch|finally|public:|private:|protected:|fi|done)\b/.test(
        text,
      )
    )
      break;
    end = next;
  }
  return end;
}

/** A short block that a line opens or stands in, by indentation; the line alone where there is none. */
function blockAround(lines, line) {
  const indent = indentOf(lines[line - 1]);
  let top = line;
  while (top > 1 && (lines[top - 1].trim() === "" || indentOf(lines[top - 1]) >= indent)) top--;
  const own = [line, extentOf(lines, line)];
  const above = [top, extentOf(lines, top)];
  return top < line && above[1] >= line && above[1] - above[0] <= 60 ? above : own;
}

/**
 * A place that is not the fact's own and still no error: inside or directly above the definition, a part of the block,
 * or, unless the words say that the name is defined there, a line of a block in which the name stands.
 */
export function isTolerated(fact, lines, { line, end }) {
  if (fact.kind === "block") {
    const last = fact.line + fact.block.length - 1;
    return line <= last && (fact.ranged ? end : line) >= fact.line;
  }
  if (fact.kind !== "symbol") return false;
  const [top, bottom] = fact.defines ? [1, 0] : blockAround(lines, line);
  if (lines.slice(top - 1, bottom).some((text) => hasWord(text, fact.symbol))) return true;
  return lines.some((text, index) => {
    if (!hasWord(text, fact.symbol)) return false;
    const own = index + 1;
    if (line > own) return line <= extentOf(lines, own);
    return (
      own - line <= 24 &&
      lines
        .slice(line - 1, index)
        .every((above) => !/[;{}]\s*$/.test(above) || /^\s*(?:\*|\/\/|#|@)/.test(above))
    );
  });
}

function moved(fact, pack, offset) {
  const count = linesOf(pack, fact.path).length;
  const place = { path: fact.path, line: fact.line + offset, end: fact.end + offset };
  if (
    !hasContent(fact) ||
    fact.lineless ||
    fact.planned ||
    place.line < 1 ||
    place.end > count ||
    standsAt(fact, pack, place) ||
    isTolerated(fact, linesOf(pack, fact.path), place) ||
    namesNothing(fact, linesOf(pack, fact.path))
  )
    return undefined;
  // A blank line directly above a block is skipped by every reader; the block still begins below it.
  return { ...fact, ...place };
}

/** A path that only stands there, titles a block or is to be made: one that is not found is noted, not held against anyone. */
const isBare = (fact) => fact.kind === "path" || fact.kind === "create" || isOpenBlock(fact);

/** A file to be made, and a proposed patch, which is made on a tree of its own: their paths are nobody's error. */
const isProposed = (fact) => fact.kind === "create" || fact.planned;

/** `client/map.rs` is how people write `crates/client/src/map.rs`. */
const isAbbreviation = (path, pack) => {
  const parts = path.split("/");
  return pack.paths.some((other) => {
    let next = 0;
    for (const part of other.split("/")) if (part === parts[next]) next++;
    return next === parts.length;
  });
};

function withPath(fact, pack, path) {
  if (
    path === fact.path ||
    isAbbreviation(path, pack) ||
    pack.files.has(path) ||
    pack.paths.some((other) => other.endsWith(`/${path}`))
  )
    return undefined;
  return { ...fact, path };
}

const split = (path) => [
  path.slice(0, path.lastIndexOf("/") + 1),
  path.slice(path.lastIndexOf("/") + 1),
];
const lookAlikes = { a: "а", e: "е", o: "о", p: "р", c: "с", x: "х", i: "і" };
const otherExtension = {
  js: "ts",
  ts: "js",
  tsx: "jsx",
  mjs: "js",
  py: "pyx",
  c: "cc",
  h: "hpp",
  cc: "c",
  go: "rs",
  rs: "go",
  java: "kt",
  kt: "java",
  rb: "py",
  pl: "py",
  pm: "pl",
  php: "rb",
  sh: "bash",
  scss: "css",
  css: "scss",
  md: "rst",
  json: "yaml",
};

// The line numbers of a proposed patch hold for nobody's tree: they count from what the patch was made on.

/** `path`: the fact names the wrong place by its path alone, so that every kind is decidable. */
export const mutations = {
  "line near": {
    relocates: true,
    apply: (fact, pack, r) => moved(fact, pack, r.pick([-3, -2, -1, 1, 2, 3, 4])),
  },
  "line far": {
    relocates: true,
    apply: (fact, pack, r) => moved(fact, pack, (r.next() < 0.5 ? -1 : 1) * (15 + r.below(200))),
  },
  "past the end": {
    apply: (fact, pack, r) =>
      fact.lineless || fact.planned || fact.kind === "path" || fact.kind === "create"
        ? undefined
        : shifted(fact, linesOf(pack, fact.path).length + 1 + r.below(300) - fact.line),
  },
  "line zero": {
    apply: (fact) =>
      fact.lineless ||
      fact.planned ||
      fact.ranged ||
      fact.gutter ||
      fact.kind === "path" ||
      fact.kind === "create"
        ? undefined
        : { ...fact, line: 0 },
  },
  "swapped digits": {
    relocates: true,
    apply: (fact, pack) => moved(fact, pack, swappedDigits(fact.line) - fact.line),
  },
  "end past the end": {
    apply: (fact, pack) =>
      fact.ranged ? { ...fact, end: linesOf(pack, fact.path).length + 40 } : undefined,
  },
  "inverted range": {
    apply: (fact) =>
      fact.ranged && fact.end > fact.line ? { ...fact, line: fact.end, end: fact.line } : undefined,
  },
  "wrong file": { relocates: true, apply: wrongFile },
  "invented path": {
    apply: (fact, pack, r) => {
      const [dir, name] = split(fact.path);
      // A name without a folder that no file has may be one of any project.
      return isBare(fact) || dir === ""
        ? undefined
        : withPath(
            fact,
            pack,
            dir +
              name.replace(/^([^.]*)/, (stem) =>
                r.pick([`${stem}_helper`, `new_${stem}`, `${stem}Manager`, `base-${stem}`]),
              ),
          );
    },
  },
  "wrong directory": {
    relocates: true,
    path: true,
    apply: (fact, pack, r) => {
      const [, name] = split(fact.path);
      const dir = split(r.pick(pack.paths))[0];
      return isBare(fact) || dir === "" ? undefined : withPath(fact, pack, dir + name);
    },
  },
  "invented directory": {
    relocates: true,
    path: true,
    apply: (fact, pack, r) => {
      const [dir, name] = split(fact.path);
      return isBare(fact)
        ? undefined
        : withPath(fact, pack, `${dir}${r.pick(["core", "internal", "utils", "common"])}/${name}`);
    },
  },
  extension: {
    relocates: true,
    path: true,
    apply: (fact, pack) => {
      const match = /^(.*)\.(\w+)$/.exec(fact.path);
      return isProposed(fact) || !match || !otherExtension[match[2]]
        ? undefined
        : withPath(fact, pack, `${match[1]}.${otherExtension[match[2]]}`);
    },
  },
  case: {
    relocates: true,
    path: true,
    apply: (fact, pack, r) => {
      const [dir, name] = split(fact.path);
      const changed =
        r.next() < 0.5
          ? name[0].toUpperCase() + name.slice(1)
          : name[0].toLowerCase() +
            name
              .slice(1)
              .toUpperCase()
              .replace(/\.\w+$/, (e) => e.toLowerCase());
      return isProposed(fact) ? undefined : withPath(fact, pack, dir + changed);
    },
  },
  "look-alike letter": {
    relocates: true,
    path: true,
    apply: (fact, pack, r) => {
      const [dir, name] = split(fact.path);
      const at = [...name.replace(/\.\w+$/, "")]
        .map((letter, index) => (lookAlikes[letter] ? index : -1))
        .filter((index) => index >= 0);
      if (at.length === 0 || isProposed(fact)) return undefined;
      const index = r.pick(at);
      return withPath(
        fact,
        pack,
        dir + name.slice(0, index) + lookAlikes[name[index]] + name.slice(index + 1),
      );
    },
  },
  "misspelt path": { relocates: true, path: true, apply: misspelt },
  traversal: {
    apply: (fact) => (fact.kind === "create" ? undefined : { ...fact, path: `../../${fact.path}` }),
  },
  "changed token": { apply: changedToken },
  "inserted line": {
    apply: (fact, pack, r) => {
      if (
        fact.kind !== "block" ||
        fact.block.length < 2 ||
        fact.long ||
        fact.gutter ||
        isOpenBlock(fact)
      )
        return undefined;
      const extra = r.pick([
        "  checkPermissions(user);",
        "  if (debug) log(value);",
        "  counter += 1;",
        "  await validate(input);",
      ]);
      return absent({ ...fact, block: fact.block.toSpliced(1, 0, extra) }, pack);
    },
  },
  "swapped symbol": { apply: swappedSymbol },
  "near-miss symbol": { apply: nearMiss },
  "symbol's case": { apply: otherCase },
};

function shifted(fact, offset) {
  return { ...fact, line: fact.line + offset, end: fact.end + offset };
}

/** A block below a place without a line, and a proposal, never accuse. */
const isOpenBlock = (fact) => fact.kind === "block" && (fact.lineless || fact.planned);

function wrongFile(fact, pack, r) {
  if (!hasContent(fact) || isOpenBlock(fact)) return undefined;
  const path = r.pick(pack.paths);
  const changed = { ...fact, path };
  const lines = linesOf(pack, path);
  if (path === fact.path || lines.length < fact.end || standsAt(fact, pack, changed))
    return undefined;
  // A line of a text is given for what it says, in whatever words; a name says nothing against it.
  const isSaid = fact.kind === "symbol" && pack.files.get(path).language === "markdown";
  return isSaid || isTolerated(changed, lines, changed) || namesNothing(changed, lines)
    ? undefined
    : changed;
}

/** The block must not stand anywhere in the file any more. */
function absent(fact, pack) {
  return standsAt({ ...fact, ranged: false, lineless: true }, pack, fact) ? undefined : fact;
}

function changedToken(fact, pack, r) {
  if ((fact.kind !== "code" && fact.kind !== "block") || isOpenBlock(fact)) return undefined;
  const at =
    fact.kind === "block"
      ? r.pick(fact.long ? [0, fact.block.length - 1] : fact.block.map((_, index) => index))
      : 0;
  const source = fact.kind === "block" ? fact.block[at] : fact.code;
  const words = [...source.matchAll(/[A-Za-z_]\w{2,}|\b\d+\b|[=!]==?|[<>]=?|&&|\|\|/g)];
  if (words.length === 0) return undefined;
  const word = r.pick(words);
  const other = /^\d/.test(word[0])
    ? String(Number(word[0]) + 1)
    : /^\w/.test(word[0])
      ? r.pick([`${word[0]}s`, `${word[0]}2`, word[0].slice(0, -1), `_${word[0]}`])
      : word[0] === "=="
        ? "!="
        : word[0] === "&&"
          ? "||"
          : "==";
  const line = source.slice(0, word.index) + other + source.slice(word.index + word[0].length);
  if (squeeze(line) === squeeze(source)) return undefined;
  const changed =
    fact.kind === "block"
      ? { ...fact, block: fact.block.with(at, line) }
      : { ...fact, code: line.trim(), raw: fact.raw.replace(source, line) };
  return absent(changed, pack);
}

/**
 * A name that tells no place: that of its file, which stands for the file, and one that the file uses here and there
 * without a definition, of which any use may be meant.
 */
function namesNothing({ path, symbol, kind, defines, lineless }, lines) {
  if (kind !== "symbol" || lineless) return false;
  const plain = (name) => name.toLowerCase().replace(/[_-]/g, "");
  if (!defines && plain(split(path)[1].replace(/\..*$/, "")) === plain(symbol)) return true;
  const uses = lines.filter((text) => hasWord(text, symbol));
  return uses.length > 0 && !uses.some((text) => definedIn(text) === symbol);
}

function swappedSymbol(fact, pack, r) {
  if (fact.kind !== "symbol") return undefined;
  const { symbol } = r.pick(pack.symbols);
  const changed = { ...fact, symbol };
  const lines = linesOf(pack, fact.path);
  if (standsAt(changed, pack, fact) || (fact.plain && !/[a-z][A-Z]|_/.test(symbol)))
    return undefined;
  return namesNothing(changed, lines) || isTolerated(changed, lines, fact) ? undefined : changed;
}

function nearMiss(fact, pack, r) {
  if (fact.kind !== "symbol" || fact.plain) return undefined;
  const at = 1 + r.below(fact.symbol.length - 1);
  const symbol = r.pick([
    fact.symbol.slice(0, at) + fact.symbol.slice(at + 1),
    `${fact.symbol}s`,
    fact.symbol.slice(0, at) + fact.symbol[at] + fact.symbol.slice(at),
  ]);
  const changed = { ...fact, symbol };
  return symbol.length < 3 ||
    standsAt(changed, pack, fact) ||
    namesNothing(changed, linesOf(pack, fact.path))
    ? undefined
    : changed;
}

function otherCase(fact, pack) {
  // Nobody writes a loud name with one small letter, and one in small letters is a way to say it.
  if (fact.kind !== "symbol" || fact.plain || fact.symbol === fact.symbol.toUpperCase())
    return undefined;
  const [first, rest] = [fact.symbol[0], fact.symbol.slice(1)];
  const changed = {
    ...fact,
    symbol: (first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase()) + rest,
  };
  return changed.symbol === fact.symbol ||
    standsAt(changed, pack, fact) ||
    namesNothing(changed, linesOf(pack, fact.path))
    ? undefined
    : changed;
}

/** A letter too few, unless a file is called so. */
function misspelt(fact, pack, r) {
  const [dir, name] = split(fact.path);
  const stem = name.replace(/\.\w+$/, "");
  if (isProposed(fact) || stem.length < 5) return undefined;
  const at = 1 + r.below(stem.length - 2);
  return withPath(fact, pack, dir + name.slice(0, at) + name.slice(at + 1));
}

function swappedDigits(line) {
  const text = String(line);
  return text.length < 2 ? line : Number(text.slice(0, -2) + text.at(-1) + text.at(-2));
}
