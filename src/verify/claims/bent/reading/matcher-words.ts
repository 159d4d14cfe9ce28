// What an assertion asks for, in the words of its matcher, whatever library has it: `toBeInstanceOf`,
// `NotBeNullOrEmpty`, `assert_kind_of`, `Is.Not.Null` are read as words, not as names of a list.
import { bracketAt, coverOf } from "./operands.ts";

/** The words that name what is asserted, subject and expected values left out. */
export function matcherWords(text: string): string[] {
  const plain = text.replace(/^(?:await|return|yield)\s+|\s+/g, (space) =>
    space.trim() === "" ? " " : "",
  );
  const cover = coverOf(plain);
  // The last one says what is asserted: `x.shouldBeInstanceOf<Ok>().value shouldBe 5`.
  const infix = [...cover.matchAll(infixes)].at(-1);
  const from = infix ? infix.index + infix[0].length : 0;
  const head = /^[\w$.:>#!-]*/.exec(cover.slice(from))![0];
  const opened = cover[from + head.length];
  if (infix || opened !== "(" || !isSubjectFirst(head))
    return wordsOf(opened === "(" ? chain(cover, from) : head);
  const { parts, end } = bracketAt(plain, head.length);
  const behind = cover.slice(end);
  // `assertThat(x, is(not(nullValue())))`, `Assert.That(x, Is.Not.Null)`.
  if (!/^\s*(?:\.|->)/.test(behind)) return wordsOf(calledIn(parts.at(1) ?? ""));
  const asked = chain(cover, end);
  // `toEqual(expect.any(Number))` asks for what stands inside.
  const inner = /\(\s*expect\.((?:\w+\.)*\w+)\(/.exec(cover.slice(end))?.[1];
  return wordsOf(`${asked} ${inner ?? ""}`);
}

const infixes = /(?:\.|->|\s)(?=(?:should|must|wont)(?:_|[A-Z]|\b)|Should\b)/g;

const isSubjectFirst = (head: string): boolean =>
  /(?:^|[.:>])(?:expect\w*|assert_?[tT]hat|That|check|verifyThat)$/.test(head);

/** The names of a chain; what stands in its brackets is left out. */
function chain(cover: string, from: number): string {
  let depth = 0;
  let names = "";
  for (const one of cover.slice(from)) {
    if ("([{".includes(one)) depth++;
    else if (")]}".includes(one)) depth--;
    else if (depth === 0) names += one;
  }
  // `.to be_a Array, "message"`: a value without brackets is none of the words.
  return names;
}

/** Names of calls and constants of a matcher that is a value itself. */
const calledIn = (part: string): string =>
  (
    coverOf(part).match(/[A-Za-z_]\w*(?=\()|\b(?:Is|Has|Does|Contains|Throws)(?:\.\w+)+/g) ?? []
  ).join(" ");

const wordsOf = (text: string): string[] =>
  (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const negations = set("not no never nothing wont refute isnt doesnt without");
const nothings = set(
  "null nil none undefined empty blank whitespace zero nan default error err errors exception " +
    "throw throws raise raised raises",
);
const kinds = set(
  "instance instanceof isinstance kind type typeof subclass implement implements callable respond iterable assignable",
);
const shapes = set(
  "array string int integer bool boolean float object numeric list dict map number hash function",
);
const presences = set("defined truthy falsy exist exists present anything something some ok any");
const parts = set(
  "contain contains containing include includes included match matches matching regex regexp start starts starting " +
    "end ends ending prefix suffix greater less more least most above below between range oneof either key keys " +
    "property attribute item items entry size length len count superset subset " +
    "positive negative like similar any each every all satisfy satisfies satisfying",
);
const equals = set("equal equals eq eql be same is identical");
/** These name every element. */
const wholes = set("exactly only ordered");

/** 1: that it is there, or of what kind; 2: a part of it; 3: all of it. */
export function rankOf(words: readonly string[]): 1 | 2 | 3 {
  const has = (of: ReadonlySet<string>): boolean => words.some((word) => of.has(word));
  const isNegated = has(negations);
  const said = words.join(" ");
  if (has(wholes) || /\b(?:match array|count equal)\b/.test(said)) return 3;
  if (has(kinds) || isOfKind(said)) return 1;
  if (has(presences) && !isNegated) return 1;
  if (isNegated && has(nothings)) return 1;
  if (has(parts) || words.at(-1) === "in" || (isNegated && has(equals))) return 2;
  return 3;
}

/** `be an array`, `is string`. */
const isOfKind = (said: string): boolean =>
  /\b(?:be|is|to) (?:an?|of)$|\b(?:be|is|to) an? /.test(said) ||
  shapes.has(/\b(?:be|is) (\w+)$/.exec(said)?.[1] ?? "");
