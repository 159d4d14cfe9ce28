// The number of tests that a clause tells. Suites and files are another count.
export type TestNumbers = { passed: number | null; failed: number | null; total: number | null };

const share = /(\d{1,6}) ?(?:\/|of|von|de|sur|out of) ?(?:the )?(\d{1,6})/iu;
const counted = new RegExp(
  "\\b(\\d{1,6})(?: [\\w-]+){0,3} (?:tests?|specs?|examples?|testes|pruebas)\\b(?! (?:files?|suites?|class|" +
    "modules?|packages?))|\\btests?:? \\(?(\\d{1,6})\\b|\\b(\\d{1,6}) pass(?:ed|ing)?\\b",
  "iu",
);

export function numbersIn(words: string): TestNumbers | null {
  const plain = words.replace(/(?<=\d),(?=\d{3}\b)/g, "");
  const failed = /\b(\d{1,6}) (?:tests? )?fail(?:ed|ing|ures?)\b/iu.exec(plain)?.[1];
  const rest = failed === undefined ? null : Number(failed);
  const part = share.exec(plain);
  if (part) return { passed: Number(part[1]), failed: rest, total: Number(part[2]) };
  const found = counted.exec(plain);
  const number = found?.[1] ?? found?.[2] ?? found?.[3];
  return number === undefined ? null : { passed: Number(number), failed: rest, total: null };
}
