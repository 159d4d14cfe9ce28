// Values that tests gave to what they test, and that no test gives it any more.
import type { TestProof } from "./kept-proofs.ts";
import { inputsOf, plainLiterals } from "./reading/operands.ts";
import type { Change } from "./what-changed.ts";

/** `stands`: whether a value stands in any test file now, be it as a part of a row that is one text. */
type Setting = { stands: (value: string) => boolean; change: Change };

/** A value that the test gave to something, and that stands in no test file any more. */
export const lostInput = (text: string, { stands }: Pick<Setting, "stands">): string | undefined =>
  inputsOf(text).find((value) => !stands(value));

export function standing(texts: readonly string[]): (value: string) => boolean {
  const literals = new Set(texts.flatMap(plainLiterals));
  const all = texts.join("\n");
  const numbers = new Set((all.match(/-?\d[\d_.]*/g) ?? []).map((one) => plainLiterals(one)[0]!));
  return (value) =>
    literals.has(value) || numbers.has(value) || (value.length > 1 && all.includes(value));
}

/** With other code, and nothing that says why, a value is given to what is tested no more. */
export function triesLess(lost: readonly TestProof[], compared: Setting): string | undefined {
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
