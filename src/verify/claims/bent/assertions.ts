// What a test asserts: each assertion with its own words, and how much it says: exactly what comes out,
// something about it, that it is there, or nothing.
import { covered, statementEnd, type Grammar } from "./block-end.ts";

/** 3: exactly this; 2: something about it; 1: that it is there; 0: nothing. */
export type Strength = 0 | 1 | 2 | 3;

/** `content`: names and values that the assertion is about. */
export type TestAssertion = {
  text: string;
  strength: Strength;
  content: ReadonlySet<string>;
  tolerance: number | null;
};

const empty = new RegExp(
  [
    "\\bexpect\\((?:true|false|1|0)\\)|^assert\\s+(?:True|1|not False)\\s*$|assert!\\(\\s*true\\s*\\)",
    "assert(?:_?[tT]rue)?\\(\\s*(?:true|True)\\s*[,)]|\\bassert\\.(?:ok|True|isTrue)\\((?:t, )?true\\)|" +
      "assert true\\b|refute false",
    "(?:toBe|toEqual|eq|Equals?|equal|assert_eq!)\\(\\s*(\\w+),\\s*\\1\\s*\\)|expect\\((\\w+)\\)\\.\\w+\\(\\2\\)",
    "\\|\\|\\s*true\\b|\\bor True\\b|assert\\s+(\\w+)\\s*==\\s*\\3\\s*$|assertTrue\\(1\\)|\\bt\\.Logf?\\(",
  ].join("|"),
);
const present = new RegExp(
  [
    "toBe(?:Defined|Truthy|Falsy)\\(|not\\.toBe(?:Null|Undefined|NaN)|not\\.to(?:Throw|throw)|\\.to\\.exist|" +
      "to\\.be\\.ok\\b",
    "is not None|assert(?:IsNot|Not)(?:None|Null)|assert_not_nil|refute_nil|be_truthy|not_to be_nil|" +
      "to_not be_nil|be_present",
    "not_to raise|assert_nothing_raised|assertDoesNotThrow|\\.(?:NotNil|NotEmpty|NoError|NotZero)\\(|" +
      "is_some\\(\\)|is_ok\\(\\)",
    "[iI]nstance_?[oO]f|isinstance|typeof|\\.to\\.be\\.an?\\(|be_an?(?:_kind_of|_instance_of)?\\b|be_kind_of|" +
      "IsType\\(",
    "isNotNull|isPresent\\(\\)|notNullValue|expect\\.anything\\(|mock\\.Anything|" +
      "GreaterThan(?:OrEqual)?\\(0\\)|\\.length\\)\\.toBeGreater",
    "(?:>|>=|!=) ?(?:0|\"\"|''|nil|null|None)\\s*\\)?$|\\bANY\\b|\\bis_empty\\(\\)\\)$|" +
      "toMatchObject\\(\\{\\s*\\}\\)|isNotEmpty",
  ].join("|"),
);
const partial = new RegExp(
  [
    "toContain|toMatch\\(|toMatchObject|\\w+Containing\\(|\\.includes?\\(|\\bto include\\b|[cC]ontains?\\b|" +
      "assert(?:Not)?In\\b|assert_includes",
    "(?:Greater|Less)Than|\\b(?:greater|less)\\b|[cC]loseTo|approx|AlmostEqual|InDelta|InEpsilon|be_within|" +
      "within\\(|isCloseTo",
    "[sS]tarts?_?[wW]ith|[eE]nds?_?[wW]ith|\\bmatch\\(|assertRegex|assert_match",
    "toHaveBeenCalled\\(\\)|toHaveProperty\\([^,)]*\\)|be_positive|any\\(|(?<![=<>-])[<>]=?\\s*-?\\d|" +
      "\\.at\\.(?:least|most)|(?:Greater|Less)\\w*\\(",
  ].join("|"),
);

/** "assert x", "assertTrue(x)": a name alone says that it is there, a call or a comparison says more. */
const bare = new RegExp(
  "^(?:assert\\s+|(?:self\\.)?assert(?:True|_true)?\\(|assert!\\(|assert\\.(?:ok|isOk|" +
    "True|isTrue)\\((?:t, )?|expect\\()[\\w.]+\\)?(?:\\.to\\.be\\.true|" +
    "\\.toBe\\(true\\))?\\)?\\s*$",
);

const strengthOf = (text: string): Strength => {
  if (empty.test(text)) return 0;
  if (present.test(text) || bare.test(text)) return 1;
  return partial.test(text) ? 2 : 3;
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
    "assertIsNone assertIn isNull hasSize containsExactly"
  ).split(" "),
);

/** Ruby's lists of words, written out. */
const withWords = (text: string): string =>
  text.replace(/%[wi]\[([^\]]*)\]/g, (_, words: string) =>
    words
      .trim()
      .split(/\s+/)
      .map((word) => `"${word}"`)
      .join(" "),
  );

export const contentOf = (text: string): ReadonlySet<string> =>
  new Set(
    (withWords(text).match(/(["'`])(?:(?!\1).){0,80}\1|-?\d+(?:\.\d+)?|[A-Za-z_$][\w$]*/g) ?? [])
      // A value is no name, whatever its letters are.
      .map((word) => word.replace(/^["'`](.*)["'`]$/, '"$1'))
      .filter((word) => word !== "" && !frame.has(word)),
  );

const toleranceOf = (text: string): number | null => {
  const digits = /(?:toBeCloseTo|AlmostEqual)\([^;]*?,\s*(?:places=)?(-?\d+)\s*\)\s*$/.exec(
    text,
  )?.[1];
  if (digits !== undefined) return 10 ** -Number(digits);
  const found =
    /(?:delta|abs|rel|epsilon|within|be_within|InDelta|offset)\b[^\d]{0,40}?(\d+(?:\.\d+)?(?:e-?\d+)?)/i.exec(
      text,
    );
  return found ? Number(found[1]) : null;
};

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Every assertion in a body; `asserts` finds where one begins. */
export function assertionsIn(body: string, asserts: RegExp, grammar: Grammar): TestAssertion[] {
  const mask = covered(body, grammar);
  const found: TestAssertion[] = [];
  let end = -1;
  for (const match of mask.matchAll(new RegExp(asserts.source, "gm"))) {
    const from = match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0);
    if (from < end) continue;
    end = statementEnd(mask, from);
    const condition = conditionAbove(body, mask, from);
    const text = squeezed(condition ?? body.slice(from, end));
    found.push({
      text,
      strength: strengthOf(text),
      content: contentOf(text),
      tolerance: toleranceOf(text),
    });
  }
  return found;
}

/** Where a condition stands above a report of failure, the condition is what is asserted. */
function conditionAbove(body: string, mask: string, from: number): string | undefined {
  if (!/^(?:t|b)\.(?:Error|Fatal|Fail)/.test(mask.slice(from, from + 12))) return undefined;
  const above = /(?:^|\n)[ \t]*(?:\} else )?if [^\n]*\{\s*$/.exec(mask.slice(0, from));
  return above ? body.slice(above.index, from) : undefined;
}

/** Values that stand in a text: strings of some length and numbers, messages of failures aside. */
export const valuesIn = (text: string): ReadonlySet<string> =>
  new Set(
    (
      withWords(text)
        .replace(/\bt\.(?:Error|Fatal|Log|Skip)\w*\([^\n]*/g, "")
        .match(/(["'`])(?:(?!\1)[^\n]){1,80}\1|(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g) ?? []
    ).map((word) => word.replace(/^["'`]|["'`]$/g, "")),
  );
