// What a test asserts: each assertion with its own words, and how much it says: exactly what comes out,
// something about it, that it is there, or nothing.
import { covered, statementEnd, statementStart, type Grammar } from "./block-end.ts";
import { withWords } from "./operands.ts";
import { obstaclesOf, type Obstacle } from "./obstacles-of.ts";
import { failureOf, strengthOf, type Strength } from "./strength.ts";

export type TestAssertion = {
  /** Where it stands in the body. */
  at: number;
  /** As it stands there: a call of a helper, or the assertion itself. */
  said: string;
  text: string;
  strength: Strength;
  /** How near the failure that is expected is described. */
  failure: Strength | null;
  /** What may keep it from running, or its failure from being heard. */
  obstacles: readonly Obstacle[];
};

/** Words of test frameworks and testSyntax: they are the same everywhere. */
const frame = new Set(
  (
    "expect assert assertEquals assertEqual assertThat assertTrue assertFalse assertThrows " +
    "assertRaises assert_eq assert_ne assert_equal assert_raises toBe toEqual toStrictEqual toThrow " +
    "toThrowError toHaveLength toMatchObject toContain not to be eq eql equal equals strictEqual " +
    "deepEqual deepStrictEqual throws is isEqualTo isTrue isFalse self t it test require cmp Equal " +
    "True False true false null None nil undefined if else const let var return await async function " +
    "def end do with raises pytest should raise_error error Error new in and or fn func of the got " +
    "want result expected actual err Errorf Fatalf Error Fatal len unwrap Some Ok class assertIs " +
    "assertIsNone assertIn isNull hasSize containsExactly assertThatThrownBy isInstanceOf hasMessage " +
    "getMessage isCloseTo within approx match e"
  ).split(" "),
);

/** Names and values that a text is about. */
export const contentOf = (text: string): ReadonlySet<string> =>
  new Set(
    (withWords(text).match(/(["'`])(?:(?!\1).){0,80}\1|-?\d+(?:\.\d+)?|[A-Za-z_$][\w$]*/g) ?? [])
      // A value is no name, whatever its letters are.
      .map((word) => word.replace(/^["'`](.*)["'`]$/, '"$1'))
      .filter((word) => word !== "" && !frame.has(word)),
  );

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Every assertion in a body; `asserts` finds where one begins. */
export function assertionsIn(body: string, asserts: RegExp, grammar: Grammar): TestAssertion[] {
  const mask = covered(body, grammar);
  const found: TestAssertion[] = [];
  let end = -1;
  for (const match of mask.matchAll(new RegExp(asserts.source, "gm"))) {
    const begin = match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0);
    if (begin < end) continue;
    const from = /^(?:\.|->|should|must|wont)/.test(mask.slice(begin))
      ? beginning(mask, statementStart(mask, begin))
      : begin;
    const last = lastOf(mask, from);
    // What holds assertions of its own says what they say.
    if (holdsOthers(mask.slice(begin + match[0].length, last), body.slice(from, last), asserts))
      continue;
    end = last;
    const condition = conditionAbove(body, mask, from);
    const text = squeezed(condition?.text ?? body.slice(from, end));
    const obstacles = obstaclesOf(condition?.at ?? from, { body, mask, grammar, asserts });
    found.push(assertionOf(text, { at: from, said: text, obstacles }));
  }
  return found;
}

export const assertionOf = (
  text: string,
  place: Pick<TestAssertion, "at" | "said" | "obstacles">,
): TestAssertion => ({
  ...place,
  text,
  strength: strengthOf(text),
  failure: failureOf(text),
});

/** `() -> assertEquals(1, x), () -> …`: the next argument is another assertion. */
function lastOf(mask: string, from: number): number {
  const last = statementEnd(mask, from);
  if (!/(?:=>|->)\s*$/.test(mask.slice(0, from))) return last;
  let depth = 0;
  for (let at = from; at < last; at++) {
    if ("([{".includes(mask[at]!)) depth++;
    else if (")]}".includes(mask[at]!)) depth--;
    else if (depth === 0 && mask[at] === ",") return at;
  }
  return last;
}

const holdsOthers = (inside: string, text: string, asserts: RegExp): boolean => {
  const closure = /=>|->|\blambda\b|\bfunc\b|\bfunction\b|\{/.exec(inside);
  return (
    closure !== null &&
    new RegExp(asserts.source, "m").test(inside.slice(closure.index)) &&
    failureOf(squeezed(text)) === null
  );
};

const beginning = (mask: string, from: number): number =>
  from + /^\s*(?:await |return )?/.exec(mask.slice(from))![0].length;

/** Where a condition stands above a report of failure, the condition is what is asserted. */
function conditionAbove(
  body: string,
  mask: string,
  from: number,
): { text: string; at: number } | undefined {
  if (!/^(?:t|b)\.(?:Error|Fatal|Fail)/.test(mask.slice(from, from + 12))) return undefined;
  const above = /(?:^|\n)[ \t]*(?:\} else )?if [^\n]*\{\s*$/.exec(mask.slice(0, from));
  if (!above) return undefined;
  const at = above.index + /^\s*(?:\} else )?/.exec(above[0])![0].length;
  return { text: body.slice(above.index, from), at };
}
