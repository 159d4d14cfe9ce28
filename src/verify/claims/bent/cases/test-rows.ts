// The rows of a test's table: beside it, around it, in its marks, or in the list or function that it names.
import { blockEnd, covered, type Grammar } from "../reading/block-end.ts";
import { bracketAt } from "../reading/operands.ts";

export type TestRow = { text: string };

const tables = new RegExp(
  "\\.each(?:<[^(]*>)?\\(?\\s*(?=\\[)|" +
    "parametrize\\(\\s*(?:[\"'][^\"']*[\"']|\\([^)]*\\)|\\[[^\\]]*\\]),\\s*(?=[\\[(])|" +
    "(?:range|(\\w+) :?=) (?:map\\[\\w+\\]|" +
    "\\[\\])(?:struct ?\\{[^}]*\\}|[\\w.*\\[\\]]*)(?=\\{)|->with\\((?=\\[)|" +
    "\\bfor (?:const )?[\\w\\[\\](),{} ]+ (?:in|of) &?(?=[\\[(])|" +
    "(?:cases|tests|table|rows|examples|data) = (?=[\\[({])",
  "g",
);

/** Elements of the lists that a test runs over; `code` is the whole file. */
export function rowsIn(
  own: string,
  around: string,
  { code, grammar }: { code: string; grammar: Grammar },
): TestRow[] {
  const inLists = [own, around].flatMap((text) =>
    [...text.matchAll(tables)]
      // A list is a table where the test goes through it.
      .filter(([, name]) => name === undefined || text.includes(`range ${name}`))
      .flatMap(({ index, 0: found }) => bracketAt(text, index + found.length).parts),
  );
  const marked = [...own.matchAll(marks)].flatMap(({ index, 0: found, groups = {} }) => {
    const { parts } = bracketAt(own, index + found.length);
    return groups["source"] === undefined ? [parts.join(", ")] : parts.flatMap(listed);
  });
  const named = namedTables(own, code, grammar);
  return [...inLists, ...marked, ...named].map((text) => ({ text }));
}

/** One row each, or those of all of them. */
const marks = new RegExp(
  "(?:#\\[case(?:::\\w+)?|[@[](?:TestCase|InlineData|DataRow|TestWith)|@(?<source>CsvSource|ValueSource))\\s*(?=\\()",
  "g",
);

/** `{"a, 1", "b, 2"}`, `textBlock = """…"""`, or a row as it stands. */
function listed(part: string): string[] {
  const plain = part.replace(/^\w+\s*=\s*/, "");
  if (/^[{[]/.test(plain)) return bracketAt(plain, 0).parts;
  return [plain];
}

const names = new RegExp(
  '(?:[dD]ataProvider\\W{1,3}|(?:MethodSource|TestCaseSource|MemberData)\\((?:nameof\\()?"?|' +
    "\\.each\\(|parametrize\\(\\s*(?:[\"'][^\"']*[\"']|\\([^)]*\\)),\\s*|\\brange |\\b(?:of|in) &?)([A-Za-z_]\\w*)",
  "g",
);
const holds =
  /(?:\breturn|=>?|\bof|[lL]istOf|arrayOf|vec!)\s*&?(?:new\(\)|new )?[\w[\].<>:]*?(?:struct ?\{[^}]*\})?\s*(?=[[({])/g;

/** A list or a function beside the tests, by its name. */
function namedTables(own: string, code: string, grammar: Grammar): string[] {
  const mask = covered(code, grammar);
  return [...new Set([...own.matchAll(names)].map(([, name]) => name!))].flatMap((name) => {
    const at = mask.search(
      new RegExp(`^[^\\n=(]*\\b${name}\\b(?:\\(\\)[^;\\n]*(?:\\{|\\n\\s*\\{)|[^=\\n(]*=)`, "m"),
    );
    if (at < 0 || own.includes(code.slice(at, at + 40))) return [];
    const block = code.slice(at, Math.max(blockEnd(mask, at, grammar), code.indexOf("\n", at)));
    const yields = [...block.matchAll(/\byield\b[^\n[(]*(?=[[(])/g)];
    if (yields.length > 0)
      return yields.map(({ index, 0: found }) =>
        bracketAt(block, index + found.length).parts.join(", "),
      );
    const [first] = block.matchAll(holds);
    return first ? bracketAt(block, first.index + first[0].length).parts : [];
  });
}

/** What a row holds, one by one: `[1000, "pen", 190]`, `{name: "a", want: 3}`, `"5000, 100"`, `1, 10`. */
export function cellsOf(row: string): string[] {
  const plain = row.trim();
  const keyed = /^(["'`](?:(?!["'`]).)*["'`])\s*:\s*(\S.*)$/s.exec(plain);
  if (keyed) return [keyed[1]!, keyed[2]!];
  const quoted = /^(["'])([^"']*,[^"']*)\1$/.exec(plain);
  if (quoted) return quoted[2]!.split(",").map((cell) => cell.trim());
  const opened = /^(?:["'][^"']*["']\s*=>\s*)?[\w.]*[[({]/.exec(plain);
  return bracketAt(opened ? plain : `(${plain})`, opened ? opened[0].length - 1 : 0).parts;
}
