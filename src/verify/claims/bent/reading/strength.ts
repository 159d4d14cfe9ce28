// How much an assertion says: exactly what comes out, something about it, that it is there, or nothing.
import { matcherWords, rankOf } from "./matcher-words.ts";

/** 3: exactly this; 2: something about it; 1: that it is there; 0: nothing. */
export type Strength = 0 | 1 | 2 | 3;

const empty = new RegExp(
  [
    "\\bexpect\\((?:true|false|1|0)\\)|^assert\\s+(?:True|1|not False)\\s*$|assert!\\(\\s*true\\s*\\)",
    "assert(?:_?[tT]rue)?\\(\\s*(?:true|True)\\s*[,)]|\\bassert\\.(?:ok|True|isTrue)\\((?:t, )?true\\)|" +
      "assert true\\b|refute false",
    "(?:toBe|toEqual|eq|Equals?|equal|assert_eq!)\\(\\s*(\\w+),\\s*\\1\\s*\\)|expect\\((\\w+)\\)\\.\\w+\\(\\2\\)",
    "\\|\\|\\s*true\\b|\\bor True\\b|assert\\s+(\\w+)\\s*==\\s*\\3\\s*$|assertTrue\\(1\\)|\\bt\\.Logf?\\(",
    // Python takes a bracket with a comma for true.
    "NotToPerformAssertions|addToAssertionCount|^assert \\(.*,\\s*[\"'][^\"']*[\"']\\)$",
  ].join("|"),
);
/** Said by an expression, whatever stands around it. */
const presentHere = new RegExp(
  [
    "is not None|is_some\\(\\)|is_ok\\(\\)|isPresent\\(\\)|isinstance|\\binstanceof\\b|typeof\\b|\\bis_a\\?|kind_of\\?",
    "(?:>|>=|!==?|is not) ?(?:0|\"\"|''|nil|null|None|undefined)\\s*\\)?;?$|\\bANY\\b|\\bis_empty\\(\\)\\)$",
    "toMatchObject\\(\\{\\s*\\}\\)|GreaterThan(?:OrEqual)?\\(0\\)|\\.length\\)\\.toBeGreater",
    "expect\\.any(?:thing)?\\(|mock\\.Anything",
    '\\btype\\(.*\\) (?:is|==) |assertTrue\\(.* is [A-Z]\\w*\\)|^(?:\\} else )?if .*== (?:""|nil|0) \\{$',
    "[fF]alse\\(.*\\bIs(?:NullOr)?(?:Empty|WhiteSpace)\\w*\\(",
    "matches!\\(.*\\((?:_|\\.\\.)\\)\\s*\\)|\\berr [!=]= nil \\{$|assert \\{:\\w+, _\\} =|assert is_\\w+[( ]",
    "\\b(?:assert|require)\\.Error\\(t, \\w+\\)",
  ].join("|"),
);
/** Not empty, not blank: that something is there. */
const notEmpty = new RegExp(
  "(?:[fF]alse|refute|\\bnot |!)[^=]*\\b(?:is_?)?(?:[eE]mpty|[bB]lank|[nN]ull|nil)\\??(?:\\(\\s*\\))?\\W*$|" +
    "[eE]mpty\\??(?:\\(\\s*\\))?\\W+(?:\\w+\\W+){1,3}false\\W*$",
);
/** One of several values will do. */
const several = /==[^|]*(?:\|\||\bor\b)[^|]*==|(\w[\w.()]*) != [^&|]+&& \1 !=/;

const partialHere = new RegExp(
  [
    "\\bany(?:[A-Z]\\w*)?\\(|\\bto change\\b(?!.*\\.(?:from|by|to)\\()",
    "\\w+Containing\\(",
    "\\.(?:includes?|contains?|Contains|(?:starts|ends)_?[wW]ith|(?:Starts|Ends)With|any|some)\\??\\(|\\.include\\?",
    "assert_ne!|^assert\\s.*\\s(?:!=|in [(\\[{])|assert!\\(matches!\\([^)]*\\||matches!\\(.*\\||\\bmatch\\(",
    "It\\.IsAny|Arg\\.Any\\b|assert_called\\(|toHaveBeenCalled\\(\\)|toMatch(?:Inline)?Snapshot\\(\\s*\\)",
    "(?<![=<>-])[<>]=?\\s*-?\\d",
  ].join("|"),
);

