// How much an assertion says: exactly what comes out, something about it, that it is there, or nothing.
import { matcherWords, rankOf } from "./matcher-words.ts";
import { bracketAt } from "./operands.ts";

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

/** Both sides are one expression. */
function isItself(text: string): boolean {
  // Two things that were made alike are not one.
  if (/\bnew\b/.test(text)) return false;
  const plain = /^assert\s+(.{3,}?)\s*===?\s*(.{3,}?)$/.exec(text);
  if (plain) return plain[1] === plain[2];
  const { parts } = bracketAt(text, text.indexOf("("));
  const [left, right] = parts[0] === "t" ? parts.slice(1) : parts;

  return left !== undefined && left.length > 2 && left === right;
}

const size = /\blen\(|\.(?:length|size|count|len)\b|toHaveLength|hasSize|have_length|\.Len\(/;
/** `New(tc.size)`: a size that is given to something is not what is asserted. */
const handedOver = /\b(?!expect|assert|len\b)\w+\(\w+\.(?:length|size|count|len)\)/g;
const nearly =
  /[cC]loseTo|approx|AlmostEqual|InDelta|WithDelta|InEpsilon|_in_(?:delta|epsilon)|be_within|within\(|\babs\b.*<=? ?\d/;

/** So much room lets other values through. */
const wide = 0.01;

const toleranceOf = (text: string): number | null => {
  const digits = /(?:toBeCloseTo|AlmostEqual)\([^;]*?,\s*(?:places=)?(-?\d+)\s*\)\s*$/.exec(
    text,
  )?.[1];
  if (digits !== undefined) return 10 ** -Number(digits);
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
  if (said === 1 || presentHere.test(text) || bare.test(text) || isAnyCall(text)) return 1;
  return valueStrength(text, said);
};

function valueStrength(text: string, said: Strength): Strength {
  if (nearly.test(text)) return (toleranceOf(text) ?? 0) > wide ? 2 : 3;
  if (size.test(text.replace(handedOver, "")))
    return /(?<![=<>-])[<>]=?\s*\d|(?:Greater|Less|least|most)/.test(text) ? 1 : 2;
  return said === 2 || isTruth(text) || isOpen.test(unquoted(text).replace(eachOf, "")) ? 2 : 3;
}
