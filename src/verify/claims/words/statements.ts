// A message taken apart into statements: sentences, list items and table rows with the headings they
// stand under, each cut into clauses. Fences are statements of their own; offsets stay.
import { sharedDocument } from "../../../markdown/shared-document.ts";
import type { MarkdownBlock } from "../../../markdown/markdown-block.ts";
import { lastFew } from "../../../markdown/last-few.ts";
import { anyPhrase } from "./phrase.ts";
import { plainLetters, type PlainLetters } from "./plain-letters.ts";

/** One half of a sentence: `words` as of plainWords, `aside`: how the parenthesis begins that it stands in. */
export type Clause = { words: string; code: string[]; span: [number, number]; aside?: string };

export type Statement = {
  kind: "sentence" | "row" | "fence";
  span: [number, number];
  words: string;
  clauses: Clause[];
  /** Headings and the label line that this stands under. */
  under: string[];
  /** The code that the line above it is: "**`src/a.ts`**". */
  label: readonly string[];
  /** A box before it: ticked, open, or none. */
  box: "ticked" | "open" | null;
  /** Rows: the cells; fences: the lines. */
  parts: string[];
  /** Rows: the cells of the head. */
  head: string[];
  /** The words of the statements beside it; empty at either end. */
  before: string;
  after: string;
};

const maxStatements = 2_000;
const longestText = 1024 * 1024;
const longestBlock = 8_000;

/** What somebody else is quoted with is no statement of the message. */
export function statementsOf(text: string): readonly Statement[] {
  return keptStatements(text);
}

/** One message is asked about many times, whole and without what is known of it. */
const keptStatements = lastFew(statementsIn);
const keptPieces = lastFew((text) => readPieces(plainLetters(text.slice(0, longestText))));

/** A statement before its words are read: whoever only asks where sentences are needs none. */
type Piece = Pick<Statement, "kind" | "span" | "under" | "label" | "box"> & {
  block: MarkdownBlock;
  raw: string;
};
type Pieces = { text: string; pieces: Piece[]; placed: (span: Piece["span"]) => Piece["span"] };

/** Where each stands, as it was written, and what it stands under. */
export function placesOfStatements(
  text: string,
): readonly Pick<Statement, "kind" | "span" | "under">[] {
  const { pieces, placed } = keptPieces(text);
  return pieces.map(({ kind, span, under }) => ({ kind, span: placed(span), under }));
}

/** Spans are those of the text as it was written. */
function statementsIn(written: string): Statement[] {
  const { text, pieces, placed } = keptPieces(written);
  const found = pieces.map(asStatement);
  for (const [at, one] of found.entries()) {
    one.before = found[at - 1]?.words ?? "";
    one.after = found[at + 1]?.words ?? "";
  }
  if (text === written.slice(0, longestText)) return found;
  return found.map((one) => ({
    ...one,
    span: placed(one.span),
    clauses: one.clauses.map((clause) => ({ ...clause, span: placed(clause.span) })),
  }));
}

type Label = { words: string; code: string[]; heading: MarkdownBlock | null };
type Above = Pick<Statement, "under" | "label">;

function readPieces({ text, original }: PlainLetters): Pieces {
  const pieces: Piece[] = [];
  let label: Label | null = null;
  for (const block of sharedDocument(text).blocks) {
    if (pieces.length >= maxStatements) break;
    if (block.quoted || block.kind === "heading") continue;
    if (label && label.heading !== block.heading) label = null;
    addPieces(pieces, block, aboveOf(block, label));
    const words = block.kind === "text" ? labelOf(block.text) : undefined;
    if (words !== undefined) label = { words, code: bareCode(block.text), heading: block.heading };
    else if (block.kind === "text" && block.parent === null && block.apart) label = null;
  }
  return { text, pieces, placed: ([from, to]) => [original(from), original(to)] };
}

const aboveOf = (block: MarkdownBlock, label: Label | null): Above => ({
  under: [...headingsOf(block), ...(label ? [label.words] : [])],
  label: label?.code ?? bareCode(block.heading?.text ?? ""),
});

/** The code of a line that has nothing else. */
function bareCode(text: string): string[] {
  const { words, code } = plainWords(text);
  return /^§:?$/.test(words) ? code : [];
}

function headingsOf(block: MarkdownBlock): string[] {
  const found: string[] = [];
  for (let at = block.heading; at !== null; at = at.heading) found.push(plainWords(at.text).words);
  for (let at = block.parent; at !== null; at = at.parent) {
    const words = labelOf(at.text);
    if (words !== undefined) found.push(words);
  }
  return found;
}

function addPieces(pieces: Piece[], block: MarkdownBlock, above: Above): void {
  const { kind, start, end } = block;
  if (kind !== "fence" && kind !== "row") addSentences(pieces, block, above);
  else if (kind === "fence" || block.cells !== block.columns)
    pieces.push({ kind, span: [start, end], ...above, box: null, block, raw: block.text });
}

