// Labelled references: true ones, wrong ones by mutation, and a drift split that was true in an older version of the same package.
import { hasWord, isQuotable, squeeze } from "./facts.mjs";
import { isTolerated, mutations } from "./mutations.mjs";

const ends = new WeakMap();

/** A block's shape that writes its last line down gives a range, whether it says so or not. */
function writesEnd(shape) {
  if (shape.kind !== "block" || shape.lineless) return undefined;
  const known = ends.get(shape);
  if (known !== undefined) return known;
  const fact = { path: "a/b.js", line: 7001, lang: "js", pack: "a", block: ["one();", "two();"] };
  const found = shape.write({ ...fact, end: 7102 }) !== shape.write({ ...fact, end: 7203 });
  ends.set(shape, found);
  return found;
}

/** True facts of the kind that `shape` needs; undefined where the package has none at the chosen place. */
function makeFact(shape, pack, r) {
  const base = {
    kind: shape.kind,
    ranged: shape.ranged ?? writesEnd(shape),
    lineless: shape.lineless,
    plain: shape.plain,
    long: shape.long,
    gutter: shape.gutter,
    planned: shape.planned,
    defines: shape.defines,
    pack: pack.name,
  };
  if (shape.kind === "symbol") return symbolFact(base, pack, r);
  const file = pack.files.get(r.pick(pack.paths));
  if (!file.language || file.lines.length < 4) return undefined;
  const lang = file.language;
  if (shape.kind === "path") return { ...base, path: file.path, line: 1, end: 1, lang };
  if (shape.kind === "create")
    return {
      ...base,
      path: file.path.replace(/([^/]*)$/, "fresh_$1"),
      existing: file.path,
      line: 1,
      end: 1,
      lang,
    };
  const line = 1 + r.below(file.lines.length);
  if (shape.kind === "bare")
    return { ...base, path: file.path, line, end: Math.min(line + 3, file.lines.length), lang };
  return shape.kind === "code" ? codeFact(base, file, line) : blockFact(base, file, { line, r });
}

function symbolFact(base, pack, r) {
  if (pack.symbols.length === 0) return undefined;
  const { path, line, symbol } = r.pick(pack.symbols);
  const file = pack.files.get(path);
  if (base.plain && !/[a-z][A-Z]|_/.test(symbol)) return undefined;
  return {
    ...base,
    path,
    line,
    end: Math.min(line + 1 + r.below(6), file.lines.length),
    symbol,
    lang: file.language,
  };
}

function codeFact(base, file, line) {
  const raw = file.lines[line - 1];
  return isQuotable(raw)
    ? { ...base, path: file.path, line, end: line, code: raw.trim(), raw, lang: file.language }
    : undefined;
}

function blockFact(base, file, { line, r }) {
  const length = (base.long ? 5 : 2) + r.below(5);
  const block = file.lines.slice(line - 1, line - 1 + length);
  if (
    block.length < length ||
    block[0].trim() === "" ||
    block.at(-1).trim() === "" ||
    block.some((text) => text.includes("```") || text.length > 200)
  )
    return undefined;
  if (!isQuotable(block[0]) || (base.long && !isQuotable(block.at(-1)))) return undefined;
  return { ...base, path: file.path, line, end: line + length - 1, block, lang: file.language };
}

/** The content stands in exactly one place of the package, so that there is one right correction. */
function isUnique(fact, pack) {
  if (fact.kind === "symbol") return pack.definitionCount.get(fact.symbol) === 1;
  const key = squeeze(fact.kind === "block" ? fact.block[0] : (fact.code ?? ""));
  return pack.codeCount.get(key) === 1;
}

export function makeCases(pack, shapes, { r, perShape, perMutation }) {
  const cases = [];
  for (const shape of shapes) {
    for (let made = 0, tries = 0; made < perShape && tries < perShape * 40; tries++) {
      const fact = makeFact(shape, pack, r);
      if (!fact) continue;
      cases.push({
        truth: true,
        mutation: "none",
        shape: shape.name,
        fact,
        text: shape.write(fact),
        content: hasContent(fact),
      });
      made++;
    }
    for (const [name, mutation] of Object.entries(mutations)) {
      for (let made = 0, tries = 0; made < perMutation && tries < perMutation * 30; tries++) {
        const fact = makeFact(shape, pack, r);
        const wrong = fact && mutation.apply(fact, pack, r);
        if (!wrong) continue;
        const expected =
          mutation.relocates && hasContent(fact) && isUnique(fact, pack)
            ? { path: fact.path, line: fact.line }
            : undefined;
        cases.push({
          truth: false,
          mutation: name,
          shape: shape.name,
          fact: wrong,
          text: shape.write(wrong),
          expected,
          lineless: fact.lineless,
        });
        made++;
      }
    }
  }
  return cases;
}

const hasContent = (fact) => ["symbol", "code", "block"].includes(fact.kind);

/** References that were true in `older`, to be checked against `newer`. */
export function makeDrift(older, newer, { shapes, r, perShape }) {
  const cases = [];
  for (const shape of shapes.filter(
    ({ kind, lineless, long }) => ["symbol", "code", "block"].includes(kind) && !lineless && !long,
  )) {
    for (let made = 0, tries = 0; made < perShape && tries < perShape * 40; tries++) {
      const fact = makeFact(shape, older, r);
      if (!fact) continue;
      const drifted = driftCase(shape, { ...fact, pack: newer.name }, newer);
      if (drifted) cases.push(drifted);
      made++;
    }
  }
  return cases;
}

function driftCase(shape, fact, newer) {
  const lines = newer.files.get(fact.path)?.lines ?? [];
  const rows = fact.kind === "block" ? fact.block.map(squeeze).filter(Boolean) : undefined;
  const blockAt = (start) => {
    let at = start;
    return rows.every((row, index) => {
      while (index > 0 && at < lines.length && squeeze(lines[at]) === "") at++;
      return squeeze(lines[at++] ?? "") === row;
    });
  };
  const stands = (line) =>
    fact.kind === "symbol"
      ? hasWord(lines[line - 1], fact.symbol)
      : fact.kind === "code"
        ? squeeze(lines[line - 1] ?? "").includes(squeeze(fact.code))
        : blockAt(line - 1);
  let here = false;
  for (let line = fact.line; line <= (fact.ranged ? fact.end : fact.line); line++)
    here ||= stands(line) && (!fact.ranged || fact.kind !== "block" || line === fact.line);
  if (fact.ranged && fact.end > lines.length) here = false;
  if (!here && (fact.planned || (fact.line <= lines.length && isTolerated(fact, lines, fact))))
    return undefined;
  const places = lines.flatMap((_, index) => (stands(index + 1) ? [index + 1] : []));
  const defined =
    fact.kind === "symbol"
      ? newer.symbols
          .filter((item) => item.path === fact.path && item.symbol === fact.symbol)
          .map((item) => item.line)
      : places;
  const expected =
    !here && defined.length === 1 ? { path: fact.path, line: defined[0] } : undefined;
  return {
    truth: here,
    mutation: here ? "drift, still true" : "drift",
    shape: shape.name,
    fact,
    text: shape.write(fact),
    expected,
    content: true,
  };
}
