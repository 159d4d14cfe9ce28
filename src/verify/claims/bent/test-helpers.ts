// Functions beside the tests, and what a test asserts by calling them: the helper's assertions with the
// values of the call in place of its parameters, wherever in the test tree the helper stands.
import { blockEnd, covered, grammars, type Grammar } from "./reading/block-end.ts";
import { assertionOf, assertionsIn, contentOf, type TestAssertion } from "./reading/assertions.ts";
import { obstaclesOf } from "./reading/obstacles-of.ts";
import { bracketAt, outsideLiterals } from "./reading/operands.ts";
import type { Language } from "./reading/test-syntax.ts";

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
  `^[ \\t]*${modifiers}(?:function\\*?|def|func|fn|fun)\\s+(?:\\([^)]*\\)\\s*|<[^>\\n]*>\\s*)?(?:self\\.)?(\\w+[?!]?)|` +
    `^[ \\t]*${modifiers}(?:const|let) (\\w+) = (?:async )?(?:\\([^)]*\\)|\\w+)[^=\\n]*=>|` +
    "^[ \\t]*(?:(?:private|public|protected|internal|static|final|async|abstract) )+(?:<[^>\\n]*> )?" +
    "[\\w<>[\\],?.]+ (\\w+)\\(|^[ \\t]*void (\\w+)\\(",
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
    return [
      {
        name,
        at,
        end,
        parameters: parametersOf(body.slice(body.indexOf(name) + name.length), language),
        body,
        assertions: assertionsIn(body, language.asserts, grammar),
      },
    ];
  });
}

/** `(t *testing.T, want int)`, `(String want, int got)`, `(want: Int, got = 3)`, ` want, got`. */
function parametersOf(behind: string, language: Language): string[] {
  const from = behind.search(/[({\n]/);
  if (from < 0 || behind[from] !== "(") {
    const bare = /^ (\w+(?:, ?\w+)*)\n/.exec(behind)?.[1];
    return bare === undefined ? [] : bare.split(/, ?/);
  }
  const isFirst = language.files.test("a.go");
  return bracketAt(behind, from)
    .parts.map((part) => part.replace(/\s*=[^>].*$/s, ""))
    .map((part) => (part.includes(":") ? part.slice(0, part.indexOf(":")) : part))
    .map((part) => (part.match(/\$?\w+/g) ?? [""]).at(isFirst ? 0 : -1)!)
    .filter((name) => name !== "self" && name !== "cls");
}

/** A helper of a helper of a helper is followed, and no further. */
const maxDepth = 3;

/** What `body` asserts, in its order: by itself, and by the helpers that it calls. */
export function withHelpers(
  body: string,
  own: readonly TestAssertion[],
  setting: { helpers: Helpers; language: Language },
  depth = 0,
): TestAssertion[] {
  const { helpers, language } = setting;
  if (helpers.size === 0 || depth >= maxDepth) return [...own];
  const grammar: Grammar = grammars[language.grammar];
  const ground = { body, mask: covered(body, grammar), grammar, asserts: language.asserts };
  const calls = callsIn(body, ground.mask, helpers);
  const called = calls.flatMap(({ helper, call, at, parts }) =>
    withHelpers(helper.body, helper.assertions, setting, depth + 1).map((one) => ({
      ...filledIn(one, helper.parameters, parts),
      at,
      said: call.replace(/\s+/g, " ").trim(),
      obstacles: [...one.obstacles, ...obstaclesOf(at, ground)],
      // The values stand in the call.
      content: new Set([...one.content, ...contentOf(call)]),
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

function callsIn(body: string, mask: string, helpers: Helpers): Call[] {
  const head = /^[^\n]*/.exec(mask)![0].length;
  return [
    ...mask.matchAll(/(?<receiver>[\w$]+(?:\.|->|::))?(?<![\w$])(?<name>[A-Za-z_]\w*[?!]?)/g),
  ].flatMap(({ index, 0: found, groups }): Call[] => {
    const helper = helpers.get(groups!["name"]!);
    const isOwn = /(?:def|fn|func|function|fun|void)\s+$/.test(mask.slice(0, index));
    const before = mask[index - 1] ?? "";
    if (!helper || isOwn || before === "." || before === ">" || before === ":") return [];
    if (groups!["receiver"] !== undefined && !ownReceiver.test(groups!["receiver"])) return [];
    const end = index + found.length;
    const opened = mask[end] === "(";
    // The test's own name on its first line is no call of another function.
    if (!opened && (index < head || !/^[ \t]+[\w"':[@$]|^\s*$|^\s*\n/.test(mask.slice(end))))
      return [];
    const call = body.slice(index).split("\n")[0]!;
    const parts = opened
      ? bracketAt(body, end).parts
      : bracketAt(`(${call.slice(found.length)})`, 0).parts;
    return [
      {
        helper,
        call: opened ? body.slice(index, bracketAt(body, end).end) : call,
        at: index,
        parts,
      },
    ];
  });
}

/** A helper stands in the test's own class, in a base class, or in a class or module of helpers. */
const ownReceiver =
  /^(?:self|this|super|cls|\$this|static|parent|base|[A-Z]\w*|\w*(?:helper|util|support|assert|check|expect)\w*)\W/i;

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