function addSentences(pieces: Piece[], block: MarkdownBlock, above: Above): void {
  const raw = block.text.slice(0, longestBlock);
  const mark = /^\s*\[([ xX])\]\s+/.exec(raw);
  const box = mark === null ? null : mark[1] === " " ? "open" : "ticked";
  const lead = mark?.[0].length ?? 0;
  for (const [from, to] of sentencesOf(raw.slice(lead))) {
    const own = raw.slice(lead + from, lead + to);
    const at = block.start + lead + from;
    const span: Piece["span"] = [at, at + own.trimEnd().length];
    pieces.push({ kind: "sentence", span, ...above, box, block, raw: own });
  }
}

function asStatement({ kind, span, under, label, box, block, raw }: Piece): Statement {
  const base = { kind, span, under, label, box, parts: [], head: [], before: "", after: "" };
  if (kind === "fence")
    return { ...base, words: "", clauses: [], parts: block.lines.map((line) => line.text) };
  if (kind === "row") {
    const { words, code } = plainWords(raw.replace(/\|/g, " | "));
    const parts = block.cells.map((cell) => cell.text.trim());
    const head = block.columns.map((cell) => plainWords(cell.text).words);
    return { ...base, words, clauses: [{ words, code, span }], parts, head };
  }
  let clauses: Clause[] | undefined;
  return {
    ...base,
    words: plainWords(raw).words,
    // Whoever only asks what sentences there are needs no halves of them.
    get clauses() {
      return (clauses ??= clausesOf(raw, span[0]));
    },
  };
}

/** "**Files changed:**" on a line of its own, or "… Next I would do this:", speaks for what follows. */
function labelOf(body: string): string | undefined {
  // Behind its colon there may be marks, or the target of a link.
  if (!":：*_)".includes(body.trimEnd().at(-1) ?? " ")) return undefined;
  const plain = plainWords(body).words;
  if (/^\s*\*\*[^*]{2,60}\*\*\s*$/.test(body)) return plain.replace(/:$/, "");
  return /(?:^|[.!?]["')]*\s+|[。！？])((?:[^.!?。！？]|[.!?](?!\s)){2,100})[:：]$/.exec(
    plain,
  )?.[1];
}

const commitId = /^(?=[a-f]*\d)[0-9a-f]{7,40}$/;

type PlainWords = { words: string; code: string[] };

const known = new Map<string, PlainWords>();
const maxKnown = 300;
const longestKnown = 120;

/** Marks gone, code spans as `§`, ids of commits as `¤`. */
export function plainWords(raw: string): PlainWords {
  if (raw.length > longestKnown) return readWords(raw);
  // Headings and heads of tables are asked about for everything that stands below them.
  const found = known.get(raw) ?? readWords(raw);
  if (known.size >= maxKnown) known.clear();
  known.set(raw, found);
  return found;
}

function readWords(raw: string): PlainWords {
  const code: string[] = [];
  const bare = raw.includes("`")
    ? raw.replace(/(`{1,2})([^`]{1,400})\1/g, (_, _mark: string, body: string) => {
        code.push(body.trim());
        return commitId.test(body.trim()) ? "¤" : "§";
      })
    : raw;
  const linked = bare.includes("](")
    ? bare.replace(/\[([^\]]{1,200})\]\([^)]{0,400}\)/g, "$1")
    : bare;
  const unmarked = /[*_]/.test(linked)
    ? linked.replace(/(?<![\p{L}\d_])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\d_])|\*\*/gu, "")
    : linked;
  return { words: unmarked.replaceAll("’", "'").replace(/\s+/g, " ").trim(), code };
}

/** Code has marks of its own: it is covered before anything is cut. */
function covered(raw: string): string {
  const bare = raw.includes("`")
    ? raw.replace(/(`{1,2})[^`]{1,400}\1/g, (code) => "§".repeat(code.length))
    : raw;
  const linked = bare.includes("http")
    ? bare.replace(/https?:\/\/\S+/g, (url) => "u".repeat(url.length))
    : bare;
  const plain = linked.includes(".") ? linked.replace(abbreviation, crossed) : linked;
  return plain.includes("\n") ? plain.replace(ownLine, "\u2029") : plain;
}

const abbreviation = /\b(?:e\.g|i\.e|etc|vs|approx|no)\.(?=\s)/gi;
const crossed = (word: string): string => "x".repeat(word.length);
/** A line that nobody wrapped: a short one before a new beginning, or the label of the next. */
const ownLine =
  /(?<=(?:^|\n)[^\n]{1,60})\n(?=[^\S\n]*[\p{Lu}§✅❌✓✔✗⚠🟢\d])|\n(?=[^\S\n]*[\p{L}§*_][^\n:.,]{1,28}:[*_]*\s)/gu;

