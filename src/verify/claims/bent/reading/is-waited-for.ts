// Code of a test that runs beside it, and whether the test waits for it.
import type { Grammar } from "./block-end.ts";

/** A test's text with its strings covered. `asserts`: whether a text asserts or fails. */
export type Ground = { body: string; mask: string; grammar: Grammar; asserts: RegExp };

/** `header`: the statement that opens the block, and where the block begins and ends. */
export type TestBlock = { header: string; at: number; opens: number; end: number };

const aside = new RegExp(
  "(?:\\bset(?:Timeout|Immediate|Interval)|\\bnextTick|queueMicrotask|\\.then|\\blaunch|\\bgo func\\([^)]*\\)|" +
    "spawn\\w*|\\b[tT]hread(?:\\.new|\\.start|_?[pP]ool\\w*)?|\\.submit|\\.execute|\\w+Async|" +
    "Task\\.Run|StartNew|create_task|ensure_future|call_later|\\.on(?:ce)?|addEventListener|" +
    "\\.subscribe|\\.delayed|invokeLater|\\.async)(?:\\([^()]*\\))?" +
    "(?:\\?\\.)?\\s*(?:do)?$",
);

/** Its code runs beside the test. */
export function runsAside({ header, opens }: TestBlock, ground: Ground): boolean {
  const { mask } = ground;
  const callee = header
    .replace(/\s*\(?[^()]*\)?\s*(?:=>|->)\s*$/, "")
    .replace(/\(\s*(?:async\s*)?(?:function\b)?[^()]*\(?$/, "");
  if (aside.test(header) || aside.test(callee))
    return !/\b(?:describe|context|it|test)\b/.test(callee);
  if (/\.forEach\s*$/.test(header) && /^\(\s*async\b/.test(mask.slice(opens))) return true;
  const inner = /^(?:async )?(?:def|function|const|let|fun|fn) (\w+)/.exec(header)?.[1];
  return inner !== undefined && isStarted(inner, mask);
}

/** A function is given to something that runs it beside the test. */
const isStarted = (name: string, text: string): boolean =>
  new RegExp(
    `(?:[tT]hread|[tT]imer|create_task|submit|set(?:Timeout|Immediate))\\([^\\n]*\\b${name}\\b`,
  ).test(text);

/** The name of a helper stands at a place where it is started, and nothing waits behind. */
export function isStartedAt(from: number, { mask }: Ground): boolean {
  const line = mask.slice(mask.lastIndexOf("\n", from) + 1).split("\n")[0]!;
  const name = /^\w+/.exec(mask.slice(from))?.[0];
  return name !== undefined && isStarted(name, line) && !waits.test(mask.slice(from));
}

const waits = new RegExp(
  "^(?:\\.|->)\\s*(?:join|value|await|get|wait|result|unwrap)\\b|" +
    "\\.(?:[jJ]oin\\w*|[wW]ait\\w*|await\\w*|result|get)\\(|\\bjoin\\b|" +
    "\\bwaitFor|\\b(?:done|resolve|gather|latch)\\b|<-\\s*\\w|\\b(?:run(?:All|Only)?(?:Pending)?|advance)Tim|" +
    "\\bawait (?:new Promise|Promise\\.|sleep|delay|set|flush|tick|\\w*[pP]romise)|" +
    "JoinHandle|coroutineScope|\\brun(?:Test|Blocking)\\b",
);

/** The code itself says when it is through. */
const signals = /\b(?:resolve|done|countDown|Done|complete\w*|fulfill|release|signal)\(/;

/** The statement is awaited or given back, its answer taken up, or the rest of the test waits. */
export function isWaitedFor({ header, at, end }: TestBlock, { mask }: Ground): boolean {
  if (/^(?:await|return|yield)\b/.test(header)) return true;
  const rest = mask.slice(end).replace(/^\s*\)+/, "");
  const holder = /^(?:(?:const|let|var|val|auto)\s+)?(\w+)(?:: [^=]+)? :?= /.exec(header)?.[1];
  if (
    holder !== undefined &&
    new RegExp(`(?:await|return|Wait|join|gather)[^\\n]*\\b${holder}\\b|\\b${holder}\\.`).test(rest)
  )
    return true;
  // A scope of its own is none of the test's.
  const before = /\bGlobalScope\b|CoroutineScope\(/.test(header) ? "" : mask.slice(0, at);
  return (
    runsAside({ header, at, opens: at, end }, { mask } as Ground) &&
    (waits.test(rest) ||
      signals.test(mask.slice(at, end)) ||
      /\b(?:done|runTest|runBlocking|coroutineScope)\b/.test(before))
  );
}