/** "assert x", "assertTrue(x)": a name alone says that it is there, a call or a comparison says more. */
const bare = new RegExp(
  "^(?:assert\\s+|(?:\\w+\\.)?assert(?:True|_true)?\\(|assert!\\(|assert\\.(?:ok|isOk|" +
    "True|isTrue)\\((?:t, )?|expect\\()[\\w.]+\\)?(?:\\.to\\.be\\.true|" +
    "\\.toBe\\(true\\))?\\)?\\s*$",
);

/** Any failure will do; then: one of this class. With its message it is exact. */
const anyFailure = new RegExp(
  "\\b(?:raises|assertRaises)\\(\\s*(?:Base)?Exception\\s*[,)]|[tT]hrows\\w*\\((?:Exception|Throwable)\\.class|" +
    "toThrow(?:Error)?\\(\\s*(?:Error)?\\s*\\)|raise_error(?:\\(StandardError\\))?(?![( ]\\S)|" +
    "assert_raises?\\(StandardError\\)|[tT]hrows\\(\\\\?(?:Exception|Throwable)::class|throwsNoExceptions|" +
    "expectException\\(\\\\?(?:Exception|Throwable)::class|" +
    "(?:[tT]hrow\\w*|[fF]ailsWith)<(?:System\\.)?(?:Exception|Throwable)>|assertFails\\s*\\{|Throws\\.Exception\\b",
);
const failure = new RegExp(
  "\\b(?:assert_)?(?:raises|assertRaises\\w*)\\(|->throws\\(|expectException\\(|" +
    "[tT]hrows\\w*\\(\\w+(?:\\.\\w+)*\\.class|toThrow(?:Error)?\\(\\s*[\\w\"'`/]|ThrownBy|raise_error|" +
    "(?<![nN]ot)(?:[tT]hrow\\w*|[fF]ailsWith)<[\\w.]+>|Throws\\.\\w+",
);
const failureText = new RegExp(
  "assertRaisesRegexp?\\(|match=(?!r?[\"'](?:\\.[*+]?)?[\"'])|throws\\(.*, *[\"']|[hw][ai]\\w+Message|" +
    "toThrow\\w*\\(\\s*[\"'`/]|raise_error\\W[^\"'/]*[\"'/]",
);

/** How near a failure is described: 3 with its message, 2 by its class, 1 any; null where none is expected. */
export const failureOf = (text: string): Strength | null => {
  if (failureText.test(text)) return failure.test(text) ? 3 : null;
  if (anyFailure.test(text)) return 1;
  return failure.test(text) ? 2 : null;
};