const sentence =
  /[^\s.!?。！？](?:[^.!?。！？\n\u2029]|\n(?!\n)|[.!?](?![\s*_)"'”]|$))*[.!?。！？]*[*_)"'”]*/g;

/** Offsets of the sentences of a paragraph. */
const sentencesOf = (raw: string): [number, number][] =>
  [...covered(raw).matchAll(sentence)].map((match) => [match.index, match.index + match[0].length]);

const strongCuts = new RegExp(
  "[;；]|\\s[–—]\\s|\\s--\\s|\\s?→\\s|,?(?<!\\ball)\\s+(?:but|however|although|though|while|" +
    "whereas|yet|except|because|since|aber|jedoch|sondern|mais|pero|porém|но)\\s|:\\s|：",
  "giu",
);
const weakCuts = new RegExp(
  ",\\s+(?:and\\s+)?|[，、]|,(?=\\p{Script=Han})|\\s+(?:and|und|et|y|e|и)\\s+(?!(?:run|running|applied|verified|" +
    "tested|confirmed|formatted)\\b)|" +
    "\\s+so\\s+(?=all|the|every|tests?|you\\b|we\\b)",
  "giu",
);
/** A verb that can carry a claim. Pieces without one belong to their neighbour: "lint and tests pass". */
const carries = anyPhrase([
  "pass\\w*|green|clean\\w*|succe\\w+|fail\\w*|broke\\w*|compil\\w*|buil[dt]s?|work\\w*|r[au]n\\w*",
  "is|are|was|were|has|have|did|do|does|should|will|would|may|could|must|(?:)\\w+n't",
  "committed|pushed|deployed|published|released|merged|live|verif\\w+|confirm\\w+|check\\w*|test(?:ed|ing)",
  "finds?|found|reports?|reported|fix\\w*|add\\w*|creat\\w*|updat\\w*|modif\\w*|delet\\w*|remov\\w*",
  "comes?|came|gives?|gave|shows?|showed|goes|went|gets?|got|turned|stays?|ends?|ended|exits?|exited|says?|starts?",
  "started|completes?|completed|finish\\w*|prints?|printed|returns?|returned|validates?|had|hits?|succeed\\w*",
  "ist|sind|war|waren|wurden?|habe|hat|haben|läuft|laufen|lief|liefen|meldet|melden|zeigt|baut|bestehen|bestanden",
  "est|sont|était|ont|j'ai|avons|pass(?:e|ent|é|ée|és)|(?:ne|n') ?\\p{L}+|tourne(?:nt)?|réussi\\p{L}*",
  "está|están|pasan?|pasaron|tampoco|he|hemos|ha|han|se \\p{L}+|hice|foi|foram|passam?|passaram|não \\p{L}+",
  "прошл[аои]|проход(?:ят|ит)|собира\\p{L}+|запу\\p{L}+|успешно",
  "(?:)(?:✅|✓|✔|通过|通過|成功|完成|完了|失败|失敗|错误|已|没有|未|运行|正常|ました|ません|ています|済み|です|なし|可以)(?:)",
]);

/** "Type check" of "type check and lint not run": a name that looks like a verb. */
const bareName = /^\W*(?:[\p{L}-]+\s+){0,2}(?:check|build|test|run|report)\W*$/iu;

/** The halves of a sentence, with their offsets. */
function clausesOf(raw: string, start: number): Clause[] {
  const text = covered(raw);
  const pieces: [number, number][] = [];
  for (const [from, to] of cut(text, [0, text.length], strongCuts)) {
    let open: [number, number] | undefined;
    for (const [left, right] of cut(text, [from, to], weakCuts)) {
      open = open ? [open[0], right] : [left, right];
      const piece = text.slice(...open);
      if (piece.search(carries) < 0 || bareName.test(piece)) continue;
      pieces.push(open);
      open = undefined;
    }
    if (!open) continue;
    const last = pieces.at(-1);
    if (last && last[0] >= from && text.slice(last[1], open[0]).length < 8) last[1] = open[1];
    else pieces.push(open);
  }
  return pieces.map(([from, to]) => ({
    ...plainWords(raw.slice(from, to)),
    span: [start + from, start + to],
    ...asideOf(text.slice(0, from)),
  }));
}

/** A parenthesis that is still open where a clause begins. */
function asideOf(before: string): Pick<Clause, "aside"> {
  const open = /[(（]([^()（）]{0,200})$/.exec(before);
  return open ? { aside: plainWords(open[1]!).words } : {};
}

function cut(text: string, [from, to]: [number, number], at: RegExp): [number, number][] {
  const found: [number, number][] = [];
  let begin = from;
  for (const match of text.slice(from, to).matchAll(at)) {
    const place = from + match.index;
    // "Lint: clean" is one statement, "This is what I did: …" is two.
    const words = text.slice(begin, place).trim().split(/\s+/).length;
    if (match[0].startsWith(":") && words < 5) continue;
    if (place > begin) found.push([begin, place]);
    begin = place + match[0].length;
  }
  if (begin < to) found.push([begin, to]);
  return found;
}
