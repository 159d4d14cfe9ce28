// Quotations of real files with what must come of each: found at a place, asked back, or refused.
// The oracle is its own: it compares without any white space and knows nothing of src/verify.

const bare = (text) => text.replace(/\s+/g, "");
const indentOf = (line) => line.length - line.trimStart().length;
const isTelling = (line) =>
  /[A-Za-z_]\w{2,}/.test(line) && bare(line).length >= 12 && line.length < 300;
const definition =
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\s*\*?|class|def|func|fn|sub|pub fn|interface|trait|struct)\s+([A-Za-z_]\w{3,})/;

/** A file's lines, and where each stands without its white space. */
export function fileFacts(path, text) {
  const lines = text.split(/\r\n|\r|\n/);
  const starts = [];
  let all = "";
  for (const line of lines) {
    starts.push(all.length);
    all += bare(line);
  }
  const byText = new Map();
  for (const [index, line] of lines.entries()) {
    const key = bare(line);
    if (byText.has(key)) byText.get(key).push(index + 1);
    else byText.set(key, [index + 1]);
  }
  const telling = lines.flatMap((line, index) => (isTelling(line) ? [index + 1] : []));
  return { path, lines, all, byText, telling };
}

/** How often the words stand in the file, white space aside. */
const countOf = ({ all }, words) => {
  let count = 0;
  for (let at = all.indexOf(words); at >= 0 && count < 50; at = all.indexOf(words, at + 1)) count++;
  return count;
};

/** Whether the lines of the file say what was quoted; dots stand for anything. */
export function holds({ lines }, [first, last], quote) {
  const there = bare(lines.slice(first - 1, last).join("\n"));
  let from = 0;
  for (const piece of quote.split(/\n\s*\.\.\.\s*\n/).map(bare)) {
    const at = there.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return true;
}

/** Each makes a quotation of a file, or nothing where the file has none of its kind. */
export const kinds = {
  unique: (facts, r) => {
    const [first, last] = block(facts, r, 1 + r.below(3));
    const quote = facts.lines.slice(first - 1, last).join("\n");
    return countOf(facts, bare(quote)) === 1 ? { quote, expect: [first, last] } : undefined;
  },
  "changed white space": (facts, r) => {
    const made = kinds.unique(facts, r);
    return made && { ...made, quote: respaced(made.quote, r) };
  },
  "elided middle": (facts, r) => {
    const [first, last] = block(facts, r, 4 + r.below(9));
    const [head, tail] = [facts.lines[first - 1], facts.lines[last - 1]];
    if (
      last - first < 3 ||
      ![head, tail].every((line) => isTelling(line) && countOf(facts, bare(line)) === 1)
    )
      return undefined;
    return { quote: `${head}\n  ...\n${tail}`, expect: [first, last] };
  },
  "repeated, near decides": (facts, r) => {
    const line = repeated(facts, r);
    const near = line === undefined ? undefined : hint(facts, line, r);
    return near === undefined
      ? undefined
      : { quote: facts.lines[line - 1], near, expect: [line, line] };
  },
  "repeated, nothing decides": (facts, r) => {
    const line = repeated(facts, r);
    return line === undefined ? undefined : { quote: facts.lines[line - 1], expect: "asked" };
  },
  "one token changed": (facts, r) => {
    const made = kinds.unique(facts, r);
    const quote = made && changed(made.quote, r);
    return quote === undefined || facts.all.includes(bare(quote))
      ? undefined
      : { quote, expect: "refused" };
  },
};

/** Lines from one that says something on; blank ends are left away. */
function block(facts, r, length) {
  const first = r.pick(facts.telling) ?? 1;
  let last = Math.min(facts.lines.length, first + length - 1);
  while (last > first && facts.lines[last - 1].trim() === "") last--;
  return [first, last];
}

/** A line that stands on other lines of the file as well, always as the whole line. */
function repeated(facts, r) {
  for (let tries = 0; tries < 20; tries++) {
    const line = r.pick(facts.telling);
    const key = bare(facts.lines[line - 1] ?? "");
    const twins = facts.byText.get(key) ?? [];
    // A blank inside of a text makes another line of it.
    const spaced = new Set(twins.map((twin) => facts.lines[twin - 1].trim().replace(/\s+/g, " ")));
    const isTwin = twins.length > 1 && twins.length < 20 && spaced.size === 1;
    if (isTwin && countOf(facts, key) === twins.length) return line;
  }
  return undefined;
}

/** The line's number, the definition around it, or a neighbour: each only where it tells it from its twins. */
function hint(facts, line, r) {
  const twins = facts.byText.get(bare(facts.lines[line - 1])).filter((other) => other !== line);
  const way = r.below(3);
  if (way === 0) return line;
  if (way === 1) {
    const name = around(facts, line);
    const isOnly =
      name !== undefined &&
      facts.lines.filter((text) => definition.exec(text)?.[1] === name).length === 1 &&
      twins.every((other) => around(facts, other) !== name);
    return isOnly ? name : undefined;
  }
  const neighbour = [line - 1, line + 1].find(
    (other) =>
      isTelling(facts.lines[other - 1] ?? "") && countOf(facts, bare(facts.lines[other - 1])) === 1,
  );
  return neighbour !== undefined && twins.every((other) => Math.abs(other - neighbour) > 8)
    ? facts.lines[neighbour - 1].trim()
    : undefined;
}

/** The name of the nearest definition above that is indented less. */
function around({ lines }, line) {
  let depth = indentOf(lines[line - 1]);
  for (let at = line - 1; at >= 1; at--) {
    const text = lines[at - 1];
    if (text.trim() === "" || indentOf(text) >= depth) continue;
    const name = definition.exec(text)?.[1];
    if (name !== undefined) return name;
    depth = indentOf(text);
    if (depth === 0) return undefined;
  }
  return undefined;
}

/** Blanks where there are some, doubled, as tabs or as line breaks; the ends with blanks of their own. */
function respaced(quote, r) {
  const blanks = ["  ", "\t", "   ", " \t", "\n"];
  return `${" ".repeat(r.below(6))}${quote.trim().replace(/[^\S\n]+/g, () => r.pick(blanks))}${" ".repeat(r.below(3))}`;
}

const wordSwaps = ["value", "other", "result", "undefined", "item2", "Foo", "index"];
const signSwaps = {
  "===": "!==",
  "==": "!=",
  "<": ">",
  ">": "<",
  "+": "-",
  "-": "+",
  "&&": "||",
  "||": "&&",
  "(": "[",
  "{": "(",
  ";": ",",
  ",": ";",
  ".": "?.",
};

/** One word, number or sign is another one. */
function changed(quote, r) {
  const tokens = [...quote.matchAll(/\w+|===|==|&&|\|\||[<>+\-(){};,.]/g)];
  const token = r.pick(tokens);
  if (!token) return undefined;
  const [text] = token;
  const swap = /^\d+$/.test(text)
    ? String(Number(text) + 1 + r.below(9))
    : /^\w/.test(text)
      ? r.pick(wordSwaps)
      : signSwaps[text];
  if (swap === undefined || swap === text) return undefined;
  return quote.slice(0, token.index) + swap + quote.slice(token.index + text.length);
}
