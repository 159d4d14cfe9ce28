// What stands between the beginning of a test and an assertion: a condition, or a handler that takes its
// failure. A test that was sure to assert has none.
import { blockEnd, statementEnd, statementStart, type Grammar } from "./block-end.ts";
import { namesBeside } from "./operands.ts";

export type Obstacle = "condition" | "handler";

/** A test's text with its strings covered. `asserts`: whether a text asserts or fails. */
type Ground = { body: string; mask: string; grammar: Grammar; asserts: RegExp };

/** `header`: the statement that opens the block, and where the block begins and ends. */
type TestBlock = { header: string; at: number; opens: number; end: number };

export function obstaclesOf(from: number, ground: Ground): Obstacle[] {
  const around = blocksAround(from, ground);
  const found = [
    ...around.flatMap((block) => kindsOf(block, from, ground)),
    ...leavesBefore(from, around, ground),
    ...endsBefore(from, around, ground),
  ];
  return [...new Set(found)];
}

/** From the outermost to the innermost; the test itself is none of them. */
function blocksAround(from: number, ground: Ground): TestBlock[] {
  const { mask, grammar } = ground;
  const lines = grammar.blocks === "braces" ? [] : linesAbove(from, ground);
  const found: TestBlock[] = [];
  let depth = 0;
  for (let at = from - 1; at > 0; at--) {
    if (")]}".includes(mask[at]!)) depth++;
    else if ("([{".includes(mask[at]!) && --depth < 0) {
      depth = 0;
      if (mask[at] === "(" && !isCallback.test(mask.slice(at, from))) continue;
      const start = beginning(mask, at);
      const header = mask.slice(start, at).trim();
      found.unshift({ header, at: start, opens: at, end: closing(mask, at) });
    }
  }
  return [...lines, ...found].filter(({ at }) => at > 0);
}

const isCallback = /=>|->|\bfunction\b|\blambda\b|\bfunc\b|\|\w*\|/;

/** The bracket may stand on a line of its own. */
function beginning(mask: string, at: number): number {
  const last = mask.slice(0, at).trimEnd().length;
  const onOwnLine = mask.slice(last, at).includes("\n") && /[)\w>]$/.test(mask.slice(0, last));
  return statementStart(mask, onOwnLine ? last : at);
}

function closing(mask: string, opens: number): number {
  let depth = 0;
  for (let at = opens; at < mask.length; at++) {
    if ("([{".includes(mask[at]!)) depth++;
    else if (")]}".includes(mask[at]!) && --depth === 0) return at + 1;
  }
  return mask.length;
}

/** Lines above that stand less deep. */
function linesAbove(from: number, { mask, grammar }: Ground): TestBlock[] {
  const found: TestBlock[] = [];
  const indentAt = (at: number): number => /^[ \t]*/.exec(mask.slice(at))![0].length;
  let start = mask.lastIndexOf("\n", from - 1) + 1;
  let deep = indentAt(start);
  while (start > 0) {
    start = mask.lastIndexOf("\n", start - 2) + 1;
    const line = mask.slice(start, mask.indexOf("\n", start));
    if (line.trim() === "" || indentAt(start) >= deep) continue;
    deep = indentAt(start);
    found.unshift({
      header: line.trim(),
      at: start + deep,
      opens: start + line.length,
      end: blockEnd(mask, start + deep, grammar),
    });
  }
  return found;
}

function kindsOf(block: TestBlock, from: number, ground: Ground): Obstacle[] {
  const { header } = block;
  if (isFreeCondition(block, from, ground)) return ["condition"];
  if (/^(?:\w+ = )?(?:try|begin|do)\b|\bdo$/.test(header) && takesFailures(block, ground))
    return ["handler"];

  return [];
}

/** A condition about what the test got, that nothing asserted before, and without an other side that asserts. */
function isFreeCondition(block: TestBlock, from: number, ground: Ground): boolean {
  const { mask, asserts } = ground;
  const { header, end } = block;

  const asked = /^(?:\}?\s*els?e?\s*)?(?:if|unless|elif|elsif)\b(.*)$/s.exec(header)?.[1];
  if (asked === undefined) return false;
  const behind = mask.slice(end);
  const other = /^\s*(?:\}\s*)?(?:else|elif|elsif)\b/.exec(behind);
  if (other) {
    const rest = behind.slice(0, blockEnd(behind, other[0].length, ground.grammar));
    if (asserts.test(rest) || told.test(rest)) return false;
  }
  return !isSettled(asked, from, mask);
}

