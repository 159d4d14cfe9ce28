// How tests are written in each language, as data: what opens one, what leaves it out, what asserts.
import type { grammars } from "../reading/block-end.ts";

export type Language = {
  files: RegExp;
  grammar: keyof typeof grammars;
  /** Begins a test or a group; the last group that is filled is its name. */
  opens: RegExp;
  /** A mark above that makes a function a test; null where the opening says so itself. */
  marked: RegExp | null;
  /** On the opening line, on the marks above it, or on those of its groups. */
  skips: RegExp;
  only: RegExp | null;
  /** Inside of the body. */
  skipsInside: RegExp | null;
  /** A test without a body. */
  bodiless: RegExp | null;
  /** Anywhere in the file: all of it is left out. */
  fileSkips: RegExp | null;
  asserts: RegExp;
};

export const testSyntax: readonly Language[] = [
  {
    files: /\.[cm]?[jt]sx?$/,
    grammar: "braces",
    opens: new RegExp(
      "^[ \\t]*(?:[xf]?(?:it|test|describe|context|specify|suite)|Deno\\.test|" +
        "t\\.test)(?:\\.\\w+)*(?:<[^(]*>)?(?:\\([^()]*\\)|" +
        "\\(\\[[\\s\\S]*?\\]\\)|`[^`]*`)?\\s*\\(\\s*([\"'`])(.+?)\\1",
      "gm",
    ),
    marked: null,
    skips: new RegExp(
      "\\b(?:it|test|describe|context|specify|suite)(?:\\.\\w+)*\\.(?:skip\\w*|todo|fails|failing|fixme|runIf)\\b|" +
        "\\bx(?:it|test|describe|context)\\b|\\bskip: (?:true|[\"'!])|ignore: true|todo: true",
    ),
    only: /\b(?:it|test|describe|context|suite)(?:\.\w+)*\.only\b|\bf(?:it|describe|context)\b|only: true/,
    skipsInside: /\b(?:this|t|ctx|context|test)\.(?:skip|fixme)\(/,
    bodiless: /^\w+(?:\.\w+)*\(\s*(["'`])(?:(?!\1).)*\1\s*,?\s*\)?;?\s*$/,
    fileSkips:
      /(?:describe|it|test)\.skip\s*:\s*(?:describe|it|test)\b|\?\s*(?:describe|it|test)\s*:\s*\w+\.skip\b/,
    asserts: new RegExp(
      "\\bexpect(?:\\.\\w+)?\\s*\\(|(?<!console\\.)\\bassert(?:\\.\\w+)*\\s*\\(|\\.should\\b|" +
        "\\bt\\.(?:is|deepEqual|true|" +
        "false|throws|not|" +
        "equal|ok|same|like)\\b|expectTypeOf",
    ),
  },
  {
    files: /\.py$/,
    grammar: "python",
    opens: /^[ \t]*(?:async\s+)?(?:def\s+()(test\w*)|class\s+()(\w*Test\w*))/gm,
    marked: null,
    skips: new RegExp(
      "@(?:pytest\\.mark\\.(?:skip\\w*|xfail)|unittest\\.(?:skip\\w*|expectedFailure)|" +
        "skip\\w*|expectedFailure)\\b|marks=\\w*\\.?mark\\.(?:skip|xfail)",
    ),
    only: null,
    skipsInside:
      /\b(?:pytest\.(?:skip|xfail)|self\.skipTest|raise (?:unittest\.)?SkipTest)\b|__test__ = False/,
    bodiless: null,
    fileSkips: new RegExp(
      "^pytestmark\\s*=.*(?:skip|xfail)|allow_module_level\\s*=\\s*True|^__test__ = False|" +
        "^(?:\\w+ = )?pytest\\.importorskip\\(",
      "m",
    ),
    asserts:
      /^\s*assert\b|\bself\.(?:assert\w+|fail)\(|pytest\.raises\(|\bassert_\w+\(|\.assert_\w+\(|np\.testing\.\w+\(/,
  },
  {
    files: /\.go$/,
    grammar: "braces",
    opens:
      /^func (?:\(\w+ \*?\w+\) )?()(Test[A-Z_]\w*|Test|Fuzz\w+|Example\w*)\(|^[ \t]*t\.Run\((")(.+?)"/gm,
    marked: null,
    skips: /(?!)/,
    only: null,
    skipsInside: /\b[tb]\.Skip(?:f|Now)?\(/,
    bodiless: null,
    fileSkips:
      /^\/\/ ?(?:go:build|\+build) (?!.*\b(?:linux|darwin|windows|unix|amd64|arm64|cgo|go1))/m,
    asserts: new RegExp(
      "\\bt\\.(?:Error|Fatal|Fail|Log)\\w*\\(|\\b(?:assert|require|is|qt|td)\\.\\w+\\(|" +
        "\\b(?:s|ts|suite)\\.(?:(?:Require|Assert)\\(\\)\\.)?(?:Not)?(?:Equal\\w*|Exactly|Same|" +
        "True|False|Nil|Error\\w*|NoError|Len|Contains|Empty|Zero|Panics\\w*|" +
        "Eventually|ElementsMatch|JSONEq|In(?:Delta|Epsilon)|Greater\\w*|Less\\w*|Regexp|IsType|Implements)\\(",
    ),
  },
  {
    files: /\.rs$/,
    grammar: "rust",
    opens: /^[ \t]*(?:pub(?:\(\w+\))?\s+)?(?:async\s+)?fn ()(\$?\w+)\s*[(<]/gm,
    marked: /#\[(?:\w+::)*(?:test|rstest|case|proptest|quickcheck|wasm_bindgen_test)\b/,
    skips: /#\[ignore\b|#\[cfg\(any\(\)\)\]|#\[cfg_attr\([^\]]*ignore|#\[cfg\((?:feature|not\()/,
    only: null,
    skipsInside: null,
    bodiless: null,
    fileSkips: /^#!\[cfg\((?!test\))|#\[cfg\((?!test\))[^\]]*\)\]\s*(?:pub )?mod \w*tests?\b/m,
    asserts: /\b(?:debug_)?(?:assert\w*|prop_assert\w*)!|\bpanic!|\.unwrap_err\(/,
  },
  {
    files: /\.(?:java|kt|scala|groovy)$/,
    grammar: "braces",
    opens: new RegExp(
      "^[ \\t]*(?:(?:public|private|protected|override|suspend|final|static|internal|" +
        'open) )*(?:void|fun|def|class)\\s+()(`[^`]+`|\\w+|"[^"]+")|' +
        "^[ \\t]*x?(?:test|it|should|describe|context|given|when|then|feature|scenario|expect)" +
        '\\s*\\(\\s*(")(.+?)"\\s*\\)[^\\n]*\\{|' +
        '^[ \\t]*(?:(?:it|they) should )?(")([^"\\n]+)"(?: (?:-|in|should|when|must|can)(?= ["{])[^\\n{]*)?[ \\t]*\\{',
      "gm",
    ),
    marked: new RegExp(
      "@(?:Parameterized|Repeated|Property)?Test\\b|@TestFactory|@Disabled\\b|@Ignore\\b|" +
        "@Nested\\b|@TestInstance|@ExtendWith|@RunWith",
    ),
    skips: new RegExp(
      "@(?:Disabled\\w*|Ignore|EnabledIf\\w*|EnabledOn\\w*)\\b|enabled\\s*=\\s*(?!true)|" +
        '^\\s*x(?:test|it|should|describe|context|given|feature|scenario)\\s*\\(|(?:^|\\()\\s*"!|^\\s*ignore\\b',
      "m",
    ),
    only: /(?:^|\()\s*"f:/m,
    skipsInside:
      /\bAssum\w*\.(?:assum\w+|abort)\(|\bassume(?:True|False|That)\(|throw new (?:Skip|TestAborted)\w*\(/,
    bodiless: null,
    fileSkips: null,
    asserts: /\bassert\w*\s*[({]|\bverify\w*\s*[({]|\bshould\w*\b|\bfail\(|\bexpect\w*\(/,
  },
  {
    files: /\.rb$/,
    grammar: "ruby",
    opens: new RegExp(
      "^[ \\t]*[xf]?(?:it|specify|describe|context|test|scenario|" +
        "feature)\\s*\\(?\\s*([\"'])(.+?)\\1|^[ \\t]*[xf]?(?:it|specify) ()(\\{.*\\})|" +
        "^[ \\t]*(?:RSpec\\.)?[xf]?describe\\s+()([\\w:]+)|^[ \\t]*def ()(test_\\w+)|" +
        "^[ \\t]*class\\s+()(\\w*Test\\w*)",
      "gm",
    ),
    marked: null,
    skips: new RegExp(
      "^\\s*(?:RSpec\\.)?x(?:it|describe|context|specify|scenario|feature)\\b|" +
        ",\\s*:?(?:skip|pending)\\b|,\\s*(?:if|unless):\\s",
      "m",
    ),
    only: /^\s*(?:RSpec\.)?f(?:it|describe|context|specify)\b|focus: true|, :focus\b/m,
    skipsInside: /(?:^|[{;])\s*(?:skip|pending|omit)\b/m,
    bodiless: /^(?:it|specify|test|scenario)\s*\(?\s*(["'])(?:(?!\1).)*\1\s*\)?\s*$/,
    fileSkips: null,
    asserts:
      /\b(?:is_)?expect(?:ed)?\b|\bassert\w*[ (]|\brefute\w*[ (]|\.(?:must|wont)_\w+|\.should(?:_not)?\b/,
  },
  {
    files: /\.php$/,
    grammar: "braces",
    opens: /function\s+()(test\w+|it_\w+)\s*\(|^[ \t]*(?:it|test|describe)\s*\(\s*(["'])(.+?)\3/gm,
    marked: null,
    skips: /->(?:skip|todo)\(|#\[(?:Skip|Ignore)/,
    only: /->only\(/,
    skipsInside: /markTest(?:Skipped|Incomplete)|->(?:skip|todo)\(/,
    bodiless: null,
    fileSkips: null,
    asserts:
      /(?:\$this->|self::|static::)(?:assert|expect)\w*\(|\bexpect\(|\$\w+->expects\(|->(?:should|assert|throws)\w*\(/,
  },
  {
    files: /\.cs$/,
    grammar: "braces",
    opens: /^[ \t]*public\s+(?:async\s+)?(?:void|Task)\s+()(\w+)\s*\(/gm,
    marked: /\[(?:Fact|Theory|Test|TestMethod|TestCase|InlineData)/,
    skips: /\bSkip\s*=|[[,]\s*(?:Ignore|Explicit)\b/,
    only: null,
    skipsInside: /\bAssert\.(?:Ignore|Inconclusive|Pass)\b|Skip\.If/,
    bodiless: null,
    fileSkips: null,
    asserts: /\b\w*Assert\.\w+|\.Should\w*\(|\bVerify\w*\(/,
  },
  {
    files: /\.exs$/,
    grammar: "ruby",
    opens: /^[ \t]*(?:test|describe)\s+(")(.+?)"/gm,
    marked: null,
    skips: /@tag :skip|@tag skip:|@moduletag :skip/,
    only: null,
    skipsInside: null,
    bodiless: null,
    fileSkips: /@moduletag :?skip/,
    asserts: /\b(?:assert|refute)\w*\b/,
  },
];
