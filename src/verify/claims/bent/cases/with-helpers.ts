// Functions beside the tests, and what a test asserts by calling them: the helper's assertions with the
// values of the call in place of its parameters, wherever in the test tree the helper stands.
import { blockEnd, covered, grammars, type Grammar } from "../reading/block-end.ts";
import { assertionOf, assertionsIn, type TestAssertion } from "../reading/assertions.ts";
import { bracketAt, outsideLiterals } from "../reading/operands.ts";
import type { Language } from "./test-syntax.ts";

export type Helper = {
  name: string;
  at: number;
  end: number;
  parameters: string[];
  body: string;
  assertions: TestAssertion[];
};

export type Helpers = ReadonlyMap<string, Helper>;

const modifiers =
  "(?:(?:export|default|pub(?:\\(\\w+\\))?|async|static|private|public|protected|internal|final|override|" +
  "open|suspend|abstract|virtual) )*";
const defines = new RegExp(
  `^[ \\t]*${modifiers}(?:function\\*?|def|func|fn|fun)\\s+(?:\\([^)]*\\)\\s*|<[^>\\n]*>\\s*)?` +
    "(?:self\\.)?(\\w+[?!]?)|" +
    `^[ \\t]*${modifiers}(?:const|let) (\\w+) = (?:async )?(?:\\([^)]*\\)|\\w+)[^=\\n]*=>|` +
    "^[ \\t]*(?:(?:private|public|protected|internal|static|final|async|abstract) )+(?:<[^>\\n]*> )?" +
    "[\\w<>[\\],?.]+ (\\w+)\\(|" +
    "^[ \\t]+(?:async )?(?!(?:if|for|while|switch|catch|function|return)\\b)(?:[\\w<>]+ )?(\\w+)" +
    "\\([^()\\n]*\\)(?:: [\\w<>]+)? \\{$",
  "gm",
);

/** `isTest`: whether a test begins there. */
export function helpersIn(
  code: string,
  mask: string,
  { language, isTest }: { language: Language; isTest: (at: number) => boolean },
): Helper[] {
  const grammar: Grammar = grammars[language.grammar];
  return [...mask.matchAll(defines)].flatMap((match): Helper[] => {
    const at = match.index + /^\s*/.exec(match[0])![0].length;
    if (isTest(at)) return [];
    const end = blockEnd(mask, at, grammar);
    const name = match.slice(1).find((group) => group !== undefined) ?? "";
    const body = code.slice(at, end);
    const parameters = parametersOf(body.slice(body.indexOf(name) + name.length), language);
    const assertions = assertionsIn(body, language.asserts, grammar);
    return [{ name, at, end, parameters, body, assertions }];
  });
}

/** `(t *testing.T, want int)`, `(String want, int got)`, `(want: Int, got = 3)`, ` want, got`. */
function parametersOf(behind: string, language: Language): string[] {
  const from = behind.search(/[({\n]/);
  if (from < 0 || behind[from] !== "(") return [];
  const isFirst = language.files.test("a.go");
  return bracketAt(behind, from)
    .parts.map((part) => part.replace(/\s*=[^>].*$/s, ""))
    .map((part) => (part.includes(":") ? part.slice(0, part.indexOf(":")) : part))
    .map((part) => (part.match(/\$?\w+/g) ?? [""]).at(isFirst ? 0 : -1)!)
    .filter((name, index) => index > 0 || !/^(?:self|cls|received)$/.test(name));
}

/** A helper of a helper of a helper is followed, and no further. */
const maxDepth = 3;

/** What `body` asserts, in its order: by itself, and by the helpers that it calls. */
export function withHelpers(
  body: string,
  own: readonly TestAssertion[],
  setting: { helpers: Helpers; language: Language; depth?: number },
): TestAssertion[] {
  const { helpers, language, depth = 0 } = setting;
  if (helpers.size === 0 || depth >= maxDepth) return [...own];
  const grammar: Grammar = grammars[language.grammar];
  const calls = callsIn(body, covered(body, grammar), helpers);
  const called = calls.flatMap(({ helper, call, at, parts }) =>
    withHelpers(helper.body, helper.assertions, {
      helpers,
      language,
      depth: depth + 1,
    }).map((one) => ({
      ...filledIn(one, helper.parameters, parts),
      at,
      said: call.replace(/\s+/g, " ").trim(),
    })),
  );
  const named = new Set(
    calls.filter(({ helper }) => helper.assertions.length > 0).map(({ at }) => at),
  );
  // `assertCart(cart, 3)` says what the helper of that name says.
  const plain = own.filter(({ at }) => !named.has(at));
  return [...plain, ...called].toSorted((one, other) => one.at - other.at);
}

type Call = { helper: Helper; call: string; at: number; parts: string[] };

const callsIn = (body: string, mask: string, helpers: Helpers): Call[] =>
  [...mask.matchAll(/(?<![\w$])[A-Za-z_]\w*[?!]?(?=\()/g)].flatMap(({ index, 0: name }): Call[] => {
    const helper = helpers.get(name);
    if (!helper || !isReached(helper, mask.slice(Math.max(0, index - 60), index))) return [];
    const { parts, end } = bracketAt(body, index + name.length);
    return [{ helper, call: body.slice(index, end), at: index, parts }];
  });

/** Another object's method of the same name is no helper, unless the helper is one that asserts. */
function isReached({ assertions }: Helper, before: string): boolean {
  if (/(?:def|fn|func|function|fun|void)\s+$/.test(before)) return false;
  return assertions.length > 0 || !/(?:\.|->|::)$/.test(before) || ownReceiver.test(before);
}

/** A helper stands in the test's own class, in a base class, or in a class or module of helpers. */
const ownReceiver =
  /(?<!\w)(?:self|this|super|cls|static|parent|base|[A-Z]\w*|\w*(?:[hH]elper|[uU]til|assert|check)\w*)(?:\.|->|::)$/;

/** The values of a call in place of the parameters; a closure stays the name that it has inside. */
function filledIn(
  one: TestAssertion,
  parameters: readonly string[],
  parts: readonly string[],
): TestAssertion {
  const given = new Map<string, string>();
  parts.forEach((part, index) => {
    const named = /^(\$?\w+)\s*(?:[:=](?![=:])|=>)\s*(\S.*)$/s.exec(part);
    const isNamed = named !== null && parameters.includes(named[1]!);
    const name = isNamed ? named[1]! : parameters[index];
    const value = isNamed ? named[2]! : part;
    if (name !== undefined && !/=>|->|\bfunc\b|\bfunction\b|\blambda\b|[{;\n]/.test(value))
      given.set(name, value);
  });
  if (given.size === 0) return one;
  const text = outsideLiterals(one.text, (plain) =>
    plain.replace(/(?<![\w.$])\$?[A-Za-z_]\w*(?!\w|\()/g, (name) => given.get(name) ?? name),
  );
  return text === one.text ? one : assertionOf(text, one);
}
