// What a test says, one by one: its assertions and the rows of its table, each with its values (texts,
// numbers, true and false), the names that it looks at, and how much it says of them.
import { contentOf } from "../reading/assertions.ts";
import { namesBeside, operandsOf, valuesIn } from "../reading/operands.ts";
import type { TestCase } from "../cases/test-cases.ts";

export type Saying = {
  text: string;
  values: readonly string[];
  /** What it looks at, in small letters; what the test itself defines is none of it. */
  names: ReadonlySet<string>;
  strength: number;
  /** How much must be said of it elsewhere: the name and the message of a failure say enough. */
  least: number;
  isRow: boolean;
  /** It says the same in any test: nothing in it was made before. */
  isWhole: boolean;
};

export function sayingsOf({ assertions, rows, body, context }: TestCase): Saying[] {
  const locals = namesLookedAt([...madeIn(body)].join(" "));
  const made = new Set(madeIn(context));
  const own = assertions
    .filter(({ strength }) => strength > 0)
    .map(({ text, strength, failure }): Saying => {
      const plain = withoutMessage(text).replace(/(?<=[\w)\]])\[-?\d+\]/g, "");
      const { parts } = operandsOf(plain);
      const names = [...namesLookedAt(parts.join(" , ").replace(errors, ""))];
      // What only asks for a kind names it.
      const valued =
        strength === 1 ? parts.filter((part) => namesBeside(part).length > 0) : [plain];
      return {
        text: squeezed(text),
        values: [...valuesIn(valued.join(" , ")), ...errorsIn(plain)],
        names: new Set(names.filter((name) => !locals.has(name))),
        strength,
        least: failure === null ? strength : Math.min(strength, 2),
        isRow: false,
        isWhole: !identifiersIn(text).some((word) => made.has(word)),
      };
    });
  const strength = Math.max(0, ...own.map((one) => one.strength));
  if (strength === 0) return [];
  const names = namesLookedAt(body);
  return [
    ...own,
    ...rows.map(({ text }) => ({
      text: squeezed(text),
      values: valuesIn(text),
      names,
      strength,
      least: strength,
      isRow: true,
      isWhole: true,
    })),
  ];
}

/** All values and names of errors. */
export const saidIn = (text: string): string[] => [...valuesIn(text), ...errorsIn(text)];

const errorsIn = (text: string): string[] => text.match(errors) ?? [];
const errors = /\b(?:[A-Z]\w*(?:Error|Exception)|Err[A-Z]\w*)\b(?!\()/g;

/** `x =`, `a, err :=`, `Mailer mailer =`, `let(:x) {`, `self.x`. */
export const defines = new RegExp(
  "(?:^|[\\s({])([$@]?\\w+(?:, ?\\w+)*)(?::\\s*[\\w<>[\\], ]+)?\\s*:?=(?![=>~])|" +
    "\\b(?:let!?|subject)(?:\\(:(\\w+)\\))? (?=\\{)|\\b(?:self|this)\\.(\\w+)(?!\\w|\\()",
  "g",
);

/** Names that a text defines. */
const madeIn = (text: string): string[] =>
  [...text.matchAll(defines)].flatMap(([, names, lazy, own]) =>
    (names ?? lazy ?? own ?? "is_expected").split(/, ?/),
  );

export const identifiersIn = (text: string): string[] => text.match(/[$@]?[A-Za-z_]\w*/g) ?? [];

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Names in a text, those of test frameworks aside. */
export const namesLookedAt = (text: string): ReadonlySet<string> =>
  new Set(
    [...contentOf(text)]
      .filter((word) => /^[A-Za-z_$][\w$]*$/.test(word) && !frames.test(word))
      .map((word) => word.replace(/[_$]/g, "").toLowerCase()),
  );

const frames = new RegExp(
  "^(?:this|pytest|[aA]ssert\\w*|[eE]xpect\\w*|[sS]hould\\w*|require|refute\\w*|[vV]erify\\w*|(?:be|have)_\\w+|" +
    "to(?:Be|Equal|Have|Throw|Match|Contain|Strict)\\w*|raises?|raise_\\w+|[tT]hrows?\\w*|[cC]ontains?\\w*|" +
    "\\w*[eE]quals?|vec|reflect|errors|slices|maps)$",
);

/** What is shown when the assertion fails. */
function withoutMessage(text: string): string {
  return text.replace(/,\s*f?(["'])(?:(?!\1).)*\1(?:, [\w.]+)*\)?;?$/, "");
}

/** A value that stands in any code tells nothing. */
export const isTelling = (value: string): boolean => !/^(?:-?\d|\w?|true|false|null)$/.test(value);