/** It asks for what the test is called with, or for what a row says. */
function isSettled(asked: string, from: number, mask: string): boolean {
  const names = namesBeside(asked).filter((name) => !words.has(name));
  const roots = names.filter(
    (name) => !new RegExp(`[.:>]\\s*${name.replace("$", "\\$")}\\b`).test(asked),
  );
  const given = [
    // The test's own name is none of it.
    mask.slice(mask.indexOf("(") + 1, Math.max(mask.indexOf("\n"), 0)),
    ...(mask.slice(0, from).match(/\b(?:for|foreach)\b[^\n]*|\.each\w*[^\n]*\|/g) ?? []),
  ].join("\n");
  const known = new Set(namesBeside(given));
  return roots.length > 0 && roots.every((name) => known.has(name));
}

const words: ReadonlySet<string> = new Set(
  "not is in and or null undefined typeof instanceof let len await as isinstance Some Ok Err None".split(
    " ",
  ),
);

/** Somebody hears of it. */
const told = new RegExp(
  "\\b(?:throw|raise|rethrow|flunk|assert)\\b|\\bfail\\b|" +
    "\\b(?:fail\\w*|panic|reject|exit|expect\\w*|assert\\w*)!?\\s*[({]|" +
    "\\bt\\.(?:Error|Fatal|Fail)|->fail|\\w+ = e(?:rr|x)?\\b",
);

/** A handler below that does not tell, of a class that failures of tests belong to. */
function takesFailures({ opens, at, end }: TestBlock, { mask, grammar }: Ground): boolean {
  if (grammar.blocks === "braces") {
    const handler = /^\s*catch\b\s*(?:\([^)]*\)|[\w: ]*)?\s*(?=\{)/.exec(mask.slice(end));
    if (!handler) return false;
    const from = end + handler[0].length;
    return !told.test(mask.slice(from, closing(mask, from)));
  }
  const indent = at - (mask.lastIndexOf("\n", at) + 1);
  const below = mask.slice(grammar.blocks === "indent" ? end : opens);
  const handlers = [
    ...below.matchAll(
      new RegExp(
        `^[ \\t]{${indent}}(?:except|rescue)\\b([^\\n]*)\\n((?:[ \\t]{${indent + 1},}[^\\n]*\\n?|\\n)*)`,
        "gm",
      ),
    ),
  ];
  const [first] = handlers;
  if (
    !first ||
    (grammar.blocks === "indent" && first.index > 0 && below.slice(0, first.index).trim() !== "")
  )
    return false;
  return handlers.some(([, of, inside]) => takesAny.test(of!) && !told.test(inside!));
}

const takesAny =
  /^\s*:?\s*$|^\s*=>|\b(?:Base)?Exception\b|Assert|Expectation|StandardError|Throwable/;

/** A return of the same level stands above: nothing comes here. */
function endsBefore(from: number, around: readonly TestBlock[], ground: Ground): Obstacle[] {
  const { mask } = ground;
  return [...mask.slice(0, from).matchAll(/^[ \t]*return\b/gm)].some((match) => {
    const at = match.index + match[0].length - "return".length;
    if (statementEnd(mask, at) >= from) return false;
    // Without a bracket around it, a condition above rules the one statement.
    const above = mask.slice(0, match.index).trimEnd().split("\n").at(-1)!;
    if (/^\s*(?:if|unless|else|case|default|when)\b[^{]*$/.test(above)) return false;
    return blocksAround(at, ground).every(({ opens }) =>
      around.some((block) => block.opens === opens),
    );
  })
    ? ["condition"]
    : [];
}

const leaves = new RegExp(
  "^[ \\t]*(?:\\} )?(?:if|unless)\\b([^\\n]*?)(?:\\{\\s*|:\\s*|\\)\\s*|\\n\\s*)return\\b|" +
    "^[ \\t]*(?:return|next)(?:@\\w+)?[ \\t]+(?:if|unless)\\b([^\\n]*)|" +
    "^[^\\n]*(?:\\belse\\s*\\{\\s*|\\?:\\s*)return\\b",
  "gm",
);

/** Above, where the way to the assertion leads past, it may have been left already. */
function leavesBefore(from: number, around: readonly TestBlock[], ground: Ground): Obstacle[] {
  const { mask } = ground;
  return [...mask.slice(0, from).matchAll(leaves)].some((match) => {
    const at = match.index + /^\s*/.exec(match[0])![0].length;
    const blocks = blocksAround(at, ground);
    const isOnTheWay = blocks.every(({ opens }) => around.some((block) => block.opens === opens));
    return isOnTheWay && !isSettled(match[1] ?? match[2] ?? "", at, mask);
  })
    ? ["condition"]
    : [];
}
