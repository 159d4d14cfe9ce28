// What became of the values that tests gave to the code: another test holds them now (it was merged, moved or
// made a row of a table, be it beside the tests or in a file of its own), or none does.
import { valuesIn } from "./reading/assertions.ts";
import { besideTests, helpersOf, type TestCase } from "./cases/test-cases.ts";
import type { TestProof } from "./kept-proofs.ts";
import { inputsOf, plainLiterals } from "./reading/operands.ts";
import type { Change, Files } from "./what-changed.ts";

type Setting = {
  old: readonly TestCase[];
  now: readonly TestCase[];
  files: { old: Files; now: Files };
};

/** A test that is new or changed holds its values, and asserts as strictly. */
export function isTakenUp(one: TestCase, { old, now, files }: Setting): boolean {
  const values = [...valuesIn(withoutHead(one))];
  if (values.length === 0) return false;
  const strength = strongest(one);
  const before = new Set(old.map(({ body }) => body));
  const fresh = now.filter(
    (test) => !test.isSkipped && !before.has(test.body) && strongest(test) >= strength,
  );
  const beside = new Map(
    [...new Set(fresh.map(({ path }) => path))].map((path) => [path, valuesBeside(path, files)]),
  );
  return fresh.some((test) => {
    const own = valuesIn(test.context);
    const inRows = new Set(test.rows.flatMap(({ content }) => [...content]));
    const around = beside.get(test.path)!;
    const holds = (value: string): boolean =>
      own.has(value) || inRows.has(value) || inRows.has(`"${value}`) || around.has(value);
    return values.filter(holds).length / values.length >= 0.7;
  });
}

const strongest = ({ assertions }: TestCase): number =>
  Math.max(0, ...assertions.map(({ strength }) => strength));

/** Without the name, which stands on the first line. */
const withoutHead = ({ body, name }: TestCase): string =>
  body.includes("\n") ? body.slice(body.indexOf("\n")) : body.replace(name, "");

/** Tables beside the tests of a file, and in files of data that it names and that changed. */
function valuesBeside(path: string, { old, now }: Setting["files"]): ReadonlySet<string> {
  const text = now.get(path) ?? "";
  const tables = helpersOf(path, text).reduce(
    (rest, { body }) => rest.replace(body, ""),
    besideTests(path, text),
  );
  const named = [...now].filter(
    ([file, data]) =>
      /\.(?:json|ya?ml|csv|tsv|txt|toml)$/.test(file) &&
      old.get(file) !== data &&
      text.includes(file.split("/").at(-1)!),
  );
  const cells = named.flatMap(([, data]) => data.split(/[\n,;\t|]/).map((cell) => cell.trim()));
  return new Set([
    ...valuesIn(tables),
    ...named.flatMap(([, data]) => [...valuesIn(data)]),
    ...cells,
  ]);
}

/** `stands`: whether a value stands in any test file now, be it as a part of a row that is one text. */
type Standing = { stands: (value: string) => boolean; change: Change };

/** A value that the test gave to something, and that stands in no test file any more. */
export const lostInput = (text: string, { stands }: Pick<Standing, "stands">): string | undefined =>
  inputsOf(text).find((value) => !stands(value));

export function standing(texts: readonly string[]): (value: string) => boolean {
  const literals = new Set(texts.flatMap(plainLiterals));
  const all = texts.join("\n");
  const numbers = new Set((all.match(/-?\d[\d_.]*/g) ?? []).map((one) => plainLiterals(one)[0]!));
  return (value) =>
    literals.has(value) || numbers.has(value) || (value.length > 1 && all.includes(value));
}

/** With other code, and nothing that says why, a value is given to what is tested no more. */
export function triesLess(lost: readonly TestProof[], compared: Standing): string | undefined {
  const { isDocumented, sources, isNamed } = compared.change;
  if (isDocumented || sources.length === 0) return undefined;
  // Where what comes out still stands, the input was only written in another way.
  return lost.flatMap(({ text = "" }) => {
    const inputs = inputsOf(text);
    const isOtherGone = plainLiterals(text).some(
      (value) => !inputs.includes(value) && !compared.stands(value),
    );
    const input = lostInput(text, compared);
    return input !== undefined && isOtherGone && !isNamed(input, "") ? [input] : [];
  })[0];
}