const truth = new RegExp(
  "^(?:assert\\s|assert!\\(|(?:self\\.)?assert(?:True|_true)?\\(|assert\\.(?:ok|True|isTrue)\\(|" +
    "assertThat\\(.*\\)\\.isTrue\\(\\)|expect\\(.*\\)\\.(?:toBe\\(true\\)|to\\.be\\.true))",
);
/** `if !IsLeap(2000) {` above a report of failure. */
const isBareCondition =
  /^(?:\} else )?if (?:[^;{]*; )?!?(?!(?:\w+\.)*(?:\w*Equal\w*|Is|As|Match\w*)\()[\w.]+\([^=<>]*\) \{$/;
/** Only that a call gave something true. */
const isTruth = (text: string): boolean =>
  isBareCondition.test(text) ||
  (truth.test(text) &&
    !/[=!]=|[<>]|\b(?:in|is|not)\b|![\w(]|equals?\w*\(/i.test(
      text.replace(/(["'`])(?:(?!\1).)*\1|=>|->|\s(?:is|==) True\b|assert!/g, ""),
    ));

/** The parts of the first bracket, cut at its own commas, and what stands behind it. */
function partsOf(text: string): { parts: string[]; behind: string } {
  const parts: string[] = [];
  const from = text.indexOf("(");
  let depth = 0;
  let begin = from + 1;
  for (let at = from; at >= 0 && at < text.length; at++) {
    if ("([{".includes(text[at]!)) depth++;
    else if (")]}".includes(text[at]!)) depth--;
    if ((depth === 1 && text[at] === ",") || depth === 0) {
      parts.push(text.slice(begin, at).trim());
      begin = at + 1;
    }
    if (depth === 0) break;
  }
  return { parts, behind: text.slice(begin) };
}

/** Both sides are one expression. */
function isItself(text: string): boolean {
  // Two things that were made alike are not one.
  if (/\bnew\b/.test(text)) return false;
  const plain = /^assert\s+(.{3,}?)\s*===?\s*(.{3,}?)$/.exec(text);
  if (plain) return plain[1] === plain[2];
  const { parts, behind } = partsOf(text);
  const [left, right] = parts[0] === "t" ? parts.slice(1) : parts;
  if (/^(?:expect|assertThat)\(/.test(text)) {
    const other = /^(?:\.(?:to|not|be))*[. ]\w*(?:[bB]e|[eE]q\w*|isEqualTo|same\w*)\((.*)\)/.exec(
      behind,
    )?.[1];
    return left !== undefined && left.length > 2 && left === other;
  }
  return left !== undefined && left.length > 2 && left === right;
}

const size = /\blen\(|\.(?:length|size|count|len)\b|toHaveLength|hasSize|have_length|\.Len\(/;
/** `New(tc.size)`: a size that is given to something is not what is asserted. */
const handedOver = /\b(?!expect|assert|len\b)\w+\(\w+\.(?:length|size|count|len)\)/g;
const nearly =
  /[cC]loseTo|approx|AlmostEqual|InDelta|WithDelta|InEpsilon|_in_(?:delta|epsilon)|be_within|within\(|\babs\b.*<=? ?\d/;

/** Room of more than a hundredth of the value. */
function isWide(text: string, tolerance: number): boolean {
  if (/\brel|Epsilon/.test(text)) return tolerance > 0.01;
  const numbers = (text.match(/(?<![\w.])\d+(?:\.\d+)?/g) ?? []).map(Number);
  const most = Math.max(1, ...numbers.filter((one) => one !== tolerance));
  return tolerance > most / 100;
}

/** `assertEquals(25.0, x, 0.001)`. */
function thirdNumber(text: string): number | null {
  if (!/\bassertEquals(?:WithDelta)?$/.test(text.slice(0, text.indexOf("(")))) return null;
  const third = partsOf(text).parts[2] ?? "";
  return /^\d+(?:\.\d+)?(?:e-?\d+)?[fd]?$/i.test(third) ? Number.parseFloat(third) : null;
}

export const toleranceOf = (text: string): number | null => {
  const digits = /(?:toBeCloseTo|AlmostEqual)\([^;]*?,\s*(?:places=)?(-?\d+)\s*\)\s*$/.exec(
    text,
  )?.[1];
  if (digits !== undefined) return 10 ** -Number(digits);
  const third = thirdNumber(text);
  if (third !== null) return third;
  const last = /_in_(?:delta|epsilon)\b.*,\s*(\d+(?:\.\d+)?(?:e-?\d+)?)\s*\)?\s*$/.exec(text)?.[1];
  if (last !== undefined) return Number(last);
  const found =
    /(?:delta|abs|rel|epsilon|within|be_within|InDelta|offset)\b[^\d]{0,40}?(\d+(?:\.\d+)?(?:e-?\d+)?)/i.exec(
      text,
    );
  return found ? Number(found[1]) : null;
};

/** Called somehow, with whatever. */
const isAnyCall = (text: string): boolean =>
  /It\.IsAny|Arg\.Any\b|\bany\w*\(/.test(text) &&
  /\b(?:Times\.|at_?)[aA]t?_?[lL]east|atLeast/i.test(text);

const unquoted = (text: string): string => text.replace(/(["'`])(?:(?!\1).)*\1/g, '""');
/** `for p in paths` goes through what is asserted. */
const eachOf = /\bfor [\w, ()]+ in\b/g;
/** One of many, or more than something. */
const isOpen =
  /^(?:\w+\.)?[aA]ssert(?:!|\.?(?:[tT]rue|ok|isTrue))?[\s(].*\s(?:(?:not )?in|[<>]=?)\s/;

export const strengthOf = (text: string): Strength => {
  if (empty.test(text) || isItself(text)) return 0;
  const failed = failureOf(text);
  if (failed !== null) return failed === 1 ? 1 : 3;
  const said = rankOf(matcherWords(text));
  if (
    said === 1 ||
    presentHere.test(text) ||
    notEmpty.test(text) ||
    bare.test(text) ||
    isAnyCall(text)
  )
    return 1;
  return valueStrength(text, said);
};

function valueStrength(text: string, said: Strength): Strength {
  // Hamcrest's `contains` names every element.
  if (/^assertThat\(.*, contains\(/.test(text)) return 3;
  if (nearly.test(text) || thirdNumber(text) !== null)
    return isWide(text, toleranceOf(text) ?? 0) ? 2 : 3;
  if (size.test(text.replace(handedOver, "")))
    return /(?<![=<>-])[<>]=?\s*\d|(?:Greater|Less|least|most)/.test(text) ? 1 : 2;
  return said === 2 ||
    partialHere.test(text) ||
    several.test(unquoted(text)) ||
    isTruth(text) ||
    isOpen.test(unquoted(text).replace(eachOf, ""))
    ? 2
    : 3;
}
