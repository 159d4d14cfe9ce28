// The tests of a file, by the words of its language: name, body, what it asserts, whether it is left out.
// Patterns and brackets, no parser; comments are no code.

/** What was done to a test, and where. */
export type BentPlace = { path: string; line: number; what: string };

export type TestCase = {
  path: string;
  name: string;
  line: number;
  /** Without comments. */
  body: string;
  /** Lines that assert something. */
  assertions: string[];
  isSkipped: boolean;
  isOnly: boolean;
};

type Language = {
  files: RegExp;
  /** Begins a test or a group; the first group is its name. */
  opens: RegExp;
  /** On the opening line or on the lines with marks right above it. */
  skips: RegExp;
  only: RegExp | null;
  /** Inside of the body. */
  skipsInside: RegExp | null;
  asserts: RegExp;
  comments: RegExp;
};

const slashes = /\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/[^\n]*/g;
const hashes = /(?<!["'\w{])#(?![{[])[^\n]*/g;

const languages: readonly Language[] = [
  {
    files: /\.[cm]?[jt]sx?$/,
    opens: new RegExp(
      "^[ \\t]*(?:[xf]?(?:it|test|describe|context|specify)|Deno\\.test)(?:\\.\\w+)*(?:\\([^)" +
        "]*\\)|`[^`]*`)?\\s*\\(\\s*([\"'`])(.+?)\\1",
      "gm",
    ),
    skips: new RegExp(
      "\\b(?:it|test|describe|context|specify)(?:\\.\\w+)*\\.(?:skip|todo|fails|failing)\\b|" +
        "\\bx(?:it|test|describe|context)\\b|skip: (?:true|[\"'])|ignore: true",
    ),
    only: /\b(?:it|test|describe|context)(?:\.\w+)*\.only\b|\bf(?:it|describe)\b|only: true/,
    skipsInside: /\b(?:this|t|ctx|context)\.skip\(/,
    asserts: new RegExp(
      "\\bexpect\\s*\\(|\\bassert\\b|\\.should\\b|\\bt\\.(?:is|deepEqual|true|false|throws|" +
        "equal|ok|same)\\b|toMatchSnapshot|expectTypeOf",
    ),
    comments: slashes,
  },
  {
    files: /\.py$/,
    opens: /^[ \t]*(?:async\s+)?(?:def\s+()(test\w*)|class\s+()(Test\w*))/gm,
    skips: /@(?:pytest\.mark\.(?:skip\w*|xfail)|unittest\.(?:skip\w*|expectedFailure)|skip\w*)\b/,
    only: null,
    skipsInside: /\b(?:pytest\.(?:skip|xfail)|self\.skipTest|raise unittest\.SkipTest)\b/,
    asserts:
      /^\s*assert\b|\bself\.(?:assert\w+|fail)\(|pytest\.raises|assert_\w+\(|mock\.\w*assert/,
    comments: hashes,
  },
  {
    files: /_test\.go$/,
    opens: /^func ()(Test\w+|Benchmark\w+|Fuzz\w+)\(|^[ \t]*t\.Run\((")(.+?)"/gm,
    skips: /(?!)/,
    only: null,
    skipsInside: /\bt\.Skip(?:f|Now)?\(/,
    asserts: /\bt\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|require|is|qt|cmp)\.\w+\(/,
    comments: slashes,
  },
  {
    files: /\.rs$/,
    opens: /^[ \t]*(?:pub\s+)?(?:async\s+)?fn ()(\w+)\s*\(/gm,
    skips: /#\[ignore\b|#\[cfg\(any\(\)\)\]/,
    only: null,
    skipsInside: null,
    asserts: /\b(?:debug_)?assert\w*!|\bpanic!|#\[should_panic|\.unwrap_err\(/,
    comments: slashes,
  },
  {
    files: /\.(?:java|kt|scala|groovy)$/,
    opens:
      /^[ \t]*(?:public |private |protected |override |suspend |final )*(?:void|fun|def)\s+()(`[^`]+`|\w+)\s*\(/gm,
    skips: /@(?:Disabled|Ignore)\b/,
    only: null,
    skipsInside: /\bAssum\w*\.assum\w+\(false|\bassumeTrue\(false/,
    asserts: /\bassert\w*\s*[({]|\bverify\s*\(|\bshould\w*\b|\bfail\(|\bexpect\w*\(/,
    comments: slashes,
  },
  {
    files: /\.rb$/,
    opens:
      /^[ \t]*(?:x|f)?(?:it|specify|describe|context|test|scenario)\s*\(?\s*(["'])(.+?)\1|^[ \t]*def ()(test_\w+)/gm,
    skips: /^\s*x(?:it|describe|context|specify)\b|,\s*:?skip\b|pending:/m,
    only: /^\s*f(?:it|describe|context)\b|focus: true|, :focus\b/m,
    skipsInside: /^\s*(?:skip|pending)\b/m,
    asserts: /\bexpect\b|\bassert\w*\b|\brefute\w*\b|\.(?:must|wont|should)\w*/,
    comments: hashes,
  },
  {
    files: /\.php$/,
    opens: /function\s+()(test\w+|it_\w+)\s*\(|^[ \t]*(?:it|test)\s*\(\s*(["'])(.+?)\3/gm,
    skips: /->(?:skip|todo)\(/,
    only: /->only\(/,
    skipsInside: /markTest(?:Skipped|Incomplete)|->skip\(/,
    asserts: /(?:\$this->|self::|static::)(?:assert|expect)\w*\(|\bexpect\(/,
    comments: slashes,
  },
  {
    files: /\.cs$/,
    opens: /^[ \t]*public\s+(?:async\s+)?(?:void|Task)\s+()(\w+)\s*\(/gm,
    skips: /\bSkip\s*=|\[Ignore\b|\[Explicit/,
    only: null,
    skipsInside: /\bAssert\.(?:Ignore|Inconclusive)|Skip\.If/,
    asserts: /\bAssert\.\w+|\.Should\w*\(|\bVerify\w*\(/,
    comments: slashes,
  },
  {
    files: /\.exs$/,
    opens: /^[ \t]*(?:test|describe)\s+(")(.+?)"/gm,
    skips: /@tag :skip|@tag skip:|@moduletag :skip/,
    only: null,
    skipsInside: null,
    asserts: /\b(?:assert|refute)\w*\b/,
    comments: hashes,
  },
  {
    files: /\.(?:swift|dart)$/,
    opens: new RegExp(
      "^[ \\t]*(?:@Test\\s*(?:\\([^)]*\\)\\s*)?)?func ()(test\\w*|\\w+)\\s*\\(|^[ \\t]*(?:test|" +
        "testWidgets|group)\\(\\s*([\"'])(.+?)\\3",
      "gm",
    ),
    skips: /\.disabled\(|skip: (?:true|["'])/,
    only: /solo: true/,
    skipsInside: /XCTSkip|markTestSkipped/,
    asserts: /\bXCT(?:Assert|Unwrap|Fail)\w*|#expect|#require|\bexpect(?:Later)?\(/,
    comments: slashes,
  },
];

export function testCasesIn(path: string, text: string): TestCase[] {
  const language = languages.find(({ files }) => files.test(path));
  if (!language) return [];
  const code = withoutComments(path, text);
  const starts = [...code.matchAll(language.opens)].filter((match) =>
    isOwn(path, code, match.index),
  );
  return starts.map((match, index) => {
    const name = match.slice(1).findLast((group) => group !== undefined && group.length > 1) ?? "";
    const opening = lineAt(code, match.index);
    const marks = `${marksAbove(code, match.index)}\n${opening}`;
    const body = code.slice(match.index, starts[index + 1]?.index ?? code.length);
    const inside = language.skipsInside?.test(body) ?? false;
    return {
      path,
      name,
      line: code.slice(0, match.index).split("\n").length,
      body,
      assertions: assertionsIn(body, language.asserts),
      isSkipped: language.skips.test(marks) || inside,
      isOnly: language.only?.test(marks) ?? false,
    };
  });
}

/** Where a condition stands above a report of failure, the condition is what is asserted. */
function assertionsIn(body: string, asserts: RegExp): string[] {
  const lines = body.split("\n");
  return lines.flatMap((line, index) => {
    if (!asserts.test(line)) return [];
    const above = lines[index - 1] ?? "";
    return [squeezed(/^\s*if .*\{$/.test(above) ? above : line)];
  });
}

/** Comments are no code. */
export function withoutComments(path: string, text: string): string {
  const language = languages.find(({ files }) => files.test(path));
  return language ? text.replace(language.comments, (found) => found.replace(/[^\n]/g, " ")) : text;
}

export const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Functions of Rust, Java and C# are tests where a mark above says so. */
function isOwn(path: string, code: string, at: number): boolean {
  if (!/\.(?:rs|java|kt|scala|groovy|cs)$/.test(path)) return true;
  return /#\[(?:\w+::)*test|@(?:Parameterized)?Test\b|@RepeatedTest|\[(?:Fact|Theory|Test|TestMethod|TestCase)/.test(
    marksAbove(code, at),
  );
}

function lineAt(code: string, at: number): string {
  const start = code.lastIndexOf("\n", at) + 1;
  // The opening may go on over a line of options.
  return code
    .slice(start, Math.min(code.length, at + 200))
    .split("\n")
    .slice(0, 2)
    .join("\n");
}

/** Decorators, attributes and annotations right above a line. */
function marksAbove(code: string, at: number): string {
  const lines = code
    .slice(0, code.lastIndexOf("\n", at) + 1)
    .split("\n")
    .slice(0, -1);
  const found: string[] = [];
  for (let index = lines.length - 1; index >= 0 && found.length < 8; index--) {
    if (!/^\s*(?:@|#\[|\[|$)/.test(lines[index]!)) break;
    found.unshift(lines[index]!);
  }
  return found.join("\n");
}
